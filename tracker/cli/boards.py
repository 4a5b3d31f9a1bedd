"""Boards: the read models, which can be thrown away and made again."""

from __future__ import annotations

from collections.abc import Iterator

import click

from tracker.cli.options import as_json, pass_session, progress, show
from tracker.cli.session import Session
from tracker.reports.escaping import json_text
from tracker.service.maintenance import with_revision


@click.group("boards")
def command() -> None:
    """Rebuild or verify the boards that reading uses."""


@command.command("rebuild")
@pass_session
def rebuild(session: Session) -> None:
    """Throw the campaign's boards away and make them again from the log.

    Before them indexes with holes are made anew, the list of campaigns, and the database's revision.
    """
    tracker = with_revision(session.url, lambda: session.tracker)
    indexed = tracker.audit.reindex()  # before the campaign is looked for: that goes by an index too
    if indexed:
        show(f"Indexes were made anew: {', '.join(indexed)}.")
    tracker.audit.rebuild_directory()
    campaign = session.campaign
    with progress("rebuilding") as tell:
        tracker.audit.rebuild_boards(campaign, progress=tell)
    session.note("The boards were made again from the log")
    show("The boards were made again from the log.")


@command.command("verify")
@as_json
@pass_session
@click.pass_context
def verify(ctx: click.Context, session: Session, as_json: bool) -> None:
    """Compare the boards with the log, and look at tables, triggers, pages and indexes. Leaves with 4 when
    something is not as it should be; writes nothing.
    """
    tracker = session.tracker
    pages, guards = tracker.audit.pages_wrong(), tracker.audit.guards_wrong()
    differing = [] if pages else tracker.audit.board_differences(session.campaign)
    wrong = bool(differing or pages or guards)
    if as_json:
        facts = {"ok": not wrong, "differing": differing, "pages": list(pages), "guards": list(guards)}
        show(json_text("boards", facts))
    else:
        show("\n".join(_found(differing, pages, guards)))
    if wrong:
        ctx.exit(4)


def _found(differing: list[str], pages: tuple[str, ...], guards: tuple[str, ...]) -> Iterator[str]:
    yield from differing
    if differing:
        yield "'arbitrator boards rebuild' makes them anew."
    elif not pages:
        yield "The boards equal what the log adds up to."
    yield from pages
    if pages:
        yield "The boards were not compared. 'arbitrator boards rebuild' makes indexes and boards anew."
    yield from guards
    if guards:
        yield "Somebody altered the database: take away what is not ours."
