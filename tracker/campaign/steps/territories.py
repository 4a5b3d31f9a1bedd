"""Territories change hands, and their benefits other than credits come and go with them.

Source: Core Rulebook (2023) · The Post-battle Sequence · 2; Dominion Campaign · Territories.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.after_battle import Territory
from tracker.campaign.fighters import Fighter
from tracker.campaign.state import Gang
from tracker.campaign.steps.boons import lose_boons
from tracker.campaign.steps.captives import free
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.post_battle_sequence import advance_to, after_battle
from tracker.campaign.steps.rewards_and_reputation import change_reputation
from tracker.rules.necromunda import post_battle as rules

OWN = "own"
"""The kind of a territory that no book prints."""


@handles(records.GainTerritory)
def gain_territory(decision: Decision, command: records.GainTerritory) -> None:
    """A gang takes a territory, from another gang or unclaimed. Only the winner takes a stake."""
    decision.refuse_during_battle()
    gang = decision.gang(command.gang)
    territory = territory_meant(decision, command)
    if territory.holder == command.gang:
        raise records.TerritoryHeldAlready(territory=territory.name, gang=gang.name)
    territory_rules = decision.rulebook.book.territories.get(territory.kind)
    section = decision.rulebook.section("territory")
    if territory_rules is not None and territory_rules.fixed and territory.holder is not None:
        owner = decision.gang(territory.holder).name
        raise records.TerritoryFixed(territory=territory.name, gang=owner, section=section)
    reached = 0
    if command.staked:
        after = after_battle(decision, command.gang, what="taking the stake")
        result = after.result_of(command.gang)
        if result != "won":
            raise records.StakeNotWon(
                gang=gang.name, territory=territory.name, result=result, section=section
            )
        reached = advance_to(decision, command.gang, "territory", required=True)
    if territory.holder is not None:
        reached = _lose(decision, territory, to=command.gang, why=command.why, cause=reached)
    gained = decision.emit(
        records.TerritoryGained(
            gang=command.gang,
            territory=territory.territory,
            kind=territory.kind,
            name=territory.name,
            before=territory.holder,
            why=command.why,
            section=section,
        ),
        cause=reached,
    )
    _boon(decision, gang, territory, 1, cause=gained)


@handles(records.LoseTerritory)
def lose_territory(decision: Decision, command: records.LoseTerritory) -> None:
    """A territory belongs to nobody from now on."""
    decision.refuse_during_battle()
    territory, _ = decision.held_territory(command.territory)
    _lose(decision, territory, to=None, why=command.why, cause=0)


def territory_meant(decision: Decision, command: records.GainTerritory) -> Territory:
    """The territory as it is, or a new one of the kind stated."""
    known = decision.state.territories.get(command.territory)
    territory_rules = decision.rulebook.book.territories
    if known is not None:
        if command.kind is not None and command.kind != known.kind:
            raise records.TerritoryOfAnotherKind(territory=known.name, kind=known.kind, asked=command.kind)
        return known
    if not command.territory or (command.kind is None and command.name is None):
        raise records.UnknownTerritory(territory=command.territory, known=tuple(decision.state.territories))
    kind = command.kind if command.kind is not None else OWN
    if kind != OWN and kind not in territory_rules:
        raise records.UnknownTerritoryKind(kind=kind, known=tuple(territory_rules))
    name = command.name or territory_rules[kind].name
    return Territory(territory=command.territory, kind=kind, name=name, holder=None)


def _lose(decision: Decision, territory: Territory, *, to: str | None, why: str, cause: int) -> int:
    assert territory.holder is not None, f"{territory.territory} is held by nobody"
    gang = decision.gang(territory.holder)
    lost = decision.emit(
        records.TerritoryLost(
            gang=gang.gang,
            territory=territory.territory,
            name=territory.name,
            to=to,
            why=why,
            section=decision.rulebook.section("territory"),
        ),
        cause=cause,
    )
    for holder in decision.state.gangs.values():
        for fighter in holder.members.having("works_at"):
            if fighter.works_at == territory.territory:
                _captive_of_the_place(decision, fighter, territory, to=to, cause=lost)
    lose_boons(decision, territory, cause=lost)
    _boon(decision, gang, territory, -1, cause=lost)
    return lost


def _captive_of_the_place(
    decision: Decision, captive: Fighter, territory: Territory, *, to: str | None, cause: int
) -> None:
    """A captive who works there works for the new holder, goes home if that is their own gang, else stops."""
    holder = captive.held_by or territory.holder or ""
    if to == captive.gang:
        free(decision, captive, why=f"{territory.name} is theirs now", cause=cause)
        return
    if to is not None and to != holder:
        passed = records.CaptivePassedOn(
            fighter=captive.fighter, before=holder, holder=to, why=f"with {territory.name}"
        )
        decision.emit(passed, cause=cause)
    works_at = territory.territory if to is not None else None
    decision.emit(
        records.CaptivePutToWork(fighter=captive.fighter, holder=to or holder, territory=works_at),
        cause=cause,
    )


def _boon(decision: Decision, gang: Gang, territory: Territory, sign: int, *, cause: int) -> None:
    """The Reputation of a territory comes and goes with it."""
    territory_rules = decision.rulebook.book.territories.get(territory.kind)
    if territory_rules is None:
        return
    by = sign * rules.reputation_of(territory_rules, rules.house_id(gang.house))
    if by:
        change_reputation(decision, gang.gang, by, why=territory.name, section="territory", cause=cause)
