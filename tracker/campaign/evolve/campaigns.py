"""What it does to the state that somebody joins, leaves or dies, and that policies are voted on.

Never refuses, never rolls, asks no table.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.cards import gone_for_good, on_fighter
from tracker.campaign.state import CampaignState, Fighter, Gang, PolicyInForce
from tracker.records import replace

CampaignEvent: TypeAlias = (
    records.CampaignOpened
    | records.PolicyAdopted
    | records.PolicyRepealed
    | records.GangEnlisted
    | records.FighterEnlisted
    | records.FighterRetired
    | records.FighterRenamed
)


def evolve_campaign(state: CampaignState, event: CampaignEvent) -> CampaignState:
    """The state after one event about who and what there is in a campaign."""
    match event:
        case records.GangEnlisted():
            return _gang_enlisted(state, event)
        case records.FighterEnlisted():
            return _fighter_enlisted(state, event)
        case records.FighterRetired():
            return gone_for_good(state, event.fighter, "retired")
        case records.FighterRenamed():
            return on_fighter(state, event.fighter, name=event.after)
        case records.CampaignOpened():
            return replace(state, name=event.name, slug=event.slug, book=event.book)
        case records.PolicyAdopted():
            return _policy_adopted(state, event)
        case records.PolicyRepealed():
            return _policy_repealed(state, event)
        case _:
            assert_never(event)


def _gang_enlisted(state: CampaignState, event: records.GangEnlisted) -> CampaignState:
    return state.with_gang(
        Gang(
            gang=event.gang,
            name=event.name,
            house=event.house,
            player=event.player,
            credits=event.credits,
            reputation=event.reputation,
        )
    )


def _fighter_enlisted(state: CampaignState, event: records.FighterEnlisted) -> CampaignState:
    fighter = Fighter(
        fighter=event.fighter,
        gang=event.gang,
        name=event.name,
        category=event.category,
        kind=event.kind,
        cost_credits=event.cost_credits,
        characteristics=event.characteristics,
        skills=event.skills,
        armour=event.armour,
        field_armour=event.field_armour,
        weapons=event.weapons,
        wargear=event.wargear,
        experience=event.experience,
        basic_profile=event.characteristics,
        mounted=event.mounted,
        gang_fighter=event.gang_fighter,
    )
    state = replace(state, gang_of={**state.gang_of, event.fighter: event.gang})
    return state.with_fighter(fighter)


def _policy_adopted(state: CampaignState, event: records.PolicyAdopted) -> CampaignState:
    adopted = PolicyInForce(
        policy=event.policy,
        version=event.version,
        title=event.title,
        source=event.source,
        patch=event.patch,
        from_battle=event.from_battle,
        reason=event.reason,
        overrides=event.overrides,
    )
    # A newer version takes the place of an older one from its own battle on.
    held = tuple(_ended(one, event.policy, event.from_battle, "replaced") for one in state.policies)
    return replace(state, policies=(*held, adopted))


def _policy_repealed(state: CampaignState, event: records.PolicyRepealed) -> CampaignState:
    held = tuple(_ended(one, event.policy, event.from_battle, event.reason) for one in state.policies)
    return replace(state, policies=held)


def _ended(held: PolicyInForce, policy: str, battle: int, reason: str) -> PolicyInForce:
    ends = max(battle, held.from_battle)
    if held.policy != policy or (held.until_battle is not None and held.until_battle <= ends):
        return held
    return replace(held, until_battle=ends, repeal_reason=reason)
