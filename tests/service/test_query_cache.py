"""What was worked out of a log is worked out once for its head, and again once something was recorded."""

from collections import OrderedDict
from threading import Lock
from typing import Any

from tracker.log.sealing import Head
from tracker.service.query_cache import ENTRIES_MAX, QueryCache


class Log:
    """A log that grows, and how often somebody read all of it."""

    def __init__(self) -> None:
        self.size = self.read = 0
        self.grows_meanwhile = False

    def head(self) -> Head:
        return Head(campaign="ash", size=self.size, leaf_hex=f"{self.size:064x}")

    def work_out(self) -> int:
        self.read += 1
        found = self.size
        self.size += self.grows_meanwhile
        return found


def test_it_is_worked_out_once_for_a_head_and_again_for_the_next() -> None:
    log, kept = Log(), QueryCache()
    assert [kept.get(log.head, ("rating",), log.work_out) for _ in range(3)] == [0, 0, 0]
    assert log.read == 1
    log.size = 7
    assert [kept.get(log.head, ("rating",), log.work_out) for _ in range(2)] == [7, 7]
    assert log.read == 2


def test_what_was_read_while_somebody_wrote_is_not_kept() -> None:
    log, kept = Log(), QueryCache()
    log.grows_meanwhile = True
    kept.get(log.head, ("rating",), log.work_out)
    log.size, log.grows_meanwhile = 0, False
    kept.get(log.head, ("rating",), log.work_out)
    assert log.read == 2


def test_what_was_asked_for_longest_ago_goes_first() -> None:
    log, kept = Log(), QueryCache()
    for number in range(ENTRIES_MAX + 1):
        kept.get(log.head, ("dependents", number), log.work_out)
    kept.get(log.head, ("dependents", 1), log.work_out)
    assert log.read == ENTRIES_MAX + 1
    kept.get(log.head, ("dependents", 0), log.work_out)
    assert log.read == ENTRIES_MAX + 2


class Guarded(OrderedDict[Any, Any]):
    """Answers that several threads share: nobody looks or writes who does not hold the lock."""

    def __init__(self, lock: Lock) -> None:  # type: ignore[valid-type]
        super().__init__()
        self.lock = lock

    def get(self, *given: Any) -> Any:
        assert self.lock.locked()
        return super().get(*given)

    def __setitem__(self, *given: Any) -> None:
        assert self.lock.locked()
        super().__setitem__(*given)


def test_answers_are_looked_at_and_kept_by_one_thread_at_a_time() -> None:
    log, kept = Log(), QueryCache()
    kept._entries = Guarded(kept._lock)
    assert [kept.get(log.head, ("rating",), log.work_out) for _ in range(2)] == [0, 0]
    assert log.read == 1
