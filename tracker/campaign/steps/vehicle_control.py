"""Handling tests, losing control, and wrecks: how a vehicle's battle ends and what it costs.

Knows one vehicle of the battle under way. A hit's damage collects what wrecks it (`VehicleAccident`), so that
a last Hull Point and a Roll at once are two causes of one wreck. Source: Core Rulebook (2023) · Vehicles.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, assert_never

from tracker.campaign import records
from tracker.campaign.state import CombatVehicle, Vehicle
from tracker.campaign.steps import experience
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.harm import Harm, enemy_gang, only_other_gang
from tracker.campaign.steps.lasting_injuries import suffer_crew_injury
from tracker.dice import Die
from tracker.records import Record, replace
from tracker.rules import vehicle_tables as fx
from tracker.rules.modifiers import Modifiers, nonzero
from tracker.rules.necromunda import injury_dice
from tracker.rules.necromunda import vehicles as rules


@dataclass(slots=True, kw_only=True)
class VehicleAccident:
    """One mishap of a vehicle: who caused it, and what wrecks the vehicle so far."""

    vehicle: str
    mobile: bool
    by: str | None = None
    attack: bool = False
    in_close_combat: bool = False
    activation: str | None = None
    causes: list[rules.WreckCause] = field(default_factory=list)


def say_mobile(decision: Decision, vehicle: str, *, mobile: bool, what: str) -> None:
    """Note whether the vehicle is Mobile, as stated. Only a vehicle with a conscious driver can be."""
    condition = decision.combat_vehicle(vehicle, what=what)
    if mobile and condition.driver_blacked_out:
        known = "its driver has blacked out, which leaves it Stationary and Stalled"
        raise records.MobileAndNot(vehicle=decision.vehicle(vehicle).name, said="Mobile", known=known)
    if mobile != condition.mobile:
        decision.emit(records.VehicleMoved(vehicle=vehicle, mobile=mobile))


def opponent_of(decision: Decision, accident: VehicleAccident) -> str | None:
    """The gang that rolls against the vehicle: the attacker's, else the only other one."""
    own = decision.vehicle(accident.vehicle).gang
    return enemy_gang(decision, accident.by, own) or only_other_gang(decision.battle("a roll").crews, own)


class Handling(Record):
    """The target number of a Handling test, and its modifiers with their reasons."""

    needed: int
    modifiers: Modifiers


def handling_now(
    decision: Decision, card: Vehicle, condition: CombatVehicle, *, modifier: int = 0, more: Modifiers = ()
) -> Handling:
    """The Handling, worsened by the driver's Flesh Wounds; everything else, `more` included, modifies the
    dice.
    """
    concussed = decision.rulebook.book.conditions.concussed.handling if condition.concussed else 0
    added = (
        ("this test", modifier),
        *more,
        ("damage in this battle", condition.handling_hindered),
        ("Concussed", concussed),
        ("Handling Glitch", card.handling_modifier),
    )
    return Handling(
        needed=card.handling + condition.driver_flesh_wounds,
        modifiers=nonzero(*added),
    )


def handling_test(
    decision: Decision,
    card: Vehicle,
    handling: Handling,
    *,
    why: str,
    section: str,
    cause: int,
) -> tuple[bool, int]:
    """A Handling test. Returns whether it passed, and the roll's place."""
    why = f"{why}, Handling {handling.needed}+"
    die = decision.tray.two_d6("handling", why=why, fighter=card.vehicle)
    outcomes = ("keeps control", "fails")
    return take_handling(decision, die, card, handling, section=section, outcomes=outcomes, cause=cause)


def take_handling(
    decision: Decision,
    die: Die,
    card: Vehicle,
    handling: Handling,
    *,
    section: str,
    outcomes: tuple[str, str],
    cause: int,
) -> tuple[bool, int]:
    """Note 2D6 that were just rolled as a Handling test. Returns whether it passed, and the roll's place."""
    total = die.total + sum(by for _, by in handling.modifiers)
    passed = rules.passes_handling(total=total, handling=handling.needed)
    rolled = decision.roll(
        die,
        outcome=outcomes[0] if passed else outcomes[1],
        section=section,
        rolled_by=card.gang,
        modifiers=as_modifiers(handling.modifiers),
        target=handling.needed,
        passed=passed,
        cause=cause,
    )
    return passed, rolled


def loss_of_control(
    decision: Decision, accident: VehicleAccident, *, modifier: int, cause: int, more: Modifiers = ()
) -> None:
    """A Loss of Control test. If it fails, control is lost; an unconscious driver fails without a roll."""
    condition = decision.combat_vehicle(accident.vehicle, what="a test")
    if condition.driver_blacked_out:
        lose_control(decision, accident, cause=cause)
        return
    card = decision.vehicle(accident.vehicle)
    expert = (
        decision.rulebook.book.vehicles.expert_driver if drives_by(decision, card, "expert_driver") else 0
    )
    more = (*more, ("Expert Driver", expert))
    handling = handling_now(decision, card, condition, modifier=modifier, more=more)
    if decision.roll_only(_fails_and_rolls, card, handling, mobile=accident.mobile, cause=cause):
        _roll_wrecks(accident)


def drives_by(decision: Decision, card: Vehicle, skill: str) -> bool:
    """Whether the driver is awake and has a skill that is in effect in this battle."""
    if card.crew not in decision.battle("a vehicle").combatants:
        return False
    if decision.combat_vehicle(card.vehicle, what="a vehicle").driver_blacked_out:
        return False
    return decision.has_skill_in_battle(card.crew, skill, since=2)


def lose_control(decision: Decision, accident: VehicleAccident, *, cause: int) -> None:
    """The Control die and a D6 for left or right; a Roll wrecks."""
    if decision.roll_only(_rolls, decision.vehicle(accident.vehicle), mobile=accident.mobile, cause=cause):
        _roll_wrecks(accident)


def _roll_wrecks(accident: VehicleAccident) -> None:
    if "roll" not in accident.causes:
        accident.causes.append("roll")


def _fails_and_rolls(
    decision: Decision, card: Vehicle, handling: Handling, *, mobile: bool, cause: int
) -> bool:
    passed, cause = handling_test(
        decision, card, handling, why="Loss of Control test", section="loss_of_control", cause=cause
    )
    return not passed and _rolls(decision, card, mobile=mobile, cause=cause)


def _rolls(decision: Decision, card: Vehicle, *, mobile: bool, cause: int) -> bool:
    """Whether an out-of-control vehicle rolls over; where it goes is seen at the table."""
    control = decision.tray.special(
        decision.rulebook.special_die(fx.CONTROL_DIE), "control", why="Control die", fighter=card.vehicle
    )
    result = _result(control.symbol)
    cause = decision.roll(
        control, outcome=result.title(), section="loss_of_control", rolled_by=card.gang, cause=cause
    )
    turn = decision.tray.d6("control_direction", why="left or right", fighter=card.vehicle)
    direction = rules.direction(turn.face)
    cause = decision.roll(
        turn, outcome=direction, section="loss_of_control", rolled_by=card.gang, cause=cause
    )
    lost = records.VehicleLostControl(vehicle=card.vehicle, result=result, direction=direction, mobile=mobile)
    decision.emit(lost, cause=cause)
    return result == "roll"


def _result(symbol: str | None) -> Literal["swerve", "jackknife", "roll"]:
    match symbol:
        case "swerve" | "jackknife" | "roll":
            return symbol
        case _:
            raise AssertionError(f"a Control die never shows {symbol}")


def wreck(decision: Decision, accident: VehicleAccident, *, cause: int) -> None:
    """Wreck the vehicle, if there is a cause: the crew goes Out of Action, the vehicle suffers Lasting
    Damage.

    One roll for the crew, and one Lasting Damage roll for each cause. Source: Core Rulebook (2023) · Vehicles
    · Wrecked Vehicles; Archived rules · Vehicles (Wrecked).
    """
    if not accident.causes:
        return
    card = decision.vehicle(accident.vehicle)
    rolls = len(accident.causes) if _lasting(decision) else 0
    wrecked = decision.emit(
        records.VehicleWrecked(
            vehicle=card.vehicle,
            by=accident.by,
            causes=tuple(accident.causes),
            mobile=accident.mobile,
            lasting_damage_rolls=rolls,
        ),
        cause=cause,
    )
    harm = Harm(
        target=card.crew,
        attacker=accident.by,
        attack=accident.attack,
        in_close_combat=accident.in_close_combat,
        activation=accident.activation,
    )
    experience.for_vehicle_wrecked(decision, harm, vehicle=card, cause=wrecked)
    _take_out_crew(decision, harm, cause=wrecked)
    for nth in range(1, rolls + 1):
        decision.after_battle_only(_suffer_lasting_damage, accident, nth=nth, cause=wrecked)


def _take_out_crew(decision: Decision, harm: Harm, *, cause: int) -> None:
    crew = decision.battle("a wreck").combatants.get(harm.target)
    if crew is None or crew.out_of_action:
        return
    gone = decision.emit(
        records.FighterWentOutOfAction(
            fighter=harm.target,
            by=harm.attacker,
            reason="vehicle_wrecked",
            out_of_action_dice=0,
            lasting_injury_rolls=1 if _lasting(decision) else 0,
        ),
        cause=cause,
    )
    if _lasting(decision):
        decision.after_battle_only(suffer_crew_injury, harm, cause=gone)


def _lasting(decision: Decision) -> bool:
    return injury_dice.lasting_injury_rolls(out_of_action_dice=0, rulebook=decision.rulebook) > 0


def _suffer_lasting_damage(decision: Decision, accident: VehicleAccident, *, nth: int, cause: int) -> None:
    card = decision.vehicle(accident.vehicle)
    several = f" {nth} of {len(accident.causes)}" if len(accident.causes) > 1 else ""
    die = decision.tray.d6("lasting_damage", why=f"Lasting Damage roll{several}", fighter=card.vehicle)
    total = die.face + card.rattles
    line = decision.rulebook.book.vehicles.lasting(total)
    rolled = decision.roll(
        die,
        outcome=line.name,
        section="lasting_damage",
        rolled_by=opponent_of(decision, accident),
        modifiers=as_modifiers((("Persistent Rattle", card.rattles),) if card.rattles else ()),
        cause=cause,
    )
    after = card
    for effect in line.effects:
        after = _after(decision, after, effect)
    decision.emit(
        records.LastingDamageSuffered(
            vehicle=card.vehicle,
            by=accident.by,
            damage=line.id,
            name=line.name,
            total=total,
            battle=decision.battle("lasting damage").number,
            rattles=after.rattles,
            handling_modifier=after.handling_modifier,
            unreliable=after.unreliable,
            in_repair=after.in_repair,
            toughness_front=after.toughness_front,
            toughness_side=after.toughness_side,
            toughness_rear=after.toughness_rear,
            movement=after.movement,
            hit_points=after.hit_points,
            section=decision.rulebook.section("lasting_damage"),
        ),
        cause=rolled,
    )


def _after(decision: Decision, card: Vehicle, effect: fx.LastingEffect) -> Vehicle:
    """The card after one kind of lasting damage; a number at its limit stays."""
    match effect:
        case fx.Rattle():
            return replace(card, rattles=card.rattles + 1)
        case fx.HandlingGlitch():
            return replace(card, handling_modifier=card.handling_modifier + effect.by)
        case fx.Unreliable():
            return replace(card, unreliable=card.unreliable + 1)
        case fx.WriteOff():
            return replace(card, in_repair=True)
        case fx.ReduceVehicle():
            names = (
                ("toughness_front", "toughness_side", "toughness_rear")
                if effect.characteristic == "toughness"
                else (effect.characteristic,)
            )
            fallen = {name: getattr(card, name) - effect.by for name in names}
            allowed = decision.rulebook.book.vehicles.allows
            kept = {name: value for name, value in fallen.items() if allowed(effect.characteristic, value)}
            return replace(card, **kept)
        case _:
            assert_never(effect)
