"""A recorded battle as the report that says it: what its entries say now, ready to be put right.

Knows the form of battle reports. Which entries count is for its callers to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tracker.campaign import records
from tracker.campaign.rulings.entry_parts import EntryPart
from tracker.dice import Die
from tracker.documents.armoury import PriceLookup
from tracker.documents.recorded_entries import recorded_entry
from tracker.documents.report_entries import EXCHANGES
from tracker.documents.wizard import writing

_OF_DICE = "lasting_injury"
"""A key that is short for dice: it would say them twice."""


def report_written(parts: Sequence[EntryPart], lookup: PriceLookup) -> str | None:
    """The whole report of a battle, from its opening to its end; None where a report says some of it
    otherwise today.
    """
    opening, closing = parts[0].command, parts[-1].command
    if not isinstance(opening, records.OpenBattle) or not isinstance(closing, records.CloseBattle):
        return None
    if closing.winner is None and not closing.drawn:
        return None
    text = writing.block(
        {
            "format": "battle-report/1",
            "battle": opening.battle,
            "scenario": opening.scenario,
            "date": opening.date,
        }
    )
    text = writing.with_keys(text, {"gangs": {gang: [*crew] for gang, crew in opening.crews.items()}})
    if parts[0].dice:
        text = writing.with_keys(text, {"opening": {"dice": _dice(parts[0].dice)}})
    for part in parts[1:-1]:
        entry = _entry(part, lookup)
        if entry is None:
            return None
        text = writing.with_entry(text, entry)
    result: dict[str, Any] = {"draw": True} if closing.drawn else {"winner": closing.winner}
    text = writing.with_keys(text, {"result": result})
    return writing.with_keys(text, {"wrap_up": {"dice": _dice(parts[-1].dice)}}) if parts[-1].dice else text


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
        faces.setdefault(die.purpose, []).append({"rolled": shown} if die.source == "reported" else shown)
    return faces
