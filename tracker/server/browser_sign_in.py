"""Signing in with a browser: the page of an invitation link, the session that it begins, and signing out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias
from urllib.parse import quote

from fastapi import FastAPI, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from tracker.errors import Refusal
from tracker.people.records import Invite
from tracker.people.refusals import InviteNotValid
from tracker.server import browser_security, endpoints, sessions
from tracker.server.access import Access, Caller, Unauthorized
from tracker.server.pages import frame
from tracker.server.pages.forms import FormValues
from tracker.server.problems import status_of
from tracker.server.rate_limits import whose
from tracker.server.threads import Threads
from tracker.service.application import Tracker
from tracker.service.sign_in import Arrival, MadeSession

JOIN: Final = "/join/{secret}"
SIGN_IN: Final = "/sign-in"
SIGN_OUT: Final = "/sign-out"
AFTERWARDS: Final = "/account"
"""The page after a link back in: there the person makes a passkey."""
BEGIN: Final = "/begin"
"""The page that begins the first campaign."""
FORM_BYTES_MAX: Final = 10_000
PRIVATE: Final = {"Referrer-Policy": browser_security.REFERRER_OF_SECRETS, "Cache-Control": "no-store"}

Body: TypeAlias = Callable[[Request, int], Awaitable[bytes]]
"""Reads the whole body of a request, up to a number of bytes."""


def add(app: FastAPI, body_of: Body) -> None:
    """The routes."""
    endpoints.add(app, "GET", JOIN, _link_page(app))
    endpoints.add(app, "POST", JOIN, _link_used(app, body_of))
    endpoints.add(app, "GET", SIGN_IN, _sign_in_page(app))
    endpoints.add(app, "POST", SIGN_OUT, _signed_out(app))


async def who_sits_here(app: FastAPI, request: Request) -> Caller | None:
    """The person signed in with this browser, or None. A token is not a browser's."""
    access: Access = app.state.access
    threads: Threads = app.state.threads
    sent = sessions.sent(request)
    if sent.is_bearer:
        return None
    try:
        return await threads.read(lambda: access.caller(sent))
    except Unauthorized:
        return None


def count_sign_in(app: FastAPI, request: Request) -> None:
    """Count an attempt to sign in. Raises TooOften."""
    access: Access = app.state.access
    access.limits.count("sign-in", whose(sessions.sent(request).address))


async def signed_in(app: FastAPI, request: Request) -> Caller:
    """The person signed in with this browser. Raises NotSignedIn."""
    caller = await who_sits_here(app, request)
    if caller is None:
        raise Unauthorized
    return caller


def page(
    app: FastAPI, template: str, caller: Caller | None, given: dict[str, Any], status: int = 200
) -> Response:
    """A page outside all campaigns."""
    elsewhere: str | None = app.state.discord_origin
    shared = dict.fromkeys(("slug", "campaign_name", "head", "refused")) | {"navigation": ()}
    text = frame.written(template, shared | {"caller": caller, "discord": bool(elsewhere)} | given)
    headers = dict(PRIVATE)
    if elsewhere:
        headers["Content-Security-Policy"] = browser_security.policy_with_forms_to(elsewhere)
    return HTMLResponse(text, status, headers)


def _link_page(app: FastAPI) -> Callable[[Request], Any]:
    async def show(request: Request) -> Response:
        count_sign_in(app, request)
        opened: Tracker = app.state.tracker
        threads: Threads = app.state.threads
        caller = await who_sits_here(app, request)
        secret = str(request.path_params["secret"])
        try:
            given = await threads.read(lambda: of_link(opened, secret, caller))
        except InviteNotValid as wrong:
            return _over(app, wrong, caller)
        return page(app, "join", caller, given)

    return show


def _link_used(app: FastAPI, body_of: Body) -> Callable[[Request], Any]:
    async def use(request: Request) -> Response:
        count_sign_in(app, request)
        opened: Tracker = app.state.tracker
        threads: Threads = app.state.threads
        caller = await who_sits_here(app, request)
        secret = str(request.path_params["secret"])
        name = FormValues.read(await body_of(request, FORM_BYTES_MAX)).get("name")
        label = sessions.label(request)
        try:
            made, where = await threads.write(lambda: _came_in(opened, secret, name, caller, label))
        except Refusal as wrong:
            try:
                given = await threads.read(lambda: of_link(opened, secret, caller))
            except InviteNotValid as over:
                return _over(app, over, caller)
            given |= {"refused": str(wrong), "typed": name}
            return page(app, "join", caller, given, status_of(wrong))
        answer = RedirectResponse(where, 303, PRIVATE)
        if made is not None:
            sessions.keep(request, answer, made)
        return answer

    return use


def _came_in(
    opened: Tracker, secret: str, name: str, caller: Caller | None, label: str
) -> tuple[MadeSession | None, str]:
    """In a thread: use the link; returns the session and the next page.

    A signed-in person becomes a member and keeps their session, unless the link is for another person.
    """
    invites = opened.people.invites
    is_back = invites.look(secret).person is not None
    came = invites.redeem(
        secret, name=name, person_id=caller.actor if caller is not None and not is_back else None
    )
    where = after_arrival(opened, came)
    if caller is not None:
        if came.person.person == caller.actor:
            return None, where
        opened.people.sessions.end(caller.actor, caller.session)
    return opened.people.sessions.new(came.person.person, label=label), where


def after_arrival(opened: Tracker, came: Arrival) -> str:
    """In a thread: the first page for somebody who used a link.

    A new member gets the campaign's welcome page; others the list of campaigns, or the page that begins the
    first.
    """
    if came.member is not None:
        slugs = {str(row["campaign"]): str(row["slug"]) for row in opened.directory.rows()}
        return f"/campaigns/{quote(slugs[came.member.campaign], safe='')}/welcome"
    if opened.people.memberships(came.person.person):
        return AFTERWARDS
    return "/" if opened.directory.rows() else BEGIN


def of_link(opened: Tracker, secret: str, caller: Caller | None) -> dict[str, Any]:
    """In a thread: the content of a link's page. Raises InviteNotValid."""
    invite = opened.people.invites.look(secret)
    given = {"typed": "", "asks_name": False, "secret": secret}
    if invite.person is not None:
        name = opened.people.person(invite.person).name
        back = " back" if opened.people.memberships(invite.person) else ""
        return given | {
            "heading": f"Welcome{back}, {name}",
            "button": f"Sign in as {name}",
            "works_once": True,
        }
    heading = f"Join {_campaign_name(opened, invite)} as {_role(invite)}"
    if caller is not None:
        return given | {"heading": heading, "button": f"Join as {caller.name}"}
    return given | {"heading": heading, "button": "Join", "asks_name": True}


def _campaign_name(opened: Tracker, invite: Invite) -> str:
    rows = opened.directory.rows()
    return next(str(row["name"]) for row in rows if row["campaign"] == invite.campaign)


def _role(invite: Invite) -> str:
    return {"arbitrator": "an Arbitrator", "player": "a player"}.get(invite.role or "", "a spectator")


def _over(app: FastAPI, wrong: Refusal, caller: Caller | None) -> Response:
    """The page of a link that lets nobody in."""
    given = {"heading": "This link lets nobody in", "button": "", "refused": str(wrong)}
    return page(app, "join", caller, given, status_of(wrong))


def _sign_in_page(app: FastAPI) -> Callable[[Request], Any]:
    async def show(request: Request) -> Response:
        return page(app, "sign_in", await who_sits_here(app, request), {})

    return show


def _signed_out(app: FastAPI) -> Callable[[Request], Any]:
    async def sign_out(request: Request) -> Response:
        opened: Tracker = app.state.tracker
        threads: Threads = app.state.threads
        caller = await who_sits_here(app, request)
        if caller is not None:
            await threads.write(lambda: opened.people.sessions.end(caller.actor, caller.session))
        answer = RedirectResponse(SIGN_IN, 303, {**PRIVATE, "Clear-Site-Data": '"storage"'})
        sessions.take_back(request, answer)
        return answer

    return sign_out
