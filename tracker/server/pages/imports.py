"""The page that imports a gang from another tool: upload the file, check and correct the sheet, enlist the
gang.

`gang import` interprets the file and asks what only a person knows. The server keeps nothing between
requests: the form carries the packed file along.
"""

from __future__ import annotations

import binascii
import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from itertools import groupby
from pathlib import PurePath
from typing import Any, Final, NamedTuple

import click

from tracker.documents.plain_yaml import as_yaml
from tracker.errors import Refusal
from tracker.imports.bounds import BYTES_MAX
from tracker.imports.findings import FATES
from tracker.imports.plain_list import EXAMPLE, EXAMPLE_OF_WARBANDS, table_of_lines
from tracker.server import problems
from tracker.server.pages.forms import FormUnreadable, FormValues, Redirect
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import game_of, here

FORM_BYTES_MAX: Final = 15 * 1024 * 1024
"""The most bytes of a form: a file of 10 MiB, packed as text."""
_YES_NO: Final = {"yes": "counted", "no": "apply"}
"""The command's answer to the question about injuries, by the form's."""
_WORDS: Final = ("player", "house", "credits")
_PAIRS: Final = ("category", "captive")
_ARMOURY: Final = "armoury.yaml"
_TABLE, _LIST = "list.csv", "your list"
_UNARMED: Final = "things without numbers"
"""How it begins why weapons that nobody lists are among the wargear."""


class Source(NamedTuple):
    """The file of the other tool."""

    name: str
    content: bytes

    @property
    def packed(self) -> str:
        """The content for the form's hidden field."""
        return b64encode(zlib.compress(self.content)).decode()


class QuestionField(NamedTuple):
    """A question as a field."""

    name: str
    """The field's name; empty if only the sheet itself can hold the answer."""
    text: str
    choices: tuple[str, ...]
    chosen: str


def gang_import(request: PageRequest) -> Mapping[str, Any]:
    """The form for the file, or the result with the sheet to be checked."""
    filled = request.typed
    source = _source(filled)
    given: dict[str, Any] = {
        "source": source,
        "filled": filled,
        "wrong": None,
        "found": None,
        "example": EXAMPLE if game_of(request).credit == "credit" else EXAMPLE_OF_WARBANDS,
        "player": filled.get("player") or _own_name(request),
    }
    if source is None:
        return given
    answers = _answers(filled) | {"player": given["player"] or None}
    try:
        found = request.data("gang import", files={source.name: source.content}, file=source.name, **answers)
    except Refusal as refusal:
        return given | {"wrong": problems.of_refusal(refusal), "source": None}
    except click.ClickException as wrong:
        return given | {"wrong": problems.of_misuse(wrong), "source": None}
    questions = [_question(question, filled) for question in found["questions"]]
    asked = {question.name for question in questions}
    armoury = as_yaml(found["armoury"]) if found["armoury"] is not None else ""
    return given | {
        "found": found,
        "questions": questions,
        "answered": [
            (name, value)
            for name in filled.fields
            if _is_answer(name) and name not in asked and (value := filled.get(name))
        ],
        "sheet": filled.get("sheet") if request.refused else as_yaml(found["sheet"]),
        "armoury": filled.get("armoury") if request.refused else armoury,
        "findings": _findings(found["findings"]),
        "unarmed": "\n".join(
            str(finding["fact"])
            for finding in found["findings"]
            if str(finding["why"] or "").startswith(_UNARMED)
        ),
    }


def _own_name(request: PageRequest) -> str:
    """Who brings a gang plays it, unless they keep the campaign for others."""
    return "" if request.caller is None or request.may("gang amend") else request.caller.name


def read(request: PageRequest, filled: FormValues) -> None:
    """Do nothing: the page itself shows the result."""


def add(request: PageRequest, filled: FormValues) -> Redirect:
    """Enlist the gang on the corrected sheet."""
    assert request.caller is not None, "who writes is signed in"
    files, given = {"-": _lines(filled, "sheet")}, {}
    if filled.get("armoury"):
        files[_ARMOURY], given = _lines(filled, "armoury"), {"armoury": _ARMOURY}
    request.do("gang add", sending=filled.sending(request.caller.actor), files=files, file="-", **given)
    return Redirect(here(request, "/gangs"))


def _lines(filled: FormValues, name: str) -> bytes:
    """A text as it was typed: browsers send CR and LF."""
    return f"{filled.get(name)}\n".replace("\r\n", "\n").encode()


def _source(filled: FormValues) -> Source | None:
    """The uploaded file, or the one in the form. Raises FormUnreadable."""
    if (sent := filled.files.get("file")) is not None and sent.content:
        return Source(PurePath(sent.name).name or "file", sent.content)
    if pasted := filled.get("pasted"):
        return _pasted(pasted)
    if not (packed := filled.get("packed")):
        return None
    opened = zlib.decompressobj()
    try:
        content = opened.decompress(b64decode(packed, validate=True), BYTES_MAX + 1)
    except (binascii.Error, ValueError, zlib.error) as wrong:
        raise FormUnreadable(why="the file that goes along is not what the page put there") from wrong
    return Source(filled.get("file_name") or "file", content)


def _pasted(pasted: str) -> Source:
    """What was pasted: what a tool exported, a table, or a list as people write it."""
    name = _name_of(pasted)
    written = table_of_lines(pasted) if name == _TABLE else ""
    return Source(_LIST if written else name, (written or pasted).encode())


def _name_of(pasted: str) -> str:
    """What a list is called that was pasted: by its first sign, as a tool would have named its file."""
    return {"{": "list.json", "[": "list.json", "<": "list.ros"}.get(pasted[0], _TABLE)


def _answers(filled: FormValues) -> dict[str, Any]:
    """The answers, as options of the command."""
    answers = {name: filled.get(name) or None for name in _WORDS}
    pairs: dict[str, list[str]] = {kind: [] for kind in _PAIRS}
    for name in filled.fields:
        kind, _, about = name.partition(".")
        if kind in pairs and about and (value := filled.get(name)):
            pairs[kind].append(f"{about}={value}")
    return {
        "player": answers["player"],
        "house": answers["house"],
        "left": answers["credits"],
        "injuries": _YES_NO.get(filled.get("injuries")),
        "categories": pairs["category"],
        "captives": pairs["captive"],
    }


def _is_answer(name: str) -> bool:
    return name in (*_WORDS, "injuries") or name.partition(".")[0] in _PAIRS


def _question(question: Mapping[str, Any], filled: FormValues) -> QuestionField:
    kind, _, about = question["key"].partition(" ")
    name = f"{kind}.{about}" if about else kind
    known = _is_answer(name)
    return QuestionField(
        name=name if known else "",
        text=question["text"],
        choices=tuple(question["choices"]),
        chosen=filled.get(name) or question["guess"] or "",
    )


def _findings(findings: list[Mapping[str, Any]]) -> list[tuple[str, str, list[Mapping[str, Any]]]]:
    """The findings by fate; facts that need a check come first."""
    order = [fate for fate in FATES if fate != "taken"] + ["taken"]
    rows = sorted(findings, key=lambda finding: order.index(finding["fate"]))
    grouped = groupby(rows, key=lambda finding: str(finding["fate"]))
    return [(fate, FATES[fate], [*group]) for fate, group in grouped]  # type: ignore[index]
