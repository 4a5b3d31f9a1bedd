"""The prompter: asks one question and returns a valid answer.

Knows prompts, the words that work at every prompt, and answers typed ahead. Knows no report, no rule, and no
source of lines (a terminal, a relay, a page).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import field

from tracker.dice import Roller
from tracker.documents.wizard.beside import SideAnswer
from tracker.documents.wizard.context import Choice
from tracker.errors import nearest
from tracker.records import Record, replace
from tracker.reports.escaping import sanitize
from tracker.reports.page import Page
from tracker.reports.rendering import render
from tracker.reports.terminal_text import wrapped_line

Explain: TypeAlias = Callable[[str], str]

LISTED_MAX = 60
NOTHING = ("0", "none", "nobody")
EVERYBODY = ("a", "all", "*")
STAY = "."
"""Typed ahead, it stands for Enter."""

WORDS = """\
  Enter   takes the answer in [brackets]; without brackets, type one
  back    go back one answer
  quit    stop here; what is answered so far is kept
  Answers can be typed ahead on one line, with spaces between them; . stands for Enter."""


class Quit(Exception):
    """The person typed quit."""


class Back(Exception):
    """The person wants to go back one answer."""


class QuestionContext(Record):
    """What a question is about: a kind of entry and its key, or a die's purpose; what is answered so far.

    `enter` is what Enter takes, as the brackets show it; empty if an answer is needed. `taken` is what is
    printed then, if that differs. `dice` are the purposes of dice that are rolled together, and `beside` what
    can be said with the answer. `help` explains the question. `shape` is the shape of a free answer, and
    `words` are what may be typed besides the choices.
    """

    kind: str = ""
    key: str = ""
    answers: Mapping[str, Any] = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    beside: tuple[SideAnswer, ...] = ()
    dice: tuple[str, ...] = ()
    enter: str = ""
    taken: str = ""
    help: str = ""
    shape: str = ""
    words: tuple[str, ...] = ()
    numbers: tuple[int, ...] = ()
    """The first numbers that are open, where one is asked for."""
    ways: tuple[bool, ...] = (True, False)
    """Which of yes and no are open."""
    least: int = 1
    most: int | None = None
    """How many a list names, unless it is passed over."""


PLAIN = QuestionContext()


Draws: TypeAlias = Callable[[str, frozenset[int]], tuple[int, Roller]]
"""Asks for provable dice of one entry, by a new request: returns its number and a roller for its dice."""


class Prompter(ABC):
    """Asks whoever answers."""

    needs_an_answer = "This question needs an answer: type it, or ? for help."
    tells_of_empty_steps = True
    """Whether a step with nothing to do is said to be one: not where all steps are seen at once."""

    def __init__(self) -> None:
        self._ahead = ""

    @abstractmethod
    def say(self, text: str = "") -> None:
        """Print some lines, without terminal control characters."""

    @abstractmethod
    def line(self, shown: str, asked: QuestionContext) -> str:
        """The next typed line. Raises click's Abort if there will be none."""

    @property
    def width(self) -> int:
        """The width of the reader's lines, in columns."""
        return 80

    def introduce(self, text: str) -> None:
        """Say how the conversation works. Somebody who answers on a page does not need it."""
        self.say(self._wrapped(text))

    def show_choices(self, listed: str) -> None:
        """Print the choices, which the question holds too."""
        self.say(listed)

    def decided(self, page: Page) -> None:
        """Show the result of an entry."""
        self.say(render(page, width=self.width))

    def whole(self, page: Page) -> None:
        """Show the result of the whole file, before it is recorded."""
        self.say(render(page, width=self.width).rstrip("\n"))

    def settled(self) -> None:  # noqa: B027  # most have nothing to do then
        """Called when the file holds every answer so far."""

    draws_for_good = False
    """Whether each answer is given once, so that provable dice may be asked for in the log as it comes."""
    draws: Draws | None = None
    """Asks the campaign's log for provable dice; None if nobody keeps the answers."""

    def roller(self, usual: Roller, about: str) -> Roller:  # noqa: ARG002  # who keeps their dice asks what for
        """The roller for dice that nobody rolls on a table."""
        return usual

    def ask(
        self, prompt: str, *, asked: QuestionContext = PLAIN, fits: Callable[[str], bool] | None = None
    ) -> str:
        """One tidied line; empty if Enter took the answer in brackets.

        If a line of several words is no answer as a whole (`fits`), its first word is the answer and the rest
        is typed ahead.
        Raises Quit and Back when they are typed, and what `line` raises.
        """
        shown = f"{prompt} [{sanitize(asked.enter)}] " if asked.enter else f"{prompt} "
        while True:
            was_ahead, self._ahead = self._ahead, ""
            typed = was_ahead or self.line(shown, asked)
            first, _, rest = typed.partition(" ")
            if rest and fits is not None and not fits(typed) and (fits(first) or first in (STAY, "back")):
                typed, self._ahead = first, rest.strip()
            if was_ahead:
                self.say(f"{shown}{typed}")
            if sanitize(typed) != typed:
                self.wrong("That holds an invisible or control character: type it again.")
                continue
            if asked.enter and typed == asked.enter:  # spelled out, it is as good as Enter
                return ""
            match typed:
                case "quit":
                    raise Quit
                case "back":
                    raise Back
                case "?":
                    self.say(self._wrapped("\n".join(part for part in (asked.help, WORDS) if part)))
                case "" | "." if not asked.enter:
                    self.wrong(self.needs_an_answer)
                case "" | ".":
                    self.say(f"    {asked.taken or asked.enter}")
                    return ""
                case _:
                    return typed

    def wrong(self, why: str) -> None:
        """Say why an answer is not valid, and forget what was typed ahead after it."""
        self._ahead = ""
        self.say(f"  {why}")

    def not_needed(self, choices: Sequence[Choice]) -> None:
        """Drop a name that was typed ahead for a question that had no other answer."""
        first, _, rest = self._ahead.partition(" ")
        if first and not first.isdecimal() and find(first, choices) is not None:
            self._ahead = rest.strip()

    def names_next(self, choices: Sequence[Choice]) -> bool:
        """Whether what was typed ahead goes on with the name of one of these."""
        first = self._ahead.partition(" ")[0]
        return bool(first) and not first.isdecimal() and find(first, choices) is not None

    def forget(self) -> None:
        """Forget what was typed ahead, and say so."""
        if self._ahead:
            self.say(f"  Not asked for, and left out: {self._ahead}")
        self._ahead = ""

    def choose(
        self,
        prompt: str,
        choices: Sequence[Choice],
        *,
        asked: QuestionContext = PLAIN,
        default: str = "",
        may_pass: bool = False,
        explain: Explain | None = None,
    ) -> str | None:
        """One of these, by number, id or name; None if it was passed over.

        `explain` gives the reason why something else cannot be named, or nothing.
        """
        asked = _of(asked, choices, default or ("nobody" if may_pass else ""))
        self.show_choices(list_of(choices))

        def fits(word: str) -> bool:
            return find(word, choices) is not None or (may_pass and word in NOTHING)

        while True:
            typed = self.ask(prompt, asked=asked, fits=fits)
            if not typed and default:
                return default
            if not typed or (may_pass and typed in NOTHING and find(typed, choices) is None):
                return None
            found = find(typed, choices)
            if found is not None:
                return found
            reason = explain(typed) if explain is not None else ""
            self.wrong(reason or not_there(typed, choices))

    def several(
        self,
        prompt: str,
        choices: Sequence[Choice],
        *,
        asked: QuestionContext = PLAIN,
        default: str = "",
        may_pass: bool = False,
    ) -> list[str] | None:
        """Some of these, separated by commas, or all; None if it was passed over."""
        asked = _of(asked, choices, default or ("nobody" if may_pass else ""))
        self.show_choices(list_of(choices, several=True))

        def named(typed: str) -> list[str | None]:
            if _means_all(typed, choices):
                return [choice.value for choice in choices]
            return [find(word, choices) for word in comma_separated(typed)]

        def fits(word: str) -> bool:
            return None not in named(word) or (may_pass and word in NOTHING)

        while True:
            typed = self.ask(prompt, asked=asked, fits=fits)
            if (not typed and not default) or (typed in NOTHING and may_pass):
                return None
            found = named(typed or default)
            if found and None not in found:
                return list(dict.fromkeys(value for value in found if value is not None))
            lacking = (
                word for word, value in zip(comma_separated(typed), found, strict=False) if value is None
            )
            self.wrong(not_there(next(lacking, ""), choices))

    def choose_and_say(
        self,
        prompt: str,
        choices: Sequence[Choice],
        more: Sequence[Choice],
        *,
        asked: QuestionContext = PLAIN,
        default: str = "",
        several: bool = False,
        may_pass: bool = False,
        explain: Explain | None = None,
    ) -> tuple[list[str], list[str]]:
        """One or some of these, and after a comma what else applies; both empty if it was passed over."""
        everything = [*choices, *more]
        beside = {choice.value for choice in more}
        about = f"{asked.help}\n  Add what else applies after a comma; anything you leave out is as usual."
        asked = _of(replace(asked, help=about), everything, default or ("nobody" if may_pass else ""))
        self.show_choices(list_of(choices, several=several))
        self.show_choices(f"  add after a comma:{list_of(more)}")

        def words_of(typed: str) -> list[str]:
            words = comma_separated(typed)
            # "none, charging" passes over the first list and says what applies all the same.
            return [w for w in words if not (may_pass and w in NOTHING and find(w, everything) is None)]

        def named(typed: str) -> list[str | None]:
            if several and _means_all(typed, everything):
                return [choice.value for choice in choices]
            return [find(word, everything) for word in words_of(typed)]

        def is_answer(found: Sequence[str | None]) -> bool:
            count = sum(value not in beside for value in found)
            return bool(found) and None not in found and (several or count == 1) and (count > 0 or may_pass)

        def fits(word: str) -> bool:
            return is_answer(named(word)) or (may_pass and word in NOTHING)

        while True:
            typed = self.ask(prompt, asked=asked, fits=fits) or default
            if not typed or (may_pass and typed in NOTHING and find(typed, everything) is None):
                return [], []
            found = named(typed)
            if is_answer(found):
                said = [value for value in dict.fromkeys(found) if value is not None]
                return [value for value in said if value not in beside], [
                    value for value in said if value in beside
                ]
            wrong = next(
                (word for word, value in zip(words_of(typed), found, strict=False) if value is None), ""
            )
            reason = explain(wrong) if explain is not None and wrong else ""
            self.wrong(reason or (not_there(wrong, everything) if wrong else "Type one of the first list."))

    def yes_or_no(
        self,
        prompt: str,
        *,
        asked: QuestionContext = PLAIN,
        usual: bool | None = None,
    ) -> bool | None:
        """True or False; None if Enter took the usual answer."""
        shown = {None: "", True: "Y/n", False: "y/N"}[usual]
        asked = _of(asked, (), shown)

        def fits(word: str) -> bool:
            return word.casefold() in YES + NO

        while True:
            typed = self.ask(prompt, asked=asked, fits=fits).casefold()
            if not typed:
                return None
            if fits(typed):
                return typed in YES
            self.wrong("Type y for yes or n for no.")

    def _wrapped(self, text: str) -> str:
        return "\n".join(part for line in text.split("\n") for part in wrapped_line(line, self.width))


def introduction(what: str, file: str) -> str:
    """The first words of a wizard: what the file is about, and the words that work at every question."""
    return (
        f"{what}, saved in {file} as you go. At any question ? explains it, back goes back one answer,"
        " quit stops."
    )


def sanitized(text: str) -> str:
    """The lines without terminal control characters."""
    return "\n".join(sanitize(line) for line in text.split("\n"))


YES, NO = ("y", "yes", "true"), ("n", "no", "false")


def _of(asked: QuestionContext, choices: Sequence[Choice], enter: str) -> QuestionContext:
    """The question with its choices, and with what Enter takes if it did not say so itself."""
    listed = list_of(choices, with_ids=True)
    return replace(
        asked,
        choices=tuple(choices),
        enter=asked.enter or enter,
        taken={"Y/n": "yes", "y/N": "no"}.get(asked.enter or enter, ""),
        help="\n".join(part for part in (asked.help, listed) if part),
    )


def number_of(choices: Sequence[Choice], place: int) -> int:
    """The number of a choice: its own, or its place."""
    return choices[place].number or place + 1


def list_of(choices: Sequence[Choice], *, several: bool = False, with_ids: bool = False) -> str:
    """The choices by number, in rows; with their ids, one to a line."""
    names = [choice.name.casefold() for choice in choices]
    words = []
    for place, choice in enumerate(choices[:LISTED_MAX]):
        doubled = names.count(choice.name.casefold()) > 1 or with_ids
        own_id = f" ({sanitize(choice.value)})" if doubled and choice.value != choice.name else ""
        note = f", {sanitize(choice.note)}" if choice.note else ""
        words.append(f"{number_of(choices, place):>3} {sanitize(choice.name)}{own_id}{note}")
    if len(choices) > LISTED_MAX:
        words.append(f"and {len(choices) - LISTED_MAX} more, by name")
    if several and len(choices) > 1:
        words.append("  a all of them")
    if with_ids:
        return "\n".join(f"  {word}" for word in words)
    return in_rows(words)


def in_rows(words: Sequence[str], *, width: int = 78) -> str:
    """Short words side by side, in as many rows as they need."""
    rows = [""]
    for word in words:
        if rows[-1] and len(rows[-1]) + len(word) + 2 > width:
            rows.append("")
        rows[-1] += f"  {word}"
    return "\n".join(rows)


def find(typed: str, choices: Sequence[Choice]) -> str | None:
    """The choice with that id, number or name, or the only one that begins so."""
    for choice in choices:
        if choice.value == typed:
            return choice.value
    by_number = choice_numbered(typed, choices)
    if by_number is not None:
        return by_number
    word = typed.casefold()
    named = [choice.value for choice in choices if word in (choice.name.casefold(), choice.value.casefold())]
    if not named and word:
        named = [
            choice.value
            for choice in choices
            if choice.name.casefold().startswith(word) or choice.value.casefold().startswith(word)
        ]
    return named[0] if len(set(named)) == 1 else None


def comma_separated(typed: str) -> list[str]:
    """The words between commas."""
    return [word.strip() for word in typed.split(",") if word.strip()]


def _means_all(typed: str, choices: Sequence[Choice]) -> bool:
    """Whether the typed word means all choices, and is not the name of one."""
    return typed in EVERYBODY and not any(typed in (choice.value, choice.name) for choice in choices)


def choice_numbered(typed: str, choices: Sequence[Choice]) -> str | None:
    """The choice with the typed number; None if it is no number, or no choice has it."""
    if not (typed.isascii() and typed.isdecimal() and len(typed) < 4):
        return None
    by_number = {number_of(choices, place): choice.value for place, choice in enumerate(choices)}
    return by_number.get(int(typed))


def not_there(typed: str, choices: Sequence[Choice]) -> str:
    """The message for an answer that is none of these, or may be several."""
    if not typed:
        return "Type one of these, by its number, id or name."
    if typed.casefold() == "undo":
        return "'undo' takes out a whole entry, where entries are chosen. Here 'back' goes back one answer."
    named = [sanitize(choice.value) for choice in choices if choice.name.casefold() == typed.casefold()]
    if len(named) > 1:
        return f"{len(named)} are called {sanitize(typed)[:40]!r}: type {' or '.join(named)}."
    guess = nearest(typed, [choice.value for choice in choices] + [choice.name for choice in choices])
    return f"{sanitize(typed)[:40]!r} is none of these: type a number, an id or a name.{guess}"
