"""The command line as a test uses it: one campaign on a database of its own, run in process or as a process."""

import io
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from cli_reports import GANG_SHEETS, SEASON

from tracker.cli.main import outcome

ROOT = Path(__file__).parent.parent.parent


@dataclass(frozen=True)
class Ran:
    """What came of one command."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        """Standard output as a program reads it."""
        read: dict[str, Any] = json.loads(self.out)
        assert read["schema"].startswith("arbitrator/")
        return read


class Arbitrator:
    """`arbitrator("roster", "show")`, always on the same SQLite file."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "campaigns.db"

    def __call__(self, *args: str, stdin: str | bytes = b"", db: str | None = None) -> Ran:
        """Run a command in this process."""
        given = stdin.encode() if isinstance(stdin, str) else stdin
        out, err, before = io.StringIO(), io.StringIO(), sys.stdin
        sys.stdin = io.TextIOWrapper(io.BytesIO(given), encoding="utf-8")
        try:
            with redirect_stdout(out), redirect_stderr(err):
                code = outcome(["--db", db or str(self.file), *args])
        finally:
            sys.stdin = before
        assert "Traceback" not in out.getvalue() + err.getvalue()
        return Ran(code, out.getvalue(), err.getvalue())

    def done(self, *args: str, stdin: str | bytes = b"") -> Ran:
        """Run a command that has to work, without a word on standard error."""
        ran = self(*args, stdin=stdin)
        assert (ran.code, ran.err) == (0, "")
        return ran

    def read(self, *args: str) -> dict[str, Any]:
        """Run a reading command with --json."""
        return self.done(*args, "--json").json

    def refused(self, code: int, *args: str, stdin: str | bytes = b"") -> str:
        """Run a command that has to be refused and to leave every byte of the database; gives what was said."""
        before = self.contents()
        ran = self(*args, stdin=stdin)
        assert ran.code == code, ran.err
        assert ran.out == ""
        assert all(line.isprintable() for line in ran.err.split("\n"))
        assert self.contents() == before
        return ran.err

    def contents(self) -> bytes:
        """The database file, byte for byte."""
        return self.file.read_bytes() if self.file.exists() else b""

    def write(self, text: str | bytes, *, name: str = "report.yaml") -> str:
        """A file to hand to a command."""
        path = self.folder / name
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return str(path)

    def record(self, text: str, *options: str) -> Ran:
        """Record a report that has to be taken."""
        return self.done("battle", "record", self.write(text), *options)

    @property
    def head(self) -> dict[str, Any]:
        """Where the log stands."""
        shown = self.read("campaign", "show")
        return {key: shown[key] for key in ("entries", "events", "head")}

    def roster(self, *options: str) -> dict[str, dict[str, Any]]:
        """Every fighter's line, by id."""
        shown = self.read("roster", "show", *options)
        return {row["fighter"]: row for gang in shown["gangs"] for row in gang["fighters"]}


@dataclass(frozen=True)
class Command:
    """The command as a process of its own."""

    file: Path

    def environment(self, **changes: str) -> dict[str, str]:
        return {**os.environ, "TRACKER_DATABASE_URL": str(self.file), "PYTHONPATH": str(ROOT), **changes}

    def words(self, *args: str) -> list[str]:
        return [sys.executable, "-m", "tracker", *args]

    def __call__(self, *args: str, **changes: str) -> Ran:
        ran = subprocess.run(
            self.words(*args),
            env=self.environment(**changes),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        return Ran(ran.returncode, ran.stdout, ran.stderr)


@pytest.fixture
def empty(tmp_path: Path) -> Arbitrator:
    """No campaign, no database yet."""
    folder = tmp_path / "table"
    folder.mkdir()
    return Arbitrator(folder)


@pytest.fixture
def arbitrator(empty: Arbitrator, _played: dict[int, Path]) -> Arbitrator:
    """The campaign 'ash-wastes' with three gangs and no battle yet."""
    shutil.copy(_played[0], empty.file)
    return empty


@pytest.fixture
def season(empty: Arbitrator, _played: dict[int, Path]) -> Arbitrator:
    """The campaign after its two first battles."""
    shutil.copy(_played[2], empty.file)
    return empty


@pytest.fixture
def command(arbitrator: Arbitrator) -> Command:
    return Command(arbitrator.file)


@pytest.fixture(scope="session")
def _played(tmp_path_factory: pytest.TempPathFactory) -> dict[int, Path]:
    """Databases after no and after two battles: made once, through the command line, and copied."""
    folder = tmp_path_factory.mktemp("played")
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
        monkeypatch.delenv("TRACKER_CAMPAIGN", raising=False)
        table = Arbitrator(folder)
        begin(table)
        shutil.copy(table.file, folder / "0.db")
        for report in SEASON[:2]:
            table.record(report)
        shutil.copy(table.file, folder / "2.db")
    return {0: folder / "0.db", 2: folder / "2.db"}


def begin(table: Arbitrator, *options: str, sheets: Sequence[Path] = GANG_SHEETS) -> None:
    """Ash Wastes, with these gangs."""
    table.done("campaign", "new", "Ash Wastes", *options)
    for sheet in sheets:
        table.done("gang", "add", str(sheet))
