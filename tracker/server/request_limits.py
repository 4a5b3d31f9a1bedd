"""Limits on requests: bytes of headers, and time for headers, body and response.

A slow or endless client blocks only its own connection.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Final

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from tracker.server import problems

if TYPE_CHECKING:
    from asyncio import TimerHandle

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

HEADER_BYTES_MAX: Final = 10_000
HEADER_SECONDS: Final = 10.0
"""The seconds from a connection, or a request's first byte, to the end of its headers."""
BODY_SECONDS: Final = 30.0
SEND_SECONDS: Final = 60.0
"""The seconds in which a client must take a piece of the response."""


class BodyTooSlow(Exception):
    """The body did not arrive in time."""


class NotTakenIn(Exception):
    """The client does not read on."""


class RequestTimeouts:
    """ASGI middleware: limits the time for the body and for taking the response."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on. Raises BodyTooSlow within the application."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        loop = asyncio.get_running_loop()
        until = loop.time() + BODY_SECONDS
        is_whole = False

        async def received() -> Message:
            nonlocal is_whole
            if is_whole:  # the next message is that the client disconnected
                return await receive()
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError as slow:
                raise BodyTooSlow from slow
            is_whole = message["type"] != "http.request" or not message.get("more_body", False)
            return message

        async def sent(message: Message) -> None:
            try:
                async with asyncio.timeout(SEND_SECONDS):
                    await send(message)
            except TimeoutError as slow:
                raise NotTakenIn from slow

        with suppress(NotTakenIn):  # the connection is closed
            await self._app(scope, received, sent)


class HeaderLimits(HttpToolsProtocol):
    """A connection with limits on the time and size of headers."""

    _ending: TimerHandle | None = None
    _in_headers = True
    _come = 0
    """The bytes of this request so far, until its headers are complete."""
    _kept = 0
    """The bytes of its headers."""
    _is_too_large = False

    def connection_made(self, transport: Any) -> None:
        """Start the timer for headers."""
        super().connection_made(transport)
        self._ending = self.loop.call_later(HEADER_SECONDS, self._too_slow)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timer."""
        self._stop_waiting()
        super().connection_lost(exc)

    def on_message_begin(self) -> None:
        """Start counting at the first byte of a request."""
        super().on_message_begin()
        self._in_headers, self._come, self._kept = True, 0, 0
        if self._ending is None:
            self._ending = self.loop.call_later(HEADER_SECONDS, self._too_slow)

    def on_url(self, url: bytes) -> None:
        """Count a piece of the address."""
        self._kept += len(url)
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header."""
        self._kept += len(name) + len(value)
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """Go on, unless the headers are too large."""
        self._stop_waiting()
        self._in_headers = False
        self._is_too_large = self._kept > HEADER_BYTES_MAX
        if self._is_too_large:
            raise OverflowError  # stops the parser; `send_400_response` answers
        super().on_headers_complete()

    def data_received(self, data: bytes) -> None:
        """Read on; headers without an end are counted as they arrive."""
        super().data_received(data)
        self._come += len(data)
        if self._in_headers and self._come > HEADER_BYTES_MAX and not self.transport.is_closing():
            self._is_too_large = True
            self.send_400_response("")

    def send_400_response(self, msg: str) -> None:
        """Send the reason, and close the connection."""
        self._stop_waiting()
        if self._is_too_large:
            self._end(431, "headers_too_large", f"The headers are longer than {HEADER_BYTES_MAX:,} bytes.")
        else:
            self._end(400, "not_http", msg)

    def _too_slow(self) -> None:
        self._ending = None
        if self._in_headers and not self.transport.is_closing():
            self._end(408, "headers_too_slow", "The headers did not arrive in time.")

    def _end(self, status: int, code: str, message: str) -> None:
        body = msgspec.json.encode(problems.of_code(status, code, message))
        head = (
            f"HTTP/1.1 {status} {HTTPStatus(status).phrase}\r\nContent-Type: {problems.MEDIA_TYPE}\r\n"
            f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()

    def _stop_waiting(self) -> None:
        if self._ending is not None:
            self._ending.cancel()
            self._ending = None
