"""The page *After a battle*: the post-battle steps as a checklist beside the questions of the step.

The book's `post_battle.toml` gives the steps and their order, and the commands of `draft` ask the questions.
This page adds what was done in each step already, and who must not be forgotten.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from tracker.campaign.post_battle_reminders import due_after_battle
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import rulebook_in_force
from tracker.conversations.post_battle_wizard import AT
from tracker.documents.wizard import writing
from tracker.documents.wizard.context import Context
from tracker.documents.wizard.forms import post_battle_forms
from tracker.documents.wizard.prompts import step_of
from tracker.errors import BadInput
from tracker.rules import loader
from tracker.server.pages import step_forms, table
from tracker.server.pages.forms import FormValues, Redirect
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.step_forms import StepForm
from tracker.service.repository import RemoteRequest

_LEFT_MAX: Final = 100
"""The most questions in a row that give way to an entry of a step's form."""


class NoSuchSequence(BadInput):
    """That {game.gang} has nothing left to do after a battle: its next battle is open, or it fought none."""


class StepOfList(NamedTuple):
    """A step of the sequence: its entries so far, and what is owed in it."""

    name: str
    when: str
    """`behind`, `now` or `ahead`."""
    done: list[str]
    owed: list[str]
    forms: list[StepForm]
    """The forms of entries that can be made in it."""


def begin(request: PageRequest, filled: FormValues) -> Redirect:
    """Begin a gang's post-battle sequence, or continue it."""
    state = request.boards.state_at(request.known_campaign)
    gang = filled.get("gang")
    if gang not in state.after_battle:
        raise NoSuchSequence
    battle = state.after_battle[gang].battle
    for kept in request.tracker.drafts.of(request.known_campaign):
        said = writing.plain_of(kept.text, file="") if kept.kind == "post-battle" and kept.text else {}
        if (said.get("battle"), said.get("gang")) == (battle, gang):
            return Redirect(f"{table.drafts_path(request)}/{kept.draft}/board")
    battles = {after.battle for after in state.after_battle.values()}
    answers = [battle] if len(battles) > 1 else []
    begun = request.do("draft begin", sending=RemoteRequest(), kind="post-battle", answers=[*answers, gang])
    return Redirect(f"{table.drafts_path(request)}/{table.data_of(begun)['draft']['draft']}/board")


def enter(request: PageRequest, filled: FormValues) -> Redirect:
    """Make the entry of a step's form. Open questions without an answer give way to it, one after another."""
    draft, revision = request.path["draft"], table.revision_of(filled)
    shown = request.data("draft show", draft=draft)
    at = f"{table.drafts_path(request)}/{draft}/board"
    assert request.caller is not None, "who writes is signed in"
    changes = shown["draft"]["revision"] - revision  # one for the entry, and one for each skipped question
    own = shown["draft"]["changed_by"] == request.caller.actor
    if own and 0 < changes <= _LEFT_MAX and _is_last(str(shown["document"]), filled.get(step_forms.ENTRY)):
        return Redirect(at)  # sent twice by a double tap
    table.refuse_stale(shown["draft"], revision)
    state = request.boards.state_at(request.known_campaign)
    entry = step_forms.entry_of(step_forms.table_now(request, str(shown["document"]), state), filled)
    for _ in range(_LEFT_MAX):
        if shown["question"]["shape"] == "menu":
            break
        undone = request.do("draft undo", sending=RemoteRequest(), draft=draft, revision=revision, entry=True)
        shown = table.data_of(undone)
        revision = shown["draft"]["revision"]
    request.do("draft answer", sending=RemoteRequest(), draft=draft, revision=revision, answer=entry, then=[])
    return Redirect(at)


def _is_last(document: str, kind: str) -> bool:
    """Whether the last entry, finished or not, is of that kind."""
    text, left = writing.draft_of(document, file="")
    entries = writing.plain_of(text, file="").get("entries") or [{}]
    return kind in left or kind in entries[-1]


def offers_forms(request: PageRequest, asked: Mapping[str, Any] | None) -> bool:
    """Whether steps show their forms: not in the middle of an entry."""
    if asked is None or asked["shape"] == "record":
        return False
    kept = request.tracker.drafts.draft(request.known_campaign, request.path["draft"])
    return asked["shape"] == "menu" or not kept.lines


def checklist(
    document: str, so_far: Sequence[str], state: CampaignState, now_at: Context | None, typed: FormValues
) -> list[StepOfList]:
    """The book's steps in order, each with its entries in the file, and with its forms if `now_at` is
    given.
    """
    book = loader.book(state.book)
    rules = book.post_battle
    text, left = writing.draft_of(document, file="")
    said = writing.plain_of(text, file="")
    entries: list[dict[str, Any]] = list(said.get("entries") or ())
    places = {step.step: place for place, step in enumerate(rules.steps)}
    done: dict[int, list[str]] = {}
    reached = [0]
    gang = said.get("gang")
    recorded = [
        places[after.step]
        for of, after in state.after_battle.items()
        if gang in (None, of) and after.battle == said.get("battle") and after.step in places
    ]
    for entry, words in zip(entries, so_far, strict=False):
        kind = next((key for key in entry if key in post_battle_forms()), None)
        step = step_of(post_battle_forms()[kind], rules.at) if kind is not None else None
        place = places.get(str(step), max(reached))
        reached.append(place)
        done.setdefault(place, []).append(words)
    begun = max([*reached, *recorded])
    now = max(begun, places.get(str(left.get(AT)), 0))
    owed = _owed(state, said, entries)
    return [
        StepOfList(
            step.name,
            "behind" if place < now else "now" if place == now else "ahead",
            done.get(place, []),
            owed.get(step.step, []),
            # A step that was left is still open while no later step has begun.
            step_forms.of_step(now_at, step.step, typed)
            if now_at is not None and (place >= now or (place >= begun and owed.get(step.step)))
            else [],
        )
        for place, step in enumerate(rules.steps)
    ]


def _owed(
    state: CampaignState, said: Mapping[str, Any], entries: Sequence[Mapping[str, Any]]
) -> dict[str, list[str]]:
    """The reminders and effects of skills in each step that the file does not have yet."""
    rulebook = rulebook_in_force(state, loader.rulebook)
    actions = rulebook.book.post_battle.actions
    given: Counter[tuple[str, str]] = Counter()
    for about in entries:
        for entry, fields in about.items():
            for value in (said.get("gang"), *fields.values()) if isinstance(fields, dict) else ():
                named = str(value)
                given.update({("", named), ("trade" if entry in actions else entry, named)})
    gangs = [said["gang"]] if said.get("gang") in state.gangs else [*state.after_battle]
    owed: dict[str, list[str]] = {}
    for reminder in (due for gang in gangs for due in due_after_battle(state, gang, rulebook)):
        entry = "" if reminder.must else reminder.entry
        if given[entry, reminder.whose] < reminder.times:
            owed.setdefault(reminder.step, []).append(reminder.words)
    return owed
