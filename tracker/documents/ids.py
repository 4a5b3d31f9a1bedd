"""Resolves references in files to fighters, gangs, vehicles and territories, by id or by name.

If the campaign is known, a name is a present name in it; else the id is made from the name. `decide` checks
that the id exists.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, PlainValidator, ValidationInfo, WithJsonSchema

from tracker.documents import text
from tracker.documents.known_names import KnownNames
from tracker.documents.nodes import shown
from tracker.documents.text import expected


def id_meant(value: Any) -> str:
    """The id, or the id that a name gives; empty where it is neither."""
    if not isinstance(value, str) or text.is_slug(value):
        return value if isinstance(value, str) else ""
    try:
        return text.slug_of(text.clean_name(value))
    except text.TextRefused:
        return ""


def _as_written(value: Any) -> str:
    _meant(value)
    return str(value)


def _meant(value: Any) -> str:
    meant = id_meant(value)
    if not meant:
        quoted = ", in quotes" if isinstance(value, int) else ""
        raise expected(f"an id such as iron-skulls, or the name that gives it{quoted}")
    return meant


def _id_or_name(value: Any, info: ValidationInfo) -> str:
    meant = _meant(value)
    ids = _ids(value, meant, info)
    if len(ids) > 1:
        raise expected(f"the id of one of those who are called so: {' or '.join(ids)}")
    return ids[0]


def _ids(value: str, meant: str, info: ValidationInfo) -> tuple[str, ...]:
    known = info.context
    if not isinstance(known, KnownNames) or (value == meant and known.is_id(value)):
        return (meant,)
    return known.ids_called(value, meant)


def _each_once(value: Any, info: ValidationInfo) -> Any:
    """Refuses two keys of a map that mean the same id: one would replace the other unseen."""
    first: dict[str, str] = {}
    for key in value if isinstance(value, dict) else ():
        meant = id_meant(key)
        meant = _ids(key, meant, info)[0] if meant else meant
        if meant and first.setdefault(meant, key) != key:
            both = f"{shown(first[meant])!r} and {shown(key)!r} are both {meant}"
            raise expected(f"a map that names each once ({both})")
    return value


IdOrName = Annotated[
    str,
    PlainValidator(_id_or_name),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": text.NAME_CHARACTERS_MAX}),
]
"""Of a fighter, gang, vehicle or territory that has its id already: the id, or the name that gives it."""
IdOrNameOnSheet = Annotated[
    str,
    PlainValidator(_as_written),
    WithJsonSchema({"type": "string", "minLength": 1, "maxLength": text.NAME_CHARACTERS_MAX}),
]
"""Of a fighter of the same sheet, as it stands there: nobody else of the campaign is meant."""
EACH_ONCE = BeforeValidator(_each_once)
"""Beside a map whose keys are ids or names."""
