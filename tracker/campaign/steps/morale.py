"""Morale: a warband with half its models Down or Out of Action holds by a success roll, or flees.

Source: Trench Crusade (1.6) · Morale.
"""

from __future__ import annotations

from typing import Literal

from tracker.campaign import records
from tracker.campaign.state import BattleUnderWay
from tracker.campaign.steps import markers
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.rules.trench_crusade import injuries
from tracker.rules.trench_crusade import warbands as rules


@handles(records.CheckMorale)
def check_morale(decision: Decision, command: records.CheckMorale) -> None:
    """The success roll of one warband at the end of a turn. The smaller warband tests first.

    A warband that fails flees; if the players agreed on it, it is Shaken for a turn first.
    """
    battle, gang = decision.battle("morale"), decision.gang(command.gang)
    section = decision.rulebook.section("morale")
    if command.gang not in battle.crews:
        raise records.NotInBattle(gang=gang.name, battle=battle.battle)
    if not 1 <= command.turn <= 20:
        raise records.NoSuchTurn(turn=command.turn)
    if command.gang in battle.routed:
        raise records.WarbandHasFled(gang=gang.name)
    if command.turn in battle.morale_tested.get(command.gang, ()):
        raise records.MoraleTestedAlready(gang=gang.name, turn=command.turn)
    models, fallen = _strength(battle, command.gang)
    if not rules.must_test_morale(models=models, down_or_out=fallen):
        raise records.MoraleHolds(gang=gang.name, down_or_out=fallen, models=models, section=section)
    for other in battle.crews:
        if _goes_before(battle, other, models, command):
            smaller = decision.gang(other).name
            raise records.SmallerTestsFirst(
                gang=gang.name, smaller=smaller, turn=command.turn, section=section
            )
    holds, cause = command.held, 0
    if holds is None:
        dice = (
            *(records.Modifier(why=why, by=1) for why in command.plus_dice),
            *(records.Modifier(why=why, by=-1) for why in command.minus_dice),
        )
        holds, cause = _success_roll(decision, command, dice)
    may_be_shaken = command.shaken_instead and command.gang not in battle.shaken
    result: Literal["holds", "shaken", "flees"] = "holds" if holds else "shaken" if may_be_shaken else "flees"
    decision.emit(
        records.MoraleTested(
            gang=command.gang,
            turn=command.turn,
            models=models,
            down_or_out=fallen,
            result=result,
            section=section,
        ),
        cause=cause,
    )


def refuse_result_of_the_routed(decision: Decision, command: records.CloseBattle) -> None:
    """A warband that fled can neither win nor draw. Raises FledAndHasLost."""
    for gang in decision.battle("its end").routed:
        if command.winner == gang or command.drawn:
            raise records.FledAndHasLost(gang=decision.gang(gang).name)


def _success_roll(
    decision: Decision, command: records.CheckMorale, dice: tuple[records.Modifier, ...]
) -> tuple[bool, int]:
    """Whether a warband holds, and the place of its last die in the entry."""
    chart = decision.rulebook.book.chart("action_chart")
    pool = injuries.dice_pool(
        start=injuries.INJURY_POOL_DICE,
        plus_dice=sum(reason.by for reason in dice if reason.by > 0),
        minus_dice=-sum(reason.by for reason in dice if reason.by < 0),
        rulebook=decision.rulebook,
    )
    faces: list[int] = []
    cause = 0
    for nth in range(1, pool.roll + 1):
        warband = decision.gang(command.gang).name
        die = decision.tray.d6("morale", why=f"die {nth} of {pool.roll} of the morale of {warband}")
        faces.append(die.face)
        last = nth == pool.roll
        outcome = f"die {nth} of {pool.roll}"
        if pool.roll > pool.keep:
            outcome += f", the {pool.which} {pool.keep} count"
        if last:
            total = sum(pool.kept(faces))
            markers.check_dice_stated(command, faces, pool.kept(faces), total)
            outcome += f": {total}, {chart.read(total).name}"
        cause = decision.roll(
            die,
            outcome=outcome,
            section="morale",
            rolled_by=command.gang,
            modifiers=dice if last else (),
            cause=cause,
        )
    return chart.read(sum(pool.kept(faces))) is not chart.bands[0], cause


def _strength(battle: BattleUnderWay, gang: str) -> tuple[int, int]:
    """How many models a warband brought, and how many of them are Down or Out of Action."""
    crew = [battle.combatants[name] for name in battle.crews[gang]]
    return len(crew), sum(combatant.down or combatant.out_of_action for combatant in crew)


def _goes_before(battle: BattleUnderWay, other: str, models: int, command: records.CheckMorale) -> bool:
    size, fallen = _strength(battle, other)
    tests = rules.must_test_morale(models=size, down_or_out=fallen) and other not in battle.routed
    return size < models and tests and command.turn not in battle.morale_tested.get(other, ())
