"""A gang as YakTribe writes one, for the tools that read such files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from tracker.exports.cells import whole_number

CHARACTERISTICS: Final = {
    "M": "m", "WS": "ws", "BS": "bs", "S": "s", "T": "t", "W": "w", "I": "i", "A": "a", "Ld": "ld",
    "Cl": "cl", "Wil": "wil", "Int": "int",
}  # fmt: skip
ALIGNMENTS: Final = {"law_abiding": "Law Abiding", "outlaw": "Outlaw"}


def yaktribe_gang(sheet: Mapping[str, Any], injuries: Mapping[str, str]) -> dict[str, Any]:
    """The sheet as such a file. `injuries` are the book's names of lasting injuries, by row."""
    past = sheet.get("so_far", {})
    gangers = [_ganger(fighter, injuries) for fighter in sheet["fighters"]]
    living = [ganger["cost"] for ganger in gangers if ganger["status"] not in ("Dead", "Retired")]
    gang: dict[str, Any] = {
        "gang_name": sheet["name"],
        "gang_type": sheet["house"],
        "gang_username": sheet["player"],
        "gang_rating": str(sum(living)),
        "credits": str(sheet["credits"]),
        "reputation": str(sheet["reputation"]),
        "territories": [held.get("name", held["territory"]) for held in past.get("territories", ())],
        "stash": [{"name": item["name"], "qty": 1, "cost": item["cost"]} for item in sheet.get("stash", ())],
        "gangers": gangers,
    }
    if "alignment" in past:
        gang["alignment"] = ALIGNMENTS[past["alignment"]]
    if "allegiance" in past:
        gang["allegiance"] = past["allegiance"]
    if "alliances" in past:
        gang["affiliation"] = "; ".join(past["alliances"])
    return {"gang": gang}


def _ganger(fighter: Mapping[str, Any], injuries: Mapping[str, str]) -> dict[str, Any]:
    past = fighter.get("so_far", {})
    numbers = fighter["characteristics"]
    worn = [fighter[key] for key in ("armour", "field_armour") if key in fighter]
    carried = Counter(
        [
            *(weapon["name"] for weapon in fighter.get("weapons", ())),
            *(piece["name"] for piece in worn),
            *fighter.get("wargear", ()),
        ]
    )
    return {
        "name": fighter["name"],
        "type": fighter["type"],
        **{key: whole_number(numbers.get(short)) for short, key in CHARACTERISTICS.items()},
        "cost": fighter["cost"],
        "xp": fighter["xp"],
        "kills": past.get("kills", 0),
        "advance_count": past.get("advances", 0),
        "equipment": [{"name": name, "qty": times, "cost": 0} for name, times in carried.items()],
        "skills": [*fighter.get("skills", ())],
        "injuries": [injuries.get(injury["injury"], injury["injury"]) for injury in past.get("injuries", ())],
        "status": _status(past),
        "notes": "",
    }


def _status(past: Mapping[str, Any]) -> str:
    """The one word that there is room for, the gravest first."""
    if "gone" in past:
        return str(past["gone"]).capitalize()
    for key, word in (("critical", "Critical"), ("captive_of", "Captured"), ("in_recovery", "In Recovery")):
        if past.get(key):
            return word
    return "Convalescence" if past.get("convalescing") else "Alive"
