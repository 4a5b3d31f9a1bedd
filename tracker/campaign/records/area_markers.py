"""Markers of Smoke, Flare and similar traits on the battlefield, and their End phase.

The table sees where a marker lies and whom it touches.
"""

from __future__ import annotations

from typing import Annotated, TypeAlias

from tracker.campaign.cards import in_battle
from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.kinds import FieldKind, FighterId, Note, Size
from tracker.campaign.state import AreaMarker, CampaignState
from tracker.errors import RulesRefuse

MarkerNumber: TypeAlias = Annotated[int, FieldKind(name="number", lowest=1, highest=999)]
_Touched: TypeAlias = Annotated[tuple[FighterId, ...], Size(lowest=0, highest=30)]


@command("EndPhaseOfMarker", part="weapon traits", exchange="marker", asks="marker under?")
class EndPhaseOfMarker(Command):
    """A marker in the End phase: it goes, stays, or hits. Dice: smoke, flare, or as for hits."""

    marker: MarkerNumber
    """Which marker, by the number that the shot gave it."""
    under: _Touched = ()
    """Which fighters the marker of a Burrowing weapon touches, in the order to be resolved."""
    activation: Note | None = None

    def in_words(self, wording: Wording) -> str:
        touched = ", ".join(wording.fighter(model) for model in self.under)
        return f"End phase: marker {self.marker}" + (f" on {touched}" if touched else "")


@event("MarkerLeft")
class MarkerLeft(Event):
    """A marker stays on the battlefield until the End phase, because of `trait`."""

    sentence = "a marker of {weapon} ({name}) by {by} stays on the battlefield: marker {marker}"

    marker: MarkerNumber
    trait: str
    name: str
    by: FighterId
    weapon: str
    profile: WeaponProfile | None

    def apply(self, state: CampaignState) -> CampaignState:
        battle = state.under_way
        if battle is None:
            return state
        left = AreaMarker(
            marker=self.marker,
            trait=self.trait,
            by=self.by,
            weapon=self.weapon,
            profile=self.profile,
        )
        return in_battle(state, markers=(*battle.markers, left), markers_left=self.marker)


@event("MarkerGone")
class MarkerGone(Event):
    """A marker is removed from the battlefield."""

    sentence = "marker {marker} ({name}) is gone"

    marker: MarkerNumber
    name: str

    def apply(self, state: CampaignState) -> CampaignState:
        battle = state.under_way
        left = battle.markers if battle is not None else ()
        return in_battle(state, markers=tuple(known for known in left if known.marker != self.marker))


class NoSuchMarker(RulesRefuse):
    marker: int
    known: tuple[str, ...]

    def message(self) -> str:
        others = f". Those that do: {', '.join(self.known)}" if self.known else ", and no other does"
        return (
            f"Marker {self.marker} does not lie on the battlefield{others}. A shot with Smoke, Flare,"
            " Graviton Pulse or Burrowing leaves one."
        )


class MarkerTouchesNobody(RulesRefuse):
    """The marker of {weapon} hits nobody in the End phase: take `under` out."""

    weapon: str
