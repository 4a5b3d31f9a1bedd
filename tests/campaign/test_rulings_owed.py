"""What a ruling newly calls for that no entry asks for by itself is named as owed."""

from typing import get_args

import pytest
from aftermaths import die
from nerves import cool, nerve
from rides import RIG, damage, handling, location, ram, riding, vehicle
from scenario import CLOSING, DOT, KRUG, MAGS, VEX, Table, card, flat, given, hit, injury, lasting, wound

from tracker.campaign import records
from tracker.campaign.rulings import owed_rolls as owed
from tracker.campaign.rulings.owed_rolls import OwedRoll, owed_rolls
from tracker.campaign.rulings.redecision import SlotInstruction, redecide
from tracker.campaign.state import CampaignState
from tracker.records import replace
from tracker.rules import loader

HIT = 5


def owed_by(table: Table, instruction: SlotInstruction) -> tuple[OwedRoll, ...]:
    found = redecide(CampaignState(), table.slots(), {HIT: instruction}, loader.rulebook)
    assert found.unsettled == ()
    return owed_rolls(found.slots, table.state, found.state, loader.rulebook)


def named(found: tuple[OwedRoll, ...]) -> list[tuple[str, str, int, bool]]:
    return [(due.what, due.because_of, due.entry, due.late) for due in found]


def the_rig_is_missed(*, closed: bool = False) -> Table:
    table = riding(vehicle(RIG, hit_points=1)).when(ram(by=MAGS), wound(1))
    return table.when(CLOSING) if closed else table


WRECKS = SlotInstruction(
    correct=(0, wound(6)),
    supplied=flat(
        (
            location("engine"),
            damage("penetrating"),
            handling(6, 6),
            die("crew_injury", "1-2"),
            die("lasting_damage", 6),
        )
    ),
)


def test_what_a_ruling_may_call_for_is_what_some_command_gives() -> None:
    """Or nobody could say whether the ruling has given it already."""
    (named_here, of_skills) = get_args(owed.What)
    assert {*owed._GIVEN_BY} == {*get_args(named_here), *get_args(of_skills)}
    assert len({*owed._GIVEN_BY.values()}) == len(owed._GIVEN_BY)


def test_a_wreck_calls_for_who_was_aboard_and_for_the_nerve_of_friends_beside_it() -> None:
    """Core Rulebook (2023): fighters test for a wreck, and so do vehicles; who was aboard takes an Initiative
    test. Vex, the crew, went Out of Action with it, and frightens nobody besides."""
    assert named(owed_by(the_rig_is_missed(), WRECKS)) == [
        ("thrown_clear", RIG, HIT, False),
        ("nerve", RIG, HIT, False),
        ("vehicle_nerve", RIG, HIT, False),
    ]


def test_a_wreck_of_a_battle_that_is_over_calls_for_scrap_that_comes_late() -> None:
    assert ("scrap", RIG, 0, True) in named(owed_by(the_rig_is_missed(closed=True), WRECKS))


def test_who_falls_by_a_ruling_calls_for_the_nerve_of_friends_within_three_inches() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(1))
    serious = SlotInstruction(correct=(0, wound(4)), supplied=injury("serious"))
    (due,) = owed_by(table, serious)
    assert (due.what, due.because_of, due.entry) == ("nerve", VEX, HIT)
    assert due.why == 'Vex is Seriously Injured: a Nerve test of each friend within 3"'


def test_who_fell_as_recorded_calls_for_nothing_new() -> None:
    """Another Lasting Injury of who went Out of Action anyway; a Flesh Wound frightens nobody."""
    table = given().when(hit(VEX, by=MAGS), wound(4), injury("out"), lasting(2, 1))
    assert owed_by(table, SlotInstruction(correct=(2, lasting(4, 2)))) == ()
    table = given().when(hit(VEX, by=MAGS), wound(1))
    assert owed_by(table, SlotInstruction(correct=(0, wound(4)), supplied=injury("flesh"))) == ()


def test_a_test_that_the_ruling_brings_answers_for_the_friend_who_fell_and_for_nobody_else() -> None:
    hits = (hit(VEX, by=MAGS), hit(DOT, by=KRUG))
    missed = (replace(wound(1), part=part) for part in range(2))
    table = given().when(records.PlayInTurn(commands=hits), *missed)
    fall = [replace(fallen, part=part) for part in range(2) for fallen in (wound(4), *injury("serious"))]
    amended = SlotInstruction(
        command=records.PlayInTurn(commands=(*hits, nerve())),
        dice=(*fall, replace(cool("nerve", "1+2"), part=2)),
        amended=True,
    )
    assert named(owed_by(table, amended)) == [("nerve", DOT, HIT, False)]


def test_who_is_captured_by_a_ruling_still_rolls_to_escape_and_comes_late() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(4), injury("out"), lasting(2, 1)).when(CLOSING)
    found = owed_by(table, SlotInstruction(correct=(2, lasting(5, 5))))
    assert named(found) == [("escape", VEX, 0, True)]


def test_who_is_critically_injured_by_a_ruling_must_be_escorted_to_the_doc() -> None:
    table = given().when(hit(VEX, by=MAGS), wound(4), injury("out"), lasting(2, 1)).when(CLOSING)
    critical = SlotInstruction(correct=(2, lasting(6, 1)))
    assert named(owed_by(table, critical)) == [("medical_escort", VEX, 0, False)]


@pytest.mark.parametrize(
    ("skill", "owed"),
    [
        ("Fixer", ["fixer"]),
        ("Mentor", ["mentor"]),
        ("Savvy Trader", ["trade", "buy"]),
        ("Connected", ["trade"]),
    ],
)
def test_what_a_skill_gives_who_is_out_cold_by_a_ruling_in_place_of_captured_is_owed(
    skill: str, owed: list[str]
) -> None:
    """Who is Captured gets no credits, tests nobody and trades nothing; who was Out Cold does."""
    vex = card(VEX, name="Vex", category="leader", skills=(skill,))
    table = given(vex).when(hit(VEX, by=MAGS), wound(4), injury("out"), lasting(5, 5)).when(CLOSING)
    found = owed_by(table, SlotInstruction(correct=(2, lasting(2, 1))))
    assert named(found) == [(what, VEX, 0, False) for what in owed]
    assert all(due.why.startswith("Vex is ") and skill in due.why for due in found)


def test_what_a_skill_gave_before_a_ruling_is_not_owed_by_it() -> None:
    vex = card(VEX, name="Vex", category="leader", skills=("Fixer",))
    table = given(vex).when(hit(VEX, by=MAGS), wound(4), injury("out"), lasting(2, 1)).when(CLOSING)
    assert owed_by(table, SlotInstruction(correct=(2, lasting(1, 6)))) == ()


def test_what_a_skill_gives_is_owed_no_more_once_its_step_is_past() -> None:
    vex = card(VEX, name="Vex", category="leader", skills=("Fixer",))
    table = given(vex).when(hit(VEX, by=MAGS), wound(4), injury("out"), lasting(5, 5)).when(CLOSING)
    past = table.when(records.Trade(by=KRUG))
    assert past.refusal is None
    assert owed_by(past, SlotInstruction(correct=(2, lasting(2, 1)))) == ()
