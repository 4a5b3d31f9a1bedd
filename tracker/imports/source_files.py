"""Source files: untrusted bytes from another tool as plain data, within bounds.

Knows JSON, XML, zip archives of one roster, CSV and encodings. Knows no tool's format. Size, depth, entities
and nested archives are bounded here, before anything is built from them.
"""

from __future__ import annotations

import csv
import io
import json
import os
import stat
import zipfile
import zlib
from typing import Any, Final
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from tracker.documents.nodes import shown
from tracker.documents.yaml_reader import sent_file
from tracker.imports.bounds import BYTES_MAX, COLUMNS_MAX, ROWS_MAX, SourceUnreadable
from tracker.imports.workbooks import is_workbook, rows_by_head, workbook_rows

LEVELS_MAX: Final = 100
VALUES_MAX: Final = 100_000
ZIP: Final = b"PK\x03\x04"


def read_source(name: str, *, values_max: int = VALUES_MAX) -> Any:
    """A file as plain data: JSON as it is, XML as maps of attributes and children, CSV as rows.

    Raises SourceUnreadable.
    """
    return data_of(_bytes_of(name), shown(name, characters_max=200), values_max=values_max)


def data_of(content: bytes, file: str, *, values_max: int = VALUES_MAX) -> Any:
    """The plain data in the bytes of a file. Raises SourceUnreadable."""
    if content.startswith(ZIP):
        if is_workbook(content):
            return workbook_rows(content, file)
        content = _unzipped(content, file)
    text = _decoded(content, file)
    start = text.lstrip()[:1]
    if start in ("{", "["):
        return _json(text, file, values_max)
    if start == "<":
        return _xml(text, file, values_max)
    return _rows(text, file)


def _bytes_of(name: str) -> bytes:
    content = sent_file(name)
    if content is None:
        content = _bytes_here(name)
    if len(content) > BYTES_MAX:
        raise SourceUnreadable(
            file=shown(name, characters_max=200), why=f"it is larger than {BYTES_MAX // 1024 // 1024} MiB"
        )
    return content


def _bytes_here(name: str) -> bytes:
    try:
        with open(name, "rb", opener=lambda path, flags: os.open(path, flags | os.O_NONBLOCK)) as opened:
            if not stat.S_ISREG(os.fstat(opened.fileno()).st_mode):
                raise SourceUnreadable(file=shown(name, characters_max=200), why="it is no file")
            return opened.read(BYTES_MAX + 1)
    except (OSError, ValueError) as wrong:
        why = getattr(wrong, "strerror", None) or "its name cannot be a file's"
        raise SourceUnreadable(file=shown(name, characters_max=200), why=why) from wrong


def _unzipped(content: bytes, file: str) -> bytes:
    """The only roster in an archive (.rosz)."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [member for member in archive.infolist() if not member.is_dir()]
            if len(members) != 1:
                raise SourceUnreadable(file=file, why=f"it is an archive of {len(members)} files, not of one")
            (member,) = members
            if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                raise SourceUnreadable(file=file, why="it is an archive of a kind that rosters are not")
            with archive.open(member) as opened:  # read within bounds, because the stated size may be wrong
                inner = opened.read(BYTES_MAX + 1)
    except (
        zipfile.BadZipFile,
        zlib.error,
        NotImplementedError,
        RuntimeError,
        EOFError,
        OSError,
        ValueError,
    ) as wrong:
        raise SourceUnreadable(file=file, why="it is a damaged or protected archive") from wrong
    if len(inner) > BYTES_MAX:
        raise SourceUnreadable(file=file, why=f"it unpacks to more than {BYTES_MAX // 1024 // 1024} MiB")
    if inner.startswith(ZIP):
        raise SourceUnreadable(file=file, why="it is an archive within an archive")
    return inner


def _decoded(content: bytes, file: str) -> str:
    encoding = "utf-16" if content.startswith((b"\xff\xfe", b"\xfe\xff")) else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as wrong:
        raise SourceUnreadable(
            file=file,
            why=f"byte {wrong.start + 1} is no {encoding.removesuffix('-sig').upper()}; save it as UTF-8",
        ) from wrong


def _json(text: str, file: str, values_max: int) -> Any:
    _refuse_many(text.count(",") + text.count("["), file, values_max)
    try:
        data = json.loads(
            text, parse_constant=_no_number, parse_int=_whole_number, object_pairs_hook=_each_key_once
        )
    except json.JSONDecodeError as wrong:
        where = f"line {wrong.lineno}, column {wrong.colno}"
        raise SourceUnreadable(file=file, why=f"{where} is no JSON ({wrong.msg})") from wrong
    except (RecursionError, ValueError) as wrong:
        raise SourceUnreadable(file=file, why="it is nested too deep, or a number is none") from wrong
    _refuse_deep(data, file, values_max)
    return data


def _each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A map. Values of a repeated key become a list, so that nothing in the file is lost."""
    made: dict[str, Any] = {}
    for key, value in pairs:
        _keep(made, key, value)
    return made


def _keep(into: dict[str, Any], key: str, value: Any) -> None:
    if key in into:
        _listed(into, f"{key} (again)").append(value)
    else:
        into[key] = value


def _no_number(written: str) -> Any:
    raise ValueError(written)


def _whole_number(written: str) -> int:
    if len(written) > 18:
        raise ValueError(written)
    return int(written)


def _xml(text: str, file: str, values_max: int) -> Any:
    _refuse_many(text.count("<"), file, values_max)
    try:
        root = fromstring(text, forbid_dtd=True)
    except DefusedXmlException as wrong:
        raise SourceUnreadable(file=file, why="it declares entities or a document type") from wrong
    except (ParseError, RecursionError, ValueError) as wrong:
        raise SourceUnreadable(
            file=file, why=f"it is no XML ({shown(str(wrong), characters_max=80)})"
        ) from wrong
    return _as_maps(root, file, values_max)


def _as_maps(root: Element, file: str, values_max: int) -> dict[str, Any]:
    """An element as a map: attributes by name, text as `$text`, children in a list under their tag's plural.

    `<costs><cost/></costs>` becomes `costs: [{...}]`, as tools of this family write it in JSON.
    """
    made: dict[str, Any] = {}
    waiting: list[tuple[Element, dict[str, Any], int]] = [(root, made, 1)]
    values = 0
    while waiting:
        element, into, level = waiting.pop()
        if level > LEVELS_MAX:
            raise SourceUnreadable(file=file, why=f"it is nested deeper than {LEVELS_MAX}")
        values += 1 + len(element.attrib)
        _refuse_many(2 * values, file, values_max)
        for key, value in element.attrib.items():
            _keep(into, _local(key), value)
        texts = (element.text, *(child.tail for child in element))
        if text := " ".join(said for part in texts if part and (said := part.strip())):
            _keep(into, "$text", text)
        for child in element:
            tag = _local(child.tag)
            if not child.attrib and len(child) and not (child.text or "").strip():
                for grandchild in child:
                    inner: dict[str, Any] = {}
                    _listed(into, tag).append(inner)
                    waiting.append((grandchild, inner, level + 2))
            elif not child.attrib and not len(child):
                _keep(into, tag, (child.text or "").strip())
            else:
                member: dict[str, Any] = {}
                _listed(into, f"{tag}s").append(member)
                waiting.append((child, member, level + 1))
    return {_local(root.tag): made}


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _listed(into: dict[str, Any], key: str) -> list[Any]:
    """The list under a key; under another key if that one has a different value."""
    known = into.setdefault(key, [])
    return known if isinstance(known, list) else _listed(into, f"{key} (list)")


def _rows(text: str, file: str) -> list[dict[str, str]]:
    """The rows of a table by the names in its first line, separated by commas, semicolons or tabs."""
    if "\x00" in text:
        raise SourceUnreadable(file=file, why="it is none of JSON, XML, CSV and .rosz")
    head = text.partition("\n")[0]
    parted = max(",;\t", key=head.count)
    if not head.count(parted):
        raise SourceUnreadable(file=file, why="it is none of JSON, XML, CSV and .rosz")
    lines: list[list[str]] = []
    try:
        for line in csv.reader(io.StringIO(text, newline=""), delimiter=parted, strict=True):
            if len(lines) > ROWS_MAX or len(line) > COLUMNS_MAX:
                raise SourceUnreadable(
                    file=file, why=f"it has more than {ROWS_MAX} rows or {COLUMNS_MAX} columns"
                )
            lines.append([cell.strip() for cell in line])
    except csv.Error as wrong:
        raise SourceUnreadable(
            file=file, why=f"it is no CSV ({shown(str(wrong), characters_max=80)})"
        ) from wrong
    return rows_by_head(lines[0], lines[1:])


def _refuse_many(marks: int, file: str, values_max: int) -> None:
    if marks > 2 * values_max:  # before building: a value takes much more memory than its text
        raise SourceUnreadable(file=file, why=f"it holds more than {values_max} values")


def _refuse_deep(data: Any, file: str, values_max: int) -> None:
    waiting, values = [(data, 1)], 0
    while waiting:
        here, level = waiting.pop()
        values += 1
        if level > LEVELS_MAX or values > values_max:
            raise SourceUnreadable(
                file=file, why=f"it is nested deeper than {LEVELS_MAX} or holds more than {values_max} values"
            )
        members = here.values() if isinstance(here, dict) else here if isinstance(here, list) else ()
        waiting.extend((member, level + 1) for member in members)
