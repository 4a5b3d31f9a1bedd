"""What is saved is reported as saved, whatever becomes of the output; and Ctrl-C comes before the commit or after it."""

import importlib
import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import ModuleType

import forked
import pytest
from cli_arbitrator import Arbitrator, Command, Ran
from cli_reports import SEASON

FULL = Path("/dev/full")
NO_FULL = pytest.mark.skipif(not FULL.exists(), reason="no /dev/full here")
AWARD = ("fighter", "award", "krug", "--xp", "1", "--reason", "held on")


def in_shell(
    command: Command, redirected: str, *words: str, **changes: str
) -> subprocess.CompletedProcess[bytes]:
    """The command under a shell, which closes and redirects what `redirected` says."""
    return subprocess.run(
        ["sh", "-c", f'exec "$@" {redirected}', "sh", *command.words(*words)],
        env=command.environment(**changes),
        capture_output=True,
        timeout=60,
        check=False,
    )


def redirected_to(
    command: Command, redirected: str, *words: str, **changes: str
) -> subprocess.CompletedProcess[bytes]:
    """The same in a fork of this process, which costs no start."""
    return forked.command(words, command.environment(**changes), redirected=redirected).ended()


Run = Callable[..., subprocess.CompletedProcess[bytes]]


def entries(arbitrator: Arbitrator) -> int:
    count: int = arbitrator.head["entries"]
    return count


@pytest.mark.parametrize(
    ("run", "redirected", "why"),
    [
        pytest.param(in_shell, ">/dev/full", "No space left on device", marks=NO_FULL),
        (redirected_to, ">&-", "it is closed"),
    ],
)
def test_what_was_recorded_and_could_not_be_shown_is_shown_as_recorded(
    arbitrator: Arbitrator, command: Command, run: Run, redirected: str, why: str
) -> None:
    before = entries(arbitrator)
    ran = run(command, redirected, *AWARD)
    assert entries(arbitrator) == before + 1
    said = f"arbitrator: Recorded as entry {before + 1}; could not be shown: {why}. See it with: arbitrator"
    assert (ran.returncode, ran.stderr.decode()) == (
        5,
        f"{said} --db {arbitrator.file} --campaign ash-wastes log entry {before + 1}\n",
    )


def test_a_report_of_several_entries_says_which_were_recorded(
    arbitrator: Arbitrator, command: Command
) -> None:
    before = entries(arbitrator)
    ran = redirected_to(command, ">&-", "battle", "record", arbitrator.write(SEASON[0]))
    after = entries(arbitrator)
    assert ran.returncode == 5
    assert f"Recorded as entries {before + 1} to {after}; could not be shown".encode() in ran.stderr
    assert ran.stderr.decode().endswith(f"log show --since {before + 1}\n")


def test_a_reader_who_left_is_no_error_but_where_something_was_recorded(
    arbitrator: Arbitrator, command: Command
) -> None:
    def into_a_closed_pipe(*words: str) -> subprocess.CompletedProcess[bytes]:
        reader, writer = os.pipe()
        os.close(reader)
        try:
            return forked.command(words, command.environment(), streams={1: writer}).ended()
        finally:
            os.close(writer)

    read, written = into_a_closed_pipe("roster", "show"), into_a_closed_pipe(*AWARD)
    assert (read.returncode, read.stderr) == (0, b"")
    assert written.returncode == 5
    assert b"could not be shown: nobody reads it any more." in written.stderr
    with closing(sqlite3.connect(arbitrator.file)) as connection, connection:
        connection.execute("DELETE FROM board_fighters")
    assert into_a_closed_pipe("boards", "verify").returncode == 4


@NO_FULL
def test_an_answer_that_cannot_be_shown_is_no_fault_of_the_program(
    arbitrator: Arbitrator, command: Command
) -> None:
    for words in (("roster", "show"), ("log", "show", "--json"), ("--help",)):
        for redirected, why in ((">/dev/full", b"No space left"), (">&-", b"it is closed")):
            ran = redirected_to(command, redirected, *words)
            assert ran.returncode == 2, ran
            assert ran.stderr.startswith(b"arbitrator: The answer could not be shown: " + why), ran
            assert ran.stderr.endswith(b". Nothing was recorded.\n"), ran


@pytest.mark.parametrize("redirected", ["2>&-", pytest.param("2>/dev/full", marks=NO_FULL)])
def test_a_closed_standard_error_changes_no_exit_code(
    arbitrator: Arbitrator, command: Command, redirected: str
) -> None:
    before = entries(arbitrator)
    assert redirected_to(command, redirected, *AWARD).returncode == 0
    assert redirected_to(command, f">&- {redirected}", *AWARD).returncode == 5
    assert redirected_to(command, redirected, "fighter", "show", "nobody").returncode == 2
    assert entries(arbitrator) == before + 2


def test_all_streams_closed_still_leave_the_database_whole(arbitrator: Arbitrator, command: Command) -> None:
    before = entries(arbitrator)
    assert in_shell(command, "<&- >&- 2>&-", *AWARD).returncode == 5
    assert entries(arbitrator) == before + 1
    arbitrator.done("audit", "verify")


def test_nothing_written_because_the_rules_refuse_stays_so(arbitrator: Arbitrator, command: Command) -> None:
    before = arbitrator.contents()
    ran = redirected_to(command, ">&-", "fighter", "retire", "nobody", "--reason", "gone")
    assert (ran.returncode, b"Recorded" in ran.stderr) == (2, False)
    assert arbitrator.contents() == before


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "ascii:strict"])
def test_letters_that_the_terminal_lacks_are_written_as_json_writes_them(
    arbitrator: Arbitrator, command: Command, encoding: str
) -> None:
    ran = command("fighter", "rename", "krug", "--name", "Kr\u014dg \U0001f600", PYTHONIOENCODING=encoding)
    assert (ran.code, ran.err) == (0, "")
    assert r"Kr\u014dg \ud83d\ude00" in ran.out
    shown = command("fighter", "show", "krug", "--json", PYTHONIOENCODING=encoding)
    assert shown.json["fighter"]["name"] == "Kr\u014dg \U0001f600"


def test_a_backup_that_could_not_be_shown_is_shown_as_made(arbitrator: Arbitrator, command: Command) -> None:
    ran = redirected_to(command, ">&-", "db", "backup", str(arbitrator.folder / "copy.db"))
    assert ran.returncode == 5
    assert b"Backed up and verified" in ran.stderr
    assert (arbitrator.folder / "copy.db").exists()
    for words in (("boards", "rebuild"), ("campaign", "use", "ash-wastes"), ("db", "upgrade")):
        assert redirected_to(command, ">&-", *words).returncode == 5


def test_a_question_that_nobody_can_answer_ends_with_a_sentence(
    arbitrator: Arbitrator, command: Command
) -> None:
    before = arbitrator.contents()
    played = redirected_to(command, "<&-", "battle", "play", str(arbitrator.folder / "night.yaml"))
    assert (played.returncode, b"Nobody can answer" in played.stderr) == (2, True), played
    recorded = redirected_to(command, "<&-", "battle", "record", "-")
    assert (recorded.returncode, b"standard input cannot be read: it is closed" in recorded.stderr) == (
        2,
        True,
    )
    assert redirected_to(command, "<&-", "roster", "show").returncode == 0
    assert arbitrator.contents() == before


# Ctrl-C at a chosen moment: just before the commit, in it, just after it, and while the receipt is printed.
AT = """\
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
import sqlalchemy.engine.default as default
import tracker.cli.receipts as receipts
from tracker.log.store import EventStore
from tracker.cli.main import run
moment = sys.argv.pop(1)
def around(owner, name, before, after):
    usual = getattr(owner, name)
    def wrapped(*args, **kwargs):
        if before: os.kill(os.getpid(), signal.SIGINT)
        given = usual(*args, **kwargs)
        if after: os.kill(os.getpid(), signal.SIGINT)
        return given
    setattr(owner, name, wrapped)
appended = EventStore.append
def append(*args, **kwargs):
    if moment == "before": os.kill(os.getpid(), signal.SIGINT)
    receipt = appended(*args, **kwargs)
    around(default.DefaultDialect, "do_commit", moment == "within", moment == "behind")
    return receipt
EventStore.append = append
if moment == "shown": around(receipts, "show", True, False)
if moment == "twice":
    around(receipts, "show", True, False)
    import tracker.cli.main as main
    around(main, "say", True, True)
run(sys.argv[1:])
"""


@pytest.mark.parametrize("moment", ["before", "within", "behind", "shown", "twice"])
def test_ctrl_c_comes_before_the_commit_or_says_what_was_recorded(
    arbitrator: Arbitrator, command: Command, moment: str
) -> None:
    before = entries(arbitrator)
    words = [moment, "battle", "record", arbitrator.write(SEASON[0])]
    done = forked.program(AT, words, command.environment()).ended()
    ran = Ran(done.returncode, done.stdout.decode(), done.stderr.decode())
    after = entries(arbitrator)
    if moment == "before":
        assert (ran.code, ran.out) == (130, "")
        assert ran.err.strip() == "arbitrator: Stopped. Nothing was recorded."
        assert after == before
    else:
        assert ran.code == 5, ran
        assert after > before + 1
        assert f"Recorded as entries {before + 1} to {after}; stopped before all of it was shown." in ran.err
        assert len(ran.err.strip().splitlines()) == 1
    arbitrator.done("audit", "verify")


def test_a_fault_after_the_commit_tells_what_was_recorded(arbitrator: Arbitrator, command: Command) -> None:
    program = (
        "import sys, tracker.cli.receipts as receipts\nfrom tracker.cli.main import run\n"
        "def show(_): raise ZeroDivisionError\nreceipts.show = show\nrun(sys.argv[1:])"
    )
    before = entries(arbitrator)
    words = ["battle", "record", arbitrator.write(SEASON[0])]
    ran = forked.program(program, words, command.environment()).ended()
    said = ran.stderr.decode()
    assert ran.returncode == 5
    assert re.match(rf"arbitrator: Recorded as entries {before + 1} to \d+; not all of it was shown\.", said)
    assert "This is a fault of the program" in said


def test_a_noun_that_cannot_be_read_in_names_what_is_missing(
    arbitrator: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    def no_such_module(name: str) -> ModuleType:
        raise ModuleNotFoundError(f"No module named {name!r}")

    monkeypatch.setattr(importlib, "import_module", no_such_module)
    said = arbitrator("roster", "show")
    assert (said.code, said.out) == (70, "")
    assert "(ModuleNotFoundError)" in said.err


@pytest.mark.parametrize("module", ["tracker.cli.main", "click", "tracker.service", "sqlalchemy"])
def test_ctrl_c_while_the_program_is_read_in_prints_no_traceback(command: Command, module: str) -> None:
    ran = subprocess.run(
        [sys.executable, "-c", STARTING, module, "log", "show"],
        env=command.environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (130, "")
    assert ran.stderr.strip() in ("", "arbitrator: Stopped. Nothing was recorded.")


STARTING = """\
import os, runpy, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
module = sys.argv.pop(1)
class Stopping:
    def find_spec(self, name, path=None, target=None):
        if name == module: os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Stopping())
runpy.run_module("tracker", run_name="__main__")
"""
