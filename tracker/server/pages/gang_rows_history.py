"""Converts the earlier history of a gang and its fighters to fields and back.

Parts that no field shows stay unchanged.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple

from tracker.reports.cards import lowercase_id
from tracker.server.pages.forms import FormValues
from tracker.service.as_of import is_count

SO_FAR: Final = "so_far"
Shape = Literal["number", "words", "text", "yes", "one"]
"""A number; several words with commas; a line; a box to tick; one of some choices."""
_COMMAS: Final = re.compile(r"\s*,\s*")
_NAMED: Final = {"injuries": "injury", "territories": "name", "bionics": "name"}
"""Lists of maps, and the key that names each to people."""


class HistoryField(NamedTuple):
    """One field about earlier history."""

    key: str
    label: str
    shape: Shape
    choices: tuple[tuple[str, str], ...] = ()
    value: str = ""


OF_GANG: Final = (
    HistoryField("battles", "Battles fought", "number"),
    HistoryField("won", "Won", "number"),
    HistoryField("drawn", "Drawn", "number"),
    HistoryField("lost", "Lost", "number"),
    HistoryField("alignment", "Alignment", "one", (("law_abiding", "Law-abiding"), ("outlaw", "Outlaw"))),
    HistoryField("territories", "Territories, with commas", "words"),
    HistoryField("allegiance", "Allegiance", "text"),
    HistoryField("alliances", "Alliances, with commas", "words"),
    HistoryField("patrons", "Patrons, with commas", "words"),
)
OF_FIGHTER: Final = (
    HistoryField("battles", "Battles", "number"),
    HistoryField("kills", "Kills", "number"),
    HistoryField("out_of_action", "Times out of action", "number"),
    HistoryField("xp_spent", "XP spent", "number"),
    HistoryField("advances", "Advances", "number"),
    HistoryField("improved", "Improved, with commas", "words"),
    HistoryField("injuries", "Lasting injuries, with commas", "words"),
    HistoryField("flags", "Lasting effects, with commas", "words"),
    HistoryField("promoted_from", "Promoted from", "text"),
    HistoryField("in_recovery", "In Recovery", "yes"),
    HistoryField("convalescing", "Convalescing", "yes"),
    HistoryField("gone", "Gone", "one", (("dead", "Dead"), ("retired", "Retired"))),
    HistoryField("when", "When, or how", "text"),
)


def said_of(filled: FormValues, start: str, fields: Sequence[HistoryField], before: Any) -> dict[str, Any]:
    """The values of the fields with the prefix `start`, merged into the earlier ones."""
    so_far = dict(before) if isinstance(before, dict) else {}
    if not any(name.startswith(start) for name in filled.fields):
        return so_far
    for field in fields:
        said = filled.get(start + field.key)
        value: Any = said
        if field.shape == "number":
            value = int(said) if is_count(said) else said
        elif field.shape == "words":
            value = _listed(field.key, [word for word in _COMMAS.split(said) if word], so_far.get(field.key))
        elif field.shape == "yes":
            value = bool(said)
        if value in ("", [], False):
            so_far.pop(field.key, None)
        else:
            so_far[field.key] = value
    return so_far


def shown(so_far: Any, fields: Sequence[HistoryField]) -> list[HistoryField]:
    """The fields with their present values."""
    known = so_far if isinstance(so_far, dict) else {}
    return [field._replace(value=_shown(field.key, known.get(field.key))) for field in fields]


def _shown(key: str, value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(_word(key, part) for part in value)
    return "" if value in (None, False, 0) else str(value)


def _word(key: str, part: Any) -> str:
    named = _NAMED.get(key)
    if named is None or not isinstance(part, dict):
        return str(part)
    word = str(part.get(named) or part.get("territory") or part.get("kind") or "")
    return lowercase_id(word) if key == "injuries" else word


def _listed(key: str, words: Sequence[str], before: Any) -> list[Any]:
    """The words as the sheet writes them; a known entry keeps its other values."""
    named = _NAMED.get(key)
    if named is None:
        return [*words]
    left = [*before] if isinstance(before, list) else []
    listed: list[Any] = []
    for word in words:
        known = next((part for part in left if _word(key, part).casefold() == word.casefold()), None)
        if known is not None:
            left.remove(known)
        listed.append(known if known is not None else {named: word})
    return listed


def has_injuries(sheet: Mapping[str, Any]) -> bool:
    """Whether a fighter has a lasting injury, so that the sheet must say whether cards include it."""
    return any(
        isinstance(so_far := card.get(SO_FAR), dict) and bool(so_far.get("injuries"))
        for card in sheet.get("fighters") or []
    )
