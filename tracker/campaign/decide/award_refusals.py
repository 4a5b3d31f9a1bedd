"""Refusals of awards to several fighters, and of awards by a die."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse
from tracker.records import dataclass


@dataclass(eq=False)
class AwardedTwice(BadInput):
    fighter: str

    def message(self) -> str:
        return f"{self.fighter} is named twice in one award: name everybody once, and award again for more."


@dataclass(eq=False)
class TookNoPart(RulesRefuse):
    fighter: str
    gang: str
    battle: str

    def message(self) -> str:
        return (
            f"{self.fighter} was not in the crew of {self.gang} in battle {self.battle!r}: take the name out."
            " See 'arbitrator battle show'."
        )


@dataclass(eq=False)
class NobodyTookPart(RulesRefuse):
    gang: str
    battle: str

    def message(self) -> str:
        return (
            f"Nobody of {self.gang} who was in battle {self.battle!r} and is still there gains XP: leave the"
            " entry out."
        )


@dataclass(eq=False)
class PraiseNotInForce(RulesRefuse):
    what: str
    knob: str

    def message(self) -> str:
        return (
            f"XP for {self.what} is a house rule that this campaign does not play by. Adopt one first:"
            f" arbitrator rules show {self.knob}."
        )


@dataclass(eq=False)
class PaintedBefore(RulesRefuse):
    fighter: str

    def message(self) -> str:
        return f"{self.fighter} has had the XP for a painted model already: each model has it once."
