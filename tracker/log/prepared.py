"""The statements that every append makes: compiled once, and given to the driver itself.

SQLAlchemy finds a compiled statement by a key that it works out anew, binds every value by its name and wraps
what comes of it: for the dozen small statements of an append that took longer than the driver took to carry
them out. All other statements go through SQLAlchemy as they are; whoever listens to it hears these too.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeAlias

from sqlalchemy import Connection, Delete, Dialect, Insert, Select, Table, Update, insert
from sqlalchemy.exc import DBAPIError

Values: TypeAlias = tuple[Any, ...]
"""What a statement is given, in its order."""


class Prepared:
    """One statement, and the order in which it takes its values."""

    def __init__(self, statement: Insert | Update | Delete | Select[Any], order: Sequence[str]) -> None:
        self.order = tuple(order)
        self._statement = statement
        self._words: dict[str, str] = {}

    def write(self, connection: Connection, rows: Sequence[Values]) -> None:
        """Carry it out once for each row; not at all for none."""
        if len(rows) == 1:
            self._given(connection, rows[0], many=False)
        elif rows:
            self._given(connection, rows, many=True)

    def first(self, connection: Connection, values: Values) -> Values | None:
        """The first row that it finds, or None."""
        cursor = self._given(connection, values, many=False)
        found: Values | None = cursor.fetchone()
        cursor.close()
        return found

    def _given(self, connection: Connection, values: Any, *, many: bool) -> Any:
        words = self._for(connection.dialect)
        session: Any = connection.connection.driver_connection
        cursor = session.cursor()
        for listen in connection.dispatch.before_cursor_execute:
            listen(connection, cursor, words, values, None, many)
        try:
            if many:
                cursor.executemany(words, values)
            else:
                cursor.execute(words, values)
        except connection.dialect.loaded_dbapi.Error as error:
            raise _as_told_by_sqlalchemy(connection, error) from error
        return cursor

    def _for(self, dialect: Dialect) -> str:
        words = self._words.get(dialect.name)
        if words is None:
            by_place = "qmark" if dialect.paramstyle == "qmark" else "format"
            positional: Any = type(dialect)
            compiled: Any = self._statement.compile(dialect=positional(paramstyle=by_place))
            assert tuple(compiled.positiontup) == self.order, f"its values come as {compiled.positiontup}"
            words = self._words[dialect.name] = str(compiled)
        return words


def insertion(table: Table) -> Prepared:
    """The insertion of whole rows, their values in the order of the table's columns."""
    return Prepared(insert(table), [column.name for column in table.columns])


@contextmanager
def together(connection: Connection) -> Iterator[None]:
    """What is written within waits for no answer in between where the driver knows how: a server far away is
    waited for once. Nothing can be read within. A refusal of any of it is raised at the latest at the end.
    """
    driver: Any = connection.dialect.dbapi
    if not hasattr(driver, "Pipeline") or not driver.Pipeline.is_supported():
        yield
        return
    session: Any = connection.connection.driver_connection
    try:
        with session.pipeline():
            yield
    except driver.Error as error:
        raise _as_told_by_sqlalchemy(connection, error) from error


def _as_told_by_sqlalchemy(connection: Connection, error: Exception) -> BaseException:
    driver: Any = connection.dialect.dbapi
    lost = bool(getattr(connection.connection.driver_connection, "closed", False))
    if lost:
        connection.invalidate(error)
    return DBAPIError.instance(
        None, None, error, driver.Error, connection_invalidated=lost, dialect=connection.dialect
    )
