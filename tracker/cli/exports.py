"""Exports a gang to a file for another campaign, and names every fact that the file cannot hold."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import click

from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.cli.imports import SheetNotWritten, SheetThere, write_new
from tracker.cli.name_lookup import look_up
from tracker.cli.options import as_json, form_of, pass_session, show
from tracker.cli.session import Session
from tracker.documents import remote_files
from tracker.documents.nodes import shown
from tracker.documents.plain_yaml import as_yaml
from tracker.errors import BadInput
from tracker.exports import new_recruit, yaktribe
from tracker.exports.cells import injury_names
from tracker.exports.tables import fighters_table, weapons_table
from tracker.reports.exports import export_page, not_held_lines
from tracker.reports.page import Sheet
from tracker.reports.rendering import sheet_text
from tracker.reports.workbook import workbook
from tracker.rules import loader
from tracker.service.boards import Boards
from tracker.service.whole_files import write_whole

FOREIGN: Final = {
    "yaktribe": (yaktribe.yaktribe_gang, "Necromunda", yaktribe.CHARACTERISTICS),
    "newrecruit": (new_recruit.new_recruit_roster, new_recruit.GAME, new_recruit.NAMED),
}


class GameOfAnotherTool(BadInput):
    """--format {form} is for gangs of {game}, and this campaign is of another game. Take --format sheet, csv
    or xlsx.
    """

    form: str
    game: str


@click.command("export")
@click.argument("gang")
@form_of("sheet", "csv", "xlsx", "yaktribe", "newrecruit")
@click.option("--to", "file", metavar="FILE", help="The file to write. [default: standard output]")
@click.option("--replace", "replacing", is_flag=True, help="Overwrite a file that differs.")
@as_json
@pass_session
def command(session: Session, gang: str, form: str, file: str | None, replacing: bool, as_json: bool) -> None:
    """Write a gang as it stands, to enlist it elsewhere.

    The sheet (gang-sheet/2) holds cards, XP, injuries, weapons with their profiles, status and history;
    'arbitrator gang add' reads it. The other formats are for other programs: a table of fighters (csv, xlsx),
    YakTribe's JSON for Necromunda, New Recruit's for Trench Crusade. 'arbitrator gang import' reads them
    back. What the format cannot hold is named on standard error.

    \b
    arbitrator gang export iron-skulls --to iron-skulls.yaml
    arbitrator gang export iron-skulls --format xlsx --to iron-skulls.xlsx
    """
    from tracker.exports.gang_sheet import gang_on_sheet
    from tracker.exports.round_trip import round_trip_losses

    if form == "xlsx" and file is None:
        raise click.UsageError("A workbook goes to a file: give --to FILE.")
    campaign, boards = session.campaign, session.tracker.boards
    state, known, ended = boards.read_consistently(lambda: _read(boards, campaign, gang))
    out = gang_on_sheet(state, known, ended)
    written, data = _written(form, out.sheet, state.book)
    not_held = out.not_held
    if data is not None:
        not_held = (*not_held, *round_trip_losses(out.sheet, data, state.book))
    if file is not None:
        write_export(Path(file), written, replacing=replacing)
        session.note(f"{file} written")
    for line in not_held_lines(not_held):
        click.echo(line, err=True)
    if as_json or file is not None:
        where = shown(file, characters_max=200) if file is not None else None
        content = out.sheet if data is None else data
        show(export_page(content, not_held, gang=known, form=form, file=where), as_json=as_json)
    else:
        assert isinstance(written, str), "bytes go to a file"
        show(written)


def write_export(file: Path, written: str | bytes, *, replacing: bool) -> None:
    """Write a gang to a file, here or for a remote caller. Raises SheetThere, SheetNotWritten."""
    if remote_files.collect(str(file), written.encode() if isinstance(written, str) else written):
        return
    if isinstance(written, str):
        write_new(file, written, replacing=replacing)
        return
    name = shown(str(file), characters_max=200)
    try:
        if file.exists() and not replacing:  # a workbook has the time it was made: no two are equal
            raise SheetThere(sheet=name)
        write_whole(file, written)
    except (OSError, ValueError) as wrong:
        raise SheetNotWritten(sheet=name, why=getattr(wrong, "strerror", None) or "no such name") from wrong


def _written(form: str, sheet: Mapping[str, Any], book: str) -> tuple[str | bytes, Any]:
    """The file, and the data that 'gang import' would read from it; None for a sheet."""
    data: Any
    if form == "sheet":
        return as_yaml({**sheet}), None
    if form in ("csv", "xlsx"):
        columns, rows = fighters_table(sheet)
        data = [{column: str(cell) for column, cell in row.items()} for row in rows]
        if form == "csv":
            return sheet_text(Sheet(columns, rows)) + "\n", data
        return workbook({"Fighters": Sheet(columns, rows), "Weapons": Sheet(*weapons_table(sheet))}), data
    makes, game, shorts = FOREIGN[form]
    printed = loader.book(book)
    if not {*shorts} <= {limits.short for limits in printed.characteristics.values()}:
        raise GameOfAnotherTool(form=form, game=game)
    data = makes(sheet, injury_names(printed))
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n", data


def _read(boards: Boards, campaign: str, named: str) -> tuple[CampaignState, str, dict[str, str]]:
    """The campaign's state, the gang, and why each of its former fighters left."""
    state = boards.state_at(campaign)
    gangs = {gang.gang: gang.name for gang in state.gangs.values()}
    called = look_up(named, gang=gangs)
    if called is None:
        raise records.UnknownGang(gang=named, known=tuple(gangs))
    gang = called[1]
    ended = {}
    for fighter in state.gangs[gang].fighters.values():
        if fighter.standing != "enlisted":
            for recorded in boards.events_about(campaign, fighter.fighter):
                match recorded.event:
                    case records.FighterDied(why=why) | records.FighterRetired(reason=why):
                        ended[fighter.fighter] = why
    return state, gang, ended
