"""The wizard's file on disk: it is read as a whole, and written as a whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from tracker.documents.nodes import shown
from tracker.documents.refusals import FileIsFolder, FileMissing, FileNotReadable, FileTooLarge
from tracker.documents.yaml_reader import BYTES_MAX
from tracker.errors import BadInput
from tracker.service.whole_files import write_whole


def numbered(place: int, taken_out: Iterable[int]) -> int:
    """The number of what stands at a place, from 1, among all that ever stood there."""
    for gone in sorted(taken_out):
        place += gone <= place
    return place


class KeptFile:
    """The file in which a wizard keeps the answers."""

    def __init__(self, name: str, taken_out: tuple[int, ...] = ()) -> None:
        self.name = name
        self.taken_out = taken_out
        """The numbers of entries that no longer stand in it."""

    def number_of(self, place: int) -> int:
        """The number of the entry at a place of the file, from 1: entries that are taken out keep theirs."""
        return numbered(place, self.taken_out)

    def read(self) -> str:
        """The text of the file; empty if there is none yet."""
        return read_text(self.name)

    def write(self, text: str) -> None:
        """Replace the text of the file."""
        write_text(self.name, text)


class KeptText(KeptFile):
    """A text in memory in place of a file, for a page or a relay that keeps it itself."""

    def __init__(self, text: str, taken_out: tuple[int, ...] = ()) -> None:
        super().__init__("the file", taken_out)
        self.text = text

    def read(self) -> str:
        """The text."""
        return self.text

    def write(self, text: str) -> None:
        """Replace the text."""
        self.text = text


class FileNotWritable(BadInput):
    """{file} cannot be written: {why}. Name another file, in a folder of your own."""

    file: str
    why: str


def one_file(file: str | None, resume: str | None) -> str | None:
    """The wizard's file: FILE may be new, --resume must exist. Raises FileMissing."""
    if file is not None and resume is not None:
        raise click.UsageError("FILE and --resume name the same thing: give one of them.")
    if resume is not None and not read_text(resume):
        raise FileMissing(file=shown(resume, characters_max=200))
    return resume if resume is not None else file


def read_text(file: str) -> str:
    """The text of the file; empty if there is none yet."""
    path = Path(file)
    name = shown(file, characters_max=200)
    try:
        if file in ("", "-"):
            raise FileNotReadable(file="the file", why="the wizard keeps a file of its own, with a name")
        if path.is_dir():
            raise FileIsFolder(file=name)
        if not path.exists():
            return ""
        if not path.is_file():
            raise FileNotReadable(file=name, why="it is no plain file")
        content = path.read_bytes()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", None) or "the name cannot be used"
        raise FileNotReadable(file=name, why=why) from error
    if len(content) > BYTES_MAX:
        raise FileTooLarge(file=name, bytes_max=BYTES_MAX)
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        raise FileNotReadable(file=name, why="it is not UTF-8 text") from error


def write_text(file: str, text: str) -> None:
    """Write the file as a whole: after a fault it still has the old text."""
    try:
        write_whole(Path(file), text.encode())
    except OSError as error:
        raise FileNotWritable(
            file=shown(file, characters_max=200), why=error.strerror or "no reason given"
        ) from error
