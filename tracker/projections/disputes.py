"""The dispute board: what each dispute is about, and how it ended.

Knows disputes opened, withdrawn, ruled on and opened again. The slots that a ruling changed are on the entry
board, under the ruling's entry.
"""

from collections.abc import Collection, Iterable, Mapping

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.dice import Die
from tracker.projections import position_of
from tracker.projections.dispute_rows import DieShown, DisputeRow, RulingRow, Statement, Withdrawal

_MOVES = (
    records.DisputeCommentedOn,
    records.DisputeWithdrawn,
    records.DisputeReopened,
    records.DisputeSettledAgain,
)


def dispute_row(recorded: RecordedEvent, event: records.RollDisputed) -> DisputeRow:
    """The row of an open dispute."""
    return DisputeRow(
        dispute=event.dispute,
        status="open",
        raised_by=event.raised_by,
        reason=event.reason,
        rule=event.rule,
        target=f"{event.target_entry}.{event.target_position}",
        target_seq=event.target_seq,
        target_entry=event.target_entry,
        target_position=event.target_position,
        target_slot=event.target_slot,
        ruling=None,
        taken_back_by=None,
        withdrawn=None,
        entry=recorded.entry,
        position=recorded.position,
        seq=recorded.seq,
        slot=recorded.slot,
        at=recorded.at,
    )


def ruling_row(recorded: RecordedEvent, event: records.RulingMade) -> RulingRow:
    """The row of a ruling."""
    return RulingRow(
        actor=recorded.actor,
        verdict=event.verdict,
        reason=event.reason,
        before=_shown(event.before),
        after=_shown(event.after),
        **position_of(recorded),
    )


def note(rows: dict[int, DisputeRow], recorded: RecordedEvent) -> None:
    """Update the rows, by dispute number, with one event. A ruling without its dispute is ignored."""
    event = recorded.event
    if isinstance(event, records.RollDisputed):
        rows[event.dispute] = dispute_row(recorded, event)
    elif isinstance(event, records.RulingMade) and event.dispute in rows:
        rows[event.dispute] = _ruled(rows[event.dispute], ruling_row(recorded, event))
    elif isinstance(event, _MOVES) and event.dispute in rows:
        rows[event.dispute] = _moved(rows[event.dispute], recorded, event)


def redone(
    rows: Mapping[int, DisputeRow], replaced: Collection[int], recorded: Iterable[RecordedEvent]
) -> dict[int, DisputeRow]:
    """The rows after the `replaced` slots lost their events and `recorded` came in.

    A ruling that still counts is kept for a dispute that was opened again.
    """
    standing: dict[int, DisputeRow] = {}
    rulings: dict[int, RulingRow] = {}
    for dispute, row in rows.items():
        if row["ruling"] is not None and row["ruling"]["slot"] not in replaced:
            rulings[dispute] = row["ruling"]
        elif row["ruling"] is not None:
            row = row.copy()
            row["status"], row["ruling"] = "open", None
        if row["slot"] not in replaced:
            standing[dispute] = row
    for place in sorted(recorded, key=lambda place: (place.slot, place.seq)):
        note(standing, place)
        if isinstance(place.event, records.RollDisputed) and (ruling := rulings.get(place.event.dispute)):
            standing[place.event.dispute] = _ruled(standing[place.event.dispute], ruling)
    return standing


def _ruled(row: DisputeRow, ruling: RulingRow) -> DisputeRow:
    ruled = row.copy()
    ruled["status"], ruled["ruling"], ruled["taken_back_by"] = ruling["verdict"], ruling, None
    return ruled


def _moved(
    row: DisputeRow,
    recorded: RecordedEvent,
    event: records.DisputeCommentedOn
    | records.DisputeWithdrawn
    | records.DisputeReopened
    | records.DisputeSettledAgain,
) -> DisputeRow:
    moved = row.copy()
    match event:
        case records.DisputeCommentedOn():
            said = Statement(entry=recorded.entry, at=recorded.at, by=event.said_by, says=event.says)
            moved["statements"] = [*moved.get("statements", ()), said]
        case records.DisputeWithdrawn():
            moved["status"] = "withdrawn"
            moved["withdrawn"] = Withdrawal(
                entry=recorded.entry, at=recorded.at, by=event.withdrawn_by, reason=event.reason
            )
        case records.DisputeReopened():
            moved["status"], moved["taken_back_by"] = "open", recorded.entry
        case records.DisputeSettledAgain():
            if moved["ruling"] is not None:
                moved["status"], moved["taken_back_by"] = moved["ruling"]["verdict"], None
    return moved


def _shown(die: Die | None) -> DieShown | None:
    if die is None:
        return None
    return DieShown(
        purpose=die.purpose,
        die=die.die,
        faces=list(die.faces),
        symbol=die.symbol,
        fighter=die.fighter,
        source=die.source,
    )
