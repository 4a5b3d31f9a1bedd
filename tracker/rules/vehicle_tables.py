"""Vehicle tables: the effects of damage by location, and the permanent damage of a wreck.

Knows rows, cells and the closed set of effects on a vehicle. Knows no vehicle:
`campaign/steps/vehicle_damage.py` applies them. A cell that needs something new needs a new kind here, and a
test.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cached_property
from itertools import pairwise, product
from typing import TypeAlias

from msgspec import field

from tracker.rules.conversion import ENDLESS, BookTable, Chapter, refuse_unknown
from tracker.rules.effects import TaggedRecord

LOCATION_DIE, DAMAGE_DIE, CONTROL_DIE = "location", "vehicle_damage", "control"
BODY = "body"
"""The location that an Unstable weapon of the vehicle itself damages."""


class Shaken(TaggedRecord):
    """The vehicle and everybody aboard have Concussion."""


class HandlingOrStall(TaggedRecord):
    """A Handling test; a vehicle that fails is Stationary and Stalled."""


class Stall(TaggedRecord):
    """Stationary and Stalled at once."""


class LoseHitPoints(TaggedRecord):
    """The vehicle loses Hull Points (or Wounds, as the book calls them)."""

    by: int


class DestroyWeapon(TaggedRecord):
    """A random weapon is out, and `with_weapon` Hull Points are lost; with no weapon left, `without`."""

    with_weapon: int
    without: int


class CapMovement(TaggedRecord):
    """For the battle no activation moves the vehicle further than its Movement."""


class HinderHandling(TaggedRecord):
    """For the battle every Handling test has this (negative) modifier."""

    by: int


class LossOfControl(TaggedRecord):
    """A Loss of Control test, with a modifier."""

    modifier: int = 0


class WoundDriver(TaggedRecord):
    """The driver has a Flesh Wound, which worsens Ballistic Skill and Handling by 1."""


class BlackOutDriver(TaggedRecord):
    """The driver is unconscious: control is lost without a test, then the vehicle is Stalled."""


class Rattle(TaggedRecord):
    """Every later lasting damage roll has +1."""


class HandlingGlitch(TaggedRecord):
    """Every Handling test has this (negative) modifier, for good."""

    by: int


class Unreliable(TaggedRecord):
    """A D6 at the start of each battle; on a 1 the vehicle does not start."""


class ReduceVehicle(TaggedRecord):
    """A number on the vehicle's card falls; `toughness` is that of every facing."""

    characteristic: str
    by: int


class WriteOff(TaggedRecord):
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

LIMITED = ("movement", "toughness", "hit_points", "handling", "save")


class DamageCell(BookTable):
    """The effects of one kind of damage to one location."""

    location: str
    damage: str
    name: str
    effects: tuple[DamageEffect, ...]


class LastingDamage(BookTable):
    """One line of the lasting damage chart: its totals and its effects."""

    id: str
    name: str
    totals: range
    effects: tuple[LastingEffect, ...]

    def __post_init__(self) -> None:
        for effect in self.effects:
            if isinstance(effect, ReduceVehicle):
                refuse_unknown(
                    [("effects, characteristic", effect.characteristic)], LIMITED, "number of a card"
                )


class VehicleEndPhase(BookTable):
    """The numbers of the End phase: the Restart test, and the D6 of a wounded or unconscious driver."""

    restart_bonus: int
    restart_bonus_above_hit_points: int
    restart_per_smoke_marker: int
    driver_blacks_out_up_to: int
    driver_recovers_from: int
    driver_wakes_from: int


class ImpactBand(BookTable):
    """The hit of a vehicle with at least this Movement, in inches."""

    from_inches: int
    strength: int
    armour_penetration: int
    damage: int


class Impacts(BookTable):
    """The numbers of collisions, of running over and of falling vehicles.

    `stalled_movement` is the Movement of a vehicle that is Stationary and Stalled. The weaker of two takes
    `weaker_more` in Strength, AP and Damage. `tougher_side` modifies the test side-on, `standing` the test in
    a vehicle's way, `turned_over` the next Restart test. `pins_engaged`: Engaged fighters are Pinned too.
    Each `fall_inches` begun of a fall add `fall_control` to a Loss of Control test.
    """

    stalled_movement: int
    weaker_more: int
    tougher_side: int
    standing: int
    pins_engaged: bool
    turned_over: int
    fall_inches: int
    fall_control: int
    bands: tuple[ImpactBand, ...] = field(name="band")

    def __post_init__(self) -> None:
        lowest = [band.from_inches for band in self.bands]
        if not lowest or lowest != sorted(set(lowest)):
            raise ValueError("the bands of 'impacts' rise")


class VehicleRules(Chapter, dict=True):
    """A book's vehicles. `limits` are a card's lowest and highest numbers. `hit_points_name` is the book's
    name for them: Hull Points, Wounds.

    An Unreliable vehicle starts from the D6 `unreliable_starts_from` on. One that rolls on goes
    `rolls_on_inches` with each roll. Expert Driver adds to Loss of Control tests, Running Repairs restore
    Hull Points.
    """

    hit_points_name: str
    close_combat_location_dice: int
    thrown_clear_mobile_bonus: int
    unreliable_starts_from: int
    rolls_on_inches: int
    expert_driver: int
    running_repairs: int
    end_phase: VehicleEndPhase
    impacts: Impacts
    limits: Mapping[str, tuple[int, int]]
    cells: tuple[DamageCell, ...] = field(name="damage")
    lasting_damage: tuple[LastingDamage, ...]

    def __post_init__(self) -> None:
        if set(self.limits) != set(LIMITED):
            raise ValueError(f"limits: vehicles need those of exactly {', '.join(LIMITED)}")
        for line, following in pairwise(self.lasting_damage):
            if following.totals.start != line.totals.stop:
                raise ValueError(f"lasting damage: {following.id} does not follow {line.id} without a gap")
        ends = [end for line in self.lasting_damage for end in (line.totals.start, line.totals.stop)]
        if not ends or (ends[0], ends[-1]) != (1, ENDLESS):
            raise ValueError("lasting damage must cover every total from 1 on")

    @cached_property
    def locations(self) -> tuple[str, ...]:
        """The parts of a vehicle that can be damaged."""
        return tuple(dict.fromkeys(cell.location for cell in self.cells))

    @cached_property
    def severity(self) -> tuple[str, ...]:
        """The kinds of damage, mildest first."""
        return tuple(dict.fromkeys(cell.damage for cell in self.cells))

    def check_cells(self, locations: Collection[str], damages: Collection[str]) -> None:
        """Checks that the table has each damage of each location once. Raises ValueError."""
        printed = sorted((cell.location, cell.damage) for cell in self.cells)
        if printed != sorted(product(locations, damages)) or self.severity != tuple(damages):
            raise ValueError(f"the damage table misses or repeats a cell: it has {printed}")

    def cell(self, *, location: str, damage: str) -> DamageCell:
        """The effects of that damage to that location."""
        return next(cell for cell in self.cells if (cell.location, cell.damage) == (location, damage))

    def lasting(self, total: int) -> LastingDamage:
        """The line of a lasting damage total."""
        return next(line for line in self.lasting_damage if line.totals.start <= total < line.totals.stop)

    def is_usable(self, characteristic: str, value: int) -> bool:
        """Whether rolls and comparisons can use the number, printed or not."""
        return self.allows(characteristic, value) or (
            characteristic != "save" and value >= (0 if characteristic == "movement" else 1)
        )

    def allows(self, characteristic: str, value: int) -> bool:
        """Whether a card may print that number."""
        lowest, highest = self.limits[characteristic]
        return lowest <= value <= highest
