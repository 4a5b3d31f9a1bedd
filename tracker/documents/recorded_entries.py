"""Recorded entries: a command of the log as the entry of a file that asks for it, and that entry changed.

Knows the forms of battle reports and post-battle files. The form reads the entry as exactly this command.
There is no entry if the command came from an armoury that is not at hand, or if no file can express it today.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, cast

import msgspec
from pydantic import ValidationError

from tracker.campaign import records
from tracker.campaign.rulings.entry_parts import copy_stated_fields
from tracker.dice import Die
from tracker.documents.armoury import NoArmoury, NotInArmoury, PriceLookup
from tracker.documents.battle_report import Entry as BattleEntry
from tracker.documents.battle_report import entry_decision
from tracker.documents.derived_forms import annotation_of
from tracker.documents.nodes import Document
from tracker.documents.planned_decisions import DiceReader
from tracker.documents.post_battle import ENTRIES
from tracker.documents.post_battle import Entry as PostBattleEntry
from tracker.documents.post_battle_entries import MarketEntry
from tracker.documents.refusals import SyntaxWrong
from tracker.documents.report_entries import EXCHANGES
from tracker.documents.text import clean_note
from tracker.documents.validation import Problems, StrictModel, validated
from tracker.documents.wizard.writing import block, flow
from tracker.documents.yaml_reader import parse_document
from tracker.errors import BadInput
from tracker.records import Record
from tracker.rules.rulebook import DicePurpose

WHAT: Final = "entry"
BESIDE: Final = ("dice", "activation")
NOTE: Final = "note"
"""Keys that stand beside an entry's own."""


class EntryHasNoForm(BadInput):
    """Entry {entry} ({command}) cannot be put right key by key: {why}."""

    entry: int
    command: str
    why: str


class NotAKeyAndValue(BadInput):
    """--set {given!r} is not understood. Write KEY=VALUE with a key of the entry, such as by=vesk; dice as
    dice.PURPOSE=FACES, such as dice.wound=4; its note as note=TEXT. KEY= takes a key out.
    """

    given: str


class RecordedEntry(Record):
    """An entry of a file: `model` reads it, `kind` is its key there, `content` what stands under it."""

    model: type[StrictModel]
    kind: str
    content: dict[str, Any]
    activation: str | None = None


class KeyAmended(Record):
    """What an entry says under a key, as it was recorded and as it should have been; None: nothing."""

    key: str
    before: str | None
    after: str | None

    def __str__(self) -> str:
        return f"{self.key} {self.before or 'nothing'} -> {self.after or 'nothing'}"


class AmendedEntry(Record):
    """An entry as it should have been: its command, the dice that it gives, each key that differs."""

    command: records.Command
    dice: tuple[Die, ...]
    keys: tuple[KeyAmended, ...]
    note: str | None = None
    """What should have stood beside it, "" for nothing; None: what stands there."""


def recorded_entry(command: records.Command, lookup: PriceLookup) -> RecordedEntry | None:
    """The entry of a file that asks for this very command; None where none is known."""
    activation = getattr(command, "activation", None)
    for model, kind, form in _forms():
        makes = getattr(form, "makes_one_of", (getattr(form, "makes", None),))
        if type(command) not in makes:
            continue
        said = form.stated_of(command)
        if _command_stated(form, said, activation, lookup, command) == command:
            return RecordedEntry(model=model, kind=kind, content=said, activation=activation)
    return None


def amended_entry(
    recorded: records.Command,
    sets: Sequence[str],
    *,
    entry: int,
    purposes: Mapping[str, DicePurpose],
    lookup: PriceLookup,
) -> AmendedEntry:
    """The entry of a recorded command with some keys set. Raises what the form has against it."""
    notes = [
        text for key, equals, text in (given.partition("=") for given in sets) if (key, equals) == (NOTE, "=")
    ]
    note = clean_note(notes[-1].strip()) if notes and notes[-1].strip() else "" if notes else None
    sets = [given for given in sets if not given.startswith(f"{NOTE}=")]
    if not sets:
        return AmendedEntry(command=recorded, dice=(), keys=(), note=note)
    form = recorded_entry(recorded, lookup)
    if form is None:
        raise EntryHasNoForm(entry=entry, command=type(recorded).__name__, why=_why_no_form(recorded))
    said: dict[str, Any] = {form.kind: {**form.content}}
    if form.activation is not None:
        said["activation"] = form.activation
    before = _flat(said, form.kind)
    for given in sets:
        _set(said, form.kind, given)
    written = block(said)
    document = parse_document(written, file="the amended entry")
    command, dice = _read(form, document, purposes=purposes, lookup=lookup)
    after = _flat({key: value for key, value in said.items() if key != "dice"}, form.kind)
    return AmendedEntry(
        command=copy_stated_fields(command, recorded),
        dice=dice,
        note=note,
        keys=tuple(amended for amended in _differences(before, after) if amended.key != "lasting_injury"),
    )


def keys_amended(
    before: records.Command, after: records.Command, lookup: PriceLookup
) -> tuple[KeyAmended, ...]:
    """What differs between two commands of one kind, by the keys of its file; without one, by its fields."""
    was, now = (recorded_entry(command, lookup) for command in (before, after))
    if was is not None and now is not None and was.kind == now.kind:
        old, new = _flat({was.kind: was.content}, was.kind), _flat({now.kind: now.content}, now.kind)
    else:
        old, new = _fields(before), _fields(after)
    return _differences(old, new)


def cards_amended(before: records.Command, after: records.Command) -> tuple[KeyAmended, ...]:
    """What differs between two enlistments, card by card: 'vex characteristics.ballistic_skill'."""
    was, now = (dict(_card_lines(msgspec.to_builtins(command, str_keys=True))) for command in (before, after))
    gone = {path.partition(" ")[0] for path in was if " " in path} - {path.partition(" ")[0] for path in now}
    added = {path.partition(" ")[0] for path in now if " " in path} - {path.partition(" ")[0] for path in was}
    rows = [KeyAmended(key=card, before="on the sheet", after=None) for card in sorted(gone)]
    rows += [KeyAmended(key=card, before=None, after="on the sheet") for card in sorted(added)]
    rows += [row for row in _differences(was, now) if row.key.partition(" ")[0] not in gone | added]
    return tuple(rows)


def _differences(before: Mapping[str, str], after: Mapping[str, str]) -> tuple[KeyAmended, ...]:
    return tuple(
        KeyAmended(key=key, before=before.get(key), after=after.get(key))
        for key in dict.fromkeys((*before, *after))
        if before.get(key) != after.get(key)
    )


def _card_lines(enlisted: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """What an enlistment says, each on one line: of the gang by its key, of a card with whose it is."""
    for key, value in enlisted.items():
        cards = value if key in ("fighters", "vehicles") else [value] if key == "card" else None
        if cards is None:
            yield key, flow(value)
        for card in cards or ():
            whose = card.get("fighter") or card.get("vehicle")
            for name, said in card.items():
                inner = said if name == "characteristics" and isinstance(said, Mapping) else None
                if inner is None:
                    yield f"{whose} {name}", flow(said)
                else:
                    yield from ((f"{whose} {short}", flow(number)) for short, number in inner.items())


def _fields(command: records.Command) -> dict[str, str]:
    plain = msgspec.to_builtins(command, str_keys=True, order="sorted")
    return {name: flow(value) for name, value in plain.items()}


def _why_no_form(recorded: records.Command) -> str:
    match recorded:
        case records.OpenBattle() | records.CloseBattle():
            return "who fought and how it ended is put right with 'arbitrator battle amend BATTLE FILE'"
        case records.EnlistGang() | records.EnlistFighter():
            return "cards are put right with 'arbitrator gang amend FILE'"
        case _:
            return (
                "no file says it so; void it with 'arbitrator dispute' and record it again, or give --armoury"
            )


def _set(said: dict[str, Any], kind: str, given: str) -> None:
    """Put what was typed as KEY=VALUE into an entry."""
    key, equals, text = given.partition("=")
    steps = [step.strip() for step in key.split(".")]
    if not equals or not all(steps):
        raise NotAKeyAndValue(given=given)
    inner: Any = said if steps[0] in BESIDE else said[kind]
    for step in steps[:-1]:
        inner[step] = {**inner[step]} if isinstance(inner.get(step), dict) else {}
        inner = inner[step]
    if text.strip():
        inner[steps[-1]] = text if steps == ["activation"] else _value(text)
    else:
        inner.pop(steps[-1], None)


def _value(text: str) -> Any:
    """What was typed, read as a file would read it; what is no YAML is a text."""
    try:
        document = parse_document(f"value: {text}", file="--set")
    except SyntaxWrong:
        return text
    value = document.root.child("value")
    return text if value is None else value.plain()


def _flat(said: Mapping[str, Any], kind: str) -> dict[str, str]:
    """What an entry says, by key, each on one line."""
    beside = {key: value for key, value in said.items() if key != kind}
    return {key: flow(value) for key, value in {**said[kind], **beside}.items()}


def _read(
    form: RecordedEntry, document: Document, *, purposes: Mapping[str, DicePurpose], lookup: PriceLookup
) -> tuple[records.Command, tuple[Die, ...]]:
    entry: Any = validated(form.model, document, what=WHAT)
    problems = Problems(document, WHAT)
    dice = DiceReader(problems, purposes)
    if form.model is BattleEntry:
        decision = entry_decision(entry, (), document, dice, called="the amended entry")
        command, faces = decision.command, decision.dice
    else:
        kind, content = entry.content()
        try:
            command = _command_of(content, None, lookup)
        except (NoArmoury, NotInArmoury) as unknown:
            problems.add((kind,), unknown.message())
            problems.refuse()
            raise
        faces = dice.read(entry.dice, ("dice",))
    problems.refuse()
    return command, faces


def _forms() -> Iterator[tuple[type[StrictModel], str, Any]]:
    """The forms of both formats: the model of an entry, the key in it, and the form under it."""
    for model, kinds in ((BattleEntry, EXCHANGES), (PostBattleEntry, ENTRIES)):
        for kind in kinds:
            annotation = annotation_of(model, kind)
            yield model, kind, next(part for part in annotation.__args__ if part is not type(None))


def _command_stated(
    form: Any, said: Mapping[str, Any], activation: str | None, lookup: PriceLookup, recorded: records.Command
) -> records.Command | None:
    try:
        command = _command_of(form.model_validate(said), activation, lookup)
    except (ValidationError, NoArmoury, NotInArmoury):
        return None
    return copy_stated_fields(command, recorded)


def _command_of(content: Any, activation: str | None, lookup: PriceLookup) -> records.Command:
    if isinstance(content, MarketEntry):
        return content.command_at(lookup)
    return cast("records.Command", content.command(activation))
