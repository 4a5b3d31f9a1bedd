"""Promotion dice, exploration and ransoms of a warband, as a post-battle file tells them.

Knows how each is written. Knows no rule: what may be is for `decide` to say.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from tracker.campaign import records
from tracker.documents.card_numbers import Credits, Written
from tracker.documents.checking import Strict, fault
from tracker.documents.text import Name, Slug

Deeds = Annotated[int, Written(lowest=0, highest=50)]
DiceShare = Annotated[int, Written(lowest=1, highest=50)]
Score = Annotated[int, Written(lowest=1, highest=120)]
MoreDice = Annotated[int, Written(lowest=0, highest=10)]
DieNumber = Annotated[int, Written(lowest=1, highest=20)]


class Promotions(Strict):
    """The promotion dice of a warband. What is rolled: promotion, troop by troop in this order."""

    gang: Slug
    """The warband."""
    troops: dict[Slug, DiceShare] = Field(min_length=1, max_length=50)
    """How many dice each troop has, such as {odo: 2}."""
    deeds: Deeds | None = None
    """All Glorious Deeds of the battle, by anybody; left out, one for each of `deeds_by`."""
    deeds_by: list[Slug] = Field(default=[], max_length=50)
    """The troops who did one."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.RollPromotions(
            gang=self.gang,
            dice=tuple(
                records.PromotionDice(fighter=name, dice=count) for name, count in self.troops.items()
            ),
            deeds=len(set(self.deeds_by)) if self.deeds is None else self.deeds,
            deeds_by=tuple(self.deeds_by),
        )


class LocationWritten(Strict):
    """A location of the players' own table."""

    name: Name
    """What it is called."""
    score: Score
    """The score that the table prints for it."""
    kind: Literal["common", "rare", "legendary"] | None = None
    """Which table it stands in."""


class Exploring(Strict):
    """Looting and exploration. What is rolled: exploration, and exploration_reroll for each of `rerolls`."""

    gang: Slug
    """The warband."""
    rerolls: list[DieNumber] = Field(default=[], max_length=20)
    """Which dice are rolled again, counted from 1."""
    more_dice: MoreDice = 0
    """Dice that skills or things add."""
    more_rerolls: MoreDice = 0
    """Re-rolls that skills or things add."""
    location: LocationWritten | None = None
    """The location that is found on exactly this score."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        found = self.location
        return records.Explore(
            gang=self.gang,
            rerolls=tuple(self.rerolls),
            more_dice=self.more_dice,
            more_rerolls=self.more_rerolls,
            location=found.name if found is not None else None,
            location_score=found.score if found is not None else None,
            location_kind=found.kind if found is not None else None,
        )


class RansomWritten(Strict):
    """A ransom settled later than with the Trauma roll."""

    fighter: Slug
    """The captive."""
    ducats: Credits | None = None
    """What is paid."""
    unpaid: bool = False
    """true where nobody will pay."""
    to: Slug | None = None
    """The warband that is paid, where it is not the one that took the model out."""

    @model_validator(mode="after")
    def _paid_or_not(self) -> Self:
        if (self.ducats is None) != self.unpaid:
            raise fault("write either `ducats` or `unpaid: true`.")
        return self

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.SettleRansom(fighter=self.fighter, ducats=self.ducats, to=self.to)
