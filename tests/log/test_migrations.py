"""Migrations: what they build is what `schema.py` says, with every guard in place, on both engines."""

import migrated_once
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from log_events import ASH_WASTES, UNDERHIVE, as_intruder, write_entry
from sqlalchemy import Connection, Engine, create_engine, inspect, text
from sqlalchemy.exc import DBAPIError

from tracker import schema
from tracker.drafts import storage
from tracker.log import database, revisions
from tracker.log.database import open_database, reading, writing
from tracker.log.integrity_check import integrity_faults
from tracker.log.schema_check import schema_faults
from tracker.log.store import EventStore


@pytest.fixture(autouse=True)
def by_alembic(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each database of these tests is migrated by Alembic itself."""
    monkeypatch.setattr(database, "_upgrade", migrated_once.by_alembic)


def test_the_constant_is_alembics_head() -> None:
    config = Config()
    config.set_main_option("script_location", str(database.migrations_folder()))
    assert ScriptDirectory.from_config(config).get_heads() == [schema.HEAD_REVISION]
    assert schema.HEAD_REVISION in database.known_revisions()


def test_a_migrated_database_is_the_schema(engine: Engine) -> None:
    with reading(engine) as connection:
        # The parts of a table are none of the metadata's own, and `alembic` would drop them.
        ours = {"compare_type": True, "include_name": lambda name, *_: name not in schema.POSTGRES_PARTS}
        context = MigrationContext.configure(connection, opts=ours)
        assert compare_metadata(context, schema.metadata) == []


def test_the_schema_can_be_made_from_the_metadata_alone_and_is_the_same(sqlite_url: str) -> None:
    migrated = open_database(sqlite_url, migrate=True)
    made = create_engine("sqlite://")
    with made.begin() as connection:
        schema.metadata.create_all(connection)
        expected = table_wording(connection)
    with reading(migrated) as connection:
        assert table_wording(connection) == expected
    assert len(expected) == len(schema.metadata.tables)
    migrated.dispose()
    made.dispose()


def table_wording(connection: Connection) -> dict[str, str]:
    """Each table's columns and constraints, in SQLite's own words, whatever the spacing and their order."""
    rows = connection.exec_driver_sql(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name <> 'alembic_version'"
    )
    return {row.name: " ".join(sorted(row.sql.replace(",", " ").split())) for row in rows}


def test_check_constraints_are_there_on_both_engines(engine: Engine) -> None:
    assert {check["name"] for check in inspect(engine).get_check_constraints("events")} == {
        "events_numbers",
        "events_leaf",
    }


def test_every_sqlite_table_is_strict_and_the_log_adds_to_its_end(sqlite_url: str) -> None:
    engine = open_database(sqlite_url, migrate=True)
    with reading(engine) as connection:
        rows = connection.exec_driver_sql(
            "SELECT name, strict, wr FROM pragma_table_list WHERE schema = 'main'"
            " AND name NOT LIKE 'sqlite_%' AND name <> 'alembic_version'"
        )
        assert {tuple(row) for row in rows} == {
            (name, 1, int(name in ("signed_notes", "board_entries"))) for name in schema.metadata.tables
        }
    engine.dispose()


def test_the_guards_are_there_after_the_upgrade(engine: Engine) -> None:
    assert schema_faults(engine) == ()


@pytest.mark.parametrize(
    ("sqlite", "postgres", "text"),
    [
        (
            ["DROP TRIGGER events_no_delete"],
            ["ALTER TABLE events DISABLE TRIGGER events_no_truncate"],
            {"sqlite": "trigger events_no_delete", "postgresql": "trigger events_no_truncate"},
        ),
        (
            ["CREATE TRIGGER loophole BEFORE INSERT ON events BEGIN SELECT RAISE(IGNORE); END"],
            [
                "CREATE TRIGGER loophole BEFORE INSERT ON events FOR EACH ROW EXECUTE FUNCTION events_refuse_gap()"
            ],
            {"sqlite": "trigger loophole", "postgresql": "trigger loophole"},
        ),
        (
            [
                "DROP TRIGGER events_no_update",
                "CREATE TRIGGER events_no_update BEFORE UPDATE ON events WHEN 0 BEGIN SELECT 1; END",
            ],
            [
                "CREATE OR REPLACE FUNCTION events_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$"
            ],
            {"sqlite": "trigger events_no_update", "postgresql": "function events_refuse_change()"},
        ),
    ],
    ids=["gone or off", "one more", "same name"],
)
def test_a_guard_that_is_not_the_guard_is_named(
    sqlite: list[str], postgres: list[str], text: dict[str, str], engine: Engine
) -> None:
    with writing(engine) as connection:
        for statement in sqlite if engine.dialect.name == "sqlite" else postgres:
            connection.exec_driver_sql(statement)
    # What is made on the whole log of PostgreSQL stands on its parts too.
    named = f"{text[engine.dialect.name]} on events"
    wrong = schema_faults(engine)
    assert all(line.startswith(named) for line in wrong)
    assert any(line.startswith(f"{named}: ") for line in wrong)


@pytest.mark.parametrize("statement", ["TRUNCATE {}", "DELETE FROM {}", "UPDATE {} SET entry = 7"])
def test_no_part_of_the_log_is_changed_by_its_own_name(statement: str, postgres_at_head: str) -> None:
    engine = open_database(postgres_at_head, migrate=False)
    write_entry(EventStore(engine))
    with reading(engine) as connection:
        (part,) = connection.execute(text("SELECT DISTINCT tableoid::regclass::text FROM events")).scalars()
    assert part in schema.POSTGRES_PARTS
    with pytest.raises(DBAPIError, match="never changed or removed"), writing(engine) as connection:
        connection.execute(text(statement.format(part)))
    engine.dispose()


@pytest.mark.parametrize("revision", ["0002", "0008"])
def test_a_log_of_any_release_is_laid_out_anew_and_every_byte_stays(
    revision: str, sqlite_url: str, postgres_database: str
) -> None:
    for url in (sqlite_url, postgres_database):
        engine = database.engine_for(url, make=True)
        with writing(engine) as connection:
            command.upgrade(database._alembic_config(connection), revision)
        store = EventStore(engine)
        for campaign in (ASH_WASTES, UNDERHIVE):
            for slots in (None, None, [3, 1, 1], None):
                write_entry(store, campaign, slots=slots)
        with reading(engine) as connection:
            before = connection.execute(text("SELECT * FROM events ORDER BY campaign_id, seq")).all()
        database.upgrade(url)
        with reading(engine) as connection:
            assert connection.execute(text("SELECT * FROM events ORDER BY campaign_id, seq")).all() == before
        assert len(before) == 24
        assert schema_faults(engine) == ()
        assert integrity_faults(engine) == {}
        for campaign in (ASH_WASTES, UNDERHIVE):
            assert store.verify(campaign).ok
            assert [event.seq for event in store.read_slots(campaign)] == [
                0,
                1,
                2,
                7,
                8,
                3,
                4,
                5,
                6,
                9,
                10,
                11,
            ]
            write_entry(store, campaign)
        engine.dispose()


OPEN_DRAFTS = {
    "d-1": ("# taken out: 1, 3\nbattle: b1\nentries:\n  - stand: {fighter: krug}\n", (1, 3)),
    "d-2": ("battle: b1\nentries:\n  - stand: {fighter: krug}\n", ()),
    "d-3": ("", ()),
    "d-4": ("# taken out: of the box, by Hob\nbattle: b1\n", ()),
}
"""Texts as they were kept, and the entries that each says are gone. The last is somebody's own comment."""


def test_which_entries_were_taken_out_of_an_open_draft_is_known_after_the_upgrade(
    sqlite_url: str, postgres_database: str
) -> None:
    for url in (sqlite_url, postgres_database):
        engine = database.engine_for(url, make=True)
        with writing(engine) as connection:
            command.upgrade(database._alembic_config(connection), "0014")
            for draft, (kept, _) in OPEN_DRAFTS.items():
                row = {"campaign_id": "c", "draft": draft, "kind": "battle", "seed": "s", "text": kept,
                       "lines": '["shoot krug"]', "said": "[]", "decided": "", "revision": 7,
                       **dict.fromkeys(("made_by", "changed_by"), "mara"),
                       **dict.fromkeys(("made_at", "changed_at"), "2026-11-28T12:00:00Z")}  # fmt: skip
                values = ", ".join(f":{name}" for name in row)
                connection.execute(
                    text(f"INSERT INTO campaign_drafts ({', '.join(row)}) VALUES ({values})"), row
                )
        database.upgrade(url)
        with reading(engine) as connection:
            now = {draft.draft: draft for draft in storage.drafts(connection, "c")}
        assert {name: draft.taken_out for name, draft in now.items()} == {
            name: gone for name, (_, gone) in OPEN_DRAFTS.items()
        }
        assert now["d-1"].text == OPEN_DRAFTS["d-2"][0]
        for name in ("d-2", "d-3", "d-4"):
            assert now[name].text == OPEN_DRAFTS[name][0]
        assert {(draft.lines, draft.revision) for draft in now.values()} == {(("shoot krug",), 7)}
        engine.dispose()


def test_a_file_whose_guards_were_taken_away_has_them_again(sqlite_url: str) -> None:
    engine = database.engine_for(sqlite_url, make=True)
    with writing(engine) as connection:
        command.upgrade(database._alembic_config(connection), "0008")
    write_entry(EventStore(engine))
    as_intruder(
        engine, "DROP INDEX events_slot", "CREATE VIEW stranger AS SELECT count(*) AS counted FROM events"
    )
    database.upgrade(sqlite_url)
    assert schema_faults(engine) == ("view stranger on events: is not ours",)
    with reading(engine) as connection:
        assert connection.execute(text("SELECT counted FROM stranger")).scalar() == 3
    engine.dispose()


def test_an_upgrade_that_breaks_off_leaves_nothing(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    upgrade = command.upgrade

    def break_off(config: Config, revision: str) -> None:
        upgrade(config, revision)
        raise RuntimeError("the power went")

    monkeypatch.setattr(command, "upgrade", break_off)
    with pytest.raises(RuntimeError):
        open_database(sqlite_url, migrate=True)
    monkeypatch.setattr(command, "upgrade", upgrade)
    assert database.current(sqlite_url)[0] is None
    engine = open_database(sqlite_url, migrate=True)
    write_entry(EventStore(engine))
    assert schema_faults(engine) == ()
    engine.dispose()


def test_a_log_is_never_migrated_away(engine: Engine) -> None:
    with pytest.raises(NotImplementedError, match="never taken back"), writing(engine) as connection:
        command.downgrade(database._alembic_config(connection), "base")
    with reading(engine) as connection:
        assert connection.execute(text("SELECT count(*) FROM events")).scalar() == 0


def test_every_revision_is_known_by_the_tables_that_it_left(sqlite_url: str, postgres_database: str) -> None:
    for url in (sqlite_url, postgres_database):
        engine = database.engine_for(url, make=True)
        for revision in reversed(database.known_revisions()):
            with writing(engine) as connection:
                command.upgrade(database._alembic_config(connection), revision)
            with reading(engine) as connection:
                # What brings only a function to PostgreSQL brings nothing to SQLite: there it has been brought.
                standing = "0013" if (url, revision) == (sqlite_url, "0012") else revision
                assert (
                    revisions.recorded_revision(connection),
                    revisions.revision_of_tables(connection),
                ) == (
                    revision,
                    standing,
                )
                assert revisions.lost_revision(connection, revision) is None
        engine.dispose()


SIGNED = "VALUES ('ash', 'checkpoint', 'arbitrator/ash', 7, '', 'a head', :frontier)"


def test_what_was_signed_is_never_changed_removed_or_written_over(engine: Engine) -> None:
    with writing(engine) as connection:
        connection.execute(text(f"INSERT INTO signed_notes {SIGNED}"), {"frontier": b""})
    again = "INSERT OR REPLACE INTO" if engine.dialect.name == "sqlite" else "INSERT INTO"
    for statement in (
        "UPDATE signed_notes SET note = 'another'",
        "DELETE FROM signed_notes",
        f"{again} signed_notes {SIGNED.replace('a head', 'another')}",
        *(["TRUNCATE signed_notes"] if engine.dialect.name == "postgresql" else []),
    ):
        with (
            pytest.raises(DBAPIError, match=r"signed notes are never|signed_notes_pkey"),
            writing(engine) as connection,
        ):
            connection.execute(text(statement), {"frontier": b""} if ":frontier" in statement else {})
    with reading(engine) as connection:
        assert connection.execute(text("SELECT note FROM signed_notes")).scalars().all() == ["a head"]
