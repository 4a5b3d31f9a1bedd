"""Commands around the Injury Chart: Blessing Markers and the morale of a warband."""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign.records.declaring import Command, command


@command("GainBlessingMarkers", game="injury_chart")
class GainBlessingMarkers(Command):
    """A model gains Blessing Markers, for a reason."""

    fighter: str
    count: int
    why: str


@command("SpendBlessingMarkers", game="injury_chart")
class SpendBlessingMarkers(Command):
    """The owner spends Blessing Markers on an ACTION of the model, +1 DICE each. The roll is the table's."""

    fighter: str
    count: int


@command("CheckMorale", game="injury_chart")
class CheckMorale(Command):
    """At the end of a turn a warband with half its models Down or Out of Action makes a success roll.

    `held` is what the notes say of it; `shaken_instead`: who fails is Shaken for a turn before they flee.
    """

    gang: str
    turn: int
    plus_dice: tuple[str, ...] = ()
    minus_dice: tuple[str, ...] = ()
    held: bool | None = None
    shaken_instead: bool = False


MoraleCommand: TypeAlias = GainBlessingMarkers | SpendBlessingMarkers | CheckMorale
