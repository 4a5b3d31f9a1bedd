"""Converts the stash and the vehicles of a gang sheet to rows of fields and back.

Knows the format of a sheet, and no campaign: a row may be unfinished.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tracker.documents.armoury import Armoury
from tracker.documents.written_cards import item_written, weapon_written
from tracker.server.pages.forms import FormValues

ITEM, VEHICLE = "item.", "vehicle."
VEHICLE_NUMBERS: Final = (
    ("M", "M"), ("T.front", "T, front"), ("T.side", "T, side"), ("T.rear", "T, rear"), ("HP", "HP"),
    ("Hnd", "Hnd"), ("Sv", "Sv"),
)  # fmt: skip
"""The numbers of a vehicle's card."""
_ROWS_MOST: Final = 100
_ROW: Final = re.compile(r"([0-9]{1,3})\.name")
_WORDS_OF_VEHICLE: Final = ("name", "type", "crew")
_NUMBERS_OF_WEAPON: Final = ("S", "AP", "D", "range", "accuracy", "ammo", "traits")

Own = Mapping[str, Mapping[str, Any]]
"""The weapons with typed numbers, by name in lower case."""
Read = Callable[[str], "int | str"]


class ItemFields(NamedTuple):
    """An item of the stash as fields."""

    at: int
    name: str
    cost: str
    kind: str
    save: str
    faults: Mapping[str, str]

    @property
    def fault(self) -> str:
        """The first fault, of any field."""
        return " ".join(self.faults.values())


class VehicleFields(NamedTuple):
    """A vehicle as fields."""

    at: int
    name: str
    kind: str
    cost: str
    crew: str
    numbers: Sequence[tuple[str, str, str]]
    weapons: Sequence[str]
    faults: Mapping[str, str]


# --- fields to sheet ----------------------------------------------------------------------------------------


def stash_of(
    filled: FormValues, before: Sequence[Mapping[str, Any]], own: Own, armoury: Armoury | None, read: Read
) -> list[dict[str, Any]]:
    """The items from the fields; listed ones get the armoury's numbers."""
    return [
        _item(filled, number, before[number] if number < len(before) else {}, own, armoury, read)
        for number in _rows(filled, ITEM)
        if filled.get(f"{ITEM}{number}.name")
    ]


def vehicles_of(
    filled: FormValues, before: Sequence[Mapping[str, Any]], own: Own, armoury: Armoury | None, read: Read
) -> list[dict[str, Any]]:
    """The vehicles from the fields."""
    return [
        _vehicle(filled, number, before[number] if number < len(before) else {}, own, armoury, read)
        for number in _rows(filled, VEHICLE)
    ]


def _rows(filled: FormValues, start: str) -> list[int]:
    rows = (name.removeprefix(start) for name in filled.fields if name.startswith(start))
    return [int(match[1]) for row in rows if (match := _ROW.fullmatch(row))][:_ROWS_MOST]


def _item(
    filled: FormValues,
    number: int,
    before: Mapping[str, Any],
    own: Own,
    armoury: Armoury | None,
    read: Read,
) -> dict[str, Any]:
    mine = f"{ITEM}{number}."
    said = {key: filled.get(mine + key) for key in ("name", "cost", "kind", "save")}
    name = said["name"].casefold()
    is_same = str(before.get("name", "")).casefold() == name
    listed = None if is_same else _listed(armoury, name)
    item = dict(before) if is_same else listed if listed is not None else {}
    item["name"] = said["name"] if is_same or listed is None else item["name"]
    for key in ("cost", "kind", "save"):
        if said[key] and (is_same or listed is None):
            item[key] = read(said[key])
        elif is_same or listed is None:
            item.pop(key, None)
    if numbers := own.get(name):
        item |= {
            "kind": "weapon",
            "weapon": {key: numbers[key] for key in _NUMBERS_OF_WEAPON if key in numbers},
        }
        item.setdefault("cost", numbers.get("cost", 0))
    return item


def _listed(armoury: Armoury | None, name: str) -> dict[str, Any] | None:
    offers = armoury.offers if armoury is not None else ()
    found = next((offer.item for offer in offers if offer.item.name.casefold() == name), None)
    return item_written(found) if found is not None else None


def _vehicle(
    filled: FormValues,
    number: int,
    before: Mapping[str, Any],
    own: Own,
    armoury: Armoury | None,
    read: Read,
) -> dict[str, Any]:
    mine, card = f"{VEHICLE}{number}.", dict(before)
    for key in (*_WORDS_OF_VEHICLE, "cost", *(key for key, _ in VEHICLE_NUMBERS if "." not in key)):
        if said := filled.get(mine + key):
            card[key] = said if key in _WORDS_OF_VEHICLE else read(said)
        else:
            card.pop(key, None)
    card.setdefault("name", "")
    facings = {
        side: read(said) for side in ("front", "side", "rear") if (said := filled.get(f"{mine}T.{side}"))
    }
    card.pop("T", None)
    card |= {"T": facings} if facings else {}
    known = {weapon_name(weapon): weapon for weapon in before.get("weapons") or []}
    names = [said for key in filled.fields if key.startswith(f"{mine}weapon.") and (said := filled.get(key))]
    card.pop("weapons", None)
    fixed = [_fixed(name, known, own, armoury) for name in names]
    return {**card, **({"weapons": fixed} if fixed else {})}


def _fixed(name: str, known: Mapping[str, Any], own: Own, armoury: Armoury | None) -> Any:
    """A weapon that is fixed to a vehicle, with its numbers if they are known."""
    if name.casefold() in own:
        return own[name.casefold()]
    listed = armoury.weapon(name) if armoury is not None and name not in known else None
    return weapon_written(listed) if listed is not None else known.get(name, name)


# --- sheet to fields ----------------------------------------------------------------------------------------


def items_as_fields(sheet: Mapping[str, Any], faults: Mapping[int, Mapping[str, str]]) -> list[ItemFields]:
    """The stash as rows, with an empty one at the end."""
    rows = []
    for at, item in enumerate(_maps(sheet, "stash")):
        name, cost, kind, save = (str(item.get(key, "")) for key in ("name", "cost", "kind", "save"))
        rows.append(ItemFields(at, name, cost, kind, save, faults.get(at, {})))
    return [*rows, ItemFields(len(rows), "", "", "", "", {})]


def vehicles_as_fields(
    sheet: Mapping[str, Any], faults: Mapping[int, Mapping[str, str]]
) -> list[VehicleFields]:
    """The vehicles as rows."""
    rows = []
    for at, card in enumerate(_maps(sheet, "vehicles")):
        facings = card.get("T") if isinstance(card.get("T"), dict) else {}
        said = {**card, **{f"T.{side}": value for side, value in (facings or {}).items()}}
        rows.append(
            VehicleFields(
                at=at,
                name=str(card.get("name", "")),
                kind=str(card.get("type", "")),
                cost=str(card.get("cost", "")),
                crew=str(card.get("crew", "")),
                numbers=[(key, label, str(said.get(key, ""))) for key, label in VEHICLE_NUMBERS],
                weapons=[weapon_name(weapon) for weapon in card.get("weapons") or []],
                faults=faults.get(at, {}),
            )
        )
    return rows


def weapons_beside_fighters(sheet: Mapping[str, Any]) -> Iterator[Any]:
    """The weapons of vehicles and of the stash, as a fighter's card would write them."""
    for vehicle in _maps(sheet, "vehicles"):
        yield from (weapon for weapon in vehicle.get("weapons") or [] if isinstance(weapon, dict))
    for item in _maps(sheet, "stash"):
        numbers = item.get("weapon")
        if item.get("kind") == "weapon" or isinstance(numbers, dict):
            numbers = numbers if isinstance(numbers, dict) else {}
            yield {"name": item.get("name", ""), "cost": item.get("cost", ""), **numbers}


def cost_of_property(sheet: Mapping[str, Any]) -> int:
    """The cost of vehicles and of the stash, as far as it is known."""
    costs = [part.get("cost") for key in ("stash", "vehicles") for part in _maps(sheet, key)]
    return sum(cost for cost in costs if isinstance(cost, int))


def weapon_name(weapon: Any) -> str:
    """The name of a weapon of a sheet, with its numbers or without."""
    return str(weapon.get("name", "")) if isinstance(weapon, dict) else str(weapon)


def _maps(sheet: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    found = sheet.get(key)
    return [part for part in found if isinstance(part, dict)] if isinstance(found, list) else []
