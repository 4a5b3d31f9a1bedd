"""Commands that give XP to several fighters at once, or by a die of a house rule."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.records.declaring import Command, command
from tracker.errors import BadInput, RulesRefuse

Praise: TypeAlias = Literal["mvp", "painted"]


@command("AwardSeveral", game="every")
class AwardSeveral(Command):
    """The same XP for each of several fighters, that the scenario or the arbitrator gives."""

    fighters: tuple[str, ...]
    amount: int
    reason: str


@command("AwardTakingPart", whose="gang")
class AwardTakingPart(Command):
    """XP for everybody of a gang's crew who took part in its last battle.

    `amount` is what the scenario gives for it; None where it gives none, which leaves the book's. `without`
    are those of the crew who took no part after all.
    """

    gang: str
    amount: int | None = None
    without: tuple[str, ...] = ()
    reason: str | None = None


@command("RollPraise", whose="fighter")
class RollPraise(Command):
    """XP by a die for one fighter: the best of a battle, as the opponent says, or a painted model."""

    fighter: str
    praise: Praise


AwardCommand: TypeAlias = AwardSeveral | AwardTakingPart | RollPraise


class AwardedTwice(BadInput):
    """{fighter} is named twice in one award: name everybody once, and award again for more."""

    fighter: str


class TookNoPart(RulesRefuse):
    """{fighter} was not in the crew of {gang} in battle {battle!r}: take the name out. See 'arbitrator battle
    show'.
    """

    fighter: str
    gang: str
    battle: str


class NobodyTookPart(RulesRefuse):
    """Nobody of {gang} who was in battle {battle!r} and is still there gains XP: leave the entry out."""

    gang: str
    battle: str


class PraiseNotInForce(RulesRefuse):
    """XP for {what} is a house rule that this campaign does not play by. Adopt one first: arbitrator rules
    show {knob}.
    """

    what: str
    knob: str


class PaintedBefore(RulesRefuse):
    """{fighter} has had the XP for a painted model already: each model has it once."""

    fighter: str
