"""The statements that every append makes, and those that read a whole log: compiled once, and given to the
driver itself.

SQLAlchemy finds a compiled statement by a key that it works out anew, binds every value by its name and makes
a row of its own of every row that comes of it: for the dozen small statements of an append that took longer
than the driver took to carry them out, for the rows of a long log half as long. All other statements go
through SQLAlchemy as they are; whoever listens to it hears these too.

What is inserted or changed here is counted: a rule or a trigger of somebody else's takes rows without a word.
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

from tracker.log.raw_sql import in_words_of
from tracker.log.refusals import RowsNotWritten

Values: TypeAlias = tuple[Any, ...]
"""What a statement is given, in its order."""

Asked: TypeAlias = "tuple[PreparedStatement, Values]"
"""A statement and what it is given."""


class _Sent(NamedTuple):
    """Rows on their way. Within a pipeline how many arrived is known at its end only."""

    cursor: Any
    table: str
    wanted: int

    def refuse_fewer(self) -> None:
        if self.cursor.rowcount != self.wanted:
            raise RowsNotWritten(self.table, self.wanted, self.cursor.rowcount)


_FOUND: ContextVar[dict[tuple[Connection, "PreparedStatement", Values], list[Values]] | None] = ContextVar(
    "_FOUND", default=None
)


class _Pipeline:
    """Statements on one connection that wait for no answer, and what is to be looked at once there is one."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.unanswered: list[Callable[[], None]] = []
        self._session: Any = connection.connection.driver_connection
        self._within = ExitStack()
        self._is_open = False

    def enter(self) -> None:
        """Wait for nothing from now on."""
        if not self._is_open:
            self._within.enter_context(self._session.pipeline())
            self._is_open = True

    def leave(self) -> None:
        """Wait for what was sent. Raises the driver's error."""
        self._is_open = False
        self._within.close()

    def break_off(self) -> None:
        """Wait for it, whatever comes."""
        with suppress(self.connection.dialect.loaded_dbapi.Error):
            self.leave()


_PIPELINE: ContextVar[_Pipeline | None] = ContextVar("_PIPELINE", default=None)


def _pipeline_on(connection: Connection) -> _Pipeline | None:
    pipeline = _PIPELINE.get()
    return pipeline if pipeline is not None and pipeline.connection is connection else None


class HeldRows(Protocol):
    """Rows on a connection that are held back, to be sent together."""

    def takes(self, name: str, order: Sequence[str], rows: Sequence[Values]) -> bool:
        """Whether it holds these too; `name` says what they are."""
        ...

    def send(self) -> None:
        """Let them go: something else is asked."""
        ...


_HELD: ContextVar[tuple[tuple[Connection, HeldRows], ...]] = ContextVar("_HELD", default=())


@contextmanager
def holding(connection: Connection, held: HeldRows) -> Iterator[None]:
    """What `held` takes of what is written on this connection within waits until something else is asked."""
    before = _HELD.set(((connection, held), *_HELD.get()))
    try:
        yield
    finally:
        _HELD.reset(before)


def held_on(connection: Connection) -> HeldRows | None:
    """What holds rows back on this connection."""
    for on, held in _HELD.get():
        if on is connection:
            return held
    return None


def leave_pipeline(connection: Connection) -> None:
    """SQLAlchemy asks something itself, and looks for an answer at once."""
    held = held_on(connection)
    if held is not None:
        held.send()
    pipeline = _pipeline_on(connection)
    if pipeline is not None:
        try:
            pipeline.leave()
        except connection.dialect.loaded_dbapi.Error as error:
            raise as_sqlalchemy_error(connection, error) from error


def once_answered(connection: Connection, look: Callable[[], None]) -> None:
    """Look at what came back: now, or at the end of the pipeline that this is within."""
    pipeline = _pipeline_on(connection)
    if pipeline is None:
        look()
    else:
        pipeline.unanswered.append(look)


@contextmanager
def found_already(connection: Connection, asked: Mapping[Asked, list[Values]]) -> Iterator[None]:
    """What was found when the transaction began is given, once, to who asks for it within."""
    before = _FOUND.set({(connection, *one): rows for one, rows in asked.items()})
    try:
        yield
    finally:
        _FOUND.reset(before)


class PreparedStatement:
    """One statement, and the order in which it takes its values where they are given by their place. What
    reads may be in words, as `asking` has them.
    """

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
        self._many = None if self._inserts is None else _insertion_of_json(self._inserts)
        self._compiled: dict[str, Any] = {}
        self._words: dict[str, str] = {}

    def write(self, connection: Connection, rows: Sequence[Values]) -> None:
        """Carry it out once for each row; not at all for none.

        Raises RowsNotWritten when not so many were inserted or changed; within `pipelined` at its end.
        """
        if not rows:
            return
        held = held_on(connection)
        if held is not None and held.takes(self.name, self.order, rows):
            return
        many = len(rows) > 1
        if many and self._inserts is not None and connection.dialect.name == "postgresql":
            # One statement for them all: for each by itself the driver took longer than the server.
            cursor = self._given(
                connection, (rows_as_json(self._inserts, rows),), many=False, words=self._many
            )
        else:
            cursor = self._given(connection, rows if many else rows[0], many=many)
        if self._fills is not None:
            sent = _Sent(cursor, self._fills, len(rows))
            pipeline = _pipeline_on(connection)
            if pipeline is None:
                sent.refuse_fewer()
            else:
                pipeline.unanswered.append(sent.refuse_fewer)

    def first(self, connection: Connection, values: Values) -> Values | None:
        """The first row that it finds, or None."""
        found = _FOUND.get()
        if found:
            rows = found.pop((connection, self, values), None)
            if rows is not None:
                return rows[0] if rows else None
        row: Values | None = self._given(connection, values, many=False, fetch=_first)
        return row

    def asked(self, connection: Connection, values: Values) -> Callable[[], list[Values]]:
        """Ask now, within `pipelined` too; the rows are fetched by calling what comes back, after it."""
        fetch: Callable[[], list[Values]] = self._given(connection, values, many=False).fetchall
        return fetch

    def all(self, connection: Connection, bound: Mapping[str, Any]) -> list[Values]:
        """Every row that it finds. Values are given by their names; what it does not ask for is left."""
        compiled = self._for(connection.dialect)
        known = compiled.construct_params(bound)
        values = tuple(known[name] for name in compiled.positiontup)
        rows: list[Values] = self._given(connection, values, many=False, fetch=_all)
        return rows

    def _given(
        self,
        connection: Connection,
        values: Any,
        *,
        many: bool,
        fetch: Callable[[Any], Any] | None = None,
        words: str | None = None,
    ) -> Any:
        words = words or self.words(connection.dialect)
        held = held_on(connection)
        if held is not None:
            held.send()
        pipeline = _pipeline_on(connection)
        if pipeline is not None:
            pipeline.enter()
        session: Any = connection.connection.driver_connection
        cursor = session.cursor()
        for listen in connection.dispatch.before_cursor_execute:
            listen(connection, cursor, words, values, None, many)
        try:
            if many:
                cursor.executemany(words, values)
            else:
                cursor.execute(words, values)
            return cursor if fetch is None else fetch(cursor)
        except connection.dialect.loaded_dbapi.Error as error:
            raise as_sqlalchemy_error(connection, error) from error

    def words(self, dialect: Dialect) -> str:
        """The statement as the driver takes it."""
        words = self._words.get(dialect.name)
        if words is None:
            if isinstance(self._statement, str):
                words = in_words_of(dialect.name, self._statement)
            else:
                words = self._for(dialect).string
            self._words[dialect.name] = words
        return words

    def _for(self, dialect: Dialect) -> Any:
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


def _insertion_of_json(table: Any) -> str:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    described = ", ".join(f'"{column.name}" {_TYPES[type(column.type)]}' for column in table.columns)
    return (
        f"INSERT INTO {table.name} ({names})"  # noqa: S608  # names of our own
        f" SELECT {names} FROM json_to_recordset(%s::json) AS given({described})"
    )


def rows_as_json(table: Any, rows: Sequence[Values]) -> str:
    """Whole rows as one text."""
    return as_json_rows([column.name for column in table.columns], rows).decode()


def as_json_rows(names: Sequence[str], rows: Sequence[Values]) -> bytes:
    """Rows by the names of their columns; bytes as PostgreSQL writes them."""
    return msgspec.json.encode([dict(zip(names, map(_as_json, row), strict=True)) for row in rows])


def _as_json(value: Any) -> Any:
    return f"\\x{value.hex()}" if type(value) is bytes else value


def insertion(table: Table) -> PreparedStatement:
    """The insertion of whole rows, their values in the order of the table's columns."""
    return PreparedStatement(
        insert(table), [column.name for column in table.columns], name=f"{table.name}_new"
    )


@contextmanager
def pipelined(connection: Connection) -> Iterator[None]:
    """What is written within waits for no answer in between where the driver knows how: a server far away is
    waited for once. What is fetched within is waited for. A refusal of any of it is raised at the latest at
    the end; within another, at the end of that.
    """
    if connection.dialect.name == "sqlite":  # nothing is far away
        yield
        return
    driver: Any = connection.dialect.dbapi
    is_one_within = _pipeline_on(connection) is not None
    if is_one_within or not hasattr(driver, "Pipeline") or not driver.Pipeline.is_supported():
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
    for look in pipeline.unanswered:
        look()


def as_sqlalchemy_error(connection: Connection, error: Exception) -> BaseException:
    """A driver's own error as SQLAlchemy would raise it; a lost connection is let go."""
    driver: Any = connection.dialect.dbapi
    lost = bool(getattr(connection.connection.driver_connection, "closed", False))
    if lost:
        connection.invalidate(error)
    return DBAPIError.instance(
        None, None, error, driver.Error, connection_invalidated=lost, dialect=connection.dialect
    )
