"""Snapshots and rebuilds: caches that stay few, say what the log says, and come back when they are thrown away."""

import ast
import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from sqlalchemy import text

from bench.season import Season, open_tracker
from tracker.log import database
from tracker.service import snapshots
from tracker.service.application import Tracker
from tracker.service.ruling_request import RulingRequest
from tracker.service.snapshots import EVERY_ENTRIES, SPAN, fingerprint, worth_keeping


@pytest.fixture
def season(tmp_path: Path) -> Iterator[Season]:
    """A campaign long enough for a dozen snapshots and for more pages than SQLite keeps in its cache."""
    season = Season(open_tracker(tmp_path / "season.db"))
    season.grow(3500)
    yield season
    season.tracker.close()


def kept(season: Season) -> dict[int, bytes]:
    of = {"campaign": season.campaign, "fingerprint": fingerprint()}
    query = text(
        "SELECT entry, body FROM snapshots"
        " WHERE campaign_id = :campaign AND fingerprint = :fingerprint ORDER BY entry"
    )
    with database.reading(season.tracker.engine) as connection:
        return {row.entry: row.body for row in connection.execute(query, of)}


def first_roll_of_battle(tracker: Tracker, campaign: str, battle: int) -> str:
    state = tracker.repository.state(campaign)
    name = next(name for name, number in state.battles.items() if number == battle)
    opened = next(
        recorded
        for recorded in tracker.repository.log.live(campaign)
        if getattr(recorded.event, "battle", None) == name
    )
    return f"{opened.entry + 1}.2"


def test_snapshots_lie_the_wider_apart_the_further_back_they_are() -> None:
    entries = range(EVERY_ENTRIES, 100 * EVERY_ENTRIES + 1, EVERY_ENTRIES)

    blocks = [entry // EVERY_ENTRIES for entry in worth_keeping(entries)]

    assert blocks == [32, 48, 64, 72, 80, 84, 88, 92, 94, 96, 97, 98, 99, 100]


def test_snapshots_grow_by_a_few_when_the_log_doubles() -> None:
    def count(blocks: int) -> int:
        return len(worth_keeping(range(EVERY_ENTRIES, blocks * EVERY_ENTRIES + 1, EVERY_ENTRIES)))

    assert all(count(2 * blocks) <= count(blocks) + SPAN for blocks in (10, 100, 1000, 10_000))


def test_one_snapshot_of_a_block_is_kept_and_it_is_the_latest() -> None:
    assert worth_keeping([64, 70, 127, 128]) == (127, 128)


def test_thinned_again_and_again_what_is_kept_is_what_would_be_kept_at_once() -> None:
    gathered: tuple[int, ...] = ()
    for block in range(1, 300):
        gathered = worth_keeping((*gathered, block * EVERY_ENTRIES))
        at_once = worth_keeping(range(EVERY_ENTRIES, block * EVERY_ENTRIES + 1, EVERY_ENTRIES))
        assert gathered == at_once


def test_a_log_keeps_few_snapshots_and_they_say_what_the_log_says(season: Season) -> None:
    assert tuple(kept(season)) == worth_keeping(kept(season))
    assert season.tracker.audit.verify(season.campaign).ok


def test_rebuilding_a_log_larger_than_the_cache_works_and_leaves_boards_and_snapshots(season: Season) -> None:
    before = season.tracker.repository.store.head(season.campaign).entries
    season.tracker.audit.rebuild_boards(season.campaign)

    audit = season.tracker.audit.verify(season.campaign)

    assert audit.ok, audit
    assert before in kept(season)
    assert len(kept(season)) > 3


def test_a_rebuild_after_a_ruling_keeps_no_state_that_the_ruling_reached_behind(season: Season) -> None:
    tracker, campaign = season.tracker, season.campaign
    roll = first_roll_of_battle(tracker, campaign, 20)
    tracker.disputes.open(campaign, roll, reason="cocked", raised_by="Dana")
    disputed_entry = int(roll.partition(".")[0])
    believed = tracker.repository.state(campaign, as_of_entry=disputed_entry + 70)
    tracker.rulings.rule(campaign, roll, RulingRequest(verdict="confirmed", reason="flat"))
    tracker.disputes.open(campaign, roll, reason="cocked after all", raised_by="Dana")
    preview = tracker.rulings.preview(campaign, roll, RulingRequest(verdict="voided", reason="cocked"))
    voided = tuple(redecided.slot.slot for redecided in preview.rejudged.unsettled)
    tracker.rulings.rule(campaign, roll, RulingRequest(verdict="voided", reason="cocked", void=voided))

    tracker.audit.rebuild_boards(campaign)

    last = tracker.repository.store.head(campaign).entries
    assert [entry for entry in kept(season) if entry >= disputed_entry] == [last]
    assert tracker.repository.state(campaign, as_of_entry=disputed_entry + 70) == believed
    assert tracker.audit.verify(campaign).ok


def test_a_snapshot_that_is_wrong_is_found_however_old_it_is(season: Season) -> None:
    oldest, body = next(iter(kept(season).items()))
    spoilt = body.replace(b'"enlisted"', b'"retired"', 1)
    with database.writing(season.tracker.engine) as connection:
        change = text("UPDATE snapshots SET body = :body WHERE entry = :entry")
        connection.execute(change, {"body": spoilt, "entry": oldest})

    audit = season.tracker.audit.verify(season.campaign)

    assert audit.snapshots == (f"the snapshot after entry {oldest} is not what the log folds to",)


def test_a_snapshot_is_named_by_every_module_that_folds() -> None:
    """Whatever of the campaign `evolve` and the events import when they run, and what that imports in turn."""
    found, waiting = set(), ["tracker.campaign.evolve", *_children("tracker.campaign.records")]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += _campaign_modules_imported_by(name)
    named = {module.__name__ for module in snapshots.FOLDING}
    assert {name for name in found if name not in named and name.rpartition(".")[0] not in named} == set()


def _children(package: str) -> list[str]:
    return [f"{package}.{one.name}" for one in pkgutil.iter_modules(import_module(package).__path__)]


def _campaign_modules_imported_by(name: str) -> list[str]:
    tree = ast.parse(inspect.getsource(import_module(name)))
    modules = [node.module or "" for node in tree.body if isinstance(node, ast.ImportFrom)]
    return [module for module in modules if module.startswith("tracker.campaign.")]
