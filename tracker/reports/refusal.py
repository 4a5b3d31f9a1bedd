"""A refusal as programs read it: one object, the same for every command that refuses with --json.

Knows refusals and usage errors. Knows no command. The object has the fields of an HTTP problem (RFC 9457): a
stable code, a sentence, and the facts.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from typing import Any, Final, get_type_hints

from msgspec import field

from tracker.dice import DiceNeeded
from tracker.errors import Refusal
from tracker.records import Record
from tracker.reports.names import Names
from tracker.reports.plain_data import plain_data
from tracker.reports.sentences import sentence

SCHEMA: Final = "refusal"


class RefusalReason(Record):
    """One reason for a refusal."""

    code: str
    """The refusal's stable name, as listed under Refusals in docs/events.md, such as fighter_gone."""
    message: str
    """What is refused, why, and what to do next: one paragraph for a person."""
    file: str | None = None
    """The file that was refused, as it was named."""
    line: int | None = None
    """The line in that file, from 1."""
    column: int | None = None
    """The column in that line, from 1."""
    entry: int | None = None
    """The number of the entry in that file, from 1."""
    facts: dict[str, Any] = field(default_factory=dict)
    """The facts behind the message; each code has its own."""


class RefusalObject(RefusalReason):
    """Why a command was refused. Nothing was recorded."""

    exit_code: int = 1
    """The exit code of the command."""
    errors: tuple[RefusalReason, ...] = ()
    """Each reason by itself; a single reason is repeated here."""


class RefusedElsewhere(Refusal):
    """A refusal of another machine, with its own words and data."""

    def __init__(self, exit_code: int, text: str, data: Mapping[str, Any]) -> None:
        super().__init__(text)
        self.exit_code = exit_code
        self.data = dict(data)

    def message(self) -> str:
        """The message of the other machine."""
        return str(self.args[0])


def refusal_data(refusal: Refusal) -> dict[str, Any]:
    """The JSON of a refusal, without its `schema`."""
    if isinstance(refusal, RefusedElsewhere):
        return refusal.data
    each = tuple(map(_reason, refusal.each()))
    whole = _gathered(refusal, each) if each else _reason(refusal)
    return _object(whole, each or (whole,), refusal.exit_code)


def refusal_text(refusal: Refusal) -> str:
    """The message for people, and how far an entry got that lacks a die."""
    lines = [refusal.message()]
    for refused in refusal.each() or (refusal,):
        decided = _decided_before(refused.itself())
        if decided:
            label = getattr(refused, "label", "")
            lines.append(f"  Decided{f' in {label}' if label else ''} before that die:")
            lines += [f"    {line}" for line in decided]
    return "\n".join(lines)


def _decided_before(refusal: Refusal) -> list[str]:
    """The decisions of an entry before a missing die, as sentences."""
    if not isinstance(refusal, DiceNeeded) or refusal.asked is None:
        return []
    decision = refusal.asked.decision
    names = Names.of_state(decision.state)
    return [sentence(decided.event, names, whose=True) for decided in decision.events]


def other_data(code: str, message: str, exit_code: int, facts: Mapping[str, Any]) -> dict[str, Any]:
    """The same for other failures: a usage error, an interrupt, a fault."""
    once = RefusalReason(code=code, message=message, facts=dict(facts))
    return _object(once, (once,), exit_code)


def refusal_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of a refusal."""
    from tracker.documents.schemas import DIALECT  # not above: refusals must be quick

    once, whole = _described(RefusalReason), _described(RefusalObject)
    name = {"const": f"arbitrator/{SCHEMA}/1", "description": "Which document this is."}
    whole["properties"] = {"schema": name, **whole["properties"]}
    return {"$schema": DIALECT, **whole, "required": list(whole["properties"]), "$defs": {"once": once}}


_TYPES: Final[dict[Any, dict[str, Any]]] = {
    str: {"type": "string"},
    str | None: {"type": ["string", "null"]},
    int: {"type": "integer", "minimum": 1},
    int | None: {"type": ["integer", "null"], "minimum": 1},
    dict[str, Any]: {"type": "object"},
    tuple[RefusalReason, ...]: {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/once"}},
}


def _described(kind: type[Record]) -> dict[str, Any]:
    from tracker.documents.schemas import docstrings_of_fields

    words = dict(docstrings_of_fields(RefusalReason) + docstrings_of_fields(kind))
    hints = get_type_hints(kind)
    fields = {name: {**_TYPES[hints[name]], "description": words[name]} for name in hints}
    about = {"type": "object", "description": inspect.cleandoc(kind.__doc__ or "")}
    return {**about, "properties": fields, "required": list(fields), "additionalProperties": False}


def _object(whole: RefusalReason, each: tuple[RefusalReason, ...], exit_code: int) -> dict[str, Any]:
    shown = RefusalObject(exit_code=exit_code, errors=each, **plain_data(whole))
    data: dict[str, Any] = plain_data(shown)
    return data


def _reason(refusal: Refusal) -> RefusalReason:
    itself = refusal.itself()
    facts = {name: _plain(value) for name, value in itself.facts().items()}
    if isinstance(itself, DiceNeeded):
        facts["decided"] = _decided_before(itself)
    place = refusal.in_file
    file = place.file or facts.get("file")
    return RefusalReason(
        code=itself.code,
        message=refusal.message(),
        file=file if isinstance(file, str) else None,
        line=place.line,
        column=place.column,
        entry=place.entry,
        facts=facts,
    )


def _gathered(refusal: Refusal, each: tuple[RefusalReason, ...]) -> RefusalReason:
    """Several refusals as one, at the place of the first."""
    first = each[0]
    return RefusalReason(
        code=refusal.code,
        message=refusal.message(),
        file=first.file,
        line=first.line,
        column=first.column,
        entry=first.entry,
        facts={"count": len(each), **_scalars(refusal.facts())},
    )


def _scalars(facts: Mapping[str, Any]) -> dict[str, Any]:
    return {name: fact for name, fact in facts.items() if isinstance(fact, bool | int | str)}


def _plain(value: object) -> Any:
    """A fact as JSON."""
    if isinstance(value, Refusal):
        return plain_data(_reason(value))
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, Record):
        return {name: _plain(inner) for name, inner in plain_data(value).items()}
    if is_dataclass(value) and not isinstance(value, type):
        return _plain(asdict(value))
    if isinstance(value, list | tuple | set | frozenset):
        return [_plain(inner) for inner in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
