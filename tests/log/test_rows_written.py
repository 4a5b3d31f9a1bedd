"""Every row of an append is counted and read back: what a trigger or a rule takes away is not acknowledged."""

import pytest
from log_events import ASH_WASTES, write_entry
from sqlalchemy import Engine

from tracker.log.database import open_database, writing
from tracker.log.prepared_statements import insertion
from tracker.log.refusals import RowsNotWritten, RowsRefused
from tracker.log.store import EventStore
from tracker.schema import commands

# What a stranger puts on a table, for each engine; `{}` is the table.
SWALLOWED = {
    "sqlite": {
        "insert": ["CREATE TRIGGER stranger BEFORE INSERT ON {} BEGIN SELECT RAISE(IGNORE); END"],
        "update": ["CREATE TRIGGER stranger BEFORE UPDATE ON {} BEGIN SELECT RAISE(IGNORE); END"],
        "put back": [
            (
                "CREATE TRIGGER stranger AFTER UPDATE ON {0} BEGIN"
                " UPDATE {0} SET entries = OLD.entries WHERE campaign_id = NEW.campaign_id; END"
            )
        ],
        "taken back": [
            (
                "CREATE TRIGGER stranger AFTER INSERT ON {0} BEGIN"
                " DELETE FROM {0} WHERE campaign_id = NEW.campaign_id; END"
            )
        ],
    },
    "postgresql": {
        "insert": ["CREATE RULE stranger AS ON INSERT TO {} DO INSTEAD NOTHING"],
        "update": ["CREATE RULE stranger AS ON UPDATE TO {} DO INSTEAD NOTHING"],
        "put back": [
            (
                "CREATE FUNCTION stranger() RETURNS trigger LANGUAGE plpgsql AS"
                " 'BEGIN NEW.entries := OLD.entries; RETURN NEW; END'"
            ),
            "CREATE TRIGGER stranger BEFORE UPDATE ON {} FOR EACH ROW EXECUTE FUNCTION stranger()",
        ],
        "altered": [
            (
                "CREATE FUNCTION stranger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN"
                ' NEW := jsonb_populate_record(NEW, \'\'{{"type": "x", "digest": "x"}}\'\'); RETURN NEW; END\''
            ),
            "CREATE TRIGGER stranger BEFORE INSERT ON {} FOR EACH ROW EXECUTE FUNCTION stranger()",
        ],
        "null": [
            "CREATE FUNCTION stranger() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
            "CREATE TRIGGER stranger BEFORE INSERT ON {} FOR EACH ROW EXECUTE FUNCTION stranger()",
        ],
        "elsewhere": [
            "CREATE TABLE elsewhere (LIKE {})",
            "CREATE RULE stranger AS ON INSERT TO {} DO INSTEAD INSERT INTO elsewhere SELECT NEW.*",
        ],
        "taken back": [
            (
                "CREATE FUNCTION stranger() RETURNS trigger LANGUAGE plpgsql AS"
                " 'BEGIN DELETE FROM {0} WHERE campaign_id = NEW.campaign_id; RETURN NULL; END'"
            ),
            "CREATE TRIGGER stranger AFTER INSERT ON {0} FOR EACH ROW EXECUTE FUNCTION stranger()",
        ],
    },
}


def lay(engine: Engine, table: str, how: str) -> None:
    with writing(engine) as connection:
        for statement in SWALLOWED[engine.dialect.name][how]:
            connection.exec_driver_sql(statement.format(table))


@pytest.mark.parametrize(
    ("table", "how"),
    [
        ("events", "insert"),
        ("heads", "update"),
        ("heads", "put back"),
        ("commands", "insert"),
        ("commands", "taken back"),
    ],
)
@pytest.mark.parametrize("first", [True, False], ids=["first", "later"])
def test_rows_that_did_not_arrive_refuse_the_append(
    table: str, how: str, first: bool, engine: Engine, store: EventStore
) -> None:
    if not first:
        write_entry(store)
    before = list(store.read(ASH_WASTES)), store.head(ASH_WASTES)
    lay(engine, table, how)
    with pytest.raises((RowsNotWritten, RowsRefused)) as refused:
        write_entry(store)
    assert refused.value.exit_code == 4
    assert getattr(refused.value, "table", table) == table
    assert (list(store.read(ASH_WASTES)), store.head(ASH_WASTES)) == before


@pytest.mark.parametrize("many", [1, 2])
def test_a_statement_counts_what_arrived_where_nobody_reads_it_back(many: int, engine: Engine) -> None:
    lay(engine, "commands", "insert")
    rows = [(ASH_WASTES, f"key {number}", "digest", 1, 1, 1, 1) for number in range(many)]
    with pytest.raises(RowsNotWritten) as refused, writing(engine) as connection:
        insertion(commands).write(connection, rows)
    assert (refused.value.table, refused.value.wanted, refused.value.found) == ("commands", many, 0)


@pytest.mark.postgres
@pytest.mark.parametrize("table", ["events", "commands"])
@pytest.mark.parametrize("how", ["null", "elsewhere", "altered"])
def test_postgres_knows_more_ways_to_lose_a_row(table: str, how: str, postgres_at_head: str) -> None:
    engine = open_database(postgres_at_head, migrate=False)
    store = EventStore(engine)
    write_entry(store)
    lay(engine, table, how)
    with pytest.raises((RowsNotWritten, RowsRefused)):
        write_entry(store)
    assert store.head(ASH_WASTES).size == 3
    engine.dispose()
