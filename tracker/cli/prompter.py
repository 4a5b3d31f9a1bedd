"""Talking: one question on the terminal, one answer, whatever is typed.

Knows prompts and the words that may be typed at any of them. Knows no report and no rule.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TypeAlias

import click

from tracker.documents.wizard.context import Choice
from tracker.errors import nearest
from tracker.reports.escaping import sanitize

Explain: TypeAlias = Callable[[str], str]

LISTED_MAX = 60
NOTHING = "none"

WORDS = """\
  quit    stop here; what is answered so far is kept
  back    drop this entry
  none    take an answer back that may be left out
  ?       this help"""


class Quit(Exception):
    """The person typed quit."""


class Back(Exception):
    """The person dropped what is being asked about."""


class NobodyAnswers(click.ClickException):
    """Standard input is closed, or cannot be read: no refusal, after which a question is asked once more."""

    def __init__(self) -> None:
        super().__init__(
            "Nobody can answer: standard input is closed or cannot be read. Run it on a terminal, or give the"
            " answers on standard input, one on a line. Nothing was recorded."
        )


class Prompter:
    """Asks on the terminal."""

    def say(self, text: str = "") -> None:
        """Some lines, without what would steer a terminal."""
        click.echo("\n".join(sanitize(line) for line in text.split("\n")), file=sys.stdout)

    def ask(self, prompt: str, *, default: str = "", more: str = "") -> str:
        """One line, tidied. Raises Quit and Back when they are typed, click's Abort at the end of input, and
        NobodyAnswers.
        """
        shown = f"{prompt} [{sanitize(default)}]:" if default else f"{prompt}:"
        while True:
            try:
                typed = str(click.prompt(shown, default="", show_default=False, prompt_suffix=" ")).strip()
                typed.encode()
                if not sys.stdin.isatty():
                    self.say(typed)  # so that a conversation from a file reads as one at a terminal
            except UnicodeError as error:  # half letters: whatever feeds this is no text
                raise click.Abort from error
            except OSError as error:
                raise NobodyAnswers from error
            match typed:
                case "quit":
                    raise Quit
                case "back":
                    raise Back
                case "?":
                    self.say("\n".join(part for part in (more, WORDS) if part))
                case _:
                    return typed or default

    def choose(
        self,
        prompt: str,
        choices: Sequence[Choice],
        *,
        default: str = "",
        may_pass: bool = False,
        explain: Explain | None = None,
    ) -> str | None:
        """One of these, by number, id or name; None when it was passed over.

        `explain` says why something else cannot be named, where there is a reason.
        """
        listed = list_of(choices)
        self.say(listed)
        while True:
            typed = self.ask(prompt, default=default, more=listed)
            if not typed and may_pass:
                return None
            value = find(typed, choices)
            if value is not None:
                return value
            if typed == NOTHING and may_pass:
                return None
            reason = explain(typed) if explain is not None and typed else ""
            self.say(f"  {reason or not_there(typed, choices)}")

    def several(
        self, prompt: str, choices: Sequence[Choice], *, default: str = "", may_pass: bool = False
    ) -> list[str] | None:
        """Some of these, with commas between them, or all."""
        listed = list_of(choices)
        self.say(listed)
        while True:
            typed = self.ask(f"{prompt} (with commas, or all)", default=default, more=listed)
            if typed in ("", NOTHING) and may_pass:
                return None
            if typed == "all":
                return [choice.value for choice in choices]
            words = [word.strip() for word in typed.split(",") if word.strip()]
            values = [find(word, choices) for word in words]
            wrong = [word for word, value in zip(words, values, strict=True) if value is None]
            if words and not wrong:
                return list(dict.fromkeys(value for value in values if value is not None))
            self.say(f"  {not_there(wrong[0] if wrong else '', choices)}")

    def yes_or_no(self, prompt: str, *, may_pass: bool, default: str = "") -> bool | None:
        """true or false; None when it was passed over."""
        while True:
            typed = self.ask(prompt, default=default).casefold()
            if typed in ("", NOTHING) and may_pass:
                return None
            if typed in ("y", "yes", "true"):
                return True
            if typed in ("n", "no", "false"):
                return False
            self.say("  Type yes or no.")


def list_of(choices: Sequence[Choice]) -> str:
    """The choices, one on a line, numbered."""
    lines = []
    for number, choice in enumerate(choices[:LISTED_MAX], start=1):
        name = "" if choice.name == choice.value else f"  {sanitize(choice.name)}"
        lines.append(f"  {number:>3}  {sanitize(choice.value)}{name}")
    if len(choices) > LISTED_MAX:
        lines.append(f"       and {len(choices) - LISTED_MAX} more, by name")
    return "\n".join(lines)


def in_rows(words: Sequence[str], *, width: int = 96) -> str:
    """Short words beside each other, in as many rows as they need."""
    rows = [""]
    for word in words:
        if len(rows[-1]) + len(word) + 2 > width:
            rows.append("")
        rows[-1] += f"  {word}"
    return "\n".join(rows)


def find(typed: str, choices: Sequence[Choice]) -> str | None:
    """The choice that was meant: its id, its number, its name, or the beginning of one of them only."""
    for choice in choices:
        if choice.value == typed:
            return choice.value
    if typed.isascii() and typed.isdecimal() and len(typed) < 4 and 1 <= int(typed) <= len(choices):
        return choices[int(typed) - 1].value
    word = typed.casefold()
    named = [choice.value for choice in choices if word in (choice.name.casefold(), choice.value.casefold())]
    if not named and word:
        named = [
            choice.value
            for choice in choices
            if choice.name.casefold().startswith(word) or choice.value.casefold().startswith(word)
        ]
    return named[0] if len(set(named)) == 1 else None


def not_there(typed: str, choices: Sequence[Choice]) -> str:
    """What to say of an answer that is none of these, or may be several."""
    if not typed:
        return "Type one of these, by its number, id or name."
    named = [sanitize(choice.value) for choice in choices if choice.name.casefold() == typed.casefold()]
    if len(named) > 1:
        return f"{len(named)} are called {sanitize(typed)[:40]!r}: type {' or '.join(named)}."
    guess = nearest(typed, [choice.value for choice in choices] + [choice.name for choice in choices])
    return f"{sanitize(typed)[:40]!r} is none of these.{guess}"
