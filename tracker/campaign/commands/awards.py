"""Commands that give XP to several fighters at once, or by a die of a house rule."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.records import Record

Praise: TypeAlias = Literal["mvp", "painted"]


class AwardSeveral(Record):
    """The same XP for each of several fighters, that the scenario or the arbitrator gives."""

    fighters: tuple[str, ...]
    amount: int
    reason: str


class AwardTakingPart(Record):
    """XP for everybody of a gang's crew who took part in its last battle.

    `amount` is what the scenario gives for it; None where it gives none, which leaves the book's. `without`
    are those of the crew who took no part after all.
    """

    gang: str
    amount: int | None = None
    without: tuple[str, ...] = ()
    reason: str | None = None


class RollPraise(Record):
    """XP by a die for one fighter: the best of a battle, as the opponent says, or a painted model."""

    fighter: str
    praise: Praise


AwardCommand: TypeAlias = AwardSeveral | AwardTakingPart | RollPraise
