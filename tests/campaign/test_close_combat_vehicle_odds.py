"""The chances of blows at vehicles, row by row, against every way the dice can fall.

No number is expected by hand: each way is decided by itself, and the odds are to be the same fractions for the vehicle,
its driver and who attacks. The rows come from the book, so that a new one is tried without a word; each is tried in
a scene in which it acts, and then something else comes about than without it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
import special_rules
from fights import fight, weapon
from rides import RIG, now, riding, vehicle
from scenario import KRUG, MAGS, SKULLS, VEX, Table, card
from special_rules import every_ends, odds_of_all
from tables import every

from tracker.campaign import records
from tracker.campaign.profiles import Weapon
from tracker.records import replace
from tracker.rules import loader
from tracker.rules.combat_tables import WeaponTrait
from tracker.rules.special_rules import DeclaredEffect, SkillRow

BOOK = loader.book("necromunda_2023")
Row = WeaponTrait | SkillRow
EVERYBODY = (RIG, VEX, MAGS, KRUG)
OF_A_BLOW = ("weapons", "attack_dice", "hit_roll", "missed", "hits_scored", "hit", "wound_roll", "wounded", "save",
             "damage", "injured", "after_attack")  # fmt: skip
NEVER_IN_A_BLOW = (
    "ranged",
    "short_range",
    "long_range",
    "area",
    "aiming",
    "interrupting",
    "no_area",
    "reaction",
)
LIKED = ("engine", "crew", "drive", "body")
NOT_HERE = ("Bulging Biceps", "Gunfighter", "Trick Shot", "Digi", "Paired", "Berserker", "Bull Charge")
"""What lets one hold a weapon more, and what takes modifiers off that only shots have; and what comes with two Attack
dice or more, which are too many ways to try: `test_close_combat_vehicles.py` has these by hand."""


def strikes_a_vehicle(row: Row, effect: DeclaredEffect) -> bool:
    """Whether it acts in a blow at a vehicle: said of vehicles, or of the attacker's own dice before the hit."""
    own_dice = effect.bearer == "attacker" and effect.when in ("weapons", "attack_dice", "hit_roll", "missed")
    if not (effect.against in ("vehicle", "any") or own_dice) or row.name in NOT_HERE:
        return False
    return effect.when in OF_A_BLOW and not any(one in NEVER_IN_A_BLOW for one in effect.conditions)


BOTH: tuple[Row, ...] = (*BOOK.traits.values(), *BOOK.skills.values())
ROWS = [
    row
    for row in BOTH
    if row.name == "Power" or (row.name and any(strikes_a_vehicle(row, effect) for effect in row.effects))
]
TESTS_HANDLING = ("Seismic", "Flash")
"""Tried on a vehicle that may lose control; of the others no test fails, and one throw of it stands for all."""
SAVED_FROM = ("Force", "Power", "Phase", "Graviton Pulse", "Gas")


@pytest.fixture(autouse=True)
def fewer_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    """Left or right moves nothing that a battle keeps: one face stands for all (it has a test below)."""
    monkeypatch.setitem(special_rules.LASTING, "control_direction", 1)


def steady(table: Table) -> Table:
    """The rig on rails: it keeps control whatever it rolls."""
    state = table.state
    gang = state.gangs[SKULLS]
    rig = replace(gang.vehicles[RIG], handling=-9)
    gangs = {**state.gangs, SKULLS: replace(gang, vehicles={**gang.vehicles, RIG: rig})}
    return replace(table, state=replace(state, gangs=gangs))


def beside(row: Row, *, there: bool = True, **rig: Any) -> tuple[Table, records.Command]:
    """Mags beside the rig, who hits it on 5 or 6 and wounds its side on a 6, with the row or without."""
    names = (row.name,) if there else ()
    of_trait, drives = isinstance(row, WeaponTrait), row.name == "Jink"
    # A blow that may make it lose control does nothing else: all of both would be too many ways.
    harm: dict[str, Any] = {"damage": None} if row.name == "Seismic" else {}
    arm = weapon("arm", "Melee", *(names if of_trait else ()), strength=2, **harm)
    own = () if of_trait or drives else names
    mags = card(MAGS, weapons=(arm,), attacks=1, weapon_skill=6, skills=own)
    table = riding(vehicle(RIG, **rig), fighters=(mags, card(VEX, skills=names if drives else ())))
    struck = records.VehicleAttacked(facing="side", mobile=False, keep_location=LIKED)
    blow = fight(
        MAGS,
        records.FightTarget(model=RIG, vehicle=struck),
        using=("arm",),
        psyker=row.name == "Force",
        engaged=((KRUG, MAGS),) if row.name == "Combat Master" else (),
    )
    return table if row.name in TESTS_HANDLING else steady(table), blow


def by_every_die_and_by_the_odds(
    table: Table, command: records.Command
) -> dict[str, dict[tuple[Any, ...], Fraction]]:
    counted = every_ends(table, command, EVERYBODY)
    assert all(sum(ends.values()) == 1 for ends in counted.values())
    assert odds_of_all(table, command, EVERYBODY) == counted
    return counted


@pytest.mark.slow
@every("row", ROWS, ids=lambda row: row.name)
def test_the_odds_of_a_blow_at_a_vehicle_with_each_row_are_those_of_every_die(
    row: Row, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        if row.name not in TESTS_HANDLING:
            patched.setitem(special_rules.LASTING, "handling", "3+4")
        rig: dict[str, Any] = {"save": 5} if row.name in SAVED_FROM else {}
        ends = by_every_die_and_by_the_odds(*beside(row, **rig))
        assert ends != odds_of_all(*beside(row, there=False, **rig), EVERYBODY)


@pytest.mark.slow
@every(
    ("rig", "arm", "said"),
    [
        ({"save": 4}, {"armour_penetration": -1}, {}),
        ({"save": 6}, {"armour_penetration": 1}, {}),
        ({"hit_points": 1}, {"damage": 2}, {"consolidate": True}),
        ({"weapons": ("gun", "ram")}, {"damage": 2}, {"turn_to_face": True}),
        ({}, {"damage": None}, {"charged_unseen": True, "charging": True}),
    ],
)
def test_the_odds_of_a_plain_blow_at_a_vehicle_are_those_of_every_die(
    rig: dict[str, Any], arm: dict[str, Any], said: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    club = weapon("club", "Melee", **{"strength": 2, **arm})
    monkeypatch.setitem(special_rules.LASTING, "handling", "3+4")
    table = riding(
        vehicle(RIG, **rig),
        fighters=(card(MAGS, weapons=(club,), attacks=1, weapon_skill=6),),
    )
    struck = records.VehicleAttacked(facing="side", mobile=True, keep_location=LIKED)
    blow = fight(MAGS, records.FightTarget(model=RIG, vehicle=struck), using=("club",), **said)
    by_every_die_and_by_the_odds(steady(table), blow)


@pytest.mark.slow
def test_the_odds_of_a_blow_at_a_vehicle_that_drives_off_are_those_of_every_die(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """An Initiative test comes first; who fails it attacks nobody."""
    monkeypatch.setitem(special_rules.LASTING, "handling", "3+4")
    club: Weapon = weapon("club", "Melee", strength=2)
    table = riding(fighters=(card(MAGS, weapons=(club,), attacks=1, weapon_skill=6),))
    struck = records.VehicleAttacked(facing="side", mobile=True, keep_location=LIKED)
    off = fight(
        MAGS,
        records.FightTarget(model=RIG, vehicle=struck),
        using=("club",),
        reaction=True,
        drives_off=True,
    )
    by_every_die_and_by_the_odds(steady(table), off)


def test_left_or_right_moves_nothing_that_a_battle_keeps() -> None:
    """The enumeration above tries one of them."""
    lost = records.CheckControl(vehicle=RIG, mobile=True, why="a puddle")
    left, right = (
        riding().when(lost, *special_rules.dice(handling="1+1", control="swerve", control_direction=face))
        for face in (1, 6)
    )
    assert now(left) == now(right)
