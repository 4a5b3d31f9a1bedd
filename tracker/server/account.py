"""The account page: lists and removes a person's passkeys, sessions and tokens.

It needs a browser session and shows only the person's own: nothing here takes an id of a person.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from starlette.responses import RedirectResponse

from tracker.errors import Refusal
from tracker.server import browser_sign_in, discord_sign_in, endpoints, sessions
from tracker.server.access import Caller
from tracker.server.browser_sign_in import PRIVATE, Body, page, signed_in
from tracker.server.pages.forms import FormValues, whole_number
from tracker.server.problems import status_of
from tracker.server.threads import Threads
from tracker.service.application import Tracker
from tracker.service.clock import now
from tracker.service.sign_in import MadeToken

PATH: Final = "/account"
TOKEN_DAYS_MOST: Final = 3650
LABEL_MOST: Final = 80
NAME_IT: Final = (
    "Nothing was deleted. Type your name exactly as it stands here, so that nobody does it by accident."
)
ALONE: Final = (
    "Nothing was deleted: you are the only Arbitrator there is. Give the role to somebody else first, in"
)


def add(app: FastAPI, body_of: Body) -> None:
    """The page, and its forms."""
    opened: Tracker = app.state.tracker
    threads: Threads = app.state.threads
    people = opened.people

    async def shown(caller: Caller, status: int = 200, **given: Any) -> Response:
        return page(
            app, "account", caller, await threads.read(lambda: _shown(opened, caller)) | given, status
        )

    async def show(request: Request) -> Response:
        return await shown(await signed_in(app, request))

    async def rename(request: Request) -> Response:
        caller = await signed_in(app, request)
        name = FormValues.read(await body_of(request, browser_sign_in.FORM_BYTES_MAX)).get("name")
        try:
            await threads.write(lambda: people.rename(caller.actor, name))
        except Refusal as wrong:
            return await shown(caller, status_of(wrong), refused=str(wrong), typed_name=name)
        return RedirectResponse(PATH, 303, PRIVATE)

    async def make_token(request: Request) -> Response:
        """Only the response to this request shows the token."""
        caller = await signed_in(app, request)
        filled = FormValues.read(await body_of(request, browser_sign_in.FORM_BYTES_MAX))
        try:
            made = await threads.write(lambda: _made_token(opened, caller, filled))
        except Refusal as wrong:
            return await shown(caller, status_of(wrong), refused=str(wrong))
        return await shown(caller, made_token=made.secret)

    async def forget(request: Request) -> Response:
        """Delete the person for good: only if they typed their own name and every campaign keeps an
        Arbitrator.
        """
        caller = await signed_in(app, request)
        typed = FormValues.read(await body_of(request, browser_sign_in.FORM_BYTES_MAX)).get("name")
        if typed != caller.name:
            return await shown(caller, 422, refused=NAME_IT)
        alone = await threads.read(lambda: _needed_in(opened, caller))
        if alone:
            return await shown(caller, 409, refused=f"{ALONE} {', '.join(alone)}.")
        await threads.write(lambda: people.forget(caller.actor))
        answer = RedirectResponse("/", 303, {**PRIVATE, "Clear-Site-Data": '"storage"'})
        sessions.take_back(request, answer)
        return answer

    def form(does: Callable[[Caller, FormValues], Any]) -> Callable[[Request], Any]:
        async def act(request: Request) -> Response:
            caller = await signed_in(app, request)
            filled = FormValues.read(await body_of(request, browser_sign_in.FORM_BYTES_MAX))
            await threads.write(lambda: does(caller, filled))
            return RedirectResponse(PATH, 303, PRIVATE)

        return act

    async def end_session(request: Request) -> Response:
        caller = await signed_in(app, request)
        session = FormValues.read(await body_of(request, browser_sign_in.FORM_BYTES_MAX)).get("session")
        await threads.write(lambda: people.sessions.end(caller.actor, session))
        if session != caller.session:
            return RedirectResponse(PATH, 303, PRIVATE)
        answer = RedirectResponse(browser_sign_in.SIGN_IN, 303, PRIVATE)
        sessions.take_back(request, answer)
        return answer

    def end_other_sessions(caller: Caller, _filled: FormValues) -> None:
        for session in people.sessions.of(caller.actor):
            if session.session != caller.session:
                people.sessions.end(caller.actor, session.session)

    endpoints.add(app, "GET", PATH, show)
    for path, endpoint in (
        ("name", rename),
        ("tokens/new", make_token),
        ("forget", forget),
        ("sessions/end", end_session),
        ("sessions/end-others", form(end_other_sessions)),
        (
            "passkeys/remove",
            form(lambda caller, filled: people.passkeys.remove(caller.actor, filled.get("credential"))),
        ),
        (
            "identities/remove",
            form(lambda caller, filled: discord_sign_in.unlinked(opened, caller, filled.get("identity"))),
        ),
        (
            "tokens/revoke",
            form(lambda caller, filled: people.tokens.revoke(caller.actor, filled.get("token"))),
        ),
    ):
        endpoints.add(app, "POST", f"{PATH}/{path}", endpoint)


def _made_token(opened: Tracker, caller: Caller, filled: FormValues) -> MadeToken:
    """In a thread: one token, however often the form is sent. Raises NumberNotUsable, NoMember."""
    days = whole_number(filled, "days", "Days that it works", least=1, most=TOKEN_DAYS_MOST)
    return opened.people.tokens.new(
        caller.actor,
        label=filled.get("label")[:LABEL_MOST] or "a program",
        scope="write" if filled.get("scope") == "write" else "read",
        campaign=filled.get("campaign") or None,
        days=days,
        once=filled.sending(caller.actor).once,
    )


def _needed_in(opened: Tracker, caller: Caller) -> list[str]:
    """In a thread: the campaigns with other members that would have no Arbitrator without them."""
    names = {str(row["campaign"]): str(row["name"]) for row in opened.directory.rows()}
    needed = []
    for own in opened.people.memberships(caller.actor):
        others = [member for member in opened.people.members(own.campaign) if member.person != caller.actor]
        if own.role == "arbitrator" and others and not any(who.role == own.role for who in others):
            needed.append(names.get(own.campaign, own.campaign))
    return needed


def _shown(opened: Tracker, caller: Caller) -> dict[str, Any]:
    people, at = opened.people, now()
    slugs = {str(row["campaign"]): row for row in opened.directory.rows()}
    return {
        "made_token": "",
        "form_key": secrets.token_hex(16),
        "typed_name": "",
        "keeps_machine": people.keeps_machine(caller.actor),
        "memberships": [
            (slugs[member.campaign], member)
            for member in people.memberships(caller.actor)
            if member.campaign in slugs
        ],
        "identities": [
            identity
            for identity in people.passkeys.identities(caller.actor)
            if identity.startswith(discord_sign_in.IDENTITY)
        ],
        "passkeys": people.passkeys.of(caller.actor),
        "sessions": [
            session
            for session in people.sessions.of(caller.actor)
            if session.revoked_at is None and session.expires_at > at
        ],
        "tokens": [token for token in people.tokens.of(caller.actor) if people.tokens.is_in_force(token)],
    }
