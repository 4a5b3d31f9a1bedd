"""What the cards of a campaign's gangs say: the club's list that a campaign has before it brings one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from tracker.documents.armoury import Armoury
from tracker.documents.armoury_of_sheets import armoury_of_sheets
from tracker.documents.text import NAME_CHARACTERS_MAX, slug_of
from tracker.exports.joined_sheet import sheet_as_joined
from tracker.rules import loader
from tracker.server.pages.forms import FormValues
from tracker.server.pages.operation_fields import armoury_of
from tracker.server.pages.page_request import PageRequest


class PriceField(NamedTuple):
    """Something on a card, with the price that it has in the list."""

    named: str
    label: str
    price: str


def sheets_here(request: PageRequest) -> list[dict[str, Any]]:
    """The gangs as they joined."""

    def written() -> list[dict[str, Any]]:
        state = request.boards.state_at(request.known_campaign)
        book = loader.book(state.book)
        joined = (request.tracker.amendments.joined(request.known_campaign, gang) for gang in state.gangs)
        return [sheet_as_joined(whole, later, book) for whole, later in joined]

    return request.kept("sheets as joined", written)


def not_listed_yet(request: PageRequest) -> dict[str, Any]:
    """What stands on cards and not in the list that is kept, as an armoury."""
    whole, kept = armoury_of_sheets(sheets_here(request)), armoury_of(request)
    items = [item for item in whole["items"] if not _is_listed(kept, item["name"])]
    types = [card for card in whole["fighters"] if kept is None or not kept.has_type(card["type"])]
    return {**whole, "items": items, "fighters": types}


def price_fields(armoury: Mapping[str, Any]) -> tuple[list[PriceField], list[PriceField]]:
    """The types of fighters and the things, each with its price; empty where no card says one."""
    types = [
        PriceField(
            _of_type(card),
            f"{card['type']}, {card['house']}" if card.get("house") else card["type"],
            str(card.get("cost", "")),
        )
        for card in armoury["fighters"]
    ]
    things = [
        PriceField(f"thing {item['name']}", item["name"], str(item.get("cost", "")))
        for item in armoury["items"]
    ]
    return types, things


def with_prices(armoury: Mapping[str, Any], filled: FormValues) -> dict[str, Any]:
    """The list with the prices that were typed. What has none is left out: nobody buys it for nothing."""
    typed = {
        filled.get(field): filled.get(f"price.{field.removeprefix('priced.')}")
        for field in filled.fields
        if field.startswith("priced.")
    }

    def priced(row: Mapping[str, Any], named: str) -> dict[str, Any] | None:
        said = typed.get(named, str(row.get("cost", "")))
        return {**row, "cost": int(said) if said.isdecimal() else said} if said else None

    items = [item for row in armoury["items"] if (item := priced(row, f"thing {row['name']}"))]
    types = [card for row in armoury["fighters"] if (card := priced(row, _of_type(row)))]
    names = {item["name"].casefold() for item in items}
    lists = [
        {**of_house, "items": lines}
        for of_house in armoury["lists"]
        if (lines := [line for line in of_house["items"] if line["name"].casefold() in names])
    ]
    parts = {"items": items, "lists": lists, "fighters": types}
    return {
        "format": armoury["format"],
        "name": armoury["name"][:NAME_CHARACTERS_MAX],
        **{key: part for key, part in parts.items() if part},
    }


def armed(sheet: dict[str, Any], named: str, on_cards: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """The sheet with the things named, parted by signs, as weapons and not as wargear; with their numbers
    where another card has them. A gang that the file did not name gets its id when it has a name.
    """
    names = {name.strip().casefold() for name in re.split(r"[,;\n]", named) if name.strip()}
    fighters = []
    for card in sheet.get("fighters") or []:
        things = card.get("wargear") or []
        weapons = [thing for thing in things if str(thing).casefold() in names]
        rest = [thing for thing in things if thing not in weapons]
        bare = {key: value for key, value in card.items() if key != "wargear"}
        if weapons:
            numbered = [on_cards.get(str(thing).casefold(), thing) for thing in weapons]
            card = (
                bare
                | ({"wargear": rest} if rest else {})
                | {"weapons": [*(card.get("weapons") or []), *numbered]}
            )
        fighters.append(card)
    unnamed = sheet.get("gang") == slug_of(str(sheet.get("name") or ""))
    kept = {key: value for key, value in sheet.items() if key != "gang" or not unnamed}
    return {**kept, "fighters": fighters} if "fighters" in sheet else kept


def _of_type(card: Mapping[str, Any]) -> str:
    return f"type {card['type']}, {card.get('house', '')}"


def _is_listed(kept: Armoury | None, name: str) -> bool:
    return kept is not None and name.casefold() in {offer.item.name.casefold() for offer in kept.offers}
