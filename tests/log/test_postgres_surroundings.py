"""What a server, a role or a pooler sets for a session: none of it reaches a transaction of ours."""

import random
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from log_events import ASH_WASTES, write_entry
from pooler import pooled
from sqlalchemy import Engine, event, make_url
from torture import club

from tracker.campaign import records
from tracker.errors import Refusal
from tracker.log import refusals
from tracker.log.database import open_database, reading, upgrade, writing
from tracker.log.store import EventStore
from tracker.projections import queries
from tracker.service.command_handler import CommandWithDice

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
def test_the_isolation_level_does_not_depend_on_the_default_of_the_database(
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


def test_tables_live_in_a_schema_of_their_own_where_the_url_names_it(
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


def test_a_path_that_leads_nowhere_is_shown(
    postgres_database: str, name: str, as_owner: Callable[[str], object]
) -> None:
    as_owner(f"ALTER DATABASE {name} SET search_path TO nowhere")
    for open_it in (upgrade, lambda url: open_database(url, migrate=False)):
        with pytest.raises(refusals.DatabaseUnreachable, match="search_path names no schema"):
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


# --- what a server says, said for people -------------------------------------------------------------------


def refusal_of(engine: Engine, statement: str) -> Refusal:
    with pytest.raises(Refusal) as refused, writing(engine) as connection:
        connection.exec_driver_sql(statement)
    return refused.value


@pytest.mark.parametrize(
    ("statement", "refusal", "code"),
    [
        ("SET LOCAL statement_timeout TO 20; SELECT pg_sleep(5)", refusals.ServerStopped, 3),
        ("SELECT pg_cancel_backend(pg_backend_pid()), pg_sleep(5)", refusals.ServerStopped, 3),
        ("SET LOCAL transaction_timeout TO 20; SELECT pg_sleep(5)", refusals.ConnectionLost, 3),
        (
            "ALTER TABLE board_fighters RENAME TO gone; SELECT * FROM board_fighters",
            refusals.DatabaseCorrupt,
            4,
        ),
        ("SELECT board_fighters.bord FROM board_fighters", refusals.DatabaseCorrupt, 4),
        ("SET work_mem TO 'much'", refusals.ServerRefused, 2),
        ("SELECT 1 / 0", refusals.ServerRefused, 2),
    ],
)
def test_what_a_server_refuses_has_a_sentence(
    statement: str, refusal: type[Refusal], code: int, engine: Engine
) -> None:
    refused = refusal_of(engine, statement)
    assert type(refused) is refusal, refused
    assert refused.exit_code == code
    assert refused.message().endswith(".")


def test_a_nul_is_shown(engine: Engine) -> None:
    with pytest.raises(refusals.EncodingLacks, match="NUL"), reading(engine) as connection:
        queries.campaign_by_slug(connection, "a\0b")


def test_an_option_that_no_server_knows_is_shown(postgres_database: str) -> None:
    with pytest.raises(refusals.DatabaseUnreachable, match="invalid connection option"):
        open_database(f"{postgres_database}&colour=green", migrate=False)


# --- encodings -----------------------------------------------------------------------------------------------


@pytest.fixture
def encoded(postgres_url: str) -> Iterator[Callable[[str], str]]:
    """The URL of a database at head that keeps its text in some encoding."""
    made = []
    with psycopg.connect(postgres_url.replace("+psycopg", ""), autocommit=True) as owner:

        def make(encoding: str) -> str:
            name = f"test_{uuid.uuid4().hex}"
            owner.execute(f"CREATE DATABASE {name} TEMPLATE template0 ENCODING '{encoding}' LOCALE 'C'")
            made.append(name)
            url = make_url(postgres_url).set(database=name).render_as_string(hide_password=False)
            upgrade(url)
            return url

        yield make
        for name in made:
            owner.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1", "UTF8"])
def test_text_goes_in_and_out_as_utf8_whatever_the_database_and_the_session_say(
    encoding: str, encoded: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PGCLIENTENCODING", "LATIN1")
    url = encoded(encoding)
    name = make_url(url).database
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as owner:
        owner.execute(f"ALTER DATABASE {name} SET client_encoding TO 'LATIN1'")
    with club.opened(url) as tracker:
        campaign = club.begin(tracker)
        renamed = records.RenameFighter(fighter="skulls-0", name="Jörg Ødegård")
        tracker.commands.play(campaign, [CommandWithDice(command=renamed)], key="rename")
        assert tracker.audit.verify(campaign).ok
    with club.opened(url) as tracker, reading(tracker.engine) as connection:
        row = queries.fighter(connection, campaign, "skulls-0")
        assert row is not None
        assert row["name"] == "Jörg Ødegård"


def test_a_character_that_the_database_lacks_is_refused_and_nothing_is_written(
    encoded: Callable[[str], str],
) -> None:
    with club.opened(encoded("LATIN1")) as tracker:
        campaign = club.begin(tracker)
        before = tracker.repository.store.head(campaign)
        renamed = records.RenameFighter(fighter="skulls-0", name="Ж")
        with pytest.raises(refusals.EncodingLacks, match="ENCODING 'UTF8'"):
            tracker.commands.play(campaign, [CommandWithDice(command=renamed)], key="rename")
        assert tracker.repository.store.head(campaign) == before
        assert tracker.audit.verify(campaign).ok


def test_text_that_is_no_utf8_in_a_database_that_does_not_look_is_damage(
    encoded: Callable[[str], str],
) -> None:
    with club.opened(encoded("SQL_ASCII")) as tracker:
        club.begin(tracker)
        with writing(tracker.engine) as connection:
            connection.exec_driver_sql("UPDATE board_campaigns SET name = convert_from('\\xff', 'SQL_ASCII')")
        with pytest.raises(refusals.DatabaseCorrupt, match="not UTF-8"):
            tracker.directory.campaigns()


# --- a pooler ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_pooler_that_gives_every_transaction_another_session_is_worked_through(
    postgres_database: str,
) -> None:
    straight = make_url(postgres_database)
    folder = straight.query["host"]
    with pooled(f"{folder}/.s.PGSQL.5432") as port:
        through = f"postgresql://postgres@127.0.0.1:{port}/{straight.database}?sslmode=disable"
        upgrade(through)
        with club.opened(through) as tracker:
            campaign, dice = club.begin(tracker), random.Random(4)
            seen = set()
            for at in range(15):
                club.something(tracker, campaign, dice, key=f"{at}")
                for _ in range(2):  # two transactions, which are two sessions, however many came before
                    with reading(tracker.engine) as connection:
                        seen.add(connection.exec_driver_sql("SELECT pg_backend_pid()").scalar())
            assert len(seen) > 1
            tracker.audit.rebuild_boards(campaign)
            assert tracker.audit.verify(campaign).ok
