"""How a battle ends: one winner, or a draw, or no result."""

from __future__ import annotations

from scenario import SKULLS, given

from tracker.campaign.commands import CloseBattle
from tracker.campaign.decide.battle_refusals import WonAndDrawn


def test_a_battle_is_not_both_won_and_drawn() -> None:
    given().when(CloseBattle(winner=SKULLS, drawn=True)).then_refused(WonAndDrawn)


def test_a_battle_without_a_result_is_neither_won_nor_lost_nor_drawn() -> None:
    gang = given().when(CloseBattle()).state.gangs[SKULLS]
    assert (gang.battles, gang.won, gang.drawn, gang.lost) == (1, 0, 0, 0)
