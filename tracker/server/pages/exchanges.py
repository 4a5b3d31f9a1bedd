"""The page that judges an exchange between two fighters of the campaign, or shows its chances; records
nothing.

The questions are those of the wizard, from the same models; `judge` and `odds` get the exchange as a file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

import click
import msgspec

from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.campaign.steps.dispatch import is_known
from tracker.dice import DiceNeeded
from tracker.documents.judge_file import FORMAT, FighterInExchange
from tracker.documents.wizard.candidates import candidates
from tracker.documents.wizard.context import Choice, Context
from tracker.documents.wizard.forms import Form, Shape, battle_forms
from tracker.documents.wizard.prompts import prompts_of
from tracker.documents.wizard.questions import question_for
from tracker.errors import Refusal
from tracker.exports.gang_sheet import gang_on_sheet
from tracker.reports.names import Names
from tracker.rules import loader
from tracker.rules.rulebook import Book
from tracker.server import problems
from tracker.server.pages import rulings
from tracker.server.pages.dice import DieField, die_field
from tracker.server.pages.forms import FormValues
from tracker.server.pages.page_request import PageRequest
from tracker.service.as_of import is_count

ATTACKS: Final[Mapping[str, type[records.Command]]] = {
    "shoot": records.Shoot,
    "fight": records.Fight,
    "hit": records.ResolveHit,
    "injury_chart": records.RollInjuryChart,
}
"""Entries of a battle report that are one attack on a model, and the extra questions of each."""
SIMPLE: Final = frozenset({"text", "number", "yes_no", "word"})
"""Answers that fit one field; of others, only choices are offered."""
JUDGE, ODDS, ROLL, AGAIN = "judge", "odds", "roll", "again"
_DIE: Final = re.compile(r"(die\.([0-9]{1,3})\.([a-z0-9_]{1,60}))/[0-9]")
_ON_CARD: Final = {field.alias or name for name, field in FighterInExchange.model_fields.items()}


class ExchangeField(NamedTuple):
    """One question of the form, with its answer."""

    key: str
    words: str
    shape: Shape
    choices: Sequence[Choice] | None
    """The choices; None for free text."""
    needed: bool
    said: Any

    @property
    def name(self) -> str:
        """The name of the field in the form."""
        return f"ask.{self.key}"


def exchange(request: PageRequest) -> Mapping[str, Any]:
    """The form as filled in so far, and the result."""
    filled = rulings.fields(request)
    state = request.boards.state_at(request.known_campaign)
    book = loader.book(state.book)
    forms = {
        kind: form
        for kind, form in battle_forms().items()
        if kind in ATTACKS and is_known(book, records.DECLARATIONS[ATTACKS[kind]])
    }
    kind = filled.get("kind") if filled.get("kind") in forms else next(iter(forms), "")
    fields = [*_fields(forms[kind], state, book, filled)] if kind else []
    answers = {field.key: field.said for field in fields if field.said not in (None, "", [])}
    whole = kind != "" and all(field.key in answers for field in fields if field.needed)
    dice = [] if AGAIN in filled else [*_dice(filled, book)]
    return {
        "kinds": {kind: form.about for kind, form in forms.items()},
        "kind": kind,
        "fields": fields,
        "filled": filled,
        "names": Names.of_state(state),
        "dice": dice,
        **_answered(request, filled, state, book, {kind: answers}, dice, whole=whole),
    }


def _answered(
    request: PageRequest,
    filled: FormValues,
    state: CampaignState,
    book: Book,
    entry: dict[str, Any],
    dice: Sequence[DieField],
    *,
    whole: bool,
) -> dict[str, Any]:
    """The result of `judge` or `odds`, and the next die if one is missing."""
    answered: dict[str, Any] = {"page": None, "judgement": None, "wrong": None, "next": None, "why": ""}
    what = filled.get("what")
    if not whole or what not in (JUDGE, ODDS, ROLL):
        return answered
    given: dict[str, list[Any]] = {}
    if what != ODDS:
        for die in dice:
            if die.given is not None:
                given.setdefault(_purpose(die), []).append(
                    int(die.given) if is_count(die.given) else die.given
                )
    file = _file(state, {**entry, "dice": given} if given else entry)
    command, how = (ODDS, {}) if what == ODDS else (JUDGE, {"roll": what == ROLL})
    try:
        page = request.report(command, files={"-": file}, file="-", **how)
        answered["page"] = page
        answered["judgement"] = page.data() if command == JUDGE else None
    except DiceNeeded as needed:
        number = 1 + max((int(die.name.split(".")[1]) for die in dice), default=-1)
        name = f"die.{number}.{needed.purpose}"
        answered["next"] = die_field(book, needed.purpose, name, FormValues({}), fighter=needed.name)
        answered["why"] = needed.why
    except Refusal as refusal:
        answered["wrong"] = problems.of_refusal(refusal)
    except click.ClickException as wrong:
        answered["wrong"] = problems.of_misuse(wrong)
    return answered


def _fields(form: Form, state: CampaignState, book: Book, filled: FormValues) -> Iterator[ExchangeField]:
    """The questions that remain, in the wizard's order."""
    table = Context(state=state, book=book, gangs=tuple(state.gangs))
    answers: dict[str, Any] = {}
    names = Names.of_state(state)
    for prompt in prompts_of(form):
        if prompt.after is not None:
            continue  # known only after the dice
        question = form.question(prompt.key)
        offered = candidates(table, form, prompt.key, answers)
        if (offered is None and question.shape not in SIMPLE) or (offered is not None and not offered):
            continue
        said = _said(filled, prompt.key, question.shape, offered)
        if said not in (None, "", []):
            answers[prompt.key] = said
        words = question_for(form, prompt.key, answers, names, {})
        yield ExchangeField(prompt.key, words, question.shape, offered, not prompt.may_pass, said)


def _said(filled: FormValues, key: str, shape: Shape, offered: Sequence[Choice] | None) -> Any:
    """The answer as in a file; empty if it is not among the choices."""
    values = [value.strip() for value in filled.all(f"ask.{key}") if value.strip()]
    if offered is not None:
        values = [value for value in values if value in {choice.value for choice in offered}]
    if shape in ("several", "numbers"):
        return values
    if not values:
        return None
    match shape:
        case "number":
            return int(values[0]) if is_count(values[0]) else None
        case "yes_no":
            return {"yes": True, "no": False}.get(values[0])
        case _:
            return values[0]


def _dice(filled: FormValues, book: Book) -> Iterator[DieField]:
    """The dice of the form, in the order in which they were asked for."""
    found = {match[1]: match for name in filled.fields if (match := _DIE.fullmatch(name))}
    for match in sorted(found.values(), key=lambda match: int(match[2])):
        field = die_field(book, match[3], match[1], filled)
        if field is not None and field.given is not None:
            yield field


def _purpose(die: DieField) -> str:
    """The die's purpose, from the name of its field."""
    return die.name.split(".")[2]


def _file(state: CampaignState, entry: Mapping[str, Any]) -> bytes:
    """The exchange as a file, with the present cards of everybody who may be in it."""
    gangs = {}
    for gang in state.gangs:
        cards = [_card(card) for card in gang_on_sheet(state, gang).sheet["fighters"]]
        if cards:
            gangs[gang] = {"name": state.gangs[gang].name, "fighters": cards}
    known = loader.policies()
    held = [f"{held.policy}@{held.version}" for held in state.policies if held.until_battle is None]
    return msgspec.json.encode(
        {
            "format": FORMAT,
            "rulebook": state.book,
            "policies": [policy for policy in held if policy in known],
            "gangs": gangs,
            "exchange": entry,
        }
    )


def _card(card: Mapping[str, Any]) -> dict[str, Any]:
    """A card as an exchange takes it: injuries by name, without other history."""
    injuries = [str(injury["injury"]) for injury in card.get("so_far", {}).get("injuries", ())]
    kept = {key: value for key, value in card.items() if key in _ON_CARD}
    return {**kept, "injuries": injuries} if injuries else kept
