"""Holes in the indexes of an SQLite file, past everything that keeps an index and its table together."""

import sqlite3
from contextlib import closing
from pathlib import Path


def hole(file: Path, name: str, where: str) -> int:
    """Take entries out of an index, or rows out of the log behind its indexes; gives how many.

    The tree is opened under another name, as a table of its own with columns c0, c1, ... in the order in which they
    lie: in an index its columns and then the key of its table.
    """
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (name,)).fetchone()
        if name == "events":
            width, keys, rowid = len(connection.execute("PRAGMA table_info(events)").fetchall()), "", ""
        else:
            width = len(connection.execute(f"PRAGMA index_xinfo({name})").fetchall())
            keys, rowid = f", PRIMARY KEY({', '.join(f'c{at}' for at in range(width))})", " WITHOUT ROWID"
        columns = ", ".join(f"c{at}" for at in range(width))
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute(
            "INSERT INTO sqlite_master VALUES ('table', 'tree', 'tree', ?, ?)",
            (root, f"CREATE TABLE tree({columns}{keys}){rowid}"),
        )
        _read_again(connection)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        taken = connection.execute(f"DELETE FROM tree WHERE {where}").rowcount
        connection.execute("PRAGMA writable_schema = ON")
        connection.execute("DELETE FROM sqlite_master WHERE name = 'tree'")
        _read_again(connection)
        return taken


def _read_again(connection: sqlite3.Connection) -> None:
    (version,) = connection.execute("PRAGMA schema_version").fetchone()
    connection.execute(f"PRAGMA schema_version = {version + 1}")
