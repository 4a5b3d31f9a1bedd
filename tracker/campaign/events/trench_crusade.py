"""Injuries read off a chart: what it said, Blood Markers, Down; scars and what else is carried home."""

from __future__ import annotations

from tracker.campaign.events.entries import Modifier
from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartRead:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class BloodMarkersGained:
    """`lost` are those over the most that a model can bear; `markers` is what it has now."""

    fighter: str
    by: str | None
    gained: int
    lost: int
    markers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BloodMarkersSpent:
    """The opponent took markers off a model, so that `markers` are left.

    `use` is injury_roll, bloodbath, action or attack.
    """

    fighter: str
    spent: int
    use: str
    markers: int


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterWentDown:
    """Down on the table, until the model stands up."""

    fighter: str
    by: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class ToughnessSpent:
    """TOUGH kept the model from going Out of Action; it will not do so again in this battle."""

    fighter: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FighterStoodUp:
    """`movement_halved`: for the rest of this activation."""

    fighter: str
    movement_halved: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FateDecided:
    """What became of a model that went Out of Action: the row or band, and its name."""

    fighter: str
    fate: str
    name: str
    section: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleScarTaken:
    """The `scars`th scar of `slots` that can be borne. `against` is the gang that it is about, if any."""

    fighter: str
    scar: str
    means: str
    scars: int
    slots: int
    against: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class GearForfeited:
    """Weapons, armour and everything else on the card are gone."""

    fighter: str
    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldForRansom:
    """Captured. Blocks play until the ransom is settled. `captor` is a gang."""

    fighter: str
    captor: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class RankChanged:
    """A model's rank changed."""

    fighter: str
    before: str
    after: str
    why: str
