"""The armoury, `armoury/1`: a table's own list of prices, fighter types and skills.

Knows its format, and finds things in it by name. A purchase is copied into the command, so replaying a log
never needs the armoury. The program ships none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field, PlainValidator, WithJsonSchema

from tracker.campaign import records
from tracker.campaign.holdings import at_worth
from tracker.campaign.profiles import Category, Characteristics, Item, Weapon
from tracker.campaign.state import CampaignState
from tracker.documents.card_numbers import Credits
from tracker.documents.gang_sheet import ArmourOnSheet, WrittenNumbers, has_other_numbers, numbers_of
from tracker.documents.item_sheet import ItemOnSheet
from tracker.documents.known_names import KnownNames
from tracker.documents.nodes import Document
from tracker.documents.sheet_ids import NOBODY
from tracker.documents.text import Name, expected
from tracker.documents.validation import Problems, StrictModel, copied, read_as
from tracker.documents.yaml_reader import parse_document
from tracker.errors import BadInput
from tracker.records import Record, replace
from tracker.rules import loader
from tracker.rules.rulebook import Book, CharacteristicLimits

FORMAT: Final = "armoury/1"
WHAT: Final = "armoury"
SKILLS_IN_A_SET: Final = 6

Availability: TypeAlias = tuple[records.Market, int | None]


class NoArmoury(BadInput):
    """{named!r} is in no armoury here: give the table's armoury file (--armoury FILE), or write it
    out.
    """

    named: str


class NotInArmoury(BadInput):
    """{armoury} lists no {what} {named!r}.{named:nearest or It lists}"""

    what: str
    named: str
    known: tuple[str, ...]
    armoury: str


class OfAnotherHouse(NotInArmoury):
    """{armoury} lists {named!r} for {house}, and this {game.gang} is of {gangs_house}. Where the table lets
    it have one, hire it with `beyond_rules: true` (--beyond-rules) and a reason, or write its card out under
    `fighter`.
    """

    house: str
    gangs_house: str


class Offer(Record):
    """A thing with its price, and where it is to be had."""

    item: Item
    market: records.Market
    number: int | None


class FighterType(Record):
    """A type of fighter: its card without a name, and the sets of skills it learns from."""

    card: records.FighterCard
    house: str | None
    primary: tuple[str, ...]
    secondary: tuple[str, ...]

    def is_of(self, house: str) -> bool:
        """Whether gangs of that house have it: it is theirs, or anybody's."""
        return self.house is None or self.house.casefold() == house.casefold()


class Armoury(Record):
    """What an armoury file lists. Names are looked up whatever their capital letters."""

    name: str
    offers: tuple[Offer, ...]
    lists: Mapping[str, Mapping[str, int]]
    types: tuple[FighterType, ...]
    skill_sets: tuple[records.SkillSet, ...]

    def offer(self, name: str) -> Offer:
        """The offer of that name. Raises NotInArmoury."""
        known = {offer.item.name: offer for offer in self.offers}
        return known[self._called("item", name, known)]

    def weapon(self, name: str) -> Weapon | None:
        """The numbers of the weapon of that name; None where none is listed."""
        listed = {offer.item.name.casefold(): offer.item.weapon for offer in self.offers}
        return listed.get(name.casefold())

    def on_list(self, house: str, name: str) -> Offer:
        """The offer of that name at the price of a house's own list. Raises NotInArmoury."""
        prices = self.lists.get(house.casefold(), {})
        listed = self._called(f"item on the list of {house}", name, prices)
        offer = self.offer(listed)
        return Offer(item=at_worth(offer.item, prices[listed]), market="own_list", number=None)

    def fighter_type(self, name: str, house: str | None = None) -> FighterType:
        """The type of that name: that house's, else anybody's, else another's. Raises NotInArmoury."""
        called = self._called("type of fighter", name, (listed.card.kind for listed in self.types)).casefold()
        named = [listed for listed in self.types if listed.card.kind.casefold() == called]
        own = (kind for kind in named if house is not None and kind.house is not None and kind.is_of(house))
        anybodys = (kind for kind in named if kind.house is None)
        return next(own, None) or next(anybodys, named[-1])

    def has_type(self, name: str) -> bool:
        """Whether it lists a type of that name, for any house."""
        return name.casefold() in {listed.card.kind.casefold() for listed in self.types}

    def type_to_hire(self, name: str, house: str | None) -> FighterType:
        """The type of that name that a gang of that house may have. Raises NotInArmoury or OfAnotherHouse."""
        listed = self.fighter_type(name, house)
        if house is not None and listed.house is not None and not listed.is_of(house):
            raise OfAnotherHouse(
                what="type of fighter",
                named=listed.card.kind,
                known=(),
                armoury=self.name,
                house=listed.house,
                gangs_house=house,
            )
        return listed

    def skill_set(self, name: str, *, kind: str | None = None, house: str | None = None) -> records.SkillSet:
        """The set of that name, with the access that a type of fighter has to it. Raises NotInArmoury."""
        known = {skill_set.name: skill_set for skill_set in self.skill_sets}
        skill_set = known[self._called("set of skills", name, known)]
        if kind is None or not self.has_type(kind):
            return skill_set
        listed = self.fighter_type(kind, house)
        if skill_set.name in listed.primary:
            return replace(skill_set, access="primary")
        return replace(skill_set, access="secondary") if skill_set.name in listed.secondary else skill_set

    def _called(self, what: str, name: str, known: Iterable[str]) -> str:
        names = {spelled.casefold(): spelled for spelled in known}
        if name.casefold() not in names:
            raise NotInArmoury(what=what, named=name, known=tuple(names.values()), armoury=self.name)
        return names[name.casefold()]


class PriceLookup(Record):
    """What an entry is looked up with: the table's armoury, if any, and the campaign as it stands."""

    state: CampaignState
    armoury: Armoury | None = None
    coming: Mapping[str, str] = NOBODY
    """Ids of models that the same file brought before, each with its gang."""

    def stocked(self, named: str) -> Armoury:
        """The armoury. Raises NoArmoury, which says what was looked for."""
        if self.armoury is None:
            raise NoArmoury(named=named)
        return self.armoury

    def house_of(self, gang: str) -> str | None:
        """A gang's house; None if the gang is unknown."""
        enlisted = self.state.gangs.get(gang)
        return enlisted.house if enlisted is not None else None

    def house_of_fighter(self, fighter: str) -> str | None:
        """The house of a fighter's gang; None if the fighter is unknown."""
        card = self.state.fighter(fighter)
        return self.house_of(card.gang) if card is not None else None

    def skill_set(self, named: str, fighter: str) -> records.SkillSet:
        """A set of skills, with the access that this fighter's type has to it; the book's own where no
        armoury lists one of that name.
        """
        card = self.state.fighter(fighter)
        kind = card.kind if card is not None else None
        listed = self.armoury.skill_sets if self.armoury is not None else ()
        if named.casefold() not in {skill_set.name.casefold() for skill_set in listed}:
            for skill_set in skill_sets_of(loader.book(self.state.book)) if self.state.book else ():
                if skill_set.name.casefold() == named.casefold():
                    return skill_set
        return self.stocked(named).skill_set(named, kind=kind, house=self.house_of_fighter(fighter))

    def basic_profile(self, kind: str | None, house: str | None) -> Characteristics:
        """The profile of a type, that house's where several have it; nothing where no armoury lists it."""
        if self.armoury is None or kind is None or not self.armoury.has_type(kind):
            return {}
        return self.armoury.fighter_type(kind, house).card.characteristics


def skill_sets_of(book: Book) -> tuple[records.SkillSet, ...]:
    """The book's own sets, each in the order of the die."""
    sets: dict[str, list[str]] = {}
    for row in book.as_printed.skills.values():
        sets.setdefault(row.of_set, []).append(row.name)
    return tuple(
        records.SkillSet(name=name.replace("_", " ").title(), skills=tuple(skills))
        for name, skills in sets.items()
        if len(skills) == SKILLS_IN_A_SET
    )


def read_armoury(
    document: Document, *, characteristics: Mapping[str, CharacteristicLimits] | None = None
) -> Armoury:
    """What an armoury lists. `characteristics` are those of the campaign's book. Raises DocumentRefused."""
    other = characteristics if characteristics is not None and has_other_numbers(characteristics) else None
    written = read_as(
        ArmouryOnPaper,
        document,
        version=FORMAT,
        what=WHAT,
        context=KnownNames(other_numbers=other is not None),
    )
    problems = Problems(document, WHAT)
    items: dict[str, Offer] = {}
    for place, item in enumerate(written.items):
        if item.name.casefold() in items:
            problems.add(("items", place), f"{item.name!r} is listed already. Keep one of the two.")
        items[item.name.casefold()] = item.offer()
    sets = {
        skill_set.name.casefold(): records.SkillSet(name=skill_set.name, skills=tuple(skill_set.skills))
        for skill_set in written.skills
    }
    for place, skill_set in enumerate(written.skills):
        if len({skill.casefold() for skill in skill_set.skills}) != SKILLS_IN_A_SET:
            problems.add(("skills", place, "skills"), "a set has six skills, each once: a die chooses one.")
    lists: dict[str, dict[str, int]] = {}
    for place, listed in enumerate(written.lists):
        prices = lists.setdefault(listed.house.casefold(), {})
        for at, line in enumerate(listed.items):
            offer = items.get(line.name.casefold())
            if offer is None:
                problems.add(("lists", place, "items", at), f"{line.name!r} is not under `items`.")
            else:
                prices[offer.item.name] = offer.item.cost_credits if line.cost is None else line.cost
    types = []
    for place, fighter in enumerate(written.fighters):
        path = ("fighters", place)
        numbers = numbers_of(fighter.characteristics, (*path, "characteristics"), other or {}, problems)
        for key, named in (("primary", fighter.primary), ("secondary", fighter.secondary)):
            for name in named:
                if name.casefold() not in sets:
                    problems.add((*path, key), f"{name!r} is not under `skills`.")
        types.append(fighter.record(numbers, {name: skill_set.name for name, skill_set in sets.items()}))
    problems.refuse()
    return Armoury(
        name=written.name,
        offers=tuple(items.values()),
        lists=lists,
        types=tuple(types),
        skill_sets=tuple(sets.values()),
    )


@lru_cache(maxsize=8)
def armoury_kept(text: str | None, book: str) -> Armoury | None:
    """What the armoury lists that a campaign keeps; None where it keeps none. Raises DocumentRefused."""
    if text is None:
        return None
    document = parse_document(text, file="the campaign's armoury")
    return read_armoury(document, characteristics=loader.book(book).characteristics)


class ListedThings(Record):
    """What an armoury lists, by `listed_name`. `weapons` are as it spells them; `armour` has a gang sheet's
    key and the save as written.
    """

    names: frozenset[str]
    weapons: Mapping[str, str]
    armour: Mapping[str, tuple[str, int | str]]


def listed_name(name: str) -> str:
    """A name as it is looked up: whatever its capitals, a star behind it, and how armour is spelled."""
    return name.rstrip("*").strip().casefold().replace("armor", "armour")


def things_listed(document: Document) -> ListedThings:
    """The things that an armoury lists, whatever its fighters' book."""
    listed = document.root.child("items")
    names: set[str] = set()
    weapons: dict[str, str] = {}
    armour: dict[str, tuple[str, int | str]] = {}
    for item in listed.content if listed is not None and isinstance(listed.content, tuple) else ():
        said, kind, save = (
            node.content if (node := item.child(key)) is not None else None
            for key in ("name", "kind", "save")
        )
        if not isinstance(said, str):
            continue
        name = listed_name(said)
        names.add(name)
        if item.child("weapon") is not None:
            weapons[name] = said
        elif kind in ("armour", "field_armour") and isinstance(save, int | str):
            armour[name] = (str(kind), save)
    return ListedThings(names=frozenset(names), weapons=weapons, armour=armour)


# --- models ----------------------------------------------------------------------------------------------


def _availability(given: Any) -> Availability:
    if isinstance(given, str):
        if given.casefold() == "common":
            return "common", None
        match = re.fullmatch(r"(rare|illegal) ?\(?([0-9]{1,2})\)?", given.casefold())
        if match:
            return ("rare" if match[1] == "rare" else "illegal"), int(match[2])
    raise expected("Common, Rare (9) or Illegal (9)")


AvailabilityWritten = Annotated[
    Availability,
    PlainValidator(_availability),
    WithJsonSchema({"type": "string", "pattern": r"^([Cc]ommon|([Rr]are|[Ii]llegal) ?\(?[0-9]{1,2}\)?)$"}),
]


class ItemOnPaper(ItemOnSheet):
    """A thing that can be bought."""

    availability: AvailabilityWritten = Field(default=("common", None))
    """Common, Rare (9) or Illegal (9)."""

    def offer(self) -> Offer:
        """As the campaign keeps it."""
        market, number = self.availability
        return Offer(item=self.record(), market=market, number=number)


class ListLine(StrictModel):
    """A thing on a house's own list."""

    name: Name
    """What it is called under `items`."""
    cost: Credits | None = None
    """What it costs on this list, where that differs."""


class HouseList(StrictModel):
    """The list that gangs of one house buy from straight for a model."""

    house: Name
    """The house, as on gang sheets."""
    items: list[ListLine] = Field(min_length=1, max_length=300)
    """What is on it."""


class TypeOnPaper(StrictModel):
    """A type of fighter that can be hired."""

    type: Name
    """What the list calls it."""
    house: Name | None = None
    """The house whose type it is; left out for anybody's."""
    category: Category
    """The rank that the rules know."""
    cost: Credits
    """Price in credits."""
    characteristics: WrittenNumbers
    """The numbers of the profile."""
    skills: list[Name] = Field(default=[], max_length=50)
    """Skills that every such fighter begins with."""
    armour: ArmourOnSheet | None = None
    """Armour that every such fighter begins with."""
    wargear: list[Name] = Field(default=[], max_length=50)
    """Wargear that every such fighter begins with."""
    mounted: bool = False
    """Whether they ride."""
    gang_fighter: bool | None = None
    """Whether the card has Gang Fighter; left out, the category decides."""
    primary: list[Name] = Field(default=[], max_length=30)
    """Sets of skills that are Primary for the type."""
    secondary: list[Name] = Field(default=[], max_length=30)
    """Sets that are Secondary."""

    def record(self, characteristics: Characteristics, sets: Mapping[str, str]) -> FighterType:
        """As the campaign keeps it, `sets` being the names of sets as they are spelt."""
        card = copied(
            self,
            records.FighterCard,
            fighter="",
            name="",
            kind=self.type,
            cost_credits=self.cost,
            characteristics=characteristics,
            armour=self.armour.record() if self.armour is not None else None,
        )
        return copied(
            self,
            FighterType,
            card=card,
            primary=tuple(sets.get(name.casefold(), name) for name in self.primary),
            secondary=tuple(sets.get(name.casefold(), name) for name in self.secondary),
        )


class SetOnPaper(StrictModel):
    """A set of six skills."""

    name: Name
    """What the set is called."""
    skills: list[Name] = Field(min_length=6, max_length=6)
    """Its skills, in the order of their die."""


class ArmouryOnPaper(StrictModel):
    """What a table can buy, hire and learn."""

    format: Literal["armoury/1"]
    """Always armoury/1."""
    name: Name = "The armoury"
    """What to call it in messages."""
    items: list[ItemOnPaper] = Field(default=[], max_length=1000)
    """Things that can be bought."""
    lists: list[HouseList] = Field(default=[], max_length=50)
    """The houses' own lists."""
    fighters: list[TypeOnPaper] = Field(default=[], max_length=300)
    """Types of fighter that can be hired."""
    skills: list[SetOnPaper] = Field(default=[], max_length=100)
    """Sets of skills."""
