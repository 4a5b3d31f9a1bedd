"""Imports other tools' gangs: writes a gang sheet, and reports on every fact of the source."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from tracker.campaign import records
from tracker.campaign.profiles import Weapon
from tracker.campaign.state import CampaignState
from tracker.cli.corrections import NUMBER, armoury_option
from tracker.cli.name_lookup import look_up
from tracker.cli.options import as_json, pass_session, show
from tracker.cli.output import on_terminal
from tracker.cli.session import Session
from tracker.documents import remote_files
from tracker.documents.armoury import read_armoury, things_listed
from tracker.documents.nodes import Document, shown
from tracker.documents.plain_yaml import as_yaml
from tracker.documents.text import clean_name
from tracker.documents.yaml_reader import parse_document, read_document
from tracker.errors import BadInput, Refusal
from tracker.exports import roster_comparison
from tracker.imports import importing
from tracker.imports.answers import Answers, ImportQuestion
from tracker.records import Record, replace
from tracker.reports.escaping import sanitize
from tracker.reports.imports import Comparison, import_page
from tracker.rules import loader
from tracker.service.whole_files import write_whole

COUNTED = {"counted": True, "apply": False}


class SheetThere(BadInput):
    """{sheet} exists already and differs. Name another file (--to FILE), or overwrite it (--replace)."""

    sheet: str


class SheetNotWritten(BadInput):
    """{sheet} cannot be written: {why}. Name another file with --to."""

    sheet: str
    why: str


class NotAPair(BadInput):
    """{option} {said}: write the file's word and its meaning, such as {example}."""

    option: str
    said: str
    example: str


@click.command("import")
@click.argument("file")
@click.option("--to", "sheet", metavar="SHEET", help="The sheet to write. [default: the gang's id and .yaml]")
@click.option("--replace", "replacing", is_flag=True, help="Overwrite a sheet that differs.")
@click.option("--ruleset", help="The rulebook. [default: that of the file's game]")
@click.option("--player", help="Who plays the gang.")
@click.option("--house", help="The gang's house or list, where the file does not say.")
@click.option(
    "--injuries",
    type=click.Choice([*COUNTED]),
    help="The cards' numbers have the lasting injuries already (counted), or are to be reduced (apply).",
)
@click.option(
    "--category", "categories", multiple=True, metavar="TYPE=RANK", help="A type's category; may be repeated."
)
@click.option(
    "--credits", "left", type=NUMBER, help="What is left in credits or ducats, where the file does not say."
)
@click.option(
    "--captive",
    "captives",
    multiple=True,
    metavar="FIGHTER=GANG",
    help="Who holds a fighter; may be repeated.",
)
@click.option(
    "--column", "columns", multiple=True, metavar="COLUMN=KEY", help="Of a table: what a column holds."
)
@click.option(
    "--against",
    metavar="GANG",
    help="Compare with this gang of the campaign. [default: the gang of that name, if it is there]",
)
@armoury_option
@click.option("--all", "everything", is_flag=True, help="Also list the values that were taken.")
@as_json
@pass_session
def command(
    session: Session,
    file: str,
    sheet: str | None,
    replacing: bool,
    ruleset: str | None,
    player: str | None,
    house: str | None,
    injuries: str | None,
    categories: tuple[str, ...],
    left: int | None,
    captives: tuple[str, ...],
    columns: tuple[str, ...],
    against: str | None,
    armoury: str | None,
    everything: bool,
    as_json: bool,
) -> None:
    """Make a gang sheet from another tool's FILE.

    Reads YakTribe's JSON, rosters of New Recruit and BattleScribe (JSON, .ros, .rosz), Trench Companion's
    export and share JSON, and tables of fighters (CSV, .xlsx). It records nothing: read the sheet, then
    'arbitrator gang add' it. It reports every value in the file, taken or not. Things that the armoury lists
    as weapons become weapons, and armour has its save. If the gang is in the campaign already, it shows the
    differences; 'arbitrator gang amend' corrects them.

    \b
    arbitrator gang import yaktribe.json --player Kim --injuries apply
    """
    known = _armoury(session, armoury)
    answers = Answers(
        player=clean_name(player) if player is not None else None,
        house=clean_name(house) if house is not None else None,
        injuries_counted=COUNTED[injuries] if injuries is not None else None,
        categories=pairs("--category", categories, "'Drill Master=champion'"),
        credits=left,
        captives=pairs("--captive", captives, "Grit=iron-skulls"),
        columns=pairs("--column", columns, "'Ballistic=BS'"),
        listed=things_listed(known) if known is not None else None,
    )
    imported = importing.imported(file, answers, book=ruleset)
    if imported.questions and on_terminal() and can_answer() and not as_json:
        answers = _answered(answers, imported.questions)
        imported = importing.imported(file, answers, book=ruleset)
    here = _gang_here(session, against, imported)
    if here is not None:
        imported = replace(
            imported, sheet=roster_comparison.align_ids(imported.sheet, here.state.gangs[here.gang])
        )
    usual = f"{imported.sheet['gang']}{'-newer' if here is not None else ''}.yaml"
    written = Path(sheet if sheet is not None else usual)
    weapons = written.with_name(f"{written.stem}-armoury.yaml") if imported.armoury is not None else None
    files = {written: as_yaml(imported.sheet)}
    if weapons is not None and imported.armoury is not None:
        files[weapons] = as_yaml(imported.armoury)
    for path, text in files.items():
        refuse_other_words(path, text, replacing=replacing)
    for path, text in files.items():
        write_new(path, text, replacing=True)
    session.note(f"{written} written")
    comparison = _compared(here, imported, known) if here is not None else None
    page = import_page(
        imported,
        sheet=_shown(written),
        armoury=_shown(weapons) if weapons is not None else None,
        given=shown(armoury, characters_max=200) if armoury is not None else None,
        comparison=comparison,
        everything=everything,
    )
    show(page, as_json=as_json)


class _Here(Record):
    """The gang of the campaign that an imported file describes."""

    state: CampaignState
    gang: str


def _gang_here(session: Session, against: str | None, imported: importing.ImportResult) -> _Here | None:
    """The gang to compare with: the one of --against, or one with that id or name in the chosen campaign."""
    if against is None and not session.there:
        return None
    try:
        state = session.tracker.boards.state_at(session.campaign)
    except Refusal:
        if against is None:  # an import needs no campaign
            return None
        raise
    sheet = imported.sheet
    for known in (against,) if against is not None else (sheet["gang"], sheet["name"]):
        called = look_up(known, gang={gang.gang: gang.name for gang in state.gangs.values()})
        if called is not None:
            return _Here(state=state, gang=called[1])
    if against is not None:
        raise records.UnknownGang(gang=against, known=tuple(state.gangs))
    return None


def _armoury(session: Session, file: str | None) -> Document | None:
    """The armoury that was given, else the one that the campaign keeps, if there is either."""
    if file is not None:
        return read_document(file)
    if not session.there:
        return None
    try:
        kept = session.tracker.people.armoury(session.campaign)
    except Refusal:  # an import needs no campaign
        return None
    return parse_document(kept, file="the campaign's armoury") if kept is not None else None


def _compared(here: _Here, imported: importing.ImportResult, armoury: Document | None) -> Comparison:
    """The differences, or the reason why they are not known yet."""
    book = loader.book(here.state.book)
    files = [armoury] if armoury is not None else []
    if imported.armoury is not None:
        files.append(parse_document(as_yaml(imported.armoury), file="armoury.yaml"))
    listed = [read_armoury(file, characteristics=book.characteristics) for file in files]

    def weapon(name: str) -> Weapon | None:
        return next((found for each in listed if (found := each.weapon(name)) is not None), None)

    name = here.state.gangs[here.gang].name
    try:
        differences = roster_comparison.compare_roster(here.state, here.gang, imported.sheet, weapon)
    except Refusal as refusal:
        return Comparison(gang=name, differences=(), not_yet=refusal.message())
    return Comparison(gang=name, differences=differences)


def _shown(path: Path) -> str:
    return shown(str(path), characters_max=200)


def can_answer() -> bool:
    """Whether a person at a terminal can answer."""
    return sys.stdin.isatty()


def pairs(option: str, said: tuple[str, ...], example: str) -> Mapping[str, str]:
    """Options of the form KEY=VALUE as a dict. Raises NotAPair."""
    means_by_name = {}
    for pair in said:
        known, _, means = pair.partition("=")
        if not (known.strip() and means.strip()):
            raise NotAPair(option=option, said=shown(pair), example=example)
        means_by_name[known.strip()] = means.strip()
    return means_by_name


def _answered(answers: Answers, questions: tuple[ImportQuestion, ...]) -> Answers:
    """A person's answers at the terminal. Leaves questions that only the sheet can answer."""
    for question in questions:
        kind, _, named = question.key.partition(" ")
        text = sanitize(question.text)
        match kind:
            case "injuries":
                answers = replace(answers, injuries_counted=click.confirm(text, default=None))
            case "player" | "house":
                answers = replace(answers, **{kind: clean_name(click.prompt(text))})
            case "credits":
                answers = replace(answers, credits=click.prompt(text, type=NUMBER))
            case "captive":
                gang = click.prompt(f"{text} Its id, or nothing", default="", show_default=False)
                if gang.strip():
                    answers = replace(answers, captives={**answers.captives, named: gang.strip()})
            case "category":
                choice = click.Choice(question.choices)
                rank = click.prompt(text, type=choice, default=question.guess)
                answers = replace(answers, categories={**answers.categories, named: rank})
    return answers


def refuse_other_words(file: Path, text: str, *, replacing: bool) -> None:
    """Raises SheetThere for an existing file with another text, unless it may be replaced."""
    if remote_files.is_collecting():
        return
    try:
        if not replacing and file.exists() and file.read_text(encoding="utf-8") != text:
            raise SheetThere(sheet=_shown(file))
    except (OSError, UnicodeDecodeError, ValueError) as wrong:
        raise _not_written(file, wrong) from wrong


def write_new(file: Path, text: str, *, replacing: bool) -> None:
    """Write a new file, or the same text again; never replace another text without --replace."""
    if remote_files.collect(str(file), text.encode()):
        return
    refuse_other_words(file, text, replacing=replacing)
    try:
        write_whole(file, text.encode())
    except (OSError, ValueError) as wrong:
        raise _not_written(file, wrong) from wrong


def _not_written(file: Path, wrong: Exception) -> SheetNotWritten:
    return SheetNotWritten(
        sheet=_shown(file), why=getattr(wrong, "strerror", None) or "it is not a text file"
    )
