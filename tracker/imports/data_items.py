"""Things in data files: weapons with all their profiles, armour, wargear, and the houses' lists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from tracker.documents.armoury import ItemOnPaper
from tracker.documents.known_names import KnownNames
from tracker.documents.text import NAME_CHARACTERS_MAX
from tracker.imports import data_profiles
from tracker.imports.data_choices import availability, is_required, name_and_availability, whole
from tracker.imports.data_contents import Contents
from tracker.imports.data_files import ENTRIES, Element
from tracker.imports.data_profiles import Profile
from tracker.imports.sheet_draft import tidy_name, up_to_a_word

ON_A_LIST_MAX: Final = 300
_THING: Final = re.compile(
    r"wargear|equipment|armou?r|battlekit|gear|\bitem|upgrade|accessor|grenade|shield|vehicle|bionic|chem|ammo"
)
_NO_THING: Final = re.compile(r"skill|ability|injury|territory|keyword|power|advance|rule")
_NO_GEAR_NAME: Final = re.compile(r"\b(skills?|advances?|experience|xp|captured|recovery|dead|credits)\b")
_RARITY: Final = ("rarity", "availability", "rare", "trading post", "tp")
_EXCLUSIVE: Final = ("e", "exclusive")


class Items:
    """The items found, by their element and by name."""

    def __init__(self) -> None:
        self.listed: list[dict[str, Any]] = []
        self.by_name: dict[str, dict[str, Any]] = {}
        self.of_entry: dict[int, dict[str, Any]] = {}

    def named(self, name: str) -> dict[str, Any] | None:
        """The item of that name, or None."""
        return self.by_name.get(name.casefold())

    def add(self, item: dict[str, Any]) -> None:
        """Add an item."""
        self.listed.append(item)
        self.by_name[item["name"].casefold()] = item


def items_of(contents: Contents, skills: Collection[str]) -> Items:
    """Every item in the files that an armoury can list. `skills` are the skills of the sets."""
    items = Items()
    adapter: TypeAdapter[Any] = TypeAdapter(ItemOnPaper)
    context = KnownNames(other_numbers=contents.is_trench)
    for entry in contents.entries:
        if contents.cards(entry) or _is_part_of_a_weapon(contents, entry):
            continue
        if not _is_thing(contents, entry):
            if entry.name.casefold() not in skills:
                _note_no_thing(contents, entry)
            continue
        name, rarity_behind = name_and_availability(entry.name)
        counts_as = 2 if name.rstrip().endswith("*") or _slots(contents, entry) >= 2 else 1
        called = tidy_name(name.rstrip(" *"))
        if not called:
            contents.note(
                "lost", entry.name or "a thing without a name", entry.place(), why="no name that can be kept"
            )
            continue
        item = _item(contents, entry, called, rarity_behind)
        if counts_as == 2 and "weapon" in item:
            item["counts_as"] = 2
        try:
            adapter.validate_python(item, context=context)
        except ValidationError as wrong:
            reason = text_of_first(wrong)
            contents.note("lost", called, entry.place(), why=f"no thing that an armoury can hold: {reason}")
            continue
        _keep(contents, items, entry, item)
    if items.listed and not any("availability" in item for item in items.listed):
        contents.note(
            "guessed", "all things are Common", "", into="items", why="the files do not say how rare they are"
        )
    return items


def text_of_first(wrong: ValidationError) -> str:
    """The first fault, without the input value."""
    first = wrong.errors(include_url=False, include_context=True)[0]
    said = str(first.get("ctx", {}).get("expected") or first["msg"])
    return f"{'.'.join(str(part) for part in first['loc'] if not str(part).startswith('<'))}: {said}".strip(
        ": "
    )


def lists_of(contents: Contents, items: Items) -> list[dict[str, Any]]:
    """The items that fighters of each house can be given, at the price stated there."""
    houses: dict[str, dict[str, list[int]]] = {}
    by_id = {id(entry): entry for entry in contents.entries}
    for entry_id, item in items.of_entry.items():
        for choice in contents.choices_of(by_id[entry_id]):
            house = tidy_name(choice.way.house or "")
            if house and choice.way.fighter and not choice.way.market and not choice.way.no_gear:
                price = choice.price.money if choice.price.money is not None else item["cost"]
                houses.setdefault(house, {}).setdefault(item["name"], []).append(price)
    lists = []
    for house, prices in houses.items():
        lines = []
        for name, asked in prices.items():
            price = _most_common(asked)
            listed = items.by_name[name.casefold()]["cost"]
            lines.append({"name": name} if price == listed else {"name": name, "cost": price})
            if len(set(asked)) > 1:
                other = ", ".join(str(each) for each in sorted(set(asked) - {price}))
                contents.note("guessed", f"{name} on the list of {house}", house, into="lists",
                              why=f"{price} counts; elsewhere on it {other}")  # fmt: skip
        for beyond in lines[ON_A_LIST_MAX:]:
            contents.note(
                "lost", str(beyond["name"]), house, into="lists", why=f"a list holds {ON_A_LIST_MAX} things"
            )
        lists.append({"house": house, "items": lines[:ON_A_LIST_MAX]})
    return lists


def _most_common(prices: list[int]) -> int:
    """The most frequent price; of several, the lowest."""
    counted = Counter(prices)
    return min(counted, key=lambda price: (-counted[price], price))


# --- which elements are items ------------------------------------------------------------------------------


def _is_part_of_a_weapon(contents: Contents, entry: Element) -> bool:
    """Whether it is a mode of the weapon around it: it has a weapon's numbers and no price of its own."""
    weapon = _weapon_around(contents, entry)
    return weapon is not None and bool(contents.weapons(entry)) and not contents.price(entry).money


def _weapon_around(contents: Contents, entry: Element) -> Element | None:
    for around in entry.above():
        if around.key in ENTRIES:
            is_weapon = not contents.cards(around) and bool(
                contents.weapons(around) or _ways(contents, around)
            )
            return around if is_weapon and around.text("type") == "upgrade" else None
    return None


def _ways(contents: Contents, weapon: Element) -> list[Element]:
    """The modes of a weapon: elements directly under it, or in a group of it."""
    near = [*weapon.under("selectionEntries")]
    for group in weapon.under("selectionEntryGroups"):
        near += group.under("selectionEntries")
    ways = [each for each in near if contents.weapons(each) and not contents.price(each).money]
    return ways if contents.weapons(weapon) or (ways and contents.price(weapon).money) else []


def _is_thing(contents: Contents, entry: Element) -> bool:
    if entry.text("type") in ("model", "unit"):
        return False
    info, price = contents.info(entry), contents.price(entry)
    if contents.weapons(entry) or _ways(contents, entry):
        return True
    choices = contents.choices_of(entry)
    around = [each.name.casefold() for each in (entry, *entry.above()) if each.parent is not None]
    if any(_NO_GEAR_NAME.search(name) for name in around) or (
        choices and all(o.way.no_gear for o in choices)
    ):
        return False
    kinds = [profile.kind.casefold() for profile in info.profiles]
    if any(_THING.search(kind) for kind in kinds):
        return True
    if any(_NO_THING.search(kind) for kind in kinds):
        return False
    asked = max([price.money or 0, *(choice.price.money or 0 for choice in choices)])
    has_choices = any(entry.under("selectionEntries", "selectionEntryGroups", "entryLinks"))
    in_gear = any(choice.way.gear or choice.way.market for choice in choices)
    if contents.is_trench:
        return in_gear and not has_choices
    return asked > 0 or (in_gear and not has_choices)


def _note_no_thing(contents: Contents, entry: Element) -> None:
    if entry.text("type") in ("model", "unit"):
        return  # fighters and vehicles are named where they are read
    kinds = ", ".join(
        dict.fromkeys(profile.kind for profile in contents.info(entry).profiles if profile.kind)
    )
    why = (
        f"no thing to buy ({kinds})"
        if kinds
        else "no thing to buy: a heading or a setting of the roster builder"
    )
    contents.note("left_out", entry.name or "an element without a name", entry.place(), why=why)


# --- one item ----------------------------------------------------------------------------------------------


def _item(contents: Contents, entry: Element, name: str, rarity_behind: str | None) -> dict[str, Any]:
    info, place = contents.info(entry), entry.place()
    lost = contents.lost_of(name, place)
    item: dict[str, Any] = {"name": name}
    profiles = contents.weapons(entry)
    for way in _ways(contents, entry):
        profiles += contents.weapons(way)
    if profiles:
        item["weapon"] = data_profiles.weapon_numbers(name, profiles, contents.book, lost)
    else:
        item |= _kind(contents, entry, [*info.profiles], name)
    item["cost"] = _cost(contents, entry, name)
    rarity = (
        _rarity(contents, entry, [*info.profiles], name) or rarity_behind or _rarity_around(contents, entry)
    )
    if rarity is not None and rarity != "Common":
        item["availability"] = rarity
    if any(profile.is_changed for profile in (*info.profiles, *profiles)) or contents.price(entry).is_changed:
        contents.changed[name] = None
    for unresolved in info.unresolved:
        contents.note("lost", f"{unresolved} of {name}", place, why="a link that no file answers")
    return item


def _kind(contents: Contents, entry: Element, profiles: list[Profile], name: str) -> dict[str, Any]:
    around = [each.name for each in entry.above() if each.parent is not None]
    said = " ".join([name, *(profile.kind for profile in profiles), *around]).casefold()
    if "vehicle" in " ".join([*(profile.kind for profile in profiles), *around]).casefold():
        return {"kind": "vehicle_upgrade"}
    if contents.is_trench or not re.search(r"\b(armou?r|field|carapace|mesh)\b", said):
        return {"kind": "wargear"}
    saves = [save for profile in profiles for save in data_profiles.save_of(profile)]
    in_words = [save for profile in profiles if (save := data_profiles.save_in_words(profile)) is not None]
    kind = "field_armour" if re.search(r"\bfield\b", said) else "armour"
    found = [*dict.fromkeys(saves or in_words)]
    if len(found) == 1:
        if not saves:
            contents.note("guessed", f"the save of {name}", entry.place(), into="items",
                          why=f"{found[0]}+, as its description says")  # fmt: skip
        return {"kind": kind, "save": found[0]}
    if re.search(r"\b(armou?r|carapace|mesh)\b", name.casefold()) or saves:
        why = "the files say no one save: it is listed as wargear; write its `kind` and `save`"
        contents.note("lost", f"the save of {name}", entry.place(), into="items", why=why)
    return {"kind": "wargear"}


def _cost(contents: Contents, entry: Element, name: str) -> int:
    own, choices = contents.price(entry), contents.choices_of(entry)
    for kind, amount in own.other:
        if (
            "slot" not in kind.casefold()
            and not availability(kind)
            and kind.casefold() not in (*_RARITY, "illegal")
        ):
            why = f"an armoury counts {contents.book.words.credits}"
            contents.note("lost", f"{amount} {kind} for {name}", entry.place(), why=why)
    if own.lost is not None:
        contents.note(
            "lost", f"the price {own.lost} of {name}", entry.place(), why="no whole number of 0 or more"
        )
    if any(choice.price.is_changed for choice in choices):
        contents.changed[name] = None
    market = [choice.price.money for choice in choices if choice.way.market and choice.price.money]
    if market:
        return _most_common(market)
    if own.money:
        return own.money
    asked = [choice.price.money for choice in choices if choice.price.money]
    if not asked and not (own.money == 0 and not own.other):
        contents.note(
            "guessed", f"the price of {name}", entry.place(), into="items", why="0, for the files say none"
        )
    return _most_common(asked) if asked else 0


def _slots(contents: Contents, entry: Element) -> int:
    return max(
        (amount for kind, amount in contents.price(entry).other if "slot" in kind.casefold()), default=0
    )


def _rarity(contents: Contents, entry: Element, profiles: list[Profile], name: str) -> str | None:
    """The rarity that the element itself states: in a profile, as a category, or as a cost."""
    for profile in profiles:
        said = profile.first(*_RARITY)
        if said and (found := availability(said, bare_number=True)):
            return found
        if said.casefold() in _EXCLUSIVE:
            why = "exclusive: an armoury lists it as Common, so sell it only from its house's list"
            contents.note("lost", f"the rarity of {name}", entry.place(), why=why)
        elif said and said.casefold() not in ("-", "–", "n/a"):
            contents.note(
                "lost",
                f"the rarity {said} of {name}",
                entry.place(),
                why="not Common, Rare (9) or Illegal (9)",
            )
    for link in entry.under("categoryLinks"):
        target = contents.library.resolve(link)
        if found := availability(target.name if target is not None else link.name):
            return found
    for cost in entry.under("costs"):
        kind, amount = contents.prices.kind(cost).strip().casefold(), whole(cost.text("value")) or 0
        if kind in ("rare", "rarity", "illegal", "illegality") and amount > 0:
            return f"{'Illegal' if kind.startswith('illegal') else 'Rare'} ({amount})"
    return None


def _rarity_around(contents: Contents, entry: Element) -> str | None:
    """The rarity that the groups around it state."""
    told = [choice.way.availability for choice in contents.choices_of(entry) if choice.way.availability]
    return told[0] if told else None


def _keep(contents: Contents, items: Items, entry: Element, item: dict[str, Any]) -> None:
    """List an item, once for each name; an item that differs only in price is the same one."""
    name, place = item["name"], entry.place()
    known = items.named(name)
    weapon = _weapon_around(contents, entry)
    if known is not None and _numbers(known) != _numbers(item):
        if not _numbers(item):
            items.of_entry[id(entry)] = known
            return
        of = weapon.name if weapon is not None else entry.file.name
        half = NAME_CHARACTERS_MAX // 2 - 2
        item["name"] = tidy_name(f"{up_to_a_word(name, half)} ({up_to_a_word(of, half)})")
        again = items.named(item["name"])
        if again is not None:
            if _numbers(again) != _numbers(item):
                contents.note(
                    "lost", name, place, why=f"{again['name']} is listed already, with other numbers"
                )
            items.of_entry[id(entry)] = again
            return
        contents.note(
            "guessed", name, place, into="items", why=f"listed as {item['name']}: its numbers differ"
        )
        known = None
    if known is not None:
        items.of_entry[id(entry)] = known
        if known["cost"] == 0 and item["cost"]:
            known["cost"] = item["cost"]
        elif item["cost"] not in (0, known["cost"]):
            why = f"{known['cost']} counts, which stands first; a house's list may have {item['cost']}"
            contents.note("guessed", f"the price of {name}", place, into="items", why=why)
        if "availability" in item:
            known.setdefault("availability", item["availability"])
        return
    items.add(item)
    items.of_entry[id(entry)] = item
    contents.note("taken", item["name"], place, into="items")


def _numbers(item: dict[str, Any]) -> Any:
    return item.get("weapon") or item.get("save")


def offered_as_required(contents: Contents, fighter: Element, items: Items) -> list[dict[str, Any]]:
    """The items that a fighter must take, directly under it: the equipment that every such fighter has."""
    found: list[dict[str, Any]] = []
    for each in fighter.under("selectionEntries", "entryLinks"):
        target = contents.library.resolve(each) if each.key == "entryLinks" else each
        if target is not None and (is_required(each) or is_required(target)):
            item = items.of_entry.get(id(target))
            if item is not None:
                found.append(item)
    for group in fighter.under("selectionEntryGroups"):
        choices = [*group.under("selectionEntries", "entryLinks")]
        if is_required(group) and len(choices) == 1:
            target = contents.library.resolve(choices[0]) if choices[0].key == "entryLinks" else choices[0]
            item = items.of_entry.get(id(target)) if target is not None else None
            if item is not None:
                found.append(item)
    return found
