"""Log: what happened, entry by entry, with superseded entries and the rulings behind that; receipts of new
entries.

Nothing is hidden: an entry that a ruling voided or decided again keeps its line. Every line of a receipt has
the address that a dispute would name.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.records import Record
from tracker.reports import people
from tracker.reports.cards import counted
from tracker.reports.dice_words import dice_words
from tracker.reports.dispute_marks import MARK
from tracker.reports.escaping import sanitize
from tracker.reports.names import Names
from tracker.reports.page import Page, Row, Text
from tracker.reports.plain_data import entry_data, recorded_data
from tracker.reports.sentences import citation, sentence

Entry = Sequence[RecordedEvent]
Place = tuple[int, int]
"""An entry and a slot: the place of one content of a slot."""
Treatment = Literal["decided_again", "voided"]

_EMPTY = "Nothing is recorded here."
_SEVERAL = 3
"""Equal gains of this many fighters or more are counted instead of named."""
_REPEATED = "Recorded before: nothing new was written. This is what was recorded then."
_DRY_RUN = "Dry run: nothing was written. The numbers are those it would get now."
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


class StruckContent(Record):
    """The ruling (its entry number) that superseded a content, and what became of the slot."""

    ruling: int
    treatment: Treatment | None


def struck_out(recorded: Iterable[RecordedEvent]) -> dict[Place, StruckContent]:
    """Every content of a slot that a later ruling superseded. Needs the whole log, in order."""
    latest: dict[int, int] = {}
    struck: dict[Place, StruckContent] = {}
    for event in recorded:
        if isinstance(event.event, records.SlotKept):
            continue
        voided = isinstance(event.event, records.SlotVoided)
        slot = event.event.voided_slot if isinstance(event.event, records.SlotVoided) else event.slot
        before = latest.get(slot, slot)
        if slot == event.entry or before == event.entry:
            continue
        how: Treatment = "voided" if voided else "decided_again"
        struck.setdefault((before, slot), StruckContent(ruling=event.entry, treatment=how))
        latest[slot] = event.entry
    return struck


def struck_out_by_rows(rows: Iterable[Row]) -> dict[Place, StruckContent]:
    """The same from the entry board's rows; the reason is known if the ruling's own row is among them."""
    listed = list(rows)
    kinds = {(row["entry"], row["slot"]): row["kind"] for row in listed}
    hows: dict[str | None, Treatment] = {"slot_voided": "voided", "decided_again": "decided_again"}
    return {
        (row["entry"], row["slot"]): StruckContent(
            ruling=row["struck_by"], treatment=hows.get(kinds.get((row["struck_by"], row["slot"])))
        )
        for row in listed
        if row["struck_by"] is not None
    }


def log_lines(
    entries: Sequence[Entry],
    names: Names,
    *,
    struck: Mapping[Place, StruckContent] | None = None,
    disputed: AbstractSet[int] = frozenset(),
    with_struck_dice: bool = False,
) -> list[str]:
    """One line per entry: number, time, person, what happened. `disputed` events depend on a dispute.

    `with_struck_dice`: superseded entries also show their dice, on pages that do not list them elsewhere.
    """
    shown = [entry for entry in entries if entry]
    wide = max((len(str(entry[0].entry)) for entry in shown), default=0)
    actors = [sanitize(people.person(entry[0].actor, entry[0].at)) for entry in shown]
    who = max(map(len, actors), default=0)
    return [
        f"{entry[0].entry:>{wide}}  {when(entry[0].at)}  {actor:<{who}}"
        f"  {_mark(entry[0], struck or {})}{people.in_text(happened(entry, names), entry[0].at)}"
        f"{_struck_dice(entry[0], struck or {}) if with_struck_dice else ''}"
        f"{MARK if any(recorded.seq in disputed for recorded in entry) else ''}"
        for entry, actor in zip(shown, actors, strict=True)
    ] or [_EMPTY]


def log_page(
    entries: Sequence[Entry], names: Names, *, struck: Mapping[Place, StruckContent] | None = None
) -> Page:
    """One line per entry."""
    return Page(
        schema="log",
        blocks=lambda: [[Text(log_lines(entries, names, struck=struck))]],
        data=lambda: {
            "entries": [
                {
                    **entry_data(entry, names),
                    "happened": people.in_text(happened(entry, names), entry[0].at),
                    "struck_out": struck_data(entry[0], struck),
                }
                for entry in entries
                if entry
            ]
        },
    )


def events_page(
    recorded: Sequence[RecordedEvent], names: Names, *, struck: Mapping[Place, StruckContent] | None = None
) -> Page:
    """One line per event, for lists of one type or of one fighter."""
    return Page(
        schema="events",
        blocks=lambda: [[Text(_list_lines(recorded, names, struck) or [_EMPTY])]],
        data=lambda: {
            "events": [
                {**recorded_data(event, names), "at": event.at, "struck_out": struck_data(event, struck)}
                for event in recorded
            ]
        },
    )


def _list_lines(
    events: Sequence[RecordedEvent], names: Names, struck: Mapping[Place, StruckContent] | None
) -> list[str]:
    wide = max((len(event.address) for event in events), default=0)
    return [
        f"{event.address:>{wide}}  {when(event.at)}  {_mark(event, struck or {})}"
        f"{people.in_text(event_line(event, names), event.at)}"
        for event in events
    ]


def entry_page(entry: Entry, names: Names, *, struck: Mapping[Place, StruckContent] | None = None) -> Page:
    """One entry in full: its stamp, the dice as given, every event with its number and its cause."""
    return Page(
        schema="entry",
        blocks=lambda: [[Text(_stamp(entry, names, struck))], [Text(_event_lines(entry, names))]],
        data=lambda: {**entry_data(entry, names), "struck_out": struck_data(entry[0], struck)},
    )


def _stamp(entry: Entry, names: Names, struck: Mapping[Place, StruckContent] | None) -> list[str]:
    header = entry[0]
    lines = [
        f"Entry {header.entry}, {when(header.at)}, by {people.person(header.actor, header.at)}",
        f"Asked: {people.in_text(sentence(header.event, names), header.at)}",
    ]
    mark = _mark(header, struck or {}).removesuffix(": ")
    if mark:
        lines.append(f"{mark[:1].upper()}{mark[1:]}; it stays in the log")
    if isinstance(header.event, records.DecisionTaken):
        lines += [f"Note: {header.event.note}"] if header.event.note else []
        lines += _agreed(header.event.sent, header.at)
        lines.append(f"Dice given: {dice_words(header.event.dice)}")
        if header.event.spare:
            lines.append(f"No longer asked for: {dice_words(header.event.spare)}")
    return [*lines, f"House rules: {header.policy_version} ({header.policy_digest})"]


def _agreed(sent: records.IdempotencyKey | None, at: str) -> list[str]:
    """The people who proposed and confirmed a report."""
    if sent is None or sent.agreed is None:
        return []
    confirmed = ", ".join(people.person(who, at) for who in sent.agreed.confirmed_by) or "nobody"
    return [f"Proposed by {people.person(sent.agreed.proposed_by, at)}, confirmed by {confirmed}"]


def _event_lines(entry: Entry, names: Names) -> list[str]:
    addresses = {event.seq: event.address for event in entry}
    wide = max(len(event.address) for event in entry)
    long = max(len(str(event.seq)) for event in entry)
    lines = []
    cited: set[str] = set()
    for event in entry:
        cause = ""
        if event.causation is not None:
            cause = f" (because of {addresses.get(event.causation, f'event {event.causation}')})"
        place = f"{event.address:<{wide}}  event {event.seq:>{long}}"
        slot = f"  in place of entry {event.slot}:" if event.slot != event.entry else ""
        sentence_shown = people.in_text(event_line(event, names, cited=cited), event.at)
        lines.append(f"{place}{slot}  {sentence_shown}{_rolled_by(event, names)}{cause}")
        if event is not entry[0]:
            lines += _beside(event, " " * (len(place) + 2))
    return lines


def happened(entry: Entry, names: Names) -> str:
    """The entry in one line: the command, and the outcome if dice decided it."""
    header, own = entry[0], [event for event in entry[1:] if event.slot == entry[0].slot]
    asked = sentence(header.event, names)
    command = header.event.command if isinstance(header.event, records.DecisionTaken) else None
    rulings = [event.event for event in entry if isinstance(event.event, records.RulingMade)]
    if rulings:
        return "; ".join([sentence(rulings[0], names), *_treated(entry)])
    if isinstance(command, _DECIDED):
        outcome = _outcome(own, names)
        return f"{asked} -> {outcome}" if outcome else asked
    same_gains = _gained_alike(own)
    sentences = [
        sentence(event.event, names, whose=True)
        for event in own
        if not isinstance(event.event, records.FighterEnlisted)
        and not (same_gains and isinstance(event.event, records.ExperienceGained))
    ]
    sentences = [*([same_gains] if same_gains else []), *sentences]
    enlisted = [event for event in own if isinstance(event.event, records.FighterEnlisted)]
    if enlisted and sentences:
        sentences.append(f"{counted(len(enlisted), 'fighter')} with it")
    elif enlisted:
        sentences = [sentence(event.event, names) for event in enlisted]
    return "; ".join(sentences) or asked


def _gained_alike(events: Entry) -> str:
    """'7 fighters took part in the battle: 1 XP each', if several gained the same for the same reason."""
    gains = [event.event for event in events if isinstance(event.event, records.ExperienceGained)]
    if len(gains) < _SEVERAL or len({(gain.amount, gain.reason, gain.victim) for gain in gains}) > 1:
        return ""
    who, each = counted(len(gains), "fighter"), f"{gains[0].amount} XP each"
    reason = sanitize(gains[0].reason)
    return f"{who} {reason}: {each}" if reason.startswith("took part") else f"{who} gain {each}: {reason}"


def when(at: str) -> str:
    """A time of the log to the minute: '2026-03-01 20:14'."""
    return sanitize(at)[:16].replace("T", " ")


def _treated(entry: Entry) -> list[str]:
    voided = [recorded for recorded in entry if isinstance(recorded.event, records.SlotVoided)]
    kept = [recorded for recorded in entry if isinstance(recorded.event, records.SlotKept)]
    other = {
        recorded.slot
        for recorded in entry
        if recorded.slot != recorded.entry and recorded not in voided and recorded not in kept
    }
    treated = ((len(other), "decided again"), (len(kept), "kept as played"), (len(voided), "voided"))
    return [f"{counted(count, 'entry', 'entries')} {how}" for count, how in treated if count]


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


def _mark(recorded: RecordedEvent, struck: Mapping[Place, StruckContent]) -> str:
    by = struck.get((recorded.entry, recorded.slot))
    if by is None:
        return ""
    how = f" ({by.treatment.replace('_', ' ')})" if by.treatment else ""
    return f"struck out by entry {by.ruling}{how}: "


def _struck_dice(header: RecordedEvent, struck: Mapping[Place, StruckContent]) -> str:
    if (header.entry, header.slot) not in struck or not isinstance(header.event, records.DecisionTaken):
        return ""
    return f" (dice: {dice_words(header.event.dice)})" if header.event.dice else ""


def struck_data(
    recorded: RecordedEvent, struck: Mapping[Place, StruckContent] | None
) -> dict[str, object] | None:
    """The ruling that superseded an entry, and how, for programs; None if the entry counts."""
    by = (struck or {}).get((recorded.entry, recorded.slot))
    return None if by is None else {"ruling": by.ruling, "treatment": by.treatment}


# --- receipts -----------------------------------------------------------------------------------------------


def receipt_page(
    entries: Sequence[Entry],
    names: Names,
    *,
    repeated: bool = False,
    dry_run: bool = False,
    notes: Sequence[str] = (),
) -> Page:
    """Each entry with its events: dice, modifiers, target, outcome, effect and the book's section. `notes`
    come first, because a reader should not miss them.
    """
    first = [note for note, holds in ((_REPEATED, repeated), (_DRY_RUN, dry_run)) if holds]
    first += [f"Note: {note}" for note in notes]
    return Page(
        schema="receipt",
        blocks=lambda: [[Text([*first, *(line for entry in entries for line in entry_lines(entry, names))])]],
        data=lambda: {
            "repeated": repeated,
            "dry_run": dry_run,
            "notes": list(notes),
            "entries": [entry_data(entry, names) for entry in entries],
        },
    )


def entry_lines(entry: Sequence[RecordedEvent], names: Names) -> list[str]:
    """One entry: the command, then its events; slots that a ruling decided again have a heading of
    their own.
    """
    if not entry:
        return []
    indent = " " * (len(str(entry[0].entry)) + 2)
    lines = [f"{entry[0].entry}  {sentence(entry[0].event, names)}"]
    lines += _beside(entry[0], indent)
    target = _target(entry[0])
    wide = max(len(recorded.address) for recorded in entry)
    slot = entry[0].slot
    cited: set[str] = set()
    for recorded in entry[1:]:
        if recorded.slot != slot and not isinstance(recorded.event, (records.SlotKept, records.SlotVoided)):
            slot = recorded.slot
            own = slot == entry[0].slot
            cited = set()
            lines.append(f"{indent}{'the ruling itself' if own else f'entry {slot}, decided again'}:")
        if isinstance(recorded.event, records.DecisionTaken):
            target = _target(recorded)
        lines.append(
            f"{indent}{recorded.address:<{wide}}  {event_line(recorded, names, target=target, cited=cited)}"
        )
        lines += _beside(recorded, indent)
    return lines


def event_line(
    recorded: RecordedEvent, names: Names, *, target: str | None = None, cited: set[str] | None = None
) -> str:
    """The sentence and its section in brackets. A roll about anybody but `target` names them.

    Sections in `cited` are not printed again; this one is added to them.
    """
    event = recorded.event
    whose = isinstance(event, records.RollMade) and event.fighter != target
    return sentence(event, names, whose=whose) + citation(event, cited)


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
