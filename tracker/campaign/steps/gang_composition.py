"""Gang composition: one Leader, enough Gang Fighters, a retinue by Reputation; ELITE models of a warband.

Knows the faults of a gang as it is now. `trading.py` refuses what would make them worse.
"""

from __future__ import annotations

from tracker.campaign.fighters import Fighter
from tracker.campaign.state import Gang
from tracker.campaign.steps.decision import Decision
from tracker.records import Record
from tracker.rules.gang_tables import GangRules


def counts_as_gang_fighter(fighter: Fighter, rules: GangRules) -> bool:
    """Whether the fighter counts as Gang Fighter (X): by the card, else by what is usual for the category."""
    if fighter.gang_fighter is not None:
        return fighter.gang_fighter
    return fighter.category in rules.composition.gang_fighters


class CompositionFault(Record):
    """One fault of a gang's composition in a few words, and its size."""

    words: str
    by: int


def composition_faults(decision: Decision, gang: Gang) -> dict[str, CompositionFault]:
    """The faults of a gang's composition as it is now."""
    members = gang.enlisted.values()
    warbands = decision.rulebook.book.warband_rules
    if warbands is not None:
        elite = sum(member.category == warbands.elite.rank for member in members)
        words = f"it has {elite} ELITE models, and may have {warbands.elite.most}"
        too_many = {"elite": CompositionFault(words=words, by=elite - warbands.elite.most)}
        return {what: fault for what, fault in too_many.items() if fault.by > 0}
    rules = decision.rulebook.book.gangs
    leaders = sum(member.category == "leader" for member in members)
    counted = [member for member in members if member.category not in rules.composition.not_counted]
    own = sum(counts_as_gang_fighter(fighter, rules) for fighter in counted)
    others = len(counted) - own
    boons = {name for territory in gang.territories for name in territory.recruits}
    retinue = sum(
        member.category in rules.composition.retinue and member.fighter not in boons for member in members
    )
    cap = rules.retinue_cap(gang.reputation)
    brutes = sum(member.category == "brute" for member in members)
    one_brute = decision.rulebook.knob("gang.brutes") == "one"
    counts = {
        "leaders": CompositionFault(words=f"it has {leaders} Leaders and must have one", by=abs(leaders - 1)),
        "gang_fighters": CompositionFault(
            words=f"it has {own} Gang Fighters and {others} others, and must have at least as many",
            by=others - own,
        ),
        "retinue": CompositionFault(
            words=f"it has {retinue} Hangers-on and Brutes, and Reputation {gang.reputation} allows {cap}",
            by=retinue - cap,
        ),
        "brutes": CompositionFault(
            words=f"it has {brutes} Brutes, and this campaign's policies allow one",
            by=brutes - 1 if one_brute else 0,
        ),
    }
    return {what: fault for what, fault in counts.items() if fault.by > 0}


def is_warband(decision: Decision) -> bool:
    """Whether the book's gangs are warbands, which trade by other rules."""
    return decision.rulebook.book.warband_rules is not None
