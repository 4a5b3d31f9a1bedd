"""`arbitrator daemon`: the same answers from a process that has the program read in, for its user alone."""

import os
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator, begin
from cli_reports import SEASON

from tracker.resident import client

QUICK = """
import sys
from pathlib import Path
from tracker.resident import client, daemon
daemon._IMPORTED_PARTS = ()
daemon.begin(Path(client.socket_of_resident()), seconds=float(sys.argv[1]))
"""
"""A resident that has read nothing in: its first command takes longer, which is nothing to these tests."""
WITHIN = 60.0

pytestmark = pytest.mark.slow


class Terminal:
    """Commands as processes, with their own folders; the resident is theirs where there is one."""

    def __init__(self, folder: Path, listens: Path) -> None:
        self.folder, self.listens = folder, listens
        self.settings = {
            name: value for name, value in os.environ.items() if not name.startswith("TRACKER_")
        } | {
            "XDG_DATA_HOME": str(folder / "data"),
            "XDG_RUNTIME_DIR": str(listens),
            "TRACKER_DATABASE_URL": str(folder / "campaigns.db"),
            "TZ": "UTC",
            "COLUMNS": "80",
            "NO_COLOR": "1",
            "PAGER": "cat",
        }

    def words(self, *words: str) -> list[str]:
        return [sys.executable, "-m", "tracker", *words]

    def ran(self, *words: str, stdin: bytes = b"", **changed: str) -> tuple[int, bytes, bytes]:
        """Exit code, output and errors."""
        command = subprocess.run(
            self.words(*words),
            env=self.settings | changed,
            input=stdin,
            capture_output=True,
            check=False,
            timeout=WITHIN,
            cwd=self.folder,
        )
        return command.returncode, command.stdout, command.stderr

    def begin(self, *, seconds: float = 600) -> None:
        subprocess.run(
            [sys.executable, "-c", QUICK, str(seconds)], env=self.settings, check=True, timeout=WITHIN
        )
        # It listens by now; one that nobody asks may have ended already.
        until(lambda: self.process is not None or self.socket is None)

    def end(self) -> None:
        if self.process is not None:
            os.kill(self.process, signal.SIGTERM)

    @property
    def socket(self) -> Path | None:
        return next((self.listens / "campaign-tracker").glob("*.sock"), None)

    @property
    def process(self) -> int | None:
        files = [*self.listens.rglob("*.pid")]
        said = files[0].read_text() if files else ""
        return int(said) if said else None


def until(holds: Callable[[], object]) -> None:
    over = time.monotonic() + WITHIN
    while not holds():
        assert time.monotonic() < over
        time.sleep(0.02)


@contextmanager
def terminal_in(folder: Path) -> Iterator[Terminal]:
    """The folder of a test may have a longer name than a socket can have."""
    with tempfile.TemporaryDirectory(prefix="r") as listens:
        terminal = Terminal(folder, Path(listens))
        yield terminal
        terminal.end()


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    """One campaign, and a resident; a test that changes either has its own."""
    with terminal_in(tmp_path_factory.mktemp("resident")) as terminal:
        _begin(terminal)
        yield terminal


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Terminal]:
    with terminal_in(tmp_path) as terminal:
        yield terminal


def _begin(terminal: Terminal) -> None:
    with pytest.MonkeyPatch.context() as monkeypatch:
        monkeypatch.setenv("XDG_DATA_HOME", terminal.settings["XDG_DATA_HOME"])
        monkeypatch.delenv("TRACKER_CAMPAIGN", raising=False)
        table = Arbitrator(terminal.folder)
        begin(table)
        table.record(SEASON[0])
    terminal.begin()


@pytest.fixture
def here(terminal: Terminal, monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """This very process asks the resident: a process less for each question whether it was asked."""
    for name, value in terminal.settings.items():
        monkeypatch.setenv(name, value)
    monkeypatch.delenv("TRACKER_NO_DAEMON", raising=False)
    for name in set(os.environ) - set(terminal.settings):
        monkeypatch.delenv(name)
    numbers = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGTSTP)
    before = [signal.getsignal(number) for number in numbers]
    yield monkeypatch
    for number, handler in zip(numbers, before, strict=True):
        signal.signal(number, handler)


@pytest.mark.parametrize(
    "words",
    [
        ("roster", "show"),
        ("roster", "show", "krug", "--json"),
        ("roster", "show", "nobody"),
        ("roster", "shwo"),
        ("log", "show", "--format", "csv"),
        ("--version",),
    ],
    ids=" ".join,
)
def test_the_same_words_are_answered_the_same(
    terminal: Terminal,
    here: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
    words: tuple[str, ...],
) -> None:
    code = client.run_on_resident([*words])
    asked = capfd.readouterr()
    ran = Arbitrator(terminal.folder)(*words)
    assert (code, asked.out, asked.err) == (ran.code, ran.out, ran.err)


def test_the_resident_is_who_answers_and_here_only_where_it_does_not(
    terminal: Terminal, here: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    assert client.run_on_resident(["roster", "show", "krug"]) == 0
    assert "Krug the Anvil" in capfd.readouterr().out
    assert client.run_on_resident(["roster", "show", "nobody"]) == 2
    assert "nobody" in capfd.readouterr().err
    for kept in (["serve"], ["daemon", "--stop"]):
        assert client.run_on_resident(kept) is None
    for name, value in (("TZ", "Asia/Tokyo"), ("LC_ALL", "de_DE.UTF-8"), ("TRACKER_NO_DAEMON", "1")):
        with here.context() as otherwise:
            otherwise.setenv(name, value)
            assert client.run_on_resident(["--version"]) is None, "what a program reads once is otherwise"
    folder = Path(terminal.settings["XDG_RUNTIME_DIR"]) / "campaign-tracker"
    folder.chmod(0o755)
    assert client.run_on_resident(["--version"]) is None, "anybody might listen there"
    folder.chmod(0o700)
    assert client.run_on_resident(["--version"]) == 0


def test_folder_settings_and_standard_input_are_those_of_who_asks(terminal: Terminal) -> None:
    (terminal.folder / "third.yaml").write_text(SEASON[1], encoding="utf-8")
    assert terminal.ran("battle", "record", "third.yaml")[0] == 0
    code, said, _ = terminal.ran("battle", "record", "-", stdin=SEASON[1].encode())
    assert (code, b"nothing new was written" in said) == (0, True)
    code, _, wrong = terminal.ran("roster", "show", TRACKER_CAMPAIGN="sump")
    assert (code, b"sump" in wrong) == (2, True)


def test_only_its_user_can_reach_it(terminal: Terminal) -> None:
    assert terminal.socket is not None
    for file in (terminal.socket, terminal.socket.parent):
        assert not stat.S_IMODE(file.stat().st_mode) & 0o077, file


@contextmanager
def waiting(terminal: Terminal) -> Iterator[subprocess.Popen[bytes]]:
    """A command that the resident runs, and that waits for its standard input."""
    asking = subprocess.Popen(
        terminal.words("judge", "-"),
        env=terminal.settings,
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=terminal.folder,
    )
    with asking:
        until(lambda: running(terminal))
        yield asking


def test_ctrl_c_reaches_the_command(terminal: Terminal) -> None:
    with waiting(terminal) as asking:
        time.sleep(0.2)  # so that it has come to reading, where it waits
        asking.send_signal(signal.SIGINT)
        assert asking.wait(WITHIN) == 130


def test_a_command_that_is_killed_is_said_to_be(terminal: Terminal) -> None:
    with waiting(terminal) as asking:
        os.kill(running(terminal)[0], signal.SIGKILL)
        assert asking.wait(WITHIN) == client.KILLED
        assert asking.stderr is not None
        assert b"nobody knows how far it came" in asking.stderr.read()


def running(terminal: Terminal) -> list[int]:
    """The commands that the resident runs now and that have been taken."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            fields = (process / "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == terminal.process and fields[0] != "Z":
            found.append(int(process.name))
    return found


def test_it_ends_when_nobody_asks(own: Terminal) -> None:
    own.begin(seconds=0.2)
    until(lambda: own.socket is None)
    assert own.ran("--version")[0] == 0


def test_it_ends_when_the_program_changes(own: Terminal) -> None:
    libraries = own.folder / "libraries"
    libraries.mkdir()
    own.settings["PYTHONPATH"] = f"{libraries}{os.pathsep}{os.environ.get('PYTHONPATH', '')}"
    own.begin()
    (libraries / "new.py").touch()
    assert own.ran("--version")[0] == 0, "it is answered here"
    until(lambda: own.socket is None)


def test_it_is_begun_and_ended_by_its_command(own: Terminal) -> None:
    assert own.ran("daemon", "--stop")[:2] == (0, b"There was none.\n")
    assert b"Commands are quick from now on." in own.ran("daemon")[1]
    assert b"It runs already." in own.ran("daemon")[1]
    assert own.ran("gang", "list")[2] == own.ran("gang", "list", TRACKER_NO_DAEMON="1")[2]
    assert own.ran("daemon", "--stop")[:2] == (0, b"It is ended.\n")
    assert own.socket is None


def test_a_socket_that_nobody_listens_at_any_more_is_passed_by(own: Terminal) -> None:
    own.begin()
    assert own.process is not None
    os.kill(own.process, signal.SIGKILL)
    assert own.ran("--version")[0] == 0
    own.begin()
    assert own.ran("--version")[0] == 0
