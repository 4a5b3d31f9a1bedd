"""A warband as New Recruit writes a roster, for the tools that read such files.

Ids are the sheet's own names: they are those of no catalogue, so the roster builder itself shows the models
without knowing them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Final

from tracker.exports.cells import whole_number

GAME: Final = "Trench Crusade"
NAMED: Final = {"Mv": "Movement", "Rng": "Ranged", "Mel": "Melee", "Arm": "Armour"}


def new_recruit_roster(sheet: Mapping[str, Any], injuries: Mapping[str, str]) -> dict[str, Any]:
    """The sheet as such a file. `injuries` are the book's names of injuries, by row."""
    spent = sum(fighter["cost"] for fighter in sheet["fighters"])
    models = [_model(fighter, injuries) for fighter in sheet["fighters"]]
    return {
        "roster": {
            "name": sheet["name"],
            "gameSystemName": GAME,
            "costs": [_ducats(spent)],
            "costLimits": [_ducats(spent + sheet["credits"])],
            "forces": [{"name": "Warband", "catalogueName": sheet["house"], "selections": models}],
        }
    }


def _model(fighter: Mapping[str, Any], injuries: Mapping[str, str]) -> dict[str, Any]:
    past = fighter.get("so_far", {})
    skills = [*fighter.get("skills", ())]
    keywords = [skill for skill in skills if skill.casefold() == "tough"]
    carried = Counter(
        [*(weapon["name"] for weapon in fighter.get("weapons", ())), *fighter.get("wargear", ())]
    )
    return {
        "name": fighter["type"],
        "customName": fighter["name"],
        "number": 1,
        "type": "model",
        "costs": [_ducats(fighter["cost"])],
        "categories": [
            {"name": fighter["category"].capitalize(), "primary": True},
            *({"name": keyword, "primary": False} for keyword in keywords),
        ],
        "profiles": [
            {
                "name": fighter["type"],
                "typeName": "Unit",
                "characteristics": [
                    {"name": NAMED[short], "$text": _shown(short, number)}
                    for short, number in fighter["characteristics"].items()
                    if short in NAMED
                ],
            }
        ],
        "selections": [
            *([_upgrade("Experience", fighter["xp"])] if fighter["xp"] else []),
            *_in_group("Advancements", [skill for skill in skills if skill not in keywords]),
            *_in_group(
                "Injuries",
                [injuries.get(injury["injury"], injury["injury"]) for injury in past.get("injuries", ())],
            ),
            *({**_upgrade(name, times), "group": "Equipment"} for name, times in carried.items()),
        ],
    }


def _shown(short: str, written: object) -> str:
    if short == "Mv":
        return f'{whole_number(written)}"/Infantry'
    return f"{whole_number(written):+d} Dice" if short in ("Rng", "Mel") else str(whole_number(written))


def _ducats(value: int) -> dict[str, Any]:
    return {"name": "Ducats", "value": value}


def _upgrade(name: str, number: int) -> dict[str, Any]:
    return {"name": name, "number": number, "type": "upgrade"}


def _in_group(group: str, names: Iterable[str]) -> list[dict[str, Any]]:
    return [{**_upgrade(name, 1), "group": group} for name in names]
