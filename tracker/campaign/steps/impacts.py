"""Vehicles that move by dice and what they run into: each other, terrain, fighters, the ground.

The dice fall in the order of the table: what the drivers' skills add, the Handling test side-on, then each
hit, first on what was run into. Source: Core Rulebook (2023) · Vehicle Actions; Vehicle Impacts; Terrain.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.state import CombatVehicle, Vehicle
from tracker.campaign.steps import characteristic_tests as tests
from tracker.campaign.steps import resolve_hits, vehicle_control, vehicle_damage, vehicle_special_rules
from tracker.campaign.steps.annotations import HowHit
from tracker.campaign.steps.conditions import initiative_needed
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.hits import check_fighters
from tracker.campaign.steps.vehicle_effects import suffer_damage
from tracker.records import Record, replace
from tracker.rules.necromunda import falls
from tracker.rules.necromunda import impacts as rules
from tracker.rules.vehicle_tables import ImpactBand

NATURAL_6 = 6
_STALLED_ACTIONS = ("turn_over", "free_wheel")

# --- moves by dice ---------------------------------------------------------------------------------------


@handles(records.DriveVehicle)
def drive_vehicle(decision: Decision, command: records.DriveVehicle) -> None:
    """How far a Ram, a Move with Heavy Foot, a Turn-over or a Free Wheel goes.

    Source: Core Rulebook (2023) · Vehicle Actions; Skills · Heavy Foot.
    """
    card = decision.vehicle(command.vehicle)
    condition = decision.combat_vehicle(command.vehicle, what="a move")
    _refuse_action(decision, card, condition, command)
    if command.action == "turn_over":
        die = decision.tray.d3("turn_over", why="inches of the Turn-over", fighter=card.vehicle)
        cause = decision.roll(die, outcome=f'{die.total}"', section="vehicle_actions", rolled_by=card.gang)
        _drove(decision, command, inches=die.total, movement=card.movement, cause=cause)
        return
    if command.action == "free_wheel":
        _free_wheel(decision, command, card)
        return
    further = 0
    if command.heavy_foot:
        moved = _heavy_foot(decision, command, card, condition)
        if moved is None:
            return
        further = moved
    movement, cause = card.movement + further, len(decision.events)
    inches = movement
    if command.action == "ram":
        why = "inches that the Ram goes further"
        die = decision.tray.d6("ram", why=why, fighter=card.vehicle)
        cause = decision.roll(die, outcome=f'{die.face}"', section="vehicle_actions", rolled_by=card.gang)
        inches += 0 if condition.movement_capped else die.face
    _drove(decision, command, inches=inches, movement=movement, cause=cause)


def _refuse_action(
    decision: Decision, card: Vehicle, condition: CombatVehicle, command: records.DriveVehicle
) -> None:
    """Mobile vehicles Move and Ram, those Stationary and Stalled turn over and free wheel."""
    for_stalled = command.action in _STALLED_ACTIONS
    if condition.mobile == for_stalled:
        raise records.CannotDriveSo(
            vehicle=card.name,
            status="Mobile" if condition.mobile else "Stationary and Stalled",
            action=command.ACTIONS[command.action],
            who="a vehicle that is Stationary and Stalled" if for_stalled else "a Mobile vehicle",
        )
    if condition.driver_blacked_out:
        raise records.DriverUnconscious(vehicle=card.name, what="drives nowhere")
    if command.heavy_foot and for_stalled:
        raise records.MovesNoFurther(vehicle=card.name)
    if command.action == "move" and not command.heavy_foot:
        if not vehicle_special_rules.may_move_further(decision, card):
            raise records.MovesNoFurther(vehicle=card.name)
        raise records.MovesByNoDie(vehicle=card.name)


def _heavy_foot(
    decision: Decision, command: records.DriveVehicle, card: Vehicle, condition: CombatVehicle
) -> int | None:
    """Inches that a die adds to the Movement; None where it stops the vehicle before it moves.

    Source: Core Rulebook (2023) · Skills · Heavy Foot.
    """
    found = next(iter(vehicle_special_rules.moves_further(decision, card)), None)
    if found is None:
        raise records.MovesNoFurther(vehicle=card.name)
    name, effect, section = found
    die = decision.tray.d6("moves_further", why=f"{name}, a D3 as a D6", fighter=card.vehicle)
    inches = rules.as_d3(die.face)
    natural = die.face if decision.rulebook.knob("heavy_foot.natural_1") == "of_the_d6" else inches
    backfires = natural == 1
    what = f"a {effect.damage} hit on the {effect.location}" if backfires else f'Movement +{inches}"'
    cause = decision.roll(die, outcome=f"{name}: {what}", section=section, rolled_by=card.gang)
    if not backfires:
        return inches
    accident = vehicle_control.VehicleAccident(vehicle=card.vehicle, mobile=condition.mobile)
    suffer_damage(decision, accident, ((effect.location, effect.damage),), cause=cause)
    after = decision.battle("a move").vehicles[card.vehicle]
    if after.mobile and not after.wrecked:
        return inches
    decision.note_rule(command.vehicle, "does not move", section="vehicle_actions", cause=cause)
    return None


def _free_wheel(decision: Decision, command: records.DriveVehicle, card: Vehicle) -> None:
    die = decision.tray.d6("free_wheel", why="inches of the Free Wheel", fighter=card.vehicle)
    cause = decision.roll(die, outcome=f'{die.face}"', section="vehicle_actions", rolled_by=card.gang)
    way = decision.tray.d6("free_wheel_way", why="forwards or backwards", fighter=card.vehicle)
    backwards = way.face > 3
    outcome = "backwards" if backwards else "forwards"
    cause = decision.roll(way, outcome=outcome, section="vehicle_actions", rolled_by=card.gang, cause=cause)
    _drove(decision, command, inches=die.face, movement=card.movement, backwards=backwards, cause=cause)


def _drove(
    decision: Decision,
    command: records.DriveVehicle,
    *,
    inches: int,
    movement: int,
    cause: int,
    backwards: bool = False,
) -> None:
    drove = records.VehicleDrove(
        vehicle=command.vehicle,
        action=command.action,
        inches=inches,
        movement=movement,
        raised=command.heavy_foot,
        backwards=backwards,
        round=decision.battle("a move").rounds_ended,
    )
    decision.emit(drove, cause=cause)


# --- collisions ------------------------------------------------------------------------------------------


class _Side(Record):
    """A vehicle in a collision: its card as it stands in it, the side that is hit, and whether it is
    Mobile."""

    card: Vehicle
    facing: records.FacingHit
    mobile: bool

    @property
    def toughness(self) -> int:
        return vehicle_damage.toughness_of(self.card, self.facing)


@handles(records.CollideVehicles)
def collide_vehicles(decision: Decision, command: records.CollideVehicles) -> None:
    """A vehicle runs into another: what becomes of the move, and an automatic hit on both.

    Source: Core Rulebook (2023) · Vehicle Impacts · Vehicle Collisions.
    """
    if command.into in (command.vehicle, command.pushed_by):
        raise records.CollidesWithItself(vehicle=decision.vehicle(command.into).name)
    moves = _Side(card=decision.vehicle(command.vehicle), facing=command.contact, mobile=command.mobile)
    other = _Side(card=decision.vehicle(command.into), facing=command.facing, mobile=command.into_mobile)
    decision.combat_vehicle(command.into, what="a collision")
    movement = _movement(decision, command)
    vehicle_control.say_mobile(decision, command.vehicle, mobile=command.mobile, what="a collision")
    vehicle_control.say_mobile(decision, command.into, mobile=command.into_mobile, what="a collision")
    head_on = command.contact == "front"
    if head_on:
        moves = _with_skills(decision, moves, command.without)
        if command.facing == "front" and decision.rulebook.knob("t_bone.collides") == "either_front":
            other = _with_skills(decision, other, command.without)
    comes, cause = _comes_of_it(decision, command.contact, moves, other)
    collided = _collided(decision, command, movement, comes, into=command.into, cause=cause)
    by = _who_drives(decision, command)
    weaker = other.toughness < moves.toughness
    _hit(decision, other, movement, weaker=weaker, by=by, activation=command.activation)
    if head_on and command.ram:
        movement = rules.halved(movement)
    _hit(decision, moves, movement, weaker=moves.toughness < other.toughness, activation=command.activation)
    _end_ram(decision, command, cause=collided)


@handles(records.CrashVehicle)
def crash_vehicle(decision: Decision, command: records.CrashVehicle) -> None:
    """A vehicle runs into terrain, as into a vehicle with more Toughness or with less.

    Source: Core Rulebook (2023) · Vehicle Impacts · Colliding with Terrain.
    """
    moves = _Side(card=decision.vehicle(command.vehicle), facing=command.contact, mobile=command.mobile)
    movement = _movement(decision, command)
    vehicle_control.say_mobile(decision, command.vehicle, mobile=command.mobile, what="a collision")
    head_on = command.contact == "front"
    if head_on:
        moves = _with_skills(decision, moves, command.without)
    solid = command.terrain == "solid"
    comes: records.ComesOfImpact = "stops" if solid else "goes_on"
    cause = len(decision.events)
    collided = _collided(decision, command, movement, comes, terrain=command.terrain, cause=cause)
    if head_on and command.ram:
        movement = rules.halved(movement)
    _hit(decision, moves, movement, weaker=solid, activation=command.activation)
    _end_ram(decision, command, cause=collided)


def _comes_of_it(
    decision: Decision, contact: records.Contact, moves: _Side, other: _Side
) -> tuple[records.ComesOfImpact, int]:
    """What becomes of the move, and the event that says so."""
    if contact != "side":
        return rules.head_on(moving=moves.toughness, other=other.toughness), len(decision.events)
    numbers = decision.rulebook.book.vehicles.impacts
    tougher = numbers.tougher_side if moves.toughness > other.toughness else 0
    condition = decision.combat_vehicle(moves.card.vehicle, what="a collision")
    handling = vehicle_control.handling_now(
        decision, moves.card, condition, more=(("the tougher side", tougher),)
    )
    passed, rolled = vehicle_control.handling_test(
        decision, moves.card, handling, why="side-on collision", section="impacts", cause=0
    )
    return ("moves_aside" if passed else "turns"), rolled


def _with_skills(decision: Decision, side: _Side, without: tuple[str, ...]) -> _Side:
    """The vehicle with the Front Toughness that its driver's skills make of it, until all is resolved.

    Source: Core Rulebook (2023) · Skills · T-Bone.
    """
    card = side.card
    for name, section, cause in vehicle_special_rules.hardens_front(decision, card, without):
        die = decision.tray.d3("front_toughness", why=f"{name}, Front Toughness", fighter=card.vehicle)
        outcome = f"{name}: Front Toughness +{die.total}"
        decision.roll(die, outcome=outcome, section=section, rolled_by=card.gang, cause=cause)
        card = replace(card, toughness_front=card.toughness_front + die.total)
    return replace(side, card=card)


def _collided(
    decision: Decision,
    command: records.CollideVehicles | records.CrashVehicle,
    movement: int,
    comes: records.ComesOfImpact,
    *,
    into: str | None = None,
    terrain: records.TerrainMet | None = None,
    cause: int,
) -> int:
    return decision.emit(
        records.VehiclesCollided(
            vehicle=command.vehicle,
            into=into,
            terrain=terrain,
            contact=command.contact,
            ram=command.ram,
            movement=movement,
            comes_of_it=comes,
            section=decision.rulebook.section("impacts"),
        ),
        cause=cause,
    )


def _hit(
    decision: Decision,
    side: _Side,
    movement: int,
    *,
    weaker: bool,
    activation: str | None,
    by: str | None = None,
) -> None:
    """The automatic hit on one of the vehicles; on the weaker one it is harder."""
    band = rules.impact_hit(movement, rulebook=decision.rulebook)
    if band is None:
        why = f'a collision with a Movement of {movement}" does no harm'
        decision.note_rule(side.card.vehicle, why, section="impacts")
        return
    more = decision.rulebook.book.vehicles.impacts.weaker_more if weaker else 0
    decision.independent(
        _suffer, side, _harder(band, more), by=by, activation=activation, earns=_earns(decision)
    )


def _harder(band: ImpactBand, more: int) -> ImpactBand:
    return replace(
        band,
        strength=band.strength + more,
        armour_penetration=band.armour_penetration - more,
        damage=band.damage + more,
    )


def _suffer(
    decision: Decision,
    side: _Side,
    band: ImpactBand,
    *,
    by: str | None,
    activation: str | None,
    earns: bool,
    how: HowHit = "collision",
    location: str | None = None,
) -> None:
    hit = records.ResolveVehicleHit(
        vehicle=side.card.vehicle,
        facing=side.facing,
        mobile=side.mobile,
        attacker=by,
        profile=WeaponProfile(
            strength=band.strength, armour_penetration=band.armour_penetration, damage=band.damage
        ),
        attack=False,
    )
    accident = vehicle_control.VehicleAccident(
        vehicle=side.card.vehicle, mobile=side.mobile, by=by, attack=earns, activation=activation
    )
    vehicle_damage.suffer_impact(decision, accident, hit, side.card, how=how, location=location)


def _end_ram(
    decision: Decision, command: records.CollideVehicles | records.CrashVehicle, *, cause: int
) -> None:
    if command.ram:
        decision.note_rule(
            command.vehicle, "the Ram ends its activation", section="vehicle_actions", cause=cause
        )


# --- fighters in the way ---------------------------------------------------------------------------------


@handles(records.RunOverFighter)
def run_over_fighter(decision: Decision, command: records.RunOverFighter) -> None:
    """An Initiative test to get out of the way; one who fails is hit, and Pinned if Standing and Active.

    Source: Core Rulebook (2023) · Vehicle Impacts · Running Over Fighters.
    """
    book = decision.rulebook.book.vehicles
    movement = _movement(decision, command)
    driver = _who_drives(decision, command)
    harm = Harm(
        target=command.fighter,
        attacker=driver,
        attack=_earns(decision),
        activation=command.activation,
        grudge_against=command.grudge_against,
        keeps=command.keeps,
    )
    _refuse_crew(decision, command.fighter)
    check_fighters(decision, replace(harm, attack=False), what="being run over")
    now = decision.combatant(command.fighter, what="being run over")
    down = now.seriously_injured or now.webbed
    if command.engaged and (down or now.pinned):
        name = decision.fighter(command.fighter).name
        raise records.MayNotActSo(fighter=name, condition="Prone", action="stand in a fight")
    vehicle_control.say_mobile(decision, command.vehicle, mobile=command.mobile, what="running over")
    dodges, rolled = _dodges(decision, command, prone=down or now.pinned, down=down)
    if dodges:
        return
    if not down and not now.pinned and (not command.engaged or book.impacts.pins_engaged):
        decision.emit(records.FighterPinned(fighter=command.fighter), cause=rolled)
    band = rules.impact_hit(movement, rulebook=decision.rulebook)
    if band is None:
        why = f'a vehicle with a Movement of {movement}" does no harm'
        decision.note_rule(command.fighter, why, section="impacts", cause=rolled)
        return
    hit = resolve_hits.HitToResolve(
        strength=band.strength,
        armour_penetration=band.armour_penetration,
        damage=band.damage,
        save_with=command.save_with,
    )
    resolve_hits.resolve_without_weapon(decision, harm, hit, how="run_over")


def _dodges(
    decision: Decision, command: records.RunOverFighter, *, prone: bool, down: bool
) -> tuple[bool, int]:
    """Whether the fighter gets out of the way, and the roll that says so."""
    fighter = decision.fighter(command.fighter)
    outcomes = ("out of the way", "run over")
    needs = NATURAL_6 if down else initiative_needed(decision, command.fighter)
    test = "natural 6" if down else f"Initiative test, {needs}+"
    die = decision.tray.d6("run_over", why=f"out of the way, {test}", fighter=command.fighter)
    if not down:
        standing = decision.rulebook.book.vehicles.impacts.standing
        modifiers = () if prone else (("Standing", standing),)
        return tests.take_initiative(
            decision, die, command.fighter, section="impacts", outcomes=outcomes, modifiers=modifiers
        )
    passed = die.face == NATURAL_6
    rolled = decision.roll(
        die,
        outcome=outcomes[0] if passed else outcomes[1],
        section="impacts",
        rolled_by=fighter.gang,
        target=NATURAL_6,
        passed=passed,
    )
    return passed, rolled


def _refuse_crew(decision: Decision, fighter: str) -> None:
    for vehicle, condition in decision.battle("being run over").vehicles.items():
        card = decision.vehicle(vehicle)
        if card.crew == fighter and not condition.wrecked:
            raise records.RunsOverCrew(fighter=decision.fighter(fighter).name, vehicle=card.name)


# --- falls -----------------------------------------------------------------------------------------------


@handles(records.DropVehicle)
def drop_vehicle(decision: Decision, command: records.DropVehicle) -> None:
    """A vehicle falls: a Loss of Control test, and unless that wrecks it a hit on its rear, at the drive.

    Source: Core Rulebook (2023) · Terrain · Vehicles and Falling.
    """
    card = decision.vehicle(command.vehicle)
    decision.combat_vehicle(command.vehicle, what="a fall")
    vehicle_control.say_mobile(decision, command.vehicle, mobile=command.mobile, what="a fall")
    accident = vehicle_control.VehicleAccident(vehicle=command.vehicle, mobile=command.mobile)
    modifier = rules.fall_modifier(command.distance_hundredths, rulebook=decision.rulebook)
    vehicle_control.loss_of_control(
        decision, accident, modifier=0, more=(("the fall", modifier),), cause=len(decision.events)
    )
    if accident.causes:
        vehicle_control.wreck(decision, accident, cause=len(decision.events))
        return
    band = falls.fall_hit(command.distance_hundredths, rulebook=decision.rulebook)
    if band is None:
        lowest = decision.rulebook.book.lowest_fall_inches
        decision.note_rule(command.vehicle, f'a fall of less than {lowest}" does no harm', section="falling")
        return
    side = _Side(card=card, facing="rear", mobile=command.mobile)
    hit = ImpactBand(
        from_inches=band.from_inches,
        strength=band.strength,
        armour_penetration=band.armour_penetration,
        damage=band.damage,
    )
    decision.independent(
        _suffer, side, hit, by=None, activation=None, earns=False, how="fall", location="drive"
    )


# --- who and how fast ------------------------------------------------------------------------------------


def _movement(
    decision: Decision, command: records.CollideVehicles | records.CrashVehicle | records.RunOverFighter
) -> int:
    """The Movement that an impact goes by: of who moved, or of who pushed them.

    Source: Core Rulebook (2023) · Vehicle Impacts · Chain Collisions.
    """
    decision.combat_vehicle(command.vehicle, what="a collision")
    if command.pushed_by == command.vehicle:
        raise records.CollidesWithItself(vehicle=decision.vehicle(command.vehicle).name)
    mover = command.pushed_by if command.pushed_by is not None else command.vehicle
    card = decision.vehicle(mover)
    battle = decision.battle("a collision")
    condition = battle.vehicles.get(mover)
    if condition is None:
        raise records.VehicleNotInBattle(vehicle=card.name, battle=battle.battle)
    if command.pushed_by is None and not command.mobile:
        return decision.rulebook.book.vehicles.impacts.stalled_movement
    if not command.heavy_foot:
        return card.movement
    if condition.raised_movement is None or condition.raised_in_round != battle.rounds_ended:
        raise records.MovementNotRaised(vehicle=card.name)
    return condition.raised_movement


def _who_drives(decision: Decision, command: records.CollideVehicles | records.RunOverFighter) -> str | None:
    """Whose doing it is: the driver's of the vehicle that began it, if they are still in the battle."""
    mover = command.pushed_by if command.pushed_by is not None else command.vehicle
    crew = decision.vehicle(mover).crew
    combatant = decision.battle("a collision").combatants.get(crew)
    return crew if combatant is not None and not combatant.out_of_action else None


def _earns(decision: Decision) -> bool:
    return decision.rulebook.knob("impacts.experience") == "own_action"
