"""What a request is answered that fails: a problem (RFC 9457), the same whoever refuses it.

Its `code`, `errors` and `facts` are those of the refusal that --json prints.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

import click
from pydantic import ValidationError

from tracker.campaign import records
from tracker.drafts.refusals import DraftMovedOn, UnknownDraft, UnknownProposal
from tracker.errors import BadInput, LogDamaged, Refusal, RulesRefuse, Stale
from tracker.log.refusals import StaleHead
from tracker.reports.refusal import other_data, refusal_data
from tracker.service import refusals
from tracker.service.webhooks import UnknownWebhook

MEDIA_TYPE: Final = "application/problem+json"
PAGES: Final = "/problems/"

_NOT_FOUND: Final = (
    refusals.UnknownCampaign, refusals.NoSuchBattle, refusals.NoSuchDispute, refusals.NoSuchEvent,
    records.UnknownFighter, records.UnknownGang, UnknownDraft, UnknownProposal, UnknownWebhook,
)  # fmt: skip


def status_of(refusal: Refusal) -> int:
    """The HTTP status of a refusal."""
    match refusal.itself():
        case StaleHead() | refusals.PreviewStale() | DraftMovedOn():
            return HTTPStatus.PRECONDITION_FAILED
        case itself if isinstance(itself, _NOT_FOUND):
            return HTTPStatus.NOT_FOUND
        case RulesRefuse():
            return HTTPStatus.CONFLICT
        case BadInput():
            return HTTPStatus.UNPROCESSABLE_ENTITY
        case Stale():
            return HTTPStatus.SERVICE_UNAVAILABLE
        case LogDamaged():
            return HTTPStatus.INTERNAL_SERVER_ERROR
        case _:
            return HTTPStatus.CONFLICT


def of_refusal(refusal: Refusal) -> dict[str, Any]:
    """A refusal of the program."""
    return _problem(status_of(refusal), refusal_data(refusal))


def of_misuse(wrong: click.ClickException) -> dict[str, Any]:
    """A parameter that the command does not take so."""
    parameter = getattr(wrong, "param", None)
    facts = {} if parameter is None else {"parameter": parameter.name}
    return _problem(
        HTTPStatus.UNPROCESSABLE_ENTITY, other_data("bad_parameter", wrong.format_message(), 2, facts)
    )


def of_shape(wrong: ValidationError) -> dict[str, Any]:
    """A body or a query that has not the form of what is asked for."""
    faults = [(_pointer(error["loc"]), str(error["msg"])) for error in wrong.errors()]
    message = "; ".join(f"{pointer or 'all of it'}: {what}" for pointer, what in faults)
    problem = of_code(HTTPStatus.UNPROCESSABLE_ENTITY, "bad_parameter", message)
    problem["errors"] = [{"code": "bad_parameter", "message": what, "pointer": at} for at, what in faults]
    return problem


def of_code(status: int, code: str, message: str, facts: Mapping[str, Any] | None = None) -> dict[str, Any]:
    """Any other."""
    return _problem(status, other_data(code, message, 2, facts or {}))


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
