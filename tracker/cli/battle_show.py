"""One battle, shown: for a terminal, a wiki, a chat, a site, a program."""

from __future__ import annotations

import click

from tracker.cli.options import ENTRY_NUMBER, form_of, of_one_moment, pass_session, show
from tracker.cli.options import as_json as json_option
from tracker.cli.session import Session
from tracker.log import database
from tracker.projections import queries
from tracker.reports.battle import battle_page
from tracker.reports.battle_story import GangStory, story
from tracker.reports.log import struck_out_by_rows
from tracker.reports.names import Names
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
    state = tracker.repository.state(campaign, as_of_entry=as_of_entry)
    now = tracker.repository.state(campaign)
    names = Names.of_state(now)
    with database.reading(tracker.engine) as connection:
        rows = queries.battles(connection, campaign)
        row = next((one for one in rows if battle in (one["battle"], str(one["number"]))), None)
        if row is None:
            raise NoSuchBattle(battle=battle, known=tuple(str(one["battle"]) for one in rows))
        listed = queries.entries(connection, campaign, battle=row["battle"])
    after = list(tracker.boards.after_battle(campaign, row["battle"], as_of_entry=as_of_entry))
    if as_of_entry is not None:
        listed = [one for one in listed if one["entry"] <= as_of_entry]
        if state.under_way is not None and state.under_way.battle == row["battle"]:
            row = {**row, "status": "under_way", "winner": None, "drawn": False, "closed": None}
    entries = tracker.repository.contents(campaign, [(one["entry"], one["slot"]) for one in listed])
    standing = sorted(
        (place for place in zip(listed, entries, strict=True) if counts(place[0], as_of_entry)),
        key=lambda place: place[0]["slot"],
    )
    point = NOW if as_of_entry is None else AsOf(clock="entry", value=str(as_of_entry))
    pending = tracker.boards.pending(campaign, point).about(
        (), {one.seq for entry in entries for one in entry}
    )
    members = {**now.gang_of, **now.vehicle_of}

    def tell(names: Names) -> tuple[GangStory, ...]:
        during = [entry for _, entry in standing]
        return story(row, during, names, members=members, after=after, disputed=pending.events)

    page = battle_page(
        row,
        entries,
        names,
        story=tell,
        state=state,
        struck=struck_out_by_rows(listed),
        pending=pending.disputes,
        resting=pending.resting,
    )
    show(page, form, as_json=as_json)
