"""Schemathesis over the whole API, in this process: no fault, and no answer that the description does not know.

A few requests for each route here; `make soak SOAK_ARGS=requests` sends many.
"""

import random

import api_requests
import pytest
from served import TOKEN, Served

from tracker.server.openapi import description

SEED = 20261123


@pytest.mark.slow
def test_every_route_answers_made_up_requests_as_described(served: Served) -> None:
    dice = random.Random(SEED)
    asked = set()
    wrong = []
    headers = {"Authorization": f"Bearer {TOKEN}"}
    for case in api_requests.cases(2, SEED):
        answer = api_requests.sent(served.client, case, dice, headers)
        asked.add((case.method, case.operation.path))
        wrong.append(api_requests.wrong_with(case, answer))
    assert [one for one in wrong if one] == []
    described = {
        (method.upper(), path) for path, methods in description()["paths"].items() for method in methods
    }
    assert described == asked
