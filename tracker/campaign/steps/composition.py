"""Composition: who may be in a gang, and whether it may take one more.

Source: Core Rulebook (2023) · Gangs · Composition.
"""

from __future__ import annotations

from tracker.campaign.state import Fighter, Gang
from tracker.campaign.steps.decision import Decision
from tracker.records import Record
from tracker.rules.gang_rules import GangRules


def counts_as_gang_fighter(fighter: Fighter, rules: GangRules) -> bool:
    """Whether the card has Gang Fighter (X): as it says, else as its category mostly has."""
    if fighter.gang_fighter is not None:
        return fighter.gang_fighter
    return fighter.category in rules.composition.gang_fighters


class Trouble(Record):
    """What is wrong with a gang's composition: in a few words, and by how many."""

    words: str
    by: int


def troubles(decision: Decision, gang: Gang) -> dict[str, Trouble]:
    """What is wrong with a gang's composition as it stands."""
    members = [one for one in gang.fighters.values() if one.standing == "enlisted"]
    warbands = decision.rulebook.book.warband_rules
    if warbands is not None:
        elite = sum(one.category == warbands.elite.rank for one in members)
        words = f"it has {elite} ELITE models, and may have {warbands.elite.most}"
        too_many = {"elite": Trouble(words=words, by=elite - warbands.elite.most)}
        return {what: trouble for what, trouble in too_many.items() if trouble.by > 0}
    rules = decision.rulebook.book.gangs
    leaders = sum(one.category == "leader" for one in members)
    counted = [one for one in members if one.category not in rules.composition.not_counted]
    own = sum(counts_as_gang_fighter(one, rules) for one in counted)
    others = len(counted) - own
    boons = {name for territory in gang.territories for name in territory.recruits}
    retinue = sum(one.category in rules.composition.retinue and one.fighter not in boons for one in members)
    cap = rules.retinue_cap(gang.reputation)
    brutes = sum(one.category == "brute" for one in members)
    one_brute = decision.rulebook.knob("gang.brutes") == "one"
    found = {
        "leaders": Trouble(words=f"it has {leaders} Leaders and must have one", by=abs(leaders - 1)),
        "gang_fighters": Trouble(
            words=f"it has {own} Gang Fighters and {others} others, and must have at least as many",
            by=others - own,
        ),
        "retinue": Trouble(
            words=f"it has {retinue} Hangers-on and Brutes, and Reputation {gang.reputation} allows {cap}",
            by=retinue - cap,
        ),
        "brutes": Trouble(
            words=f"it has {brutes} Brutes, and this campaign's policies allow one",
            by=brutes - 1 if one_brute else 0,
        ),
    }
    return {what: trouble for what, trouble in found.items() if trouble.by > 0}


def is_warband(decision: Decision) -> bool:
    """Whether the book's gangs are warbands, which trade in another way."""
    return decision.rulebook.book.warband_rules is not None
