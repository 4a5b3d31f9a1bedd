"""What a forger does who owns the database: events as they were before they were sealed, and sealed ones put in."""

import sqlite3
from collections.abc import Iterable
from typing import Any

import msgspec

from tracker.log.sealing import SealedEvent, UnsealedEvent


def unsealed(envelope: dict[str, Any], *, causation: int | None) -> UnsealedEvent:
    """An event as it was before it was sealed, from what is written of it."""
    return UnsealedEvent(
        type=envelope["type"],
        shape=envelope["shape"],
        entry=envelope["entry"],
        slot=envelope["slot"],
        event_id=envelope["id"],
        at=envelope["at"],
        actor=envelope["actor"],
        policy_version=envelope["policy"]["version"],
        policy_digest=envelope["policy"]["digest"],
        causation=causation,
        data=msgspec.json.encode(envelope["data"]),
    )


def insert(connection: sqlite3.Connection, events: Iterable[SealedEvent]) -> None:
    """Sealed events into the table of a log, past every guard but those of the table itself."""
    connection.executemany(
        "INSERT INTO events (campaign_id, seq, entry, slot, type, event_id, body, leaf)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (
                event.campaign,
                event.seq,
                event.entry,
                event.slot,
                event.type,
                event.event_id,
                event.body,
                event.leaf,
            )
            for event in events
        ],
    )
