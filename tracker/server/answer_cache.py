"""The response cache: an identical request gets the same bytes while nobody has written.

SQLite counts the commits to a file; while the count stays, every answer made from the file is still right.
Requests are identical if path, query, accepted types and caller are. The caller's rights are checked again
after some seconds, because a token can expire without a write.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tracker.server import metrics, request_limits
from tracker.server.access import Access
from tracker.server.rate_limits import TooOften, whose
from tracker.service.clock import later

STANDS: Final = timedelta(seconds=15)
"""The lifetime of checked rights, as for open streams."""
BYTES_MOST: Final = 32 * 1024 * 1024
_EACH_MOST: Final = BYTES_MOST // 16
_EACH_LEAST: Final = 1024
"""The size in memory of an answer without its bytes."""
_UNDER: Final = ("/v1/campaigns/", "/campaigns/")
_HEADERS: Final = frozenset({b"accept", b"accept-encoding", b"authorization", b"cookie", b"if-none-match"})
"""The request headers that an answer depends on."""
_MADE_FOR: Final = "arbitrator.made_for"

Key: TypeAlias = tuple[Any, ...]


class CachedAnswer(NamedTuple):
    """A response, the person it was made for, and its campaign."""

    start: Message
    body: Message
    route: Any
    actor: str
    campaign: str
    until: str


def made_for(scope: Scope, actor: str, campaign: str) -> None:
    """Mark the response as made from the file alone, for this person and this campaign."""
    scope[_MADE_FOR] = (actor, campaign)


class AnswerCache:
    """ASGI middleware of one process over one SQLite file; it caches nothing for PostgreSQL."""

    def __init__(self, app: ASGIApp, engine: Engine, access: Access, now: Callable[[], str]) -> None:
        self._app, self._engine, self._access, self._now = app, engine, access, now
        self._is_sqlite = engine.dialect.name == "sqlite"
        self._session: Any = None
        self._kept: dict[Key, CachedAnswer] = {}
        self._bytes = 0
        self._commits: int | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the cached response, or pass the request on and cache its response."""
        asked = (
            self._is_sqlite
            and scope["type"] == "http"
            and scope["method"] == "GET"
            and scope["path"].startswith(_UNDER)
        )
        if not asked or (commits := self._counted()) is None:
            await self._app(scope, receive, send)
            return
        key = _key(scope)
        kept = self._kept.get(key)
        if kept is None or self._now() >= kept.until or not self._may_ask_again(scope, kept):
            await self._made(scope, receive, send, key, commits)
            return
        scope["route"] = kept.route
        metrics.of_campaign(kept.campaign)
        with suppress(TimeoutError):  # the client has stopped reading
            async with asyncio.timeout(request_limits.SEND_SECONDS):
                await send({**kept.start})
                await send(kept.body)

    def _may_ask_again(self, scope: Scope, kept: CachedAnswer) -> bool:
        address = scope["client"][0] if scope.get("client") else ""
        try:
            self._access.limits.count("reads", kept.actor or whose(address))
        except TooOften:  # the application refuses it in the usual form
            return False
        return True

    async def _made(self, scope: Scope, receive: Receive, send: Send, key: Key, commits: int) -> None:
        sent: list[Message] = []

        async def sending(message: Message) -> None:
            if len(sent) < 3:
                sent.append({**message})
            await send(message)

        await self._app(scope, receive, sending)
        made = scope.get(_MADE_FOR)
        if made is None or len(sent) != 2 or commits != self._commits:
            return
        start, body = sent
        size = _size(key, body)
        if body.get("more_body") or size > _EACH_MOST:
            return
        before = self._kept.pop(key, None)
        self._bytes -= _size(key, before.body) if before is not None else 0
        if self._bytes + size > BYTES_MOST:
            self._forget()
        actor, campaign = made
        until = later(self._now(), STANDS)
        self._kept[key] = CachedAnswer(start, body, scope.get("route"), actor, campaign, until)
        self._bytes += size

    def _counted(self) -> int | None:
        """The number of commits of others to the file; None if it cannot be read now.

        Read before a response is made, so it is never newer than the response.
        """
        try:
            if self._session is None:
                pooled = self._engine.raw_connection()
                self._session = pooled.driver_connection
                pooled.detach()
                self._session.execute("PRAGMA busy_timeout = 0")  # do not wait for a writer
            (commits,) = self._session.execute("PRAGMA data_version").fetchone()
        except (self._engine.dialect.loaded_dbapi.Error, DBAPIError):
            return None
        if commits != self._commits:
            self._forget()
            self._commits = commits
        return int(commits)

    def _forget(self) -> None:
        self._kept.clear()
        self._bytes = 0

    def close(self) -> None:
        """Close the file and drop the cache."""
        self._forget()
        self._is_sqlite = False
        if self._session is not None:
            self._session.close()
            self._session = None


def _size(key: Key, body: Message) -> int:
    """The size of a cached response with its request, whose headers may be longer."""
    asked = sum(len(name) + len(value) for name, value in key[3:])
    return len(body.get("body", b"")) + len(key[1]) + len(key[2]) + asked + _EACH_LEAST


def _key(scope: Scope) -> Key:
    headers = [header for header in scope["headers"] if header[0] in _HEADERS]
    return (scope["scheme"], scope["path"], scope["query_string"], *headers)
