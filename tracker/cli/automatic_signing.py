"""Automatic signing: signs the head of the log after a battle, if this machine is set up for it."""

from __future__ import annotations

import click

from tracker.cli.options import show
from tracker.cli.session import Session, after_battles_setting
from tracker.errors import Refusal


def sign_after_battle(session: Session, *, as_json: bool, dry_run: bool = False) -> None:
    """Sign the head if this machine is set up for it; if that fails, print the reason and go on.

    The battle stays recorded. Does nothing with --json: a program asks for the head itself.
    """
    if dry_run or not after_battles_setting(session.campaign).exists():
        return
    from tracker.cli import signed_heads  # not above: only signing needs keys

    service, campaign = signed_heads.signing_of(session), session.campaign
    try:
        signed = service.checkpoint(
            campaign, signed_heads.passphrase_for(service.key_file(campaign)), whole=False
        )
    except Refusal as why:
        click.echo(f"The head is not signed: {why.message()}", err=True)
        return
    if not as_json:
        show(f"\nSigned; post this where the players can see it:\n\n{signed.note.written()}")
