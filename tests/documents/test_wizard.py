"""The wizard's questions and its file: every entry can be asked for, and what is written says what was answered."""

import string
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tables import every

from tracker.campaign import records
from tracker.documents.gang_sheet import FighterOnGangSheet, GangSheet
from tracker.documents.post_battle import ENTRIES
from tracker.documents.report_entries import EXCHANGES
from tracker.documents.wizard import prompts, questions, writing
from tracker.documents.wizard.candidates import _GENERAL, _SPECIAL
from tracker.documents.wizard.context import Choice, still_offered
from tracker.documents.wizard.draft import DraftEntry
from tracker.documents.wizard.forms import Form, battle_forms, post_battle_forms
from tracker.documents.yaml_reader import parse_document
from tracker.errors import BadInput, Refusal
from tracker.reports.names import Names
from tracker.rules import loader
from tracker.rules.glossary import USUAL

HEAD = "format: battle-report/1\nbattle: night\n"
FORMS = [*battle_forms().values(), *post_battle_forms().values()]
TEXT = st.text(
    st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_categories=["Cc", "Cf", "Cs", "Zl", "Zp"]),
    min_size=1,
    max_size=30,
)
VALUES = st.recursive(
    TEXT | st.integers(-999, 999) | st.booleans(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, min_size=1, max_size=3),
    max_leaves=6,
)


def test_every_kind_of_both_formats_has_a_form() -> None:
    assert tuple(battle_forms()) == EXCHANGES
    assert tuple(post_battle_forms()) == ENTRIES


@every("form", FORMS, ids=lambda form: form.kind)
def test_the_wizard_asks_for_keys_of_the_entry_and_all_that_it_needs(form) -> None:
    keys = {key for key, _, _ in form.shapes()}
    asked = [prompt.key for prompt in prompts.prompts_of(form)]
    assert set(asked) <= keys
    assert len(asked) == len(set(asked))
    assert set(form.needed) <= set(asked)
    assert all(form.meaning(key, USUAL) for key in asked)


def test_every_table_of_the_wizard_names_kinds_and_keys_that_exist() -> None:
    battle, after = battle_forms(), post_battle_forms()
    for kind, key in _SPECIAL:
        forms = [known[kind] for known in (battle, after) if kind in known]
        assert any(key in {known_key for known_key, _, _ in form.shapes()} for form in forms), (kind, key)
    every_key = {key for form in FORMS for key, _, _ in form.shapes()}
    assert set(_GENERAL) <= every_key


def test_every_key_that_is_asked_for_has_a_question_of_its_own() -> None:
    for form in FORMS:
        for asked in prompts.prompts_of(form):
            words = questions.words_for(form, asked.key)
            assert "?" in (words or ""), (form.kind, asked.key)


@every(
    ("refusal", "kind"),
    [
        (records.HolderMissing, "escape"),
        (records.ResultMissing, "escape"),
        (records.IncomeNotSaid, "income"),
    ],
)
def test_what_a_refusal_lacks_can_be_asked_for(refusal: type[Refusal], kind: str) -> None:
    form = post_battle_forms()[kind]
    assert refusal.lacks in {key for key, _, _ in form.shapes()}
    assert "?" in (questions.words_for(form, refusal.lacks) or "")


@every(
    ("said", "suggested"),
    [
        ("krug", "krug"),
        ("wren", None),
        (["wren", "krug"], ["krug"]),
        (["wren"], None),
        ({"krug": 2, "wren": 1}, {"krug": 2}),
        (True, True),
        (None, None),
    ],
)
def test_an_earlier_answer_is_suggested_as_far_as_it_can_be_given_now(
    said: object, suggested: object
) -> None:
    assert (
        still_offered([Choice(value="krug", name="Krug"), Choice(value="vex", name="Vex")], said) == suggested
    )
    assert still_offered(None, said) == said, "anything may be typed"


def test_a_question_names_only_what_was_answered_before() -> None:
    facts = {"fee", "counted"}
    for form in FORMS:
        before: set[str] = set()
        for asked in prompts.prompts_of(form):
            words = questions.words_for(form, asked.key) or ""
            braces = {name for _, name, _, _ in string.Formatter().parse(words) if name}
            named = {name for name in braces if not name.startswith("game.")}
            assert named - facts <= before, (form.kind, asked.key)
            before.add(asked.key)


def test_a_key_without_a_question_is_asked_for_by_its_field() -> None:
    form = post_battle_forms()["hire"]
    assert (
        questions.question_for(form, "beyond_rules", {}, Names(), {})
        == f"{form.meaning('beyond_rules', USUAL).rstrip('.')}:"
    )


def test_every_question_belongs_to_a_kind_and_key_that_exist() -> None:
    parts = [
        form.question(key).parts for form in FORMS for key, _, shape in form.shapes() if shape == "parts"
    ]
    sheet = [Form(kind="gang", model=GangSheet), Form(kind="fighter", model=FighterOnGangSheet)]
    forms = [*FORMS, *sheet, *(part for part in parts if part is not None)]
    keys = {(form.kind, key) for form in forms for key, _, _ in form.shapes()}
    assert {*questions._SPECIAL} <= keys
    assert {*questions._AT_ONCE} <= {*questions._SPECIAL}, "what a form asks at once, the wizard asks in turn"
    assert {*questions._GENERAL} <= {key for _, key in keys}


def test_every_activity_belongs_to_a_step_of_some_book() -> None:
    rules = [loader.book(name).post_battle_rules for name in loader.book_names()]
    known = {activity for rule in rules if rule is not None for activity in rule.at}
    activities = {prompts.declared_by(form).activity for form in post_battle_forms().values()}
    assert activities - {None} <= known


def test_fighters_are_hired_in_the_step_of_hiring_or_else_at_the_trading_post() -> None:
    hire = post_battle_forms()["hire"]
    named = {}  # the archived rules let a gang trade and recruit in one step
    for book in loader.book_names():
        rules = loader.book(book).post_battle
        names = {step.step: step.name for step in rules.steps}
        named[book] = names[prompts.step_of(hire, rules.at) or ""]
    assert named == {
        "necromunda_2023": "6B. Trading Post",
        "necromunda_archive": "Update Roster",
        "trench_crusade": "6. Hire",
    }


@given(st.dictionaries(TEXT, VALUES, min_size=1, max_size=4))
def test_a_wizards_file_reads_back_as_it_was_answered(entries) -> None:
    assert writing.entry_typed("{x: " + writing.flow(entries) + "}") == {"x": entries}
    once = writing.with_entry(HEAD, {"hit": entries})
    twice = writing.with_entry(once, {"hit": entries, "dice": {"wound": [4]}})
    assert writing.plain_of(twice, file="x")["entries"] == [
        {"hit": entries},
        {"hit": entries, "dice": {"wound": [4]}},
    ]
    writing.check_added(once, twice, file="x")
    assert writing.without_last_entry(twice, file="x") == once
    assert writing.without_last_entry(once, file="x") == HEAD


@given(VALUES)
def test_an_unfinished_wizards_file_reads_back_and_leaves_the_rest(value) -> None:
    text = writing.with_draft(HEAD, {"hit": {"x": value}})
    assert writing.plain_of(text, file="x") == writing.plain_of(HEAD, file="x"), "it is a comment"
    assert writing.draft_of(text, file="x") == (HEAD, {"hit": {"x": value}})


def test_numbers_with_decimals_stay_exact() -> None:
    assert writing.flow({"inches": Decimal("5.20")}) == "{inches: 5.20}"


HEADS = {
    "a report": HEAD,
    "nothing": "",
    "an earlier document": "a: 1\n...\n",
    "an open quote": 'a: "b\n',
    "an open map": "{a: 1,\n",
    "a block": "a: |\n b\n",
    "entries before": "entries: 1\n",
    "a list": "- a\n",
    "other line ends": "a: 1\r",
}
ENTRIES_AS_WRITTEN = [
    "  - a: 1\n    b: {c: [2-3, x]}\n  - d\n",
    '  - a: "x\n  - b: y"\n',
    "  - a: [1,\n  - 2]\n",
    "  - a: |\n      x\n      y\n  - b: >+\n      z\n  - c\n",
    "  - - 1\n    - 2\n",
    "  - a: 1\n    a: 2\n",
    "  - a: &x 1\n  - b: *x\n",
    "  - a: b\n      c\n  - 'it''s\n    more'\n",
    "  - a: 1\n     b: 2\n",
    "  - # comment\n    a: 1\n  - \n    ? x\n    : y\n",
    "  - a: 1\nresult: draw\n",
    f"  - {'[' * 18}{']' * 18}\n",
    f"  - {'[' * 19}{']' * 19}\n",
]


@every("head", HEADS.values(), ids=HEADS)
def test_a_text_that_is_read_entry_by_entry_is_as_it_is_read_whole(head) -> None:
    for entries in ENTRIES_AS_WRITTEN:
        text = f"{head}entries:\n{entries}"
        assert _read(writing.document_of, text) == _read(parse_document, text), text


def _read(reader, text):
    """The document and every place in it, or what is said against it."""
    try:
        document = reader(text, file="report.yaml")
    except BadInput as refused:
        return refused.message()
    return repr(document)


def test_a_typed_text_of_more_than_one_entry_is_not_kept() -> None:
    with pytest.raises(writing.CannotGoOn):
        writing.check_added(HEAD, HEAD + "scenario: x\nentries:\n  - unpin: {fighter: pip}\n", file="x")
    with pytest.raises(writing.CannotGoOn):
        writing.check_added(HEAD, "entries:\n  - unpin: {fighter: pip}\n", file="x")


def test_an_unfinished_wizards_file_keeps_dice_and_says_which_were_rolled_here() -> None:
    part = DraftEntry("hit", {"hit": {"target": "pip"}, "note": "late"})
    part.add("wound", [4])
    part.add("injury", [6], rolled=True)
    part.add("injury", ["out"])
    assert part.whole() == {
        "hit": {"target": "pip"},
        "dice": {"wound": [4], "injury": [{"rolled": 6}, "out"]},
        "note": "late",
    }
    assert DraftEntry.of_draft("hit", part.draft()).whole() == part.whole()
    part.take_back("injury", 1)
    assert part.dice == {"wound": [4], "injury": [{"rolled": 6}]}
    part.take_back("injury", 1)
    assert part.dice == {"wound": [4]}
