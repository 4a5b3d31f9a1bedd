"""A gang's page, a fighter's page, and the chain behind one of their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from tracker.campaign.state import CampaignState
from tracker.cli import exports
from tracker.reports import cards, explanation
from tracker.reports import roster as rosters
from tracker.reports.dispute_marks import LEGEND, in_dispute
from tracker.reports.names import Names
from tracker.reports.page import Row
from tracker.reports.roster import (
    armour_shown,
    captive_lines,
    gang_totals,
    injury_shown,
    mutations_shown,
)
from tracker.reports.weapons import weapons_table
from tracker.rules import loader
from tracker.server.pages import gang_pictures, open_now, operations
from tracker.server.pages.as_of import TimeChoice
from tracker.server.pages.disputes import disputed_in_words
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.ruling_changes import rulings_on
from tracker.server.pages.vehicle_cards import vehicle_cards
from tracker.server.pages.words import names_of

_TONES: Final = {
    "available": "good", "in_recovery": "warn", "convalescing": "warn", "away": "warn", "captive": "bad",
    "capture_pending": "bad", "critical": "bad", "dead": "bad",
}  # fmt: skip
"""The style of a status; others are neutral."""


def _in_dispute(request: PageRequest, rows: Sequence[Row], names: Names) -> dict[str, Any]:
    """The open disputes that numbers of the page depend on, and their marks."""
    about = {row["dispute"]: disputed_in_words(request, row, names) for row in rows}
    return {"disputes": rows, "about": about, "legend": LEGEND}


def gang(request: PageRequest) -> Mapping[str, Any]:
    """The page of a gang."""
    moment = TimeChoice.of(request)
    who = request.path["gang"]
    roster = request.data("roster show", who=who, **moment.given)
    (row,) = roster["gangs"]
    (marked,) = _marked([row], roster)
    state = request.boards.state_at(request.known_campaign, moment.as_of)
    names = Names.of_state(state)
    fighters = [card(fighter, state, names) for fighter in _marked(row["fighters"], roster)]
    members = [fighter for fighter in fighters if fighter["gang"] == row["gang"]]
    totals = gang_totals({**marked, "fighters": ()}, names).split(" · ")
    return {
        "moment": moment,
        "gang": row,
        "totals": totals,
        "fighters": [fighter for fighter in members if fighter["standing"] not in rosters.GONE],
        "gone": [fighter for fighter in members if fighter["standing"] in rosters.GONE],
        "captives": captive_lines(row, row["fighters"], names),
        "has_territories": bool(loader.book(state.book).territories),
        "territories": [held["name"] for held in row["territories"]],
        "vehicles": vehicle_cards(row, names, loader.book(state.book)),
        "money": names.money,
        **_in_dispute(request, roster["pending"], names),
        "rulings": rulings_on(request, row["gang"]) if moment.is_now else (),
        "names": names,
        "may_change_emblem": moment.is_now and gang_pictures.may_change(request, row["gang"]),
        "linked": _linked(request, row, totals) if moment.is_now else None,
        "open_now": open_now.of_gang(request, row["gang"]) if moment.is_now else open_now.NOTHING,
        "not_for_book": _tools_of_other_games(state.book),
        "done": operations.done(request),
    }


def _linked(request: PageRequest, row: Row, totals: list[str]) -> Mapping[str, str] | None:
    """The link preview of a gang of a public campaign."""
    if "gang" not in request.path or not request.strangers_may(gang_pictures.RIGHT):
        return None
    return gang_pictures.card(request, row, totals)


def _tools_of_other_games(book: str) -> frozenset[str]:
    """Formats of tools for another game than this book's."""
    printed = {limits.short for limits in loader.book(book).characteristics.values()}
    return frozenset(form for form, (_, _, shorts) in exports.FOREIGN.items() if not {*shorts} <= printed)


SHEETS: Final = (2, 4, 6, 8, 9)
"""The numbers of cards that fit a sheet of paper."""
_SHEET: Final = 6


def printed_cards(request: PageRequest) -> Mapping[str, Any]:
    """The cards of a gang's fighters and vehicles, with the number per sheet from '?sheet=9'."""
    shown = gang(request)
    asked = request.query.get("sheet", "")
    a_sheet = next((number for number in SHEETS if str(number) == asked), _SHEET)
    printed = [*shown["fighters"], *shown["vehicles"]]
    return {
        **shown,
        "sheets": [printed[first : first + a_sheet] for first in range(0, len(printed), a_sheet)],
        "a_sheet": a_sheet,
        "choices": SHEETS,
    }


def ledger(request: PageRequest) -> Mapping[str, Any]:
    """The gang's ledger."""
    shown = request.data("gang ledger", gang=request.path["gang"])
    names = names_of(request)
    return {"ledger": shown, "gang": shown["gang"], "names": names, "money": names.money}


def fighter(request: PageRequest) -> Mapping[str, Any]:
    """The page of a fighter, with their history battle by battle."""
    moment = TimeChoice.of(request)
    shown = request.data("fighter show", fighter=request.path["fighter"], **moment.given)
    state = request.boards.state_at(request.known_campaign, moment.as_of)
    names = Names.of_state(state)
    (row,) = _marked([shown["fighter"]], shown)
    return {
        "moment": moment,
        "fighter": card(row, state, names),
        "gang": shown["gang"],
        "in_battle": shown.get("in_battle", ()),
        "experience": shown["experience"],
        "life": _life(shown["history"], moment.battles),
        **_in_dispute(request, shown["pending"], names),
        "open_now": open_now.of_fighter(request, row["fighter"]) if moment.is_now else open_now.NOTHING,
        "done": operations.done(request),
    }


def why(request: PageRequest) -> Mapping[str, Any]:
    """One number of a fighter or a gang, and its causes."""
    moment = TimeChoice.of(request)
    kind = "fighter" if "fighter" in request.path else "gang"
    asked = request.data("explain", who=request.path[kind], number=request.path["number"], **moment.given)
    known = asked[kind]
    names = Names.of_state(request.boards.state_at(request.known_campaign, moment.as_of))
    (number,) = asked["numbers"]
    return {
        "moment": moment,
        "kind": kind,
        "known": known,
        "whom": explanation.whom("fighter" if kind == "fighter" else "gang", known, names),
        "title": explanation.title_of(number["number"], names),
        "number": number,
        "may_dispute": moment.is_now and request.may("dispute open"),
    }


def card(row: Row, state: CampaignState, names: Names) -> dict[str, Any]:
    """A fighter's row with the words of a card."""
    known = state.fighter(row["fighter"])
    began = known.basic_profile if known is not None else {}
    return {
        **row,
        "rank": cards.display_name(row["category"]),
        "status_words": in_dispute(cards.status_shown(row), row, "status"),
        "tone": _TONES.get(row["status"], ""),
        "numbers": _numbers(row, began),
        "weapons_table": weapons_table([row], named=False),
        "skills_words": [cards.display_name(skill) for skill in row["skills"]],
        "grudge_words": [names.gang(gang) for gang in row["grudges"]],
        "armour_words": armour_shown(row),
        "wargear_words": [cards.lowercase_id(item) for item in row["wargear"]],
        "injury_words": [injury_shown(injury) for injury in row["injuries"]],
        "mutation_words": mutations_shown(row),
        "cost": names.money(row["cost_credits"]),
    }


def _numbers(row: Row, began: Mapping[str, int]) -> list[dict[str, Any]]:
    """The characteristics in the order of the card, each with its value on enlisting."""
    return [
        {
            "number": number,
            "short": short,
            "name": cards.characteristic_name(number),
            "shown": shown,
            "began": cards.characteristic_shown(number, began[number]) if number in began else shown,
            "has_changed": number in began and began[number] != row["characteristics"][number],
            "in_dispute": number in row["pending"],
        }
        for (number, short), shown in zip(
            cards.columns(row["characteristics"]).items(),
            cards.card_cells(row["characteristics"]),
            strict=True,
        )
    ]


def _marked(rows: Sequence[Row], shown: Mapping[str, Any]) -> list[Row]:
    """Rows of fighters or gangs, each with the numbers that depend on open disputes."""
    moved: dict[tuple[str, str | None], set[str]] = {}
    for dependent in shown["resting"]:
        for number in dependent["moved"]:
            moved.setdefault((number["gang"], number["fighter"]), set()).add(number["number"])
    return [{**row, "pending": sorted(moved.get((row["gang"], row.get("fighter")), ()))} for row in rows]


def _life(history: Sequence[Row], battles: Sequence[Row]) -> list[dict[str, Any]]:
    """The history, grouped by battle, with an entry's events together."""
    chapters: list[dict[str, Any]] = [{"battle": None, "entries": []}]
    waiting = list(battles)
    for event in history:
        while waiting and waiting[0]["slot"] <= event["slot"]:
            chapters.append({"battle": waiting.pop(0), "entries": []})
        entries = chapters[-1]["entries"]
        if not entries or entries[-1]["entry"] != event["entry"]:
            closed = (chapters[-1]["battle"] or {}).get("closed")
            is_after = closed is not None and event["slot"] > closed["slot"]
            entries.append({"entry": event["entry"], "events": [], "is_after": is_after})
        entries[-1]["events"].append(event)
    return [chapter for chapter in chapters if chapter["entries"]]
