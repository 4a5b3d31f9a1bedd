"""Somebody else's triggers, rules and views on our tables: nothing acknowledged is lost, and they are named."""

from __future__ import annotations

import random
from contextlib import suppress
from pathlib import Path

import postgres_server
from sqlalchemy.exc import DBAPIError

from tracker import schema
from tracker.errors import LogDamaged
from tracker.log import database
from tracker.log.schema_check import schema_faults
from tracker.service.application import Tracker

from . import club
from .crashes import nothing_is_lost
from .runner import Run

STEPS = 6

ON_SQLITE = {
    "swallows what is inserted": [
        "CREATE TRIGGER stranger BEFORE INSERT ON {0} BEGIN SELECT RAISE(IGNORE); END"
    ],
    "swallows now and then": [
        "CREATE TRIGGER stranger BEFORE INSERT ON {0} WHEN random() % 3 = 0 BEGIN SELECT RAISE(IGNORE); END"
    ],
    "swallows what is changed": [
        "CREATE TRIGGER stranger BEFORE UPDATE ON {0} BEGIN SELECT RAISE(IGNORE); END"
    ],
    "swallows what is removed": [
        "CREATE TRIGGER stranger BEFORE DELETE ON {0} BEGIN SELECT RAISE(IGNORE); END"
    ],
    "takes back": [
        "CREATE TRIGGER stranger AFTER INSERT ON {0} BEGIN DELETE FROM {0} WHERE {1} = NEW.{1}; END"
    ],
    "alters": ["CREATE TRIGGER stranger AFTER INSERT ON {0} BEGIN UPDATE {0} SET {1} = {1} || 'x'; END"],
    "puts back": ["CREATE TRIGGER stranger AFTER UPDATE ON {0} BEGIN UPDATE {0} SET {1} = OLD.{1}; END"],
    "in capitals": ['CREATE TRIGGER stranger BEFORE INSERT ON "{2}" BEGIN SELECT RAISE(IGNORE); END'],
    "only reads": ["CREATE VIEW stranger AS SELECT * FROM {0}"],
    "only looks on": ["CREATE TRIGGER stranger AFTER INSERT ON {0} BEGIN SELECT 1; END"],
    "keeps an index": ["CREATE INDEX stranger ON {0} ({1})"],
}
NULL, BACK, OTHER = (
    f"CREATE FUNCTION stranger() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$"
    for body in (
        "RETURN NULL;",
        "DELETE FROM {0} WHERE {1} = NEW.{1}; RETURN NULL;",
        "NEW.{1} := NEW.{1} || 'x'; RETURN NEW;",
    )
)
TRIGGER = "CREATE TRIGGER stranger {} ON {{0}} FOR EACH ROW EXECUTE FUNCTION stranger()"
ON_POSTGRES = {
    "inserts nothing instead": ["CREATE RULE stranger AS ON INSERT TO {0} DO INSTEAD NOTHING"],
    "changes nothing instead": ["CREATE RULE stranger AS ON UPDATE TO {0} DO INSTEAD NOTHING"],
    "removes nothing instead": ["CREATE RULE stranger AS ON DELETE TO {0} DO INSTEAD NOTHING"],
    "inserts elsewhere instead": [
        "CREATE TABLE elsewhere (LIKE {0})",
        "CREATE RULE stranger AS ON INSERT TO {0} DO INSTEAD INSERT INTO elsewhere SELECT NEW.*",
    ],
    "swallows what is inserted": [NULL, TRIGGER.format("BEFORE INSERT")],
    "swallows what is changed": [NULL, TRIGGER.format("BEFORE UPDATE")],
    "swallows what is removed": [NULL, TRIGGER.format("BEFORE DELETE")],
    "takes back": [BACK, TRIGGER.format("AFTER INSERT")],
    "alters": [OTHER, TRIGGER.format("BEFORE INSERT")],
    "hides": ["ALTER TABLE {0} ENABLE ROW LEVEL SECURITY", "CREATE POLICY stranger ON {0} USING (false)"],
    "only reads": ["CREATE VIEW stranger AS SELECT * FROM {0}"],
    "only looks on": [NULL, TRIGGER.format("AFTER INSERT")],
    "keeps an index": ["CREATE INDEX stranger ON {0} ({1})"],
}
GONE = (
    "DROP VIEW IF EXISTS stranger",
    "DROP RULE IF EXISTS stranger ON {0}",
    "DROP TRIGGER IF EXISTS stranger ON {0}",
    "DROP POLICY IF EXISTS stranger ON {0}",
    "ALTER TABLE {0} DISABLE ROW LEVEL SECURITY",
    "DROP FUNCTION IF EXISTS stranger",
    "DROP TABLE IF EXISTS elsewhere",
    "DROP INDEX IF EXISTS stranger",
)


def sqlite(run: Run) -> None:
    """One of them on one table of a file."""
    for dice in run.each_round():
        with run.empty_folder() as folder:
            _round(run, club.sqlite(Path(folder) / "club.db"), ON_SQLITE, dice)


def postgres(run: Run) -> None:
    """One of them on one table of a server."""
    home = postgres_server.make_home()
    try:
        url = postgres_server.server_url(home)
        database.upgrade(url)
        for dice in run.each_round():
            _round(run, url, ON_POSTGRES, dice)
    finally:
        postgres_server.discard(home)


def _round(run: Run, url: str, strangers: dict[str, list[str]], dice: random.Random) -> None:
    with club.opened(url) as tracker:
        campaign = club.begin(tracker, f"club-{run.at}")
        acknowledged = _entries(run, tracker, campaign, dice, "before")
        table, what = dice.choice(sorted(schema.metadata.tables)), dice.choice(sorted(strangers))
        column = dice.choice(
            [column.name for column in schema.metadata.tables[table].columns if _is_text(column)]
        )
        _lay(
            tracker, *(statement.format(table, f'"{column}"', table.upper()) for statement in strangers[what])
        )
    with club.opened(url) as tracker:
        acknowledged += _entries(run, tracker, campaign, dice, "meanwhile")
        named = schema_faults(tracker.engine)
        assert any("stranger" in line or "row security" in line or "index btree" in line for line in named), (
            f"{what} on {table}: {named}"
        )
        with suppress(LogDamaged):
            assert not tracker.audit.verify(campaign).ok, f"{what} on {table}: nobody says so"
        _take_away(tracker, table)
    with club.opened(url) as tracker:
        tracker.audit.rebuild_boards(campaign)
        nothing_is_lost(tracker, campaign, acknowledged)
    run.count(what)
    run.count("acknowledged", by=len(acknowledged))


def _is_text(column: object) -> bool:
    return type(getattr(column, "type", None)).__name__ == "Text"


def _entries(run: Run, tracker: Tracker, campaign: str, dice: random.Random, name: str) -> list[str]:
    answers = []
    for number in range(STEPS):
        key = f"{name}-{number}"
        try:
            played = club.something(tracker, campaign, dice, key=key)
        except LogDamaged:
            run.count("refused")
            continue
        if played is not None:
            answers.append(f"{key} {played.entries[-1][0].entry}")
    return answers


def _lay(tracker: Tracker, *statements: str) -> None:
    with database.writing(tracker.engine) as connection:
        for statement in statements:
            connection.exec_driver_sql(statement)


def _take_away(tracker: Tracker, table: str) -> None:
    is_sqlite = tracker.engine.dialect.name == "sqlite"
    for statement in GONE:
        with suppress(DBAPIError):
            _lay(tracker, statement.removesuffix(" ON {0}") if is_sqlite else statement.format(table))
    assert schema_faults(tracker.engine) == ()
