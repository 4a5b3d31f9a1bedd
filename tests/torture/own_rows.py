"""Traits and skills of a table's own, hammered: a row of the books with its values changed, cut, doubled or enormous is
taken or refused, and what is taken neither fails at the table nor takes for ever.
"""

from __future__ import annotations

import copy
import json
import random
import tomllib
from collections.abc import Iterator
from importlib import resources
from typing import Any

import pytest
from command_lines import fits
from exchange_files import NUMBERS

from .inputs import in_time, season_in
from .runner import Run

TOGETHER = 100
BOOK = "necromunda_2023"
ANSWER_SECONDS = 5
"""Of the processor. Odds that would take longer are refused before that."""
INSTEAD: tuple[Any, ...] = (
    None, True, "", "-", "x" * 5_000, 10**30, -1, 0, 20, -20, 21, 1.5, 1e308, [], {}, [[]], [{}], ["attack"] * 500, "attack",
    "\0", "\u202e", "\r\n", "१२", "wounded", "damage", "target", {"needs": 7}, {"needs": "toughness"}, {"kind": "pins"},
)  # fmt: skip


def rows() -> tuple[tuple[str, dict[str, Any]], ...]:
    """Every trait and skill of the book that has an effect."""
    folder = resources.files("tracker.rules.books").joinpath(BOOK)
    found = []
    for kind, file in (("trait", "traits.toml"), ("skill", "skills.toml")):
        listed = tomllib.loads(folder.joinpath(file).read_text(encoding="utf-8"))[kind]
        found += [(kind, row) for row in listed if row.get("effect")]
    return tuple(found)


def own_rows(run: Run) -> None:
    """A row or two a round: shown, decided by in an exchange, its chances, and adopted by a campaign now and then."""
    known = rows()
    with pytest.MonkeyPatch.context() as patch:
        season = season_in(run.folder, patch)
        for dice in run.each_round():
            kind, own, named = _changed(dice, known)
            rule = season.write(_as_file(run.at, kind, own), name=f"rule-{run.at}.toml")
            exchange = season.write(json.dumps(_exchange(kind, own, named, dice)), name="exchange.yaml")
            asked = [["policy", "show", rule], ["judge", exchange, "--roll"], ["odds", exchange]]
            if dice.random() < 0.05:
                asked += [["policy", "adopt", rule, "--reason", "a try", "--dry-run"]]
            for words in asked:
                with in_time(ANSWER_SECONDS, [*words, json.dumps(own)[:2_000]]):
                    ran = season("-c", "ash-wastes", *words)
                fits(ran.code, ran.out, ran.err, [*words, json.dumps(own)[:2_000]])
                run.count(f"{words[0]}: exit {ran.code}")
        season.done("-c", "ash-wastes", "audit", "verify")


def _changed(
    dice: random.Random, known: tuple[tuple[str, dict[str, Any]], ...]
) -> tuple[str, dict[str, Any], str]:
    """A row of the book under a name of its own, with up to three of its values otherwise."""
    kind, row = dice.choice(known)
    own = {key: value for key, value in copy.deepcopy(row).items() if key not in ("id", "source")}
    own["name"] = named = f"Own {row['name']}"
    others = [value for _, each in known for value in _values(each)]
    for _ in range(dice.choice([0, 1, 1, 1, 2, 3])):
        holder, key = dice.choice([*_places(own)])
        like = [value for value in others if type(value) is type(holder[key])] or [None]
        if isinstance(holder[key], int):
            like = [-21, -20, -1, 0, 1, 2, 3, 6, 7, 12, 20, 21]
        match dice.randrange(8):
            case 0:
                holder[key] = copy.deepcopy(dice.choice(INSTEAD))
            case 1 | 2 | 3 | 4 | 5:
                holder[key] = copy.deepcopy(dice.choice(like))
            case 6:
                del holder[key]
            case _:
                again = [copy.deepcopy(holder[key])] * dice.choice([2, 3, 300])
                holder[key] = [*holder[key], *again] if isinstance(holder[key], list) else again
        if not own:
            own["name"] = named
    return kind, own, named


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, member in [*members]:
        yield value, key
        yield from _places(member)


def _values(value: Any) -> Iterator[Any]:
    return (holder[key] for holder, key in _places(value))


def _as_file(at: int, kind: str, own: dict[str, Any]) -> str:
    lines = [
        'format = "house-rule/1"', f'id = "own-{at}"', "version = 1", 'title = "Own"', 'about = "A try."', 'source = "us"',
        f"[[{kind}]]", *(f"{_text(key)} = {_toml(value)}" for key, value in own.items()),
    ]  # fmt: skip
    return "\n".join([*lines, ""])


def _toml(value: Any) -> str:
    """A value as TOML has it; what it has not is left to its reader."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_text(key)} = {_toml(member)}" for key, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return _text(value) if isinstance(value, str) else json.dumps(value)


def _text(value: Any) -> str:
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "")


def _exchange(kind: str, own: dict[str, Any], named: str, dice: random.Random) -> dict[str, Any]:
    """Krug attacks Mags; both have what the row is about."""
    characteristics = dict(part.strip().split(": ") for part in NUMBERS.strip("{}").split(","))
    characteristics |= {key: int(value) for key, value in characteristics.items() if value.isdecimal()}
    gun = {"name": "gun", "S": 4, "AP": -1, "D": 1, "range": {"short": 8, "long": 24}, "ammo": "4+"}
    blade = {"name": "blade", "S": "S", "AP": 0, "D": 1, "traits": ["Melee"]}
    if kind == "trait":
        gun["traits"] = [named]
        blade["traits"] = ["Melee", named]
    fighter = {
        "characteristics": characteristics,
        "weapons": [gun, blade],
        "skills": [named] if kind == "skill" else [],
    }
    asked = dice.choice(
        [
            {"hit": {"attacker": "krug", "weapon": "gun", "target": "mags"}},
            {"shoot": {"attacker": "krug", "weapon": "gun", "target": "mags", "range": "short"}},
            {"fight": {"attacker": "krug", "targets": [{"fighter": "mags"}]}},
        ]
    )
    return {
        "format": "exchange/1",
        "rulebook": BOOK,
        "house_rule": {kind: [own]},
        "gangs": {
            "a": {"fighters": [{"name": "Krug", **fighter}]},
            "b": {"fighters": [{"name": "Mags", **fighter}]},
        },
        "exchange": asked,
    }
