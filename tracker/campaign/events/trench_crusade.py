"""Injuries read off a chart: what it said, Blood Markers, Down; scars and what else is carried home."""

from __future__ import annotations

from tracker.campaign.events.entries import Modifier
from tracker.records import Record


class ChartRead(Record):
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


class BloodMarkersGained(Record):
    """`lost` are those over the most that a model can bear; `markers` is what it has now."""

    fighter: str
    by: str | None
    gained: int
    lost: int
    markers: int


class BloodMarkersSpent(Record):
    """The opponent took markers off a model, so that `markers` are left.

    `use` is injury_roll, bloodbath, action or attack.
    """

    fighter: str
    spent: int
    use: str
    markers: int


class FighterWentDown(Record):
    """Down on the table, until the model stands up."""

    fighter: str
    by: str | None


class ToughnessSpent(Record):
    """TOUGH kept the model from going Out of Action; it will not do so again in this battle."""

    fighter: str


class FighterStoodUp(Record):
    """`movement_halved`: for the rest of this activation."""

    fighter: str
    movement_halved: bool


class FateDecided(Record):
    """What became of a model that went Out of Action: the row or band, and its name."""

    fighter: str
    fate: str
    name: str
    section: str


class BattleScarTaken(Record):
    """The `scars`th scar of `slots` that can be borne. `against` is the gang that it is about, if any."""

    fighter: str
    scar: str
    means: str
    scars: int
    slots: int
    against: str | None


class GearForfeited(Record):
    """Weapons, armour and everything else on the card are gone."""

    fighter: str
    why: str


class HeldForRansom(Record):
    """Captured. Blocks play until the ransom is settled. `captor` is a gang."""

    fighter: str
    captor: str | None


class RankChanged(Record):
    """A model's rank changed."""

    fighter: str
    before: str
    after: str
    why: str
