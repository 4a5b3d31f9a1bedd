"""Harm: who is hurt, by whom and how, passed along from the hit to the lasting injury."""

from __future__ import annotations

from collections.abc import Iterable

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
    """The gang that caused it: the attacker's, unless it is the target's own; else the one players name."""
    return enemy_gang(decision, harm.attacker, decision.fighter(harm.target).gang) or harm.grudge_against


def opponent(decision: Decision, harm: Harm) -> str | None:
    """The gang that rolls against the target: the attacker's, else the only other one (G-45)."""
    own = decision.fighter(harm.target).gang
    enemy = enemy_gang(decision, harm.attacker, own)
    return enemy or only_other_gang(decision.battle_of(harm.target, "a roll").crews, own)


def enemy_gang(decision: Decision, attacker: str | None, own: str) -> str | None:
    """The attacker's gang; None without an attacker, or if it is `own`."""
    gang = decision.fighter(attacker).gang if attacker is not None else own
    return gang if gang != own else None


def only_other_gang(crews: Iterable[str], own: str) -> str | None:
    """The only gang in a battle besides `own`; None if there are several."""
    others = [gang for gang in crews if gang != own]
    return others[0] if len(others) == 1 else None
