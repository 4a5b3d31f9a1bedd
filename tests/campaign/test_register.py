"""The register of decisions: every command once, each with the step that takes it."""

import inspect
from typing import get_type_hints

import pytest

from tracker.campaign import records
from tracker.campaign.decide import register
from tracker.campaign.decide.decision import Decision
from tracker.campaign.decide.register import STEP_OF


def test_every_command_has_its_step() -> None:
    assert set(STEP_OF) == set(records.COMMANDS.values())


def test_no_command_stands_twice() -> None:
    """A second line for one would quietly take the place of the first."""
    written = inspect.getsource(register)
    assert [kind.__name__ for kind in STEP_OF if written.count(f" commands.{kind.__name__}: ") != 1] == []


@pytest.mark.parametrize("kind", STEP_OF, ids=lambda kind: kind.__name__)
def test_a_step_takes_the_command_it_is_registered_for(kind: type[records.Command]) -> None:
    """The register itself may pair any two; type checkers look no further."""
    hints = get_type_hints(STEP_OF[kind])
    taken = [hints[name] for name in list(inspect.signature(STEP_OF[kind]).parameters)[:2]]
    assert taken == [Decision, kind]
