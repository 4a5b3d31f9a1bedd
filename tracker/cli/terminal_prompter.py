"""Questions on the terminal: editable lines, or lines from a file.

Knows the terminal. The conversation knows the questions and the meaning of the answers.
"""

from __future__ import annotations

import sys

import click

from tracker.cli.options import show
from tracker.cli.output import output
from tracker.conversations.prompter import Prompter, QuestionContext, sanitized
from tracker.reports.escaping import sanitize
from tracker.reports.page import Page


class NobodyAnswers(click.ClickException):
    """Standard input is closed or cannot be read. After a refusal the question would be asked again."""

    def __init__(self) -> None:
        super().__init__(
            "Nobody can answer: standard input is closed or cannot be read. Run it on a terminal, or give the"
            " answers on standard input, one on a line. Nothing was recorded."
        )


class TerminalPrompter(Prompter):
    """Asks on the terminal."""

    draws_for_good = True

    def __init__(self) -> None:
        super().__init__()
        self._editing = False

    @property
    def width(self) -> int:
        """The terminal's columns."""
        return output().width

    def say(self, text: str = "") -> None:
        """Print some lines, without terminal control characters."""
        click.echo(sanitized(text), file=sys.stdout)

    def whole(self, page: Page) -> None:
        """Show the result of the whole file, before it is recorded."""
        show(page, paged=False)

    def line(self, shown: str, asked: QuestionContext) -> str:
        """The next line, from the terminal or from a file; a line from a file is shown as if typed."""
        at_terminal = sys.stdin is not None and sys.stdin.isatty()
        try:
            if at_terminal:
                typed = self._edited(sanitize(shown), asked)
            else:
                click.echo(sanitize(shown), nl=False, file=sys.stdout)
                typed = input()
            typed = typed.replace("\t", " ").strip()
            typed.encode()
        except (
            EOFError,
            KeyboardInterrupt,
            UnicodeError,
        ) as error:  # half letters: what feeds this is no text
            raise click.Abort from error
        except (OSError, RuntimeError) as error:
            raise NobodyAnswers from error
        if not at_terminal:
            self.say(typed)  # so that a conversation from a file reads as one at a terminal
        return typed

    def _edited(self, shown: str, asked: QuestionContext) -> str:
        """A line that can be edited, with earlier lines on the arrow keys and names on Tab."""
        try:
            import readline  # not everywhere: on Windows the console does this itself
        except ImportError:
            return input(shown)
        words = [*dict.fromkeys(word for choice in asked.choices for word in (choice.value, choice.name))]

        def complete(begun: str, place: int) -> str | None:
            found = [word for word in words if word.casefold().startswith(begun.casefold())]
            return found[place] if place < len(found) else None

        if not self._editing:
            is_libedit = "libedit" in (readline.__doc__ or "")  # macOS
            readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")
            readline.set_completer_delims(" ,")
            self._editing = True
        readline.set_completer(complete)
        return input(shown)
