"""A gang's members and the campaign's battles, with former members and past battles stored apart.

A campaign has more dead than living fighters, and rarely reads them. They are stored in parts of a few dozen
each: a snapshot writes a part once and reads it on first use. As a whole each class is an ordinary mapping,
complete and in order; code that needs the enlisted alone reads `enlisted`, and so no part.
"""

from __future__ import annotations

from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, Sequence, ValuesView
from collections.abc import Set as AbstractSet
from typing import Any, Final, Generic, Literal, TypeAlias, TypeVar

from msgspec import field

from tracker.campaign.containers import OwnedDict, put
from tracker.campaign.fighters import Fighter
from tracker.records import Record

CARDS_IN_PART: Final = 32
IDS_IN_PART: Final = 512
"""Items per part: few enough to write the last part anew with each item added."""

Item = TypeVar("Item")


class LazyPart(Generic[Item]):
    """A run of items by id, in memory or read on first use. `name` is the name that a snapshot gave it: parts
    of one name have the same content.

    An unread part with items added consists of its `base` and of `more`.
    """

    __slots__ = ("_items", "_read", "base", "more", "name", "size")

    def __init__(
        self,
        items: dict[str, Item] | None = None,
        *,
        read: Callable[[], dict[str, Item]] | None = None,
        base: LazyPart[Item] | None = None,
        more: dict[str, Item] | None = None,
        size: int | None = None,
        name: str | None = None,
    ) -> None:
        assert items is not None or size is not None, "at hand, or to be read"
        self._items = items
        self._read = read
        self.base: Final = base or self
        self.more: Final = more or {}
        self.size: Final = len(items or ()) if size is None else size
        self.name = name

    @property
    def items(self) -> dict[str, Item]:
        """The items, read on first use. Not to be changed."""
        if self._items is None:
            if self._read is not None:
                self._items = self._read()
            else:
                self._items = {**self.base.items, **self.more}
        return self._items

    def joined_by(self, key: str, item: Item) -> LazyPart[Item]:
        """The part with one more item at the end. Reads nothing."""
        if self._items is not None:
            return LazyPart({**self._items, key: item})
        return LazyPart(base=self.base, more={**self.more, key: item}, size=self.size + 1)

    @property
    def compared_by(self) -> tuple[object, ...]:
        """What an interner compares: the name, so that nothing is read, else the items."""
        return (self.name,) if self.name is not None else (self.items,)

    def is_named_as(self, other: LazyPart[Item]) -> bool:
        """Whether both have the same name, and so the same content byte for byte."""
        return self.name is not None and self.name == other.name

    def equals(self, other: LazyPart[Item]) -> bool:
        """Whether both have equal items in the same order."""
        if self is other or self.is_named_as(other):
            return True
        if self.size != other.size:
            return False
        same_base = self.base is other.base or self.base.is_named_as(other.base)
        mine, theirs = (self.more, other.more) if same_base else (self.items, other.items)
        return mine == theirs and list(mine) == list(theirs)


class Archive(Mapping[str, Item]):
    """Items in the order they were added, in parts of `size_most`. Immutable: a change gives a new one."""

    __slots__ = ("parts", "size_most")

    def __init__(self, size_most: int, parts: tuple[LazyPart[Item], ...] = ()) -> None:
        self.size_most: Final = size_most
        self.parts: Final = parts

    @classmethod
    def of(cls, size_most: int, items: Mapping[str, Item]) -> Archive[Item]:
        """An archive of these items, in their order."""
        listed = list(items.items())
        starts = range(0, len(listed), size_most)
        return cls(size_most, tuple(LazyPart(dict(listed[start : start + size_most])) for start in starts))

    @property
    def compared_by(self) -> tuple[object, ...]:
        """What an interner compares: parts that states share are inspected once."""
        return (self.parts,)

    def with_item(self, key: str, item: Item) -> Archive[Item]:
        """The archive with a new item at the end. The key must not be in it yet."""
        parts = self.parts
        if parts and parts[-1].size < self.size_most:
            return Archive(self.size_most, (*parts[:-1], parts[-1].joined_by(key, item)))
        return Archive(self.size_most, (*parts, LazyPart({key: item})))

    def with_changed(self, key: str, item: Item) -> Archive[Item]:
        """The archive with the item of this key replaced."""
        place = self._place(key)
        return self._with_part(place, {**self.parts[place].items, key: item})

    def without(self, key: str) -> Archive[Item]:
        place = self._place(key)
        left = {name: item for name, item in self.parts[place].items.items() if name != key}
        return self._with_part(place, left)

    def _place(self, key: str) -> int:
        # The latest are asked for most.
        return next(at for at in reversed(range(len(self.parts))) if key in self.parts[at].items)

    def _with_part(self, place: int, items: dict[str, Item]) -> Archive[Item]:
        changed = (LazyPart(items),) if items else ()
        return Archive(self.size_most, (*self.parts[:place], *changed, *self.parts[place + 1 :]))

    def __getitem__(self, key: str) -> Item:
        for part in reversed(self.parts):
            if key in part.items:
                return part.items[key]
        raise KeyError(key)

    def __contains__(self, key: object) -> bool:
        return any(key in part.items for part in reversed(self.parts))

    def __iter__(self) -> Iterator[str]:
        return (key for part in self.parts for key in part.items)

    def __len__(self) -> int:
        return sum(part.size for part in self.parts)

    def __bool__(self) -> bool:
        return bool(self.parts)

    def equals(self, other: Archive[Item]) -> bool:
        """Whether both have equal items in the same order, split into the same parts."""
        mine, theirs = self.parts, other.parts
        return mine is theirs or (
            len(mine) == len(theirs)
            and all(part.equals(their) for part, their in zip(mine, theirs, strict=True))
        )

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Archive):
            if len(self) != len(other):
                return False
            mine, theirs = differing_items(self, other)
            return mine == theirs
        return dict(self) == other if isinstance(other, Mapping) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as of any mapping

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} in {len(self.parts)} parts)"


def differing_items(mine: Archive[Item], theirs: Archive[Item]) -> tuple[dict[str, Item], dict[str, Item]]:
    """The items of each that the other may lack, or hold differently. Reads no part that both share."""
    if mine.parts is theirs.parts:
        return {}, {}
    shared = 0
    for part, their in zip(mine.parts, theirs.parts, strict=False):
        if part is not their:
            break
        shared += 1
    my_parts, their_parts = mine.parts[shared:], theirs.parts[shared:]
    return (
        _items_beyond(my_parts, {*map(_base_of, their_parts)}),
        _items_beyond(their_parts, {*map(_base_of, my_parts)}),
    )


def _base_of(part: LazyPart[Item]) -> object:
    return part.base.name or part.base


def _items_beyond(parts: Iterable[LazyPart[Item]], bases: AbstractSet[object]) -> dict[str, Item]:
    items: dict[str, Item] = {}
    for part in parts:
        items |= part.more if _base_of(part) in bases else part.items
    return items


# --- gangs -----------------------------------------------------------------------------------------------


Gone: TypeAlias = tuple[int, Fighter]
"""A fighter gone for good, after the place of their enlistment (see `Members.places`)."""


MaySet: TypeAlias = Literal["absent_since", "held_by", "works_at"]
SET: Final[tuple[MaySet, ...]] = ("absent_since", "held_by", "works_at")


class Tally(Record):
    """Totals over the gone fighters of a gang, so that nobody has to read them. `fields` counts those for
    whom a field of `SET` is set, which is rare.
    """

    standings: dict[str, int] = field(default_factory=dict)
    categories: dict[str, int] = field(default_factory=dict)
    fields: dict[str, int] = field(default_factory=dict)
    experience: int = 0
    experience_spent: int = 0
    enemies_taken_out: int = 0
    times_out_of_action: int = 0

    def changed(self, fighter: Fighter, by: int) -> Tally:
        """The totals with one fighter added (`by` 1) or removed (-1)."""
        return Tally(
            standings=_counted(self.standings, (fighter.standing,), by),
            categories=_counted(self.categories, (fighter.category,), by),
            fields=_counted(self.fields, (name for name in SET if getattr(fighter, name) is not None), by),
            experience=self.experience + by * fighter.experience,
            experience_spent=self.experience_spent + by * fighter.experience_spent,
            enemies_taken_out=self.enemies_taken_out + by * fighter.enemies_taken_out,
            times_out_of_action=self.times_out_of_action + by * fighter.times_out_of_action,
        )


def _counted(counts: dict[str, int], names: Iterable[str], by: int) -> dict[str, int]:
    changed = dict(counts)
    for name in names:
        changed[name] = changed.get(name, 0) + by
        if not changed[name]:
            del changed[name]
    return changed if changed.keys() == counts.keys() else dict(sorted(changed.items()))


class Members(Mapping[str, Fighter]):
    """A gang's fighters by id, in order of enlistment. Immutable: a change gives a new one.

    `enlisted` are those who have not left for good. `places` gives their place among all who ever enlisted,
    from 1.
    """

    __slots__ = ("_everybody", "count", "enlisted", "gone", "places", "tally")

    def __init__(
        self,
        enlisted: dict[str, Fighter],
        places: dict[str, int],
        gone: Archive[Gone],
        tally: Tally,
        count: int,
    ) -> None:
        self.enlisted = enlisted
        self.places = places
        self.gone = gone
        self.tally = tally
        self.count = count
        self._everybody: dict[str, Fighter] | None = None

    @property
    def compared_by(self) -> tuple[object, ...]:
        """What an interner compares. The tally follows from it."""
        return self.enlisted, self.places, self.gone, self.count

    def with_card(self, fighter: Fighter) -> Members:
        """The members with this new record of a fighter who was enlisted and still is."""
        enlisted = put(self.enlisted, fighter.fighter, fighter)
        if enlisted is self.enlisted:
            self._everybody = None
            return self
        return Members(enlisted, self.places, self.gone, self.tally, self.count)

    def held_in(self, kind: Callable[[dict[str, Fighter]], dict[str, Fighter]]) -> Members:
        """The same members, with the enlisted in a container of another kind."""
        return Members(kind(self.enlisted), self.places, self.gone, self.tally, self.count)

    @classmethod
    def nobody(cls) -> Members:
        """The members of a new gang."""
        return cls({}, {}, Archive(CARDS_IN_PART), Tally(), 0)

    @classmethod
    def of(cls, fighters: Mapping[str, Fighter]) -> Members:
        """Members made of these fighters, in order of enlistment."""
        if isinstance(fighters, Members):
            return fighters
        tally, gone, enlisted, places = Tally(), dict[str, Gone](), dict[str, Fighter](), dict[str, int]()
        for place, (name, fighter) in enumerate(fighters.items(), start=1):
            if fighter.standing == "enlisted":
                enlisted[name], places[name] = fighter, place
            else:
                gone[name], tally = (place, fighter), tally.changed(fighter, 1)
        return cls(enlisted, places, Archive.of(CARDS_IN_PART, gone), tally, len(fighters))

    def with_fighters(self, fighters: Sequence[Fighter]) -> Members:
        stayed = self.enlisted
        if all(fighter.standing == "enlisted" and fighter.fighter in stayed for fighter in fighters):
            if type(stayed) is OwnedDict:
                return [self.with_card(fighter) for fighter in fighters][-1]
            enlisted = {**stayed, **{fighter.fighter: fighter for fighter in fighters}}
            return Members(enlisted, self.places, self.gone, self.tally, self.count)
        members = self
        for fighter in fighters:
            members = members.with_fighter(fighter)
        return members

    def with_fighter(self, fighter: Fighter) -> Members:
        """The members with this fighter added, or with this new record in place of the old one."""
        name, stays = fighter.fighter, fighter.standing == "enlisted"
        if stays and name in self.enlisted:
            return self.with_card(fighter)
        if name in self.enlisted:
            left = type(self.enlisted)(self.enlisted)
            del left[name]
            places = {other: place for other, place in self.places.items() if other != name}
            gone = self.gone.with_item(name, (self.places[name], fighter))
            return Members(left, places, gone, self.tally.changed(fighter, 1), self.count)
        was = self.gone.get(name)
        if was is None:
            return self.joined_by(fighter)
        tally = self.tally.changed(was[1], -1)
        if not stays:
            gone = self.gone.with_changed(name, (was[0], fighter))
            return Members(self.enlisted, self.places, gone, tally.changed(fighter, 1), self.count)
        places = _by_place({**self.places, name: was[0]})
        cards = {**self.enlisted, name: fighter}
        enlisted = type(self.enlisted)({other: cards[other] for other in places})
        return Members(enlisted, places, self.gone.without(name), tally, self.count)

    def joined_by(self, fighter: Fighter) -> Members:
        """The members with a fighter who was never there. Does not look among the gone."""
        name = fighter.fighter
        if name in self.enlisted:
            return self.with_fighter(fighter)
        place = self.count + 1
        if fighter.standing != "enlisted":
            gone = self.gone.with_item(name, (place, fighter))
            return Members(self.enlisted, self.places, gone, self.tally.changed(fighter, 1), place)
        enlisted, places = put(self.enlisted, name, fighter), {**self.places, name: place}
        return Members(enlisted, places, self.gone, self.tally, place)

    @property
    def everybody(self) -> dict[str, Fighter]:
        """All fighters, the gone read in. Not to be changed."""
        if self._everybody is None:
            if not self.gone:
                return self.enlisted
            places = dict(self.places)
            cards = dict(self.enlisted)
            for part in self.gone.parts:
                for name, gone in part.items.items():
                    places[name], cards[name] = gone
            self._everybody = {name: cards[name] for name in _by_place(places)}
        return self._everybody

    def having(self, name: MaySet) -> list[Fighter]:
        """The fighters for whom a field is set, the gone too."""
        fighters = self.everybody if self.tally.fields.get(name) else self.enlisted
        return [fighter for fighter in fighters.values() if getattr(fighter, name) is not None]

    def place_of(self, fighter: str) -> int:
        """The fighter's place among all of the gang who ever enlisted, from 1."""
        place = self.places.get(fighter)
        return self.gone[fighter][0] if place is None else place

    def __getitem__(self, fighter: str) -> Fighter:
        card = self.enlisted.get(fighter)
        return self.gone[fighter][1] if card is None else card

    def __contains__(self, fighter: object) -> bool:
        return fighter in self.enlisted or fighter in self.gone

    def __iter__(self) -> Iterator[str]:
        return iter(self.everybody)

    def __reversed__(self) -> Iterator[str]:
        return reversed(self.everybody)

    def __len__(self) -> int:
        return self.count

    def keys(self) -> KeysView[str]:
        return self.everybody.keys()

    def values(self) -> ValuesView[Fighter]:
        return self.everybody.values()

    def items(self) -> ItemsView[str, Fighter]:
        return self.everybody.items()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Members):
            return self.everybody == other if isinstance(other, Mapping) else NotImplemented
        return (
            self.count == other.count
            and self.enlisted == other.enlisted
            and self.places == other.places
            and self.gone == other.gone
        )

    __hash__ = None  # type: ignore[assignment]  # as of any mapping

    def in_one_order(self, other: Members) -> bool:
        """Whether both hold the same fighters in the same order, split into the same parts."""
        return (
            list(self.enlisted) == list(other.enlisted)
            and self.places == other.places
            and self.gone.equals(other.gone)
        )

    def __repr__(self) -> str:
        return f"Members({self.everybody!r})"


def _by_place(places: dict[str, int]) -> dict[str, int]:
    return dict(sorted(places.items(), key=lambda placed: placed[1]))


Placed: TypeAlias = tuple[int, Fighter]


def differing(before: Members, after: Members) -> list[tuple[str, Placed | None, Placed | None]]:
    """The fighters whose record or place is another object than before: id, before and after, in order of
    enlistment. Reads of the gone only the parts that one side lacks.
    """
    if before is after:
        return []
    if before.places is after.places and before.gone is after.gone:  # nearly always: cards alone changed
        then, places = before.enlisted, after.places
        return [
            (name, (places[name], then[name]), (places[name], card))
            for name, card in after.enlisted.items()
            if then[name] is not card
        ]
    gone_then, gone_now = differing_items(before.gone, after.gone)
    was, now = _placed(before) | gone_then, _placed(after) | gone_now
    changed = [
        (name, was.get(name), now.get(name))
        for name in {**was, **now}
        if name not in was
        or name not in now
        or was[name][1] is not now[name][1]
        or was[name][0] != now[name][0]
    ]
    return sorted(changed, key=lambda change: (change[2] or change[1] or (0,))[0])


def _placed(members: Members) -> dict[str, Placed]:
    return {name: (members.places[name], fighter) for name, fighter in members.enlisted.items()}


# --- the campaign ----------------------------------------------------------------------------------------


class Homes(Mapping[str, str]):
    """The gang of each fighter, the enlisted first. Immutable."""

    __slots__ = ("enlisted", "gone")

    def __init__(self, enlisted: dict[str, str] | None = None, gone: Archive[str] | None = None) -> None:
        self.enlisted: Final = {} if enlisted is None else enlisted
        self.gone: Final = Archive[str](IDS_IN_PART) if gone is None else gone

    @classmethod
    def of(cls, gangs: Mapping[str, str]) -> Homes:
        return gangs if isinstance(gangs, Homes) else cls(dict(gangs))

    @property
    def compared_by(self) -> tuple[object, ...]:
        return self.enlisted, self.gone

    def with_enlisted(self, fighter: str, gang: str) -> Homes:
        """The homes with a fighter who was never there."""
        return Homes({**self.enlisted, fighter: gang}, self.gone)

    def with_moved(self, fighter: str, gang: str, *, is_gone: bool) -> Homes:
        """The homes with a fighter of that gang moved to the gone, or back to the enlisted."""
        if is_gone:
            left = {name: home for name, home in self.enlisted.items() if name != fighter}
            return Homes(left, self.gone.with_item(fighter, gang))
        gone = self.gone.without(fighter) if fighter in self.gone else self.gone
        return Homes({**self.enlisted, fighter: gang}, gone)

    def __getitem__(self, fighter: str) -> str:
        found = self.enlisted.get(fighter)
        return self.gone[fighter] if found is None else found

    def __contains__(self, fighter: object) -> bool:
        return fighter in self.enlisted or fighter in self.gone

    def __iter__(self) -> Iterator[str]:
        yield from self.enlisted
        yield from self.gone

    def __len__(self) -> int:
        return len(self.enlisted) + len(self.gone)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Homes):
            return self.enlisted == other.enlisted and self.gone == other.gone
        return dict(self) == other if isinstance(other, Mapping) else NotImplemented

    __hash__ = None  # type: ignore[assignment]  # as of any mapping

    def in_one_order(self, other: Homes) -> bool:
        return list(self.enlisted) == list(other.enlisted) and self.gone.equals(other.gone)

    def __repr__(self) -> str:
        return f"Homes({dict(self)!r})"


class BattleNumbers(Mapping[str, int]):
    """The number of each battle, in the order they were opened. `latest` is the highest number, None before
    the first. Immutable.
    """

    __slots__ = ("archive", "latest")

    def __init__(self, archive: Archive[int] | None = None, *, latest: int | None = None) -> None:
        self.archive: Final = Archive[int](IDS_IN_PART) if archive is None else archive
        self.latest: Final = latest

    @classmethod
    def of(cls, battles: Mapping[str, int]) -> BattleNumbers:
        if isinstance(battles, BattleNumbers):
            return battles
        return cls(Archive.of(IDS_IN_PART, battles), latest=max(battles.values(), default=None))

    @property
    def compared_by(self) -> tuple[object, ...]:
        return self.archive, self.latest

    def with_battle(self, battle: str, number: int) -> BattleNumbers:
        """The numbers with a battle that was never there."""
        latest = number if self.latest is None else max(self.latest, number)
        return BattleNumbers(self.archive.with_item(battle, number), latest=latest)

    def __getitem__(self, battle: str) -> int:
        return self.archive[battle]

    def __contains__(self, battle: object) -> bool:
        return battle in self.archive

    def __iter__(self) -> Iterator[str]:
        return iter(self.archive)

    def __len__(self) -> int:
        return len(self.archive)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, BattleNumbers):
            return self.latest == other.latest and self.archive == other.archive
        return self.archive == other

    __hash__ = None  # type: ignore[assignment]  # as of any mapping

    def in_one_order(self, other: BattleNumbers) -> bool:
        return self.archive.equals(other.archive)

    def __repr__(self) -> str:
        return f"BattleNumbers({dict(self)!r})"


def as_dict(mapping: object) -> Any:
    """A plain dictionary of one of these mappings, as msgspec's `enc_hook` for writing a whole state."""
    if isinstance(mapping, (Members, Homes, BattleNumbers)):
        return dict(mapping)
    raise NotImplementedError(f"no state holds a {type(mapping).__name__}")
