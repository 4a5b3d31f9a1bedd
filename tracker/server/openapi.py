"""The description of the API (OpenAPI 3.1), read off routes, commands and documents."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any, Final

from fastapi import FastAPI, Request, Response
from msgspec import json

import tracker
from tracker.documents.schemas import DIALECT, json_schema
from tracker.reports.refusal import refusal_schema
from tracker.rights import is_for_strangers
from tracker.server import endpoints, openapi_endpoints, parameters
from tracker.server.routes import PICTURE, READS_BY_POST, ROUTES, Route

PATH: Final = "/v1/openapi.json"
_REFUSED: Final = {
    "401": "Nobody is signed in.",
    "403": "The signed-in person may not do this.",
    "404": "There is no such campaign, battle, fighter or event.",
    "409": "The rules or the state of the campaign refuse.",
    "412": "The campaign has moved on from the head in If-Match.",
    "413": "The body is too long.",
    "422": "What was sent cannot be read, or dice are missing.",
    "428": "A write needs If-Match.",
    "429": "Too often; try again later.",
    "500": "The log is damaged, or a fault of the program.",
    "503": "Busy: try again.",
}


def add(app: FastAPI) -> None:
    """Register the endpoint of the description."""

    async def described(_request: Request) -> Response:
        return Response(json.encode(description()), media_type="application/json")

    endpoints.add(app, "GET", PATH, described)


@cache
def description() -> dict[str, Any]:
    """The whole document."""
    paths: dict[str, dict[str, Any]] = {}
    documents = {
        route.format: _inlined(route.format) for route in ROUTES if route.format not in ("", PICTURE)
    }
    schemas: dict[str, Any] = {"problem": _problem()}
    for name, (whole, parts) in documents.items():
        schemas |= {_named(name): whole} | parts
    for route in ROUTES:
        if not route.document and route.method != "GET":
            schemas[_body_name(route)] = _body(route)
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route)
    schemas |= openapi_endpoints.schemas()
    for path, methods in openapi_endpoints.paths().items():
        for operation in methods.values():
            operation["responses"] |= _refused()
        paths.setdefault(path, {}).update(methods)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Arbitrator",
            "version": tracker.__version__,
            "summary": "Campaigns of tabletop skirmish battles, with every roll in an append-only log.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "jsonSchemaDialect": DIALECT,
        "servers": [{"url": "/"}],
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            "schemas": schemas,
            "responses": {
                status: {"description": why, "content": _REFERS} for status, why in _REFUSED.items()
            },
        },
    }


def _without_examples(text: str) -> str:
    """The help of a command without its examples for the terminal."""
    paragraphs = inspect.cleandoc(text).split("\n\n")
    said = [part for part in paragraphs if not part.startswith("\b\narbitrator ")]
    return "\n\n".join(said).replace("\b\n", "")


def _operation(route: Route) -> dict[str, Any]:
    command = parameters.command_called(route.command)
    about, _, more = _without_examples(command.help or "").partition("\n\n")
    operation: dict[str, Any] = {
        "operationId": route.operation,
        "summary": " ".join(about.split()),
        "tags": [route.command.split()[0]],
        "parameters": [*_in_path(route), *_in_query(route), *_in_headers(route)],
        "responses": {
            "200": {
                "description": "What the command shows.",
                "headers": {"ETag": {"schema": {"type": "string"}}} if route.of_campaign else {},
                "content": {"application/json": {"schema": {"type": "object"}}},
            },
            **_refused(),
        },
    }
    if is_for_strangers(route.command):
        operation["security"] = [{}, {"token": []}]
    if more:
        operation["description"] = more
    if route.of_campaign and route.method == "GET":
        operation["responses"]["304"] = {"description": "The client has the newest version already."}
    if route.document is not None and not route.format:
        text = {"text/plain": {"schema": {"type": "string", "maxLength": parameters.NOTE_CHARACTERS_MAX}}}
        operation["requestBody"] = {"required": True, "content": text}
    elif route.format == PICTURE:
        picture = {"image/*": {"schema": {"type": "string", "format": "binary"}}}
        operation["requestBody"] = {"required": False, "content": picture}
    elif route.document is not None:
        schema = {"$ref": f"#/components/schemas/{_named(route.format)}"}
        content = {kind: {"schema": schema} for kind in ("application/json", "application/yaml")}
        operation["requestBody"] = {"required": True, "content": content}
    elif route.method != "GET":
        schema = {"$ref": f"#/components/schemas/{_body_name(route)}"}
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return operation


def _refused() -> dict[str, Any]:
    return {status: {"$ref": f"#/components/responses/{status}"} for status in _REFUSED}


_REFERS: Final = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/problem"}}}


def _in_path(route: Route) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in route.path.split("/") if part.startswith("{")]
    word = {"type": "string", "minLength": 1, "maxLength": parameters.CHARACTERS_MAX}
    return [{"name": name, "in": "path", "required": True, "schema": word} for name in names]


def _in_query(route: Route) -> list[dict[str, Any]]:
    if route.method != "GET" and route.document is None:
        return []
    described = parameters.model(route).model_json_schema()
    required = described.get("required", ())
    parameters_listed = []
    for name, schema in described["properties"].items():
        about = schema.pop("description", "")
        schema.pop("title", None)
        parameters_listed.append(
            {
                "name": name,
                "in": "query",
                "required": name in required,
                "description": about,
                "schema": schema,
            }
        )
    return parameters_listed


def _in_headers(route: Route) -> list[dict[str, Any]]:
    if not route.of_campaign:
        return []
    text = {"type": "string"}
    if route.method == "GET" or route.command in READS_BY_POST:
        return [{"name": "If-None-Match", "in": "header", "schema": text}]
    return [
        {"name": "If-Match", "in": "header", "schema": text, "description": "The campaign's ETag, or *."},
        {"name": "Idempotency-Key", "in": "header", "schema": {**text, "pattern": "^[!-~]{1,100}$"}},
    ]


def _body_name(route: Route) -> str:
    return f"{route.operation}_body"


def _body(route: Route) -> dict[str, Any]:
    described = parameters.model(route).model_json_schema()
    for schema in described["properties"].values():
        schema.pop("title", None)
    return described


def _named(form: str) -> str:
    return form.replace("-", "_")


def _inlined(form: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """A document's schema, and its parts under names that no other document has."""
    whole = json_schema(form)
    parts = whole.pop("$defs", {})
    whole.pop("$schema", None)
    prefix = f"{_named(form)}."

    def moved(schema: Any) -> Any:
        if isinstance(schema, list):
            return [moved(part) for part in schema]
        if not isinstance(schema, dict):
            return schema
        return {
            key: f"#/components/schemas/{prefix}{value.removeprefix('#/$defs/')}"
            if key == "$ref" and isinstance(value, str)
            else moved(value)
            for key, value in schema.items()
        }

    return moved(whole), {f"{prefix}{name}": moved(part) for name, part in parts.items()}


def _problem() -> dict[str, Any]:
    refusal = refusal_schema()
    facts = refusal["properties"]
    return {
        "type": "object",
        "description": "Why a request was refused (RFC 9457). Nothing was recorded.",
        "properties": {
            "type": {"type": "string", "description": "A page about this code."},
            "title": {"type": "string"},
            "status": {"type": "integer"},
            "detail": {"type": "string", "description": "What is refused, why, and what to do next."},
            "code": facts["code"],
            "exit_code": facts["exit_code"],
            "errors": {"type": "array", "items": {"type": "object"}},
        },
        "required": ["type", "title", "status", "detail", "code"],
    }
