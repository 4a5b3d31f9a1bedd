"""Commands about what a gang is given beside income: recruits and equipment of territories, patronage."""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign.profiles import Item
from tracker.campaign.records.campaigns import FighterCard
from tracker.campaign.records.declaring import Command, Event, command, event
from tracker.errors import BadInput, RulesRefuse


@command("TakeRecruit", whose="territory")
class TakeRecruit(Command):
    """The recruit of a territory, who costs nothing.

    Where dice say who may come, `cards` holds one for each rank that they may bring; who fits joins.
    """

    territory: str
    cards: tuple[FighterCard, ...] = ()


@command("TakeEquipment", whose="territory")
class TakeEquipment(Command):
    """The equipment of a territory, for the stash. The book says how many; `item` is one of them."""

    territory: str
    item: Item


@command("TakePatronage")
class TakePatronage(Command):
    """What a patron sends a gang that is far behind the one it is to fight."""

    gang: str
    against: str
    reason: str | None = None


BoonCommand: TypeAlias = TakeRecruit | TakeEquipment | TakePatronage


@event("BoonTaken")
class BoonTaken(Event):
    """A gang has this of a territory, and only as long as it holds it: a recruit, or things by name."""

    gang: str
    territory: str
    name: str
    recruit: str | None
    items: tuple[str, ...]
    section: str


@event("ModelPainted")
class ModelPainted(Event):
    """A fighter's model is painted, and has had its XP for it."""

    fighter: str


class NoSuchBoon(RulesRefuse):
    """{territory} brings {gang} no {boon} ({section}): leave the entry out."""

    territory: str
    gang: str
    boon: str
    section: str


class BoonTakenBefore(RulesRefuse):
    """{gang} has had what {territory} brings already: {what}."""

    territory: str
    gang: str
    what: str


class RecruitOfAnotherKind(BadInput):
    """{territory} brings {brings}, and {who} is {given}: name another."""

    territory: str
    who: str
    given: str
    brings: str


class BoonNotSold(RulesRefuse):
    """{item} comes from {territory} and can neither be sold nor given to another gang: it goes when the
    territory does.
    """

    item: str
    territory: str


class NoPatronage(RulesRefuse):
    """{gang} has no patronage: {why}."""

    gang: str
    why: str
