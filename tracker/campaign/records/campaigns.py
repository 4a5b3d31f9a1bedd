"""Commands that open a campaign, adopt policies, enlist and part with gangs and fighters."""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign.profiles import Armour, Category, Characteristics, Weapon
from tracker.campaign.records.declaring import Command, Event, command, event
from tracker.campaign.records.kinds import FighterId, Note
from tracker.campaign.records.vehicle_cards import VehicleCard
from tracker.errors import BadInput, RulesRefuse, nearest
from tracker.records import Record


class PolicyText(Record):
    """A policy as it stood on the shelf when it was adopted: the log never looks it up again."""

    policy: str
    version: int
    title: str
    source: str
    patch: dict[str, str]


@command("OpenCampaign", game="every")
class OpenCampaign(Command):
    """A campaign begins under a book, with policies in force from its first battle."""

    name: str
    slug: str
    book: str
    policies: tuple[PolicyText, ...] = ()


@command("AdoptPolicy", game="every")
class AdoptPolicy(Command):
    """`overrides` are policies that move a knob which this one moves too, and after which it is applied."""

    text: PolicyText
    from_battle: int
    reason: str
    overrides: tuple[str, ...] = ()


@command("RepealPolicy", game="every")
class RepealPolicy(Command):
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


@command("EnlistGang", game="every")
class EnlistGang(Command):
    """A gang joins with its fighters and vehicles, and so many credits in its stash."""

    gang: str
    name: str
    house: str
    player: str
    credits: int
    reputation: int
    fighters: tuple[FighterCard, ...]
    vehicles: tuple[VehicleCard, ...] = ()


@command("EnlistFighter", game="every")
class EnlistFighter(Command):
    """One more fighter for a gang that is already enlisted."""

    gang: str
    card: FighterCard


@command("RetireFighter", game="every", entry="retire", stated={"gear_to_stash": True})
class RetireFighter(Command):
    """A fighter leaves for good; what they carry stays in the stash."""

    fighter: FighterId
    """Who leaves."""
    reason: Note
    """Why."""
    gear_to_stash: bool = False
    """False in entries of before things were counted: what they carry goes with them."""


@command("RenameFighter", game="every")
class RenameFighter(Command):
    """A fighter is called `name` from now on; the id stays."""

    fighter: str
    name: str


CampaignCommand: TypeAlias = (
    OpenCampaign | AdoptPolicy | RepealPolicy | EnlistGang | EnlistFighter | RetireFighter | RenameFighter
)


KnobValue: TypeAlias = str


@event("CampaignOpened")
class CampaignOpened(Event):
    """The campaign begins under a book."""

    name: str
    slug: str
    book: str


@event("PolicyAdopted")
class PolicyAdopted(Event):
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


@event("PolicyRepealed")
class PolicyRepealed(Event):
    """A house rule holds no more from battle number `from_battle` on."""

    policy: str
    version: int
    from_battle: int
    reason: str


@event("GangEnlisted")
class GangEnlisted(Event):
    """A gang joins, with so many credits in its stash."""

    gang: str
    name: str
    house: str
    player: str
    credits: int
    reputation: int


@event("FighterEnlisted")
class FighterEnlisted(Event):
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


@event("FighterRetired")
class FighterRetired(Event):
    """A fighter left the gang for good."""

    fighter: str
    reason: str


@event("FighterRenamed")
class FighterRenamed(Event):
    """A fighter is called otherwise from now on; the id stays."""

    fighter: str
    before: str
    after: str


class GangEnlistedAlready(BadInput):
    """A gang {gang!r} is enlisted already. Give this one another 'gang:' id, or see 'arbitrator gang show
    {gang}'.
    """

    gang: str


class FighterEnlistedAlready(BadInput):
    """A fighter {fighter!r} is enlisted already (gang {gang!r}). Ids are unique in a campaign: give this
    fighter an 'id:' of its own.
    """

    fighter: str
    gang: str


class OtherCharacteristics(BadInput):
    fighter: str
    missing: tuple[str, ...]
    unknown: tuple[str, ...]

    def message(self) -> str:
        lacks = f" lacks {', '.join(self.missing)}" if self.missing else ""
        has = f" has {', '.join(self.unknown)}, which this book does not print" if self.unknown else ""
        return f"{self.fighter}'s card{lacks}{' and' if lacks and has else ''}{has}."


class RankNotInBook(BadInput):
    """{fighter}: this campaign's book knows no category {rank!r}.{rank:nearest} It has: {known}."""

    fighter: str
    rank: str
    known: tuple[str, ...]


class CharacteristicOutOfRange(BadInput):
    """{fighter}: {characteristic} {value} is not printed by this book, which goes from {worst} to {best}."""

    fighter: str
    characteristic: str
    value: str
    best: str
    worst: str


class PolicyForAnotherBook(BadInput):
    """{policy}@{version} is no house rule for {book}, which has no {knob}. 'arbitrator rules list --book
    {book}' shows those that fit.
    """

    policy: str
    version: int
    book: str
    knob: str


class PolicyInForceAlready(RulesRefuse):
    """{policy}@{version} is in force already. See 'arbitrator policy history'."""

    policy: str
    version: int


class PolicyNotInForce(RulesRefuse):
    policy: str
    in_force: tuple[str, ...]

    def message(self) -> str:
        return (
            f"{self.policy} is not in force, so it cannot be repealed.{nearest(self.policy, self.in_force)}"
        )


class KnobMovedAlready(RulesRefuse):
    """{policy} moves the knob {knob}, which {other} moves already. Repeal one of them first, or say that it
    is meant so: --after {other} applies {policy} after it.
    """

    knob: str
    policy: str
    other: str


class BattleInThePast(RulesRefuse):
    """Battle {from_battle} is recorded already: what was decided stays decided under the rules of its day.
    The next battle is {next_battle}.
    """

    from_battle: int
    next_battle: int
