"""Weapons: the profiles on a card, a line each, as books print them: range, accuracy, S, AP, D, ammo, traits.

Knows a fighter's row and the meaning of '-', E and T on a card. Knows no rule about any trait.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tracker.campaign.profiles import range_shown, wielders_strength
from tracker.reports import dispute_marks
from tracker.reports.escaping import sanitize, strong
from tracker.reports.page import Cell, DataTable, Row

_NOTHING = "-"
_COLUMNS = ("Rng (S/L)", "Acc (S/L)", "S", "AP", "D", "Am", "Traits")
_MARKED = {"melee": "E", "template": "T"}
"""The printed value instead of a range, by the trait that causes it."""


def weapons_table(
    fighters: Sequence[Row], *, named: bool = True, carrier: str = "Fighter"
) -> DataTable | None:
    """A row for each profile that these fighters carry; None where nobody carries any.

    A column with nothing in it is left out. Without `named` the fighter's name is, too.
    """
    rows = [
        (row["name"], dispute_marks.in_dispute(weapon, row, "weapons"), numbers)
        for row in fighters
        for weapon, numbers in _profiles(row)
    ]
    if not rows:
        return None
    used = [
        place
        for place in range(len(_COLUMNS))
        if any(numbers[place] not in ("", _NOTHING) for _, _, numbers in rows)
    ]
    heads = (carrier, "Weapon") if named else ("Weapon",)
    cells: list[list[Cell]] = [
        [*((name,) if named else ()), weapon, *(numbers[place] for place in used)]
        for name, weapon, numbers in rows
    ]
    return DataTable(
        (*heads, *(_COLUMNS[place] for place in used)),
        cells,
        keys=len(heads),
        chat=[_in_chat(name if named else "", weapon, numbers) for name, weapon, numbers in rows],
    )


def _profiles(fighter: Row) -> Iterable[tuple[str, Sequence[str]]]:
    """Each profile of each weapon: its name, and its values in the order of `_COLUMNS`."""
    has_strength = "strength" in fighter["characteristics"]
    for weapon in fighter["weapons"]:
        # A board of an older release has only names.
        name = sanitize(weapon if isinstance(weapon, str) else weapon["weapon"])
        profiles = () if isinstance(weapon, str) else weapon["profiles"]
        for profile in profiles:
            way = sanitize(profile["name"])
            yield (f"{name} ({way})" if way else name), _numbers(profile, has_strength=has_strength)
        if not profiles:
            yield name, ("",) * len(_COLUMNS)


def _numbers(profile: Mapping[str, object], *, has_strength: bool) -> Sequence[str]:
    traits = [sanitize(trait) for trait in _listed(profile.get("traits"))]
    marks = [mark for trait, mark in _MARKED.items() if trait in {named.casefold() for named in traits}]
    of_strength = profile.get("range_of_strength") is True
    short, long = (
        range_shown(_number(profile.get(f"range_{band}_inches")), of_strength=of_strength)
        for band in ("short", "long")
    )
    if marks and long == _NOTHING:
        long = marks[0]
    elif marks and short == _NOTHING:
        short = marks[0]
    strength = profile.get("strength")
    wielder = wielders_strength(_whole(profile.get("strength_added"))) if has_strength else _NOTHING
    penetration = profile.get("armour_penetration", 0)
    ammo = profile.get("ammo")
    return (
        _pair(short, long),
        _pair(*(_signed(profile.get(f"accuracy_{band}", 0)) for band in ("short", "long"))),
        wielder if strength is None else str(strength or _NOTHING),
        _signed(penetration),
        _NOTHING if profile.get("damage", 1) is None else str(profile.get("damage", 1)),
        _NOTHING if ammo is None else f"{ammo}+",
        ", ".join(traits),
    )


def _listed(traits: object) -> Sequence[object]:
    return traits if isinstance(traits, list | tuple) else ()


def _whole(given: object) -> int:
    return given if isinstance(given, int) else 0


def _number(given: object) -> int | None:
    return given if isinstance(given, int) else None


def _signed(given: object) -> str:
    return f"{given:+d}" if isinstance(given, int) and given else _NOTHING


def _pair(short: str, long: str) -> str:
    return _NOTHING if short == long == _NOTHING else f"{short}/{long}"


def _in_chat(name: str, weapon: str, numbers: Sequence[str]) -> str:
    """'**Mags**, stub gun: Rng 6"/12", Acc +2/-, S 3, D 1, Am 4+; Plentiful'."""
    *measures, traits = numbers
    shown = [
        f"{head.split(' ')[0]} {number}"
        for head, number in zip(_COLUMNS, measures, strict=False)
        if number not in ("", _NOTHING)
    ]
    words = "; ".join(part for part in (", ".join(shown), traits) if part)
    who = f"{strong(name)}, {weapon}" if name else weapon
    return f"{who}: {words}" if words else who
