"""Where the last backup of each database went, as this user's data folder remembers it. Nothing depends on
it.
"""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path

from tracker.cli.session import data_folder


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
        found = _noted()[str(database.absolute())]
        return Path(found["file"]), datetime.fromisoformat(found["at"])
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
