"""Reading YAML 1.2 (and JSON, its subset) from a file or standard input, with every position kept.

Knows bytes, YAML and limits. Knows no format. Values are put together here from YAML's parse events, never
by a YAML constructor: so nothing is executed, nothing is copied by alias, and depth is bounded before
anything is built. Scalars follow the 1.2 core schema: NO and 12:30 are text.
"""

from __future__ import annotations

import io
import os
import re
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from decimal import Decimal
from typing import Any, BinaryIO, Final

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import (
    AliasEvent,
    DocumentStartEvent,
    MappingEndEvent,
    MappingStartEvent,
    NodeEvent,
    ScalarEvent,
    SequenceEndEvent,
    SequenceStartEvent,
    StreamEndEvent,
)

from tracker.documents import refusals
from tracker.documents.nodes import Document, Node, Place, Scalar, shown

BYTES_MAX: Final = 1024 * 1024
LEVELS_MAX: Final = 20
VALUES_MAX: Final = 25_000  # keys counted too; a full report of 500 entries holds about 15,000
CHARACTERS_MAX: Final = 2_000

STANDARD_INPUT: Final = "standard input"

# Control characters but tab and line ends; line ends only YAML knows; direction marks, which make text read
# otherwise than it is (CVE-2021-42574).
_REFUSED_ANYWHERE = re.compile(
    r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]"
)
# A run that no value, key or comment needs. The YAML scanner takes quadratic time over long tags.
_RUNS_ON = r"""[^\s,\[\]{}":']"""
# Looked for where a run begins: to begin at each of its characters takes quadratic time too.
_ENDLESS_RUN = re.compile(rf"(?<!{_RUNS_ON}){_RUNS_ON}{{{CHARACTERS_MAX + 1}}}")

_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_TRUE = frozenset({"true", "True", "TRUE"})
_FALSE = frozenset({"false", "False", "FALSE"})
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(
    r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|[-+]?\.(inf|Inf|INF)|\.(nan|NaN|NAN)"
)
_PLAIN_DECIMAL = re.compile(r"[-+]?([0-9]{1,9}\.?[0-9]{0,9}|\.[0-9]{1,9})")
_DIGITS_MAX = 15


_SENT: ContextVar[Mapping[str, bytes] | None] = ContextVar("sent", default=None)


@contextmanager
def files_sent(files: Mapping[str, bytes]) -> Iterator[None]:
    """All files that are read within are among these, '-' too: no file of this machine is opened."""
    before = _SENT.set(files)
    try:
        yield
    finally:
        _SENT.reset(before)


def is_from_afar() -> bool:
    """Whether files were sent along: then no file of this machine is meant, and nobody sits at it."""
    return _SENT.get() is not None


def sent_file(name: str) -> bytes | None:
    """What was sent under that name, whatever its length; None where files of this machine are meant.

    Raises FileMissing.
    """
    sent = _SENT.get()
    if sent is not None and name not in sent:
        raise refusals.FileMissing(file=shown(name, characters_max=200))
    return None if sent is None else sent[name]


def read_document(path_or_dash: str | os.PathLike[str], *, stdin: BinaryIO | None = None) -> Document:
    """The document in a file, or on standard input for '-'. Refuses with BadInput whatever it cannot read."""
    name = os.fspath(path_or_dash)
    if name == "-" and _SENT.get() is None:
        return parse_document(_bounded(stdin or sys.stdin.buffer, STANDARD_INPUT), file=STANDARD_INPUT)
    return parse_document(file_bytes(name), file=shown(name, characters_max=200))


def read_text(path: str) -> tuple[str, str]:
    """What messages call a file, and its text. Refuses with BadInput whatever it cannot read."""
    file = shown(path, characters_max=200)
    text = _decoded(file_bytes(path), file).removeprefix("\ufeff")
    _refuse_characters(text, file)
    return file, text


def text_of(path_or_dash: str, *, stdin: BinaryIO | None = None) -> str:
    """The text of a file, or on standard input for '-'. Refuses with BadInput whatever it cannot read."""
    if path_or_dash == "-" and _SENT.get() is None:
        return _decoded(_bounded(stdin or sys.stdin.buffer, STANDARD_INPUT), STANDARD_INPUT)
    return _decoded(file_bytes(path_or_dash), shown(path_or_dash, characters_max=200))


def parse_document(text: bytes | str, *, file: str) -> Document:
    """The document in a text that was already read; `file` is what messages call it."""
    decoded = _decoded(text, file) if isinstance(text, bytes) else text
    decoded = decoded.removeprefix("\ufeff")
    _refuse_characters(decoded, file)
    _refuse_directives(decoded, file)
    composer = _Composer(file)
    try:
        return Document(file=file, root=composer.compose(decoded))
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(mark.line + 1, mark.column + 1) if mark is not None else composer.last_place
        raise refusals.SyntaxWrong(file=file, place=place, what=_yaml_fault(error.problem)) from error
    except (YAMLError, ValueError, OverflowError) as error:
        # ValueError and OverflowError: the scanner's own, over escapes and versions beyond any number.
        raise refusals.SyntaxWrong(file=file, place=composer.last_place, what=_yaml_fault(None)) from error


# --- bytes -----------------------------------------------------------------------------------------------


def file_bytes(name: str, *, bytes_max: int = BYTES_MAX) -> bytes:
    """What a file holds, 1 MiB at most unless said. Refuses with BadInput what it cannot read."""
    file = shown(name, characters_max=200)
    sent = sent_file(name)
    if sent is not None:
        return _bounded(io.BytesIO(sent), file, bytes_max)
    try:
        status = os.stat(name)  # noqa: PTH116 -- names are kept as typed, never normalised
        if stat.S_ISDIR(status.st_mode):
            raise refusals.FileIsFolder(file=file)
        if stat.S_ISREG(status.st_mode) and status.st_size > bytes_max:
            raise refusals.FileTooLarge(file=file, bytes_max=bytes_max)
        with open(name, "rb") as stream:  # noqa: PTH123
            return _bounded(stream, file, bytes_max)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise refusals.FileMissing(file=file) from error
    except OSError as error:
        raise refusals.FileNotReadable(
            file=file, why=(error.strerror or "the system refuses").lower()
        ) from error
    except ValueError as error:  # a name with a NUL or a lone surrogate in it names no file
        raise refusals.FileMissing(file=file) from error


def _bounded(stream: BinaryIO, file: str, bytes_max: int = BYTES_MAX) -> bytes:
    parts: list[bytes] = []
    missing = bytes_max + 1
    try:
        while missing and (part := stream.read(missing)):
            parts.append(part)
            missing -= len(part)
    except OSError as error:
        raise refusals.FileNotReadable(
            file=file, why=(error.strerror or "the system refuses").lower()
        ) from error
    if not missing:
        raise refusals.FileTooLarge(file=file, bytes_max=bytes_max)
    return b"".join(parts)


def _decoded(content: bytes, file: str) -> str:
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        before = content[: error.start].decode("utf-8")
        raise refusals.NotUtf8(file=file, place=_place_after(before)) from error


def _refuse_characters(text: str, file: str) -> None:
    if match := _REFUSED_ANYWHERE.search(text):
        place = _place_after(text[: match.start()])
        raise refusals.CharacterRefused(file=file, place=place, codepoint=ord(match.group()))
    if match := _ENDLESS_RUN.search(text):
        place = _place_after(text[: match.start()])
        raise refusals.TextTooLong(file=file, place=place, characters_max=CHARACTERS_MAX)


def _refuse_directives(text: str, file: str) -> None:
    for number, line in enumerate(io.StringIO(text), start=1):
        if line.startswith("%"):
            raise refusals.DirectiveRefused(file=file, place=Place(number, 1))
        if line.strip() and not line.startswith("#"):
            return


def _place_after(text: str) -> Place:
    return Place(text.count("\n") + 1, len(text) - (text.rfind("\n") + 1) + 1)


def _yaml_fault(problem: str | None) -> str:
    return shown(problem, characters_max=120) if problem else "a character or escape stands where none can"


# --- values ----------------------------------------------------------------------------------------------


class _Composer:
    """Puts values together from parse events, refusing what no document here may hold."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.last_place = Place(1, 1)
        self._values = 0

    def compose(self, text: str) -> Node:
        """The one document of a text."""
        events: Iterator[Any] = iter(YAML(typ="safe", pure=True).parse(text))
        next(events)  # the stream begins
        start = next(events)
        if isinstance(start, StreamEndEvent):
            raise refusals.DocumentEmpty(file=self.file)
        assert isinstance(start, DocumentStartEvent), f"a stream begins with {start}"
        root = self._node(next(events), events, level=0)
        next(events)  # the document ends
        if not isinstance(after := next(events), StreamEndEvent):
            raise refusals.SeveralDocuments(file=self.file, place=self._place(after))
        if root.content is None:
            raise refusals.DocumentEmpty(file=self.file)
        return root

    def _node(self, event: Any, events: Iterator[Any], *, level: int) -> Node:
        place = self._place(event)
        self._values += 1
        if self._values > VALUES_MAX:
            raise refusals.TooManyValues(file=self.file, place=place, values_max=VALUES_MAX)
        assert isinstance(event, NodeEvent), f"a value begins with {event}"
        if isinstance(event, AliasEvent) or event.anchor is not None:
            raise refusals.AnchorRefused(file=self.file, place=place)
        if getattr(event, "tag", None) is not None:
            raise refusals.TagRefused(file=self.file, place=place)
        if isinstance(event, ScalarEvent):
            return Node(content=self._scalar(event, place), place=place)
        if level == LEVELS_MAX:
            raise refusals.NestedTooDeep(file=self.file, place=place, levels_max=LEVELS_MAX)
        if isinstance(event, SequenceStartEvent):
            return self._sequence(place, events, level=level)
        assert isinstance(event, MappingStartEvent), f"neither scalar, list nor map: {event}"
        return self._mapping(place, events, level=level)

    def _sequence(self, place: Place, events: Iterator[Any], *, level: int) -> Node:
        members: list[Node] = []
        while not isinstance(event := next(events), SequenceEndEvent):
            members.append(self._node(event, events, level=level + 1))
        return Node(content=tuple(members), place=place)

    def _mapping(self, place: Place, events: Iterator[Any], *, level: int) -> Node:
        members: dict[str, Node] = {}
        keys: dict[str, Place] = {}
        while not isinstance(event := next(events), MappingEndEvent):
            named = self._node(event, events, level=level + 1)
            key = named.content
            if not isinstance(key, str):
                raise refusals.KeyNotText(file=self.file, place=named.place, found=shown(key))
            if key in keys:
                raise refusals.KeyRepeated(file=self.file, place=named.place, key=key, first=keys[key])
            keys[key] = named.place
            members[key] = self._node(next(events), events, level=level + 1)
        return Node(content=members, place=place, keys=keys)

    def _scalar(self, event: ScalarEvent, place: Place) -> Scalar:
        text = str(event.value)
        if len(text) > CHARACTERS_MAX:
            raise refusals.TextTooLong(file=self.file, place=place, characters_max=CHARACTERS_MAX)
        if not event.implicit[0]:  # quoted or a block: text, whatever it looks like
            return self._surrogates_joined(text, place)
        if text in _NULL:
            return None
        if text in _TRUE or text in _FALSE:
            return text in _TRUE
        if _INTEGER.fullmatch(text):
            if len(text) > _DIGITS_MAX:
                raise refusals.NumberRefused(file=self.file, place=place, found=shown(text))
            return int(text, 0) if text.startswith(("0o", "0x")) else int(text)
        if _FLOAT.fullmatch(text):
            if not _PLAIN_DECIMAL.fullmatch(text):
                raise refusals.NumberRefused(file=self.file, place=place, found=shown(text))
            return Decimal(text)
        return text

    def _surrogates_joined(self, text: str, place: Place) -> str:
        """JSON writes a character beyond U+FFFF as two escapes; half of such a pair is no character."""
        try:
            return text.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError as error:
            half = next(character for character in text if "\ud800" <= character <= "\udfff")
            raise refusals.CharacterRefused(file=self.file, place=place, codepoint=ord(half)) from error

    def _place(self, event: Any) -> Place:
        mark = event.start_mark
        self.last_place = Place(mark.line + 1, mark.column + 1)
        return self.last_place
