"""The context for reading a file when its campaign is at hand: the present names of gangs, fighters and
vehicles, and the characteristics of its book.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TypeAlias

from pydantic import ValidationInfo

from tracker.campaign.state import CampaignState
from tracker.documents import text

_KnownName: TypeAlias = tuple[str, str, bool]
"""An id, the name by now, and whether it is gone for good."""


class KnownNames:
    """What the campaign knows by now; without a state, of its book alone, and whom the file brings itself.

    `first_of_several`: where several have a name, it is that of who has the id that the name gives.
    `models` and `gangs` are ids of the file's own, with their names.
    """

    def __init__(
        self,
        state: CampaignState | None = None,
        *,
        other_numbers: bool = False,
        first_of_several: bool = False,
        models: Iterable[tuple[str, str]] = (),
        gangs: Iterable[tuple[str, str]] = (),
    ) -> None:
        self.other_numbers = other_numbers
        self._models = tuple((model, name, False) for model, name in models)
        self._gangs = tuple((gang, name, False) for gang, name in gangs)
        self._first_of_several = first_of_several
        self._state = state or CampaignState()

    def ids_called(self, name: str, meant: str) -> tuple[str, ...]:
        """The ids that a file means by a name; `meant` is the id that the name gives, when nobody has it.

        A name as it is written goes before others that give the same id, who is still there before who is
        gone. Several of one kind are several; of a fighter and a gang of one name the id decides.
        """
        matches = [ids for kind in self._kinds if (ids := _ids_in(kind, name, meant))]
        for ids in matches:
            if len(ids) > 1:
                return (meant,) if self._first_of_several else ids
        if not matches or any(meant in ids for ids in matches):
            return (meant,)
        return tuple(known_id for ids in matches for known_id in ids)

    def is_id(self, identifier: str) -> bool:
        """Whether somebody or something has that id."""
        state = self._state
        id_maps = (state.gang_of, state.vehicle_of, state.gangs, state.territories)
        own = {row[0] for row in (*self._models, *self._gangs)}
        return identifier in own or any(identifier in ids for ids in id_maps)

    @cached_property
    def _kinds(self) -> tuple[tuple[_KnownName, ...], ...]:
        gangs = self._state.gangs.values()
        models = [
            *(
                (fighter.fighter, fighter.name, fighter.standing != "enlisted")
                for gang in gangs
                for fighter in gang.fighters.values()
            ),
            *(
                (vehicle.vehicle, vehicle.name, vehicle.gone)
                for gang in gangs
                for vehicle in gang.vehicles.values()
            ),
        ]
        called = [(gang.gang, gang.name, False) for gang in gangs]
        return (*models, *self._models), (*called, *self._gangs)


def book_has_other_numbers(info: ValidationInfo) -> bool:
    """Whether a file is read for a book whose cards have other numbers than the usual twelve."""
    return isinstance(info.context, KnownNames) and info.context.other_numbers


def _ids_in(kind: Iterable[_KnownName], name: str, meant: str) -> tuple[str, ...]:
    written = name.casefold()
    exactly = [row for row in kind if row[1].casefold() == written]
    rows = exactly or [row for row in kind if text.slug_of(row[1]) == meant]
    still_there = [row for row in rows if not row[2]]
    return tuple(row[0] for row in still_there or rows)
