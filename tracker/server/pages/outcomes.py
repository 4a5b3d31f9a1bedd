"""The page that records a battle by its outcomes alone: who took whom out, injuries, XP and the winner.

Each outcome becomes an entry of the battle, and is tried at once. The board shows the result.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from tracker.campaign import records
from tracker.campaign.steps.dispatch import is_known
from tracker.conversations.battle_wizard import END
from tracker.dice import D66
from tracker.documents.wizard import writing
from tracker.errors import BadInput, Refusal
from tracker.rules import loader
from tracker.server.pages import board, table
from tracker.server.pages.board import CrewCard
from tracker.server.pages.forms import FormValues, Redirect
from tracker.server.pages.page_request import PageRequest
from tracker.service.repository import RemoteRequest

INJURY: Final = "lasting_injury"
OUT: Final = "out_of_action"
_CHART: Final = "injury_chart"
REASON: Final = "the scenario"
"""What XP is for where nothing else is said."""
_DICE_MOST: Final = 30
"""More than one outcome ever asks for: a guard against a rule that asks for ever."""


Outcome: TypeAlias = tuple[CrewCard, dict[str, Any], list[str]]
"""Whose it is, its entry, and the dice that were typed for it."""


class FallenInEntry(NamedTuple):
    """Who went Out of Action in an entry, and by whom, where somebody did it."""

    fighter: Any
    by: Any


class InjuryDiceWrong(BadInput):
    """Write the Lasting Injury roll of {fighter} as two digits from 1 to 6, such as 46, or leave the field
    empty.
    """

    fighter: str


class DiceOfOutcomeMissing(BadInput):
    """{fighter}: {die} is still to be rolled. Tick 'Roll what is missing', or play this one on the board."""

    fighter: str
    die: str


class XpWrong(BadInput):
    """Write the XP of {fighter} as a whole number from 1 to 99."""

    fighter: str


def outcomes(request: PageRequest) -> Mapping[str, Any]:
    """The crews as a grid."""
    given = dict(board.board(request))
    state = request.boards.state_at(request.known_campaign)
    purpose = loader.book(state.book).purposes.get(INJURY)
    given["injuries"] = purpose is not None and purpose.die == D66
    given["by_chart"] = not is_known(loader.book(state.book), records.DECLARATIONS[records.StateOutcome])
    given["gangs"] = [(crew.gang, crew.name) for crew in given["crews"]]
    return given


def enter(request: PageRequest, filled: FormValues) -> Redirect:
    """Write everything that was filled in, then the end where somebody won."""
    given = outcomes(request)
    revision = table.revision_of(filled)
    cards = [card for crew in given["crews"] for card in crew.cards]
    wanted = _in_order([*_out_of_action(filled, cards, by_chart=given["by_chart"])])
    xp = [*_experience(filled, cards)]
    if _are_entered(request, given, revision, filled, xp):
        return Redirect(board.board_path(request, request.path["draft"]))
    table.refuse_stale(given["draft"], revision)
    for card, entry, dice in wanted:
        revision = _entered(
            request, revision, card.name, entry, dice, rolls="roll" in filled and given["rolls"]
        )
    for card, amount in xp:
        entry = {
            "experience": {"fighter": card.id, "amount": amount, "reason": filled.get("reason") or REASON}
        }
        revision = _entered(request, revision, card.name, entry, [], rolls=False)
    won = filled.get("won")
    if won in {*(gang for gang, _ in given["gangs"]), "draw"}:
        shown = _answer(request, revision, "end", [won])
        for _ in range(_DICE_MOST if "roll" in filled and given["rolls"] else 0):
            if not shown["question"]["dice"]:
                break
            shown = _answer(request, int(shown["draft"]["revision"]), "r", [])
    return Redirect(board.board_path(request, request.path["draft"]))


def _out_of_action(filled: FormValues, cards: list[CrewCard], *, by_chart: bool) -> Iterator[Outcome]:
    """Who went Out of Action, by whom, with the injury dice that were typed."""
    people = {card.id for card in cards}
    for card in cards:
        if card.is_out or card.id not in filled.all("out"):
            continue
        typed = filled.get(f"injury.{card.id}").replace(" ", "").replace("-", "")
        if typed and not re.fullmatch("[1-6]{2}", typed):
            raise InjuryDiceWrong(fighter=card.name)
        by = filled.get(f"by.{card.id}")
        if by not in people - {card.id}:
            by = ""
        yield card, _stated(card.id, by, by_chart=by_chart), [f"{typed[0]}-{typed[1]}"] if typed else []


def _in_order(wanted: list[Outcome]) -> list[Outcome]:
    """Whoever took somebody out did so before they went out themselves."""
    left, ordered = [*wanted], []
    while left:
        said = [fallen for _, entry, _ in left if (fallen := _fallen(entry)) is not None]
        still = {fallen.by for fallen in said if fallen.by is not None}
        following = next((outcome for outcome in left if outcome[0].id not in still), left[0])
        left.remove(following)
        ordered.append(following)
    return ordered


def _stated(fighter: str, by: str, *, by_chart: bool) -> dict[str, Any]:
    """That somebody went Out of Action, as the book's reports say it: with an Injury Chart by its result."""
    if by_chart:
        return {_CHART: {**({"attacker": by} if by else {}), "target": fighter, "result": OUT}}
    return {OUT: {"fighter": fighter, **({"by": by} if by else {})}}


def _experience(filled: FormValues, cards: list[CrewCard]) -> Iterator[tuple[CrewCard, int]]:
    for card in cards:
        typed = filled.get(f"xp.{card.id}")
        if typed and not re.fullmatch("[1-9][0-9]?", typed):
            raise XpWrong(fighter=card.name)
        if typed:
            yield card, int(typed)


def _are_entered(
    request: PageRequest,
    given: Mapping[str, Any],
    revision: int,
    filled: FormValues,
    xp: list[tuple[CrewCard, int]],
) -> bool:
    """Whether the same person sent this page already: a double tap, or an answer lost on the way.

    Then all that the form says stands in the report: who went out, by whom, by which dice; the XP; who won.
    """
    kept = given["draft"]
    assert request.caller is not None, "who writes is signed in"
    if kept["revision"] <= revision or kept["changed_by"] != request.caller.actor:
        return False
    entries = [entry for entry in given["battle"].get("entries") or () if isinstance(entry, Mapping)]
    gains = [entry["experience"] for entry in entries if isinstance(entry.get("experience"), Mapping)]
    stand = {(gain.get("fighter"), gain.get("amount")) for gain in gains}
    went_out = {
        fallen: [str(die) for die in _dice_of(entry)]
        for entry in entries
        if (fallen := _fallen(entry)) is not None
    }
    for fighter in filled.all("out"):
        dice = went_out.get(FallenInEntry(fighter, filled.get(f"by.{fighter}") or None))
        typed = filled.get(f"injury.{fighter}").replace(" ", "").replace("-", "")
        if dice is None or (typed and [typed] != [die.replace("-", "") for die in dice]):
            return False
    won = filled.get("won")
    result = given["battle"].get("result") or {}
    ended = "draw" if result.get("draw") else result.get("winner") or _ending(given["document"])
    if won and ended != won:
        return False
    return all((card.id, amount) in stand for card, amount in xp)


def _ending(document: str) -> str | None:
    """Who is said to have won, where dice of the end are still to come."""
    _, begun = writing.draft_of(document, file="the report")
    won = (begun.get(END) or {}).get("won")
    return str(won) if won is not None else None


def _fallen(entry: Mapping[str, Any]) -> FallenInEntry | None:
    """Who went Out of Action in an entry, and by whom; None of an entry about something else."""
    if isinstance(about := entry.get(OUT), Mapping):
        return FallenInEntry(about.get("fighter"), about.get("by"))
    if isinstance(about := entry.get(_CHART), Mapping) and about.get("result") == OUT:
        return FallenInEntry(about.get("target"), about.get("attacker"))
    return None


def _dice_of(entry: Mapping[str, Any]) -> Sequence[Any]:
    dice = entry.get("dice")
    return dice.get(INJURY) or () if isinstance(dice, Mapping) else ()


def _entered(
    request: PageRequest, revision: int, fighter: str, entry: dict[str, Any], dice: list[str], *, rolls: bool
) -> int:
    """One outcome with its dice; gives the revision after it. Where a die is missing nothing of it stays."""
    shown = _answer(request, revision, json.dumps(entry), [])
    left, asked = [*dice], shown["question"]
    for _ in range(_DICE_MOST):
        asked, revision = shown["question"], shown["draft"]["revision"]
        if asked["shape"] == "menu":
            return int(revision)
        wanted = asked["dice"][0] if asked["dice"] else None
        typed = left.pop(0) if left and wanted is not None and wanted["purpose"] == INJURY else None
        if typed is None and (wanted is None or not rolls):
            break
        try:
            shown = _answer(request, revision, typed or "r", [])
        except Refusal:
            _take_back(request, revision)
            raise
    _take_back(request, revision)
    raise DiceOfOutcomeMissing(fighter=fighter, die=asked["words"].rstrip("?"))


def _take_back(request: PageRequest, revision: int) -> None:
    draft = request.path["draft"]
    request.do("draft undo", sending=RemoteRequest(), draft=draft, revision=revision, entry=True)


def _answer(request: PageRequest, revision: int, answer: str, then: list[str]) -> Mapping[str, Any]:
    draft = request.path["draft"]
    return table.data_of(
        request.do(
            "draft answer", sending=RemoteRequest(), draft=draft, revision=revision, answer=answer, then=then
        )
    )
