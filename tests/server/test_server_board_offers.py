"""A board offers what can be taken: what goes together, as many as count, and asks for what is missing."""

import re
from collections.abc import Iterator
from pathlib import Path

import convoy
import pytest
from boards import first_battle
from cli_arbitrator import ROOT
from forms_seen import forms
from test_server_board import Board
from test_server_board_forms import FIXERS, after_a_battle, fixers, form_of, to_the_question

CREWS = {"skulls": ["krug", "vex", "joss"], "saints": ["mags", "dot", "ned"]}
WARBANDS = {"iron-procession": ["anselm", "maud", "odo", "wil"], "black-vigil": ["vex", "rat", "grub"]}
SEASON = ROOT / "fixtures" / "trench-season"
SHEETS = [SEASON / f"{warband}.yaml" for warband in WARBANDS]


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    """A first battle of the archived rules, two cars in it."""
    with first_battle(tmp_path, "necromunda_archive", convoy.sheets(tmp_path), CREWS) as board:
        yield board


@pytest.fixture
def warbands(tmp_path: Path) -> Iterator[Board]:
    with first_battle(tmp_path, "trench_crusade", SHEETS, WARBANDS) as board:
        yield board


def numbers(board: Board) -> set[str]:
    """The numbers that are buttons."""
    row = re.search(r'<div class="answers numbers">(.*?)</div>', board.page, re.DOTALL)
    return {*re.findall(r'value="([^"]*)"', row[1])} if row is not None else set()


def lists(board: Board) -> list[set[str]]:
    """What can be chosen of what only one can be."""
    listed = re.findall(r'<select name="choice">(.*?)</select>', board.page, re.DOTALL)
    return [{*re.findall(r'<option value="([^"]+)"', options)} for options in listed]


def tapped_to(board: Board, lines: str, **more: object) -> None:
    board.send(board.at, revision=board.revision, lines=lines, **more)
    assert board.status == 200, board.page


# --- what goes together ------------------------------------------------------------------------------------


def test_a_reaction_and_a_charge_are_one_choice(board: Board) -> None:
    board.tap("fight krug\nmags")
    (form,) = [form for form in forms(board.page) if "beside.charging" in form.kinds]
    assert {*form.choices["beside.charging"]} == {"charging", "as Reaction attacks", ""}
    assert form.fields["beside.charging"] == "", "neither, unless it is said"
    board.send(form.action, revision=board.revision, answer="none", **{"beside.charging": "charging"})
    assert board.status == 200
    assert "unarmed" in board.asks, board.asks


def test_whoever_has_no_weapon_for_a_fight_may_charge_all_the_same(tmp_path: Path) -> None:
    with first_battle(tmp_path, "necromunda_2023", fixers(tmp_path), FIXERS) as board:
        board.tap("fight ada\ncy")
        assert board.asks == "With which weapons? Two at most."
        assert [one for one in board.answers if one] == []
        assert "a" not in board.offered, "there is nothing that all could be"
        board.send(board.at, revision=board.revision, answer="none", **{"beside.charging": "charging"})
        assert board.asks.startswith("Ada: hit roll"), board.asks


def test_hull_down_is_chosen_in_place_of_a_cover(board: Board) -> None:
    board.tap("shoot krug\nautogun\nsled\nfront\ny")
    assert "hull-down" not in re.findall(r'name="beside[^"]*" value="([^"]*)"', board.page)
    assert {"short, hull-down", "short, partial cover", "short, full cover, hull-down"} <= {
        *re.findall(r'name="answer" value="([^"]*)"', board.page)
    }
    board.answer("short, hull-down")
    assert board.status == 200


def test_of_a_vehicle_in_contact_one_side_is_chosen(tmp_path: Path) -> None:
    with first_battle(tmp_path, "necromunda_2023", convoy.with_true_grit(tmp_path), CREWS) as board:
        board.tap("fight krug\nmags\nflail")
        sides = {f"sled/{side}{mobile}" for side in ("front", "side", "rear") for mobile in ("", "/mobile")}
        assert sides in lists(board)


def test_a_vehicle_among_several_targets_is_chosen_with_its_side(board: Board) -> None:
    board.tap("fight krug")
    assert any("sled/front" in listed for listed in lists(board))
    board.send(board.at, revision=board.revision, choice=["mags", "sled/front/mobile", ""])
    assert board.asks.startswith("With which weapons"), board.asks
    board.send(board.at, revision=board.revision, lines="none")
    assert board.status == 200, board.page


def test_one_vehicle_that_is_attacked_is_a_tap_as_before(board: Board) -> None:
    board.tap("fight krug")
    picks = re.findall(r'name="choice" value="([^"]*)" class="pick"', board.page)
    assert "sled" in picks
    assert "sled/front" not in picks
    board.send(board.at, revision=board.revision, choice="sled")
    assert board.asks == "Which side of the vehicle is attacked?"


# --- as many as count --------------------------------------------------------------------------------------


def test_friends_near_are_not_more_than_there_are(board: Board) -> None:
    board.tap("out_of_action mags")
    board.answer("", "")
    board.die("2-1")
    board.tap("nerve dot")
    assert numbers(board) == {"0"}, "nobody of hers stands who could count"


def test_who_has_fled_neither_wins_nor_draws(warbands: Board) -> None:
    for out in ("vex", "rat", "grub"):
        warbands.tap(f"injury_chart\n\n{out}")
        warbands.answer("", "")
        warbands.die("6", "6")
    warbands.tap("morale black-vigil")
    assert warbands.asks == "Which turn ends?", warbands.asks
    assert "0" not in numbers(warbands), "turns are counted from 1"
    warbands.answer("1", "", "")
    warbands.die("1", "1")
    assert "fled" in warbands.page
    warbands.tap("end")
    assert {*re.findall(r'name="answer" value="([^"]*)"', warbands.page)} == {"iron-procession"}


# --- what is missing ---------------------------------------------------------------------------------------


def test_a_new_territory_of_the_tables_own_asks_its_name_and_is_no_stake_of_a_draw(tmp_path: Path) -> None:
    with after_a_battle(tmp_path, "necromunda_2023", fixers(tmp_path), FIXERS) as board:
        to_the_question(board, "What is done")
        at = board.at
        board.send(f"{at}/entry", revision=board.revision, entry="territory", **{"territory.gang": "fixers"})
        board.at = at
        assert board.asks == "Was it the stake?", board.asks
        assert re.findall(r'name="answer" value="([^"]*)"[^>]*>(?:Yes|No)<', board.page) == ["n"]
        board.answer("n")
        assert board.asks == "What is its id? A new one gets one, such as old-ruins.", board.asks
        board.answer("old-yard")
        assert board.asks == "What does your table call it?", board.asks
        board.answer("Old Yard")
        assert "take Old Yard" in board.page


def test_deeds_are_only_of_who_fought(tmp_path: Path) -> None:
    crews = {**WARBANDS, "iron-procession": ["maud", "odo", "wil"]}
    with after_a_battle(tmp_path, "trench_crusade", SHEETS, crews) as board:
        assert {*form_of(board, "battle_experience").choices["battle_experience.deeds"]} >= {"maud"}
        board.tap("battle_experience")
        assert "anselm" not in board.answers, "he was not there"


def test_whoever_has_fewer_attack_dice_than_targets_says_who_is_attacked(board: Board) -> None:
    board.tap("fight krug")
    board.send(board.at, revision=board.revision, choice=["mags", "dot"])
    board.send(board.at, revision=board.revision, lines="none")
    assert "each of 2 targets takes one at least" in board.asks, board.asks
    (form,) = [form for form in forms(board.page) if "choice" in form.counted]
    assert form.counted["choice"] == (1, 1)
    assert "a" not in board.offered, "all of them are too many"
    board.send(board.at, revision=board.revision, choice="dot")
    assert board.asks.startswith("Krug: hit roll"), board.asks
    assert "against Dot" in board.asks


def test_what_is_answered_goes_with_the_entry_that_it_rests_on(board: Board) -> None:
    board.tap("seriously_injured mags")
    board.answer("")
    board.tap("recovery mags")
    at = board.at
    board.take_out(1)
    assert board.status == 200, board.page
    board.go(at)
    assert board.asks == "Tap who acts"
    assert "What was being answered rested on it, and is dropped too." in board.page


def test_no_more_troops_are_ticked_than_there_are_promotion_dice(tmp_path: Path) -> None:
    with after_a_battle(tmp_path, "trench_crusade", SHEETS, WARBANDS) as board:
        to_the_question(board, "What is done")
        board.tap("promotions")
        assert board.asks.startswith("How many Glorious Deeds"), board.asks
        board.answer("")
        (form,) = [form for form in forms(board.page) if "choice" in form.counted]
        assert form.counted["choice"] == (1, 1), "one die, and nobody did a deed"
        board.send(board.at, revision=board.revision, choice="odo")
        assert numbers(board) == {"1"}


def test_a_thing_that_a_model_carries_is_handed_over_by_who_has_it(tmp_path: Path) -> None:
    with after_a_battle(tmp_path, "trench_crusade", SHEETS, WARBANDS) as board:
        to_the_question(board, "What is done")
        at, form = board.at, form_of(board, "hand_over")
        item = form.choices["hand_over.item"][-1]
        said = {**form.fields, "hand_over.item": item, "hand_over.from": "", "hand_over.to": ""}
        board.send(f"{at}/entry", **said)
        board.at = at
        while 'data-entries="1"' not in board.page:
            assert board.status == 200, board.asks
            buttons = re.findall(r'name="answer" value="([^"]*)"', board.page)
            if board.asks == "Who gives it up?":
                assert "" not in buttons, "it is not in the stash"
            board.answer(buttons[-1])
        assert "the stash" in board.page, board.page
