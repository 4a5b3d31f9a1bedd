"""A process that hashes a part of a log: each event's bytes against its leaf, and the leaves into subtrees.

`parallel_hashing` starts it and sends the request to its standard input. It imports next to nothing: it has
hashed half a file before SQLAlchemy would be imported.
"""

from __future__ import annotations

import json
import sqlite3
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from tracker.log.chain import EMPTY_FRONTIER

CHUNK = 4_096
"""The leaves of one subtree, a power of two; a part of the log begins at a multiple of it."""
PAGE = 2_000

_OF_A_FILE = (
    "SELECT seq, body, leaf FROM events WHERE campaign_id = ? AND seq >= ? AND seq < ? ORDER BY seq LIMIT ?"
)


class HashTask(NamedTuple):
    """The events to hash, and the database to read them from; `end` is behind the last."""

    dialect: str
    database: str
    """The path of a file, or a connection string for libpq."""
    campaign: str
    first: int
    end: int


class HashResult(NamedTuple):
    """The result for a part: the roots of its whole subtrees, the rest as in a frontier, and the first event
    that is `missing` or `changed`.
    """

    roots: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    wrong: int | None = None
    kind: str = ""


def hash_rows(rows: Iterable[tuple[int, bytes, bytes]], first: int, end: int) -> HashResult:
    """Hash these rows, which should be the events from `first` (a multiple of CHUNK) up to `end`."""
    expected, roots, leaves = first, [], []
    for seq, body, leaf in rows:
        if seq != expected:
            return HashResult(wrong=expected, kind="gap")
        if sha256(b"\x00" + body).digest() != leaf:
            return HashResult(wrong=seq, kind="leaf")
        leaves.append(leaf)
        expected += 1
        if len(leaves) == CHUNK:
            roots.append(EMPTY_FRONTIER.append(*leaves).hashes[0].hex())
            leaves = []
    if expected < end:
        return HashResult(wrong=expected, kind="gap")
    rest = EMPTY_FRONTIER.append(*leaves).hashes
    return HashResult(roots=tuple(roots), rest=tuple(node.hex() for node in rest))


def _of_file(part: HashTask) -> Iterator[tuple[int, bytes, bytes]]:
    """Read a page at a time: nobody can commit during a read."""
    file = f"{Path(part.database).absolute().as_uri()}?mode=rw"  # never make the file
    with closing(sqlite3.connect(file, uri=True, isolation_level=None, timeout=10)) as connection:
        connection.execute("PRAGMA query_only=1")
        first = part.first
        while page := connection.execute(_OF_A_FILE, (part.campaign, first, part.end, PAGE)).fetchall():
            yield from page
            first = page[-1][0] + 1


def _of_server(part: HashTask) -> Iterator[tuple[int, bytes, bytes]]:
    import psycopg

    query = _OF_A_FILE.replace("?", "%s")
    with psycopg.connect(part.database, autocommit=True) as connection:
        first = part.first
        while page := connection.execute(
            query, (part.campaign, first, part.end, PAGE), binary=True
        ).fetchall():
            yield from page
            first = page[-1][0] + 1


def main() -> None:
    """Hash the part that standard input asks for; write the result to standard output."""
    part = HashTask(**json.loads(sys.stdin.read()))
    rows: Any = _of_file(part) if part.dialect == "sqlite" else _of_server(part)
    sys.stdout.write(json.dumps(hash_rows(rows, part.first, part.end)._asdict()))


if __name__ == "__main__":
    main()
