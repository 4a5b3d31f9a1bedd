"""Gives every verb the global options, and runs it where the campaign is stored, here or at a service.

`roster show --db FILE` is `--db FILE roster show`. Only the help of `arbitrator` itself lists the options.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import wraps
from typing import Any

import click

from tracker.cli.argv import argv_of
from tracker.cli.session import Session

GLOBAL: Mapping[str, tuple[str, ...]] = {
    "db": ("--db",),
    "campaign": ("-c", "--campaign"),
    "actor": ("--as",),
}
"""Each option's name in the session, and how it is typed."""


_TYPED = f"{__name__}.typed"
_WRAPPED = "_runs_where_the_campaign_is"


def accept_global_options(command: click.Command, *path: str) -> click.Command:
    """Add the global options to a command and all below it, and let each run where the campaign is."""
    if isinstance(command, click.Group):
        for name, below in command.commands.items():
            accept_global_options(below, *path, name)
    elif not hasattr(command, _WRAPPED):
        _run_where_the_campaign_is(command, " ".join(path))
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


def _run_where_the_campaign_is(command: click.Command, name: str) -> None:
    """Without a named database, a person signed in to a service means the campaigns there."""
    callback, parse = command.callback, command.parse_args
    assert callback is not None, "a verb does something"

    def parse_args(context: click.Context, args: list[str]) -> list[str]:
        context.meta[_TYPED] = [*args]
        return parse(context, args)

    @wraps(callback)
    def run(*arguments: Any, **given: Any) -> Any:
        context = click.get_current_context()
        session = context.find_object(Session)
        service = session.service if session is not None else None
        if service is not None:
            from tracker.cli import remote  # not above: few commands leave this machine

            if not remote.is_here(name, given):
                words = argv_of(command, _as_typed(command, context))
                context.exit(remote.run(service, context, name, words))
        return callback(*arguments, **given)

    command.callback = run
    setattr(command, "parse_args", parse_args)  # noqa: B010  # of this one command, not of its class
    setattr(command, _WRAPPED, True)


def _as_typed(command: click.Command, context: click.Context) -> Mapping[str, Any]:
    """The raw text of each parameter, before the command converts it."""
    typed, _, _ = command.make_parser(context).parse_args(args=[*context.meta[_TYPED]])
    # Every verb's own copy of a global option has been taken: the request says the same elsewhere.
    given = {name: value for name, value in typed.items() if not name.startswith("global_")}
    return {name: value for name, value in given.items() if isinstance(value, str | bool | list | tuple)}


def _without_pager(context: click.Context, _option: click.Parameter, value: Any) -> None:
    session = context.find_object(Session)
    if value and session is not None:
        session.paging = False


def _override(context: click.Context, option: click.Parameter, value: Any) -> None:
    session = context.find_object(Session)
    if value is not None and session is not None:
        given = dict.fromkeys(GLOBAL) | {str(option.name).removeprefix("global_"): value}
        session.override(**given)
