"""Records as rows beside the log, and back: a record's campaign is the column campaign_id, a list is JSON."""

import json
from collections.abc import Collection
from typing import Any, TypeVar

import msgspec
from sqlalchemy import Row

from tracker.errors import LogDamaged
from tracker.records import Record, converted, names_of_fields

Kind = TypeVar("Kind", bound=Record)


class RowDamaged(LogDamaged):
    """A row that holds a {thing} is damaged ({reason}). It is not part of the log, so nothing can rebuild it:
    restore it from a backup that 'arbitrator db backup' made. The log and its boards are unchanged.
    """

    thing: str
    reason: str


def values_of(record: Record, *, lists: Collection[str] = ()) -> dict[str, Any]:
    """A record as the values of a row. Fields named in `lists` are stored as JSON lists."""
    values = {name: getattr(record, name) for name in names_of_fields(record)}
    if "campaign" in values:
        values["campaign_id"] = values.pop("campaign")
    for name in values.keys() & {*lists}:
        values[name] = json.dumps(values[name], ensure_ascii=True)
    return values


def record_of(kind: type[Kind], row: Row[Any], *, lists: Collection[str] = (), **instead: Any) -> Kind:
    """A row as a record. Columns without a field are dropped; `instead` overrides columns.

    Raises RowDamaged if a column holds a value that the field cannot have.
    """
    values = dict(row._mapping)  # noqa: SLF001  # SQLAlchemy's public name for it
    if "campaign_id" in values:
        values["campaign"] = values.pop("campaign_id")
    fields = names_of_fields(kind)
    try:
        for name in values.keys() & {*lists}:
            values[name] = json.loads(values[name])
        values |= instead
        held = {name: values[name] for name in fields if name in values}  # by plain texts, as msgspec wants
        record: Kind = converted(held, kind)
        return record
    except (msgspec.ValidationError, RecursionError, TypeError, ValueError) as wrong:
        raise RowDamaged(thing=kind.__name__.lower(), reason=str(wrong)) from wrong
