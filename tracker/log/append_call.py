"""An append on PostgreSQL as one call: rows are buffered until the transaction ends and sent with its COMMIT.

Knows the arguments of the function `append_entry` and what its errors mean. Any other query flushes the
buffered rows first. Rows that the function does not take are written after it, by statements of their own.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from sqlalchemy import Connection

from tracker.log.append_function import NAME, NOT_WRITTEN, PIECES, STALE
from tracker.log.driver_errors import rejected_rows_refused
from tracker.log.prepared_statements import Values, as_json_rows, as_sqlalchemy_error, buffer_on
from tracker.log.refusals import RowsNotWritten
from tracker.log.sealing import Head
from tracker.schema import events

_PIECES = frozenset(PIECES)
_EVENTS = "events_new"
_COLUMNS = tuple(column.name for column in events.columns)


class LockNeeded(Exception):
    """The decision has to be made again under the lock: another writer was faster, or more queries are
    needed.
    """


class AppendCall:
    """The buffered rows of one append on a connection. With `begins`, the SQL that begins a transaction,
    nothing was sent yet and the head is not locked: everything is sent as one message, or LockNeeded is
    raised.
    """

    def __init__(self, connection: Connection, begins: str | None = None) -> None:
        self._connection = connection
        self._begins = begins
        self._pieces: dict[str, bytes] = {}
        self._counts: dict[str, int] = {}

    def begin(self, head: Head, new_head: Head, *, key: str, digest: str, rows: Sequence[Values]) -> None:
        """Buffer an append: the events, the new head and the command's row."""
        if self._pieces:
            self.flush()
        about = {
            "campaign": head.campaign,
            "key": key,
            "digest": digest,
            "is_undecided": self._begins is not None,
            "seen_size": head.size,
            "seen_entries": head.entries,
            "seen_leaf": f"\\x{head.leaf_hex}",
            "seen_frontier": f"\\x{head.frontier.to_bytes().hex()}",
            "size": new_head.size,
            "entries": new_head.entries,
            "leaf": f"\\x{new_head.leaf_hex}",
            "frontier": f"\\x{new_head.frontier.to_bytes().hex()}",
        }
        self._pieces = {"about": msgspec.json.encode(about), _EVENTS: as_json_rows(_COLUMNS, rows)}
        self._counts = {"events": len(rows), "heads": 1, "commands": 1}

    def accept(self, name: str, order: Sequence[str], rows: Sequence[Values]) -> bool:
        """Whether these rows are sent with the buffered append."""
        if not self._pieces or name in self._pieces or name not in _PIECES:
            return False
        self._pieces[name] = as_json_rows(order, rows)
        self._counts[name.rpartition("_")[0]] = len(rows)
        return True

    def flush(self) -> None:
        """Send the buffered rows before another query. Raises as `commit` does."""
        if self._begins is not None:
            raise LockNeeded
        if self._pieces:
            self._call("", "")

    def commit(self) -> None:
        """Send the buffered rows and commit; does nothing without any.

        Raises RowsNotWritten, RowsRefused, and LockNeeded if the head was not locked before.
        """
        if self._pieces:
            self._call(f"{self._begins}; " if self._begins else "", "; COMMIT")

    def _call(self, before: str, after: str) -> None:
        pieces, self._pieces = self._pieces, {}
        connection = self._connection
        # A dollar-quoted string may hold anything but dollars.
        arguments = (
            b"%b => $$%b$$" % (name.encode(), piece.replace(b"$", b"\\u0024"))
            for name, piece in pieces.items()
        )
        message = b"%bSELECT %b(%b)%b" % (
            before.encode(),
            NAME.encode(),
            b", ".join(arguments),
            after.encode(),
        )
        driver: Any = connection.dialect.dbapi
        session: Any = connection.connection.driver_connection
        with rejected_rows_refused():
            try:
                with session.cursor() as cursor:
                    _notify_listeners(connection, cursor, pieces)
                    cursor.execute(message)
                    is_written = _returned(cursor, is_alone=not (before or after))
            except driver.Error as error:
                if error.sqlstate == STALE:
                    raise LockNeeded from error
                if error.sqlstate == NOT_WRITTEN:
                    table, found = str(error.diag.table_name), int(error.diag.message_detail or 0)
                    raise RowsNotWritten(table, self._counts[table], found) from error
                raise as_sqlalchemy_error(connection, error) from error
        if not is_written:
            if self._begins is not None:
                raise LockNeeded
            raise RowsNotWritten("heads", 1, 0)


def on(connection: Connection) -> AppendCall | None:
    """The append call of this connection."""
    buffer = buffer_on(connection)
    return buffer if isinstance(buffer, AppendCall) else None


def _notify_listeners(connection: Connection, cursor: Any, pieces: Mapping[str, bytes]) -> None:
    """Tell the listeners of SQLAlchemy about this statement."""
    if connection.dispatch.before_cursor_execute:
        sql = f"SELECT {NAME}({', '.join(f'{name} => %s::json' for name in pieces)})"
        values = tuple(piece.decode() for piece in pieces.values())
        for listen in connection.dispatch.before_cursor_execute:
            listen(connection, cursor, sql, values, None, False)


def _returned(cursor: Any, *, is_alone: bool) -> bool:
    """The function's result: the only row of a statement sent alone, else the last row of any statement."""
    rows: list[Values] = cursor.fetchall() if is_alone or cursor.description is not None else []
    while not is_alone and cursor.nextset():
        rows += cursor.fetchall() if cursor.description is not None else []
    return bool(rows[-1][0])
