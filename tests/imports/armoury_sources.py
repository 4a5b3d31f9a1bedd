"""Data files of this project's own making, shaped as New Recruit and BattleScribe write theirs."""

import json
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).parents[2] / "fixtures" / "armoury-data"
SYSTEM, CLANS = FIXTURES / "sump-system.gst", FIXTURES / "forge-clans.cat"

CARD = {
    "M": '5"', "WS": "4+", "BS": "4+", "S": "3", "T": "3", "W": "1", "I": "4+", "A": "1", "Ld": "7+", "Cl": "7+", "Wil": "8+",
    "Int": "8+",
}  # fmt: skip
GUN = {
    "Rng S": '8"', "Rng L": '16"', "Acc S": "+1", "Acc L": "-", "Str": "3", "AP": "-", "D": "1", "Am": "4+", "Traits": "Scarce",
}  # fmt: skip


def profile(name: str, kind: str, values: dict[str, str], **more: Any) -> dict[str, Any]:
    """A profile with its characteristics, whose type ids are their names."""
    listed = [{"name": key, "typeId": f"t-{key}", "$text": value} for key, value in values.items()]
    return {"id": f"p-{name}", "name": name, "typeId": f"t-{kind}", "typeName": kind, "hidden": False,
            "characteristics": listed} | more  # fmt: skip


def credits_of(amount: float | str, name: str = "Credits") -> list[dict[str, Any]]:
    """What something costs."""
    return [{"name": name, "typeId": f"ct-{name}", "value": amount}]


def entry(
    name: str, *profiles: dict[str, Any], cost: float | str | None = None, **more: Any
) -> dict[str, Any]:
    """A selection entry."""
    made = {
        "id": f"e-{name}",
        "name": name,
        "type": "upgrade",
        "hidden": False,
        "import": True,
        "profiles": [*profiles],
    }
    return made | ({"costs": credits_of(cost)} if cost is not None else {}) | more


def weapon(
    name: str, *, cost: float | str | None = 10, numbers: dict[str, str] | None = None, **more: Any
) -> dict[str, Any]:
    """A weapon with one profile."""
    return entry(name, profile(name, "Weapon", GUN | (numbers or {})), cost=cost, **more)


def fighter(
    name: str, *profiles: dict[str, Any], cost: float | str | None = 50, **more: Any
) -> dict[str, Any]:
    """A model with the twelve characteristics."""
    card = profile(name, "Model", CARD)
    return entry(name, card, *profiles, cost=cost, **({"type": "model"} | more))


def group(name: str, **more: Any) -> dict[str, Any]:
    """A group of choices."""
    return {"id": f"g-{name}", "name": name, "hidden": False} | more


def link(target: dict[str, Any] | str, name: str = "", **more: Any) -> dict[str, Any]:
    """A link to an entry or a group."""
    to, called = (
        (target, name or target) if isinstance(target, str) else (target["id"], name or target["name"])
    )
    return {
        "id": f"l-{called}",
        "name": called,
        "hidden": False,
        "targetId": to,
        "type": "selectionEntry",
    } | more


def catalogue(name: str = "Forge Clans", **parts: Any) -> dict[str, Any]:
    """A catalogue as New Recruit's JSON has it."""
    return {"catalogue": {"id": f"c-{name}", "name": name, "revision": 1, "battleScribeVersion": "2.03", "library": False,
                          "gameSystemId": "sys", "type": "catalogue"} | parts}  # fmt: skip


def system(name: str = "Necromunda, made up", **parts: Any) -> dict[str, Any]:
    """A game system as New Recruit's JSON has it."""
    costs = [{"id": "ct-Credits", "name": "Credits", "defaultCostLimit": -1}]
    return {
        "gameSystem": {"id": "sys", "name": name, "battleScribeVersion": "2.03", "costTypes": costs} | parts
    }


def files(folder: Path, *sources: Any) -> list[str]:
    """Sources as files in a folder: what is no bytes as JSON."""
    names = []
    for at, source in enumerate(sources):
        file = folder / f"data-{at}.json"
        file.write_bytes(source if isinstance(source, bytes) else json.dumps(source).encode())
        names.append(str(file))
    return names
