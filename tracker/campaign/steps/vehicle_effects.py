"""Location and Damage dice of a hit on a vehicle, and the effects of the table's cells.

The cells are the book's. Source: Core Rulebook (2023) · Vehicles · Determine Damage; Archived rules · Resolve
Hits · Vehicles.
"""

from __future__ import annotations

from typing import TypeAlias, assert_never

from tracker.campaign import records
from tracker.campaign.steps import vehicle_control, vehicle_special_rules
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.special_rules import Attack
from tracker.rules import vehicle_tables as fx
from tracker.rules.necromunda import vehicles as rules

Results: TypeAlias = tuple[tuple[str, str], ...]
"""Location and damage of each result that counts."""


def determine_damage(
    decision: Decision,
    accident: vehicle_control.VehicleAccident,
    command: records.ResolveVehicleHit,
    *,
    dice: int,
    cause: int,
    attack: Attack | None = None,
    location: str | None = None,
) -> Results:
    """Roll Location and Damage dice, and keep one of each, or all if nobody chooses.

    A given `location` needs no die. Traits may add Damage dice after the others.
    """
    book = decision.rulebook.book.vehicles
    locations = [location] if location is not None else []
    if location is None:
        locations, cause = _roll_locations(decision, accident, command, cause=cause)
    if not dice:
        why = "Damage 0 brings no Damage dice"
        decision.note_rule(command.vehicle, why, section="vehicle_damage", cause=cause)
        return ()
    rolled: list[str] = []
    nth, more = 0, None
    while nth < dice:
        nth += 1
        decision.merge_point("damage dice", tuple(locations), tuple(sorted(rolled)), more)
        why = "Damage die" if dice == 1 else f"Damage die {nth} of {dice}"
        die = decision.tray.special(
            decision.rulebook.special_die(fx.DAMAGE_DIE), "vehicle_damage", why=why, fighter=command.vehicle
        )
        assert die.symbol is not None, "a Damage die always shows a symbol"
        rolled.append(die.symbol)
        cause = decision.roll(
            die,
            outcome=die.symbol.title(),
            section="vehicle_damage",
            rolled_by=vehicle_control.opponent_of(decision, accident),
            cause=cause,
        )
        if nth == dice and more is None:
            more = vehicle_special_rules.more_damage_dice(decision, attack, cause=cause)
            dice += more
    if command.kept_by == "nobody":
        return tuple((location, damage) for location in locations for damage in rolled)
    kept = rules.kept_location(locations, command.keep_location)
    if kept is None:
        raise records.DieNotChosen(
            vehicle=decision.vehicle(command.vehicle).name,
            rolled=tuple(dict.fromkeys(locations)),
            chooser="attacker" if command.kept_by == "attacker" else "vehicle's player",
        )
    return ((kept, rules.kept_damage(rolled, command.keep_damage, by=command.kept_by, rules=book)),)


def suffer_damage(
    decision: Decision, accident: vehicle_control.VehicleAccident, results: Results, *, cause: int
) -> None:
    """Apply results of the damage table, up to the wreck if it comes to that."""
    damaged = cause
    for location, damage in results:
        cell = decision.rulebook.book.vehicles.cell(location=location, damage=damage)
        damaged = decision.emit(
            records.VehicleDamaged(
                vehicle=accident.vehicle,
                by=accident.by,
                location=location,
                damage=damage,
                name=cell.name,
                section=decision.rulebook.section("vehicle_damage"),
            ),
            cause=cause,
        )
        for effect in cell.effects:
            _apply(decision, accident, effect, cause=damaged)
    vehicle_control.wreck(decision, accident, cause=damaged)


def _roll_locations(
    decision: Decision,
    accident: vehicle_control.VehicleAccident,
    command: records.ResolveVehicleHit,
    *,
    cause: int,
) -> tuple[list[str], int]:
    """Every Location die of the hit; one that cannot be hit is rolled again."""
    count = rules.location_dice(
        in_close_combat=command.in_close_combat, rules=decision.rulebook.book.vehicles
    )
    locations: list[str] = []
    while len(locations) < count:
        decision.merge_point("location dice", tuple(locations))
        why = "Location die" if count == 1 else f"Location die {len(locations) + 1} of {count}"
        die = decision.tray.special(
            decision.rulebook.special_die(fx.LOCATION_DIE), "location", why=why, fighter=command.vehicle
        )
        assert die.symbol is not None, "a Location die always shows a symbol"
        impossible = die.symbol in command.cannot_be_hit
        cause = decision.roll(
            die,
            outcome=f"{die.symbol.title()}, which cannot be hit: rolled again"
            if impossible
            else die.symbol.title(),
            section="vehicle_damage",
            rolled_by=vehicle_control.opponent_of(decision, accident),
            cause=cause,
        )
        if not impossible:
            locations.append(die.symbol)
    return locations, cause


def _apply(
    decision: Decision, accident: vehicle_control.VehicleAccident, effect: fx.DamageEffect, *, cause: int
) -> None:
    vehicle = accident.vehicle
    condition = decision.combat_vehicle(vehicle, what="damage")
    match effect:
        case fx.Shaken():
            decision.emit(records.VehicleShaken(vehicle=vehicle), cause=cause)
        case fx.HandlingOrStall():
            card = decision.vehicle(vehicle)
            passed, rolled = vehicle_control.handling_test(
                decision,
                card,
                vehicle_control.handling_now(decision, card, condition),
                why="Handling test",
                section="handling",
                cause=cause,
            )
            if not passed:
                decision.emit(records.VehicleStalled(vehicle=vehicle), cause=rolled)
        case fx.Stall():
            decision.emit(records.VehicleStalled(vehicle=vehicle), cause=cause)
        case fx.LoseHitPoints():
            _lose_hit_points(decision, accident, effect.by, cause=cause)
        case fx.DestroyWeapon():
            _destroy_weapon(decision, accident, effect, cause=cause)
        case fx.CapMovement():
            inches = decision.vehicle(vehicle).movement
            decision.emit(records.VehicleMovementCapped(vehicle=vehicle, inches=inches), cause=cause)
        case fx.HinderHandling():
            total = condition.handling_hindered + effect.by
            decision.emit(
                records.VehicleHandlingHindered(vehicle=vehicle, by=effect.by, total=total), cause=cause
            )
        case fx.LossOfControl():
            vehicle_control.loss_of_control(decision, accident, modifier=effect.modifier, cause=cause)
        case fx.WoundDriver():
            wounds = condition.driver_flesh_wounds + 1
            decision.emit(records.DriverWounded(vehicle=vehicle, flesh_wounds=wounds), cause=cause)
        case fx.BlackOutDriver():
            black_out(decision, accident, cause=cause)
        case _:
            assert_never(effect)


def black_out(decision: Decision, accident: vehicle_control.VehicleAccident, *, cause: int) -> None:
    """The driver is unconscious: control is lost without a test, and the vehicle is Stalled."""
    blacked_out = decision.emit(records.DriverBlackedOut(vehicle=accident.vehicle), cause=cause)
    vehicle_control.lose_control(decision, accident, cause=blacked_out)
    decision.emit(records.VehicleStalled(vehicle=accident.vehicle), cause=blacked_out)


def weapon_blows_up(decision: Decision, vehicle: str, weapon: str) -> None:
    """An Unstable weapon of a vehicle is out for the battle, and does it the gravest damage to the Body.

    Source: Core Rulebook (2023) · Weapon Traits · Unstable.
    """
    accident = vehicle_control.VehicleAccident(
        vehicle=vehicle,
        mobile=decision.combat_vehicle(vehicle, what="an Unstable weapon").mobile,
    )
    destroyed = decision.emit(records.VehicleWeaponDestroyed(vehicle=vehicle, weapon=weapon))
    gravest = decision.rulebook.book.vehicles.severity[-1]
    suffer_damage(decision, accident, ((fx.BODY, gravest),), cause=destroyed)


def _lose_hit_points(
    decision: Decision, accident: vehicle_control.VehicleAccident, by: int, *, cause: int
) -> None:
    left = decision.combat_vehicle(accident.vehicle, what="damage").hit_points_left
    lost = min(by, left)
    decision.emit(
        records.VehicleHitPointsLost(
            vehicle=accident.vehicle,
            by=accident.by,
            lost=lost,
            left=left - lost,
            called=decision.rulebook.book.vehicles.hit_points_name,
        ),
        cause=cause,
    )
    if left == lost and "hit_points" not in accident.causes:
        accident.causes.append("hit_points")


def _destroy_weapon(
    decision: Decision, accident: vehicle_control.VehicleAccident, effect: fx.DestroyWeapon, *, cause: int
) -> None:
    """Destroy a random weapon for the battle; a vehicle without one loses more Hull Points instead."""
    card = decision.vehicle(accident.vehicle)
    gone = decision.combat_vehicle(accident.vehicle, what="damage").weapons_destroyed
    left = list(card.weapons)
    for weapon in gone:
        if weapon in left:
            left.remove(weapon)
    if not left:
        _lose_hit_points(decision, accident, effect.without, cause=cause)
        return
    weapon = left[0]
    if len(left) > 1:
        rolled_by = vehicle_control.opponent_of(decision, accident)
        weapon = decision.roll_only(_weapon_at_random, card.vehicle, tuple(left), rolled_by, cause=cause)
        cause = len(decision.events)
    decision.emit(records.VehicleWeaponDestroyed(vehicle=card.vehicle, weapon=weapon), cause=cause)
    _lose_hit_points(decision, accident, effect.with_weapon, cause=cause)


def _weapon_at_random(
    decision: Decision, vehicle: str, left: tuple[str, ...], rolled_by: str | None, *, cause: int
) -> str:
    """The weapon that a D6 picks among those left, rolled again until it picks one."""
    while True:
        decision.merge_point("weapon")
        die = decision.tray.d6("weapon_at_random", why="which weapon is destroyed", fighter=vehicle)
        picked = rules.weapon_at_random(die.face, len(left))
        cause = decision.roll(
            die,
            outcome=left[picked] if picked is not None else "rolled again",
            section="vehicle_damage",
            rolled_by=rolled_by,
            cause=cause,
        )
        if picked is not None:
            return left[picked]
