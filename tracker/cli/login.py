"""Signing in to a service elsewhere, from a terminal."""

from __future__ import annotations

import json
import platform
import sys

import click

from tracker.cli import remote
from tracker.cli.options import pass_session, show
from tracker.cli.output import on_terminal
from tracker.cli.service_address import usable_address
from tracker.cli.session import RemoteService, Session
from tracker.errors import BadInput


class NoTokenGiven(BadInput):
    """Give the token that you were given, on standard input: arbitrator login {url} < token.txt"""

    url: str


@click.command("login")
@click.argument("url")
@click.option("--name", help="Your name there, if you are new.")
@pass_session
def command(session: Session, url: str, name: str | None) -> None:
    """Sign in to a service with a link or a token.

    URL is a link (https://club.example/join/...), or the service's address; then the token is asked for, or
    read from standard input. The token is kept in your data folder, where only you can read it. From then on,
    commands use the campaigns there, unless --db names a database. 'arbitrator logout' ends that.

    \b
    arbitrator login https://club.example/join/... --name Dana
    """
    url, link, secret = url.rstrip("/").partition("/join/")
    url = usable_address(url)
    if link:
        _join(session, url, secret, name)
        return
    if on_terminal() and sys.stdin.isatty():
        token = click.prompt("Token", hide_input=True, err=True)
    else:
        token = sys.stdin.readline()
    token = token.strip()
    if not token:
        raise NoTokenGiven(url=url)
    _keep(session, RemoteService(url, token))


def _join(session: Session, url: str, secret: str, name: str | None) -> None:
    """Join with a link: uses it up and stores the token that it gives."""
    request = {"secret": secret, "name": name, "label": f"command line of {platform.node() or 'a machine'}"}
    answer = remote.ask(RemoteService(url, ""), "/v1/join", body=json.dumps(request).encode())
    _keep(session, RemoteService(url, str(answer["token"])), as_=str(answer["name"]))


def _keep(session: Session, service: RemoteService, *, as_: str = "") -> None:
    slugs = [str(row["slug"]) for row in remote.ask(service, "/v1/campaigns")["campaigns"]]
    remote.keep(service)
    session.note(f"Signed in to {service.url}")
    there = f"Campaigns there: {', '.join(slugs)}." if slugs else "You are in no campaign there yet."
    show(f"Signed in to {service.url}{f' as {as_}' if as_ else ''}. {there}")
