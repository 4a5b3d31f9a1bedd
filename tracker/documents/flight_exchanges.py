"""Exchanges of flight and mutation: what the Broken do, which gang is corrupted, which mutation is chosen."""

from __future__ import annotations

from typing import Annotated, Self

from pydantic import Field, model_validator

from tracker.campaign import records
from tracker.documents.card_numbers import Written
from tracker.documents.checking import Strict, fault
from tracker.documents.text import Name, Slug

MODELS_MAX = 100

_Fighters = Annotated[list[Slug], Field(max_length=MODELS_MAX)]
_Modifier = Annotated[int, Written(lowest=-9, highest=9, pattern="([-+]?[0-9])", example="such as +1 or -1")]


class InitiativeModifierWritten(Strict):
    """What a skill or a condition adds to the Initiative test."""

    why: Name
    """What it is."""
    by: _Modifier
    """How much."""


class Flight(Strict):
    """What a Broken model does when activated. What is rolled: retreat, retreat_reaction, then
    running_for_cover, break_for_air or burn_out."""

    fighter: Slug
    """Who is Broken; a vehicle by its crew's id."""
    engaged: _Fighters = Field(default=[])
    """Enemies engaged with the fighter: an Initiative test first, and they may react."""
    reacting: _Fighters | None = None
    """Who of them tries to make Reaction attacks; else all."""
    modifiers: list[InitiativeModifierWritten] = Field(default=[], max_length=10)
    """What is added to the fighter's own Initiative test."""
    mobile: bool | None = None
    """For vehicles: whether it is Mobile."""

    @model_validator(mode="after")
    def _retreats_from_somebody(self) -> Self:
        if not self.engaged and (self.reacting is not None or self.modifiers):
            raise fault("`reacting` and `modifiers` are for a fighter who is `engaged`.")
        return self

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- fleeing earns nobody experience
        """As asked of the campaign."""
        return records.TakeFlight(
            fighter=self.fighter,
            engaged=tuple(self.engaged),
            reacting=None if self.reacting is None else tuple(self.reacting),
            modifiers=tuple(records.InitiativeModifier(why=one.why, by=one.by) for one in self.modifiers),
            mobile=self.mobile,
        )


class Corruption(Strict):
    """Whether a gang's fighters may mutate, from now on. Nothing is rolled for it."""

    gang: Slug
    """Which gang."""
    corrupted: bool = True
    """false where it is so no more."""
    daemons: _Fighters = Field(default=[])
    """Who of the gang is a daemon or possessed."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- a statement has no activation
        """As asked of the campaign."""
        return records.StateCorruption(gang=self.gang, corrupted=self.corrupted, daemons=tuple(self.daemons))


class MutationChosen(Strict):
    """Another mutation for one that came a second time."""

    fighter: Slug
    """Who mutates."""
    choose: Name
    """Which one, such as warped_limbs."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- a choice has no activation
        """As asked of the campaign."""
        return records.ChooseMutation(
            fighter=self.fighter, mutation=self.choose.strip().lower().replace(" ", "_")
        )
