"""Somebody who writes whenever a reader has let go of the database, or on PostgreSQL before its every statement."""

import random
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Engine, event
from torture import club

from tracker.service import Tracker


@contextmanager
def somebody_writes(engine: Engine, rival: Tracker, campaign: str) -> Iterator[list[int]]:
    """Gives the entries that were made, which grow while the block reads with `engine`."""
    dice = random.Random(11)
    made: list[int] = []
    writing = False

    def write(*_: object) -> None:
        nonlocal writing
        if writing:
            return
        writing = True
        try:
            played = club.something(rival, campaign, dice, key=f"beside-{len(made)}-{dice.random()}")
            if played is not None:
                made.append(played.entries[-1][0].entry)
        finally:
            writing = False

    # On SQLite a writer waits for a reader: it comes between two of its transactions.
    moment = (
        (engine, "before_cursor_execute") if engine.dialect.name == "postgresql" else (engine.pool, "checkin")
    )
    event.listen(*moment, write)
    try:
        yield made
    finally:
        event.remove(*moment, write)
