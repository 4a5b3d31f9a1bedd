"""Joining by a link: exchanges a name and the link's secret for a token, once for each use of the link."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final

import msgspec
from fastapi import FastAPI, Request, Response

from tracker.people.refusals import InviteNotValid
from tracker.records import decoder_of
from tracker.server.browser_sign_in import count_sign_in
from tracker.server.threads import Threads
from tracker.service.application import Tracker

PATH: Final = "/v1/join"
BYTES_MAX: Final = 10_000
DAYS: Final = 365
"""The lifetime of a token from a link, in days."""


class Joining(msgspec.Struct, forbid_unknown_fields=True):
    """The request to join."""

    secret: str
    """The secret of the link."""
    name: str | None = None
    """The wanted name; a link back in has its person already."""
    label: str = "command line"
    """The purpose of the token, for its owner's list."""


class Joined(msgspec.Struct):
    """The person who used the link, and their token."""

    person: str
    name: str
    campaign: str | None
    """The role; None for a link back in."""
    role: str | None
    token: str


def endpoint(app: FastAPI, body_of: Callable[[Request, int], Awaitable[bytes]]) -> Callable[[Request], Any]:
    """The endpoint that takes a link."""

    async def join(request: Request) -> Response:
        count_sign_in(app, request)
        body = await body_of(request, BYTES_MAX)
        try:
            request_body: Joining = decoder_of(Joining).decode(body)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as wrong:
            raise InviteNotValid from wrong
        opened: Tracker = app.state.tracker
        threads: Threads = app.state.threads
        answer = await threads.write(lambda: _joined(opened, request_body))
        return Response(msgspec.json.encode(answer), media_type="application/json")

    return join


def _joined(opened: Tracker, asked: Joining) -> Joined:
    people = opened.people
    joined = people.invites.redeem(asked.secret, name=asked.name)
    made = people.tokens.new(joined.person.person, label=asked.label[:80], scope="write", days=DAYS)
    member = joined.member
    return Joined(
        person=joined.person.person,
        name=joined.person.name,
        campaign=member.campaign if member is not None else None,
        role=member.role if member is not None else None,
        token=made.secret,
    )
