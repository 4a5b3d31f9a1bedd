"""What the store promises, on an SQLite file, in memory and on PostgreSQL alike."""

import os
import re
import tracemalloc
from collections.abc import Callable
from functools import partial
from typing import Any

import forked
import msgspec
import psycopg
import pytest
import writer_process
from log_events import ASH_WASTES, UNDERHIVE, as_intruder, draft, write_entry
from sqlalchemy import Engine, text
from sqlalchemy.event import listens_for
from sqlalchemy.exc import DBAPIError
from tables import every

from tracker.log import appending, campaigns, database, driver_errors, refusals, verification
from tracker.log.canonical import canonical_bytes
from tracker.log.chain import EMPTY_FRONTIER, EMPTY_PREV, leaf_hash
from tracker.log.database import open_database, reading, writing
from tracker.log.prepared_statements import insertion, pipelined
from tracker.log.schema_check import schema_faults
from tracker.log.sealing import Head, seal
from tracker.log.statements import AT_ONCE
from tracker.log.store import EntryPlace, EventStore, StoredEvent
from tracker.schema import board_campaigns, heads

# Read before any test starts: the clean environment of a test has no TRACKER_ variables.
STREAM_EVENTS = int(os.environ.get("TRACKER_STREAM_EVENTS", "12000"))


def seqs(found: Any) -> list[int]:
    return [event.seq for event in found]


# --- appending -------------------------------------------------------------------------------------------


def test_a_campaign_never_written_has_an_empty_head(store: EventStore) -> None:
    assert store.head(ASH_WASTES) == Head(campaign=ASH_WASTES)
    assert store.head(ASH_WASTES).leaf_hex == EMPTY_PREV
    assert store.campaigns() == ()
    assert list(store.read(ASH_WASTES)) == []
    assert list(store.read_slots(ASH_WASTES)) == []
    assert store.read_entry(ASH_WASTES, 1) == ()
    assert store.verify(ASH_WASTES).ok


def test_what_was_sealed_is_read_back_byte_for_byte(store: EventStore) -> None:
    head = store.head(ASH_WASTES)
    sealed, new_head = seal(head, [draft(0, entry=1), draft(1, entry=1), draft(2, entry=2)])
    receipt = store.append(head, sealed, new_head, key="first", digest="d")
    assert (receipt.first_seq, receipt.last_seq, receipt.first_entry, receipt.last_entry) == (0, 2, 1, 2)
    assert not receipt.repeated
    assert list(store.read(ASH_WASTES)) == [
        StoredEvent(event.seq, event.entry, event.slot, event.type, event.body, event.leaf)
        for event in sealed
    ]
    assert store.head(ASH_WASTES) == new_head
    assert store.campaigns() == (ASH_WASTES,)


def test_each_event_names_the_leaf_of_the_one_before(store: EventStore) -> None:
    write_entry(store)
    write_entry(store)
    before = EMPTY_PREV
    for event in store.read(ASH_WASTES):
        assert f'"prev":"{before}"'.encode() in event.body
        before = event.leaf.hex()
    assert store.head(ASH_WASTES).leaf_hex == before


def test_data_may_come_as_json_of_any_spelling(store: EventStore) -> None:
    as_dict = draft(0, entry=1, data={"a": [1, None], "b": "Krüg"})
    as_json = draft(0, entry=1, data=b'{ "b":"Kr\\u00fcg", "a":[1,null] }')
    assert seal(Head(campaign=ASH_WASTES), [as_dict]) == seal(Head(campaign=ASH_WASTES), [as_json])


DATA: list[dict[str, Any]] = [
    {},
    {"a": [1, None, True, -(2**53) + 1], "b": "Krüg", "c": {"d": [{"e": ""}]}},
    {"text": 'a "quoted" word and a \\ too'},
    {"name": "Жанна"},
    {"name": "漢字"},
    {"deep": [[[[[[[[1]]]]]]]]},
]


@every("actor", ["arbitrator", "Krüg", "Жанна", 'a "b"'])
def test_what_is_sealed_together_is_what_is_sealed_by_steps(actor: str) -> None:
    """JSON of canonical spelling is put together from parts; a dict is written out whole."""
    for together in ([0, 1], [1, 0, 1], [3, 1], [2], [5, 4], range(len(DATA))):
        by_steps, quickly = (
            seal(
                Head(campaign="Жanna"),
                [
                    draft(
                        at, entry=1, actor=actor, causation=at - 1 if at else None, data=spelled(DATA[number])
                    )
                    for at, number in enumerate(together)
                ],
            )
            for spelled in (dict, canonical_bytes)
        )
        assert quickly == by_steps


def test_data_that_are_only_json_together_are_never_sealed() -> None:
    for halves in ([b'{"a":1},{"b":[1', b"2]}"], [b'{"a":[1', b"2]}"], [b'{"a":1},{"b":2}']):
        drafts = [draft(at, entry=1, data=half) for at, half in enumerate(halves)]
        with pytest.raises((refusals.NotStorable, msgspec.DecodeError)):
            seal(Head(campaign=ASH_WASTES), drafts)


@every(
    "wrong",
    [
        {"at": "2026-11-21 09:50"},
        {"at": "٢٠٢٦-11-21T09:50:34Z"},
        {"event_id": "0190a000-0000-4000-8000-000000000000"},
        {"actor": ""},
        {"shape": 0},
        {"policy_digest": "AB"},
        {"data": {"odds": 0.5}},
        {"data": b"[]"},
        {"data": b'{"odds":0.5}'},
        {"data": b'{"clef":"\xe2\x80\xae"}'},
        {"data": b'{"cl\xc3\xa9":1}'},
        {"data": b'{"many":9007199254740992}'},
        {"data": b'{"text":"' + b"x" * 64 * 1024 + b'"}'},
        {"at": "2026-11-21 09:50", "data": b"{}"},
        {"event_id": "0190a000-0000-4000-8000-000000000000", "data": b"{}"},
        {"actor": "", "data": b"{}"},
        {"actor": "a\u202eb", "data": b"{}"},
        {"type": "", "data": b"{}"},
        {"shape": 0, "data": b"{}"},
        {"policy_digest": "AB", "data": b"{}"},
        {"causation": -1, "data": b"{}"},
    ],
)
def test_an_envelope_that_does_not_fit_is_never_sealed(wrong: dict[str, Any]) -> None:
    with pytest.raises(refusals.NotStorable):
        seal(Head(campaign=ASH_WASTES), [draft(0, entry=1, **wrong)])


def test_an_append_on_an_old_head_is_refused(store: EventStore) -> None:
    old = store.head(ASH_WASTES)
    write_entry(store)
    sealed, new_head = seal(old, [draft(7, entry=1)])
    with pytest.raises(refusals.StaleHead) as refused:
        store.append(old, sealed, new_head, key="late", digest="d")
    assert (refused.value.expected_size, refused.value.current_size) == (0, 3)
    assert refused.value.exit_code == 3
    assert store.head(ASH_WASTES).size == 3
    assert store.find_command(ASH_WASTES, "late") is None


def test_a_head_of_the_same_size_but_another_history_is_stale(store: EventStore) -> None:
    write_entry(store)
    other = seal(Head(campaign=ASH_WASTES), [draft(n, entry=1, actor="rival") for n in range(3)])[1]
    sealed, new_head = seal(other, [draft(9, entry=2)])
    with pytest.raises(refusals.StaleHead):
        store.append(other, sealed, new_head, key="forked", digest="d")


def test_a_command_sent_twice_makes_a_single_entry(store: EventStore) -> None:
    first = write_entry(store, key="battle 1")
    write_entry(store, key="battle 2")
    again = write_entry(store, key="battle 1")
    assert again.repeated
    assert (again.first_seq, again.last_entry) == (first.first_seq, first.last_entry) == (0, 1)
    assert store.head(ASH_WASTES).size == 6
    found = store.find_command(ASH_WASTES, "battle 1")
    assert found is not None
    assert found.digest == "same command"


def test_a_retry_on_the_head_it_was_decided_on_finds_its_receipt(store: EventStore) -> None:
    head = store.head(ASH_WASTES)
    sealed, new_head = seal(head, [draft(0, entry=1)])
    store.append(head, sealed, new_head, key="k", digest="d")
    assert store.append(head, sealed, new_head, key="k", digest="d").repeated
    assert store.head(ASH_WASTES).size == 1


def test_a_key_that_comes_back_with_another_command_is_refused(store: EventStore) -> None:
    write_entry(store, key="battle 1")
    with pytest.raises(refusals.CommandKeyReused, match="entry 1"):
        write_entry(store, key="battle 1", digest="another command")
    assert store.head(ASH_WASTES).size == 3


def test_what_is_written_beside_an_append_is_in_the_same_transaction(store: EventStore) -> None:
    with store.exclusively(ASH_WASTES) as locked:
        write_entry(locked)
        locked.save_snapshot(locked.connection, ASH_WASTES, 1, "f", b"state")
    assert store.nearest_snapshot(ASH_WASTES, "f") == (1, b"state")


def test_an_append_that_fails_leaves_nothing(store: EventStore) -> None:
    write_entry(store)
    before = store.head(ASH_WASTES)

    def append_and_fail() -> None:
        with store.exclusively(ASH_WASTES) as locked:
            write_entry(locked, key="failed")
            locked.save_snapshot(locked.connection, ASH_WASTES, 2, "f", b"state")
            raise RuntimeError("the boards cannot be written")

    with pytest.raises(RuntimeError):
        append_and_fail()
    assert store.head(ASH_WASTES) == before
    assert seqs(store.read(ASH_WASTES)) == [0, 1, 2]
    assert store.find_command(ASH_WASTES, "failed") is None
    assert store.nearest_snapshot(ASH_WASTES, "f") is None
    assert not write_entry(store, key="failed").repeated


def test_campaigns_share_nothing(store: EventStore) -> None:
    write_entry(store, ASH_WASTES, key="k")
    receipt = write_entry(store, UNDERHIVE, key="k", digest="another command")
    assert (receipt.first_seq, receipt.first_entry, receipt.repeated) == (0, 1, False)
    write_entry(store, UNDERHIVE)
    assert store.campaigns() == (ASH_WASTES, UNDERHIVE)
    assert (store.head(ASH_WASTES).size, store.head(UNDERHIVE).size) == (3, 6)
    assert [len(list(store.read(campaign))) for campaign in store.campaigns()] == [3, 6]
    assert all(store.verify(campaign).ok for campaign in store.campaigns())


def test_what_opened_each_campaign_is_found_in_its_first_entry(store: EventStore) -> None:
    """However many events that entry has, and whatever the entries after it hold."""
    for campaign, many in ((UNDERHIVE, 2), (ASH_WASTES, 40)):
        drafts = [
            draft(at, entry=1, type="CampaignOpened" if at in (1, 38) else "RollMade") for at in range(many)
        ]
        again = draft(many, entry=2, type="CampaignOpened")
        sealed, head = seal(store.head(campaign), [*drafts, again])
        store.append(store.head(campaign), sealed, head, key="first", digest="d")
    found = [(campaign, stored.seq) for campaign, stored in store.openings("CampaignOpened")]
    assert found == [(ASH_WASTES, 1), (ASH_WASTES, 38), (UNDERHIVE, 1)]
    assert list(store.openings("Unknown")) == []


def test_a_campaign_with_events_that_the_directory_lacks_is_unlisted(
    engine: Engine, store: EventStore
) -> None:
    write_entry(store, ASH_WASTES)
    write_entry(store, UNDERHIVE)
    with writing(engine) as connection:
        row = {"campaign_id": UNDERHIVE, "slug": "underhive", "name": "", "ruleset": "", "created_at": ""}
        connection.execute(board_campaigns.insert(), row)
    with reading(engine) as connection:
        assert campaigns.with_a_log(connection) == (ASH_WASTES, UNDERHIVE)
        assert campaigns.unlisted(connection) == (ASH_WASTES,)


# --- several writers ---------------------------------------------------------------------------------------


def run_writers(url: str, *, writers: int, count: int) -> None:
    works = [partial(writer_process.main, url, writer, count) for writer in range(1, writers + 1)]
    assert forked.at_once(works) == [(0, "")] * writers


@pytest.mark.slow
def test_writers_in_four_processes_leave_no_gap(shared_url: str) -> None:
    # The SQLite file does not exist yet: the four also make it, at the same moment.
    run_writers(shared_url, writers=4, count=15)
    engine = open_database(shared_url, migrate=False)
    store = EventStore(engine)
    events = list(store.read(ASH_WASTES))
    assert seqs(events) == list(range(120))
    assert [event.entry for event in events] == [entry for entry in range(1, 61) for _ in "ab"]
    assert store.verify(ASH_WASTES).ok
    receipts = [store.find_command(ASH_WASTES, f"{w}-{at}") for w in range(1, 5) for at in range(15)]
    assert sorted(receipt.first_entry for receipt in receipts if receipt) == list(range(1, 61))
    engine.dispose()


@pytest.mark.postgres
def test_a_rival_who_begins_the_log_between_two_looks_is_no_damage(
    postgres_at_head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(postgres_at_head, migrate=False)
    store = EventStore(engine)
    head = store.head(ASH_WASTES)
    sealed, new_head = seal(head, [draft(8, entry=1)])
    look = appending._ANY_EVENT.first
    rivals = [lambda: write_entry(store)]

    def looks_late(*asked: Any) -> Any:
        while rivals:  # READ COMMITTED: this statement sees what the one before it did not
            rivals.pop()()
        return look(*asked)

    monkeypatch.setattr(appending._ANY_EVENT, "first", looks_late)
    with pytest.raises(refusals.StaleHead):
        store.append(head, sealed, new_head, key="late", digest="d")
    assert not rivals
    assert store.verify(ASH_WASTES).ok
    engine.dispose()


@pytest.mark.postgres
@pytest.mark.parametrize("moment", ["before the commit", "after the commit"])
def test_a_connection_lost_while_saving_is_looked_into(
    moment: str, postgres_at_head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(postgres_at_head, migrate=False)
    store = EventStore(engine)
    head = store.head(ASH_WASTES)
    sealed, new_head = seal(head, [draft(0, entry=1)])
    commit = engine.dialect.do_commit

    def lose_it(connection: Any) -> None:
        monkeypatch.undo()
        if moment == "after the commit":
            commit(connection)
        connection.driver_connection.close()
        raise psycopg.OperationalError("the connection is lost")

    monkeypatch.setattr(engine.dialect, "do_commit", lose_it)
    if moment == "after the commit":
        receipt = store.append(head, sealed, new_head, key="unsure", digest="d")
        assert (receipt.first_entry, receipt.repeated) == (1, False)
        assert store.head(ASH_WASTES).size == 1
    else:
        with pytest.raises(refusals.ConnectionLost, match="counts once"):
            store.append(head, sealed, new_head, key="unsure", digest="d")
        assert store.head(ASH_WASTES).size == 0
    again = store.append(head, sealed, new_head, key="unsure", digest="d")
    assert (again.first_entry, again.repeated) == (1, moment == "after the commit")
    assert store.head(ASH_WASTES).size == 1
    engine.dispose()


@pytest.mark.postgres
def test_a_server_that_stays_away_leaves_the_commit_unknown(
    postgres_at_head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine = open_database(postgres_at_head, migrate=False)
    store = EventStore(engine)
    head = store.head(ASH_WASTES)
    sealed, new_head = seal(head, [draft(0, entry=1)])

    def lose_it(connection: Any) -> None:
        connection.driver_connection.close()
        raise psycopg.OperationalError("the connection is lost")

    def refuse(**_: Any) -> None:
        raise psycopg.OperationalError("connection refused")

    monkeypatch.setattr(engine.dialect, "do_commit", lose_it)
    monkeypatch.setattr(engine.dialect, "connect", refuse)
    with pytest.raises(refusals.CommitUnknown, match="same key 'unsure'"):
        store.append(head, sealed, new_head, key="unsure", digest="d")
    engine.dispose()


@pytest.mark.postgres
def test_a_refusal_within_a_pipeline_is_shown_like_a_refusal_alone(postgres_at_head: str) -> None:
    engine = open_database(postgres_at_head, migrate=False)
    store = EventStore(engine)
    write_entry(store)
    head = store.head(ASH_WASTES)
    sealed, new_head = seal(head, [draft(n, entry=2) for n in range(3, 6)])
    with pytest.raises(refusals.RowsRefused, match="only added at the end"):
        store.append(head, (sealed[0], sealed[0], sealed[2]), new_head, key="gap", digest="d")
    assert store.head(ASH_WASTES) == head
    store.append(head, sealed, new_head, key="whole", digest="d")
    assert store.verify(ASH_WASTES).ok
    engine.dispose()


@pytest.mark.postgres
def test_what_is_asked_with_the_beginning_is_asked_under_the_lock(postgres_at_head: str) -> None:
    engine, rival = (open_database(postgres_at_head, migrate=False) for _ in "ab")
    store = EventStore(engine)
    write_entry(store)
    asked = appending.lock_query(ASH_WASTES)
    with store.exclusively(ASH_WASTES) as locked:
        with pytest.raises(refusals.DatabaseBusy), reading(rival) as connection:
            connection.exec_driver_sql("SET TRANSACTION READ WRITE; SELECT 1 FROM heads FOR UPDATE NOWAIT")
        assert locked.head(ASH_WASTES).size == 3
        write_entry(locked)
        # What was found at the beginning is given once: who asks again gets what is there by now.
        again = asked[0].first(locked.connection, asked[1])
        assert again is not None
        assert again[0] == 6
    engine.dispose()
    rival.dispose()


@pytest.mark.postgres
def test_a_lock_that_is_not_to_be_had_at_the_beginning_is_busy(
    postgres_at_head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine, rival = (open_database(postgres_at_head, migrate=False) for _ in "ab")
    store = EventStore(engine)
    write_entry(store)
    with EventStore(rival).exclusively(ASH_WASTES):
        monkeypatch.setattr(database, "BUSY_MILLISECONDS", 50)
        with pytest.raises(refusals.DatabaseBusy), store.exclusively(ASH_WASTES):
            pytest.fail("somebody else has the lock")
    with store.exclusively(ASH_WASTES) as locked:
        assert write_entry(locked).first_seq == 3
    engine.dispose()
    rival.dispose()


@pytest.mark.postgres
def test_connections_that_the_server_closed_meanwhile_are_made_anew(postgres_at_head: str) -> None:
    engine, rival = (open_database(postgres_at_head, migrate=False) for _ in "ab")
    store = EventStore(engine)
    with reading(engine), reading(engine):
        pass  # two wait in the pool
    for first_seq in (0, 3):
        with writing(rival) as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )
            )
        assert store.head(ASH_WASTES).size == first_seq
        with store.exclusively(ASH_WASTES) as locked:
            assert write_entry(locked).first_seq == first_seq
    engine.dispose()
    rival.dispose()


@pytest.mark.postgres
def test_a_question_among_many_statements_is_answered(postgres_at_head: str) -> None:
    engine = open_database(postgres_at_head, migrate=False)
    store = EventStore(engine)
    with store.exclusively(ASH_WASTES) as locked, pipelined(locked.connection):
        write_entry(locked)
        assert locked.connection.execute(text("SELECT count(*) FROM events")).scalar() == 3
        write_entry(locked)
        assert len(locked.read_entry(ASH_WASTES, 2)) == 3
    assert store.verify(ASH_WASTES).events == 6

    def append_again() -> None:
        lost = seal(Head(campaign=ASH_WASTES), [draft(0, entry=1)])
        numbers = {"first_seq": 0, "last_seq": 0, "first_entry": 1, "last_entry": 1}
        receipt = appending.Receipt(campaign=ASH_WASTES, digest="d", repeated=False, **numbers)
        with (
            store.exclusively(ASH_WASTES) as locked,
            driver_errors.rejected_rows_refused(),
            pipelined(locked.connection),
        ):
            appending.write(locked.connection, Head(campaign=ASH_WASTES), *lost, receipt, "lost")
            locked.connection.execute(text("SELECT count(*) FROM events"))
            pytest.fail("what was refused among them is said to who asks")

    with pytest.raises(refusals.RowsRefused):
        append_again()
    assert store.verify(ASH_WASTES).events == 6
    engine.dispose()


def test_many_rows_are_the_same_rows_as_each_by_itself(engine: Engine) -> None:
    """PostgreSQL is given them as JSON."""
    rows = [
        (ASH_WASTES, 1, 2**53, bytes(range(256)), b""),
        ('a "b" \\ {c}\n%s', 2, 0, b"", b"\\x00"),
        ("Жанна 漢字 🎲", 3, -1, b"0", b"\x00"),
    ]
    add = insertion(heads)
    for given in (rows, *([row] for row in rows)):
        with writing(engine) as connection:
            connection.execute(text("DELETE FROM heads"))
            add.write(connection, given)
            found = connection.execute(text("SELECT * FROM heads")).all()
        assert sorted(map(tuple, found)) == sorted(given)


@pytest.mark.postgres
def test_a_connection_lost_among_many_statements_is_shown_and_made_anew(postgres_at_head: str) -> None:
    engine = open_database(postgres_at_head, migrate=False)
    store = EventStore(engine)

    def append_and_lose_the_connection() -> None:
        with store.exclusively(ASH_WASTES) as locked:
            write_entry(locked)
            with pipelined(locked.connection):
                locked.connection.exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")

    with pytest.raises(refusals.ConnectionLost):
        append_and_lose_the_connection()
    assert store.head(ASH_WASTES).size == 0
    assert write_entry(store).first_entry == 1
    engine.dispose()


# --- reading ---------------------------------------------------------------------------------------------


def test_ranges_include_both_ends(store: EventStore) -> None:
    for _ in range(4):
        write_entry(store)
    assert seqs(store.read(ASH_WASTES, first_seq=4, last_seq=7)) == [4, 5, 6, 7]
    assert seqs(store.read(ASH_WASTES, first_seq=10)) == [10, 11]
    assert seqs(store.read(ASH_WASTES, last_seq=1)) == [0, 1]
    assert seqs(store.read(ASH_WASTES, first_seq=12)) == []
    assert seqs(store.read(ASH_WASTES, last_seq=99)) == list(range(12))
    assert seqs(store.read_entry(ASH_WASTES, 3)) == [6, 7, 8]


def test_slots_come_in_order_of_play_with_later_versions_behind(store: EventStore) -> None:
    write_entry(store)  # entry 1: events 0 to 2
    write_entry(store)  # entry 2: events 3 to 5
    write_entry(store)  # entry 3: events 6 to 8
    write_entry(store, slots=[4, 1, 1, 3])  # entry 4, a ruling: its own header, slots 1 and 3 again
    assert seqs(store.read_slots(ASH_WASTES)) == [0, 1, 2, 10, 11, 3, 4, 5, 6, 7, 8, 12, 9]
    assert seqs(store.read_slots(ASH_WASTES, after_slot=2)) == [6, 7, 8, 12, 9]
    assert seqs(store.read_slot(ASH_WASTES, 1)) == [0, 1, 2, 10, 11]
    assert seqs(store.read_slots(ASH_WASTES, through_entry=3)) == list(range(9))
    assert seqs(store.read_slot(ASH_WASTES, 3, through_entry=3)) == [6, 7, 8]
    assert seqs(store.read_slot(ASH_WASTES, 3, through_entry=2)) == []
    assert seqs(store.read_slot(ASH_WASTES, 5)) == []
    # What is passed over is still reported where a slot was filled again.
    assert seqs(store.read_slots(ASH_WASTES, unread=frozenset({"RollMade"}))) == [10, 11, 12]
    whole = [0, 1, 2, 10, 11, 3, 4, 5, 6, 7, 8, 12, 9]
    assert seqs(store.read_slots(ASH_WASTES, unread=frozenset({"Other"}))) == whole


def test_slots_read_together_are_the_same_as_slots_read_singly(store: EventStore) -> None:
    """Where they are thought to be elsewhere, too."""
    for entry in range(1, AT_ONCE + 3):
        write_entry(store, slots=[entry, 1, 1, 3] if entry == 4 else [entry, 30] if entry == 31 else None)
    begins = [store.read_entry(ASH_WASTES, entry)[0].seq for entry in range(1, AT_ONCE + 3)]
    for slots in ((2,), (7, 3, 1), (*range(1, AT_ONCE + 3),), (30, 31, 500)):
        for through in (3, 30, 100):
            expected = {slot: store.read_slot(ASH_WASTES, slot, through_entry=through) for slot in slots}
            for astray in (0, 1, -1, 5):
                places = [
                    EntryPlace(slot, begins[slot - 1] + astray, begins[slot] + astray)
                    if slot < len(begins)
                    else EntryPlace(slot, 0, 0)
                    for slot in slots
                ]
                assert store.read_slots_at(ASH_WASTES, places, through_entry=through) == expected, astray


def test_pages_meet_without_gap_or_repeat(store: EventStore, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tracker.log.store.PAGE", 2)
    for _ in range(3):
        write_entry(store)
    write_entry(store, slots=[4, 2, 2, 2, 2])
    assert seqs(store.read(ASH_WASTES)) == list(range(14))
    assert seqs(store.read_slots(ASH_WASTES)) == [0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 6, 7, 8, 9]
    assert store.verify(ASH_WASTES).events == 14


def test_the_header_of_each_entry_is_read_from_the_newest_to_the_oldest_and_none_written_by_another_entry(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracker.log.store.PAGE", 2)
    head = store.head(ASH_WASTES)
    of_entries = [(1, 1), (2, 2), (3, 3), (3, 1), (4, 4), (5, 5)]  # entry 3 fills slot 1 again
    drafts = [
        draft(2 * at + place, entry=entry, slot=slot, type=type_)
        for at, (entry, slot) in enumerate(of_entries)
        for place, type_ in enumerate(["DecisionTaken", "RollMade"])
    ]
    sealed, new_head = seal(head, drafts)
    store.append(head, sealed, new_head, key="first", digest="d")
    own = [event for event in sealed if event.type == "DecisionTaken" and event.slot == event.entry]
    assert list(store.headers_backwards(ASH_WASTES, "DecisionTaken")) == [
        (event.entry, event.body) for event in reversed(own)
    ]


def test_what_is_appended_during_a_read_is_not_in_it(
    store: EventStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracker.log.store.PAGE", 2)
    for _ in range(2):
        write_entry(store)
    by_seq, by_slot = store.read(ASH_WASTES), store.read_slots(ASH_WASTES)
    assert (next(by_seq).seq, next(by_slot).seq) == (0, 0)
    write_entry(store, slots=[3, 2])
    assert seqs(by_seq) == [1, 2, 3, 4, 5]
    assert seqs(by_slot) == [1, 2, 3, 4, 5]


def test_no_read_walks_more_of_a_campaign_than_it_asks_for(sqlite_url: str) -> None:
    engine = open_database(sqlite_url, migrate=True)
    store = EventStore(engine)
    for slots in (None, None, [3, 2]):
        write_entry(store, slots=slots)
    asked: list[tuple[str, Any]] = []

    @listens_for(engine, "before_cursor_execute")
    def remember(_connection: Any, _cursor: Any, statement: str, values: Any, *_: Any) -> None:
        asked.append((statement, values))

    list(store.read(ASH_WASTES, first_seq=1))
    list(store.read_slots(ASH_WASTES, after_slot=1, unread=frozenset({"RollMade"})))
    store.read_entry(ASH_WASTES, 1)
    store.read_slot(ASH_WASTES, 2)
    store.read_slots_at(ASH_WASTES, [EntryPlace(1, 0, 3), EntryPlace(2, 3, 6)], through_entry=3)
    store.refilled_slots(ASH_WASTES)
    queries = [(statement, values) for statement, values in asked if "FROM events" in statement]
    with reading(engine) as connection:
        plans = [
            [str(row.detail) for row in connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", values)]
            for statement, values in queries
        ]
    engine.dispose()
    steps = [re.sub(r"^(\w+) events_\d+ ", r"\1 events ", step) for plan in plans for step in plan]
    key, refilled = "sqlite_autoindex_events_1 (campaign_id=?", "events_refilled (campaign_id=?"
    assert {step for step in steps if re.match(r"\w+ events\b", step)} == {
        f"SEARCH events USING INDEX {key} AND seq>? AND seq<?)",
        f"SEARCH events USING COVERING INDEX {key} AND seq>? AND seq<?)",
        f"SEARCH events USING INDEX {key} AND seq=?)",
        f"SEARCH events USING INDEX {refilled} AND (slot,seq)>(?,?))",
        f"SEARCH events USING INDEX {refilled} AND slot=?)",
        f"SEARCH events USING INDEX {refilled})",
    }


@pytest.mark.slow
def test_a_long_log_streams_in_bounded_memory(store: EventStore) -> None:
    head, number = store.head(ASH_WASTES), 0
    while number < STREAM_EVENTS:
        entry = head.entries + 1
        sealed, new_head = seal(head, [draft(n, entry=entry) for n in range(number, number + 1000)])
        store.append(head, sealed, new_head, key=f"k{number}", digest="d")
        head, number = new_head, number + 1000
    for stream in (
        lambda: sum(1 for _ in store.read(ASH_WASTES)),
        lambda: sum(1 for _ in store.read_slots(ASH_WASTES)),
        lambda: store.verify(ASH_WASTES).events,
    ):
        assert stream_peak_bytes(stream, expected=number) < 6_000_000


def stream_peak_bytes(stream: Callable[[], int], *, expected: int) -> int:
    tracemalloc.start()
    try:
        assert stream() == expected
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# --- snapshots -------------------------------------------------------------------------------------------


def test_the_nearest_snapshot_of_this_code_is_found(store: EventStore) -> None:
    with writing(store._engine) as connection:
        for entry in (10, 20, 30):
            store.save_snapshot(connection, ASH_WASTES, entry, "new code", b"%d" % entry)
        store.save_snapshot(connection, ASH_WASTES, 25, "old code", b"old")
        store.save_snapshot(connection, ASH_WASTES, 20, "new code", b"twenty")
    assert store.nearest_snapshot(ASH_WASTES, "new code") == (30, b"30")
    assert store.nearest_snapshot(ASH_WASTES, "new code", at_most_entry=29) == (20, b"twenty")
    assert store.nearest_snapshot(ASH_WASTES, "new code", at_most_entry=9) is None
    assert store.nearest_snapshot(UNDERHIVE, "new code") is None
    with writing(store._engine) as connection:
        store.drop_snapshots(connection, ASH_WASTES, 20)
    assert store.nearest_snapshot(ASH_WASTES, "new code") == (10, b"10")
    assert store.nearest_snapshot(ASH_WASTES, "old code") is None


# --- what the database itself refuses ------------------------------------------------------------------------

COLUMNS = "campaign_id, seq, entry, slot, type, event_id, body, leaf"

BOTH_REFUSE = [
    "UPDATE events SET type = 'RollForged' WHERE seq = 1",
    "UPDATE events SET seq = seq + 10",
    "DELETE FROM events WHERE seq = 2",
    "DELETE FROM events",
    # a gap, a place before the log, a place that is taken, another campaign's log begun in the middle
    f"INSERT INTO events ({COLUMNS}) SELECT campaign_id, 4, 2, 2, type, 'new', body, leaf FROM events WHERE seq = 0",
    f"INSERT INTO events ({COLUMNS}) SELECT campaign_id, -1, 1, 1, type, 'new', body, leaf FROM events WHERE seq = 0",
    f"INSERT INTO events ({COLUMNS}) SELECT campaign_id, 1, 1, 1, type, 'new', body, leaf FROM events WHERE seq = 0",
    f"INSERT INTO events ({COLUMNS}) SELECT 'other', 3, 1, 1, type, 'new', body, leaf FROM events WHERE seq = 0",
    # the next place, but an id that is taken, a slot of the future, half a leaf
    f"INSERT INTO events ({COLUMNS}) SELECT campaign_id, 3, 2, 2, type, event_id, body, leaf FROM events WHERE seq = 0",
    f"INSERT INTO events ({COLUMNS}) SELECT campaign_id, 3, 2, 3, type, 'new', body, leaf FROM events WHERE seq = 0",
    f"INSERT INTO events ({COLUMNS}) SELECT campaign_id, 3, 2, 2, type, 'new', body, substr(leaf, 1, 16) FROM events WHERE seq = 0",
]

SQLITE_REFUSES = [
    "UPDATE OR REPLACE events SET seq = 1 WHERE seq = 2",
    f"INSERT OR REPLACE INTO events ({COLUMNS}) SELECT campaign_id, 1, 1, 1, 'RollForged', 'new', body, leaf FROM events WHERE seq = 0",
    f"REPLACE INTO events ({COLUMNS}) SELECT campaign_id, 3, 2, 2, 'RollForged', event_id, body, leaf FROM events WHERE seq = 0",
    f"INSERT INTO events ({COLUMNS}) SELECT campaign_id, 1, 1, 1, type, 'new', body, leaf FROM events WHERE seq = 0 ON CONFLICT DO UPDATE SET type = 'RollForged'",
    # the number of a row is one more key: the next event, or another campaign's first, in place of one that is there
    f"INSERT OR REPLACE INTO events (rowid, {COLUMNS}) SELECT 1, campaign_id, 3, 2, 2, 'RollForged', 'new', body, leaf FROM events WHERE seq = 0",
    f"REPLACE INTO events (_rowid_, {COLUMNS}) SELECT 3, 'other', 0, 1, 1, 'RollForged', 'new', body, leaf FROM events WHERE seq = 0",
    f"INSERT INTO events (oid, {COLUMNS}) SELECT 2, campaign_id, 3, 2, 2, 'RollForged', 'new', body, leaf FROM events WHERE seq = 0 ON CONFLICT DO UPDATE SET type = 'RollForged'",
    "UPDATE OR REPLACE events SET rowid = 1 WHERE seq = 2",
]

POSTGRES_REFUSES = [
    "TRUNCATE events",
    "TRUNCATE events, heads CASCADE",
    "SET LOCAL session_replication_role = replica; DELETE FROM events",
    f"INSERT INTO events ({COLUMNS}) SELECT campaign_id, 1, 1, 1, type, 'new', body, leaf FROM events WHERE seq = 0 ON CONFLICT (campaign_id, seq) DO UPDATE SET type = 'RollForged'",
]


@pytest.mark.parametrize("statement", BOTH_REFUSE)
def test_the_database_itself_keeps_events_as_they_are(
    statement: str, engine: Engine, store: EventStore
) -> None:
    refused_by_database(statement, engine, store)


@pytest.mark.parametrize("statement", SQLITE_REFUSES)
def test_sqlite_refuses_its_own_ways_around(statement: str, sqlite_url: str) -> None:
    engine = open_database(sqlite_url, migrate=True)
    refused_by_database(statement, engine, EventStore(engine))
    engine.dispose()


@pytest.mark.parametrize("statement", POSTGRES_REFUSES)
def test_postgres_refuses_its_own_ways_around(statement: str, postgres_at_head: str) -> None:
    engine = open_database(postgres_at_head, migrate=False)
    refused_by_database(statement, engine, EventStore(engine))
    engine.dispose()


def refused_by_database(statement: str, engine: Engine, store: EventStore) -> None:
    write_entry(store)
    before = list(store.read(ASH_WASTES))
    with pytest.raises(DBAPIError), writing(engine) as connection:
        connection.execute(text(statement))
    assert list(store.read(ASH_WASTES)) == before
    assert store.verify(ASH_WASTES).ok


def test_guards_taken_away_are_noticed(engine: Engine) -> None:
    assert not schema_faults(engine)
    as_intruder(engine)
    assert schema_faults(engine)


# --- verifying -------------------------------------------------------------------------------------------


def test_the_leaves_of_a_log_are_those_of_its_first_events_and_give_its_root(
    engine: Engine, store: EventStore
) -> None:
    for _ in range(3):
        write_entry(store)
    leaves = [event.leaf for event in store.read(ASH_WASTES)]
    for size in range(len(leaves) + 1):
        assert list(verification.leaves_of(engine, ASH_WASTES, size)) == leaves[:size]
        frontier = EMPTY_FRONTIER.append(*leaves[:size])
        assert verification.root_over(engine, ASH_WASTES, size) == frontier.root().hex()
    assert verification.root_over(engine, ASH_WASTES, len(leaves) + 1) is None


def test_a_log_as_written_verifies(store: EventStore) -> None:
    for _ in range(4):
        write_entry(store)
    steps: list[tuple[int, int]] = []
    report = store.verify(ASH_WASTES, progress=lambda done, total: steps.append((done, total)))
    head = store.head(ASH_WASTES)
    assert report.ok
    assert (report.events, report.entries) == (12, 4)
    assert report.root_hex == head.frontier.root().hex()
    assert steps == [(12, 12)]


def forged(store: EventStore, seq: int, old: bytes, new: bytes) -> dict[str, bytes]:
    """Another body for event `seq`, with the leaf that belongs to it."""
    (event,) = store.read(ASH_WASTES, first_seq=seq, last_seq=seq)
    body = event.body.replace(old, new)
    assert body != event.body
    return {"body": body, "leaf": leaf_hash(body)}


BODY_5 = "UPDATE events SET body = :body WHERE seq = 5"
BODY_AND_LEAF_5 = "UPDATE events SET body = :body, leaf = :leaf WHERE seq = 5"

TAMPERED: list[tuple[str, list[str], Callable[[EventStore], dict[str, Any]], int | None, str]] = [
    ("a die", [BODY_5], lambda store: forged(store, 5, b"[6]", b"[1]"), 5, "leaf"),
    ("not UTF-8", [BODY_5], lambda _: {"body": b"\xff\xfe"}, 5, "leaf"),
    ("no bytes", [BODY_5], lambda _: {"body": b""}, 5, "leaf"),
    ("the leaf", ["UPDATE events SET leaf = :leaf WHERE seq = 5"], lambda _: {"leaf": b"x" * 32}, 5, "leaf"),
    # with a leaf that fits, the event after it bears witness
    ("a die and leaf", [BODY_AND_LEAF_5], lambda store: forged(store, 5, b"[6]", b"[1]"), 6, "chain"),
    (
        "the last die",
        [BODY_AND_LEAF_5.replace("5", "11")],
        lambda store: forged(store, 11, b"[6]", b"[1]"),
        None,
        "head",
    ),
    ("a space", [BODY_AND_LEAF_5], lambda store: forged(store, 5, b'"v":1', b'"v": 1'), 5, "bytes"),
    ("a float", [BODY_AND_LEAF_5], lambda store: forged(store, 5, b"[6]", b"[6.5]"), 5, "bytes"),
    ("a key twice", [BODY_AND_LEAF_5], lambda store: forged(store, 5, b'"v":1', b'"v":1,"v":1'), 5, "bytes"),
    ("a new key", [BODY_AND_LEAF_5], lambda store: forged(store, 5, b'"v":1', b'"v":1,"w":1'), 5, "bytes"),
    ("another version", [BODY_AND_LEAF_5], lambda store: forged(store, 5, b'"v":1', b'"v":2'), 5, "bytes"),
    ("not JSON", [BODY_AND_LEAF_5], lambda _: {"body": b"{", "leaf": leaf_hash(b"{")}, 5, "bytes"),
    (
        "bad UTF-8 in a text",
        [BODY_AND_LEAF_5],
        lambda store: forged(store, 5, b"wound", b"w\xffund"),
        5,
        "bytes",
    ),
    (
        "bottomless",
        [BODY_AND_LEAF_5],
        lambda _: {"body": b"[" * 99999, "leaf": leaf_hash(b"[" * 99999)},
        5,
        "bytes",
    ),
    (
        "campaign inside",
        [BODY_AND_LEAF_5],
        lambda store: forged(store, 5, b"ash-wastes", b"bad-wastes"),
        5,
        "column",
    ),
    ("column type", ["UPDATE events SET type = 'Forged' WHERE seq = 5"], lambda _: {}, 5, "column"),
    ("column slot", ["UPDATE events SET slot = 1 WHERE seq = 5"], lambda _: {}, 5, "column"),
    ("column entry", ["UPDATE events SET entry = 3 WHERE seq = 5"], lambda _: {}, 5, "column"),
    ("column event_id", ["UPDATE events SET event_id = 'x' WHERE seq = 5"], lambda _: {}, 5, "column"),
    ("an event gone", ["DELETE FROM events WHERE seq = 5"], lambda _: {}, 5, "gap"),
    ("the first gone", ["DELETE FROM events WHERE seq = 0"], lambda _: {}, 0, "gap"),
    ("the tail gone", ["DELETE FROM events WHERE seq >= 10"], lambda _: {}, 10, "tail"),
    ("all gone", ["DELETE FROM events"], lambda _: {}, 0, "tail"),
    ("head too short", ["UPDATE heads SET size = 9"], lambda _: {}, 9, "tail"),
    ("head entries", ["UPDATE heads SET entries = 9"], lambda _: {}, None, "head"),
    ("head leaf", ["UPDATE heads SET leaf = :leaf"], lambda _: {"leaf": b"x" * 32}, None, "head"),
    ("head frontier", ["UPDATE heads SET frontier = :other"], lambda _: {"other": b"x"}, None, "head"),
    ("head gone", ["DELETE FROM heads"], lambda _: {}, None, "head"),
]


@pytest.mark.parametrize(
    ("statements", "values", "seq", "kind"),
    [case[1:] for case in TAMPERED],
    ids=[case[0] for case in TAMPERED],
)
def test_tampering_is_found_at_the_exact_event(
    statements: list[str],
    values: Callable[[EventStore], dict[str, Any]],
    seq: int | None,
    kind: str,
    engine: Engine,
    store: EventStore,
) -> None:
    for _ in range(4):
        write_entry(store)
    as_intruder(engine, *statements, **values(store))
    fault = store.verify(ASH_WASTES).fault
    assert fault is not None
    assert (fault.seq, fault.kind) == (seq, kind)


def test_entries_that_jump_are_found_even_when_every_hash_fits(engine: Engine, store: EventStore) -> None:
    write_entry(store)
    head = store.head(ASH_WASTES)
    sealed, _ = seal(
        Head(campaign=ASH_WASTES, size=3, entries=6, leaf_hex=head.leaf_hex, frontier=head.frontier),
        [draft(3, entry=7)],
    )
    values = {"body": sealed[0].body, "leaf": sealed[0].leaf}
    insert = f"INSERT INTO events ({COLUMNS}) VALUES ('{ASH_WASTES}', 3, 7, 7, 'RollMade', '{sealed[0].event_id}', :body, :leaf)"
    as_intruder(engine, insert, **values)
    fault = store.verify(ASH_WASTES).fault
    assert fault is not None
    assert (fault.seq, fault.kind) == (3, "entry")


def test_text_that_is_not_utf8_is_a_verdict_too(sqlite_url: str) -> None:
    engine = open_database(sqlite_url, migrate=True)
    store = EventStore(engine)
    write_entry(store)
    as_intruder(engine, "UPDATE events SET type = CAST(x'ff' AS TEXT) WHERE seq = 1")
    fault = store.verify(ASH_WASTES).fault
    assert fault is not None
    assert (fault.seq, fault.kind) == (1, "column")
    engine.dispose()


def test_a_flipped_bit_in_any_byte_of_an_event_is_found(sqlite_url: str) -> None:
    engine = open_database(sqlite_url, migrate=True)
    store = EventStore(engine)
    for _ in range(2):
        write_entry(store)
    as_intruder(engine)
    (event,) = store.read(ASH_WASTES, first_seq=4, last_seq=4)
    change = text("UPDATE events SET body = :body WHERE seq = 4")
    for bit in range(0, len(event.body) * 8, 9):  # of each byte another one
        body = bytearray(event.body)
        body[bit // 8] ^= 1 << bit % 8
        with writing(engine) as connection:
            connection.execute(change, {"body": bytes(body)})
        fault = store.verify(ASH_WASTES).fault
        assert fault is not None
        assert fault.seq == 4
    with writing(engine) as connection:
        connection.execute(change, {"body": event.body})
    assert store.verify(ASH_WASTES).ok
    engine.dispose()


def test_nothing_is_appended_to_a_damaged_head(engine: Engine, store: EventStore) -> None:
    write_entry(store)
    as_intruder(engine, "UPDATE heads SET frontier = :frontier", frontier=b"x")
    with pytest.raises(refusals.HeadDamaged) as refused:
        write_entry(store)
    assert refused.value.exit_code == 4


def test_the_largest_event_goes_in_and_comes_out(store: EventStore) -> None:
    head = store.head(ASH_WASTES)
    overhead = len(seal(head, [draft(0, entry=1, data={"note": ""})])[0][0].body)
    note = "x" * (64 * 1024 - overhead)
    sealed, new_head = seal(head, [draft(0, entry=1, data={"note": note})])
    store.append(head, sealed, new_head, key="k", digest="d")
    (event,) = store.read(ASH_WASTES)
    assert len(event.body) == 64 * 1024
    assert canonical_bytes({"note": note}) in event.body
    with pytest.raises(refusals.NotStorable, match="65537 bytes"):
        seal(head, [draft(0, entry=1, data={"note": f"{note}x"})])
