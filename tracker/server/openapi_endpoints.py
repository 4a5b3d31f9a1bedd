"""The API description of the endpoints that are not single commands: streams, archives, the remote command
line, and joining by a link.
"""

from __future__ import annotations

from typing import Any, Final, get_args

import msgspec

from tracker.reports import cloud_events
from tracker.server import archive, command_line, joining, live

_PARTS: Final = "#/components/schemas/"
_TEXT: Final = {"type": "string"}
_POSITION: Final = {"type": "integer", "minimum": 0, "maximum": 10**15 - 1}


def schemas() -> dict[str, Any]:
    """The schemas of requests and responses, by name."""
    described = (command_line.CommandLine, command_line.Printed, joining.Joining, joining.Joined)
    _, parts = msgspec.json.schema_components(described, ref_template=f"{_PARTS}{{name}}")
    line = parts["CommandLine"]["properties"]
    line["words"]["maxItems"] = command_line.WORDS_MAX
    line["files"]["maxProperties"] = command_line.FILES_MAX
    line["width"] |= {"minimum": command_line.WIDTH_LEAST, "maximum": command_line.WIDTH_MOST}
    return parts


def paths() -> dict[str, dict[str, Any]]:
    """Operations by path and method; all of them share the error responses."""
    return {
        live.PATH: {"get": _events()},
        archive.PATH: {"get": _archive()},
        command_line.PATH: {"post": _command_line()},
        joining.PATH: {"post": _join()},
    }


def _events() -> dict[str, Any]:
    batch = {"type": "array", "items": {"type": "object"}}
    return {
        "operationId": "events",
        "summary": "What is recorded, as it is recorded: server-sent events with their position as id.",
        "description": "The stream ends when its listener may no longer read the campaign. With Accept: "
        f"{cloud_events.BATCH_MEDIA_TYPE} it is a list instead, in pages.",
        "tags": ["log"],
        "parameters": [
            _CAMPAIGN,
            _in("query", "after", _POSITION, "Only events after this position."),
            _in("query", "format", {"enum": [*get_args(live.Written)]}, "heads: only the number of events."),
            _in(
                "query",
                "limit",
                {"type": "integer", "minimum": 1, "maximum": live.AT_ONCE},
                "The most events of one page, for a list.",
            ),
            _in("header", "Last-Event-ID", _POSITION, "In place of after, as browsers send it."),
        ],
        "responses": {
            "200": {
                "description": "The events.",
                "content": {
                    "text/event-stream": {"schema": _TEXT},
                    cloud_events.BATCH_MEDIA_TYPE: {"schema": batch},
                },
            }
        },
    }


def _archive() -> dict[str, Any]:
    return {
        "operationId": "archive",
        "summary": "The whole campaign as one file, with its proofs.",
        "tags": ["campaign"],
        "parameters": [_CAMPAIGN],
        "responses": {
            "200": {
                "description": "What campaign export writes.",
                "headers": {"ETag": {"schema": _TEXT}},
                "content": {"application/zip": {"schema": {"type": "string", "format": "binary"}}},
            }
        },
    }


def _command_line() -> dict[str, Any]:
    return {
        "operationId": "command_line",
        "summary": "Run a command as typed; the response is the terminal's output, including refusals.",
        "tags": ["command-line"],
        **_exchanged("CommandLine", "Printed", "The output and the exit code."),
    }


def _join() -> dict[str, Any]:
    return {
        "operationId": "join",
        "summary": "Join with a link: send its secret and a name, and get a token.",
        "tags": ["member"],
        "security": [],
        **_exchanged("Joining", "Joined", "The person and their token, which is shown once."),
    }


def _exchanged(sent: str, came: str, about: str) -> dict[str, Any]:
    return {
        "parameters": [],
        "requestBody": {"required": True, "content": _json(sent)},
        "responses": {"200": {"description": about, "content": _json(came)}},
    }


def _json(name: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"{_PARTS}{name}"}}}


def _in(place: str, name: str, schema: dict[str, Any], about: str) -> dict[str, Any]:
    return {"name": name, "in": place, "required": False, "description": about, "schema": schema}


_CAMPAIGN: Final = {
    "name": "campaign",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "minLength": 1},
}
