"""Storage: whether a database finds its own pages and indexes whole, and indexes made anew where it does not.

Knows what each engine can say of itself. Knows nothing of what the rows mean.
"""

from collections.abc import Iterator

from sqlalchemy import Connection, Engine, func, select, table, text
from sqlalchemy.exc import IntegrityError

from tracker import schema
from tracker.log.database import reading, writing
from tracker.log.driver_errors import shown
from tracker.log.parts import our_tables
from tracker.log.refusals import DatabaseCorrupt, RoleMayNot

FINDINGS_MOST = 5
"""So many findings are told of one table."""


def storage_wrong(engine: Engine) -> dict[str, tuple[str, ...]]:
    """What is wrong with the pages and indexes of each table of ours; a table that is whole is left out.

    One table at a time, so that a writer gets by between two: while SQLite reads one, nobody saves.
    """
    look = _postgres_findings if _is_postgres(engine) else _sqlite_findings
    found = {name: tuple(look(engine, name)) for name in _tables_that_keep_rows(engine)}
    return {name: findings for name, findings in found.items() if findings}


def reindex(engine: Engine) -> tuple[str, ...]:
    """Make the indexes of every table anew that has one that does not hold; gives those tables.

    Raises DatabaseCorrupt where that does not help, RoleMayNot where the role does not own the table.
    """
    wrong = tuple(storage_wrong(engine))
    for name in wrong:
        with writing(engine) as connection:
            _drop_doubles(connection, name)
            try:
                connection.exec_driver_sql(f"REINDEX {'TABLE ' if _is_postgres(engine) else ''}{name}")
            except IntegrityError as error:
                why = f"{name} holds two rows of one key: {str(error.orig).partition(chr(10))[0]}"
                raise DatabaseCorrupt(shown(engine.url), why) from error
    if wrong and (still := storage_wrong(engine)):
        name, findings = next(iter(still.items()))
        raise DatabaseCorrupt(shown(engine.url), f"{name}: {findings[0]}")
    return wrong


def _is_postgres(engine: Engine) -> bool:
    return engine.dialect.name == "postgresql"


def _tables_that_keep_rows(engine: Engine) -> tuple[str, ...]:
    if not _is_postgres(engine):
        return tuple(our_tables())
    return (*schema.POSTGRES_PARTS, *(name for name in our_tables() if name != schema.events.name))


def _drop_doubles(connection: Connection, name: str) -> None:
    """Of a cache's rows of one key the newest stays: while its index had holes, nothing refused it."""
    if connection.dialect.name != "sqlite" or not (name.startswith("board_") or name == "snapshots"):
        return
    described = schema.metadata.tables[name]
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
    # `quick_check` is quicker because it holds no index against its table.
    with reading(engine) as connection:
        lines = [
            str(line) for line in connection.exec_driver_sql(f"PRAGMA integrity_check({name})").scalars()
        ]
    found = [line for line in lines if line != "ok"]
    yield from found[:FINDINGS_MOST]
    if len(found) > FINDINGS_MOST:
        yield f"and {len(found) - FINDINGS_MOST} more"


# --- PostgreSQL --------------------------------------------------------------------------------------------

_INDEXES = text(
    "SELECT indexrelid, relname, pg_get_indexdef(indexrelid, 0, true) FROM pg_index"
    " JOIN pg_class ON pg_class.oid = indexrelid"
    " WHERE indrelid = to_regclass(:named) AND indisvalid ORDER BY relname"
)
_AMCHECK = (
    "SELECT n.nspname FROM pg_extension JOIN pg_namespace n ON n.oid = extnamespace WHERE extname = 'amcheck'"
)


def _postgres_findings(engine: Engine, name: str) -> Iterator[str]:
    """By `amcheck` where it is installed and may be asked; else by counting, along each index and without."""
    with reading(engine) as connection:
        place = connection.exec_driver_sql(_AMCHECK).scalar()
        indexes = [tuple(row) for row in connection.execute(_INDEXES, {"named": name})]
    for oid, index, wording in indexes:
        finding = None
        try:
            if place is not None:
                finding = _checked(engine, f'SELECT "{place}".bt_index_check({oid}::regclass, true)')
        except RoleMayNot:
            place = None
        if place is None:
            finding = _counted(engine, name, wording)
        if finding is not None:
            yield f"index {index}: {finding}"


def _checked(engine: Engine, question: str) -> str | None:
    try:
        with reading(engine) as connection:
            connection.exec_driver_sql(question)
    except DatabaseCorrupt as damage:
        return damage.reason
    return None


def _counted(engine: Engine, name: str, wording: str) -> str | None:
    columns = wording.partition(" USING btree ")[2].strip("()")
    along = select(text("1")).select_from(table(name)).order_by(text(columns)).offset(0).subquery()
    with reading(engine) as connection:
        # Both counts of one moment, whoever writes meanwhile.
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        _walk(connection, "seqscan")
        rows = connection.execute(select(func.count()).select_from(table(name))).scalar()
        _walk(connection, "indexscan", "indexonlyscan")
        found = connection.execute(select(func.count()).select_from(along)).scalar()
    return None if found == rows else f"it leads to {found} of {rows} rows"


def _walk(connection: Connection, *ways: str) -> None:
    """Let the planner read rows in these ways only."""
    every = ("seqscan", "indexscan", "indexonlyscan", "bitmapscan", "sort", "incremental_sort")
    for way in every:
        connection.exec_driver_sql(f"SET LOCAL enable_{way} = {'on' if way in ways else 'off'}")
