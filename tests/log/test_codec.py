"""The codec: every event and command has a name for ever, comes back as it went in, and a stranger is refused."""

import unicodedata
from functools import cache, partial
from types import NoneType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
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
NFC = partial(unicodedata.normalize, "NFC")
TEXT = st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), max_size=8).map(NFC)
KEY = st.text("abcxyz-0_.", max_size=8)
NUMBER = st.integers(-(2**53) + 1, 2**53 - 1)
PLAIN = {str: TEXT, int: NUMBER, bool: st.booleans(), NoneType: st.none(), UnsetType: st.just(UNSET)}
OF_COMMANDS = (records.RuleOnDispute, records.PlayInTurn)
"""What holds commands itself comes once, not within each other."""


@cache
def anything(hint: Any) -> st.SearchStrategy[Any]:
    """Whatever a type hint of an event or a command lets through."""
    parts = get_args(hint)
    match get_origin(hint):
        case None if hint is records.Command:
            kinds = [kind for kind in records.COMMANDS.values() if kind not in OF_COMMANDS]
            return st.sampled_from(kinds).flatmap(anything)
        case None if issubclass(hint, Record):
            hints = get_type_hints(hint)
            return st.builds(hint, **{name: anything(hints[name]) for name in names_of_fields(hint)})
        case None:
            return PLAIN[hint]
        case origin if origin is Literal:
            return st.sampled_from(parts)
        case origin if origin is tuple and parts[1:] != (...,):
            return st.tuples(*map(anything, parts))
        case origin if origin is tuple:
            return st.lists(anything(parts[0]), max_size=2).map(tuple)
        case origin if origin is dict:
            return st.dictionaries(KEY if parts[0] is str else NUMBER, anything(parts[1]), max_size=2)
        case _:
            return st.one_of([anything(part) for part in parts])


@every("name", records.EVENTS)
def test_an_event_comes_back_as_it_went_in(name: str) -> None:
    @settings(max_examples=15)
    @given(anything(records.EVENTS[name]))
    def comes_back(event: Any) -> None:
        plain = msgspec.json.decode(CODEC.written(event))
        assert canonical_bytes(plain) == CODEC.written(event)
        type_, shape = CODEC.name_of(event)

        read = CODEC.read(stored(type_, plain, shape=shape), 2)

        assert read.event == event
        assert type(read.event) is type(event)
        assert (read.seq, read.entry, read.position, read.address) == (7, 3, 2, "3.2")

    comes_back()


@every("name", records.COMMANDS)
def test_a_command_comes_back_in_its_header(name: str) -> None:
    @settings(max_examples=15)
    @given(anything(records.COMMANDS[name]))
    def comes_back(command: Any) -> None:
        event = records.DecisionTaken(command=command, note="noted")
        plain = msgspec.json.decode(CODEC.written(event))
        assert canonical_bytes(plain) == CODEC.written(event)

        read = CODEC.read(stored("DecisionTaken", plain), 1)

        assert read.event == event
        assert type(read.event.command) is type(command)  # type: ignore[union-attr]  # a header, as just seen

    comes_back()


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


def test_an_event_is_read_as_its_bytes_say_whatever_its_row_says() -> None:
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
