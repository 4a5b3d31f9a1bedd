"""The log: entry by entry with what was struck out, one entry, and whether the whole of it is proved."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tracker.campaign import records
from tracker.errors import Refusal
from tracker.server import problems
from tracker.server.pages import rulings
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.rolls import CampaignRollMarks
from tracker.server.pages.words import names_of, why_struck
from tracker.service.clock import now

EVERYTHING: Final = "all"
STRUCK_OUT: Final = "struck"


def log(asking: PageRequest) -> Mapping[str, Any]:
    """Its entries, the newest first, as far as the filters let through."""
    filled = rulings.fields(asking)
    asked = {name: filled.get(name) or None for name in ("fighter", "gang", "battle")}
    kind = filled.get("kind") or None
    given: dict[str, Any] = {
        **asked,
        "event_type": kind,
        "everything": EVERYTHING in filled or STRUCK_OUT in filled,
    }
    wrong = None
    entries: list[Any] = []
    events: list[Any] = []
    try:
        found = asking.data("log show", **given)
        entries, events = list(found.get("entries", ())), list(found.get("events", ()))
    except Refusal as refusal:
        wrong = problems.of_refusal(refusal)
    if STRUCK_OUT in filled:
        entries = [entry for entry in entries if entry["struck_out"]]
        events = [event for event in events if event["struck_out"]]
    return {
        "entries": entries[::-1],
        "events": events[::-1],
        "wrong": wrong,
        "filled": filled,
        "kinds": sorted(records.EVENTS),
        "names": names_of(asking),
        "about": asking.data("campaign show"),
        "why_struck": why_struck(asking),
    }


def entry(asking: PageRequest) -> Mapping[str, Any]:
    """One entry whole."""
    number = asking.path.get("entry") or asking.path["event"].partition(".")[0]
    return {
        "entry": asking.data("log entry", entry=number),
        "names": names_of(asking),
        "rolls": CampaignRollMarks.of(asking),
    }


def proof(asking: PageRequest) -> Mapping[str, Any]:
    """The whole log, verified: now where that is asked for, or where something was recorded since."""
    asking.require("audit verify")

    def verified() -> tuple[str, Mapping[str, Any]]:
        return now(), asking.data("audit verify")

    at, audit = verified() if "again" in asking.asked else asking.kept("audit verify", verified)
    return {"audit": audit, "verified_at": at}
