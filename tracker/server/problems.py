"""Problem responses (RFC 9457) for failed requests, in one form for all refusals.

`code`, `errors` and `facts` are those that --json prints.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

import click
from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tracker import errors
from tracker.campaign import records
from tracker.documents.refusals import DocumentRefused
from tracker.drafts.refusals import BoardMovedOn, DraftMovedOn, UnknownDraft, UnknownProposal
from tracker.errors import Refusal, nearest
from tracker.log.refusals import DatabaseUnreachable, ServerReadOnly, StaleHead
from tracker.reports.refusal import other_data, refusal_data
from tracker.service import refusals
from tracker.service.webhooks import UnknownWebhook

MEDIA_TYPE: Final = "application/problem+json"
PAGES: Final = "/problems/"

OTHERS: Final[Mapping[str, tuple[int, str]]] = {
    "bad_header": (
        422,
        "A header has a value that it does not take. The detail says which ones it takes: send one of them.",
    ),
    "bad_parameter": (
        422,
        """A parameter is missing, or unknown, or has a value that it does not take. Each is named under
        `errors`, with the place in the body or the query as a JSON pointer. The parameters of a request
        are those of its command: see /v1/openapi.json.""",
    ),
    "body_too_large": (
        413,
        "The body is longer than this kind of request allows. Nothing of it was kept. Send a shorter one.",
    ),
    "body_too_slow": (
        408,
        "The body did not arrive in time. Send the request again.",
    ),
    "cross_site_request": (
        403,
        """A page of another site made a browser send this, with the session of the person who opened it. Open
        the page of this site and do it there. Programs send a token and no cookie.""",
    ),
    "fault": (
        500,
        """This is a fault of the program, not of yours. Nothing was half written. Tell the host of the
        service the request's X-Request-Id: the log has it.""",
    ),
    "headers_too_large": (
        431,
        "The headers are longer than 10,000 bytes. Send fewer, or shorter ones.",
    ),
    "headers_too_slow": (
        408,
        "The headers did not arrive in time. Send the request again.",
    ),
    "not_http": (
        400,
        "What arrived is not HTTP. Another program may be speaking to this address.",
    ),
    "if_match_missing": (
        428,
        """A write must say in If-Match which state of the campaign it is meant for: the ETag of the last
        answer, so that it is refused if somebody else was faster; or * for any state.""",
    ),
    "method_not_allowed": (
        405,
        "This address takes other methods. Use one that the header Allow names.",
    ),
    "not_allowed": (
        403,
        """The signed-in person may not do that here. The table of rights says who may; the Arbitrator of
        the campaign gives roles and gangs.""",
    ),
    "not_found": (
        404,
        "There is nothing at this address. /v1/openapi.json lists every address.",
    ),
    "not_json": (
        422,
        "The body is not JSON of the expected form. Send UTF-8, without NaN or Infinity.",
    ),
    "not_ready": (
        503,
        "The service is starting or stopping, or its database does not answer. Try again later.",
    ),
    "not_signed_in": (
        401,
        """The request does not sign anybody in. Send a token as 'Authorization: Bearer trk_...', or open
        /sign-in in a browser. A token that expired or was revoked is replaced by a new one: ask the
        Arbitrator for a link.""",
    ),
    "too_often": (
        429,
        "There were more requests in one minute than are allowed. The header Retry-After says when to go on.",
    ),
}
"""The codes without a class of refusals: the status of each, and what to do."""

_NOTHING_THERE: Final = "There is nothing at this address."

_NOT_FOUND: Final = (
    refusals.UnknownCampaign, refusals.NoSuchBattle, refusals.NoSuchDispute, refusals.NoSuchEvent,
    records.UnknownFighter, records.UnknownGang, UnknownDraft, UnknownProposal, UnknownWebhook,
)  # fmt: skip


NO_SERVER: Final = (DatabaseUnreachable, ServerReadOnly)
"""A client of the service has done nothing wrong; at the start of the program, its database is wrong."""

_STATUS: Final[tuple[tuple[tuple[type[Refusal], ...], int], ...]] = (
    ((StaleHead, refusals.PreviewStale, DraftMovedOn, BoardMovedOn), HTTPStatus.PRECONDITION_FAILED),
    (_NOT_FOUND, HTTPStatus.NOT_FOUND),
    (NO_SERVER, HTTPStatus.SERVICE_UNAVAILABLE),
    ((errors.RulesRefuse,), HTTPStatus.CONFLICT),
    ((errors.BadInput,), HTTPStatus.UNPROCESSABLE_ENTITY),
    ((errors.Stale,), HTTPStatus.SERVICE_UNAVAILABLE),
    ((errors.LogDamaged,), HTTPStatus.INTERNAL_SERVER_ERROR),
)
"""The first match counts."""


def status_of(refusal: Refusal) -> int:
    """The HTTP status of a refusal."""
    return status_of_kind(type(refusal.itself()))


def status_of_kind(kind: type[Refusal]) -> int:
    """The HTTP status of refusals of a kind."""
    return next((status for kinds, status in _STATUS if issubclass(kind, kinds)), HTTPStatus.CONFLICT)


def of_refusal(refusal: Refusal) -> dict[str, Any]:
    """A refusal as a problem. Errors in a file also have their place as a JSON pointer."""
    data = refusal_data(refusal)
    if isinstance(refusal, DocumentRefused):
        for error, wrong in zip(data["errors"], refusal.problems, strict=True):
            error["pointer"] = _pointer(wrong.place_in_data)
    return _problem(status_of(refusal), data)


def of_misuse(wrong: click.ClickException) -> dict[str, Any]:
    """A usage error of a command."""
    parameter = getattr(wrong, "param", None)
    facts = {} if parameter is None else {"parameter": parameter.name}
    return _problem(
        HTTPStatus.UNPROCESSABLE_ENTITY, other_data("bad_parameter", wrong.format_message(), 2, facts)
    )


def of_shape(wrong: ValidationError, known: Iterable[str] = ()) -> dict[str, Any]:
    """A body or a query of the wrong form; `known` are the keys that it may have."""
    faults = [(_pointer(error["loc"]), _in_words(error, [*known])) for error in wrong.errors()]
    message = "; ".join(f"{pointer or 'all of it'}: {what}" for pointer, what in faults)
    problem = of_code(HTTPStatus.UNPROCESSABLE_ENTITY, "bad_parameter", message)
    problem["errors"] = [{"code": "bad_parameter", "message": what, "pointer": at} for at, what in faults]
    return problem


def _in_words(error: ErrorDetails, known: Sequence[str]) -> str:
    if error["type"] != "extra_forbidden":
        return str(error["msg"])
    tail = nearest(str(error["loc"][-1]), known) or f" It takes: {', '.join(known) or 'nothing'}."
    return f"This is not known here.{tail}"


def of_code(status: int, code: str, message: str, facts: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Any other."""
    said = _NOTHING_THERE if message == HTTPStatus.NOT_FOUND.phrase else message
    return _problem(status, other_data(code, said, 2, facts or {}))


def _pointer(place: Sequence[int | str]) -> str:
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in place)


def _problem(status: int, data: Mapping[str, Any]) -> dict[str, Any]:
    data = dict(data)
    message = data.pop("message")
    return {
        "type": f"{PAGES}{data['code']}",
        "title": str(data["code"]).replace("_", " ").capitalize(),
        "status": int(status),
        "detail": message,
        **data,
    }
