"""Exchanges of a game whose injuries are read off a chart: the chart, Blood Markers, standing up, fates."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal, Self

from pydantic import BeforeValidator, Field, model_validator

from tracker.campaign import records
from tracker.documents.card_numbers import Written
from tracker.documents.checking import Strict, fault
from tracker.documents.text import Note, Slug

DICE_MAX: Final = 10

PoolDice = Annotated[int, Written(lowest=1, highest=6)]
MarkerCount = Annotated[int, Written(lowest=1, highest=6)]
FlatModifier = Annotated[
    int, Written(lowest=-9, highest=9, pattern="([-+]?[0-9])", example="such as +1 or -1")
]


def _reasons(given: Any) -> Any:
    """A bare number of dice is as many dice without a reason; one reason is a list of one."""
    if type(given) is int and 0 <= given <= DICE_MAX:
        return ["as stated"] * given
    return [given] if isinstance(given, str) else given


_ReasonList = Annotated[list[Note], Field(max_length=DICE_MAX)]
_ReasonCount = Annotated[int, Field(ge=0, le=DICE_MAX)]
DiceReasons = Annotated[
    _ReasonList, BeforeValidator(_reasons, json_schema_input_type=_ReasonCount | Note | _ReasonList)
]


class FlatModifierStated(Strict):
    """Something added to the total, or taken off."""

    why: Note
    """What for."""
    by: FlatModifier
    """How much: +1 or -1."""


class InjuryChart(Strict):
    """A roll on the Injury Chart against a model. What is rolled: injury_chart."""

    target: Slug
    """The model that was hit."""
    attacker: Slug | None = None
    """The model that hit it; left out where none did."""
    pool: PoolDice = 2
    """How many D6 are totalled, where a rule asks for more or fewer than two."""
    plus_dice: DiceReasons = Field(default=[])
    """Reasons for +1 DICE each, or how many. Down, old scars and Blood Markers count by themselves."""
    minus_dice: DiceReasons = Field(default=[])
    """Reasons for -1 DICE each, or how many."""
    modifiers: list[FlatModifierStated] = Field(default=[], max_length=DICE_MAX)
    """What else is added to the total. Armour and shield count by themselves."""
    spend_markers: MarkerCount | None = None
    """Blood Markers of the target that its opponent spends, +1 DICE each."""
    bloodbath: bool = False
    """Whether Bloodbath is paid for: 6 Blood Markers of the target, 3 if it is Down."""
    armour: records.ArmourWorn | None = None
    """What armour counts against this roll, where it is not what the card says."""
    shield: bool | None = None
    """Whether a Trench Shield counts, where it is not as the card says."""
    tough: bool | None = None
    """Whether the model is TOUGH, where it is not as the card says."""
    melee: bool = False
    """Whether it is a melee attack; asked for only where house rules count by it."""
    spend_blessings: MarkerCount | None = None
    """Blessing Markers of the target that its owner spends, -1 DICE each."""
    result: records.ChartResult | None = None
    """What the notes say the chart showed, when nobody kept the dice."""

    @model_validator(mode="after")
    def _dice_or_result(self) -> Self:
        about_dice = {"pool", "plus_dice", "minus_dice", "modifiers"} & self.model_fields_set
        if self.result is not None and about_dice:
            raise fault(f"`result` says what came of it: take {', '.join(sorted(about_dice))} out.")
        return self

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nothing here counts by activation
        """As asked of the campaign."""
        return records.RollInjuryChart(
            target=self.target,
            attacker=self.attacker,
            pool=self.pool,
            plus_dice=tuple(self.plus_dice),
            minus_dice=tuple(self.minus_dice),
            modifiers=tuple(records.StatedModifier(why=one.why, by=one.by) for one in self.modifiers),
            spend_markers=self.spend_markers or 0,
            bloodbath=self.bloodbath,
            armour=self.armour,
            shield=self.shield,
            tough=self.tough,
            result=self.result,
            in_melee=self.melee,
            spend_blessings=self.spend_blessings or 0,
        )


class BloodMarkers(Strict):
    """Blood Markers spent by the opponent on a roll that the table makes itself."""

    fighter: Slug
    """The model that has them."""
    count: MarkerCount
    """How many are spent."""
    use: Literal["action", "attack"]
    """On an ACTION of the model (-1 DICE each) or on an attack against it (+1 DICE each)."""
    attacker: Slug | None = None
    """Who attacks."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nothing here counts by activation
        """As asked of the campaign."""
        return records.SpendBloodMarkers(
            fighter=self.fighter, count=self.count, use=self.use, attacker=self.attacker
        )


class Stand(Strict):
    """A model that is Down stands up."""

    fighter: Slug
    """Who stands up."""
    risky: bool = False
    """true in the activation in which it went Down: a RISKY ACTION. What is rolled: risky_stand."""
    plus_dice: DiceReasons = Field(default=[])
    """Reasons for +1 DICE each, or how many."""
    minus_dice: DiceReasons = Field(default=[])
    """Reasons for -1 DICE each, or how many. Being Down counts by itself."""
    spend_markers: MarkerCount | None = None
    """Blood Markers that the opponent spends on it, -1 DICE each."""
    spend_blessings: MarkerCount | None = None
    """Blessing Markers that the owner spends on it, +1 DICE each."""
    stood: bool | None = None
    """What the notes say of the RISKY ACTION, when nobody kept the dice."""

    @model_validator(mode="after")
    def _rolled_or_not(self) -> Self:
        spends = {"spend_markers", "spend_blessings"}
        rolled = ({"plus_dice", "minus_dice", "stood"} | spends) & self.model_fields_set
        if not self.risky and rolled:
            raise fault(
                f"without `risky: true` there is no roll to stand up: take {', '.join(sorted(rolled))} out."
            )
        if self.stood is not None and {"plus_dice", "minus_dice"} & self.model_fields_set:
            raise fault("`stood` says what came of it: take plus_dice and minus_dice out.")
        return self

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nothing here counts by activation
        """As asked of the campaign."""
        return records.StandUp(
            fighter=self.fighter,
            risky=self.risky,
            plus_dice=tuple(self.plus_dice),
            minus_dice=tuple(self.minus_dice),
            spend_markers=self.spend_markers or 0,
            stood=self.stood,
            spend_blessings=self.spend_blessings or 0,
        )


class Fate(Strict):
    """What becomes of a model that went Out of Action: troop_fate for a troop, trauma for an ELITE model.

    Left out, it is rolled in the Wrap-up.
    """

    fighter: Slug
    """Whose fate it is."""
    ransom: Literal["paid", "unpaid"] | None = None
    """What the players agreed on for a captive, if they have."""
    grudge_against: Slug | None = None
    """The gang that caused it, where nobody is known to have."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nothing here counts by activation
        """As asked of the campaign."""
        return records.DecideFate(
            fighter=self.fighter, ransom=self.ransom, grudge_against=self.grudge_against
        )
