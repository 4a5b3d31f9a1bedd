"""Long pages go through the pager, where somebody reads at a terminal."""

from __future__ import annotations

import os
import pty
from collections.abc import Callable

import pytest
from cli_arbitrator import Arbitrator, Command

MARKED = "sed s/^/paged:/"
"""A pager that marks every line that goes through it."""

Shown = Callable[..., str]


@pytest.fixture
def on_terminal(season: Arbitrator) -> Shown:
    """Runs the command on a terminal of ten lines, with standard input there too; gives what was shown."""
    command = Command(season.file)

    def shown(*words: str, **changes: str) -> str:
        process, terminal = pty.fork()
        if process == 0:
            given = {"PAGER": MARKED, "LINES": "10", "COLUMNS": "80", "TERM": "xterm"} | changes
            os.environ.update(command.environment(**given))
            asked = command.words(*words)
            os.execv(asked[0], asked)  # noqa: S606 -- this program itself
        said = b""
        while True:
            try:
                more = os.read(terminal, 65536)
            except OSError:  # what Linux says when the other side is closed
                break
            if not more:
                break
            said += more
        os.close(terminal)
        assert os.waitpid(process, 0)[1] == 0, said
        return said.decode()

    return shown


def test_a_page_longer_than_the_screen_goes_through_the_pager(on_terminal: Shown) -> None:
    assert "paged: 1  " in on_terminal("log", "show")


def test_a_page_that_the_screen_holds_is_printed(on_terminal: Shown) -> None:
    assert "paged:" not in on_terminal("log", "show", LINES="200")
    assert "paged:" not in on_terminal("battle", "list")


@pytest.mark.parametrize(
    "words", [("--no-pager", "log", "show"), ("log", "show", "--no-pager"), ("log", "show", "--json")]
)
def test_no_pager_where_none_is_wanted_or_a_program_reads(on_terminal: Shown, words: tuple[str, ...]) -> None:
    said = on_terminal(*words)
    assert "paged:" not in said
    assert "Ash Wastes" in said


@pytest.mark.parametrize("pager", ["", "cat"])
def test_an_empty_pager_or_cat_is_none(on_terminal: Shown, pager: str) -> None:
    assert "Ash Wastes" in on_terminal("log", "show", PAGER=pager)


def test_a_pager_that_ends_early_or_is_not_there_is_no_fault(on_terminal: Shown) -> None:
    on_terminal("log", "show", PAGER="true")
    assert "Ash Wastes" in on_terminal("log", "show", PAGER="no-such-pager")


def test_a_receipt_is_not_paged(on_terminal: Shown) -> None:
    assert "paged:" not in on_terminal("fighter", "rename", "pip", "--name", "Old Pip", LINES="2")


def test_what_is_piped_is_not_paged(season: Arbitrator) -> None:
    said = Command(season.file)("log", "show", PAGER=MARKED, LINES="10")
    assert said.code == 0
    assert "paged:" not in said.out
