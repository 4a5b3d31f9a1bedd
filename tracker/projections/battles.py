"""The battle board: one row for each battle that counts now, and which battle a slot belongs to.

Knows `BattleOpened` and `BattleClosed`. Knows nothing of what happened between them. A battle whose opening
was voided is not on the board; its struck entries are.
"""

from collections.abc import Collection, Iterable, Mapping
from typing import Literal, TypedDict

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.projections import LogPosition, position_of


class Crew(TypedDict):
    """The fighters of a gang in a battle."""

    gang: str
    fighters: list[str]


class BattleRow(LogPosition):
    """A battle. Its position is that of its opening; `crews` are ordered by gang id."""

    battle: str
    number: int
    scenario: str
    date: str
    crews: list[Crew]
    status: Literal["under_way", "closed"]
    winner: str | None
    drawn: bool
    closed: LogPosition | None


def opened_row(recorded: RecordedEvent, event: records.BattleOpened) -> BattleRow:
    """The row of a battle under way."""
    return BattleRow(
        battle=event.battle,
        number=event.number,
        scenario=event.scenario,
        date=event.date,
        crews=[Crew(gang=gang, fighters=list(fighters)) for gang, fighters in event.crews.items()],
        status="under_way",
        winner=None,
        drawn=False,
        closed=None,
        **position_of(recorded),
    )


def closed_row(opened: BattleRow, recorded: RecordedEvent, event: records.BattleClosed) -> BattleRow:
    """The row of a battle that is over."""
    row = opened.copy()
    row["status"], row["winner"], row["drawn"] = "closed", event.winner, event.drawn
    row["closed"] = position_of(recorded)
    return row


def note(rows: dict[str, BattleRow], recorded: RecordedEvent) -> None:
    """Update the rows, by battle id, with one event. A closing without its opening is ignored."""
    event = recorded.event
    if isinstance(event, records.BattleOpened):
        rows[event.battle] = opened_row(recorded, event)
    elif isinstance(event, records.BattleClosed) and event.battle in rows:
        rows[event.battle] = closed_row(rows[event.battle], recorded, event)


def redone(
    rows: Mapping[str, BattleRow], replaced: Collection[int], recorded: Iterable[RecordedEvent]
) -> dict[str, BattleRow]:
    """The rows after the `replaced` slots lost their events and `recorded` came in.

    A closing that still counts is kept for an opening that was decided again.
    """
    standing: dict[str, BattleRow] = {}
    closings: dict[str, BattleRow] = {}
    for battle, row in rows.items():
        if row["closed"] is not None and row["closed"]["slot"] not in replaced:
            closings[battle] = row
        elif row["closed"] is not None:
            row = row.copy()
            row["status"], row["winner"], row["drawn"], row["closed"] = "under_way", None, False, None
        if row["slot"] not in replaced:
            standing[battle] = row
    for place in sorted(recorded, key=lambda place: (place.slot, place.seq)):
        note(standing, place)
        if isinstance(place.event, records.BattleOpened) and (closing := closings.get(place.event.battle)):
            row = standing[place.event.battle]
            row["status"], row["winner"] = "closed", closing["winner"]
            row["drawn"], row["closed"] = closing["drawn"], closing["closed"]
    return standing
