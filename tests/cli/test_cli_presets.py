"""A preset brings those of its house rules that are about rules of the campaign's book."""

from __future__ import annotations

import pytest
from cli_arbitrator import Arbitrator

from tracker.rules import loader

FITTING = [
    (book, preset)
    for book in loader.book_names()
    for preset in loader.presets()
    if loader.fitting_policies(preset, book)[0]
]


@pytest.mark.parametrize(("book", "preset"), FITTING)
def test_a_preset_fits_every_book_of_its_game_and_says_what_it_leaves_out(
    empty: Arbitrator, book: str, preset: str
) -> None:
    said = empty.done("campaign", "new", "Ash Wastes", "--ruleset", book, "--preset", preset).out
    rulebook = empty.read("campaign", "show")["rulebook"]
    knobs = loader.book(book).knobs
    for name in loader.preset(preset).policies:
        fits = set(loader.policy(name).patch) <= set(knobs)
        assert (name in rulebook) == fits
        assert (name in said.partition("Left out")[2]) != fits


def test_a_policy_named_by_itself_must_fit_the_book(arbitrator: Arbitrator) -> None:
    arbitrator.refused(
        2, "campaign", "new", "Sump", "--ruleset", "trench_crusade", "--policy", "one-lasting-injury-roll"
    )
