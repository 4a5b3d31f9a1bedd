"""Ctrl-C while a transaction is committed comes when it is, and whoever is reported knows that it is."""

import os
import signal
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from log_events import ASH_WASTES, write_entry
from sqlalchemy import Connection, Engine, event

from tracker.log.database import writing
from tracker.log.interrupts import deferred_interrupt
from tracker.log.store import EventStore


@pytest.fixture(autouse=True)
def _usual_handler() -> Iterator[None]:
    # Whoever runs the tests in the background of a shell leaves SIGINT ignored for all that they start.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def press_ctrl_c() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def press_while_saving(connection: Connection) -> None:
    if "arbitrator_writes" in connection.get_execution_options():
        press_ctrl_c()


def test_ctrl_c_waits_until_the_block_has_ended() -> None:
    done = []

    @deferred_interrupt()
    def work() -> None:
        press_ctrl_c()
        done.append("all of it")

    with pytest.raises(KeyboardInterrupt):
        work()
    assert done == ["all of it"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_block_that_fails_ends_with_its_own_failure() -> None:
    @deferred_interrupt()
    def work() -> None:
        press_ctrl_c()
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        work()
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_ctrl_c_that_is_ignored_stays_ignored() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with deferred_interrupt():
        press_ctrl_c()
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_other_threads_hold_nothing_back() -> None:
    ran = []

    def work() -> None:
        with deferred_interrupt():
            ran.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert ran == [signal.default_int_handler]


def test_what_is_committed_under_ctrl_c_is_known_to_be_saved(engine: Engine, store: EventStore) -> None:
    write_entry(store, ASH_WASTES)
    event.listen(engine, "commit", press_while_saving)
    with pytest.raises(KeyboardInterrupt):
        write_entry(store, ASH_WASTES)
    event.remove(engine, "commit", press_while_saving)
    assert [(one.first_entry, one.last_entry) for one in store.saved] == [(1, 1), (2, 2)]
    assert store.head(ASH_WASTES).entries == 2


def test_ctrl_c_before_the_commit_leaves_nothing(engine: Engine, store: EventStore) -> None:
    def work() -> None:
        with store.exclusively(ASH_WASTES) as locked:
            write_entry(locked, ASH_WASTES)
            press_ctrl_c()

    with pytest.raises(KeyboardInterrupt):
        work()
    assert (list(store.saved), store.head(ASH_WASTES).entries) == ([], 0)


def test_a_transaction_that_fails_to_commit_saved_nothing(engine: Engine) -> None:
    called = []

    def refuse(_: Any) -> None:
        raise ZeroDivisionError

    event.listen(engine, "commit", refuse)
    with pytest.raises(ZeroDivisionError), writing(engine, saved=lambda: called.append(1)):
        pass
    event.remove(engine, "commit", refuse)
    assert called == []
