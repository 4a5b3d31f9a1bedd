"""Campaigns, policies, gangs and fighters."""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign.profiles import Armour, Category, Characteristics, Weapon
from tracker.records import Record

KnobValue: TypeAlias = str


class CampaignOpened(Record):
    """The campaign begins under a book."""

    name: str
    slug: str
    book: str


class PolicyAdopted(Record):
    """A house rule holds from battle number `from_battle` on. It carries its whole patch.

    `overrides` are policies that move a knob which this one moves too: it was ordered after them on purpose.
    """

    policy: str
    version: int
    title: str
    source: str
    patch: dict[str, KnobValue]
    from_battle: int
    reason: str
    overrides: tuple[str, ...] = ()


class PolicyRepealed(Record):
    """A house rule holds no more from battle number `from_battle` on."""

    policy: str
    version: int
    from_battle: int
    reason: str


class GangEnlisted(Record):
    """A gang joins, with so many credits in its stash."""

    gang: str
    name: str
    house: str
    player: str
    credits: int
    reputation: int


class FighterEnlisted(Record):
    """A fighter joins a gang with the card that the user typed. Saves are the lowest D6 that saves."""

    fighter: str
    gang: str
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


class FighterRetired(Record):
    """A fighter left the gang for good."""

    fighter: str
    reason: str


class FighterRenamed(Record):
    """A fighter is called otherwise from now on; the id stays."""

    fighter: str
    before: str
    after: str
