"""How a battle ends: one winner, or a draw, or no result."""

from __future__ import annotations

from scenario import SKULLS, given

from tracker.campaign import records


def test_a_battle_is_not_both_won_and_drawn() -> None:
    given().when(records.CloseBattle(winner=SKULLS, drawn=True)).then_refused(records.WonAndDrawn)


def test_a_battle_without_a_result_is_neither_won_nor_lost_nor_drawn() -> None:
    gang = given().when(records.CloseBattle()).state.gangs[SKULLS]
    assert (gang.battles, gang.won, gang.drawn, gang.lost) == (1, 0, 0, 0)
