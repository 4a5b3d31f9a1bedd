"""Guards: the triggers by which a database itself refuses that an event is changed or taken out.

Knows what each of them must say. Making them is for the migrations.
"""

from sqlalchemy import Connection, Engine

from tracker import schema
from tracker.log.database import reading


def guards_wrong(engine: Engine) -> tuple[str, ...]:
    """The names of guards that are missing, changed, switched off or not ours. Empty when all is well."""
    with reading(engine) as connection:
        found, expected = (
            _sqlite_guards(connection) if engine.dialect.name == "sqlite" else _postgres_guards(connection)
        )
    return tuple(sorted(name for name in found | expected if found.get(name) != expected.get(name)))


def _sqlite_guards(connection: Connection) -> tuple[dict[str, str], dict[str, str]]:
    rows = connection.exec_driver_sql(
        "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'"
    )
    return {str(row.name): str(row.sql) for row in rows}, schema.SQLITE_GUARDS


def _postgres_guards(connection: Connection) -> tuple[dict[str, str], dict[str, str]]:
    triggers = connection.exec_driver_sql(
        "SELECT tgname || ' on ' || tgrelid::regclass, tgenabled::text || ' ' || pg_get_triggerdef(oid, true)"
        " FROM pg_trigger WHERE NOT tgisinternal AND (tgrelid = to_regclass('events')"
        " OR tgrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass('events')))"
    )
    functions = connection.exec_driver_sql(
        "SELECT DISTINCT p.proname || '()', p.prosrc FROM pg_trigger t JOIN pg_proc p ON p.oid = t.tgfoid"
        " WHERE NOT t.tgisinternal AND (t.tgrelid = to_regclass('events')"
        " OR t.tgrelid IN (SELECT inhrelid FROM pg_inherits WHERE inhparent = to_regclass('events')))"
    )
    found = {name: wording for rows in (triggers, functions) for name, wording in rows}
    # 'A': fires always, also for a replication role.
    expected = {name: f"A {wording}" for name, wording in schema.POSTGRES_GUARD_TRIGGERS.items()}
    expected |= {f"{name}()": wording for name, wording in schema.POSTGRES_GUARD_FUNCTIONS.items()}
    return found, expected
