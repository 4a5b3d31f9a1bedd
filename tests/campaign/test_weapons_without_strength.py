"""Weapons whose card prints no Strength: grenades of Flash and Flare, a grav gun, an injector.

Where a trait replaces the wound roll, that is played; else a hit that strikes has none.
Source: Core Rulebook (2023) · Weapon Traits · Flash; Flare; Graviton Pulse; Chem Delivery.
"""

import pytest
from fights import fight, melee_hit, weapon
from rides import RIG, riding
from scenario import KRUG, MAGS, Table, card, given, older
from shots import armed, dice, gun, shot, there
from special_rules import exactly, purposes

from tracker.campaign import records

ON_HIT = {"hit": 6, "firepower": "one"}
NO_STRENGTH = "no wound roll: the weapon has no Strength"


def thrown(*traits: str, **numbers: object) -> Table:
    grenade = gun("gun", 'Blast (3")', *traits, strength=0, damage=None, **numbers)
    return armed(grenade)


def at_krug(**more: object) -> records.Shoot:
    return shot(None, point=True, under_marker=(there(KRUG),), **more)


def notes(table: Table) -> list[str]:
    return [event.why for event in table.outcome if isinstance(event, records.RuleNoted)]


def test_flash_without_strength_asks_for_an_initiative_test_in_place_of_the_wound_roll() -> None:
    table = thrown("Flash").when(at_krug(), *dice(**ON_HIT, flash=2))
    assert table.refusal is None
    assert "wound" not in purposes(table)
    krug = table.state.under_way.combatants[KRUG]
    assert (krug.blind, krug.pinned, notes(table)) == (True, True, [])


def test_graviton_pulse_without_strength_tests_the_strength_of_the_target() -> None:
    """Strength 3: a 4 is above it, and Damage 2 takes both Wounds but no Injury die beyond the last."""
    pulse = armed(
        gun("gun", 'Blast (3")', "Graviton Pulse", strength=0, damage=1), others=(card(KRUG, wounds=2),)
    )
    hurt = pulse.when(at_krug(), *dice(**ON_HIT, graviton_pulse=4))
    assert hurt.state.under_way.combatants[KRUG].wounds_left == 1
    spared = pulse.when(at_krug(), *dice(**ON_HIT, graviton_pulse=3))
    assert spared.state.under_way.combatants[KRUG].wounds_left == 2


def test_a_flare_without_strength_pins_and_reveals_and_has_no_wound_roll() -> None:
    hidden = thrown("Flare").when(records.StateCondition(condition="hidden", fighter=KRUG))
    table = hidden.when(at_krug(), *dice(**ON_HIT))
    krug = table.state.under_way.combatants[KRUG]
    assert (table.refusal, krug.hidden, krug.pinned) == (None, False, True)
    assert (purposes(table), notes(table)) == (["hit", "firepower"], [NO_STRENGTH])


def test_chem_delivery_without_strength_is_a_weapon_of_a_fight() -> None:
    glove = weapon("glove", "Melee", "Chem Delivery", strength=0, damage=None)
    table = given(card(KRUG, weapons=(glove,))).when(
        fight(KRUG, MAGS, using=("glove",)), melee_hit(6), *dice(chem_delivery=6)
    )
    assert table.refusal is None
    assert purposes(table) == ["melee_hit", "chem_delivery"]


def test_the_odds_of_a_hit_without_strength_are_those_of_every_die() -> None:
    hit = records.ResolveHit(target=KRUG, attacker=MAGS, weapon="gun", attack=True)
    assert len(exactly(thrown("Flash"), hit, KRUG)) == 2
    assert len(exactly(thrown("Flare"), hit, KRUG)) == 1


def test_a_vehicle_under_a_flare_has_no_wound_roll_either() -> None:
    table = riding(
        fighters=(card(MAGS, weapons=(gun("gun", 'Blast (5")', "Flare", strength=0, damage=None),)),)
    )
    struck = records.ResolveVehicleHit(vehicle=RIG, attacker=MAGS, weapon="gun", facing="side", mobile=False)
    after = table.when(struck)
    assert (after.refusal, after.rolls, notes(after)) == (None, (), [NO_STRENGTH])


@pytest.mark.parametrize("traits", [(), ("Shock",), ("Scattershot",), ("Knockback",)])
def test_a_weapon_without_strength_of_which_nothing_acts_without_one_is_refused(
    traits: tuple[str, ...],
) -> None:
    thrown(*traits).when(at_krug()).then_refused(records.NoStrength)


def test_before_traits_acted_such_a_weapon_was_refused_and_is() -> None:
    older(thrown("Flash"), stage=None).when(at_krug()).then_refused(records.NoStrength)
