"""The pages of the log: its entries with those struck out, one entry, and the verification of the log."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from typing import Any, Final

from tracker.campaign import records
from tracker.errors import Refusal
from tracker.rules import loader
from tracker.server import problems
from tracker.server.pages import disputes, operations, rulings
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.rolls import CampaignRollMarks
from tracker.server.pages.ruling_changes import changes_of
from tracker.server.pages.words import names_of, why_struck
from tracker.service.clock import now

EVERYTHING: Final = "all"
STRUCK_OUT: Final = "struck"
VERDICTS: Final = {
    "VALID": "Signed",
    "VALID-WITNESSED": "Signed and witnessed",
    "INVALID-EVENT": "An event is not what was written",
    "INVALID-SIGNATURE": "A signature is wrong",
    "DIVERGED": "Another history than the one that was signed",
    "STALE": "Older than what was signed",
    "UNANCHORED": "Not signed yet",
    "UNVERIFIABLE": "It cannot be told",
}
"""The verdicts on a log, in the words of a page."""
_CHAPTERS: Final[Mapping[str, tuple[str, ...]]] = {
    "Dice": ("entries", "provable_dice"),
    "Shooting and fighting": (
        "shooting", "close_combat", "skill_actions", "area_markers", "leaps", "impacts",
        "trench_crusade",
    ),
    "Wounds, injuries and damage": (
        "hits", "conditions", "end_phase", "injuries", "vehicles", "vehicle_end_phase", "mutations",
    ),
    "Out of Action, dead or gone": (),
    "Nerve and morale": ("nerve", "morale", "flight_of_the_broken"),
    "XP and advances": ("advancement", "warband_promotion"),
    "Captives and ransoms": ("captives",),
    "Money and equipment": ("trading",),
    "Joining, hiring and new names": ("campaigns", "so_far", "vehicle_cards"),
    "Battles and rounds": ("battles",),
    "After a battle": ("post_battle", "warbands", "boons"),
    "Territories and cycles": ("territories",),
    "House rules and settings": (),
    "Disputes and rulings": ("rulings",),
}  # fmt: skip
"""The filters of the log, each with the chapters of its events."""
_APART: Final[Mapping[str, str]] = {
    **dict.fromkeys(
        (
            "FighterWentOutOfAction", "FighterDied", "FighterRetired", "VehicleWrecked", "VehicleGone",
            "BecameChaosSpawn",
        ),
        "Out of Action, dead or gone",
    ),
    **dict.fromkeys(("GangBottled", "FighterFled"), "Nerve and morale"),
    **dict.fromkeys(("ExperienceGained", "SkillGained", "RankChanged"), "XP and advances"),
    **dict.fromkeys(("CapturePending", "HeldForRansom", "RansomSettled"), "Captives and ransoms"),
    **dict.fromkeys(("BionicFitted", "BionicRuined", "GearForfeited"), "Money and equipment"),
    **dict.fromkeys(("FateDecided", "BattleScarTaken", "FighterWentDown"), "Wounds, injuries and damage"),
    "RoundEnded": "Battles and rounds",
    **dict.fromkeys(
        ("CampaignOpened", "PolicyAdopted", "PolicyRepealed", "ToolDiceSet"), "House rules and settings"
    ),
}  # fmt: skip
"""Events with another filter than that of their chapter."""
_RULING: Final = records.RulingMade.__name__


def log(request: PageRequest) -> Mapping[str, Any]:
    """The entries that match the filters, newest first."""
    filled = rulings.fields(request)
    asked = {name: filled.get(name) or None for name in ("fighter", "gang", "battle")}
    kinds = of_groups()
    given: dict[str, Any] = {
        **asked,
        "event_types": kinds.get(filled.get("kind"), ()),
        "everything": EVERYTHING in filled or STRUCK_OUT in filled,
    }
    wrong = None
    entries: list[Any] = []
    events: list[Any] = []
    try:
        found = request.data("log show", **given)
        entries, events = list(found.get("entries", ())), list(found.get("events", ()))
    except Refusal as refusal:
        wrong = problems.of_refusal(refusal)
    if STRUCK_OUT in filled:
        entries = [entry for entry in entries if entry["struck_out"]]
        events = [event for event in events if event["struck_out"]]
    names = names_of(request)
    return {
        "entries": entries[::-1],
        "events": events[::-1],
        "said": partial(disputes.named, request, names=names),
        "wrong": wrong,
        "filled": filled,
        "kinds": [*kinds],
        "names": names,
        "about": request.data("campaign show"),
        "done": operations.done(request),
        "why_struck": why_struck(request),
    }


@cache
def of_groups() -> dict[str, tuple[str, ...]]:
    """The event types of each filter."""
    of_chapters = {chapter: group for group, chapters in _CHAPTERS.items() for chapter in chapters}
    grouped: dict[str, list[str]] = {group: [] for group in _CHAPTERS}
    for name, kind in records.EVENTS.items():
        chapter = kind.__module__.rpartition(".")[2]
        if name != records.DecisionTaken.__name__:  # every entry has one
            grouped[_APART.get(name) or of_chapters[chapter]].append(name)
    return {group: tuple(names) for group, names in grouped.items()}


def entry(request: PageRequest) -> Mapping[str, Any]:
    """One entry whole."""
    number = request.path.get("entry") or request.path["event"].partition(".")[0]
    shown, names = dict(request.data("log entry", entry=number)), names_of(request)
    shown["asked"] = disputes.named(request, shown["asked"], names)
    shown["events"] = [
        {**event, "sentence": disputes.named(request, event["sentence"], names)} for event in shown["events"]
    ]
    verdicts = [event["data"]["verdict"] for event in shown["events"] if event["type"] == _RULING]
    changes = any(verdict != "confirmed" for verdict in verdicts)
    return {
        "entry": shown,
        "decided_under": _rules_in_words(shown["policy_version"]),
        "is_ruling": changes,
        "ruled_changes": changes_of(request, shown["entry"]) if changes else (),
        "names": names,
        "rolls": CampaignRollMarks.of(request),
    }


def _rules_in_words(version: str) -> str:
    """The names of the book and house rules that decided an entry."""
    book, *policies = (name.partition("@") for name in version.split(" + "))
    known = loader.policies()
    titles = [
        known[f"{name}@{of}"].title if f"{name}@{of}" in known else name.replace("-", " ")
        for name, _, of in policies
    ]
    title = loader.book(book[0]).title if book[0] in loader.book_names() else book[0]
    return ", with ".join([title, *([" and ".join(titles)] if titles else [])])


def proof(request: PageRequest) -> Mapping[str, Any]:
    """The verification of the log: now if requested or if there are new entries, else the last one."""
    request.require("audit verify")

    def verified() -> tuple[str, Mapping[str, Any]]:
        return now(), request.data("audit verify")

    at, audit = verified() if "again" in request.asked else request.kept("audit verify", verified)
    return {"audit": audit, "verified_at": at, "verdict": VERDICTS[audit["signed"]["verdict"]]}
