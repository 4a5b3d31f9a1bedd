"""Death of the Leader: who may lead next, and who does.

Source: Core Rulebook (2023) · Gangs · Death of the Leader.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.state import Gang
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.post_battle_sequence import advance_to
from tracker.campaign.steps.promotion import promote

ANYBODY = "*"


@handles(records.NameLeader)
def name_leader(decision: Decision, command: records.NameLeader) -> None:
    """The fighter next in line becomes Leader; among equals the one named."""
    decision.refuse_during_battle()
    gang = decision.gang(command.gang)
    if command.reason is None:
        advance_to(decision, command.gang, "clean_house")
    leader = next((member for member in _members(gang) if member.category == "leader"), None)
    if leader is not None:
        raise records.LeaderThere(gang=gang.name, leader=leader.name)
    line = next_in_line(decision, gang)
    if not line:
        raise records.NobodyToLead(gang=gang.name)
    if command.fighter is not None:
        decision.fighter(command.fighter)
    named = next((fighter for fighter in line if fighter.fighter == command.fighter), None)
    chosen = line[0] if len(line) == 1 and command.fighter is None else named
    if chosen is None:
        raise records.NotNextInLine(
            gang=gang.name,
            fighter=decision.fighter(command.fighter).name if command.fighter is not None else None,
            candidates=tuple(fighter.name for fighter in line),
            section=decision.rulebook.section("death_of_leader"),
        )
    promote(
        decision,
        chosen,
        "leader",
        command.kind,
        why=command.reason or "leads the gang from now on",
        section="death_of_leader",
        basic_profile=command.basic_profile,
    )


def next_in_line(decision: Decision, gang: Gang) -> tuple[Fighter, ...]:
    """The fighters with equal right to lead: the best by the book's order, of the first group with
    anybody.
    """
    rules = decision.rulebook.book.gangs
    members = [member for member in _members(gang) if member.category not in rules.composition.not_counted]
    for group in rules.succession.groups:
        line = [member for member in members if ANYBODY in group or member.category in group]
        for by in rules.succession.by:
            if line:
                best = max(_rank(decision, fighter, by) for fighter in line)
                line = [fighter for fighter in line if _rank(decision, fighter, by) == best]
        if line:
            return tuple(line)
    return ()


def _rank(decision: Decision, fighter: Fighter, by: str) -> int:
    """A sort key, higher is better; for a target number its distance from the worst."""
    if by == "advancements":
        return fighter.advancements
    limits = decision.rulebook.limits(by)
    value = fighter.characteristics[by]
    return value if limits.improved(0, 1) > 0 else -value


def _members(gang: Gang) -> list[Fighter]:
    return list(gang.enlisted.values())
