"""SQLite files of tests get at once what the migrations come to: they are run once in each process of a run.

Alembic needs 35 ms to find out what they are, and a run makes thousands of files. Whoever tests the migrations
themselves, or runs the program as a process of its own, has Alembic's.
"""

from functools import cache

from sqlalchemy import Engine

from tracker.log import database

by_alembic = database._upgrade


def upgrade(engine: Engine) -> None:
    if engine.dialect.name != "sqlite" or not _made(engine):
        by_alembic(engine)


def _made(engine: Engine) -> bool:
    statements = _statements()
    with database.writing(engine) as connection:
        if connection.exec_driver_sql("SELECT count(*) FROM sqlite_master").scalar():
            return False
        file = connection.connection.driver_connection
        for statement in statements:
            file.execute(statement)
    return True


@cache
def _statements() -> list[str]:
    engine = database.engine_for("sqlite://", make=True)
    by_alembic(engine)
    with database.reading(engine) as connection:
        file = connection.connection.driver_connection
        made = [sql for (sql,) in file.execute("SELECT sql FROM sqlite_master ORDER BY rowid") if sql]
        made += [line for line in file.iterdump() if line.startswith("INSERT")]
        for pragma in ("application_id", "user_version"):
            (value,) = file.execute(f"PRAGMA {pragma}").fetchone()
            made.append(f"PRAGMA {pragma} = {value}")
    engine.dispose()
    return made
