"""The post-battle sequence: steps, captives, the Doc, repairs, what was sought and what was earned."""

from __future__ import annotations

from tracker.campaign.after_battle import Alignment, RescueResult
from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class StepReached:
    """A gang came to a step of its post-battle sequence; what lies before it is over."""

    gang: str
    step: str
    name: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterEscaped:
    """Captured, but got away before anybody held them."""

    fighter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterCaptured:
    """A captive of `holder` from now on. `off_rating`: their cost counts for nobody until they come home."""

    fighter: str
    holder: str
    off_rating: bool
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptivePassedOn:
    """A captive has another holder."""

    fighter: str
    before: str
    holder: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptiveFreed:
    """A captive is home again and free to do anything."""

    fighter: str
    holder: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RescueEnded:
    """A Rescue Mission did not bring the captive home: from now on the holder may be rid of them."""

    fighter: str
    holder: str
    result: RescueResult


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptiveSold:
    """A captive is gone for good, to whom the holder gave them up."""

    fighter: str
    holder: str
    to: str
    value: int
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CaptivePutToWork:
    """A captive works for the holder; `territory` None: works no more."""

    fighter: str
    holder: str
    territory: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PostBattleActionTaken:
    """A fighter used their post-battle action."""

    fighter: str
    gang: str
    action: str
    name: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CriticalTreated:
    """What the Doc came to for one Critical Injury; `taken_to_doctor` False: nobody escorted them."""

    fighter: str
    outcome: str
    name: str
    section: str
    taken_to_doctor: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class RareItemsSought:
    """A search for rare things: how rare and how illegal a thing the gang may buy now."""

    gang: str
    market: str
    rare_up_to: int
    illegal_up_to: int | None
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VehicleRepaired:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterMissesBattle:
    """Away for the gang's next battle, and for no other reason than this. `battle` is the one before it."""

    fighter: str
    battle: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PostBattleDone:
    """Something that a gang does once in a sequence is done: scrap claimed, an income taken, actions over."""

    gang: str
    what: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReputationChanged:
    """Reputation moved by `by`: over a sequence gains count before losses, and never below the floor."""

    gang: str
    by: int
    before: int
    after: int
    why: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AlignmentStated:
    """On which side of the law a gang stands from now on."""

    gang: str
    before: Alignment | None
    after: Alignment
    why: str
