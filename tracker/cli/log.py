"""The log: what happened, entry by entry."""

from __future__ import annotations

import click

from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.cli.event_words import events_in_words
from tracker.cli.name_lookup import fighter_id
from tracker.cli.options import ENTRY_NUMBER, as_json, dry_run, pass_session, show
from tracker.cli.receipts import show_receipt
from tracker.cli.session import Session
from tracker.errors import BadInput, nearest
from tracker.reports import log
from tracker.reports.names import Names

ENTRIES_SHOWN = 50


class NoSuchEventType(BadInput):
    """A type of event that the log does not know."""

    given: str

    def message(self) -> str:
        return (
            f"There is no type of event {self.given!r}.{nearest(self.given, records.EVENTS)} Known:"
            f" {', '.join(records.EVENTS)}."
        )


@click.group("log")
def command() -> None:
    """Read the log, whole or by entry; confirm a roll."""


@command.command("show")
@click.option("--fighter", help="Only entries about this fighter.")
@click.option("--gang", help="Only entries about this gang's fighters.")
@click.option("--battle", help="Only entries of this battle, by its number or id.")
@click.option(
    "--type",
    "event_types",
    metavar="EVENT",
    multiple=True,
    help="Only events of this type, such as RollMade; may be repeated.",
)
@click.option("--since", type=ENTRY_NUMBER, metavar="ENTRY", help="Only from this entry on.")
@click.option(
    "--limit", type=click.IntRange(1), help="Show this many entries: the first from --since on, or the last."
)
@click.option("--all", "everything", is_flag=True, help=f"Not only the last {ENTRIES_SHOWN} entries.")
@as_json
@pass_session
def show_(
    session: Session,
    fighter: str | None,
    gang: str | None,
    battle: str | None,
    event_types: tuple[str, ...],
    since: int | None,
    limit: int | None,
    everything: bool,
    as_json: bool,
) -> None:
    """List the entries. Those struck out are marked, never hidden.

    \b
    arbitrator log show --fighter vex
    """
    for unknown in (name for name in event_types if name not in records.EVENTS):
        raise NoSuchEventType(unknown)

    def find(state: CampaignState) -> str | None:
        return fighter_id(fighter, Names.of_state(state)) if fighter is not None else None

    board = session.tracker.boards.log(
        session.campaign,
        find=find,
        gang=gang,
        battle=battle,
        events=frozenset(event_types),
        since=since,
        limit=None if everything or since else limit or ENTRIES_SHOWN,
        first=limit if since else None,
    )
    names = Names.of_state(board.state)
    if not board.rows:
        _refuse_unknown(board.state, names, fighter=find(board.state), gang=gang)
        if battle is not None:
            session.tracker.boards.battle(session.campaign, battle)  # raises NoSuchBattle
    struck = log.struck_out_by_rows(board.rows)
    if event_types:
        events = [
            recorded
            for entry in board.entries
            for recorded in entry
            if type(recorded.event).__name__ in event_types
        ]
        show(log.events_page(events, names, struck=struck), as_json=as_json)
    else:
        show(log.log_page(board.entries, names, struck=struck), as_json=as_json)


def _refuse_unknown(state: CampaignState, names: Names, *, fighter: str | None, gang: str | None) -> None:
    """Refuse unknown names instead of printing an empty list. A voided fighter or gang is still found by its
    id.
    """
    if fighter is not None and fighter not in names.fighters:
        raise records.UnknownFighter(fighter=fighter, known=tuple(names.fighters))
    if gang is not None and gang not in state.gangs:
        raise records.UnknownGang(gang=gang, known=tuple(state.gangs))


@command.command("entry")
@click.argument("entry", type=ENTRY_NUMBER)
@as_json
@pass_session
def entry_(session: Session, entry: int, as_json: bool) -> None:
    """Show one entry: command, dice, events and causes.

    It also names the rulebook and house rules that decided it.

    \b
    arbitrator log entry 57
    """
    board = session.tracker.boards.entry(session.campaign, entry)
    page = log.entry_page(
        board.entries[0], Names.of_state(board.state), struck=log.struck_out_by_rows(board.rows)
    )
    show(page, as_json=as_json)


@command.command("confirm")
@click.argument("event", metavar="ENTRY.EVENT")
@click.option("--by", required=True, metavar="WHO", help="Who saw the die. Not the person who typed it in.")
@dry_run
@as_json
@pass_session
def confirm(session: Session, event: str, by: str, dry_run: bool, as_json: bool) -> None:
    """Confirm a roll that somebody else typed in.

    ENTRY.EVENT names the roll, such as 57.3. 'audit dice' shows what nobody confirmed.

    \b
    arbitrator log confirm 57.3 --by Robin
    """
    from tracker.documents.text import clean_note  # not above: who only reads, meets no document

    with events_in_words(session):
        played = session.tracker.disputes.confirm(session.campaign, event, by=clean_note(by), dry_run=dry_run)
    show_receipt(played, as_json=as_json)
