"""Transcripts in documents: the commands they print are run, and what they show is what is answered."""

import contextlib
import difflib
import io
import os
import re
import shlex
import sys
from dataclasses import dataclass
from pathlib import Path

from tracker.cli.main import outcome

# What truly varies: when an entry was written, and what is hashed from it.
VARIES = (
    (re.compile(r"\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}(?::\d{2}Z?)?"), "<time>"),
    # A ledger begins its lines with the day of writing; the dates of battles stand elsewhere, and are said.
    (re.compile(r"^\d{4}-\d{2}-\d{2}(?=  )", re.MULTILINE), "<day>"),
    (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b"), "<id>"),
    (re.compile(r"\b(?=[0-9a-f]*[0-9])[0-9a-f]{16,64}\b"), "<hash>"),
)
_BLOCK = re.compile(
    r"`(?P<file>[\w./-]+\.(?:yaml|txt|toml))`[^`\n]*:\n\n```(?:yaml|text|toml)\n(?P<text>.*?)^```$"
    r"|^```console\n(?P<typed>.*?)^```$",
    re.DOTALL | re.MULTILINE,
)


def run_command(line: str) -> tuple[int, str]:
    """Run 'arbitrator ...' in this process; gives its exit code and all it says, errors included.

    'arbitrator ... < FILE' answers it from a file.
    """
    command, _, answers = line.partition(" < ")
    program, *args = shlex.split(command)
    assert program == "arbitrator", line
    typed = Path(answers).read_bytes() if answers else b""
    said, before = io.StringIO(), sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO(typed), encoding="utf-8")
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
            code = outcome(args)
    finally:
        sys.stdin = before
    return code, said.getvalue()


def steady(text: str) -> str:
    """The text with a placeholder for all that varies."""
    for pattern, placeholder in VARIES:
        text = pattern.sub(placeholder, text)
    return text


@dataclass(frozen=True)
class Replayed:
    """A document played again: as it stands, as it should stand, and the commands that were run."""

    document: str
    now: str
    commands: tuple[str, ...]

    def difference(self) -> str:
        """What the document shows otherwise than it is answered now."""
        lines = difflib.unified_diff(
            steady(self.document).splitlines(),
            steady(self.now).splitlines(),
            "printed",
            "answered",
            lineterm="",
        )
        return "\n".join(lines)


def replay(document: str, *, answers: str) -> Replayed:
    """Write the files that a document shows and run its commands, in order, in the current folder.

    `answers`: "all" compares every answer; "where shown" those of commands that show one, and wants the
    others to leave with 0. A line '$ echo $?' prints the exit code of the command before it.
    """
    commands: list[str] = []
    code = 0

    def block(found: re.Match[str]) -> str:
        nonlocal code
        if found["file"]:
            Path(found["file"]).write_text(found["text"], encoding="utf-8")
            return found[0]
        played = []
        for part in re.split(r"^(?=\$ )", found["typed"], flags=re.MULTILINE):
            first, _, shown = part.partition("\n")
            line = first.removeprefix("$ ")
            while line.endswith("\\"):
                more, _, shown = shown.partition("\n")
                first += "\n" + more
                line = line[:-1] + more.removeprefix("> ").strip()
            if not line:
                played.append(part)
                continue
            commands.append(line)
            if line == "echo $?":
                said = f"{code}\n"
            elif line.startswith("export "):
                name, _, value = shlex.split(line)[1].partition("=")
                os.environ[name] = value
                said = ""
            else:
                code, said = run_command(line)
                assert code != 70, f"{line}\n{said}"  # a fault of the program is never what a page shows
                assert shown or answers == "all" or code == 0, f"{line}\n{said}"
            same = steady(shown) == steady(said) or (not shown and answers == "where shown")
            played.append(part if same else f"{first}\n{said}")
        return "```console\n" + "".join(played) + "```"

    now = _BLOCK.sub(block, document)
    return Replayed(document=document, now=now, commands=tuple(commands))
