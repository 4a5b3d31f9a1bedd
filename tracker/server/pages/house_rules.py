"""The pages of house rules: the catalogue, the changes of each, their history, and what-if."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from tracker.documents.text import NOTE_CHARACTERS_MAX
from tracker.errors import BadInput
from tracker.reports.plain_data import plain_data
from tracker.rules import loader
from tracker.server.pages import rulings
from tracker.server.pages.forms import FormValues, Redirect
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.words import here, names_of
from tracker.service.as_of import is_count

HELD: Final = "held"


def house_rules(request: PageRequest) -> Mapping[str, Any]:
    """The house rules of the campaign's book that match every word of the search."""
    filled = rulings.fields(request)
    listed = request.data("policy list")
    words = filled.get("search").casefold().split()
    history = request.data("policy history")
    in_force = {row["policy"]: row for row in history["held"] if row["until_battle"] is None}
    rows = [
        row
        for row in listed["available"]
        if all(word in _text(row) for word in words) and (HELD not in filled or row["policy"] in in_force)
    ]
    return {
        "rows": rows,
        "all_of_them": len(listed["available"]),
        "held": in_force,
        "history": history["history"],
        "filled": filled,
    }


def house_rule(request: PageRequest) -> Mapping[str, Any]:
    """One house rule, and the season with it or without it."""
    name = request.path["policy"]
    shown = request.data("policy show", policy=name)
    filled = rulings.fields(request)
    state = request.boards.state_at(request.known_campaign)
    book = loader.book(state.book)
    named = [policy for policy in state.policies if policy.policy == shown["policy"]["policy"]]
    in_force = next((policy for policy in reversed(named) if policy.until_battle is None), None)
    identity = f"{shown['policy']['policy']}@{shown['policy']['version']}"
    from_battle = filled.get("from_battle")
    next_battle = state.battle_number + (state.under_way is not None)
    given: dict[str, Any] = {
        "policies": [] if in_force else [identity],
        "without": [in_force.policy] if in_force else [],
    }
    found = rulings.NOTHING
    what_if = rulings.NOTHING
    if "what_if" in filled and request.may("policy what-if"):
        what_if = rulings.what_if(request, **given, from_battle=from_battle or "1")
    elif is_count(from_battle) and int(from_battle) < next_battle:
        verb = "policy repeal" if in_force else "policy adopt"
        if request.may(verb):
            name_given = in_force.policy if in_force else identity
            found = rulings.previewed(
                request,
                verb,
                filled,
                book,
                policy=name_given,
                from_battle=from_battle,
                preview=True,
                reason=filled.get("reason") or None,
            )
    return {
        "shown": shown,
        "policy": shown["policy"],
        "identity": identity,
        "held": plain_data(in_force) if in_force else None,
        "filled": filled,
        "names": names_of(request),
        "next_battle": next_battle,
        "knobs": {knob: book.knobs[knob] for knob in shown["policy"]["patch"] if knob in book.knobs},
        "found": found,
        "what_if": what_if,
        "text_max": NOTE_CHARACTERS_MAX,
    }


class NoReasonGiven(BadInput):
    """A reason is missing. Say it under Why, in a few words such as: we agreed on it."""


def adopt(request: PageRequest, filled: FormValues) -> Redirect:
    """Adopt it from the next battle on or, after a preview, from a past one."""
    _change(request, filled, "policy adopt")
    return Redirect(here(request, "/house-rules"))


def repeal(request: PageRequest, filled: FormValues) -> Redirect:
    """Repeal it, in the same way."""
    _change(request, filled, "policy repeal")
    return Redirect(here(request, "/house-rules"))


def _change(request: PageRequest, filled: FormValues, command: str) -> None:
    if not filled.get("reason").strip():
        raise NoReasonGiven
    state = request.boards.state_at(request.known_campaign)
    from_battle = filled.get("from_battle") or None
    given: dict[str, Any] = {"policy": filled.get("policy"), "reason": filled.get("reason")}
    past = (
        from_battle is not None
        and is_count(from_battle)
        and request.tracker.rulings.is_past(request.known_campaign, int(from_battle))
    )
    if past:
        settled = rulings.later(filled, loader.book(state.book))
        given |= {**settled, "roll": "roll" in filled, "expect_head": rulings.looked_at(filled)}
    request.do(command, sending=rulings.sent_for_any_state(request, filled), from_battle=from_battle, **given)


def _text(row: Mapping[str, Any]) -> str:
    return " ".join(
        [row["policy"], row["title"], row["about"], row["source"], *row["tags"], *row["patch"]]
    ).casefold()
