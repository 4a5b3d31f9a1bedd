"""Territories as a book prints them: what each brings in, with which dice, and to whom.

Knows what the file may say. Knows no gang and no territory of a campaign.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args

from tracker.records import Record

OnDouble: TypeAlias = Literal["nothing", "lasting_injury", "misses_battle"]
Counts: TypeAlias = Literal["nothing", "times", "each_die", "added"]


class Income(Record):
    """One income: so many dice, their sum times `times` credits.

    `dice_max`: the player chooses so many dice at most. `counts` says what a count from the table does: the
    whole roll is made that often (`times`), it raises each die (`each_die`), or it adds as many rolls to the
    first (`added`). `stated`: no die, the amount is the table's word. `house`, `alignment` and `needs`, which
    is another kind of territory held, are conditions; `on_double` is what equal dice bring, not credits.
    """

    name: str
    dice: int = 0
    die: Literal["D6", "D3"] = "D6"
    times: int = 10
    dice_max: int | None = None
    counts: Counts = "nothing"
    counted: str = ""
    stated: bool = False
    house: str | None = None
    alignment: str | None = None
    needs: str | None = None
    on_double: OnDouble = "nothing"


class Recruit(Record):
    """Who may be recruited for nothing: `count` of a rank at a time, of a `type` where the book names one.

    With `dice`, after each battle, if any of them shows `on`; if all do, one of the rank `all_category` may
    come instead. Without, as long as the territory is held. `house` and `alignment` are conditions.
    """

    category: str
    type: str | None = None
    count: int = 1
    dice: int = 0
    on: int = 6
    all_category: str | None = None
    house: str | None = None
    alignment: str | None = None


class Equipment(Record):
    """So many of a thing for nothing, as long as the territory is held."""

    item: str
    count: int


class TerritoryRules(Record, kw_only=True):
    """One kind of territory. Reputation is a boon of the printed house's or of everybody."""

    kind: str
    name: str
    incomes: tuple[Income, ...] = ()
    recruits: tuple[Recruit, ...] = ()
    equipment: Equipment | None = None
    reputation: int = 0
    reputation_of_house: Mapping[str, int]
    fixed: bool = False
    captives_work: bool = False


def territory_rules(content: Mapping[str, Any]) -> dict[str, TerritoryRules]:
    """Every kind of territory by id. Raises KeyError, TypeError or ValueError for a fault of the file."""
    found: dict[str, TerritoryRules] = {}
    for entry in content["territory"]:
        if entry["id"] in found:
            raise ValueError(f"the territory {entry['id']} stands twice")
        incomes = tuple(_income(one, entry["id"]) for one in entry.get("income", ()))
        found[entry["id"]] = TerritoryRules(
            kind=entry["id"],
            name=entry["name"],
            incomes=incomes,
            recruits=tuple(Recruit(**one) for one in entry.get("recruit", ())),
            equipment=Equipment(**entry["equipment"]) if "equipment" in entry else None,
            reputation=entry.get("reputation", 0),
            reputation_of_house=dict(entry.get("reputation_of_house", {})),
            fixed=entry.get("fixed", False),
            captives_work=entry.get("captives_work", False),
        )
    for kind in found.values():
        for income in kind.incomes:
            if income.needs is not None and income.needs not in found:
                raise ValueError(f"{kind.kind} needs an unknown territory {income.needs!r}")
    return found


def _income(entry: Mapping[str, Any], where: str) -> Income:
    facts = {"name": "Income", **entry}
    for key, known in (("on_double", OnDouble), ("counts", Counts)):
        if key in facts and facts[key] not in get_args(known):
            raise ValueError(f"{where} says {facts[key]!r} of {key}")
    if facts.get("die", "D6") not in ("D6", "D3"):
        raise ValueError(f"{where} rolls an unknown die {facts['die']!r}")
    return Income(**facts)
