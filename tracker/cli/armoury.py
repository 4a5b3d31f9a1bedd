"""Armouries: what a file lists, whether it is sound, several as one."""

from __future__ import annotations

from pathlib import Path

import click

from tracker.cli.imports import write_new
from tracker.cli.options import as_json, pass_session, show
from tracker.cli.session import Session
from tracker.documents.armoury import Armoury, read_armoury
from tracker.documents.armoury_merge import merged
from tracker.documents.nodes import shown
from tracker.documents.plain_yaml import as_yaml
from tracker.documents.yaml_reader import read_document
from tracker.reports.armoury import armoury_page
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
    """Show, check and merge armoury files."""


@command.command("show")
@click.argument("file")
@ruleset
@as_json
def show_(file: str, ruleset: str, as_json: bool) -> None:
    """Show an armoury FILE: items, house lists, skills, types.

    \b
    arbitrator armoury show sump-market.yaml
    """
    show(armoury_page(_read(file, ruleset)), as_json=as_json)


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


def _read(file: str, ruleset: str) -> Armoury:
    return read_armoury(read_document(file), characteristics=loader.book(ruleset).characteristics)
