"""Every command under every book: it works, or is refused because the book has no such thing, and says what has."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import scenario
import trench_scenario
from tables import every

from tracker.campaign import records
from tracker.campaign.records.declaring import kinds_of_fields
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.campaign.steps.dispatch import is_known
from tracker.dice import DiceTray
from tracker.errors import Refusal
from tracker.records import converted, replace
from tracker.rules import loader
from tracker.rules.rulebook import BookHasNo

SENTENCES = Path(__file__).parents[2] / "fixtures" / "sentences"
CLOSED = records.CloseBattle(winner=None, drawn=True)
OTHER_GAMES = {
    "lasting_injuries", "crew_injuries", "injury_die", "injury_chart", "warband_rules", "experience",
    "nerve_tests", "wound_roll", "gangs", "advancements", "post_battle",
}  # fmt: skip
"""Parts of a book that its own files are made of: no player asked for one of these by its name."""


OF_OTHERS = {"PlayInTurn"}
"""Commands that are made of other commands: each of those is here."""


@cache
def examples() -> dict[str, records.Command]:
    """One of each command, as `fixtures/sentences` has it."""
    found: dict[str, records.Command] = {}
    for name in ("commands", "commands-of-warbands"):
        for line in (SENTENCES / f"{name}.txt").read_text(encoding="utf-8").splitlines()[::2]:
            kind, fields = line.split(" ", 1)
            found.setdefault(kind, converted(json.loads(fields), records.COMMANDS[kind]))
    return found


@cache
def states(book: str) -> tuple[CampaignState, ...]:
    """Between two battles, in one, and after it."""
    if "injury_chart" in loader.book(book).charts:
        table = trench_scenario.given(battle=False)
        during = table.when(trench_scenario.opening(1))
    else:
        gangs = (scenario.enlist(gang, *map(scenario.card, crew)) for gang, crew in scenario.CREW_OF.items())
        table = scenario.campaign(*gangs, book=book)
        crews: dict[str, tuple[str, ...]] = dict.fromkeys(scenario.CREW_OF, ())
        during = table.when(
            records.OpenBattle(battle="battle-1", scenario="Brawl", date="2026-01-01", crews=crews)
        )
    return table.state, during.state, during.when(CLOSED).state


def fitted(command: records.Command, state: CampaignState) -> records.Command:
    """The command about fighters and gangs of this campaign."""
    gangs = list(state.gangs.values())
    mine, theirs = (next(iter(gang.fighters)) for gang in gangs[:2])
    changes: dict[str, Any] = {}
    for name, kind in kinds_of_fields(type(command)).items():
        if isinstance(getattr(command, name), str):
            if kind == "fighter":
                changes[name] = theirs if name in ("target", "captive") else mine
            elif kind == "gang":
                changes[name] = gangs[0].gang
    return replace(command, **changes)


def refused(command: records.Command, state: CampaignState) -> Refusal | None:
    tray = DiceTray(roller=lambda sides: min(3, sides))
    try:
        decide_keeping_spare_dice(state, fitted(command, state), tray, loader.rulebook, entry=9)
    except Refusal as refusal:
        return refusal
    return None


def cases() -> Iterator[tuple[str, str]]:
    # A ruling is decided with the slots that it is about: `tests/cli` rules under every book.
    names = [name for name in records.COMMANDS if name not in ("RuleOnDispute", *OF_OTHERS)]
    return ((book, name) for book in loader.book_names() for name in names)


@every(("book", "name"), list(cases()))
def test_every_command_under_every_book_works_or_the_book_has_no_such_thing(book: str, name: str) -> None:
    command, printed = examples()[name], loader.book(book)
    declared = records.DECLARATIONS[type(command)]
    for state in states(book):
        refusal = refused(command, state)
        if not is_known(printed, declared):
            assert isinstance(refusal, BookHasNo)
            assert (refusal.book, refusal.part) == (printed.title, declared.part)
        elif isinstance(refusal, BookHasNo):
            assert refusal.part not in OTHER_GAMES, refusal.message()


@every("name", records.COMMANDS)
def test_a_command_that_some_book_does_not_know_says_what_such_a_book_lacks(name: str) -> None:
    declared = records.DECLARATIONS[records.COMMANDS[name]]
    lacking = [book for book in map(loader.book, loader.book_names()) if not is_known(book, declared)]
    assert bool(declared.part) == bool(lacking)
    if declared.instead is not None:
        instead = records.DECLARATIONS[records.COMMANDS[declared.instead[0]]]
        assert any(is_known(book, instead) for book in lacking), "somewhere it helps"


def test_what_a_book_has_in_place_of_it_is_said() -> None:
    changing = records.ChangeReputation(gang="pilgrims", by=1, why="won")
    refusal = refused(changing, states("trench_crusade")[0])
    assert refusal is not None
    assert refusal.message() == (
        f"{loader.book('trench_crusade').title} has no Reputation, so this cannot be decided by it. Use glory"
        " in a post-battle file instead."
    )


def test_every_command_has_an_example() -> None:
    assert examples().keys() == records.COMMANDS.keys() - OF_OTHERS
