"""Snapshots and rebuilds: caches that stay few, say what the log says, and come back when they are thrown away."""

import ast
import inspect
import pkgutil
import shutil
import zlib
from collections.abc import Iterator
from copy import copy
from importlib import import_module
from pathlib import Path

import pytest
from sqlalchemy import text

from bench.season import COPY_IDS_FROM, Season, hits_of_ten_events, open_tracker
from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.state import CampaignState
from tracker.log import database
from tracker.log.store import EventStore
from tracker.records import replace
from tracker.service import snapshots
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice
from tracker.service.roll_source import RollSource
from tracker.service.ruling_request import RulingRequest
from tracker.service.snapshots import EVERY_ENTRIES, SPAN, fingerprint, worth_keeping


@pytest.fixture(scope="module")
def grown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Season]:
    """A campaign long enough for a dozen snapshots and for more pages than SQLite keeps in its cache, and its state
    as the program has it that played it.
    """
    season = Season(open_tracker(tmp_path_factory.mktemp("grown") / "season.db"))
    season.grow(3500)
    yield season
    season.tracker.close()


@pytest.fixture
def season(grown: Season, tmp_path: Path) -> Iterator[Season]:
    """A copy of it, in a program that has just started."""
    file = tmp_path / "season.db"
    shutil.copy(str(grown.tracker.engine.url.database), file)
    copied = copy(grown)
    copied.tracker = open_tracker(file, ids_from=2 * COPY_IDS_FROM)
    yield copied
    copied.tracker.close()


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


def test_without_a_snapshot_near_the_end_the_first_entry_keeps_one_and_the_next_does_not(
    season: Season,
) -> None:
    with database.writing(season.tracker.engine) as connection:
        connection.execute(text("DELETE FROM snapshots"))
        connection.execute(text("DELETE FROM snapshots_parts"))
    tracker = Tracker(str(season.tracker.engine.url), actor="bench")
    hits = hits_of_ten_events(tracker, season.campaign)
    entries = []
    for _ in range(2):
        tracker.commands.play(season.campaign, [next(hits)])
        entries.append(tracker.repository.store.head(season.campaign).entries)
    tracker.close()
    assert entries[0] // EVERY_ENTRIES == entries[1] // EVERY_ENTRIES, "none is due by the count"
    assert [*kept(season)] == [entries[0] - 1]
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
    voided = tuple(redecided.slot.slot for redecided in preview.redecision.unsettled)
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


# --- parts: who is gone, and battles of long ago ---------------------------------------------------------


def parts_there(season: Season) -> set[str]:
    with database.reading(season.tracker.engine) as connection:
        return set(connection.execute(text("SELECT name FROM snapshots_parts")).scalars())


def parts_named(season: Season) -> set[str]:
    with database.reading(season.tracker.engine) as connection:
        listed = connection.execute(text("SELECT parts FROM snapshots")).scalars()
        return {name for parts in listed for name in parts.split()}


def just_started(season: Season) -> Tracker:
    return open_tracker(Path(str(season.tracker.engine.url.database)), ids_from=COPY_IDS_FROM)


def gone_of(state: CampaignState) -> dict[str, Fighter]:
    return {
        name: fighter
        for gang in state.gangs.values()
        for name, fighter in gang.fighters.items()
        if fighter.standing != "enlisted"
    }


def test_snapshots_share_their_parts_and_leave_none_behind_that_no_other_has(
    grown: Season, season: Season
) -> None:
    assert gone_of(grown.tracker.repository.state(grown.campaign))
    assert parts_there(season) == parts_named(season)
    roll = first_roll_of_battle(season.tracker, season.campaign, 9)
    season.tracker.disputes.open(season.campaign, roll, reason="cocked", raised_by="Dana")
    request = RulingRequest(verdict="voided", reason="cocked", strategy="void-later")
    season.tracker.rulings.rule(season.campaign, roll, request)
    assert parts_there(season) == parts_named(season)
    season.tracker.audit.rebuild_boards(season.campaign)
    assert parts_there(season) == parts_named(season)
    assert season.tracker.audit.verify(season.campaign).ok


def test_a_program_just_started_reads_no_card_of_who_is_gone_unless_it_is_asked(
    grown: Season, season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    folded = grown.tracker.repository.state(grown.campaign)
    hit = next(hits_of_ten_events(season.tracker, season.campaign))
    wound = season.tracker.commands.play(season.campaign, [hit]).entries[0][1].address
    reads: list[str] = []
    read = EventStore.snapshot_part

    def noted(store: EventStore, *asked: str) -> bytes | None:
        part = read(store, *asked)
        assert part is not None
        reads.append(zlib.decompress(part).decode())
        return part

    monkeypatch.setattr(EventStore, "snapshot_part", noted)
    tracker = just_started(season)

    request = RulingRequest(verdict="corrected", reason="cocked", faces="1")
    tracker.rulings.preview(season.campaign, wound, request)
    close = CommandWithDice(command=records.CloseBattle(winner=None, drawn=True))
    tracker.commands.play(season.campaign, [close], roll=True)
    # Whether somebody new has the id of anybody is asked: of ids alone.
    assert [cards for cards in reads if "characteristics" in cards] == []

    assert gone_of(tracker.repository.state(season.campaign)).items() >= gone_of(folded).items()
    assert [cards for cards in reads if "characteristics" in cards]
    tracker.close()


@pytest.mark.parametrize("damage", ["DELETE FROM snapshots_parts", "UPDATE snapshots_parts SET body = x'00'"])
def test_parts_that_are_gone_or_damaged_are_folded_again_and_the_audit_names_their_snapshots(
    grown: Season, season: Season, damage: str
) -> None:
    expected = grown.tracker.repository.state(grown.campaign)
    newcomer = just_started(season)
    held = newcomer.repository.state(season.campaign)
    with database.writing(season.tracker.engine) as connection:
        connection.execute(text(damage))

    assert gone_of(held) == gone_of(expected)
    assert held == expected
    newcomer.close()
    audit = season.tracker.audit.verify(season.campaign)
    of_all = parts_named(season) and [entry for entry in kept(season) if entry > min(kept(season))]
    assert {f"the snapshot after entry {entry} is not what the log folds to" for entry in of_all} <= {
        *audit.snapshots
    }
    season.tracker.audit.rebuild_boards(season.campaign)
    assert season.tracker.audit.verify(season.campaign).ok


def test_a_part_is_read_in_the_transaction_that_writes(grown: Season, season: Season) -> None:
    """Somebody else's reading would wait for it, and the transaction for the reading."""
    tracker = just_started(season)
    card = next(iter(gone_of(grown.tracker.repository.state(grown.campaign)).values()))
    again = records.EnlistFighter(gang=card.gang, card=season._card("ganger"))
    taken = records.EnlistFighter(gang=card.gang, card=replace(again.card, fighter=card.fighter))

    def enlist_while_nobody_else_may_read() -> None:
        with tracker.repository.store.exclusively(season.campaign) as store:
            store.connection.execute(text("PRAGMA cache_size = 1"))
            store.connection.execute(text("UPDATE commands SET digest = digest || ' '"))
            sent = records.IdempotencyKey(key="k", digest="d")
            plan = CommandWithDice(command=taken)
            tracker.commands._decided(store, season.campaign, [plan], sent, rolls=RollSource(), actor=None)

    with pytest.raises(records.FighterEnlistedAlready):
        enlist_while_nobody_else_may_read()
    tracker.close()


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
