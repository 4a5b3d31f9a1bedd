"""A wizard for a remote terminal: takes the typed lines and returns what the wizard prints and asks.

It keeps no state between requests. Each request replays all lines of the sitting, so the wizards themselves
ask, try and print everything, and dice stay the same. Nothing is recorded meanwhile: after the final yes the
client sends the finished file.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import click

from tracker.cli.automatic_signing import sign_after_battle
from tracker.cli.output import output
from tracker.cli.session import Session
from tracker.conversations.prompter import PLAIN, Prompter, QuestionContext, sanitized
from tracker.conversations.stepping import RECORD, Wizard, falling_alike, wizard_of
from tracker.conversations.wizard_file import KeptText
from tracker.dice import Roller
from tracker.drafts.records import Kind

WIZARDS: Final[Mapping[str, Kind]] = {
    "battle play": "battle",
    "battle post": "post-battle",
    "gang new": "gang",
}
"""The commands that hold a conversation, and what it is about."""


class Sitting(NamedTuple):
    """The lines that a person has typed so far, and the file as it was when they began."""

    kept: str = ""
    lines: Sequence[str] = ()
    seed: str = ""
    """The seed for dice that they let the wizard roll."""
    is_over: bool = False
    """Whether no line follows: the end of input, or Ctrl-C."""


class LineResult(NamedTuple):
    """The result of the last line."""

    file: str
    """The name of the file, where the command named none."""
    kept: str
    """What the file holds now."""
    asks: str | None = None
    """The question that waits, as a terminal shows it."""
    words: tuple[str, ...] = ()
    """What Tab completes there."""
    records: bool = False
    """Whether the last line was the yes to recording the file."""
    exit_code: int = 0


def take_turn(session: Session, command: str, given: Mapping[str, Any], sitting: Sitting) -> LineResult:
    """Replay the lines; the result holds the answer to the last one. Raises what the wizard raises."""
    kept, talk = KeptText(sitting.kept), _Relayed(sitting)
    wizard = _wizard(session, command, given, talk, kept)
    try:
        left_with = wizard.converse()
    except _Unanswered:
        words = dict.fromkeys(word for choice in talk.asked.choices for word in (choice.value, choice.name))
        return LineResult(wizard.file, kept.text, asks=talk.shown, words=tuple(words))
    except _Records:
        return LineResult(wizard.file, kept.text, records=True)
    return LineResult(wizard.file, kept.text, exit_code=left_with)


def record(session: Session, command: str, given: Mapping[str, Any], text: str) -> LineResult:
    """Record a file that was shown whole. A file recorded before gives its first receipt."""
    kept = KeptText(text)
    wizard = _wizard(session, command, given, _Relayed(Sitting()), kept)
    wizard.record_and_say()
    if WIZARDS[command] != "gang":
        sign_after_battle(session, as_json=False)
    return LineResult(wizard.file, kept.text)


def _wizard(
    session: Session, command: str, given: Mapping[str, Any], talk: Prompter, kept: KeptText
) -> Wizard:
    file = given.get("resume") or given.get("file")
    armoury, roll = given.get("armoury"), bool(given.get("roll"))
    return wizard_of(session, WIZARDS[command], file, armoury=armoury, roll=roll, talk=talk, kept=kept)


class _Unanswered(Exception):
    """There is no further line."""


class _Records(Exception):
    """The file shall be recorded."""


class _Relayed(Prompter):
    """A prompter that answers with the given lines, and keeps what is printed after the last of them."""

    def __init__(self, sitting: Sitting) -> None:
        super().__init__()
        self._sitting = sitting
        self._at, self._has_ended = 0, False
        self.shown, self.asked = "", PLAIN

    def say(self, text: str = "") -> None:
        all_answered = self._at == len(self._sitting.lines)
        if all_answered and self._has_ended == self._sitting.is_over:
            # A page loses the ends of its lines as it is shown; what is said keeps them.
            for line in sanitized(text).split("\n"):
                output().show(line, "text")

    @property
    def width(self) -> int:
        return output().width

    def roller(self, usual: Roller, about: str) -> Roller:  # noqa: ARG002  # they must fall alike each time
        """Seeded dice, the same in every replay."""
        return falling_alike(self._sitting.seed, about)

    def line(self, shown: str, asked: QuestionContext) -> str:
        if self._at == len(self._sitting.lines):
            if self._sitting.is_over:
                self._has_ended = True
                raise click.Abort
            self.shown, self.asked = shown, asked
            raise _Unanswered
        self._at += 1
        return self._sitting.lines[self._at - 1].replace("\t", " ").strip()

    def yes_or_no(
        self, prompt: str, *, asked: QuestionContext = PLAIN, usual: bool | None = None
    ) -> bool | None:
        """Raises _Records for a yes to that."""
        answer = super().yes_or_no(prompt, asked=asked, usual=usual)
        if answer and asked.key == RECORD:
            raise _Records
        return answer
