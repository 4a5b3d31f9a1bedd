"""Commands about what a gang is given beside income: recruits and equipment of territories, patronage."""

from __future__ import annotations

from typing import TypeAlias

from tracker.campaign.commands.campaigns import FighterCard
from tracker.campaign.profiles import Item
from tracker.records import Record


class TakeRecruit(Record):
    """The recruit of a territory, who costs nothing.

    Where dice say who may come, `cards` holds one for each rank that they may bring; who fits joins.
    """

    territory: str
    cards: tuple[FighterCard, ...] = ()


class TakeEquipment(Record):
    """The equipment of a territory, for the stash. The book says how many; `item` is one of them."""

    territory: str
    item: Item


class TakePatronage(Record):
    """What a patron sends a gang that is far behind the one it is to fight."""

    gang: str
    against: str
    reason: str | None = None


BoonCommand: TypeAlias = TakeRecruit | TakeEquipment | TakePatronage
