"""Boards: the read models, which can be thrown away and made again."""

from __future__ import annotations

import click

from tracker.cli.options import as_json, pass_session, progress, show
from tracker.cli.session import Session
from tracker.reports.health import boards_page
from tracker.service.maintenance import with_revision


@click.group("boards")
def command() -> None:
    """Rebuild or verify the stored rosters and standings."""


@command.command("rebuild")
@pass_session
def rebuild(session: Session) -> None:
    """Make the campaign's boards again from the log.

    First it repairs damaged indexes, the list of campaigns, and the database's revision.

    \b
    arbitrator boards rebuild
    """
    tracker = with_revision(session.url, lambda: session.tracker)
    indexed = tracker.audit.reindex()  # before looking for the campaign, which uses an index too
    if indexed:
        show(f"Indexes were made anew: {', '.join(indexed)}.")
    tracker.audit.rebuild_directory()
    campaign = session.campaign
    with progress("rebuilding") as tell:
        tracker.audit.rebuild_boards(campaign, progress=tell)
    with progress("sealing") as tell:
        tracker.audit.seal(campaign, progress=tell)
    with progress("what rulings can touch") as tell:
        tracker.audit.extend_access_index(campaign, progress=tell)
    session.note("The boards were made again from the log")
    show("The boards were made again from the log.")


@command.command("verify")
@as_json
@pass_session
@click.pass_context
def verify(ctx: click.Context, session: Session, as_json: bool) -> None:
    """Compare the boards with the log, and check the database.

    Checks tables, triggers, pages, indexes and what rulings skip by, too. Exits with code 4 if something is
    wrong; writes nothing.

    \b
    arbitrator boards verify
    """
    tracker = session.tracker
    pages, guards = tracker.audit.pages_wrong(), tracker.audit.schema_faults()
    differing = [] if pages else tracker.audit.board_differences(session.campaign)
    if not pages:
        differing += tracker.audit.access_index_faults(session.campaign)
    show(boards_page(differing, pages, guards), as_json=as_json)
    if differing or pages or guards:
        ctx.exit(4)
