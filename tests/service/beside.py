"""Somebody who writes whenever a reader has let go of the database, or on PostgreSQL before its every statement."""

import random
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import Context

import pytest
from sqlalchemy import Engine, Pool, event
from torture import club

from tracker.log.board_source import BoardSource
from tracker.log.raw_sql import AnyConnection
from tracker.service.application import Tracker


@contextmanager
def somebody_writes(rival: Tracker, campaign: str, engine: Engine | None = None) -> Iterator[list[int]]:
    """Gives the entries that were made, which grow while the block reads with `engine`, or with any."""
    dice = random.Random(rival.repository.store.head(campaign).entries)
    made: list[int] = []
    writing = False

    def write(*_: object) -> None:
        nonlocal writing
        if writing:
            return
        writing = True
        try:
            key = f"beside-{len(made)}-{dice.random()}"
            # In a context of somebody else: what the reader reads at one moment is not what they read.
            played = Context().run(club.something, rival, campaign, dice, key=key)
            if played is not None:
                made.append(played.entries[-1][0].entry)
        finally:
            writing = False

    # On SQLite a writer waits for a reader: it comes between two of its transactions.
    moment: tuple[object, str]
    if rival.engine.dialect.name == "postgresql":
        moment = (engine or Engine, "before_cursor_execute")
    else:
        moment = (engine.pool if engine else Pool, "checkin")
    event.listen(*moment, write)
    usual = BoardSource.reading

    @contextmanager
    def reading(source: BoardSource) -> Iterator[AnyConnection]:
        with usual(source) as connection:
            yield connection
        if isinstance(connection, sqlite3.Connection):  # which no pool has
            write()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(BoardSource, "reading", reading)
        try:
            yield made
        finally:
            event.remove(*moment, write)
