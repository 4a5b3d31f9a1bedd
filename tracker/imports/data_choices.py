"""Choices in data files: where each element can be chosen, for which house, at what price, how rare.

Follows the links of a library from its roots, each element once for each way of standing there: whatever the
links do, in circles too, the work is bounded by what the files hold.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Final

from tracker.errors import BadInput
from tracker.imports.data_files import ENTRIES, GROUPS, DataFile, DataLibrary, Element
from tracker.imports.data_profiles import changed, is_hidden
from tracker.records import Record, replace
from tracker.rules.rulebook import Book

STEPS_MAX: Final = 2_000_000
COST_MAX: Final = 100_000
_MARKET: Final = re.compile(r"\b(trading post|black market|guilders?|market|rare trade)\b")
_NO_GEAR: Final = re.compile(
    r"\b(skills?|advance(s|ments?)?|(lasting )?injur(y|ies)|territor(y|ies)|experience|xp|status|trauma"
    r"|scars?|patrons?|exploration|campaign|reputation|alliances?|powers?|fireteams?|titles?|configuration)\b"
)
_GEAR: Final = re.compile(
    r"\b(wargear|equipment|armou?rs?|armou?ry|grenades?|gear|shields?|battlekit|accessor(y|ies)|ammo|ammunition"
    r"|weapons?|pistols?|upgrades?|bionics?|chems?)\b"
)
_AVAILABILITY: Final = re.compile(
    r"(?P<common>c|common)|(?P<rare>r|rare|rarity)? ?\(? ?(?P<number>[0-9]{1,2}) ?\+? ?\)?"
    r"|(?P<illegal>i|il|illegal) ?\(? ?(?P<illegal_number>[0-9]{1,2}) ?\+? ?\)?"
)
_BEHIND_NAME: Final = re.compile(
    r"\s*[(\[]\s*(?P<said>(c|common|r|rare|i|il|illegal)(?![a-z])[^()\[\]]{0,3}\(?\s*[0-9]{0,2}\s*\+?\)?)\s*[)\]]\s*$",
    re.IGNORECASE,
)
_OTHER_MONEY: Final = ("cr", "creds", "cost", "pts", "points")


class LinksTooFar(BadInput):
    """The links of these files lead through more than {most} steps. Name fewer files, or one catalogue with
    --catalogue. Nothing was written.
    """

    most: int = STEPS_MAX


class Way(Record):
    """How something is reached: whose it is, and what the groups around it say."""

    house: str | None = None
    fighter: bool = False
    """Whether it is among a fighter's choices."""
    market: bool = False
    gear: bool = False
    no_gear: bool = False
    availability: str | None = None


class Price(Record):
    """A price: in the book's money (None if not stated), and in other currencies by name."""

    money: int | None
    other: tuple[tuple[str, int], ...] = ()
    is_changed: bool = False
    """Whether the roster builder changes it under conditions."""
    lost: str | None = None
    """A price that is no whole number of 0 or more."""


class PricedChoice(Record):
    """A place where an element can be chosen, with the link that leads there, if any."""

    way: Way
    price: Price
    link: Element | None


def availability(text: str, *, bare_number: bool = False) -> str | None:
    """Common, Rare (9) or Illegal (9), however it is written; None for other texts.

    `bare_number`: a number alone means Rare, because its heading says so.
    """
    found = _AVAILABILITY.fullmatch(" ".join(text.casefold().split()))
    if found is None:
        return None
    if found["common"]:
        return "Common"
    if found["illegal"]:
        return f"Illegal ({int(found['illegal_number'])})"
    return f"Rare ({int(found['number'])})" if found["rare"] or bare_number else None


def name_and_availability(name: str) -> tuple[str, str | None]:
    """A name without its rarity, and the rarity: 'Plasma gun (R9)' has Rare (9)."""
    found = _BEHIND_NAME.search(name)
    said = availability(found["said"]) if found is not None else None
    return (name[: found.start()], said) if found is not None and said is not None else (name, None)


class Prices:
    """Costs by the files' own types of cost."""

    def __init__(self, library: DataLibrary, book: Book) -> None:
        self._names = {
            cost.text("id"): cost.name for file in library.files for cost in file.root.under("costTypes")
        }
        self._money = book.words.credit
        costs = [cost for file in library.files for node in file.nodes for cost in node.under("costs")]
        named = {self.kind(cost).casefold() for cost in costs} | {
            name.casefold() for name in self._names.values()
        }
        self._has_money = any(self._money in name for name in named)

    def kind(self, cost: Element) -> str:
        """The currency of a cost."""
        return cost.name or self._names.get(cost.text("typeId", "costTypeId"), "")

    def is_money(self, kind: str) -> bool:
        """Whether it is the book's money."""
        if self._has_money:
            return self._money in kind.casefold()
        return kind.casefold().strip() in _OTHER_MONEY

    def of(self, entry: Element, link: Element | None = None) -> Price:
        """The price of an element, or of a link to it."""
        costs: dict[str, str] = {}
        ids: dict[str, str] = {}
        is_changed = False
        for holder in (entry, link) if link is not None else (entry,):
            for cost in holder.under("costs"):
                kind = self.kind(cost)
                costs[kind] = cost.text("value") or "0"
                ids[cost.text("typeId", "costTypeId")] = kind
            for modifier, conditional in holder.changes():
                kind = ids.get(modifier.text("field")) or self._names.get(modifier.text("field"), "")
                if kind and conditional:
                    is_changed = True
                elif kind:
                    costs[kind] = _number_after(costs.get(kind, "0"), modifier)
        money: int | None = None
        lost: str | None = None
        other: dict[str, int] = {}
        for kind, value in costs.items():
            number = whole(value)
            if not self.is_money(kind):
                other |= {kind.strip(): number} if number else {}
            elif number is None or not 0 <= number <= COST_MAX:
                lost = f"{value} {kind.strip()}"
            else:
                money = (money or 0) + number
        return Price(money=money, other=tuple(other.items()), is_changed=is_changed, lost=lost)


def whole(value: str) -> int | None:
    """A whole number as data files write it: 15 or 15.0."""
    found = re.fullmatch(r"(-?[0-9]{1,9})(\.0{1,9})?", value.strip())
    return int(found[1]) if found is not None else None


def _number_after(before: str, modifier: Element) -> str:
    """A cost after a modifier."""
    value = modifier.text("value")
    if modifier.text("type") == "set":
        return value
    number = whole(before)
    return changed(str(number), modifier.text("type"), value) if number is not None else before


class Choices:
    """Every choice of a library, by element."""

    def __init__(self, library: DataLibrary, prices: Prices, is_fighter: Callable[[Element], bool]) -> None:
        self._library = library
        self._prices = prices
        self._is_fighter = is_fighter
        self._by_entry: dict[int, list[PricedChoice]] = defaultdict(list)
        self._steps = 0
        self._seen: set[tuple[int, Way]] = set()
        self.unresolved: dict[str, str] = {}
        """Links without a target, by name, with the place of one."""
        for file in library.files:
            house = None if file.is_system or file.is_library else file.name
            for root in self._roots(file):
                self._walk(root, Way(house=house if root.file is file else None))
        for file in library.files:
            for group in file.root.under("sharedSelectionEntryGroups", "sharedSelectionEntries"):
                self._walk(group, Way())

    def of(self, entry: Element) -> list[PricedChoice]:
        """The places where an element can be chosen."""
        return self._by_entry[id(entry)]

    def _roots(self, file: DataFile) -> Iterator[Element]:
        for other in (file, *self._library.linked(file, roots_only=True)):
            yield from other.root.under("selectionEntries", "selectionEntryGroups", "entryLinks")

    def _walk(self, root: Element, way: Way) -> None:
        waiting = [(root, way)]
        while waiting:
            here, way = waiting.pop()
            self._steps += 1
            if self._steps > STEPS_MAX:
                raise LinksTooFar
            if (id(here), way) in self._seen or is_hidden(here):
                continue
            self._seen.add((id(here), way))
            target: Element | None = here
            if here.key == "entryLinks":
                target = self._library.resolve(here)
                if target is None:
                    self.unresolved.setdefault(here.name or "an entry without a name", here.place())
                elif is_hidden(target):
                    target = None
            beyond = _described(way, here.name)
            waiting += self._choices(here, beyond) if target is not here and target is not None else []
            if target is None:
                continue
            if target.key in ENTRIES:
                choice = self._choice(target, here if target is not here else None, way)
                self._by_entry[id(target)].append(choice)
                beyond = Way(house=way.house, fighter=True) if self._is_fighter(target) else beyond
            if target.key in (*ENTRIES, *GROUPS):
                waiting += self._choices(
                    target, _described(beyond, target.name if target is not here else "")
                )

    def _choices(self, node: Element, way: Way) -> list[tuple[Element, Way]]:
        choices = [*node.under("selectionEntries", "selectionEntryGroups", "entryLinks")]
        return [(each, way) for each in reversed(choices)]

    def _choice(self, entry: Element, link: Element | None, way: Way) -> PricedChoice:
        return PricedChoice(way=way, price=self._prices.of(entry, link), link=link)


def is_required(node: Element) -> bool:
    """Whether the choice is required: at least one of it."""
    return any(
        constraint.text("type") == "min"
        and constraint.text("field") in ("", "selections")
        and constraint.text("scope") in ("", "parent", "self")
        and (whole(constraint.text("value")) or 0) > 0
        for constraint in node.under("constraints")
    )


def _described(way: Way, name: str) -> Way:
    words = name.casefold()
    rarity = availability(words) if len(words) > 1 else None
    described = replace(
        way,
        market=way.market or _MARKET.search(words) is not None,
        gear=way.gear or _GEAR.search(words) is not None,
        no_gear=way.no_gear or _NO_GEAR.search(words) is not None,
        availability=rarity or way.availability,
    )
    return way if described == way else described
