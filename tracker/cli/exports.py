"""Exporting a gang: a file for another campaign, and a word on every fact that such a file cannot hold."""

from __future__ import annotations

from pathlib import Path

import click

from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.cli.called import who_is
from tracker.cli.imports import write_new
from tracker.cli.options import as_json, form_of, pass_session, show
from tracker.cli.session import Session
from tracker.documents.nodes import shown
from tracker.documents.plain_yaml import as_yaml
from tracker.reports.exports import export_page, not_held_lines
from tracker.service.boards import Boards


@click.command("export")
@click.argument("gang")
@form_of("sheet")
@click.option("--to", "file", metavar="FILE", help="The file to write. [default: standard output]")
@click.option("--replace", "replacing", is_flag=True, help="Write over a file that says something else.")
@as_json
@pass_session
def command(session: Session, gang: str, form: str, file: str | None, replacing: bool, as_json: bool) -> None:
    """Write a gang as it stands now, to enlist it in another campaign.

    A sheet is a gang-sheet/2, which 'arbitrator gang add' reads: cards, XP, injuries, weapons with their
    profiles, status and all that was before. What the file cannot hold is named on standard error.

    \b
    arbitrator gang export iron-skulls --to iron-skulls.yaml
    """
    from tracker.exports.gang_sheet import gang_on_sheet

    campaign, boards = session.campaign, session.tracker.boards
    state, known, ended = boards.at_one_moment(lambda: _read(boards, campaign, gang))
    out = gang_on_sheet(state, known, ended)
    written = as_yaml(out.sheet)
    where = None
    if file is not None:
        write_new(Path(file), written, replacing=replacing)
        session.note(f"{file} written")
        where = shown(file, characters_max=200)
    for line in not_held_lines(out.not_held):
        click.echo(line, err=True)
    if as_json or where is not None:
        page = export_page(out.sheet, out.not_held, gang=known, form=form, file=where)
        show(page, as_json=as_json)
    else:
        show(written)


def _read(boards: Boards, campaign: str, named: str) -> tuple[CampaignState, str, dict[str, str]]:
    """The campaign as it stands, the gang that is meant, and how its fighters who are gone left."""
    state = boards.state_at(campaign)
    gangs = {gang.gang: gang.name for gang in state.gangs.values()}
    called = who_is(named, gang=gangs)
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
