"""The declaration of commands and events, and the registers of both.

A record declares its fields with their kinds, its name in the log, and its sentence; a command also its keys
in files, an event also its effect on the state. Forms, schemas, questions, dispatch and reference pages are
derived from this. A name in the log never changes, but a class may be renamed and moved, so the name is
written out.
"""

from __future__ import annotations

import inspect
import string
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import (
    TYPE_CHECKING,
    Any,
    ClassVar,
    Literal,
    Protocol,
    TypeAlias,
    TypeVar,
    get_args,
    get_type_hints,
)

from tracker.campaign.records.kinds import FieldKind, Note
from tracker.dice import Die
from tracker.records import Record, names_of_fields
from tracker.rules.glossary import USUAL, GameWords

if TYPE_CHECKING:
    from tracker.campaign.state import CampaignState

Game: TypeAlias = Literal["every", "injury_dice", "injury_chart", "warbands"]
"""Which books know a command: every one, those with Injury dice, with an Injury Chart, or with warbands."""


class Wording(Protocol):
    """How a sentence names people and things. Everything it gives is safe to print."""

    @property
    def game(self) -> GameWords:
        """What the campaign's book calls a gang, its house and its money."""

    def fighter(self, fighter: str) -> str:
        """The name of a fighter or vehicle."""

    def gang(self, gang: str) -> str:
        """The name of a gang."""

    def anyone(self, who: str) -> str:
        """The name of a fighter or gang, where either may stand."""

    def territory(self, territory: str, name: str) -> str:
        """The name of a territory, with its id where others are called so."""

    def unmarked(self, fighter: str) -> str:
        """The name of a fighter as it stands within a text."""

    def battle(self, battle: str) -> str:
        """'battle 3 (sump-raid)'."""

    def money(self, amount: int) -> str:
        """'40 credits', in what the campaign's book calls them."""

    def text(self, text: object) -> str:
        """A text as somebody wrote it."""

    def words(self, text: str) -> str:
        """An id as words; anything else as somebody wrote it."""

    def title(self, text: str) -> str:
        """An id as a title, 'Out Cold'; anything else as somebody wrote it."""

    def by(self, fighter: str | None, word: str = "by") -> str:
        """' by Krug', with another word if need be; nothing where nobody is named."""

    def counted(self, number: int, thing: str, things: str | None = None) -> str:
        """'1 Wound', '2 Wounds'; `things` where more of them take no s."""

    def die(self, die: Die) -> str:
        """'wound roll 4', 'Lasting Injury roll 4-6, rolled by the tool'."""

    def face(self, die: Die) -> str:
        """What a die shows: '4', '4-6, rolled by the tool'."""

    def address(self, entry: int, position: int) -> str:
        """'57.3'; an entry's header stands for the whole of it: 'entry 57'."""

    def inches(self, hundredths: int) -> str:
        """'4.5' of 450 hundredths of an inch."""

    def characteristic(self, characteristic: str) -> str:
        """'Ballistic Skill'."""

    def characteristic_value(self, characteristic: str, value: int) -> str:
        """A number with its sign, as on a card: '5"', '4+', '3'."""


class Declared(Record):
    """A command or an event, with a sentence that describes it."""

    sentence: ClassVar[str] = ""
    """The line, with facts in braces: a fighter's id stands as the name, credits as money.

    `{game.gang}` is what the campaign's game calls a gang.
    """

    def in_words(self, wording: Wording) -> str:
        """The record as one line."""
        if not self.sentence:
            raise NotImplementedError(f"{type(self).__name__} declares no sentence")
        return _Sentence(self, wording).format(self.sentence)


class Command(Declared):
    """A request to change a campaign. Imperative; it may be refused, and rolls no die.

    A field named `activation` is filled from the entry that the command stands in.
    """

    def contradiction(self, written: frozenset[str]) -> str | None:  # noqa: ARG002  # most commands have none
        """A sentence about fields that contradict each other, or None; checked for files, never on replay.

        `written` are the fields that the file states, perhaps with their default values.
        """
        return None


class ReasonedCommand(Command):
    """A command with a reason, where somebody gives one."""

    reason: Note | None = None
    """Why, where it is the Arbitrator's word."""

    def in_words(self, wording: Wording) -> str:
        because = f": {wording.text(self.reason)}" if self.reason else ""
        return self.request_in_words(wording) + because

    def request_in_words(self, wording: Wording) -> str:
        """What is asked for, without the reason."""
        return super().in_words(wording)


class Event(Declared):
    """A fact. Past; states its outcome, so that no table is needed to understand it later."""

    def apply(self, state: CampaignState) -> CampaignState:
        """The state after this event; as it was, where the event only informs. Never refuses, never rolls."""
        return state


class Declaration(Record):
    """What a command declares beside its fields.

    `entry` is its key in a post-battle file, `exchange` its key in a battle report. `asks` is what a wizard
    asks for there and in which order (see `documents/wizard/prompts.py`), `activity` the activity of the
    book's sequence that it is part of. `whose` is the field that names the gang (or its fighter, or its
    territory) whose sequence governs it. `stated` are fields that a file never gives, with what they are in a
    command of today; `usual` is what a file means that leaves a field out, where the command itself means
    something else. `game` says which books know it, and `needs` is a section that a book of its games may
    lack. `part` is what a book lacks that does not know it, in players' words; `instead` is the name of the
    command that does the like in other books, and how that one is asked for. `action` is said of what a model
    does of its own: the field with the model, and the book's section that has the action. `only_names` are
    fields with gangs that nothing happens to: their players need not be asked.
    """

    name: str
    game: Game = "injury_dice"
    entry: str | None = None
    exchange: str | None = None
    asks: str | None = None
    activity: str | None = None
    whose: str | None = None
    stated: Mapping[str, Any] = {}
    usual: Mapping[str, Any] = {}
    needs: str | None = None
    part: str = ""
    instead: tuple[str, str] | None = None
    action: tuple[str, str] | None = None
    only_names: tuple[str, ...] = ()


COMMANDS: dict[str, type[Command]] = {}
"""Every command by its name in the log."""
EVENTS: dict[str, type[Event]] = {}
"""Every event by its name in the log."""
NAMES: dict[type[Record], str] = {}
"""The log's name of every command and event."""
DECLARATIONS: dict[type[Command], Declaration] = {}
"""What each command declares."""

AnyCommand = TypeVar("AnyCommand", bound=Command)
AnyEvent = TypeVar("AnyEvent", bound=Event)


def command(name: str, **declared: Any) -> Callable[[type[AnyCommand]], type[AnyCommand]]:
    """Enters a command in the register under its name in the log; the rest is a Declaration's."""

    def enter(kind: type[AnyCommand]) -> type[AnyCommand]:
        assert name not in NAMES.values(), f"{name} is the name of another record"
        COMMANDS[name], NAMES[kind] = kind, name
        DECLARATIONS[kind] = Declaration(name=name, **declared)
        return kind

    return enter


def event(name: str) -> Callable[[type[AnyEvent]], type[AnyEvent]]:
    """Enters an event in the register under its name in the log."""

    def enter(kind: type[AnyEvent]) -> type[AnyEvent]:
        assert name not in NAMES.values(), f"{name} is the name of another record"
        EVENTS[name], NAMES[kind] = kind, name
        return kind

    return enter


@cache
def kinds_of_fields(kind: type[Record]) -> dict[str, str]:
    """The kind of each field that has one: 'fighter', 'credits', 'note'."""
    hints = get_type_hints(kind, include_extras=True)
    kinds = {name: _kind_in(hints[name]) for name in names_of_fields(kind)}
    return {name: known.name for name, known in kinds.items() if known is not None}


def about(kind: type[Record]) -> str:
    """The docstring of a record, as its description."""
    return USUAL.said(inspect.cleandoc(kind.__doc__ or ""))


def _kind_in(hint: Any) -> FieldKind | None:
    """The kind that a type is annotated with, itself or any of its parts."""
    if isinstance(hint, FieldKind):
        return hint
    parts = (*get_args(hint), *getattr(hint, "__metadata__", ()))
    return next((kind for part in parts if (kind := _kind_in(part)) is not None), None)


class _Sentence(string.Formatter):
    """Puts the facts of a record into its sentence, each as its kind is said. `{by:+d}` formats a number."""

    def __init__(self, record: Declared, wording: Wording) -> None:
        self._record, self._wording = record, wording

    def get_field(self, field_name: str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        of, _, word = field_name.partition(".")
        if word:  # no fact has parts
            return getattr(self._wording.game, word), of
        return super().get_field(field_name, args, kwargs)

    def get_value(self, key: int | str, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:  # noqa: ARG002
        value = getattr(self._record, str(key))
        if isinstance(value, tuple):
            return ", ".join(self._said(str(key), part) for part in value)
        if isinstance(value, int) and self._kind(str(key)) != "credits":
            return value
        return self._said(str(key), value)

    def _kind(self, name: str) -> str | None:
        return kinds_of_fields(type(self._record)).get(name)

    def _said(self, name: str, value: Any) -> str:
        wording = self._wording
        match self._kind(name):
            case "fighter" | "vehicle":
                return wording.fighter(value)
            case "gang":
                return wording.gang(value)
            case "battle":
                return wording.battle(value)
            case "credits":
                return wording.money(value)
            case "note":
                return wording.words(value)
            case "row":
                return wording.title(value)
            case _:
                return wording.text(value)
