"""A house rule of the table's own: settings chosen on a page, which writes the rule down and shows it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import click

from tracker.documents.house_rule import FORMAT, SUFFIX
from tracker.documents.text import NOTE_CHARACTERS_MAX, slug_of
from tracker.errors import Refusal
from tracker.reports.cards import lowercase_id
from tracker.rules import loader
from tracker.server import problems
from tracker.server.pages.forms import FormValues, Redirect
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import here
from tracker.service.as_of import is_count

LOOK: Final = "look"
SETTING: Final = "set."
FILE: Final = f"rule{SUFFIX}"


class SettingField(NamedTuple):
    """A setting of the book, with its choices and its value."""

    name: str
    about: str
    printed: str
    choices: tuple[tuple[str, str], ...]
    chosen: str


def own_house_rule(request: PageRequest) -> Mapping[str, Any]:
    """The form; after a preview also the written rule and its faults."""
    filled = request.typed if request.typed.fields else request.asked
    state = request.boards.state_at(request.known_campaign)
    settings = [
        SettingField(
            name=name,
            about=knob.about,
            printed=lowercase_id(knob.printed),
            choices=tuple(
                (choice, lowercase_id(choice)) for choice in knob.choices if choice != knob.printed
            ),
            chosen=filled.get(SETTING + name),
        )
        for name, knob in loader.book(state.book).knobs.items()
    ]
    written, wrong = "", None
    if request.refused is None and LOOK in filled:
        written = written_rule(filled)
        try:
            request.report("policy show", files={FILE: written.encode()}, policy=FILE)
        except Refusal as refusal:
            wrong = problems.of_refusal(refusal)
        except click.ClickException as misuse:
            wrong = problems.of_misuse(misuse)
    return {
        "settings": sorted(settings, key=lambda setting: not setting.chosen),
        "filled": filled,
        "written": written,
        "wrong": wrong,
        "next_battle": state.battle_number + (state.under_way is not None),
        "text_max": NOTE_CHARACTERS_MAX,
    }


def adopt(request: PageRequest, filled: FormValues) -> Redirect | None:
    """Adopt the rule as written from the next battle on, or only show it."""
    assert request.caller is not None, "who writes is signed in"
    if LOOK in filled:
        return None
    request.do(
        "policy adopt",
        sending=filled.sending(request.caller.actor)._replace(expected_size=None, expected_leaf=""),
        files={FILE: written_rule(filled).encode()},
        policy=FILE,
        reason=filled.get("reason"),
    )
    return Redirect(here(request, "/house-rules"))


def written_rule(filled: FormValues) -> str:
    """The rule as its file has it. A JSON text is also a TOML text."""
    version = filled.get("version", "1")
    head = {
        "format": FORMAT,
        "id": slug_of(filled.get("title")) or "own-rule",
        "title": filled.get("title"),
        "about": filled.get("about"),
        "source": filled.get("source") or "House rule",
    }
    lines = [f"{key} = {_quoted(value)}" for key, value in head.items()]
    lines.insert(2, f"version = {version if is_count(version) else 1}")
    patch = [
        f"{_quoted(name.removeprefix(SETTING))} = {_quoted(filled.get(name))}"
        for name in filled.fields
        if name.startswith(SETTING) and filled.get(name)
    ]
    return "\n".join([*lines, "", "[patch]", *patch, ""])


def _quoted(text: str) -> str:
    return json.dumps(" ".join(text.split()), ensure_ascii=False).replace("\x7f", "")
