"""The three kinds of database that the archive promises to be the same on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine

from tracker.log.database import open_database
from tracker.log.store import EventStore

SQLITE_FILE = pytest.param("sqlite_file")
SQLITE_MEMORY = pytest.param("sqlite_memory")
POSTGRES = pytest.param("postgres", marks=pytest.mark.postgres)


def database_url(kind: str, request: pytest.FixtureRequest, tmp_path: Path) -> str:
    match kind:
        case "sqlite_file":
            return f"sqlite:///{tmp_path / 'log.db'}"
        case "sqlite_memory":
            return "sqlite://"
        case _:
            url: str = request.getfixturevalue("postgres_at_head")
            return url


@pytest.fixture(params=[SQLITE_FILE, SQLITE_MEMORY, POSTGRES])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    """A database at head, on each engine in turn."""
    opened = open_database(database_url(request.param, request, tmp_path), migrate=True)
    yield opened
    opened.dispose()


@pytest.fixture
def store(engine: Engine) -> EventStore:
    return EventStore(engine)


@pytest.fixture(params=[SQLITE_FILE, POSTGRES])
def shared_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A database that other processes can open too. The SQLite file does not exist yet."""
    return database_url(request.param, request, tmp_path)


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'log.db'}"
