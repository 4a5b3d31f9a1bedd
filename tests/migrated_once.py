"""SQLite files of tests are migrated by the statements that the first migration of a process ran.

Alembic needs 35 ms to find out what they are, and a run makes thousands of files. Whoever tests the migrations
themselves, or runs the program as a process of its own, has Alembic's.
"""

from typing import Any

import sqlalchemy
from sqlalchemy import Connection, Engine

from tracker.log import database

by_alembic = database._upgrade
_statements: list[tuple[str, Any]] = []


def upgrade(engine: Engine) -> None:
    if engine.dialect.name != "sqlite" or not _replayed(engine):
        by_alembic(engine)


def _replayed(engine: Engine) -> bool:
    statements = _statements or _find_statements()
    with database.writing(engine) as connection:
        if connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar():
            return False
        for statement, parameters in statements:
            connection.exec_driver_sql(statement, parameters).close()
    return True


def _find_statements() -> list[tuple[str, Any]]:
    engine = database.engine_for("sqlite://", make=True)

    def keep(_connection: Connection, _cursor: object, statement: str, parameters: Any, *_: object) -> None:
        reads = statement.startswith("SELECT") or (statement.startswith("PRAGMA") and "=" not in statement)
        if not reads:
            _statements.append((statement, parameters))

    sqlalchemy.event.listen(engine, "before_cursor_execute", keep)
    by_alembic(engine)
    engine.dispose()
    return _statements
