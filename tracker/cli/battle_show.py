"""One battle, shown: for a terminal, a wiki, a chat, a site, a program."""

from __future__ import annotations

from typing import Any

import click

from tracker.cli.options import ENTRY_NUMBER, form_of, of_one_moment, pass_session, show
from tracker.cli.options import as_json as json_option
from tracker.cli.session import Session
from tracker.log import database
from tracker.projections import queries
from tracker.reports.battle import battle_discord, battle_json, battle_markdown, battle_text
from tracker.reports.battle_page import battle_html
from tracker.reports.battle_story import story
from tracker.reports.html import marked
from tracker.reports.log import struck_out_by_rows
from tracker.reports.names import Names
from tracker.reports.table_state import table_state_data, table_state_lines
from tracker.service.as_of import NOW, AsOf
from tracker.service.history import counts
from tracker.service.refusals import NoSuchBattle


@click.command("show")
@click.argument("battle")
@click.option("--as-of-entry", type=ENTRY_NUMBER, help="What was believed after that entry.")
@form_of("text", "md", "discord", "html", "json")
@json_option
@pass_session
@of_one_moment
def show_(session: Session, battle: str, as_of_entry: int | None, form: str, as_json: bool) -> None:
    """One battle, by its id or number: what it did to each gang, what came after, and entry by entry.

    While it is under way, or as of an entry within it, also how everybody stands: pinned, wounded, out of
    ammo. That is gone when the battle ends. For a chat (discord) it comes without the entries, cut into
    messages of at most 2,000 characters.
    """
    tracker, campaign = session.tracker, session.campaign
    state = tracker.state(campaign, as_of_entry=as_of_entry)
    now = tracker.state(campaign)
    names = Names.of_state(now)
    if form == "html" and not as_json:
        names = marked(names)
    with database.reading(tracker.engine) as connection:
        rows = queries.battles(connection, campaign)
        row = next((one for one in rows if battle in (one["battle"], str(one["number"]))), None)
        if row is None:
            raise NoSuchBattle(battle=battle, known=tuple(str(one["battle"]) for one in rows))
        listed = queries.entries(connection, campaign, battle=row["battle"])
    after = tracker.after_battle(campaign, row["battle"], as_of_entry=as_of_entry)
    if as_of_entry is not None:
        listed = [one for one in listed if one["entry"] <= as_of_entry]
        if state.under_way is not None and state.under_way.battle == row["battle"]:
            row = {**row, "status": "under_way", "winner": None, "drawn": False, "closed": None}
    entries = tracker.contents(campaign, [(one["entry"], one["slot"]) for one in listed])
    standing = sorted(
        (place for place in zip(listed, entries, strict=True) if counts(place[0], as_of_entry)),
        key=lambda place: place[0]["slot"],
    )
    point = NOW if as_of_entry is None else AsOf(clock="entry", told=str(as_of_entry))
    pending = tracker.pending(campaign, point).about((), {one.seq for entry in entries for one in entry})
    doubts: dict[str, Any] = {"pending": pending.disputes, "doubted": pending.events}
    members = {**now.gang_of, **now.vehicle_of}
    during = (entry for _, entry in standing)
    told = story(row, during, names, members=members, after=after, doubted=pending.events)
    struck = struck_out_by_rows(listed)
    stands = table_state_lines(state, row["battle"], names)
    if as_json or form == "json":
        on_the_table = table_state_data(state, row["battle"], names)
        doubts = {"pending": pending.disputes, "resting": pending.resting}
        show(battle_json(row, entries, names, told=told, standing=on_the_table, **doubts))
    elif form == "html":
        show(battle_html(row, entries, names, told=told, struck=struck, standing=stands, **doubts))
    elif form == "md":
        show(battle_markdown(row, entries, names, told=told, struck=struck, **doubts))
    elif form == "discord":
        show(battle_discord(row, names, told=told, pending=pending.disputes))
    else:
        show(battle_text(row, entries, names, told=told, struck=struck, standing=stands, **doubts))
