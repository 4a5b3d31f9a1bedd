"""Laws of warbands over random seasons: ducats add up, Glory and ducats never below none, ELITE never above six."""

import random

from scenario import Table
from tables import every
from trench_scenario import injury, opening
from warband_scenario import (
    ANSELM,
    HERETICS,
    ODO,
    PILGRIMS,
    RAT,
    VEX,
    explore,
    given,
    model,
    promotions,
)

from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Judgement, decide_keeping_spare_dice
from tracker.dice import DiceTray
from tracker.errors import Refusal
from tracker.rules import loader


def season(seed: int) -> tuple[Table, list[Judgement]]:
    """Three battles with all that may come after each, in order; what the rules refuse is passed over."""
    chance = random.Random(seed)
    table, judgements = given(battle=False), []

    def do(command: object) -> None:
        nonlocal table
        tray = DiceTray((), roller=lambda sides: chance.randint(1, sides))
        try:
            judged = decide_keeping_spare_dice(table.state, command, tray, loader.rulebook, entry=1)  # type: ignore[arg-type]
        except Refusal:
            return
        judgements.append(judged)
        table = Table(state=judged.state, before=table.state)

    for number in range(1, 4):
        do(opening(number))
        for target, attacker in ((ANSELM, VEX), (ODO, RAT), (VEX, ANSELM), (RAT, ODO)):
            do(injury(target, by=attacker, pool=chance.randint(1, 3)))
        do(records.CloseBattle(winner=chance.choice((PILGRIMS, HERETICS))))
        for gang, elite, troop in ((PILGRIMS, ANSELM, ODO), (HERETICS, VEX, RAT)):
            do(records.AwardBattleExperience(gang=gang, deeds=chance.choice(((), (elite,)))))
            tables = ("melee", "ranged")
            do(records.LearnSkill(fighter=elite, tables=tables, choose=chance.choice(tables)))
            do(promotions({troop: chance.randint(1, 3)}, gang=gang, deeds=chance.randint(0, 2)))
            do(records.SettleRansom(fighter=elite, ducats=chance.randint(0, 60)))
            do(records.RaiseThreshold(gang=gang))
            if chance.random() < 0.3:
                do(records.CallReinforcements(gang=gang))
            do(explore(gang, rerolls=chance.choice(((), (1,), (1, 2)))))
            for nth in range(3):
                name = f"{gang}-{number}-{nth}"
                category = chance.choice(("elite", "troop"))
                do(records.HireFighter(gang=gang, card=model(name, category=category)))
            do(records.ChangeGlory(gang=gang, by=chance.randint(-2, 2), why="test"))
            do(records.RecordRating(gang=gang))
            do(records.RollShellShock(fighter=elite))
    return table, judgements


@every("seed", range(40))
def test_every_ducat_has_two_sides_and_nothing_falls_below_none(seed: int) -> None:
    _, judgements = season(seed)
    assert len(judgements) > 12
    balances = {PILGRIMS: 0, HERETICS: 0}
    for judged in judgements:
        for decided in judged.events:
            if isinstance(decided.event, records.CreditsMoved):
                for gang, by in (
                    (decided.event.source, -decided.event.amount),
                    (decided.event.target, decided.event.amount),
                ):
                    if gang in balances:
                        balances[gang] += by
        for gang in judged.state.gangs.values():
            assert gang.credits == balances[gang.gang] >= 0
            assert gang.glory >= 0
            elite = [fighter for fighter in gang.fighters.values() if fighter.category == "elite"]
            assert sum(fighter.standing == "enlisted" for fighter in elite) <= 6


@every("seed", range(40))
def test_no_more_than_five_promotion_dice_fail_in_a_row(seed: int) -> None:
    _, judgements = season(seed)
    tally = {PILGRIMS: 0, HERETICS: 0}
    for judged in judgements:
        for decided in judged.events:
            if isinstance(decided.event, records.PromotionDieSpent):
                spent = decided.event
                assert spent.automatic == (tally[spent.gang] == 5)
                tally[spent.gang] = 0 if spent.succeeded else tally[spent.gang] + 1
                assert spent.failures == tally[spent.gang] <= 5


@every("seed", range(10))
def test_a_season_is_folded_to_the_state_that_was_decided(seed: int) -> None:
    table, judgements = season(seed)
    start = given(battle=False).state
    assert fold(start, [decided.event for judged in judgements for decided in judged.events]) == table.state
    assert isinstance(start, CampaignState)
