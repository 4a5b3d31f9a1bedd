"""Writes the wizard's file: a report's text with one more entry, and the open questions.

The existing text keeps its layout and comments. The answers of an unfinished entry are stored in a comment at
the end, so that nothing is lost when somebody stops in the middle.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final, TypeAlias

from tracker.documents.nodes import Document, Node, Place, Plain
from tracker.documents.refusals import SyntaxWrong
from tracker.documents.yaml_reader import VALUES_MAX, parse_document
from tracker.errors import BadInput

Keys: TypeAlias = Mapping[str, Any]

PARTS_KEPT: Final = 1_000
PART_CHARACTERS_MAX: Final = 4_000  # a text with a longer one is read whole: little is kept of each file
DRAFT: Final = "# not answered yet: "
_PLAIN: Final = re.compile(r"[A-Za-z@](?:[A-Za-z0-9_' -]*[A-Za-z0-9_'])?")
_SAFE: Final = re.compile(r"[1-6][-+][1-6]|[0-9]{4}-[0-9]{2}-[0-9]{2}|[a-z]+(?:-[a-z]+)*/[0-9]")
_LISTED: Final = re.compile(r"((?:[^\r\n]*\n)*?entries:\n)((?:  - [^\r\n]*\n(?:    [^\r\n]*\n)*)+)")
_ENTRY: Final = re.compile(r"  - .*\n(?:    .*\n)*")
_WORDS_OF_YAML: Final = frozenset({"null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE"})


class CannotGoOn(BadInput):
    """{file} cannot be continued, since answers are added and taken away at its end. Make `entries:` its last
    key, with one entry below the other, or finish the file by hand.
    """

    file: str


def flow(value: Any) -> str:
    """A value as YAML on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | Decimal):
        return str(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_text(str(key))}: {flow(value)}" for key, value in value.items()) + "}"
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(flow(part) for part in value) + "]"
    return "null" if value is None else _text(str(value))


def _text(text: str) -> str:
    plain = _PLAIN.fullmatch(text) and not text.startswith("@") and text not in _WORDS_OF_YAML
    return text if plain or _SAFE.fullmatch(text) else json.dumps(text, ensure_ascii=False)


def block(keys: Keys) -> str:
    """A map as YAML, one key on a line."""
    return "".join(f"{_text(key)}: {flow(value)}\n" for key, value in keys.items())


def with_entry(text: str, entry: Keys) -> str:
    """The text with one more entry at its end."""
    head = _ended(text)
    if not _has_entries(head):
        head += "entries:\n"
    first, *more = block(entry).splitlines()
    return head + f"  - {first}\n" + "".join(f"    {line}\n" for line in more)


def with_keys(text: str, keys: Keys) -> str:
    """The text with further keys of the document at its end; a map's keys stand one on a line below it."""
    lines = _ended(text)
    for key, value in keys.items():
        if isinstance(value, Mapping) and any(not isinstance(part, str | bool) for part in value.values()):
            lines += f"{key}:\n" + "".join(f"  {line}\n" for line in block(value).splitlines())
        else:
            lines += f"{key}: {flow(value)}\n"
    return lines


def check_added(before: str, after: str, *, file: str) -> None:
    """Raises CannotGoOn when a text says anything else than another one with one more entry."""
    was = plain_of(before, file=file)
    try:
        now = plain_of(after, file=file)
    except SyntaxWrong as error:
        raise CannotGoOn(file=file) from error
    entries = was.get("entries") or []
    longer = now.get("entries") or []
    kept = {**now, "entries": longer[: len(entries)]} == {**was, "entries": entries}
    if not kept or len(longer) != len(entries) + 1:
        raise CannotGoOn(file=file)


def without_last_entry(text: str, *, file: str) -> str:
    """The text without its last entry. Raises CannotGoOn where that does not stand last, on its own lines."""
    before = plain_of(text, file=file)
    entries = before["entries"]
    document = document_of(text, file=file)
    place = document.place_of(("entries", len(entries) - 1))
    lines = text.splitlines(keepends=True)
    kept = lines[: place.line - 1]
    if len(entries) == 1:
        kept = lines[: document.place_of_key((), "entries").line - 1]
    shorter = "".join(kept)
    expected = {**before, "entries": entries[:-1]} if len(entries) > 1 else _without(before, "entries")
    if plain_of(shorter, file=file) != expected:
        raise CannotGoOn(file=file)
    return shorter


def without_entry(text: str, number: int, *, file: str) -> str:
    """The text without one of its entries, counted from 1. Raises NoSuchEntry, CannotGoOn."""
    before = plain_of(text, file=file)
    entries = before.get("entries") or []
    if number > len(entries):
        raise NoSuchEntry(number=number, entries=len(entries))
    if len(entries) == 1 and "result" not in before:
        return without_last_entry(text, file=file)
    document = document_of(text, file=file)
    lines = text.splitlines(keepends=True)
    first = document.place_of(("entries", number - 1)).line - 1
    last = first + 1
    while last < len(lines) and lines[last].startswith("    "):
        last += 1
    if len(entries) == 1:
        first = document.place_of_key((), "entries").line - 1
    shorter = "".join(lines[:first] + lines[last:])
    kept = entries[: number - 1] + entries[number:]
    expected = {**before, "entries": kept} if kept else _without(before, "entries")
    if plain_of(shorter, file=file) != expected:
        raise CannotGoOn(file=file)
    return shorter


def without_keys(text: str, *keys: str, file: str) -> str:
    """The text cut off before the first of these keys. Raises CannotGoOn where anything else would go too."""
    document = document_of(text, file=file)
    before = plain_of(text, file=file)
    there = [key for key in keys if key in before]
    if not there:
        return text
    first = min(document.place_of_key((), key).line for key in there)
    shorter = "".join(text.splitlines(keepends=True)[: first - 1])
    if plain_of(shorter, file=file) != _without(before, *there):
        raise CannotGoOn(file=file)
    return shorter


@lru_cache(maxsize=8)
def document_of(text: str, *, file: str) -> Document:
    """The text as a document; asked for again and again of one text."""
    root = _read_by_entries(text)
    return Document(file=file, root=root) if root is not None else parse_document(text, file=file)


def _read_by_entries(text: str) -> Node | None:
    """A text that ends with its entries, each of which is read once however many follow; None of any other
    text, and of one that is to be refused.
    """
    listed = _LISTED.fullmatch(text)
    if listed is None or len(text) > VALUES_MAX:  # so few characters hold no more values
        return None
    head, entries = listed.groups()
    parts = _ENTRY.findall(entries)
    if max(map(len, (head, *parts))) > PART_CHARACTERS_MAX:
        return None
    first_line = line = head.count("\n") + 1
    members: list[Node] = []
    try:
        root = _read_part(head).root
        for entry in parts:
            above = "\n" * (line - 2)
            members.append(_read_part(f"entries:\n{above}{entry}").resolve(("entries", 0))[1])
            line += entry.count("\n")
    except BadInput:
        return None
    if not isinstance(root.content, dict) or root.content.get("entries", root).content is not None:
        return None
    whole = Node(content=tuple(members), place=Place(first_line, len("  -")))
    return replace(root, content={**root.content, "entries": whole})


@lru_cache(maxsize=PARTS_KEPT)
def _read_part(text: str) -> Document:
    return parse_document(text, file="")


def plain_of(text: str, *, file: str) -> dict[str, Any]:
    """What the text says; nothing of an empty one."""
    if not any(line.strip() and not line.lstrip().startswith("#") for line in text.splitlines()):
        return {}
    said = document_of(text, file=file).root.plain()
    return said if isinstance(said, dict) else {}


def drawn(document: Document) -> Document:
    """A report that has no result yet, with a draw in its place."""
    root = document.root
    assert isinstance(root.content, dict), "a report is a map"
    draw = Node(content={"draw": Node(content=True, place=root.place)}, place=root.place)
    return Document(file=document.file, root=replace(root, content={**root.content, "result": draw}))


def draft_of(text: str, *, file: str) -> tuple[str, dict[str, Any]]:
    """The text without the comment of what is not whole yet, and what that comment says."""
    head, mark, tail = text.rpartition(DRAFT)
    if not mark or (head and not head.endswith("\n")) or "\n" in tail.rstrip("\n"):
        return text, {}
    return head, plain_of(tail, file=file)


def with_draft(text: str, draft: Keys) -> str:
    """The text with a comment that keeps answers of an entry that is not whole yet."""
    return _ended(text) + DRAFT + flow(draft) + "\n"


def entry_typed(line: str) -> dict[str, Plain]:
    """An entry typed as one line of YAML. Refuses with BadInput what is no map."""
    document: Document = parse_document(line, file="this line")
    said = document.root.plain()
    if not isinstance(said, dict):
        raise NoEntry(line=line)
    return said


class NoEntry(BadInput):
    """An entry is a key and its fields, such as `unpin: {{fighter: krug}}`."""

    line: str


class NoSuchEntry(BadInput):
    """There is no entry {number}: {entries} stand there."""

    number: int
    entries: int


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else text + "\n"


def _has_entries(text: str) -> bool:
    return any(line.startswith("entries:") for line in text.splitlines())


def _without(map_: Keys, *keys: str) -> dict[str, Any]:
    return {key: value for key, value in map_.items() if key not in keys}
