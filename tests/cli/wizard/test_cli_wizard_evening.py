"""What makes an evening short: answers grouped, remembered and suggested, and dice of one roll on one line."""

from __future__ import annotations

import pytest
from cli_arbitrator import Arbitrator
from conversations import HEAD, LEFT, conversation, post, written

pytestmark = pytest.mark.usefixtures("wide")


# --- in one question -------------------------------------------------------------------------------------


def test_range_cover_and_who_is_closest_are_one_question(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, "shoot", "krug", "wren", "?", "long, partial, not", "quit")
    assert "Add what else applies after a comma; anything you leave out is as usual." in said
    assert "add after a comma:    4 partial cover    5 full cover    6 not the closest enemy" in said
    assert "range: long, cover: partial, closest: false" in written(table)


def test_what_is_not_said_beside_an_answer_is_as_usual(table: Arbitrator) -> None:
    conversation(table, *HEAD, "shoot", "krug", "wren", "1", "quit")
    assert "shoot: {attacker: krug, weapon: autogun, target: wren, range: short}" in written(table)


def test_a_key_is_answered_once_beside_an_answer(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, "shoot", "krug", "wren", "1,4,5", "quit")
    assert "partial cover and full cover cannot both be: type one of them." in said
    assert "range:" not in written(table)


@pytest.mark.parametrize("typed", ["4", "partial, not"])
def test_what_stands_beside_an_answer_is_none_without_it(table: Arbitrator, typed: str) -> None:
    said = conversation(table, *HEAD, "shoot", "krug", "wren", typed, "quit")
    assert "Type one of the first list." in said
    assert "range:" not in written(table)


def test_back_takes_an_answer_back_with_what_was_said_beside_it(table: Arbitrator) -> None:
    conversation(table, *HEAD, "shoot", "krug", "wren", "1, 4", "back", "2", "quit")
    assert "target: wren, range: long}" in written(table)


# --- dice of one roll ------------------------------------------------------------------------------------


def test_the_hit_roll_and_the_firepower_die_are_typed_together(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, "shoot", "krug", "wren", "1", "51", "quit")
    assert (
        "Krug the Anvil: hit roll of autogun, needs 3+, and Firepower die of autogun (both in a row)?" in said
    )
    assert "dice: {hit: [5], firepower: [1]}" in written(table)


def test_dice_of_one_roll_may_be_typed_one_by_one(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, "shoot", "krug", "wren", "1", "5", "1", "quit")
    assert "Krug the Anvil: Firepower die of autogun?" in said
    assert "dice: {hit: [5], firepower: [1]}" in written(table)


def test_more_dice_than_the_roll_has_are_refused(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, "shoot", "krug", "wren", "1", "514", "quit")
    assert "2 dice are asked for, and these are 3." in said
    assert "dice" not in written(table)


# --- remembered and suggested ----------------------------------------------------------------------------


def test_the_gang_that_acted_last_stands_in_the_question(after: Arbitrator) -> None:
    said = post(after, "", *LEFT, "alignment", "iron-skulls", "outlaw", "", "quit")
    assert "What is done by Iron Skulls? (gang names another)" in said
    assert "alignment: {gang: iron-skulls, alignment: outlaw, why: as founded}" in written(
        after, "after.yaml"
    )


@pytest.mark.parametrize("words", [("gang", "2"), ("gilded-cage",), ("The Gilded Cage",)])
def test_another_gang_is_named_at_the_menu(after: Arbitrator, words: tuple[str, ...]) -> None:
    post(
        after, "", *LEFT, "alignment", "iron-skulls", "outlaw", "", *words, "alignment", "outlaw", "", "quit"
    )
    assert "alignment: {gang: gilded-cage, alignment: outlaw, why: as founded}" in written(
        after, "after.yaml"
    )


def test_a_gang_typed_ahead_counts_before_the_one_that_acted_last(after: Arbitrator) -> None:
    post(after, "", *LEFT, "alignment iron outlaw .", "alignment gilded outlaw .", "quit")
    assert "alignment: {gang: gilded-cage, alignment: outlaw, why: as founded}" in written(
        after, "after.yaml"
    )


def test_whose_turn_it_is_is_kept_when_somebody_stops(after: Arbitrator) -> None:
    post(after, "", *LEFT, "alignment", "iron-skulls", "outlaw", "", "quit")
    assert "What is done by Iron Skulls?" in post(after, "quit")


def test_a_reason_that_the_battle_recorded_is_offered(table: Arbitrator) -> None:
    conversation(
        table, *HEAD, "experience", "krug", "", "held the pump", "end", "draw", "yes",
    )  # fmt: skip
    said = post(table, "", "n", "next", "2", "1", "quit")
    assert "1 held the pump" in said
    assert "reputation: {gang: iron-skulls, by: 2, why: held the pump}" in written(table, "after.yaml")
