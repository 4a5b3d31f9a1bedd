"""The pages of boards, for the command line, the service and the site."""

from __future__ import annotations

from tracker.reports.battle import battle_page
from tracker.reports.battle_highlights import highlights
from tracker.reports.battle_story import story
from tracker.reports.log import struck_out_by_rows
from tracker.reports.names import Names
from tracker.reports.page import Page
from tracker.reports.policy import policy_history_page
from tracker.rules import loader
from tracker.service.boards import BattleBoard, LogBoard


def battle_board_page(board: BattleBoard) -> Page:
    """One battle with its story."""
    members = {**board.now.gang_of, **board.now.vehicle_of}
    return battle_page(
        board.row,
        board.entries,
        Names.of_state(board.now),
        story=lambda names: story(
            board.row,
            board.counting,
            names,
            members=members,
            after=board.after,
            disputed=board.pending.events,
        ),
        highlights=highlights(board.row, board.counting, members=members, after=board.after),
        state=board.state,
        struck=struck_out_by_rows(board.rows),
        struck_out=board.struck,
        pending=board.pending.disputes,
        dependents=board.pending.dependents,
    )


def policy_history_board_page(board: LogBoard) -> Page:
    """The changes of the campaign's house rules."""
    state = board.state
    return policy_history_page(
        [event for entry in board.entries for event in entry],
        Names.of_state(state),
        struck=struck_out_by_rows(board.rows),
        adopted=state.policies,
        next_battle=state.battle_number,
        printed={name: knob.printed for name, knob in loader.book(state.book).knobs.items()},
    )
