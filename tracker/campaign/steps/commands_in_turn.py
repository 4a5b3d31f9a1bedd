"""Several commands in one entry: each is decided on the state that those before it lead to."""

from __future__ import annotations

from msgspec import UNSET

from tracker.campaign import records
from tracker.campaign.state import PolicyInForce
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import HANDLERS, handles, refuse_unsupported_game
from tracker.campaign.steps.post_battle_sequence import battle_followed
from tracker.records import replace


@handles(records.PlayInTurn)
def play_in_turn(decision: Decision, command: records.PlayInTurn) -> records.PlayInTurn:
    """Decide one command after the other, each with the dice of its own part."""
    first, *_ = command.commands
    governed_by = _house_rules(decision, first)
    settled = []
    for part, each in enumerate(command.commands):
        if _house_rules(decision, each) != governed_by:
            # The entry is stamped with one rulebook, which is that of the first.
            raise records.NotInOneEntry(first=type(first).__name__, second=type(each).__name__)
        refuse_unsupported_game(decision.rulebook.book, each)
        decision.tray.serve(part)
        settled.append(HANDLERS[type(each)](decision, each) or each)
    decision.tray.serve(UNSET)
    return replace(command, commands=tuple(settled))


def _house_rules(decision: Decision, command: records.Command) -> tuple[PolicyInForce, ...]:
    """The house rules that govern a command: those of its battle."""
    followed = battle_followed(decision.state, command)
    number = decision.state.battle_number if followed is None else followed
    return tuple(policy for policy in decision.state.policies if policy.holds_for(number))
