"""Refusals of battles as they open and close."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse


class BattleFoughtAlready(RulesRefuse):
    """Battle {battle!r} is recorded already, as battle {number}. Give this report another id; a wrong entry
    is put right with 'arbitrator dispute open'.
    """

    battle: str
    number: int


class TooFewGangs(BadInput):
    """A battle needs two gangs or more; this one names {gangs}."""

    gangs: int


class FighterCannotTakePart(RulesRefuse):
    """{fighter} cannot take part: {why}. {next_step}"""

    fighter: str
    why: str
    next_step: str


class NobodyComes(RulesRefuse):
    gang: str
    why: tuple[str, ...]

    def message(self) -> str:
        reasons = "; ".join(self.why) or "it has no fighters"
        return (
            f"{self.gang} have nobody who can take part: {reasons}. A battle needs somebody of every gang:"
            " hire first, or leave the gang out of this battle."
        )


class WinnerTookNoPart(BadInput):
    """{winner} is given as the winner of {battle!r} but took no part in it."""

    winner: str
    battle: str


class WonAndDrawn(BadInput):
    """{battle} cannot be both won by {winner} and a draw: say one of them."""

    winner: str
    battle: str
