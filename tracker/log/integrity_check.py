"""Storage integrity: asks each engine to check its own pages and indexes, and rebuilds damaged indexes.

Does not know what the rows mean.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Engine, func, select, table, text
from sqlalchemy.exc import IntegrityError

from tracker import schema
from tracker.log.database import reading, writing
from tracker.log.driver_errors import display_address
from tracker.log.refusals import DatabaseCorrupt, RoleMayNot
from tracker.log.schema_parts import our_tables

FINDINGS_MOST = 5
"""The most findings that are reported for one table."""


def integrity_faults(engine: Engine) -> dict[str, tuple[str, ...]]:
    """The faults in the pages and indexes of each table of ours; whole tables are left out.

    Checks one table at a time, so that a writer can commit between two.
    """
    look = _postgres_findings if _is_postgres(engine) else _sqlite_findings
    wrong = {name: tuple(look(engine, name)) for name in _tables_that_keep_rows(engine)}
    return {name: findings for name, findings in wrong.items() if findings}


def reindex(engine: Engine) -> tuple[str, ...]:
    """Rebuild the indexes of every table that has a damaged one; returns those tables.

    Raises DatabaseCorrupt if that does not help and RoleMayNot if the role does not own the table.
    """
    wrong = tuple(integrity_faults(engine))
    for name in wrong:
        with writing(engine) as connection:
            _drop_doubles(connection, name)
            try:
                connection.exec_driver_sql(f"REINDEX {'TABLE ' if _is_postgres(engine) else ''}{name}")
            except IntegrityError as error:
                why = f"{name} holds two rows of one key: {str(error.orig).partition(chr(10))[0]}"
                raise DatabaseCorrupt(display_address(engine.url), why) from error
    if wrong and (still := integrity_faults(engine)):
        name, findings = next(iter(still.items()))
        raise DatabaseCorrupt(display_address(engine.url), f"{name}: {findings[0]}")
    return wrong


def _is_postgres(engine: Engine) -> bool:
    return engine.dialect.name == "postgresql"


def _tables_that_keep_rows(engine: Engine) -> tuple[str, ...]:
    if not _is_postgres(engine):
        return tuple(our_tables())
    return (*schema.POSTGRES_PARTS, *(name for name in our_tables() if name != schema.events.name))


def _drop_doubles(connection: Connection, name: str) -> None:
    """Keep only the newest of a cache's rows with one key: a damaged index let doubles in."""
    if connection.dialect.name != "sqlite" or not name.startswith(("board_", "snapshots", "segments")):
        return
    described = schema.metadata.tables[name]
    if described.dialect_options["sqlite"]["with_rowid"] is False:
        return  # the table is the index of its own key
    keys = [[column.name for column in described.primary_key]]
    keys += [[column.name for column in index.columns] for index in described.indexes if index.unique]
    for key in keys:
        columns = ", ".join(f'"{column}"' for column in key)
        connection.exec_driver_sql(
            f"DELETE FROM {name} NOT INDEXED WHERE rowid NOT IN"  # noqa: S608  # names of our own
            f" (SELECT max(rowid) FROM {name} NOT INDEXED GROUP BY {columns})"
        )


# --- SQLite ------------------------------------------------------------------------------------------------


def _sqlite_findings(engine: Engine, name: str) -> Iterator[str]:
    # Not `quick_check`, which does not compare indexes with their tables.
    with reading(engine) as connection:
        file: Any = connection.connection.driver_connection  # SQLAlchemy takes longer than the check
        lines = [str(line) for (line,) in file.execute(f"PRAGMA integrity_check({name})")]
    findings = [line for line in lines if line != "ok"]
    yield from findings[:FINDINGS_MOST]
    if len(findings) > FINDINGS_MOST:
        yield f"and {len(findings) - FINDINGS_MOST} more"


# --- PostgreSQL --------------------------------------------------------------------------------------------

_INDEXES = text(
    "SELECT indexrelid::bigint, relname, pg_get_indexdef(indexrelid, 0, true) FROM pg_index"
    " JOIN pg_class ON pg_class.oid = indexrelid"
    " WHERE indrelid = to_regclass(:named) AND indisvalid ORDER BY relname"
)
_AMCHECK = (
    "SELECT n.nspname FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'amcheck'"
)


def _postgres_findings(engine: Engine, name: str) -> Iterator[str]:
    """Use `amcheck` if it is installed and allowed; else compare row counts with and without each index."""
    with reading(engine) as connection:
        place = connection.exec_driver_sql(_AMCHECK).scalar()
        indexes = connection.execute(_INDEXES, {"named": name}).all()
    if place is not None:
        with suppress(RoleMayNot):
            if _checked(engine, place, [oid for oid, *_ in indexes]) is not None:
                for oid, index, _ in indexes:
                    if (finding := _checked(engine, place, [oid])) is not None:
                        yield f"index {index}: {finding}"
            return
    yield from _counted(engine, name, {index: wording for _, index, wording in indexes})


def _checked(engine: Engine, place: str, indexes: Sequence[int]) -> str | None:
    check = f'"{place}".bt_index_check(index::regclass, true)'
    each = f"unnest(ARRAY[{', '.join(map(str, indexes))}]::oid[]) AS index"
    try:
        with reading(engine) as connection:
            connection.exec_driver_sql(f"SELECT {check} FROM {each}")  # noqa: S608  # numbers of its own
    except DatabaseCorrupt as damage:
        return damage.reason
    return None


def _counted(engine: Engine, name: str, indexes: Mapping[str, str]) -> Iterator[str]:
    # The definition of an index in PostgreSQL: its columns after USING, and the WHERE of a partial one.
    parts = {
        index: wording.partition(" USING btree ")[2].partition(" WHERE ")
        for index, wording in indexes.items()
    }
    rows, along = dict[str, int](), dict[str, int]()
    with reading(engine) as connection:
        # One snapshot for all counts, whoever writes meanwhile.
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        _walk(connection, "seqscan")
        for *_, held in parts.values():
            counted = select(func.count()).select_from(table(name)).where(text(held or "true"))
            rows[held] = connection.execute(counted).scalar_one()
        _walk(connection, "indexscan", "indexonlyscan")
        for index, (columns, _, held) in parts.items():
            ordered = select(text("1")).select_from(table(name)).where(text(held or "true"))
            ordered = ordered.order_by(text(columns.strip("()"))).offset(0)
            counted = select(func.count()).select_from(ordered.subquery())
            along[index] = connection.execute(counted).scalar_one()
    for index, count in along.items():
        if count != rows[parts[index][2]]:
            yield f"index {index}: it leads to {count} of {rows[parts[index][2]]} rows"


def _walk(connection: Connection, *ways: str) -> None:
    """Allow the planner only these scans."""
    every = ("seqscan", "indexscan", "indexonlyscan", "bitmapscan", "sort", "incremental_sort")
    settings = (f"set_config('enable_{way}', '{'on' if way in ways else 'off'}', true)" for way in every)
    connection.exec_driver_sql(f"SELECT {', '.join(settings)}")
