"""A real PostgreSQL for the bench, from the wheel that the tests use, set to keep what it said it kept."""

from __future__ import annotations

import sqlite3
from itertools import count
from pathlib import Path

import psycopg
from psycopg import sql

from tests import postgres_server
from tracker import schema
from tracker.log import database

# PostgreSQL's own defaults: fsync, synchronous_commit and full_page_writes on, a hundred connections.
SETTINGS = {"max_connections": "100", "max_wal_size": "4GB"}


class Server:
    """One server, as many databases as are asked for."""

    def __init__(self) -> None:
        self.home = postgres_server.make_home()
        self._numbers = count(1)
        self._url = postgres_server.server_url(self.home, SETTINGS)
        with self.connected(self._url) as connection:
            found = dict(connection.execute("SELECT name, setting FROM pg_settings").fetchall())
        keeping = ("fsync", "synchronous_commit", "full_page_writes")
        assert all(found[setting] == "on" for setting in keeping), (
            "what is measured is kept through a power cut"
        )
        self.version = found["server_version"]

    @property
    def socket(self) -> Path:
        """The folder that it listens in."""
        return self.home / "socket"

    def empty(self) -> str:
        """The URL of a new database without anything in it."""
        return postgres_server.database_url(self.home, self.empty_name())

    def empty_name(self) -> str:
        """The name of a new database without anything in it."""
        name = f"bench_{next(self._numbers)}"
        with self.connected(self._url) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        return name

    def holding(self, file: Path) -> str:
        """The URL of a new database that holds what an SQLite file of ours holds, its events, boards and
        snapshots.
        """
        url = self.empty()
        database.upgrade(url)
        with sqlite3.connect(file) as source, self.connected(url) as target:
            for table in schema.metadata.sorted_tables:
                names = [column.name for column in table.columns]
                keys = ", ".join(column.name for column in table.primary_key.columns)
                rows = source.execute(f"SELECT {', '.join(names)} FROM {table.name} ORDER BY {keys}")
                into = sql.SQL("COPY {} ({}) FROM STDIN").format(
                    sql.Identifier(table.name), sql.SQL(", ").join(map(sql.Identifier, names))
                )
                with target.cursor() as cursor, cursor.copy(into) as copy:
                    for row in rows:
                        copy.write_row(row)
            target.execute("ANALYZE")
        source.close()
        return url

    def connected(self, url: str) -> psycopg.Connection:
        """The driver's own connection, committing each statement unless a transaction is begun."""
        return psycopg.connect(url.replace("postgresql+psycopg://", "postgresql://"), autocommit=True)

    def close(self) -> None:
        """Stop it and remove it."""
        postgres_server.discard(self.home)
