"""Every declared text in the words of the campaign's game: refusals, forms and their keys."""

import re
from typing import get_type_hints

import pytest
from test_refusal_objects import CLASSES, code, with_blanks

from tracker.campaign.records import TooFewGangs, UnknownGang
from tracker.documents.gang_sheet import GangSheet
from tracker.documents.wizard.forms import Form, battle_forms, post_battle_forms
from tracker.errors import Refusal
from tracker.rules import loader
from tracker.rules.glossary import USUAL
from tracker.service.refusals import EntryRefused

WARBANDS = loader.book("trench_crusade").words
TYPED = re.compile(
    r"'[^']*arbitrator [^']*'|arbitrator gang \w+|--gang\b|`[^`]*`|'\w+:'|\{[^{}]*\}|[a-z]+-sheet/\d"
)
"""Commands, keys of files and facts: no game has its own word there."""
OF_ANOTHER_GAME = re.compile(r"\b[Gg]angs?\b|\bHouse\b(?! rule)|\b[Cc]redits?\b")
ABOUT_ANOTHER_GAME = {
    "game_of_another_tool": "what is exported to a tool for another game",
    "schema_not_known": "the formats of files, by their names",
}


def foreign(text: str) -> list[str]:
    return OF_ANOTHER_GAME.findall(TYPED.sub("", text))


def test_no_refusal_speaks_of_another_game_in_a_campaign_of_warbands() -> None:
    wrong = {}
    for kind in CLASSES:
        refusal = with_blanks(kind, kind._fields or get_type_hints(kind.__init__))
        refusal.in_words_of(WARBANDS)
        wrong[code(kind)] = foreign(refusal.message())
    assert len(wrong) > 600
    assert {name for name, found in wrong.items() if found} == ABOUT_ANOTHER_GAME.keys()


def test_no_form_and_no_key_of_one_speaks_of_another_game() -> None:
    forms = {**battle_forms(), **post_battle_forms(), "sheet": Form(kind="gang", model=GangSheet)}
    said = {kind: [form.about_in(WARBANDS)] for kind, form in forms.items()}
    for kind, form in forms.items():
        said[kind] += [form.meaning(key, WARBANDS) for key, _, _ in form.shapes()]
    wrong = {kind: [text for text in texts if foreign(text)] for kind, texts in said.items()}
    assert {kind: texts for kind, texts in wrong.items() if texts} == {}


@pytest.mark.parametrize(
    ("refusal", "usual", "of_warbands"),
    [
        (TooFewGangs(gangs=1), "two gangs or more", "two warbands or more"),
        (UnknownGang(gang="x", known=()), "No gang 'x' is enlisted", "No warband 'x' is enlisted"),
    ],
    ids=lambda value: value.code if isinstance(value, Refusal) else None,
)
def test_a_refusal_says_gang_until_it_is_told_of_another_game(
    refusal: Refusal, usual: str, of_warbands: str
) -> None:
    assert usual in refusal.message()
    whole = EntryRefused(refusal=refusal, label="entry 1")
    whole.in_words_of(WARBANDS)
    assert of_warbands in refusal.message()
    assert of_warbands in whole.message()


def test_each_word_is_named_by_the_usual_one() -> None:
    words = ("gang", "gangs", "Gang", "Gangs", "house", "House", "credit", "credits", "Credits")
    assert {word: getattr(USUAL, word) for word in words} == {word: word for word in words} | {
        "house": "House"
    }
    for name in loader.book_names():
        words_of_book = loader.book(name).words
        assert (words_of_book == USUAL) == (name != "trench_crusade")
