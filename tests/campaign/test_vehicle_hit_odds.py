"""The chances of a hit by a shot on a vehicle, row by row, against every way the dice can fall.

As `test_close_combat_vehicle_odds.py` has them of blows: no number is expected by hand, and each row is tried in a
scene in which it acts.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final

import pytest
import special_rules
from rides import RIG, ram, riding, vehicle
from scenario import MAGS, VEX, Table, card
from special_rules import every_ends, odds_of_all
from tables import every
from test_close_combat_vehicle_odds import BOTH, LIKED, TESTS_HANDLING, Row, steady

from tracker.campaign import records
from tracker.rules.combat_tables import WeaponTrait
from tracker.rules.special_rules import Condition, DeclaredEffect

MODELS = (RIG, VEX, MAGS)
WHEN = ("hit", "wound_roll", "wounded", "save", "damage", "injured", "after_attack")
HOLDS: Final[tuple[Condition, ...]] = (
    "attack", "ranged", "no_area", "short_range", "first_hit", "natural_6_to_hit", "natural_6_to_wound",
)  # fmt: skip
"""What is so of the hit that is tried."""
SAVED_FROM = ("Power", "Phase", "Graviton Pulse", "Gas", "Precision Shot")


def acts(effect: DeclaredEffect) -> bool:
    return effect.against in ("vehicle", "any") and effect.when in WHEN and {*effect.conditions} <= {*HOLDS}


ROWS: list[Row] = [row for row in BOTH if row.name == "Power" or (row.name and any(map(acts, row.effects)))]


def struck(row: Row, *, there: bool = True) -> tuple[Table, records.Command]:
    """The side of the rig, hit on a natural 6 from near and wounded on a 6, with the row or without."""
    names = (row.name,) if there else ()
    of_trait, drives = isinstance(row, WeaponTrait), row.name == "Jink"
    harm: dict[str, Any] = {"damage": None} if row.name == "Seismic" else {}
    mags = card(MAGS, skills=() if of_trait or drives else names)
    rig = vehicle(RIG, save=5 if row.name in SAVED_FROM else None)
    table = riding(rig, fighters=(mags, card(VEX, skills=names if drives else ())))
    shot = ram(
        by=MAGS, strength=2, traits=names if of_trait else (), facing="side", mobile=False, hit_roll=6,
        range_band="short", keep_location=LIKED, **harm,
    )  # fmt: skip
    return table if row.name in TESTS_HANDLING else steady(table), shot


def test_the_rows_of_a_shot_at_a_vehicle_are_all_here() -> None:
    assert {"Melta", "Marksman", "Precision Shot", "Jink", "Rending", "Pulverise"} <= {
        row.name for row in ROWS
    }


@pytest.mark.slow
@every("row", ROWS, ids=lambda row: row.name)
def test_the_odds_of_a_hit_on_a_vehicle_with_each_row_are_those_of_every_die(
    row: Row, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setitem(special_rules.LASTING, "control_direction", 1)
        if row.name not in TESTS_HANDLING:
            patched.setitem(special_rules.LASTING, "handling", "3+4")
        table, shot = struck(row)
        ends = every_ends(table, shot, MODELS)
        assert all(sum(found.values(), Fraction(0)) == 1 for found in ends.values())
        assert odds_of_all(table, shot, MODELS) == ends
        assert ends != odds_of_all(*struck(row, there=False), MODELS), "the row does nothing here"
