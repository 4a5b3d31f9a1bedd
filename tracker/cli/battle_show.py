"""One battle, shown: for a terminal, a wiki, a chat, a site, a program."""

from __future__ import annotations

import click

from tracker.cli.options import ENTRY_NUMBER, form_of, pass_session, show
from tracker.cli.options import as_json as json_option
from tracker.cli.session import Session
from tracker.reports.battle import battle_page
from tracker.reports.battle_story import GangStory, story
from tracker.reports.log import struck_out_by_rows
from tracker.reports.names import Names


@click.command("show")
@click.argument("battle")
@click.option("--as-of-entry", type=ENTRY_NUMBER, help="What was believed after that entry.")
@form_of("text", "md", "discord", "html", "json")
@json_option
@pass_session
def show_(session: Session, battle: str, as_of_entry: int | None, form: str, as_json: bool) -> None:
    """One battle, by its id or number: what it did to each gang, what came after, and entry by entry.

    While it is under way, or as of an entry within it, also how everybody stands: pinned, wounded, out of
    ammo. That is gone when the battle ends. For a chat (discord) it comes without the entries, cut into
    messages of at most 2,000 characters.
    """
    board = session.tracker.boards.battle(session.campaign, battle, as_of_entry=as_of_entry)
    members = {**board.now.gang_of, **board.now.vehicle_of}

    def tell(names: Names) -> tuple[GangStory, ...]:
        return story(
            board.row,
            board.counting,
            names,
            members=members,
            after=board.after,
            disputed=board.pending.events,
        )

    page = battle_page(
        board.row,
        board.entries,
        Names.of_state(board.now),
        story=tell,
        state=board.state,
        struck=struck_out_by_rows(board.rows),
        pending=board.pending.disputes,
        dependents=board.pending.resting,
    )
    show(page, form, as_json=as_json)
