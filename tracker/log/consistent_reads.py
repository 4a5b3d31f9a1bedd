"""Reading at one moment: what several reads of a log and its boards say together is true of one head."""

from collections.abc import Callable
from typing import Any, TypeVar

from sqlalchemy import Engine

from tracker.errors import Refusal
from tracker.log import campaigns
from tracker.log.database import reading, shared_transaction

T = TypeVar("T")

TRIES = 3
"""So often what somebody wrote into is read again, before writers are made to wait."""


def read_consistently(engine: Engine, read: Callable[[], T]) -> T:
    """What `read` gives, all its reads of one moment. It is called again where it was not, so it only reads.

    On PostgreSQL they are one transaction. On SQLite that would make writers wait for all that is worked out
    in between, so it is looked afterwards whether somebody wrote; who does so all the time waits in the end.
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
