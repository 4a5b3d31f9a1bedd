"""Boons: recruits and equipment of territories, patronage, XP for painted models."""

from __future__ import annotations

from tracker.campaign.cards import on_fighter
from tracker.campaign.profiles import Item
from tracker.campaign.records.campaigns import FighterCard
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.kinds import FighterId, GangId, Note, TerritoryId
from tracker.campaign.records.territories import with_territory
from tracker.campaign.state import CampaignState
from tracker.errors import BadInput, RulesRefuse
from tracker.records import replace

# --- commands --------------------------------------------------------------------------------------------


@command(
    "TakeRecruit",
    part="recruits from territories",
    instead=("CallReinforcements", "reinforcements in a post-battle file"),
    whose="territory",
)
class TakeRecruit(Command):
    """The free recruit of a territory. If dice decide who may come, `cards` holds one card for each rank they
    may bring.
    """

    sentence = "recruit from {territory}"

    territory: TerritoryId
    cards: tuple[FighterCard, ...] = ()


@command(
    "TakeEquipment",
    part="equipment from territories",
    instead=("BuyItem", "buy in a post-battle file"),
    whose="territory",
)
class TakeEquipment(Command):
    """The equipment of a territory, for the stash. The book says how many; `item` is one of them."""

    territory: TerritoryId
    item: Item

    def in_words(self, wording: Wording) -> str:
        return f"equipment from {wording.text(self.territory)}: {wording.text(self.item.name)}"


@command("TakePatronage", part="patronage", entry="patronage", only_names=("against",))
class TakePatronage(Command):
    """Patronage by a house rule: {game.credits} for a {game.gang} that is far behind its next enemy."""

    sentence = "patronage for {gang}, to fight {against}"

    gang: GangId
    """The {game.gang} that is behind."""
    against: GangId
    """The {game.gang} that it is to fight."""
    reason: Note | None = None
    """Anything to be shown with it."""


# --- events ----------------------------------------------------------------------------------------------


@event("BoonTaken")
class BoonTaken(Event):
    """A gang received a boon of a territory (a recruit, or items by name) and keeps it as long as it holds
    the territory.
    """

    gang: GangId
    territory: TerritoryId
    name: str
    recruit: FighterId | None
    items: tuple[str, ...]
    section: str

    def in_words(self, wording: Wording) -> str:
        # Three of one name are shown as '3 choke gas grenades'.
        things = (f"{self.items.count(item)} {wording.text(item)}" for item in dict.fromkeys(self.items))
        what = wording.fighter(self.recruit) if self.recruit is not None else ", ".join(things)
        return f"{wording.gang(self.gang)} have {what} from {wording.text(self.name)} as long as they hold it"

    def apply(self, state: CampaignState) -> CampaignState:
        territory = state.territories[self.territory]
        recruits = territory.recruits if self.recruit is None else (*territory.recruits, self.recruit)
        equipment = (*territory.equipment, *self.items)
        return with_territory(state, replace(territory, recruits=recruits, equipment=equipment))


@event("ModelPainted")
class ModelPainted(Event):
    """A fighter's model is painted, and its XP is awarded."""

    sentence = "{fighter}'s model is painted"

    fighter: FighterId

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, painted=True)


# --- refusals --------------------------------------------------------------------------------------------


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
    """{item} comes from {territory} and can neither be sold nor given to another {game.gang}: it goes when
    the territory does.
    """

    item: str
    territory: str


class NoPatronage(RulesRefuse):
    """{gang} has no patronage: {why}."""

    gang: str
    why: str
