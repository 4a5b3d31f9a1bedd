"""Looks for damage that explains why a request failed, before the response reports a fault of the program or
an unknown name.

A caller who may not read the campaign learns only that something is damaged.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final
from urllib.parse import unquote_plus

from fastapi import FastAPI, Request

from tracker.errors import LogDamaged, Refusal
from tracker.server import problems, sessions
from tracker.server.access import Access
from tracker.server.threads import Threads
from tracker.service.application import Tracker
from tracker.service.damage import FAULTS, damage_behind, damage_that_hides
from tracker.service.refusals import DirectoryDamaged, UnknownCampaign

_LOOKING: Final = threading.Lock()
"""Only one request at a time verifies a log, because that takes long."""


class DatabaseDamaged(LogDamaged):
    """The database of this service is damaged. Its host can run 'arbitrator doctor' to see what is wrong and
    what to do.
    """


async def problem_behind(app: FastAPI, request: Request, fault: Exception) -> Mapping[str, Any]:
    """The damage behind a failure of the program; the failure itself if there is no damage."""
    threads: Threads = app.state.threads

    def looked() -> Refusal | None:
        if not _LOOKING.acquire(blocking=False):
            return None
        try:
            return _told(app, request, fault)
        finally:
            _LOOKING.release()

    found = await threads.read(looked)
    if found is not None:
        return problems.of_refusal(found)
    message = "This is a fault of the program, not of yours. Nothing was half written."
    return problems.of_code(HTTPStatus.INTERNAL_SERVER_ERROR, "fault", message)


async def behind_refusal(app: FastAPI, request: Request, refusal: Refusal) -> Refusal:
    """The damage that a refusal hides, or the refusal without names that the caller may not see."""
    threads: Threads = app.state.threads
    if request.method == "GET" and refusal.exit_code in (1, 2):
        found = await threads.read(lambda: _told(app, request, refusal))
        if found is not None:
            return found
    return _without_names(refusal)


def _without_names(refusal: Refusal) -> Refusal:
    """The refusal without the names of private campaigns."""
    return DatabaseDamaged() if isinstance(refusal, DirectoryDamaged) else refusal


def _told(app: FastAPI, request: Request, wrong: Exception) -> Refusal | None:
    name = str(request.path_params.get("campaign", ""))
    access: Access = app.state.access
    try:
        found = _found(app.state.tracker, request, name, wrong)
        if found is not None and not (name and access.still(sessions.sent(request), name, "campaign show")):
            return DatabaseDamaged()
        return found if found is None else _without_names(found)
    except LogDamaged:
        return DatabaseDamaged()
    except (Refusal, OSError, *FAULTS):
        return None


def _found(home: Tracker, request: Request, name: str, wrong: Exception) -> Refusal | None:
    if isinstance(wrong, UnknownCampaign):
        # No more than for an unknown campaign: otherwise the time would reveal a private one.
        return damage_that_hides(home, name, None, wrong)
    try:
        campaign = home.directory.campaign_id(name, wherever=True) if name else None
    except UnknownCampaign:
        campaign = None
    opened = home if campaign is None else home.cells.keeping(campaign)
    if isinstance(wrong, Refusal):
        hides = damage_that_hides(opened, name, campaign, wrong)
        if hides is not None or campaign is None or _is_asked_for(request, wrong):
            return hides
    if campaign is not None:
        return damage_behind(opened, {name: campaign})
    home.audit.refuse_damage_that_hides(None)
    return DatabaseDamaged() if home.audit.pages_wrong() else None


def _is_asked_for(request: Request, refusal: Refusal) -> bool:
    """Whether the request names what is missing; otherwise a damaged row does."""
    if problems.status_of(refusal) != HTTPStatus.NOT_FOUND:
        return True
    named = [fact for key, fact in refusal.facts().items() if isinstance(fact, str) and key != "campaign"]
    return any(fact in unquote_plus(str(request.url)) for fact in named)
