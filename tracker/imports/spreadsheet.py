"""A table as CSV: one row for each fighter, columns named as the keys of a gang sheet or by a column map."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from tracker.documents.nodes import shown
from tracker.documents.text import slug_of
from tracker.errors import BadInput
from tracker.imports import sheet_draft
from tracker.imports.answers import Answers
from tracker.imports.findings import Fact
from tracker.imports.sheet_draft import SheetDraft, tidy_name

TOOL: Final = "a spreadsheet"
ROWS, OTHER_SHEETS = "rows", "other sheets"
"""The keys of a workbook with several sheets: the rows of the first, and the content of the others."""
GANG_COLUMNS: Final = ("credits", "reputation")
LIST_COLUMNS: Final = ("skills", "wargear", "weapons")
FLAGS_MAX: Final = 20
STATE_COLUMNS: Final = ("convalescing", "in_recovery", "critical")
YES: Final = ("yes", "y", "true", "x", "1")
SO_FAR_COLUMNS: Final = ("kills", "battles", "advances", "xp_spent", "out_of_action", "scars")
FIGHTER_COLUMNS: Final = ("name", "type", "category", "cost", "xp")
OTHER_SO_FAR_COLUMNS: Final = ("promoted_from", "flags", "injuries", "gone", "when", "captive_of")
SYNONYMS: Final = {
    "gang": ("gang_name", "warband"),
    "player": ("owner",),
    "name": ("fighter", "fighter_name", "model"),
    "type": ("fighter_type", "model_type"),
    "category": ("rank", "role"),
    "cost": ("price",),
    "wargear": ("gear", "equipment"),
    "injuries": ("injury", "lasting_injuries", "lasting_injury"),
}
"""Other names of a column, by key."""
COLUMNS_SHOWN: Final = 30


class NobodyInTable(BadInput):
    """{file} names no fighter: no column of it is called name or fighter, or all of that column is empty. Its
    columns are {columns}. Say which column has the names (--column 'COLUMN=name'), and which has each other
    key: {keys}. If it is no table, type the {game.gang} in: arbitrator gang new SHEET. Nothing was written.
    """

    file: str
    columns: tuple[str, ...]
    keys: tuple[str, ...]


class ColumnNotThere(BadInput):
    """--column: {file} has no column {column!r}.{column:nearest} Its columns are {known}. Nothing was
    written.
    """

    column: str
    file: str
    known: tuple[str, ...]


class KeyOfNoTable(BadInput):
    """--column {column}={key}: a table has no key {key!r}.{key:nearest} The keys are {known}. Nothing was
    written.
    """

    column: str
    key: str
    known: tuple[str, ...]


def is_table(data: Any) -> bool:
    """Whether this is such a file."""
    if isinstance(data, dict) and OTHER_SHEETS in data:
        data = data.get(ROWS)
    return isinstance(data, list) and bool(data) and all(isinstance(row, dict) for row in data)


def has_columns(data: Any, shorts: Iterable[str]) -> bool:
    """Whether the table's columns are the characteristics of a book, by short name."""
    rows = data[ROWS] if isinstance(data, dict) else data
    columns = {column.casefold() for column in rows[0]}
    return {short.casefold() for short in shorts} <= columns


def refuse_columns(data: Any, file: str, answers: Answers, shorts: Iterable[str]) -> None:
    """Raises ColumnNotThere and KeyOfNoTable for faults in the column map, NobodyInTable if no column names
    the fighters.
    """
    rows = data[ROWS] if isinstance(data, dict) else data
    columns = tuple(dict.fromkeys(column for row in rows for column in row))
    shown_columns = tuple(shown(column) for column in columns[:COLUMNS_SHOWN])
    keys = (
        "gang", "house", "player", *GANG_COLUMNS, *FIGHTER_COLUMNS, *shorts, *LIST_COLUMNS,
        *SO_FAR_COLUMNS, *STATE_COLUMNS, *OTHER_SO_FAR_COLUMNS,
    )  # fmt: skip
    for column, key in answers.columns.items():
        if column not in columns:
            raise ColumnNotThere(column=shown(column), file=file, known=shown_columns)
        if key.casefold() not in (known.casefold() for known in keys):
            raise KeyOfNoTable(column=shown(column), key=shown(key), known=keys)
    if not any(row.get(column) for row in rows for column in _columns_for("name", answers, row)):
        raise NobodyInTable(file=file, columns=shown_columns, keys=keys)


def read(root: Fact, draft: SheetDraft) -> None:
    """Fill the draft from the file."""
    sheet = draft.sheet
    rows = (root.child(ROWS) if isinstance(root.value, dict) else root).children()
    gangs = [_column(row, "gang", draft) for row in rows]
    named = next((gang for gang in gangs if gang.is_there), None)
    sheet["name"] = draft.name(named, "name") if named is not None else ""
    sheet["name"] = sheet["name"] or "Imported gang"
    sheet["gang"] = slug_of(sheet["name"]) or "gang"
    draft.house(_first(rows, "house", draft))
    draft.player(_first(rows, "player", draft))
    for key in GANG_COLUMNS:
        fact = _first(rows, key, draft)
        if fact is not None:
            sheet[key] = draft.count(fact, key)
    for row, gang in zip(rows, gangs, strict=True):
        if gang.is_there and tidy_name(gang.text) != sheet["name"]:
            for column in row.value:
                row.child(column).lost(f"of {gang.text}: a sheet holds one gang, make a file of each")
            continue
        gang.taken("name")
        for key in ("house", "player", *GANG_COLUMNS):
            _column(row, key, draft).left_out(f"{key} once more: the first row's counts")
        if _column(row, "name", draft).is_there:
            sheet["fighters"].append(_fighter(row, draft))


def _first(rows: list[Fact], key: str, draft: SheetDraft) -> Fact | None:
    return next((fact for row in rows if (fact := _column(row, key, draft)).is_there), None)


def _column(row: Fact, key: str, draft: SheetDraft) -> Fact:
    """The cell for a key."""
    columns = row.value if isinstance(row.value, dict) else {}
    return row.first(*_columns_for(key, draft.answers, columns), key)


def _columns_for(key: str, answers: Answers, columns: Iterable[str]) -> list[str]:
    """The columns mapped to a key; else those with its name in any case; else those with another name of it,
    unless they are mapped to another key.
    """
    mapped = [column for column, wanted in answers.columns.items() if wanted.casefold() == key.casefold()]
    free = [column for column in columns if column not in answers.columns]
    own = [column for column in free if _normalized(column) == _normalized(key)]
    also = [column for column in free if _normalized(column) in SYNONYMS.get(key, ())]
    return [*mapped, *(own or ([] if mapped else also))]


def _normalized(column: object) -> str:
    return str(column).casefold().replace(" ", "_").replace("-", "_")


def _fighter(row: Fact, draft: SheetDraft) -> dict[str, Any]:
    at = len(draft.sheet["fighters"]) + 1
    into = f"fighters[{at}]"
    name = draft.name(_column(row, "name", draft), f"{into}.name", f"Fighter {at}")
    kind, category = _column(row, "type", draft), _column(row, "category", draft)
    card: dict[str, Any] = {"name": name}
    card["type"] = draft.name(kind, f"{into}.type", "unknown") if kind.is_there else "unknown"
    said = _normalized(category.text)
    if said in draft.categories:
        card["category"] = said
        category.taken(f"{into}.category", said)
    else:
        category.lost("no category of this book")
        card["category"] = draft.category(kind, f"{into}.category")
    for key in ("cost", "xp"):
        fact = _column(row, key, draft)
        card[key] = draft.count(fact, f"{into}.{key}") if fact.is_there else 0
    card["characteristics"] = {}
    for limits in draft.book.characteristics.values():
        fact = _column(row, limits.short, draft)
        if fact.is_there:
            place = f"{into}.characteristics.{limits.short}"
            card["characteristics"][limits.short] = _number(fact, place, draft)
    for key in LIST_COLUMNS:
        fact = _column(row, key, draft)
        kept = "skills" if key == "skills" else "wargear"
        parts = _parts(fact)
        whole = [tidy_name(part) for part in parts]
        armed = all(name.casefold() in draft.answers.weapons for name in whole)
        if not all(whole):
            fact.guessed(f"{into}.{kept}", "without what is no name of 1 to 80 characters")
        elif key == "weapons" and not armed:
            fact.guessed(
                f"{into}.{kept}", "things without numbers: no weapons of an armoury (--armoury FILE)"
            )
        elif _parted_at_commas(fact):
            fact.guessed(f"{into}.{kept}", "a list, parted at its commas")
        else:
            fact.taken(f"{into}.{kept}")
        card[kept] = [*card.get(kept, []), *filter(None, whole)]
    for kept, limit in (("skills", sheet_draft.SKILLS_MAX), ("wargear", sheet_draft.CARRIED_MAX)):
        card[kept] = draft.within(card[kept], limit, name, f"{into}.{kept}")
    if so_far := _so_far(row, name, into, draft):
        card["so_far"] = so_far
    return {key: value for key, value in card.items() if value != []}


def _parted_at_commas(fact: Fact) -> bool:
    return ";" not in fact.text and "," in fact.text


def _parts(fact: Fact) -> list[str]:
    """The members of a list in one cell, separated by semicolons; without any, by commas."""
    parts = fact.text.split("," if _parted_at_commas(fact) else ";")
    return [part.strip() for part in parts if part.strip()]


def _number(fact: Fact, into: str, draft: SheetDraft) -> Any:
    """A number as the table writes it; a dash if there is none."""
    if fact.number is None and any(character.isdecimal() for character in fact.text[:10]):
        fact.taken(into)
        return fact.text[:10]
    return draft.dashed(fact, into) if fact.number != 0 else _zero(fact, into)


def _zero(fact: Fact, into: str) -> int:
    fact.taken(into)
    return 0


def _so_far(row: Fact, name: str, into: str, draft: SheetDraft) -> dict[str, Any]:
    so_far: dict[str, Any] = {}
    for key in SO_FAR_COLUMNS:
        fact = _column(row, key, draft)
        if fact.is_there and (number := draft.count(fact, f"{into}.so_far.{key}")):
            so_far[key] = number
    _state(row, name, into, draft, so_far)
    promoted, flags = _column(row, "promoted_from", draft), _column(row, "flags", draft)
    if promoted.is_there and (named := draft.name(promoted, f"{into}.so_far.promoted_from")):
        so_far["promoted_from"] = named
    named_flags = [
        draft.name(Fact(part.strip(), (*flags.path, place), draft.findings), f"{into}.so_far.flags")
        for place, part in enumerate(flags.text.split(";"))
        if part.strip()
    ]
    if kept_flags := [*filter(None, named_flags)]:
        so_far["flags"] = draft.within(kept_flags, FLAGS_MAX, name, f"{into}.so_far.flags")
    flags.left_out("a list, taken one by one")
    injuries = _column(row, "injuries", draft)
    found = []
    for place, part in enumerate(_parts(injuries)):
        fact = Fact(part, (*injuries.path, place), draft.findings)
        found.append(draft.injury(fact, f"{into}.so_far.injuries"))
    if kept := [injury for injury in found if injury is not None]:
        so_far["injuries"] = draft.within(kept, sheet_draft.INJURIES_MAX, name, f"{into}.so_far.injuries")
    injuries.left_out("a list of injuries, taken one by one")
    return so_far


def _state(row: Fact, name: str, into: str, draft: SheetDraft, so_far: dict[str, Any]) -> None:
    """Read how the fighter is now, or how they left, into the keys of a sheet."""
    for key in STATE_COLUMNS:
        fact = _column(row, key, draft)
        if fact.text.casefold() in YES:
            so_far[key] = True
            fact.taken(f"{into}.so_far.{key}", "yes")
        elif fact.text.casefold() in ("no", "n", "false", "0"):
            fact.left_out("no, as of everybody of whom a sheet says nothing")
        else:
            fact.lost("neither yes nor no")
    gone, when, holder = (_column(row, key, draft) for key in ("gone", "when", "captive_of"))
    if gone.text.casefold() in ("dead", "retired"):
        so_far["gone"] = gone.text.casefold()
        gone.taken(f"{into}.so_far.gone")
        if when.is_there and (said := draft.name(when, f"{into}.so_far.when")):
            so_far["when"] = said
    gone.lost("neither dead nor retired")
    when.lost("when, of somebody who is not gone")
    if not holder.is_there:
        return
    if (known := draft.answers.captives.get(name)) is not None:
        so_far["captive_of"] = known
        holder.taken(f"{into}.so_far.captive_of", f"a captive of {known}, as was said")
    else:
        why = "a captive: say --captive where that gang is here already, else name the captive on its sheet"
        holder.asked(f"{into}.so_far.captive_of", why)
        draft.ask(f"captive {name}", f"Which gang, enlisted here already, holds {name}?", ())
