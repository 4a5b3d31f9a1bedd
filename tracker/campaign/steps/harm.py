"""Harm: who is hurt, by whom and how, passed along from the hit to the lasting injury."""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.records import Record


class Harm(Record):
    """Who is hurt by one hit, by whom and how. `attacker` None: no fighter did it, as with a fall, an old
    injury, or a die of the Doc's.

    `attack`: an Attack action did it. `without` are traits and skills that their player chooses not to use;
    `keeps` is which of two Injury dice the target's owner keeps, if one shows it.
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
    """The gang that caused it: the attacker's, unless it is the target's own; else the one the players
    name.
    """
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
