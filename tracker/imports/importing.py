"""Importing: a file of another tool as a gang sheet, its questions, and a finding for every fact.

Knows which formats there are, by their content. Writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import PurePath
from typing import Any, TypeAlias

from tracker.documents.armoury import ListedThings, listed_name
from tracker.documents.nodes import shown
from tracker.errors import BadInput
from tracker.imports import necromunda_rosters, rosters, sheet_draft, spreadsheet, trench_companion, yaktribe
from tracker.imports.answers import Answers, ImportQuestion
from tracker.imports.findings import Fact, Finding, Findings
from tracker.imports.sheet_draft import SheetDraft, tidy_name
from tracker.imports.source_files import read_source
from tracker.records import Record
from tracker.rules import loader

Reader: TypeAlias = Callable[[Fact, SheetDraft], None]

NECROMUNDA, TRENCH_CRUSADE = "necromunda_2023", "trench_crusade"


class ImportResult(Record):
    """The result of an import: the tool, the sheet as plain data, questions, and the fate of every fact."""

    tool: str
    book: str
    sheet: dict[str, Any]
    armoury: dict[str, Any] | None
    """The weapons whose profiles the file has, as an armoury, or None."""
    questions: tuple[ImportQuestion, ...]
    findings: tuple[Finding, ...]


class FormatNotKnown(BadInput):
    """{file} is no file of YakTribe, New Recruit, BattleScribe or Trench Companion, and no table of fighters.
    Nothing was written.
    """

    file: str


def imported(name: str, answers: Answers, *, book: str | None = None) -> ImportResult:
    """A file as a gang sheet under a book; None: the book of its game.

    Raises SourceUnreadable, GameNotHere or FormatNotKnown.
    """
    return imported_data(read_source(name), shown(name, characters_max=200), answers, book=book)


def imported_data(data: Any, file: str, answers: Answers, *, book: str | None = None) -> ImportResult:
    """The same for the data of a file."""
    if trench_companion.is_trench_companion(data):
        data = trench_companion.opened(data)
    findings = Findings()
    root = Fact(data, (), findings)
    tool, usual, read = _reader(root, data, file)
    rules = loader.book(book or usual)
    if tool == spreadsheet.TOOL:
        shorts = tuple(limits.short for limits in rules.characteristics.values())
        spreadsheet.refuse_columns(data, file, answers, shorts)
    draft = SheetDraft(rules, answers, findings)
    draft.sheet["brought_from"] = tidy_name(f"{tool}, {PurePath(file).name}")
    read(root, draft)
    fighters = draft.sheet["fighters"]
    draft.sheet["fighters"] = draft.within(fighters, sheet_draft.FIGHTERS_MAX, "a sheet", "fighters")
    if answers.listed is not None:
        unlisted = [
            name
            for place, fighter in enumerate(draft.sheet["fighters"], start=1)
            for name in _arm(fighter, answers.listed, draft, f"fighters[{place}]")
        ]
        why = "the armoury lists nothing of this name: it stays a thing without numbers"
        for name in dict.fromkeys(unlisted):
            findings.say("guessed", name, into="fighters", why=why)
    _order(draft.sheet)
    return ImportResult(
        tool=tool,
        book=book or usual,
        sheet=draft.sheet,
        armoury=_armoury(draft),
        questions=tuple(draft.questions),
        findings=findings.close(data),
    )


def _reader(root: Fact, data: Any, file: str) -> tuple[str, str, Reader]:
    if yaktribe.is_yaktribe_gang(data):
        return yaktribe.TOOL, NECROMUNDA, yaktribe.read
    if trench_companion.is_trench_companion(data):
        return trench_companion.TOOL, TRENCH_CRUSADE, trench_companion.read
    if rosters.is_roster(data):
        game = rosters.game_of(root)
        if necromunda_rosters.GAME in game.casefold():
            return rosters.TOOL, NECROMUNDA, necromunda_rosters.read
        if rosters.GAME not in game.casefold():
            raise rosters.GameNotHere(file=file, game=shown(game or "another game"))
        return rosters.TOOL, TRENCH_CRUSADE, rosters.read
    if spreadsheet.is_table(data):
        shorts = [limits.short for limits in loader.book(TRENCH_CRUSADE).characteristics.values()]
        game = TRENCH_CRUSADE if spreadsheet.has_columns(data, shorts) else NECROMUNDA
        return spreadsheet.TOOL, game, spreadsheet.read
    raise FormatNotKnown(file=file)


def _armoury(draft: SheetDraft) -> dict[str, Any] | None:
    if not draft.armoury:
        return None
    name = tidy_name(f"weapons of {draft.sheet['name']}")
    return {"format": "armoury/1", "name": name or "imported weapons", "items": [*draft.armoury.values()]}


def _arm(fighter: dict[str, Any], listed: ListedThings, draft: SheetDraft, into: str) -> list[str]:
    """Make items weapons if the armoury lists them so: their numbers come from there when the gang is added.
    Of the items that it lists as armour or field armour, the best save is worn. Returns the unlisted ones.
    """
    left: list[str] = []
    worn: dict[str, list[dict[str, Any]]] = {}
    for thing in fighter.pop("wargear", []):
        name = listed_name(thing)
        if name in listed.weapons:
            own = thing.rstrip("*").strip()
            found_as = listed.weapons[name]
            fighter.setdefault("weapons", []).append(
                own if own.casefold() == found_as.casefold() else found_as
            )
        elif name in listed.armour and listed.armour[name][0] not in fighter:
            kind, save = listed.armour[name]
            worn.setdefault(kind, []).append({"name": thing, "save": save})
        else:
            left.append(thing)
    for kind, found in worn.items():
        fighter[kind], *others = sorted(found, key=lambda each: str(each["save"]))
        left += [other["name"] for other in others]
        if others:
            why = "the best save of several, of which one is worn: write another if the rules say so"
            draft.findings.say("guessed", fighter[kind]["name"], into=f"{into}.{kind}", why=why)
    if left:
        fighter["wargear"] = left
    return [thing for thing in left if listed_name(thing) not in listed.names]


_FIRST = (
    "format", "gang", "name", "house", "player", "credits", "reputation", "brought_from",
    "injuries_counted", "stash", "so_far",
)  # fmt: skip


def _order(sheet: dict[str, Any]) -> None:
    """Put keys in the order in which a person writes them, the fighters last."""
    fighters = sheet.pop("fighters")
    for key in _FIRST:
        if key in sheet:
            sheet[key] = sheet.pop(key)
    sheet["fighters"] = fighters
