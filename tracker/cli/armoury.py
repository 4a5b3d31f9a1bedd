"""Armouries: show, check and merge armoury files, and import other tools' data files."""

from __future__ import annotations

from pathlib import Path

import click

from tracker.cli.imports import pairs, refuse_other_words, write_new
from tracker.cli.options import as_json, pass_session, progress, show
from tracker.cli.session import Session
from tracker.documents.armoury import Armoury, read_armoury
from tracker.documents.armoury_merge import merged
from tracker.documents.nodes import shown
from tracker.documents.plain_yaml import as_yaml
from tracker.documents.text import clean_name, slug_of
from tracker.documents.yaml_reader import read_document
from tracker.imports.armoury_data import armoury_of
from tracker.reports import cards
from tracker.reports.armoury import armoury_page
from tracker.reports.armoury_import import armoury_comments, armoury_import_page
from tracker.reports.page import Page, Text
from tracker.rules import loader

ruleset = click.option(
    "--ruleset",
    default="necromunda_2023",
    show_default=True,
    help="The rulebook that its fighters' cards follow.",
)


@click.group("armoury")
def command() -> None:
    """Show, check, merge and import armoury files."""


@command.command("show")
@click.argument("file")
@ruleset
@as_json
def show_(file: str, ruleset: str, as_json: bool) -> None:
    """Show an armoury FILE: items, house lists, skills, types.

    \b
    arbitrator armoury show sump-market.yaml
    """
    show(armoury_page(_read(file, ruleset), cards.words_of(ruleset)), as_json=as_json)


@command.command("check")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@ruleset
@as_json
def check(files: tuple[str, ...], ruleset: str, as_json: bool) -> None:
    """Check that armoury FILES are sound and agree.

    \b
    arbitrator armoury check sump-market.yaml ferry-yard.yaml
    """
    armouries = [_read(file, ruleset) for file in files]
    merged(map(read_document, files))
    counted = [
        {"name": armoury.name, "items": len(armoury.offers), "fighters": len(armoury.types)}
        for armoury in armouries
    ]
    lines = [
        f"{line['name']}: {line['items']} things, {line['fighters']} types of fighter, sound"
        for line in counted
    ]
    page = Page(schema="armouries", data=lambda: {"armouries": counted}, blocks=lambda: [[Text(lines)]])
    show(page, as_json=as_json)


@command.command("merge")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--to", "target", required=True, metavar="ARMOURY", help="The armoury to write.")
@click.option(
    "--prefer-first", is_flag=True, help="Where two list a thing differently, the first file counts."
)
@click.option("--replace", "replacing", is_flag=True, help="Overwrite a file that differs.")
@ruleset
@pass_session
def merge(
    session: Session, files: tuple[str, ...], target: str, prefer_first: bool, replacing: bool, ruleset: str
) -> None:
    """Make one armoury of several FILES.

    Each item is listed once. What two files list differently is refused by name.

    \b
    arbitrator armoury merge sump-market.yaml ferry-yard.yaml --to all.yaml
    """
    for file in files:
        _read(file, ruleset)
    armoury = merged(map(read_document, files), prefer_first=prefer_first)
    write_new(Path(target), as_yaml(armoury), replacing=replacing)
    session.note(f"{target} written")
    show(f"{shown(target, characters_max=200)} lists {len(armoury.get('items', ()))} things.")


@command.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--to",
    "target",
    metavar="ARMOURY",
    help="The armoury to write. [default: the catalogue's name and .yaml]",
)
@click.option("--replace", "replacing", is_flag=True, help="Overwrite a file that differs.")
@click.option(
    "--catalogue",
    "catalogues",
    multiple=True,
    metavar="NAME",
    help="Take this catalogue and what it needs, and no other; may be repeated.",
)
@click.option(
    "--category", "categories", multiple=True, metavar="TYPE=RANK", help="A type's category; may be repeated."
)
@click.option("--name", help="What messages call the armoury. [default: the catalogues' names]")
@click.option("--ruleset", help="The rulebook. [default: that of the files' game]")
@click.option("--dry-run", is_flag=True, help="Show the result and write nothing.")
@click.option("--all", "everything", is_flag=True, help="Name everything, with its place in the files.")
@as_json
@pass_session
def import_(
    session: Session,
    files: tuple[str, ...],
    target: str | None,
    replacing: bool,
    catalogues: tuple[str, ...],
    categories: tuple[str, ...],
    name: str | None,
    ruleset: str | None,
    dry_run: bool,
    everything: bool,
    as_json: bool,
) -> None:
    """Make an armoury of data FILES for New Recruit or BattleScribe.

    Reads game systems and catalogues that you have (.gst, .cat, zipped .gstz and .catz, and their JSON); a
    folder is all of them in it. Name the game system beside a catalogue, and the catalogues that it links to:
    what is missing is named. Fighters, weapons, gear, prices, rarity, house lists and sets of skills come
    along. What does not is named in the answer and in the armoury's first lines.

    \b
    arbitrator armoury import sump-system.gst forge-clans.cat
    arbitrator armoury import data/ --catalogue 'Forge Clans' --dry-run
    """
    with progress("Files read") as tell:
        imported = armoury_of(
            files,
            book=ruleset,
            name=clean_name(name) if name is not None else None,
            catalogues=catalogues,
            categories=pairs("--category", categories, "'Drill Master=champion'"),
            progress=tell,
        )
    written = Path(target if target is not None else f"{slug_of(imported.armoury['name']) or 'armoury'}.yaml")
    text = armoury_comments(imported) + as_yaml(imported.armoury)
    if not dry_run:
        refuse_other_words(written, text, replacing=replacing)
        write_new(written, text, replacing=True)
        session.note(f"{written} written")
    shown_file = shown(str(written), characters_max=200)
    page = armoury_import_page(imported, armoury=shown_file, dry_run=dry_run, everything=everything)
    show(page, as_json=as_json)


def _read(file: str, ruleset: str) -> Armoury:
    return read_armoury(read_document(file), characteristics=loader.book(ruleset).characteristics)
