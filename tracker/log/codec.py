"""The codec: events to plain data and back, by stable names.

Knows the shape of each class. Of an envelope it knows only how to read one fast.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import msgspec

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.dice import Die
from tracker.errors import LogDamaged
from tracker.log.canonical import sorted_json
from tracker.log.store import StoredEvent
from tracker.log.upcasts import SHIPPED, Upcasts
from tracker.records import converted, decoder_of, replace

HEADER = "DecisionTaken"


class EventUnreadable(LogDamaged):
    """Event {seq} of the log ({type}) cannot be read: {why}. Nothing was changed. 'arbitrator audit verify'
    looks whether the log was damaged; a log written by a newer program needs that program.
    """

    seq: int
    type: str
    why: str


class _Policy(msgspec.Struct):
    version: str
    digest: str


Data = TypeVar("Data")


class _Envelope(msgspec.Struct, Generic[Data]):
    """The fields of an envelope that are needed to read its event; the store checks the rest."""

    type: str
    shape: int
    at: str
    actor: str
    policy: _Policy
    causation: int | None
    data: Data


class _CommandWritten(msgspec.Struct):
    name: str
    shape: int
    given: msgspec.Raw


class _InTurnWritten(msgspec.Struct):
    commands: tuple[_CommandWritten, ...]


class _AmendmentWritten(msgspec.Struct):
    command: _CommandWritten


class _RulingWritten(msgspec.Struct):
    amended: dict[int, _AmendmentWritten]


class _Header(msgspec.Struct):
    command: _CommandWritten
    dice: tuple[Die, ...]
    spare: tuple[Die, ...]
    note: str | None
    sent: records.IdempotencyKey | None = None


class Codec:
    """Reads and writes events; older shapes are lifted by `upcasts`."""

    def __init__(self, upcasts: Upcasts = SHIPPED) -> None:
        self._upcasts = upcasts
        self._whole: dict[str, tuple[msgspec.json.Decoder[_Envelope[Any]], int]] = {}
        self._known: dict[str, type[Any]] = {**records.EVENTS, **records.COMMANDS}

    def name_of(self, event: records.Event) -> tuple[str, int]:
        """The stable name of an event, and its shape."""
        name = records.NAMES[type(event)]
        return name, self._upcasts.shape_of(name)

    def written(self, event: records.Event) -> bytes:
        """The event as the JSON of its data, for an envelope."""
        return sorted_json(
            self._with_name_of_command(event) if isinstance(event, records.DecisionTaken) else event
        )

    def _with_name_of_command(self, header: records.DecisionTaken) -> dict[str, Any]:
        data: dict[str, Any] = {
            "command": self._command_written(header.command),
            "dice": header.dice,
            "spare": header.spare,
            "note": header.note,
        }
        return data if header.sent is None else {**data, "sent": header.sent}

    def _command_written(self, command: records.Command) -> dict[str, Any]:
        name = records.NAMES[type(command)]
        given: Any = command
        if isinstance(command, records.RuleOnDispute):
            given = self._ruling_written(command)
        elif isinstance(command, records.PlayInTurn):
            given = {"commands": [self._command_written(each) for each in command.commands]}
        return {"name": name, "shape": self._upcasts.shape_of(name), "given": given}

    def _ruling_written(self, ruling: records.RuleOnDispute) -> dict[str, Any]:
        """A ruling, with the commands of its amendments by name; older rulings lack that key."""
        given = msgspec.structs.asdict(ruling)
        if given.pop("amended") is not None:
            given["amended"] = {
                slot: self._amendment_written(amendment) for slot, amendment in (ruling.amended or {}).items()
            }
        return given

    def _amendment_written(self, amendment: records.Amendment) -> dict[str, Any]:
        written = {"command": self._command_written(amendment.command), "dice": amendment.dice}
        return written if amendment.note is None else {**written, "note": amendment.note}

    def read(self, stored: StoredEvent, position: int) -> RecordedEvent:
        """A stored event, decoded. Raises EventUnreadable, which names the event."""
        envelope = self._opened(stored)
        return RecordedEvent(
            seq=stored.seq,
            entry=stored.entry,
            position=position,
            slot=stored.slot,
            at=envelope.at,
            actor=envelope.actor,
            policy_version=envelope.policy.version,
            policy_digest=envelope.policy.digest,
            causation=envelope.causation,
            event=envelope.data,
        )

    def event(self, stored: StoredEvent) -> records.Event:
        """The event alone, without its envelope. Raises EventUnreadable."""
        event: records.Event = self._opened(stored).data
        return event

    def _opened(self, stored: StoredEvent) -> _Envelope[Any]:
        """An envelope with its event decoded: in one pass if it has today's shape, else step by step."""
        name = stored.type
        try:
            decoder, newest = self._whole.get(name) or self._as_today(name)
            envelope = decoder.decode(stored.body)
            if envelope.type == name and envelope.shape == newest:
                if name == HEADER:
                    envelope.data = self._with_command(envelope.data)
                return envelope
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, KeyError):
            pass  # decoding step by step finds the fault
        return self._opened_by_steps(stored)

    def _as_today(self, name: str) -> tuple[msgspec.json.Decoder[_Envelope[Any]], int]:
        kind = _Header if name == HEADER else records.EVENTS[name]
        self._whole[name] = decoder_of(_Envelope[kind]), self._upcasts.shape_of(name)  # type: ignore[valid-type]
        return self._whole[name]

    def _opened_by_steps(self, stored: StoredEvent) -> _Envelope[Any]:
        try:
            envelope: _Envelope[Any] = decoder_of(_Envelope[msgspec.Raw]).decode(stored.body)
            if envelope.type == HEADER:
                envelope.data = self._read_header(envelope.shape, envelope.data)
            else:
                if envelope.type not in records.EVENTS:
                    raise EventUnreadable(
                        seq=stored.seq, type=envelope.type, why="this program knows no such event"
                    )
                envelope.data = self._read_data(envelope.type, envelope.shape, envelope.data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, KeyError) as wrong:
            raise EventUnreadable(seq=stored.seq, type=stored.type, why=str(wrong)) from wrong
        return envelope

    def _read_header(self, shape: int, data: msgspec.Raw) -> records.DecisionTaken:
        if self._is_older(HEADER, shape):
            data = msgspec.Raw(msgspec.json.encode(self._lifted(HEADER, shape, data)))
        return self._with_command(decoder_of(_Header).decode(data))

    def _with_command(self, header: _Header) -> records.DecisionTaken:
        command = self._read_command(header.command)
        return records.DecisionTaken(
            command=command, dice=header.dice, spare=header.spare, note=header.note, sent=header.sent
        )

    def _read_command(self, written: _CommandWritten) -> records.Command:
        if written.name not in records.COMMANDS:
            raise msgspec.ValidationError(f"this program knows no such command as its {written.name!r}")
        command: records.Command = self._read_data(written.name, written.shape, written.given)
        if isinstance(command, records.PlayInTurn):
            parts = decoder_of(_InTurnWritten).decode(written.given).commands
            return replace(command, commands=tuple(map(self._read_command, parts)))
        if isinstance(command, records.RuleOnDispute) and command.amended is not None:
            # The names of these commands are stored beside them.
            named = decoder_of(_RulingWritten).decode(written.given).amended
            return replace(
                command,
                amended={
                    slot: replace(amendment, command=self._read_command(named[slot].command))
                    for slot, amendment in command.amended.items()
                },
            )
        return command

    def _read_data(self, name: str, shape: int, data: msgspec.Raw) -> Any:
        if self._is_older(name, shape):
            return converted(self._lifted(name, shape, data), self._known[name])
        return decoder_of(self._known[name]).decode(data)

    def _is_older(self, name: str, shape: int) -> bool:
        newest = self._upcasts.shape_of(name)
        if shape > newest:
            raise msgspec.ValidationError(f"shape {shape} of {name} is newer than this program's {newest}")
        return shape < newest

    def _lifted(self, name: str, shape: int, data: msgspec.Raw) -> dict[str, Any]:
        return self._upcasts.lift(name, shape, msgspec.json.decode(data))
