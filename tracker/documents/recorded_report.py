"""Writes a recorded battle as a battle report with its present entries, ready for correction.

Knows the format of battle reports. Its callers decide which entries count.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec import UNSET

from tracker.campaign import records
from tracker.campaign.rulings.entry_parts import EntryPart
from tracker.dice import Die
from tracker.documents.armoury import PriceLookup
from tracker.documents.recorded_entries import recorded_entry
from tracker.documents.report_entries import EXCHANGES
from tracker.documents.wizard import writing

_OF_DICE: Final = "lasting_injury"
"""A key that is short for dice: it would say them twice."""
_BELOW: Final = frozenset({"gangs", "opening", "entries", "result", "wrap_up"})


def report_written(parts: Sequence[EntryPart], lookup: PriceLookup) -> str | None:
    """The whole report of a battle, from its opening to its end; None where a report says some of it
    otherwise today.
    """
    opening, closing = parts[0].command, parts[-1].command
    if not isinstance(opening, records.OpenBattle) or not isinstance(closing, records.CloseBattle):
        return None
    if closing.winner is None and not closing.drawn:
        return None
    said: dict[str, Any] = {
        "format": "battle-report/1",
        "battle": opening.battle,
        "scenario": opening.scenario,
        "date": opening.date,
        "gangs": {gang: [*crew] for gang, crew in opening.crews.items()},
    }
    if parts[0].dice:
        said["opening"] = {"dice": _dice(parts[0].dice)}
    entries = [_entry(part, lookup) for part in parts[1:-1]]
    if any(entry is None for entry in entries):
        return None
    said["entries"] = entries
    said["result"] = {"draw": True} if closing.drawn else {"winner": closing.winner}
    if parts[-1].dice:
        said["wrap_up"] = {"dice": _dice(parts[-1].dice)}
    return as_text(said)


def as_text(said: Mapping[str, Any]) -> str:
    """A report as people write it: the head, then one entry below the other, then how it ended."""
    head = {key: value for key, value in said.items() if key not in _BELOW}
    text = writing.block(head)
    for key in ("gangs", "opening"):
        if key in said:
            text += writing.block({key: said[key]})
    for entry in said.get("entries") or ():
        text = writing.with_entry(text, entry)
    return text + writing.block({key: said[key] for key in ("result", "wrap_up") if key in said})


def _entry(part: EntryPart, lookup: PriceLookup) -> dict[str, Any] | None:
    """One thing that happened, as its entry; None where a report has none for it."""
    known = recorded_entry(part.command, lookup)
    if known is None or known.kind not in EXCHANGES:
        return None
    entry: dict[str, Any] = {
        known.kind: {key: said for key, said in known.content.items() if key != _OF_DICE or not part.dice}
    }
    if known.activation is not None:
        entry["activation"] = known.activation
    if part.dice:
        entry["dice"] = _dice(part.dice)
    return {**entry, "note": part.note} if part.note else entry


def _dice(dice: Sequence[Die]) -> dict[str, list[Any]]:
    faces: dict[str, list[Any]] = {}
    for die in dice:
        shown = die.face if len(die.faces) == 1 and die.symbol is None else die.shown()
        written: Any = {"rolled": shown} if die.source == "reported" else shown
        if die.request is not UNSET:
            written = {"rolled": shown, "request": die.request}
        faces.setdefault(die.purpose, []).append(written)
    return faces
