"""One decision of ten events: through the hall, through the store alone, and by `sqlite3` itself.

All three leave the same rows of the log behind, in files that held the same log before. The hall also
decides, folds, writes the boards, and keeps a snapshot now and then; a run holds about one.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

import msgspec

from bench import raw
from bench.grown import Grown
from bench.measuring import Stopwatch, in_turn, table
from bench.season import COPY_IDS_FROM, hits_of_ten_events, open_tracker
from tracker.log import database
from tracker.log.sealing import Draft, seal
from tracker.log.store import EventStore
from tracker.service import Tracker

DECISIONS = 64


def measure(grown: Grown, runs: int) -> list[str]:
    """The table of this part."""
    files = [grown.copied(grown.middle, f"append-{who}.db") for who in ("hall", "store", "raw")]
    tracker = open_tracker(files[0], ids_from=COPY_IDS_FROM)
    engine = database.open_database(f"sqlite:///{files[1]}", migrate=False)
    try:
        with raw.connected(files[2]) as connection:
            raw.without_guards(connection)
            three = _Three(tracker, files[0], EventStore(engine), connection)
            three.hall(Stopwatch())  # statements compile once
            three.store(Stopwatch())
            three.raw(Stopwatch())
            figures = in_turn(
                {
                    "the hall: decide, seal, append, boards": three.hall,
                    "the store: seal, append": three.store,
                    "sqlite3": three.raw,
                },
                runs=runs,
            )
    finally:
        tracker.close()
        engine.dispose()
    title = f"Append one decision of ten events ({three.events} in the log, {DECISIONS} appends a run)"
    return [table(title, figures, against="sqlite3")]


class _Three:
    """Who appends: the hall first, then the others what it left behind."""

    def __init__(
        self, tracker: Tracker, file: Path, store: EventStore, connection: sqlite3.Connection
    ) -> None:
        self._tracker = tracker
        self._file = file
        self._store = store
        self._connection = connection
        (self._campaign,) = tracker.store.campaigns()
        self._hits = hits_of_ten_events(tracker, self._campaign)
        self._measured: set[int] = set()
        self._appended: list[raw.Appended] = []
        self.events = tracker.store.head(self._campaign).size

    def hall(self, watch: Stopwatch) -> None:
        before = self._tracker.store.head(self._campaign).size
        self._measured.clear()
        for _ in range(DECISIONS):
            plan = next(self._hits)  # opens a battle now and then, unmeasured
            with watch.running():
                played = self._tracker.play(self._campaign, [plan])
            self._measured.add(played.entries[0][0].seq)
        with raw.connected(self._file) as connection:
            self._appended = raw.appended_since(connection, before)

    def store(self, watch: Stopwatch) -> None:
        for one in self._appended:
            head = self._store.head(self._campaign)
            drafts = [_draft(event) for event in one.events]
            key, digest = one.command[1:3]
            aside = Stopwatch()
            with (watch if one.first_seq in self._measured else aside).running():
                sealed, new_head = seal(head, drafts)
                self._store.append(head, sealed, new_head, key=key, digest=digest)

    def raw(self, watch: Stopwatch) -> None:
        for one in self._appended:
            aside = Stopwatch()
            with (watch if one.first_seq in self._measured else aside).running():
                raw.append(self._connection, one)


def _draft(event: tuple[object, ...]) -> Draft:
    """An event as it was before it was sealed."""
    body = msgspec.json.decode(event[6])  # type: ignore[arg-type]  # the body, by its place in the row
    return Draft(
        type=body["type"],
        shape=body["shape"],
        entry=body["entry"],
        slot=body["slot"],
        event_id=body["id"],
        at=body["at"],
        actor=body["actor"],
        policy_version=body["policy"]["version"],
        policy_digest=body["policy"]["digest"],
        causation=body["causation"],
        data=body["data"],
    )
