"""Captives: escape and capture rolls, trades, rescues, work, sale and disposal.

The captive's record names the holder, and both rosters are derived from it. Source: Core Rulebook (2023) ·
The Post-battle Sequence · Captives; Archived rules · Captives.
"""

from __future__ import annotations

from typing import Any, ClassVar

from tracker.campaign.after_battle import RescueResult, Result
from tracker.campaign.cards import on_fighter
from tracker.campaign.holdings import OUTSIDE
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.kinds import Count, Credits, FighterId, GangId, Note, TerritoryId, Workplace
from tracker.campaign.state import CampaignState
from tracker.errors import BadInput, RulesRefuse

AT_HOME: dict[str, Any] = {"held_by": None, "rescue": None, "works_at": None, "off_rating": False}
"""What is on the card of somebody whom nobody holds."""
RANSOM = ("SettleRansom", "ransom in a post-battle file")
"""What books without captives have in their place."""


# --- commands --------------------------------------------------------------------------------------------


@command(
    "RollEscape",
    part="escape rolls",
    instead=RANSOM,
    entry="escape",
    activity="escape",
    whose="fighter",
)
class RollEscape(Command):
    """The escape roll of a Captured fighter. Dice: escape."""

    fighter: FighterId
    """Who was Captured."""
    holder: GangId | None = None
    """The {game.gang} that would hold them; else the one that caused the injury, or the only enemy."""
    result: Result | None = None
    """How the battle went for the fighter's {game.gang}; else as recorded."""
    webbed: bool | None = None
    """Whether they went Out of Action while Webbed; else as recorded."""
    late: Note | None = None
    """The Arbitrator's word why it comes after the Wrap-up."""

    def in_words(self, wording: Wording) -> str:
        late = f" (late: {wording.words(self.late)})" if self.late is not None else ""
        return f"escape of {wording.fighter(self.fighter)}{late}"


@command(
    "RollCapture",
    part="capture rolls",
    instead=("DecideFate", "trauma in a battle report"),
    entry="capture",
    activity="capture",
    whose="gang",
    asks="gang captive? bounty_hunters? restrained?",
)
class RollCapture(Command):
    """A capture roll (archived rules) of the {game.gang} alone on the field. Dice: capture."""

    sentence = "{gang} try to take a captive"

    gang: GangId
    """The {game.gang} that alone holds the battlefield."""
    captive: FighterId | None = None
    """Whom the table drew at random; else drawn by dice."""
    bounty_hunters: Count = 0
    """Bounty Hunters that the {game.gang} hired."""
    restrained: Count = 0
    """Enemies restrained."""
    water_guild: Count = 0
    """Water Guild fighters still up with their Master."""
    law_and_misrule: bool = False
    """Whether the campaign is Law and Misrule, with the lower level."""


@command(
    "TradeCaptive",
    part="trade in captives",
    instead=RANSOM,
    entry="trade_captive",
    asks="captive to price?",
)
class TradeCaptive(Command):
    """An agreed trade of a captive, at any time."""

    captive: FighterId
    """Who is held."""
    to: GangId
    """The {game.gang} that gets them: their own, where they are free at once, or another holder."""
    price: Credits = 0
    """What that {game.gang} pays the holder."""
    for_captive: FighterId | None = None
    """A captive of that {game.gang} who goes to the holder in exchange."""

    def in_words(self, wording: Wording) -> str:
        price = f" for {wording.money(self.price)}" if self.price else ""
        swap = f" in exchange for {wording.fighter(self.for_captive)}" if self.for_captive is not None else ""
        return f"trade captive {wording.fighter(self.captive)} to {wording.gang(self.to)}{price}{swap}"


@command("EndRescue", part="Rescue Missions", instead=RANSOM, entry="rescue")
class EndRescue(Command):
    """The Rescue Mission for a captive ends."""

    sentence = "Rescue Mission for {captive}: {result}"

    captive: FighterId
    """Who is held."""
    result: RescueResult
    """Rescued: free at once. Failed, or declined by their own {game.gang}: the holder may be rid of them."""


@command("ReturnCaptive", part="captives to let go", instead=RANSOM, entry="return_captive")
class ReturnCaptive(Command):
    """The holder lets a captive go."""

    sentence = "let {captive} go: {why}"

    captive: FighterId
    """Who is held."""
    why: Note
    """Why."""


@command("PutCaptiveToWork", part="work for captives", instead=RANSOM, entry="captive_works")
class PutCaptiveToWork(Command):
    """A captive works in a territory of the holder, and cannot be sold meanwhile."""

    captive: FighterId
    """Who is held."""
    territory: Workplace
    """Where; nowhere takes them off work."""

    def in_words(self, wording: Wording) -> str:
        where = f"works at {wording.words(self.territory)}" if self.territory is not None else "stops working"
        return f"captive {wording.fighter(self.captive)} {where}"


@command(
    "SellCaptive",
    part="sale of captives",
    instead=RANSOM,
    entry="sell_captive",
    activity="actions",
    whose="by",
)
class SellCaptive(Command):
    """The holder sells a captive to the Guilders for half the full cost, rounded up to 5."""

    sentence = "{by} sells {captive} to the Guilders"

    captive: FighterId
    """Who is held."""
    by: FighterId
    """The fighter of the holder whose action it is."""


@command(
    "ClaimBounty",
    part="bounties for captives",
    instead=RANSOM,
    entry="claim_bounty",
    activity="actions",
    whose="by",
)
class ClaimBounty(Command):
    """A law-abiding {game.gang} hands an outlaw captive over for the full cost."""

    sentence = "{by} claims the bounty on {captive}"

    captive: FighterId
    """Who is held."""
    by: FighterId
    """The fighter of the holder whose action it is."""


@command(
    "DisposeOfCaptive",
    part="disposal of captives",
    instead=RANSOM,
    entry="dispose_of_captive",
    activity="actions",
    whose="by",
)
class DisposeOfCaptive(Command):
    """An outlaw {game.gang} disposes of a captive."""

    sentence = "{by} disposes of {captive}"

    captive: FighterId
    """Who is held."""
    by: FighterId
    """The fighter of the holder whose action it is."""


# --- events ----------------------------------------------------------------------------------------------


@event("FighterEscaped")
class FighterEscaped(Event):
    """A Captured fighter got away before anybody held them."""

    sentence = "{fighter} escapes"

    fighter: FighterId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, capture_pending=False, captor=None)


@event("FighterCaptured")
class FighterCaptured(Event):
    """A fighter is a captive of `holder`. `off_rating`: their cost counts for nobody until they come home."""

    fighter: FighterId
    holder: GangId
    off_rating: bool
    section: str

    def in_words(self, wording: Wording) -> str:
        off = ", and does not count in the rating" if self.off_rating else ""
        return f"{wording.fighter(self.fighter)} is a captive of {wording.gang(self.holder)}{off}"

    def apply(self, state: CampaignState) -> CampaignState:
        held: dict[str, Any] = {**AT_HOME, "held_by": self.holder, "off_rating": self.off_rating}
        return on_fighter(state, self.fighter, capture_pending=False, captor=None, **held)


@event("CaptivePassedOn")
class CaptivePassedOn(Event):
    """A captive went to another holder."""

    sentence = "captive {fighter}: {before} -> {holder} ({why})"

    fighter: FighterId
    before: GangId
    holder: GangId
    why: Note

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, held_by=self.holder, works_at=None)


@event("CaptiveFreed")
class CaptiveFreed(Event):
    """A captive is home again and free to do anything."""

    sentence = "{fighter} is no longer a captive of {holder}: {why}"

    fighter: FighterId
    holder: GangId
    why: Note

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, **AT_HOME)


@event("RescueEnded")
class RescueEnded(Event):
    """A Rescue Mission did not bring the captive home. The holder may now sell or dispose of them."""

    OUTCOMES: ClassVar[dict[str, str]] = {
        "rescued": "is rescued",
        "failed": "is not rescued",
        "declined": "is left to the captors",
    }

    fighter: FighterId
    holder: GangId
    result: RescueResult

    def in_words(self, wording: Wording) -> str:
        return f"{wording.fighter(self.fighter)} {self.OUTCOMES[self.result]}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, rescue=self.result)


@event("CaptiveSold")
class CaptiveSold(Event):
    """A captive was sold or handed over to `to`, for good."""

    fighter: FighterId
    holder: GangId
    to: str
    value: Credits
    section: str

    def in_words(self, wording: Wording) -> str:
        value = wording.money(self.value)
        to = OUTSIDE.get(self.to, wording.text(self.to))
        how = f"handed over for a bounty of {value}" if self.to == "@bounty" else f"sold to {to} for {value}"
        return f"{wording.fighter(self.fighter)} is {how} and gone for good"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, **AT_HOME, standing="sold")


@event("CaptivePutToWork")
class CaptivePutToWork(Event):
    """A captive works for the holder; `territory` None: no longer."""

    fighter: FighterId
    holder: GangId
    territory: TerritoryId | None

    def in_words(self, wording: Wording) -> str:
        where = f"works at {wording.words(self.territory)}" if self.territory is not None else "stops working"
        return f"captive {wording.fighter(self.fighter)} {where}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, works_at=self.territory)


# --- refusals --------------------------------------------------------------------------------------------


class NotCaptured(RulesRefuse):
    """{fighter} has no Captured result waiting, so there is no escape roll. See 'arbitrator fighter show'."""

    fighter: str


class CriticalFirst(RulesRefuse):
    """{fighter} is Critically Injured too: the Doc comes first, and the escape roll only for a survivor
    (setting captured.with_critical).
    """

    fighter: str


class HolderMissing(BadInput):
    """Say who would hold {fighter}: `holder:`, one of {gangs:or the gangs of the battle}."""

    lacks = "holder"

    fighter: str
    gangs: tuple[str, ...]


class HolderImpossible(RulesRefuse):
    """{holder} cannot hold {fighter}: that is the fighter's own {game.gang}."""

    fighter: str
    holder: str


class ResultMissing(BadInput):
    """{fighter} did not fight in the {game.gang}'s last battle: say `result:` (won, drawn or lost) of the
    battle they were captured in.
    """

    lacks = "result"

    fighter: str


class NotACaptive(RulesRefuse):
    """{fighter} is nobody's captive: {why}. See 'arbitrator gang captives'."""

    fighter: str
    why: str


class HeldByAnother(RulesRefuse):
    """{fighter} is held by {holder}, not by {asked}. See 'arbitrator gang captives'."""

    fighter: str
    holder: str
    asked: str


class CaptiveCannotRetire(RulesRefuse):
    """{fighter} is a captive of {holder} and cannot retire: first the captive is returned, traded, rescued,
    sold or disposed of, in a post-battle file ('arbitrator battle post').
    """

    fighter: str
    holder: str


class RescueComesFirst(RulesRefuse):
    """{owner} may first try to rescue {captive}: the holder may sell or dispose of a captive only after a
    failed or declined Rescue Mission ({section}). Record how it ended with `rescue:`.
    """

    captive: str
    owner: str
    section: str


class RescueDone(RulesRefuse):
    """The rescue of {captive} is settled already: {result}. Take this entry out."""

    captive: str
    result: str


class CaptiveAtWork(RulesRefuse):
    """{captive} works at {territory}, and whoever works there may not be sold. Take them off it first:
    `captive_works` with `territory: nowhere`.
    """

    captive: str
    territory: str


class WrongSideOfTheLaw(RulesRefuse):
    who: str
    alignment: str | None
    needed: str
    what: str

    def message(self) -> str:
        if self.alignment is None:
            return (
                f"Nobody has said on which side of the law {self.who} stand, and {self.what} asks for it:"
                " record an `alignment:` entry first (law_abiding or outlaw)."
            )
        is_, wants = self.alignment.replace("_", "-"), self.needed.replace("_", "-")
        return f"{self.who} are {is_}, and {self.what} is for {wants} {self.called('gangs')}."
