"""Open actions: what a model may do now, and why not the rest. Knows the actions, no rule."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tracker.documents.wizard.open_actions import ModelAction
from tracker.reports.escaping import sanitize
from tracker.reports.page import Block, Heading, Page, Text
from tracker.reports.plain_data import plain_data

NOT_LISTED = "Only actions that an entry of a battle report can state are listed."


def open_actions_page(fighter: str, name: str, actions: Sequence[ModelAction]) -> Page:
    """The allowed actions, each with its section; then the others, each with the reason."""
    return Page(
        schema="open_actions",
        data=lambda: {
            "fighter": fighter,
            "name": name,
            "may": [plain_data(action) for action in actions if not action.why_not],
            "may_not": [plain_data(action) for action in actions if action.why_not],
        },
        blocks=lambda: _blocks(name, actions),
    )


def _blocks(name: str, actions: Sequence[ModelAction]) -> Iterator[Block]:
    yield [Heading(f"What {sanitize(name)} may do now"), Text([NOT_LISTED])]
    may = [f"  {_called(action)} ({action.section})" for action in actions if not action.why_not]
    yield [Text(["May:", *(may or ["  nothing"])])]
    closed = [f"  {_called(action)}: {_reason(action)}" for action in actions if action.why_not]
    if closed:
        yield [Text(["May not:", *closed])]


def _reason(action: ModelAction) -> str:
    """The reason with the section of the rule, unless it names it itself."""
    section = "" if action.section in action.why_not else f" ({action.section})"
    return sanitize(action.why_not) + section


def _called(action: ModelAction) -> str:
    return action.action.replace("_", " ")
