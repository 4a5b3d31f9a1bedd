"""Where a command shows its answer: the terminal, or whoever runs it from elsewhere and takes what it shows.

Knows pages and how they are shown. Knows no command.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import click

from tracker.cli import pager
from tracker.cli.session import Session
from tracker.reports.page import Form, Page
from tracker.reports.rendering import render

_NARROWEST = 40


class Output:
    """The terminal of this process."""

    @property
    def people_read(self) -> bool:
        """Whether people are reading, rather than a program or a file."""
        return sys.stdout.isatty()

    @property
    def people_watch(self) -> bool:
        """Whether somebody sees how long work takes."""
        return sys.stderr.isatty()

    @property
    def colour(self) -> bool:
        """Colour only on a terminal, and never against NO_COLOR."""
        return self.people_read and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"

    @property
    def width(self) -> int:
        """The terminal's width; when the output goes elsewhere, what COLUMNS says, or 80."""
        if self.people_read:
            return shutil.get_terminal_size().columns
        columns = os.environ.get("COLUMNS", "")
        is_number = columns.isascii() and columns.isdecimal() and len(columns) < 5
        return max(_NARROWEST, int(columns)) if is_number else 80

    def show(self, page: Page | str, form: Form, *, paged: bool = True) -> None:
        """A page, which is what was asked for."""
        text = self.written(page, form)
        if paged and form == "text" and isinstance(page, Page):
            self.show_at_length(text)
        else:
            click.echo(text, file=sys.stdout)

    def show_at_length(self, text: str) -> None:
        """A text that may be longer than the screen: through the pager where one is wanted."""
        context = click.get_current_context(silent=True)
        session = context.find_object(Session) if context is not None else None
        if session is not None and session.paging:
            pager.show_text(text)
        else:
            click.echo(text, file=sys.stdout)

    def note(self, page: Page | str, form: Form = "text") -> None:
        """What is said beside it."""
        click.echo(self.written(page, form), err=True)

    def written(self, page: Page | str, form: Form) -> str:
        """The page as it is shown here."""
        text = page if isinstance(page, str) else render(page, form, width=self.width, colour=self.colour)
        return text.rstrip("\n")


_OUTPUT: ContextVar[Output | None] = ContextVar("output", default=None)
_TERMINAL = Output()


def output() -> Output:
    """Where this command shows what it has to say."""
    return _OUTPUT.get() or _TERMINAL


@contextmanager
def through(other: Output) -> Iterator[None]:
    """What is shown within is shown there."""
    before = _OUTPUT.set(other)
    try:
        yield
    finally:
        _OUTPUT.reset(before)


def on_terminal() -> bool:
    """Whether people are reading, and may be asked, rather than a program or a file."""
    return output().people_read
