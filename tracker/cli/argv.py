"""Rebuilds a command line from parsed parameters, so that no value can be taken for an option."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click


def argv_of(command: click.Command, given: Mapping[str, Any]) -> list[str]:
    """The arguments to type after the command. `given` holds values by parameter name."""
    options: list[str] = []
    arguments: list[str] = []
    for parameter in command.params:
        value = given.get(parameter.name or "")
        each = value if isinstance(value, list | tuple) else () if value is None else (value,)
        if isinstance(parameter, click.Argument):
            arguments += map(str, each)
        elif getattr(parameter, "is_flag", False):
            options += [long_option(parameter)] if value else []
        elif parameter.nargs > 1:
            taken = each if parameter.multiple else (each,)  # click takes these as they come, dashes or not
            options += [word for several in taken for word in (long_option(parameter), *map(str, several))]
        else:
            options += [f"{long_option(parameter)}={value}" for value in each]
    return [*options, "--", *arguments]


def long_option(parameter: click.Parameter) -> str:
    """The long form of an option: --with-aftermath."""
    return max(parameter.opts, key=len)
