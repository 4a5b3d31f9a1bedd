"""A service asked by many at once while what it stands on is killed: what was acknowledged, when, and whether it is there.

A writer has one entry at a time, sends it again under its key until it is acknowledged, and keeps when that was.
A reader sends what they saw last, as a page does. Nothing but 200, 304 and a polite 503 is a right answer.
"""

import http.client
import json
import re
import threading
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import count, pairwise
from typing import NamedTuple

from running_service import Running

from tracker.service.application import Tracker

AGAIN_SECONDS = 0.2
"""Sooner than Retry-After asks for: how long nobody is answered is measured."""
_AWARD = re.compile(rb"load [a-z0-9-]+")
_SIZE = re.compile(r'"(\d+)-')


class Acknowledged(NamedTuple):
    """An entry that was, and when it was sent first and answered last."""

    campaign: str
    reason: str
    sent: float
    answered: float


class Load:
    """Writers and readers, each a thread with a connection of their own."""

    def __init__(
        self, service: Running, campaigns: Iterable[tuple[str, str]], *, writers: int, readers: int = 0,
        each: int | None = None,
        label: str = "",
    ) -> None:  # fmt: skip
        """`campaigns` are names with a fighter in each; a writer makes `each` entries, or goes on until `stop`.
        `label` tells one load from another.
        """
        self._label = label
        self.acknowledged: list[Acknowledged] = []
        self.read: list[Acknowledged] = []
        self.answers: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._service, self._each, self._stop = service, each, threading.Event()
        self._threads = [
            threading.Thread(target=target, args=(campaign, who, number), daemon=True)
            for campaign, who in campaigns
            for target, many in ((self._write, writers), (self._read, readers))
            for number in range(many)
        ]
        for thread in self._threads:
            thread.start()

    def stop(self, seconds: float = 120) -> None:
        """Everybody comes to the end of what they are at."""
        self._stop.set()
        self.join(seconds)

    def join(self, seconds: float = 120) -> None:
        """Wait for them. Raises AssertionError where somebody was answered wrongly, or is never answered."""
        until = time.monotonic() + seconds
        for thread in self._threads:
            thread.join(max(0.0, until - time.monotonic()))
            assert not thread.is_alive(), f"nobody answers any more: {self.answers}"
        assert not self.wrong, self.wrong[:3]

    def silence(self, campaigns: Sequence[str], since: float, until: float) -> float:
        """The longest time within which nobody in these campaigns was acknowledged anything, in seconds."""
        times = sorted(one.answered for one in self.acknowledged if one.campaign in campaigns)
        marks = [since, *(at for at in times if since < at < until), until]
        return max(after - before for before, after in pairwise(marks))

    def longest(self, campaigns: Sequence[str], since: float, until: float) -> float:
        """The longest that anybody in these campaigns waited, reading or writing."""
        asked = [*self.acknowledged, *self.read]
        waits = [
            min(one.answered, until) - max(one.sent, since)
            for one in asked
            if one.campaign in campaigns and one.answered > since and one.sent < until
        ]
        return max(waits, default=until - since)

    def _going_on(self, at: int) -> bool:
        return not self._stop.is_set() and (self._each is None or at < self._each)

    def _write(self, campaign: str, fighter: str, number: int) -> None:
        connection = self._service.connection()
        for at in count():
            if not self._going_on(at):
                connection.close()
                return
            reason = f"load {campaign}-{self._label}-{number}-{at}"
            body = json.dumps({"fighters": [fighter], "xp": 1, "reason": reason})
            key = reason.replace(" ", "-")
            sent = time.monotonic()
            path = f"/v1/campaigns/{campaign}/awards"
            while self._asked(connection, "POST", path, body, Idempotency_Key=key) is None:
                if self.wrong:
                    return
                time.sleep(AGAIN_SECONDS)
            self.acknowledged.append(Acknowledged(campaign, reason, sent, time.monotonic()))

    def _read(self, campaign: str, _fighter: str, _number: int) -> None:
        connection, seen, tag = self._service.connection(), 0, '"0-0000000000000000"'
        while not self._stop.is_set():
            sent = time.monotonic()
            answer = self._asked(connection, "GET", f"/v1/campaigns/{campaign}/roster", If_None_Match=tag)
            if answer is not None:
                self.read.append(Acknowledged(campaign, "read", sent, time.monotonic()))
                tag = answer
                size = int(_SIZE.findall(tag)[0])
                if size < seen:
                    self.wrong.append(f"{campaign}: {size} events were shown to whoever had seen {seen}")
                seen = size
            time.sleep(AGAIN_SECONDS)
        connection.close()

    def _asked(
        self, connection: http.client.HTTPConnection, method: str, path: str, body: str | None = None,
        **headers: str,
    ) -> str | None:  # fmt: skip
        """The ETag of a right answer; None where it is to be sent again."""
        try:
            answer = self._service.begin(connection, method, path, body, **headers).getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as lost:
            self.answers[type(lost).__name__] += 1
            connection.close()
            return None
        if answer.status in (200, 304):
            self.answers[str(answer.status)] += 1
            return answer.headers["ETag"]
        polite = (
            answer.headers["Content-Type"] == "application/problem+json" and answer.headers["Retry-After"]
        )
        problem = json.loads(text) if polite else {}
        self.answers[f"{answer.status} {problem.get('code', '')}".strip()] += 1
        if answer.status != 503 or not polite:
            self.wrong.append(f"{method} {path}: {answer.status} {text.decode(errors='replace')[:300]}")
        return None


def nothing_is_lost_or_twice(tracker: Tracker, campaign: str, acknowledged: Sequence[str]) -> int:
    """Each reason stands in one entry of the campaign, and no other of a load does; how many there are."""
    entries = Counter(
        reason.decode()
        for reason, _entry in {
            (reason, event.entry)
            for event in tracker.repository.store.read(campaign)
            for reason in _AWARD.findall(event.body)
        }
    )
    lost = sorted({*acknowledged} - {*entries})
    assert not lost, f"acknowledged and lost: {len(lost)} of {len(acknowledged)}, such as {lost[0]}"
    twice = sorted(reason for reason, times in entries.items() if times > 1)
    assert not twice, f"recorded twice: {twice}"
    assert {*entries} == {*acknowledged}, "every writer waited for the last answer"
    return len(entries)
