"""The pager, for texts longer than the screen.

Knows streams and programs. Knows no page. `less` gets -FRX, as from git: it quits if the text fits, passes
colours on, and leaves the text on the screen.
"""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import click

_LESS: Final = ("-F", "-R", "-X")


def show_text(text: str) -> None:
    """Show a text: through the pager if it does not fit on the terminal, else directly."""
    words = program() if _is_read_on_terminal() and not _fits(text) else []
    if not (words and _paged(text, words)):
        click.echo(text, file=sys.stdout)


def program() -> list[str]:
    """The pager as words: PAGER, else `less`; nothing where NO_PAGER or PAGER=cat forbids it."""
    if os.environ.get("NO_PAGER"):
        return []
    typed = os.environ.get("PAGER")
    try:
        words = shlex.split("less" if typed is None and shutil.which("less") else typed or "")
    except ValueError:  # a quote without its end
        return []
    if not words or words[0] == "cat":
        return []
    return [*words, *_LESS] if Path(words[0]).stem == "less" else words


def _is_read_on_terminal() -> bool:
    return sys.stdout.isatty() and sys.stdin.isatty() and os.environ.get("TERM") != "dumb"


def _fits(text: str) -> bool:
    return text.count("\n") + 2 <= shutil.get_terminal_size().lines  # the prompt needs a line too


def _paged(text: str, words: list[str]) -> bool:
    """Whether the pager showed it; False if it is not installed. A pager that ends early is not an error."""
    sys.stdout.flush()
    try:
        pager = subprocess.Popen(  # noqa: S603 -- the reader's own choice
            words, stdin=subprocess.PIPE, encoding="utf-8", errors="replace"
        )
    except OSError:
        return False
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is the pager's own until it ends
    try:
        pager.communicate(f"{text}\n")  # passes over a pipe that is closed
    finally:
        signal.signal(signal.SIGINT, before)
    return True
