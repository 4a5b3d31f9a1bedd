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

OWN_KEYS: Final = frozenset({"format", "gang", "id", "brought_from", "fighters"})
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


def round_trip_losses(sheet: Mapping[str, Any], data: Any, book: str) -> list[NotHeld]:
    """What the gang's sheet says and the file's does not."""
    read_back = imported_data(data, "export", Answers(), book=book).sheet
    about, name = sheet["gang"], sheet["name"]
    losses = [*_losses(sheet, read_back, about, name)]
    fighters_back = read_back["fighters"]
    for place, fighter in enumerate(sheet["fighters"]):
        if place < len(fighters_back):
            losses += _losses(fighter, fighters_back[place], fighter["id"], fighter["name"])
        else:
            words = "the fighter as a whole"
            losses.append(NotHeld(about=fighter["id"], name=fighter["name"], fact="fighter", words=words))
    for vehicle in sheet.get("vehicles", ()):
        words = "the vehicle as a whole"
        losses.append(NotHeld(about=vehicle["id"], name=vehicle["name"], fact="vehicle", words=words))
    return losses


def _losses(
    sheet: Mapping[str, Any], read_back: Mapping[str, Any], about: str, name: str
) -> Iterator[NotHeld]:
    for key, value in sheet.items():
        if key in OWN_KEYS or key == "vehicles":
            continue
        facts = value if key == "so_far" else {key: value}
        facts_back = read_back.get("so_far", {}) if key == "so_far" else read_back
        for fact, fact_value in facts.items():
            if not _is_same(fact, fact_value, facts_back.get(fact), read_back):
                words = WORDS.get(fact, fact.replace("_", " "))
                yield NotHeld(about=about, name=name, fact=fact, words=words)


def _is_same(fact: str, value: Any, value_back: Any, read_back: Mapping[str, Any]) -> bool:
    match fact:
        case "characteristics":
            numbers_back = value_back or {}
            return {*value} == {*numbers_back} and all(
                whole_number(value[short]) == whole_number(numbers_back[short]) for short in value
            )
        case "wargear":
            # Weapons and armour of the card may have come back as things by name.
            names = Counter(read_back.get("wargear", ()))
            return not Counter(value) - names
        case "injuries":
            return [injury["injury"] for injury in value] == [injury["injury"] for injury in value_back or ()]
        case "territories":
            return [territory.get("name") for territory in value] == [
                territory.get("name") for territory in value_back or ()
            ]
        case "stash":
            return [(item["name"], item["cost"], item["kind"]) for item in value] == [
                (item["name"], item["cost"], item.get("kind", "wargear")) for item in value_back or ()
            ]
        case _:
            return bool(value == value_back or (not value and not value_back))
