"""Models as a shot names them: who is shot at, who is hit or might be; fighters and vehicles.

Knows how each is written. Knows no rule of shooting.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator, Field, Tag

from tracker.campaign import records
from tracker.documents.derived_forms import WrittenForm
from tracker.documents.text import Slug
from tracker.documents.vehicle_entries import KeptDice, Preferences

MODELS_MAX = 30


class ModelInTheWay(WrittenForm):
    """A fighter who is hit or might be."""

    makes = records.ModelThere

    fighter: Slug
    """Who."""
    cover: records.Cover = "none"
    """Cover towards the marker's centre, or towards the attacker for a template: it helps the save."""
    engaged: bool = False
    """Whether this fighter is Standing and Engaged."""
    engaged_with: list[Slug] = Field(default=[], max_length=MODELS_MAX)
    """Others engaged with this fighter, for the house rule by which templates spill."""
    prone: bool | None = None
    """Whether this fighter is Prone; else as the battle knows it."""
    save_with: records.SaveWith = "best"
    """What the owner saves with."""

    def stated(self) -> records.ModelThere:
        model: records.ModelThere = self.made(engaged=self.engaged or bool(self.engaged_with))
        return model


class VehicleSeen(WrittenForm):
    """A vehicle that is shot at."""

    makes = records.VehicleAttacked

    vehicle: Slug
    """Which vehicle."""
    facing: records.FacingHit
    """The facing that is hit, seen from the attacker or the marker's centre; in_doubt: the toughest."""
    mobile: bool
    """Whether the vehicle is Mobile."""
    choose: KeptDice = KeptDice()
    """Which of several Damage dice is kept."""
    cannot_be_hit: Preferences = Field(default=[])
    """Locations that cannot be hit from there."""

    def seen(self) -> records.VehicleAttacked:
        """The vehicle as it is attacked."""
        vehicle: records.VehicleAttacked = self.made(
            keep_location=tuple(self.choose.location),
            keep_damage=tuple(self.choose.damage),
            kept_by=self.choose.by,
        )
        return vehicle


class VehicleTarget(VehicleSeen):
    """A vehicle as the target."""

    hull_down: bool = False
    """Whether the attacker sees nothing of that facing: as full cover."""


class VehicleInTheWay(VehicleSeen):
    """A vehicle that is hit or might be."""

    cover: records.Cover = "none"
    """Cover towards the marker's centre, or towards the attacker for a template: it helps the save."""

    def stated(self) -> records.ModelThere:
        return records.ModelThere(fighter=self.vehicle, cover=self.cover, vehicle=self.seen())


def _model_written(given: Any) -> str:
    if not isinstance(given, dict):
        return "<id>"
    return "<vehicle>" if "vehicle" in given else "<fighter>"


Model = Annotated[
    Annotated[ModelInTheWay, Tag("<fighter>")]
    | Annotated[VehicleInTheWay, Tag("<vehicle>")]
    | Annotated[Slug, Tag("<id>")],
    Discriminator(_model_written),
]
Models = Annotated[list[Model], Field(max_length=MODELS_MAX)]


def _target_written(given: Any) -> str:
    return "<vehicle>" if isinstance(given, dict) else "<id>"


Target = Annotated[
    Annotated[VehicleTarget, Tag("<vehicle>")] | Annotated[Slug, Tag("<id>")],
    Discriminator(_target_written),
]


def models_stated(models: list[Any]) -> tuple[records.ModelThere, ...]:
    return tuple(
        records.ModelThere(fighter=model) if isinstance(model, str) else model.stated() for model in models
    )
