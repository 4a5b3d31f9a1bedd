"""Disputes of a campaign, and one dispute with its ruling. Knows the dispute board's rows."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.dice import FROM_PEOPLE, Die
from tracker.reports.dice_words import die_words
from tracker.reports.dispute_marks import dispute_target
from tracker.reports.log import event_line, when
from tracker.reports.names import Names
from tracker.reports.page import Page, Row, Table, Text
from tracker.reports.plain_data import recorded_data

_COLUMNS = ("Dispute", "About", "Raised by", "Reason", "Status")


def disputes_page(rows: Sequence[Row]) -> Page:
    """Every dispute on one line."""
    lines = [
        (row["dispute"], dispute_target(row), row["raised_by"], row["reason"], _status(row)) for row in rows
    ]
    return Page(
        schema="disputes",
        blocks=lambda: [[Table(_COLUMNS, lines) if rows else Text(["No disputes."])]],
        data=lambda: {"disputes": [dict(row) for row in rows]},
    )


def dispute_page(
    row: Row, target: RecordedEvent | None, names: Names, *, witnesses: Sequence[str] = ()
) -> Page:
    """One dispute: what is disputed, by whom and why, who confirmed the roll, and the ruling."""
    return Page(
        schema="dispute",
        blocks=lambda: [[Text(dispute_lines(row, target, names, witnesses=witnesses))]],
        data=lambda: {
            "dispute": dict(row),
            "target": None if target is None else recorded_data(target, names),
            "witnesses": list(witnesses),
            "unwitnessed": _unwitnessed(target, witnesses),
        },
    )


def dispute_lines(
    row: Row, target: RecordedEvent | None, names: Names, *, witnesses: Sequence[str] | None = None
) -> list[str]:
    """One dispute in words; without `witnesses`, not who confirmed the roll."""
    lines = [
        f"Dispute {row['dispute']}, {when(row['at'])}: {_status(row)}",
        f"{row['raised_by']} disputes {dispute_target(row)}: {row['reason']}",
    ]
    if target is not None:
        lines.append(f"{target.address}  {event_line(target, names)}")
        if witnesses:
            lines.append(f"Confirmed by {', '.join(witnesses)}.")
        elif witnesses is not None and _unwitnessed(target, witnesses):
            # What was ruled on may be struck out since, and then there is nothing left to confirm.
            how = f" ('arbitrator log confirm {target.address}')" if row["status"] == "open" else ""
            lines.append(f"Unwitnessed: nobody confirmed it{how}.")
    if row.get("rule"):
        lines.append(f"Rule cited: {row['rule']}")
    ruling = row.get("ruling")
    if ruling is not None:
        entry = f"entry {ruling['entry']}, {when(ruling['at'])}"
        verdict = records.VERDICTS[ruling["verdict"]]
        lines.append(f"Ruled by {ruling['actor']} ({entry}): {verdict}: {ruling['reason']}")
        changed = [_die(ruling[side]) for side in ("before", "after")]
        if any(changed):
            lines.append(f"The die: {' -> '.join(die for die in changed if die)}")
    if row.get("taken_back_by"):
        lines.append(f"Entry {row['taken_back_by']} took that ruling back.")
    if withdrawn := row.get("withdrawn"):
        entry = f"entry {withdrawn['entry']}, {when(withdrawn['at'])}"
        lines.append(f"Withdrawn by {withdrawn['by']} ({entry}): {withdrawn['reason']}")
    if row["status"] == "open":
        preview = f"arbitrator dispute preview {row['dispute']}"
        lines += ["It stays in force until it is ruled on.", f"Next: {preview}"]
    return lines


def _unwitnessed(target: RecordedEvent | None, witnesses: Sequence[str]) -> bool:
    """Whether only whoever typed a roll in vouches for it."""
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
