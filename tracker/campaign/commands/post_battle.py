"""Commands of the post-battle sequence: what a gang does between two battles."""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.after_battle import Alignment, RescueResult, Result
from tracker.records import Record

Market: TypeAlias = Literal["trading_post", "black_market"]
RewardDie: TypeAlias = Literal["D6", "D3"]


class RollEscape(Record):
    """The escape roll of a Captured fighter. What is None is as the battle recorded it.

    `late` is the Arbitrator's word why it comes after the Wrap-up.
    """

    fighter: str
    holder: str | None = None
    result: Result | None = None
    webbed: bool | None = None
    late: str | None = None


class RollCapture(Record):
    """A gang that alone holds the battlefield tries to take a captive. `captive` None: drawn by dice."""

    gang: str
    captive: str | None = None
    bounty_hunters: int = 0
    restrained: int = 0
    water_guild: int = 0
    law_and_misrule: bool = False


class ClaimScrap(Record):
    """The statement that this gang alone remained on the battlefield. `wrecks` None: as recorded."""

    gang: str
    wrecks: tuple[str, ...] | None = None


class TakeReward(Record):
    """A reward of the scenario into the stash: so many dice times `times`, and `credits_fixed`."""

    gang: str
    why: str
    dice: int = 0
    die: RewardDie = "D6"
    times: int = 10
    credits_fixed: int = 0


class ChangeReputation(Record):
    """Reputation gained (positive) or lost (negative)."""

    gang: str
    by: int
    why: str


class StateAlignment(Record):
    """On which side of the law a gang stands. A second time it switches, once in a campaign."""

    gang: str
    alignment: Alignment
    why: str


class TradeCaptive(Record):
    """An agreed trade, at any time: the captive goes to `to`, who pays and perhaps gives another captive."""

    captive: str
    to: str
    price: int = 0
    for_captive: str | None = None


class EndRescue(Record):
    """How a Rescue Mission ended: rescued, failed, or declined by the captive's own gang."""

    captive: str
    result: RescueResult


class ReturnCaptive(Record):
    """The holder lets a captive go."""

    captive: str
    why: str


class PutCaptiveToWork(Record):
    """A captive works in a territory of the holder; None: no more."""

    captive: str
    territory: str | None


class SellCaptive(Record):
    """Sold to the Guilders, by the action of `by`."""

    captive: str
    by: str


class ClaimBounty(Record):
    """An outlaw handed over by law-abiding captors, by the action of `by`."""

    captive: str
    by: str


class DisposeOfCaptive(Record):
    """Disposed of by outlaw captors, by the action of `by`."""

    captive: str
    by: str


class MedicalEscort(Record):
    """`by` takes a Critically Injured friend to the Doc. `paid` False: the fee is not paid."""

    patient: str
    by: str
    paid: bool = True
    grudge_against: str | None = None


class NegotiateRepairs(Record):
    """`by` has a damaged vehicle repaired. `worth` is vehicle and upgrades; None: as the card says."""

    vehicle: str
    by: str
    worth: int | None = None


class Trade(Record):
    """`by` spends the action on trading."""

    by: str


class EndActions(Record):
    """The gang takes no more post-battle actions: who is Critically Injured and unescorted dies."""

    gang: str


class SeekRare(Record):
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
