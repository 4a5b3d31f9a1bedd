"""Gangs at random, for all three games: any rank, skills, weapons of any traits, armour, wargear, and vehicles."""

from __future__ import annotations

import json
from random import Random
from typing import Any

from tracker.rules import loader
from tracker.rules.rulebook import Book

BOOKS = ("necromunda_2023", "necromunda_archive", "trench_crusade")
GANGS = {
    "skulls": ("Krug", "Vex", "Joss", "Hob", "Pip", "Tallow"),
    "saints": ("Mags", "Dot", "Ned", "Wren", "Lark", "Quill"),
    "choir": ("Ash", "Bell", "Cass", "Dorn", "Eel", "Finch"),
}
THIRD_GANG = 0.2
VEHICLE = {"necromunda_2023": 0.4, "necromunda_archive": 0.9, "trench_crusade": 0.0}
"""How often a gang has one."""
_RANKS = ("specialist", "ganger", "prospect", "juve", "brute", "exotic_beast", "hired_gun")
_OF_ATTACKS = (
    "Rapid Fire (1)", "Rapid Fire (2)", 'Blast (3")', 'Blast (5")', "Template", "Limited", "Plentiful", "Scarce", "Sidearm",
    "Single Shot", "Unstable", "Unwieldy", "Versatile",
)  # fmt: skip
"""Traits that the steps of an attack know, rather than a table of the book."""
_UNKNOWN = "Hums Ominously"
_KIT = ("photo goggles", "respirator", "medicae kit", "shield", "grapnel")
_TRENCH_KIT = ("Reinforced Armour", "Standard Armour", "Trench Shield", "Machine Armour", "field lamp")
_TRENCH_KEYWORDS = ("TOUGH", "FEAR", "STRONG", "NEGATE GAS")


def sheets(book: str, dice: Random) -> list[str]:
    """The gang sheets of two or three gangs."""
    named = [*GANGS][: 3 if dice.random() < THIRD_GANG else 2]
    return [json.dumps(_gang(loader.book(book), gang, dice)) for gang in named]


def armoury(book: str, dice: Random) -> str:
    """What there is to buy and to hire."""
    known = loader.book(book)
    items: list[dict[str, Any]] = [
        {"name": "nail gun", "cost": 10, "weapon": _numbers(known, dice, reach=True)},
        {"name": "cleaver", "cost": 5, "weapon": _numbers(known, dice, reach=False)},
        {"name": "goggles", "cost": dice.choice([0, 20])},
        {"name": "tin leg", "cost": 25, "availability": "Rare (9)"},
    ]
    if known.book != "trench_crusade":
        items.append({"name": "mesh coat", "kind": "armour", "cost": 15, "save": "5+"})
        items.append({"name": "ram spikes", "kind": "vehicle_upgrade", "cost": 20})
    ranks = ("elite", "troop") if known.book == "trench_crusade" else ("champion", "ganger", "juve", "crew")
    fighters = [
        {
            "type": f"{rank.title()} Hand",
            "house": "House",
            "category": rank,
            "cost": dice.choice([5, 30]),
            "characteristics": _profile(known, dice),
        }
        for rank in ranks
    ]
    return json.dumps({"format": "armoury/1", "name": "Market", "items": items, "fighters": fighters})


def _gang(book: Book, gang: str, dice: Random) -> dict[str, Any]:
    names = GANGS[gang][: dice.randint(3, 6)]
    trench = book.book == "trench_crusade"
    drives = dice.random() < VEHICLE[book.book]
    sheet: dict[str, Any] = {
        "format": "gang-sheet/1",
        "gang": gang,
        "name": gang.title(),
        "house": "House",
        "player": f"{gang}-player",
        "credits": dice.choice([0, 40, 300]),
        "reputation": 0 if trench else dice.randint(0, 6),
    }
    ranks = ["leader", "champion", *dice.choices(_RANKS, k=4)]
    if trench:
        ranks = ["elite", "elite", *["troop"] * 4]
        del sheet["reputation"]
    if drives:
        ranks[len(names) - 1] = "crew"
    make = _model if trench else _fighter
    sheet["fighters"] = [make(book, name, rank, dice) for name, rank in zip(names, ranks, strict=False)]
    if drives:
        sheet["vehicles"] = [_vehicle(book, f"{gang.title()} Rig", names[-1], dice)]
    return sheet


def _profile(book: Book, dice: Random) -> dict[str, Any]:
    """Numbers of a card: targets to roll, or DICE where the book has those."""
    if book.book == "trench_crusade":
        return {
            "Mv": '6"',
            "Rng": dice.randint(-1, 2),
            "Mel": dice.randint(-1, 2),
            "Arm": -dice.randint(0, 3),
        }
    return {
        "M": dice.randint(3, 6),
        **{key: f"{dice.randint(2, 5)}+" for key in ("WS", "BS", "I")},
        "S": dice.randint(2, 5),
        "T": dice.randint(2, 5),
        "W": dice.choice([1, 1, 2, 3]),
        "A": dice.choice([1, 1, 2, 3]),
        **{key: f"{dice.randint(4, 9)}+" for key in ("Ld", "Cl", "Wil", "Int")},
    }


def _fighter(book: Book, name: str, rank: str, dice: Random) -> dict[str, Any]:
    skills = [row.name for row in book.skills.values()]
    card: dict[str, Any] = {
        "name": name,
        "category": rank,
        "type": f"House {rank}",
        "cost": dice.randint(20, 200),
        "characteristics": _profile(book, dice),
        "xp": dice.choice([0, 3, 9, 20]),
        "skills": dice.sample(skills, k=dice.randint(0, 3)),
        "weapons": [
            *(_weapon(book, f"gun {at}", dice, reach=True) for at in range(dice.choice([0, 1, 1, 2]))),
            *(_weapon(book, f"blade {at}", dice, reach=False) for at in range(dice.choice([0, 1, 1, 2]))),
        ],
        "wargear": dice.sample(_KIT, k=dice.randint(0, 2)),
    }
    if dice.random() < 0.4:
        card["armour"] = {"name": "mesh", "save": f"{dice.randint(4, 6)}+"}
    if dice.random() < 0.15:
        card["field_armour"] = {"name": "shimmer field", "save": "5+"}
    if rank != "crew" and dice.random() < 0.15 and len(card["weapons"]) <= 2:
        card["mounted"] = True
    return card


def _model(book: Book, name: str, rank: str, dice: Random) -> dict[str, Any]:
    return {
        "name": name,
        "category": rank,
        "type": f"{rank.title()} of the trench",
        "cost": dice.randint(25, 120),
        "characteristics": _profile(book, dice),
        "xp": dice.randint(0, 4) if rank == "elite" else 0,
        "skills": dice.sample(_TRENCH_KEYWORDS, k=dice.randint(0, 1)),
        "weapons": [_weapon(book, "rifle", dice, reach=True)] if dice.random() < 0.5 else [],
        "wargear": dice.sample(_TRENCH_KIT, k=dice.randint(0, 2)),
    }


def _vehicle(book: Book, name: str, crew: str, dice: Random) -> dict[str, Any]:
    ride: dict[str, Any] = {
        "name": name,
        "type": "Buggy",
        "cost": 120,
        "M": dice.randint(4, 12),
        "T": {"front": dice.randint(3, 6), "side": dice.randint(3, 5), "rear": 3},
        "HP": dice.randint(1, 3),
        "Hnd": f"{dice.randint(4, 9)}+",
        "crew": crew,
        "weapons": [
            _weapon(book, f"cannon {at}", dice, reach=True) for at in range(dice.choice([0, 1, 1, 2]))
        ],
    }
    return ride | ({"Sv": "5+"} if dice.random() < 0.5 else {})


def _weapon(book: Book, name: str, dice: Random, *, reach: bool) -> dict[str, Any]:
    if dice.random() < 0.15:
        profiles = [{"name": of, **_numbers(book, dice, reach=reach)} for of in ("solid", "shell")]
        return {"name": name, "profiles": profiles}
    return {"name": name, **_numbers(book, dice, reach=reach)}


def _numbers(book: Book, dice: Random, *, reach: bool) -> dict[str, Any]:
    if book.book == "trench_crusade":
        return {"traits": dice.sample(["FIRE", "GAS", "SHRAPNEL", "HEAVY", "CRITICAL"], k=dice.randint(0, 2))}
    known = [row.name for row in book.traits.values() if row.name]
    traits = dice.sample([*known, *_OF_ATTACKS], k=dice.choice([0, 0, 1, 1, 2, 3]))
    traits += [_UNKNOWN] if dice.random() < 0.03 else []
    numbers: dict[str, Any] = {
        "S": dice.choice([2, 3, 4, 5, 8, "S", "S+1"]),
        "AP": -dice.randint(0, 3),
        "D": dice.choice([1, 1, 1, 2, 3, "-"]),
        "traits": traits,
    }
    if not reach:
        return numbers | {"traits": [*traits, "Melee"]}
    return numbers | {
        "S": dice.randint(2, 8),
        "range": {"short": 8, "long": 24},
        "accuracy": {"short": dice.randint(-1, 2), "long": dice.randint(-1, 1)},
        "ammo": dice.choice(["4+", "5+", "6+", "2+"]),
    }
