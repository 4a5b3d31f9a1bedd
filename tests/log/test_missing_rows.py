"""An index with holes: who reads and finds fewer events than the head counts is reported, and given none."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from log_events import ASH_WASTES, write_entry
from sqlalchemy import Engine
from sqlite_holes import hole

from tracker.errors import LogDamaged
from tracker.log.database import open_database
from tracker.log.refusals import EventsMissing, HeadDamaged
from tracker.log.store import EntryPlace, EventStore

ENTRIES = 9
REFILLED = (16, 17)
"""What the sixth entry wrote into slot 2."""

PLACES = [EntryPlace(slot, 3 * slot - 3, 3 * slot) for slot in range(1, ENTRIES + 1)]

KEY = "sqlite_autoindex_events_1"
"""The index of the log's key; all entries are found through it."""


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
    together = store.read_slots_at(ASH_WASTES, PLACES, through_entry=ENTRIES)
    assert together == {slot: store.read_slot(ASH_WASTES, slot) for slot in range(1, ENTRIES + 1)}
    assert len(list(store.read(ASH_WASTES))) == 3 * ENTRIES


def test_a_log_without_missing_rows_is_never_reported_as_having_some(
    opened: Callable[[], EventStore],
) -> None:
    reads(opened())


def seqs_of(entry: int) -> range:
    return range(3 * entry - 3, 3 * entry)


def slot_of(seq: int) -> int:
    return 2 if seq in REFILLED else seq // 3 + 1


@pytest.mark.parametrize("entry", range(1, ENTRIES + 1))
def test_an_entry_that_the_key_lost_is_missing_and_not_unknown(
    entry: int, file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, KEY, f"c1 IN {tuple(seqs_of(entry))}") == 3
    with pytest.raises(EventsMissing) as refused:
        opened().read_entry(ASH_WASTES, entry)
    assert refused.value.exit_code == 4
    assert "boards rebuild" in refused.value.message()


@pytest.mark.parametrize("seq", range(3 * ENTRIES))
def test_no_entry_is_given_without_the_event_that_the_key_lost(
    seq: int, file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, KEY, f"c1 = {seq}") == 1
    store = opened()
    for entry in range(1, ENTRIES + 1):
        if seq in seqs_of(entry):
            with pytest.raises(EventsMissing):
                store.read_entry(ASH_WASTES, entry)
        else:
            with suppress(EventsMissing):  # it lies beside the hole, or on the way to the entry
                assert len(store.read_entry(ASH_WASTES, entry)) == 3


@pytest.mark.parametrize("seq", range(3 * ENTRIES))
def test_no_slot_read_with_others_is_given_without_the_event_that_the_key_lost(
    seq: int, file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, KEY, f"c1 = {seq}") == 1
    store = opened()
    for place in PLACES:
        if seq in seqs_of(place.slot):
            with pytest.raises(EventsMissing):
                store.read_slots_at(ASH_WASTES, [place], through_entry=ENTRIES)
        else:
            with suppress(EventsMissing):
                found = store.read_slots_at(ASH_WASTES, [place], through_entry=ENTRIES)
                assert len(found[place.slot]) == (5 if place.slot == 2 else 1 if place.slot == 6 else 3)


@pytest.mark.parametrize("seq", range(3 * ENTRIES))
def test_an_event_missing_from_the_primary_key_is_noticed_among_the_slots(
    seq: int, file: Path, opened: Callable[[], EventStore]
) -> None:
    parts: list[dict[str, Any]] = [
        {"after_slot": after, "through_entry": through} for after in (0, 3, 7) for through in (None, 8)
    ]
    store = opened()
    wholes = [[event.seq for event in store.read_slots(ASH_WASTES, **part)] for part in parts]
    assert hole(file, KEY, f"c1 = {seq}") == 1
    store = opened()
    for part, whole in zip(parts, wholes, strict=True):
        found = None
        with suppress(EventsMissing):
            found = [event.seq for event in store.read_slots(ASH_WASTES, **part)]
        if 3 * part["after_slot"] <= seq < 3 * (part["through_entry"] or ENTRIES):
            assert found is None, part
        else:
            assert found in (None, whole), part


@pytest.mark.parametrize("seq", REFILLED)
@pytest.mark.parametrize("after", [0, 1, 2, 7])
def test_an_event_that_the_index_of_what_was_filled_again_lost_is_missed(
    seq: int, after: int, file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, "events_refilled", f"c2 = {seq}") == 1
    store = opened()
    for unread in (frozenset[str](), frozenset({"RollMade"})):
        if after < 2:
            with pytest.raises(EventsMissing):
                list(store.read_slots(ASH_WASTES, after_slot=after, unread=unread))
        else:
            list(store.read_slots(ASH_WASTES, after_slot=after, unread=unread))


def test_a_slot_whose_filling_is_lost_from_the_index_is_not_given_as_it_was_before(
    file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, "events_refilled", "1") == len(REFILLED)
    with pytest.raises(EventsMissing):
        list(opened().read_slots(ASH_WASTES))


@pytest.mark.parametrize("seq", range(3 * ENTRIES))
def test_an_event_that_the_key_lost_is_missed_when_its_slot_is_read(
    seq: int, file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, KEY, f"c1 = {seq}") == 1
    store = opened()
    for slot in range(1, ENTRIES + 1):
        if slot == slot_of(seq):
            with pytest.raises(EventsMissing):
                store.read_slot(ASH_WASTES, slot)
        else:
            with suppress(EventsMissing):
                assert len(store.read_slot(ASH_WASTES, slot)) == (5 if slot == 2 else 1 if slot == 6 else 3)


@pytest.mark.parametrize("seq", REFILLED)
def test_a_slot_is_not_given_with_a_part_of_what_filled_it_again(
    seq: int, file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, "events_refilled", f"c2 = {seq}") == 1
    store = opened()
    with pytest.raises(EventsMissing):
        store.read_slot(ASH_WASTES, 2)
    assert [len(store.read_slot(ASH_WASTES, slot)) for slot in (1, 3, 6)] == [3, 3, 1]


@pytest.mark.parametrize("seq", [0, 13, 26])
def test_an_event_that_the_key_lost_is_missed_when_the_log_is_read(
    seq: int, file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, KEY, f"c1 = {seq}") == 1
    with pytest.raises(EventsMissing):
        list(opened().read(ASH_WASTES))


@pytest.mark.parametrize("seq", [0, 13, 26])
def test_a_row_that_is_not_there_is_damage_to_everyone_who_reads_it(
    seq: int, file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, "events", f"c1 = {seq}") == 1
    store = opened()
    for read in (store.read, store.read_slots):
        with pytest.raises(LogDamaged):
            list(read(ASH_WASTES))
    with pytest.raises(LogDamaged):
        store.read_entry(ASH_WASTES, seq // 3 + 1)


def test_a_head_that_its_index_lost_is_damage_and_not_an_empty_log(
    file: Path, opened: Callable[[], EventStore]
) -> None:
    assert hole(file, "sqlite_autoindex_heads_1", "1") == 1
    store = opened()
    with pytest.raises(HeadDamaged):
        store.head(ASH_WASTES)
    with pytest.raises(HeadDamaged):
        write_entry(store)
