"""What the archive refuses, and the sentence for each. Knows facts only; opens nothing."""

import shlex

from tracker.errors import BadInput, LogDamaged, Stale
from tracker.records import dataclass

# Exceptions are compared by identity (`eq=False` keeps them hashable, which tracebacks need).

# --- appending -------------------------------------------------------------------------------------------


@dataclass(eq=False)
class StaleHead(Stale):
    """The campaign moved on between the decision and the append."""

    campaign: str
    expected_size: int
    current_size: int

    def message(self) -> str:
        return (
            f"Somebody else wrote to this campaign first: it was decided on {self.expected_size} events, now "
            f"there are {self.current_size}. Nothing was written; read the campaign again and repeat."
        )


@dataclass(eq=False)
class CommandKeyReused(BadInput):
    """A command key stands for one command for ever; this one came back with other contents."""

    campaign: str
    key: str
    first_entry: int

    def message(self) -> str:
        return (
            f"The command key {self.key!r} already stands for entry {self.first_entry}, which was another "
            f"command. Nothing was written; send the new command under a new key."
        )


@dataclass(eq=False)
class CommitUnknown(Stale):
    """The connection went away while saving; whether it was saved could not be asked."""

    key: str

    def message(self) -> str:
        return (
            "The connection to the database was lost while saving, and it could not be asked whether the "
            f"entry was kept. Send the same command again under the same key {self.key!r}: it counts once."
        )


@dataclass(eq=False)
class NotStorable(BadInput):
    """A value that has no place in the log's canonical JSON."""

    path: str
    reason: str

    def message(self) -> str:
        return f"The log cannot keep {self.path or 'this'}: {self.reason}."


# --- damage ----------------------------------------------------------------------------------------------


@dataclass(eq=False)
class EventsMissing(LogDamaged):
    """Fewer events were found than the head counts, and nothing says that there are fewer."""

    campaign: str
    size: int

    def message(self) -> str:
        return (
            f"Campaign {self.campaign} counts {self.size} events, and fewer were found: an index of the"
            " database, or the log itself, is damaged. 'arbitrator audit verify' says which; 'arbitrator"
            " boards rebuild' makes indexes anew."
        )


@dataclass(eq=False)
class RowsNotWritten(LogDamaged):
    """The database took fewer rows than it was given, or keeps others, and raised no error."""

    table: str
    wanted: int
    found: int

    def message(self) -> str:
        is_cache = self.table.startswith("board_") or self.table == "snapshots"
        mend = (
            "if it names none, 'arbitrator boards rebuild' makes the rows anew"
            if is_cache
            else "take it away, then repeat"
        )
        return (
            f"The database kept {self.found} of {self.wanted} rows for its table {self.table}, and gave no"
            " error: a trigger or a rule of somebody else's may stand on it. Nothing was written;"
            f" 'arbitrator audit verify' names what is not ours; {mend}."
        )


@dataclass(eq=False)
class RowsRefused(LogDamaged):
    """The database refuses rows that follow from its own head."""

    reason: str

    def message(self) -> str:
        return (
            f"The database refused the next entry ({self.reason}), though it follows the last that it told"
            " of: its log, an index or a trigger is damaged. Nothing was written; 'arbitrator audit verify'"
            " says which, 'arbitrator boards rebuild' makes indexes anew."
        )


@dataclass(eq=False)
class HeadDamaged(LogDamaged):
    """The row that says where the log ends cannot be read."""

    campaign: str
    reason: str

    def message(self) -> str:
        return (
            f"The head row of campaign {self.campaign} is damaged ({self.reason}). Nothing was written; "
            "run `arbitrator audit verify`, and restore from a backup that verifies."
        )


@dataclass(eq=False)
class DatabaseCorrupt(LogDamaged):
    """SQLite cannot make sense of its own file."""

    database: str
    reason: str

    def message(self) -> str:
        return (
            f"The database {self.database} is damaged ({self.reason}). Make a copy of the file before "
            "anything else, then restore from a backup that verifies."
        )


@dataclass(eq=False)
class TextDamaged(LogDamaged):
    """A text that SQLite holds is none; it does not say whose."""

    database: str

    def message(self) -> str:
        return (
            f"The database {self.database} is damaged: a text in it is not UTF-8. Make a copy of the file"
            " before anything else, then run `arbitrator boards rebuild`, which mends all but the log, and"
            " `arbitrator audit verify`. Where that finds damage too, restore from a backup that verifies."
        )


@dataclass(eq=False)
class BackupDamaged(LogDamaged):
    """The copy was made but it does not verify, so it was thrown away."""

    database: str
    reason: str

    def message(self) -> str:
        return (
            f"No backup of {self.database} was kept: {self.reason}. "
            "Keep your older backups, and run `arbitrator audit verify` on the database itself."
        )


# --- which database --------------------------------------------------------------------------------------


@dataclass(eq=False)
class DatabaseAddressUnreadable(BadInput):
    """The URL is not one that we can open."""

    reason: str

    def message(self) -> str:
        return (
            f"The database address cannot be used: {self.reason}. "
            "Write it as sqlite:///path/to/file.db or postgresql://user@host/name."
        )


@dataclass(eq=False)
class DriverMissing(BadInput):
    """PostgreSQL was asked for, its driver is not installed."""

    driver: str

    def message(self) -> str:
        return (
            f"PostgreSQL needs the Python package {self.driver!r}, which is not installed: "
            "pip install 'campaign-tracker[postgres]'."
        )


@dataclass(eq=False)
class DatabaseMissing(BadInput):
    """There is nothing to read yet."""

    database: str

    def message(self) -> str:
        return (
            f"There is no database at {self.database}, and none was made. Check the name; to begin one there:"
            f" arbitrator --db {shlex.quote(self.database)} campaign new NAME"
        )


@dataclass(eq=False)
class DatabaseUnreachable(BadInput):
    """The address leads nowhere: a directory, a missing folder, a wrong password, a silent server."""

    database: str
    reason: str

    def message(self) -> str:
        return f"The database {self.database} cannot be opened: {self.reason}."


@dataclass(eq=False)
class NotOurDatabase(BadInput):
    """The file belongs to something else, so it is left alone."""

    database: str
    reason: str

    def message(self) -> str:
        return (
            f"{self.database} is not a campaign database: {self.reason}. "
            "It was left as it is; choose another file."
        )


@dataclass(eq=False)
class DatabaseBehind(BadInput):
    """The database was made by an older program."""

    database: str
    revision: str | None
    head: str

    def message(self) -> str:
        stands = f"stands at revision {self.revision}" if self.revision else "has no tables of ours yet"
        return (
            f"The database {self.database} {stands}; this program needs {self.head}. "
            "Make a backup, then run `arbitrator db upgrade`."
        )


@dataclass(eq=False)
class DatabaseNewer(BadInput):
    """The database was made by a newer program."""

    database: str
    revision: str
    head: str

    def message(self) -> str:
        return (
            f"The database {self.database} stands at revision {self.revision}, which this program "
            f"(revision {self.head}) does not know. It was left as it is; install a newer campaign-tracker."
        )


@dataclass(eq=False)
class SettingRefused(BadInput):
    """The database did not take a setting that keeps acknowledged events safe."""

    database: str
    setting: str
    wanted: str
    found: str

    def message(self) -> str:
        return (
            f"The database {self.database} keeps {self.setting}={self.found}, and {self.wanted} is needed "
            "to keep what was saved through a power cut. Use another SQLite build or another file system."
        )


# --- the moment ------------------------------------------------------------------------------------------


@dataclass(eq=False)
class DatabaseBusy(Stale):
    """Another program holds the lock for longer than we wait."""

    database: str

    def message(self) -> str:
        return (
            f"The database {self.database} is in use by another program. Nothing was written; "
            "close the other program or try again in a moment."
        )


@dataclass(eq=False)
class DiskFull(Stale):
    """No room for another event."""

    database: str

    def message(self) -> str:
        return (
            f"The disk under {self.database} is full. Nothing was written and nothing is lost; "
            "make room and try again."
        )


@dataclass(eq=False)
class DiskFailing(Stale):
    """The operating system could not read or write."""

    database: str
    reason: str

    def message(self) -> str:
        return (
            f"The disk under {self.database} did not answer ({self.reason}). What was being saved is not "
            "saved; check the disk or the network drive, then run `arbitrator audit verify`."
        )


@dataclass(eq=False)
class ConnectionLost(Stale):
    """The server went away in the middle."""

    database: str

    def message(self) -> str:
        return f"The connection to {self.database} was lost. Try again; a command sent twice counts once."


@dataclass(eq=False)
class DatabaseReadOnly(BadInput):
    """It can be read, not written."""

    database: str

    def message(self) -> str:
        return (
            f"The database {self.database} can only be read. Nothing was written; give yourself the right "
            "to write the file and its folder, or work on a copy."
        )


@dataclass(eq=False)
class ServerReadOnly(BadInput):
    """The server answers, and lets nobody write: a replica, or set to reading only."""

    database: str

    def message(self) -> str:
        return (
            f"The server of {self.database} only lets read: it is a replica, or set to read only. Nothing"
            " was written; reading works here, to write name the primary with --db or TRACKER_DATABASE_URL."
        )


@dataclass(eq=False)
class RoleMayNot(BadInput):
    """The server answers, and this role has no right to what was asked."""

    database: str
    reason: str

    def message(self) -> str:
        return (
            f"{self.database} does not let you: {self.reason}. Nothing was written; ask its owner for the"
            " right, or sign in as another role."
        )


@dataclass(eq=False)
class EncodingLacks(BadInput):
    """PostgreSQL keeps this database's text in an encoding that is not UTF-8, and lacks a character."""

    database: str
    reason: str

    def message(self) -> str:
        return (
            f"{self.database} cannot keep a character of this: {self.reason}. Nothing was written. Write it"
            " in other letters, or move to a database made with ENCODING 'UTF8', by pg_dump and pg_restore."
        )


@dataclass(eq=False)
class ServerStopped(Stale):
    """The server, or its owner, ended a statement before it was done."""

    database: str
    reason: str

    def message(self) -> str:
        return (
            f"The server of {self.database} stopped this before it was done ({self.reason}). Nothing was"
            " written; try again, or ask its owner for more time."
        )


@dataclass(eq=False)
class ServerRefused(BadInput):
    """PostgreSQL refuses for a reason that has no sentence of its own here."""

    database: str
    reason: str
    sqlstate: str

    def message(self) -> str:
        return (
            f"The server of {self.database} refused: {self.reason} (SQLSTATE {self.sqlstate}). Nothing was"
            " written; show this to its owner."
        )


# --- backup ----------------------------------------------------------------------------------------------


@dataclass(eq=False)
class BackupExists(BadInput):
    """A backup never overwrites."""

    target: str

    def message(self) -> str:
        return f"{self.target} already exists and a backup never overwrites. Choose another name."


@dataclass(eq=False)
class BackupNameTaken(BadInput):
    """A name under which SQLite would not leave the copy alone."""

    target: str
    reason: str

    def message(self) -> str:
        return f"No backup was made as {self.target}: {self.reason}. Choose another name."


@dataclass(eq=False)
class BackupNotWritten(BadInput):
    """The place where the copy should lie does not take it."""

    target: str
    reason: str

    def message(self) -> str:
        return (
            f"The backup {self.target} could not be written: {self.reason}. Nothing of it was kept, and the"
            " database itself is as it was; name a file in another place."
        )


@dataclass(eq=False)
class BackupNotOurs(BadInput):
    """Only an SQLite file is copied by this program."""

    database: str
    advice: str

    def message(self) -> str:
        return f"{self.database} is not backed up by this program: {self.advice}."
