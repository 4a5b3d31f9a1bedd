"""Merges armouries: each thing once; differences are never resolved silently."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import Any, Final

from tracker.documents.armoury import FORMAT
from tracker.documents.nodes import Document
from tracker.errors import BadInput

SHOWN_MAX: Final = 20


class ArmouriesDiffer(BadInput):
    """The files list these differently: {differing}. Put them right, or let the first file count
    (--prefer-first).
    """

    differing: tuple[str, ...]


def merged(documents: Iterable[Document], *, prefer_first: bool = False) -> dict[str, Any]:
    """The content of several armouries as plain data. The files were read before, so they are sound.

    Raises ArmouriesDiffer if two list different things by one name, unless the first file counts.
    """
    items: dict[str, Any] = {}
    skills: dict[str, Any] = {}
    fighters: dict[tuple[str, str], Any] = {}
    lists: dict[str, dict[str, Any]] = {}
    names: list[str] = []
    differing: dict[str, None] = {}

    def keep(kept: dict[Any, Any], key: Any, value: Any, called: str) -> None:
        if key not in kept:
            kept[key] = value
        elif kept[key] != value and not prefer_first:
            differing[called] = None

    for document in documents:
        listed = _plain(document.root.plain())
        names.append(listed.get("name", document.file))
        for item in listed.get("items", ()):
            keep(items, item["name"].casefold(), item, item["name"])
        for skill_set in listed.get("skills", ()):
            keep(skills, skill_set["name"].casefold(), skill_set, f"the skills {skill_set['name']}")
        for fighter in listed.get("fighters", ()):
            house = fighter.get("house", "")
            called = f"the type {fighter['type']}" + (f" of {house}" if house else "")
            keep(fighters, (fighter["type"].casefold(), house.casefold()), fighter, called)
        for prices in listed.get("lists", ()):
            house = prices["house"]
            of_house = lists.setdefault(house.casefold(), {"house": house, "items": {}})
            for line in prices["items"]:
                keep(
                    of_house["items"], line["name"].casefold(), line, f"{line['name']} on the list of {house}"
                )
    if differing:
        shown = tuple(differing)[:SHOWN_MAX]
        more = len(differing) - len(shown)
        raise ArmouriesDiffer(differing=(*shown, f"{more} more") if more else shown)
    whole: dict[str, Any] = {"format": FORMAT, "name": " and ".join(dict.fromkeys(names))[:80].strip()}
    parts = {
        "items": [*items.values()],
        "lists": [
            {"house": prices["house"], "items": [*prices["items"].values()]} for prices in lists.values()
        ],
        "skills": [*skills.values()],
        "fighters": [*fighters.values()],
    }
    return whole | {key: part for key, part in parts.items() if part}


def _plain(value: Any) -> Any:
    """Plain data with numbers as YAML writes them."""
    if isinstance(value, dict):
        return {key: _plain(member) for key, member in value.items()}
    if isinstance(value, list):
        return [_plain(member) for member in value]
    return float(value) if isinstance(value, Decimal) else value
