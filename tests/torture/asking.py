"""Requests, hammered: whatever the API is sent, it answers as its description says, and the log stays whole."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import api_requests
import pytest
from served import TOKEN, OneToken
from starlette.testclient import TestClient

from tracker.server.app import application
from tracker.service.application import Tracker

from . import club
from .inputs import season_in
from .runner import Run

EVERY = 200
"""Rounds at one campaign before it is looked at whole and a new one begun."""
HEADERS = {"Authorization": f"Bearer {TOKEN}"}


def requests(run: Run) -> None:
    """A few requests to one route after the other, made up from the API's description."""
    operations = api_requests.operations()
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        client = None
        for dice in run.each_round():
            if client is None or run.at % EVERY == 0:
                stack.close()  # the one before is looked at
                client = stack.enter_context(_served(run, patch))
            operation = operations[run.at % len(operations)]
            for case in api_requests.made_up(operation, 3, dice.getrandbits(32)):
                answer = api_requests.sent(client, case, dice, HEADERS)
                assert not (wrong := api_requests.wrong_with(case, answer)), wrong
                run.count(f"{answer.status_code // 100}xx")


@contextmanager
def _served(run: Run, patch: pytest.MonkeyPatch) -> Iterator[TestClient]:
    """A service over a campaign of two battles, whose every log holds at the end."""
    season = season_in(run.folder, patch)
    tracker = Tracker(f"sqlite:///{season.file}", actor="the machine")
    with TestClient(application(tracker, OneToken(tracker, TOKEN, "mara"))) as client:
        yield client
    for campaign in tracker.repository.store.campaigns():
        club.everything_holds(tracker, campaign)
    tracker.close()
    shutil.rmtree(season.folder)
