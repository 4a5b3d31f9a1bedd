"""Collisions, fighters run over and leaps in the wizard: what it asks for, and only where it matters."""

import pytest
from rides import RIG, SLED, riding
from scenario import MAGS, SAINTS, SKULLS, VEX, Table, card, seriously_injured
from special_rules import dice

from tracker.campaign import records
from tracker.documents.wizard import legal_entries
from tracker.documents.wizard.candidates import candidates
from tracker.documents.wizard.context import Context
from tracker.documents.wizard.forms import battle_forms
from tracker.documents.wizard.prompts import prompts_of
from tracker.rules import loader

KEYS = {
    "drive": ("heavy_foot",),
    "collision": ("ram", "heavy_foot"),
    "run_over": ("engaged", "heavy_foot"),
    "leap": ("gap",),
}


def at(table: Table) -> Context:
    return Context(state=table.state, book=loader.book(table.state.book), gangs=(SKULLS, SAINTS))


def asked(table: Table, kind: str, **answers: object) -> set[str]:
    """Which of the keys that matter seldom the wizard would ask for."""
    form = battle_forms()[kind]
    assert set(KEYS[kind]) <= {prompt.key for prompt in prompts_of(form)}
    return {key for key in KEYS[kind] if candidates(at(table), form, key, answers) != ()}


@pytest.mark.parametrize(("skills", "keys"), [((), set()), (("Heavy Foot",), {"heavy_foot"})])
def test_heavy_foot_is_asked_for_where_the_driver_has_it(skills: tuple[str, ...], keys: set[str]) -> None:
    table = riding(fighters=(card(VEX, skills=skills),))
    assert asked(table, "drive", vehicle=RIG, action="ram") == keys


@pytest.mark.parametrize(("skills", "offered"), [((), ["ram"]), (("Heavy Foot",), ["ram", "move"])])
def test_a_move_is_offered_only_to_a_driver_who_makes_it_with_a_die(
    skills: tuple[str, ...], offered: list[str]
) -> None:
    form, table = battle_forms()["drive"], riding(fighters=(card(VEX, skills=skills),))
    (action,) = [prompt for prompt in prompts_of(form) if prompt.key == "action"]
    choices = legal_entries.choices(at(table), form, action, {"vehicle": RIG})
    assert [choice.value for choice in choices or ()] == offered


def test_who_drives_a_vehicle_is_not_offered_to_hit_it() -> None:
    form, table = battle_forms()["vehicle_hit"], at(riding())
    for attacker, offered in ((VEX, {SLED}), (MAGS, {RIG, SLED})):
        choices = candidates(table, form, "vehicle", {"attacker": attacker}) or ()
        assert {choice.value for choice in choices} == offered


def test_nobody_is_offered_their_own_fall_as_the_reason_of_a_nerve_test() -> None:
    form = battle_forms()["nerve"]
    table = at(riding().when(seriously_injured(MAGS)))
    assert [choice.value for choice in candidates(table, form, "because_of", {"fighter": MAGS}) or ()] == []
    assert MAGS in [
        choice.value for choice in candidates(table, form, "because_of", {"fighter": "dot"}) or ()
    ]


def test_a_ram_is_asked_for_head_on_and_heavy_foot_once_it_raised_the_movement() -> None:
    table = riding(fighters=(card(VEX, skills=("Heavy Foot",)),))
    front = {"vehicle": RIG, "mobile": True, "contact": "front"}
    assert asked(table, "collision", **front) == {"ram"}
    assert asked(table, "collision", **{**front, "contact": "side"}) == set()
    assert asked(table, "collision", **{**front, "mobile": False}) == set()
    moved = table.when(
        records.DriveVehicle(vehicle=RIG, action="move", heavy_foot=True), *dice(moves_further=4)
    )
    assert asked(moved, "collision", **front) == {"ram", "heavy_foot"}
    assert asked(moved.when(records.EndRound()), "collision", **front) == {"ram"}


def test_whoever_is_down_is_not_asked_whether_they_are_engaged() -> None:
    table = riding()
    assert asked(table, "run_over", vehicle=RIG, fighter=MAGS) == {"engaged"}
    down = table.when(seriously_injured(MAGS))
    assert asked(down, "run_over", vehicle=RIG, fighter=MAGS) == set()


@pytest.mark.parametrize(("skills", "keys"), [((), set()), (("Mighty Leap",), {"gap"})])
def test_how_wide_a_gap_is_matters_with_mighty_leap(skills: tuple[str, ...], keys: set[str]) -> None:
    table = riding(fighters=(card(MAGS, skills=skills),))
    assert asked(table, "leap", fighter=MAGS) == keys


def test_a_vehicle_collides_with_every_other_one_and_runs_over_whoever_is_on_foot() -> None:
    table = riding()
    forms = battle_forms()
    prompts = {prompt.key: prompt for prompt in prompts_of(forms["collision"])}
    moving = {"vehicle": RIG, "mobile": True, "contact": "front"}
    offered = legal_entries.choices(at(table), forms["collision"], prompts["into"], moving)
    assert offered is not None
    assert [choice.value for choice in offered] == [SLED]
    prompts = {prompt.key: prompt for prompt in prompts_of(forms["run_over"])}
    on_foot = legal_entries.choices(
        at(table), forms["run_over"], prompts["fighter"], {"vehicle": RIG, "mobile": True}
    )
    assert on_foot is not None
    assert {choice.value for choice in on_foot} == {"krug", "mags"}
