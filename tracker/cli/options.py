"""Options that several nouns share, and how a page reaches the reader."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any, TypeVar, cast

import click

from tracker.cli.output import output
from tracker.cli.session import Session
from tracker.reports.page import Form, Page
from tracker.reports.people import page_with_names
from tracker.service.as_of import NOW, AsOf, checked_date

F = TypeVar("F", bound=Callable[..., Any])

# No log is longer, and a number that overflows the database's integers would end in an error.
ENTRY_NUMBER = click.IntRange(min=1, max=999_999_999)

pass_session = click.make_pass_decorator(Session)


def as_json(function: F) -> F:
    """--json: for programs."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON for programs.")(function)


def form_of(*forms: str) -> Callable[[F], F]:
    """--format: one of these; the first is the default."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(forms),
        default=forms[0],
        show_default=True,
        help="The output format.",
    )


def reason(function: F) -> F:
    """--reason: why, kept in the log."""
    return click.option("--reason", required=True, metavar="TEXT", help="Why; kept in the log.")(function)


def what_if_options(function: F) -> F:
    """The house rules that a season is played again with and without, and from which battle on."""
    for option in (
        click.option(
            "--from-battle",
            type=ENTRY_NUMBER,
            default=1,
            show_default=True,
            metavar="NUMBER",
            help="The first battle it holds for.",
        ),
        click.option(
            "--without",
            multiple=True,
            metavar="ID",
            help="Play as if this house rule had not held; may be repeated.",
        ),
        click.argument("policies", nargs=-1, metavar="[ID@V|FILE]..."),
    ):
        function = option(function)
    return function


def dry_run(function: F) -> F:
    """--dry-run: decide and show, write nothing."""
    return click.option("--dry-run", is_flag=True, help="Show the result and record nothing.")(function)


def show(page: Page | str, form: str = "text", *, as_json: bool = False, paged: bool = True) -> None:
    """Show the page on the current output; on a terminal through the pager if `paged`."""
    output().show(_named(page), cast("Form", "json" if as_json else form), paged=paged)


def _named(page: Page | str) -> Page | str:
    """The page with people's names from this command's database."""
    context = click.get_current_context(silent=True)
    session = context.find_object(Session) if context is not None else None
    return page if session is None or isinstance(page, str) else page_with_names(page, session.name_on)


def show_at_length(text: str) -> None:
    """Show a text that may be longer than the screen, through the pager if wanted."""
    output().show_at_length(text)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A line on a terminal's standard error for work that takes longer than a second."""
    started = time.monotonic()
    shown = False

    def tell(done: int, total: int) -> None:
        nonlocal shown
        if output().people_watch and time.monotonic() - started > 1 and total:
            shown = True
            click.echo(f"\r{what}: {done:,} of {total:,} ({100 * done // total} %)", nl=False, err=True)

    yield tell
    if shown:
        click.echo("\r" + " " * 70 + "\r", nl=False, err=True)


_OPTIONS = ("going_into_battle", "as_of_battle", "as_of_entry", "believed_on")


def at_point(function: F) -> F:
    """--going-into-battle, --as-of-battle, --as-of-entry and --believed-on, given as one `point`."""

    @click.option(
        "--going-into-battle",
        metavar="BATTLE",
        help="The state as that battle begins, after the post-battle sequence before it; by today's rulings.",
    )
    @click.option(
        "--as-of-battle",
        metavar="BATTLE",
        help="The state at that battle's end, before its post-battle sequence; by today's rulings.",
    )
    @click.option(
        "--as-of-entry", type=ENTRY_NUMBER, help="The state as recorded at that entry, before later rulings."
    )
    @click.option("--believed-on", metavar="DATE", help="The state as recorded at the end of that day (UTC).")
    @wraps(function)
    def asked(*arguments: Any, **options: Any) -> Any:
        said = {name: options.pop(name) for name in _OPTIONS}
        return function(*arguments, point=_point(**said), **options)

    return cast("F", asked)


def _point(
    *,
    going_into_battle: str | None,
    as_of_battle: str | None,
    as_of_entry: int | None,
    believed_on: str | None,
) -> AsOf:
    points = (going_into_battle, as_of_battle, as_of_entry, believed_on)
    if sum(point is not None for point in points) > 1:
        raise click.UsageError(
            "--going-into-battle, --as-of-battle, --as-of-entry and --believed-on ask different questions:"
            " give one."
        )
    if going_into_battle is not None:
        return AsOf(clock="into", value=going_into_battle)
    if as_of_battle is not None:
        return AsOf(clock="battle", value=as_of_battle)
    if as_of_entry is not None:
        return AsOf(clock="entry", value=str(as_of_entry))
    return AsOf(clock="date", value=checked_date(believed_on)) if believed_on is not None else NOW
