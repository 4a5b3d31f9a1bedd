"""After a battle: the head of the log is signed by itself, where somebody chose that on this machine."""

from __future__ import annotations

import click

from tracker.cli.options import show
from tracker.cli.session import Session, after_battles_setting
from tracker.errors import Refusal


def sign_after_battle(session: Session, *, as_json: bool, dry_run: bool = False) -> None:
    """Sign the head, where that was chosen; where it cannot be signed, say why and leave it.

    What was recorded stays recorded. A program that reads JSON asks for the head itself.
    """
    if dry_run or not after_battles_setting(session.campaign).exists():
        return
    from tracker.cli import signed_heads  # not above: only who signs needs keys

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
