"""Health endpoints for monitoring: liveness, readiness and metrics.

They need no sign-in and say nothing about any campaign.
"""

from __future__ import annotations

import asyncio
from typing import Final

from fastapi import FastAPI, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from tracker.errors import Refusal
from tracker.server import endpoints, metrics
from tracker.server.threads import Threads
from tracker.service.application import Tracker

ANSWERS_SECONDS: Final = 3.0
"""The seconds in which the database must answer."""


class NotReady(Exception):
    """The service cannot take requests."""


def add(app: FastAPI) -> None:
    """Serve them."""
    endpoints.add(app, "GET", metrics.HEALTH, _alive)
    endpoints.add(app, "GET", metrics.READY, _ready)
    endpoints.add(app, "GET", metrics.NUMBERS, _numbers)


async def _alive(_request: Request) -> Response:
    return _plain("alive\n")


async def _ready(request: Request) -> Response:
    state = request.app.state
    opened: Tracker = state.tracker
    threads: Threads = state.threads
    if state.live.stops:
        raise NotReady("The service is stopping.")
    try:
        await asyncio.wait_for(threads.read(opened.check_answers), ANSWERS_SECONDS)
    except TimeoutError as slow:
        raise NotReady("The database does not answer in time.") from slow
    except Refusal as wrong:
        raise NotReady(f"The database is not usable: {wrong.code.replace('_', ' ')}.") from wrong
    return _plain("ready\n")


async def _numbers(request: Request) -> Response:
    numbers: metrics.Metrics = request.app.state.metrics
    return Response(numbers.text(), headers=_UNKEPT, media_type=CONTENT_TYPE_LATEST)


_UNKEPT: Final = {"Cache-Control": "no-store"}


def _plain(text: str) -> Response:
    return Response(text, headers=_UNKEPT, media_type="text/plain; charset=utf-8")
