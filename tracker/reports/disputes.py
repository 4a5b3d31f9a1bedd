"""Disputes: one, all of a campaign, and a season's with its rulings; and the dice that were typed in.

Knows the dispute board's rows. Hides nothing: withdrawn and taken back entries keep their place.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias, TypedDict

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.dice import FROM_PEOPLE, Die
from tracker.reports import people
from tracker.reports.cards import counted, numbers_listed
from tracker.reports.dice_words import die_words, roll_words
from tracker.reports.dispute_marks import dispute_target
from tracker.reports.fair_dice import FaceCounts, fair_dice_blocks, fair_dice_data, fair_dice_sheet
from tracker.reports.log import event_line, when
from tracker.reports.names import Names
from tracker.reports.page import Block, Bullets, DataTable, Heading, Page, PerFormat, Row, Text
from tracker.reports.plain_data import recorded_data
from tracker.reports.sentences import sentence

Targets: TypeAlias = Mapping[int, RecordedEvent]
"""The event of each dispute, by the dispute's number."""

_DID = {"decided_again": "decided again", "slot_kept": "kept as played", "slot_voided": "voided"}
_TYPED_COLUMNS = ("Typed in by", "Dice", "Confirmed", "Unwitnessed", "Struck since")
_COLUMNS = ("Dispute", "About", "Raised by", "Reason", "Status")


def disputes_page(rows: Sequence[Row]) -> Page:
    """Every dispute on one line."""
    return Page(
        schema="disputes",
        blocks=lambda: [[DataTable(_COLUMNS, [*map(_line, rows)]) if rows else Text(["No disputes."])]],
        data=lambda: {"disputes": [_row_data(row) for row in rows]},
    )


def _line(row: Row) -> tuple[int, str, str, str, str]:
    who = people.person(row["raised_by"], row["at"])
    return row["dispute"], dispute_target(row), who, row["reason"], _status(row)


def _row_data(row: Row) -> dict[str, Any]:
    """A dispute as on its board, with people's names."""
    ruling = row.get("ruling")
    named: dict[str, Any] = {
        "raised_by_name": people.person(row["raised_by"], row["at"]),
        "statements": [
            {**statement, "by_name": people.person(statement["by"], statement["at"])}
            for statement in row.get("statements", ())
        ],
    }
    if ruling is None:
        return {**row, **named}
    return {**row, **named, "ruling": {**ruling, **people.actor_data(ruling["actor"], ruling["at"])}}


def dispute_page(
    row: Row, target: RecordedEvent | None, names: Names, *, witnesses: Sequence[str] = ()
) -> Page:
    """One dispute: what is disputed, by whom and why, who confirmed the roll, and the ruling."""
    return Page(
        schema="dispute",
        blocks=lambda: [[Text(dispute_lines(row, target, names, witnesses=witnesses))]],
        data=lambda: {
            "dispute": _row_data(row),
            "target": None if target is None else recorded_data(target, names),
            "witnesses": list(witnesses),
            "witness_names": [people.person(witness) for witness in witnesses],
            "unwitnessed": _unwitnessed(target, witnesses),
        },
    )


def dispute_lines(
    row: Row, target: RecordedEvent | None, names: Names, *, witnesses: Sequence[str] | None = None
) -> list[str]:
    """One dispute in words; without `witnesses`, no line about who confirmed the roll."""
    lines = [
        f"Dispute {row['dispute']}, {when(row['at'])}: {_status(row)}",
        f"{people.person(row['raised_by'], row['at'])} disputes {dispute_target(row)}: {row['reason']}",
    ]
    if target is not None:
        lines.append(f"{target.address}  {event_line(target, names)}")
        if witnesses:
            lines.append(f"Confirmed by {', '.join(witnesses)}.")
        elif witnesses is not None and _unwitnessed(target, witnesses):
            # A ruling may have superseded the roll since; then there is nothing left to confirm.
            how = f" ('arbitrator log confirm {target.address}')" if row["status"] == "open" else ""
            lines.append(f"Unwitnessed: nobody confirmed it{how}.")
    if row.get("rule"):
        lines.append(f"Rule cited: {row['rule']}")
    for statement in row.get("statements", ()):
        who = people.person(statement["by"], statement["at"])
        lines.append(f"{who} (entry {statement['entry']}, {when(statement['at'])}): {statement['says']}")
    ruling = row.get("ruling")
    if ruling is not None:
        entry = f"entry {ruling['entry']}, {when(ruling['at'])}"
        verdict = records.VERDICTS[ruling["verdict"]]
        who = people.person(ruling["actor"], ruling["at"])
        lines.append(f"Ruled by {who} ({entry}): {verdict}: {ruling['reason']}")
        changed = [_die(ruling[side]) for side in ("before", "after")]
        if any(changed):
            lines.append(f"The die: {' -> '.join(die for die in changed if die)}")
    if row.get("taken_back_by"):
        lines.append(f"Entry {row['taken_back_by']} took that ruling back.")
    if withdrawn := row.get("withdrawn"):
        entry = f"entry {withdrawn['entry']}, {when(withdrawn['at'])}"
        who = people.person(withdrawn["by"], withdrawn["at"])
        lines.append(f"Withdrawn by {who} ({entry}): {withdrawn['reason']}")
    if row["status"] == "open":
        preview = f"arbitrator dispute preview {row['dispute']}"
        lines += ["It stays in force until it is ruled on.", f"Next: {preview}"]
    return lines


def _unwitnessed(target: RecordedEvent | None, witnesses: Sequence[str]) -> bool:
    """Whether only the person who typed a roll in vouches for it."""
    typed = (
        target is not None
        and isinstance(target.event, records.RollMade)
        and target.event.source in FROM_PEOPLE
    )
    return typed and not witnesses


def _status(row: Row) -> str:
    status = row["status"]
    return status if status in ("open", "withdrawn") else f"ruled: {records.VERDICTS[status]}"


def _die(row: Row | None) -> str:
    if row is None:
        return ""
    die = Die(
        purpose=row["purpose"],
        die=row["die"],
        faces=tuple(row["faces"]),
        symbol=row["symbol"],
        source=row["source"],
    )
    return die_words(die)


# --- a season's disputes and rulings ----------------------------------------------------------------------


def audit_page(
    disputes: Sequence[Row],
    targets: Targets,
    rulings: Sequence[tuple[RecordedEvent, Sequence[Row]]],
    names: Names,
    *,
    heading: str,
    taken_back: Sequence[int] = (),
) -> Page:
    """Every dispute with its end, then every ruling with its effects."""
    return Page(
        schema="audit-report",
        blocks=lambda: _blocks(disputes, targets, rulings, names, heading, taken_back),
        data=lambda: {
            "heading": heading,
            "disputes": [
                {
                    **_row_data(row),
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
                    **people.actor_data(ruling.actor, ruling.at),
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
            Heading(
                f"Entry {ruling.entry}, {when(ruling.at)}, by {people.person(ruling.actor, ruling.at)}{mark}",
                level=4,
            ),
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


def _indented(lines: Sequence[str]) -> PerFormat:
    return PerFormat({"text": Text([f"  {line}" for line in lines])}, Bullets(lines))


# --- dice that were typed in --------------------------------------------------------------------------------


class TypedRoll(TypedDict):
    """One roll that was typed in. `struck_by` is the ruling after which it no longer counts."""

    address: str
    typed_in_by: str
    purpose: str
    shown: str
    fighter: str | None
    witnesses: list[str]
    struck_by: int | None


def dice_audit_page(
    rolls: Sequence[TypedRoll],
    names: Names,
    looked: Sequence[FaceCounts] = (),
    shares: Sequence[Row] = (),
    *,
    heading: str = "dice",
) -> Page:
    """How the dice fell and what became of them; then a line for everybody who typed dice in, and every roll
    that counts without a confirmation.
    """
    return Page(
        schema="dice",
        title=heading,
        blocks=lambda: _dice_blocks(rolls, names, looked, shares, heading),
        data=lambda: {
            "people": _by_person(rolls),
            "rolls": [dict(roll) for roll in rolls],
            **fair_dice_data(looked, shares),
        },
        sheet=lambda: fair_dice_sheet(looked),
    )


def _dice_blocks(
    rolls: Sequence[TypedRoll],
    names: Names,
    looked: Sequence[FaceCounts],
    shares: Sequence[Row],
    heading: str,
) -> Iterator[Block]:
    if looked:
        yield [Heading(heading)]
        yield from fair_dice_blocks(looked, shares)
        yield [Heading("Typed in", level=2)]
    if not rolls:
        yield [Text(["Nobody typed dice in."])]
        return
    yield [DataTable(_TYPED_COLUMNS, [list(row.values()) for row in _by_person(rolls)])]
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
    people = dict.fromkeys(roll["typed_in_by"] for roll in rolls)
    rows: list[dict[str, str | int]] = []
    for who in sorted(people):
        own = [roll for roll in rolls if roll["typed_in_by"] == who]
        counting = [roll for roll in own if roll["struck_by"] is None]
        confirmed = sum(bool(roll["witnesses"]) for roll in counting)
        rows.append(
            {
                "typed_in_by": who,
                "dice": len(own),
                "confirmed": confirmed,
                "unwitnessed": len(counting) - confirmed,
                "struck": len(own) - len(counting),
            }
        )
    return rows
