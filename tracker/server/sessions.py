"""Browser sessions: a cookie that holds only the session's secret; the session itself is in the database."""

from __future__ import annotations

from typing import Final

from starlette.requests import HTTPConnection
from starlette.responses import Response

from tracker.server.access import SentCredentials
from tracker.server.addresses import is_loopback
from tracker.service.sign_in import CHALLENGE_SECONDS, SESSION_DAYS, MadeSession

READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
"""Methods that change nothing."""
COOKIE: Final = "__Host-arbitrator"
"""The cookie over TLS: for this host and every path; no other site and no subdomain can set it."""
COOKIE_OF_LOOPBACK: Final = "arbitrator"
"""The cookie on http://127.0.0.1, where none can be `Secure`."""
_SECONDS: Final = SESSION_DAYS * 24 * 3600
_BROWSERS: Final = (
    ("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"),
)  # fmt: skip
_SYSTEMS: Final = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS", "Mac"),
    ("Linux", "Linux"),
)  # fmt: skip


def sent(asked: HTTPConnection) -> SentCredentials:
    """The credentials of a request."""
    return SentCredentials(
        asked.headers.get("authorization"),
        asked.cookies.get(_cookie(asked)) or None,
        address=asked.client.host if asked.client is not None else "",
        may_write=asked.scope.get("method") not in READING,
    )


def keep(asked: HTTPConnection, answer: Response, made: MadeSession) -> None:
    """Set the session cookie."""
    name = _cookie(asked)
    answer.set_cookie(
        name, made.secret, max_age=_SECONDS, secure=_is_secure(asked), httponly=True, samesite="lax"
    )


def take_back(asked: HTTPConnection, answer: Response) -> None:
    """Delete the session cookie."""
    answer.delete_cookie(_cookie(asked), secure=_is_secure(asked), httponly=True, samesite="lax")


def keep_step(asked: HTTPConnection, answer: Response, name: str, value: str) -> None:
    """Set a cookie for the second step of a sign-in, valid for five minutes."""
    name = f"{_cookie(asked)}-{name}"
    answer.set_cookie(
        name, value, max_age=CHALLENGE_SECONDS, secure=_is_secure(asked), httponly=True, samesite="lax"
    )


def step(asked: HTTPConnection, name: str) -> str:
    """The cookie of the second step; empty if missing."""
    return asked.cookies.get(f"{_cookie(asked)}-{name}", "")


def forget_step(asked: HTTPConnection, answer: Response, name: str) -> None:
    """Delete the cookie of the second step."""
    answer.delete_cookie(f"{_cookie(asked)}-{name}", secure=_is_secure(asked), httponly=True, samesite="lax")


def label(asked: HTTPConnection) -> str:
    """A name by which the owner recognizes the session: 'Firefox on Linux'."""
    agent = asked.headers.get("user-agent", "")
    browser = next((name for sign, name in _BROWSERS if sign in agent), "a browser")
    system = next((name for sign, name in _SYSTEMS if sign in agent), "")
    return f"{browser} on {system}" if system else browser


def _cookie(asked: HTTPConnection) -> str:
    """The cookie's name, by the requested host; ignores what a proxy says about TLS."""
    in_clear = asked.url.scheme == "http" and is_loopback(asked.url.hostname or "")
    return COOKIE_OF_LOOPBACK if in_clear else COOKIE


def _is_secure(asked: HTTPConnection) -> bool:
    return _cookie(asked) == COOKIE
