"""Consistent reads: several queries of a log and its boards that all see the same head."""

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Engine

from tracker.errors import Refusal
from tracker.log import campaigns
from tracker.log.database import reading, shared_transaction

T = TypeVar("T")

TRIES = 3
"""The number of reads without a lock, before writers are made to wait."""


def read_consistently(engine: Engine, read: Callable[[], T]) -> T:
    """The result of `read`, with all its queries at one head.

    `read` may be called again, so it must not write. On PostgreSQL the queries are one transaction. On SQLite
    a transaction would make writers wait for the computation between the queries. So they are made without
    one and repeated if somebody wrote meanwhile; the last attempt locks writers out.
    """
    for _ in range(TRIES if engine.dialect.name == "sqlite" else 0):
        before = _events(engine)
        try:
            result = read()
        except (Refusal, AssertionError, LookupError):
            if _events(engine) == before:
                raise
        else:
            if _events(engine) == before:
                return result
    with shared_transaction(engine):
        return read()


def _events(engine: Engine) -> Any:
    with reading(engine) as connection:
        return campaigns.events(connection)
