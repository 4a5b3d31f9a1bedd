"""How the Broken flee: the retreat of the engaged, the inches run, the Smoke of a vehicle.

Where the move ends is seen at the table. Source: Archived rules · Resolve Hits · Broken; Fighter: Running for
Cover; Mobile Vehicle: Break for Air; Stationary Vehicle: Burn Out.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.steps import aftermath_skills, mounted_fights
from tracker.campaign.steps import characteristic_tests as tests
from tracker.campaign.steps.conditions import initiative_needed, lies_helpless
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.engagement import refuse_prone
from tracker.campaign.steps.nerve import model_of
from tracker.campaign.steps.vehicle_control import say_mobile
from tracker.dice import Die
from tracker.rules.combat_tables import Model
from tracker.rules.modifiers import Modifiers
from tracker.rules.necromunda import nerve as rules
from tracker.rules.rulebook import BookHasNo

AIR_DICE = 3
INCH = 100
HALF_INCH = 50


@handles(records.TakeFlight)
def take_flight(decision: Decision, command: records.TakeFlight) -> None:
    """A Broken model flees. If enemies react to a retreat, the move is recorded after their attacks."""
    decision.combatant(command.fighter, what="flight")
    book = decision.rulebook.book
    if "running_for_cover" not in book.sections:
        raise BookHasNo(book=book.title, part="rules for how far the Broken flee")
    fighter = decision.fighter(command.fighter)
    kind = model_of(decision, fighter)
    if not decision.combatant(command.fighter, what="flight").broken:
        raise records.NothingToFleeFrom(fighter=fighter.name)
    if (command.mobile is None) == (kind == "vehicle"):
        raise records.MovingOrNot(fighter=fighter.name, is_vehicle=kind == "vehicle")
    if kind == "vehicle":
        _refuse_engaged_vehicle(decision, command)
        for name, vehicle in decision.battle("flight").vehicles.items():
            card = decision.state.vehicle(name)
            if card is not None and card.crew == command.fighter and not vehicle.wrecked:
                say_mobile(decision, name, mobile=bool(command.mobile), what="flight")
    if command.engaged and not _gets_away(decision, command):
        return
    _flee(decision, command, kind)


def _refuse_engaged_vehicle(decision: Decision, command: records.TakeFlight) -> None:
    if command.engaged or command.reacting is not None or command.modifiers:
        why = "a vehicle is never engaged and takes no Initiative test"
        raise records.RetreatUnclear(fighter=decision.fighter(command.fighter).name, why=why)


# --- retreating ------------------------------------------------------------------------------------------


def _gets_away(decision: Decision, command: records.TakeFlight) -> bool:
    """Whether the fighter may move at once: free, and with no Reaction attacks to wait for."""
    reacting = _who_reacts(decision, command)
    fighter = decision.fighter(command.fighter)
    slips_away = aftermath_skills.of_escape_artist(decision, command.fighter)
    rides_away = mounted_fights.of_retreat(decision, command.fighter)
    stated = tuple((modifier.why, modifier.by) for modifier in command.modifiers)
    _refuse_counted_twice(fighter, stated, by_itself=rides_away)
    modifiers = (*stated, *slips_away, *rides_away)
    needs = initiative_needed(decision, command.fighter)
    why = f"Initiative test to retreat, {needs}+"
    die = decision.tray.d6("retreat", why=why, fighter=command.fighter)
    outcomes = (f"{fighter.name} gets away", "the action ends")
    away, cause = tests.take_initiative(
        decision,
        die,
        command.fighter,
        section="running_for_cover",
        outcomes=outcomes,
        modifiers=modifiers,
        fails_on_1=bool(slips_away),
    )
    may_react = []
    for name in reacting if away else ():
        enemy = decision.fighter(name)
        needs = initiative_needed(decision, name)
        why = f"Initiative test to react to {fighter.name}'s retreat, {needs}+"
        die = decision.tray.d6("retreat_reaction", why=why, fighter=name)
        outcomes = (f"{enemy.name} may react", f"{enemy.name} may not react")
        reacts, cause = tests.take_initiative(
            decision, die, name, section="running_for_cover", outcomes=outcomes
        )
        if reacts:
            may_react.append(name)
    decision.emit(
        records.RetreatTried(
            fighter=command.fighter, engaged=command.engaged, away=away, may_react=tuple(may_react)
        ),
        cause=cause,
    )
    return away and not may_react


def _refuse_counted_twice(fighter: Fighter, stated: Modifiers, *, by_itself: Modifiers) -> None:
    for counted, by in by_itself:
        if any(why.strip().casefold() == counted.casefold() for why, _ in stated):
            why = f"{counted}'s {by:+d} is counted by itself: leave it out of 'modifiers'"
            raise records.RetreatUnclear(fighter=fighter.name, why=why)


def _who_reacts(decision: Decision, command: records.TakeFlight) -> tuple[str, ...]:
    """The enemies who try to react. Refuses contradictory statements."""
    fighter = decision.fighter(command.fighter)
    refuse_prone(decision, command.fighter, attacking=False)
    for place, name in enumerate(command.engaged):
        enemy = decision.fighter(name)
        refuse_prone(decision, name, attacking=False)
        why = ""
        if name in command.engaged[:place]:
            why = f"{enemy.name} is listed twice under 'engaged'"
        elif enemy.gang == fighter.gang:
            why = f"{enemy.name} is no enemy"
        if why:
            raise records.RetreatUnclear(fighter=fighter.name, why=why)
    reacting = command.engaged if command.reacting is None else command.reacting
    for place, name in enumerate(reacting):
        if name not in command.engaged or name in reacting[:place]:
            why = f"{decision.fighter(name).name} cannot react: 'reacting' names some of 'engaged', each once"
            raise records.RetreatUnclear(fighter=fighter.name, why=why)
    return reacting


# --- the move --------------------------------------------------------------------------------------------


def _flee(decision: Decision, command: records.TakeFlight, kind: Model) -> None:
    """Roll for the flight; a Prone fighter crawls half the Movement instead."""
    flight = rules.flight_of(kind=kind, mobile=bool(command.mobile), rulebook=decision.rulebook)
    inches = smoke_markers = cause = 0
    if flight == "burn_out":
        die = decision.tray.d3("burn_out", why="Smoke markers placed", fighter=command.fighter)
        smoke_markers = die.face
        outcome = f"{smoke_markers} Smoke marker{'s' if smoke_markers > 1 else ''}"
        cause = _roll(decision, command, die, outcome, section="vehicle_flight", cause=0)
    elif flight == "break_for_air":
        for nth in range(1, AIR_DICE + 1):
            why = f"inches away, die {nth} of {AIR_DICE}"
            die = decision.tray.d6("break_for_air", why=why, fighter=command.fighter)
            inches += die.face
            outcome = f'die {nth} of {AIR_DICE}: {inches}" so far'
            cause = _roll(decision, command, die, outcome, section="vehicle_flight", cause=cause)
    else:
        condition = decision.combatant(command.fighter, what="flight")
        if condition.pinned or lies_helpless(decision, condition):
            crawls = decision.fighter(command.fighter).characteristics["movement"] * HALF_INCH
            decision.emit(records.FlightMade(fighter=command.fighter, flight=flight, up_to_hundredths=crawls))
            return
        why = "inches run for cover"
        die = decision.tray.two_d6("running_for_cover", why=why, fighter=command.fighter)
        inches = die.total
        cause = _roll(decision, command, die, f'up to {inches}"', section="running_for_cover", cause=0)
    decision.emit(
        records.FlightMade(
            fighter=command.fighter,
            flight=flight,
            up_to_hundredths=inches * INCH,
            smoke_markers=smoke_markers,
        ),
        cause=cause,
    )


def _roll(
    decision: Decision, command: records.TakeFlight, die: Die, outcome: str, *, section: str, cause: int
) -> int:
    gang = decision.fighter(command.fighter).gang
    return decision.roll(die, outcome=outcome, section=section, rolled_by=gang, cause=cause)
