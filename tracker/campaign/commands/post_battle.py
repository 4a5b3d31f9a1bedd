"""Commands of the post-battle sequence: what a gang does between two battles."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.after_battle import Alignment, RescueResult, Result
from tracker.records import dataclass

Market: TypeAlias = Literal["trading_post", "black_market"]
RewardDie: TypeAlias = Literal["D6", "D3"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RollEscape:
    """The escape roll of a Captured fighter. What is None is as the battle recorded it.

    `late` is the Arbitrator's word why it comes after the Wrap-up.
    """

    fighter: str
    holder: str | None = None
    result: Result | None = None
    webbed: bool | None = None
    late: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RollCapture:
    """A gang that alone holds the battlefield tries to take a captive. `captive` None: drawn by dice."""

    gang: str
    captive: str | None = None
    bounty_hunters: int = 0
    restrained: int = 0
    water_guild: int = 0
    law_and_misrule: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimScrap:
    """The statement that this gang alone remained on the battlefield. `wrecks` None: as recorded."""

    gang: str
    wrecks: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TakeReward:
    """A reward of the scenario into the stash: so many dice times `times`, and `credits_fixed`."""

    gang: str
    why: str
    dice: int = 0
    die: RewardDie = "D6"
    times: int = 10
    credits_fixed: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangeReputation:
    """Reputation gained (positive) or lost (negative)."""

    gang: str
    by: int
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StateAlignment:
    """On which side of the law a gang stands. A second time it switches, once in a campaign."""

    gang: str
    alignment: Alignment
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TradeCaptive:
    """An agreed trade, at any time: the captive goes to `to`, who pays and perhaps gives another captive."""

    captive: str
    to: str
    price: int = 0
    for_captive: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EndRescue:
    """How a Rescue Mission ended: rescued, failed, or declined by the captive's own gang."""

    captive: str
    result: RescueResult


@dataclass(frozen=True, slots=True, kw_only=True)
class ReturnCaptive:
    """The holder lets a captive go."""

    captive: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PutCaptiveToWork:
    """A captive works in a territory of the holder; None: no more."""

    captive: str
    territory: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SellCaptive:
    """Sold to the Guilders, by the action of `by`."""

    captive: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimBounty:
    """An outlaw handed over by law-abiding captors, by the action of `by`."""

    captive: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DisposeOfCaptive:
    """Disposed of by outlaw captors, by the action of `by`."""

    captive: str
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MedicalEscort:
    """`by` takes a Critically Injured friend to the Doc. `paid` False: the fee is not paid."""

    patient: str
    by: str
    paid: bool = True
    grudge_against: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class NegotiateRepairs:
    """`by` has a damaged vehicle repaired. `worth` is vehicle and upgrades; None: as the card says."""

    vehicle: str
    by: str
    worth: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Trade:
    """`by` spends the action on trading."""

    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EndActions:
    """The gang takes no more post-battle actions: who is Critically Injured and unescorted dies."""

    gang: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SeekRare:
    """The search for rare things that the gang's traders made possible. `extra` is what else counts."""

    gang: str
    market: Market = "trading_post"
    extra: int = 0
    extra_why: str = ""


PostBattleCommand: TypeAlias = (
    ChangeReputation
    | ClaimBounty
    | ClaimScrap
    | DisposeOfCaptive
    | EndActions
    | EndRescue
    | MedicalEscort
    | NegotiateRepairs
    | PutCaptiveToWork
    | ReturnCaptive
    | RollCapture
    | RollEscape
    | SeekRare
    | SellCaptive
    | StateAlignment
    | TakeReward
    | Trade
    | TradeCaptive
)
