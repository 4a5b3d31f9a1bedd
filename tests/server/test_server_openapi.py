"""The description of the API: the committed one is the one served, and it holds together."""

import json
from collections.abc import Callable, Iterator
from typing import Any

from served import Served
from starlette.routing import Route

from tracker.server.openapi import description
from tracker.server.routes import ROUTES


def references(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "$ref" and isinstance(value, str):
                yield value
            else:
                yield from references(value)
    elif isinstance(node, list):
        for value in node:
            yield from references(value)


def without_documents(described: dict[str, Any]) -> dict[str, Any]:
    """Without the formats of files, which are committed by themselves, in docs/schemas."""
    formats = tuple(route.format.replace("-", "_") for route in ROUTES if route.format)
    schemas = described["components"]["schemas"]
    kept = {name: schema for name, schema in schemas.items() if name.partition(".")[0] not in formats}
    return {**described, "components": {**described["components"], "schemas": kept}}


def test_the_committed_description_is_current(golden: Callable[[str, str], None]) -> None:
    text = json.dumps(without_documents(description()), indent=1, ensure_ascii=False)
    golden("../docs/openapi.json", text + "\n")


def test_it_is_what_the_service_says(served: Served) -> None:
    assert served.client.get("/v1/openapi.json").json() == json.loads(json.dumps(description()))


def test_every_reference_names_a_part_that_is_there() -> None:
    described = description()
    assert described["openapi"] == "3.1.0"
    for reference in references(described):
        node: Any = described
        for word in reference.removeprefix("#/").split("/"):
            node = node[word]


OTHERS = {
    ("GET", "/v1/campaigns/{campaign}/events"): "events",
    ("GET", "/v1/campaigns/{campaign}/archive"): "archive",
    ("POST", "/v1/command-line"): "command_line",
    ("POST", "/v1/join"): "join",
}


def operations() -> dict[tuple[str, str], str]:
    return {
        (method.upper(), path): operation["operationId"]
        for path, methods in description()["paths"].items()
        for method, operation in methods.items()
    }


def test_every_route_is_described_once_by_its_command() -> None:
    found = operations()
    assert found == {(route.method, route.path): route.operation for route in ROUTES} | OTHERS
    assert len(set(found.values())) == len(found)


def test_everything_that_the_service_answers_for_programs_is_described(served: Served) -> None:
    routes = [route for route in served.client.app.routes if isinstance(route, Route)]  # type: ignore[attr-defined]
    answered = {
        (method, route.path)
        for route in routes
        for method in (route.methods or set()) - {"HEAD"}
        if route.path.startswith("/v1/") and route.path != "/v1/openapi.json"
    }
    assert answered == operations().keys()
