"""The post-battle sequence: steps, captives, the Doc, repairs, what was sought and what was earned."""

from __future__ import annotations

from tracker.campaign.after_battle import Alignment, RescueResult
from tracker.records import Record


class StepReached(Record):
    """A gang came to a step of its post-battle sequence; what lies before it is over."""

    gang: str
    step: str
    name: str
    section: str


class FighterEscaped(Record):
    """Captured, but got away before anybody held them."""

    fighter: str


class FighterCaptured(Record):
    """A captive of `holder` from now on. `off_rating`: their cost counts for nobody until they come home."""

    fighter: str
    holder: str
    off_rating: bool
    section: str


class CaptivePassedOn(Record):
    """A captive has another holder."""

    fighter: str
    before: str
    holder: str
    why: str


class CaptiveFreed(Record):
    """A captive is home again and free to do anything."""

    fighter: str
    holder: str
    why: str


class RescueEnded(Record):
    """A Rescue Mission did not bring the captive home: from now on the holder may be rid of them."""

    fighter: str
    holder: str
    result: RescueResult


class CaptiveSold(Record):
    """A captive is gone for good, to whom the holder gave them up."""

    fighter: str
    holder: str
    to: str
    value: int
    section: str


class CaptivePutToWork(Record):
    """A captive works for the holder; `territory` None: works no more."""

    fighter: str
    holder: str
    territory: str | None


class PostBattleActionTaken(Record):
    """A fighter used their post-battle action."""

    fighter: str
    gang: str
    action: str
    name: str
    section: str


class CriticalTreated(Record):
    """What the Doc came to for one Critical Injury; `taken_to_doctor` False: nobody escorted them."""

    fighter: str
    outcome: str
    name: str
    section: str
    taken_to_doctor: bool = True


class RareItemsSought(Record):
    """A search for rare things: how rare and how illegal a thing the gang may buy now."""

    gang: str
    market: str
    rare_up_to: int
    illegal_up_to: int | None
    section: str


class VehicleRepaired(Record):
    """Lasting damage removed from a vehicle, and its card as it stands after it."""

    vehicle: str
    name: str
    rattles: int
    handling_modifier: int
    toughness_front: int
    toughness_side: int
    toughness_rear: int
    movement: int
    hit_points: int
    section: str
    left: str | None = None
    left_name: str = ""
    battle: int | None = None


class FighterMissesBattle(Record):
    """Away for the gang's next battle, and for no other reason than this. `battle` is the one before it."""

    fighter: str
    battle: int
    why: str


class PostBattleDone(Record):
    """Something that a gang does once in a sequence is done: scrap claimed, an income taken, actions over."""

    gang: str
    what: str


class ReputationChanged(Record):
    """Reputation moved by `by`: over a sequence gains count before losses, and never below the floor."""

    gang: str
    by: int
    before: int
    after: int
    why: str
    section: str


class AlignmentStated(Record):
    """On which side of the law a gang stands from now on."""

    gang: str
    before: Alignment | None
    after: Alignment
    why: str
