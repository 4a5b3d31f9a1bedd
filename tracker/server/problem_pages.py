"""`/problems/{code}`: explains a problem and what to do about it, from the refusal's declaration."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from typing import Final, NamedTuple

from fastapi import FastAPI, Request, Response
from starlette.exceptions import HTTPException

import tracker
from tracker import errors
from tracker.errors import Refusal, in_one_line
from tracker.reports.page import Bullets, Form, Heading, Page, Text
from tracker.reports.rendering import render
from tracker.rules.glossary import USUAL
from tracker.server import browser_security, endpoints, problems
from tracker.server.threads import Threads

PATH: Final = f"{problems.PAGES}{{code}}"
_SKIPPED: Final = (
    "tracker.__main__",
    "tracker.analytics",
    "tracker.service.standalone_verifier",
    "tracker.migrations",
)
"""Modules that are not imported for their refusals: standalone programs, and those that need large
libraries.
"""
_TO_DO: Final[tuple[tuple[type[Refusal] | tuple[type[Refusal], ...], str], ...]] = (
    (
        problems.NO_SERVER,
        """The request is right, but no server of the database takes it for now, as when a cluster is
        choosing a new leader. Send the request again after the seconds in Retry-After; the same
        Idempotency-Key makes sure that it is recorded once.""",
    ),
    (
        errors.Stale,
        """Somebody else was faster, or the database is busy: read the campaign again and send the request
        again. The same Idempotency-Key makes sure that it is recorded once.""",
    ),
    (
        errors.LogDamaged,
        """The log, or something that is made from it, is damaged. The host of the service can find out more
        with 'arbitrator audit verify' and 'arbitrator doctor'.""",
    ),
    (
        errors.BadInput,
        """The request cannot be used as it is, and nothing was recorded. Correct it and send it again.""",
    ),
    (
        errors.RulesRefuse,
        """The rules, or the present state of the campaign, forbid it, and nothing was recorded. The same
        request is refused again until that state changes.""",
    ),
    (
        Refusal,
        "Nothing was recorded.",
    ),
)
_FACT: Final = re.compile(r"\{(\w+)(?::[^}]*)?\}")


class ProblemDescription(NamedTuple):
    """The facts about a code."""

    code: str
    status: int
    exit_code: int
    message: str
    """The message template, with its facts in braces."""
    facts: tuple[str, ...]
    to_do: str


def about(code: str) -> ProblemDescription | None:
    """The description of a code; None for a code that no response has."""
    if code in problems.OTHERS:
        status, to_do = problems.OTHERS[code]
        return ProblemDescription(code, status, 2, "", (), in_one_line(to_do))
    refusal = _refusals().get(code)
    if refusal is None:
        return None
    to_do = in_one_line(next(text for kind, text in _TO_DO if issubclass(refusal, kind)))
    message = USUAL.said(in_one_line(next((kind.__doc__ for kind in refusal.__mro__ if kind.__doc__), "")))
    return ProblemDescription(
        code=code,
        status=problems.status_of_kind(refusal),
        exit_code=refusal.exit_code,
        message=_FACT.sub(r"{\1}", message),
        facts=refusal.names_of_facts(),
        to_do=to_do,
    )


def codes() -> Iterator[str]:
    """Every code that a response may have."""
    yield from sorted({*_refusals(), *problems.OTHERS})


@cache
def _refusals() -> dict[str, type[Refusal]]:
    for module in pkgutil.walk_packages(tracker.__path__, "tracker."):
        if not module.name.startswith(_SKIPPED):
            importlib.import_module(module.name)
    return {kind.code_of_kind(): kind for kind in _below(Refusal)}


def _below(kind: type[Refusal]) -> Iterator[type[Refusal]]:
    for below in kind.__subclasses__():
        yield below
        yield from _below(below)


def page(known: ProblemDescription) -> Page:
    """The page of a code."""
    title = known.code.replace("_", " ").capitalize()
    phrase = HTTPStatus(known.status).phrase
    status = f"Status {known.status} ({phrase}); exit code {known.exit_code}."
    parts: list[Heading | Text | Bullets] = [Heading(title), Text([status])]
    if known.message:
        parts.append(Text([known.message]))
    if known.facts:
        parts += [Heading("Facts", level=2), Bullets(known.facts)]
    parts += [Heading("What to do", level=2), Text([known.to_do])]
    return Page(schema="problem/1", data=known._asdict, blocks=lambda: (parts,), title=title)


def add(app: FastAPI) -> None:
    """Register the endpoint; it needs no sign-in."""

    async def answer(request: Request) -> Response:
        threads: Threads = app.state.threads
        code = str(request.path_params["code"])
        known = await threads.read(lambda: about(code))
        if known is None:
            raise HTTPException(HTTPStatus.NOT_FOUND)
        form, media = _form(request.headers.get("accept", ""))
        headers = {"Cache-Control": "public, max-age=3600", "Vary": "Accept"}
        if form == "html":
            headers["Content-Security-Policy"] = browser_security.REPORT_SECURITY_POLICY
        return Response(render(page(known), form), headers=headers, media_type=media)

    endpoints.add(app, "GET", PATH, answer)


def _form(accept: str) -> tuple[Form, str]:
    if "text/html" in accept:
        return "html", "text/html; charset=utf-8"
    if "json" in accept:
        return "json", "application/json"
    return "text", "text/plain; charset=utf-8"
