"""Signing in to a service elsewhere, from a terminal."""

from __future__ import annotations

import sys
from urllib.parse import urlsplit

import click

from tracker.cli import remote
from tracker.cli.options import pass_session, show
from tracker.cli.output import on_terminal
from tracker.cli.session import Service, Session
from tracker.errors import BadInput


class NoServiceAddress(BadInput):
    """{url!r} is no address of a service. Write it as https://club.example; without TLS only this machine is
    asked.
    """

    url: str


class NoTokenGiven(BadInput):
    """Give the token that you were given, on standard input: arbitrator login {url} < token.txt"""

    url: str


@click.command("login")
@click.argument("url")
@pass_session
def command(session: Session, url: str) -> None:
    """Sign in to the service at URL with a token; it is asked for, or read from standard input.

    The token is kept in your data folder, readable by nobody else. From then on the commands mean the
    campaigns there, unless --db names a database. 'arbitrator logout' ends that.
    """
    url = url.rstrip("/")
    parts = urlsplit(url)
    is_safe = parts.scheme == "https" or parts.hostname in ("localhost", "127.0.0.1", "::1")
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or not is_safe:
        raise NoServiceAddress(url=url)
    if on_terminal() and sys.stdin.isatty():
        token = click.prompt("Token", hide_input=True, err=True)
    else:
        token = sys.stdin.readline()
    token = token.strip()
    if not token:
        raise NoTokenGiven(url=url)
    service = Service(url, token)
    known = [str(row["slug"]) for row in remote.ask(service, "/v1/campaigns")["campaigns"]]
    remote.keep(service)
    session.note(f"Signed in to {url}")
    there = f"Campaigns there: {', '.join(known)}." if known else "There is no campaign of yours yet."
    show(f"Signed in to {url}. {there}")
