"""Opening a database: engines, settings, transactions and migrations.

Knows SQLite and PostgreSQL. Knows no event, no board and no campaign. Alembic is imported only for a database
that is not at head: opening one at head costs a single SELECT.
"""

import sqlite3
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Engine, StaticPool, Transaction, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from tracker import schema
from tracker.errors import Refusal
from tracker.log import postgres, refusals, revisions, sqlite_files
from tracker.log.append_call import AppendCall, LockNeeded
from tracker.log.driver_errors import display_address, translated_errors
from tracker.log.interrupts import deferred_interrupt
from tracker.log.prepared_statements import Query, Values, buffering, prefetched

if TYPE_CHECKING:
    from alembic.config import Config

BUSY_MILLISECONDS = 10_000
"""How long a writer waits for another writer before DatabaseBusy, in milliseconds."""

SQLITE_SETTINGS = sqlite_files.SETTINGS

UPGRADE_LOCK = 0x41524254  # PostgreSQL advisory lock: one upgrade at a time

_WRITES = "arbitrator_writes"
_ONLY_READS = "arbitrator_only_reads"
_QUERIES = "arbitrator_asks"
_WRITE_CONNECTION = "arbitrator_kept_connection"
_ENDS_AT_ONCE = "arbitrator_asks_alone"
_SHARED: ContextVar[Connection | None] = ContextVar("shared", default=None)
_WRITER: ContextVar[Connection | None] = ContextVar("writer", default=None)


# --- opening ---------------------------------------------------------------------------------------------


def open_database(url: str | URL, *, migrate: bool, make: bool | None = None) -> Engine:
    """An engine on a database at head, or a refusal that says what to do.

    With `migrate`, an SQLite file is made or brought to head, by one process at a time. A PostgreSQL database
    never is: its owner runs `upgrade`. Without `migrate` nothing is made or changed. With `make=False` an
    existing file is brought to head, and none is made.
    """
    engine = engine_for(url, make=migrate if make is None else make)
    try:
        _bring_to_head(engine, migrate=migrate and engine.dialect.name == "sqlite")
    except BaseException:
        engine.dispose()
        raise
    return engine


def _bring_to_head(engine: Engine, *, migrate: bool) -> None:
    with reading(engine) as connection:
        revision = _revision(connection, engine.url)
        marked = not migrate or connection.exec_driver_sql("PRAGMA application_id").scalar()
    if revision != schema.HEAD_REVISION:
        if not migrate:
            raise _not_at_head(engine.url, revision)
        _upgrade(engine)
    if not marked:
        _mark_as_ours(engine)


def check_answers(engine: Engine) -> None:
    """Query the revision, to see that the database answers. Raises DatabaseBehind, DatabaseNewer,
    DatabaseUnreachable.
    """
    with reading(engine) as connection:
        revision = revisions.recorded_revision(connection)
    if revision != schema.HEAD_REVISION:
        raise _not_at_head(engine.url, revision)


def _mark_as_ours(engine: Engine) -> None:
    """Restore the application id of a file that was loaded from an SQL dump, which leaves it out."""
    with suppress(refusals.DatabaseReadOnly), writing(engine) as connection:
        connection.exec_driver_sql(f"PRAGMA application_id = {schema.SQLITE_APPLICATION_ID}")


def upgrade(url: str | URL) -> None:
    """Bring a database to head, making the SQLite file if there is none. Does nothing at head."""
    engine = engine_for(url, make=True)
    try:
        _upgrade(engine)
    finally:
        engine.dispose()


def current(url: str | URL) -> tuple[str | None, str]:
    """The revision of a database (None before the first) and the one this program needs.

    Raises RevisionLost.
    """
    engine = engine_for(url, make=False)
    try:
        with reading(engine) as connection:
            return _revision(connection, engine.url), schema.HEAD_REVISION
    finally:
        engine.dispose()


@contextmanager
def reading(engine: Engine) -> Iterator[Connection]:
    """A read-only transaction. Keep it short: on SQLite an open reader delays the writer's commit."""
    shared = _SHARED.get()
    if shared is not None and shared.engine.url == engine.url:
        yield shared
        return
    with translated_errors(engine.url), _transaction(engine) as (connection, _):
        yield connection


@contextmanager
def reading_at_once(engine: Engine, *queries: Query) -> Iterator[Connection]:
    """As `reading`, with these queries sent along with BEGIN, so that a server costs one round trip. Any
    further query is made in another transaction.
    """
    if engine.dialect.name != "postgresql" or _SHARED.get() is not None:
        with reading(engine) as connection:
            yield connection
        return
    results: dict[Query, list[Values]] = {}
    options = {_QUERIES: (queries, results), _ENDS_AT_ONCE: True}
    with (
        translated_errors(engine.url),
        _transaction(engine, **options) as (connection, _),
        prefetched(connection, results),
        buffering(connection, postgres.EndedTransaction(connection, BUSY_MILLISECONDS)),
    ):
        yield connection


@contextmanager
def sharing_writer(connection: Connection) -> Iterator[None]:
    """Let `reading_within` read in this writing transaction for the length of the block."""
    before = _WRITER.set(connection)
    try:
        yield
    finally:
        _WRITER.reset(before)


@contextmanager
def reading_within(engine: Engine) -> Iterator[Connection]:
    """As `reading`, but inside the open writing transaction of `sharing_writer`: once that has changed more
    than SQLite's cache holds, it locks out every other reader.
    """
    writer = _WRITER.get()
    if writer is not None and not writer.closed and writer.engine.url == engine.url:
        yield writer
        return
    with reading(engine) as connection:
        yield connection


@contextmanager
def _transaction(engine: Engine, **options: Any) -> Iterator[tuple[Connection, Transaction]]:
    """A transaction on a connection of the pool, or on another one if the server has closed it meanwhile."""
    kept = engine.get_execution_options().get(_WRITE_CONNECTION)
    if kept is not None and options.get(_WRITES):
        with _reused_transaction(engine, kept) as began:
            yield began
        return
    connection = engine.connect()
    try:
        try:
            transaction = connection.execution_options(**options).begin()
        except DBAPIError as error:
            if not error.connection_invalidated:
                raise
            connection.close()
            engine.dispose()  # the other connections of the pool are as old
            connection = engine.connect()
            transaction = connection.execution_options(**options).begin()
        with transaction:
            yield connection, transaction
    finally:
        connection.close()


@contextmanager
def _reused_transaction(
    engine: Engine, kept: "deque[Connection]"
) -> Iterator[tuple[Connection, Transaction]]:
    """A writing transaction on the connection of the last writer: to take one from the pool and to give it
    back took longer than BEGIN and COMMIT.
    """
    try:
        connection = kept.pop()
    except IndexError:  # the first writer, or another thread is writing
        connection = engine.connect().execution_options(**{_WRITES: True})
    try:
        with connection.begin() as transaction:
            yield connection, transaction
    except BaseException:
        connection.close()
        raise
    if kept or connection.closed or connection.invalidated:
        connection.close()
    else:
        kept.append(connection)


def _keep_write_connection(engine: Engine) -> None:
    """Let an engine keep one connection for the next writer, until it is disposed of."""
    kept = deque[Connection]()
    engine.update_execution_options(**{_WRITE_CONNECTION: kept})

    @event.listens_for(engine, "engine_disposed")
    def _let_go(_engine: Engine) -> None:
        while kept:
            connection = kept.pop()
            connection.detach()
            connection.close()


@contextmanager
def shared_transaction(engine: Engine) -> Iterator[None]:
    """Read everything within the block in one transaction."""
    with reading(engine) as connection:
        before = _SHARED.set(connection)
        try:
            yield
        finally:
            _SHARED.reset(before)


@contextmanager
def writing(
    engine: Engine, *, saved: Callable[[], None] | None = None, queries: Sequence[Query] = ()
) -> Iterator[Connection]:
    """A writing transaction: on SQLite it takes the write lock before it reads anything.

    `saved` is called after the commit. Ctrl-C comes before both or after both. On a server `queries` (a lock,
    perhaps) are sent along with BEGIN, in one round trip.
    """
    if engine.get_execution_options().get(_ONLY_READS):
        raise refusals.DatabaseReadOnly(display_address(engine.url))
    results: dict[Query, list[Values]] = {}
    with (
        translated_errors(engine.url),
        _transaction(engine, **{_WRITES: True, _QUERIES: (tuple(queries), results)}) as (
            connection,
            transaction,
        ),
        prefetched(connection, results),
        _append_call(connection) as call,
    ):
        yield connection
        with deferred_interrupt():
            if call is not None:
                call.commit()
            transaction.commit()
            if saved is not None:
                saved()


@contextmanager
def single_message_append(
    engine: Engine, *, saved: Callable[[], None], presumed: Sequence[Query] = ()
) -> Iterator[Connection]:
    """A connection for one append that is sent as one message from BEGIN to COMMIT; no other query is
    allowed.

    The database itself checks that the `presumed` queries find nothing. Raises LockNeeded if the database
    cannot take an append so, if another query is made, or if the log has moved on.
    """
    if engine.dialect.name != "postgresql" or engine.get_execution_options().get(_ONLY_READS):
        raise LockNeeded
    with translated_errors(engine.url), closing(engine.connect()) as connection:
        if not postgres.has_append_function(connection):
            raise LockNeeded
        begins = postgres.begin_sql(connection, writes=True, lock_milliseconds=BUSY_MILLISECONDS)
        call = AppendCall(connection, begins)
        with prefetched(connection, {asked: [] for asked in presumed}), buffering(connection, call):
            yield connection
            with deferred_interrupt():
                call.commit()
                saved()


@contextmanager
def _append_call(connection: Connection) -> Iterator[AppendCall | None]:
    """The buffer for the rows of an append, if the database takes them as one call."""
    if connection.dialect.name != "postgresql" or not postgres.has_append_function(connection):
        yield None
        return
    call = AppendCall(connection)
    with buffering(connection, call):
        yield call


def make_read_only(engine: Engine) -> None:
    """Refuse every writing transaction of this engine from now on."""
    engine.update_execution_options(**{_ONLY_READS: True})
    if engine.dialect.name == "sqlite":
        engine.dispose()

        @event.listens_for(engine, "connect")
        def _settle(connection: sqlite3.Connection, _record: object) -> None:
            connection.execute("PRAGMA query_only=1")


# --- engines ---------------------------------------------------------------------------------------------


def address_of(url: str | URL) -> URL:
    """The parsed address, with the driver that we use. Raises DatabaseAddressUnreadable."""
    try:
        address = make_url(url)
        backend = address.get_backend_name()
    except (ArgumentError, ValueError) as error:
        raise refusals.DatabaseAddressUnreadable("it is not an address with a scheme") from error
    if backend in {"postgresql", "postgres"}:
        return address.set(drivername="postgresql+psycopg")
    if backend != "sqlite":
        raise refusals.DatabaseAddressUnreadable(f"{backend!r} is neither sqlite nor postgresql")
    if address.host or (address.query and not str(address.database).startswith("file:")):
        raise refusals.DatabaseAddressUnreadable("an SQLite file has no host and no options")
    return address.set(drivername="sqlite")


def engine_for(url: str | URL, *, make: bool) -> Engine:
    """An engine with our settings on a database, at head or not. `make`: an SQLite file may be new."""
    address = address_of(url)
    if not make and str(address.database).startswith("file:") and "mode" not in address.query:
        address = address.update_query_dict({"mode": "rw"})  # otherwise SQLite would make the file
    if address.get_backend_name() == "sqlite":
        return _sqlite_engine(address, make=make)
    return _postgres_engine(address)


def _sqlite_engine(address: URL, *, make: bool) -> Engine:
    _check_place(address, make=make)
    # Off, because the driver's own transactions begin at the first write, after the head was read.
    options: dict[str, Any] = {"connect_args": {"isolation_level": None}}
    if in_memory(address):
        options["poolclass"] = StaticPool
        options["connect_args"]["check_same_thread"] = False
    engine = create_engine(address, **options)
    if not in_memory(address):
        _keep_write_connection(engine)

    @event.listens_for(engine, "connect")
    def _settle(connection: sqlite3.Connection, _record: object) -> None:
        _settle_sqlite(connection, address)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        writes = connection.get_execution_options().get(_WRITES)
        session: Any = connection.connection.driver_connection
        session.execute("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def in_memory(address: URL) -> bool:
    """Whether an SQLite address names memory instead of a file."""
    return address.database in {None, "", ":memory:"}


def _check_place(address: URL, *, make: bool) -> None:
    if in_memory(address) or str(address.database).startswith("file:"):
        return
    sqlite_files.check_path(Path(str(address.database)), display_address(address), make=make)


def _settle_sqlite(connection: sqlite3.Connection, address: URL) -> None:
    sqlite_files.apply_settings(
        connection,
        display_address(address),
        busy_milliseconds=BUSY_MILLISECONDS,
        settings=SQLITE_SETTINGS,
        in_memory=in_memory(address),
    )


def _postgres_engine(address: URL) -> Engine:
    engine = postgres.postgres_engine(address)

    @event.listens_for(engine, "begin")
    def _begin(connection: Connection) -> None:
        options = connection.get_execution_options()
        queries, results = options.get(_QUERIES, ((), {}))
        writes = bool(options.get(_WRITES))
        ends = bool(options.get(_ENDS_AT_ONCE))
        rows = postgres.begin(
            connection, writes=writes, lock_milliseconds=BUSY_MILLISECONDS, queries=queries, ends=ends
        )
        results.update(zip(queries, rows, strict=True))

    return engine


# --- migrations ------------------------------------------------------------------------------------------


def _revision(connection: Connection, address: URL) -> str | None:
    """The recorded revision. Raises RevisionLost if the tables are those of another one."""
    revision = revisions.recorded_revision(connection)
    standing = revisions.lost_revision(connection, revision)
    if standing is not None:
        raise revisions.RevisionLost(display_address(address), revision, standing)
    return revision


def find_revision(url: str | URL) -> None:
    """Restore a lost revision: record the one that the tables show."""
    engine = engine_for(url, make=False)
    try:
        with writing(engine) as connection:
            make_missing_caches(connection)  # the tables show it too
            standing = revisions.lost_revision(connection, revisions.recorded_revision(connection))
            if standing is not None:
                from alembic import command

                command.stamp(_alembic_config(connection), standing, purge=True)
    finally:
        engine.dispose()


def make_missing_caches(connection: Connection) -> None:
    """Make the missing tables of boards and snapshots, empty."""
    for table in schema.CACHES:
        table.create(connection, checkfirst=True)


def _upgrade(engine: Engine) -> None:
    with writing(engine) as connection:
        if engine.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": UPGRADE_LOCK})
        # Check again under the lock: another process may have migrated it.
        revision = _revision(connection, engine.url)
        if revision == schema.HEAD_REVISION:
            return
        refusal = _not_at_head(engine.url, revision)
        if isinstance(refusal, refusals.DatabaseNewer):
            raise refusal

        from alembic import command

        command.upgrade(_alembic_config(connection), "head")


def _not_at_head(address: URL, revision: str | None) -> Refusal:
    if revision is not None and revision not in known_revisions():
        return refusals.DatabaseNewer(display_address(address), revision, schema.HEAD_REVISION)
    return refusals.DatabaseBehind(display_address(address), revision, schema.HEAD_REVISION)


def known_revisions() -> tuple[str, ...]:
    """Every revision this program has a migration for, newest first."""
    from alembic.script import ScriptDirectory

    scripts = ScriptDirectory.from_config(_alembic_config(None))
    return tuple(script.revision for script in scripts.walk_revisions())


def _alembic_config(connection: Connection | None) -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(migrations_folder()).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def migrations_folder() -> Path:
    """The folder of migrations: inside the package of a wheel, beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "migrations"
    return inside if inside.is_dir() else package.parent / "migrations"
