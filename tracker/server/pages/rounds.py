"""The round of a battle on its board, and the tests of its End phase.

A round ends where the report says so. The rules say which tests are open now; the entries since the last end
of a round say who has been tested.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from tracker.campaign import records
from tracker.documents.wizard.forms import battle_forms
from tracker.server.pages.board_actions import Action, does

ENDS: Final = "round_ends"
_IN_ORDER: Final = (
    "bottle",
    "morale",
    "flee",
    "recovery",
    "restart",
    "driver",
    "rolls_on",
    "rally",
    "marker",
)
"""The entries that are tests; others of an End phase follow them."""
_END_PHASE: Final = frozenset({"area_markers", "end_phase", "morale", "vehicle_end_phase"})
"""The chapters of events at the end of a round."""
_IN_END_PHASE_TOO: Final = frozenset({"flee", "rally"})
_NOT_THEN: Final = frozenset({"blessing", "blessing_spent"})


class DueTest(NamedTuple):
    """A test of the End phase: the models that may take it, and those that have in this round."""

    words: str
    actions: list[Action]
    done: list[str]


class RoundUnderWay(NamedTuple):
    """The present round."""

    number: int
    tests: list[DueTest]
    is_ending: bool
    """Whether its End phase has begun: the last entry is a test of it."""
    end: str
    """The answer that ends it; empty if the book has no such entry."""


def round_now(
    entries: Sequence[Mapping[str, Any]],
    openings: Sequence[Mapping[str, Any]],
    options: Sequence[Mapping[str, Any]],
    called: Mapping[str, str],
) -> RoundUnderWay:
    """The present round after these entries. `called` maps ids to names."""
    number, since = _since_its_beginning(entries)
    tested = [(kind, subject) for entry in since for kind, subject in _tests(entry)]
    begins = {opening["kind"]: opening["options"] for opening in openings}
    kinds = [option["value"] for option in options if is_of_end_phase(option["value"])]
    kinds += [kind for kind in dict.fromkeys(kind for kind, _ in tested) if kind not in kinds]
    kinds.sort(key=lambda kind: _IN_ORDER.index(kind) if kind in _IN_ORDER else len(_IN_ORDER))
    tests = []
    for kind in kinds:
        about = battle_forms()[kind].about
        is_open = any(option["value"] == kind for option in options)
        named = [Action(f"{kind} {who['value']}", who["name"], about) for who in begins.get(kind, ())]
        alone = [Action(kind, does(kind), about)] if is_open and not named else []
        done = [called.get(subject, subject) for of, subject in tested if of == kind and subject]
        tests.append(DueTest(does(kind), named or alone, done))
    may_end = any(option["value"] == ENDS for option in options)
    last = next((True for _ in _tests(since[-1])), False) if since else False
    return RoundUnderWay(number, tests, last, f"{ENDS}\n{number}" if may_end else "")


def is_of_end_phase(kind: str) -> bool:
    """Whether such an entry happens at the end of a round."""
    form = battle_forms().get(kind)
    if form is None or kind in _NOT_THEN:
        return False
    chapter = getattr(form.model, "makes", records.Command).__module__.rpartition(".")[2]
    return chapter in _END_PHASE or kind in _IN_END_PHASE_TOO


def _since_its_beginning(
    entries: Sequence[Mapping[str, Any]],
) -> tuple[int, Sequence[Mapping[str, Any]]]:
    """The number of the round, and its entries."""
    number, begins = 1, 0
    for place, entry in enumerate(entries):
        if ENDS in entry:
            stated = (entry[ENDS] or {}).get("round") if isinstance(entry[ENDS], Mapping) else None
            number, begins = (stated if isinstance(stated, int) else number) + 1, place + 1
    return number, entries[begins:]


def _tests(entry: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """The test of an End phase in an entry, with the models; empty for other entries."""
    for kind, about in entry.items():
        if is_of_end_phase(kind):
            named = about if isinstance(about, Mapping) else {"fighter": about}
            subject = next(
                (named[key] for key in ("fighter", "vehicle", "gang", "marker") if key in named), ""
            )
            yield kind, str(subject)
