"""An armoury made of gang sheets: what stands on their cards, with the prices that the cards say.

If no card gives a price, the list has none; its keeper adds it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from tracker.documents.armoury import FORMAT

NAME: Final = "What the cards say"
_OF_TYPE: Final = ("category", "cost", "characteristics", "mounted", "gang_fighter")
_BESIDE_NUMBERS: Final = ("name", "cost", "counts_as")
_WORN: Final = ("armour", "field_armour")

Plain = dict[str, Any]


def weapons_on_sheets(sheets: Iterable[Mapping[str, Any]]) -> dict[str, Plain]:
    """The weapons with their numbers, as cards have them, by name in small letters: the first of each name,
    before it one with a price.
    """
    found: dict[str, Plain] = {}
    for sheet in sheets:
        for card in (*(sheet.get("fighters") or ()), *(sheet.get("vehicles") or ())):
            for weapon in card.get("weapons") or ():
                if not isinstance(weapon, dict):
                    continue
                before = found.setdefault(weapon["name"].casefold(), weapon)
                if "cost" in weapon and "cost" not in before:
                    found[weapon["name"].casefold()] = weapon
    return found


def cards_of_types(sheets: Iterable[Mapping[str, Any]]) -> dict[tuple[str, str], Plain]:
    """A card of each type and house, by both in small letters; its cost is that of the fighter alone, as far
    as its weapons say theirs.
    """
    found: dict[tuple[str, str], Plain] = {}
    for sheet in sheets:
        house = str(sheet.get("house") or "")
        for card in sheet.get("fighters") or ():
            if not (card.get("type") and card.get("characteristics") and isinstance(card.get("cost"), int)):
                continue
            carried = sum(
                weapon.get("cost", 0) for weapon in card.get("weapons") or () if isinstance(weapon, dict)
            )
            alone = {key: card[key] for key in _OF_TYPE if key in card} | {
                "type": card["type"], "house": house, "cost": max(0, card["cost"] - carried)
            }  # fmt: skip
            found.setdefault((card["type"].casefold(), house.casefold()), alone)
    return found


def armoury_of_sheets(sheets: Iterable[Mapping[str, Any]]) -> Plain:
    """What the cards list, as an armoury has it; things whose price no card says are without `cost`."""
    read = [*sheets]
    items: dict[str, Plain] = {}
    for key, weapon in weapons_on_sheets(read).items():
        numbers = {field: value for field, value in weapon.items() if field not in _BESIDE_NUMBERS}
        items[key] = {field: weapon[field] for field in _BESIDE_NUMBERS if field in weapon} | {
            "kind": "weapon", "weapon": numbers
        }  # fmt: skip
    lists: dict[str, tuple[str, dict[str, str]]] = {}
    for sheet in read:
        house = str(sheet.get("house") or "")
        of_house = lists.setdefault(house.casefold(), (house, {}))[1]
        for thing in sheet.get("stash") or ():
            items.setdefault(thing["name"].casefold(), dict(thing))
        for card in sheet.get("fighters") or ():
            for thing in _beside_weapons(card):
                items.setdefault(thing["name"].casefold(), thing)
            for name in _carried(card):
                if name.casefold() in items:
                    of_house.setdefault(name.casefold(), items[name.casefold()]["name"])
    return {
        "format": FORMAT,
        "name": NAME,
        "items": [*items.values()],
        "lists": [
            {"house": house, "items": [{"name": name} for name in names.values()]}
            for house, names in lists.values()
            if house and names
        ],
        "fighters": [
            {key: value for key, value in card.items() if value != ""}
            for card in cards_of_types(read).values()
        ],
    }


def _beside_weapons(card: Mapping[str, Any]) -> Iterable[Plain]:
    for worn in _WORN:
        if isinstance(piece := card.get(worn), dict):
            yield {"name": piece["name"], "kind": worn, "save": piece["save"]}
    for name in card.get("wargear") or ():
        yield {"name": name, "kind": "wargear"}


def _carried(card: Mapping[str, Any]) -> Iterable[str]:
    for thing in (*(card.get("weapons") or ()), *_beside_weapons(card)):
        yield str(thing["name"] if isinstance(thing, dict) else thing)
