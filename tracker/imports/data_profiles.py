"""Profiles of data files: what a profile says, and its numbers as an armoury writes them.

Knows fighters' cards and weapons of Necromunda and Trench Crusade. What cannot be written is told, by value.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeAlias

from pydantic import TypeAdapter, ValidationError

from tracker.documents.text import NAME_CHARACTERS_MAX
from tracker.documents.weapon_sheet import ProfileNumbers
from tracker.imports.data_files import PROFILES, RULES, DataLibrary, Element
from tracker.imports.findings import Fact, Findings
from tracker.imports.necromunda_rosters import NUMBERS_MIN, SAVES, WEAPON
from tracker.imports.rosters import CHARACTERISTICS, trench_number
from tracker.imports.sheet_draft import DASHES, tidy_name, up_to_a_word
from tracker.imports.weapon_profiles import INCHES, SHORT, TRAIT_LENGTH_MAX
from tracker.records import Record
from tracker.rules.rulebook import Book

Lost: TypeAlias = Callable[[str, str], None]
"""Called with a value that is lost, and the reason."""

PROFILES_MAX, TRAITS_MAX = 10, 30
NUMBERED_MAX = NAME_CHARACTERS_MAX - len(" 10")
TRENCH_NUMBERS_MIN: Final = 3
VEHICLE: Final = frozenset({"hp", "hull points", "hnd", "handling", "front", "side", "rear"})
VEHICLE_NUMBERS_MIN: Final = 3
_NUMBERS: Final[TypeAdapter[Any]] = TypeAdapter(ProfileNumbers)
_NONE: Final = {"S": "-", "AP": "-", "D": "-"}
_MINUS: Final = str.maketrans({"−": "-", "–": "-", "—": "-", "″": '"', "”": '"', "“": '"'})
_SAVE: Final = re.compile(r"\b([2-6])\+")


class Profile(Record):
    """A profile: its type and its characteristics by name, after unconditional changes."""

    name: str
    kind: str
    values: Mapping[str, str]
    is_changed: bool = False
    """Whether the roster builder changes it further, under conditions."""

    @property
    def keys(self) -> frozenset[str]:
        """The names of its characteristics in lower case."""
        return frozenset(key.casefold() for key in self.values)

    def first(self, *keys: str) -> str:
        """The first non-empty one of these characteristics."""
        by_key = {key.casefold(): value for key, value in self.values.items()}
        return next((by_key[key] for key in keys if by_key.get(key)), "")


class Info(Record):
    """An element's profiles, and the names of its rules."""

    profiles: tuple[Profile, ...]
    rules: tuple[str, ...]
    unresolved: tuple[str, ...] = ()
    """The names of links without a target."""


def info_of(node: Element, library: DataLibrary) -> Info:
    """The profiles and rules of an element: its own, those of its groups, and those of its links."""
    profiles: list[Profile] = []
    rules: list[str] = []
    unresolved: list[str] = []
    seen: set[int] = set()
    waiting: list[tuple[Element, tuple[Element, ...]]] = [(node, ())]
    while waiting:
        here, links = waiting.pop()
        if id(here) in seen:
            continue
        seen.add(id(here))
        if here.key in PROFILES:
            profiles.append(profile_of(here, links, library))
            continue
        if here.key in RULES:
            rules.append(here.name)
            continue
        within: list[tuple[Element, tuple[Element, ...]]] = [
            (each, ()) for each in here.under("profiles", "rules", "infoGroups") if not is_hidden(each)
        ]
        for link in here.under("infoLinks"):
            target = None if is_hidden(link) else library.resolve(link)
            if target is not None and not is_hidden(target):
                within.append((target, (link,)))
            elif target is None and not is_hidden(link):
                unresolved.append(link.name)
        waiting.extend(reversed(within))
    return Info(profiles=tuple(profiles), rules=tuple(rules), unresolved=tuple(unresolved))


def is_hidden(node: Element) -> bool:
    """Whether a roster builder never shows it: hidden, and no modifier shows it again."""
    hidden = node.says("hidden")
    for modifier, conditional in node.changes():
        if modifier.text("field") == "hidden":
            shown_again = modifier.data.get("value") in (False, "false")
            if not conditional:
                hidden = not shown_again
            elif shown_again:
                return False
    return hidden


def profile_of(node: Element, links: Iterable[Element], library: DataLibrary) -> Profile:
    """A profile after its unconditional changes."""
    types = {file.ids.get(node.text("typeId", "profileTypeId")) for file in library.files}
    kind = node.text("typeName", "profileTypeName") or next((found.name for found in types if found), "")
    values: dict[str, str] = {}
    named: dict[str, str] = {}
    for written in node.under("characteristics"):
        identifier = written.text("typeId", "characteristicTypeId")
        key = written.name or next(
            (file.ids[identifier].name for file in library.files if identifier in file.ids), ""
        )
        if key and key not in values:
            values[key] = written.text("$text", "value")
            named[identifier] = key
    name, is_changed = node.name, False
    for holder in (node, *links):
        for modifier, conditional in holder.changes():
            field, value = modifier.text("field"), modifier.text("value")
            if field == "hidden":
                continue
            if conditional or (field != "name" and field not in named):
                is_changed = True
            elif field == "name":
                name = changed(name, modifier.text("type"), value)
            else:
                values[named[field]] = changed(values[named[field]], modifier.text("type"), value)
    return Profile(name=name, kind=kind, values=values, is_changed=is_changed)


def changed(before: str, how: str, value: str) -> str:
    """A text after a modifier: set, appended, or its first number increased or decreased."""
    if how == "set":
        return value
    if how == "append":
        return f"{before} {value}".strip()
    if how in ("increment", "decrement") and re.fullmatch(r"[0-9]{1,4}(\.0*)?", value):
        amount = int(float(value)) * (1 if how == "increment" else -1)
        return re.sub(r"[-+]?[0-9]{1,4}", lambda match: str(int(match[0]) + amount), before, count=1)
    return before


# --- kinds of profile --------------------------------------------------------------------------------------


def is_card(profile: Profile, book: Book) -> bool:
    """Whether it has a fighter's numbers."""
    if profile.keys & VEHICLE and is_vehicle(profile):
        return False
    if _is_trench(book):
        return len(profile.keys & {key.casefold() for key in CHARACTERISTICS}) >= TRENCH_NUMBERS_MIN
    return len(profile.keys & _names(book).keys()) >= NUMBERS_MIN


def is_vehicle(profile: Profile) -> bool:
    """Whether it has a vehicle's numbers."""
    return len(profile.keys & VEHICLE) >= VEHICLE_NUMBERS_MIN


def is_weapon(profile: Profile, book: Book) -> bool:
    """Whether it has a weapon's numbers."""
    if _is_trench(book):
        return profile.kind.casefold() == "weapon" or INCHES.match(profile.first("range")) is not None
    ranges = {key for key in WEAPON if WEAPON[key].startswith("range.")}
    return "weapon" in profile.kind.casefold() or bool(profile.keys & ranges and "ap" in profile.keys)


def tells_game(profile: Profile, book: Book) -> bool:
    """Whether it has numbers that only weapons of the book's game have."""
    if _is_trench(book):
        return {"type", "range", "keywords"} <= profile.keys
    return {"ap", "traits"} <= profile.keys


def _is_trench(book: Book) -> bool:
    return "ranged" in book.characteristics


def _names(book: Book) -> dict[str, str]:
    """A book's short names of characteristics, by short and by long name."""
    by_name = {name.replace("_", " "): limits.short for name, limits in book.characteristics.items()}
    return (
        by_name
        | {short.casefold(): short for short in by_name.values()}
        | {"will": "Wil", "willpower": "Wil"}
    )


# --- numbers -----------------------------------------------------------------------------------------------


def card_numbers(profile: Profile, book: Book, lost: Lost) -> dict[str, Any]:
    """A fighter's numbers; a dash for each that is no number."""
    numbers: dict[str, Any] = {}
    if _is_trench(book):
        by_name = {key.casefold(): short for key, short in CHARACTERISTICS.items()}
        for key, value in profile.values.items():
            if short := by_name.get(key.casefold()):
                numbers[short] = trench_number(short, Fact(_plain(value), (), Findings()), "")
                if numbers[short] == "-" and value.casefold() not in ("", *DASHES):
                    lost(f"{key} {value}", "no number: a dash instead")
        return {short: numbers.get(short, "-") for short in by_name.values()}
    by_name = _names(book)
    for key, value in profile.values.items():
        short, text = by_name.get(key.casefold()), _plain(value)
        if short is None:
            continue
        known = re.fullmatch(r'([0-9]{1,2}) ?["+]?', text)
        numbers[short] = "-" if known is None or int(known[1]) == 0 else text.replace(" ", "")
        if known is None and text.casefold() not in ("", *DASHES):
            lost(f"{key} {value}", "no number: a dash instead")
        if known is not None and text == known[1] and numbers[short] != "-":
            numbers[short] = int(text)
    return {limits.short: numbers.get(limits.short, "-") for limits in book.characteristics.values()}


def save_of(profile: Profile) -> list[int]:
    """The saves that a profile states as numbers."""
    said = profile.first(*SAVES, "save roll", "armor save")
    if not said:
        return []
    found = _SAVE.findall(said) or ([said] if said in ("2", "3", "4", "5", "6") else [])
    return [*dict.fromkeys(map(int, found))]


def save_in_words(profile: Profile) -> int | None:
    """The save that an item's description names; None if it names none, or several."""
    words = " ".join(profile.values.values())
    found = {
        int(match[1]) for match in re.finditer(r"\b([2-6])\+ (?:armou?r |field )?save", words, re.IGNORECASE)
    }
    return found.pop() if len(found) == 1 else None


def weapon_numbers(name: str, profiles: list[Profile], book: Book, lost: Lost) -> dict[str, Any]:
    """A weapon's numbers, or its profiles by name, as an armoury writes them under `weapon`."""
    read = _trench_weapon if _is_trench(book) else _necromunda_weapon
    for beyond in profiles[PROFILES_MAX:]:
        lost(f"the profile {beyond.name}", f"a weapon has {PROFILES_MAX} profiles at most")
    numbers = [read(profile, lost) for profile in profiles[:PROFILES_MAX]]
    if len(numbers) == 1:
        return numbers[0]
    named: dict[str, dict[str, Any]] = {}
    for place, (profile, each) in enumerate(zip(profiles, numbers, strict=False), start=1):
        called = _profile_name(profile.name, name) or f"profile {place}"
        known = called in named
        named.setdefault(f"{up_to_a_word(called, NUMBERED_MAX)} {place}" if known else called, each)
    return {"profiles": [{"name": called, **each} for called, each in named.items()]}


def _profile_name(called: str, weapon: str) -> str:
    name = tidy_name(called)
    if name.casefold().startswith(weapon.casefold()):
        name = name[len(weapon) :]
    return tidy_name(name.strip(" ,:–—-()[]"))


def _necromunda_weapon(profile: Profile, lost: Lost) -> dict[str, Any]:
    numbers: dict[str, Any] = dict(_NONE)
    for key, value in profile.values.items():
        place, text = WEAPON.get(key.casefold()), _plain(value)
        if place == "traits":
            numbers["traits"] = _traits(text, lost)
        elif place is not None and text.casefold() not in ("", *DASHES):
            outer, _, inner = place.partition(".")
            bare = text.removesuffix('"').strip()
            said: Any = int(bare) if re.fullmatch("[0-9]{1,3}", bare) else bare
            written = {**numbers.get(outer, {}), inner: said} if inner else said
            if _holds({**_NONE, outer: written}):
                numbers[outer] = written
            else:
                lost(f"{key} {value}", "no number that an armoury can hold")
    return {key: value for key, value in numbers.items() if value not in ([], {})}


def _holds(numbers: dict[str, Any]) -> bool:
    try:
        _NUMBERS.validate_python(numbers)
    except ValidationError:
        return False
    return True


def _trench_weapon(profile: Profile, lost: Lost) -> dict[str, Any]:
    numbers: dict[str, Any] = {}
    traits: list[str] = []
    for key, value in profile.values.items():
        text = _plain(value)
        if key.casefold() not in SHORT or text.casefold() in ("", "melee", *DASHES):
            continue
        inches = INCHES.match(text)
        if key.casefold() == "range" and inches and int(inches[1]) > 0:
            numbers["range"] = {"long": int(inches[1])}
            if beyond := text[inches.end() :].strip():
                lost(f"{key} {value}", f"its range, without {beyond!r}")
        else:
            traits += _traits(text, lost)
    if traits:
        numbers["traits"] = [*dict.fromkeys(traits)][:TRAITS_MAX]
    return numbers


def _traits(text: str, lost: Lost) -> list[str]:
    parts = [tidy_name(part) for part in re.split(r"[,;](?![^()]*\))", text)]
    kept = [
        *dict.fromkeys(part for part in parts if 0 < len(part) <= TRAIT_LENGTH_MAX and part not in DASHES)
    ]
    for part in parts:
        if len(part) > TRAIT_LENGTH_MAX:
            lost(f"the trait {part}", "longer than a trait is: a rule's text is never kept")
    for part in kept[TRAITS_MAX:]:
        lost(f"the trait {part}", f"a profile has {TRAITS_MAX} traits at most")
    return kept[:TRAITS_MAX]


def _plain(text: str) -> str:
    return " ".join(text.translate(_MINUS).split())
