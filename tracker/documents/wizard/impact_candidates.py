"""Candidates for the keys of vehicle moves and leaps that are asked only if they matter.

Knows where vehicles and fighters are in the state. `legal_entries` filters the legal ones.
"""

from __future__ import annotations

from tracker.documents.wizard.context import Answers, Choice, Context
from tracker.rules.special_rules import MovesFurther


def ram(_: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """Only of a Mobile vehicle that meets something head-on: else a Ram changes nothing."""
    return None if answers.get("mobile") and answers.get("contact") == "front" else ()


def moved_further(table: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """Only where a die raised the vehicle's Movement in this round."""
    battle = table.state.under_way
    vehicle = battle.vehicles.get(str(answers.get("vehicle"))) if battle is not None else None
    if battle is None or vehicle is None or vehicle.raised_movement is None:
        return ()
    return None if vehicle.raised_in_round == battle.rounds_ended else ()


def moves_further(table: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """Only of a driver with a skill that does it."""
    vehicle = table.state.vehicle(str(answers.get("vehicle")))
    driver = table.state.fighter(vehicle.crew) if vehicle is not None else None
    rows = table.book.skills.items()
    skills = [key for key, row in rows if any(isinstance(one.then, MovesFurther) for one in row.effects)]
    return None if driver is not None and any(map(driver.has_skill, skills)) else ()


def gap(table: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """Only of a fighter with Mighty Leap: it spares the test of a narrow one."""
    fighter = table.state.fighter(str(answers.get("fighter")))
    return None if fighter is not None and fighter.has_skill("mighty_leap") else ()


def engaged(table: Context, answers: Answers) -> tuple[Choice, ...] | None:
    """Only of a fighter who stands."""
    battle = table.state.under_way
    now = battle.combatants.get(str(answers.get("fighter"))) if battle is not None else None
    return () if now is None or now.pinned or now.seriously_injured or now.webbed else None


def rammed(table: Context, answers: Answers) -> tuple[Choice, ...]:
    """Every other vehicle."""
    return tuple(
        Choice(value=vehicle.vehicle, name=vehicle.name)
        for vehicle in table.vehicles()
        if vehicle.vehicle != answers.get("vehicle")
    )
