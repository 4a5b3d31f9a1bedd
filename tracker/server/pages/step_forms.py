"""Small forms in the post-battle checklist: each records an entry within its step.

The wizard's forms provide a step's entries, candidates and questions. Anything still open, above all dice, is
asked beside the checklist.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from tracker.campaign.state import CampaignState
from tracker.documents.armoury import Armoury, PriceLookup
from tracker.documents.post_battle import post_battle_plan
from tracker.documents.wizard import questions, writing
from tracker.documents.wizard.candidates import candidates
from tracker.documents.wizard.context import Choice, Context, word_choices
from tracker.documents.wizard.forms import Form, post_battle_forms
from tracker.documents.wizard.legal_entries import choices, in_book
from tracker.documents.wizard.prompts import Prompt, prompts_of, step_of
from tracker.documents.wizard.suggestions import id_beside
from tracker.errors import BadInput
from tracker.reports.names import Names
from tracker.rules import loader
from tracker.rules.glossary import GameWords
from tracker.server.pages.board_actions import does
from tracker.server.pages.forms import FormValues
from tracker.server.pages.operation_fields import OperationField, Shape, armoury_of, with_prices
from tracker.server.pages.page_request import PageRequest

ENTRY: Final = "entry"
"""The field with the kind of the form."""
_CALLED: Final[Mapping[str, str]] = {
    "advance": "Spend XP on an advance",
    "awards": "XP for several",
    "battle_experience": "XP of the battle",
    "buy": "Buy something",
    "capture": "Take a captive",
    "captive_works": "Put a captive to work",
    "claim_bounty": "Claim a bounty",
    "clean_house": "Clear out the dead",
    "credits": "Move {game.credits}",
    "crew": "Name a driver",
    "dispose_of_captive": "Get rid of a captive",
    "end_actions": "No more actions",
    "equipment": "Gear of a territory",
    "escape": "Escape roll",
    "experience": "XP for one",
    "ganger_roll": "A Ganger rolls for an advance",
    "hand_over": "Hand something over",
    "hire": "Hire a fighter",
    "lose_territory": "Lose a territory",
    "medical_escort": "Take somebody to the Doc",
    "mvp": "Best of the {game.gang}",
    "new_leader": "Name a new Leader",
    "painted": "Painted models",
    "promote": "Promote somebody",
    "ransom": "Pay a ransom",
    "rating": "Work out the rating",
    "recruit": "A territory brings a fighter",
    "rescue": "Rescue a captive",
    "return_captive": "Let a captive go",
    "scrap": "Scrap of the wrecks",
    "seek_rare": "Look for rare things",
    "sell": "Sell something",
    "sell_captive": "Sell a captive to the Guilders",
    "territory": "Take a territory",
    "took_part": "XP for taking part",
    "trade_captive": "Ransom or trade a captive",
}
_SHAPES: Final[Mapping[str, Shape]] = {
    "text": "text",
    "word": "text",
    "number": "number",
    "yes_no": "yes",
    "several": "several",
}
_BY_THE_WIZARD: Final = frozenset({("advance", "take"), ("territory", "territory")})
"""Keys that the wizard asks itself after the others: with prices, or with a suggestion."""
_ASKED_AFTERWARDS: Final = frozenset({"numbers", "counts", "groups", "parts", "map"})
"""Shapes of answers that no field can hold."""
_NUMBER: Final = re.compile("-?[0-9]{1,7}")


class NumberOfStepWrong(BadInput):
    """{question} Write a whole number, in digits."""

    question: str


class NoSuchStep(BadInput):
    """That can no longer be done. Look at the list again."""


class StepForm(NamedTuple):
    """The form of one entry in a step."""

    kind: str
    title: str
    about: str
    fields: list[OperationField]
    hidden: list[tuple[str, str]]
    """The values that are the only choice."""


def called(kind: str, game: GameWords) -> str:
    """The name of a post-battle entry on pages."""
    return game.said(_CALLED[kind]) if kind in _CALLED else does(kind)


def table_now(request: PageRequest, document: str, state: CampaignState) -> Context:
    """The context after all entries of the draft, with the gangs that it is about."""
    book, armoury = loader.book(state.book), armoury_of(request)
    text, _ = writing.draft_of(document, file="")
    said = writing.plain_of(text, file="") if text.strip() else {}
    now = _played(request, text, state, armoury) if said.get("entries") else state
    gangs = tuple(
        gang
        for gang, after in now.after_battle.items()
        if after.battle == said.get("battle") and said.get("gang") in (None, gang)
    )
    return Context(state=now, book=book, gangs=gangs, armoury=armoury)


def _played(request: PageRequest, text: str, state: CampaignState, armoury: Armoury | None) -> CampaignState:
    lookup = PriceLookup(state=state, armoury=armoury)
    purposes = loader.book(state.book).purposes
    plan = post_battle_plan(writing.document_of(text, file=""), purposes=purposes, lookup=lookup)
    commands = request.tracker.commands
    played = commands.play(request.known_campaign, plan.decisions, dry_run=True, explained=False)
    return played.state


def of_step(table: Context, step: str | None, typed: FormValues) -> list[StepForm]:
    """The forms of a step's entries that the rules allow; without a step, those that are always allowed."""
    found = []
    for form in post_battle_forms().values():
        if step_of(form, table.book.post_battle.at) != step or not form.on_one_line:
            continue
        made = _form(table, form, typed) if in_book(table, form) else None
        if made is not None:
            found.append(made)
    return found


def _form(table: Context, form: Form, typed: FormValues) -> StepForm | None:
    first, *others = prompts_of(form)
    able = choices(table, form, first, {})
    if able is not None and not able:
        return None
    own = typed if typed.get(ENTRY) == form.kind else FormValues({})
    hidden, fields = [], []
    if able is not None and len(able) == 1 and first.key == "gang":
        hidden.append((_name(form, first), able[0].value))
    else:
        fields.append(_field(table, form, first, able, own))
    for prompt in others:
        if prompt.after is not None or (form.kind, prompt.key) in _BY_THE_WIZARD:
            continue
        if form.question(prompt.key).shape in _ASKED_AFTERWARDS:
            continue
        fields += [
            _field(table, form, prompt, offered, own)
            for offered in _whatever_is_said(table, form, first, able, prompt.key)
        ]
    game = table.book.words
    return StepForm(form.kind, called(form.kind, game), form.about_in(game), fields, hidden)


def _whatever_is_said(
    table: Context, form: Form, first: Prompt, able: tuple[Choice, ...] | None, key: str
) -> Iterator[tuple[Choice, ...] | None]:
    """The choices of a key for every first choice; they are checked again when the form is sent."""
    said = [{}, *({first.key: choice.value} for choice in able or ())]
    if form.question(first.key).shape == "several":
        said = [{}]
    found = [candidates(table, form, key, answers) for answers in said]
    usable = found[1:] or found
    if all(offered == usable[0] for offered in usable) and usable[0] != ():
        yield usable[0]


def _name(form: Form, prompt: Prompt) -> str:
    return f"{form.kind}.{prompt.key}"


def _field(
    table: Context, form: Form, prompt: Prompt, offered: tuple[Choice, ...] | None, own: FormValues
) -> OperationField:
    question = form.question(prompt.key)
    shape = _SHAPES.get(question.shape, "text")
    if offered is None and question.words:
        offered = word_choices(question.words)
    if offered and shape == "text":
        shape = "one"
    name, choices_shown = _name(form, prompt), offered or ()
    if form.kind in ("hire", "buy") and prompt.key in ("type", "item"):
        choices_shown = with_prices(table, choices_shown)
    return OperationField(
        name=name,
        label=_words(table, form, prompt.key),
        help="",
        shape=shape,
        needed=not prompt.may_pass,
        choices=choices_shown,
        is_open=False,
        values=tuple(own.all(name)),
    )


def _words(table: Context, form: Form, key: str) -> str:
    return questions.question_of_form(form, key, Names.of_state(table.state))


def entry_of(table: Context, filled: FormValues) -> str:
    """The answers of a form for the wizard, line by line. Empty fields are skipped, and remaining questions
    are asked beside the checklist.
    """
    form = post_battle_forms().get(filled.get(ENTRY))
    shown = _form(table, form, filled) if form is not None and in_book(table, form) else None
    if form is None or shown is None:
        raise NoSuchStep
    answers: dict[str, Any] = {}
    passed: list[str] = []
    for name, value in shown.hidden:
        answers[name.partition(".")[2]] = value
    for field in shown.fields:
        key = field.name.partition(".")[2]
        value = _value(field, filled)
        if value is not None:
            answers[key] = value
        elif not field.needed:
            passed.append(key)
    for key in [*answers]:
        made = id_beside(table, form, key, answers)
        if made is not None:
            answers["id"] = made
    return json.dumps({form.kind: answers, "passed": passed})


def _value(field: OperationField, filled: FormValues) -> Any:
    values = [value.strip() for value in filled.all(field.name) if value.strip()]
    if field.shape == "yes":
        return True if values else None
    if not values:
        return None
    if field.shape == "several":
        return values
    if field.shape == "number":
        if not _NUMBER.fullmatch(values[0]):
            raise NumberOfStepWrong(question=field.label)
        return int(values[0])
    return values[0]
