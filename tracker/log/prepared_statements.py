"""The statements of every append, and those that read a whole log: compiled once and passed directly to the
driver.

SQLAlchemy computes a cache key for each statement, binds values by name and wraps every row: for the dozen
small statements of an append that took longer than the driver's own work, for the rows of a long log half as
long. All other statements go through SQLAlchemy; its listeners are told of these too. Inserted and updated
rows are counted, because a foreign rule or trigger can drop rows without an error.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from typing import Any, NamedTuple, Protocol, TypeAlias

import msgspec
from sqlalchemy import (
    BigInteger,
    Connection,
    Delete,
    Dialect,
    Insert,
    LargeBinary,
    Select,
    Table,
    Text,
    Update,
    insert,
)
from sqlalchemy.exc import DBAPIError

from tracker.log.raw_sql import in_dialect
from tracker.log.refusals import RowsNotWritten

Values: TypeAlias = tuple[Any, ...]
"""The values of a statement, in its order."""

Query: TypeAlias = "tuple[PreparedStatement, Values]"
"""A statement and its values."""


class _SentRows(NamedTuple):
    """Rows that were sent. In a pipeline their count is known only at its end."""

    cursor: Any
    table: str
    wanted: int

    def refuse_fewer(self) -> None:
        if self.cursor.rowcount != self.wanted:
            raise RowsNotWritten(self.table, self.wanted, self.cursor.rowcount)


_PREFETCHED: ContextVar[dict[tuple[Connection, "PreparedStatement", Values], list[Values]] | None] = (
    ContextVar("_PREFETCHED", default=None)
)


class _Pipeline:
    """Statements sent on one connection without waiting, and the checks to make on their answers."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.pending_checks: list[Callable[[], None]] = []
        self._session: Any = connection.connection.driver_connection
        self._stack = ExitStack()
        self._is_open = False

    def enter(self) -> None:
        """Stop waiting for answers from now on."""
        if not self._is_open:
            self._stack.enter_context(self._session.pipeline())
            self._is_open = True

    def leave(self) -> None:
        """Wait for the answers to everything that was sent. Raises the driver's error."""
        self._is_open = False
        self._stack.close()

    def break_off(self) -> None:
        """Wait for the answers, and discard any error."""
        with suppress(self.connection.dialect.loaded_dbapi.Error):
            self.leave()


_PIPELINE: ContextVar[_Pipeline | None] = ContextVar("_PIPELINE", default=None)


def _pipeline_on(connection: Connection) -> _Pipeline | None:
    pipeline = _PIPELINE.get()
    return pipeline if pipeline is not None and pipeline.connection is connection else None


class WriteBuffer(Protocol):
    """Rows on a connection that are held back, to be sent together."""

    def accept(self, name: str, order: Sequence[str], rows: Sequence[Values]) -> bool:
        """Whether it holds these rows too; `name` is the statement's."""
        ...

    def flush(self) -> None:
        """Send the rows, before another query."""
        ...


_BUFFERS: ContextVar[tuple[tuple[Connection, WriteBuffer], ...]] = ContextVar("_BUFFERS", default=())


@contextmanager
def buffering(connection: Connection, buffer: WriteBuffer) -> Iterator[None]:
    """Let `buffer` keep rows written on this connection until another query is made."""
    before = _BUFFERS.set(((connection, buffer), *_BUFFERS.get()))
    try:
        yield
    finally:
        _BUFFERS.reset(before)


def buffer_on(connection: Connection) -> WriteBuffer | None:
    """The buffer of this connection, or None."""
    for owner, buffer in _BUFFERS.get():
        if owner is connection:
            return buffer
    return None


def leave_pipeline(connection: Connection) -> None:
    """End the pipeline: SQLAlchemy makes a query and needs its answer now."""
    buffer = buffer_on(connection)
    if buffer is not None:
        buffer.flush()
    pipeline = _pipeline_on(connection)
    if pipeline is not None:
        try:
            pipeline.leave()
        except connection.dialect.loaded_dbapi.Error as error:
            raise as_sqlalchemy_error(connection, error) from error


def after_response(connection: Connection, check: Callable[[], None]) -> None:
    """Check the answer: now, or at the end of the surrounding pipeline."""
    pipeline = _pipeline_on(connection)
    if pipeline is None:
        check()
    else:
        pipeline.pending_checks.append(check)


@contextmanager
def prefetched(connection: Connection, results: Mapping[Query, list[Values]]) -> Iterator[None]:
    """Serve each result that was fetched with BEGIN once to its query within the block."""
    before = _PREFETCHED.set({(connection, *one): rows for one, rows in results.items()})
    try:
        yield
    finally:
        _PREFETCHED.reset(before)


class PreparedStatement:
    """A statement with the order of its positional values. A query may be SQL text, as `raw_sql` has it."""

    def __init__(
        self,
        statement: Insert | Update | Delete | Select[Any] | str,
        order: Sequence[str] = (),
        *,
        name: str = "",
    ) -> None:
        self.name = name
        self.order = tuple(order)
        self._statement = statement
        self._fills = str(statement.table) if isinstance(statement, Insert | Update) else None
        self._inserts = statement.table if isinstance(statement, Insert) else None
        self._json_insert = None if self._inserts is None else _json_insert(self._inserts)
        self._compiled: dict[str, Any] = {}
        self._sql: dict[str, str] = {}

    def write(self, connection: Connection, rows: Sequence[Values]) -> None:
        """Execute it once for each row.

        Raises RowsNotWritten if fewer rows were inserted or changed, inside `pipelined` at its end.
        """
        if not rows:
            return
        buffer = buffer_on(connection)
        if buffer is not None and buffer.accept(self.name, self.order, rows):
            return
        many = len(rows) > 1
        if many and self._inserts is not None and connection.dialect.name == "postgresql":
            # One statement for them all: for each by itself the driver took longer than the server.
            cursor = self._execute(
                connection, (rows_as_json(self._inserts, rows),), many=False, sql=self._json_insert
            )
        else:
            cursor = self._execute(connection, rows if many else rows[0], many=many)
        if self._fills is not None:
            sent = _SentRows(cursor, self._fills, len(rows))
            pipeline = _pipeline_on(connection)
            if pipeline is None:
                sent.refuse_fewer()
            else:
                pipeline.pending_checks.append(sent.refuse_fewer)

    def first(self, connection: Connection, values: Values) -> Values | None:
        """The first row, or None."""
        found = _PREFETCHED.get()
        if found:
            rows = found.pop((connection, self, values), None)
            if rows is not None:
                return rows[0] if rows else None
        row: Values | None = self._execute(connection, values, many=False, fetch=_first)
        return row

    def deferred(self, connection: Connection, values: Values) -> Callable[[], list[Values]]:
        """Send the query now, even inside `pipelined`; call the result later to fetch the rows."""
        fetch: Callable[[], list[Values]] = self._execute(connection, values, many=False).fetchall
        return fetch

    def all(self, connection: Connection, bound: Mapping[str, Any]) -> list[Values]:
        """Every row. Values are bound by name; names that the query does not use are ignored."""
        compiled = self._compiled_for(connection.dialect)
        known = compiled.construct_params(bound)
        values = tuple(known[name] for name in compiled.positiontup)
        rows: list[Values] = self._execute(connection, values, many=False, fetch=_all)
        return rows

    def _execute(
        self,
        connection: Connection,
        values: Any,
        *,
        many: bool,
        fetch: Callable[[Any], Any] | None = None,
        sql: str | None = None,
    ) -> Any:
        sql = sql or self.sql(connection.dialect)
        buffer = buffer_on(connection)
        if buffer is not None:
            buffer.flush()
        pipeline = _pipeline_on(connection)
        if pipeline is not None:
            pipeline.enter()
        session: Any = connection.connection.driver_connection
        cursor = session.cursor()
        for listen in connection.dispatch.before_cursor_execute:
            listen(connection, cursor, sql, values, None, many)
        try:
            if many:
                cursor.executemany(sql, values)
            else:
                cursor.execute(sql, values)
            return cursor if fetch is None else fetch(cursor)
        except connection.dialect.loaded_dbapi.Error as error:
            raise as_sqlalchemy_error(connection, error) from error

    def sql(self, dialect: Dialect) -> str:
        """The SQL for this dialect's driver."""
        text = self._sql.get(dialect.name)
        if text is None:
            if isinstance(self._statement, str):
                text = in_dialect(dialect.name, self._statement)
            else:
                text = self._compiled_for(dialect).string
            self._sql[dialect.name] = text
        return text

    def _compiled_for(self, dialect: Dialect) -> Any:
        compiled: Any = self._compiled.get(dialect.name)
        if compiled is None:
            assert not isinstance(self._statement, str), "values of words are given by their place"
            by_place = "qmark" if dialect.paramstyle == "qmark" else "format"
            positional: Any = type(dialect)
            compiled = self._statement.compile(dialect=positional(paramstyle=by_place))
            order = tuple(compiled.positiontup)
            assert self.order in {(), order}, f"its values come as {order}"
            self._compiled[dialect.name] = compiled
        return compiled


def _first(cursor: Any) -> Any:
    row = cursor.fetchone()
    cursor.close()
    return row


def _all(cursor: Any) -> Any:
    return cursor.fetchall()


_TYPES = {Text: "text", BigInteger: "bigint", LargeBinary: "bytea"}


def _json_insert(table: Any) -> str:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    described = ", ".join(f'"{column.name}" {_TYPES[type(column.type)]}' for column in table.columns)
    return (
        f"INSERT INTO {table.name} ({names})"  # noqa: S608  # names of our own
        f" SELECT {names} FROM json_to_recordset(%s::json) AS given({described})"
    )


def rows_as_json(table: Any, rows: Sequence[Values]) -> str:
    """Whole rows as one JSON text."""
    return as_json_rows([column.name for column in table.columns], rows).decode()


def as_json_rows(names: Sequence[str], rows: Sequence[Values]) -> bytes:
    """Rows as JSON objects by column name, with bytes as PostgreSQL writes them."""
    return msgspec.json.encode([dict(zip(names, map(_as_json, row), strict=True)) for row in rows])


def _as_json(value: Any) -> Any:
    return f"\\x{value.hex()}" if type(value) is bytes else value


def insertion(table: Table) -> PreparedStatement:
    """The statement that inserts whole rows; its values are in the order of the table's columns."""
    return PreparedStatement(
        insert(table), [column.name for column in table.columns], name=f"{table.name}_new"
    )


@contextmanager
def pipelined(connection: Connection) -> Iterator[None]:
    """Send the writes of this block without waiting for each answer, if the driver supports it: a distant
    server costs one round trip. Fetches still wait. An error is raised at the latest at the end of the
    outermost block.
    """
    if connection.dialect.name == "sqlite":  # nothing is far away
        yield
        return
    driver: Any = connection.dialect.dbapi
    is_nested = _pipeline_on(connection) is not None
    if is_nested or not hasattr(driver, "Pipeline") or not driver.Pipeline.is_supported():
        yield
        return
    pipeline = _Pipeline(connection)
    before = _PIPELINE.set(pipeline)
    try:
        yield
        pipeline.leave()
    except driver.Error as error:
        pipeline.break_off()
        raise as_sqlalchemy_error(connection, error) from error
    except BaseException:
        pipeline.break_off()
        raise
    finally:
        _PIPELINE.reset(before)
    for check in pipeline.pending_checks:
        check()


def as_sqlalchemy_error(connection: Connection, error: Exception) -> BaseException:
    """A driver's own error as SQLAlchemy would raise it. A lost connection is invalidated."""
    driver: Any = connection.dialect.dbapi
    lost = bool(getattr(connection.connection.driver_connection, "closed", False))
    if lost:
        connection.invalidate(error)
    return DBAPIError.instance(
        None, None, error, driver.Error, connection_invalidated=lost, dialect=connection.dialect
    )
