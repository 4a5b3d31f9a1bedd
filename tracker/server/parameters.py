"""The parameters of a command in a request: a model that checks their shape, and the arguments for the
command.

Everything is derived from the command's declaration. The command itself interprets the values.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, Final, Literal

import click
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, create_model

from tracker.cli.argv import argv_of, long_option
from tracker.cli.main import arbitrator
from tracker.log import c2sp
from tracker.server.paging import LIMIT_MOST, PAGED
from tracker.server.routes import Route

_TERMINALS: Final = frozenset({"as_json", "form", "wizard", "resume", "to", "replace"})
"""Options about output or terminals; a request uses headers instead."""
OF_HEADERS: Final = frozenset({"expect_head"})
"""Options that request headers stand for."""
OF_MACHINE: Final = frozenset({"armoury", "also", "file", "keys", "known_head", "out", "replacing"})
"""Parameters that name a further file of the client."""
OWN_FORMS: Final = frozenset({"gang export"})
"""Commands with formats of other programs, which `Accept` does not choose."""
CHARACTERS_MAX: Final = 2_000
EACH_MAX: Final = 200
NOTE_CHARACTERS_MAX: Final = c2sp.NOTE_CHARACTERS_MAX
"""The most characters of a document that is plain text in no format of ours."""


@cache
def command_called(command: str) -> click.Command:
    """The click command with that name, such as 'battle record'."""
    found: click.Command = arbitrator
    for word in command.split():
        assert isinstance(found, click.Group), f"{command} goes on below a command"
        below = found.get_command(click.Context(found), word)
        assert below is not None, f"there is no command {command}"
        found = below
    return found


def parameters(route: Route) -> dict[str, click.Parameter]:
    """The parameters of a request by name; dashes become underscores."""
    named = {}
    for parameter in command_called(route.command).params:
        name = parameter.name or ""
        if (
            name.startswith("global_")
            or name == route.document
            or (
                name in _TERMINALS | OF_HEADERS | OF_MACHINE
                and not (name == "form" and route.command in OWN_FORMS)
            )
        ):
            continue
        named[_called(parameter)] = parameter
    return named


def _called(parameter: click.Parameter) -> str:
    """The name of a parameter; an option is named as typed: --with-aftermath is with_aftermath."""
    if isinstance(parameter, click.Argument):
        return parameter.name or ""
    return long_option(parameter).lstrip("-").replace("-", "_")


def _text(value: Any) -> Any:
    """A number as the text that a terminal would take; other values unchanged."""
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


_Word = Annotated[str, BeforeValidator(_text), Field(max_length=CHARACTERS_MAX)]


@cache
def model(route: Route) -> type[BaseModel]:
    """The model of a request: every parameter of the command except its file, with its shape."""
    fields: dict[str, Any] = {
        name: _field(parameter)
        for name, parameter in parameters(route).items()
        if f"{{{name}}}" not in route.path
    }
    if route.command in PAGED and route.method == "GET":
        fields |= _paging(PAGED[route.command].what)
    title = "".join(word.capitalize() for word in route.operation.split("_"))
    return create_model(title, __config__=ConfigDict(extra="forbid"), **fields)


def _paging(what: str) -> dict[str, Any]:
    after = Field(default=None, ge=0, description=f"Only rows after this {what}; 0 begins.")
    limit = Field(
        default=None, ge=1, le=LIMIT_MOST, description="The most rows of one page; Link leads to the next."
    )
    return {"after": (int | None, after), "limit": (int | None, limit)}


def _field(parameter: click.Parameter) -> tuple[Any, Any]:
    words = getattr(parameter, "help", None)
    kind: Any = _Word
    if getattr(parameter, "is_flag", False):
        return bool, Field(default=False, description=words)
    if isinstance(parameter.type, click.Choice):
        kind = Literal[tuple(str(choice) for choice in parameter.type.choices)]
    elif isinstance(parameter.type, click.IntRange):
        kind = Annotated[int, Field(ge=parameter.type.min, le=parameter.type.max)]
    elif parameter.type is click.INT:
        kind = int
    if parameter.multiple or parameter.nargs == -1:
        return list[kind], Field(default_factory=list, description=words, max_length=EACH_MAX)
    if parameter.required:
        return kind, Field(description=words)
    return kind | None, Field(default=None, description=words)


def words(route: Route, given: Mapping[str, Any]) -> list[str]:
    """The arguments that a person would type after the command; its file is standard input."""
    values = {parameter.name or "": given.get(name) for name, parameter in parameters(route).items()}
    if route.document is not None:
        values[route.document] = "-"
    return argv_of(command_called(route.command), values)
