"""The global options behind the verb: `roster show --db FILE` is `--db FILE roster show`.

They stand in no verb's help: that of `arbitrator` tells of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from tracker.cli.session import Session

GLOBAL: Mapping[str, tuple[str, ...]] = {
    "db": ("--db",),
    "campaign": ("-c", "--campaign"),
    "actor": ("--as",),
}
"""What the session calls each, and how it is typed."""


def accept_global_options(command: click.Command) -> click.Command:
    """The command, which with all below it takes the global options too."""
    for below in command.commands.values() if isinstance(command, click.Group) else ():
        accept_global_options(below)
    taken = {option for parameter in command.params for option in parameter.opts}
    for name, typed in GLOBAL.items():
        if taken.isdisjoint(typed):
            command.params.append(
                click.Option(
                    [*typed, f"global_{name}"],
                    hidden=True,
                    expose_value=False,
                    is_eager=True,
                    callback=_override,
                    help="A global option.",
                )
            )
    if "--no-pager" not in taken:
        command.params.append(
            click.Option(
                ["--no-pager", "global_no_pager"],
                is_flag=True,
                hidden=True,
                expose_value=False,
                callback=_without_pager,
                help="A global option.",
            )
        )
    return command


def _without_pager(context: click.Context, _option: click.Parameter, value: Any) -> None:
    session = context.find_object(Session)
    if value and session is not None:
        session.paging = False


def _override(context: click.Context, option: click.Parameter, value: Any) -> None:
    session = context.find_object(Session)
    if value is not None and session is not None:
        given = dict.fromkeys(GLOBAL) | {str(option.name).removeprefix("global_"): value}
        session.override(**given)
