"""A battle opens: who takes part, and what its opening ends."""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.state import Gang
from tracker.campaign.steps.campaigns import policies_of_a_battle
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.gangs import vehicles_that_come
from tracker.campaign.steps.ledger import end_reinforcements
from tracker.campaign.steps.recovery_and_convalescence import why_not_available
from tracker.campaign.steps.vehicle_end_phase import start_unreliable
from tracker.records import replace
from tracker.rules.necromunda.rules_in_force import WHOLE_BOOK


@handles(records.OpenBattle)
def open_battle(decision: Decision, command: records.OpenBattle) -> records.OpenBattle:
    """A battle begins. Refuses fighters who are dead, retired, captured, critical or in Recovery.

    A gang without a named crew brings everybody who is available. Convalescence of the gangs that fight
    ends here (G-05). Gives the command with crews and number filled in: who stood on the table and which
    battle it was are facts, which no later ruling moves. Source: Core Rulebook (2023) · Lasting Injuries.
    """
    state = decision.state
    decision.refuse_during_battle()
    if command.battle in state.battles:
        raise records.BattleFoughtAlready(battle=command.battle, number=state.battles[command.battle])
    if len(command.crews) < 2:
        raise records.TooFewGangs(gangs=len(command.crews))
    policies_of_a_battle(decision, command)
    # A command with its number is settled: in it, a gang without a crew brought nobody, and no vehicles
    # named means that none came.
    is_settled = command.number is not None
    # By the gangs' ids: that is how the log's canonical JSON gives them back.
    crews = {
        gang: _crew(decision, decision.gang(gang), named, is_settled=is_settled)
        for gang, named in sorted(command.crews.items())
    }
    vehicles, unreliable = command.vehicles, command.unreliable or ()
    if vehicles is None:
        vehicles = () if is_settled else vehicles_that_come(decision, crews)
        unreliable = tuple(name for name in vehicles if decision.vehicle(name).unreliable)
    settled = replace(
        command,
        # Dice of traits and skills are for battles recorded since they are asked for (ADR 29).
        whole_book=command.whole_book if is_settled else WHOLE_BOOK,
        crews=crews,
        number=command.number or state.battle_number,
        # Without vehicles the field stays None, as in logs from before there were any.
        vehicles=command.vehicles if command.vehicles is not None else vehicles or None,
        # Entries from before these dice existed have none.
        unreliable=unreliable or None,
    )
    for gang in crews:
        end_reinforcements(decision, gang)
    opened = decision.emit(
        records.BattleOpened(
            battle=settled.battle,
            number=settled.number or 0,
            scenario=settled.scenario,
            date=settled.date,
            crews=crews,
            vehicles=vehicles,
            whole_book=settled.whole_book,
        )
    )
    for gang in crews:
        for fighter in decision.gang(gang).enlisted.values():
            if fighter.convalescing:
                decision.emit(records.ConvalescenceEnded(fighter=fighter.fighter), cause=opened)
    for name in unreliable:
        start_unreliable(decision, name, cause=opened)
    return settled


def _crew(decision: Decision, gang: Gang, named: tuple[str, ...], *, is_settled: bool) -> tuple[str, ...]:
    if not named and not is_settled:
        return tuple(
            fighter.fighter
            for fighter in gang.enlisted.values()
            if why_not_available(fighter, decision.rulebook) is None
        )
    for position, name in enumerate(named):
        fighter = decision.fighter(name)
        if fighter.gang != gang.gang:
            raise records.FighterOfAnotherGang(
                fighter=fighter.name, gang=gang.name, own_gang=decision.gang(fighter.gang).name
            )
        if name in named[:position]:
            raise records.FighterListedTwice(fighter=fighter.name)
        why = why_not_available(fighter, decision.rulebook)
        if why is not None:
            raise records.FighterCannotTakePart(fighter=fighter.name, why=why[0], next_step=why[1])
    return named
