"""The pages of disputes: the list, one dispute with its comments, and ruling on it after a preview."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from tracker.documents.text import NOTE_CHARACTERS_MAX
from tracker.reports.log import happened
from tracker.reports.names import Names
from tracker.reports.sentences import sentence
from tracker.rules import loader
from tracker.server.pages import rulings
from tracker.server.pages.dice import DieField, die_field
from tracker.server.pages.forms import FormValues, Redirect
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.rolls import CampaignRollMarks
from tracker.server.pages.ruling_changes import changes_of
from tracker.server.pages.words import addressed, entry_of, here, names_of

CONFIRM: Final = "confirmed"
VERDICTS: Final = {
    CONFIRM: "It stands",
    "corrected": "The die showed something else",
    "rerolled": "The die is rolled again",
    "set": "The result is set",
    "voided": "The whole entry is struck",
    "reversed": "The ruling is taken back",
    "amended": "The entry should have said something else",
}
_DISPUTED: Final = re.compile(r"\b(disputes?|about) (entry (\d+)|(\d+)\.\d+)(?=: | is open again)")
"""The places of the log that sentences about disputes name."""
_OF_A_ROLL: Final = (CONFIRM, "corrected", "rerolled", "set", "voided")
_OF_A_RULING: Final = (CONFIRM, "reversed")
_OF_AN_ENTRY: Final = (CONFIRM, "voided")


def disputes(request: PageRequest) -> Mapping[str, Any]:
    """Every dispute, the open ones first."""
    rows = request.data("dispute list")["disputes"]
    rows = sorted(rows, key=lambda row: (row["status"] != "open", -row["dispute"]))
    names = names_of(request)
    about = {row["dispute"]: disputed_in_words(request, row, names) for row in rows}
    return {"disputes": rows, "about": about, "verdicts": VERDICTS}


def named(request: PageRequest, text: str, names: Names) -> str:
    """A line of the log: where it disputes a place in the log, what stands there in its stead."""

    def in_words(found: re.Match[str]) -> str:
        row = {"target": found[2], "target_entry": int(found[3] or found[4])}
        return f"{found[1]} “{disputed_in_words(request, row, names)}”"

    return _DISPUTED.sub(in_words, text, count=1)


def disputed_in_words(request: PageRequest, row: Mapping[str, Any], names: Names) -> str:
    """The roll, event or entry of a dispute, as the log words it."""
    entry = request.boards.entry(request.known_campaign, row["target_entry"]).entries[0]
    said = (sentence(event.event, names, whose=True) for event in entry if event.address == row["target"])
    return next(said, None) or happened(entry, names)


def dispute(request: PageRequest) -> Mapping[str, Any]:
    """One of them."""
    number = request.path["dispute"]
    shown = request.data("dispute show", dispute=number)
    row, target = shown["dispute"], shown["target"]
    filled = rulings.fields(request)
    is_open = row["status"] == "open"
    may_preview = is_open and request.may("dispute preview")
    book = loader.book(request.boards.state_at(request.known_campaign).book)
    die = _die(book, target, filled)
    verdict = _verdict(filled, die)
    found = rulings.NOTHING
    if may_preview and verdict:
        found = rulings.previewed(
            request, "dispute preview", filled, book, about=row["target_slot"], dispute=number, **verdict
        )
    ways = _OF_A_ROLL if die is not None else _OF_A_RULING if _is_ruling(target) else _OF_AN_ENTRY
    return {
        "shown": shown,
        "row": row,
        "names": names_of(request),
        "rolls": CampaignRollMarks.of(request),
        "ruled_changes": changes_of(request, row["ruling"]["entry"]) if row["ruling"] else (),
        "filled": filled,
        "may_preview": may_preview,
        "may_withdraw": is_open and (_is_theirs(request, row) or request.may("dispute rule")),
        "verdicts": [(way, VERDICTS[way]) for way in ways],
        "verdict_words": VERDICTS,
        "die": die,
        "found": found,
        "text_max": NOTE_CHARACTERS_MAX,
        "refused_form": request.at.rpartition("/")[2] if request.refused else "",
    }


def new(request: PageRequest) -> Mapping[str, Any]:
    """The form for a new dispute."""
    filled = rulings.fields(request)
    address = filled.get("event")
    entry = request.data("log entry", entry=address.partition(".")[0])
    about = next((event for event in entry["events"] if event["address"] == address), None)
    return {
        "address": address,
        "entry": entry,
        "about": about,
        "filled": filled,
        "text_max": NOTE_CHARACTERS_MAX,
    }


# --- what forms do ------------------------------------------------------------------------------------------


def open_dispute(request: PageRequest, filled: FormValues) -> Redirect:
    """Open a dispute about an event or an entry."""
    receipt = request.do(
        "dispute open",
        sending=rulings.sent_for_any_state(request, filled),
        event=filled.get("event"),
        reason=filled.get("reason"),
        rule=filled.get("rule") or None,
    )
    return Redirect(here(request, f"/disputes/{entry_of(receipt)}"))


def comment(request: PageRequest, filled: FormValues) -> Redirect:
    """Comment on a dispute."""
    number = request.path["dispute"]
    request.do(
        "dispute comment",
        sending=rulings.sent_for_any_state(request, filled),
        dispute=number,
        says=filled.get("says"),
    )
    return Redirect(here(request, f"/disputes/{addressed(number)}#thread"))


def withdraw(request: PageRequest, filled: FormValues) -> Redirect:
    """Withdraw a dispute."""
    number = request.path["dispute"]
    request.do(
        "dispute withdraw",
        sending=rulings.sent_for_any_state(request, filled),
        dispute=number,
        reason=filled.get("reason"),
    )
    return Redirect(here(request, f"/disputes/{addressed(number)}"))


def rule(request: PageRequest, filled: FormValues) -> Redirect:
    """Make the ruling that was previewed."""
    number = request.path["dispute"]
    book = loader.book(request.boards.state_at(request.known_campaign).book)
    target = request.data("dispute show", dispute=number)["target"]
    verdict = _verdict(filled, _die(book, target, filled))
    settled = {} if "confirm" in verdict else rulings.later(filled, book)
    request.do(
        "dispute rule",
        sending=rulings.sent_for_any_state(request, filled),
        dispute=number,
        reason=filled.get("reason"),
        roll="roll" in filled,
        expect_head=rulings.looked_at(filled),
        **verdict,
        **settled,
    )
    return Redirect(here(request, f"/disputes/{addressed(number)}"))


def _is_theirs(request: PageRequest, row: Mapping[str, Any]) -> bool:
    caller = request.caller
    return caller is not None and row["raised_by"] in (caller.actor, caller.name)


def _is_ruling(target: Mapping[str, Any] | None) -> bool:
    command = (target or {}).get("data", {}).get("command", {})
    return bool(command.get("type") == "RuleOnDispute")


def _die(book: Any, target: Mapping[str, Any] | None, filled: FormValues) -> DieField | None:
    """The disputed die, or None."""
    if target is None or target["type"] != "RollMade":
        return None
    return die_field(book, target["data"]["purpose"], "face", filled, fighter=target["data"]["fighter"])


def _verdict(filled: FormValues, die: DieField | None) -> dict[str, Any]:
    """The verdict as options of the command; empty until it is complete."""
    faces = die.given if die is not None else None
    match filled.get("verdict"):
        case "confirmed":
            return {"confirm": True}
        case "corrected" if faces:
            return {"faces": faces}
        case "rerolled":
            return {"reroll": True, "faces": faces} if faces else {"reroll": True}
        case "set" if outcome := filled.get("outcome"):
            return {"outcome": outcome}
        case "voided":
            return {"void_it": True}
        case "reversed":
            return {"reverse": True}
        case _:
            return {}
