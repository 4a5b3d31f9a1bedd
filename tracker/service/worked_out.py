"""What was worked out of a whole log, kept while its head stays where it is: pages ask for the same again.

Knows no report. What changes without the log, such as people's names, is not kept here.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, Final, TypeVar

from tracker.log.sealing import Head

Answer = TypeVar("Answer")

KEPT_MOST: Final = 128


class RecentAnswers:
    """The answers that were asked for last, each with the head of the log that it was read off."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Hashable, tuple[Head, Any]] = OrderedDict()
        self._lock = Lock()

    def at(
        self, head: Callable[[], Head], what: tuple[Hashable, ...], work_out: Callable[[], Answer]
    ) -> Answer:
        """The answer to `what` at this head, which says where the log ends now."""
        before = head()
        asked = (before.campaign, *what)
        with self._lock:
            kept = self._kept.get(asked)
            if kept is not None and kept[0] == before:
                self._kept.move_to_end(asked)
                answer: Answer = kept[1]
                return answer
        answer = work_out()
        if head() == before:  # else somebody wrote meanwhile, and it may be of both
            with self._lock:
                self._kept[asked] = (before, answer)
                self._kept.move_to_end(asked)
                while len(self._kept) > KEPT_MOST:
                    self._kept.popitem(last=False)
        return answer
