"""Vehicle tables: what a damage result does by location, and what a wreck leaves behind for good.

Knows rows, cells and the closed set of things that they can do to a vehicle. Knows no vehicle: applying is
`campaign/steps/vehicle_damage.py`. A cell that needs something new needs a new kind here, and a test.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any, TypeAlias

from tracker.dice import SpecialDie
from tracker.records import Record
from tracker.rules.tables import band_ends

LOCATION_DIE, DAMAGE_DIE, CONTROL_DIE = "location", "vehicle_damage", "control"
BODY = "body"
"""The location that an Unstable weapon of the vehicle itself damages."""


class Shaken(Record):
    """The vehicle and everybody aboard have Concussion."""


class HandlingOrStall(Record):
    """A Handling test; who fails it is Stationary and Stalled."""


class Stall(Record):
    """Stationary and Stalled at once."""


class LoseHitPoints(Record):
    """So many Hull Points (or Wounds, as the book calls them) are lost."""

    by: int


class DestroyWeapon(Record):
    """A weapon at random is out, and `with_weapon` Hull Points are lost; where none is left, `without`."""

    with_weapon: int
    without: int


class CapMovement(Record):
    """For the battle no activation moves it further than its Movement."""


class HinderHandling(Record):
    """For the battle every Handling test has this (negative) modifier."""

    by: int


class LossOfControl(Record):
    """A Loss of Control test, with a modifier."""

    modifier: int = 0


class WoundDriver(Record):
    """The driver has a Flesh Wound, which worsens Ballistic Skill and Handling by 1."""


class BlackOutDriver(Record):
    """The driver is unconscious: control is lost without a test, then the vehicle is Stalled."""


class Rattle(Record):
    """Every later lasting damage roll has +1."""


class HandlingGlitch(Record):
    """Every Handling test has this (negative) modifier, for good."""

    by: int


class Unreliable(Record):
    """A D6 at the start of each battle; on a 1 the vehicle does not start."""


class ReduceVehicle(Record):
    """A number on the vehicle's card falls; `toughness` is that of every facing."""

    characteristic: str
    by: int


class WriteOff(Record):
    """In Repair: no battle until it is repaired."""


DamageEffect: TypeAlias = (
    Shaken
    | HandlingOrStall
    | Stall
    | LoseHitPoints
    | DestroyWeapon
    | CapMovement
    | HinderHandling
    | LossOfControl
    | WoundDriver
    | BlackOutDriver
)
LastingEffect: TypeAlias = Rattle | HandlingGlitch | Unreliable | ReduceVehicle | WriteOff

DAMAGE_EFFECTS: dict[str, type[DamageEffect]] = {
    "shaken": Shaken,
    "handling_or_stall": HandlingOrStall,
    "stall": Stall,
    "lose_hit_points": LoseHitPoints,
    "destroy_weapon": DestroyWeapon,
    "cap_movement": CapMovement,
    "hinder_handling": HinderHandling,
    "loss_of_control": LossOfControl,
    "wound_driver": WoundDriver,
    "black_out_driver": BlackOutDriver,
}
LASTING_EFFECTS: dict[str, type[LastingEffect]] = {
    "rattle": Rattle,
    "handling_glitch": HandlingGlitch,
    "unreliable": Unreliable,
    "reduce_vehicle": ReduceVehicle,
    "write_off": WriteOff,
}
LIMITED = ("movement", "toughness", "hit_points", "handling", "save")


class DamageCell(Record):
    """What one kind of damage does to one location."""

    location: str
    damage: str
    name: str
    effects: tuple[DamageEffect, ...]


class LastingDamage(Record):
    """One line of the lasting damage chart: the totals that lead to it, and what it does."""

    id: str
    name: str
    lowest: int | None
    highest: int | None
    effects: tuple[LastingEffect, ...]

    def holds(self, total: int) -> bool:
        """Whether a total leads here."""
        return (self.lowest is None or total >= self.lowest) and (
            self.highest is None or total <= self.highest
        )


class VehicleEndPhase(Record):
    """The numbers of the End phase: the Restart test, and the D6 of a wounded or unconscious driver."""

    restart_bonus: int
    restart_bonus_above_hit_points: int
    restart_per_smoke_marker: int
    driver_blacks_out_up_to: int
    driver_recovers_from: int
    driver_wakes_from: int


class VehicleRules(Record):
    """A book's vehicles. `limits` are a card's lowest and highest numbers, `severity` is mildest first.

    `hit_points_name` is what the book calls them: Hull Points, Wounds. An Unreliable vehicle starts from the
    face `unreliable_starts_from` on; one that rolls on goes `rolls_on_inches` with each roll.
    """

    source: str
    hit_points_name: str
    close_combat_location_dice: int
    thrown_clear_mobile_bonus: int
    unreliable_starts_from: int
    rolls_on_inches: int
    end_phase: VehicleEndPhase
    locations: tuple[str, ...]
    severity: tuple[str, ...]
    limits: Mapping[str, tuple[int, int]]
    cells: tuple[DamageCell, ...]
    lasting_damage: tuple[LastingDamage, ...]

    def cell(self, *, location: str, damage: str) -> DamageCell:
        """What that damage does to that location."""
        return next(cell for cell in self.cells if (cell.location, cell.damage) == (location, damage))

    def lasting(self, total: int) -> LastingDamage:
        """What a lasting damage roll of that total leaves behind."""
        return next(line for line in self.lasting_damage if line.holds(total))

    def allows(self, characteristic: str, value: int) -> bool:
        """Whether a card may print that number."""
        lowest, highest = self.limits[characteristic]
        return lowest <= value <= highest


def vehicle_rules(
    content: Mapping[str, Any], special_dice: Mapping[str, Mapping[str, SpecialDie]]
) -> VehicleRules:
    """The vehicles of a book from its file. Raises ValueError when they do not hold together."""
    locations, severity = (_symbols(special_dice, name) for name in (LOCATION_DIE, DAMAGE_DIE))
    _symbols(special_dice, CONTROL_DIE)
    cells = tuple(
        DamageCell(
            location=entry["location"],
            damage=entry["damage"],
            name=entry["name"],
            effects=tuple(_of_kind(DAMAGE_EFFECTS, effect) for effect in entry["effects"]),
        )
        for entry in content["damage"]
    )
    printed = sorted((cell.location, cell.damage) for cell in cells)
    if printed != sorted((location, damage) for location in locations for damage in severity):
        raise ValueError(f"the damage table misses or repeats a cell: it has {printed}")
    limits = {name: (ends[0], ends[1]) for name, ends in content["limits"].items()}
    if set(limits) != set(LIMITED):
        raise ValueError(f"vehicles need the limits of exactly {', '.join(LIMITED)}")
    return VehicleRules(
        source=content["source"],
        hit_points_name=content["hit_points_name"],
        close_combat_location_dice=content["close_combat_location_dice"],
        thrown_clear_mobile_bonus=content["thrown_clear_mobile_bonus"],
        unreliable_starts_from=content["unreliable_starts_from"],
        rolls_on_inches=content["rolls_on_inches"],
        end_phase=VehicleEndPhase(**content["end_phase"]),
        locations=locations,
        severity=severity,
        limits=limits,
        cells=cells,
        lasting_damage=_lasting(content["lasting_damage"]),
    )


def _symbols(special_dice: Mapping[str, Mapping[str, SpecialDie]], name: str) -> tuple[str, ...]:
    if name not in special_dice:
        raise ValueError(f"vehicles need a {name} die")
    symbols = next(iter(special_dice[name].values())).symbols
    return tuple(dict.fromkeys(symbols))


def _lasting(entries: list[Mapping[str, Any]]) -> tuple[LastingDamage, ...]:
    lines = []
    for entry in entries:
        lowest, highest = band_ends(entry["totals"])
        effects = tuple(_of_kind(LASTING_EFFECTS, effect) for effect in entry["effects"])
        lines.append(
            LastingDamage(id=entry["id"], name=entry["name"], lowest=lowest, highest=highest, effects=effects)
        )
        for effect in effects:
            if isinstance(effect, ReduceVehicle) and effect.characteristic not in LIMITED:
                raise ValueError(f"{entry['id']} changes an unknown {effect.characteristic!r}")
    for line, following in pairwise(lines):
        if line.highest is None or following.lowest != line.highest + 1:
            raise ValueError(f"lasting damage: {following.id} does not follow {line.id} without a gap")
    if not lines or lines[0].lowest != 1 or lines[-1].highest is not None:
        raise ValueError("lasting damage must cover every total from 1 on")
    return tuple(lines)


def _of_kind(kinds: Mapping[str, type[Any]], entry: Mapping[str, Any]) -> Any:
    if entry["kind"] not in kinds:
        raise ValueError(f"unknown kind {entry['kind']!r} of vehicle effect")
    return kinds[entry["kind"]](**{name: value for name, value in entry.items() if name != "kind"})
