"""Receipt: what an entry did, line by line, right after it was recorded (or only tried).

Knows entries and sentences. Every line carries the address that a dispute would name.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.reports.dice_words import dice_words
from tracker.reports.names import Names
from tracker.reports.plain_data import entry_data
from tracker.reports.rendering import json_text, sanitize
from tracker.reports.sentences import section_of, sentence

_REPEATED = "Recorded before: nothing new was written. This is what was recorded then."
_DRY_RUN = "Dry run: nothing was written. The numbers are those it would get now."


def receipt(
    entries: Sequence[Sequence[RecordedEvent]],
    names: Names,
    *,
    repeated: bool = False,
    dry_run: bool = False,
    notes: Sequence[str] = (),
) -> str:
    """Each entry with its events: dice, modifiers, target, outcome, effect and the book's section.

    `notes` are what has to be said aloud beside them.
    """
    lines = [note for note, said in ((_REPEATED, repeated), (_DRY_RUN, dry_run)) if said]
    lines += [f"Note: {sanitize(note)}" for note in notes]
    for entry in entries:
        lines += entry_lines(entry, names)
    return "\n".join(lines)


def receipt_json(
    entries: Sequence[Sequence[RecordedEvent]],
    names: Names,
    *,
    repeated: bool = False,
    dry_run: bool = False,
    notes: Sequence[str] = (),
) -> str:
    """The same for programs."""
    told = [entry_data(entry, names) for entry in entries]
    return json_text(
        "receipt", {"repeated": repeated, "dry_run": dry_run, "notes": list(notes), "entries": told}
    )


def entry_lines(entry: Sequence[RecordedEvent], names: Names) -> list[str]:
    """One entry: what was asked, then its events; what a ruling decided again stands under its own head."""
    if not entry:
        return []
    indent = " " * (len(str(entry[0].entry)) + 2)
    lines = [f"{entry[0].entry}  {sentence(entry[0].event, names)}"]
    lines += _beside(entry[0], indent)
    target = _target(entry[0])
    wide = max(len(recorded.address) for recorded in entry)
    slot = entry[0].slot
    for recorded in entry[1:]:
        if recorded.slot != slot and not isinstance(recorded.event, (records.SlotKept, records.SlotVoided)):
            slot = recorded.slot
            own = slot == entry[0].slot
            lines.append(f"{indent}{'the ruling itself' if own else f'entry {slot}, decided again'}:")
        if isinstance(recorded.event, records.DecisionTaken):
            target = _target(recorded)
        lines.append(f"{indent}{recorded.address:<{wide}}  {event_line(recorded, names, target=target)}")
        lines += _beside(recorded, indent)
    return lines


def event_line(recorded: RecordedEvent, names: Names, *, target: str | None = None) -> str:
    """The sentence and its section in brackets. A roll about anybody but `target` says about whom."""
    event = recorded.event
    whose = isinstance(event, records.RollMade) and event.fighter != target
    section = section_of(event)
    return sentence(event, names, whose=whose) + (f" [{section}]" if section else "")


def _target(header: RecordedEvent) -> str | None:
    return (
        getattr(header.event.command, "target", None)
        if isinstance(header.event, records.DecisionTaken)
        else None
    )


def _beside(header: RecordedEvent, indent: str) -> list[str]:
    if not isinstance(header.event, records.DecisionTaken):
        return []
    lines = [f"{indent}note: {sanitize(header.event.note)}"] if header.event.note else []
    if header.event.spare:
        lines.append(f"{indent}no longer asked for: {dice_words(header.event.spare)}")
    return lines
