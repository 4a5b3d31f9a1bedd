"""A power cut at any moment: what was acknowledged is on the disk, and what is on the disk is a log.

Real appends are recorded as the statements that SQLite was given, and carried out once more through a file system
that writes down every write, sync, truncation and deletion. From that list disks are built as a power cut may
leave them: all that was synced, some of what was not, pages torn at 512 bytes. A disk's own cache that lies about
a sync is not modelled. What such a disk holds is looked at whole: chain, entries decided again, command keys, boards.
"""

from __future__ import annotations

import hashlib
import random
import sqlite3
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import apsw
from sqlalchemy import event

from tracker.errors import Refusal
from tracker.log import database

from . import club
from .runner import Run

SECTOR = 512
APPENDS = 6

OURS = {"journal_mode": "truncate", "synchronous": "extra"}
KNOWN_TO_LOSE = (
    {"journal_mode": "delete", "synchronous": "full"},
    {"journal_mode": "wal", "synchronous": "normal"},
)
"""Settings under which acknowledged events get lost: a harness that finds nothing there would prove nothing."""


# --- what SQLite was reported --------------------------------------------------------------------------------


@dataclass
class Session:
    """A database before, the statements of each append to it, and how long the log was after each."""

    before: bytes
    campaign: str
    appends: list[list[str]] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)


def recorded_session(folder: Path, dice: random.Random) -> Session:
    """A few real appends, by the program itself, on its own settings."""
    file = folder / "session.db"
    tracker = club.open_tracker(club.sqlite(file), seed=dice.randrange(10**9))
    campaign = club.begin(tracker)
    session = Session(before=file.read_bytes(), campaign=campaign)
    said: list[str] = []
    writes = ("BEGIN IMMEDIATE", "INSERT", "UPDATE", "DELETE", "COMMIT", "ROLLBACK")

    def listen(connection: Any, *_: object) -> None:
        connection.set_trace_callback(
            lambda statement: said.append(statement) if statement.startswith(writes) else None
        )

    event.listen(tracker.engine, "checkout", listen)
    tracker.engine.dispose()
    while len(session.appends) < APPENDS:
        said.clear()
        size = tracker.repository.store.head(campaign).size
        club.something(tracker, campaign, dice, key=f"key-{dice.getrandbits(64):x}")
        if tracker.repository.store.head(campaign).size > size:  # not everything that is tried is allowed
            session.appends.append(_writing(said))
            session.sizes.append(tracker.repository.store.head(campaign).size)
    tracker.close()
    return session


def _writing(said: list[str]) -> list[str]:
    """The writing transactions among what was said: a reader's COMMIT is nobody's business."""
    kept: list[str] = []
    inside = False
    for statement in said:
        inside = inside or statement.startswith("BEGIN IMMEDIATE")
        # A statement that sets off a trigger is reported twice.
        if inside and statement != (kept[-1] if kept else None):
            kept.append(statement)
        if statement.startswith(("COMMIT", "ROLLBACK")):
            inside = False
    return kept


# --- a file system that writes down what it does ---------------------------------------------------------


@dataclass(frozen=True)
class Effect:
    """One thing done to one file. `acknowledged` is the size of the log that the program had said is safe."""

    kind: str
    file: str
    offset: int = 0
    data: bytes = b""
    durable: bool = False
    acknowledged: int = 0


class Disk(apsw.VFS):
    """SQLite's own file system, with every effect on a file noted down."""

    def __init__(self, name: str) -> None:
        self.effects: list[Effect] = []
        self.acknowledged = 0
        self.name = name
        super().__init__(name, "")

    def note(self, kind: str, file: str, **more: Any) -> None:
        self.effects.append(Effect(kind=kind, file=Path(file).name, acknowledged=self.acknowledged, **more))

    def xOpen(self, name: Any, flags: list[int]) -> Any:  # noqa: N802  # apsw's names
        return _File(self, name, flags)

    def xDelete(self, filename: str, syncdir: bool) -> None:  # noqa: N802
        super().xDelete(filename, syncdir)
        self.note("delete", filename, durable=bool(syncdir))


class _File(apsw.VFSFile):
    def __init__(self, disk: Disk, name: Any, flags: list[int]) -> None:
        super().__init__("", name, flags)
        self._disk = disk
        self._name = name.filename() if isinstance(name, apsw.URIFilename) else str(name or "temporary")

    def xWrite(self, data: bytes, offset: int) -> None:  # noqa: N802
        super().xWrite(data, offset)
        self._disk.note("write", self._name, offset=offset, data=bytes(data))

    def xSync(self, flags: int) -> None:  # noqa: N802
        super().xSync(flags)
        # The first sync of a file that SQLite made also syncs the folder it lies in.
        self._disk.note("sync", self._name)

    def xTruncate(self, newsize: int) -> None:  # noqa: N802
        super().xTruncate(newsize)
        self._disk.note("truncate", self._name, offset=newsize)


def effects_of(
    session: Session, folder: Path, settings: dict[str, str]
) -> tuple[dict[str, bytes], list[Effect]]:
    """The files before, and everything that the session's appends do to them under these settings."""
    file = folder / "club.db"
    file.write_bytes(session.before)
    disk = Disk(f"recording-{settings['journal_mode']}-{settings['synchronous']}")
    connection = apsw.Connection(str(file), vfs=disk.name)
    try:
        if settings["journal_mode"] == "wal":  # which would want shared memory, and this file system has none
            connection.execute("PRAGMA locking_mode=exclusive")
        mode = connection.execute(f"PRAGMA journal_mode={settings['journal_mode']}").get
        assert mode == settings["journal_mode"], mode
        connection.execute(f"PRAGMA synchronous={settings['synchronous']}")
        connection.execute("PRAGMA cell_size_check=1")
        before = {
            file.name: file.read_bytes() for file in folder.iterdir() if file.name.startswith("club.db")
        }
        disk.effects.clear()
        for statements, size in zip(session.appends, session.sizes, strict=True):
            for statement in statements:
                connection.execute(statement)
            disk.acknowledged = size
        effects = list(disk.effects)
    finally:
        connection.close()
        disk.unregister()
        for left in folder.glob("club.db*"):
            left.unlink()
    return before, effects


# --- what a power cut leaves -----------------------------------------------------------------------------


def after_a_cut(before: dict[str, bytes], effects: list[Effect], dice: random.Random) -> dict[str, bytes]:
    """The files as they may lie on the disk when the power went after these effects.

    What was synced is there; of the rest every sector, truncation and deletion is there or is not.
    """
    files = dict(before)
    waiting: dict[str, list[Effect]] = {}
    made = set(files)
    for effect in effects:
        if effect.kind == "sync":
            for change in waiting.pop(effect.file, []):
                _apply(files, change)
            files.setdefault(effect.file, b"")
            made.add(effect.file)
        elif effect.kind == "delete" and effect.durable:
            waiting.pop(effect.file, None)
            files.pop(effect.file, None)
            made.discard(effect.file)
        else:
            waiting.setdefault(effect.file, []).append(effect)
    for file, effects_left in waiting.items():
        if file not in made and dice.random() < 0.5:
            continue
        for change in effects_left:
            if change.kind == "delete" and dice.random() < 0.5:
                break  # its name means the old file still; what was made under that name since is nowhere
            _apply_some(files, change, dice)
    return files


def _apply(files: dict[str, bytes], effect: Effect) -> None:
    if effect.kind == "delete":
        files.pop(effect.file, None)
        return
    held = files.get(effect.file, b"")
    if effect.kind == "truncate":
        files[effect.file] = held[: effect.offset].ljust(effect.offset, b"\0")
    else:
        held = held.ljust(effect.offset, b"\0")
        files[effect.file] = held[: effect.offset] + effect.data + held[effect.offset + len(effect.data) :]


def _apply_some(files: dict[str, bytes], effect: Effect, dice: random.Random) -> None:
    if effect.kind == "delete" or (effect.kind == "truncate" and dice.random() < 0.5):
        _apply(files, effect)
    if effect.kind != "write":
        return
    for start in range(0, len(effect.data), SECTOR):
        if dice.random() < 0.5:
            part = effect.data[start : start + SECTOR]
            _apply(files, Effect(kind="write", file=effect.file, offset=effect.offset + start, data=part))


# --- the chapter -----------------------------------------------------------------------------------------


def ours(run: Run) -> None:
    """Our settings lose nothing; settings known to lose are caught losing, by the same harness."""
    for dice in run.each_round():
        with run.empty_folder() as folder:
            session = recorded_session(folder, dice)
            states, lost, broken = _cuts(session, folder, OURS, dice, every=1)
            assert not lost, f"acknowledged events lost in {lost} of {states} power cuts"
            assert not broken, f"{broken} of {states} power cuts leave no log"
            run.count("power cuts", by=states)
            for settings in KNOWN_TO_LOSE:
                states, lost, broken = _cuts(session, folder, settings, dice, every=5)
                assert lost, f"the harness finds nothing lost under {settings}, so it proves nothing"
                where = f"{settings['journal_mode']}/{settings['synchronous']}"
                run.count(f"losses found under {where}", by=lost)
                run.count(f"no log at all under {where}", by=broken)


def _cuts(
    session: Session, folder: Path, settings: dict[str, str], dice: random.Random, *, every: int
) -> tuple[int, int, int]:
    """Power cuts after effects: how many, how many lost something acknowledged, how many left no log."""
    before, effects = effects_of(session, folder, settings)
    cuts = range(1, len(effects) + 1, every)
    lost = broken = 0
    seen: dict[bytes, int | None] = {}
    for at in cuts:
        # A log that is a log, but shorter than was said, is the worst there is.
        found = _log_size(folder / "cut", after_a_cut(before, effects[:at], dice), session.campaign, seen)
        if found is None:
            broken += 1
        elif found < effects[at - 1].acknowledged:
            lost += 1
    return len(cuts), lost, broken


def _log_size(
    folder: Path, files: dict[str, bytes], campaign: str, seen: dict[bytes, int | None]
) -> int | None:
    """How long the log is that the program finds on this disk; None when it finds none where everything holds.

    Most cuts leave, once SQLite has taken back what was half done, one of a few files: each is looked at once.
    """
    folder.mkdir(exist_ok=True)
    for left in folder.iterdir():
        left.unlink()
    for name, data in files.items():
        (folder / name).write_bytes(data)
    file = folder / "club.db"
    try:
        with closing(sqlite3.connect(file)) as connection:
            connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except sqlite3.Error:
        return None
    # A journal that lies there after this look is one that SQLite goes past; what is in a write-ahead log counts.
    wal = file.with_name("club.db-wal")
    digest = hashlib.sha256(file.read_bytes() + (wal.read_bytes() if wal.exists() else b"")).digest()
    if digest not in seen:
        seen[digest] = _found(file, campaign)
    return seen[digest]


def _found(file: Path, campaign: str) -> int | None:
    try:
        engine = database.engine_for(club.sqlite(file), make=False)
        try:
            size = club.verified_size(engine, campaign)
        finally:
            engine.dispose()
        if size is None:
            return None
        with club.opened(club.sqlite(file)) as tracker:
            return size if tracker.audit.verify(campaign).ok else None
    except (Refusal, sqlite3.Error):
        return None
