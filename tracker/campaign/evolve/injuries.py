"""What outlives the battle in which it was suffered. Never refuses, never rolls, asks no table."""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.cards import fighter_on_card, on_fighter
from tracker.campaign.profiles import Bionic
from tracker.campaign.state import CampaignState, Fighter, InjurySuffered
from tracker.records import replace

InjuryEvent: TypeAlias = (
    records.LastingInjurySuffered
    | records.WentIntoConvalescence
    | records.ConvalescenceEnded
    | records.WentIntoRecovery
    | records.RecoveryEnded
    | records.CharacteristicChanged
    | records.SkillGained
    | records.CapturePending
    | records.CriticalInjuryPending
    | records.BattleScarTaken
    | records.GearForfeited
    | records.HeldForRansom
    | records.RankChanged
)


def evolve_injury(state: CampaignState, event: InjuryEvent) -> CampaignState:
    """The state after one event of a Lasting Injury or a battle scar."""
    match event:
        case records.LastingInjurySuffered():
            return _lasting_injury_suffered(state, event)
        case records.WentIntoConvalescence():
            return on_fighter(state, event.fighter, convalescing=True)
        case records.ConvalescenceEnded():
            return on_fighter(state, event.fighter, convalescing=False)
        case records.WentIntoRecovery():
            return on_fighter(state, event.fighter, recovering_since=event.battle)
        case records.RecoveryEnded():
            return on_fighter(state, event.fighter, recovering_since=None)
        case records.CharacteristicChanged():
            fighter = fighter_on_card(state, event.fighter)
            changed = {**fighter.characteristics, event.characteristic: event.after}
            fitted = _by_bionic(fighter, event)
            return state.with_fighter(replace(fighter, characteristics=changed, fitted=fitted))
        case records.SkillGained():
            return _skill_gained(state, event)
        case records.CapturePending():
            return on_fighter(state, event.fighter, capture_pending=True, captor=event.captor)
        case records.CriticalInjuryPending():
            return on_fighter(state, event.fighter, critical=True)
        case records.BattleScarTaken():
            return on_fighter(state, event.fighter, scars=event.scars)
        case records.GearForfeited():
            return on_fighter(state, event.fighter, weapons=(), wargear=(), armour=None, field_armour=None)
        case records.HeldForRansom():
            return on_fighter(state, event.fighter, capture_pending=True, captor=event.captor)
        case records.RankChanged():
            return on_fighter(state, event.fighter, category=event.after)
        case _:
            assert_never(event)


def _by_bionic(fighter: Fighter, event: records.CharacteristicChanged) -> tuple[Bionic, ...]:
    """The fighter's bionics, with what the last one raised: it is fitted first, and then gives its name."""
    if not fighter.fitted or fighter.fitted[-1].name != event.why:
        return fighter.fitted
    last = fighter.fitted[-1]
    return (*fighter.fitted[:-1], replace(last, improves=(*last.improves, event.characteristic)))


def _lasting_injury_suffered(state: CampaignState, event: records.LastingInjurySuffered) -> CampaignState:
    fighter = fighter_on_card(state, event.fighter)
    suffered = InjurySuffered(
        injury=event.injury, name=event.name, counted_as=event.counts_as or event.injury, battle=event.battle
    )
    return state.with_fighter(replace(fighter, injuries=(*fighter.injuries, suffered)))


def _skill_gained(state: CampaignState, event: records.SkillGained) -> CampaignState:
    fighter = fighter_on_card(state, event.fighter)
    if event.against is not None:
        return state.with_fighter(replace(fighter, grudges=(*fighter.grudges, event.against)))
    return state.with_fighter(replace(fighter, skills=(*fighter.skills, event.skill)))
