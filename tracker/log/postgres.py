"""PostgreSQL: opens sessions, and gives each transaction its own settings.

A server, a role or a pooler may set anything for a session, and a pooler in transaction mode gives every
transaction another one. So nothing is left to the session: a transaction begins with one message that sets
its isolation level, its schema and its limits, and no statement is prepared on the server.
"""

import logging
from collections.abc import Sequence
from functools import cache
from typing import Any

from sqlalchemy import Connection, Engine, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from tracker.log.driver_errors import display_address
from tracker.log.prepared_statements import Query, Values, as_sqlalchemy_error, leave_pipeline
from tracker.log.refusals import DatabaseAddressUnreadable, DatabaseUnreachable, DriverMissing

IDLE_MILLISECONDS = 600_000
"""How long a transaction may stay idle: enough to decide a season again, while a sleeping laptop does not
hold a lock for ever.
"""

KNOWS_TRANSACTION_TIMEOUT = 170_000
"""The first server version (as `server_version_num`) with `transaction_timeout`."""

# The session's path may be left over from another client of the pooler: take the role's own.
_FIND_SCHEMA = """
BEGIN READ ONLY;
SET LOCAL search_path TO DEFAULT;
SELECT quote_ident(name), coalesce((
    SELECT bool_and(has_function_privilege(oid, 'EXECUTE')) FROM pg_proc
    WHERE proname = 'append_entry' AND pronamespace = to_regnamespace(quote_ident(name))), false)
FROM coalesce(
    (SELECT name FROM unnest(current_schemas(false)) WITH ORDINALITY AS path(name, place)
     WHERE to_regclass(format('%I.heads', name)) IS NOT NULL
       AND to_regclass(format('%I.alembic_version', name)) IS NOT NULL ORDER BY place LIMIT 1),
    current_schema()) AS name;
COMMIT
"""


def postgres_engine(address: URL) -> Engine:
    """An engine that begins its transactions with `begin`. Does not connect yet."""
    try:
        engine = create_engine(
            address,
            connect_args={
                "connect_timeout": 10,
                "application_name": "arbitrator",
                "client_encoding": "utf8",  # whatever the encoding of the database
                "prepare_threshold": None,
            },
        )
    except (ModuleNotFoundError, NoSuchModuleError) as error:
        raise DriverMissing("psycopg") from error
    except (ArgumentError, ValueError, TypeError) as error:
        raise DatabaseAddressUnreadable(str(error)) from error

    @event.listens_for(engine, "before_execute")
    def _wait(connection: Connection, *_: object) -> None:
        leave_pipeline(connection)

    @event.listens_for(engine, "before_cursor_execute")
    def _wait_too(connection: Connection, _cursor: object, _words: str, _values: object, *given: Any) -> None:
        context, _many = given
        if context is not None:  # SQLAlchemy's own statements as text: the event above does not see those
            leave_pipeline(connection)

    # We report a pipeline that ends with its connection: the driver need not print it too.
    logging.getLogger("psycopg").addHandler(logging.NullHandler())

    @event.listens_for(engine, "connect")
    def _settle(session: Any, record: Any) -> None:
        session.autocommit = True  # the driver's own BEGIN lacks our settings: `begin` sends it
        driver: Any = engine.dialect.dbapi
        try:
            record.info["schema"], record.info["has_append_function"] = _find_schema(session, address)
        except driver.Error as error:  # SQLAlchemy does not wrap errors raised in an event
            raise DBAPIError.instance(
                None, None, error, driver.Error, connection_invalidated=session.closed, dialect=engine.dialect
            ) from error

    return engine


def _find_schema(session: Any, address: URL) -> tuple[str, bool]:
    """The schema of our tables (the first of the role's path that has them, or would get them), and whether
    this role may call the append function in it.
    """
    cursor = session.execute(_FIND_SCHEMA)
    while cursor.nextset() and cursor.description is None:
        pass
    schema, has_append_function = cursor.fetchone()
    if schema is None:
        raise DatabaseUnreachable(
            display_address(address), "its search_path names no schema that this role may use"
        )
    return str(schema), has_append_function


def begin(
    connection: Connection,
    *,
    writes: bool,
    lock_milliseconds: int,
    queries: Sequence[Query] = (),
    ends: bool = False,
) -> list[list[Values]]:
    """Begin a transaction: READ COMMITTED for a writer, so that it sees the state at its lock; one snapshot
    for a reader.

    Sends `queries` along, in order, in one round trip, and returns the result of each. `ends`: also end the
    transaction.
    """
    session: Any = connection.connection.driver_connection
    driver: Any = connection.dialect.dbapi
    statements = [begin_sql(connection, writes=writes, lock_milliseconds=lock_milliseconds)]
    try:
        if queries:
            client = driver.ClientCursor(session)
            for asked, values in queries:
                statement = asked.sql(connection.dialect)
                for listen in connection.dispatch.before_cursor_execute:
                    listen(connection, client, statement, values, None, False)
                statements.append(client.mogrify(statement, values))
        cursor = session.execute("; ".join((*statements, "COMMIT") if ends else statements))
        results = [cursor.fetchall() if cursor.description else []]
        while cursor.nextset():
            results.append(cursor.fetchall() if cursor.description else [])
        cursor.close()
        last = len(results) - ends
        return results[last - len(queries) : last]
    except connection.dialect.loaded_dbapi.Error as error:
        raise as_sqlalchemy_error(connection, error) from error


def begin_sql(connection: Connection, *, writes: bool, lock_milliseconds: int) -> str:
    """The SQL that begins a transaction."""
    session: Any = connection.connection.driver_connection
    schema = connection.connection.info["schema"]
    return _begin_sql(schema, session.info.server_version, writes=writes, lock_milliseconds=lock_milliseconds)


@cache
def _begin_sql(schema: str, server_version: int, *, writes: bool, lock_milliseconds: int) -> str:
    limits = {
        "lock_timeout": lock_milliseconds,
        "statement_timeout": 0,  # statements are short except for waits, which have their own limit
        "idle_in_transaction_session_timeout": IDLE_MILLISECONDS,
    }
    if server_version >= KNOWS_TRANSACTION_TIMEOUT:
        limits["transaction_timeout"] = 0
    statements = [
        "BEGIN ISOLATION LEVEL " + ("READ COMMITTED" if writes else "REPEATABLE READ READ ONLY"),
        # Put temporary tables of the session after our schema, not before it as is usual.
        f"SET LOCAL search_path TO {schema}, pg_temp",
        *(f"SET LOCAL {name} TO {limit:d}" for name, limit in limits.items()),
    ]
    if writes:
        # A commit that does not wait for the disk would acknowledge events that a power cut can lose.
        statements.append(
            "SELECT set_config('synchronous_commit', 'on', true)"
            " WHERE current_setting('synchronous_commit') IN ('off', 'local')"
        )
    return "; ".join(statements)


class EndedTransaction:
    """A transaction that has ended; another query on its connection begins the next one."""

    def __init__(self, connection: Connection, lock_milliseconds: int) -> None:
        self._connection = connection
        self._lock_milliseconds = lock_milliseconds
        self._is_over = True

    def accept(self, _name: str, _order: Sequence[str], _rows: Sequence[Values]) -> bool:
        """False: this transaction only reads."""
        return False

    def flush(self) -> None:
        """Begin the next transaction."""
        if self._is_over:
            self._is_over = False
            begin(self._connection, writes=False, lock_milliseconds=self._lock_milliseconds)


def has_append_function(connection: Connection) -> bool:
    """Whether the append function existed and was callable when the connection was opened."""
    return bool(connection.connection.info["has_append_function"])
