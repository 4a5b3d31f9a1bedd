"""What entries touched is kept beside the log, and a ruling on a long log decides what its change can touch."""

from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest
from sqlalchemy import event

from bench import ruling as depth
from bench.season import Season, open_tracker
from tracker.campaign.rulings.access_index import AccessBlock
from tracker.campaign.rulings.state_diff import state_diff
from tracker.log import database
from tracker.log.database import reading, writing
from tracker.log.store import EventStore
from tracker.records import replace
from tracker.schema import snapshots
from tracker.service import access_index_cache
from tracker.service.log_view import CurrentLogView
from tracker.service.ruling_request import RulingRequest
from tracker.service.rulings import Preview

ANSWER = replace(depth.ANSWER, strategy="void-later")


@pytest.fixture
def season(monkeypatch: pytest.MonkeyPatch) -> Iterator[Season]:
    monkeypatch.setattr(access_index_cache, "SLOTS_IN_BLOCK", 100)
    season = Season(open_tracker("sqlite://"))
    season.grow(1_500)
    yield season
    season.tracker.close()


def preview(season: Season) -> Preview:
    """Of a die near the beginning that took somebody Out of Action."""
    return season.tracker.rulings.preview(season.campaign, f"{depth._entry_at(season, 5)}.2", ANSWER)


def known(season: Season) -> int:
    return access_index_cache.load_access_index(season.tracker.repository, season.campaign).last


def test_a_preview_decides_what_its_change_can_touch_and_says_the_same(season: Season) -> None:
    whole = preview(season)
    assert season.tracker.audit.extend_access_index(season.campaign) > 2
    assert known(season) == season.tracker.repository.store.head(season.campaign).entries
    quick = preview(season)
    assert quick.redecision.skipped
    assert quick.redecision.looked_at < whole.redecision.looked_at / 2
    assert not state_diff(quick.after, whole.after)
    assert quick.redecision.unchanged == whole.redecision.unchanged
    assert quick.redecision.absences == whole.redecision.absences
    assert [(slot.slot, slot.fill) for slot in quick.redecision.slots] == [
        (slot.slot, slot.fill) for slot in whole.redecision.slots
    ]


def test_the_entries_that_a_preview_looks_at_are_read_together(season: Season) -> None:
    season.tracker.audit.extend_access_index(season.campaign)
    hit, asked = f"{depth._entry_at(season, 5)}.2", list[str]()
    event.listen(season.tracker.engine, "before_cursor_execute", lambda *given: asked.append(given[2]))
    looked_at = season.tracker.rulings.preview(season.campaign, hit, ANSWER).redecision.looked_at
    together = sum("FROM ranges JOIN events" in statement for statement in asked)
    one_by_one = sum("WITH RECURSIVE" in statement for statement in asked)
    assert together
    assert together + one_by_one < looked_at


def test_what_is_recorded_since_is_decided_until_it_is_known_too(season: Season) -> None:
    season.tracker.audit.extend_access_index(season.campaign)
    before = known(season)
    season.grow(season.events + 400)
    assert known(season) == before
    whole_to_the_end = season.tracker.repository.store.head(season.campaign).entries - before
    assert preview(season).redecision.looked_at >= whole_to_the_end
    assert season.tracker.audit.extend_access_index(season.campaign)
    assert known(season) == before + whole_to_the_end


def test_a_ruling_drops_what_is_kept_of_the_slots_behind_its_first(season: Season) -> None:
    tracker = season.tracker
    tracker.audit.extend_access_index(season.campaign)
    slot = next(last for last in range(201, 400) if rolled_in(season, last))
    tracker.rulings.rule(
        season.campaign,
        None,
        RulingRequest(verdict="rolled_back", reason="wrong", void=(slot,), strategy="void-later"),
    )
    assert 0 < known(season) < slot
    assert tracker.audit.extend_access_index(season.campaign)
    assert known(season) == tracker.repository.store.head(season.campaign).entries
    assert tracker.audit.verify(season.campaign).ok


def rolled_in(season: Season, slot: int) -> bool:
    return len(season.tracker.repository.log.slot(season.campaign, slot)) > 3


def test_a_ruling_that_comes_while_they_are_made_keeps_them_out(season: Season) -> None:
    made: list[int] = []

    def rule(_done: int, _all: int) -> None:
        if not made:
            made.append(1)
            slot = next(slot for slot in range(20, 100) if rolled_in(season, slot))
            season.tracker.rulings.rule(
                season.campaign,
                None,
                RulingRequest(verdict="rolled_back", reason="wrong", void=(slot,), strategy="void-later"),
            )

    assert season.tracker.audit.extend_access_index(season.campaign, progress=rule) == 0
    assert known(season) == 0


def test_a_damaged_block_and_those_behind_it_are_not_looked_at(season: Season) -> None:
    season.tracker.audit.extend_access_index(season.campaign)
    own = (snapshots.c.fingerprint == access_index_cache.fingerprint(), snapshots.c.entry == 200)
    with writing(season.tracker.engine) as connection:
        connection.execute(snapshots.update().where(*own).values(body=b"damaged"))
    assert known(season) == 100
    with reading(season.tracker.engine) as connection:
        assert connection.execute(snapshots.select().where(*own)).first() is not None


def test_a_preview_of_a_late_entry_reads_only_what_is_kept_from_there_on(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = depth._entry_at(season, 85)
    hit = f"{entry}.2"
    whole = season.tracker.rulings.preview(season.campaign, hit, ANSWER)
    season.tracker.audit.extend_access_index(season.campaign)
    read, decoded = list[int](), access_index_cache._decoded

    def noted(body: bytes, campaign: str, last: int) -> AccessBlock | None:
        read.append(last)
        return decoded(body, campaign, last)

    monkeypatch.setattr(access_index_cache, "_decoded", noted)
    quick = season.tracker.rulings.preview(season.campaign, hit, ANSWER)
    kept = [*range(100, known_entries(season), 100), known_entries(season)]
    assert read == [last for last in kept if last >= entry]
    assert len(read) < len(kept) / 2
    assert not state_diff(quick.after, whole.after)
    assert [(slot.slot, slot.fill) for slot in quick.redecision.slots] == [
        (slot.slot, slot.fill) for slot in whole.redecision.slots
    ]


def known_entries(season: Season) -> int:
    return season.tracker.repository.store.head(season.campaign).entries


def test_nothing_is_known_from_a_slot_whose_block_is_missing(season: Season) -> None:
    season.tracker.audit.extend_access_index(season.campaign)
    repository, campaign = season.tracker.repository, season.campaign
    with repository.exclusively(campaign) as store:
        store.thin_snapshots(store.connection, campaign, access_index_cache.fingerprint(), [200])
    from_slot = {
        first: access_index_cache.load_access_index(repository, campaign, first) for first in (100, 101, 201)
    }
    assert {first: (index.first, index.last) for first, index in from_slot.items()} == {
        100: (1, 100),
        101: (1, 0),
        201: (201, known_entries(season)),
    }


def test_a_past_log_is_decided_whole(season: Season) -> None:
    season.tracker.audit.extend_access_index(season.campaign)
    assert CurrentLogView(season.tracker.repository, season.campaign).tail_from(1) is not None
    audit = season.tracker.audit.verify(season.campaign)
    assert audit.ok


def kept_block(season: Season, last: int) -> AccessBlock:
    return next(
        block
        for block in access_index_cache._stored_blocks(season.tracker.repository, season.campaign)
        if block.last == last
    )


def put(season: Season, block: AccessBlock) -> None:
    """Put a block in the place of one that is kept, its digest and all."""
    body = access_index_cache._encoded(block, season.campaign)
    own = (snapshots.c.fingerprint == access_index_cache.fingerprint(), snapshots.c.entry == block.last)
    with writing(season.tracker.engine) as connection:
        connection.execute(snapshots.update().where(*own).values(body=body))


def an_entry_later(packed: msgspec.Raw) -> msgspec.Raw:
    """Slots with the place of a run behind each: the first slot, moved."""
    first, *rest = msgspec.msgpack.decode(packed)
    return msgspec.Raw(msgspec.msgpack.encode([first + 1, *rest]))


BROKEN: dict[str, Callable[[AccessBlock], AccessBlock]] = {
    "an entry that touched a fighter is forgotten": lambda block: replace(
        block, fighters=dict(list(block.fighters.items())[1:])
    ),
    "a part that an entry touched is forgotten": lambda block: replace(
        block, components=dict(list(block.components.items())[1:])
    ),
    "another field of a fighter": lambda block: replace(block, fields=(("name",), *block.fields[1:])),
    "another entry touched a fighter": lambda block: replace(
        block, fighters={name: an_entry_later(packed) for name, packed in block.fighters.items()}
    ),
    "a battle that opened is forgotten": lambda block: replace(block, openings=()),
    "where entries begin": lambda block: replace(block, seqs=msgspec.Raw(msgspec.msgpack.encode([1] * 100))),
    "nothing that can be read": lambda block: replace(block, seqs=msgspec.Raw(msgspec.msgpack.encode("x"))),
}


def test_a_block_that_says_otherwise_is_named(season: Season) -> None:
    audit = season.tracker.audit
    audit.extend_access_index(season.campaign)
    assert audit.access_index_faults(season.campaign) == ()
    good = kept_block(season, 200)
    wrong = ("the access index of entries 101 to 200 is wrong",)
    for broken, change in BROKEN.items():
        put(season, change(good))
        assert audit.access_index_faults(season.campaign) == wrong, broken
    audit.rebuild_boards(season.campaign)
    audit.extend_access_index(season.campaign)
    assert audit.access_index_faults(season.campaign) == ()
    put(season, BROKEN["a battle that opened is forgotten"](good))
    deep = audit.verify(season.campaign, deep=True)
    assert (deep.ok, deep.touches) == (False, wrong)
    assert audit.verify(season.campaign).ok
    season.tracker.audit.rebuild_boards(season.campaign)
    assert audit.verify(season.campaign, deep=True).ok


def test_what_is_kept_and_the_log_are_read_at_one_moment(
    season: Season, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else what an append keeps in between would be called wrong."""
    together: list[bool] = []
    snapshots_of = EventStore.snapshots_of

    def noted(store: EventStore, *about: Any) -> Any:
        together.append(database._SHARED.get() is not None)
        return snapshots_of(store, *about)

    monkeypatch.setattr(EventStore, "snapshots_of", noted)
    assert season.tracker.audit.access_index_faults(season.campaign) == ()
    assert together == [True]


@pytest.mark.postgres
def test_postgresql_keeps_them_and_a_preview_says_the_same(
    postgres_at_head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(access_index_cache, "SLOTS_IN_BLOCK", 40)
    season = Season(open_tracker(postgres_at_head))
    try:
        season.grow(700)
        whole = preview(season)
        assert season.tracker.audit.extend_access_index(season.campaign) > 2
        quick = preview(season)
        assert quick.redecision.skipped
        assert not state_diff(quick.after, whole.after)
        assert quick.redecision.unchanged == whole.redecision.unchanged
        assert season.tracker.audit.access_index_faults(season.campaign) == ()
        put(season, BROKEN["a part that an entry touched is forgotten"](kept_block(season, 80)))
        assert season.tracker.audit.access_index_faults(season.campaign) == (
            "the access index of entries 41 to 80 is wrong",
        )
    finally:
        season.tracker.close()
