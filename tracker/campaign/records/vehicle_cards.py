"""Vehicles as a gang sheet writes them, and how one joins a gang."""

from __future__ import annotations

from msgspec.structs import asdict

from tracker.campaign.containers import put
from tracker.campaign.profiles import Weapon
from tracker.campaign.records.declaring import Event, Wording, event
from tracker.campaign.records.kinds import Credits, FighterId, GangId, Name, VehicleId
from tracker.campaign.state import CampaignState, LastingDamageOnCard, Vehicle
from tracker.errors import BadInput, RulesRefuse
from tracker.records import Record, replace

_NUMBERS = ("movement", "toughness_front", "toughness_side", "toughness_rear", "hit_points")
"""The numbers of a card that damage may change."""


class VehicleCard(Record):
    """A vehicle as written on a gang sheet."""

    vehicle: VehicleId
    name: Name
    cost_credits: Credits
    movement: int
    toughness_front: int
    toughness_side: int
    toughness_rear: int
    hit_points: int
    handling: int
    crew: FighterId
    """A fighter of the gang, who drives it."""
    save: int | None = None
    kind: str = "Vehicle"
    weapons: tuple[str, ...] = ()
    """Names of its weapons."""
    armament: tuple[Weapon, ...] = ()
    """Those of them whose numbers stand on the vehicle's own card."""
    damage_so_far: tuple[str, ...] = ()
    """Earlier lasting damage, by the ids of the book's rows; the numbers have it already."""


@event("VehicleEnlisted")
class VehicleEnlisted(Event):
    """A vehicle joined a gang with the card that the user typed; `crew` is the fighter who drives it.
    `armament` are those of its weapons with numbers on its own card. `lasting_damage` is from before: the
    numbers include it; `rattles`, `unreliable` and `in_repair` are for later rolls.
    """

    vehicle: VehicleId
    gang: GangId
    name: Name
    kind: str
    cost_credits: Credits
    movement: int
    toughness_front: int
    toughness_side: int
    toughness_rear: int
    hit_points: int
    handling: int
    save: int | None
    crew: FighterId
    weapons: tuple[str, ...] = ()
    armament: tuple[Weapon, ...] = ()
    lasting_damage: tuple[LastingDamageOnCard, ...] = ()
    rattles: int = 0
    unreliable: int = 0
    in_repair: bool = False

    def in_words(self, wording: Wording) -> str:
        driven = f"{wording.words(self.kind)}, driven by {wording.fighter(self.crew)}"
        joins = f"joins {wording.gang(self.gang)} for {wording.money(self.cost_credits)}"
        damaged = ", ".join(wording.words(damage.name) for damage in self.lasting_damage)
        brought = f", damaged before ({damaged})" if damaged else ""
        return f"{wording.text(self.name)} ({driven}) {joins}{brought}"

    def apply(self, state: CampaignState) -> CampaignState:
        card = asdict(self)
        state = replace(state, vehicle_of=put(state.vehicle_of, self.vehicle, self.gang))
        return state.with_vehicle(Vehicle(**card, as_enlisted={name: card[name] for name in _NUMBERS}))


class VehicleEnlistedAlready(RulesRefuse):
    """The id {vehicle!r} is taken by a {known_as} of this campaign. Give this one another."""

    vehicle: str
    known_as: str


class CrewNotInGang(BadInput):
    """The crew of {vehicle}, {crew!r}, is no fighter of its {game.gang}.{crew:nearest}"""

    vehicle: str
    crew: str
    known: tuple[str, ...]


class CrewHasVehicle(BadInput):
    """{crew} drives {other} already and cannot be the crew of {vehicle} too."""

    vehicle: str
    crew: str
    other: str


class UnknownLastingDamage(BadInput):
    """{vehicle}: this campaign's book has no lasting damage {damage!r}.{damage:nearest} It has: {known}."""

    vehicle: str
    damage: str
    known: tuple[str, ...]


class VehicleNumberOutOfRange(BadInput):
    vehicle: str
    number: str
    value: int
    lowest: int
    highest: int

    def message(self) -> str:
        mark = {"handling": "+", "save": "+", "movement": '"'}.get(self.number, "")
        what = self.number.replace("_", " ").capitalize()
        return (
            f"{self.vehicle}: {what} {self.value}{mark} cannot be used in any roll: the book prints"
            f" {self.lowest}{mark} to {self.highest}{mark}. Put the card right."
        )
