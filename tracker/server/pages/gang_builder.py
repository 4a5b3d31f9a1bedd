"""The gang editor: builds a new gang row by row as a draft, corrects one as it joined, or adds fighters.

While somebody types, the enlisting command reports the errors.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, get_args

import click

from tracker.campaign.card_notes import beyond_printed
from tracker.campaign.profiles import ItemKind
from tracker.campaign.unknown_traits import unknown_traits
from tracker.documents.armoury import Armoury
from tracker.documents.armoury_of_sheets import cards_of_types, weapons_on_sheets
from tracker.documents.gang_sheet import FORMAT, gang_sheet_command
from tracker.documents.plain_yaml import as_yaml
from tracker.documents.text import NOTE_CHARACTERS_MAX
from tracker.documents.yaml_reader import parse_document
from tracker.drafts.records import Draft
from tracker.drafts.refusals import DraftMovedOn, UnknownDraft
from tracker.errors import Refusal
from tracker.exports.joined_sheet import sheet_as_joined
from tracker.people.records import GANG_TO_COME
from tracker.records import replace
from tracker.reports.cards import display_name, lowercase_id
from tracker.reports.page import Page
from tracker.rules import loader
from tracker.rules.glossary import GameWords
from tracker.rules.rulebook import Book
from tracker.server import problems
from tracker.server.pages import gang_rows, rulings
from tracker.server.pages import gang_rows_history as history
from tracker.server.pages.cards_here import armed, sheets_here
from tracker.server.pages.forms import KEY, FormUnreadable, FormValues, Redirect
from tracker.server.pages.gang_rows_property import cost_of_property, items_as_fields, vehicles_as_fields
from tracker.server.pages.operation_fields import armoury_of
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import addressed, game_of, here, names_of, ranks_of
from tracker.service.as_of import is_count
from tracker.service.drafts import draft_of_page

DRAFT, REVISION, TRIED = "draft", "revision", "tried"
_OWN_TRIES: Final = 3
"""The attempts to save over requests of the page itself, which sends fewer at once."""
BUDGET: Final = "budget"
_BUDGET_USUAL: Final = 1000
_PRESSED: Final = "!"
"""The suffix of the page's key when a button changed the draft, with a digest of what was typed."""
_GONE: Final = "This {game.gang} was enlisted or thrown away meanwhile. What you typed stands here still."
_NOT_TYPED: Final = (DRAFT, REVISION, TRIED, KEY, gang_rows.DO)
_SHEET_OF_OTHERS: Final = "sheet"
_ARMOURY_OF_OTHERS: Final = "armoury"
_UNARMED_OF_OTHERS: Final = "unarmed"
"""Weapons of the other tool's list whose numbers nobody knows: they came among the wargear."""


class GangDraft(NamedTuple):
    """An unfinished gang."""

    draft: str
    name: str
    changed_by: str
    changed_at: str


def begin(request: PageRequest) -> Mapping[str, Any]:
    """The page of a new gang: the draft and its faults."""
    filled = _filled(request)
    try:
        draft = _draft(request, filled)
    except UnknownDraft:
        if not request.typed.fields:
            raise
        draft = None  # enlisted or discarded by somebody else: keep what was typed
    stored = _sheet(draft.text) if draft is not None else _new_sheet(request)
    sheet = _typed(request, filled, stored) if request.typed.fields else stored
    shown = _shown(request, sheet, filled, draft)
    return {
        **shown,
        "mode": "begin",
        "mine": here(request, "/begin-gang"),
        "others": [] if draft is not None or request.typed.fields else _others(request),
        "own_gangs": _own_gangs(request),
        "imports": request.may("gang import"),
    }


def edit(request: PageRequest) -> Mapping[str, Any]:
    """The page that corrects a gang as it joined; it shows the consequences first."""
    filled, joined = _filled(request), _joined(request)
    sheet = _typed_sheet(request, filled, joined)
    mine = here(request, f"/gangs/{addressed(request.path['gang'])}/edit")
    found = rulings.NOTHING
    if filled.get(gang_rows.DO) == "look" or request.refused:
        found = rulings.previewed(
            request, "gang amend", filled, _book(request), files={"-": _document(sheet)}, file="-"
        )
    return {
        **_shown(request, sheet, filled, None),
        "mode": "edit",
        "mine": mine,
        "found": found,
        "others": [],
        "own_gangs": [],
        "imports": False,
    }


def join(request: PageRequest) -> Mapping[str, Any]:
    """The page that adds fighters to a gang from a sheet."""
    filled = _filled(request)
    sheet = _typed_sheet(request, filled, _head(request))
    return {
        **_shown(request, sheet, filled, None),
        "mode": "join",
        "mine": here(request, f"/gangs/{addressed(request.path['gang'])}/join"),
        "others": [],
        "own_gangs": [],
        "imports": False,
    }


def work(request: PageRequest, filled: FormValues) -> Redirect | None:
    """Store what was typed, and do what the button says: change a row, or enlist the gang.

    The page also saves by itself, and such a request may arrive first: the button's change is applied on top
    of it.
    """
    for _ in range(_OWN_TRIES):
        try:
            return _worked(request, filled)
        except DraftMovedOn:
            now = _draft(request, filled)
            if now is None or not _by_this_page(filled, now):
                raise
        except UnknownDraft as gone:
            if filled.get(gang_rows.DO):
                raise
            request.refused = {**problems.of_refusal(gone), "detail": game_of(request).said(_GONE)}
            return None  # the page shows the refusal, with what was typed
    return _worked(request, filled)


def _worked(request: PageRequest, filled: FormValues) -> Redirect:
    assert request.caller is not None, "who writes is signed in"
    what = filled.get(gang_rows.DO)
    draft = _draft(request, filled)
    if draft is not None and what != "enlist" and _is_there_already(filled, draft):
        return Redirect(_place(request, filled, draft))
    stored = _sheet(draft.text) if draft is not None else _new_sheet(request)
    if _SHEET_OF_OTHERS in filled:  # another page's: a gang of another tool
        stored = _with_own_armoury(_sheet(filled.get(_SHEET_OF_OTHERS)), filled.get(_ARMOURY_OF_OTHERS))
        stored = armed(stored, filled.get(_UNARMED_OF_OTHERS), weapons_on_sheets(sheets_here(request)))
        sheet = stored
    else:
        sheet = _typed(request, filled, stored)
    if what == "enlist":
        sending = filled.sending(request.caller.actor)._replace(expected_size=None, expected_leaf="")
        receipt = request.do("gang add", sending=sending, files={"-": _document(sheet)}, file="-")
        _discard(request, filled, draft)
        entry = receipt.data()["entries"][0] if not isinstance(receipt, str) else {}
        gang = entry["events"][0]["data"]["command"]["gang"]
        return Redirect(f"{here(request, f'/gangs/{addressed(gang)}')}?done={entry['entry']}")
    after = _pressed(request, filled, sheet)
    row = gang_rows.first_changed(sheet, after)
    at = f"#row-{row}" if row is not None else ""
    return Redirect(_place(request, filled, _kept(request, filled, draft, as_yaml(after))) + at)


def _kept(request: PageRequest, filled: FormValues, draft: Draft | None, text: str) -> Draft:
    """The draft with that text; begins one if there is none."""
    assert request.caller is not None, "who writes is signed in"
    drafts, actor = request.tracker.drafts, request.caller.actor
    pressed = f"{_PRESSED}{_typed_in(filled)}" if filled.get(gang_rows.DO) else ""
    by_page = f"{filled.page}{pressed}"
    if draft is None:
        return drafts.begin(
            request.known_campaign, "gang", by=actor, seed=by_page, text=text, page=filled.page
        )
    seen = draft.revision if draft.seed == filled.page else _revision(filled, draft)
    return drafts.change(replace(draft, revision=seen, text=text, seed=by_page), by=actor)


def _place(request: PageRequest, filled: FormValues, draft: Draft) -> str:
    """The address of the draft's page, with the fields that are not part of the sheet."""
    budget = f"&{BUDGET}={filled.get(BUDGET)}" if is_count(filled.get(BUDGET)) else ""
    tried = f"&{TRIED}=1" if filled.get(gang_rows.DO) == "look" or TRIED in filled else ""
    return f"{here(request, '/begin-gang')}?{DRAFT}={addressed(draft.draft)}{budget}{tried}"


def _by_this_page(filled: FormValues, draft: Draft) -> bool:
    """Whether this very page changed the draft last.

    It saves by itself, and its next request includes all of that. A sheet rolls no dice, so the draft's seed
    identifies the page.
    """
    return bool(filled.page) and draft.seed.partition(_PRESSED)[0] == filled.page


def _is_there_already(filled: FormValues, draft: Draft) -> bool:
    """Whether a button of this page has stored all of this: the page saves late, or the button is tapped
    twice.

    If somebody goes back and types something else, the revision differs, and the page asks.
    """
    page, pressed, typed = draft.seed.partition(_PRESSED)
    if not (filled.page and pressed and page == filled.page):
        return False
    return not filled.get(gang_rows.DO) or typed == _typed_in(filled)


def _typed_in(filled: FormValues) -> str:
    """A digest of what is typed in the page, without the button."""
    typed = sorted((name, said) for name, said in filled.fields.items() if name not in _NOT_TYPED)
    return hashlib.sha256(repr(typed).encode("utf-8", "surrogatepass")).hexdigest()


def discard(request: PageRequest, filled: FormValues) -> Redirect:
    """Delete a gang that is not finished."""
    draft = _draft(request, filled)
    if draft is not None:
        seen = _revision(filled, draft)
        request.tracker.drafts.discard(request.known_campaign, draft.draft, seen=seen)
    return Redirect(here(request, "/gangs"))


def look(request: PageRequest, filled: FormValues) -> None:
    """Do nothing: the page itself shows the result."""


def rule(request: PageRequest, filled: FormValues) -> Redirect:
    """Make the correction that was previewed."""
    sheet = _typed(request, filled, _joined(request))
    request.do(
        "gang amend",
        sending=rulings.sent_for_any_state(request, filled),
        files={"-": _document(sheet)},
        file="-",
        reason=filled.get("reason"),
        roll="roll" in filled,
        expect_head=rulings.must_have_looked(filled),
        **rulings.later(filled, _book(request)),
    )
    return Redirect(here(request, f"/gangs/{addressed(request.path['gang'])}"))


def let_join(request: PageRequest, filled: FormValues) -> Redirect | None:
    """Add the fighters, if the button says so."""
    assert request.caller is not None, "who writes is signed in"
    if filled.get(gang_rows.DO) != "enlist":
        return None
    sheet = _typed(request, filled, _head(request))
    sending = filled.sending(request.caller.actor)._replace(expected_size=None, expected_leaf="")
    receipt = request.do("fighter add", sending=sending, files={"-": _document(sheet)}, file="-")
    entry = receipt.data()["entries"][0]["entry"] if not isinstance(receipt, str) else ""
    return Redirect(f"{here(request, '/gangs/' + addressed(request.path['gang']))}?done={entry}")


# --- the draft and its sheet -------------------------------------------------------------------------------


def _filled(request: PageRequest) -> FormValues:
    return request.typed if request.typed.fields else request.asked


def _book(request: PageRequest) -> Book:
    return loader.book(request.boards.state_at(request.known_campaign).book)


def _draft(request: PageRequest, filled: FormValues) -> Draft | None:
    """The draft that the page names, or the one that it began before it knew its name."""
    if named := filled.get(DRAFT):
        return request.tracker.drafts.draft(request.known_campaign, named)
    if request.caller is None or not filled.page:
        return None
    began = draft_of_page(filled.page, by=request.caller.actor)
    return next(
        (draft for draft in request.tracker.drafts.of(request.known_campaign) if draft.draft == began), None
    )


def _revision(filled: FormValues, draft: Draft) -> int:
    """The revision that the page shows; 0 if it shows neither a revision nor a draft."""
    said = filled.get(REVISION)
    if not said and DRAFT not in filled:
        return 0
    return int(said) if is_count(said) else draft.revision


def _discard(request: PageRequest, filled: FormValues, draft: Draft | None) -> None:
    """Delete the draft of an enlisted gang, with anything that its page saved meanwhile."""
    drafts = request.tracker.drafts
    try:
        while draft is not None:
            try:
                drafts.discard(request.known_campaign, draft.draft, seen=draft.revision)
                return
            except DraftMovedOn:
                now = drafts.draft(request.known_campaign, draft.draft)
                draft = now if _by_this_page(filled, now) else None  # otherwise another page has it open
    except UnknownDraft:
        return  # discarded meanwhile


def _sheet(text: str) -> dict[str, Any]:
    """A sheet as plain data, finished or not. Raises FormUnreadable where the text is not a sheet."""
    if not text.strip():
        return {}
    plain: Any = parse_document(text, file="the sheet").root.plain()
    fighters = plain.get("fighters") or [] if isinstance(plain, dict) else None
    if not isinstance(fighters, list) or not all(isinstance(card, dict) for card in fighters):
        raise FormUnreadable(why="what was kept is not a gang sheet")
    sheet: dict[str, Any] = plain
    return sheet


def _with_own_armoury(sheet: dict[str, Any], armoury: str) -> dict[str, Any]:
    """The sheet with the numbers of the weapons from another tool's list, written on its cards."""
    plain: Any = parse_document(armoury, file="the weapons").root.plain() if armoury.strip() else {}
    items = plain.get("items") if isinstance(plain, dict) else None
    numbers = {
        str(item.get("name")).casefold(): {
            "name": item["name"], **({"cost": item["cost"]} if "cost" in item else {}), **item["weapon"]
        }
        for item in items or []
        if isinstance(item, dict) and "name" in item and isinstance(item.get("weapon"), dict)
    }  # fmt: skip

    def armed(card: Any) -> Any:
        if not isinstance(card, dict) or not card.get("weapons"):
            return card
        weapons = [
            numbers.get(weapon.casefold(), weapon) if isinstance(weapon, str) else weapon
            for weapon in card["weapons"]
        ]
        return {**card, "weapons": weapons}

    both = {key: [armed(card) for card in sheet[key]] for key in ("fighters", "vehicles") if sheet.get(key)}
    return {**sheet, **both}


def _document(sheet: Mapping[str, Any]) -> bytes:
    return as_yaml(dict(sheet)).encode()


def _typed_sheet(request: PageRequest, filled: FormValues, before: dict[str, Any]) -> dict[str, Any]:
    """The sheet as typed, with the change of a button; the stored one if nothing was typed."""
    if not request.typed.fields:
        return before
    return _pressed(request, filled, _typed(request, filled, before))


def _typed(request: PageRequest, filled: FormValues, before: dict[str, Any]) -> dict[str, Any]:
    """The sheet from the fields; weapons on another gang's cards come with their numbers."""
    on_cards = weapons_on_sheets(sheets_here(request))
    return gang_rows.sheet_of(filled, before, armoury_of(request), on_cards)


def _pressed(request: PageRequest, filled: FormValues, sheet: dict[str, Any]) -> dict[str, Any]:
    """The same with what the button does to its rows."""
    book, types = _book(request).characteristics, _types_on_cards(request, sheet)
    return gang_rows.changed(sheet, filled, armoury_of(request), book, types)


def _types_on_cards(request: PageRequest, sheet: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The types of other gangs of that house, each as a card without equipment."""
    house = str(sheet.get("house") or "").casefold()
    cards = cards_of_types(sheets_here(request)).items()
    return [
        {key: value for key, value in card.items() if key != "house"}
        for (_, of_house), card in cards
        if of_house == house
    ]


def _new_sheet(request: PageRequest) -> dict[str, Any]:
    name = request.caller.name if request.caller is not None else ""
    own = _own_gangs(request)
    return {"player": name, **({"gang": own[0]} if own else {})}


def _own_gangs(request: PageRequest) -> list[str]:
    """The gangs that the player was invited to begin and that do not exist yet."""
    if request.caller is None or request.may("gang amend"):
        return []
    state = request.boards.state_at(request.known_campaign)
    standing = request.tracker.people.standing(request.known_campaign, request.caller.actor)
    return [gang for gang in standing.gangs if gang not in state.gangs and gang != GANG_TO_COME]


def _joined(request: PageRequest) -> dict[str, Any]:
    whole, later = request.tracker.amendments.joined(request.known_campaign, request.path["gang"])
    return sheet_as_joined(whole, later, _book(request))


def _head(request: PageRequest) -> dict[str, Any]:
    whole, _ = request.tracker.amendments.joined(request.known_campaign, request.path["gang"])
    return {
        "format": FORMAT,
        "gang": whole.gang,
        "name": whole.name,
        "house": whole.house,
        "player": whole.player,
    }


def _others(request: PageRequest) -> list[GangDraft]:
    """Unfinished gangs that the person may continue."""
    return [
        GangDraft(
            draft=draft.draft,
            name=_name_in(draft.text, game_of(request)),
            changed_by=request.tracker.name_on(draft.changed_by, draft.changed_at),
            changed_at=draft.changed_at,
        )
        for draft in request.tracker.drafts.of(request.known_campaign)
        if draft.kind == "gang" and not draft.lines
    ]


def _name_in(text: str, game: GameWords) -> str:
    try:
        return str(_sheet(text).get("name") or game.said("A {game.gang} without a name"))
    except Refusal:
        return game.said("A {game.gang}")


# --- the page ----------------------------------------------------------------------------------------------


def _shown(
    request: PageRequest, sheet: Mapping[str, Any], filled: FormValues, draft: Draft | None
) -> dict[str, Any]:
    book, armoury = _book(request), armoury_of(request)
    whole = TRIED in filled or request.refused is not None
    problem, notes = _tried(request, sheet)
    problem = request.refused or problem
    faults = gang_rows.faults_of(problem, game_of(request), whole=whole)
    rows = gang_rows.rows_of(sheet, book.characteristics, armoury, faults)
    fighters, others = gang_rows.spent(rows), cost_of_property(sheet)
    budget = filled.get(BUDGET)
    most = int(budget) if is_count(budget) else _BUDGET_USUAL
    return {
        "sheet": sheet,
        "rows": rows,
        "weapons": gang_rows.own_weapons_of(sheet, armoury),
        "own_weapon": gang_rows.OWN_WEAPON,
        "faults": faults,
        "stash": items_as_fields(sheet, faults.of_stash),
        "vehicles": vehicles_as_fields(sheet, faults.of_vehicles),
        "has_reputation": book.words.has_reputation,
        "takes_vehicles": book.vehicle_rules is not None,
        "kinds": [(kind, lowercase_id(kind)) for kind in get_args(ItemKind)],
        "past": history.shown(sheet.get(history.SO_FAR), history.OF_GANG),
        "has_injuries": history.has_injuries(sheet),
        "problem": problem if problem is not None and not problem.get("errors") else None,
        "is_sound": problem is None,
        "notes": notes,
        "whole": whole,
        "spent": fighters + others,
        "fighters_cost": fighters,
        "others_cost": others,
        "budget": most,
        "left": most - fighters - others,
        "money": names_of(request).money,
        "draft": draft,
        "ranks": [(word, display_name(word)) for word in ranks_of(book)],
        "types": [
            *_types(armoury, str(sheet.get("house", ""))),
            *_typed_types([*(sheet.get("fighters") or []), *_types_on_cards(request, sheet)], armoury),
        ],
        "has_list": armoury is not None,
        "listed": _listed(request, armoury),
        "houses": _houses(request, armoury),
        "text_max": NOTE_CHARACTERS_MAX,
        "filled": filled,
        "names": names_of(request),
        "found": rulings.NOTHING,
        "refused": request.refused
        if request.refused and not request.refused.get("facts", {}).get("count")
        else None,
    }


def _tried(request: PageRequest, sheet: Mapping[str, Any]) -> tuple[Mapping[str, Any] | None, list[str]]:
    """The refusal of the command, None if it would enlist the gang; and its notes on the cards."""
    verb = "fighter add" if request.at.endswith("/join") else "gang add"
    if request.at.endswith(("/edit", "/edit/rule")):
        return None, _notes_of(request, sheet)
    if not request.may(verb):
        return None, []
    if not sheet.get("fighters") and not sheet.get("name"):
        return {"errors": [], "detail": ""}, []
    try:
        receipt = request.would(verb, files={"-": _document(sheet)}, file="-")
    except Refusal as refusal:
        return problems.of_refusal(refusal), []
    except click.ClickException as wrong:
        return problems.of_misuse(wrong), []
    assert isinstance(receipt, Page), "a receipt is a page"
    return None, list(receipt.data()["notes"])


def _notes_of(request: PageRequest, sheet: Mapping[str, Any]) -> list[str]:
    """The notes on the cards of an enlisted gang; its preview shows the faults."""
    state, book, armoury = (
        request.boards.state_at(request.known_campaign),
        _book(request),
        armoury_of(request),
    )
    try:
        command = gang_sheet_command(
            parse_document(_document(sheet), file="-"),
            characteristics=book.characteristics,
            weapons=armoury.weapon if armoury is not None else None,
        )
    except Refusal:
        return []
    return [*beyond_printed([command], book), *unknown_traits([command], state, book)]


def _types(armoury: Armoury | None, house: str) -> list[tuple[str, int]]:
    """The types of a house and those for every house; all types if the house has none."""
    types = armoury.types if armoury is not None else ()
    own = [listed for listed in types if listed.is_of(house)] or types
    return [(listed.card.kind, listed.card.cost_credits) for listed in own]


def _typed_types(cards: Sequence[Mapping[str, Any]], armoury: Armoury | None) -> list[tuple[str, int]]:
    """The types of fighters whose cards were filled in by hand, in this gang before others of its house."""
    typed = {
        str(card["type"]): gang_rows.bare_cost(card, gang_rows.prices(armoury))
        for card in reversed(cards)
        if card.get("type") and card.get("characteristics") and isinstance(card.get("cost"), int)
    }
    kept = [(kind, cost) for kind, cost in typed.items() if armoury is None or not armoury.has_type(kind)]
    return kept[::-1]


def _listed(
    request: PageRequest, armoury: Armoury | None
) -> tuple[Sequence[tuple[str, int | None]], Sequence[tuple[str, int]]]:
    """The weapons and the other things of the armoury, with their prices, and weapons on cards here."""
    offers = armoury.offers if armoury is not None else ()
    weapons: list[tuple[str, int | None]] = [
        (offer.item.name, offer.item.cost_credits) for offer in offers if offer.item.weapon is not None
    ]
    named = {name.casefold() for name, _ in weapons}
    on_cards = weapons_on_sheets(sheets_here(request)).items()
    weapons += [(weapon["name"], weapon.get("cost")) for name, weapon in on_cards if name not in named]
    others = [(offer.item.name, offer.item.cost_credits) for offer in offers if offer.item.weapon is None]
    return weapons, others


def _houses(request: PageRequest, armoury: Armoury | None) -> list[str]:
    state = request.boards.state_at(request.known_campaign)
    types = armoury.types if armoury is not None else ()
    named = [listed.house for listed in types if listed.house] + [gang.house for gang in state.gangs.values()]
    return sorted(dict.fromkeys(named))
