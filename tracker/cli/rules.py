"""Rules: find and read every table, knob, house rule and preset of the program."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

import click

from tracker.cli.options import as_json, pass_session, show
from tracker.cli.session import Session
from tracker.errors import BadInput, Refusal
from tracker.reports import rules as pages
from tracker.reports.page import Page
from tracker.reports.rows_of_rules import named_rules, named_rules_page, names_of_rules
from tracker.rules import loader
from tracker.rules.rulebook import Book

EFFECTS: Final = "effects"
"""The name that shows the words of traits and skills."""
Found: TypeAlias = Sequence[tuple[Book, Page]]
"""The pages for a name, each with its book."""


class NothingOfThatName(BadInput):
    """{where} has nothing called {name!r}.{name:nearest} See 'arbitrator rules list'."""

    name: str
    where: str
    known: tuple[str, ...]


@click.group("rules")
def command() -> None:
    """List and show tables, settings and house rules."""


EVERY_BOOK = "all"

of_book = click.option("--book", metavar="NAME", help="Only this book. [default: every book]")


@command.command("list")
@click.option(
    "--book",
    metavar="NAME",
    help="Only this book, or 'all'. [default: the campaign's; every book where there is no campaign]",
)
@as_json
@pass_session
def list_(session: Session, book: str | None, as_json: bool) -> None:
    """List a book's tables, settings, house rules and presets.

    Each is shown with its source.

    \b
    arbitrator rules list --book necromunda_2023
    """
    named = _book_of_campaign(session) if book is None else None if book == EVERY_BOOK else book
    books = _books(named)
    others = {rulebook.book: _other_parts(rulebook) for rulebook in books}
    presets = list(loader.presets().values())
    show(pages.rules_page(books, others, loader.policies_for(named), presets), as_json=as_json)


@command.command("show")
@click.argument("name")
@of_book
@as_json
def show_(name: str, book: str | None, as_json: bool) -> None:
    """Show one table, setting, house rule, preset, trait or skill.

    A table is printed as in a book. If several books have it, each is shown. A trait, a skill or a condition
    is found by its printed name, and says what it does here. 'effects' lists the words that
    traits and skills are made of, the books' and your own (docs/own-skills.md).

    \b
    arbitrator rules show lasting_injury
    arbitrator rules show "true grit"
    """
    books = _books(book)
    for pages_of_books in (
        _tables(name, books),
        _knobs(name, books),
        _house_rules(name, books),
        _parts(name, books),
        _named_rules(name, books),
        _vocabulary(name, books),
    ):
        if pages_of_books:
            break
    else:
        raise NothingOfThatName(
            name=name,
            where=books[0].title if book is not None else "This program",
            known=tuple(_known(books)),
        )
    if as_json and len(pages_of_books) > 1:
        named = " or ".join(f"--book {where.book}" for where, _ in pages_of_books)
        raise click.UsageError(f"Several books have it, and JSON is one document: add {named}.")
    for number, (_, page) in enumerate(pages_of_books):
        if number:
            show("")
        show(page, as_json=as_json, paged=len(pages_of_books) == 1)


def _book_of_campaign(session: Session) -> str | None:
    """The chosen campaign's book; None without a readable campaign, since the rules need none."""
    try:
        return session.tracker.boards.state_at(session.campaign).book if session.there else None
    except Refusal:
        return None


def _books(named: str | None) -> list[Book]:
    return [loader.book(name) for name in ([named] if named is not None else loader.book_names())]


def _tables(name: str, books: Sequence[Book]) -> Found:
    return [
        (book, pages.table_page(book, table))
        for book in books
        for table in (book.tables.get(name), book.charts.get(name))
        if table is not None
    ]


def _knobs(name: str, books: Sequence[Book]) -> Found:
    knobs = [(book, book.knobs[name]) for book in books if name in book.knobs]
    moving = [policy for policy in loader.policies().values() if name in policy.patch]
    return [(knobs[0][0], pages.knob_page(knobs, moving))] if knobs else []


def _house_rules(name: str, books: Sequence[Book]) -> Found:
    policies = loader.policies()
    if name in policies or name in {policy.policy for policy in policies.values()}:
        return [(books[0], pages.house_rule_page(loader.policy(name), books))]
    if name in loader.presets():
        preset = loader.preset(name)
        return [(books[0], pages.preset_page(preset, [loader.policy(policy) for policy in preset.policies]))]
    return []


def _named_rules(name: str, books: Sequence[Book]) -> Found:
    found = named_rules(name, books)
    return [(books[0], named_rules_page(found))] if found else []


def _vocabulary(name: str, books: Sequence[Book]) -> Found:
    return [(books[0], pages.vocabulary_page())] if name == EFFECTS else []


def _parts(name: str, books: Sequence[Book]) -> Found:
    files = [(book, loader.book_files(book.book)) for book in books]
    own = [(book, pages.part_page(book, "book", parts["book"])) for book, parts in files if book.book == name]
    return own or [(book, pages.part_page(book, name, parts[name])) for book, parts in files if name in parts]


def _other_parts(book: Book) -> list[str]:
    rolled = {*book.tables, *book.charts}
    return [part for part in loader.book_files(book.book) if part not in rolled]


def _known(books: Iterable[Book]) -> Iterable[str]:
    for book in books:
        yield from (
            book.book,
            *book.tables,
            *book.charts,
            *book.knobs,
            *_other_parts(book),
            *names_of_rules(book),
        )
    yield from (*loader.policies(), *loader.presets())
