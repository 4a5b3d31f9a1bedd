"""Dispute: the doubts of a campaign, and one doubt with its ruling. Knows the dispute board's rows."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.dice import FROM_PEOPLE, Die
from tracker.reports.dice_words import die_words
from tracker.reports.dispute_marks import dispute_target
from tracker.reports.escaping import json_text, sanitize
from tracker.reports.log import event_line, when
from tracker.reports.names import Names
from tracker.reports.page import Cell, Row
from tracker.reports.plain_data import recorded_data
from tracker.reports.rendering import table_text

_COLUMNS = ("Dispute", "About", "Raised by", "Reason", "Status")


def disputes_text(rows: Sequence[Row], *, width: int | None = None, colour: bool = False) -> str:
    """Every dispute on one line."""
    if not rows:
        return "No disputes."
    lines: list[list[Cell]] = [
        [row["dispute"], dispute_target(row), row["raised_by"], row["reason"], _status(row)] for row in rows
    ]
    return table_text(_COLUMNS, lines, width=width, colour=colour)


def disputes_json(rows: Sequence[Row]) -> str:
    """The rows as they are."""
    return json_text("disputes", {"disputes": [dict(row) for row in rows]})


def dispute_text(
    row: Row, target: RecordedEvent | None, names: Names, *, witnesses: Sequence[str] | None = None
) -> str:
    """One dispute: what is doubted, by whom and why, and the ruling, if there is one.

    `witnesses` are those who confirmed the roll that is doubted; None where nobody looked.
    """
    lines = [
        f"Dispute {row['dispute']}, {when(row['at'])}: {_status(row)}",
        f"{sanitize(row['raised_by'])} doubts {dispute_target(row)}: {sanitize(row['reason'])}",
    ]
    if target is not None:
        lines.append(f"{target.address}  {event_line(target, names)}")
        if witnesses:
            lines.append(f"Confirmed by {sanitize(', '.join(witnesses))}.")
        elif witnesses is not None and _unwitnessed(target, witnesses):
            # What was ruled on may be struck out by now, and then there is nothing left to confirm.
            how = f" ('arbitrator log confirm {target.address}')" if row["status"] == "open" else ""
            lines.append(f"Unwitnessed: nobody confirmed it{how}.")
    if row.get("rule"):
        lines.append(f"Rule cited: {sanitize(row['rule'])}")
    ruling = row.get("ruling")
    if ruling is not None:
        entry = f"entry {ruling['entry']}, {when(ruling['at'])}"
        verdict = records.VERDICTS[ruling["verdict"]]
        lines.append(
            f"Ruled by {sanitize(ruling['actor'])} ({entry}): {verdict}: {sanitize(ruling['reason'])}"
        )
        changed = [_die(ruling[side]) for side in ("before", "after")]
        if any(changed):
            lines.append(f"The die: {' -> '.join(one for one in changed if one)}")
    if row.get("taken_back_by"):
        lines.append(f"Entry {row['taken_back_by']} took that ruling back.")
    if withdrawn := row.get("withdrawn"):
        entry = f"entry {withdrawn['entry']}, {when(withdrawn['at'])}"
        lines.append(f"Withdrawn by {sanitize(withdrawn['by'])} ({entry}): {sanitize(withdrawn['reason'])}")
    if row["status"] == "open":
        preview = f"arbitrator dispute preview {row['dispute']}"
        lines += ["It stays in force until it is ruled on.", f"Next: {preview}"]
    return "\n".join(lines)


def dispute_json(
    row: Row, target: RecordedEvent | None, names: Names, *, witnesses: Sequence[str] = ()
) -> str:
    """The row and the event that is doubted, and who confirmed it if it is a roll."""
    event = None if target is None else recorded_data(target, names)
    seen = {"witnesses": list(witnesses), "unwitnessed": _unwitnessed(target, witnesses)}
    return json_text("dispute", {"dispute": dict(row), "target": event, **seen})


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
