"""Dice: who typed which dice in, and which of them a second person confirmed. Worded for everybody alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from tracker.reports.dice_words import roll_words
from tracker.reports.escaping import json_text, sanitize
from tracker.reports.names import Names
from tracker.reports.page import Cell
from tracker.reports.rendering import table_text

_COLUMNS = ("Typed in by", "Dice", "Confirmed", "Unwitnessed", "Struck since")


class TypedRoll(TypedDict):
    """One roll that somebody typed in. `struck_by` is the ruling since which it counts no more."""

    address: str
    typed_in_by: str
    purpose: str
    shown: str
    fighter: str | None
    witnesses: list[str]
    struck_by: int | None


def dice_audit_text(
    rolls: Sequence[TypedRoll], names: Names, *, width: int | None = None, colour: bool = False
) -> str:
    """A line for everybody who typed dice in, then every roll that counts and that nobody confirmed."""
    if not rolls:
        return "Nobody typed dice in."
    lines: list[list[Cell]] = [list(row.values()) for row in _by_person(rolls)]
    text = table_text(_COLUMNS, lines, width=width, colour=colour)
    unwitnessed = [one for one in rolls if not one["witnesses"] and one["struck_by"] is None]
    if not unwitnessed:
        return f"{text}\n\nA second person confirmed every roll that counts."
    told = [
        f"  {one['address']:<8} {_roll(one, names)}, by {sanitize(one['typed_in_by'])}" for one in unwitnessed
    ]
    step = "Confirm one with: arbitrator log confirm ENTRY.EVENT --by WHO"
    return "\n".join([text, "", "Unwitnessed:", *told, "", step])


def dice_audit_json(rolls: Sequence[TypedRoll]) -> str:
    """The same for programs."""
    return json_text("dice", {"people": _by_person(rolls), "rolls": [dict(one) for one in rolls]})


def _roll(one: TypedRoll, names: Names) -> str:
    whose = f" for {names.fighter(one['fighter'])}" if one["fighter"] else ""
    return f"{roll_words(one['purpose'])} {sanitize(one['shown'])}{whose}"


def _by_person(rolls: Sequence[TypedRoll]) -> list[dict[str, str | int]]:
    people = dict.fromkeys(one["typed_in_by"] for one in rolls)
    found: list[dict[str, str | int]] = []
    for who in sorted(people):
        own = [one for one in rolls if one["typed_in_by"] == who]
        counting = [one for one in own if one["struck_by"] is None]
        confirmed = sum(bool(one["witnesses"]) for one in counting)
        found.append(
            {
                "typed_in_by": who,
                "dice": len(own),
                "confirmed": confirmed,
                "unwitnessed": len(counting) - confirmed,
                "struck": len(own) - len(counting),
            }
        )
    return found
