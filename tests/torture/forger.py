"""A forger: who owns the file, knows the program, and seals what they please with its own sealer.

Gives a log as drafts, writes drafts in its place with every hash, number, head and command row made anew, and
has the boards follow.
"""

from __future__ import annotations

import json
import sqlite3
import uuid
from contextlib import closing, suppress
from copy import deepcopy
from itertools import groupby
from pathlib import Path
from typing import Any, TypeAlias

import resealing
from sqlalchemy.exc import IntegrityError

from tracker.campaign import records
from tracker.errors import Refusal
from tracker.log.codec import Codec
from tracker.log.sealing import Head, seal

from . import club
from .edits import without_guards

Envelope: TypeAlias = dict[str, Any]
CODEC = Codec()
UNMADE = (Refusal, AssertionError, LookupError, TypeError, IntegrityError)
"""What comes of boards that no log leads to."""


def envelopes(file: Path, campaign: str) -> list[Envelope]:
    """Every event of a log, as it is written."""
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute("SELECT body FROM events WHERE campaign_id = ? ORDER BY seq", (campaign,))
        return [json.loads(body) for (body,) in rows]


def entries_of(log: list[Envelope]) -> list[list[Envelope]]:
    """A log, entry by entry."""
    return [list(entry) for _, entry in groupby(log, lambda event: event["entry"])]


def another_event(like: Envelope, event: records.Event, **changes: Any) -> Envelope:
    """An event signed and stamped as another one is."""
    name, shape = CODEC.name_of(event)
    new_id = f"0190a000-0000-7000-8000-{uuid.uuid4().hex[:12]}"
    written = {"type": name, "shape": shape, "id": new_id, "data": json.loads(CODEC.written(event))}
    return {**deepcopy(like), "causation": None, "seq": -1, **written, **changes}


def is_ruling(entry: list[Envelope]) -> bool:
    """Whether an entry begins as a ruling does."""
    return command_of(entry) == "RuleOnDispute"


def command_of(entry: list[Envelope]) -> str:
    """The name of an entry's command; '' where it has none."""
    data = entry[0]["data"]
    return str(data["command"]["name"]) if entry[0]["type"] == "DecisionTaken" else ""


def install(file: Path, campaign: str, log: list[Envelope]) -> None:
    """Write this log in the place of the other: hashes, head, command rows, boards and all. What an event
    names as its cause is named wherever it lies by now.
    """
    lies_at = {event["seq"]: seq for seq, event in reversed([*enumerate(log)])}
    drafts = [
        resealing.unsealed(event, causation=_cause(event["causation"], lies_at, seq))
        for seq, event in enumerate(log)
    ]
    sealed, head = seal(Head(campaign=campaign), drafts)
    with closing(sqlite3.connect(file)) as connection:
        guards = connection.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        without_guards(connection)
        connection.execute("DELETE FROM events WHERE campaign_id = ?", (campaign,))
        resealing.insert(connection, sealed)
        connection.execute(
            "UPDATE heads SET size = ?, entries = ?, leaf = ?, frontier = ? WHERE campaign_id = ?",
            (head.size, head.entries, sealed[-1].leaf, head.frontier.to_bytes(), campaign),
        )
        _rows_follow(connection, campaign, log)
        for (sql,) in guards:
            connection.execute(sql)
        connection.commit()
    with club.opened(club.sqlite(file)) as tracker, suppress(*UNMADE):
        tracker.audit.rebuild_boards(campaign)


def _cause(causation: int | None, lies_at: dict[int, int], seq: int) -> int | None:
    at = None if causation is None else lies_at.get(causation, causation)
    return None if at is None or at >= seq else at


def _rows_follow(connection: sqlite3.Connection, campaign: str, log: list[Envelope]) -> None:
    """Every entry has the command row that its header names; one made up where it names none."""
    rows: dict[str, list[Any]] = {}
    key = ""
    for seq, event in enumerate(log):
        if seq and event["entry"] == log[seq - 1]["entry"]:
            rows[key][2] = seq
            continue
        sent = event["data"].get("sent") or {
            "key": f"forged:{event['entry']}",
            "digest": f"{event['entry']:064x}",
        }
        key = sent["key"]
        row = rows.setdefault(key, [sent["digest"], seq, seq, event["entry"], event["entry"]])
        row[2], row[4] = seq, event["entry"]
    connection.execute("DELETE FROM commands WHERE campaign_id = ?", (campaign,))
    connection.executemany(
        "INSERT INTO commands (campaign_id, key, digest, first_seq, last_seq, first_entry, last_entry)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [(campaign, key, *row) for key, row in rows.items()],
    )
