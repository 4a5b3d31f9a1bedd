"""Evolve for vehicles: what their events do to the state. Never refuses, never rolls, asks no table."""

from __future__ import annotations

from typing import assert_never

from tracker.campaign import records
from tracker.campaign.cards import vehicle_on_card
from tracker.campaign.state import CampaignState, CombatVehicle, LastingDamageOnCard, Vehicle
from tracker.records import names_of_fields, replace

VehicleEvent = (
    records.VehicleEnlisted
    | records.VehicleDamaged
    | records.VehicleHitPointsLost
    | records.VehicleShaken
    | records.VehicleStalled
    | records.VehicleMoved
    | records.VehicleMovementCapped
    | records.VehicleHandlingHindered
    | records.VehicleWeaponDestroyed
    | records.VehicleLostControl
    | records.DriverWounded
    | records.DriverBlackedOut
    | records.VehicleWrecked
    | records.LastingDamageSuffered
    | records.VehicleDidNotStart
    | records.VehicleRestarted
    | records.DriverRecovered
    | records.DriverWokeUp
    | records.VehicleRolledOn
)


def evolve_vehicle(state: CampaignState, event: VehicleEvent) -> CampaignState:
    """The state after one event about a vehicle."""
    match event:
        case records.VehicleEnlisted():
            return _enlisted(state, event)
        case records.VehicleDamaged() | records.VehicleLostControl():
            return state
        case records.VehicleHitPointsLost():
            return _in_battle(state, event.vehicle, hit_points_left=event.left)
        case records.VehicleShaken():
            return _in_battle(state, event.vehicle, shaken=True)
        case records.VehicleStalled():
            return _in_battle(state, event.vehicle, stalled=True, mobile=False)
        case records.VehicleMoved():
            condition = _condition(state, event.vehicle)
            stalled = condition is not None and condition.stalled and not event.mobile
            return _in_battle(state, event.vehicle, mobile=event.mobile, stalled=stalled)
        case records.VehicleMovementCapped():
            return _in_battle(state, event.vehicle, movement_capped=True)
        case records.VehicleHandlingHindered():
            return _in_battle(state, event.vehicle, handling_hindered=event.total)
        case records.VehicleWeaponDestroyed():
            condition = _condition(state, event.vehicle)
            gone = (*condition.weapons_destroyed, event.weapon) if condition is not None else ()
            return _in_battle(state, event.vehicle, weapons_destroyed=gone)
        case records.DriverWounded() | records.DriverRecovered():
            return _in_battle(state, event.vehicle, driver_flesh_wounds=event.flesh_wounds)
        case records.DriverBlackedOut():
            return _in_battle(state, event.vehicle, driver_blacked_out=True)
        case records.DriverWokeUp():
            return _in_battle(state, event.vehicle, driver_blacked_out=False)
        case records.VehicleRestarted():
            return _in_battle(state, event.vehicle, mobile=True, stalled=False)
        case records.VehicleRolledOn():
            return _in_battle(state, event.vehicle, rolling=False)
        case records.VehicleDidNotStart():
            return _stayed_away(state, event.vehicle)
        case records.VehicleWrecked():
            return _wrecked(state, event)
        case records.LastingDamageSuffered():
            return _lasting_damage(state, event)
        case _:
            assert_never(event)


def brought_to_battle(state: CampaignState, vehicles: tuple[str, ...]) -> dict[str, CombatVehicle]:
    """The vehicles of a battle that opens, as whole as their cards are."""
    return {name: CombatVehicle(hit_points_left=vehicle_on_card(state, name).hit_points) for name in vehicles}


def _condition(state: CampaignState, vehicle: str) -> CombatVehicle | None:
    return state.under_way.vehicles.get(vehicle) if state.under_way is not None else None


def _in_battle(state: CampaignState, vehicle: str, **changes: object) -> CampaignState:
    condition = _condition(state, vehicle)
    if condition is None:
        return state
    return state.with_combat_vehicle(vehicle, replace(condition, **changes))


def _enlisted(state: CampaignState, event: records.VehicleEnlisted) -> CampaignState:
    card = {name: getattr(event, name) for name in names_of_fields(event)}
    state = replace(state, vehicle_of={**state.vehicle_of, event.vehicle: event.gang})
    numbers = ("movement", "toughness_front", "toughness_side", "toughness_rear", "hit_points")
    return state.with_vehicle(Vehicle(**card, as_enlisted={name: card[name] for name in numbers}))


def _stayed_away(state: CampaignState, vehicle: str) -> CampaignState:
    if state.under_way is None:
        return state
    there = {name: one for name, one in state.under_way.vehicles.items() if name != vehicle}
    return replace(state, under_way=replace(state.under_way, vehicles=there))


def _wrecked(state: CampaignState, event: records.VehicleWrecked) -> CampaignState:
    # Who rolls over has no Hull Points left, however many there were.
    rolling = event.mobile and "roll" in event.causes
    state = _in_battle(
        state, event.vehicle, wrecked=True, mobile=event.mobile, hit_points_left=0, rolling=rolling
    )
    vehicle = vehicle_on_card(state, event.vehicle)
    state = state.with_vehicle(replace(vehicle, times_wrecked=vehicle.times_wrecked + 1))
    by = state.gang_of.get(event.by) if event.by is not None else None
    if by is None or by == vehicle.gang:
        return state
    gang = state.gangs[by]
    return state.with_gang(replace(gang, enemy_vehicles_wrecked=gang.enemy_vehicles_wrecked + 1))


def _lasting_damage(state: CampaignState, event: records.LastingDamageSuffered) -> CampaignState:
    vehicle = vehicle_on_card(state, event.vehicle)
    noted = LastingDamageOnCard(damage=event.damage, name=event.name, battle=event.battle)
    return state.with_vehicle(
        replace(
            vehicle,
            lasting_damage=(*vehicle.lasting_damage, noted),
            rattles=event.rattles,
            handling_modifier=event.handling_modifier,
            unreliable=event.unreliable,
            in_repair=event.in_repair,
            toughness_front=event.toughness_front,
            toughness_side=event.toughness_side,
            toughness_rear=event.toughness_rear,
            movement=event.movement,
            hit_points=event.hit_points,
        )
    )
