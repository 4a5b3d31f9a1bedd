"""Converts a gang sheet to rows of fields and back; parts that no row shows stay unchanged.

Knows the format of a sheet. Knows no campaign, and refuses nothing: a sheet may be unfinished.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tracker.documents.armoury import Armoury
from tracker.documents.gang_sheet import FORMAT_WITH_PAST
from tracker.documents.written_cards import type_written
from tracker.rules.glossary import GameWords
from tracker.rules.rulebook import CharacteristicLimits
from tracker.server.pages import gang_rows_history as history
from tracker.server.pages.forms import FormValues
from tracker.server.pages.gang_rows_property import (
    stash_of,
    vehicles_of,
    weapon_name,
    weapons_beside_fighters,
)
from tracker.service.as_of import is_count

ROW: Final = "row."
DO: Final = "do"
FIGHTERS_MOST: Final = 100
_OF_GANG: Final = ("gang", "name", "house", "player", "credits", "reputation", "brought_from")
_OF_CARD: Final = ("name", "category", "type", "cost", "xp")
_OF_TYPE: Final = ("category", "type", "cost", "characteristics")
"""The values that fighters of one type share."""
_WORN: Final = ("armour", "field_armour")
_NUMBER: Final = re.compile(r"[-+]?[0-9]{1,6}")
_NUMBERED: Final = re.compile(r" [0-9]{1,3}$")
_COMMAS: Final = re.compile(r"\s*,\s*")
_PATH: Final = re.compile(r"(fighters|stash|vehicles)\[([0-9]+)\](?:\.(.+))?")
_PRICED: Final = re.compile(r"([0-9]{1,6})/([0-9]{1,6})")
"""A card's cost and the cost of its equipment, as the page showed both."""
_PAST: Final = "so_far."
_TRUTH: Final = {"yes": True, "no": False}
_MISSING: Final = re.compile(r"the key '(\w+)' is missing")
_WEAPON: Final = re.compile(r"weapon\.([0-9]{1,3})\.name")
_TAKEN: Final = {"gang_enlisted_already": "A {game.gang} of this name is here already: give it another."}
OWN_WEAPON: Final = (
    ("short", "Short range"), ("long", "Long range"),
    ("hit_short", "Hit, short range"), ("hit_long", "Hit, long range"),
    ("S", "S"), ("AP", "AP"), ("D", "D"), ("ammo", "Ammo"), ("traits", "Traits"), ("cost", "Cost"),
)  # fmt: skip
"""The fields of a weapon whose numbers are typed, in the order of its card."""
OWN_CARD: Final = "own"
NOTHING_ON_CARDS: Final[Mapping[str, dict[str, Any]]] = {}


class FighterFields(NamedTuple):
    """A fighter as fields."""

    at: int
    name: str
    category: str
    kind: str
    cost: str
    xp: str
    numbers: Sequence[tuple[str, str]]
    weapons: Sequence[str]
    wargear: Sequence[str]
    skills: str
    armour: tuple[str, str]
    field_armour: tuple[str, str]
    equipment_credits: int
    past: Sequence[history.HistoryField]
    faults: Mapping[str, str]

    @property
    def fault(self) -> str:
        """The faults that no field shows."""
        return self.faults.get("", "")


class OwnWeapon(NamedTuple):
    """A weapon that no armoury lists, with its numbers as fields; `whole` if fields cannot show them."""

    name: str
    values: Sequence[tuple[str, str, str]]
    whole: bool = False


class SheetFaults(NamedTuple):
    """The faults of a sheet: by field of the gang, by fighter and field, and without a field."""

    of_gang: Mapping[str, str]
    of_fighters: Mapping[int, Mapping[str, str]]
    of_stash: Mapping[int, Mapping[str, str]]
    of_vehicles: Mapping[int, Mapping[str, str]]
    others: Sequence[str]


# --- fields to sheet ----------------------------------------------------------------------------------------


def sheet_of(
    filled: FormValues,
    before: Mapping[str, Any],
    armoury: Armoury | None = None,
    on_cards: Mapping[str, dict[str, Any]] = NOTHING_ON_CARDS,
) -> dict[str, Any]:
    """The sheet that the fields say. `before` is the one that they were made from; `on_cards` are the numbers
    of weapons on other gangs' cards, by name in small letters.
    """
    sheet = {"format": FORMAT_WITH_PAST, **before}
    for key in _OF_GANG:
        if key in filled:
            _put(sheet, key, filled.get(key))
    listed = before.get("fighters") or []
    unlisted = {name: weapon for name, weapon in on_cards.items() if not _lists(armoury, name)}
    own = unlisted | _own_weapons(filled)
    for key, found in (
        ("stash", stash_of(filled, before.get("stash") or [], own, armoury, _read)),
        ("vehicles", vehicles_of(filled, before.get("vehicles") or [], own, armoury, _read)),
        ("so_far", history.said_of(filled, _PAST, history.OF_GANG, before.get("so_far"))),
    ):
        _put_all(sheet, key, found)
    if "injuries_counted" in filled:
        _put_all(sheet, "injuries_counted", None)
        sheet |= (
            {"injuries_counted": _TRUTH[said]} if (said := filled.get("injuries_counted")) in _TRUTH else {}
        )
    sheet["fighters"] = [
        _priced(
            filled,
            number,
            _card(
                filled, number, listed[at] if 0 <= (at := _whole(number)) < len(listed) else {}, own, armoury
            ),
            prices(armoury),
        )
        for number in _behind(filled, ROW)[:FIGHTERS_MOST]
    ]
    return sheet


def changed(
    sheet: dict[str, Any],
    filled: FormValues,
    armoury: Armoury | None,
    book: Mapping[str, CharacteristicLimits],
    types: Sequence[Mapping[str, Any]] = (),
) -> dict[str, Any]:
    """The sheet with what a button does to its rows: a fighter added, taken out, made twice, or moved.
    `types` are cards of the types that other gangs have.
    """
    what, _, number = filled.get(DO).partition(".")
    fighters, at = list(sheet.get("fighters") or []), _whole(number)
    if what == "add":
        fighters.append(_added(filled, (fighters, types), sheet, armoury, book))
    elif what in ("remove", "copy") and 0 <= at < len(fighters):
        if what == "remove":
            del fighters[at]
        else:
            named = str(fighters[at].get("name", ""))
            without = {key: value for key, value in fighters[at].items() if key not in ("id", "so_far", "xp")}
            fighters.insert(_behind_copies(fighters, at), {**without, "name": _free(named, fighters)})
    elif what in ("up", "down"):
        to = at + (1 if what == "down" else -1)
        if 0 <= at < len(fighters) and 0 <= to < len(fighters):
            fighters[at], fighters[to] = fighters[to], fighters[at]
    vehicles = list(sheet.get("vehicles") or [])
    if what == "add_vehicle":
        vehicles.append({"name": _free("Vehicle", vehicles)})
    elif what == "remove_vehicle" and 0 <= at < len(vehicles):
        del vehicles[at]
    with_vehicles = {"vehicles": vehicles} if vehicles or "vehicles" in sheet else {}
    return {**sheet, **with_vehicles, "fighters": fighters[:FIGHTERS_MOST]}


def _added(
    filled: FormValues,
    cards: tuple[Sequence[Mapping[str, Any]], Sequence[Mapping[str, Any]]],
    sheet: Mapping[str, Any],
    armoury: Armoury | None,
    book: Mapping[str, CharacteristicLimits],
) -> dict[str, Any]:
    kind, name = filled.get("add_type"), filled.get("add_name")
    fighters, _ = cards
    typed = next((card for listed in cards for card in listed if str(card.get("type", "")) == kind), None)
    if typed is not None and (armoury is None or not armoury.has_type(kind)):
        like = {key: typed[key] for key in _OF_TYPE if key in typed}
        if isinstance(like.get("cost"), int):
            like["cost"] = bare_cost(typed, prices(armoury))
        return {"name": name or _free(kind, fighters), **like}
    if kind == OWN_CARD or armoury is None or not armoury.has_type(kind):
        return {"name": name or _free("Fighter", fighters)}
    listed = armoury.fighter_type(kind, str(sheet.get("house", "")))
    return {"name": name or _free(listed.card.kind, fighters), **type_written(listed.card, book)}


def first_changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> int | None:
    """The row of fighters that a button put there, or that follows one taken out; None where none is."""
    was, now = before.get("fighters") or [], after.get("fighters") or []
    differing = (at for at, card in enumerate(now) if at >= len(was) or card != was[at])
    return next(differing, len(now) - 1 if len(now) < len(was) and now else None)


def _behind_copies(fighters: Sequence[Mapping[str, Any]], at: int) -> int:
    """The position of a new copy: after the earlier ones."""
    plain = _NUMBERED.sub("", str(fighters[at].get("name", "")))
    place = at + 1
    while place < len(fighters) and _NUMBERED.sub("", str(fighters[place].get("name", ""))) == plain:
        place += 1
    return place


def _free(name: str, fighters: Sequence[Mapping[str, Any]]) -> str:
    taken = {str(card.get("name", "")).casefold() for card in fighters}
    plain = _NUMBERED.sub("", name)
    return next(
        called
        for called in (plain, *(f"{plain} {number}" for number in range(2, FIGHTERS_MOST + 2)))
        if called.casefold() not in taken
    )


def _priced(
    filled: FormValues, number: str, card: dict[str, Any], costs: Mapping[str, int]
) -> dict[str, Any]:
    """The card with its cost changed by the price of added and removed equipment, because a card's cost
    includes it. A cost that was typed is kept.
    """
    shown = _PRICED.fullmatch(filled.get(f"fighter.{number}.priced"))
    if shown is None or card.get("cost") != int(shown[1]):
        return card
    return {**card, "cost": max(0, int(shown[1]) + sum(_equipment(card, costs)) - int(shown[2]))}


def _card(
    filled: FormValues,
    number: str,
    before: Mapping[str, Any],
    own: Mapping[str, dict[str, Any]],
    armoury: Armoury | None,
) -> dict[str, Any]:
    card, mine = dict(before), f"fighter.{number}."
    for key in _OF_CARD:
        if mine + key in filled:
            _put(card, key, filled.get(mine + key))
    numbers = {
        name.removeprefix(f"{mine}number."): filled.get(name)
        for name in filled.fields
        if name.startswith(f"{mine}number.")
    }
    _put_all(card, "characteristics", {short: _read(said) for short, said in numbers.items() if said})
    known = {weapon_name(weapon): weapon for weapon in before.get("weapons") or []}
    names = [
        name
        for said in _values(filled, f"{mine}weapon.")
        for name in (
            [said]
            if said in known or said.casefold() in own or _lists(armoury, said)
            else filter(None, _COMMAS.split(said))  # several in one field, as people write them
        )
    ]
    _put_all(card, "weapons", [own.get(name.casefold()) or known.get(name, name) for name in names])
    _put_all(card, "wargear", _values(filled, f"{mine}wargear."))
    _put_all(card, "skills", [word for word in _COMMAS.split(filled.get(f"{mine}skills")) if word])
    for worn in _WORN:
        said = {"name": filled.get(f"{mine}{worn}"), "save": _read(filled.get(f"{mine}{worn}.save"))}
        _put_all(card, worn, {key: value for key, value in said.items() if value != ""})
    _put_all(
        card,
        history.SO_FAR,
        history.said_of(filled, mine + _PAST, history.OF_FIGHTER, before.get(history.SO_FAR)),
    )
    return card


def _own_weapons(filled: FormValues) -> dict[str, dict[str, Any]]:
    """The weapons with typed numbers, by name in lower case."""
    found = {}
    for field in filled.fields:
        if (match := _WEAPON.fullmatch(field)) is None or not filled.get(field):
            continue
        said = {key: filled.get(f"weapon.{match[1]}.{key}") for key, _ in OWN_WEAPON}
        if not any(said.values()):
            continue
        weapon: dict[str, Any] = {"name": filled.get(field)}
        weapon |= {key: _read(said[key]) for key in ("cost", "S", "AP", "D", "ammo") if said[key]}
        for key, short, long in (("range", "short", "long"), ("accuracy", "hit_short", "hit_long")):
            ends = {"short": _read(said[short]), "long": _read(said[long])}
            if ends := {end: value for end, value in ends.items() if value != ""}:
                weapon[key] = ends
        if said["traits"]:
            weapon["traits"] = [trait for trait in _COMMAS.split(said["traits"]) if trait]
        found[filled.get(field).casefold()] = weapon
    return found


def _behind(filled: FormValues, start: str) -> list[str]:
    """The suffixes of field names with this prefix, in order."""
    return [name.removeprefix(start) for name in filled.fields if name.startswith(start)]


def _values(filled: FormValues, start: str) -> list[str]:
    """The non-empty values of fields with this prefix."""
    return [value for rest in _behind(filled, start) if (value := filled.get(start + rest))]


def _put(into: dict[str, Any], key: str, said: str) -> None:
    if said:
        into[key] = _read(said) if key in ("credits", "reputation", "cost", "xp") else said
    else:
        into.pop(key, None)


def _put_all(into: dict[str, Any], key: str, said: Any) -> None:
    if said:
        into[key] = said
    else:
        into.pop(key, None)


def _read(said: str) -> int | str:
    return int(said) if _NUMBER.fullmatch(said) else said


def _whole(number: str) -> int:
    return int(number) if is_count(number) else -1


# --- sheet to fields ----------------------------------------------------------------------------------------


def rows_of(
    sheet: Mapping[str, Any],
    book: Mapping[str, CharacteristicLimits],
    armoury: Armoury | None,
    faults: SheetFaults,
) -> list[FighterFields]:
    """The fighters of a sheet as rows."""
    costs = prices(armoury)
    shorts = [limits.short for limits in book.values()]
    rows = []
    for at, card in enumerate(sheet.get("fighters") or []):
        numbers = card.get("characteristics")
        said = numbers if isinstance(numbers, dict) else {}
        weapons = [*(card.get("weapons") or [])]
        rows.append(
            FighterFields(
                at=at,
                name=str(card.get("name", "")),
                category=str(card.get("category", "")),
                kind=str(card.get("type", "")),
                cost=str(card.get("cost", "")),
                xp=str(card.get("xp", "")),
                numbers=[(short, str(said.get(short, ""))) for short in shorts],
                weapons=[weapon_name(weapon) for weapon in weapons],
                wargear=[str(item) for item in card.get("wargear") or []],
                skills=", ".join(map(str, card.get("skills") or [])),
                armour=_worn(card.get("armour")),
                field_armour=_worn(card.get("field_armour")),
                equipment_credits=sum(_equipment(card, costs)),
                past=history.shown(card.get(history.SO_FAR), history.OF_FIGHTER),
                faults=faults.of_fighters.get(at, {}),
            )
        )
    return rows


def own_weapons_of(sheet: Mapping[str, Any], armoury: Armoury | None) -> list[OwnWeapon]:
    """The weapons of a sheet that no armoury lists, with their numbers as fields, or empty ones."""
    listed = {offer.item.name.casefold() for offer in armoury.offers} if armoury is not None else set()
    found: dict[str, OwnWeapon] = {}
    carried = [weapon for card in sheet.get("fighters") or [] for weapon in card.get("weapons") or []]
    for weapon in (*carried, *weapons_beside_fighters(sheet)):
        name = weapon_name(weapon)
        if not isinstance(weapon, dict):
            if name.casefold() not in listed:
                found.setdefault(name.casefold(), OwnWeapon(name, _own_values({})))
        elif "profiles" in weapon:
            found[name.casefold()] = OwnWeapon(name, (), whole=True)
        else:
            found[name.casefold()] = OwnWeapon(name, _own_values(weapon))
    return [*found.values()]


def spent(rows: Sequence[FighterFields]) -> int:
    """The cost of the fighters with their equipment, as far as it is known."""
    return sum(int(row.cost) for row in rows if is_count(row.cost))


def _lists(armoury: Armoury | None, name: str) -> bool:
    return armoury is not None and armoury.weapon(name) is not None


def prices(armoury: Armoury | None) -> dict[str, int]:
    """The prices of items by name in lower case."""
    offers = armoury.offers if armoury is not None else ()
    return {offer.item.name.casefold(): offer.item.cost_credits for offer in offers}


def _own_values(weapon: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    ranges, hits = weapon.get("range") or {}, weapon.get("accuracy") or {}
    said = {
        **weapon,
        "short": ranges.get("short", ""), "long": ranges.get("long", ""),
        "hit_short": hits.get("short", ""), "hit_long": hits.get("long", ""),
        "traits": ", ".join(map(str, weapon.get("traits") or [])),
    }  # fmt: skip
    return [(key, label, str(said.get(key, ""))) for key, label in OWN_WEAPON]


def _worn(piece: Any) -> tuple[str, str]:
    return (str(piece.get("name", "")), str(piece.get("save", ""))) if isinstance(piece, dict) else ("", "")


def bare_cost(card: Mapping[str, Any], costs: Mapping[str, int]) -> int:
    """The cost of a fighter of a card's type without the listed equipment."""
    return max(0, int(card["cost"]) - sum(_equipment(card, costs)))


def _equipment(card: Mapping[str, Any], costs: Mapping[str, int]) -> Iterator[int]:
    for weapon in card.get("weapons") or []:
        cost = weapon.get("cost") if isinstance(weapon, dict) else costs.get(str(weapon).casefold())
        yield cost if isinstance(cost, int) else 0
    yield from (costs.get(str(item).casefold(), 0) for item in card.get("wargear") or [])


# --- faults -------------------------------------------------------------------------------------------------


def faults_of(problem: Mapping[str, Any] | None, game: GameWords, *, whole: bool) -> SheetFaults:
    """The faults of a sheet from a problem, by field. Unless `whole`, missing values are no faults."""
    of_gang: dict[str, str] = {}
    rows: dict[str, dict[int, dict[str, str]]] = {"fighters": {}, "stash": {}, "vehicles": {}}
    others: list[str] = []
    for error in (problem or {}).get("errors", ()):
        facts = error.get("facts", {})
        path, what = str(facts.get("path") or ""), str(facts.get("what") or error["message"])
        if error["code"] in _TAKEN:
            of_gang["name"] = game.said(_TAKEN[error["code"]])
            continue
        missing = _MISSING.search(what)
        if (missing or "found ''" in what) and not whole:
            continue
        said = "This is missing." if missing else what
        if (row := _PATH.match(path)) is not None:
            field = (row[3] or "").partition("[")[0] or (missing[1] if missing else "")
            mine = rows[row[1]].setdefault(int(row[2]) - 1, {})
            mine[field] = f"{mine[field]} {said}" if field in mine and mine[field] != said else said
        elif path.startswith(_PAST):
            of_gang[path.partition("[")[0]] = said
        elif path in _OF_GANG or (missing and missing[1] in _OF_GANG):
            of_gang[path if path in _OF_GANG else missing[1] if missing else ""] = said
        elif whole or not (missing or path == "fighters"):
            others.append(said)
    return SheetFaults(of_gang, rows["fighters"], rows["stash"], rows["vehicles"], others)
