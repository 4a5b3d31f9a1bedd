"""Several commands of one entry: each decided as alone, on the state that those before it lead to."""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import HANDLERS, handles, refuse_unsupported_game
from tracker.campaign.steps.post_battle_sequence import battle_followed
from tracker.records import UNSET, replace


@handles(records.PlayInTurn)
def play_in_turn(decision: Decision, command: records.PlayInTurn) -> records.PlayInTurn:
    """One after the other, with the dice of its own part each."""
    first, *_ = command.commands
    governed_by = _battle(decision, first)
    settled = []
    for part, each in enumerate(command.commands):
        if _battle(decision, each) != governed_by:
            # The entry is stamped with one rulebook, which is that of the first.
            raise records.NotInOneEntry(first=type(first).__name__, second=type(each).__name__)
        refuse_unsupported_game(decision.rulebook.book, each)
        decision.tray.serve(part)
        settled.append(HANDLERS[type(each)](decision, each) or each)
    decision.tray.serve(UNSET)
    return replace(command, commands=tuple(settled))


def _battle(decision: Decision, command: records.Command) -> int:
    """The number of the battle whose house rules govern a command."""
    followed = battle_followed(decision.state, command)
    return decision.state.battle_number if followed is None else followed
