"""What goes wrong in the middle of a long read is reported as it is anywhere else."""

import pytest
from log_events import ASH_WASTES, as_intruder, write_entry

from tracker.log.database import open_database, reading
from tracker.log.refusals import ConnectionLost, TextDamaged
from tracker.log.store import EventStore


def test_a_text_that_is_none_is_damage(sqlite_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tracker.log.store.PAGE", 2)
    engine = open_database(sqlite_url, migrate=True)
    store = EventStore(engine)
    for _ in range(2):
        write_entry(store)  # events 0 to 5
    as_intruder(engine, "UPDATE events SET type = CAST(X'FF' AS TEXT) WHERE seq = 3")
    for events in (store.read(ASH_WASTES), store.read_slots(ASH_WASTES)):
        assert [next(events).seq, next(events).seq] == [0, 1]
        with pytest.raises(TextDamaged, match="not UTF-8"):
            next(events)
    engine.dispose()


@pytest.mark.postgres
def test_a_connection_lost_between_two_pages_is_shown(
    postgres_at_head: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tracker.log.store.PAGE", 2)
    engine = open_database(postgres_at_head, migrate=False)
    store = EventStore(engine)
    write_entry(store)

    def read_on_after_the_server_hung_up() -> None:
        with store.exclusively(ASH_WASTES) as inside:
            session = inside.connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
            events = inside.read(ASH_WASTES)
            assert [next(events).seq, next(events).seq] == [0, 1]
            with reading(engine) as other:
                other.exec_driver_sql(f"SELECT pg_terminate_backend({session})")
            next(events)

    with pytest.raises(ConnectionLost):
        read_on_after_the_server_hung_up()
    assert [event.seq for event in store.read(ASH_WASTES)] == [0, 1, 2]
    engine.dispose()
