"""Holes in indexes: each engine's own look finds them, in every index, and indexes made anew have none."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from log_events import write_entry
from sqlalchemy import Connection, Engine, text
from sqlite_holes import hole

from tracker import schema
from tracker.log.database import open_database, reading, writing
from tracker.log.integrity_check import integrity_faults, reindex
from tracker.log.refusals import DatabaseCorrupt
from tracker.log.store import EventStore


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("written") / "log.db"
    engine = open_database(f"sqlite:///{file}", migrate=True)
    fill(engine)
    engine.dispose()
    return file


def fill(engine: Engine) -> None:
    """Three entries of three events, of which one fills a slot again, and three rows in every table that no append
    fills.
    """
    for slots in (None, None, [3, 2, 2]):
        write_entry(EventStore(engine), slots=slots)
    with writing(engine) as connection:
        for table in schema.metadata.sorted_tables:
            if table.name not in ("events", "heads", "commands", "signed_notes"):
                one_row_more(connection, table.name, 0)
                one_row_more(connection, table.name, 1)
                one_row_more(connection, table.name, 2)


TABLES = (*schema.metadata.tables.values(),)
NAMED_INDEXES = sum(len(table.indexes) for table in TABLES)


def one_row_more(connection: Connection, name: str, number: int) -> None:
    table = schema.metadata.tables[name]
    values = {"Text": f"{number}", "LargeBinary": b"x"}
    # No two numbers of a row are the same: so an index of some rows only has this one.
    row = {
        column.name: values.get(type(column.type).__name__, number + place)
        for place, column in enumerate(table.columns)
    }
    connection.execute(table.insert(), row)


def indexes_of(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name <> 'alembic_version'"
        )
        return sorted(name for (name,) in rows)


def test_every_index_of_an_sqlite_file_is_held_against_its_table(written: Path, tmp_path: Path) -> None:
    file = Path(shutil.copyfile(written, tmp_path / "log.db"))
    engine = open_database(f"sqlite:///{file}", migrate=False)
    assert integrity_faults(engine) == {}
    engine.dispose()
    indexes = indexes_of(file)
    # Without a rowid, a table is its own primary key's index.
    keys = sum(table.dialect_options["sqlite"]["with_rowid"] is not False for table in TABLES)
    assert len(indexes) == NAMED_INDEXES + keys
    of_some_rows = ["events_refilled"]  # by itself: of a table so many findings are named, by row
    for holed in ([name for name in indexes if name not in of_some_rows], of_some_rows):
        for name in holed:
            assert hole(file, name, "1")
        wrong = integrity_faults(engine)
        text = " ".join(finding for findings in wrong.values() for finding in findings)
        assert [name for name in holed if f"index {name}" not in text] == []
        assert reindex(engine) == tuple(wrong)
        assert integrity_faults(engine) == {}
    engine.dispose()


def test_rows_written_twice_past_a_damaged_index_become_single_again(written: Path, tmp_path: Path) -> None:
    file = Path(shutil.copyfile(written, tmp_path / "log.db"))
    hole(file, "sqlite_autoindex_board_gangs_1", "1")
    engine = open_database(f"sqlite:///{file}", migrate=False)
    with writing(engine) as connection:
        one_row_more(connection, "board_gangs", 1)
    assert reindex(engine) == ("board_gangs",)
    with reading(engine) as connection:
        assert connection.execute(text("SELECT count(*) FROM board_gangs")).scalar() == 3
    engine.dispose()


def test_a_command_that_came_twice_is_damage(written: Path, tmp_path: Path) -> None:
    file = Path(shutil.copyfile(written, tmp_path / "log.db"))
    hole(file, "sqlite_autoindex_commands_1", "1")
    engine = open_database(f"sqlite:///{file}", migrate=False)
    with writing(engine) as connection:
        connection.execute(text("INSERT INTO commands SELECT * FROM commands NOT INDEXED LIMIT 1"))
    with pytest.raises(DatabaseCorrupt, match="two rows of one key"):
        reindex(engine)
    engine.dispose()


@pytest.fixture
def postgres(postgres_at_head: str) -> Iterator[Engine]:
    engine = open_database(postgres_at_head, migrate=False)
    yield engine
    engine.dispose()


NEXT_EVENT = (
    "INSERT INTO events SELECT campaign_id, seq + 1, entry + 1, slot, type, event_id || 'x', body, leaf"
    " FROM events ORDER BY seq DESC LIMIT 1"
)


@pytest.mark.postgres
@pytest.mark.parametrize("by", ["amcheck", "counting"])
def test_every_index_of_postgresql_is_held_against_its_table(by: str, postgres: Engine) -> None:
    fill(postgres)
    if by == "amcheck":
        with writing(postgres) as connection:
            connection.exec_driver_sql("CREATE EXTENSION amcheck")
    with reading(postgres) as connection:
        (part,) = connection.execute(text("SELECT DISTINCT tableoid::regclass::text FROM events")).scalars()
        indexes = [
            (str(row[0]), str(row[1]))
            for row in connection.execute(
                text(
                    "SELECT indrelid::regclass, indexrelid::regclass FROM pg_index"
                    " WHERE indrelid::regclass::text = ANY(:tables) ORDER BY 1, 2"
                ),
                {"tables": [part, *schema.metadata.tables]},
            )
            if row[0] != "events"
        ]
    assert len(indexes) == NAMED_INDEXES + len(TABLES)
    assert integrity_faults(postgres) == {}
    # The primary key comes last: without it nothing finds where a log ends.
    for number, (table, index) in enumerate(sorted(indexes, key=lambda named: named[1].endswith("_pkey"))):
        use = text("UPDATE pg_index SET indisready = :ready WHERE indexrelid = to_regclass(:index)")
        with writing(postgres) as connection:
            connection.execute(use, {"index": index, "ready": False})
        with writing(postgres) as connection:
            if table == part:
                connection.execute(text(NEXT_EVENT))
            else:
                one_row_more(connection, table, 10 + number)
        with writing(postgres) as connection:
            connection.execute(use, {"index": index, "ready": True})
    wrong = integrity_faults(postgres)
    named = {
        (table, finding.split()[1].rstrip(":")) for table, findings in wrong.items() for finding in findings
    }
    assert named == set(indexes)
    assert reindex(postgres) == tuple(wrong)
    assert integrity_faults(postgres) == {}
