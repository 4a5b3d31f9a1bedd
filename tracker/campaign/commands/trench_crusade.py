"""Commands of a game whose injuries are read off a chart: injury rolls, Blood Markers, standing up, trauma.

What dice are added or taken away and why, whether Bloodbath is paid for, how many Blood Markers the
opponent spends: all of it is stated. What the card and the battle so far tell is not asked again.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.records import Record

ArmourWorn: TypeAlias = Literal["none", "standard", "reinforced", "machine"]
ChartResult: TypeAlias = Literal["no_effect", "minor_hit", "down", "out_of_action"]


class StatedModifier(Record):
    """A flat modifier that the table knows of, with its reason."""

    why: str
    by: int


class RollInjuryChart(Record):
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


class SpendBloodMarkers(Record):
    """The opponent spends a model's Blood Markers on its ACTION (-1 DICE each) or on an attack against it
    (+1 DICE each). The roll itself is the table's."""

    fighter: str
    count: int
    use: Literal["action", "attack"]
    attacker: str | None = None


class StandUp(Record):
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


class DecideFate(Record):
    """What becomes of a model that went Out of Action: a D6 for troops, the Trauma table for ELITE.

    `ransom` is what the players agreed on for a captive, if they have.
    """

    fighter: str
    ransom: Literal["paid", "unpaid"] | None = None
    grudge_against: str | None = None


InjuryChartCommand: TypeAlias = RollInjuryChart | SpendBloodMarkers | StandUp | DecideFate
