"""Cells: databases that share the campaigns of a host (shards), and moves between them.

A campaign never needs another's rows, so each is whole in one cell. People and the directory stay in the home
database. The fences in the cells decide where a campaign is, and the directory is corrected from them. So an
interrupted move has either not happened, or the next access finishes it.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Generic, Protocol, Self, TypeVar

from sqlalchemy import Connection, Engine, delete, func, insert, select

from tracker.errors import BadInput, LogDamaged, Refusal, Stale
from tracker.log import database, signed_notes
from tracker.log.driver_errors import display_address
from tracker.log.sealing import Head
from tracker.records import Record
from tracker.schema import campaign_webhooks, host_cells, host_directory, webhook_outbox
from tracker.service import archive_reader, fence_store, fences
from tracker.service.archives import Archives
from tracker.service.audit import Audits
from tracker.service.campaign_directory import CampaignDirectory
from tracker.service.clock import later
from tracker.service.fences import CampaignMoved, Fence
from tracker.service.repository import CampaignRepository

HOME: Final = "home"
"""The cell of the database that the host itself opens."""
HELD: Final = timedelta(seconds=30)
"""The longest time that writers are blocked if the mover dies; a move takes much less."""
HOPS_MOST: Final = 20
DOWN_SECONDS: Final = 3.0
STANDBY_DOWN_SECONDS: Final = 30.0
COPIES_MOST: Final = 10
STEPS: Final = ("began", "copied", "verified", "held", "followed", "given away", "flipped", "opened")
"""The steps of a move, each named after its result. The sixth decides."""


class Cell(Record):
    """A database with campaigns in it. `place` is its address without secrets."""

    cell: str
    place: str
    standby: str | None = None
    made_at: str = ""
    campaigns: int = 0


class MoveResult(Record):
    """The result of a move. `seconds_held` is how long nobody could write."""

    campaign: str
    source: str
    target: str
    events: int
    seconds_held: float


class UnknownCell(BadInput):
    """There is no cell {cell!r}.{cell:nearest or It is one of} See 'arbitrator host cell list'."""

    cell: str
    known: tuple[str, ...] = ()


class CellThere(BadInput):
    """There is a cell {cell!r} already: name another."""

    cell: str


class CellDown(Stale):
    """The cell {cell} does not answer, so its campaigns can be neither read nor recorded in for now. Nothing
    was written; try again. Campaigns of other cells go on.
    """

    cell: str


class CellNameUnusable(BadInput):
    """A cell is called by 1 to 40 letters, digits and dashes, such as 'west-2', and not 'home'."""


class MoveOvertaken(Stale):
    """Somebody recorded in the campaign or moved it while its last entries were copied. It stays in the cell
    {cell}; move it again.
    """

    cell: str


class CopyDiffers(LogDamaged):
    """The copy in the cell {cell} is not the campaign that was copied. It stays where it is. Run 'arbitrator
    audit verify' on both.
    """

    cell: str


class Database(Protocol):
    """A database with its services, as far as a move needs them."""

    @property
    def engine(self) -> Engine: ...
    @property
    def repository(self) -> CampaignRepository: ...
    @property
    def directory(self) -> CampaignDirectory: ...
    @property
    def audit(self) -> Audits: ...
    @property
    def archives(self) -> Archives: ...
    def of_cell(self, url: str, *, migrate: bool = True) -> Self: ...
    def close(self) -> None: ...


Kept = TypeVar("Kept", bound=Database)


class CellDirectory(Generic[Kept]):
    """The cells of a host, by the home database."""

    def __init__(self, home: Kept, *, clock: Callable[[], str]) -> None:
        self._home = home
        self._now = clock
        self._opened: dict[str, Kept] = {}
        self._lock = threading.Lock()
        self._opening: dict[str, threading.Lock] = {}
        self._down: dict[str, float] = {}
        """The time until which a cell that did not answer is left alone."""

    def close(self) -> None:
        """Close the databases of the other cells; home stays open."""
        with self._lock:
            for tracker in self._opened.values():
                tracker.close()
            self._opened.clear()

    # --- the list of cells ----------------------------------------------------------------------------------

    def add(self, cell: str, url: str, *, standby: str | None = None) -> Cell:
        """Add a cell, whose database must open and have this program's revision.

        Raises CellNameUnusable, CellThere, and what opening a database raises.
        """
        words = cell.replace("-", "")
        if (
            not (cell.isascii() and words.isalnum() and cell == cell.lower() and len(cell) <= 40)
            or cell == HOME
        ):
            raise CellNameUnusable
        for address in filter(None, (url, standby)):
            database.open_database(address, migrate=address == url).dispose()
        row = {"cell": cell, "url": url, "standby": standby, "made_at": self._now()}
        with database.writing(self._home.engine) as connection:
            if connection.execute(select(host_cells.c.cell).where(host_cells.c.cell == cell)).first():
                raise CellThere(cell=cell)
            connection.execute(insert(host_cells), row)
        return self._cell(row, 0)

    def every(self) -> tuple[Cell, ...]:
        """Every cell, the home database first."""
        with database.reading(self._home.engine) as connection:
            rows = connection.execute(select(host_cells).order_by(host_cells.c.cell)).mappings().all()
            query = select(host_directory.c.cell, func.count()).group_by(host_directory.c.cell)
            counted = {str(cell): int(count) for cell, count in connection.execute(query)}
        home = Cell(
            cell=HOME,
            place=display_address(self._home.engine.url),
            campaigns=len(self._home.directory.campaigns_kept()),
        )
        return (home, *(self._cell(row, counted.get(row["cell"], 0)) for row in rows))

    def _cell(self, row: Any, campaigns: int) -> Cell:
        return Cell(
            cell=row["cell"],
            place=display_address(database.address_of(row["url"])),
            standby=None if row["standby"] is None else display_address(database.address_of(row["standby"])),
            made_at=row["made_at"],
            campaigns=campaigns,
        )

    def tracker(self, cell: str) -> Kept:
        """A cell, opened once. Raises UnknownCell."""
        if cell == HOME:
            return self._home
        if self._down.get(cell, 0.0) > time.monotonic():
            raise CellDown(cell=cell)
        return self._tracker(cell, self._urls(cell)[0], migrate=True)

    def _tracker(self, name: str, url: str, *, migrate: bool) -> Kept:
        """A database that is opened once, by one thread at a time; other cells do not wait for it."""
        with self._lock:
            opening = self._opening.setdefault(name, threading.Lock())
        with opening:
            if name not in self._opened:
                self._opened[name] = self._home.of_cell(url, migrate=migrate)
            return self._opened[name]

    def lost(self, campaign: str | None) -> CellDown | None:
        """Note that a campaign's cell did not answer: it is not asked again for some seconds, so that waiting
        requests do not use up all threads. Does nothing for the home database.
        """
        cell = HOME if campaign is None else self.cell_of(campaign)
        if cell == HOME:
            return None
        self._down[cell] = time.monotonic() + DOWN_SECONDS
        return CellDown(cell=cell)

    def _urls(self, cell: str) -> tuple[str, str | None]:
        query = select(host_cells.c.url, host_cells.c.standby).where(host_cells.c.cell == cell)
        with database.reading(self._home.engine) as connection:
            row = connection.execute(query).first()
        if row is None:
            raise UnknownCell(cell=cell, known=tuple(each.cell for each in self.every()))
        return row.url, row.standby

    def trackers(self) -> Iterator[Kept]:
        """Every cell, home first."""
        yield from map(self.tracker, self.names())

    def names(self) -> tuple[str, ...]:
        """The names of the cells, home first."""
        with database.reading(self._home.engine) as connection:
            cells = connection.execute(select(host_cells.c.cell).order_by(host_cells.c.cell)).scalars().all()
        return (HOME, *map(str, cells))

    # --- where a campaign is --------------------------------------------------------------------------------

    def cell_of(self, campaign: str) -> str:
        """By the directory, which may be behind the fences."""
        query = select(host_directory.c.cell).where(host_directory.c.campaign_id == campaign)
        with database.reading(self._home.engine) as connection:
            return str(connection.execute(query).scalar() or HOME)

    def keeping(self, campaign: str | None) -> Kept:
        """The database that keeps a campaign; home for none."""
        return self._home if campaign is None else self.tracker(self.cell_of(campaign))

    def reading(self, campaign: str, seen: int | None) -> Kept:
        """The database to read boards from: a standby if it has all that the reader has seen."""
        cell = self.cell_of(campaign)
        if seen is None or cell == HOME or (standby := self._urls(cell)[1]) is None:
            return self.tracker(cell)
        name = f"{cell}/standby"
        if self._down.get(name, 0.0) > time.monotonic():
            return self.tracker(cell)
        try:
            tracker = self._tracker(name, standby, migrate=False)
            caught_up = tracker.repository.store.head(campaign).size >= seen
            if caught_up and self._fence(tracker, campaign) is None:
                return tracker
        except Refusal:  # the standby failed: the cell itself answers
            self._down[name] = time.monotonic() + STANDBY_DOWN_SECONDS
        return self.tracker(cell)

    def settle(self, campaign: str) -> str:
        """The cell that keeps a campaign, by the fences. Corrects the directory and finishes a move that
        died.
        """
        cell = self.cell_of(campaign)
        for _ in range(HOPS_MOST):
            fence = self._fence(self.tracker(cell), campaign)
            if fence is None or fence.kind == "held":
                return cell
            other = self._fence(self.tracker(fence.cell), campaign)
            if fence.kind == "copy" and other is not None and (other.kind, other.cell) == ("moved", cell):
                self._open(campaign, fence.cell, cell)
                return cell
            self._flip(campaign, fence.cell)
            if fence.kind == "moved" and other is not None and (other.kind, other.cell) == ("copy", cell):
                self._open(campaign, cell, fence.cell)
            cell = fence.cell
        raise CampaignMoved(campaign=campaign, cell=cell)

    def _fence(self, tracker: Kept, campaign: str) -> Fence | None:
        with database.reading(tracker.engine) as connection:
            return fences.fence_of(connection, campaign)

    def _flip(self, campaign: str, cell: str) -> None:
        with database.writing(self._home.engine) as connection:
            connection.execute(delete(host_directory).where(host_directory.c.campaign_id == campaign))
            row = {"campaign_id": campaign, "cell": cell, "since": self._now()}
            connection.execute(insert(host_directory), row)

    def _open(self, campaign: str, source: str, target: str) -> None:
        """The last step: the target accepts writes, and the source posts nothing about the campaign."""
        with database.writing(self.tracker(target).engine) as connection:
            fence = fences.fence_of(connection, campaign)
            if fence is not None and (fence.kind, fence.cell) == ("copy", source):
                fence_store.lift(connection, campaign)
        with database.writing(self.tracker(source).engine) as connection:
            _drop_webhooks(connection, campaign)

    # --- moving ---------------------------------------------------------------------------------------------

    def move(self, campaign: str, to: str, *, done: Callable[[str], None] = lambda _step: None) -> MoveResult:
        """Move a campaign to another cell. `done` is called with the name of each step.

        Most of it is copied while everybody writes; then writers wait while the last entries follow. Raises
        UnknownCell, MoveOvertaken, CopyDiffers, NameTakenHere, CampaignDiverged.
        """
        target = self.tracker(to)
        source_cell = self.settle(campaign)
        source = self.tracker(source_cell)
        if source_cell == to:
            size = source.repository.store.head(campaign).size
            return MoveResult(campaign=campaign, source=to, target=to, events=size, seconds_held=0.0)
        token = secrets.token_hex(16)
        copy = Fence(campaign=campaign, kind="copy", cell=source_cell, token=token)
        with database.writing(target.engine) as connection:
            fence_store.put(connection, copy)
        done("began")
        for _ in range(COPIES_MOST):
            if self._follow(source, target, campaign) == 0:
                break
        done("copied")
        found = target.audit.verify(campaign, whole_database=False)
        if not found.log.ok or found.unreadable or found.boards:
            raise CopyDiffers(cell=to)
        done("verified")
        began = time.monotonic()
        with self._writing(source, campaign) as (connection, _head):
            fence_store.refuse_writing(connection, campaign, self._now)
            until = later(self._now(), HELD)
            fence_store.put(
                connection, Fence(campaign=campaign, kind="held", cell=to, token=token, until=until)
            )
        done("held")
        self._follow(source, target, campaign)
        self._copy_webhooks(source, target, campaign)
        done("followed")
        events = self._give_away(source, target, campaign, source_cell, to, token)
        seconds = time.monotonic() - began
        done("given away")
        self._flip(campaign, to)
        done("flipped")
        self._open(campaign, source_cell, to)
        done("opened")
        return MoveResult(
            campaign=campaign, source=source_cell, target=to, events=events, seconds_held=seconds
        )

    def _follow(self, source: Kept, target: Kept, campaign: str) -> int:
        """Copy what the target lacks; returns the number of events."""
        here, there = (each.repository.store.head(campaign) for each in (source, target))
        if _same(here, there) and self._signed(source, campaign) == self._signed(target, campaign):
            return 0
        with TemporaryDirectory(prefix="arbitrator-") as folder:
            file = source.archives.export(campaign, Path(folder) / "move.zip").file
            with archive_reader.checked(file) as archive:
                return target.archives.import_(archive, past_the_fence=True).events

    def _give_away(
        self, source: Kept, target: Kept, campaign: str, source_cell: str, to: str, token: str
    ) -> int:
        """The step that decides: under the lock of the head, if nobody wrote since and the fence holds."""
        there = target.repository.store.head(campaign)
        notes = self._signed(target, campaign)
        with self._writing(source, campaign) as (connection, head):
            fence = fences.fence_of(connection, campaign)
            if fence is None or (fence.kind, fence.token) != ("held", token):
                raise MoveOvertaken(cell=source_cell)
            if not _same(head, there) or {*signed_notes.rows(connection, campaign)} != notes:
                fence_store.lift(connection, campaign)
                overtaken = True
            else:
                fence_store.put(connection, Fence(campaign=campaign, kind="moved", cell=to, token=token))
                overtaken = False
        if overtaken:
            raise MoveOvertaken(cell=source_cell)
        return head.size

    @contextmanager
    def _writing(self, tracker: Kept, campaign: str) -> Iterator[tuple[Connection, Head]]:
        with tracker.repository.store.exclusively(campaign) as store:
            yield store.connection, store.head(campaign)

    def _signed(self, tracker: Kept, campaign: str) -> set[Any]:
        with database.reading(tracker.engine) as connection:
            return {*signed_notes.rows(connection, campaign)}

    def _copy_webhooks(self, source: Kept, target: Kept, campaign: str) -> None:
        """Copy the webhooks, which are stored with the log because posts are saved with their entry."""
        copied: dict[Any, list[dict[str, Any]]] = {}
        with database.reading(source.engine) as connection:
            for table in (campaign_webhooks, webhook_outbox):
                rows = connection.execute(select(table).where(table.c.campaign_id == campaign)).mappings()
                copied[table] = [dict(row) for row in rows]
        with database.writing(target.engine) as connection:
            _drop_webhooks(connection, campaign)
            for table, kept in copied.items():
                if kept:
                    connection.execute(insert(table), kept)


def _same(here: Head, there: Head) -> bool:
    return (here.size, here.leaf_hex, here.frontier) == (there.size, there.leaf_hex, there.frontier)


def _drop_webhooks(connection: Connection, campaign: str) -> None:
    for table in (webhook_outbox, campaign_webhooks):
        connection.execute(delete(table).where(table.c.campaign_id == campaign))
