"""The page that begins a campaign: its name, book and house rules, its present cycle, and its readers.

Knows the books, to show the choices. `campaign new` refuses choices that contradict each other.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from tracker.campaign import records
from tracker.cli.service_address import is_only_here
from tracker.documents.text import NAME_CHARACTERS_MAX, clean_name, slug_of
from tracker.errors import RulesRefuse
from tracker.rules import loader
from tracker.rules.rulebook import Policy, Preset
from tracker.server.pages.forms import FormValues, Redirect, whole_number
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import addressed

PATH: Final = "/begin"
BATTLES_MOST: Final = 9999
_FIRST: Final = "necromunda_2023"
"""The book that is selected at first."""


class HouseRulesAtOdds(RulesRefuse):
    """{rule!r} and {other!r} change the same thing: choose one of them."""

    rule: str
    other: str


class PresetChoice(NamedTuple):
    """A community's list of house rules, reduced to those for a book."""

    preset: Preset
    rules: tuple[Policy, ...]


class BookChoice(NamedTuple):
    """A rulebook with its choices."""

    book: str
    title: str
    presets: tuple[PresetChoice, ...]
    rules: tuple[Policy, ...]
    phases: tuple[tuple[str, int, int], ...]
    """The phases of a campaign by the book, each with its first and last cycle."""

    @property
    def cycles(self) -> int:
        """The number of cycles; 0 if the book has none."""
        return self.phases[-1][2] if self.phases else 0


def begin(request: PageRequest) -> Mapping[str, Any]:
    """The form."""
    books = [_book(name) for name in loader.book_names()]
    return {
        "books": sorted(books, key=lambda choice: choice.book != _FIRST),
        "chosen": request.typed.get("book") or _FIRST,
        "filled": request.typed,
        "name_max": NAME_CHARACTERS_MAX,
        "battles_most": BATTLES_MOST,
        "is_only_here": request.address if is_only_here(request.address) else "",
    }


def create(request: PageRequest, filled: FormValues) -> Redirect:
    """Begin the campaign; the person who sent the form becomes its Arbitrator."""
    assert request.caller is not None, "who writes is signed in"
    book = filled.get("book") or _FIRST
    name = clean_name(filled.get("name"))
    cycles = _book(book).cycles
    fought = whole_number(filled, "after_battle", "Battles fought", least=0, most=BATTLES_MOST)
    cycle = whole_number(filled, f"cycle.{book}", "The cycle", least=1, most=cycles) if cycles else None
    try:
        request.do(
            "campaign new",
            sending=filled.sending(request.caller.actor),
            name=name,
            ruleset=book,
            preset=filled.get(f"preset.{book}") or None,
            policies=filled.all(f"rule.{book}"),
            after_battle=fought or 0,
            cycle=cycle,
            dice=filled.get("dice") or None,
            visibility=filled.get("visibility") or None,
        )
    except records.KnobMovedAlready as both:
        titles = [loader.policy(policy).title for policy in (both.policy, both.other)]
        raise HouseRulesAtOdds(rule=titles[0], other=titles[1]) from both
    return Redirect(f"/campaigns/{addressed(slug_of(name))}")


def _book(name: str) -> BookChoice:
    """Raises UnknownBook."""
    book = loader.book(name)
    presets = [
        PresetChoice(preset, tuple(map(loader.policy, loader.fitting_policies(preset.preset, name)[0])))
        for preset in loader.presets().values()
    ]
    phases, last = [], 0
    for phase in book.post_battle.phases:
        phases.append((phase.name, last + 1, last + phase.cycles))
        last += phase.cycles
    return BookChoice(
        book=name,
        title=book.title,
        presets=tuple(choice for choice in presets if choice.rules),
        rules=tuple(sorted(loader.policies_for(name), key=lambda policy: policy.title)),
        phases=tuple(phases),
    )
