"""Resolves typed ids and names. An id is unique; of several with one name, the program never guesses."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence

import click

from tracker.cli.output import on_terminal
from tracker.errors import BadInput
from tracker.reports.escaping import sanitize
from tracker.reports.names import Names

Called = tuple[str, str]
"""A kind ('gang' or 'fighter') and an id."""


class SeveralCalled(BadInput):
    """`found` are what each of them is, and its id."""

    named: str
    found: tuple[tuple[str, str], ...]

    def message(self) -> str:
        listed = ", ".join(f"the {kind} {known}" for kind, known in self.found)
        return f"{len(self.found)} are called {self.named!r}: {listed}. Say which one, by its id."


def look_up(named: str, **known: Mapping[str, str]) -> Called | None:
    """Find a typed id, name, or id made from a name among these.

    If several have the name, ask at a terminal; elsewhere raise SeveralCalled. None if nobody has it.
    """
    wanted = named.casefold()
    for kind, names in known.items():
        for typed in (named, wanted):
            if typed in names:
                return kind, typed
    called = [
        (kind, fighter)
        for kind, names in known.items()
        for fighter, name in names.items()
        if name.casefold() == wanted
    ]
    if not called:
        from tracker.documents.ids import id_meant  # not above: forms are slow, and a name is rarely slanted

        called = [(kind, id_meant(named)) for kind, names in known.items() if id_meant(named) in names]
    return _choose_one(named, called) if len(called) > 1 else next(iter(called), None)


def fighter_id(named: str, names: Names) -> str:
    """The id of a typed fighter or vehicle; the typed text itself if nobody has it."""
    called = look_up(named, fighter=names.fighters)
    return called[1] if called is not None else named


def _choose_one(named: str, called: Sequence[Called]) -> Called:
    if not (on_terminal() and sys.stdin.isatty()):
        raise SeveralCalled(named=named, found=tuple(called))
    lines = [f"{len(called)} are called {named}:"]
    lines += [f"  {number}  {kind} {known}" for number, (kind, known) in enumerate(called, start=1)]
    click.echo("\n".join(map(sanitize, lines)), file=sys.stderr)
    number: int = click.prompt("Which one", type=click.IntRange(1, len(called)), err=True)
    return called[number - 1]
