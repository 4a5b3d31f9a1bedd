"""Recording at the table: reports question by question, one question a page.

The `draft` commands provide the questions, the possible answers and the results. The layout is for phones:
every answer is a button, and every button is a form.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import quote

import click

from tracker.campaign.state import CampaignState
from tracker.documents.battle_report import battle_plan
from tracker.documents.post_battle import PostBattlePlan
from tracker.documents.wizard.candidates import candidates
from tracker.documents.wizard.context import Context
from tracker.documents.wizard.forms import Form, battle_forms, post_battle_forms
from tracker.documents.wizard.prompts import prompts_of
from tracker.documents.yaml_reader import parse_document
from tracker.drafts.refusals import DraftMovedOn
from tracker.errors import Refusal
from tracker.rights import NotAllowed
from tracker.rules import loader
from tracker.rules.provable_dice import PROTOCOL
from tracker.server.pages.forms import FormUnreadable, FormValues, Redirect
from tracker.server.pages.operations import path_of
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import here, names_of
from tracker.service.as_of import is_count
from tracker.service.repository import RemoteRequest

RECORDS: Final[Mapping[str, str]] = {
    "battle": "battle record",
    "post-battle": "battle post",
    "gang": "gang add",
}
"""What records the file of each kind of draft."""
_CALLED: Final[Mapping[str, str]] = {"battle": "Battle", "post-battle": "After a battle", "gang": "Gang"}
_WORDS: Final[Mapping[str, str]] = {
    "end": "That is all: to the end",
    "next": "Next step",
    "gang": "Another gang",
}
_IN_A_ROW: Final = re.compile(r" \((?:both|all [0-9]+) in a row\)")
_AT_ONCE: Final = ("shoot", "fight", "hit")
"""What most exchanges are: a button at once; the others open with one more tap."""
WEAPON: Final = "weapon"
PROFILE: Final = "profile"
BESIDE: Final = "beside"
THEN: Final = "then."
"""A button called so answers two questions: its value the first, the rest of its name the next."""
_COUNTED: Final = frozenset({"plus_dice", "minus_dice"})
"""Reasons that may be counted instead."""
_DICE_MORE: Final = tuple(str(number) for number in range(1, 5))


class OpenSequence(NamedTuple):
    """A gang that still has to do what comes after its last battle."""

    gang: str
    name: str
    number: int


def open_sequences(request: PageRequest) -> list[OpenSequence]:
    """The gangs whose sequence is open and not recorded yet, by the battle that it follows."""
    state = request.boards.state_at(request.known_campaign)
    return [
        OpenSequence(gang, state.gangs[gang].name, after.number)
        for gang, after in state.after_battle.items()
        if gang in state.gangs and not _is_recorded(request, after.battle, gang)
    ]


def _is_recorded(request: PageRequest, battle: str, gang: str) -> bool:
    """Whether what the gang did after that battle is in the log, in a report of its own or one for all."""
    return any(
        request.tracker.commands.is_recorded(
            request.known_campaign,
            PostBattlePlan(
                battle=battle, gang=of, part=None, campaign=None, recorded_by=None, decisions=(), digest=""
            ),
        )
        for of in (gang, None)
    )


def drafts(request: PageRequest) -> Mapping[str, Any]:
    """What is on its way, and what can be begun."""
    listed = request.data("draft list")["drafts"] if request.may("draft list") else []
    waiting = request.data("battle proposals")["proposals"] if request.may("battle proposals") else []
    kept = request.tracker.drafts.of(request.known_campaign) if listed else ()
    return {
        "drafts": listed,
        "built": {each.draft for each in kept if each.kind == "gang" and each.text and not each.lines},
        "called": _CALLED,
        "proposals": waiting,
        "names": names_of(request),
        "sequences": open_sequences(request),
    }


def report(request: PageRequest) -> Mapping[str, Any]:
    """One report that was sent in: what would be recorded of it, or why it would be refused."""
    shown = request.data("battle proposal", proposal=request.path["proposal"])
    return {"shown": shown, "names": names_of(request)}


def draft(request: PageRequest) -> Mapping[str, Any]:
    """One draft: what it asks, and what stands in it so far."""
    shown = request.data("draft show", draft=request.path["draft"])
    kind = shown["draft"]["kind"]
    asked = _asked(shown["question"]) if "question" in shown else None
    if asked is not None and asked["key"] == WEAPON and asked["shape"] == "one":
        asked |= _with_profiles(asked, request.boards.state_at(request.known_campaign))
    is_whole = asked is not None and asked["shape"] == "record"
    return {
        "draft": shown["draft"],
        "called": _CALLED[kind],
        "stuck": shown.get("refused"),
        "stuck_at": shown.get("entry"),
        "dice_given_up": shown.get("dice_given_up", False),
        "holds_without": shown.get("holds_without", False),
        "document": shown["document"],
        "so_far": shown.get("so_far", []),
        "said": [*shown.get("wrong", ()), *shown.get("said", ())],
        "decided": shown.get("decided", ""),
        "whole": shown.get("whole", False),
        "asked": asked,
        "may_record": is_whole and _may_record(request, RECORDS[kind], str(shown["document"])),
        "may_send_in": is_whole and kind == "battle" and _may_send_in(request, str(shown["document"])),
        "path": _path(request),
        "dice_from": request.tracker.people.dice(request.known_campaign),
        "provable": (provable := _provable(request)),
        "rolls": provable is None or provable["rolls"],
    }


def _provable(request: PageRequest) -> Mapping[str, Any] | None:
    """Where everybody can check the tool's dice: the open session, who still owes it something, and where
    whoever may begins one, contributes, reveals, or goes on without.
    """
    state = request.boards.state_at(request.known_campaign)
    if state.tool_dice.protocol != PROTOCOL:
        return None
    session = state.dice_session
    given = session.contributions if session is not None else ()
    owing = [each.who for each in given if each.value is None and not each.withheld]
    shown = [each.who for each in given if each.value is not None]
    is_fixed = session is not None and bool(session.asked or len(owing) < len(given))
    ways = {
        "begin_at": session is None and "dice open",
        "contribute_at": session is not None and not is_fixed and "dice contribute",
        "reveal_at": bool(owing) and "dice reveal",
        "withhold_at": bool(owing) and "dice withheld",
    }
    return {
        "session": session.session if session is not None else None,
        "owing": owing,
        "shown": shown,
        "rolls": session is not None and not owing,
        "waits": f"{session.session if session is not None else 0} {is_fixed} {owing} {shown}",
        **{
            way: here(request, path_of(operation)) if operation and request.may(operation) else ""
            for way, operation in ways.items()
        },
    }


def _may_send_in(request: PageRequest, document: str) -> bool:
    """Whether it is about a gang of theirs."""
    if not request.may("battle propose"):
        return False
    state = request.boards.state_at(request.known_campaign)
    purposes = loader.book(state.book).purposes
    try:
        plan = battle_plan(parse_document(document, file="-"), purposes=purposes, state=state)
    except Refusal:
        return True  # what is wrong with it is said once it is tried
    return request.may_record("battle propose", [decision.command for decision in plan.decisions], state)


def _may_record(request: PageRequest, command: str, document: str) -> bool:
    """Whether its own right lets who asks record that. What the rules refuse is said once it is tried."""
    if not request.may(command):
        return False
    try:
        request.would(command, files={"-": document.encode()}, file="-")
    except NotAllowed:
        return False
    except (Refusal, click.ClickException):
        return True
    return True


def begin(request: PageRequest, filled: FormValues) -> Redirect:
    """Begin a draft."""
    begun = data_of(request.do("draft begin", sending=RemoteRequest(), kind=filled.get("kind")))
    return Redirect(f"{drafts_path(request)}/{quote(begun['draft']['draft'])}")


def answer(request: PageRequest, filled: FormValues) -> Redirect:
    """Answer the question that the page showed."""
    for name in filled.fields:
        if name.startswith(THEN):
            both = (filled.get(name), name.removeprefix(THEN))
            return _answered(request, "draft answer", filled, *({"answer": answer} for answer in both))
    return _answered(request, "draft answer", filled, {"answer": ", ".join(said_in(filled))})


def said_in(filled: FormValues) -> list[str]:
    """What was ticked, tapped and added. Of what only one can be, a field of its own says which, if any."""
    added = [name for name in filled.fields if name == BESIDE or name.startswith(f"{BESIDE}.")]
    ticked = [one for one in filled.all("choice") if one]
    return [*ticked, *filled.all("answer"), *(one for name in added for one in filled.all(name) if one)]


def undo(request: PageRequest, filled: FormValues) -> Redirect:
    """Take the last answer back, the last entry, or the entry of that number."""
    return _answered(request, "draft undo", filled, taken_back(filled))


def taken_back(filled: FormValues) -> Mapping[str, Any]:
    """What a form takes back: an answer, this whole entry, or the entry of that number."""
    number = filled.get("number")
    given = {"number": int(number)} if is_count(number) else {}
    return {"entry": "entry" in filled, **given}


def discard(request: PageRequest, filled: FormValues) -> Redirect:
    """Delete the draft."""
    request.do(
        "draft discard", sending=RemoteRequest(), draft=request.path["draft"], revision=revision_of(filled)
    )
    return Redirect(drafts_path(request))


def refuse_stale(kept: Mapping[str, Any], revision: int) -> None:
    """Refuse an answer that was meant for another revision of the draft. Raises DraftMovedOn."""
    if kept["revision"] != revision:
        raise DraftMovedOn(
            draft=kept["draft"],
            seen=revision,
            now=kept["revision"],
            by=kept["changed_by"],
            at=kept["changed_at"],
        )


def record(request: PageRequest, filled: FormValues) -> Redirect:
    """Record the file as it stands, for the state of the campaign that the page showed."""
    shown = request.data("draft show", draft=request.path["draft"])
    kept, revision = shown["draft"], revision_of(filled)
    refuse_stale(kept, revision)
    assert request.caller is not None, "who writes is signed in"
    request.do(
        RECORDS[kept["kind"]],
        sending=filled.sending(request.caller.actor),
        files={"-": str(shown["document"]).encode()},
        file="-",
    )
    request.do("draft discard", sending=RemoteRequest(), draft=kept["draft"], revision=revision)
    return Redirect(f"/campaigns/{quote(request.slug or '')}")


def propose(request: PageRequest, filled: FormValues) -> Redirect:
    """Send the report in: it counts once it is taken in."""
    shown = request.data("draft show", draft=request.path["draft"])
    document = str(shown["document"]).encode()
    request.do("battle propose", sending=RemoteRequest(), files={"-": document}, file="-")
    request.do(
        "draft discard", sending=RemoteRequest(), draft=request.path["draft"], revision=revision_of(filled)
    )
    return Redirect(drafts_path(request))


def confirm(request: PageRequest, _: FormValues) -> Redirect:
    """Say that a report is how it went."""
    request.do("battle confirm", sending=RemoteRequest(), proposal=request.path["proposal"])
    return Redirect(drafts_path(request))


def objection(request: PageRequest, filled: FormValues) -> Redirect:
    """Say that it is not, and why."""
    request.do(
        "battle object",
        sending=RemoteRequest(),
        proposal=request.path["proposal"],
        reason=filled.get("reason"),
    )
    return Redirect(drafts_path(request))


def take_in(request: PageRequest, filled: FormValues) -> Redirect:
    """Record a report that was sent in."""
    assert request.caller is not None, "who writes is signed in"
    sending = filled.sending(request.caller.actor)
    proposal = request.path["proposal"]
    battle = str(request.data("battle proposal", proposal=proposal)["battle"])
    request.do("battle take-in", sending=sending, proposal=proposal)
    known = request.boards.state_at(request.known_campaign).battles.get(battle)
    return Redirect(here(request, f"/battles/{known}") if isinstance(known, int) else drafts_path(request))


def withdraw(request: PageRequest, _: FormValues) -> Redirect:
    """Take a report back, or turn it down."""
    request.do("battle withdraw", sending=RemoteRequest(), proposal=request.path["proposal"])
    return Redirect(drafts_path(request))


def _answered(request: PageRequest, command: str, filled: FormValues, *steps: Mapping[str, Any]) -> Redirect:
    """Change a draft. Sent twice by one thumb, it counts once: the page behind it is what comes next."""
    seen = revision_of(filled)
    try:
        for revision, given in enumerate(steps, start=seen):
            request.do(
                command, sending=RemoteRequest(), draft=request.path["draft"], revision=revision, **given
            )
    except DraftMovedOn as moved:
        if request.caller is None or (moved.by, moved.now) != (request.caller.actor, seen + len(steps)):
            raise
    return Redirect(_path(request))


def revision_of(filled: FormValues) -> int:
    revision = filled.get("revision")
    if not re.fullmatch("[0-9]{1,9}", revision):
        raise FormUnreadable(why="its field 'revision' is not what the page put there")
    return int(revision)


def data_of(page: Any) -> Mapping[str, Any]:
    found: Mapping[str, Any] = page.data()
    return found


def drafts_path(request: PageRequest) -> str:
    return f"/campaigns/{quote(request.slug or '')}/record"


def _path(request: PageRequest) -> str:
    return f"{drafts_path(request)}/{quote(request.path['draft'])}"


# --- a question as it is laid out --------------------------------------------------------------------------


def _asked(question: Mapping[str, Any]) -> dict[str, Any]:
    """The question with everything that its page has to place."""
    asked = dict(question)
    asked["words"] = _IN_A_ROW.sub("", asked["words"]).strip()
    if asked["shape"] == "menu":
        asked |= _menu(asked)
    asked["beside_groups"] = _apart(asked["beside"])
    columns, asked["toggle_groups"] = _columns(asked["beside_groups"])
    asked["columns"] = [column["name"] for column in columns]
    beside = {side["value"] for side in asked["beside"]}  # said with an answer, and none by itself
    asked["options"] = [option for option in asked["options"] if option["value"] not in beside]
    asked["groups"] = _grouped(asked["options"], columns)
    asked["ticks"] = [(group, picks) for group, rows in asked["groups"] if (picks := _ticks(rows))]
    alone = {option["one_of"] for option in asked["options"] if option["alone"]}
    asked["picks"] = [
        (group, [row for row in rows if row["alone"] or row["one_of"] not in alone])
        for group, rows in asked["groups"]
    ]
    asked["may_be_all"] = _may_be_all(asked)
    if asked["shape"] == "text":
        asked["numbers"] = _numbers(asked)
        if asked["key"] in _COUNTED:
            asked["numbers"] = _DICE_MORE
    return asked


def _may_be_all(asked: Mapping[str, Any]) -> bool:
    """Whether everything listed can be meant at once: of the sides of one vehicle only one can."""
    if any(len(rows) > 1 for _, picks in asked["ticks"] for rows in picks):
        return False
    form, listed = _form_of(asked), [option["value"] for option in asked["options"]]
    if not listed or (asked["most"] is not None and len(listed) > asked["most"]):
        return False
    return form is None or asked["shape"] != "several" or not form.expected(asked["key"], listed)


def _ticks(rows: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """What is ticked of a list: each by itself, but together those of which only one can be."""
    picks: dict[str, list[dict[str, Any]]] = {}
    for row in (row for row in rows if not row["alone"]):
        picks.setdefault(row["one_of"] or f"/{row['value']}", []).append(row)
    return [*picks.values()]


def _form_of(asked: Mapping[str, Any]) -> Form | None:
    """The entry that is asked about; none where it is the head or the end of a file."""
    kind = asked["kind"]
    form = battle_forms().get(kind) or post_battle_forms().get(kind)
    return form if form is not None and asked["key"] in {key for key, _, _ in form.shapes()} else None


def _numbers(asked: Mapping[str, Any]) -> tuple[str, ...]:
    """The first numbers that can be an answer, where it is one."""
    form = _form_of(asked)
    if asked["free"] == "number" and form is not None:
        return tuple(str(number) for number in asked["numbers"] if not form.expected(asked["key"], number))
    return tuple(map(str, asked["numbers"]))


def _with_profiles(asked: Mapping[str, Any], state: CampaignState) -> dict[str, Any]:
    """A weapon with several profiles is chosen with one of them, in one tap."""
    form = battle_forms().get(asked["kind"])
    if form is None or not any(prompt.key == PROFILE for prompt in prompts_of(form)):
        return {}
    table = Context(state=state, book=loader.book(state.book), gangs=tuple(state.gangs))
    rows, some = [], False
    for option in asked["options"]:
        answers = {**asked["answers"], WEAPON: option["value"]}
        profiles = candidates(table, form, PROFILE, answers) or ()
        some = some or bool(profiles)
        cells = [
            {"field": f"{THEN}{profile.value}", "value": option["value"], "name": profile.name}
            for profile in profiles
        ]
        rows.append({**option, "cells": cells or [{"value": option["value"], "name": ""}]})
    return {"columns": [PROFILE], "groups": _in_groups(rows)} if some else {}


def _menu(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Who does what: a button for each, in the order of the gangs; what begins with nobody stands below."""
    fighters: dict[str, dict[str, Any]] = {}
    for opening in asked["openings"]:
        for option in opening["options"]:
            row = fighters.setdefault(option["value"], {**option, "kinds": []})
            kind = opening["kind"]
            row["kinds"].append({"kind": kind, "value": f"{kind} {option['value']}", "name": _name(kind)})
    for row in fighters.values():
        row["first"] = [listed for kind in _AT_ONCE for listed in row["kinds"] if listed["kind"] == kind]
        row["more"] = [listed for listed in row["kinds"] if listed["kind"] not in _AT_ONCE]
    openings = {opening["kind"] for opening in asked["openings"]}
    others = [option for option in asked["options"] if option["value"] not in openings]
    return {
        "fighters": _in_groups([*fighters.values()]),
        "others": others,
        "ways_on": [(word, _WORDS[word]) for word in asked["also"] if word in _WORDS],
    }


def _name(kind: str) -> str:
    return kind.replace("_", " ")


def _columns(
    groups: Sequence[list[Mapping[str, Any]]],
) -> tuple[list[dict[str, str]], list[list[Mapping[str, Any]]]]:
    """What is said with an answer: a column for each word of the largest group, else a box."""
    if not groups:
        return [], []
    most = max(groups, key=len)
    columns = [{"name": "", "said": ""}]
    columns += [{"name": side["value"], "said": f", {side['value']}"} for side in most]
    return columns, [group for group in groups if group is not most]


def _apart(beside: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """What can be said with an answer, in groups: of each one thing at most, or two that go together."""
    groups: dict[str, list[Mapping[str, Any]]] = {}
    for side in beside:
        groups.setdefault(side["one_of"], []).append(side)
    for group in groups.values():
        places = {side["value"]: place for place, side in enumerate(group)}
        group += [
            {**side, "value": f"{side['value']}, {other}"}
            for side in [*group]
            for other in side["goes_with"]
            if places[other] > places[side["value"]]
        ]
    return [*groups.values()]


def _grouped(
    options: Sequence[Mapping[str, Any]], columns: Sequence[Mapping[str, str]]
) -> list[tuple[str, list[dict[str, Any]]]]:
    """The options by what they belong to, each with a button for each column."""
    rows = [
        {
            **option,
            "cells": [
                {"value": f"{option['value']}{column['said']}", "name": column["name"]} for column in columns
            ],
        }
        for option in options
    ]
    return _in_groups(rows)


def _in_groups(rows: Sequence[dict[str, Any]]) -> list[tuple[str, list[dict[str, Any]]]]:
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row["group"], []).append(row)
    return [*groups.items()]
