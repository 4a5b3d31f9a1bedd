"""The command as a process: streams, signals, colour, and what help does not load."""

import json
import os
import pty
import signal
import subprocess
import sys
from pathlib import Path

import forked
import pytest
from cli_arbitrator import ROOT, Arbitrator, Command, Ran
from cli_reports import report
from exchange_files import exchange, hit

LATER_ONLY = {"sqlalchemy", "alembic", "pydantic", "rich", "ruamel", "psycopg", "msgspec", "ruamel.yaml"}


LOADING = """\
import contextlib, io, json, sys
from tracker.cli.main import outcome
loaded = []
for words in json.loads(sys.argv[1]):
    with contextlib.redirect_stdout(io.StringIO()):
        assert outcome(words) == 0, words
    loaded.append([*sys.modules])
print(json.dumps(loaded))
"""


def loaded(database: Path, *commands: tuple[str, ...]) -> dict[tuple[str, ...], set[str]]:
    """The modules that a process of its own has loaded after each of these commands, by its words."""
    ran = subprocess.run(
        [sys.executable, "-c", LOADING, json.dumps(commands)],
        env=Command(database).environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(zip(commands, map(set, json.loads(ran.stdout)), strict=True))


HELP = ("--help",), ("--version",)
READING = ("roster", "show"), ("standings", "show"), ("log", "show")


def test_help_and_what_needs_no_campaign_load_no_database(arbitrator: Arbitrator) -> None:
    file = arbitrator.write(exchange(hit("wound: [4]")))
    judging = ("judge", "--roll", file), ("odds", file), ("rules", "list", "--book", "all")
    after = loaded(arbitrator.file, *HELP, *judging)
    assert [after[words] & LATER_ONLY for words in HELP] == [set()] * 2
    databases = {"sqlalchemy", "alembic", "psycopg"}
    assert [after[words] & databases for words in judging] == [set()] * 3


def test_reading_loads_no_file_formats_and_a_roster_is_read_off_the_boards_alone(command: Command) -> None:
    """No command, event, decision or book: a roster has to be there at once, however many chapters there are."""
    after = loaded(command.file, *READING)
    formats = {"alembic", "pydantic", "ruamel", "ruamel.yaml", "psycopg"}
    assert [after[words] & formats for words in READING] == [set()] * 3
    chapters = (
        "tracker.campaign.records",
        "tracker.campaign.steps",
        "tracker.rules",
    )
    # Names, no tables.
    no_chapters = {f"tracker.rules{of}" for of in ("", ".dashes", ".glossary", ".provable_dice")}
    roster = after["roster", "show"]
    assert {name for name in roster if name.startswith(chapters)} <= no_chapters
    assert roster & {"tracker.service.repository", "tracker.campaign.evolve"} == set()
    assert roster & {"sqlalchemy", "asyncio", "alembic", "pydantic", "psycopg"} == set()


def test_a_process_that_leaves_at_once_has_written_everything_and_done_what_was_left_for_its_end(
    command: Command, tmp_path: Path
) -> None:
    left = tmp_path / "left"
    program = (
        "import atexit, runpy, sys\nfrom pathlib import Path\n"
        "atexit.register(Path(sys.argv.pop(1)).touch)\nrunpy.run_module('tracker', run_name='__main__')"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(left), "roster", "show", "nobody", "--json"],
        env=command.environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    refusal = Ran(ran.returncode, ran.stdout, ran.stderr).json
    assert (ran.returncode, refusal["exit_code"]) == (2, 2)
    assert refusal["message"] in ran.stderr
    assert left.exists()


def test_help_names_every_noun_and_the_exit_codes(command: Command) -> None:
    ran = command("--help")
    assert (ran.code, ran.err) == (0, "")
    for word in ("campaign", "dispute", "doctor", "Exit codes: 0 done", "130 stopped by Ctrl-C"):
        assert word in ran.out


def test_errors_leave_standard_output_empty_but_for_the_object_of_a_refusal(command: Command) -> None:
    ran = command("fighter", "show", "kurg")
    assert (ran.code, ran.out) == (2, "")
    assert "Did you mean 'krug'?" in ran.err
    again = command("fighter", "show", "kurg", "--json")
    assert (again.code, again.err) == (2, ran.err)
    assert again.json["facts"]["fighter"] == "kurg"


def test_a_reader_who_has_had_enough_is_no_error(arbitrator: Arbitrator, command: Command) -> None:
    file = arbitrator.write(report("b1", *["experience: {fighter: pip, amount: 1, reason: held on}"] * 500))
    arbitrator.done("battle", "record", file)
    reader, writer = os.pipe()
    os.close(reader)
    for words in (("log", "show", "--all"), ("log", "show", "--all", "--json"), ("--help",)):
        ran = forked.command(words, command.environment(), streams={1: writer}).ended()
        assert (ran.returncode, ran.stderr) == (0, b"")
    os.close(writer)


def test_ctrl_c_leaves_with_130_and_writes_nothing(arbitrator: Arbitrator, command: Command) -> None:
    before = arbitrator.contents()
    process = subprocess.Popen(
        [sys.executable, "-c", WAITING, "battle", "record", "-"],
        env=command.environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stderr is not None
    assert process.stderr.readline() == "reading\n"
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert (process.returncode, out) == (130, "")
    assert "Stopped." in err
    assert "Traceback" not in err
    assert arbitrator.contents() == before


# Whoever runs the tests in the background of a shell leaves SIGINT ignored for all that they start.
WAITING = """\
import io, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from tracker.cli.main import run
class Typed(io.RawIOBase):
    def readable(self): return True
    def readinto(self, buffer):
        print('reading', file=sys.stderr, flush=True)
        return sys.__stdin__.buffer.raw.readinto(buffer)
sys.stdin = io.TextIOWrapper(Typed())
run(sys.argv[1:])
"""


def on_terminal(command: Command, *words: str, **changes: str) -> str:
    """What a command prints on a terminal of 200 columns."""
    ours, theirs = pty.openpty()
    environment = command.environment(**{"TERM": "xterm-256color", "COLUMNS": "200", **changes})
    if not changes:
        environment.pop("NO_COLOR", None)
    process = forked.command(words, environment, streams={0: theirs, 1: theirs, 2: theirs})
    os.close(theirs)
    output = b""
    try:
        while part := os.read(ours, 65_536):
            output += part
    except OSError:  # the command is done and its end is closed
        pass
    os.close(ours)
    assert process.ended().returncode in (0, 1, 2)
    return output.decode()


def test_colour_is_for_terminals_and_never_against_no_color(command: Command) -> None:
    assert "\x1b[" in on_terminal(command, "roster", "show")
    assert "\x1b" not in on_terminal(command, "roster", "show", NO_COLOR="1")
    assert "\x1b" not in on_terminal(command, "roster", "show", TERM="dumb")
    assert "\x1b" not in command("roster", "show").out


@pytest.mark.parametrize(
    "words", [("dispute", "show", "\x1b[2J"), ("fighter", "show", "\x1b]0;x\x07"), ("\x1b[2J",)], ids=repr
)
def test_nothing_typed_steers_the_terminal(command: Command, words: tuple[str, ...]) -> None:
    assert "\x1b" not in on_terminal(command, *words, NO_COLOR="1")


def test_bytes_that_are_no_text_are_refused(command: Command) -> None:
    ran = command("fighter", "show", os.fsdecode(b"\xff\xfe"))
    assert (ran.code, ran.out) == (2, "")
    assert "not UTF-8" in ran.err


def test_the_default_database_is_made_in_the_data_folder(command: Command, tmp_path: Path) -> None:
    environment = command.environment(XDG_DATA_HOME=str(tmp_path / "mine"))
    del environment["TRACKER_DATABASE_URL"]
    new = command.words("campaign", "new", "Ash Wastes")
    subprocess.run(new, env=environment, check=True, capture_output=True, cwd=tmp_path)
    assert forked.command(("campaign", "show"), environment).ended().returncode == 0
    made = sorted(path.name for path in (tmp_path / "mine" / "campaign-tracker").iterdir())
    assert "campaigns.db" in made
    assert "chosen-campaign" in made
    assert ROOT not in (tmp_path, *tmp_path.parents)
