"""Rules: find and read every table, knob, house rule and preset of the program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from tracker.cli.options import as_json, paper, show
from tracker.errors import BadInput
from tracker.reports import rules as pages
from tracker.rules import loader
from tracker.rules.rulebook import Book


class NothingOfThatName(BadInput):
    """{where} has nothing called {name!r}.{name:nearest} See 'arbitrator rules list'."""

    name: str
    where: str
    known: tuple[str, ...]


@click.group("rules")
def command() -> None:
    """List and show tables, knobs and house rules."""


of_book = click.option("--book", metavar="NAME", help="Only this book. [default: every book]")


@command.command("list")
@of_book
@as_json
def list_(book: str | None, as_json: bool) -> None:
    """Every table, chart, knob, house rule and preset, with its source."""
    books = _books(book)
    others = {one.book: _other_parts(one) for one in books}
    policies = [
        policy
        for policy in loader.policies().values()
        if book is None or set(policy.patch) <= set(books[0].knobs)
    ]
    presets = list(loader.presets().values())
    if as_json:
        show(pages.rules_json(books, others, policies, presets))
    else:
        show(pages.rules_text(books, others, policies, presets, **paper()))


@command.command("show")
@click.argument("name")
@of_book
@as_json
def show_(name: str, book: str | None, as_json: bool) -> None:
    """One table, knob, house rule, preset or other part of a book.

    Tables are printed as in a book. What several books have is shown for each.
    """
    books = _books(book)
    printed = [
        page for page in (_table(name, books, as_json), _knob(name, books, as_json)) if page is not None
    ]
    if not printed:
        printed = [page for page in (_house_rule(name, books, as_json),) if page is not None]
    if not printed:
        printed = [page for page in (_part(name, books, as_json),) if page is not None]
    if not printed:
        raise NothingOfThatName(
            name=name, where=books[0].title if book is not None else "The program", known=tuple(_known(books))
        )
    show(printed[0])


def _books(named: str | None) -> list[Book]:
    return [loader.book(one) for one in ([named] if named is not None else loader.book_names())]


def _table(name: str, books: Sequence[Book], as_json: bool) -> str | None:
    found = [
        (book, table)
        for book in books
        for table in (book.tables.get(name), book.charts.get(name))
        if table is not None
    ]
    return _pages(
        [
            pages.table_page_json(book, table) if as_json else pages.table_page(book, table, **paper())
            for book, table in found
        ],
        [book for book, _ in found],
        as_json,
    )


def _knob(name: str, books: Sequence[Book], as_json: bool) -> str | None:
    found = [(book, book.knobs[name]) for book in books if name in book.knobs]
    if not found:
        return None
    moving = [policy for policy in loader.policies().values() if name in policy.patch]
    return pages.knob_json(found, moving) if as_json else pages.knob_text(found, moving)


def _house_rule(name: str, books: Sequence[Book], as_json: bool) -> str | None:
    shelved = loader.policies()
    if name in shelved or name in {policy.policy for policy in shelved.values()}:
        policy = loader.policy(name)
        return pages.policy_page_json(policy, books) if as_json else pages.policy_page(policy, books)
    if name in loader.presets():
        preset = loader.preset(name)
        policies = [loader.policy(one) for one in preset.policies]
        return pages.preset_page_json(preset, policies) if as_json else pages.preset_page(preset, policies)
    return None


def _part(name: str, books: Sequence[Book], as_json: bool) -> str | None:
    found = [(book, loader.book_files(book.book)) for book in books]
    if name in {book.book for book in books}:
        own = next((book, files) for book, files in found if book.book == name)
        return _part_page(own[0], "book", own[1]["book"], as_json)
    having = [(book, files[name]) for book, files in found if name in files]
    return _pages(
        [_part_page(book, name, content, as_json) for book, content in having],
        [book for book, _ in having],
        as_json,
    )


def _part_page(book: Book, part: str, content: dict[str, object], as_json: bool) -> str:
    if as_json:
        return pages.part_json(book, part, content)
    return pages.part_page(book, part, content, **paper())


def _pages(printed: Sequence[str], books: Sequence[Book], as_json: bool) -> str | None:
    """All of them one after the other; JSON is one document, so there it is one book's."""
    if not printed:
        return None
    if not as_json:
        return "\n\n".join(printed)
    if len(printed) > 1:
        named = " or ".join(f"--book {book.book}" for book in books)
        raise click.UsageError(f"Several books have it, and JSON is one document: add {named}.")
    return printed[0]


def _other_parts(book: Book) -> list[str]:
    rolled = {*book.tables, *book.charts}
    return [part for part in loader.book_files(book.book) if part not in rolled]


def _known(books: Iterable[Book]) -> Iterable[str]:
    for book in books:
        yield from (book.book, *book.tables, *book.charts, *book.knobs, *_other_parts(book))
    yield from (*loader.policies(), *loader.presets())
