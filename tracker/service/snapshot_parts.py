"""Parts of snapshots: former fighters and past battles, written once and read on demand.

The name of a part is the hash of its content, so snapshots share parts. Like a snapshot it is a cache: a
missing or damaged part is folded again from the log. `audit verify` names it.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, TypeAlias

import msgspec

from tracker.campaign import members
from tracker.campaign.fighters import Fighter
from tracker.campaign.members import Archive, BattleNumbers, Item, LazyPart, Members
from tracker.campaign.state import CampaignState
from tracker.records import Record, collector_held, decoder_of, replace
from tracker.service.refusals import SnapshotDamaged

QUICKLY: Final = 1
"""How hard zlib tries: cards repeat each other so much that more brings little."""

Named: TypeAlias = tuple[str, int]
"""The name of a part in a snapshot, and how many items it holds."""


class StoredMembers(Record):
    """A gang's fighters as a snapshot stores them, beside the enlisted."""

    places: dict[str, int]
    gone: tuple[Named, ...]
    tally: members.Tally
    count: int


class StoredState(Record):
    """A state as a snapshot stores it: living fighters whole, the others by the names of their parts."""

    state: CampaignState
    gangs: dict[str, StoredMembers]
    homes: tuple[Named, ...]
    battles: tuple[Named, ...]
    latest_battle: int | None


# --- writing ---------------------------------------------------------------------------------------------


def stored_state(state: CampaignState) -> StoredState:
    """The stored form of a state. Afterwards every part has its name."""
    each = {gang.gang: gang.members for gang in state.gangs.values()}
    gangs = {gang.gang: replace(gang, fighters=gang.enlisted) for gang in state.gangs.values()}
    return StoredState(
        state=replace(state, gangs=gangs, gang_of=state.homes.enlisted, battles={}),
        gangs={
            gang: StoredMembers(places=its.places, gone=_named(its.gone), tally=its.tally, count=its.count)
            for gang, its in each.items()
        },
        homes=_named(state.homes.gone),
        battles=_named(state.fought.archive),
        latest_battle=state.fought.latest,
    )


def parts_of(state: CampaignState) -> Iterator[LazyPart[Any]]:
    """Every part of a state."""
    for gang in state.gangs.values():
        yield from gang.members.gone.parts
    yield from state.homes.gone.parts
    yield from state.fought.archive.parts


def written_part(part: LazyPart[Any]) -> bytes:
    """The stored form of a part."""
    return zlib.compress(msgspec.json.encode(part.items), QUICKLY)


def _named(archive: Archive[Any]) -> tuple[Named, ...]:
    for part in archive.parts:
        if part.name is None:
            part.name = name_of(msgspec.json.encode(part.items))
    return tuple((part.name or "", part.size) for part in archive.parts)


def name_of(encoded: bytes) -> str:
    """The name of a part with these bytes."""
    return hashlib.sha256(encoded).hexdigest()


def is_whole(name: str, body: bytes) -> bool:
    """Whether a part's row matches its name."""
    return _whole(name, body) is not None


def _whole(name: str, body: bytes) -> bytes | None:
    try:
        encoded = zlib.decompress(body)
    except zlib.error:
        return None
    return encoded if name_of(encoded) == name else None


# --- reading ---------------------------------------------------------------------------------------------


class PartReader:
    """Reads the parts of the snapshot after one entry. `read` returns a part's row, or None; `fold_again`
    returns the state after that entry from the log alone.
    """

    def __init__(
        self, entry: int, read: Callable[[str], bytes | None], fold_again: Callable[[], CampaignState]
    ) -> None:
        self.entry = entry
        self._read = read
        self._fold_again = fold_again
        self._folded: Mapping[str, LazyPart[Any]] | None = None

    def state(self, stored: StoredState) -> CampaignState:
        """The state; its parts are read on demand."""
        gangs = {
            gang.gang: replace(gang, fighters=self._members(gang.enlisted, stored.gangs[gang.gang]))
            for gang in stored.state.gangs.values()
        }
        homes = members.Homes(
            dict(stored.state.gang_of), self._archive(members.IDS_IN_PART, stored.homes, dict[str, str])
        )
        battles = self._archive(members.IDS_IN_PART, stored.battles, dict[str, int])
        return replace(
            stored.state,
            gangs=gangs,
            gang_of=homes,
            battles=BattleNumbers(battles, latest=stored.latest_battle),
        )

    def _members(self, enlisted: dict[str, Fighter], stored: StoredMembers) -> Members:
        gone = self._archive(members.CARDS_IN_PART, stored.gone, dict[str, tuple[int, Fighter]])
        return Members(enlisted, stored.places, gone, stored.tally, stored.count)

    def _archive(
        self, size_most: int, parts: tuple[Named, ...], kind: type[dict[str, Item]]
    ) -> Archive[Item]:
        return Archive(size_most, tuple(self._part(name, size, kind) for name, size in parts))

    def _part(self, name: str, size: int, kind: type[dict[str, Item]]) -> LazyPart[Item]:
        return LazyPart(read=lambda: self._items(name, kind), size=size, name=name)

    def _items(self, name: str, kind: type[dict[str, Item]]) -> dict[str, Item]:
        body = self._read(name)
        encoded = body and _whole(name, body)
        if not encoded:
            return self._items_again(name)
        try:
            with collector_held():
                items: dict[str, Item] = decoder_of(kind).decode(encoded)
        except (msgspec.MsgspecError, RecursionError) as wrong:  # a snapshot of somebody's own names it
            raise SnapshotDamaged(entry=self.entry) from wrong
        return items

    def _items_again(self, name: str) -> dict[str, Any]:
        """Fold the items again: the part is damaged, or a ruling or rebuild deleted it meanwhile."""
        if self._folded is None:
            state = self._fold_again()
            stored_state(state)
            self._folded = {part.name or "": part for part in parts_of(state)}
        if name not in self._folded:
            raise SnapshotDamaged(entry=self.entry)
        return self._folded[name].items
