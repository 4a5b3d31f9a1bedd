"""Dispute: the doubts of a campaign, one doubt with its ruling, and what a ruling would change.

Knows the dispute board's rows, and for a preview what became of each slot that follows. Decides nothing.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass

from tracker.campaign.events import DecisionTaken, Event
from tracker.campaign.recorded import Recorded
from tracker.campaign.rulings import Result, SlotJudged
from tracker.dice import Die
from tracker.reports.cards import counted
from tracker.reports.differences import Difference, differences_lines
from tracker.reports.log import when
from tracker.reports.names import Names
from tracker.reports.paper import Cell, Row, json_text, safe, table_text
from tracker.reports.plain_data import event_data, recorded_data
from tracker.reports.receipt import event_line
from tracker.reports.roster import dispute_target
from tracker.reports.sentences import command_words, die_words, sentence

_COLUMNS = ("Dispute", "About", "Raised by", "Reason", "Status")
_RESULTS: dict[Result, str] = {
    "unchanged": "comes out the same",
    "changed": "comes out differently",
    "needs_dice": "needs dice that were never rolled",
    "refused": "cannot follow any more",
    "voided": "voided",
    "kept": "kept as played",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Followed:
    """What a ruling makes of one slot. `asked` is its command in words, `why` names the dice or the refusal.

    `before` and `after` are its events, the header not needed.
    """

    slot: int
    battle: str | None
    asked: str
    result: Result
    why: str = ""
    before: tuple[Event, ...] = ()
    after: tuple[Event, ...] = ()


def followed_slot(judged: SlotJudged, names: Names, *, battle: str | None = None) -> Followed:
    """What `rulings.rejudge` made of a slot, ready to be told."""
    header = judged.slot.header
    after = judged.judgement.events if judged.judgement is not None else ()
    return Followed(
        slot=judged.slot.slot,
        battle=battle,
        asked=command_words(header.command, names) if header is not None else "void already",
        result=judged.result,
        why=judged.why,
        before=tuple(recorded.event for recorded in judged.slot.events),
        after=tuple(decided.event for decided in after),
    )


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


def dispute_text(row: Row, target: Recorded | None, names: Names) -> str:
    """One dispute: what is doubted, by whom and why, and the ruling, if there is one."""
    lines = [
        f"Dispute {row['dispute']}, {when(row['at'])}: {_status(row)}",
        f"{safe(row['raised_by'])} doubts {dispute_target(row)}: {safe(row['reason'])}",
    ]
    if target is not None:
        lines.append(f"{target.address}  {event_line(target, names)}")
    if row.get("rule"):
        lines.append(f"Rule cited: {safe(row['rule'])}")
    ruling = row.get("ruling")
    if ruling is None:
        preview = f"arbitrator dispute preview {dispute_target(row)}"
        return "\n".join([*lines, "It stays in force until it is ruled on.", f"Next: {preview}"])
    entry = f"entry {ruling['entry']}, {when(ruling['at'])}"
    lines.append(f"Ruled by {safe(ruling['actor'])} ({entry}): {ruling['verdict']}: {safe(ruling['reason'])}")
    changed = [_die(ruling[side]) for side in ("before", "after")]
    if any(changed):
        lines.append(f"The die: {' -> '.join(one for one in changed if one)}")
    return "\n".join(lines)


def dispute_json(row: Row, target: Recorded | None, names: Names) -> str:
    """The row and the event that is doubted."""
    event = None if target is None else recorded_data(target, names)
    return json_text("dispute", {"dispute": dict(row), "target": event})


def preview_text(
    *,
    dispute: int,
    target: str,
    verdict: str,
    followed: Sequence[Followed],
    changes: Sequence[Difference],
    names: Names,
    unchanged: int = 0,
    next_steps: Sequence[str] = (),
) -> str:
    """What a ruling would change: cards first, then every entry that follows, then what to type.

    `unchanged` counts entries that come out the same and are not among `followed`.
    """
    doubted = f"dispute {dispute} about {safe(target)}" if dispute else f"{safe(target)}, were it disputed"
    head = f"Preview: {doubted}, ruled {safe(verdict)}. Nothing is written."
    return "\n".join(
        [head, "", *consequence_lines(followed, changes, names, unchanged=unchanged), *_next(next_steps)]
    )


def preview_json(
    *,
    dispute: int,
    target: str,
    verdict: str,
    followed: Sequence[Followed],
    changes: Sequence[Difference],
    names: Names,
    unchanged: int = 0,
    next_steps: Sequence[str] = (),
) -> str:
    """The same for programs. `can_be_ruled` says that nothing is left to settle first."""
    return json_text(
        "preview",
        {
            "dispute": dispute,
            "target": target,
            "verdict": verdict,
            "can_be_ruled": not _unsettled(followed),
            "differences": [dict(one) for one in changes],
            "unchanged": unchanged + sum(one.result == "unchanged" for one in followed),
            "slots": [followed_data(one, names) for one in followed],
            "next_steps": list(next_steps),
        },
    )


def followed_data(one: Followed, names: Names) -> dict[str, object]:
    """One slot of a preview as plain data."""
    return {
        "slot": one.slot,
        "battle": one.battle,
        "asked": one.asked,
        "result": one.result,
        "why": one.why,
        "before": [{**event_data(event), "sentence": sentence(event, names)} for event in one.before],
        "after": [{**event_data(event), "sentence": sentence(event, names)} for event in one.after],
    }


def consequence_lines(
    followed: Sequence[Followed], changes: Sequence[Difference], names: Names, *, unchanged: int = 0
) -> list[str]:
    """What stands otherwise and which entries follow, for previews and what-ifs alike."""
    lines = ["What will stand otherwise:", *_indented(differences_lines(changes, names))]
    lines += ["", "Entries, in the order of play:"]
    same = unchanged + sum(one.result == "unchanged" for one in followed)
    for one in followed:
        if one.result != "unchanged":
            lines += _indented(_slot_lines(one, names))
    if same or not followed:
        verb = "comes" if same == 1 else "come"
        lines += _indented([f"{counted(same, 'entry', 'entries')} {verb} out the same."])
    unsettled = _unsettled(followed)
    if unsettled:
        listed = ", ".join(str(one.slot) for one in unsettled)
        lines += ["", f"To settle first: {counted(len(unsettled), 'entry', 'entries')} ({listed})."]
        lines.append("For each, give the dice it needs, keep it as played, or void it.")
    return lines


def _slot_lines(one: Followed, names: Names) -> list[str]:
    battle = f"{names.battle(one.battle)}, " if one.battle is not None else ""
    why = f": {safe(one.why)}" if one.why else ""
    lines = [f"{one.slot}  {battle}{safe(one.asked)}", f"    {_RESULTS[one.result]}{why}"]
    if one.result in ("changed", "voided"):
        lines += [f"    {line}" for line in _changed_lines(one, names)]
    return lines


def _changed_lines(one: Followed, names: Names) -> list[str]:
    before, after = _sentences(one.before, names), _sentences(one.after, names)
    lines = []
    matcher = difflib.SequenceMatcher(a=before, b=after, autojunk=False)
    for tag, start, end, new_start, new_end in matcher.get_opcodes():
        if tag != "equal":
            lines += [f"- {line}" for line in before[start:end]]
            lines += [f"+ {line}" for line in after[new_start:new_end]]
    return lines


def _sentences(events: Sequence[Event], names: Names) -> list[str]:
    return [sentence(event, names) for event in events if not isinstance(event, DecisionTaken)]


def _unsettled(followed: Sequence[Followed]) -> list[Followed]:
    return [one for one in followed if one.result in ("needs_dice", "refused")]


def _next(next_steps: Sequence[str]) -> list[str]:
    return ["", "Next:", *_indented([safe(step) for step in next_steps])] if next_steps else []


def _indented(lines: Sequence[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _status(row: Row) -> str:
    return "open" if row["status"] == "open" else f"ruled: {row['status']}"


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
