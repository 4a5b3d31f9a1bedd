"""Records as rows beside the log, and back: a record's campaign is the column campaign_id, a list is JSON."""

import json
from collections.abc import Collection
from typing import Any, TypeVar

from sqlalchemy import Row

from tracker.records import Record, names_of_fields

Kind = TypeVar("Kind", bound=Record)


def values_of(record: Record, *, lists: Collection[str] = ()) -> dict[str, Any]:
    """A record as the values of a row; the fields that `lists` names are lists of texts."""
    values = {name: getattr(record, name) for name in names_of_fields(record)}
    if "campaign" in values:
        values["campaign_id"] = values.pop("campaign")
    for name in values.keys() & {*lists}:
        values[name] = json.dumps(values[name], ensure_ascii=True)
    return values


def record_of(kind: type[Kind], row: Row[Any], *, lists: Collection[str] = (), **instead: Any) -> Kind:
    """The record that a row holds, less the columns that it has no field for; `instead` comes before them."""
    values = dict(row._mapping)  # noqa: SLF001  # SQLAlchemy's public name for it
    if "campaign_id" in values:
        values["campaign"] = values.pop("campaign_id")
    for name in values.keys() & {*lists}:
        values[name] = tuple(json.loads(values[name]))
    return kind(
        **{name: value for name, value in (values | instead).items() if name in names_of_fields(kind)}
    )
