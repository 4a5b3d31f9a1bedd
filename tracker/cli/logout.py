"""Signing out of a service elsewhere."""

from __future__ import annotations

import click

from tracker.cli import remote
from tracker.cli.options import show


@click.command("logout")
def command() -> None:
    """Forget the service and its token: the commands mean the campaigns of this machine again."""
    show("Signed out." if remote.forget() else "Nobody was signed in.")
