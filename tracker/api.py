"""What a program may import. Every other module may move in any version.

`docs/api.md` shows these names at work.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from tracker.campaign import records
from tracker.dice import DiceNeeded, Die
from tracker.documents.armoury import PriceLookup, read_armoury
from tracker.documents.battle_report import battle_plan
from tracker.documents.gang_sheet import gang_sheet_command
from tracker.documents.post_battle import post_battle_heading, post_battle_plan
from tracker.documents.yaml_reader import read_document
from tracker.errors import BadInput, LogDamaged, Refusal, RulesRefuse, Stale
from tracker.rules import loader
from tracker.service.application import Tracker
from tracker.service.as_of import NOW, AsOf, read_as_of
from tracker.service.command_handler import CommandWithDice, RecordResult
from tracker.service.ruling_request import RulingRequest

__all__ = [
    "NOW", "AsOf", "BadInput", "CommandWithDice", "DiceNeeded", "Die", "LogDamaged", "RecordResult",
    "Refusal", "RulesRefuse", "RulingRequest", "Stale", "Tracker", "add_gang", "new_campaign",
    "open_tracker", "read_as_of", "record_battle", "record_post_battle", "records",
]  # fmt: skip

File = str | os.PathLike[str]


@contextmanager
def open_tracker(url: str, *, actor: str) -> Iterator[Tracker]:
    """A database, closed when the block ends; a new SQLite file is made where there is none.

    `url` is a SQLAlchemy URL such as sqlite:///club.db; `actor` is the name under which entries are recorded.
    """
    tracker = Tracker(url, actor=actor)
    try:
        yield tracker
    finally:
        tracker.close()


def new_campaign(
    tracker: Tracker, name: str, *, slug: str, book: str = "necromunda_2023", preset: str | None = None
) -> str:
    """Begin a campaign; gives its id. Raises CampaignNameTaken."""
    return tracker.commands.open_campaign(name=name, slug=slug, book=book, preset=preset).campaign


def add_gang(tracker: Tracker, campaign: str, sheet: File) -> RecordResult:
    """Enlist the gang of a gang sheet. The same sheet twice is one entry."""
    state = tracker.boards.state_at(campaign)
    characteristics = loader.book(state.book).characteristics
    enlist = gang_sheet_command(read_document(sheet), characteristics=characteristics, state=state)
    key = tracker.commands.key_of(campaign, "gang", enlist.gang)
    return tracker.commands.play(campaign, [CommandWithDice(command=enlist)], key=key)


def record_battle(
    tracker: Tracker, campaign: str, report: File, *, roll: bool = False, dry_run: bool = False
) -> RecordResult:
    """Record a battle report, whole or not at all. The same report twice changes nothing.

    `roll` lets the tool roll the dice that the report leaves out; `dry_run` writes nothing.
    """
    state = tracker.boards.state_at(campaign)
    plan = battle_plan(read_document(report), purposes=loader.book(state.book).purposes, state=state)
    return tracker.commands.record_battle(campaign, plan, roll=roll, dry_run=dry_run)


def record_post_battle(
    tracker: Tracker,
    campaign: str,
    file: File,
    *,
    armoury_file: File | None = None,
    roll: bool = False,
    dry_run: bool = False,
) -> RecordResult:
    """Record a post-battle file, whole or not at all. The same file twice changes nothing.

    Prices and profiles come from the armoury file.
    """
    document = read_document(file)
    state = tracker.boards.state_at(campaign)
    plan = post_battle_heading(document, book=state.book)
    if not tracker.commands.is_recorded(campaign, plan):
        book = loader.book(state.book)
        armoury = None
        if armoury_file is not None:
            armoury = read_armoury(read_document(armoury_file), characteristics=book.characteristics)
        lookup = PriceLookup(state=state, armoury=armoury)
        plan = post_battle_plan(document, purposes=book.purposes, lookup=lookup)
    return tracker.commands.play_post_battle(campaign, plan, roll=roll, dry_run=dry_run)
