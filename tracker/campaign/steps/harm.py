"""Harm: who is hurt, by whom and how, passed along from the hit to the lasting injury."""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.records import Record


class Harm(Record):
    """What one hit brings with it. `attacker` is a fighter or nobody; `attack`: an Attack action did it.

    Without an attacker it is harm that no fighter did: a fall, an old injury, what a die of the Doc's brings.
    `without` are traits and skills that their player may use, and does not; `keeps` what the target's owner
    keeps of two Injury dice, where one shows it.
    """

    target: str
    attacker: str | None = None
    attack: bool = False
    in_close_combat: bool = False
    activation: str | None = None
    grudge_against: str | None = None
    without: tuple[str, ...] = ()
    keeps: records.KeptInjury | None = None


def culprit(decision: Decision, harm: Harm) -> str | None:
    """The gang that caused it: the attacker's, if not the target's own too; else whom the players name."""
    if harm.attacker is not None:
        gang = decision.fighter(harm.attacker).gang
        if gang != decision.fighter(harm.target).gang:
            return gang
    return harm.grudge_against


def opponent(decision: Decision, harm: Harm) -> str | None:
    """The gang that rolls against the target: the attacker's, else the only other one (G-45)."""
    own = decision.fighter(harm.target).gang
    if harm.attacker is not None:
        gang = decision.fighter(harm.attacker).gang
        if gang != own:
            return gang
    others = [gang for gang in decision.battle_of(harm.target, "a roll").crews if gang != own]
    return others[0] if len(others) == 1 else None
