"""The only writer of the boards: updates them with each append, rebuilds them, and compares them with a
rebuild.

Knows the board of each event and state record. Knows no rule and no reader, and never reads the log: the
caller provides the events. Rows are canonical JSON with sorted keys, so that boards written entry
by entry and boards made again are equal byte for byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from sqlalchemy import Connection, text

from tracker import schema
from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState
from tracker.log.database import make_missing_caches
from tracker.log.prepared_statements import pipelined
from tracker.projections import battles, disputes, entries, event_boards, sql
from tracker.projections.battles import BattleRow
from tracker.projections.directory import write_directory
from tracker.projections.dispute_rows import DisputeRow
from tracker.projections.entry_rows import bound
from tracker.projections.sql import BOARDS, DELETE_ALL, PAGE
from tracker.projections.state_boards import write_campaign, write_state

Fold: TypeAlias = Callable[[CampaignState, records.Event], CampaignState]
Progress: TypeAlias = Callable[[int], None]


def update(
    connection: Connection,
    campaign: str,
    *,
    before: CampaignState,
    after: CampaignState,
    recorded: Sequence[RecordedEvent],
    created_slug: str | None = None,
    created_at: str = "",
) -> None:
    """Bring the boards from `before` to `after`, within the transaction that appended `recorded`.

    `created_slug` is given with a campaign's first append.
    """
    if (before.name, before.book) != (after.name, after.book) and created_slug is None:
        renamed = {"its_campaign_id": campaign, "name": after.name, "ruleset": after.book}
        sql.update_rows(connection, schema.board_campaigns, [renamed])
    kinds = {type(place.event) for place in recorded}
    marks_slots = not kinds.isdisjoint(entries.SLOT_MARKS)
    if any((entries.slot_of(place) if marks_slots else place.slot) != place.entry for place in recorded):
        event_boards.supersede(connection, campaign, recorded)
    else:
        if not kinds.isdisjoint(event_boards.OF_BATTLES):
            event_boards.write_battles(connection, campaign, recorded)
        if not kinds.isdisjoint(event_boards.OF_DISPUTES):
            event_boards.write_disputes(connection, campaign, recorded)
    index = _IndexBuffer(connection, campaign)
    for group in entries.groups(recorded):
        index.add(group)
    with pipelined(connection):
        if created_slug is not None:
            write_campaign(connection, campaign, after, slug=created_slug, created_at=created_at)
        write_state(connection, campaign, before, after)
        index.write()


def rebuild(
    connection: Connection,
    campaign: str,
    *,
    live: Iterable[RecordedEvent],
    struck: Iterable[RecordedEvent],
    fold: Fold,
    slug: str,
    created_at: str,
    progress: Progress | None = None,
) -> CampaignState:
    """Delete a campaign's boards and make them again. Returns the state that live history adds up to.

    `live` is in order of play; `struck`, the superseded events, in any order of entries. Together they are
    the whole log, including a ruling's events about other slots. `live` is read to its end before `struck` is
    begun. `progress` is called now and then with the number of events read.
    """
    for table in BOARDS:
        connection.execute(DELETE_ALL[table], {"its_campaign_id": campaign})
    index = _IndexBuffer(connection, campaign)
    state = CampaignState()
    battle_rows: dict[str, BattleRow] = {}
    dispute_rows: dict[int, DisputeRow] = {}
    fills: dict[int, list[int]] = {}
    count = 0

    for group in entries.groups(live):
        if entries.replaces(group[0]):
            fills.setdefault(entries.slot_of(group[0]), []).append(group[0].entry)
        for place in group:
            event = place.event
            state = fold(state, event)
            kind = type(event)
            if kind in event_boards.OF_BATTLES:
                battles.note(battle_rows, place)
            elif kind in event_boards.OF_DISPUTES:
                disputes.note(dispute_rows, place)
        index.add(group)
        count = _tell(progress, count, len(group))
        index.write_when_full()

    for group in entries.groups(struck):
        if entries.replaces(group[0]):
            fills.setdefault(entries.slot_of(group[0]), []).append(group[0].entry)
        index.add(group)
        count = _tell(progress, count, len(group))
        index.write_when_full()

    index.write()
    event_boards.mark_superseded(connection, campaign, fills)
    write_campaign(connection, campaign, state, slug=slug, created_at=created_at)
    write_state(connection, campaign, CampaignState(), state)
    event_boards.write_battle_rows(connection, campaign, {}, battle_rows)
    event_boards.write_dispute_rows(connection, campaign, {}, dispute_rows)
    if progress is not None:
        progress(count)
    return state


def rebuild_directory(
    connection: Connection, logs: Iterable[str], openings: Mapping[str, RecordedEvent]
) -> None:
    """Make the list of campaigns and missing indexes again, from the events that opened the campaigns."""
    write_directory(connection, logs, openings)
    for table in schema.CACHES:
        for index in table.indexes:
            index.create(connection, checkfirst=True)


def keep_directory(connection: Connection) -> None:
    """Make missing cache tables, and lock the directory until the end of the transaction."""
    make_missing_caches(connection)
    if connection.dialect.name == "postgresql":
        # Otherwise a campaign that begins now would look like one without a log.
        connection.execute(text("LOCK TABLE board_campaigns IN SHARE ROW EXCLUSIVE MODE"))


def _tell(progress: Progress | None, count: int, more: int) -> int:
    if progress is not None and count // PAGE != (count + more) // PAGE:
        progress(count + more)
    return count + more


class _IndexBuffer:
    """Rows of the index of entries that wait to be written."""

    def __init__(self, connection: Connection, campaign: str) -> None:
        self._connection = connection
        self._campaign = campaign
        self._waiting: list[sql.Bound] = []

    def add(self, group: Sequence[RecordedEvent]) -> None:
        """Add the row of one entry's events in one slot."""
        self._waiting.append(bound(self._campaign, entries.entry_row(group)))

    def write_when_full(self) -> None:
        """Write the rows if there is a page of them."""
        if len(self._waiting) >= PAGE:
            self.write()

    def write(self) -> None:
        """Write every row that is waiting."""
        sql.insert_rows(self._connection, schema.board_entries, self._waiting)
        self._waiting.clear()
