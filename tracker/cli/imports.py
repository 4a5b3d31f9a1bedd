"""Importing other tools' gangs: a sheet to read, and a word on every fact of the source."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import click

from tracker.cli.corrections import armoury_option
from tracker.cli.door import on_terminal
from tracker.cli.options import as_json, pass_session, show
from tracker.cli.session import Session
from tracker.documents.armoury import weapons_listed
from tracker.documents.nodes import shown
from tracker.documents.plain_yaml import as_yaml
from tracker.documents.text import clean_name
from tracker.documents.yaml_reader import read_document
from tracker.errors import BadInput
from tracker.imports import importing
from tracker.imports.answers import Answers, Question
from tracker.records import replace
from tracker.reports.escaping import sanitize
from tracker.reports.imports import import_page

COUNTED = {"counted": True, "apply": False}


class SheetThere(BadInput):
    """{sheet} is there already and says something else. Give another file (--to FILE), or --replace."""

    sheet: str


class SheetNotWritten(BadInput):
    """{sheet} cannot be written: {why}."""

    sheet: str
    why: str


class NotAPair(BadInput):
    """{option} {said}: write what stands in the file and what it means, such as {example}."""

    option: str
    said: str
    example: str


@click.command("import")
@click.argument("file")
@click.option("--to", "sheet", metavar="SHEET", help="The sheet to write. [default: the gang's id and .yaml]")
@click.option("--replace", "replacing", is_flag=True, help="Write over a sheet that says something else.")
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
    "--column", "columns", multiple=True, metavar="COLUMN=KEY", help="Of a table: what a column holds."
)
@armoury_option
@click.option("--all", "everything", is_flag=True, help="List what was taken, too.")
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
    columns: tuple[str, ...],
    armoury: str | None,
    everything: bool,
    as_json: bool,
) -> None:
    """Make a gang sheet of another tool's FILE, and say what became of every fact in it.

    Reads YakTribe's JSON, rosters of New Recruit and BattleScribe (JSON, .ros, .rosz), Trench Companion's
    export and share JSON, and tables of fighters (CSV, .xlsx). Writes a sheet, records nothing: read the
    sheet, then 'arbitrator gang add' it. With --armoury, things that it lists as weapons are weapons.

    \b
    arbitrator gang import yaktribe.json --player Kim --injuries apply
    """
    answers = Answers(
        player=clean_name(player) if player is not None else None,
        house=clean_name(house) if house is not None else None,
        injuries_counted=COUNTED[injuries] if injuries is not None else None,
        categories=_pairs("--category", categories, "'Drill Master=champion'"),
        columns=_pairs("--column", columns, "'Ballistic=BS'"),
        weapons=weapons_listed(read_document(armoury)) if armoury is not None else frozenset(),
    )
    imported = importing.imported(file, answers, book=ruleset)
    if imported.questions and on_terminal() and can_answer() and not as_json:
        answers = _answered(answers, imported.questions)
        imported = importing.imported(file, answers, book=ruleset)
    written = Path(sheet if sheet is not None else f"{imported.sheet['gang']}.yaml")
    weapons = written.with_name(f"{written.stem}-armoury.yaml") if imported.armoury is not None else None
    files = {written: as_yaml(imported.sheet)}
    if weapons is not None and imported.armoury is not None:
        files[weapons] = as_yaml(imported.armoury)
    for path, text in files.items():
        refuse_other_words(path, text, replacing=replacing)
    for path, text in files.items():
        write_new(path, text, replacing=True)
    session.note(f"{written} written")
    page = import_page(
        imported,
        sheet=_shown(written),
        armoury=_shown(weapons) if weapons is not None else None,
        everything=everything,
    )
    show(page, as_json=as_json)


def _shown(path: Path) -> str:
    return shown(str(path), characters_max=200)


def can_answer() -> bool:
    """Whether somebody types."""
    return sys.stdin.isatty()


def _pairs(option: str, said: tuple[str, ...], example: str) -> Mapping[str, str]:
    pairs = {}
    for pair in said:
        known, _, means = pair.partition("=")
        if not (known.strip() and means.strip()):
            raise NotAPair(option=option, said=shown(pair), example=example)
        pairs[known.strip()] = means.strip()
    return pairs


def _answered(answers: Answers, questions: tuple[Question, ...]) -> Answers:
    """What a person says on the terminal. What only the sheet itself can hold is left to it."""
    for question in questions:
        kind, _, named = question.key.partition(" ")
        text = sanitize(question.text)
        match kind:
            case "injuries":
                answers = replace(answers, injuries_counted=click.confirm(text, default=None))
            case "player" | "house":
                answers = replace(answers, **{kind: clean_name(click.prompt(text))})
            case "category":
                choice = click.Choice(question.choices)
                rank = click.prompt(text, type=choice, default=question.guess)
                answers = replace(answers, categories={**answers.categories, named: rank})
    return answers


def refuse_other_words(file: Path, text: str, *, replacing: bool) -> None:
    """Raises SheetThere for a file that is there and says something else, unless it is to be written over."""
    try:
        if not replacing and file.exists() and file.read_text(encoding="utf-8") != text:
            raise SheetThere(sheet=_shown(file))
    except (OSError, UnicodeDecodeError, ValueError) as wrong:
        raise _not_written(file, wrong) from wrong


def write_new(file: Path, text: str, *, replacing: bool) -> None:
    """A new file, or the same words again; never over other words unasked."""
    refuse_other_words(file, text, replacing=replacing)
    try:
        file.write_text(text, encoding="utf-8")
    except (OSError, ValueError) as wrong:
        raise _not_written(file, wrong) from wrong


def _not_written(file: Path, wrong: Exception) -> SheetNotWritten:
    return SheetNotWritten(sheet=_shown(file), why=getattr(wrong, "strerror", None) or "it is no text file")
