"""The codec: every event and command has a name for ever, comes back as it went in, and a stranger is refused."""

import unicodedata
from functools import cache
from random import Random
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from msgspec import UNSET, UnsetType
from tables import every

from tracker.campaign import records
from tracker.dice import Die
from tracker.log.canonical import canonical_bytes
from tracker.log.codec import Codec, EventUnreadable
from tracker.log.store import StoredEvent
from tracker.records import Record, names_of_fields

CODEC = Codec()
NOWHERE: dict[str, Any] = {"seq": 7, "entry": 3, "slot": 3, "leaf": b""}


def stored(type_: str, data: Any, *, shape: int = 1) -> StoredEvent:
    """One event as a row holds it; hashes are the store's business."""
    envelope = {
        "v": 1,
        "campaign": "c",
        "seq": 7,
        "entry": 3,
        "slot": 3,
        "id": "0190a000-0000-7000-8000-000000000001",
        "type": type_,
        "shape": shape,
        "at": "2026-11-21T10:00:00Z",
        "actor": "arbitrator",
        "policy": {"version": "core@1", "digest": "ab"},
        "causation": None,
        "prev": "00" * 32,
        "data": data,
    }
    return StoredEvent(type=type_, body=canonical_bytes(envelope), **NOWHERE)


def header(name: str, given_: Any, *, shape: int = 1) -> StoredEvent:
    """A header as a row holds it."""
    command = {"name": name, "shape": shape, "given": given_}
    return stored("DecisionTaken", {"command": command, "dice": [], "spare": [], "note": None})


# --- names -----------------------------------------------------------------------------------------------


def test_every_event_and_command_has_a_name() -> None:
    assert set(records.EVENTS.values()) == set(records.EVENTS.values())
    assert set(records.COMMANDS.values()) == set(records.COMMANDS.values())


def test_no_two_things_share_a_name() -> None:
    assert not records.EVENTS.keys() & records.COMMANDS.keys()
    assert len({*records.EVENTS.values(), *records.COMMANDS.values()}) == len(records.EVENTS) + len(
        records.COMMANDS
    )


# --- there and back --------------------------------------------------------------------------------------

# Text and whole numbers that canonical JSON keeps; keys are ids.
WRITTEN = [
    character
    for character in map(chr, range(0x30000))
    if (category := unicodedata.category(character))[0] in "LNP" or category == "Zs"
]
ASCII = [character for character in WRITTEN if character.isascii()]
LAST = 2**53 - 1
OF_COMMANDS = (records.RuleOnDispute, records.PlayInTurn)
"""What holds commands itself comes once, not within each other."""
INNER = [kind for kind in records.COMMANDS.values() if kind not in OF_COMMANDS]
EXAMPLES = 20
"""Of each event and command."""


class Made:
    """Whatever a type hint of an event or a command lets through, by chance from one seed."""

    def __init__(self, seed: str) -> None:
        self.chance = Random(seed)

    def value(self, hint: Any) -> Any:
        chance, parts = self.chance, get_args(hint)
        match get_origin(hint):
            case None if hint is records.Command:
                return self.value(chance.choice(INNER))
            case None if issubclass(hint, Record):
                return hint(**{name: self.value(of_field) for name, of_field in hints_of(hint).items()})
            case None:
                return self.plain(hint)
            case origin if origin is Literal:
                return chance.choice(parts)
            case origin if origin is tuple and parts[1:] != (...,):
                return tuple(map(self.value, parts))
            case origin if origin is tuple:
                return tuple(self.value(parts[0]) for _ in range(chance.randint(0, 2)))
            case origin if origin is dict:
                keys = {self.key() if parts[0] is str else self.number() for _ in range(chance.randint(0, 2))}
                return {key: self.value(parts[1]) for key in keys}
            case _:
                return self.value(chance.choice(parts))

    def plain(self, hint: Any) -> Any:
        plain = {
            str: self.text, int: self.number, bool: lambda: self.chance.random() < 0.5, NoneType: lambda: None,
            UnsetType: lambda: UNSET,
        }  # fmt: skip
        return plain[hint]()

    def text(self) -> str:
        of = self.chance.choice((ASCII, WRITTEN))
        return unicodedata.normalize("NFC", "".join(self.chance.choices(of, k=self.chance.randint(0, 8))))

    def key(self) -> str:
        return "".join(self.chance.choices("abcxyz-0_.", k=self.chance.randint(0, 8)))

    def number(self) -> int:
        return self.chance.choice((-LAST, -1, 0, 1, LAST, self.chance.randint(-LAST, LAST)))


@cache
def hints_of(kind: type[Record]) -> dict[str, Any]:
    hints = get_type_hints(kind)
    return {name: hints[name] for name in names_of_fields(kind)}


@every("name", records.EVENTS)
def test_an_event_comes_back_as_it_went_in(name: str) -> None:
    made = Made(name)
    for event in (made.value(records.EVENTS[name]) for _ in range(EXAMPLES)):
        plain = msgspec.json.decode(CODEC.written(event))
        assert canonical_bytes(plain) == CODEC.written(event)
        type_, shape = CODEC.name_of(event)

        read = CODEC.read(stored(type_, plain, shape=shape), 2)

        assert read.event == event
        assert type(read.event) is type(event)
        assert (read.seq, read.entry, read.position, read.address) == (7, 3, 2, "3.2")


@every("name", records.COMMANDS)
def test_a_command_comes_back_in_its_header(name: str) -> None:
    made = Made(name)
    for command in (made.value(records.COMMANDS[name]) for _ in range(EXAMPLES)):
        event = records.DecisionTaken(command=command, note="noted")
        plain = msgspec.json.decode(CODEC.written(event))
        assert canonical_bytes(plain) == CODEC.written(event)

        read = CODEC.read(stored("DecisionTaken", plain), 1)

        assert read.event == event
        assert type(read.event.command) is type(command)  # type: ignore[union-attr]  # a header, as just seen


def test_what_is_kept_is_plain_records_all_the_way_down() -> None:
    for kind in (*records.EVENTS.values(), *records.COMMANDS.values()):
        assert issubclass(kind, Record)
        assert kind.__struct_config__.frozen
        assert not [name for name in names_of_fields(kind) if not name.isascii()]


# --- strangers -------------------------------------------------------------------------------------------


def unreadable(event: StoredEvent) -> str:
    with pytest.raises(EventUnreadable) as refused:
        CODEC.read(event, 1)
    assert refused.value.seq == 7
    assert refused.value.exit_code == 4
    return refused.value.message()


def test_an_unknown_event_is_refused_with_its_name_and_place() -> None:
    message = unreadable(stored("FighterAscended", {"fighter": "vex"}))
    assert message.startswith(
        "Event 7 of the log (FighterAscended) cannot be read: this program knows no such event."
    )


def test_an_unknown_command_is_refused_with_its_name_and_place() -> None:
    message = unreadable(header("FlyToMars", {}))
    assert "Event 7 of the log (DecisionTaken)" in message
    assert "'FlyToMars'" in message


def test_an_event_is_no_command() -> None:
    assert "'FighterDied'" in unreadable(header("FighterDied", {"fighter": "vex", "why": "x"}))


@every(
    "event",
    [
        stored("FighterDied", {"fighter": "vex", "why": "x"}, shape=2),
        header("RenameFighter", {"fighter": "vex", "name": "Vex"}, shape=2),
        stored("DecisionTaken", header("RenameFighter", {}).body.decode(), shape=2),
    ],
    ids=["event", "command", "header"],
)
def test_a_shape_newer_than_this_program_is_refused_and_says_so(event: StoredEvent) -> None:
    assert "newer than this program's 1" in unreadable(event)


@every(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b'{"type": "FighterDied"}',
        b"\xff",
        b"[" * 100_000,
        stored("FighterDied", {"fighter": 7, "why": "x"}).body,
        stored("FighterDied", {"why": "x"}).body,
        stored("FighterDied", None).body,
        header("RenameFighter", None).body,
    ],
)
def test_bytes_that_are_no_event_are_refused_with_their_place(body: bytes) -> None:
    message = unreadable(StoredEvent(type="FighterDied", body=body, **NOWHERE))
    assert message.startswith("Event 7 of the log (FighterDied) cannot be read: ")


def test_an_event_is_read_from_its_bytes_and_not_from_the_columns_of_its_row() -> None:
    died = stored("FighterDied", {"fighter": "vex", "why": "x"})
    read = CODEC.read(died, 1)
    assert CODEC.event(died) == read.event
    for said in ("FighterWebbed", "DecisionTaken", "FighterAscended"):
        assert CODEC.read(died._replace(type=said), 1) == read


def test_a_read_header_holds_the_command_itself() -> None:
    read = CODEC.read(header("RenameFighter", {"fighter": "vex", "name": "Vex"}), 1)
    assert read.event == records.DecisionTaken(command=records.RenameFighter(fighter="vex", name="Vex"))


# --- commands within a ruling ----------------------------------------------------------------------------


def written_and_read(command: records.Command) -> tuple[bytes, records.Command]:
    body = CODEC.written(records.DecisionTaken(command=command))
    event = CODEC.event(stored("DecisionTaken", msgspec.json.decode(body)))
    assert isinstance(event, records.DecisionTaken)
    return body, event.command


def test_what_a_ruling_amends_comes_back_as_the_commands_that_it_was() -> None:
    amended = {
        5: records.Amendment(command=records.StateOutcome(target="vex", outcome="flesh_wound")),
        12: records.Amendment(
            command=records.AwardExperience(fighter="vex", amount=1, reason="won"),
            dice=(Die(purpose="wound", die="D6", faces=(4,)),),
        ),
    }
    ruling = records.RuleOnDispute(dispute=0, verdict="amended", reason="typed wrong", amended=amended)
    body, read = written_and_read(ruling)
    assert read == ruling
    assert b'"name":"StateOutcome"' in body


def test_a_ruling_that_amends_nothing_is_written_as_it_was_before_there_were_amendments() -> None:
    ruling = records.RuleOnDispute(dispute=61, verdict="confirmed", reason="it lay flat")
    body, read = written_and_read(ruling)
    assert read == ruling
    assert b"amended" not in body


def test_a_ruling_that_amends_to_a_stranger_is_refused() -> None:
    ruling = {"dispute": 0, "verdict": "amended", "reason": "x"}
    ruling["amended"] = {"5": {"command": {"name": "Juggle", "shape": 1, "given": {}}, "dice": None}}
    with pytest.raises(EventUnreadable) as refused:
        CODEC.event(header("RuleOnDispute", ruling))
    assert "this program knows no such command as its 'Juggle'" in refused.value.message()
