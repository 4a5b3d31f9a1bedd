"""Trench Crusade: Blessing Markers, and the morale of a warband.

Source: Trench Crusade (1.6) · Morale.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal, TypeAlias

from tracker.campaign.cards import on_combatant
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.kinds import (
    ChartTotal,
    DiceReasons,
    DieFace,
    FieldKind,
    FighterId,
    GangId,
    MarkerCount,
    Note,
    Size,
)
from tracker.campaign.state import CampaignState
from tracker.errors import BadInput, RulesRefuse
from tracker.records import replace

Turn: TypeAlias = Annotated[int, FieldKind(name="number", lowest=1, highest=20)]


# --- commands --------------------------------------------------------------------------------------------


@command(
    "GainBlessingMarkers",
    part="Blessing Markers",
    game="injury_chart",
    exchange="blessing",
    asks="fighter count? why",
)
class GainBlessingMarkers(Command, kw_only=True):
    """A model gains Blessing Markers, six at most."""

    fighter: FighterId
    """The model."""
    count: MarkerCount = 1
    """How many."""
    why: Note
    """What for."""

    def in_words(self, wording: Wording) -> str:
        markers = wording.counted(self.count, "Blessing Marker")
        return f"{markers} for {wording.fighter(self.fighter)}: {wording.words(self.why)}"


@command("SpendBlessingMarkers", part="Blessing Markers", game="injury_chart", exchange="blessing_spent")
class SpendBlessingMarkers(Command):
    """The owner spends Blessing Markers on an ACTION of the model, which the table rolls."""

    fighter: FighterId
    """The model."""
    count: MarkerCount = 1
    """How many: +1 DICE each."""

    def in_words(self, wording: Wording) -> str:
        return f"spend {wording.counted(self.count, 'Blessing Marker')} of {wording.fighter(self.fighter)}"


@command(
    "CheckMorale",
    part="morale of a warband",
    instead=("CheckBottle", "bottle in a battle report"),
    game="injury_chart",
    exchange="morale",
    asks="gang turn plus_dice? minus_dice?",
)
class CheckMorale(Command):
    """The success roll of a warband with half its models Down or Out of Action. Dice: morale."""

    sentence = "morale of {gang} at the end of turn {turn}"

    gang: GangId
    """The warband."""
    turn: Turn
    """The turn that ends."""
    plus_dice: DiceReasons = ()
    """Reasons for +1 DICE each, or how many."""
    minus_dice: DiceReasons = ()
    """Reasons for -1 DICE each, or how many."""
    held: bool | None = None
    """What the notes say of it, when nobody kept the dice."""
    shaken_instead: bool = False
    """true if by agreement a warband that fails is Shaken for a turn first."""
    kept: Annotated[tuple[DieFace, ...], Size(highest=20)] | None = None
    """The faces that count, in any order, where they are to be checked; else they are worked out."""
    total: ChartTotal | None = None
    """What they come to with everything added, where it is to be checked."""

    def contradiction(self, written: frozenset[str]) -> str | None:
        about_dice = {"kept", "minus_dice", "plus_dice", "total"} & written
        if self.held is not None and about_dice:
            return f"`held` says what came of it: take {', '.join(sorted(about_dice))} out."
        return None


# --- events ----------------------------------------------------------------------------------------------


@event("BlessingMarkersGained")
class BlessingMarkersGained(Event):
    """A model gained Blessing Markers. `lost` is the number over its limit; `markers` is its present
    number.
    """

    fighter: FighterId
    gained: int
    lost: int
    markers: int
    why: Note

    def in_words(self, wording: Wording) -> str:
        gained = wording.counted(self.gained, "Blessing Marker")
        lost = f", {self.lost} lost over the limit" if self.lost else ""
        gains = f"{wording.fighter(self.fighter)} gains {gained}{lost}"
        return f"{gains}, {self.markers} now: {wording.words(self.why)}"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, blessing_markers=self.markers)


@event("BlessingMarkersSpent")
class BlessingMarkersSpent(Event):
    """The owner took Blessing Markers off a model; `markers` are left. `use` is injury_roll or action."""

    fighter: FighterId
    spent: int
    use: str
    markers: int

    def in_words(self, wording: Wording) -> str:
        spent = f"{wording.counted(self.spent, 'Blessing Marker')} spent ({wording.words(self.use)})"
        return f"{wording.fighter(self.fighter)}: {spent}, {self.markers} left"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_combatant(state, self.fighter, blessing_markers=self.markers)


@event("MoraleTested")
class MoraleTested(Event):
    """The result of a morale test at the end of a turn. A warband that flees has lost."""

    OUTCOMES: ClassVar[dict[str, str]] = {
        "holds": "hold",
        "shaken": "are Shaken for a turn",
        "flees": "flee and have lost",
    }

    gang: GangId
    turn: int
    models: int
    down_or_out: int
    result: Literal["holds", "shaken", "flees"]
    section: str

    def in_words(self, wording: Wording) -> str:
        fallen = f"{self.down_or_out} of {self.models} Down or Out of Action"
        what = f"{self.OUTCOMES[self.result]} at the end of turn {self.turn}"
        return f"{wording.gang(self.gang)} {what}: {fallen}"

    def apply(self, state: CampaignState) -> CampaignState:
        battle = state.under_way
        if battle is None:
            return state
        tested = {**battle.morale_tested, self.gang: (*battle.morale_tested.get(self.gang, ()), self.turn)}
        changed = replace(battle, morale_tested=dict(sorted(tested.items())))
        if self.result == "shaken":
            changed = replace(changed, shaken=tuple(sorted({*battle.shaken, self.gang})))
        if self.result == "flees":
            changed = replace(changed, routed=tuple(sorted({*battle.routed, self.gang})))
        return replace(state, under_way=changed)


class MoraleHolds(RulesRefuse):
    """{gang} has {down_or_out} of {models} models Down or Out of Action, which is less than half: it takes no
    morale test ({section}).
    """

    gang: str
    down_or_out: int
    models: int
    section: str


class MoraleTestedAlready(RulesRefuse):
    """{gang} tested its morale at the end of turn {turn} already."""

    gang: str
    turn: int


class SmallerTestsFirst(RulesRefuse):
    """{smaller} is smaller than {gang} and must test at the end of turn {turn} as well: it comes first
    ({section}).
    """

    gang: str
    smaller: str
    turn: int
    section: str


class WarbandHasFled(RulesRefuse):
    """{gang} has fled this battle already."""

    gang: str


class NotInBattle(RulesRefuse):
    """{gang} does not fight in battle {battle!r}."""

    gang: str
    battle: str


class NoSuchTurn(BadInput):
    """Turns are counted from 1 to 20, not {turn}."""

    rules_out = True
    turn: int


class FledAndHasLost(RulesRefuse):
    """{gang} failed its morale and fled, which loses the battle: it can neither win nor draw."""

    gang: str
