"""Runs a command for a remote caller, with their name, campaign and files, and collects its output.

Knows sessions and outputs. Knows no HTTP. Commands run here read no file of this machine, ask nothing at a
terminal and print nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

import click

from tracker.cli import output
from tracker.cli.main import arbitrator
from tracker.cli.session import Row, Session
from tracker.documents.remote_files import collecting
from tracker.documents.yaml_reader import files_sent
from tracker.errors import BadInput, Refusal
from tracker.reports.page import Form, Page
from tracker.service.application import Tracker


class NotFromAfar(BadInput):
    """{option} is for the machine that the campaign is kept on: leave it out."""

    option: str


class ServedSession(Session):
    """The session of one request: an open tracker, a named campaign, a known person."""

    service = None
    there = True

    def __init__(self, tracker: Tracker, slug: str | None, *, sees: Callable[[Row], bool]) -> None:
        super().__init__(db=None, campaign=slug, actor=tracker.actor)
        self._tracker = tracker
        self._sees = sees
        self.began: str | None = None
        """The campaign that the command began."""

    def campaigns(self) -> list[Row]:
        """The campaigns that the caller may see."""
        return [row for row in self.tracker.directory.rows() if self._sees(row)]

    def override(self, *, db: str | None, campaign: str | None, actor: str | None) -> None:
        """Raises NotFromAfar: the request names the database, campaign and person."""
        named = {"--db": db, "--campaign": campaign, "--as": actor}
        raise NotFromAfar(option=next(option for option, value in named.items() if value is not None))

    @property
    def actor(self) -> str:
        """Who asks."""
        return self.tracker.actor

    @property
    def tracker(self) -> Tracker:
        """The database, with the caller's rights."""
        assert self._tracker is not None, "a request is served by an open database"
        return self._tracker

    def beginning(self) -> Tracker:
        """The same database: it exists already."""
        return self.tracker

    def choose(self, slug: str, *, at: str | None = None) -> None:  # noqa: ARG002
        """Do nothing: the client remembers the choice."""
        self.began = slug

    def close(self) -> None:
        """Do nothing: the database stays open."""


class ShownPage(NamedTuple):
    """A page and how to show it."""

    page: Page | str
    form: Form


class CollectedOutput(output.Output):
    """Keeps the output of a command for a remote caller."""

    people_read = False
    people_watch = False
    colour = False
    width = 80

    def __init__(self, *, width: int = 80, colour: bool = False) -> None:
        self.width, self.colour = width, colour
        self.shown: list[ShownPage] = []
        self.notes: list[str] = []

    def show(self, page: Page | str, form: Form, *, paged: bool = True) -> None:  # noqa: ARG002
        """Keep it."""
        self.shown.append(ShownPage(page, form))

    def show_at_length(self, text: str) -> None:
        """Keep it."""
        self.shown.append(ShownPage(text, "text"))

    def note(self, page: Page | str, form: Form = "text") -> None:
        """Keep a remark apart from the answer."""
        self.notes.append(self.written(page, form))

    def text(self) -> str:
        """The output as a terminal shows it."""
        return "".join(f"{self.written(shown.page, shown.form)}\n" for shown in self.shown)


class CommandResult(NamedTuple):
    """The result of a command."""

    collected: CollectedOutput
    exit_code: int
    made: Mapping[str, bytes]
    """The files that it made, by their requested names."""


def run(
    command: click.Command,
    name: str,
    words: Sequence[str],
    session: ServedSession,
    *,
    files: Mapping[str, bytes],
    collected: CollectedOutput,
) -> CommandResult:
    """Run a command as if these words had been typed. Raises Refusal and click's own exceptions."""
    with collecting() as made:
        try:
            with as_if_typed(command, name, words, session, files, collected) as context:
                command.invoke(context)
        except click.exceptions.Exit as left:
            return CommandResult(collected, left.exit_code, made)
    return CommandResult(collected, 0, made)


@contextmanager
def as_if_typed(
    command: click.Command,
    name: str,
    words: Sequence[str],
    session: ServedSession,
    files: Mapping[str, bytes],
    collected: CollectedOutput,
) -> Iterator[click.Context]:
    """The context of a command as if it had been typed here. Raises click's own exceptions."""
    with output.through(collected), files_sent(files):
        above = click.Context(arbitrator, obj=session, **arbitrator.context_settings)
        try:
            with command.make_context(name, [*words], parent=above) as context:
                yield context
        except Refusal as refusal:
            session.in_words_of_its_game(refusal)
            raise
