"""Long pages go through the pager, where somebody reads at a terminal. No test here starts one that waits."""

from __future__ import annotations

import os
import pty
import shlex
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import forked
import pytest
from cli_arbitrator import Arbitrator, Command

from tracker.cli import pager

MARK = "import sys; sys.stdout.writelines('paged: ' + line for line in sys.stdin)"
MARKED = shlex.join([sys.executable, "-c", MARK])
"""A pager that marks every line that goes through it, and waits for nobody."""
LONG = "\n".join(f"line {number}" for number in range(1, 41))

Shown = Callable[..., str]


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Shown:
    """What comes of a text on a terminal of ten lines, with this pager."""

    def through(text: str = LONG, *, at_terminal: bool = True, **environment: str) -> str:
        with monkeypatch.context() as patched:
            for name, value in {"LINES": "10", "TERM": "xterm", "PAGER": MARKED, **environment}.items():
                patched.setenv(name, value)
            patched.setattr(sys.stdin, "isatty", lambda: at_terminal)
            patched.setattr(sys.stdout, "isatty", lambda: at_terminal)
            pager.show_text(text)
        sys.stdout.flush()
        return capfd.readouterr().out

    return through


def test_a_text_longer_than_the_screen_goes_through_the_pager(shown: Shown) -> None:
    assert shown() == "".join(f"paged: {line}\n" for line in LONG.splitlines())


def test_a_text_that_the_screen_holds_is_printed(shown: Shown) -> None:
    assert shown("one\ntwo") == "one\ntwo\n"
    assert shown(LINES="80") == f"{LONG}\n"


@pytest.mark.parametrize(
    "environment",
    [{"NO_PAGER": "1"}, {"PAGER": "cat"}, {"PAGER": ""}, {"PAGER": "'open"}, {"TERM": "dumb"}],
    ids=str,
)
def test_no_pager_where_none_is_wanted(shown: Shown, environment: dict[str, str]) -> None:
    assert shown(**environment) == f"{LONG}\n"


def test_no_pager_where_no_terminal_is(shown: Shown) -> None:
    assert shown(at_terminal=False) == f"{LONG}\n"


def test_a_pager_that_is_not_there_is_none(shown: Shown) -> None:
    assert shown(PAGER="no-such-pager-here") == f"{LONG}\n"


def test_a_pager_that_ends_before_all_is_read_is_no_fault(shown: Shown) -> None:
    assert shown("much\n" * 100_000, PAGER=shlex.join([sys.executable, "-c", ""])) == ""


def test_less_ends_by_itself_where_all_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: "/usr/bin/less")
    monkeypatch.delenv("PAGER")
    assert pager.program() == ["less", "-F", "-R", "-X"]
    monkeypatch.setenv("PAGER", "/usr/local/bin/less -S")
    assert pager.program() == ["/usr/local/bin/less", "-S", "-F", "-R", "-X"]
    monkeypatch.setenv("PAGER", "most -w")
    assert pager.program() == ["most", "-w"]


def test_without_less_nothing_is_started_of_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.delenv("PAGER")
    assert pager.program() == []


# --- commands --------------------------------------------------------------------------------------------


@pytest.fixture
def paged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that a command gave to be read at length."""
    texts: list[str] = []
    monkeypatch.setattr(pager, "show_text", texts.append)
    return texts


def test_pages_are_to_be_read_at_length(season: Arbitrator, paged: list[str]) -> None:
    assert season.done("log", "show").out == ""
    assert season.done("help", "dispute", "rule").out == ""
    assert "Ash Wastes" in paged[0]
    assert "dispute rule" in paged[1]


@pytest.mark.parametrize(
    "words",
    [("--no-pager", "log", "show"), ("log", "show", "--no-pager"), ("log", "show", "--json")],
    ids=" ".join,
)
def test_nothing_is_paged_against_the_option_or_for_a_program(
    season: Arbitrator, paged: list[str], words: tuple[str, ...]
) -> None:
    assert "Ash Wastes" in season.done(*words).out
    assert paged == []


def test_receipts_and_conversations_are_not_paged(
    season: Arbitrator, paged: list[str], tmp_path: Path
) -> None:
    season.done("fighter", "rename", "pip", "--name", "Old Pip")
    season.done("battle", "play", str(tmp_path / "night.yaml"), stdin="?\nquit\n")
    assert paged == []


def test_on_a_terminal_a_long_page_goes_through_the_pager(season: Arbitrator) -> None:
    command = Command(season.file)
    ours, theirs = pty.openpty()
    process = forked.command(
        ("log", "show"),
        command.environment(PAGER=MARKED, LINES="10", TERM="xterm"),
        streams=dict.fromkeys((0, 1, 2), theirs),
    )
    os.close(theirs)
    output = b""
    try:
        while part := os.read(ours, 65_536):
            output += part
    except OSError:  # the command is done and its end is closed
        pass
    os.close(ours)
    assert process.ended().returncode == 0
    lines = output.decode().splitlines()
    assert lines
    assert all(line.startswith("paged: ") for line in lines)
