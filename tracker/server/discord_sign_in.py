"""Signing in with a Discord account, if the host has set it up (OAuth 2 with state and PKCE).

It needs a linked account or an invitation link. An account is identified by its number, never by a name. The
access token is used once, to fetch the account, and discarded.
"""

from __future__ import annotations

import importlib.util
import os
import re
import secrets
from collections.abc import Mapping
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from fastapi import FastAPI, Request, Response
from starlette.responses import RedirectResponse

from tracker.errors import BadInput, Refusal
from tracker.people import refusals
from tracker.people.secrets import hashed, same
from tracker.server import browser_sign_in, endpoints, sessions
from tracker.server.access import Caller
from tracker.server.browser_sign_in import PRIVATE, Body, count_sign_in, who_sits_here
from tracker.server.pages.forms import FormValues
from tracker.server.problems import status_of
from tracker.server.threads import Threads
from tracker.service.application import Tracker
from tracker.service.sign_in import MadeSession

BEGIN: Final = "/sign-in/discord"
BACK: Final = "/sign-in/discord/back"
NAME: Final = "/sign-in/discord/name"
"""The field for a name, if the account's name is taken or cannot be used."""
SCOPE: Final = "identify"
IDENTITY: Final = "discord:"
_PURPOSE: Final = "discord"
_NAMING: Final = "discord-name"
_COOKIE: Final = "discord"
_SECONDS: Final = 10.0
_DIGITS_MOST: Final = 20
_VERIFIER_BYTES: Final = 48
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{0,200}")
"""The letters of a link's secret; also matches the empty text, for people without a link."""


class DiscordNotInstalled(BadInput):
    """Signing in with Discord needs a library that is not installed: pip install
    'campaign-tracker[discord]'.
    """


class DiscordHalfSet(BadInput):
    """Set both TRACKER_DISCORD_ID and TRACKER_DISCORD_SECRET, or neither."""


class Discord(NamedTuple):
    """The application that the host has registered with Discord, and Discord's addresses."""

    client_id: str
    client_secret: str
    authorize: str = "https://discord.com/oauth2/authorize"
    token: str = "https://discord.com/api/oauth2/token"  # noqa: S105  # an address
    me: str = "https://discord.com/api/users/@me"

    @property
    def origin(self) -> str:
        """The origin of the page that a browser is sent to."""
        parts = urlsplit(self.authorize)
        return f"{parts.scheme}://{parts.netloc}"


class Account(NamedTuple):
    """An account at Discord."""

    identity: str
    name: str


def from_environment() -> Discord | None:
    """The settings of the host, or None. Raises DiscordHalfSet, DiscordNotInstalled."""
    client_id = os.environ.get("TRACKER_DISCORD_ID", "")
    client_secret = os.environ.get("TRACKER_DISCORD_SECRET", "")
    if not client_id and not client_secret:
        return None
    if not client_id or not client_secret:
        raise DiscordHalfSet
    if importlib.util.find_spec("authlib") is None:
        raise DiscordNotInstalled
    return Discord(client_id, client_secret)


def add(app: FastAPI, body_of: Body, address: str, discord: Discord) -> None:
    """The routes."""
    opened: Tracker = app.state.tracker
    threads: Threads = app.state.threads
    back = address + BACK

    async def begin(request: Request) -> Response:
        count_sign_in(app, request)
        caller = await who_sits_here(app, request)
        invite = FormValues.read(await body_of(request, browser_sign_in.FORM_BYTES_MAX)).get("invite")
        if _SECRET.fullmatch(invite) is None:  # it goes into a cookie, which takes only these letters
            raise refusals.InviteNotValid
        state, verifier = secrets.token_urlsafe(), secrets.token_urlsafe(_VERIFIER_BYTES)
        kept = {"state": state, "verifier": verifier, "session": caller.session if caller else None}
        step = await threads.write(lambda: opened.people.passkeys.challenge(_PURPOSE, kept))
        answer = RedirectResponse(_there(discord, back, state, verifier), 303, PRIVATE)
        # Only its hash is stored here; the browser keeps the link.
        sessions.keep_step(request, answer, _COOKIE, f"{step}.{invite}")
        return answer

    async def come_back(request: Request) -> Response:
        count_sign_in(app, request)
        caller = await who_sits_here(app, request)
        step, _, invite = sessions.step(request, _COOKIE).partition(".")
        kept = await threads.write(lambda: opened.people.passkeys.answer(_PURPOSE, step))
        query = request.query_params
        if not same(hashed(str(kept["state"])), hashed(query.get("state", ""))):
            raise refusals.ChallengeNotValid
        if "code" not in query:
            raise refusals.DiscordDoesNotSay
        account = await _who(discord, back, code=query["code"], verifier=str(kept["verifier"]))
        if kept["session"] is not None:
            if caller is None or caller.session != kept["session"]:
                raise refusals.ChallengeNotValid
            person = caller.actor
            await threads.write(lambda: opened.people.passkeys.link(person, account.identity))
            return RedirectResponse(browser_sign_in.AFTERWARDS, 303, PRIVATE)
        return await arrived(request, account, invite)

    async def name_given(request: Request) -> Response:
        count_sign_in(app, request)
        name = FormValues.read(await body_of(request, browser_sign_in.FORM_BYTES_MAX)).get("name")
        step, _, invite = sessions.step(request, _COOKIE).partition(".")
        kept = await threads.write(lambda: opened.people.passkeys.answer(_NAMING, step))
        return await arrived(request, Account(str(kept["identity"]), name), invite)

    async def arrived(request: Request, account: Account, invite: str) -> Response:
        label = sessions.label(request)
        try:
            made = await threads.write(lambda: _came_in(opened, account, invite, label))
        except (refusals.PersonNameTaken, refusals.PersonNameNotUsable) as wrong:
            if await threads.read(lambda: opened.people.passkeys.person_of(account.identity)) is not None:
                raise  # the account belongs to a known person
            return await asked_for_a_name(request, account, invite, wrong)
        answer = RedirectResponse("/", 303, PRIVATE)
        sessions.keep(request, answer, made)
        sessions.forget_step(request, answer, _COOKIE)
        return answer

    async def asked_for_a_name(request: Request, account: Account, invite: str, wrong: Refusal) -> Response:
        link = await threads.read(lambda: browser_sign_in.of_link(opened, invite, None))
        kept = {"identity": account.identity}
        step = await threads.write(lambda: opened.people.passkeys.challenge(_NAMING, kept))
        given = link | {"refused": str(wrong), "typed": account.name, "action": NAME, "discord": False}
        answer = browser_sign_in.page(app, "join", None, given, status_of(wrong))
        sessions.keep_step(request, answer, _COOKIE, f"{step}.{invite}")
        return answer

    endpoints.add(app, "POST", BEGIN, begin)
    endpoints.add(app, "GET", BACK, come_back)
    endpoints.add(app, "POST", NAME, name_given)


def _came_in(opened: Tracker, account: Account, invite: str, label: str) -> MadeSession:
    """In a thread: a session for a known person, who also joins with a link, or for a new person."""
    people = opened.people
    known = people.passkeys.person_of(account.identity)
    if known is None and not invite:
        raise refusals.DiscordNotKnown
    if known is not None:
        if invite and people.invites.look(invite).person is None:
            people.invites.redeem(invite, person_id=known.person)
        return people.sessions.new(known.person, label=label)
    person = people.invites.redeem(invite, name=account.name, identity=account.identity).person
    return people.sessions.new(person.person, label=label)


# --- requests to Discord -----------------------------------------------------------------------------------


def _there(discord: Discord, back: str, state: str, verifier: str) -> str:
    """The address where Discord asks the person to agree, once."""
    from authlib.oauth2.client import OAuth2Client  # type: ignore[import-untyped]  # as below

    client = OAuth2Client(
        None, discord.client_id, scope=SCOPE, redirect_uri=back, code_challenge_method="S256"
    )
    there, _ = client.create_authorization_url(
        discord.authorize, state=state, code_verifier=verifier, prompt="none"
    )
    return str(there)


def _client(discord: Discord, back: str) -> Any:
    # Not above: an extra. It has no types.
    from authlib.integrations.httpx_client import AsyncOAuth2Client  # type: ignore[import-untyped]

    return AsyncOAuth2Client(
        discord.client_id,
        discord.client_secret,
        token_endpoint_auth_method="client_secret_post",  # noqa: S106  # the name of a method
        scope=SCOPE,
        redirect_uri=back,
        code_challenge_method="S256",
        timeout=_SECONDS,
        trust_env=False,
    )


async def _who(discord: Discord, back: str, *, code: str, verifier: str) -> Account:
    """The account behind this code. Raises DiscordDoesNotSay."""
    import httpx2  # not above: what authlib asks with
    from authlib.common.errors import AuthlibBaseError  # type: ignore[import-untyped]

    try:
        async with _client(discord, back) as client:
            await client.fetch_token(
                discord.token, grant_type="authorization_code", code=code, code_verifier=verifier
            )
            answer = await client.get(discord.me)
            answer.raise_for_status()
            said = answer.json()
    except (AuthlibBaseError, httpx2.HTTPError, ValueError) as wrong:
        raise refusals.DiscordDoesNotSay from wrong
    return _account(said)


def _account(said: Any) -> Account:
    number = said.get("id") if isinstance(said, Mapping) else None
    if not isinstance(number, str) or not (number.isascii() and number.isdecimal()):
        raise refusals.DiscordDoesNotSay
    if len(number) > _DIGITS_MOST:
        raise refusals.DiscordDoesNotSay
    return Account(IDENTITY + number, str(said.get("global_name") or said.get("username") or ""))


def unlinked(opened: Tracker, caller: Caller, identity: str) -> None:
    """In a thread: unlink a Discord account; other identities, such as the machine keeper's, stay."""
    if identity.startswith(IDENTITY):
        opened.people.passkeys.unlink(caller.actor, identity)
