"""Signing in with a browser: the page of a link, what it makes, and signing out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import cache
from typing import Any, Final
from urllib.parse import parse_qs

import jinja2
from fastapi import FastAPI, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from tracker.errors import Refusal
from tracker.people.records import Invite
from tracker.people.refusals import InviteNotValid
from tracker.server import safety, sessions
from tracker.server.access import Access, Caller, NotSignedIn
from tracker.server.problems import status_of
from tracker.server.writing import Threads
from tracker.service.application import Tracker
from tracker.service.sign_in import MadeSession

JOIN: Final = "/join/{secret}"
SIGN_IN: Final = "/sign-in"
SIGN_OUT: Final = "/sign-out"
START: Final = "/"
FORM_BYTES_MAX: Final = 10_000
_SECRET_PAGE: Final = {"Referrer-Policy": safety.REFERRER_OF_SECRETS, "Cache-Control": "no-store"}

Body = Callable[[Request, int], Awaitable[bytes]]


def add(app: FastAPI, body_of: Body) -> None:
    """The routes."""
    app.add_api_route(JOIN, _link_page(app), methods=["GET"])
    app.add_api_route(JOIN, _link_used(app, body_of), methods=["POST"])
    app.add_api_route(SIGN_IN, _sign_in_page(app), methods=["GET"])
    app.add_api_route(SIGN_OUT, _signed_out(app), methods=["POST"])


async def who_sits_here(app: FastAPI, request: Request) -> Caller | None:
    """Who is signed in with this browser; None where nobody is. A token is nobody's browser."""
    access: Access = app.state.access
    threads: Threads = app.state.threads
    sent = sessions.sent(request)
    if sent.is_bearer:
        return None
    try:
        return await threads.read(lambda: access.caller(sent))
    except NotSignedIn:
        return None


def _link_page(app: FastAPI) -> Callable[[Request], Any]:
    async def show(request: Request) -> Response:
        opened: Tracker = app.state.tracker
        threads: Threads = app.state.threads
        caller = await who_sits_here(app, request)
        secret = str(request.path_params["secret"])
        try:
            page = await threads.read(lambda: _link(opened, secret, caller))
        except InviteNotValid as wrong:
            return _refused(wrong)
        return _page("join.html.j2", page)

    return show


def _link_used(app: FastAPI, body_of: Body) -> Callable[[Request], Any]:
    async def use(request: Request) -> Response:
        opened: Tracker = app.state.tracker
        threads: Threads = app.state.threads
        caller = await who_sits_here(app, request)
        secret = str(request.path_params["secret"])
        name = _field(await body_of(request, FORM_BYTES_MAX), "name")
        label = sessions.label(request)
        try:
            made = await threads.write(lambda: _came_in(opened, secret, name, caller, label))
        except Refusal as wrong:
            try:
                page = await threads.read(lambda: _link(opened, secret, caller))
            except InviteNotValid as over:
                return _refused(over)
            return _page("join.html.j2", page | {"refused": str(wrong), "name": name}, status_of(wrong))
        answer = RedirectResponse(START, 303, _SECRET_PAGE)
        if made is not None:
            sessions.keep(request, answer, made)
        return answer

    return use


def _came_in(
    opened: Tracker, secret: str, name: str, caller: Caller | None, label: str
) -> MadeSession | None:
    """In a thread: the link, used. Who is signed in stays so, and becomes a member; unless it lets somebody
    else back in.
    """
    invites = opened.people.invites
    is_back = invites.look(secret).person is not None
    came = invites.redeem(
        secret, name=name, person_id=caller.actor if caller is not None and not is_back else None
    )
    if caller is not None:
        if came.person.person == caller.actor:
            return None
        opened.people.sessions.end(caller.actor, caller.session)
    return opened.people.sessions.new(came.person.person, label=label)


def _link(opened: Tracker, secret: str, caller: Caller | None) -> dict[str, Any]:
    """In a thread: what the page of a link says. Raises InviteNotValid."""
    invite = opened.people.invites.look(secret)
    page = {"is_open": True, "refused": "", "name": "", "asks_name": False}
    if invite.person is not None:
        name = opened.people.person(invite.person).name
        return page | {"heading": f"Welcome back, {name}", "button": f"Sign in as {name}"}
    heading = f"Join {_campaign_name(opened, invite)} as {_role(invite)}"
    if caller is not None:
        return page | {"heading": heading, "button": f"Join as {caller.name}"}
    return page | {"heading": heading, "button": "Join", "asks_name": True}


def _campaign_name(opened: Tracker, invite: Invite) -> str:
    rows = opened.directory.rows()
    return next(str(row["name"]) for row in rows if row["campaign"] == invite.campaign)


def _role(invite: Invite) -> str:
    return {"arbitrator": "an Arbitrator", "player": "a player"}.get(invite.role or "", "a spectator")


def _sign_in_page(app: FastAPI) -> Callable[[Request], Any]:
    async def show(request: Request) -> Response:
        caller = await who_sits_here(app, request)
        return _page("sign_in.html.j2", {"name": caller.name if caller is not None else ""})

    return show


def _signed_out(app: FastAPI) -> Callable[[Request], Any]:
    async def sign_out(request: Request) -> Response:
        opened: Tracker = app.state.tracker
        threads: Threads = app.state.threads
        caller = await who_sits_here(app, request)
        if caller is not None and caller.session is not None:
            session = caller.session
            await threads.write(lambda: opened.people.sessions.end(caller.actor, session))
        answer = RedirectResponse(SIGN_IN, 303, {"Cache-Control": "no-store"})
        sessions.take_back(request, answer)
        return answer

    return sign_out


def _field(body: bytes, name: str) -> str:
    """A field of a form; nothing where it is not there or cannot be read."""
    fields = parse_qs(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=20)
    return fields.get(name, [""])[0]


def _refused(wrong: Refusal) -> Response:
    page = {"is_open": False, "heading": "This link is no longer open", "refused": str(wrong)}
    return _page("join.html.j2", page, status_of(wrong))


def _page(template: str, page: dict[str, Any], status: int = 200) -> Response:
    return HTMLResponse(_templates().get_template(template).render(page), status, _SECRET_PAGE)


@cache
def _templates() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("tracker.server"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
