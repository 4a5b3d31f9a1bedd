"""`arbitrator serve`: the service started, and stopped again."""

from __future__ import annotations

import sys

import click

from tracker.cli import service_address as addresses
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
@addresses.service_address_option(
    "Where people reach it, behind a proxy with TLS: https://club.example. [default: this machine]"
)
@click.option("--log-json", is_flag=True, help="Write the log as JSON lines.")
@click.option("--no-limits", is_flag=True, help="Let everybody ask as often as they like: to measure.")
@pass_session
def command(
    session: Session,
    *,
    host: str,
    port: int,
    service_address: str | None,
    log_json: bool,
    no_limits: bool,
) -> None:
    """Serve the campaigns of the database that the command line uses, over HTTP, until Ctrl-C.

    The link that it prints signs in, once, the Arbitrator of this machine. 'arbitrator member invite' makes
    links for others. The command line works beside it. A line for each request goes to standard error.
    """
    try:
        import uvicorn

        from tracker.server import discord_sign_in, logs
        from tracker.server.access import Members
        from tracker.server.app import application
        from tracker.server.rate_limits import NoLimits, PerMinute
    except ImportError as missing:
        raise ServerNotInstalled from missing
    if not is_loopback(host):
        raise HostOpenToAll(host=host)
    # A browser keeps passkeys for names only, and every machine calls itself so.
    here = f"http://localhost:{port}" if host in ("127.0.0.1", "::1") else f"http://{host}:{port}"
    address = here if service_address is None else addresses.usable_address(service_address)
    tracker = session.tracker
    keeper = tracker.people.of_machine(session.actor)
    link = addresses.link(address, tracker.people.invites.back(keeper.person).secret)
    addresses.announce(session, address)
    behind = "" if address == here else f", reached at {address}"
    show(
        f"Serving http://{host}:{port}{behind}. Stop it with Ctrl-C.\n"
        f"Sign in once as {keeper.name}, in a browser: {link}\n"
        f"or in a terminal: arbitrator login {link}"
    )
    sys.stdout.flush()
    logs.settle(as_json=log_json)
    limits = NoLimits() if no_limits else PerMinute()
    app = application(
        tracker, Members(tracker, limits), address=address, discord=discord_sign_in.from_environment()
    )
    uvicorn.run(
        app,
        host=host,
        port=port,
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=GRACE_SECONDS,
        server_header=False,
    )
