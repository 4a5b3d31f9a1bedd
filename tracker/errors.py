"""Refusals: the program's expected errors, with their families and exit codes.

Knows no rule, no file and no database: each layer derives its own refusals from these. A refusal is declared
once: its fields are its facts, its docstring is its message, its class name gives its stable code.
"""

from __future__ import annotations

import difflib
import re
import string
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, TypeAlias, dataclass_transform

DONE_NOT_SHOWN = 5
"""The exit code if the work is done and stored, but could not be shown: a repetition may do it twice."""


class FilePosition(NamedTuple):
    """The place in a file of what was refused. Lines and columns count from 1, as in editors."""

    file: str | None = None
    line: int | None = None
    column: int | None = None
    entry: int | None = None
    """The entry of the file."""


@dataclass_transform()
class Refusal(Exception):
    """{args}"""

    exit_code = 1
    in_file: FilePosition = FilePosition()
    """Set by the reader of the file; empty if there is no file."""
    game_words: object = None
    """The `GameWords` of the campaign that it is about, set by who knows it."""
    rules_out = False
    """Whether no other answer of the entry can make it right. What causes it is then never offered."""
    lacks = ""
    """The key of the entry that would say what is missing. Conversations ask for it."""
    _fields: ClassVar[dict[str, Any]] = {}
    """Each fact with its default, or `...` where it must be given."""

    def __init_subclass__(cls) -> None:
        own = {name: getattr(cls, name, ...) for name in cls.__annotations__ if name != "_fields"}
        cls._fields = {**cls._fields, **own}

    def __init__(self, *args: Any, **facts: Any) -> None:
        super().__init__(*args)
        facts = {**dict(zip(self._fields, args, strict=False)), **facts}
        for name, default in self._fields.items():
            value = facts.pop(name, default)
            if value is ...:
                raise TypeError(f"{type(self).__name__} needs the fact {name!r}")
            setattr(self, name, value)
        if self._fields and (facts or len(args) > len(self._fields)):
            raise TypeError(f"{type(self).__name__} has no fact {', '.join(facts)}")

    @classmethod
    def code_of_kind(cls) -> str:
        """The refusal's stable name for programs, as 'fighter_not_enlisted'."""
        return _CAPITAL.sub("_", cls.__name__).lower()

    @classmethod
    def names_of_facts(cls) -> tuple[str, ...]:
        """The names of the facts of this kind of refusal."""
        return tuple(cls._fields)

    @property
    def code(self) -> str:
        """The refusal's stable name for programs."""
        return self.code_of_kind()

    def message(self) -> str:
        """One paragraph for a person: what, where, why, what next."""
        documented = next((kind for kind in type(self).__mro__ if kind.__doc__), type(self))
        if not self._fields and self.args:
            return str(self.args[0])
        return _Template(self.facts(), self.game_words).format(in_one_line(documented.__doc__))

    def facts(self) -> dict[str, Any]:
        """The facts behind the message, for programs."""
        return {name: getattr(self, name) for name in self._fields}

    def itself(self) -> Refusal:
        """The refusal itself, for one that only adds which entry of a file it was."""
        return self

    def each(self) -> tuple[Refusal, ...]:
        """The refusals gathered in this one, for a file that is refused for several reasons."""
        return ()

    def called(self, usual: str) -> str:
        """The campaign's own word for 'gang', 'House' or 'credits'."""
        return word_of(self.game_words, usual)

    def in_words_of(self, game: object) -> None:
        """Use that game's words for gang, House and credits, here and in the refusals within."""
        self.game_words = game
        for other in {*self.each(), self.itself()} - {self}:
            other.in_words_of(game)

    def __str__(self) -> str:
        return self.message()


class RulesRefuse(Refusal):
    """The rules or the state of the campaign forbid it."""

    exit_code = 1


class BadInput(Refusal):
    """What was typed or written cannot be read, or dice are missing."""

    exit_code = 2


class ChoiceOption(NamedTuple):
    """One option of a choice: its value in an entry, and its name for players."""

    said: Any
    words: str


class ChoiceLeft(BadInput):
    """A choice that the rules leave to a player. Conversations ask for it and put the answer in the entry."""

    key = ""
    """The key of the entry that holds the answer. Where it is a list, the answer is appended."""

    @property
    def model(self) -> str | None:
        """The id of the model concerned, if an entry may hold the answer for several models."""
        return None

    def question(self) -> str:
        """The question for the player."""
        raise NotImplementedError

    def offered(self) -> Sequence[ChoiceOption]:
        """The options; empty if no choice helps."""
        raise NotImplementedError

    def usual(self) -> Any:
        """The value that counts if the entry leaves it out; None if it must not."""
        return None


Asks: TypeAlias = Callable[[ChoiceLeft], bool]
"""Decides whether to ask for a choice that an entry may also leave out."""


class Stale(Refusal):
    """Somebody else was faster, or the database is busy: trying again may work."""

    exit_code = 3


class LogDamaged(Refusal):
    """The log, or something that should follow from it, is not what it must be."""

    exit_code = 4


_WORDS = re.compile(r"[-_ ]+")
_CAPITAL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def in_one_line(docstring: str | None) -> str:
    """A docstring as one paragraph."""
    return " ".join((docstring or "").split())


class _Template(string.Formatter):
    """Fills facts into a message. Several values are joined by commas.

    Formats: `:or nothing` is the text for an empty fact; `:nearest` suggests one of the fact `known`
    (`:nearest or It lists` names all of them if nothing is close); `:words` shows an id as words; others,
    such as `:,`, are Python's own. `{game.gang}` is the campaign's word for a gang, or 'gang' if no game is
    known.
    """

    def __init__(self, facts: Mapping[str, Any], game: object = None) -> None:
        self._facts, self._game = facts, game

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        of, _, word = field_name.partition(".")
        if word:  # no fact has parts
            return word_of(self._game, word), of
        return super().get_field(field_name, args, kwargs)

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:  # noqa: ARG002
        return self._facts[str(key)]

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec.startswith("nearest"):
            known, heading = self._facts["known"], format_spec.removeprefix("nearest or ")
            guess = nearest(value, known)
            return guess if guess or heading == format_spec else f" {heading}: {', '.join(known) or 'none'}."
        text = ", ".join(map(str, value)) if isinstance(value, tuple | list) else str(value)
        if format_spec == "words":
            return text.replace("_", " ")
        if format_spec.startswith("or "):
            return text if value else format_spec.removeprefix("or ")
        return format(value, format_spec) if format_spec else text


def word_of(game: object, usual: str) -> str:
    """A word of `GameWords`, by its usual word; the usual word itself if no game is known."""
    return usual if game is None else str(getattr(game, usual))


def nearest(word: str, known: Iterable[str]) -> str:
    """A suffix for messages: ' Did you mean X?', or '' if nothing is close or contains the word."""
    names = {name.lower(): name for name in known}
    close = difflib.get_close_matches(word.lower(), names, n=1, cutoff=0.6)
    close = close or [name for name in names if word.lower() in _WORDS.split(name)]
    return f" Did you mean {names[close[0]]!r}?" if len(close) == 1 else ""
