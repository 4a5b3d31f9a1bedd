"""Maintenance of a database: upgrade it, restore a lost revision, back it up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from tracker.log import backup, database
from tracker.log.revisions import RevisionLost

T = TypeVar("T")


def upgrade(url: str) -> str:
    """Bring a database to this program's revision, and return that."""
    database.upgrade(url)
    return current(url)[1]


def current(url: str) -> tuple[str | None, str]:
    """The revision of a database (None before the first), and the one that this program needs."""
    return database.current(url)


def back_up(url: str, file: Path) -> Path:
    """Copy a database while it is in use, and verify the copy; returns the path of the database itself."""
    backup.backup(url, file)
    return Path(str(database.address_of(url).database))


def with_revision(url: str, opened: Callable[[], T]) -> T:
    """The result of `opened`; a lost revision is restored first."""
    try:
        return opened()
    except RevisionLost:
        database.find_revision(url)
        return opened()
