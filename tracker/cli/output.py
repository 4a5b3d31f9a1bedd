"""The output of a command: the terminal, or a caller that captures it.

Knows pages and how to show them. Knows no command.
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
        """Whether to show progress."""
        return sys.stderr.isatty()

    @property
    def colour(self) -> bool:
        """Whether to use colour: only on a terminal, and never with NO_COLOR."""
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
        """Show the page that answers the command."""
        text = self.written(page, form)
        if paged and form == "text" and isinstance(page, Page):
            self.show_at_length(text)
        else:
            click.echo(text, file=sys.stdout)

    def show_at_length(self, text: str) -> None:
        """Show a text that may be longer than the screen, through the pager if wanted."""
        context = click.get_current_context(silent=True)
        session = context.find_object(Session) if context is not None else None
        if session is not None and session.paging:
            pager.show_text(text)
        else:
            click.echo(text, file=sys.stdout)

    def note(self, page: Page | str, form: Form = "text") -> None:
        """Show a remark beside the answer."""
        click.echo(self.written(page, form), err=True)

    def written(self, page: Page | str, form: Form) -> str:
        """The page as text for this output."""
        text = page if isinstance(page, str) else render(page, form, width=self.width, colour=self.colour)
        return text.rstrip("\n")


_OUTPUT: ContextVar[Output | None] = ContextVar("output", default=None)
_TERMINAL = Output()


def output() -> Output:
    """The output of the current command."""
    return _OUTPUT.get() or _TERMINAL


@contextmanager
def through(other: Output) -> Iterator[None]:
    """Use another output within the block."""
    before = _OUTPUT.set(other)
    try:
        yield
    finally:
        _OUTPUT.reset(before)


def on_terminal() -> bool:
    """Whether people are reading, and may be asked, rather than a program or a file."""
    return output().people_read
