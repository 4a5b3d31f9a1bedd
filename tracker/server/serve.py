"""`arbitrator serve`: starts and stops the service."""

from __future__ import annotations

import os
import sys
from typing import Any

import click

from tracker.cli import service_address as addresses
from tracker.cli.options import pass_session, show
from tracker.cli.session import Session
from tracker.errors import BadInput
from tracker.server import settings
from tracker.server.addresses import is_loopback


class ServerNotInstalled(BadInput):
    """The service needs libraries that are not installed. Install the program with them, and start again:
    pipx install --force 'campaign-tracker[server]' (in a checkout: pipx install --force '.[server]').
    """


class HostOpenToAll(BadInput):
    """{host} can be reached from other machines, without encryption. Serve 127.0.0.1 behind a reverse proxy
    with TLS.
    """

    host: str


@click.command("serve")
@settings.options
@pass_session
def command(session: Session, /, *, config: str | None, **given: Any) -> None:
    """Serve this database's campaigns over HTTP until Ctrl-C.

    It prints a link that signs the Arbitrator of this machine in, once. Where there is no database, it makes
    one, and the link begins the first campaign. Links for others are made on the page Members. The command
    line works beside it. Each request is a line on standard error.

    Every option may also be set in the environment (TRACKER_PORT) or in a file (port = 8000).

    \b
    arbitrator serve --port 8000
    """
    try:
        from tracker.server import discord_sign_in, process
    except ImportError as missing:
        raise ServerNotInstalled from missing
    chosen = settings.read(given, config=config, environment=os.environ)
    discord_sign_in.from_environment()  # a refusal here stops before any process starts
    host = chosen.host
    if not is_loopback(host):
        raise HostOpenToAll(host=host)
    reached = None if chosen.service_address is None else addresses.usable_address(chosen.service_address)
    if chosen.database_url is not None and session.makes_folder:
        session.override(db=chosen.database_url, campaign=None, actor=None)
    tracker = session.beginning()
    if chosen.workers > 1 and tracker.engine.dialect.name == "sqlite":
        raise process.OneWriterPerFile
    listener = process.listening(host, chosen.port)
    port = listener.getsockname()[1]
    shown = f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"
    # Passkeys need a host name, and this one works on every machine.
    here = f"http://localhost:{port}" if host in ("127.0.0.1", "::1") else shown
    address = reached or here
    begins = "" if tracker.directory.rows() else "\nThere is no campaign yet: open the link to begin one."
    keeper = tracker.people.of_machine(session.actor)
    link = addresses.link(address, tracker.people.invites.back(keeper.person).secret)
    addresses.announce(session, address)
    behind = "" if address == here else f", reached at {address}"
    show(
        f"Serving {shown}{behind}. Stop it with Ctrl-C.\n"
        f"Open this link in a browser; it signs {keeper.name} in, once: {link}\n"
        f"or in a terminal: arbitrator login {link}{begins}"
    )
    sys.stdout.flush()
    tracker.close()
    process.run(process.ApplicationFactory(session.url, session.actor, address, chosen), listener)
