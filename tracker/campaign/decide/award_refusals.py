"""Refusals of awards to several fighters, and of awards by a die."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse


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
