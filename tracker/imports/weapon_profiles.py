"""Weapons with their profile, where a roster carries one: range and keywords, as items of an armoury."""

from __future__ import annotations

import re
from typing import Any, Final

from tracker.documents.armoury import listed_name
from tracker.imports.findings import Fact
from tracker.imports.sheet_draft import DASHES, SheetDraft, tidy_name

SHORT: Final = ("type", "range", "modifiers", "keywords")
"""The values of a profile that are a word or a number; the others are rules' text."""
TRAIT_LENGTH_MAX: Final = 40
INCHES: Final = re.compile(r'^([0-9]{1,3})\s*["”]')


def keep(profile: Fact, draft: SheetDraft, price: int = 0) -> bool:
    """Add the profile to the armoury at this price, if it is a weapon's; returns whether it is."""
    if profile.child("typeName").text.casefold() != "weapon":
        return False
    named = profile.child("name")
    name = tidy_name(named.text)
    if not name:
        return False
    if listed_name(name) in draft.answers.weapons:  # the table's own armoury counts
        for written in profile.child("characteristics").children():
            written.child("$text").left_out(f"of {name}: your armoury lists it")
        return True
    weapon: dict[str, Any] = {}
    traits: list[str] = []
    for written in profile.child("characteristics").children():
        key, value = written.child("name").text.casefold(), written.child("$text")
        if key not in SHORT or value.text.casefold() in DASHES:
            continue
        inches = INCHES.match(value.text)
        if key == "range" and inches and int(inches[1]) > 0:
            weapon["range"] = {"long": int(inches[1])}
            beyond = value.text[inches.end() :].strip()
            why = f"its long range, without {beyond!r}" if beyond else "its long range"
            value.taken(f"armoury: {name}", why)
            continue
        if key == "range" and value.text.casefold() == "melee":
            value.taken(f"armoury: {name}", "close combat: a weapon without a range")
            continue
        kept = [part for part in map(tidy_name, value.text.split(",")) if 0 < len(part) <= TRAIT_LENGTH_MAX]
        traits += kept
        if kept:
            value.taken(f"armoury: {name}", "its traits: " + ", ".join(kept))
    if traits:
        weapon["traits"] = [*dict.fromkeys(traits)][:30]
    listed = draft.armoury.setdefault(
        name.casefold(), {"name": name, "kind": "weapon", "cost": 0, "weapon": weapon}
    )
    if listed["weapon"] != weapon:
        why = "another profile of that name came first and counts: give one of the two another name"
        draft.findings.say("guessed", name, into=f"armoury: {name}", why=why)
    listed["cost"] = listed["cost"] or price
    return True
