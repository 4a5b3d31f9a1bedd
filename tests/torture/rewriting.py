"""A log written anew with every hash, or cut off with its head: what only a root noted elsewhere shows."""

from __future__ import annotations

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path

from tracker.log.canonical import canonical_bytes
from tracker.log.chain import EMPTY_FRONTIER, EMPTY_PREV, leaf_hash

from . import club
from .edits import size_of, without_guards
from .runner import Run
from .tampering import logs_to_edit


def rewritten(run: Run) -> None:
    """A log written anew from some event on, every hash and the head with it; or cut off, the head with it.

    The chain holds then. Roots that were noted on the way show it, and between which two of them it was done.
    """
    file = run.folder / "club.db"
    known, noted = "", dict[int, str]()
    for dice, campaign, whole in logs_to_edit(run, file):
        if campaign != known:
            known = campaign
            noted = _noted(file, campaign)
        file.write_bytes(whole)
        with closing(sqlite3.connect(file)) as connection:
            without_guards(connection)
            rewrite = dice.choice([_written_anew, _cut_off])
            first = rewrite(connection, campaign, dice)
            connection.commit()
        with club.opened(club.sqlite(file)) as tracker:
            assert tracker.repository.store.verify(campaign).ok, "every hash was made anew"
            finding = tracker.audit.verify(campaign, noted=noted).noted
        sizes = [int(word) for line in finding for word in line.split() if word.isdecimal()]
        assert sizes == [size for size in noted if size > first], (rewrite.__name__, first, finding)
        run.count(rewrite.__name__.replace("_", " ").strip())


def _noted(file: Path, campaign: str) -> dict[int, str]:
    """The root after every ten events, and at the end."""
    with club.opened(club.sqlite(file)) as tracker:
        frontier, found = EMPTY_FRONTIER, {}
        for event in tracker.repository.store.read(campaign):
            frontier = frontier.append(event.leaf)
            if frontier.size % 10 == 0:
                found[frontier.size] = frontier.root().hex()
        return {**found, frontier.size: frontier.root().hex()}


def _written_anew(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    """From some event on, with another moment on it: what no rule and no board looks at."""
    first = dice.randrange(size_of(connection, campaign))
    rows = connection.execute(
        "SELECT body FROM events WHERE campaign_id = ? ORDER BY seq", (campaign,)
    ).fetchall()
    leaves = [leaf_hash(bytes(body)) for (body,) in rows[:first]]
    frontier, prev = EMPTY_FRONTIER.append(*leaves), leaves[-1].hex() if leaves else EMPTY_PREV
    for seq, (body,) in enumerate(rows[first:], start=first):
        envelope = json.loads(body)
        envelope["prev"] = prev
        if seq == first:
            envelope["at"] = "2025-01-01T00:00:00Z"
        new = canonical_bytes(envelope)
        leaf = leaf_hash(new)
        connection.execute(
            "UPDATE events SET body = ?, leaf = ? WHERE campaign_id = ? AND seq = ?",
            (new, leaf, campaign, seq),
        )
        frontier, prev = frontier.append(leaf), leaf.hex()
    connection.execute(
        "UPDATE heads SET leaf = ?, frontier = ? WHERE campaign_id = ?", (leaf, frontier.to_bytes(), campaign)
    )
    return first


def _cut_off(connection: sqlite3.Connection, campaign: str, dice: random.Random) -> int:
    """After some entry, as a backup put back would be."""
    (entries,) = connection.execute("SELECT entries FROM heads WHERE campaign_id = ?", (campaign,)).fetchone()
    left = dice.randrange(1, entries)
    connection.execute("DELETE FROM events WHERE campaign_id = ? AND entry > ?", (campaign, left))
    connection.execute("DELETE FROM commands WHERE campaign_id = ? AND last_entry > ?", (campaign, left))
    leaves = [
        bytes(leaf)
        for (leaf,) in connection.execute(
            "SELECT leaf FROM events WHERE campaign_id = ? ORDER BY seq", (campaign,)
        )
    ]
    connection.execute(
        "UPDATE heads SET size = ?, entries = ?, leaf = ?, frontier = ? WHERE campaign_id = ?",
        (len(leaves), left, leaves[-1], EMPTY_FRONTIER.append(*leaves).to_bytes(), campaign),
    )
    return len(leaves)
