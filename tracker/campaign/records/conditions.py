"""Conditions in a battle, from Blaze to Hidden and disarmed: how they begin, act and end.

Webbed, Pinned, Broken and Out of Ammo are in the chapters that cause them; that a fighter is Webbed can also
be stated.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from tracker.campaign.cards import in_battle, on_combat_vehicle, on_combatant
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.hits import KeptInjury, SaveWith
from tracker.campaign.records.kinds import FighterId, GangId, Note, RoundNumber, Size, VehicleId
from tracker.campaign.state import CampaignState
from tracker.errors import BadInput, RulesRefuse

ConditionName: TypeAlias = Literal["blaze", "blind", "insane", "concussed", "gunked", "hidden", "disarmed"]
StatedCondition: TypeAlias = Literal[ConditionName, "webbed"]
InsaneAct: TypeAlias = Literal["broken", "fled", "controlled", "normal"]
_Friends: TypeAlias = Annotated[tuple[FighterId, ...], Size(lowest=0, highest=100)]

OF_VEHICLES = ("blaze", "blind", "concussed", "hidden")
"""The conditions that a vehicle can be in."""
_CALLED = {
    "blaze": "on fire",
    "blind": "Blind",
    "insane": "Insane",
    "concussed": "Concussed",
    "gunked": "Gunked",
    "hidden": "Hidden",
    "disarmed": "disarmed",
    "webbed": "Webbed",
}


def condition_called(condition: str) -> str:
    """How somebody is: 'on fire' for blaze, 'Blind'."""
    return _CALLED[condition]


# --- commands --------------------------------------------------------------------------------------------


@command("StateCondition", part="conditions", exchange="condition", asks="fighter condition ends?")
class StateCondition(Command):
    """The table states that a model is in a condition, or that it ends."""

    condition: StatedCondition
    """Which condition: blaze, blind, insane, concussed, gunked, hidden, disarmed or webbed."""
    fighter: FighterId | None = None
    """Which fighter."""
    vehicle: VehicleId | None = None
    """Or which vehicle."""
    ends: bool = False
    """Whether it ends."""
    by: FighterId | None = None
    """Who brought it about, if anybody."""
    why: Note | None = None
    """What brought it about, or ended it."""

    def contradiction(self, written: frozenset[str]) -> str | None:  # noqa: ARG002
        if (self.fighter is None) == (self.vehicle is None):
            return "name one model: `fighter` or `vehicle`."
        return None

    def in_words(self, wording: Wording) -> str:
        model = wording.fighter(self.fighter or self.vehicle or "")
        now = "no longer " if self.ends else ""
        because = f": {wording.words(self.why)}" if self.why else ""
        through = wording.by(self.by, "through")
        return f"stated: {model} is {now}{_CALLED[self.condition]}{through}{because}"


@command("RollToCatchFire", part="conditions", exchange="catch_fire", asks="fighter by?")
class RollToCatchFire(Command):
    """A model that a flame reached may catch fire. Dice: catch_fire."""

    fighter: FighterId | None = None
    """Which fighter."""
    vehicle: VehicleId | None = None
    """Or which vehicle."""
    by: FighterId | None = None
    """Who brought it about, if anybody."""

    def contradiction(self, written: frozenset[str]) -> str | None:  # noqa: ARG002
        if (self.fighter is None) == (self.vehicle is None):
            return "name one model: `fighter` or `vehicle`."
        return None

    def in_words(self, wording: Wording) -> str:
        through = wording.by(self.by, "through")
        return f"catches fire? {wording.fighter(self.fighter or self.vehicle or '')}{through}"


@command(
    "ActivateBurning", part="conditions", exchange="blaze", asks="fighter engaged? lies_down? friends_near?"
)
class ActivateBurning(Command):
    """A burning fighter is activated: the hit, the run, the fire. Dice: wound, then blaze_scatter,
    blaze_run and blaze_out.
    """

    fighter: FighterId
    """Who is on fire."""
    engaged: bool = False
    """Whether the fighter is Engaged: who is does not run."""
    lies_down: bool = False
    """Whether the fighter ends the run Prone and Pinned: +2 to put the fire out."""
    friends_near: _Friends = ()
    """Other Active friends within 1 inch: +1 each to put the fire out."""
    save_with: SaveWith = "best"
    """What the owner saves with."""
    grudge_against: GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""
    keeps: KeptInjury | None = None
    """What the owner keeps of two Injury dice, where one shows it; None: the milder."""

    def contradiction(self, written: frozenset[str]) -> str | None:  # noqa: ARG002
        return "who is `engaged` does not run and stays up." if self.engaged and self.lies_down else None

    def in_words(self, wording: Wording) -> str:
        engaged = ", engaged" if self.engaged else ""
        return f"on fire: {wording.fighter(self.fighter)} is activated{engaged}"


@command("ActivateBurningVehicle", part="conditions", exchange="vehicle_blaze", asks="vehicle mobile")
class ActivateBurningVehicle(Command):
    """A burning vehicle is activated: the hit on its rear and the crew's Cool test. Dice: wound,
    blaze_cool, blaze_out.
    """

    sentence = "on fire: {vehicle} is activated"

    vehicle: VehicleId
    """Which vehicle is on fire."""
    mobile: bool
    """Whether it is Mobile."""
    inspired_by: FighterId | None = None
    """A friend within 6 inches who makes up for the crew's failed Cool test with Inspirational."""


@command("ActivateInsane", part="conditions", exchange="insane", asks="fighter controlled_by?")
class ActivateInsane(Command):
    """An insane fighter is activated. Dice: insanity."""

    sentence = "insane: {fighter} is activated"

    fighter: FighterId
    """Who is insane."""
    controlled_by: GangId | None = None
    """The {game.gang} that would control the fighter, where several are opponents: who won their roll-off."""


@command("TakeSanityTest", part="conditions", exchange="sanity", asks="fighter")
class TakeSanityTest(Command):
    """The Willpower test of an insane fighter after an activation as normal. Dice: sanity."""

    sentence = "sanity test: {fighter}"

    fighter: FighterId
    """Who is insane."""


@command("EndRound", part="conditions", exchange="round_ends", asks="round?")
class EndRound(Command):
    """A round ends, and with it everything that lasts to the end of the round, such as Concussed."""

    round: RoundNumber | None = None
    """Which round."""

    def in_words(self, wording: Wording) -> str:  # noqa: ARG002
        return f"round {self.round} ends" if self.round is not None else "a round ends"


# --- events ----------------------------------------------------------------------------------------------


@event("RoundEnded")
class RoundEnded(Event):
    """A round ended: what works once a round is available again."""

    round: RoundNumber | None

    def in_words(self, wording: Wording) -> str:  # noqa: ARG002
        return f"round {self.round} has ended" if self.round is not None else "a round has ended"

    def apply(self, state: CampaignState) -> CampaignState:
        return in_battle(state, rounds_ended=(state.under_way.rounds_ended if state.under_way else 0) + 1)


@event("ConditionGained")
class ConditionGained(Event):
    """A fighter or vehicle gained a condition. `why` is the cause, if stated."""

    GAINED: ClassVar[dict[str, str]] = {
        "blaze": "is on fire",
        "blind": "is Blind and loses any Ready marker",
        "insane": "is Insane",
        "concussed": "is Concussed to the end of the round",
        "gunked": "is Gunked",
        "hidden": "is Hidden",
        "disarmed": "is disarmed: Reaction attacks are unarmed to the end of the round",
    }

    fighter: FighterId
    condition: ConditionName
    by: FighterId | None
    why: Note | None
    section: str

    def in_words(self, wording: Wording) -> str:
        because = f": {wording.words(self.why)}" if self.why else ""
        gained = self.GAINED[self.condition]
        through = wording.by(self.by, "through")
        return f"{wording.fighter(self.fighter)} {gained}{through}{because}"

    def apply(self, state: CampaignState) -> CampaignState:
        changes: dict[str, object] = {self.condition: True}
        if self.condition == "blaze":
            changes["hidden"] = False  # nobody on fire is Hidden
        return _on_model(state, self.fighter, changes)


@event("ConditionEnded")
class ConditionEnded(Event):
    """A fighter or vehicle lost a condition."""

    ENDED: ClassVar[dict[str, str]] = {
        "blaze": "is no longer on fire",
        "blind": "can see again",
        "insane": "is sane again",
        "concussed": "is no longer Concussed",
        "gunked": "is no longer Gunked",
        "hidden": "is Revealed",
        "disarmed": "is no longer disarmed",
    }

    fighter: FighterId
    condition: ConditionName
    why: Note | None
    section: str

    def in_words(self, wording: Wording) -> str:
        because = f": {wording.words(self.why)}" if self.why else ""
        return f"{wording.fighter(self.fighter)} {self.ENDED[self.condition]}{because}"

    def apply(self, state: CampaignState) -> CampaignState:
        changes: dict[str, object] = {self.condition: False}
        if self.condition == "insane":
            changes["lucid"] = False
        return _on_model(state, self.fighter, changes)


@event("InsanityStruck")
class InsanityStruck(Event):
    """The behaviour of an insane fighter in this activation. `controlled_by` is a gang, if one controls
    them.
    """

    ACTS: ClassVar[dict[str, str]] = {
        "broken": "breaks",
        "fled": "is Broken already and flees",
        "controlled": "is controlled by an opponent for this activation",
        "normal": "acts as normal and takes a Willpower test afterwards",
    }

    fighter: FighterId
    act: InsaneAct
    controlled_by: GangId | None

    def in_words(self, wording: Wording) -> str:
        does = self.ACTS[self.act]
        if self.controlled_by is not None:
            does = f"is controlled by {wording.gang(self.controlled_by)} for this activation"
        return f"{wording.fighter(self.fighter)}, insane, {does}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, lucid=self.act == "normal")


def _on_model(state: CampaignState, model: str, changes: dict[str, object]) -> CampaignState:
    battle = state.under_way
    if battle is not None and model in battle.vehicles:
        return on_combat_vehicle(state, model, **changes)
    return on_combatant(state, model, **changes)


# --- refusals --------------------------------------------------------------------------------------------


class InConditionAlready(RulesRefuse):
    """{model} is {condition} already."""

    model: str
    condition: str


class NotInCondition(RulesRefuse):
    """{model} is not {condition}. If that was left out, state it first, in an entry of kind
    condition ({key}).
    """

    model: str
    condition: str
    key: str


class NoConditionOfIt(BadInput):
    """{model} cannot be {condition}: {why}."""

    model: str
    condition: str
    why: str


class BlindMayNotAttack(RulesRefuse):
    """{fighter} is Blind and makes only Reaction attacks until activated again. Once that has happened,
    record it: condition: {{fighter: ..., condition: blind, ends: true}}.
    """

    fighter: str


class BurningMayNotReact(RulesRefuse):
    """{fighter} is on fire and makes no Reaction attacks."""

    fighter: str


class NotLucid(RulesRefuse):
    """{fighter} takes no Willpower test now: it follows a normal activation, so record first how the insane
    fighter was activated: insane: {{fighter: ...}}.
    """

    fighter: str


class WhoControls(BadInput):
    """{fighter} has several opponents: say which of them controls the fighter, by a roll-off, with
    controlled_by.
    """

    lacks = "controlled_by"
    fighter: str
