"""Requests that Schemathesis makes up from the API's description, and what must hold of every answer.

The formats of files are left to the tests of files: here a document is any JSON object.
"""

import copy
import json
import random
import warnings
from collections.abc import Iterator
from functools import cache
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings

from tracker.reports.cloud_events import BATCH_MEDIA_TYPE
from tracker.server import live
from tracker.server.openapi import description
from tracker.server.routes import ROUTES

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis


@cache
def described() -> dict[str, Any]:
    """The description, without the formats of files."""
    whole = copy.deepcopy(description())
    formats = {route.format.replace("-", "_") for route in ROUTES if route.format}
    schemas = whole["components"]["schemas"]
    for name in [name for name in schemas if name.partition(".")[0] in formats]:
        schemas[name] = {"type": "object"}
    return whole


@cache
def operations() -> tuple[Any, ...]:
    """Every route, as the description has it."""
    whole = schemathesis.openapi.from_dict(copy.deepcopy(described()))
    return tuple(found.ok() for found in whole.get_all_operations())


def cases(examples: int, chosen: int) -> Iterator[Any]:
    """So many for each route."""
    for operation in operations():
        yield from made_up(operation, examples, chosen)


def made_up(operation: Any, examples: int, chosen: int) -> list[Any]:
    """So many requests for a route; the same for the same seed."""
    made: list[Any] = []

    @seed(chosen)
    @settings(
        max_examples=examples,
        database=None,
        deadline=None,
        suppress_health_check=[*HealthCheck],
        phases=[Phase.generate],
    )
    @given(operation.as_strategy())
    def collect(case: Any) -> None:
        made.append(case)

    collect()
    return made


def sent(client: Any, case: Any, dice: random.Random, headers: dict[str, str]) -> Any:
    """The answer. Most are about the campaign that is there, and for whichever state it is in."""
    if "campaign" in case.path_parameters and dice.random() < 0.9:
        case.path_parameters["campaign"] = "ash-wastes"
    given_headers = {name: str(value) for name, value in (case.headers or {}).items() if str(value).isascii()}
    if dice.random() < 0.9:
        given_headers["If-Match"] = "*"
    if case.operation.path == live.PATH:  # a stream has no end
        given_headers["Accept"] = BATCH_MEDIA_TYPE
    body: dict[str, Any] = {}
    if isinstance(case.body, dict | list | str | int | float | bool) or case.body is None:
        body = {"content": json.dumps(case.body), "headers": {"Content-Type": "application/json"}}
    query = {
        name: value if isinstance(value, list) else str(value) for name, value in (case.query or {}).items()
    }
    return client.request(
        case.method,
        case.formatted_path,
        params=query,
        content=body.get("content"),
        headers={**given_headers, **body.get("headers", {}), **headers},
    )


def wrong_with(case: Any, answer: Any) -> str:
    """What is not as described, or nothing."""
    known = described()["paths"][case.operation.path][case.method.lower()]["responses"]
    status, kind = answer.status_code, answer.headers.get("Content-Type", "").partition(";")[0]
    about = f"{case.method} {case.formatted_path} {case.query} {case.body!r}: {status} {answer.text[:300]}"
    if status >= 500 and status != 503:
        return f"a fault: {about}"
    if str(status) not in known:
        return f"not described: {about}"
    if status >= 400:
        problem = answer.json() if kind == "application/problem+json" else {}
        needed = described()["components"]["schemas"]["problem"]["required"]
        if not set(needed) <= problem.keys() or problem["status"] != status:
            return f"no problem: {about}"
    elif status == 200 and kind not in known["200"]["content"]:
        return f"another type, {kind}: {about}"
    return ""
