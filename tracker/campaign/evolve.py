"""Evolve: what an event does to the state. Never refuses, never rolls, asks no table.

Knows that everything here was granted already: a fact that does not fit is our own mistake, so it is
asserted, and a log that a ruling left odd is still folded.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import assert_never

from tracker.campaign.events import (
    BattleClosed,
    BattleOpened,
    CampaignOpened,
    CapturePending,
    CharacteristicChanged,
    CharacteristicKept,
    ConvalescenceEnded,
    CriticalInjuryPending,
    DecisionTaken,
    Event,
    ExperienceGained,
    FighterDied,
    FighterEnlisted,
    FighterPinned,
    FighterRenamed,
    FighterRetired,
    FighterWebbed,
    FighterWentOutOfAction,
    FleshWoundsSuffered,
    GangEnlisted,
    LastingInjurySuffered,
    PolicyAdopted,
    PolicyRepealed,
    RecoveryEnded,
    RollDisputed,
    RollMade,
    RuleNoted,
    RulingMade,
    SeriousInjurySuffered,
    SkillGained,
    SlotKept,
    SlotVoided,
    WentIntoConvalescence,
    WentIntoRecovery,
    WoundsLost,
)
from tracker.campaign.state import (
    BattleUnderWay,
    CampaignState,
    Combatant,
    Fighter,
    Gang,
    InjurySuffered,
    OpenDispute,
    PolicyInForce,
)


def fold(state: CampaignState, events: Iterable[Event]) -> CampaignState:
    """The state after all of these events."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: CampaignState, event: Event) -> CampaignState:
    """The state after one event."""
    match event:
        case DecisionTaken() | RollMade() | CharacteristicKept() | RuleNoted() | SlotVoided() | SlotKept():
            return state
        case ExperienceGained():
            return _experience_gained(state, event)
        case WoundsLost():
            return _on_combatant(state, event.fighter, wounds_left=event.wounds_left)
        case FleshWoundsSuffered():
            return _flesh_wounds_suffered(state, event)
        case SeriousInjurySuffered():
            return _on_combatant(
                state,
                event.fighter,
                seriously_injured=True,
                pinned=False,
                seriously_injured_in_close_combat=event.in_close_combat,
            )
        case FighterWebbed():
            return _on_combatant(state, event.fighter, webbed=True)
        case FighterPinned():
            return _on_combatant(state, event.fighter, pinned=True)
        case FighterWentOutOfAction():
            return _fighter_went_out_of_action(state, event)
        case LastingInjurySuffered():
            return _lasting_injury_suffered(state, event)
        case WentIntoConvalescence():
            return _on_fighter(state, event.fighter, convalescing=True)
        case ConvalescenceEnded():
            return _on_fighter(state, event.fighter, convalescing=False)
        case WentIntoRecovery():
            return _on_fighter(state, event.fighter, recovering_since=event.battle)
        case RecoveryEnded():
            return _on_fighter(state, event.fighter, recovering_since=None)
        case CharacteristicChanged():
            fighter = _fighter(state, event.fighter)
            changed = {**fighter.characteristics, event.characteristic: event.after}
            return state.with_fighter(replace(fighter, characteristics=changed))
        case SkillGained():
            return _skill_gained(state, event)
        case CapturePending():
            return _on_fighter(state, event.fighter, capture_pending=True, captor=event.captor)
        case CriticalInjuryPending():
            return _on_fighter(state, event.fighter, critical=True)
        case FighterDied():
            return _on_fighter(state, event.fighter, standing="dead")
        case BattleOpened():
            return _battle_opened(state, event)
        case BattleClosed():
            return _battle_closed(state, event)
        case GangEnlisted():
            return _gang_enlisted(state, event)
        case FighterEnlisted():
            return _fighter_enlisted(state, event)
        case FighterRetired():
            return _on_fighter(state, event.fighter, standing="retired")
        case FighterRenamed():
            return _on_fighter(state, event.fighter, name=event.after)
        case CampaignOpened():
            return replace(state, name=event.name, slug=event.slug, book=event.book)
        case PolicyAdopted():
            return _policy_adopted(state, event)
        case PolicyRepealed():
            return _policy_repealed(state, event)
        case RollDisputed():
            return _roll_disputed(state, event)
        case RulingMade():
            left = {number: dispute for number, dispute in state.disputes.items() if number != event.dispute}
            return replace(state, disputes=left)
        case _:
            assert_never(event)


def _fighter(state: CampaignState, fighter: str) -> Fighter:
    found = state.fighter(fighter)
    assert found is not None, f"an event names {fighter}, who never enlisted"
    return found


def _on_fighter(state: CampaignState, fighter: str, **changes: object) -> CampaignState:
    return state.with_fighter(replace(_fighter(state, fighter), **changes))  # type: ignore[arg-type]  # names of fields


def _on_combatant(state: CampaignState, fighter: str, **changes: object) -> CampaignState:
    if state.under_way is None or fighter not in state.under_way.combatants:
        return state
    combatant = replace(state.under_way.combatants[fighter], **changes)  # type: ignore[arg-type]  # names of fields
    return state.with_combatant(fighter, combatant)


def _flesh_wounds_suffered(state: CampaignState, event: FleshWoundsSuffered) -> CampaignState:
    if state.under_way is None or event.fighter not in state.under_way.combatants:
        return state
    suffered = state.under_way.combatants[event.fighter].flesh_wounds + event.flesh_wounds
    return _on_combatant(state, event.fighter, flesh_wounds=suffered)


def _fighter_went_out_of_action(state: CampaignState, event: FighterWentOutOfAction) -> CampaignState:
    state = _on_combatant(state, event.fighter, out_of_action=True)
    fighter = _fighter(state, event.fighter)
    state = state.with_fighter(replace(fighter, times_out_of_action=fighter.times_out_of_action + 1))
    attacker = state.fighter(event.by) if event.by else None
    if attacker is not None and attacker.gang != fighter.gang:
        state = state.with_fighter(replace(attacker, enemies_taken_out=attacker.enemies_taken_out + 1))
    return state


def _lasting_injury_suffered(state: CampaignState, event: LastingInjurySuffered) -> CampaignState:
    fighter = _fighter(state, event.fighter)
    suffered = InjurySuffered(
        injury=event.injury, name=event.name, counted_as=event.counts_as or event.injury, battle=event.battle
    )
    return state.with_fighter(replace(fighter, injuries=(*fighter.injuries, suffered)))


def _skill_gained(state: CampaignState, event: SkillGained) -> CampaignState:
    fighter = _fighter(state, event.fighter)
    if event.against is not None:
        return state.with_fighter(replace(fighter, grudges=(*fighter.grudges, event.against)))
    return state.with_fighter(replace(fighter, skills=(*fighter.skills, event.skill)))


def _experience_gained(state: CampaignState, event: ExperienceGained) -> CampaignState:
    fighter = _fighter(state, event.fighter)
    state = state.with_fighter(replace(fighter, experience=fighter.experience + event.amount))
    if event.activation is not None and event.victim is not None and state.under_way is not None:
        key = payment_key(event.activation, event.fighter, event.victim)
        paid = {**state.under_way.paid, key: state.under_way.paid.get(key, 0) + event.amount}
        state = replace(state, under_way=replace(state.under_way, paid=paid))
    return state


def payment_key(activation: str, attacker: str, victim: str) -> str:
    """Under which an activation's XP for one victim is remembered until the battle ends."""
    return f"{activation}|{attacker}|{victim}"


def _battle_opened(state: CampaignState, event: BattleOpened) -> CampaignState:
    combatants = {}
    for crew in event.crews.values():
        for name in crew:
            fighter = _fighter(state, name)
            combatants[name] = Combatant(wounds_left=fighter.characteristics.get("wounds", 0))
            state = state.with_fighter(replace(fighter, battles_fought=fighter.battles_fought + 1))
    battle = BattleUnderWay(
        battle=event.battle, number=event.number, crews=event.crews, combatants=combatants
    )
    return replace(state, battles={**state.battles, event.battle: event.number}, under_way=battle)


def _battle_closed(state: CampaignState, event: BattleClosed) -> CampaignState:
    crews = state.under_way.crews if state.under_way is not None else {}
    for name in crews:
        gang = state.gangs[name]
        state = state.with_gang(
            replace(
                gang,
                battles=gang.battles + 1,
                won=gang.won + (event.winner == name),
                drawn=gang.drawn + event.drawn,
                lost=gang.lost + (event.winner is not None and event.winner != name),
            )
        )
    return replace(state, under_way=None)


def _gang_enlisted(state: CampaignState, event: GangEnlisted) -> CampaignState:
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


def _fighter_enlisted(state: CampaignState, event: FighterEnlisted) -> CampaignState:
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
    )
    state = replace(state, gang_of={**state.gang_of, event.fighter: event.gang})
    return state.with_fighter(fighter)


def _policy_adopted(state: CampaignState, event: PolicyAdopted) -> CampaignState:
    adopted = PolicyInForce(
        policy=event.policy,
        version=event.version,
        title=event.title,
        source=event.source,
        patch=event.patch,
        from_battle=event.from_battle,
        reason=event.reason,
    )
    # A newer version takes the place of an older one from its own battle on.
    held = tuple(_ended(one, event.policy, event.from_battle, "replaced") for one in state.policies)
    return replace(state, policies=(*held, adopted))


def _policy_repealed(state: CampaignState, event: PolicyRepealed) -> CampaignState:
    held = tuple(_ended(one, event.policy, event.from_battle, event.reason) for one in state.policies)
    return replace(state, policies=held)


def _ended(held: PolicyInForce, policy: str, battle: int, reason: str) -> PolicyInForce:
    ends = max(battle, held.from_battle)
    if held.policy != policy or (held.until_battle is not None and held.until_battle <= ends):
        return held
    return replace(held, until_battle=ends, repeal_reason=reason)


def _roll_disputed(state: CampaignState, event: RollDisputed) -> CampaignState:
    dispute = OpenDispute(
        dispute=event.dispute,
        target_seq=event.target_seq,
        target_entry=event.target_entry,
        target_position=event.target_position,
        target_slot=event.target_slot,
        raised_by=event.raised_by,
        reason=event.reason,
        rule=event.rule,
    )
    return replace(state, disputes={**state.disputes, event.dispute: dispute})
