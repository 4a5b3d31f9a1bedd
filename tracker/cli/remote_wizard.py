"""The local side of a remote wizard: reads the lines and stores the file; the service asks the questions."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import click

from tracker.cli.terminal_prompter import TerminalPrompter
from tracker.conversations.prompter import QuestionContext
from tracker.conversations.wizard_file import one_file, read_text, write_text
from tracker.documents.wizard.context import Choice

Ask: TypeAlias = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""One turn: the conversation so far goes to the service, and what it printed comes back."""


def converse(ask: Ask, *, file: str | None, resume: str | None) -> int:
    """Hold the conversation until the file is recorded or the person stops; returns the exit code.

    Each request carries all lines: the service keeps no state. Raises FileMissing, FileNotReadable,
    FileNotWritable and what `ask` raises.
    """
    named = one_file(file, resume)
    talk: dict[str, Any] = {"lines": [], "seed": secrets.token_hex(16)}
    talk["kept"] = read_text(named) if named is not None else ""
    printed = ask(talk)
    if named is None:  # it is called after the campaign, which is known there
        named = str(printed["talked"]["file"])
        if text := read_text(named):
            talk["kept"] = text
            printed = ask(talk)
    written: str = talk["kept"]
    prompter = TerminalPrompter()
    while True:
        now = printed["talked"]
        click.echo(printed.get("out", ""), nl=False)
        if now["kept"] != written:
            written = now["kept"]
            write_text(named, written)
        if now.get("records"):
            talk = {"kept": written, "record": True}
        elif "asks" in now:
            choices = tuple(Choice(value=word, name=word) for word in now.get("words", ()))
            try:
                talk["lines"].append(prompter.line(now["asks"], QuestionContext(choices=choices)))
            except (click.Abort, KeyboardInterrupt):
                talk["over"] = True
        else:
            return int(printed["exit_code"])
        printed = ask(talk)
