"""The Wrap-up: a battle closes. The Seriously Injured, Old Battle Wounds, and the end of Recovery, in that
order.

Source: Core Rulebook (2023) · The Wrap-up.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.state import BattleUnderWay
from tracker.campaign.steps import ammo, end_phase, injury_dice
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.end_phase import harm_of_old_injury
from tracker.campaign.steps.morale import refuse_result_of_the_routed
from tracker.campaign.steps.trauma_and_troop_fate import decide_open_fates
from tracker.rules.effects import Lingering
from tracker.rules.necromunda import end_phase as rules


@handles(records.CloseBattle)
def close_battle(decision: Decision, command: records.CloseBattle) -> None:
    """The Wrap-up: the Seriously Injured may succumb, Old Battle Wounds are tested, Recovery from earlier
    battles ends, the battle closes.

    If the book decides the fate of the fallen after the battle, that comes first. Recovery that began in this
    battle stays, so that the fighter misses the gang's next one. Source: Core Rulebook (2023) · Lasting
    Injuries · Going Into Recovery; The Wrap-up.
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
    succumb_to_injuries(decision)
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


def succumb_to_injuries(decision: Decision) -> None:
    """Each fighter still Seriously Injured, on the battlefield or fled, may go Out of Action after all.

    Source: Core Rulebook (2023) · The Post-battle Sequence · 1. The Wrap-up; knob wrap_up.succumb.
    """
    battle = decision.battle("its end")
    injured = [
        name
        for crew in battle.crews.values()
        for name in crew
        if battle.combatants[name].seriously_injured and not battle.combatants[name].out_of_action
    ]
    if not injured or decision.rulebook.knob("wrap_up.succumb") == "not_rolled":
        return
    highest = decision.rulebook.book.nerve.succumb.highest
    for name in injured:
        why = f"Seriously Injured at the end of the battle, needs {highest + 1}+"
        die = decision.tray.d6("succumb", why=why, fighter=name)
        gone = rules.succumbs(die.face, decision.rulebook)
        rolled = decision.roll(
            die,
            outcome="succumbs" if gone else "pulls through",
            section="wrap_up",
            rolled_by=decision.fighter(name).gang,
            target=highest + 1,
            passed=not gone,
        )
        if gone:
            harm = harm_of_old_injury(decision, name, grudge_against=None)
            injury_dice.go_out_of_action(
                decision, harm, reason="succumbed", out_of_action_dice=0, cause=rolled
            )
