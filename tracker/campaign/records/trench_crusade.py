"""Commands of a game whose injuries are read off a chart: injury rolls, Blood Markers, standing up, trauma.

What dice are added or taken away and why, whether Bloodbath is paid for, how many Blood Markers the
opponent spends: all of it is stated. What the card and the battle so far tell is not asked again.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.campaign.cards import on_fighter
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.entries import Modifier
from tracker.campaign.records.kinds import FighterId, GangId, Note, RowId
from tracker.campaign.state import CampaignState
from tracker.records import Record

ArmourWorn: TypeAlias = Literal["none", "standard", "reinforced", "machine"]
ChartResult: TypeAlias = Literal["no_effect", "minor_hit", "down", "out_of_action"]


class StatedModifier(Record):
    """A flat modifier that the table knows of, with its reason."""

    why: str
    by: int


@command("RollInjuryChart", game="injury_chart")
class RollInjuryChart(Command):
    """A roll on the Injury Chart. Trench Crusade (1.6) · Injury Chart.

    `plus_dice` and `minus_dice` are reasons, one DICE each; Down, old scars and spent markers are counted by
    themselves. `armour`, `shield` and `tough` None: as the card says. `result` is what the notes say, when
    nobody kept the dice. `spend_blessings` are Blessing Markers of the target that its owner spends.
    """

    target: str
    attacker: str | None = None
    pool: int = 2
    plus_dice: tuple[str, ...] = ()
    minus_dice: tuple[str, ...] = ()
    modifiers: tuple[StatedModifier, ...] = ()
    spend_markers: int = 0
    bloodbath: bool = False
    armour: ArmourWorn | None = None
    shield: bool | None = None
    tough: bool | None = None
    result: ChartResult | None = None
    in_melee: bool = False
    spend_blessings: int = 0


@command("SpendBloodMarkers", game="injury_chart")
class SpendBloodMarkers(Command):
    """The opponent spends a model's Blood Markers on its ACTION (-1 DICE each) or on an attack against it
    (+1 DICE each). The roll itself is the table's."""

    fighter: str
    count: int
    use: Literal["action", "attack"]
    attacker: str | None = None


@command("StandUp", game="injury_chart")
class StandUp(Command):
    """A model that is Down stands up: at the start of its activation, or by a RISKY ACTION.

    The ACTION is for the activation in which it went Down; `stood` is what the notes say of it.
    """

    fighter: str
    risky: bool = False
    plus_dice: tuple[str, ...] = ()
    minus_dice: tuple[str, ...] = ()
    spend_markers: int = 0
    stood: bool | None = None
    spend_blessings: int = 0


@command("DecideFate", game="injury_chart")
class DecideFate(Command):
    """What becomes of a model that went Out of Action: a D6 for troops, the Trauma table for ELITE.

    `ransom` is what the players agreed on for a captive, if they have.
    """

    fighter: str
    ransom: Literal["paid", "unpaid"] | None = None
    grudge_against: str | None = None


InjuryChartCommand: TypeAlias = RollInjuryChart | SpendBloodMarkers | StandUp | DecideFate


@event("ChartRead")
class ChartRead(Event):
    """A pool of dice was totalled and read off a chart.

    `dice` are the reasons for more or fewer dice, `kept` the faces that count, `modifiers` what was added
    to their sum. `result` is the band's id, `name` its name.
    """

    chart: str
    fighter: str
    by: str | None
    dice: tuple[Modifier, ...]
    faces: tuple[int, ...]
    kept: tuple[int, ...]
    modifiers: tuple[Modifier, ...]
    total: int
    result: str
    name: str
    section: str


@event("BloodMarkersGained")
class BloodMarkersGained(Event):
    """`lost` are those over the most that a model can bear; `markers` is what it has now."""

    fighter: str
    by: str | None
    gained: int
    lost: int
    markers: int


@event("BloodMarkersSpent")
class BloodMarkersSpent(Event):
    """The opponent took markers off a model, so that `markers` are left.

    `use` is injury_roll, bloodbath, action or attack.
    """

    fighter: str
    spent: int
    use: str
    markers: int


@event("FighterWentDown")
class FighterWentDown(Event):
    """Down on the table, until the model stands up."""

    fighter: str
    by: str | None


@event("ToughnessSpent")
class ToughnessSpent(Event):
    """TOUGH kept the model from going Out of Action; it will not do so again in this battle."""

    fighter: str


@event("FighterStoodUp")
class FighterStoodUp(Event):
    """`movement_halved`: for the rest of this activation."""

    fighter: str
    movement_halved: bool


@event("FateDecided")
class FateDecided(Event):
    """What became of a model that went Out of Action: the row or band, and its name."""

    fighter: str
    fate: str
    name: str
    section: str


@event("BattleScarTaken")
class BattleScarTaken(Event):
    """The `scars`th scar of `slots` that can be borne. `against` is the gang that it is about, if any."""

    fighter: FighterId
    scar: RowId
    means: Note
    scars: int
    slots: int
    against: GangId | None

    def in_words(self, wording: Wording) -> str:
        borne = f"Battle Scar {self.scars} of {self.slots}, {wording.title(self.scar)}"
        against = f" ({wording.gang(self.against)})" if self.against is not None else ""
        return f"{wording.fighter(self.fighter)} bears {borne}: {wording.words(self.means)}{against}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, scars=self.scars)


@event("GearForfeited")
class GearForfeited(Event):
    """Weapons, armour and everything else on the card are gone."""

    sentence = "{fighter} loses everything carried ({why})"

    fighter: FighterId
    why: RowId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, weapons=(), wargear=(), armour=None, field_armour=None)


@event("HeldForRansom")
class HeldForRansom(Event):
    """Captured. Blocks play until the ransom is settled. `captor` is a gang."""

    fighter: FighterId
    captor: GangId | None

    def in_words(self, wording: Wording) -> str:
        captor = f" by {wording.gang(self.captor)}" if self.captor is not None else ""
        return f"{wording.fighter(self.fighter)} is held for ransom{captor}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, capture_pending=True, captor=self.captor)


@event("RankChanged")
class RankChanged(Event):
    """A model's rank changed."""

    sentence = "{fighter}: {before} -> {after} ({why})"

    fighter: FighterId
    before: Note
    after: Note
    why: RowId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, category=self.after)
