"""Open actions: the actions that a model may take now in a battle, and the reasons against the others.

Knows no rule: every action that an entry can state is tried on `decide`. An action without an entry, such as
a Move under Necromunda, is not listed.
"""

from __future__ import annotations

from collections.abc import Iterator

from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import rulebook_in_force
from tracker.campaign.steps.dispatch import is_known
from tracker.documents.wizard.context import Context
from tracker.documents.wizard.forms import Form, battle_forms
from tracker.documents.wizard.legal_entries import refusals_of, why_not
from tracker.errors import BadInput, nearest
from tracker.records import Record
from tracker.rules import loader
from tracker.rules.rulebook import BookHasNo


class ModelAction(Record):
    """An action as an entry of a battle report: its key, what it is, where its rule stands.

    `why_not` is what the rules have against it, in a few sentences; empty where they allow it.
    """

    action: str
    about: str
    section: str
    why_not: str


class NotInThisBattle(BadInput):
    """{named} is no fighter of a battle under way, so it has no action to choose. Known: {known}.{guess}"""

    named: str
    known: str
    guess: str


def open_actions(state: CampaignState, model: str) -> tuple[ModelAction, ...]:
    """Every action of the rules in force, for this model as it stands. Raises NotInThisBattle."""
    battle = state.under_way
    there = battle.combatants if battle is not None else {}
    if model not in there:
        raise NotInThisBattle(named=model, known=", ".join(there) or "nobody", guess=nearest(model, there))
    rulebook = rulebook_in_force(state, loader.rulebook)
    table = Context(state=state, book=rulebook.book, gangs=tuple(state.gangs))
    found = []
    for form, actor, section in _actions(table):
        refusals = refusals_of(table, form, {actor: model})
        if refusals and isinstance(refusals[0], BookHasNo):
            continue
        found.append(
            ModelAction(
                action=form.kind,
                about=form.about,
                section=rulebook.section(section),
                why_not="" if refusals is None else why_not(table, form, {actor: model}),
            )
        )
    return tuple(found)


def _actions(table: Context) -> Iterator[tuple[Form, str, str]]:
    """The entries that state an action of a model, with the key of the model and the section of the rule."""
    for form in battle_forms().values():
        makes = getattr(form.model, "makes", None)
        declared = records.DECLARATIONS.get(makes) if makes is not None else None
        if declared is not None and declared.action is not None and is_known(table.book, declared):
            yield form, *declared.action
