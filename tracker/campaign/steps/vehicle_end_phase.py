"""Vehicles before the battle and in the End phase: Unreliable starts, Restart tests, and wrecks that roll on.

The numbers are the book's. Source: Core Rulebook (2023) · The End Phase · 3. Recover & Restart; Vehicles.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.state import CombatVehicle, Vehicle
from tracker.campaign.steps import vehicle_control
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.dice import Die
from tracker.rules.necromunda import vehicles as rules


def start_unreliable(decision: Decision, vehicle: str, *, cause: int) -> None:
    """One die for each time the vehicle became Unreliable; if any fails, it takes no part.

    Source: Core Rulebook (2023) · Vehicles · Lasting Damage; Archived rules · Lasting Damage.
    """
    card, book = decision.vehicle(vehicle), decision.rulebook.book.vehicles
    for nth in range(1, card.unreliable + 1):
        which = f" {nth} of {card.unreliable}" if card.unreliable > 1 else ""
        needed = book.unreliable_starts_from
        die = decision.tray.d6("unreliable", why=f"Unreliable{which}, starts on {needed}+", fighter=vehicle)
        started = rules.starts(die.face, book)
        cause = decision.roll(
            die,
            outcome="starts" if started else "does not start",
            section="lasting_damage",
            rolled_by=card.gang,
            target=needed,
            passed=started,
            cause=cause,
        )
        if not started:
            decision.emit(records.VehicleDidNotStart(vehicle=vehicle), cause=cause)
            return


@handles(records.RestartVehicle)
def restart_vehicle(decision: Decision, command: records.RestartVehicle) -> None:
    """A Handling test. If it passes, the vehicle is Mobile again.

    Source: Core Rulebook (2023) · The End Phase · 3. Recover & Restart; Archived rules · Burn Out.
    """
    card = decision.vehicle(command.vehicle)
    condition = decision.combat_vehicle(command.vehicle, what="a Restart test")
    if condition.mobile:
        raise records.NeedsNoRestart(vehicle=card.name)
    if condition.driver_blacked_out:
        raise records.DriverUnconscious(vehicle=card.name, what="cannot start it")
    modifiers = rules.restart_modifiers(
        hit_points_left=condition.hit_points_left,
        smoke_markers=command.smoke_markers,
        turned_over=condition.turned_over,
        rules=decision.rulebook.book.vehicles,
    )
    handling = vehicle_control.handling_now(decision, card, condition, more=modifiers)
    why = f"Restart test, Handling {handling.needed}+"
    die = decision.tray.two_d6("restart", why=why, fighter=card.vehicle)
    passed, rolled = vehicle_control.take_handling(
        decision,
        die,
        card,
        handling,
        section="recovery_tests",
        outcomes=("starts again", "stays Stalled"),
        cause=0,
    )
    if passed:
        decision.emit(records.VehicleRestarted(vehicle=command.vehicle), cause=rolled)
        _repair_on_the_run(decision, die, card, condition, cause=rolled)
    elif condition.turned_over:
        decision.emit(records.VehicleStalled(vehicle=command.vehicle), cause=rolled)


def _repair_on_the_run(
    decision: Decision, die: Die, card: Vehicle, condition: CombatVehicle, *, cause: int
) -> None:
    """Running Repairs: a Restart by a natural 6 restores Hull Points, up to those on the card.

    Source: Core Rulebook (2023) · Skills · Running Repairs.
    """
    if not vehicle_control.drives_by(decision, card, "running_repairs"):
        return
    reading = decision.rulebook.knob("running_repairs.natural_6")
    natural_6 = die.total == 6 if reading == "total" else max(die.faces) == 6
    back = min(decision.rulebook.book.vehicles.running_repairs, card.hit_points - condition.hit_points_left)
    if natural_6 and back > 0:
        regained = records.VehicleHitPointsRegained(
            vehicle=card.vehicle,
            regained=back,
            left=condition.hit_points_left + back,
            called=decision.rulebook.book.vehicles.hit_points_name,
        )
        decision.emit(regained, cause=cause)


@handles(records.MoveRollingVehicle)
def move_rolling_vehicle(decision: Decision, command: records.MoveRollingVehicle) -> None:
    """A vehicle that rolled over while Mobile goes on in the direction of the Scatter die, D3 rolls far.

    Record what it runs into as hits. Source: Core Rulebook (2023) · Vehicles · Losing Control.
    """
    card = decision.vehicle(command.vehicle)
    condition = decision.battle("a vehicle that rolls on").vehicles.get(command.vehicle)
    if condition is None or not condition.rolling:
        raise records.DoesNotRoll(vehicle=card.name)
    scatter = decision.tray.special(
        decision.rulebook.special_die("scatter"),
        "rolling_scatter",
        why="Scatter die of a vehicle that rolls on",
        fighter=command.vehicle,
    )
    way = "the small arrow" if scatter.symbol == "hit" else "the arrow"
    cause = decision.roll(scatter, outcome=f"along {way}", section="loss_of_control", rolled_by=card.gang)
    inches = decision.rulebook.book.vehicles.rolls_on_inches
    die = decision.tray.d3("rolling_distance", why=f'rolls of {inches}" each', fighter=command.vehicle)
    cause = decision.roll(
        die,
        outcome=f'{die.total} rolls of {inches}" each',
        section="loss_of_control",
        rolled_by=card.gang,
        cause=cause,
    )
    rolled_on = records.VehicleRolledOn(vehicle=command.vehicle, rolls=die.total, inches_each=inches)
    decision.emit(rolled_on, cause=cause)
