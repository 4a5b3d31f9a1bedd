"""The page of every operation without a page of its own: its form, a preview, and the execution.

If the command has a dry run, the first press shows what would be recorded and which dice are due; the second
records it. Decides nothing: the commands do.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import click

from tracker.documents.text import NOTE_CHARACTERS_MAX
from tracker.errors import Refusal
from tracker.reports.page import Page
from tracker.rights import RIGHTS, NotAllowed
from tracker.rules import loader
from tracker.server import problems
from tracker.server.access import Forbidden
from tracker.server.pages import operation_fields
from tracker.server.pages.dice import DieField, die_field
from tracker.server.pages.forms import HEAD, KEY, FormValues, Redirect
from tracker.server.pages.operation_words import HEADINGS, OPERATIONS, OperationWords
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import here, names_of
from tracker.service.as_of import is_count

BELOW: Final = "/do/"
LOOK: Final = "look"
SEEN: Final = "seen"
BACK: Final = "back"
_DIE: Final = re.compile(r"(die\.([a-z0-9_]{1,60})\.([0-9]{1,3}))/[0-9]")
_BACK: Final = re.compile(r"/(?:gangs|fighters|battles)/[^/?#\\]{1,80}")
_WHERE: Final = re.compile(r"(?:^|; )([a-z_]+): ([^;]+)")
_DICE_MOST: Final = 60
_PLACES_MOST: Final = 5
_PLACE: Final = re.compile(r"^[^ ]*:[0-9]+:[0-9]+: ")
_SENT_ALONG: Final = "- "
_NO_FIELDS: Final = frozenset({LOOK, SEEN, BACK, KEY, HEAD, "reason", operation_fields.DOCUMENT})
_NO_NUMBER: Final = re.compile(r"('.*') is not a valid integer(?: range)?\.")


class WhatItDoes(NamedTuple):
    """The preview of an operation: its sentences or its refusal, and the dice that are due or given."""

    lines: Sequence[str] = ()
    wrong: Mapping[str, Any] | None = None
    dice: Sequence[DieField] = ()
    lacks_dice: bool = False
    seen: str = ""
    """The digest of the form that was previewed; empty if it cannot be recorded."""


def path_of(operation: str) -> str:
    """The path of the operation's form, below the campaign."""
    return BELOW + operation.replace(" ", "-")


def called(request: PageRequest) -> str:
    """The operation of the requested page."""
    wanted = request.at.removeprefix(BELOW)
    return next(operation for operation in RIGHTS if operation.replace(" ", "-") == wanted)


def words_of(operation: str) -> OperationWords:
    """The texts of an operation."""
    return OPERATIONS.get(operation) or OperationWords(operation.capitalize(), "")


def operations(request: PageRequest, *, offered: Collection[str]) -> Mapping[str, Any]:
    """The operations that the person may do here, under headings. `offered` are those with a derived form."""
    listed: dict[str, list[tuple[str, OperationWords]]] = {heading: [] for heading in HEADINGS}
    for operation, words in OPERATIONS.items():
        if (
            operation in offered
            and request.may(operation)
            and operation_fields.is_of_the_game(request, operation)
        ):
            listed[words.heading].append((path_of(operation), words))
    return {"headings": [(heading, rows) for heading, rows in listed.items() if rows]}


def operation(request: PageRequest) -> Mapping[str, Any]:
    """One operation: its form with the typed values, and its preview."""
    wanted = called(request)
    filled = request.typed if request.typed.fields else _with_defaults(request, wanted)
    refused = request.refused
    looks = operation_fields.has_dry_run(wanted)
    found = WhatItDoes()
    if refused is None and looks and LOOK in filled and request.receipt is None:
        found = _looked(request, wanted, filled)
        refused = found.wrong
    words = words_of(wanted)
    faults = _faults(request, refused, filled)
    fields = operation_fields.fields_of(request, wanted, filled, faults)
    shown = {field.name for field in fields}
    return {
        "words": words,
        "operation": wanted,
        "fields": fields,
        "looks": looks,
        "found": found,
        "why_not": refused if not {*faults} & shown else None,
        "path_here": here(request, path_of(wanted)),
        "back": _back(filled),
        "can_roll": operation_fields.takes(wanted, operation_fields.ROLL),
        "rolls": operation_fields.ROLL in filled,
        "names": names_of(request),
        "receipt": request.receipt if isinstance(request.receipt, Page) else None,
        "takes_file": operation_fields.takes(wanted, operation_fields.DOCUMENT),
        "text_max": NOTE_CHARACTERS_MAX,
        "refused": None,
    }


def act(request: PageRequest, filled: FormValues) -> Redirect | None:
    """Record it if the form is as previewed; otherwise only preview it."""
    assert request.caller is not None, "who writes is signed in"
    wanted = called(request)
    if operation_fields.has_dry_run(wanted) and filled.get(SEEN) != _fingerprint(wanted, filled):
        filled.fields[LOOK] = ["1"]
        return None
    sending = filled.sending(request.caller.actor)._replace(expected_size=None, expected_leaf="")
    given, files = _given(request, wanted, filled)
    receipt = request.do(wanted, sending=sending, files=files, **given)
    entry = _first_entry(receipt)
    if entry is None:
        request.receipt = receipt
        return None
    return Redirect(f"{here(request, _place(request, filled))}?done={entry}")


def done(request: PageRequest) -> Sequence[str]:
    """The sentences of what was just done, for the page after it."""
    entry = request.query.get("done", "")
    if not (is_count(entry) and request.may("log entry")):
        return ()
    try:
        shown = request.data("log entry", entry=entry)
    except (Refusal, click.ClickException, Forbidden):
        return ()
    return _sentences([shown])


def _with_defaults(request: PageRequest, wanted: str) -> FormValues:
    """The values in the address, and usual defaults."""
    filled = FormValues(dict(request.asked.fields))
    battles = request.boards.state_at(request.known_campaign).battle_number
    usual = {"reason": f"After battle {battles}" if battles else "Before the first battle"}
    if wanted in ("dice contribute", "dice reveal") and request.caller is not None:
        usual["who"] = request.caller.name
    for name, value in usual.items():
        if operation_fields.takes(wanted, name):
            filled.fields.setdefault(name, [value])
    return filled


def _looked(request: PageRequest, wanted: str, filled: FormValues) -> WhatItDoes:
    """The preview, by a dry run. Dice that are due are asked for one after the other."""
    book = loader.book(request.boards.state_at(request.known_campaign).book)
    names = [name for name, _ in _dice_named(filled)]
    fields = [
        field
        for name, purpose in _dice_named(filled)
        if (field := die_field(book, purpose, name, filled)) is not None
    ]
    given, files = _given(request, wanted, filled)
    given.pop(operation_fields.ROLL, None)
    try:
        receipt = request.would(wanted, files=files, **given)
    except NotAllowed as refusal:
        return WhatItDoes(wrong=problems.of_refusal(refusal))
    except Refusal as refusal:
        problem = problems.of_refusal(refusal)
        facts = problem.get("facts", {})
        if problem["code"] != "dice_needed" or len(fields) >= _DICE_MOST:
            return WhatItDoes(wrong=problem, dice=fields)
        purpose = str(facts["purpose"])
        name = f"die.{purpose}.{sum(known.startswith(f'die.{purpose}.') for known in names)}"
        if name not in names:
            due = die_field(book, purpose, name, filled, fighter=facts.get("fighter"))
            fields += [due] if due is not None else []
        rolls = operation_fields.ROLL in filled
        return WhatItDoes(dice=fields, lacks_dice=True, seen=_fingerprint(wanted, filled) if rolls else "")
    except click.ClickException as wrong:
        return WhatItDoes(wrong=problems.of_misuse(wrong), dice=fields)
    assert isinstance(receipt, Page), "a dry run shows a receipt"
    lines = _sentences(receipt.data()["entries"])
    return WhatItDoes(lines=lines, dice=fields, seen=_fingerprint(wanted, filled))


def _given(request: PageRequest, wanted: str, filled: FormValues) -> tuple[dict[str, Any], dict[str, bytes]]:
    """The command's parameters and its document."""
    given = operation_fields.given(wanted, filled)
    if operation_fields.takes(wanted, operation_fields.DICE):
        book = loader.book(request.boards.state_at(request.known_campaign).book)
        dice: dict[str, list[str]] = {}
        for name, purpose in _dice_named(filled):
            field = die_field(book, purpose, name, filled)
            if field is not None and field.given is not None:
                dice.setdefault(purpose, []).append(field.given)
        given[operation_fields.DICE] = [f"{purpose}={','.join(faces)}" for purpose, faces in dice.items()]
    if operation_fields.takes(wanted, operation_fields.ROLL) and operation_fields.ROLL in filled:
        given[operation_fields.ROLL] = True
    files: dict[str, bytes] = {}
    if operation_fields.takes(wanted, operation_fields.DOCUMENT):
        sent = filled.files.get(operation_fields.DOCUMENT)
        text = f"{filled.get(operation_fields.DOCUMENT)}\n".replace("\r\n", "\n").encode()
        content = sent.content if sent is not None and sent.content else text
        if content.strip():
            files, given[operation_fields.DOCUMENT] = {"-": content}, "-"
    return given, files


def _dice_named(filled: FormValues) -> list[tuple[str, str]]:
    """The dice of the form by name and purpose, each once."""
    found = {match[1]: match[2] for name in filled.fields if (match := _DIE.fullmatch(name))}
    return sorted(found.items(), key=lambda die: int(die[0].rpartition(".")[2]))


def _fingerprint(wanted: str, filled: FormValues) -> str:
    """A digest of all values, so that only what was previewed is recorded."""
    said = {name: value for name, value in operation_fields.given(wanted, filled).items() if value}
    dice = sorted((name, filled.get(name)) for name in filled.fields if _DIE.fullmatch(name))
    rolls = operation_fields.ROLL in filled
    whole = repr((wanted, sorted(said.items()), dice, rolls, filled.get(operation_fields.DOCUMENT)))
    return hashlib.sha256(whole.encode()).hexdigest()[:24]


def _sentences(entries: Sequence[Mapping[str, Any]]) -> list[str]:
    """The sentences of the events, without the command's own."""
    return [event["sentence"] for entry in entries for event in (entry["events"][1:] or entry["events"])]


def _faults(request: PageRequest, refused: Mapping[str, Any] | None, filled: FormValues) -> dict[str, str]:
    """The faults by field; under "" if they concern everything."""
    if refused is None:
        return {}
    facts, errors = refused.get("facts", {}), refused.get("errors", ())
    if named := facts.get("parameter"):
        return {named: _of_parameter(refused["detail"])}
    if refused["code"] == "bad_parameter":
        return dict(_WHERE.findall(refused["detail"]))
    if placed := [error for error in errors if error.get("line")]:
        more = [f"And {len(placed) - _PLACES_MOST} more."] if len(placed) > _PLACES_MOST else []
        lines = [
            f"Line {error['line']}: {_PLACE.sub('', error['message'])}" for error in placed[:_PLACES_MOST]
        ]
        return {operation_fields.DOCUMENT: " ".join((*lines, *more))}
    said = {str(fact).casefold() for fact in facts.values() if fact}
    names = names_of(request)
    known = {**names.fighters, **names.gangs}
    about = {
        name
        for name in filled.fields.keys() - _NO_FIELDS
        if (typed := filled.get(name)) and {typed.casefold(), known.get(typed, typed).casefold()} & said
    }
    about = about - {"gang"} or about
    if len(about) == 1:
        return {about.pop(): refused["detail"]}
    if refused["detail"].startswith(_SENT_ALONG):  # a document has no name on a page
        return {operation_fields.DOCUMENT: f"This {refused['detail'].removeprefix(_SENT_ALONG)}"}
    return {}


def _of_parameter(detail: str) -> str:
    """The fault of a value that the command does not accept, in the words of a page."""
    if detail.startswith("Missing "):
        return "This has to be said."
    return _NO_NUMBER.sub(r"\1 is not a whole number.", detail.rpartition(": ")[2])


def _first_entry(receipt: Page | str) -> int | None:
    entries = receipt.data().get("entries") if isinstance(receipt, Page) else None
    return entries[0]["entry"] if entries else None


def _back(filled: FormValues) -> str:
    """The page that the person came from, if it belongs to the campaign."""
    wanted = filled.get(BACK)
    return wanted if _BACK.fullmatch(wanted) else ""


def _place(request: PageRequest, filled: FormValues) -> str:
    """The page that shows the result: the one the person came from, else the fighter's, else the gang's."""
    if back := _back(filled):
        return back
    state = request.boards.state_at(request.known_campaign)
    fighters = filled.all("fighter") or filled.all("captive") or filled.all("fighters")
    fighter = fighters[0].strip() if len(fighters) == 1 else ""
    gang = filled.get("gang") or filled.get("to")
    if fighter and state.fighter(fighter) is not None:
        return f"/fighters/{quote(fighter, safe='')}"
    if gang in state.gangs:
        return f"/gangs/{quote(gang, safe='')}"
    return "/log"
