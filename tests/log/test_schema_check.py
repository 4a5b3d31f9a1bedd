"""What stands on our tables and is not as the migrations made it is named, on each engine; what is not on them is not."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine
from tables import every

from tracker import schema
from tracker.log import append_function
from tracker.log.backup import backup
from tracker.log.database import open_database, writing
from tracker.log.schema_check import schema_faults
from tracker.log.schema_parts import our_tables

SQLITE: list[tuple[str, list[str], set[str]]] = [
    ("name in capitals", ["CREATE TRIGGER stranger BEFORE INSERT ON EVENTS BEGIN SELECT RAISE(IGNORE); END"], {"trigger stranger on events: is not ours"}),
    ("view", ["CREATE VIEW stranger AS SELECT size FROM heads"], {"view stranger on heads: is not ours"}),
    ("index gone", ["DROP INDEX events_refilled"], {"index events_refilled on events: is missing"}),
    ("index more", ["CREATE UNIQUE INDEX stranger ON heads (size)"], {"index stranger on heads: is not ours"}),
    ("index of another shape", ["DROP INDEX events_refilled", "CREATE INDEX events_refilled ON events (campaign_id, slot, seq) WHERE entry <> 40"], {"index events_refilled on events: is changed"}),
    ("column more", ["ALTER TABLE heads ADD COLUMN stranger TEXT"], {"table heads: is changed"}),
    ("table made anew", ["DROP TABLE board_battles", "CREATE TABLE board_battles (campaign_id, battle_id, number, slot, row)"], {"table board_battles: is changed", "index board_battles_slot on board_battles: is missing", "index sqlite_autoindex_board_battles_1 on board_battles: is missing"}),
    ("table gone", ["DROP TABLE board_battles"], {"table board_battles: is missing", "index board_battles_slot on board_battles: is missing", "index sqlite_autoindex_board_battles_1 on board_battles: is missing"}),
    ("foreign key", ["CREATE TABLE stranger (campaign_id TEXT REFERENCES heads)"], {"foreign key of stranger on heads: is not ours"}),
    ("check gone", ["PRAGMA writable_schema = ON", "UPDATE sqlite_master SET sql = replace(sql, 'seq >= 0 AND', '') WHERE name = 'events'"], {"table events: is changed"}),
    ("none of our business", ["CREATE TABLE stranger (headstrong TEXT)", "CREATE INDEX strangers ON stranger (headstrong)", "CREATE TRIGGER strange AFTER INSERT ON stranger BEGIN SELECT 1; END", "CREATE VIEW strange_view AS SELECT headstrong FROM stranger", "ANALYZE"], set()),
]  # fmt: skip

NULL = "CREATE FUNCTION stranger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'"
CALL = f"function append_entry({len(append_function.ARGUMENTS)} arguments) on heads"
POSTGRES: list[tuple[str, list[str], set[str] | None]] = [
    ("view", ["CREATE VIEW stranger AS SELECT size FROM heads"], {"view stranger on heads: is not ours"}),
    ("view that keeps its rows", ["CREATE MATERIALIZED VIEW stranger AS SELECT size FROM heads"], {"view stranger on heads: is not ours"}),
    ("index gone", ["DROP INDEX board_entries_slot"], {"index btree (campaign_id, slot) WHERE slot <> entry on board_entries: is missing"}),
    ("index more", ["CREATE UNIQUE INDEX stranger ON heads (size)"], {"unique index btree (size) on heads: is not ours"}),
    ("index of another shape", ["CREATE INDEX stranger ON heads (size) WHERE size <> 40"], {"index btree (size) WHERE size <> 40 on heads: is not ours"}),
    ("index not in use", ["UPDATE pg_index SET indisready = false WHERE indexrelid = 'board_battles_slot'::regclass"], {"index btree (campaign_id, slot) on board_battles: is 'not in use', not 'in use'"}),
    ("column more", ["ALTER TABLE heads ADD COLUMN stranger text"], {"column stranger on heads: is not ours"}),
    ("column of another type", ["ALTER TABLE heads ALTER COLUMN size TYPE integer"], {"column size on heads: is 'integer NOT NULL', not 'bigint NOT NULL'"}),
    ("column that may be empty", ["ALTER TABLE heads ALTER COLUMN size DROP NOT NULL"], {"column size on heads: is 'bigint', not 'bigint NOT NULL'"}),
    ("column with a default", ["ALTER TABLE heads ALTER COLUMN size SET DEFAULT 7"], {"column size on heads: is 'bigint NOT NULL DEFAULT 7', not 'bigint NOT NULL'"}),
    ("key gone", ["ALTER TABLE commands DROP CONSTRAINT commands_pkey"], {"constraint commands_pkey on commands: is missing", "unique index btree (campaign_id, key) on commands: is missing"}),
    ("check more", ["ALTER TABLE heads ADD CONSTRAINT stranger CHECK (size < 9)"], {"constraint stranger on heads: is not ours"}),
    ("table gone", ["DROP TABLE board_disputes"], None),  # every line of it
    ("unlogged", ["ALTER TABLE heads SET UNLOGGED"], {"table heads: is 'unlogged table', not 'table'"}),
    ("row security", ["ALTER TABLE heads ENABLE ROW LEVEL SECURITY", "CREATE POLICY stranger ON heads USING (false)"], {"table heads: is 'table row security', not 'table'", "policy stranger on heads: is not ours"}),
    ("foreign key", ["CREATE TABLE stranger (campaign_id text REFERENCES heads)"], {"foreign key stranger_campaign_id_fkey of stranger on heads: is not ours"}),
    ("child", ["CREATE TABLE stranger () INHERITS (heads)"], None),
    ("part gone", ["ALTER TABLE events DETACH PARTITION events_p3"], None),
    ("function by another right", ["ALTER FUNCTION events_refuse_gap() SECURITY DEFINER"], {"function events_refuse_gap() on events: is changed"}),
    ("call gone", ["DROP FUNCTION append_entry"], {f"{CALL}: is missing"}),
    ("call by another right", ["ALTER FUNCTION append_entry SECURITY DEFINER"], {f"{CALL}: is changed"}),
    ("call of another's", ["CREATE FUNCTION append_entry(about text) RETURNS boolean RETURN true"], {"function append_entry(1 arguments) on heads: is not ours"}),
    ("none of our business", ["CREATE TABLE stranger (size text)", "CREATE VIEW strange_view AS SELECT size FROM stranger", NULL, "CREATE TRIGGER stranger BEFORE INSERT ON stranger FOR EACH ROW EXECUTE FUNCTION stranger()", "ANALYZE heads"], set()),
]  # fmt: skip


def lay(engine: Engine, statements: list[str]) -> None:
    with writing(engine) as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


@pytest.fixture
def sqlite(tmp_path: Path) -> Iterator[Engine]:
    engine = open_database(f"sqlite:///{tmp_path / 'log.db'}", migrate=True)
    yield engine
    engine.dispose()


@pytest.fixture
def postgres(postgres_at_head: str) -> Iterator[Engine]:
    engine = open_database(postgres_at_head, migrate=False)
    yield engine
    engine.dispose()


@pytest.mark.parametrize(
    ("statements", "text"), [case[1:] for case in SQLITE], ids=[case[0] for case in SQLITE]
)
def test_what_sqlite_describes_otherwise_is_named(
    statements: list[str], text: set[str], sqlite: Engine
) -> None:
    lay(sqlite, statements)
    sqlite.dispose()  # who opens it next reads its description anew
    assert set(schema_faults(sqlite)) == text


@every("table", our_tables())
@every("when", ["BEFORE INSERT", "AFTER UPDATE", "BEFORE DELETE"])
def test_a_strangers_trigger_on_any_table_of_sqlite_is_named(table: str, when: str, sqlite: Engine) -> None:
    lay(sqlite, [f"CREATE TRIGGER stranger {when} ON {table} BEGIN SELECT 1; END"])
    try:
        assert schema_faults(sqlite) == (f"trigger stranger on {table}: is not ours",)
    finally:
        lay(sqlite, ["DROP TRIGGER stranger"])


@pytest.mark.postgres
@pytest.mark.parametrize(
    ("statements", "text"), [case[1:] for case in POSTGRES], ids=[case[0] for case in POSTGRES]
)
def test_what_postgresql_describes_otherwise_is_named(
    statements: list[str], text: set[str] | None, postgres: Engine
) -> None:
    lay(postgres, statements)
    wrong = set(schema_faults(postgres))
    assert wrong == text if text is not None else wrong


@pytest.mark.postgres
def test_a_strangers_trigger_or_rule_on_any_table_of_postgresql_is_named(postgres: Engine) -> None:
    lay(postgres, [NULL])
    for table in (*our_tables(), *schema.POSTGRES_PARTS):
        lay(
            postgres,
            [
                f"CREATE RULE ruled AS ON INSERT TO {table} DO INSTEAD NOTHING",
                f"CREATE TRIGGER stranger AFTER UPDATE ON {table} EXECUTE FUNCTION stranger()",
            ],
        )
        assert set(schema_faults(postgres)) == {
            f"rule ruled on {table}: is not ours",
            f"trigger stranger on {table}: is not ours",
            "function stranger() on events: is not ours",
        }
        lay(postgres, [f"DROP RULE ruled ON {table}", f"DROP TRIGGER stranger ON {table}"])
    assert schema_faults(postgres) == ()


def test_a_backup_is_kept_though_a_stranger_reads_along(sqlite: Engine, tmp_path: Path) -> None:
    lay(sqlite, ["CREATE VIEW stranger AS SELECT size FROM heads"])
    assert backup(sqlite.url, tmp_path / "copy.db").size_bytes
