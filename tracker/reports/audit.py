"""Audits: the disputes and rulings of a season, for everybody who was not there; dice that were typed in.

Hides nothing: what was withdrawn or taken back keeps its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias, TypedDict

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.reports.cards import counted, numbers_listed
from tracker.reports.dice_words import roll_words
from tracker.reports.disputes import dispute_lines
from tracker.reports.log import when
from tracker.reports.names import Names
from tracker.reports.page import Block, Bullets, ByForm, Heading, Page, Row, Table, Text
from tracker.reports.plain_data import recorded_data
from tracker.reports.sentences import sentence

Targets: TypeAlias = Mapping[int, RecordedEvent]
"""The event that each dispute is about, by the dispute's number."""

_DID = {"decided_again": "decided again", "slot_kept": "kept as played", "slot_voided": "voided"}
_COLUMNS = ("Typed in by", "Dice", "Confirmed", "Unwitnessed", "Struck since")


def audit_page(
    disputes: Sequence[Row],
    targets: Targets,
    rulings: Sequence[tuple[RecordedEvent, Sequence[Row]]],
    names: Names,
    *,
    heading: str,
    taken_back: Sequence[int] = (),
) -> Page:
    """Every dispute with how it ended, then every ruling with what it did."""
    return Page(
        schema="audit-report",
        blocks=lambda: _blocks(disputes, targets, rulings, names, heading, taken_back),
        data=lambda: {
            "heading": heading,
            "disputes": [
                {
                    **row,
                    "event": recorded_data(targets[row["dispute"]], names)
                    if row["dispute"] in targets
                    else None,
                }
                for row in disputes
            ],
            "rulings": [
                {
                    **recorded_data(ruling, names),
                    "at": ruling.at,
                    "actor": ruling.actor,
                    "taken_back": ruling.entry in taken_back,
                    "slots": [
                        {"slot": row["slot"], "what": row["kind"], "reason": row["reason"]}
                        for row in rows
                        if row["kind"] in _DID
                    ],
                }
                for ruling, rows in rulings
            ],
        },
    )


def _blocks(
    disputes: Sequence[Row],
    targets: Targets,
    rulings: Sequence[tuple[RecordedEvent, Sequence[Row]]],
    names: Names,
    heading: str,
    taken_back: Sequence[int],
) -> Iterator[Block]:
    yield [Heading(heading)]
    still_open = sum(row["status"] == "open" for row in disputes)
    yield [Heading("Disputes", level=2), Text([f"{counted(len(disputes), 'dispute')}, {still_open} open"])]
    for row in disputes:
        first, *rest = dispute_lines(row, targets.get(row["dispute"]), names)
        yield [Heading(first, level=4), Bullets(rest)]
    yield [Heading("Rulings", level=2), Text([counted(len(rulings), "ruling")])]
    for ruling, rows in rulings:
        mark = " (taken back)" if ruling.entry in taken_back else ""
        yield [
            Heading(f"Entry {ruling.entry}, {when(ruling.at)}, by {ruling.actor}{mark}", level=4),
            _indented(_ruling_lines(ruling, rows, names)),
        ]


def _ruling_lines(ruling: RecordedEvent, rows: Sequence[Row], names: Names) -> list[str]:
    assert isinstance(ruling.event, records.RulingMade), "a ruling begins with its own event"
    lines = [sentence(ruling.event, names)]
    for kind, what in _DID.items():
        slots = sorted(row["slot"] for row in rows if row["kind"] == kind)
        if slots:
            lines.append(f"{what}: {counted(len(slots), 'entry', 'entries')} ({numbers_listed(slots)})")
    return lines


def _indented(lines: Sequence[str]) -> ByForm:
    return ByForm({"text": Text([f"  {line}" for line in lines])}, Bullets(lines))


# --- dice that were typed in --------------------------------------------------------------------------------


class TypedRoll(TypedDict):
    """One roll that somebody typed in. `struck_by` is the ruling since which it counts no more."""

    address: str
    typed_in_by: str
    purpose: str
    shown: str
    fighter: str | None
    witnesses: list[str]
    struck_by: int | None


def dice_audit_page(rolls: Sequence[TypedRoll], names: Names) -> Page:
    """A line for everybody who typed dice in, then every roll that counts and that nobody confirmed."""
    return Page(
        schema="dice",
        blocks=lambda: _dice_blocks(rolls, names),
        data=lambda: {"people": _by_person(rolls), "rolls": [dict(roll) for roll in rolls]},
    )


def _dice_blocks(rolls: Sequence[TypedRoll], names: Names) -> Iterator[Block]:
    if not rolls:
        yield [Text(["Nobody typed dice in."])]
        return
    yield [Table(_COLUMNS, [list(row.values()) for row in _by_person(rolls)])]
    unwitnessed = [roll for roll in rolls if not roll["witnesses"] and roll["struck_by"] is None]
    if not unwitnessed:
        yield [Text(["A second person confirmed every roll that counts."])]
        return
    lines = [f"{roll['address']:<8} {_roll(roll, names)}, by {roll['typed_in_by']}" for roll in unwitnessed]
    yield [Text(["Unwitnessed:"]), _indented(lines)]
    yield [Text(["Confirm one with: arbitrator log confirm ENTRY.EVENT --by WHO"])]


def _roll(roll: TypedRoll, names: Names) -> str:
    whose = f" for {names.fighter(roll['fighter'])}" if roll["fighter"] else ""
    return f"{roll_words(roll['purpose'])} {roll['shown']}{whose}"


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
