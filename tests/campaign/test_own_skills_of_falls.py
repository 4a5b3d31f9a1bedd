"""A table's own rows that ask for no attack, where none made the hit: falls, impacts, fires. Others stay out of it."""

import pytest
from fights import weapon
from rides import RIG, riding, vehicle
from scenario import MAGS, VEX, card, given, injury, older, wound
from special_rules import dice, purposes
from test_own_skills import effect, row

from tracker.campaign import records
from tracker.campaign.profiles import Armour

NINE_LIVES = row(
    "skill", "Nine Lives", effect("wounded", "no_further_effect", bearer="target", roll={"needs": 4})
)
ONLY_ATTACKS = row(
    "skill",
    "Nine Lives",
    effect("wounded", "no_further_effect", bearer="target", roll={"needs": 4}, **{"if": ["attack"]}),
)
OF_SHOTS = row(
    "skill", "Nine Lives", effect("save", "changes_roll", by=2, bearer="target", **{"if": ["ranged"]})
)
PADDED = row(
    "skill",
    "Nine Lives",
    effect("damage", "changes_damage", by=-1, bearer="target", against="vehicle"),
    effect("hit", "no_further_effect", bearer="target", against="vehicle", roll={"needs": 6}),
)
FALL = records.ResolveFall(target=VEX, distance_hundredths=500)


def lively(knobs: dict[str, str]):
    return given(card(VEX, skills=("Nine Lives",)), knobs=knobs)


def test_an_own_row_that_asks_for_no_attack_acts_in_a_fall() -> None:
    table = lively(NINE_LIVES)
    saved = table.when(FALL, wound(6), dice(own_rule=4))
    assert purposes(saved) == ["wound", "own_rule"]
    assert saved.combatant(VEX).flesh_wounds == 0
    hurt = table.when(FALL, wound(6), dice(own_rule=3), injury("flesh"))
    assert hurt.combatant(VEX).flesh_wounds == 1


@pytest.mark.parametrize("knobs", [ONLY_ATTACKS, OF_SHOTS])
def test_an_own_row_of_attacks_or_shots_stays_out_of_a_fall(knobs: dict[str, str]) -> None:
    table = lively(knobs)
    assert purposes(table.when(FALL, wound(6), injury("flesh"))) == ["wound", "injury"]


def test_a_fall_in_a_battle_of_an_earlier_stage_asks_for_no_own_row() -> None:
    table = older(lively(NINE_LIVES), 3)
    assert purposes(table.when(FALL, wound(6), injury("flesh"))) == ["wound", "injury"]


def test_an_own_row_acts_on_who_is_run_over() -> None:
    table = riding(fighters=(card(MAGS, skills=("Nine Lives",)),), knobs=NINE_LIVES)
    run = records.RunOverFighter(vehicle=RIG, mobile=True, fighter=MAGS)
    missed = table.when(run, dice(run_over=1, wound=6, own_rule=4))
    assert (purposes(missed), missed.combatant(MAGS).flesh_wounds) == (["run_over", "wound", "own_rule"], 0)


def test_an_own_row_of_a_driver_acts_in_a_collision() -> None:
    table = riding(vehicle(RIG), fighters=(card(VEX, skills=("Nine Lives",)),), knobs=PADDED)
    wall = records.CrashVehicle(vehicle=RIG, mobile=True, contact="front", terrain="solid")
    assert purposes(table.when(wall, dice(own_rule=6))) == ["own_rule"]
    assert purposes(table.when(wall, dice(own_rule=1), wound(1))) == ["own_rule", "wound"]
    assert purposes(older(table, 3).when(wall, wound(1))) == ["wound"]


def test_a_shield_and_iron_jaw_are_of_no_use_in_a_fall() -> None:
    """The book's rows: a shield is against attacks, and Iron Jaw against a weapon."""
    plated = {"armour": Armour(name="Plate", save=2), "skills": ("Iron Jaw", "Dodge", "Nerves of Steel")}
    rolled = [
        given(card(VEX, weapons=arms, **plated)).when(FALL, wound(6), dice(save=6))
        for arms in ((), (weapon("shield", "Melee", "Assault Shield"),))
    ]
    assert [purposes(table) for table in rolled] == [["wound", "save"]] * 2
    bare, shielded = ([(roll.purpose, roll.target) for roll in table.rolls] for table in rolled)
    assert bare == shielded
