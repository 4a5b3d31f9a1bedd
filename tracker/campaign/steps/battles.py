"""A battle opens and closes.

Who may take part, what ends with the next battle, and the Wrap-up's order.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.state import BattleUnderWay, Gang
from tracker.campaign.steps import ammo, end_phase
from tracker.campaign.steps.campaigns import policies_of_a_battle
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.fates import decide_open_fates
from tracker.campaign.steps.gangs import vehicles_that_come
from tracker.campaign.steps.ledger import end_reinforcements
from tracker.campaign.steps.morale import refuse_result_of_the_routed
from tracker.campaign.steps.vehicle_end_phase import start_unreliable
from tracker.records import replace
from tracker.rules.effects import Lingering
from tracker.rules.rulebook import Rulebook
from tracker.rules.trench_crusade.trauma import fates_are_rolled


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
    # Where the number is filled in, so is the rest: a gang without a crew had brought nobody, and nothing
    # said of vehicles is that none came.
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
        crews=crews,
        number=command.number or state.battle_number,
        # Nothing is kept where no vehicle came: so do logs from before there were any.
        vehicles=command.vehicles if command.vehicles is not None else vehicles or None,
        # Who had to be started by dice; entries from before they were rolled for have none.
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
        )
    )
    for gang in crews:
        for fighter in decision.gang(gang).enlisted.values():
            if fighter.convalescing:
                decision.emit(records.ConvalescenceEnded(fighter=fighter.fighter), cause=opened)
    for name in unreliable:
        start_unreliable(decision, name, cause=opened)
    return settled


@handles(records.CloseBattle)
def close_battle(decision: Decision, command: records.CloseBattle) -> None:
    """The Wrap-up: who is Seriously Injured may succumb, then Old Battle Wounds are tested, then Recovery
    from earlier battles is cleared, then the end.

    Where a book decides the fate of the fallen after the battle, that comes first.

    Recovery that began in this battle stays, so that the gang's next battle is the one missed.
    Source: Core Rulebook (2023) · Lasting Injuries · Going Into Recovery; The Wrap-up.
    """
    battle = decision.battle("its end")
    if command.winner is not None:
        decision.gang(command.winner)
        if command.winner not in battle.crews:
            raise records.WinnerTookNoPart(winner=command.winner, battle=battle.battle)
        if command.drawn:
            raise records.WonAndDrawn(winner=command.winner, battle=battle.battle)
    end_phase.refuse_forfeit_result(decision, command)
    refuse_result_of_the_routed(decision, command)
    decide_open_fates(decision, battle)
    end_phase.succumb_to_injuries(decision)
    if "lasting_injuries" in decision.rulebook.book.tables:
        for crew in battle.crews.values():
            for name in crew:
                _test_old_battle_wounds(decision, battle, decision.fighter(name))
    for gang in battle.crews:
        for fighter in decision.gang(gang).enlisted.values():
            since = fighter.recovering_since
            if since is not None and since < battle.number:
                decision.emit(records.RecoveryEnded(fighter=fighter.fighter))
    ammo.delete_limited(decision, battle)
    decision.emit(records.BattleClosed(battle=battle.battle, winner=command.winner, drawn=command.drawn))


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


def why_not_available(fighter: Fighter, rulebook: Rulebook) -> tuple[str, str] | None:
    """Why a fighter may not take part in a battle and what to do about it, or None when they may."""
    show = f"See 'arbitrator fighter show {fighter.fighter}'."
    if fighter.standing != "enlisted":
        return f"{fighter.standing}", show
    if fighter.critical:
        return "Critical Injury, which the Doc must treat in the post-battle sequence first", show
    if fighter.held_by is not None:
        return f"a captive of {fighter.held_by}, until traded, rescued or let go", show
    if fighter.capture_pending and fates_are_rolled(rulebook):
        return "Captured, until the ransom is settled ('ransom' in a post-battle file)", show
    if fighter.capture_pending:
        return "Captured, until the escape roll of the Wrap-up says otherwise", show
    if fighter.recovering_since is not None:
        return (
            f"in Recovery since battle {fighter.recovering_since}, which costs the gang's next battle",
            show,
        )
    if fighter.absent_since is not None:
        return f"away since battle {fighter.absent_since}, which costs the gang's next battle", show
    if fighter.convalescing and rulebook.knob("convalescence.next_battle") == "misses":
        return "Convalescent, which by this campaign's policies costs the next battle", show
    return None


def _test_old_battle_wounds(decision: Decision, battle: BattleUnderWay, fighter: Fighter) -> None:
    if fighter.standing != "enlisted":
        return
    rulebook, table = decision.rulebook, decision.rulebook.book.lasting_injuries
    wounds = []
    for suffered in fighter.injuries:
        if not table.has_row(suffered.counted_as):
            continue
        lingering = [fx for fx in table.row(suffered.counted_as).effects if isinstance(fx, Lingering)]
        if lingering and (
            suffered.battle != battle.number or rulebook.knob("old_battle_wound.first_battle") == "current"
        ):
            wounds.append((suffered, lingering[0]))
    if len(wounds) > 1 and rulebook.knob("old_battle_wound.dice") == "one":
        wounds = wounds[:1]
    for suffered, lingering_effect in wounds:
        die = decision.tray.d6(
            "old_battle_wound", why=f"{suffered.name}, in the Wrap-up", fighter=fighter.fighter
        )
        troubled = die.face <= lingering_effect.on
        rolled = decision.roll(
            die,
            outcome="goes into Convalescence" if troubled else "holds",
            section="lasting_injury_table",
            rolled_by=fighter.gang,
            target=lingering_effect.on + 1,
            passed=not troubled,
        )
        if troubled and not decision.fighter(fighter.fighter).convalescing:
            decision.emit(records.WentIntoConvalescence(fighter=fighter.fighter), cause=rolled)
