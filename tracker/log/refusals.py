"""The refusals of the log, with the message of each. Knows facts only; opens nothing."""

import shlex

from tracker.errors import BadInput, LogDamaged, Stale

# Exceptions are compared by identity (`eq=False` keeps them hashable, which tracebacks need).

# --- appending -------------------------------------------------------------------------------------------


class StaleHead(Stale):
    """Somebody else wrote to this campaign first: it was decided on {expected_size} events, now there are
    {current_size}. Nothing was written; read the campaign again and repeat.
    """

    campaign: str
    expected_size: int
    current_size: int


class CommandKeyReused(BadInput):
    """The command key {key!r} already stands for entry {first_entry}, which was another command. Nothing was
    written; send the new command under a new key.
    """

    campaign: str
    key: str
    first_entry: int


class CommitUnknown(Stale):
    """The connection to the database was lost while saving, and it could not be asked whether the entry was
    kept. Send the same command again under the same key {key!r}: it counts once.
    """

    key: str


class NotStorable(BadInput):
    """The log cannot keep {path:or this}: {reason}."""

    path: str
    reason: str


# --- damage ----------------------------------------------------------------------------------------------


class EventsMissing(LogDamaged):
    """Campaign {campaign} counts {size} events, and fewer were found: an index of the database, or the log
    itself, is damaged. 'arbitrator audit verify' says which; 'arbitrator boards rebuild' makes the indexes
    again.
    """

    campaign: str
    size: int


class RowsNotWritten(LogDamaged):
    """The database took fewer rows than it was given, or keeps others, and raised no error."""

    table: str
    wanted: int
    found: int

    def message(self) -> str:
        is_cache = self.table.startswith(("board_", "snapshots", "segments"))
        mend = (
            "if it names none, 'arbitrator boards rebuild' makes the rows again"
            if is_cache
            else "remove it, then repeat"
        )
        return (
            f"The database kept {self.found} of {self.wanted} rows for its table {self.table}, and gave no"
            " error: a foreign trigger or rule may be the cause. Nothing was written;"
            f" 'arbitrator audit verify' names it; {mend}."
        )


class RowsRefused(LogDamaged):
    """The database refused the next entry ({reason}), though it follows the last that it gave: its log, an
    index or a trigger is damaged. Nothing was written; 'arbitrator audit verify' says which, 'arbitrator
    boards rebuild' makes the indexes again.
    """

    reason: str


class HeadDamaged(LogDamaged):
    """The head row of campaign {campaign} is damaged ({reason}). Nothing was written; run `arbitrator audit
    verify`, and restore from a backup that verifies.
    """

    campaign: str
    reason: str


class DatabaseCorrupt(LogDamaged):
    """The database {database} is damaged ({reason}). First make a copy of the file, then restore from a
    backup that verifies.
    """

    database: str
    reason: str


class TextDamaged(LogDamaged):
    """The database {database} is damaged: a text in it is not UTF-8. First make a copy of the file. Then run
    `arbitrator boards rebuild`, which repairs everything except the log, and `arbitrator audit verify`. If
    that still finds damage, restore from a backup that verifies.
    """

    database: str


class BackupDamaged(LogDamaged):
    """No backup of {database} was kept: {reason}. Keep your older backups, and run `arbitrator audit verify`
    on the database itself.
    """

    database: str
    reason: str


# --- which database --------------------------------------------------------------------------------------


class DatabaseAddressUnreadable(BadInput):
    """The database address cannot be used: {reason}. Write it as sqlite:///path/to/file.db or
    postgresql://user@host/name.
    """

    reason: str


class DriverMissing(BadInput):
    """PostgreSQL needs the Python package {driver!r}, which is not installed: pip install
    'campaign-tracker[postgres]'.
    """

    driver: str


class DatabaseMissing(BadInput):
    """There is nothing to read yet."""

    database: str

    def message(self) -> str:
        return (
            f"There is no database at {self.database}, and none was made. Check the name; to begin one there:"
            f" arbitrator --db {shlex.quote(self.database)} campaign new NAME"
        )


class DatabaseUnreachable(BadInput):
    """The database {database} cannot be opened: {reason}."""

    database: str
    reason: str


class NotOurDatabase(BadInput):
    """{database} is not a campaign database: {reason}. It was left as it is; choose another file."""

    database: str
    reason: str


class DatabaseBehind(BadInput):
    """The database was made by an older program."""

    database: str
    revision: str | None
    head: str

    def message(self) -> str:
        stands = f"is at revision {self.revision}" if self.revision else "has no tables of ours yet"
        return (
            f"The database {self.database} {stands}; this program needs {self.head}. "
            "Make a backup, then run `arbitrator db upgrade`."
        )


class DatabaseNewer(BadInput):
    """The database {database} is at revision {revision}, which this program (revision {head}) does not know.
    It was left as it is; install a newer campaign-tracker.
    """

    database: str
    revision: str
    head: str


class SettingRefused(BadInput):
    """The database {database} keeps {setting}={found}, and {wanted} is needed to keep what was saved through
    a power cut. Use another SQLite build or another file system.
    """

    database: str
    setting: str
    wanted: str
    found: str


# --- the moment ------------------------------------------------------------------------------------------


class DatabaseBusy(Stale):
    """The database {database} is in use by another program. Nothing was written; close the other program or
    try again in a moment.
    """

    database: str


class DiskFull(Stale):
    """The disk under {database} is full. Nothing was written and nothing is lost; make room and try again."""

    database: str


class DiskFailing(Stale):
    """The disk under {database} did not answer ({reason}). What was being saved is not saved; check the disk
    or the network drive, then run `arbitrator audit verify`.
    """

    database: str
    reason: str


class ConnectionLost(Stale):
    """The connection to {database} was lost. Try again; a command sent twice counts once."""

    database: str


class DatabaseReadOnly(BadInput):
    """The database {database} can only be read. Nothing was written; give yourself the right to write the
    file and its folder, or work on a copy.
    """

    database: str


class ServerReadOnly(BadInput):
    """The server of {database} is read-only: it is a replica, or set so. Nothing was written. To write, name
    the primary with --db or TRACKER_DATABASE_URL.
    """

    database: str


class RoleMayNot(BadInput):
    """{database} does not let you: {reason}. Nothing was written; ask its owner for the right, or sign in as
    another role.
    """

    database: str
    reason: str


class EncodingLacks(BadInput):
    """{database} cannot keep a character of this: {reason}. Nothing was written. Write it in other letters,
    or move to a database made with ENCODING 'UTF8', by pg_dump and pg_restore.
    """

    database: str
    reason: str


class ServerStopped(Stale):
    """The server of {database} stopped this before it was done ({reason}). Nothing was written; try again, or
    ask its owner for more time.
    """

    database: str
    reason: str


class ServerRefused(BadInput):
    """The server of {database} refused: {reason} (SQLSTATE {sqlstate}). Nothing was written; show this to its
    owner.
    """

    database: str
    reason: str
    sqlstate: str


# --- backup ----------------------------------------------------------------------------------------------


class BackupExists(BadInput):
    """{target} already exists and a backup never overwrites. Choose another name."""

    target: str


class BackupNameTaken(BadInput):
    """No backup was made as {target}: {reason}. Choose another name."""

    target: str
    reason: str


class BackupNotWritten(BadInput):
    """The backup {target} could not be written: {reason}. No part of it was kept, and the database itself is
    unchanged; name a file in another place.
    """

    target: str
    reason: str


class BackupNotOurs(BadInput):
    """{database} is not backed up by this program: {advice}."""

    database: str
    advice: str
