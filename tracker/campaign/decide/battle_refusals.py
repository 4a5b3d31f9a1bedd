"""Refusals of battles as they open and close."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse
from tracker.records import dataclass


@dataclass(eq=False)
class BattleFoughtAlready(RulesRefuse):
    battle: str
    number: int

    def message(self) -> str:
        return (
            f"Battle {self.battle!r} is recorded already, as battle {self.number}. Give this report"
            " another id;"
            f" a wrong entry is put right with 'arbitrator dispute open'."
        )


@dataclass(eq=False)
class TooFewGangs(BadInput):
    gangs: int

    def message(self) -> str:
        return f"A battle needs two gangs or more; this one names {self.gangs}."


@dataclass(eq=False)
class FighterCannotTakePart(RulesRefuse):
    fighter: str
    why: str
    next_step: str

    def message(self) -> str:
        return f"{self.fighter} cannot take part: {self.why}. {self.next_step}"


@dataclass(eq=False)
class NobodyComes(RulesRefuse):
    gang: str
    why: tuple[str, ...]

    def message(self) -> str:
        reasons = "; ".join(self.why) or "it has no fighters"
        return (
            f"{self.gang} have nobody who can take part: {reasons}. A battle needs somebody of every gang:"
            " hire first, or leave the gang out of this battle."
        )


@dataclass(eq=False)
class WinnerTookNoPart(BadInput):
    winner: str
    battle: str

    def message(self) -> str:
        return f"{self.winner} is given as the winner of {self.battle!r} but took no part in it."


@dataclass(eq=False)
class WonAndDrawn(BadInput):
    winner: str
    battle: str

    def message(self) -> str:
        return f"{self.battle} cannot be both won by {self.winner} and a draw: say one of them."
