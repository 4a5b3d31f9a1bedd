"""The page that records a battle by its outcomes alone: who took whom out, injuries, XP and the winner.

Each outcome becomes an entry of the battle, and is tried at once. The board shows the result.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from tracker.dice import D66
from tracker.errors import BadInput, Refusal
from tracker.rules import loader
from tracker.server.pages import board, table
from tracker.server.pages.board import CrewCard
from tracker.server.pages.forms import FormValues, Redirect
from tracker.server.pages.page_request import PageRequest
from tracker.service.repository import RemoteRequest

INJURY: Final = "lasting_injury"
REASON: Final = "the scenario"
"""What XP is for where nothing else is said."""
_DICE_MOST: Final = 30
"""More than one outcome ever asks for: a guard against a rule that asks for ever."""


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
    given["gangs"] = [(crew.gang, crew.name) for crew in given["crews"]]
    return given


def enter(request: PageRequest, filled: FormValues) -> Redirect:
    """Write everything that was filled in, then the end where somebody won."""
    given = outcomes(request)
    revision = table.revision_of(filled)
    cards = [card for crew in given["crews"] for card in crew.cards]
    wanted = [*_out_of_action(filled, cards)]
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
        _answer(request, revision, "end", [won])
    return Redirect(board.board_path(request, request.path["draft"]))


def _out_of_action(
    filled: FormValues, cards: list[CrewCard]
) -> Iterator[tuple[CrewCard, dict[str, Any], list[str]]]:
    """Who went Out of Action, by whom, with the injury dice that were typed."""
    people = {card.id for card in cards}
    for card in cards:
        if card.is_out or card.id not in filled.all("out"):
            continue
        typed = filled.get(f"injury.{card.id}").replace(" ", "").replace("-", "")
        if typed and not re.fullmatch("[1-6]{2}", typed):
            raise InjuryDiceWrong(fighter=card.name)
        by = filled.get(f"by.{card.id}")
        about = {"fighter": card.id, "by": by} if by in people - {card.id} else {"fighter": card.id}
        yield card, {"out_of_action": about}, [f"{typed[0]}-{typed[1]}"] if typed else []


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
        (about.get("fighter"), about.get("by")): [str(die) for die in _dice_of(entry)]
        for entry in entries
        if isinstance(about := entry.get("out_of_action"), Mapping)
    }
    for fighter in filled.all("out"):
        dice = went_out.get((fighter, filled.get(f"by.{fighter}") or None))
        typed = filled.get(f"injury.{fighter}").replace(" ", "").replace("-", "")
        if dice is None or (typed and [typed] != [die.replace("-", "") for die in dice]):
            return False
    won = filled.get("won")
    result = given["battle"].get("result") or {}
    if won and result != ({"draw": True} if won == "draw" else {"winner": won}):
        return False
    return all((card.id, amount) in stand for card, amount in xp)


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
