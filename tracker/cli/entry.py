"""Entries of the log put right: what was typed wrong, as one ruling that can be taken back."""

from __future__ import annotations

from typing import Any

import click

from tracker.campaign.state import CampaignState
from tracker.cli import amending
from tracker.cli.corrections import armoury_of, armoury_option
from tracker.cli.options import ENTRY_NUMBER, pass_session
from tracker.cli.session import Session
from tracker.documents import post_battle
from tracker.documents.armoury import PriceLookup
from tracker.documents.battle_continued import continuation_plan
from tracker.documents.battle_report import BattlePlan
from tracker.documents.post_battle import PostBattlePlan, post_battle_plan
from tracker.documents.yaml_reader import read_document
from tracker.errors import BadInput
from tracker.reports.amended import NEW, Amended
from tracker.reports.names import Names
from tracker.rules import loader


@click.group("entry")
def command() -> None:
    """Put right what was typed wrong in a recorded entry."""


@command.command("amend")
@click.argument("entry", type=ENTRY_NUMBER)
@click.option(
    "--set",
    "sets",
    multiple=True,
    required=True,
    metavar="KEY=VALUE",
    help="A key of the entry as its file writes it, and what it should have said; may be repeated.",
)
@click.option(
    "--part", type=click.IntRange(min=1), metavar="NUMBER", help="Which one, where the entry holds several."
)
@armoury_option
@amending.amending_options
@pass_session
def amend(
    session: Session,
    /,
    entry: int,
    sets: tuple[str, ...],
    part: int | None,
    armoury: str | None,
    **how: Any,
) -> None:
    """Put right what an ENTRY says, such as --set by=vesk, and all that follows from it.

    Without --reason and --expect-head it only shows what would change. The old words stay in the log, struck
    out; 'rollback rule --ruling' takes the whole of it back. Dice that were written down wrong are set as
    dice.PURPOSE=FACES; where --set names another fighter, the dice become theirs.
    """
    what = amending.keys_set(session, entry, sets, part=part, armoury=armoury)
    typed = ["arbitrator", "entry", "amend", str(entry)]
    typed += [word for one in sets for word in ("--set", one)]
    typed += ["--part", str(part)] if part is not None else []
    typed += ["--armoury", armoury] if armoury is not None else []
    amending.amend(session, what, typed=typed, about=f"entry {entry}", **how)


class EntriesOfAnotherBattle(BadInput):
    """{file} holds entries of battle {named!r}, and entry {entry} belongs to {battle}. Name an entry of that
    battle, or put the file's 'battle:' right.
    """

    file: str
    named: str
    entry: int
    battle: str


@command.command("add")
@click.argument("file")
@click.option(
    "--after", type=ENTRY_NUMBER, required=True, metavar="ENTRY", help="The entry that it happened after."
)
@armoury_option
@amending.amending_options
@pass_session
def add(session: Session, /, file: str, after: int, armoury: str | None, **how: Any) -> None:
    """Add what was forgotten, in its place in the order of play, and all that follows from it.

    FILE holds the forgotten entries: battle-continued/1 for a battle, post-battle/1 for what came after it.
    They go into the entry that they happened after, behind what it holds. Without --reason and --expect-head
    it only shows what would change; 'rollback rule --ruling' takes the whole of it back.
    """
    tracker, campaign = session.tracker, session.campaign
    state, recorded = tracker.boards.state_at(campaign), tracker.amendments.recorded(campaign, after)
    document = read_document(file)
    purposes = loader.book(state.book).purposes
    named = document.root.child("format")
    plan: BattlePlan | PostBattlePlan
    if named is not None and named.content == post_battle.FORMAT:
        lookup = PriceLookup(state=recorded.before, armoury=armoury_of(session, armoury))
        plan = post_battle_plan(document, purposes=purposes, lookup=lookup)
    else:
        plan = continuation_plan(document, purposes=purposes)
        _refuse_another_battle(state, file, plan, after, tracker.boards.battle_of_slot(campaign, after))
    made = tracker.amendments.added(campaign, after, plan.decisions)
    names = Names.of_state(state)
    lines = [
        Amended(entry=made.entry, key=NEW, before=None, after=decision.command.in_words(names))
        for decision in plan.decisions
    ]
    what = amending.Amending(
        lines=tuple(lines), amended={made.entry: made.amendment}, words=amending.in_words(lines)
    )
    typed = ["arbitrator", "entry", "add", file, "--after", str(after)]
    typed += ["--armoury", armoury] if armoury is not None else []
    amending.amend(session, what, typed=typed, about=f"entry {made.entry}", **how)


def _refuse_another_battle(
    state: CampaignState, file: str, plan: BattlePlan, entry: int, battle: str | None
) -> None:
    if plan.battle != battle:
        belongs = Names.of_state(state).battle(battle) if battle is not None else "no battle"
        raise EntriesOfAnotherBattle(file=file, named=plan.battle, entry=entry, battle=belongs)
