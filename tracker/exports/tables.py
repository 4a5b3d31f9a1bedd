"""A gang as a table: a row for each fighter, columns named as the keys of a gang sheet, lists parted by `;`.

`gang import` reads the first of them back; the others are there for people. Weapons' profiles are a table of
their own where there is room for two, and a column of words where there is not.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, TypeAlias

Row: TypeAlias = dict[str, str | int]

OF_THE_GANG: Final = ("house", "player", "credits", "reputation")
CARD: Final = ("name", "type", "category", "cost", "xp")
PAST: Final = (
    "kills", "battles", "advances", "xp_spent", "out_of_action", "scars", "improved", "grudges", "bionics",
    "mutations", "promoted_from", "flags", "convalescing", "in_recovery", "critical", "captive_of", "gone",
    "when",
)  # fmt: skip
WEAPON: Final = ("fighter", "weapon", "cost", "counts_as", "profile", "S", "AP", "D", "short", "long")
WEAPON_BEHIND: Final = ("accuracy_short", "accuracy_long", "ammo", "traits")


def fighters_table(sheet: Mapping[str, Any]) -> tuple[tuple[str, ...], list[Row]]:
    """The columns, and a row for each fighter of a sheet."""
    fighters = sheet["fighters"]
    shorts = tuple(fighters[0]["characteristics"]) if fighters else ()
    columns = (
        "gang", *OF_THE_GANG, *CARD, *shorts, "skills", "wargear", "weapons", "injuries", *PAST[:6],
        "id", "armour", "field_armour", "weapon_profiles", *PAST[6:], "mounted", "gang_fighter",
    )  # fmt: skip
    return columns, [_row(sheet, fighter) for fighter in fighters]


def weapons_table(sheet: Mapping[str, Any]) -> tuple[tuple[str, ...], list[Row]]:
    """The columns, and a row for each profile of each weapon."""
    rows = [
        {"fighter": fighter["name"], **row}
        for fighter in sheet["fighters"]
        for weapon in fighter.get("weapons", ())
        for row in _profiles(weapon)
    ]
    return (*WEAPON, *WEAPON_BEHIND), rows


def _row(sheet: Mapping[str, Any], fighter: Mapping[str, Any]) -> Row:
    past = fighter.get("so_far", {})
    weapons = fighter.get("weapons", ())
    row: Row = {"gang": sheet["name"], **{key: sheet[key] for key in OF_THE_GANG}}
    row |= {key: fighter[key] for key in (*CARD, "id")}
    row |= fighter["characteristics"]
    row |= {key: _listed(fighter.get(key, ())) for key in ("skills", "wargear")}
    row["weapons"] = _listed(weapon["name"] for weapon in weapons)
    row["weapon_profiles"] = "; ".join(_profile_words(row) for weapon in weapons for row in _profiles(weapon))
    row["injuries"] = _listed(injury["injury"] for injury in past.get("injuries", ()))
    for key in ("armour", "field_armour"):
        if key in fighter:
            row[key] = f"{fighter[key]['name']} {fighter[key]['save']}"
    for key in ("mounted", "gang_fighter"):
        if key in fighter:
            row[key] = "yes" if fighter[key] else "no"
    return row | {key: _cell(past[key]) for key in PAST if key in past}


def _cell(value: Any) -> str | int:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return _listed(part["name"] if isinstance(part, dict) else str(part) for part in value)
    return value if isinstance(value, int) else str(value)


def _listed(parts: Iterable[str]) -> str:
    """A list in one cell, parted by semicolons. The only name in it ends with one where it has a comma: who
    reads it would part it there.
    """
    listed = "; ".join(parts)
    return f"{listed};" if "," in listed and ";" not in listed else listed


def _profiles(weapon: Mapping[str, Any]) -> Iterator[Row]:
    for profile in weapon.get("profiles", [weapon]):
        row: Row = {"weapon": weapon["name"], "cost": weapon.get("cost", 0)}
        row["counts_as"] = weapon.get("counts_as", 1)
        row["profile"] = profile.get("name", "") if "profiles" in weapon else ""
        row |= {key: profile[key] for key in ("S", "AP", "D", "ammo") if key in profile}
        row |= profile.get("range", {})
        row |= {f"accuracy_{end}": number for end, number in profile.get("accuracy", {}).items()}
        row["traits"] = ", ".join(profile.get("traits", ()))
        yield row


def _profile_words(row: Row) -> str:
    """'bore cannon, solid shot: S 6, AP -2, D 2, short 12, long 30, ammo 5, Knockback'."""
    named = f"{row['weapon']}, {row['profile']}" if row["profile"] else str(row["weapon"])
    keys = ("S", "AP", "D", "short", "long", "accuracy_short", "accuracy_long", "ammo")
    numbers = [f"{key.replace('_', ' ')} {row[key]}" for key in keys if key in row]
    return f"{named}: {', '.join([*numbers, *([str(row['traits'])] if row['traits'] else [])])}"
