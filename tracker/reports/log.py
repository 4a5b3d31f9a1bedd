"""Log: what happened, entry by entry, with what was struck out and by which ruling.

Knows recorded events. Nothing is hidden: an entry that a ruling voided or decided again keeps its line.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.records import Record
from tracker.reports.cards import counted
from tracker.reports.dice_words import dice_words
from tracker.reports.dispute_marks import MARK
from tracker.reports.names import Names
from tracker.reports.plain_data import entry_data, recorded_data
from tracker.reports.receipt import event_line
from tracker.reports.rendering import Row, json_text, sanitize
from tracker.reports.sentences import sentence

Entry = Sequence[RecordedEvent]
Place = tuple[int, int]
"""An entry and a slot: where one content of a slot stands."""
SlotInstruction = Literal["decided_again", "voided"]

_EMPTY = "Nothing is recorded here."
_DECIDED = (
    records.ResolveHit
    | records.RollInjuryDice
    | records.StateOutcome
    | records.ResolveFall
    | records.AwardExperience
)
_TELLING = (
    records.WoundsLost
    | records.FleshWoundsSuffered
    | records.SeriousInjurySuffered
    | records.FighterWebbed
    | records.FighterWentOutOfAction
    | records.LastingInjurySuffered
    | records.CapturePending
    | records.CriticalInjuryPending
    | records.FighterDied
)


class StruckOut(Record):
    """By which ruling (an entry's number) a content counts no more, and what became of its slot."""

    ruling: int
    treatment: SlotInstruction | None


def struck_out(recorded: Iterable[RecordedEvent]) -> dict[Place, StruckOut]:
    """Every content of a slot that a later ruling replaced or voided. Needs the whole log, in order."""
    latest: dict[int, int] = {}
    struck: dict[Place, StruckOut] = {}
    for one in recorded:
        if isinstance(one.event, records.SlotKept):
            continue
        voided = isinstance(one.event, records.SlotVoided)
        slot = one.event.voided_slot if isinstance(one.event, records.SlotVoided) else one.slot
        before = latest.get(slot, slot)
        if slot == one.entry or before == one.entry:
            continue
        how: SlotInstruction = "voided" if voided else "decided_again"
        struck.setdefault((before, slot), StruckOut(ruling=one.entry, treatment=how))
        latest[slot] = one.entry
    return struck


def struck_out_by_rows(rows: Iterable[Row]) -> dict[Place, StruckOut]:
    """The same from the entry board's rows; how is known where the ruling's own row is among them."""
    told = list(rows)
    kinds = {(row["entry"], row["slot"]): row["kind"] for row in told}
    hows: dict[str | None, SlotInstruction] = {"slot_voided": "voided", "decided_again": "decided_again"}
    return {
        (row["entry"], row["slot"]): StruckOut(
            ruling=row["struck_by"], treatment=hows.get(kinds.get((row["struck_by"], row["slot"])))
        )
        for row in told
        if row["struck_by"] is not None
    }


def log_text(
    entries: Sequence[Entry],
    names: Names,
    *,
    struck: Mapping[Place, StruckOut] | None = None,
    doubted: AbstractSet[int] = frozenset(),
) -> str:
    """One line per entry: number, when, who, what happened. `doubted` are events that rest on a dispute."""
    told = [entry for entry in entries if entry]
    if not told:
        return _EMPTY
    wide = max(len(str(entry[0].entry)) for entry in told)
    who = max(len(sanitize(entry[0].actor)) for entry in told)
    return "\n".join(
        f"{entry[0].entry:>{wide}}  {when(entry[0].at)}  {sanitize(entry[0].actor):<{who}}"
        f"  {_mark(entry[0], struck or {})}{happened(entry, names)}"
        f"{MARK if any(one.seq in doubted for one in entry) else ''}"
        for entry in told
    )


def log_json(
    entries: Sequence[Entry], names: Names, *, struck: Mapping[Place, StruckOut] | None = None
) -> str:
    """The same for programs, every event included."""
    told = [
        {
            **entry_data(entry, names),
            "happened": happened(entry, names),
            "struck_out": _struck_data(entry[0], struck),
        }
        for entry in entries
        if entry
    ]
    return json_text("log", {"entries": told})


def events_text(
    recorded: Sequence[RecordedEvent], names: Names, *, struck: Mapping[Place, StruckOut] | None = None
) -> str:
    """One line per event, for lists of one type or of one fighter."""
    if not recorded:
        return _EMPTY
    wide = max(len(event.address) for event in recorded)
    return "\n".join(
        f"{event.address:>{wide}}  {when(event.at)}  {_mark(event, struck or {})}{event_line(event, names)}"
        for event in recorded
    )


def events_json(
    recorded: Sequence[RecordedEvent], names: Names, *, struck: Mapping[Place, StruckOut] | None = None
) -> str:
    """The same for programs."""
    told = [
        {**recorded_data(event, names), "at": event.at, "struck_out": _struck_data(event, struck)}
        for event in recorded
    ]
    return json_text("events", {"events": told})


def entry_text(entry: Entry, names: Names, *, struck: Mapping[Place, StruckOut] | None = None) -> str:
    """One entry whole: its stamp, the dice as given, every event with its number and its cause."""
    header = entry[0]
    lines = [
        f"Entry {header.entry}, {when(header.at)}, by {sanitize(header.actor)}",
        f"Asked: {sentence(header.event, names)}",
    ]
    mark = _mark(header, struck or {}).removesuffix(": ")
    if mark:
        lines.append(f"{mark[:1].upper()}{mark[1:]}; it stays in the log")
    if isinstance(header.event, records.DecisionTaken):
        lines += [f"Note: {sanitize(header.event.note)}"] if header.event.note else []
        lines.append(f"Dice given: {dice_words(header.event.dice)}")
        if header.event.spare:
            lines.append(f"No longer asked for: {dice_words(header.event.spare)}")
    lines += [f"House rules: {sanitize(header.policy_version)} ({sanitize(header.policy_digest)})", ""]
    addresses = {event.seq: event.address for event in entry}
    wide = max(len(event.address) for event in entry)
    long = max(len(str(event.seq)) for event in entry)
    for event in entry:
        cause = ""
        if event.causation is not None:
            cause = f" (because of {addresses.get(event.causation, f'event {event.causation}')})"
        place = f"{event.address:<{wide}}  event {event.seq:>{long}}"
        slot = f"  in place of entry {event.slot}:" if event.slot != event.entry else ""
        lines.append(f"{place}{slot}  {event_line(event, names)}{_rolled_by(event, names)}{cause}")
    return "\n".join(lines)


def entry_json(entry: Entry, names: Names, *, struck: Mapping[Place, StruckOut] | None = None) -> str:
    """The same for programs."""
    return json_text("entry", {**entry_data(entry, names), "struck_out": _struck_data(entry[0], struck)})


def happened(entry: Entry, names: Names) -> str:
    """The entry in one line: what was asked, and what came of it where dice decided that."""
    header, own = entry[0], [event for event in entry[1:] if event.slot == entry[0].slot]
    asked = sentence(header.event, names)
    command = header.event.command if isinstance(header.event, records.DecisionTaken) else None
    rulings = [event.event for event in entry if isinstance(event.event, records.RulingMade)]
    if rulings:
        return "; ".join([sentence(rulings[0], names), *_treated(entry)])
    if isinstance(command, _DECIDED):
        came = _outcome(own, names)
        return f"{asked} -> {came}" if came else asked
    told = [
        sentence(event.event, names, whose=True)
        for event in own
        if not isinstance(event.event, records.FighterEnlisted)
    ]
    enlisted = [event for event in own if isinstance(event.event, records.FighterEnlisted)]
    if enlisted and told:
        told.append(f"{counted(len(enlisted), 'fighter')} with it")
    elif enlisted:
        told = [sentence(event.event, names) for event in enlisted]
    return "; ".join(told) or asked


def when(at: str) -> str:
    """A moment of the log to the minute: '2026-03-01 20:14'."""
    return sanitize(at)[:16].replace("T", " ")


def _treated(entry: Entry) -> list[str]:
    voided = [one for one in entry if isinstance(one.event, records.SlotVoided)]
    kept = [one for one in entry if isinstance(one.event, records.SlotKept)]
    other = {one.slot for one in entry if one.slot != one.entry and one not in voided and one not in kept}
    told = ((len(other), "decided again"), (len(kept), "kept as played"), (len(voided), "voided"))
    return [f"{counted(count, 'entry', 'entries')} {how}" for count, how in told if count]


def _outcome(events: Entry, names: Names) -> str:
    telling = [event.event for event in events if isinstance(event.event, _TELLING)]
    if telling:
        return "; ".join(sentence(event, names) for event in telling)
    rolls = [
        event.event for event in events if isinstance(event.event, (records.RollMade, records.RuleNoted))
    ]
    return sentence(rolls[-1], names) if rolls else ""


def _rolled_by(recorded: RecordedEvent, names: Names) -> str:
    event = recorded.event
    if not isinstance(event, records.RollMade) or event.rolled_by is None:
        return ""
    return f" (dice of {names.anyone(event.rolled_by)})"


def _mark(recorded: RecordedEvent, struck: Mapping[Place, StruckOut]) -> str:
    by = struck.get((recorded.entry, recorded.slot))
    if by is None:
        return ""
    how = f" ({by.treatment.replace('_', ' ')})" if by.treatment else ""
    return f"struck out by entry {by.ruling}{how}: "


def _struck_data(
    recorded: RecordedEvent, struck: Mapping[Place, StruckOut] | None
) -> dict[str, object] | None:
    by = (struck or {}).get((recorded.entry, recorded.slot))
    return None if by is None else {"ruling": by.ruling, "treatment": by.treatment}
