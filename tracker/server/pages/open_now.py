"""The operations that a gang or fighter may do now: each is tried on the rules, and a refused one shows the
reason.

Links to prefilled forms. Knows no rule.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlencode

from tracker.campaign import records
from tracker.documents.wizard import legal_entries
from tracker.reports.names import Names
from tracker.server.pages.operation_fields import form_called, table_of
from tracker.server.pages.operations import path_of, words_of
from tracker.server.pages.page_request import PageRequest
from tracker.server.pages.terminal_words import plainly
from tracker.server.pages.words import game_of, here

_ICONS: Final[Mapping[str, str]] = {
    "fighter hire": "user-plus", "gang buy": "shopping-cart", "gang sell": "coins",
    "gang hand-over": "handshake", "gang leader": "star", "gang took-part": "medal",
    "gang territory": "map-pin", "gang credits": "coins", "gang reputation": "megaphone",
    "fighter award": "medal", "fighter advance": "trending-up", "fighter roll": "dices",
    "fighter promote": "chart-line", "fighter rename": "pencil", "fighter retire": "door-open",
    "gang release": "footprints", "gang patronage": "handshake",
}  # fmt: skip
NO_ARMOURY: Final = "The campaign has no list of weapons and fighters yet."


class OpenAction(NamedTuple):
    """An operation, its form, and why it is refused now; empty if it is not."""

    title: str
    address: str
    icon: str
    why_not: str
    remedy: tuple[str, str] | None = None
    """What opens it: words and an address."""


class AdvanceNow(NamedTuple):
    """An advance of the book for this fighter: its price in XP, and why it is refused now."""

    name: str
    price: int
    address: str
    why_not: str


class OpenNow(NamedTuple):
    """The operations that are allowed now, and those that are not."""

    actions: Sequence[OpenAction]
    advances: Sequence[AdvanceNow] = ()

    @property
    def open(self) -> list[OpenAction]:
        """The allowed operations."""
        return [action for action in self.actions if not action.why_not]

    @property
    def closed(self) -> list[OpenAction]:
        """The others."""
        return [action for action in self.actions if action.why_not]


NOTHING: Final = OpenNow(())


def of_gang(request: PageRequest, gang: str) -> OpenNow:
    """The operations with a gang."""
    back = f"/gangs/{quote(gang, safe='')}"
    own: dict[str, Mapping[str, str]] = {
        "fighter hire": {"gang": gang},
        "gang buy": {"gang": gang},
        "gang sell": {"gang": gang},
        "gang hand-over": {"gang": gang},
        "gang leader": {"gang": gang},
        "gang took-part": {"gang": gang},
        "gang patronage": {"gang": gang},
        "gang territory": {"gang": gang},
        "gang credits": {"to": gang},
        "gang reputation": {"gang": gang},
        "fighter award": {},
    }
    return _open(request, gang, own, back)


def of_fighter(request: PageRequest, fighter: str) -> OpenNow:
    """The operations with a fighter."""
    state = request.boards.state_at(request.known_campaign)
    card = state.fighter(fighter)
    if card is None:
        return NOTHING
    back = f"/fighters/{quote(fighter, safe='')}"
    own: dict[str, Mapping[str, str]] = {
        "fighter advance": {"fighter": fighter},
        "fighter roll": {"fighter": fighter},
        "fighter promote": {"fighter": fighter},
        "fighter award": {"fighters": fighter},
        "gang buy": {"gang": card.gang, "for": fighter},
        "gang hand-over": {"gang": card.gang, "from": fighter},
        "gang leader": {"gang": card.gang, "fighter": fighter},
        "fighter rename": {"fighter": fighter},
        "fighter retire": {"fighter": fighter},
    }
    if card.standing != "enlisted":
        del own["gang buy"]  # what would be bought is not known yet, so that nothing refuses it by itself
    if card.held_by is not None:
        own["gang release"] = {"captive": fighter}
    found = _open(request, card.gang, own, back)
    return found._replace(advances=_advances(request, fighter, back)) if found.actions else found


def _open(request: PageRequest, gang: str, asked: Mapping[str, Mapping[str, str]], back: str) -> OpenNow:
    state = request.boards.state_at(request.known_campaign)
    if gang not in state.gangs:
        return NOTHING
    theirs = [records.RecordRating(gang=gang)]
    actions, game = [], game_of(request)
    for operation, known in asked.items():
        if not request.may_record(operation, theirs, state):
            continue
        why = _why_not(request, operation, known)
        if why is None:
            continue
        actions.append(
            OpenAction(
                title=game.said(words_of(operation).title),
                address=_address(request, operation, {**known, "back": back}),
                icon=_ICONS[operation],
                why_not=why,
                remedy=_remedy(request, why),
            )
        )
    return OpenNow(actions)


def _remedy(request: PageRequest, why: str) -> tuple[str, str] | None:
    if why == NO_ARMOURY and request.may("campaign armoury"):
        return "Make one of your cards, or bring one", here(request, "/armoury")
    return None


def _advances(request: PageRequest, fighter: str, back: str) -> list[AdvanceNow]:
    table = table_of(request, {"fighter": fighter})
    rules, card = table.book.advancement_rules, table.state.fighter(fighter)
    if rules is None or card is None or card.category not in rules.buyers:
        return []
    rows = []
    for line in rules.lines:
        improved = card.times_improved.get(line.characteristic or "", 0)
        price = rules.price(line, category=card.category, times_improved=improved)
        known, missing = {"fighter": fighter, "take": line.id}, price - card.experience
        why = f"{missing} XP more" if missing > 0 else _why_not(request, "fighter advance", known) or ""
        address = _address(request, "fighter advance", {**known, "back": back})
        rows.append(AdvanceNow(name=line.name, price=price, address=address, why_not=why))
    return rows


def _address(request: PageRequest, operation: str, known: Mapping[str, str]) -> str:
    return f"{here(request, path_of(operation))}?{urlencode(known)}"


def _why_not(request: PageRequest, operation: str, known: Mapping[str, str]) -> str | None:
    """The reason of a refusal; empty if it is allowed; None if the book lacks the operation."""
    form = form_called(operation)
    if form is None:
        return ""
    armoury = request.tracker.people.armoury(request.known_campaign) or ""
    listed = hashlib.sha256(armoury.encode()).hexdigest()[:12]

    def tried() -> str | None:
        table = table_of(request, known)
        if not legal_entries.in_book(table, form):
            return None
        answers: dict[str, Any] = dict(known)
        if "fighters" in answers:
            answers["fighters"] = [answers["fighters"]]
        return legal_entries.why_not(table, form, answers)

    why = request.kept(f"open {operation} {sorted(known.items())} {listed}", tried)
    if not why:
        return why
    if operation in ("fighter hire", "gang buy") and not armoury:
        return NO_ARMOURY
    if operation == "gang sell" and why == legal_entries.NOTHING_THERE:
        return "The stash is empty."
    return plainly(_named(request, why))


def _named(request: PageRequest, why: str) -> str:
    """The reason with names in place of quoted ids."""
    names = Names.of_state(request.boards.state_at(request.known_campaign))
    for known in (names.fighters, names.gangs):
        for called, name in known.items():
            why = why.replace(f"'{called}'", name)
    return why
