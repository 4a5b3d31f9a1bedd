"""Indexes with holes: nobody is given a part of the log for the whole, verifiers name the index, a rebuild mends it."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import postgres_server
from sqlalchemy import text
from sqlite_holes import hole

from tracker import schema
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState
from tracker.errors import LogDamaged
from tracker.log import database
from tracker.service.application import Tracker

from . import club
from .crashes import nothing_is_lost
from .runner import Run
from .tampering import logs_to_edit


class _Truth:
    """What a log says of itself while it is whole."""

    def __init__(self, tracker: Tracker, campaign: str) -> None:
        self.entries = [
            tracker.repository.log.entry(campaign, number + 1)
            for number in range(tracker.repository.store.head(campaign).entries)
        ]
        self.state = tracker.repository.state(campaign)
        self.root = tracker.repository.store.verify(campaign).root_hex

    def answers_or_refuses(self, tracker: Tracker, campaign: str, dice: random.Random, run: Run) -> None:
        """Every read gives what is so, or says that it cannot."""
        for number, entry in enumerate(self.entries, start=1):
            self._same(run, lambda number=number: tracker.repository.log.entry(campaign, number), entry)
        self._same(run, lambda: tracker.repository.state(campaign), self.state)
        self._same(run, lambda: tuple(tracker.repository.log.written(campaign)), sum(self.entries, ()))
        number = dice.randint(1, len(self.entries))
        self._same(run, lambda: tracker.repository.log.fillings(campaign, number)[0], self._first(number))

    def _first(self, number: int) -> tuple[RecordedEvent, ...]:
        return tuple(event for event in self.entries[number - 1] if event.slot == number)

    def _same(
        self, run: Run, read: Callable[[], object], truth: tuple[RecordedEvent, ...] | CampaignState
    ) -> None:
        try:
            assert read() == truth, "a part of the log was given for the whole"
        except LogDamaged:
            run.count("reads refused")


def sqlite(run: Run) -> None:
    """Entries of one index of the file are taken out: one, a few next to each other, or all."""
    file = run.folder / "club.db"
    known, truth, indexes = "", None, list[str]()
    for dice, campaign, whole in logs_to_edit(run, file):
        if campaign != known:
            known = campaign
            file.write_bytes(whole)
            with club.opened(club.sqlite(file)) as tracker:
                truth = _Truth(tracker, campaign)
            indexes = _with_entries(file)
        assert truth is not None
        file.write_bytes(whole)
        index = dice.choice(indexes)
        taken = _hole(file, index, dice)
        with club.opened(club.sqlite(file)) as tracker:
            if not index.startswith("sqlite_autoindex_heads"):  # then no campaign is known to be there
                truth.answers_or_refuses(tracker, campaign, dice, run)
            audit = tracker.audit.verify(campaign)
            assert not audit.ok, f"{taken} entries of {index} are gone, and nobody says so"
            assert any(index in finding for finding in audit.pages), (index, audit.pages)
            tracker.audit.reindex()
            tracker.audit.rebuild_boards(campaign)
            club.everything_holds(tracker, campaign)
            assert tracker.repository.store.verify(campaign).root_hex == truth.root, "the log was changed"
        run.count(index)


def _with_entries(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        named = connection.execute(
            "SELECT name, tbl_name FROM sqlite_master WHERE type = 'index' AND tbl_name <> 'alembic_version'"
        ).fetchall()
        held = {"events_refilled": "entry <> slot"}
        return [
            name
            for name, table in named
            if connection.execute(f"SELECT count(*) FROM {table} WHERE {held.get(name, '1')}").fetchone()[0]
        ]


def _hole(file: Path, index: str, dice: random.Random) -> int:
    how = dice.choice(["all", "one", "some"])
    if how == "all":
        return hole(file, index, "1")
    with closing(sqlite3.connect(file)) as connection:
        (columns,) = connection.execute(f"SELECT count(*) FROM pragma_index_info('{index}')").fetchone()
    # By the last of its own columns: those of one campaign lie together.
    ordered = f"SELECT c{columns - 1} FROM tree ORDER BY 1"
    offset = f"LIMIT 1 OFFSET abs({dice.getrandbits(32)}) % (SELECT count(*) FROM tree)"
    compared = "=" if how == "one" else ">="
    return hole(file, index, f"c{columns - 1} {compared} ({ordered} {offset})")


def postgres(run: Run) -> None:
    """An index is made to take nothing in while a few entries are made: they are in the table and not in it."""
    home = postgres_server.make_home()
    try:
        url = postgres_server.server_url(home)
        database.upgrade(url)
        with club.opened(url) as tracker:
            for dice in run.each_round():
                _round_on_postgres(run, tracker, dice)
    finally:
        postgres_server.discard(home)


def _round_on_postgres(run: Run, tracker: Tracker, dice: random.Random) -> None:
    campaign = club.begin(tracker, f"club-{run.at}")
    acknowledged = _some_entries(tracker, campaign, dice, f"before-{run.at}")
    with database.writing(tracker.engine) as connection:
        verb = dice.choice(["CREATE EXTENSION IF NOT EXISTS", "DROP EXTENSION IF EXISTS"])
        connection.exec_driver_sql(f"{verb} amcheck")
    index = dice.choice(_indexes(tracker, campaign))
    with _asleep(tracker, index):
        acknowledged += _some_entries(tracker, campaign, dice, f"meanwhile-{run.at}")
    whole = tracker.audit.verify(campaign).ok  # nothing may have come to that index
    run.count("without a hole" if whole else "with a hole")
    tracker.audit.reindex()
    truth = _Truth(tracker, campaign)
    tracker.audit.rebuild_boards(campaign)
    nothing_is_lost(tracker, campaign, acknowledged)
    assert truth.root == tracker.repository.store.verify(campaign).root_hex
    run.count("acknowledged", by=len(acknowledged))


def _some_entries(tracker: Tracker, campaign: str, dice: random.Random, name: str) -> list[str]:
    """A few entries; gives the key and the number of those that were acknowledged."""
    answers = []
    for number in range(dice.randint(3, 8)):
        with suppress(LogDamaged):
            played = club.something(tracker, campaign, dice, key=f"{name}-{number}")
            if played is not None:
                answers.append(f"{name}-{number} {played.entries[-1][0].entry}")
    return answers


@contextmanager
def _asleep(tracker: Tracker, index: str) -> Iterator[None]:
    use = text("UPDATE pg_index SET indisready = :ready WHERE indexrelid = to_regclass(:index)")
    for ready in (False, True):
        with database.writing(tracker.engine) as connection:
            connection.execute(use, {"index": index, "ready": ready})
        if not ready:
            yield


def _indexes(tracker: Tracker, campaign: str) -> list[str]:
    """Those of the part that the campaign lies in, and of all other tables."""
    with database.reading(tracker.engine) as connection:
        part = connection.execute(
            text("SELECT tableoid::regclass::text FROM events WHERE campaign_id = :campaign LIMIT 1"),
            {"campaign": campaign},
        ).scalar()
        tables = [part, *(name for name in schema.metadata.tables if name != "events")]
        found = connection.execute(
            text(
                "SELECT indexrelid::regclass::text FROM pg_index"
                " WHERE indrelid::regclass::text = ANY(:tables) ORDER BY 1"
            ),
            {"tables": tables},
        )
        return list(found.scalars())
