"""Boards: the read models, which can be thrown away and made again."""

from __future__ import annotations

import click

from tracker.cli.options import as_json, pass_session, progress, show
from tracker.cli.session import Session
from tracker.reports.paper import json_text


@click.group("boards")
def command() -> None:
    """Rebuild or verify the boards that reading uses."""


@command.command("rebuild")
@pass_session
def rebuild(session: Session) -> None:
    """Throw the campaign's boards away and make them again from the log."""
    campaign = session.campaign
    with progress("rebuilding") as tell:
        events = session.tracker.store.head(campaign).size
        session.tracker.rebuild_boards(campaign, progress=lambda done: tell(done, events))
    session.note("The boards were made again from the log")
    show("The boards were made again from the log.")


@command.command("verify")
@as_json
@pass_session
@click.pass_context
def verify(ctx: click.Context, session: Session, as_json: bool) -> None:
    """Compare the boards with the log. Leaves with 4 when they differ; writes nothing."""
    differing = session.tracker.board_differences(session.campaign)
    if as_json:
        show(json_text("boards", {"ok": not differing, "differing": differing}))
    elif differing:
        show("\n".join([*differing, "'arbitrator boards rebuild' makes them anew."]))
    else:
        show("The boards equal what the log adds up to.")
    if differing:
        ctx.exit(4)
