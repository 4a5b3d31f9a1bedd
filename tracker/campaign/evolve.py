"""Evolve: what an event does to the state. Never refuses, never rolls, asks no table.

Knows that everything here was granted already: a fact that does not fit is our own mistake, so it is
asserted, and a log that a ruling left odd is still folded.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, assert_never

from tracker.campaign.dispute_state import evolve_dispute
from tracker.campaign.events import (
    AdvancementTaken,
    AlignmentStated,
    AmmoSpent,
    AttackDiceShared,
    BattleClosed,
    BattleOpened,
    BattleScarTaken,
    BecameChaosSpawn,
    BionicFitted,
    BlessingMarkersGained,
    BlessingMarkersSpent,
    BloodMarkersGained,
    BloodMarkersSpent,
    CampaignOpened,
    CaptiveFreed,
    CaptivePassedOn,
    CaptivePutToWork,
    CaptiveSold,
    CapturePending,
    CharacteristicChanged,
    CharacteristicKept,
    ChartRead,
    ConvalescenceEnded,
    CreditsMoved,
    CriticalInjuryPending,
    CriticalTreated,
    CycleBegan,
    DecisionTaken,
    DisputeReopened,
    DisputeSettledAgain,
    DisputeWithdrawn,
    DriverBlackedOut,
    DriverRecovered,
    DriverWokeUp,
    DriverWounded,
    Event,
    ExperienceGained,
    ExperienceSpent,
    FateDecided,
    FighterBroke,
    FighterCaptured,
    FighterConsolidated,
    FighterCostChanged,
    FighterDied,
    FighterEnlisted,
    FighterEscaped,
    FighterFled,
    FighterMissesBattle,
    FighterPinned,
    FighterPromoted,
    FighterRallied,
    FighterRenamed,
    FighterRetired,
    FighterStoodUp,
    FighterUnpinned,
    FighterWebbed,
    FighterWentDown,
    FighterWentOutOfAction,
    FightResolved,
    FleshWoundsSuffered,
    FlightMade,
    GangBottled,
    GangCorruptionStated,
    GangEnlisted,
    GearForfeited,
    GloryChanged,
    HeldForRansom,
    HelpNotCounted,
    ItemMoved,
    LastingDamageSuffered,
    LastingInjurySuffered,
    LimitedAmmoDeleted,
    LocationFound,
    MoraleTested,
    MutationCameAgain,
    MutationGained,
    NerveTested,
    PolicyAdopted,
    PolicyRepealed,
    PostBattleActionTaken,
    PostBattleDone,
    PromotionDieSpent,
    RallyTestTaken,
    RankChanged,
    RansomSettled,
    RareItemsSought,
    RatingRecorded,
    RecoveryAssisted,
    RecoveryEnded,
    ReinforcementsCalled,
    ReputationChanged,
    RescueEnded,
    RetreatTried,
    RollConfirmed,
    RollDisputed,
    RollMade,
    RuleNoted,
    RulingMade,
    SeriousInjuryOvercome,
    SeriousInjurySuffered,
    ShellShockTested,
    ShotFired,
    SkillGained,
    SlotKept,
    SlotReleased,
    SlotVoided,
    SpendingGranted,
    StepReached,
    TerritoryGained,
    TerritoryLost,
    ThresholdRaised,
    ToughnessSpent,
    VehicleCostChanged,
    VehicleCrewChanged,
    VehicleDamaged,
    VehicleDidNotStart,
    VehicleEnlisted,
    VehicleGone,
    VehicleHandlingHindered,
    VehicleHitPointsLost,
    VehicleLostControl,
    VehicleMoved,
    VehicleMovementCapped,
    VehicleRepaired,
    VehicleRestarted,
    VehicleRolledOn,
    VehicleShaken,
    VehicleStalled,
    VehicleWeaponDestroyed,
    VehicleWrecked,
    WarbandExplored,
    WeaponJammed,
    WeaponRanOutOfAmmo,
    WeaponReloaded,
    WebShed,
    WentIntoConvalescence,
    WentIntoRecovery,
    WoundsLost,
)
from tracker.campaign.gang_state import evolve_gang
from tracker.campaign.mutation_state import evolve_mutation
from tracker.campaign.post_battle_state import (
    after_closing,
    before_opening,
    evolve_post_battle,
    spend_grant,
)
from tracker.campaign.profiles import Weapon
from tracker.campaign.state import (
    BattleUnderWay,
    CampaignState,
    Combatant,
    CombatVehicle,
    Fighter,
    Gang,
    InjurySuffered,
    LastFight,
    PolicyInForce,
    Standing,
)
from tracker.campaign.vehicle_state import brought_to_battle, evolve_vehicle
from tracker.campaign.warband_state import evolve_warband
from tracker.records import replace


def fold(state: CampaignState, events: Iterable[Event]) -> CampaignState:
    """The state after all of these events."""
    for event in events:
        state = evolve(state, event)
    return state


def evolve(state: CampaignState, event: Event) -> CampaignState:
    """The state after one event."""
    match event:
        case DecisionTaken() | RollMade() | CharacteristicKept() | RuleNoted():
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
                seriously_injured_by=event.by,
            )
        case FighterWebbed():
            return _on_combatant(state, event.fighter, webbed=True)
        case FighterPinned():
            return _on_combatant(state, event.fighter, pinned=True)
        case FighterWentOutOfAction():
            return _fighter_went_out_of_action(state, event)
        case NerveTested():
            return _nerve_tested(state, event)
        case FighterBroke():
            return _on_combatant(state, event.fighter, broken=True)
        case RallyTestTaken():
            return _rally_test_taken(state, event)
        case FighterRallied():
            return _on_combatant(state, event.fighter, broken=False)
        case RetreatTried():
            return _retreat_tried(state, event)
        case FlightMade():
            return state
        case GangBottled():
            return _gang_bottled(state, event)
        case FighterFled():
            return _on_combatant(state, event.fighter, fled=True)
        case RecoveryAssisted():
            return _recovery_assisted(state, event)
        case SeriousInjuryOvercome():
            return _on_combatant(
                state,
                event.fighter,
                seriously_injured=False,
                seriously_injured_in_close_combat=False,
                seriously_injured_by=None,
                pinned=True,
            )
        case WebShed():
            return _on_combatant(state, event.fighter, webbed=False, pinned=True)
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
        case GangCorruptionStated() | MutationGained() | MutationCameAgain() | BecameChaosSpawn():
            return evolve_mutation(state, event)
        case SkillGained():
            return _skill_gained(state, event)
        case CapturePending():
            return _on_fighter(state, event.fighter, capture_pending=True, captor=event.captor)
        case CriticalInjuryPending():
            return _on_fighter(state, event.fighter, critical=True)
        case FighterDied():
            return _gone(state, event.fighter, "dead")
        case ChartRead():
            return state
        case BloodMarkersGained() | BloodMarkersSpent():
            return _on_combatant(state, event.fighter, blood_markers=event.markers)
        case FighterWentDown():
            return _on_combatant(state, event.fighter, down=True)
        case FighterStoodUp():
            return _on_combatant(state, event.fighter, down=False)
        case ToughnessSpent():
            return _on_combatant(state, event.fighter, tough_spent=True)
        case FateDecided():
            return _on_combatant(state, event.fighter, fate_decided=True)
        case BattleScarTaken():
            return _on_fighter(state, event.fighter, scars=event.scars)
        case GearForfeited():
            return _on_fighter(state, event.fighter, weapons=(), wargear=(), armour=None, field_armour=None)
        case HeldForRansom():
            return _on_fighter(state, event.fighter, capture_pending=True, captor=event.captor)
        case RankChanged():
            return _on_fighter(state, event.fighter, category=event.after)
        case AttackDiceShared() | HelpNotCounted() | FighterConsolidated():
            return state
        case FighterUnpinned():
            return _on_combatant(state, event.fighter, pinned=False)
        case FightResolved():
            return _fight_resolved(state, event)
        case ShotFired():
            return state
        case WeaponRanOutOfAmmo() | WeaponJammed() | AmmoSpent() | WeaponReloaded():
            return _ammo_changed(state, event)
        case LimitedAmmoDeleted():
            return _limited_ammo_deleted(state, event)
        case BattleOpened():
            return _battle_opened(state, event)
        case BattleClosed():
            return _battle_closed(state, event)
        case GangEnlisted():
            return _gang_enlisted(state, event)
        case FighterEnlisted():
            return _fighter_enlisted(state, event)
        case FighterRetired():
            return _gone(state, event.fighter, "retired")
        case FighterRenamed():
            return _on_fighter(state, event.fighter, name=event.after)
        case CampaignOpened():
            return replace(state, name=event.name, slug=event.slug, book=event.book)
        case PolicyAdopted():
            return _policy_adopted(state, event)
        case PolicyRepealed():
            return _policy_repealed(state, event)
        case (
            RollDisputed()
            | DisputeWithdrawn()
            | DisputeReopened()
            | DisputeSettledAgain()
            | RollConfirmed()
            | RulingMade()
            | SlotVoided()
            | SlotKept()
            | SlotReleased()
        ):
            return evolve_dispute(state, event)
        case (
            VehicleEnlisted()
            | VehicleDamaged()
            | VehicleHitPointsLost()
            | VehicleShaken()
            | VehicleStalled()
            | VehicleMoved()
            | VehicleMovementCapped()
            | VehicleHandlingHindered()
            | VehicleWeaponDestroyed()
            | VehicleLostControl()
            | DriverWounded()
            | DriverBlackedOut()
            | VehicleWrecked()
            | LastingDamageSuffered()
            | VehicleDidNotStart()
            | VehicleRestarted()
            | DriverRecovered()
            | DriverWokeUp()
            | VehicleRolledOn()
        ):
            return evolve_vehicle(state, event)
        case CreditsMoved():
            return spend_grant(evolve_gang(state, event), event)
        case (
            ItemMoved()
            | FighterCostChanged()
            | VehicleCostChanged()
            | VehicleCrewChanged()
            | VehicleGone()
            | RatingRecorded()
            | ExperienceSpent()
            | AdvancementTaken()
            | FighterPromoted()
            | BionicFitted()
        ):
            return evolve_gang(state, event)
        case (
            AlignmentStated()
            | CaptiveFreed()
            | CaptivePassedOn()
            | CaptivePutToWork()
            | CaptiveSold()
            | CriticalTreated()
            | FighterCaptured()
            | FighterEscaped()
            | FighterMissesBattle()
            | PostBattleActionTaken()
            | PostBattleDone()
            | RareItemsSought()
            | ReputationChanged()
            | RescueEnded()
            | StepReached()
            | VehicleRepaired()
            | CycleBegan()
            | SpendingGranted()
            | TerritoryGained()
            | TerritoryLost()
        ):
            return evolve_post_battle(state, event)
        case (
            BlessingMarkersGained()
            | BlessingMarkersSpent()
            | GloryChanged()
            | LocationFound()
            | MoraleTested()
            | PromotionDieSpent()
            | RansomSettled()
            | ReinforcementsCalled()
            | ShellShockTested()
            | ThresholdRaised()
            | WarbandExplored()
        ):
            return evolve_warband(state, event)
        case _:
            assert_never(event)


def _fighter(state: CampaignState, fighter: str) -> Fighter:
    found = state.fighter(fighter)
    assert found is not None, f"an event names {fighter}, who never enlisted"
    return found


def _on_fighter(state: CampaignState, fighter: str, **changes: object) -> CampaignState:
    return state.with_fighter(replace(_fighter(state, fighter), **changes))  # type: ignore[arg-type]  # names of fields


def _gone(state: CampaignState, fighter: str, standing: Standing) -> CampaignState:
    """Who is dead or retired is nobody's captive any more."""
    card = replace(_fighter(state, fighter), standing=standing)
    if card.held_by is not None:
        card = replace(card, held_by=None, rescue=None, works_at=None, off_rating=False)
    return state.with_fighter(card)


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
    state = _on_combatant(state, event.fighter, out_of_action=True, taken_out_by=event.by)
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


def _ammo_changed(
    state: CampaignState, event: WeaponRanOutOfAmmo | WeaponJammed | AmmoSpent | WeaponReloaded
) -> CampaignState:
    battle = state.under_way
    if battle is None:
        return state
    if event.vehicle is not None:
        ridden = battle.vehicles.get(event.vehicle)
        if ridden is None:
            return state
        return state.with_combat_vehicle(event.vehicle, replace(ridden, **_ammo_after(ridden, event)))
    combatant = battle.combatants.get(event.fighter)
    if combatant is None:
        return state
    return state.with_combatant(event.fighter, replace(combatant, **_ammo_after(combatant, event)))


def _ammo_after(
    held: Combatant | CombatVehicle, event: WeaponRanOutOfAmmo | WeaponJammed | AmmoSpent | WeaponReloaded
) -> dict[str, Any]:
    """What changes in a record of ammunition."""
    match event:
        case WeaponRanOutOfAmmo():
            return {"out_of_ammo": tuple(sorted({*held.out_of_ammo, event.slot}))}
        case WeaponJammed():
            return {"jammed": tuple(sorted({*held.jammed, event.slot}))}
        case AmmoSpent():
            spent = {*held.ammo_spent, ammo_key(event.slot, event.profile)}
            return {"ammo_spent": tuple(sorted(spent))}
        case WeaponReloaded():
            return {"out_of_ammo": tuple(slot for slot in held.out_of_ammo if slot != event.slot)}
        case _:
            assert_never(event)


def ammo_key(slot: str, profile: str) -> str:
    """Under which a profile of a weapon is remembered as done for the battle."""
    return f"{slot}|{profile}"


def _limited_ammo_deleted(state: CampaignState, event: LimitedAmmoDeleted) -> CampaignState:
    if event.vehicle is not None:
        vehicle = state.vehicle(event.vehicle)
        assert vehicle is not None, f"an event names {event.vehicle}, which never enlisted"
        names = list(vehicle.weapons)
        if event.weapon_gone and event.weapon in names:
            names.remove(event.weapon)
        left = _without_profile(vehicle.armament, event)
        lighter = replace(vehicle, weapons=tuple(names), armament=left, cost_credits=event.cost_credits)
        return state.with_vehicle(lighter)
    fighter = _fighter(state, event.fighter)
    left = _without_profile(fighter.weapons, event)
    return state.with_fighter(replace(fighter, weapons=left, cost_credits=event.cost_credits))


def _without_profile(carried: tuple[Weapon, ...], event: LimitedAmmoDeleted) -> tuple[Weapon, ...]:
    weapons = list(carried)
    for place, weapon in enumerate(weapons):
        left = tuple(profile for profile in weapon.profiles if profile.name != event.profile)
        if weapon.weapon == event.weapon and len(left) < len(weapon.profiles):
            weapons[place : place + 1] = [replace(weapon, profiles=left)] if left else []
            break
    return tuple(weapons)


def payment_key(activation: str, attacker: str, victim: str) -> str:
    """Under which an activation's XP for one victim is remembered until the battle ends."""
    return f"{activation}|{attacker}|{victim}"


def _fight_resolved(state: CampaignState, event: FightResolved) -> CampaignState:
    if state.under_way is None:
        return state
    battle, last = state.under_way, state.under_way.last_fight
    if event.reaction:
        if last is not None and event.fighter in last.may_react:
            last = replace(
                last,
                may_react=tuple(one for one in last.may_react if one != event.fighter),
                reacted=(*last.reacted, event.fighter),
            )
    else:
        again = (
            last is not None
            and event.activation is not None
            and (last.fighter, last.activation) == (event.fighter, event.activation)
        )
        last = LastFight(
            fighter=event.fighter,
            may_react=event.may_react,
            count_as_turned=event.count_as_turned,
            charging=event.charging or (again and last is not None and last.charging),
            activation=event.activation,
            fights=last.fights + 1 if again and last is not None else 1,
        )
    return replace(state, under_way=replace(battle, fights=battle.fights + 1, last_fight=last))


def _retreat_tried(state: CampaignState, event: RetreatTried) -> CampaignState:
    if state.under_way is None or not event.may_react:
        return state
    # They react to it as to a Fight.
    last = LastFight(
        fighter=event.fighter,
        may_react=event.may_react,
        count_as_turned=(),
        charging=False,
        activation=None,
        fights=1,
    )
    return replace(state, under_way=replace(state.under_way, last_fight=last))


def nerve_key(activation: str, tester: str) -> str:
    """Under which an activation's Nerve tests of one fighter are remembered until the battle ends.

    Activation '' is for tests told without one after the victim had gone Out of Action.
    """
    return f"{activation}|{tester}"


def _nerve_tested(state: CampaignState, event: NerveTested) -> CampaignState:
    cause = event.because_of or event.wreck
    if state.under_way is None or cause is None:
        return state
    if event.activation is None:
        victim = state.under_way.combatants.get(cause)
        if victim is None or not victim.out_of_action:
            return state
    tested, key = state.under_way.nerve_tested, nerve_key(event.activation or "", event.fighter)
    tested = {**tested, key: (*tested.get(key, ()), cause)}
    return replace(state, under_way=replace(state.under_way, nerve_tested=tested))


def _rally_test_taken(state: CampaignState, event: RallyTestTaken) -> CampaignState:
    if state.under_way is None:
        return state
    taken = state.under_way.rally_tests
    taken = {**taken, event.fighter: (*taken.get(event.fighter, ()), event.round)}
    return replace(state, under_way=replace(state.under_way, rally_tests=taken))


def _gang_bottled(state: CampaignState, event: GangBottled) -> CampaignState:
    battle = state.under_way
    if battle is None:
        return state
    forfeit = (*battle.forfeit, event.gang) if event.forfeit else battle.forfeit
    return replace(state, under_way=replace(battle, bottled=(*battle.bottled, event.gang), forfeit=forfeit))


def _recovery_assisted(state: CampaignState, event: RecoveryAssisted) -> CampaignState:
    if state.under_way is None:
        return state
    assisted = state.under_way.assisted
    assisted = {**assisted, event.by: (*assisted.get(event.by, ()), event.round)}
    return replace(state, under_way=replace(state.under_way, assisted=assisted))


def _battle_opened(state: CampaignState, event: BattleOpened) -> CampaignState:
    state = before_opening(state, event)
    combatants = {}
    for crew in event.crews.values():
        for name in crew:
            fighter = _fighter(state, name)
            combatants[name] = Combatant(wounds_left=fighter.characteristics.get("wounds", 0))
            state = state.with_fighter(replace(fighter, battles_fought=fighter.battles_fought + 1))
    battle = BattleUnderWay(
        battle=event.battle,
        number=event.number,
        crews=event.crews,
        combatants=combatants,
        vehicles=brought_to_battle(state, event.vehicles),
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
    return after_closing(replace(state, under_way=None), event, state.under_way)


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
        basic_profile=event.characteristics,
        mounted=event.mounted,
        gang_fighter=event.gang_fighter,
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
        overrides=event.overrides,
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
