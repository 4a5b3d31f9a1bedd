"""What shooting does to weapons and their ammunition. Never refuses, never rolls, asks no table."""

from __future__ import annotations

from typing import Any, TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.cards import fighter_on_card
from tracker.campaign.profiles import Weapon
from tracker.campaign.state import CampaignState, Combatant, CombatVehicle
from tracker.records import replace

AmmoEvent: TypeAlias = (
    records.WeaponRanOutOfAmmo
    | records.WeaponJammed
    | records.AmmoSpent
    | records.WeaponReloaded
    | records.LimitedAmmoDeleted
)


def evolve_ammo(state: CampaignState, event: AmmoEvent) -> CampaignState:
    """The state after one event about ammunition."""
    match event:
        case (
            records.WeaponRanOutOfAmmo()
            | records.WeaponJammed()
            | records.AmmoSpent()
            | records.WeaponReloaded()
        ):
            return _ammo_changed(state, event)
        case records.LimitedAmmoDeleted():
            return _limited_ammo_deleted(state, event)
        case _:
            assert_never(event)


def _ammo_changed(
    state: CampaignState,
    event: records.WeaponRanOutOfAmmo | records.WeaponJammed | records.AmmoSpent | records.WeaponReloaded,
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
    held: Combatant | CombatVehicle,
    event: records.WeaponRanOutOfAmmo | records.WeaponJammed | records.AmmoSpent | records.WeaponReloaded,
) -> dict[str, Any]:
    """What changes in a record of ammunition."""
    match event:
        case records.WeaponRanOutOfAmmo():
            return {"out_of_ammo": tuple(sorted({*held.out_of_ammo, event.slot}))}
        case records.WeaponJammed():
            return {"jammed": tuple(sorted({*held.jammed, event.slot}))}
        case records.AmmoSpent():
            spent = {*held.ammo_spent, ammo_key(event.slot, event.profile)}
            return {"ammo_spent": tuple(sorted(spent))}
        case records.WeaponReloaded():
            return {"out_of_ammo": tuple(slot for slot in held.out_of_ammo if slot != event.slot)}
        case _:
            assert_never(event)


def ammo_key(slot: str, profile: str) -> str:
    """Under which a profile of a weapon is remembered as done for the battle."""
    return f"{slot}|{profile}"


def _limited_ammo_deleted(state: CampaignState, event: records.LimitedAmmoDeleted) -> CampaignState:
    if event.vehicle is not None:
        vehicle = state.vehicle(event.vehicle)
        assert vehicle is not None, f"an event names {event.vehicle}, which never enlisted"
        names = list(vehicle.weapons)
        if event.weapon_gone and event.weapon in names:
            names.remove(event.weapon)
        left = _without_profile(vehicle.armament, event)
        lighter = replace(vehicle, weapons=tuple(names), armament=left, cost_credits=event.cost_credits)
        return state.with_vehicle(lighter)
    fighter = fighter_on_card(state, event.fighter)
    left = _without_profile(fighter.weapons, event)
    return state.with_fighter(replace(fighter, weapons=left, cost_credits=event.cost_credits))


def _without_profile(carried: tuple[Weapon, ...], event: records.LimitedAmmoDeleted) -> tuple[Weapon, ...]:
    weapons = list(carried)
    for place, weapon in enumerate(weapons):
        left = tuple(profile for profile in weapon.profiles if profile.name != event.profile)
        if weapon.weapon == event.weapon and len(left) < len(weapon.profiles):
            weapons[place : place + 1] = [replace(weapon, profiles=left)] if left else []
            break
    return tuple(weapons)
