"""Signing out of a service elsewhere."""

from __future__ import annotations

import click

from tracker.cli import remote
from tracker.cli.options import show


@click.command("logout")
def command() -> None:
    """Sign out of the service and use this machine again.

    Forgets the service and its token.

    \b
    arbitrator logout
    """
    show("Signed out." if remote.forget() else "Nobody was signed in.")
