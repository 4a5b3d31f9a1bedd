"""An index with holes: who reads and finds fewer events than the head counts is reported, and given none."""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from log_events import ASH_WASTES, write_entry
from sqlalchemy import Engine
from sqlite_holes import hole

from tracker.log.database import open_database
from tracker.log.refusals import EventsMissing, HeadDamaged
from tracker.log.store import EventStore

ENTRIES = 9


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of nine entries of three events; the sixth fills slot 2 again."""
    file = tmp_path_factory.mktemp("written") / "log.db"
    engine = open_database(f"sqlite:///{file}", migrate=True)
    store = EventStore(engine)
    for entry in range(1, ENTRIES + 1):
        write_entry(store, slots=[6, 2, 2] if entry == 6 else None)
    engine.dispose()
    return file


@pytest.fixture
def file(written: Path, tmp_path: Path) -> Path:
    return Path(shutil.copyfile(written, tmp_path / "log.db"))


@pytest.fixture
def opened(file: Path) -> Iterator[Callable[[], EventStore]]:
    engines: list[Engine] = []

    def open_() -> EventStore:
        engines.append(open_database(f"sqlite:///{file}", migrate=False))
        return EventStore(engines[-1])

    yield open_
    for engine in engines:
        engine.dispose()


def reads(store: EventStore) -> None:
    """Every way to read a log, as often as it may be asked for."""
    for entry in range(1, ENTRIES + 1):
        assert len(store.read_entry(ASH_WASTES, entry)) == 3
    assert store.read_entry(ASH_WASTES, ENTRIES + 1) == ()
    for after in range(ENTRIES + 1):
        for through in (None, *range(after, ENTRIES + 2)):
            list(store.read_slots(ASH_WASTES, after_slot=after, through_entry=through))
    for slot in range(1, ENTRIES + 1):
        assert len(store.read_slot(ASH_WASTES, slot)) >= 1
    assert len(list(store.read(ASH_WASTES))) == 3 * ENTRIES


def test_a_log_without_holes_is_never_said_to_have_one(opened: Callable[[], EventStore]) -> None:
    reads(opened())


@pytest.mark.parametrize("entry", range(1, ENTRIES + 1))
def test_an_entry_that_its_index_lost_is_missing_and_not_unknown(
    entry: int, file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, "events_entry", f"c1 = {entry}") == 3
    with pytest.raises(EventsMissing) as refused:
        opened().read_entry(ASH_WASTES, entry)
    assert refused.value.exit_code == 4
    assert "boards rebuild" in refused.value.message()


@pytest.mark.parametrize("seq", range(3 * ENTRIES))
def test_an_entry_of_which_its_index_lost_one_event_is_whole_or_missing(
    seq: int, file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, "events_entry", f"c2 = {seq}") == 1
    store, entry = opened(), seq // 3 + 1
    if seq in (0, 3 * ENTRIES - 1) or seq % 3 == 1:  # it lies between others, or at an end: read by its seq
        assert len(store.read_entry(ASH_WASTES, entry)) == 3
    else:
        with pytest.raises(EventsMissing):
            store.read_entry(ASH_WASTES, entry)


@pytest.mark.parametrize("seq", range(3 * ENTRIES))
@pytest.mark.parametrize("after", [0, 3, 7])
def test_one_event_that_the_index_of_slots_lost_is_missed(
    seq: int, after: int, file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, "events_slot", f"c2 = {seq}") == 1
    store = opened()
    slot = 2 if seq in (16, 17) else seq // 3 + 1
    if slot > after:
        with pytest.raises(EventsMissing):
            list(store.read_slots(ASH_WASTES, after_slot=after))
    else:
        list(store.read_slots(ASH_WASTES, after_slot=after))


def test_a_slot_that_its_index_lost_is_missing(file: Path, opened: Callable[[], EventStore]) -> None:
    hole(file, "events_slot", "c1 = 4")
    with pytest.raises(EventsMissing):
        opened().read_slot(ASH_WASTES, 4)


@pytest.mark.parametrize("slot", range(1, ENTRIES + 1))
@pytest.mark.parametrize("seq", range(3 * ENTRIES))
def test_an_event_that_the_index_of_slots_lost_is_missed_when_its_slot_is_read(
    seq: int, slot: int, file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, "events_slot", f"c2 = {seq}") == 1
    store = opened()
    if slot == (2 if seq in (16, 17) else seq // 3 + 1):
        with pytest.raises(EventsMissing):
            store.read_slot(ASH_WASTES, slot)
    else:
        assert len(store.read_slot(ASH_WASTES, slot)) >= 1


@pytest.mark.parametrize("seq", [0, 13, 26])
def test_an_event_that_is_not_there_is_missed_when_the_log_is_read(
    seq: int, file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, "events", f"c1 = {seq}") == 1
    with pytest.raises(EventsMissing):
        list(opened().read(ASH_WASTES))


def test_a_head_that_its_index_lost_is_damage_and_not_an_empty_log(
    file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, "sqlite_autoindex_heads_1", "1") == 1
    store = opened()
    with pytest.raises(HeadDamaged):
        store.head(ASH_WASTES)
    with pytest.raises(HeadDamaged):
        write_entry(store)
