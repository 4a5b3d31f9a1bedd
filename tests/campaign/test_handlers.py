"""Every command has one handler, which takes the command that it is entered for."""

import inspect
from typing import get_type_hints

import pytest
from tables import every

from tracker.campaign import records
from tracker.campaign.steps import HANDLERS
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles


def test_every_command_has_a_handler() -> None:
    assert set(HANDLERS) == set(records.COMMANDS.values())


def test_no_command_has_two_handlers() -> None:
    kind = next(iter(HANDLERS))
    with pytest.raises(AssertionError, match="has a handler already"):
        handles(kind)(HANDLERS[kind])


@every("kind", HANDLERS, ids=lambda kind: kind.__name__)
def test_a_handler_takes_the_command_it_is_entered_for(kind: type[records.Command]) -> None:
    hints = get_type_hints(HANDLERS[kind])
    taken = [hints[name] for name in list(inspect.signature(HANDLERS[kind]).parameters)[:2]]
    assert taken == [Decision, kind]
