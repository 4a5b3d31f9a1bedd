"""Dice: rolls of the tool that everybody can check and nobody can choose."""

from __future__ import annotations

import click

from tracker.cli.options import as_json, form_of, pass_session, reason, show
from tracker.cli.receipts import show_receipt
from tracker.cli.session import Session
from tracker.errors import BadInput
from tracker.reports.provable_dice import provable_dice_page
from tracker.rules.provable_dice import PROTOCOL, Protocol


class SayOneContribution(BadInput):
    """Say one thing: --words TEXT, or --commitment HEX that you worked out yourself."""


@click.group("dice")
def command() -> None:
    """Roll dice that everybody can check: commit, contribute, reveal, close."""


@command.command("show")
@form_of("text", "md", "html", "json")
@as_json
@pass_session
def show_(session: Session, form: str, as_json: bool) -> None:
    """Show sessions, contributions, requests and checked rolls.

    \b
    arbitrator dice show
    """
    history = session.tracker.dice.history(session.campaign)
    show(provable_dice_page(history, heading=f"{session.slug}: provable dice"), form, as_json=as_json)


@command.command("use")
@click.argument("how", type=click.Choice(["provable", "plain"]))
@reason
@as_json
@pass_session
def use(session: Session, how: str, reason: str, as_json: bool) -> None:
    """Choose how --roll rolls from now on.

    provable: by requests in the log and a seed fixed before. plain: by this machine alone.

    \b
    arbitrator dice use provable --reason "the club asked for it"
    """
    protocol: Protocol = PROTOCOL if how == "provable" else "plain"
    played = session.tracker.dice.use(session.campaign, protocol, reason=_clean(reason))
    show_receipt(played, as_json=as_json)
    if how == "provable" and not as_json:
        show("\nNext: arbitrator dice open")


@command.command("open")
@as_json
@pass_session
def open_(session: Session, as_json: bool) -> None:
    """Begin a dice session: draw a seed and log its hash.

    The seed is sealed in a file of yours until 'dice close'.

    \b
    arbitrator dice open
    """
    show_receipt(session.tracker.dice.open(session.campaign), as_json=as_json)
    if not as_json:
        show("\nNext: each player who cares: arbitrator dice contribute --by WHO --words TEXT")


@command.command("contribute")
@click.option("--by", "who", required=True, metavar="WHO", help="The player.")
@click.option("--words", metavar="TEXT", help="Words that nobody would guess; only their hash is logged.")
@click.option("--commitment", metavar="HEX", help="Their hash, made elsewhere.")
@click.option("--print", "print_only", is_flag=True, help="Print the hash of the words and record nothing.")
@as_json
@pass_session
def contribute(
    session: Session,
    who: str,
    words: str | None,
    commitment: str | None,
    print_only: bool,
    as_json: bool,
) -> None:
    """Commit to secret words for the session's dice.

    Keep the words: 'dice reveal' needs them exactly.

    \b
    arbitrator dice contribute --by Dana --words "seven rusty kettles"
    """
    dice, who = session.tracker.dice, _clean(who)
    if (words is None) == (commitment is None):
        raise SayOneContribution
    if words is not None:
        commitment = dice.commitment(session.campaign, who, _clean(words))
    assert commitment is not None, "given or worked out"
    if print_only:
        show(commitment)
        return
    show_receipt(dice.contribute(session.campaign, who, commitment), as_json=as_json)


@command.command("reveal")
@click.option("--by", "who", required=True, metavar="WHO", help="The player.")
@click.option("--words", required=True, metavar="TEXT", help="The words that were committed to.")
@as_json
@pass_session
def reveal(session: Session, who: str, words: str, as_json: bool) -> None:
    """Show the words of a contribution.

    Once the first is shown, nobody can commit any more.

    \b
    arbitrator dice reveal --by Dana --words "seven rusty kettles"
    """
    played = session.tracker.dice.reveal(session.campaign, _clean(who), _clean(words))
    show_receipt(played, as_json=as_json)


@command.command("withheld")
@click.argument("who")
@reason
@as_json
@pass_session
def withheld(session: Session, who: str, reason: str, as_json: bool) -> None:
    """Go on without a contribution that WHO does not reveal.

    It stays in the log for everybody to see.

    \b
    arbitrator dice withheld Dana --reason "not at the table"
    """
    played = session.tracker.dice.withhold(session.campaign, _clean(who), reason=_clean(reason))
    show_receipt(played, as_json=as_json)


@command.command("abandon")
@click.argument("request", type=click.IntRange(min=1))
@reason
@as_json
@pass_session
def abandon(session: Session, request: int, reason: str, as_json: bool) -> None:
    """Give up a request whose dice were never rolled.

    It stays in the log for everybody to see.

    \b
    arbitrator dice abandon 57 --reason "the battle was called off"
    """
    played = session.tracker.dice.abandon(session.campaign, request, reason=_clean(reason))
    show_receipt(played, as_json=as_json)


@command.command("close")
@as_json
@pass_session
def close(session: Session, as_json: bool) -> None:
    """Reveal the session's seed, so that everybody can check it.

    'audit verify' works out every roll of the session again.

    \b
    arbitrator dice close
    """
    show_receipt(session.tracker.dice.close(session.campaign), as_json=as_json)
    if not as_json:
        show("\nNext: arbitrator audit verify")


def _clean(text: str) -> str:
    from tracker.documents.text import clean_note  # not above: who only reads, meets no document

    return clean_note(text)
