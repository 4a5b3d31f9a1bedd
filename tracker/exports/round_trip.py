"""Reading back: what `gang import` does not find again in an export, named fact by fact.

The file is imported as a stranger would, with no question answered, and the sheet that comes of it is held
against the gang's own. So nothing is lost unsaid, whatever a format or an importer comes to hold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tracker.exports.cells import whole_number
from tracker.exports.not_held import NotHeld
from tracker.imports.answers import Answers
from tracker.imports.importing import imported_data

BESIDE: Final = frozenset({"format", "gang", "id", "brought_from", "fighters"})
"""Keys that each sheet has of its own."""
WORDS: Final[Mapping[str, str]] = {
    "injuries_counted": "that the numbers have the injuries already: import it with --injuries counted",
    "weapons": "weapons with their numbers: at most their names come back, among the things",
    "armour": "armour with its save",
    "field_armour": "a field with its save",
    "category": "the category, which is asked for or guessed: import it with --category",
    "player": "who plays the gang: import it with --player",
    "house": "the house: import it with --house",
}


def not_read_back(sheet: Mapping[str, Any], data: Any, book: str) -> list[NotHeld]:
    """What the gang's sheet says and the file's does not."""
    again = imported_data(data, "export", Answers(), book=book).sheet
    about, name = sheet["gang"], sheet["name"]
    found = [*_lost(sheet, again, about, name)]
    others = again["fighters"]
    for place, fighter in enumerate(sheet["fighters"]):
        if place < len(others):
            found += _lost(fighter, others[place], fighter["id"], fighter["name"])
        else:
            words = "the fighter as a whole"
            found.append(NotHeld(about=fighter["id"], name=fighter["name"], fact="fighter", words=words))
    for vehicle in sheet.get("vehicles", ()):
        words = "the vehicle as a whole"
        found.append(NotHeld(about=vehicle["id"], name=vehicle["name"], fact="vehicle", words=words))
    return found


def _lost(here: Mapping[str, Any], there: Mapping[str, Any], about: str, name: str) -> Iterator[NotHeld]:
    for key, value in here.items():
        if key in BESIDE or key == "vehicles":
            continue
        inner = value if key == "so_far" else {key: value}
        others = there.get("so_far", {}) if key == "so_far" else there
        for fact, said in inner.items():
            if not _is_same(fact, said, others.get(fact), there):
                words = WORDS.get(fact, fact.replace("_", " "))
                yield NotHeld(about=about, name=name, fact=fact, words=words)


def _is_same(fact: str, said: Any, other: Any, there: Mapping[str, Any]) -> bool:
    match fact:
        case "characteristics":
            others = other or {}
            return {*said} == {*others} and all(
                whole_number(said[short]) == whole_number(others[short]) for short in said
            )
        case "wargear":
            # Weapons and armour of the card may have come back as things by name.
            names = Counter(there.get("wargear", ()))
            return not Counter(said) - names
        case "injuries":
            return [injury["injury"] for injury in said] == [injury["injury"] for injury in other or ()]
        case "territories":
            return [held.get("name") for held in said] == [held.get("name") for held in other or ()]
        case "stash":
            return [(item["name"], item["cost"], item["kind"]) for item in said] == [
                (item["name"], item["cost"], item.get("kind", "wargear")) for item in other or ()
            ]
        case _:
            return bool(said == other or (not said and not other))
