"""The database: upgrade it, show its revision, back it up."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

import click

from tracker.cli.options import as_json, pass_session, show
from tracker.cli.session import Session, data_folder
from tracker.reports.health import revision_page
from tracker.service import maintenance


def remember(database: Path, copy: Path) -> None:
    """Note a backup that has just been made. Where the folder cannot be written, nothing is noted."""
    noted = _noted()
    noted[str(database.absolute())] = {
        "file": str(copy.absolute()),
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    try:
        data_folder().mkdir(parents=True, exist_ok=True)
        _page().write_text(json.dumps(noted, indent=1, sort_keys=True), encoding="utf-8")
    except OSError:
        return


def last_of(database: Path) -> tuple[Path, datetime] | None:
    """The last backup that this user made of a database and when; None when none is known."""
    try:
        noted = _noted()[str(database.absolute())]
        return Path(noted["file"]), datetime.fromisoformat(noted["at"])
    except (KeyError, TypeError, ValueError):
        return None


def _noted() -> dict[str, dict[str, str]]:
    try:
        noted = json.loads(_page().read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return noted if isinstance(noted, dict) else {}


def _page() -> Path:
    return data_folder() / "backups.json"


@click.group("db")
def command() -> None:
    """Upgrade or back up the database; show its revision."""


@command.command("upgrade")
@pass_session
def upgrade(session: Session) -> None:
    """Upgrade the database to what this program needs.

    An SQLite file is upgraded on first use anyway.

    \b
    arbitrator db upgrade
    """
    session.make_folder()
    revision = maintenance.upgrade(session.url)
    session.note("The database is upgraded")
    show(f"The database is at revision {revision}.")


@command.command("current")
@as_json
@pass_session
def current(session: Session, as_json: bool) -> None:
    """Show the database's revision and the one needed.

    \b
    arbitrator db current
    """
    revision, newest = maintenance.current(session.url)
    show(revision_page(revision, newest), as_json=as_json)


@command.command("backup")
@click.argument("file", type=click.Path(path_type=Path))
@pass_session
def back_up(session: Session, file: Path) -> None:
    """Copy the database to FILE while it is in use.

    The copy is verified before it gets its name.

    \b
    arbitrator db backup campaigns-2026-03-14.db
    """
    database = maintenance.back_up(session.url, file)
    session.note(f"Backed up and verified, as {file}")
    remember(database, file)
    show(f"Backed up and verified: {file}")
