"""The command line as a test uses it: on a database of its own, run in this process or as one of its own."""

import io
import json
import os
import sqlite3
import sys
from collections.abc import Hashable, Iterator, Sequence
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import forked
import pytest
from cli_reports import GANG_SHEETS

from tracker.cli.main import outcome
from tracker.cli.session import Session

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
                code = outcome([*self.where(db), *args])
        finally:
            sys.stdin = before
        assert "Traceback" not in out.getvalue() + err.getvalue()
        return Ran(code, out.getvalue(), err.getvalue())

    def where(self, db: str | None) -> list[str]:
        """The words that say where the campaigns are kept."""
        return ["--db", db or str(self.file)]

    def done(self, *args: str, stdin: str | bytes = b"") -> Ran:
        """Run a command that has to work, without a word on standard error."""
        ran = self(*args, stdin=stdin)
        assert (ran.code, ran.err) == (0, ""), ran.err
        return ran

    def read(self, *args: str) -> dict[str, Any]:
        """Run a reading command with --json."""
        return self.done(*args, "--json").json

    def refused(self, code: int, *args: str, stdin: str | bytes = b"") -> str:
        """Run a command that has to be refused and to leave every byte of the database; gives what was said."""
        before = self.contents()
        ran = self(*args, stdin=stdin)
        assert ran.code == code, ran.err
        if "--json" in args:
            refusal = ran.json
            assert (refusal["schema"], refusal["exit_code"]) == ("arbitrator/refusal/1", code)
            assert refusal["message"] in ran.err
        else:
            assert ran.out == ""
        assert all(line.isprintable() for line in ran.err.split("\n"))
        assert self.contents() == before
        return ran.err

    def seen(self) -> tuple[str, str]:
        """The words of somebody who has looked at a preview of the log as it stands."""
        return ("--expect-head", str(self.head["events"]))

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
        """Where the log stands; `campaign show` is asked only where the file holds not one campaign."""
        logs = []
        if self.file.exists():
            with closing(sqlite3.connect(self.file)) as connection:
                logs = connection.execute("SELECT entries, size, lower(hex(leaf)) FROM heads").fetchall()
        if len(logs) == 1:
            return dict(zip(("entries", "events", "head"), logs[0], strict=True))
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
        ran = forked.command(args, self.environment(**changes)).ended()
        return Ran(ran.returncode, ran.stdout.decode(), ran.stderr.decode())


@contextmanager
def begun(folder: Path) -> Iterator[Arbitrator]:
    """Ash Wastes in that folder, for a fixture that lasts longer than a test: the machine's own data folder
    and campaign are left alone.
    """
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("XDG_DATA_HOME", str(folder / "data"))
        monkeypatch.delenv("TRACKER_CAMPAIGN", raising=False)
        table = Arbitrator(folder)
        begin_anew(table)
        yield table


def played(folder: Path, *reports: str) -> Path:
    """A database with Ash Wastes after these battles, for a fixture that lasts longer than a test."""
    with begun(folder) as table:
        for report in reports:
            table.record(report)
    return table.file


_begun: dict[Hashable, bytes] = {}
_given: dict[str, set[Hashable]] = {}


def begin(
    table: Arbitrator,
    *options: str,
    sheets: Sequence[Path] = GANG_SHEETS,
    reports: Sequence[Path | str] = (),
) -> None:
    """Ash Wastes, with these gangs, after these battles; a file named `.after.yaml` is what followed one.

    It is played for the first test of a process that asks for it, and copied for the others. Who asks twice in one
    test gets another campaign the second time, so that one is played too.
    """
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    if test not in _given:
        _given.clear()
    given = _given.setdefault(test, set())
    what = (options, tuple((sheet.name, sheet.read_bytes()) for sheet in sheets), tuple(reports))
    if not test or what in given or what not in _begun or table.file.exists():
        begin_anew(table, *options, sheets=sheets, reports=reports)
        _begun.setdefault(what, table.contents())
    else:
        table.file.write_bytes(_begun[what])
        Session(db=str(table.file), campaign=None, actor=None).choose("ash-wastes")
    given.add(what)


def begin_anew(
    table: Arbitrator,
    *options: str,
    sheets: Sequence[Path] = GANG_SHEETS,
    reports: Sequence[Path | str] = (),
) -> None:
    """The same, played always: for whoever plays outside a test, or on a server, which has no file to copy."""
    table.done("campaign", "new", "Ash Wastes", *options)
    for sheet in sheets:
        table.done("gang", "add", str(sheet))
    for report in reports:
        file = str(report) if isinstance(report, Path) else table.write(report)
        table.done("battle", "post" if file.endswith(".after.yaml") else "record", file)
