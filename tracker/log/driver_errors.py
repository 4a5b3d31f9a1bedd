"""Turns the errors of the SQLite and PostgreSQL drivers into refusals that people can read."""

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError, IntegrityError, NotSupportedError

from tracker import schema
from tracker.errors import Refusal
from tracker.log import refusals


def display_address(address: URL) -> str:
    """The address to print: the file, or the server without password and options."""
    if address.get_backend_name() == "sqlite":
        return address.database or ":memory:"
    server = URL.create("postgresql", address.username, None, address.host, address.port, address.database)
    return server.render_as_string()


@contextmanager
def translated_errors(url: str | URL) -> Iterator[None]:
    """Raise a driver's errors as refusals; leave errors that do not concern the user as they are."""
    try:
        yield
    except DBAPIError as error:
        refusal = _refusal(make_url(url), error.orig, lost=error.connection_invalidated)
        if refusal is None:
            raise
        raise refusal from error
    except sqlite3.Error as error:  # from the connect event, where SQLAlchemy does not wrap errors
        refusal = _refusal(make_url(url), error, lost=False)
        if refusal is None:
            raise
        raise refusal from error
    except UnicodeDecodeError as error:  # SQLite quotes the damaged name, which is not UTF-8
        if make_url(url).get_backend_name() != "sqlite":
            raise
        raise refusals.DatabaseCorrupt(
            display_address(make_url(url)), "a name in its description is not UTF-8"
        ) from error


@contextmanager
def rejected_rows_refused() -> Iterator[None]:
    """Report refused rows that follow from the database's own head as damage: RowsRefused."""
    try:
        yield
    except (IntegrityError, NotSupportedError) as error:  # the second comes from a rule on a table
        raise refusals.RowsRefused(str(error.orig).partition("\n")[0]) from error


def _refusal(address: URL, error: BaseException | None, *, lost: bool) -> Refusal | None:
    if isinstance(error, sqlite3.Error):
        return _sqlite_refusal(display_address(address), error)
    return _postgres_refusal(display_address(address), error, lost=lost)


def _sqlite_refusal(where: str, error: sqlite3.Error) -> Refusal | None:
    reason = str(error)
    match getattr(error, "sqlite_errorcode", 0) & 0xFF:  # the low byte is the kind, the rest the detail
        case sqlite3.SQLITE_FULL:
            return refusals.DiskFull(where)
        case sqlite3.SQLITE_READONLY:
            return refusals.DatabaseReadOnly(where)
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return refusals.DatabaseBusy(where)
        case sqlite3.SQLITE_IOERR:
            return refusals.DiskFailing(where, reason)
        case sqlite3.SQLITE_CORRUPT:
            unread = _only_unread(where)
            return (
                refusals.DatabaseCorrupt(where, reason)
                if unread is None
                else refusals.DiskFailing(where, unread)
            )
        case sqlite3.SQLITE_NOTADB:
            return refusals.NotOurDatabase(where, "it is not an SQLite file")
        case sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM | sqlite3.SQLITE_AUTH:
            return refusals.DatabaseUnreachable(where, f"{reason}; check your rights on it and on its folder")
        case _ if "decode to UTF-8" in reason:
            return refusals.TextDamaged(where)
        case sqlite3.SQLITE_ERROR if reason.startswith("no such ") and _lacks_something(where):
            return refusals.DatabaseCorrupt(where, f"{reason}, though it was made with it")
        case _:
            return None


def _lacks_something(file: str) -> bool:
    """Whether a file lacks a table or column of ours, as when its schema is damaged."""
    try:
        with closing(sqlite3.connect(_address(file), uri=True)) as connection:
            return any(
                not {column.name for column in table.columns}
                <= {name for _, name, *_ in connection.execute(f'PRAGMA table_info("{table.name}")')}
                for table in schema.metadata.sorted_tables
            )
    except sqlite3.Error:
        return True


def _address(file: str) -> str:
    return file if file.startswith("file:") else Path(file).absolute().as_uri() + "?mode=rw"


def _only_unread(file: str) -> str | None:
    """Why a file that SQLite calls damaged was only unreadable, or None if it is damaged.

    SQLite reports a failed read of the disk and a corrupt page as the same error; reading the whole file
    again tells them apart. This uses SQLite alone, because opening and closing the file another way would
    drop its locks.
    """
    try:
        with closing(sqlite3.connect(_address(file), uri=True)) as connection:
            findings = [finding for (finding,) in connection.execute("PRAGMA integrity_check")]
    except sqlite3.Error as error:
        return str(error) if _is_from_the_disk(getattr(error, "sqlite_errorcode", 0)) else None
    if findings == ["ok"]:
        return "a read failed, but a second read found nothing wrong"
    unread = [code for finding in findings for code in _UNREAD.findall(finding)]
    return (
        "some of its pages cannot be read" if any(_is_from_the_disk(int(code)) for code in unread) else None
    )


_UNREAD = re.compile(r"unable to get the page\. error code=(\d+)")


def _is_from_the_disk(code: int) -> bool:
    return code & 0xFF == sqlite3.SQLITE_IOERR


def _postgres_refusal(where: str, error: BaseException | None, *, lost: bool) -> Refusal | None:
    reason = str(error).rsplit("FATAL:", 1)[-1].strip().partition("\n")[0]
    match getattr(error, "sqlstate", None) or "":
        case "53100":
            return refusals.DiskFull(where)
        case "25006":  # read_only_sql_transaction: the answer of a standby
            return refusals.ServerReadOnly(where)
        case "42501":
            return refusals.RoleMayNot(where, reason)
        case "55P03" | "40001" | "40P01" | "53300":  # lock timeout, serialization, deadlock, connections
            return refusals.DatabaseBusy(where)
        case "57014":  # query_canceled: a limit of the server's, or its owner
            return refusals.ServerStopped(where, reason)
        case "58030":
            return refusals.DiskFailing(where, reason)
        case "XX001" | "XX002":
            return refusals.DatabaseCorrupt(where, reason)
        case "22021":  # only stored text can be so: we send UTF-8
            return refusals.DatabaseCorrupt(where, "a text in it is not UTF-8")
        case "22P05":
            return refusals.EncodingLacks(where, reason)
        case "42P01" | "42703" if any(table in reason for table in schema.metadata.tables):
            return refusals.DatabaseCorrupt(where, f"{reason}, though it was made with it")
        case state if lost or state.startswith(("08", "57P")):
            return refusals.ConnectionLost(where)
        case state if state.startswith(("28", "3D", "3F")) or (not state and _from_connecting(error)):
            return refusals.DatabaseUnreachable(where, reason)
        case "" if type(error).__name__ == "DataError":  # the driver's own error: a NUL
            return refusals.EncodingLacks(where, reason)
        case state if state.startswith(("23", "42")) or not state:
            return None  # an error that a caller handles, or a bug of ours
        case state:
            return refusals.ServerRefused(where, reason, state)


def _from_connecting(error: BaseException | None) -> bool:
    # Before a session exists there is no SQLSTATE, only the text of libpq.
    kind = type(error).__name__
    return kind in {"OperationalError", "ConnectionTimeout"} or (
        kind == "ProgrammingError" and "connection option" in str(error)
    )
