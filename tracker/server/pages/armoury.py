"""The page that imports a club's list of weapons: an armoury, or another tool's data files.

`armoury import` and `armoury show` report on a file; `campaign armoury` stores it. The server stores nothing
between requests: the form carries the content along.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePath
from typing import Any, Final

import click

from tracker.documents.armoury_merge import merged
from tracker.documents.plain_yaml import as_yaml
from tracker.documents.yaml_reader import parse_document
from tracker.errors import Refusal
from tracker.imports.findings import FATES
from tracker.server import problems
from tracker.server.pages import cards_here
from tracker.server.pages.forms import FileSent, FormValues, Redirect
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import here

PATH: Final = "/armoury"
TEXT: Final = "text"
FILES: Final = "file"
BESIDE: Final = "beside"
"""Ticked: what was kept before stays, where the new list does not say otherwise."""
_PASTED: Final = "pasted"
_DATA: Final = (b"<", b"{", b"PK", b"\xef\xbb\xbf<", b"\xef\xbb\xbf{")
"""How data files of other tools begin, zipped or not; an armoury begins with none of these."""
_LOOK_AT: Final = ("asked", "guessed", "lost")


def armoury(request: PageRequest) -> Mapping[str, Any]:
    """What is kept, the form, and what was read."""
    filled, kept = request.typed, request.data("campaign armoury")
    given: dict[str, Any] = {
        "kept": kept if "name" in kept else None,
        "filled": filled,
        "wrong": request.refused,
        "text": filled.get(TEXT),
        "listed": None,
        "found": None,
        "lacks": [],
        "refused": None,
        "is_kept": "kept" in request.query,
        "on_cards": None,
    }
    files = _sent(filled)
    if not (files or given["text"]):
        given["on_cards"] = cards_here.price_fields(cards_here.not_listed_yet(request))
    if request.refused is not None or not (files or given["text"]):
        return given
    try:
        if files and any(content.startswith(_DATA) for content in files.values()):
            found = request.data_of_files("armoury import", files, ruleset=_book(request), dry_run=True)
            given |= {"found": found, "text": as_yaml(found["armoury"]), "lacks": _lacks(found)}
        elif files:
            given["text"] = next(iter(files.values())).decode("utf-8-sig", errors="replace")
        given["listed"] = request.report(
            "armoury show", files={"-": _bytes(given["text"])}, file="-", ruleset=_book(request)
        )
    except Refusal as refusal:
        given["wrong"] = problems.of_refusal(refusal)
    except click.ClickException as wrong:
        given["wrong"] = problems.of_misuse(wrong)
    return given


def read(_: PageRequest, __: FormValues) -> None:
    """Do nothing: the page itself shows the content."""


def keep(request: PageRequest, filled: FormValues) -> Redirect:
    """Store the list for everybody's purchases."""
    text, before = filled.get(TEXT), request.tracker.people.armoury(request.known_campaign)
    if BESIDE in filled and before:
        text = _joined(text, before)
    return _keep(request, filled, text)


def keep_cards(request: PageRequest, filled: FormValues) -> Redirect:
    """What stands on the gangs' cards is in the list from now on, beside what was in it."""
    text = as_yaml(cards_here.with_prices(cards_here.not_listed_yet(request), filled))
    before = request.tracker.people.armoury(request.known_campaign)
    return _keep(request, filled, _joined(before, text) if before else text)


def _joined(first: str, second: str) -> str:
    """Both lists as one; where both list a thing, the first counts."""
    lists = (parse_document(_bytes(text), file="the list") for text in (first, second))
    return as_yaml(merged(lists, prefer_first=True))


def _keep(request: PageRequest, filled: FormValues, text: str) -> Redirect:
    assert request.caller is not None, "who writes is signed in"
    sending = filled.sending(request.caller.actor)._replace(expected_size=None, expected_leaf="")
    request.do("campaign armoury", sending=sending, files={"-": _bytes(text)}, file="-")
    return Redirect(here(request, f"{PATH}?kept=1"))


def drop(request: PageRequest, filled: FormValues) -> Redirect:
    """Remove the campaign's list; what was bought stays."""
    assert request.caller is not None, "who writes is signed in"
    request.do("campaign armoury", sending=filled.sending(request.caller.actor), drop=True)
    return Redirect(here(request, PATH))


def _book(request: PageRequest) -> str:
    return request.boards.state_at(request.known_campaign).book


def _bytes(text: str) -> bytes:
    return f"{text}\n".replace("\r\n", "\n").encode()


def _sent(filled: FormValues) -> dict[str, bytes]:
    """The uploaded or pasted content by name; a name never holds a path of this machine."""
    if TEXT in filled:  # it was read before, and perhaps put right
        return {}
    chosen: list[FileSent] = [sent for sent in filled.all_files.get(FILES, ()) if sent.content]
    files = {PurePath(sent.name).name or "file": sent.content for sent in chosen}
    if not files and (pasted := filled.get(_PASTED)):
        return {"pasted.json" if pasted.startswith("{") else "pasted": _bytes(pasted)}
    return files


def _lacks(found: Mapping[str, Any]) -> list[tuple[str, list[Mapping[str, Any]]]]:
    """What is to be looked at, by its fate."""
    return [
        (FATES[fate], rows)
        for fate in _LOOK_AT
        if (rows := [finding for finding in found["findings"] if finding["fate"] == fate])
    ]
