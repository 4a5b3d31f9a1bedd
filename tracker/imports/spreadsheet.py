"""A table as CSV: one row a fighter, columns named as the keys of a gang sheet; others by a column map."""

from __future__ import annotations

from typing import Any, Final

from tracker.imports.drafts import Draft, tidy_name
from tracker.imports.findings import Fact

TOOL: Final = "a spreadsheet"
NUMBERS: Final = ("cost", "xp")
LISTS: Final = ("skills", "wargear", "weapons")
PAST: Final = {"kills": "kills", "battles": "battles", "advances": "advances", "xp_spent": "xp_spent",
               "out_of_action": "out_of_action", "scars": "scars"}  # fmt: skip


def is_one(data: Any) -> bool:
    """Whether this is such a file."""
    return isinstance(data, list) and bool(data) and all(isinstance(row, dict) for row in data)


def read(root: Fact, draft: Draft) -> None:
    """Fill the draft from the file."""
    sheet = draft.sheet
    rows = root.children()
    gang = tidy_name(next((row.child("gang").text for row in rows if row.child("gang").is_there), ""))
    sheet["name"] = gang or "Imported gang"
    sheet["gang"] = draft.id_for(sheet["name"], "gang")
    sheet["house"], sheet["player"] = draft.answers.house or "unknown", draft.answers.player or "unknown"
    for key, text in (("house", "Which house or list is it?"), ("player", "Who plays the gang?")):
        if getattr(draft.answers, key) is None:
            draft.ask(key, text, ())
            draft.findings.say("asked", key, into=key, why="a table of fighters does not name it")
    for row in rows:
        if _column(row, "name", draft).is_there:
            sheet["fighters"].append(_fighter(row, draft))


def _column(row: Fact, key: str, draft: Draft) -> Fact:
    """The cell for a key: under the column that was mapped to it, else under its own name in any case."""
    mapped = [column for column, wanted in draft.answers.columns.items() if wanted == key]
    names = row.value if isinstance(row.value, dict) else {}
    own = [column for column in names if column.casefold() == key.casefold()]
    return row.first(*mapped, *own, key)


def _fighter(row: Fact, draft: Draft) -> dict[str, Any]:
    at = len(draft.sheet["fighters"]) + 1
    into = f"fighters[{at}]"
    name = draft.name(_column(row, "name", draft).taken(f"{into}.name"), f"Fighter {at}")
    row.child("gang").taken("name")
    kind, category = _column(row, "type", draft), _column(row, "category", draft)
    card: dict[str, Any] = {"id": draft.id_for(name, f"fighter-{at}"), "name": name}
    card["type"] = tidy_name(kind.text) or "unknown"
    said = category.text.casefold().replace(" ", "_").replace("-", "_")
    if said in draft.categories:
        card["category"] = said
        category.taken(f"{into}.category")
        kind.taken(f"{into}.type")
    else:
        category.lost("no category of this book")
        card["category"] = draft.category(kind, f"{into}.type")
    for key in NUMBERS:
        fact = _column(row, key, draft)
        card[key] = max(fact.number or 0, 0)
        fact.taken(f"{into}.{key}") if fact.number is not None else fact.lost("it is no whole number")
    numbers: dict[str, Any] = {}
    for limits in draft.book.characteristics.values():
        fact = _column(row, limits.short, draft)
        if fact.is_there:
            fact.taken(f"{into}.characteristics.{limits.short}")
            numbers[limits.short] = fact.text if fact.number is None else fact.number
    card["characteristics"] = numbers
    listed: dict[str, list[str]] = {"skills": [], "wargear": []}
    for key in LISTS:
        fact = _column(row, key, draft)
        kept = "skills" if key == "skills" else "wargear"
        listed[kept] += [name for part in fact.text.split(";") if (name := tidy_name(part))]
        fact.taken(f"{into}.{kept}", "names only: give weapons their numbers" if key == "weapons" else "")
    card |= {key: value for key, value in listed.items() if value}
    so_far: dict[str, Any] = {}
    for key, written in PAST.items():
        fact = _column(row, key, draft)
        if fact.number:
            so_far[written] = max(fact.number, 0)
            fact.taken(f"{into}.so_far.{written}")
    injuries = _column(row, "injuries", draft)
    for place, part in enumerate(injuries.text.split(";")):
        if part.strip():
            fact = Fact(part.strip(), (*injuries.path, place), draft.findings)
            if (injury := draft.injury(fact, f"{into}.so_far.injuries")) is not None:
                so_far.setdefault("injuries", []).append(injury)
    if injuries.is_there:
        draft.findings.note(
            "left_out", injuries.path, injuries.value, why="a list of injuries, taken one by one"
        )
    if so_far:
        card["so_far"] = so_far
    return card
