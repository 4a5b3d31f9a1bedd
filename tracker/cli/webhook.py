"""Webhooks of a campaign: add, list, show, remove; and send waiting posts if no service runs."""

from __future__ import annotations

from typing import get_args

import click

from tracker.cli.options import as_json, pass_session, show
from tracker.cli.session import Session
from tracker.reports import webhooks as pages
from tracker.service import webhook_client
from tracker.service.webhooks import ABOUT, About, Kind


@click.group("webhook")
def command() -> None:
    """Post battles, standings, disputes and rulings to Discord or a program."""


@command.command("add")
@click.argument("url")
@click.option(
    "--kind",
    type=click.Choice(get_args(Kind)),
    required=True,
    help="Chat messages for Discord, or CloudEvents for a program.",
)
@click.option(
    "--events",
    "about",
    multiple=True,
    type=click.Choice(ABOUT),
    help="What is posted; may be repeated. [default: all of it]",
)
@as_json
@pass_session
def add(session: Session, url: str, kind: Kind, about: tuple[About, ...], as_json: bool) -> None:
    """Post what is recorded from now on to URL.

    Keep the URL secret: it is not shown again. Posts to a program are signed with a key that is shown once,
    now. 'arbitrator serve' posts; without it, run 'arbitrator webhook send'.

    \b
    arbitrator webhook add https://discord.com/api/webhooks/... --kind discord
    """
    campaign = session.campaign
    webhook_client.check(url, webhook_client.hosts_allowed())
    added = session.tracker.webhooks.add(
        campaign, url, kind=kind, about=about, by=session.person, once=session.tracker.sent_once
    )
    session.note("The webhook is made")
    show(pages.made_webhook_page(added), as_json=as_json)


@command.command("list")
@as_json
@pass_session
def list_(session: Session, as_json: bool) -> None:
    """List the campaign's webhooks and whether their posts arrive.

    \b
    arbitrator webhook list
    """
    show(pages.webhooks_page(session.tracker.webhooks.of(session.campaign)), as_json=as_json)


@command.command("show")
@click.argument("webhook")
@as_json
@pass_session
def show_(session: Session, webhook: str, as_json: bool) -> None:
    """Show one webhook: what waits, what failed and why.

    \b
    arbitrator webhook show hook-1c9m2x0d
    """
    campaign, service = session.campaign, session.tracker.webhooks
    listed = service.webhook(campaign, webhook)
    show(pages.webhook_page(listed, service.unsent(campaign, listed.webhook)), as_json=as_json)


@command.command("remove")
@click.argument("webhook")
@as_json
@pass_session
def remove(session: Session, webhook: str, as_json: bool) -> None:
    """Stop posting to a WEBHOOK, waiting posts included.

    \b
    arbitrator webhook remove hook-1c9m2x0d
    """
    gone = session.tracker.webhooks.remove(session.campaign, webhook)
    show(pages.removed_webhook_page(gone), as_json=as_json)


@command.command("send")
@as_json
@pass_session
def send(session: Session, as_json: bool) -> None:
    """Post what waits, once, for all campaigns of this database.

    For hosts that do not run 'arbitrator serve'.

    \b
    arbitrator webhook send
    """
    from tracker.reports.webhook_posts import webhook_posts
    from tracker.service.webhook_delivery import post_due

    posted = failed = 0
    for tracker in session.tracker.cells.trackers():
        result = post_due(
            tracker.outbox,
            lambda webhook, delivery, tracker=tracker: webhook_posts(tracker, webhook, delivery),  # type: ignore[misc]
            allowed=webhook_client.hosts_allowed(),
        )
        posted, failed = posted + result.posted, failed + result.failed
    show(pages.posted_page(posted, failed), as_json=as_json)
