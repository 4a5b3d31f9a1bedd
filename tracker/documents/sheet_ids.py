"""Ids of a gang sheet, its fighters, vehicles and territories, and of a hired fighter; resolves names to
these ids.

Written ids stay. Others are made from names, so that two sheets may have the same names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType
from typing import Final, Protocol

from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.documents.ids import id_meant
from tracker.documents.text import SLUG_CHARACTERS_MAX, numbered, slug_of
from tracker.documents.validation import Problems
from tracker.records import replace

NOBODY: Final[Mapping[str, str]] = MappingProxyType({})


class Identified(Protocol):
    """A card that may have an id."""

    @property
    def id(self) -> str | None:
        """The id, where one is written."""

    @property
    def name(self) -> str:
        """The name."""


class Driven(Protocol):
    """A vehicle's card."""

    @property
    def crew(self) -> str:
        """Who drives it, as written."""


def gang_id_of(written: str | None, name: str, state: CampaignState | None) -> str:
    """The id as it is written, else made of the name. The same name is the same gang. Of two names that an id
    is too short for, the second gets a number.
    """
    made = slug_of(name) or "gang"
    if written is not None or state is None or len(made) < SLUG_CHARACTERS_MAX - 1:  # nothing was cut off
        return written or made
    called = {gang: state.gangs[gang].name.casefold() for gang in state.gangs}
    others = [gang for gang, known in called.items() if known != name.casefold()]
    return numbered(made, others)


def id_for_hire(state: CampaignState, gang: str, name: str, coming: Mapping[str, str] = NOBODY) -> str:
    """The id that a fighter's name gives, numbered where a model of another gang has it; `coming` are the ids
    that the same file brought before, each with its gang.

    If an enlisted fighter of the gang itself has the name, the id is theirs, and the hire is refused:
    somebody may have been hired twice.
    """
    there = state.gangs[gang].enlisted.values() if gang in state.gangs else ()
    own = {slug_of(fighter.name): fighter.fighter for fighter in there}
    return _id_for(state, gang, slug_of(name) or "fighter", own, coming)


def id_for_vehicle(state: CampaignState, gang: str, name: str, coming: Mapping[str, str] = NOBODY) -> str:
    """The same of a vehicle that is bought."""
    there = state.gangs[gang].vehicles.values() if gang in state.gangs else ()
    own = {slug_of(vehicle.name): vehicle.vehicle for vehicle in there if not vehicle.gone}
    return _id_for(state, gang, slug_of(name) or "vehicle", own, coming)


def _id_for(
    state: CampaignState, gang: str, made: str, own: Mapping[str, str], coming: Mapping[str, str]
) -> str:
    if made in own:
        return own[made]
    others = {known for known, whose in coming.items() if whose != gang}
    return numbered(made, {*state.gang_of, *state.vehicle_of, *others})


def ids_of(
    key: str,
    models: Sequence[Identified],
    taken: Collection[str],
    problems: Problems,
    *,
    fighters: Sequence[str] = (),
) -> list[str]:
    """The written ids; others are made from names, and numbered if they are taken. The same id written twice
    becomes a problem.
    """
    written = [model.id for model in models if model.id is not None]
    ids: list[str] = []
    for position, model in enumerate(models):
        if model.id is None:
            usual = f"{key.removesuffix('s')}-{position + 1}"
            ids.append(numbered(slug_of(model.name) or usual, {*taken, *fighters, *written, *ids}))
            continue
        if model.id in ids:
            other = f"{key.removesuffix('s')} {ids.index(model.id) + 1}'s already"
            problems.add(
                (key, position), f"the id {model.id!r} is {other}. Give this one an `id` of its own."
            )
        elif key == "vehicles" and model.id in fighters:
            said = f"the id {model.id!r} stands on this sheet already. Give this vehicle one of its own."
            problems.add((key, position), said)
        ids.append(model.id)
    return ids


def crews_of(
    vehicles: Sequence[Driven], fighters: Sequence[Identified], ids: Sequence[str], problems: Problems
) -> list[str]:
    """The driver of each vehicle: a fighter of the sheet, even if others in the campaign have that name."""
    cards = [(card.id, card.name, fighter_id) for card, fighter_id in zip(fighters, ids, strict=True)]
    crews = []
    for position, vehicle in enumerate(vehicles):
        meant = _ids_meant(vehicle.crew, cards)
        if len(meant) > 1:
            why = f"several fighters are called {vehicle.crew!r}. Give the one who drives it an `id`."
            problems.add(("vehicles", position, "crew"), why)
        crews.append(meant[0])
    return crews


def _ids_meant(written: str, cards: Sequence[tuple[str | None, str, str]]) -> tuple[str, ...]:
    """The ids of the sheet's fighters that a text may mean; the text itself if it means none of them. `cards`
    hold the written id, the name and the final id of each.
    """
    meant = id_meant(written)
    for called in (
        [made for own, _, made in cards if own == written],
        [made for _, name, made in cards if name.casefold() == written.casefold()],
        [made for own, name, made in cards if own is None and slug_of(name) == meant],
    ):
        if called:
            return (written,) if written in called else tuple(called)
    return (meant,)


def with_territories_named(so_far: records.GangSoFar, gang: str, problems: Problems) -> records.GangSoFar:
    """What the gang has been through, each of its territories with an id: as written, else one that no other
    gang's sheet gives.
    """
    ids = [held.territory for held in so_far.territories if held.territory]
    territories = []
    for position, held in enumerate(so_far.territories):
        territory = held.territory
        if not territory:
            called = slug_of(held.name or held.kind or "") or "territory"
            if held.name is None and held.kind is None:
                place = ("so_far", "territories", position)
                problems.add(place, "say its `kind`, or the `name` of one of your own.")
            # Not the first one that is free here: it has to be the same when the sheet is amended later.
            territory = numbered(f"{gang}-{called}"[:SLUG_CHARACTERS_MAX].rstrip("-"), ids)
            ids.append(territory)
        territories.append(replace(held, territory=territory))
    return replace(so_far, territories=tuple(territories))
