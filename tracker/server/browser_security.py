"""Browser security: headers on every response, and protection against cross-site requests.

Plain ASGI, so that streams are not buffered. Knows no person, no route and no right.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

import msgspec
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tracker.server import problems, sessions

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
FORM_ACTION: Final = "form-action 'self'"
REPORT_SECURITY_POLICY: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"
)
"""For a report as HTML, which has its styles inline and runs no script."""
REFERRER_OF_SECRETS: Final = "strict-origin"
"""For pages whose address holds a secret: a Referer then has no path. `no-referrer` would also remove the
Origin of a form, which shows that it is ours.
"""
HEADERS: Final = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
}
TRANSPORT_SECURITY: Final = "max-age=31536000"


def policy_with_forms_to(origin: str) -> str:
    """The policy for a page whose form is answered with a redirect to `origin`."""
    return CONTENT_SECURITY_POLICY.replace(FORM_ACTION, f"{FORM_ACTION} {origin}")


class SafeHeaders:
    """Adds the security headers to every response that does not set them itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if scope["scheme"] == "https":
                    headers.setdefault("Strict-Transport-Security", TRANSPORT_SECURITY)
            await send(message)

        await self._app(scope, receive, send_with_headers)


class SameSiteOnly:
    """Refuses requests that may change something, unless they come from our pages or from a program with a
    token.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, or refuse it."""
        if (
            scope["type"] != "http"
            or scope["method"] in sessions.READING
            or is_from_here(HTTPConnection(scope))
        ):
            await self._app(scope, receive, send)
            return
        problem = problems.of_code(
            403, "cross_site_request", "This was sent by a page of another site. Open it here and repeat."
        )
        body = msgspec.json.encode(problem)
        await Response(body, 403, media_type=problems.MEDIA_TYPE)(scope, receive, send)


def is_from_here(asked: HTTPConnection) -> bool:
    """Whether the request cannot come from a page of another site.

    Browsers send `Sec-Fetch-Site` since 2023, and `Origin` before. A client that sends neither is allowed if
    it has no cookie.
    """
    sent = sessions.sent(asked)
    if sent.is_bearer:
        return True
    site = asked.headers.get("sec-fetch-site")
    if site is not None:
        return site in ("same-origin", "none")
    origin = asked.headers.get("origin")
    if origin is None:
        return sent.session is None
    host = asked.headers.get("host", "")
    return bool(host) and urlsplit(origin).netloc == host
