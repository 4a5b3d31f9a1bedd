"""Options that ask about another point in time: as it stands now up to a battle, as it was believed then."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import click

from tracker.cli.options import ENTRY_NUMBER
from tracker.service.as_of import NOW, AsOf, checked_date

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS = ("as_of_battle", "as_of_entry", "believed_on")


def at_point(function: F) -> F:
    """--as-of-battle, --as-of-entry and --believed-on, given to the command as one `point`."""

    @click.option(
        "--as-of-battle", metavar="BATTLE", help="How it stands, by what counts now, after that battle."
    )
    @click.option("--as-of-entry", type=ENTRY_NUMBER, help="What was believed after that entry.")
    @click.option("--believed-on", metavar="DATE", help="What was believed at the end of that day (UTC).")
    @wraps(function)
    def asked(*arguments: Any, **options: Any) -> Any:
        said = {name: options.pop(name) for name in _OPTIONS}
        return function(*arguments, point=_point(**said), **options)

    return cast("F", asked)


def _point(*, as_of_battle: str | None, as_of_entry: int | None, believed_on: str | None) -> AsOf:
    if sum(one is not None for one in (as_of_battle, as_of_entry, believed_on)) > 1:
        raise click.UsageError(
            "--as-of-battle, --as-of-entry and --believed-on ask different questions: give one."
        )
    if as_of_battle is not None:
        return AsOf(clock="battle", value=as_of_battle)
    if as_of_entry is not None:
        return AsOf(clock="entry", value=str(as_of_entry))
    return AsOf(clock="date", value=checked_date(believed_on)) if believed_on is not None else NOW
