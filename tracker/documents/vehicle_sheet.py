"""A vehicle's card on a gang sheet. Knows how it is written; its limits are the book's."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag

from tracker.campaign import records
from tracker.documents.card_numbers import Credits, Inches, Number, SaveNumber, TargetNumber
from tracker.documents.checking import Strict
from tracker.documents.text import Name, Slug
from tracker.documents.weapon_sheet import WeaponWithOneProfile, WeaponWithProfiles


def _weapon_written(given: Any) -> str:
    if not isinstance(given, dict):
        return "<name>"
    return "<profiles>" if "profiles" in given else "<one profile>"


WeaponOnVehicle = Annotated[
    Annotated[WeaponWithProfiles, Tag("<profiles>")]
    | Annotated[WeaponWithOneProfile, Tag("<one profile>")]
    | Annotated[Name, Tag("<name>")],
    Discriminator(_weapon_written),
]


class ToughnessOnSheet(Strict):
    """Toughness by facing."""

    front: Number
    """Front."""
    side: Number
    """Both sides."""
    rear: Number
    """Rear."""


class VehicleOnSheet(Strict):
    """One vehicle's card."""

    id: Slug | None = None
    """What reports call the vehicle; made from the name when left out."""
    name: Name
    """The vehicle's name."""
    type: Name = "Vehicle"
    """What the gang list calls it."""
    cost: Credits
    """Price in credits."""
    crew: Slug
    """The fighter who drives it, by id; of this gang."""
    movement: Inches = Field(alias="M")
    """Movement, in inches."""
    toughness: ToughnessOnSheet = Field(alias="T")
    """Toughness: {front, side, rear}."""
    hit_points: Number = Field(alias="HP")
    """Hull Points; Wounds in older rules."""
    handling: TargetNumber = Field(alias="Hnd")
    """Handling, the number to roll on two dice."""
    save: SaveNumber | None = Field(default=None, alias="Sv")
    """The lowest D6 that saves: 5 or 5+."""
    weapons: list[WeaponOnVehicle] = Field(default=[], max_length=20)
    """What is fixed to it: weapons as on a fighter's card, or names whose profiles stand on a fighter's."""

    def card(self, vehicle_id: str) -> records.VehicleCard:
        """As the campaign keeps it."""
        return records.VehicleCard(
            vehicle=vehicle_id,
            name=self.name,
            kind=self.type,
            cost_credits=self.cost,
            movement=self.movement,
            toughness_front=self.toughness.front,
            toughness_side=self.toughness.side,
            toughness_rear=self.toughness.rear,
            hit_points=self.hit_points,
            handling=self.handling,
            save=self.save,
            crew=self.crew,
            weapons=tuple(one if isinstance(one, str) else one.name for one in self.weapons),
            armament=tuple(one.record() for one in self.weapons if not isinstance(one, str)),
        )
