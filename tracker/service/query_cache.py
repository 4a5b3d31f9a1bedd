"""The query cache: results that need a whole log, cached until its head moves, because pages ask for them
again and again.

Knows no report. Does not cache what can change without the log, such as people's names.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Final, TypeVar

from tracker.log.sealing import Head

Answer = TypeVar("Answer")

ENTRIES_MAX: Final = 128


class QueryCache:
    """The latest results, each with the head of the log that it was computed from."""

    def __init__(self) -> None:
        self._entries: OrderedDict[Hashable, tuple[Head, Any]] = OrderedDict()
        self._lock = Lock()

    def get(
        self, head: Callable[[], Head], what: tuple[Hashable, ...], compute: Callable[[], Answer]
    ) -> Answer:
        """The result for `what` at the head of the log, which `head` reads."""
        before = head()
        key = (before.campaign, *what)
        with self._lock:
            cached = self._entries.get(key)
            if cached is not None and cached[0] == before:
                self._entries.move_to_end(key)
                answer: Answer = cached[1]
                return answer
        answer = compute()
        if head() == before:  # otherwise a writer came in between, and the result may mix two heads
            with self._lock:
                self._entries[key] = (before, answer)
                self._entries.move_to_end(key)
                while len(self._entries) > ENTRIES_MAX:
                    self._entries.popitem(last=False)
        return answer
