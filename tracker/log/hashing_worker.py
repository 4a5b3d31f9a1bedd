"""A process that hashes a part of a log: each event's bytes against its leaf, and the leaves into subtrees.

Started by `parallel_hashing`, which tells it on its standard input what to read. It imports next to nothing:
with a file it is half done before SQLAlchemy would be imported.
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
"""So many leaves make one subtree: a power of two, which part of the log it may begin with."""
PAGE = 2_000

_OF_A_FILE = (
    "SELECT seq, body, leaf FROM events WHERE campaign_id = ? AND seq >= ? AND seq < ? ORDER BY seq LIMIT ?"
)


class HashTask(NamedTuple):
    """Which events are hashed, and where they are read; `end` is behind the last."""

    dialect: str
    database: str
    """A file's path, or how libpq finds a server."""
    campaign: str
    first: int
    end: int


class HashResult(NamedTuple):
    """What came of a part: its subtrees' roots, what is left of the last as it stands in a frontier, and the
    first event that is `missing` or `changed`.
    """

    roots: tuple[str, ...] = ()
    rest: tuple[str, ...] = ()
    wrong: int | None = None
    kind: str = ""


def hash_rows(rows: Iterable[tuple[int, bytes, bytes]], first: int, end: int) -> HashResult:
    """Hash these rows of a log, which should be the events from `first`, a multiple of CHUNK, up to `end`."""
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
    """A page at a time: while somebody reads, nobody can save."""
    file = f"{Path(part.database).absolute().as_uri()}?mode=rw"  # never made where there is none
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
    """Hash the part that is asked for on the standard input; tell on the standard output."""
    part = HashTask(**json.loads(sys.stdin.read()))
    rows: Any = _of_file(part) if part.dialect == "sqlite" else _of_server(part)
    sys.stdout.write(json.dumps(hash_rows(rows, part.first, part.end)._asdict()))


if __name__ == "__main__":
    main()
