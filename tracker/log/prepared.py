"""The statements that every append makes, and those that read a whole log: compiled once, and given to the
driver itself.

SQLAlchemy finds a compiled statement by a key that it works out anew, binds every value by its name and makes
a row of its own of every row that comes of it: for the dozen small statements of an append that took longer
than the driver took to carry them out, for the rows of a long log half as long. All other statements go
through SQLAlchemy as they are; whoever listens to it hears these too.

What is inserted or changed here is counted: a rule or a trigger of somebody else's takes rows without a word.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Connection, Delete, Dialect, Insert, Select, Table, Update, insert
from sqlalchemy.exc import DBAPIError

from tracker.log.refusals import RowsNotWritten

Values: TypeAlias = tuple[Any, ...]
"""What a statement is given, in its order."""


class _Sent(NamedTuple):
    """Rows on their way. Within a pipeline how many arrived is known at its end only."""

    cursor: Any
    table: str
    wanted: int

    def refuse_fewer(self) -> None:
        if self.cursor.rowcount != self.wanted:
            raise RowsNotWritten(self.table, self.wanted, self.cursor.rowcount)


_UNANSWERED: ContextVar[list[_Sent] | None] = ContextVar("_UNANSWERED", default=None)


class Prepared:
    """One statement, and the order in which it takes its values where they are given by their place."""

    def __init__(self, statement: Insert | Update | Delete | Select[Any], order: Sequence[str] = ()) -> None:
        self.order = tuple(order)
        self._statement = statement
        self._fills = str(statement.table) if isinstance(statement, Insert | Update) else None
        self._compiled: dict[str, Any] = {}

    def write(self, connection: Connection, rows: Sequence[Values]) -> None:
        """Carry it out once for each row; not at all for none.

        Raises RowsNotWritten when not so many were inserted or changed; within `pipelined` at its end.
        """
        if not rows:
            return
        many = len(rows) > 1
        cursor = self._given(connection, rows if many else rows[0], many=many)
        if self._fills is not None:
            sent, unanswered = _Sent(cursor, self._fills, len(rows)), _UNANSWERED.get()
            if unanswered is None:
                sent.refuse_fewer()
            else:
                unanswered.append(sent)

    def first(self, connection: Connection, values: Values) -> Values | None:
        """The first row that it finds, or None."""
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
    ) -> Any:
        words = self._for(connection.dialect).string
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

    def _for(self, dialect: Dialect) -> Any:
        compiled: Any = self._compiled.get(dialect.name)
        if compiled is None:
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


def insertion(table: Table) -> Prepared:
    """The insertion of whole rows, their values in the order of the table's columns."""
    return Prepared(insert(table), [column.name for column in table.columns])


@contextmanager
def pipelined(connection: Connection) -> Iterator[None]:
    """What is written within waits for no answer in between where the driver knows how: a server far away is
    waited for once. Nothing is fetched within. A refusal of any of it is raised at the latest at the end.
    """
    driver: Any = connection.dialect.dbapi
    if not hasattr(driver, "Pipeline") or not driver.Pipeline.is_supported():
        yield
        return
    session: Any = connection.connection.driver_connection
    unanswered: list[_Sent] = []
    before = _UNANSWERED.set(unanswered)
    try:
        with session.pipeline():
            yield
    except driver.Error as error:
        raise as_sqlalchemy_error(connection, error) from error
    finally:
        _UNANSWERED.reset(before)
    for sent in unanswered:
        sent.refuse_fewer()


def as_sqlalchemy_error(connection: Connection, error: Exception) -> BaseException:
    """A driver's own error as SQLAlchemy would raise it; a lost connection is let go."""
    driver: Any = connection.dialect.dbapi
    lost = bool(getattr(connection.connection.driver_connection, "closed", False))
    if lost:
        connection.invalidate(error)
    return DBAPIError.instance(
        None, None, error, driver.Error, connection_invalidated=lost, dialect=connection.dialect
    )
