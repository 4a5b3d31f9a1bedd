"""Vehicles that move by dice, and their impacts: other vehicles, terrain, fighters, the ground below.

The entry states the contact and whether a vehicle is Mobile: only the table sees it.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from tracker.campaign.cards import on_combat_vehicle
from tracker.campaign.records import kinds
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.hits import KeptInjury, SaveWith
from tracker.campaign.records.vehicles import FacingHit
from tracker.campaign.state import CampaignState
from tracker.errors import BadInput, RulesRefuse

DriveAction: TypeAlias = Literal["ram", "move", "turn_over", "free_wheel"]
Contact: TypeAlias = Literal["front", "side", "rear"]
TerrainMet: TypeAlias = Literal["solid", "flimsy"]
ComesOfImpact: TypeAlias = Literal["pushes", "stops", "moves_aside", "turns", "goes_on"]

_CONTACT: dict[str, str] = {"front": "head-on", "side": "side-on", "rear": "rear first"}


# --- commands --------------------------------------------------------------------------------------------


@command("DriveVehicle", part="vehicles", exchange="drive", asks="vehicle action heavy_foot?")
class DriveVehicle(Command):
    """A vehicle's action that goes as far as dice say. Dice: moves_further, ram, turn_over,
    free_wheel, free_wheel_way. What it runs into is an entry of its own.
    """

    ACTIONS: ClassVar[dict[str, str]] = {
        "ram": "Ram",
        "move": "Move",
        "turn_over": "Turn-over",
        "free_wheel": "Free Wheel",
    }

    vehicle: kinds.VehicleId
    """Which vehicle."""
    action: DriveAction
    """ram and move need a Mobile vehicle, turn_over and free_wheel a Stalled one."""
    heavy_foot: bool = False
    """Whether the driver moves further by a die; a move has no other dice, and needs it."""

    def in_words(self, wording: Wording) -> str:
        further = " with Heavy Foot" if self.heavy_foot else ""
        return f"{self.ACTIONS[self.action]}: {wording.fighter(self.vehicle)}{further}"


class MovedVehicle(Command, kw_only=True):
    """What every entry says of a vehicle that met something as it moved."""

    vehicle: kinds.VehicleId
    """The vehicle that moved."""
    mobile: bool
    """Whether it is Mobile; false where it moved by a Turn-over, a Free Wheel or a push."""
    heavy_foot: bool = False
    """Whether the move had Heavy Foot: the Movement is then that of its `drive`."""
    pushed_by: kinds.VehicleId | None = None
    """Who pushed it there, in a chain of collisions: that one's Movement counts."""


class Collision(MovedVehicle, kw_only=True):
    """What it says besides where the vehicle ran into another or into terrain."""

    contact: Contact
    """Its side that made contact: front is head-on."""
    ram: bool = False
    """Whether the move is a Ram."""
    without: tuple[kinds.Name, ...] = ()
    """Skills that their player may use, and does not."""
    activation: kinds.Note | None = None


@command(
    "CollideVehicles",
    part="vehicles",
    exchange="collision",
    asks="vehicle mobile contact into facing into_mobile ram? heavy_foot?",
)
class CollideVehicles(Collision):
    """A vehicle runs into another one. Dice: front_toughness, handling, then as for a hit on each,
    first on the vehicle that was run into.
    """

    into: kinds.VehicleId
    """The vehicle that it ran into."""
    facing: FacingHit
    """The side of that one; in_doubt takes the highest Toughness."""
    into_mobile: bool
    """Whether that one is Mobile."""

    def in_words(self, wording: Wording) -> str:
        ram = "Ram" if self.ram else "collision"
        into = f"{wording.fighter(self.vehicle)} into {wording.fighter(self.into)}"
        return f"{ram}: {into}, {_CONTACT[self.contact]}"


@command(
    "CrashVehicle", part="vehicles", exchange="crash", asks="vehicle mobile contact terrain ram? heavy_foot?"
)
class CrashVehicle(Collision):
    """A vehicle runs into terrain. Dice: front_toughness, then as for a hit."""

    terrain: TerrainMet
    """solid: a wall, a sturdy structure, anything impassable; flimsy: an obstacle, a flimsy structure."""

    def in_words(self, wording: Wording) -> str:
        ram = "Ram" if self.ram else "collision"
        return f"{ram}: {wording.fighter(self.vehicle)} into {self.terrain} terrain, {_CONTACT[self.contact]}"


@command(
    "RunOverFighter", part="vehicles", exchange="run_over", asks="vehicle mobile fighter engaged? heavy_foot?"
)
class RunOverFighter(MovedVehicle):
    """A vehicle that has moved runs over a fighter in its way. Dice: run_over, then as for a hit."""

    sentence = "{vehicle} runs over {fighter}"

    fighter: kinds.FighterId
    """Whose base it touched."""
    engaged: bool = False
    """Whether the fighter is Engaged."""
    save_with: SaveWith = "best"
    """What the fighter's owner saves with."""
    activation: kinds.Note | None = None
    grudge_against: kinds.GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""
    keeps: KeptInjury | None = None
    """What the owner keeps of two Injury dice, where one shows it; None: the milder."""


@command("DropVehicle", part="vehicles", exchange="vehicle_fall", asks="vehicle mobile inches")
class DropVehicle(Command):
    """A vehicle falls: a Loss of Control test, and a hit on its rear, at the drive. Dice: handling
    and what it brings, then as for a hit.
    """

    vehicle: kinds.VehicleId
    """Which vehicle."""
    mobile: bool
    """Whether it is Mobile."""
    distance_hundredths: Annotated[kinds.Hundredths, kinds.FileKey(name="inches")]
    """How far it falls, with up to two decimals."""

    def in_words(self, wording: Wording) -> str:
        return f'fall: {wording.fighter(self.vehicle)} falls {wording.inches(self.distance_hundredths)}"'


# --- events ----------------------------------------------------------------------------------------------


@event("VehicleDrove")
class VehicleDrove(Event):
    """How far the vehicle may go, or goes. `movement` is its Movement characteristic in this action, `raised`
    whether a die raised it; `round` counts from 0.
    """

    vehicle: kinds.VehicleId
    action: DriveAction
    inches: int
    movement: int
    raised: bool
    backwards: bool
    round: int

    def in_words(self, wording: Wording) -> str:
        name = wording.fighter(self.vehicle)
        if self.action == "turn_over":
            return f'{name} moves {self.inches}" as its engine turns over'
        if self.action == "free_wheel":
            return f'{name} rolls {self.inches}" {"backwards" if self.backwards else "forwards"}'
        raised = f', Movement {self.movement}"' if self.raised else ""
        return f'{name} {"rams" if self.action == "ram" else "moves"}, up to {self.inches}"{raised}'

    def apply(self, state: CampaignState) -> CampaignState:
        if self.action == "turn_over":
            return on_combat_vehicle(state, self.vehicle, turned_over=True)
        if not self.raised:
            return state
        return on_combat_vehicle(
            state, self.vehicle, raised_movement=self.movement, raised_in_round=self.round
        )


@event("VehiclesCollided")
class VehiclesCollided(Event):
    """A vehicle ran into another one, or into terrain, and what becomes of its move.

    `movement` is what the hits go by. It pushes the other along, stops at once, moves the other aside, turns
    aside itself, or goes on.
    """

    COMES: ClassVar[dict[str, str]] = {
        "pushes": "pushes it along",
        "stops": "stops",
        "moves_aside": "moves it aside",
        "turns": "turns aside",
        "goes_on": "goes on",
    }

    vehicle: kinds.VehicleId
    into: kinds.VehicleId | None
    terrain: TerrainMet | None
    contact: Contact
    ram: bool
    movement: int
    comes_of_it: ComesOfImpact
    section: str

    def in_words(self, wording: Wording) -> str:
        into = wording.fighter(self.into) if self.into is not None else f"{self.terrain} terrain"
        gone = ", which is destroyed," if self.terrain == "flimsy" else ""
        runs = f"{'rams' if self.ram else 'runs'} {_CONTACT[self.contact]} into {into}{gone}"
        comes = f'{self.COMES[self.comes_of_it]} (Movement {self.movement}")'
        return f"{wording.fighter(self.vehicle)} {runs} and {comes}"


# --- refusals --------------------------------------------------------------------------------------------


class CollidesWithItself(BadInput):
    """{vehicle} cannot run into itself. Name the other vehicle."""

    vehicle: str


class MovesByNoDie(BadInput):
    """A Move of {vehicle} asks for no dice without Heavy Foot: leave it out, or say that Heavy Foot is
    used (heavy_foot).
    """

    vehicle: str


class MovesNoFurther(RulesRefuse):
    """Nothing lets {vehicle} go further by a die: its driver needs Heavy Foot, unused in this round, and only
    a Move or a Ram goes further. A plain Move has no dice and no entry. A battle begun before Heavy Foot had
    dice goes on without it.
    """

    vehicle: str


class MovementNotRaised(RulesRefuse):
    """The Movement of {vehicle} was not raised in this round. Record its 'drive' with heavy_foot: true before
    this, or leave heavy_foot out.
    """

    vehicle: str


class CannotDriveSo(RulesRefuse):
    """{vehicle} is {status} and makes no {action}: {who} does."""

    vehicle: str
    status: str
    action: str
    who: str


class RunsOverCrew(RulesRefuse):
    """{fighter} drives {vehicle} and cannot be run over: record a 'collision' with the vehicle."""

    fighter: str
    vehicle: str
