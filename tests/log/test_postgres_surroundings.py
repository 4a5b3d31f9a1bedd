"""What a server, a role or a pooler sets for a session: none of it reaches a transaction of ours."""

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from log_events import ASH_WASTES, write_entry
from sqlalchemy import Engine, event, make_url

from tracker.log.database import open_database, reading, upgrade, writing
from tracker.log.refusals import DatabaseUnreachable
from tracker.log.store import EventStore

pytestmark = pytest.mark.postgres


@pytest.fixture
def as_owner(postgres_database: str) -> Iterator[Callable[[str], object]]:
    """Statements of the database's owner, in a session of their own."""
    with psycopg.connect(postgres_database.replace("+psycopg", ""), autocommit=True) as session:
        yield session.execute


@pytest.fixture
def name(postgres_database: str) -> str:
    """The name of this test's database."""
    return str(make_url(postgres_database).database)


@pytest.fixture
def engine(postgres_database: str) -> Iterator[Engine]:
    """A database at head, nothing set yet."""
    upgrade(postgres_database)
    opened = open_database(postgres_database, migrate=False)
    yield opened
    opened.dispose()


def shown(engine: Engine, setting: str, *, writes: bool = False) -> str:
    with writing(engine) if writes else reading(engine) as connection:
        return str(connection.exec_driver_sql(f"SHOW {setting}").scalar())


@pytest.mark.parametrize("level", ["serializable", "repeatable read", "read uncommitted"])
def test_the_isolation_is_ours_whatever_the_database_says(
    level: str, engine: Engine, name: str, as_owner: Callable[[str], object]
) -> None:
    as_owner(f"ALTER DATABASE {name} SET default_transaction_isolation TO '{level}'")
    as_owner(f"ALTER DATABASE {name} SET default_transaction_deferrable TO on")
    engine.dispose()
    assert shown(engine, "transaction_isolation") == "repeatable read"
    assert shown(engine, "transaction_read_only") == "on"
    assert shown(engine, "transaction_isolation", writes=True) == "read committed"
    store = EventStore(engine)
    write_entry(store)
    with store.exclusively(ASH_WASTES) as inside:
        assert inside.head(ASH_WASTES).size == 3
    assert store.verify(ASH_WASTES).ok


def test_limits_of_the_role_end_nothing_of_ours(
    engine: Engine, name: str, as_owner: Callable[[str], object]
) -> None:
    for limit in ("statement_timeout", "idle_in_transaction_session_timeout", "transaction_timeout"):
        as_owner(f"ALTER DATABASE {name} SET {limit} TO 200")
    engine.dispose()
    for begin in (reading, writing):
        with begin(engine) as connection:
            for _ in range(3):
                connection.exec_driver_sql("SELECT pg_sleep(0.15)")


def test_tables_are_found_where_they_are_and_not_where_a_session_looks(
    engine: Engine, postgres_database: str, name: str, as_owner: Callable[[str], object]
) -> None:
    write_entry(EventStore(engine))
    as_owner("CREATE SCHEMA elsewhere CREATE TABLE events (a int) CREATE TABLE alembic_version (a int)")
    as_owner(f"ALTER DATABASE {name} SET search_path TO nowhere, elsewhere, public")
    again = open_database(postgres_database, migrate=False)
    assert EventStore(again).verify(ASH_WASTES).ok
    assert shown(again, "search_path") == "public, pg_temp"
    again.dispose()


def test_a_schema_of_ones_own_is_used(
    postgres_database: str, name: str, as_owner: Callable[[str], object]
) -> None:
    as_owner('CREATE SCHEMA "The League"')
    as_owner(f'ALTER DATABASE {name} SET search_path TO "The League", public')
    upgrade(postgres_database)
    engine = open_database(postgres_database, migrate=False)
    write_entry(EventStore(engine))
    engine.dispose()
    found = as_owner("SELECT schemaname FROM pg_tables WHERE tablename = 'heads'")
    assert found.fetchall() == [("The League",)]  # type: ignore[attr-defined]


def test_a_path_that_leads_nowhere_is_told(
    postgres_database: str, name: str, as_owner: Callable[[str], object]
) -> None:
    as_owner(f"ALTER DATABASE {name} SET search_path TO nowhere")
    for open_it in (upgrade, lambda url: open_database(url, migrate=False)):
        with pytest.raises(DatabaseUnreachable, match="search_path names no schema"):
            open_it(postgres_database)


def test_nothing_is_left_in_a_session_nor_trusted_from_one(engine: Engine) -> None:
    """A pooler in transaction mode hands a session from one client to the next, as that one left it."""
    store = EventStore(engine)

    def as_somebody_left_it(session: Any, *_: object) -> None:
        for statement in (
            "CREATE TEMPORARY TABLE IF NOT EXISTS events (a int)",
            "CREATE TEMPORARY TABLE IF NOT EXISTS heads (a int)",
            "SET search_path TO pg_temp",
            "SET synchronous_commit TO off",
            "SET lock_timeout TO 0",
            "SET statement_timeout TO 300",
            "SET default_transaction_isolation TO serializable",
            "DEALLOCATE ALL",
        ):
            session.execute(statement)

    event.listen(engine, "checkout", as_somebody_left_it)
    for _ in range(12):  # the driver prepares what it sends a sixth time
        write_entry(store)
    assert store.verify(ASH_WASTES).ok
    assert shown(engine, "synchronous_commit", writes=True) == "on"
    assert shown(engine, "lock_timeout", writes=True) == "10s"
    event.remove(engine, "checkout", as_somebody_left_it)
    with reading(engine) as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM pg_prepared_statements").scalar() == 0
    with engine.connect() as connection:
        session: Any = connection.connection.driver_connection
        assert session.execute("SHOW search_path").fetchone() == ("pg_temp",)


def test_a_server_keeps_the_kind_of_commit_that_waits_longer(
    engine: Engine, name: str, as_owner: Callable[[str], object]
) -> None:
    for kept, used in (("local", "on"), ("remote_write", "remote_write"), ("remote_apply", "remote_apply")):
        as_owner(f"ALTER DATABASE {name} SET synchronous_commit TO {kept}")
        engine.dispose()
        assert shown(engine, "synchronous_commit", writes=True) == used
