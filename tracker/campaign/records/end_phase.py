"""The End phase: Bottle checks, fleeing, Recovery tests. Its refusals are in `nerve.py`.

Source: Core Rulebook (2023) · The End Phase.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import field

from tracker.campaign.cards import in_battle, on_combatant
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.kinds import FieldKind, FighterId, FileKey, GangId, ModelCount, RoundNumber
from tracker.campaign.state import CampaignState

PickedDie: TypeAlias = Annotated[Literal[1, 2], FieldKind(name="number", lowest=1, highest=2)]


# --- commands --------------------------------------------------------------------------------------------


@command(
    "CheckBottle",
    part="Bottle checks",
    instead=("CheckMorale", "morale in a battle report"),
    exchange="bottle",
    asks="gang+voluntary?",
)
class CheckBottle(Command):
    """A Bottle check in the End phase. Dice: bottle."""

    gang: GangId
    """The {game.gang} that checks."""
    reinforcements: ModelCount = 0
    """How many of its crew are Reinforcements."""
    reinforcements_arrived: ModelCount | None = None
    """How many of them have arrived; else all."""
    others_eligible: ModelCount = 0
    """How many more may take part as Reinforcements but stand in no crew."""
    vehicles: ModelCount = 0
    """Vehicles that began the battle and stand in no crew."""
    vehicles_wrecked: ModelCount = 0
    """How many of them are Wrecked."""
    home_turf: bool = False
    """Whether the {game.gang} fights on its Home Turf: two dice, the lower counts."""
    voluntary: bool = False
    """Whether the {game.gang} fails the check of its own will: no die."""

    def in_words(self, wording: Wording) -> str:
        check = "Bottle check failed by choice" if self.voluntary else "Bottle check"
        return f"{check}: {wording.gang(self.gang)}"


@command(
    "TakeFleeingTests",
    part="tests whether fighters flee",
    instead=("CheckMorale", "morale in a battle report"),
)
class TakeFleeingTests(Command):
    """Each fighter of a bottled gang takes a Cool test, or flees."""

    sentence = "Fleeing tests of {gang}: {fighters}"

    gang: GangId
    """The gang that has bottled out."""
    fighters: tuple[FighterId, ...]
    """Its fighters on the battlefield, in the order tested."""
    near: dict[str, tuple[FighterId, ...]]
    """For a fighter with Gang Hierarchy: the friends whom the example reaches."""
    inspired_by: dict[str, str] = field(default_factory=dict)
    """For a fighter who is tested: a friend within 6 inches with Inspirational."""


@command(
    "FleeBattlefield", part="flight off the battlefield", instead=("CheckMorale", "morale in a battle report")
)
class FleeBattlefield(Command):
    """Fighters of a bottled gang leave of their own will at the start of an Action phase."""

    sentence = "{gang} leave the battlefield: {fighters}"

    gang: GangId
    """The gang that has bottled out."""
    fighters: tuple[FighterId, ...]
    """Who leaves."""
    engaged: tuple[FighterId, ...] = ()
    """Who of them is engaged and must break away first."""


@command(
    "TakeRecoveryTest",
    part="Recovery tests",
    instead=("StandUp", "stand in a battle report"),
    exchange="recovery",
    asks="fighter assisted_by?",
)
class TakeRecoveryTest(Command):
    """A Recovery test in the End phase. Dice: recovery, then perhaps lasting_injury."""

    fighter: FighterId
    """Who is Seriously Injured or Webbed."""
    assisted_by: FighterId | None = None
    """The Standing and Active friend who assists: a second die, one of the two is picked."""
    picked: Annotated[PickedDie | None, FileKey(name="choose")] = None
    """Which die is picked, 1 or 2; else the kinder one."""
    round: RoundNumber | None = None
    """The round: there is one Recovery test in each End phase, and a friend assists once."""
    grudge_against: GangId | None = None
    """The {game.gang} that a grudge falls on; else the one that caused the injury."""

    def contradiction(self, written: frozenset[str]) -> str | None:
        if "picked" in written and self.assisted_by is None:
            return "there is one die and nothing to choose: write `assisted_by`, or take `choose` out."
        return None

    def in_words(self, wording: Wording) -> str:
        assisted = f", {wording.fighter(self.assisted_by)} assists" if self.assisted_by is not None else ""
        return f"Recovery test: {wording.fighter(self.fighter)}{assisted}"


# --- events ----------------------------------------------------------------------------------------------


@event("GangBottled")
class GangBottled(Event):
    """The gang bottled out for the rest of the battle. `forfeit`: it has lost the battle by that."""

    gang: GangId
    voluntary: bool
    forfeit: bool

    def in_words(self, wording: Wording) -> str:
        how = " of their own will" if self.voluntary else ""
        lost = " and lose the battle" if self.forfeit else ""
        return f"{wording.gang(self.gang)} bottle out{how}{lost}"

    def apply(self, state: CampaignState) -> CampaignState:
        battle = state.under_way
        if battle is None:
            return state
        forfeit = (*battle.forfeit, self.gang) if self.forfeit else battle.forfeit
        return in_battle(state, bottled=(*battle.bottled, self.gang), forfeit=forfeit)


@event("FighterFled")
class FighterFled(Event):
    """A fighter left the battlefield. If Seriously Injured, they may still succumb in the Wrap-up."""

    fighter: FighterId
    voluntary: bool

    def in_words(self, wording: Wording) -> str:
        how = f" of the {wording.game.gang}'s own will" if self.voluntary else ""
        return f"{wording.fighter(self.fighter)} flees the battlefield{how}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, fled=True)


@event("RecoveryAssisted")
class RecoveryAssisted(Event):
    """A friend assisted a Recovery test. `round` tells End phases apart, if stated."""

    fighter: FighterId
    by: FighterId
    round: int | None

    def in_words(self, wording: Wording) -> str:
        when = f" in round {self.round}" if self.round is not None else ""
        return f"{wording.fighter(self.by)} assists {wording.fighter(self.fighter)}'s Recovery test{when}"

    def apply(self, state: CampaignState) -> CampaignState:
        if state.under_way is None:
            return state
        assisted = state.under_way.assisted
        return in_battle(state, assisted={**assisted, self.by: (*assisted.get(self.by, ()), self.round)})


@event("SeriousInjuryOvercome")
class SeriousInjuryOvercome(Event):
    """A fighter is no longer Seriously Injured, but Prone and Pinned."""

    sentence = "{fighter} is no longer Seriously Injured, but Prone and Pinned"

    fighter: FighterId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(
            state,
            self.fighter,
            seriously_injured=False,
            seriously_injured_in_close_combat=False,
            seriously_injured_by=None,
            pinned=True,
        )


@event("WebShed")
class WebShed(Event):
    """A fighter is no longer Webbed, but Prone and Pinned."""

    sentence = "{fighter} sheds the web and is Prone and Pinned"

    fighter: FighterId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, webbed=False, pinned=True)
