"""The form of an operation: its fields are derived from its command and the command's declaration.

The choices are those of the wizard, for the campaign's present state. Knows by name only the few operations
whose choices nothing else provides.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal, NamedTuple

import click

from tracker.campaign import records
from tracker.campaign.steps.dispatch import is_known
from tracker.cli.corrections import DECIDES
from tracker.documents.armoury import Armoury, armoury_kept
from tracker.documents.derived_forms import form_of
from tracker.documents.post_battle_entries import LOST, STASH
from tracker.documents.validation import StrictModel
from tracker.documents.wizard import candidates, context, legal_entries
from tracker.documents.wizard.context import Choice, Context
from tracker.documents.wizard.forms import Form, post_battle_forms
from tracker.records import replace
from tracker.reports.cards import display_name
from tracker.rights import RIGHTS
from tracker.rules import loader
from tracker.rules.glossary import GameWords
from tracker.server.pages.forms import FormValues
from tracker.server.pages.operation_words import LABELS, LABELS_OF, WORDS_OF
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import game_of, ranks_of
from tracker.server.parameters import command_called

Shape = Literal["text", "number", "yes", "one", "several", "words", "lines", "long"]
"""A line; a number; a box to tick; one choice; several choices; words with commas; lines; a long text."""
DRY: Final = "dry_run"
ROLL: Final = "roll"
DICE: Final = "dice"
DOCUMENT: Final = "file"
_BESIDE: Final = frozenset({DRY, ROLL, DICE, "as_json", "armoury", "service_address", "print_only", "id"})
"""Parameters without a field: output formats, and dice, which are asked for when they are due."""
_OPEN_LISTS: Final = frozenset({"item", "type", "set", "skill", "territory", "replaces", "upgrade"})
"""Parameters that accept a name outside the choices; the rules check it."""
_LINES: Final = frozenset({"vkeys"})
_COMMAS: Final = re.compile(r"\s*,\s*")


_RECORDS: Final[Mapping[str, type[records.Command]]] = {"campaign cycle": records.BeginCycle}
"""What an operation records that decides no entry of a file."""
_FIELD_OF: Final[Mapping[str, type[records.Command]]] = {"found": records.SeekRare}
"""Fields that only games have that know the command."""


class OperationField(NamedTuple):
    """One field of the form."""

    name: str
    label: str
    help: str
    shape: Shape
    needed: bool
    choices: tuple[Choice, ...]
    is_open: bool
    """Whether a value outside the choices is accepted."""
    values: tuple[str, ...]
    least: int | None = None
    most: int | None = None
    fault: str = ""

    @property
    def value(self) -> str:
        """The first value."""
        return self.values[0] if self.values else ""


@cache
def form_called(operation: str) -> Form | None:
    """The wizard's form of the entry that the operation records; None if it records none."""
    decided = DECIDES.get(command_called(operation))
    if decided is None:
        return None
    for form in post_battle_forms().values():
        if decided in (form.model, getattr(form.model, "makes", None)):
            return form
    model = decided if issubclass(decided, StrictModel) else form_of(decided)
    return Form(kind="", model=model)


def has_dry_run(operation: str) -> bool:
    """Whether the operation has a preview."""
    return any(parameter.name == DRY for parameter in command_called(operation).params)


def takes(operation: str, name: str) -> bool:
    """Whether the operation's command has a parameter of that name."""
    return any(parameter.name == name for parameter in command_called(operation).params)


def table_of(request: PageRequest, answers: Mapping[str, Any]) -> Context:
    """The context of choices: the gang that was named, or all gangs."""
    state = request.boards.state_at(request.known_campaign)
    everybody = Context(state=state, book=loader.book(state.book), gangs=tuple(state.gangs))
    own = context.gang_of_answers(everybody, answers)
    return Context(
        state=state,
        book=everybody.book,
        gangs=tuple(state.gangs) if own is None or own not in state.gangs else (own,),
        armoury=armoury_of(request),
    )


def is_of_the_game(request: PageRequest, operation: str) -> bool:
    """Whether the campaign's book has what the operation records."""
    table, form = table_of(request, {}), form_called(operation)
    recorded = _RECORDS.get(operation)
    if recorded is not None:
        return is_known(table.book, records.DECLARATIONS[recorded])
    return form is None or legal_entries.in_book(table, form)


def armoury_of(request: PageRequest) -> Armoury | None:
    """The campaign's armoury, or None."""
    state = request.boards.state_at(request.known_campaign)
    return armoury_kept(request.tracker.people.armoury(request.known_campaign), state.book)


def fields_of(
    request: PageRequest, operation: str, filled: FormValues, faults: Mapping[str, str]
) -> list[OperationField]:
    """The fields in the command's order, without those that have nothing to choose."""
    answers = {name: filled.get(name) for name in filled.fields if filled.get(name)}
    table, form = table_of(request, answers), form_called(operation)
    shown = []
    arbitrator = request.may("gang credits")
    only = {option.lstrip("-") for option in RIGHTS[operation].arbitrator_only}
    for parameter in _asked(operation):
        option = max(parameter.opts, key=len).lstrip("-")
        if option in only and not arbitrator:
            continue
        known = _FIELD_OF.get(parameter.name or "")
        if known is not None and not is_known(table.book, records.DECLARATIONS[known]):
            continue
        field = _field(request, operation, parameter, table, form, answers, filled)
        if field is not None:
            shown.append(field._replace(fault=faults.get(field.name, "")))
    return shown


def given(operation: str, filled: FormValues) -> dict[str, Any]:
    """The values of the form by parameter name; a document is under its own."""
    said: dict[str, Any] = {}
    for parameter in _asked(operation):
        name = parameter.name or ""
        if name == DOCUMENT:
            continue
        if getattr(parameter, "is_flag", False):
            if name in filled:
                said[name] = True
        elif _takes_several(parameter):
            said[name] = [value for value in _several(name, filled) if value]
        elif value := filled.get(name):
            said[name] = value
    return said


def _asked(operation: str) -> list[click.Parameter]:
    return [
        parameter
        for parameter in command_called(operation).params
        if parameter.name not in _BESIDE and not (parameter.name or "").startswith("global_")
    ]


def _takes_several(parameter: click.Parameter) -> bool:
    return bool(getattr(parameter, "multiple", False)) or parameter.nargs == -1


def _several(name: str, filled: FormValues) -> list[str]:
    values = filled.all(name)
    if name in _LINES:
        return [line.strip() for value in values for line in value.splitlines()]
    return [word for value in values for word in _COMMAS.split(value.strip())]


def _field(
    request: PageRequest,
    operation: str,
    parameter: click.Parameter,
    table: Context,
    form: Form | None,
    answers: Mapping[str, Any],
    filled: FormValues,
) -> OperationField | None:
    name = parameter.name or ""
    label, words = _words(operation, parameter, form, game_of(request))
    found = _choices(request, operation, name, table, form, answers)
    if isinstance(parameter.type, click.Choice):
        found = tuple(
            Choice(value=str(word), name=WORDS_OF.get((operation, str(word))) or display_name(str(word)))
            for word in parameter.type.choices
        )
    if found == () and not parameter.required and name not in answers:
        return None
    shape: Shape = "text"
    if getattr(parameter, "is_flag", False):
        shape = "yes"
    elif name == DOCUMENT:
        shape = "long"
    elif _takes_several(parameter):
        shape = "several" if found else "lines" if name in _LINES else "words"
    elif found:
        shape = "one"
    elif isinstance(parameter.type, click.IntRange) or parameter.type is click.INT:
        shape = "number"
    least, most = getattr(parameter.type, "min", None), getattr(parameter.type, "max", None)
    return OperationField(
        name=name,
        label=label,
        help=words,
        shape=shape,
        needed=parameter.required,
        choices=found or (),
        is_open=name in _OPEN_LISTS,
        values=tuple(filled.all(name)),
        least=least if isinstance(least, int) else None,
        most=most if isinstance(most, int) else None,
    )


def _words(operation: str, parameter: click.Parameter, form: Form | None, game: GameWords) -> tuple[str, str]:
    """The field's label and help; those of a record come from its docstring."""
    name = parameter.name or ""
    own = LABELS_OF.get((operation, name)) or LABELS.get(name)
    if own is not None:
        return game.said(own[0]), game.said(own[1])
    meant = ""
    if form is not None and any(key == name for key, _, _ in form.shapes()):
        meant = form.meaning(name, game)
    return display_name(name), meant or str(getattr(parameter, "help", None) or "")


# --- what may be chosen ------------------------------------------------------------------------------------

Finder = Callable[[PageRequest, Context, Mapping[str, Any]], Sequence[Choice]]


def _choices(
    request: PageRequest,
    operation: str,
    name: str,
    table: Context,
    form: Form | None,
    answers: Mapping[str, Any],
) -> tuple[Choice, ...] | None:
    """The choices; None for free text, empty if there is nothing to ask."""
    finder = _FINDERS.get((operation, name)) or _FINDERS.get(("", name))
    if finder is not None:
        return tuple(finder(request, table, answers))
    if form is None or not any(key == name for key, _, _ in form.shapes()):
        return None
    found = candidates.candidates(table, form, name, answers)
    if found:
        return with_prices(table, found) if name in ("item", "type") else found
    if name in ("set", "skill", "type", "price", "kind", "name"):  # what it depends on may not be said yet
        return None if table.armoury is None or name in ("price", "name") else _every_choice(table, name)
    return found


def _every_choice(table: Context, name: str) -> tuple[Choice, ...]:
    """All choices, if the parameter that would narrow them is not set."""
    assert table.armoury is not None, "asked for where there is one"
    if name == "set":
        return context.as_choices(skills.name for skills in table.armoury.skill_sets)
    if name == "skill":
        return context.as_choices(skill for each in table.armoury.skill_sets for skill in each.skills)
    if name == "type":
        return context.as_choices(listed.card.kind for listed in table.armoury.types)
    return ()


def with_prices(table: Context, found: tuple[Choice, ...]) -> tuple[Choice, ...]:
    """The same items or types with prices, if the armoury has them."""
    if table.armoury is None:
        return found
    costs = {offer.item.name: offer.item.cost_credits for offer in table.armoury.offers}
    costs |= {listed.card.kind: listed.card.cost_credits for listed in table.armoury.types}
    return tuple(
        replace(each, note=context.money(table, costs[each.value]))
        if each.value in costs and not each.note
        else each
        for each in found
    )


def _gangs(_: PageRequest, table: Context, __: Mapping[str, Any]) -> list[Choice]:
    return [Choice(value=gang.gang, name=gang.name) for gang in table.state.gangs.values()]


def _bearers(_: PageRequest, table: Context, __: Mapping[str, Any]) -> list[Choice]:
    vehicles = [Choice(value=vehicle.vehicle, name=vehicle.name) for vehicle in table.vehicles()]
    stash = Choice(value=STASH, name="The stash")
    return [stash, *context.fighter_choices(_enlisted(table)), *vehicles]


def _receivers(request: PageRequest, table: Context, answers: Mapping[str, Any]) -> list[Choice]:
    return [*_bearers(request, table, answers), Choice(value=LOST, name="Nobody: it is lost")]


def _enlisted(table: Context) -> list[Any]:
    return [fighter for gang in table.gangs for fighter in table.state.gangs[gang].enlisted.values()]


def _fighters(_: PageRequest, table: Context, __: Mapping[str, Any]) -> Sequence[Choice]:
    return context.fighter_choices(_enlisted(table))


def _vehicles(_: PageRequest, table: Context, __: Mapping[str, Any]) -> Sequence[Choice]:
    return [Choice(value=vehicle.vehicle, name=vehicle.name) for vehicle in table.vehicles()]


def _webhooks(request: PageRequest, _: Context, __: Mapping[str, Any]) -> list[Choice]:
    if not request.may("webhook list"):
        return []
    return [
        Choice(value=row["webhook"], name=f"{row['to']} ({', '.join(row['about'])})")
        for row in request.data("webhook list")["webhooks"]
    ]


def _fought(_: PageRequest, table: Context, __: Mapping[str, Any]) -> list[Choice]:
    under_way = table.state.under_way
    crews = under_way.crews if under_way is not None else ()
    return [Choice(value=gang, name=table.state.gangs[gang].name) for gang in crews]


def _ranks(_: PageRequest, table: Context, __: Mapping[str, Any]) -> list[Choice]:
    return [Choice(value=word, name=display_name(word)) for word in ranks_of(table.book)]


def _captives(_: PageRequest, table: Context, __: Mapping[str, Any]) -> Sequence[Choice]:
    held = [
        fighter
        for gang in table.state.gangs.values()
        for fighter in gang.fighters.values()
        if fighter.held_by is not None
    ]
    return context.fighter_choices(held)


def _territories(_: PageRequest, table: Context, __: Mapping[str, Any]) -> list[Choice]:
    return [Choice(value=known.territory, name=known.name) for known in table.state.territories.values()]


def _phases(_: PageRequest, table: Context, __: Mapping[str, Any]) -> list[Choice]:
    rules = table.book.post_battle_rules
    return [Choice(value=phase.phase, name=phase.name) for phase in (rules.phases if rules else ())]


def _committed(request: PageRequest, _: Context, __: Mapping[str, Any]) -> list[Choice]:
    """Everybody in the campaign, by name, because provable dice store names."""
    if not request.may("member list"):
        return []
    return [
        Choice(value=member["name"], name=member["name"]) for member in request.data("member list")["members"]
    ]


def _members(request: PageRequest, _: Context, __: Mapping[str, Any]) -> list[Choice]:
    if not request.may("member list"):
        return []
    return [
        Choice(value=member["person"], name=member["name"])
        for member in request.data("member list")["members"]
    ]


_FINDERS: Final[Mapping[tuple[str, str], Finder]] = {
    ("", "gang"): _gangs,
    ("", "gangs"): _gangs,
    ("", "fighter"): _fighters,
    ("", "fighters"): _fighters,
    ("", "without"): _fighters,
    ("", "for"): _fighters,
    ("", "vehicle"): _vehicles,
    ("", "captive"): _captives,
    ("", "winner"): _fought,
    ("", "webhook"): _webhooks,
    ("", "phase"): _phases,
    ("gang hand-over", "from"): _bearers,
    ("gang hand-over", "to"): _receivers,
    ("gang territory", "territory"): _territories,
    ("fighter promote", "to"): _ranks,
    ("dice withheld", "who"): _committed,
    ("member role", "who"): _members,
    ("member remove", "who"): _members,
    ("member invite", "back"): _members,
}
