"""Commands that open a campaign, adopt policies, enlist and part with gangs and fighters."""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign.commands.vehicles import VehicleCard
from tracker.campaign.profiles import Armour, Category, Characteristics, Weapon
from tracker.records import Record


class PolicyText(Record):
    """A policy as it stood on the shelf when it was adopted: the log never looks it up again."""

    policy: str
    version: int
    title: str
    source: str
    patch: dict[str, str]


class OpenCampaign(Record):
    """A campaign begins under a book, with policies in force from its first battle."""

    name: str
    slug: str
    book: str
    policies: tuple[PolicyText, ...] = ()


class AdoptPolicy(Record):
    """`overrides` are policies that move a knob which this one moves too, and after which it is applied."""

    text: PolicyText
    from_battle: int
    reason: str
    overrides: tuple[str, ...] = ()


class RepealPolicy(Record):
    """A house rule is to hold no more from battle number `from_battle` on."""

    policy: str
    from_battle: int
    reason: str


class FighterCard(Record):
    """A fighter as written on a gang sheet."""

    fighter: str
    name: str
    category: Category
    kind: str
    cost_credits: int
    characteristics: Characteristics
    experience: int = 0
    skills: tuple[str, ...] = ()
    armour: Armour | None = None
    field_armour: Armour | None = None
    weapons: tuple[Weapon, ...] = ()
    wargear: tuple[str, ...] = ()
    mounted: bool = False
    gang_fighter: bool | None = None


class EnlistGang(Record):
    """A gang joins with its fighters and vehicles, and so many credits in its stash."""

    gang: str
    name: str
    house: str
    player: str
    credits: int
    reputation: int
    fighters: tuple[FighterCard, ...]
    vehicles: tuple[VehicleCard, ...] = ()


class EnlistFighter(Record):
    """One more fighter for a gang that is already enlisted."""

    gang: str
    card: FighterCard


class RetireFighter(Record):
    """A fighter leaves. `gear_to_stash`: what they carry stays with the gang."""

    fighter: str
    reason: str
    gear_to_stash: bool = False


class RenameFighter(Record):
    """A fighter is called `name` from now on; the id stays."""

    fighter: str
    name: str


CampaignCommand: TypeAlias = (
    OpenCampaign | AdoptPolicy | RepealPolicy | EnlistGang | EnlistFighter | RetireFighter | RenameFighter
)
