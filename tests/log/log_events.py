"""Small logs for the tests of the archive: plain events with numbered ids, and the raw SQL of an intruder."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Engine, text

from tracker.log.appending import Receipt
from tracker.log.database import writing
from tracker.log.sealing import Head, SealedEvent, UnsealedEvent, seal
from tracker.log.store import EventStore

ASH_WASTES = "ash-wastes"
UNDERHIVE = "underhive"


def draft(number: int, *, entry: int, slot: int | None = None, **changed: Any) -> UnsealedEvent:
    """Event `number` of a log: the same number is the same event, down to the last byte."""
    return UnsealedEvent(
        **{
            "type": "RollMade",
            "shape": 1,
            "entry": entry,
            "slot": entry if slot is None else slot,
            "event_id": f"0190a000-0000-7000-8000-{number:012x}",
            "at": "2026-11-21T09:50:34Z",
            "actor": "arbitrator",
            "policy_version": "core@1",
            "policy_digest": "ab" * 32,
            "causation": None,
            "data": {"purpose": "wound", "faces": [number % 6 + 1]},
        }
        | changed
    )


def sealed(data: dict[str, Any], *, type_: str = "RollMade", shape: int = 1) -> SealedEvent:
    """The first event of a log."""
    (event,), _ = seal(
        Head(campaign="0190a000-0000-7000-9000-000000000001"),
        [draft(1, entry=1, type=type_, shape=shape, data=data)],
    )
    return event


def write_entry(
    store: EventStore,
    campaign: str = ASH_WASTES,
    *,
    slots: Sequence[int] | None = None,
    key: str | None = None,
    digest: str = "same command",
) -> Receipt:
    """One more entry of three events (or one per slot named), decided on the log as it stands."""
    head = store.head(campaign)
    entry = head.entries + 1
    drafts = [
        draft(head.size + at, entry=entry, slot=slot)
        for at, slot in enumerate(slots or [entry, entry, entry])
    ]
    sealed, new_head = seal(head, drafts)
    return store.append(head, sealed, new_head, key=key or f"key-{head.size}", digest=digest)


def as_intruder(engine: Engine, *statements: str, **values: Any) -> None:
    """Run SQL as somebody who owns the database and takes the guards away first."""
    with writing(engine) as connection:
        if engine.dialect.name == "sqlite":
            for guard in ("events_no_update", "events_no_delete", "events_only_next"):
                connection.execute(text(f"DROP TRIGGER IF EXISTS {guard}"))
        else:
            connection.execute(text("ALTER TABLE events DISABLE TRIGGER ALL"))
        for statement in statements:
            connection.execute(text(statement), values)
