"""`arbitrator serve`: the service started, and stopped again."""

from __future__ import annotations

import sys

import click

from tracker.cli.options import pass_session, show
from tracker.cli.session import Session
from tracker.errors import BadInput
from tracker.server.addresses import is_loopback

GRACE_SECONDS = 5
"""How long requests may take to end when the service stops: an open stream would keep it alive for ever."""


class ServerNotInstalled(BadInput):
    """The service needs libraries that are not installed: pip install 'campaign-tracker[server]'."""


class HostOpenToAll(BadInput):
    """{host} can be reached from other machines, in clear. Serve 127.0.0.1, behind a reverse proxy with
    TLS.
    """

    host: str


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port.")
@pass_session
def command(session: Session, host: str, port: int) -> None:
    """Serve the campaigns of the database that the command line uses, over HTTP, until Ctrl-C.

    The link that it prints signs in, once, the Arbitrator of this machine. 'arbitrator member invite' makes
    links for others. The command line works beside it.
    """
    try:
        import uvicorn

        from tracker.server.access import Members
        from tracker.server.app import application
    except ImportError as missing:
        raise ServerNotInstalled from missing
    if not is_loopback(host):
        raise HostOpenToAll(host=host)
    tracker = session.tracker
    keeper = tracker.people.of_machine(session.actor)
    link = tracker.people.invites.back(keeper.person)
    show(
        f"Serving http://{host}:{port}. Stop it with Ctrl-C.\n"
        f"Sign in once as {keeper.name}: arbitrator login http://{host}:{port}/join/{link.secret}"
    )
    sys.stdout.flush()
    app = application(tracker, Members(tracker))
    uvicorn.run(
        app,
        host=host,
        port=port,
        log_level="warning",
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
    )
