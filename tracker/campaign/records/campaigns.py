"""Campaigns: opening one, its house rules, and the gangs and fighters that join and leave."""

from __future__ import annotations

from msgspec.structs import asdict

from tracker.campaign.cards import gone_for_good, on_fighter
from tracker.campaign.fighters import Fighter
from tracker.campaign.profiles import Armour, Category, Characteristics, Item, Weapon
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.kinds import Credits, FighterId, GangId, Name, Note
from tracker.campaign.records.so_far import FighterSoFar, GangSoFar, Provenance
from tracker.campaign.records.vehicle_cards import VehicleCard
from tracker.campaign.state import CampaignState, Gang, PolicyInForce
from tracker.errors import BadInput, RulesRefuse, nearest
from tracker.records import Record, replace


class PolicyText(Record):
    """A house rule with its content at adoption: the log never looks it up again."""

    policy: str
    version: int
    title: str
    source: str
    patch: dict[str, str]


class FighterCard(Record):
    """A fighter as written on a gang sheet. `so_far` is their history from before this campaign."""

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
    so_far: FighterSoFar | None = None
    skills_learned: bool = False
    """Whether skills on the card are those of thresholds of XP passed; false in older entries."""


# --- commands --------------------------------------------------------------------------------------------


@command("OpenCampaign", game="every")
class OpenCampaign(Command):
    """A campaign begins under a book, with policies in force from its first battle. `after_battle` battles
    were fought before it was kept here.
    """

    name: str
    slug: str
    book: str
    policies: tuple[PolicyText, ...] = ()
    after_battle: int = 0

    def in_words(self, wording: Wording) -> str:
        policies = "".join(f", {wording.text(text.policy)}@{text.version}" for text in self.policies)
        after = f", after {wording.counted(self.after_battle, 'battle')}" if self.after_battle else ""
        return f"open campaign {wording.text(self.name)} under {wording.text(self.book)}{after}{policies}"


@command("AdoptPolicy", game="every")
class AdoptPolicy(Command):
    """A house rule takes effect from battle number `from_battle` on.

    `overrides` are policies that change the same knob; this one is applied after them.
    """

    text: PolicyText
    from_battle: int
    reason: str
    overrides: tuple[str, ...] = ()

    def in_words(self, wording: Wording) -> str:
        adopted = f"{wording.text(self.text.policy)}@{self.text.version}"
        return f"adopt {adopted} from battle {self.from_battle} on: {wording.text(self.reason)}"


@command("RepealPolicy", game="every")
class RepealPolicy(Command):
    """A house rule ends at battle number `from_battle`."""

    sentence = "repeal {policy} from battle {from_battle} on: {reason}"

    policy: str
    from_battle: int
    reason: str


@command("EnlistGang", game="every")
class EnlistGang(Command):
    """A gang joins with its fighters and vehicles, and credits in its stash. `stash` and `so_far` come from
    an earlier tracker; `origin` names it.
    """

    gang: GangId
    name: Name
    house: str
    player: str
    credits: Credits
    reputation: int
    fighters: tuple[FighterCard, ...]
    vehicles: tuple[VehicleCard, ...] = ()
    stash: tuple[Item, ...] = ()
    so_far: GangSoFar | None = None
    origin: Provenance | None = None
    founding_budget: Credits | None = None
    """What the table lets a new gang spend; None where nobody said, and for a gang that is brought along."""

    def in_words(self, wording: Wording) -> str:
        fighters = wording.counted(len(self.fighters), "fighter")
        budget = ""
        if self.founding_budget is not None:
            budget = f", founded with {wording.money(self.founding_budget)}"
        what = f"{wording.game.gang} {wording.text(self.name)}"
        return f"enlist {what} with {fighters}{budget}{_whence(self.origin, wording)}"


@command("EnlistFighter", game="every")
class EnlistFighter(Command):
    """A fighter joins a gang that is already enlisted."""

    gang: GangId
    card: FighterCard
    origin: Provenance | None = None

    def in_words(self, wording: Wording) -> str:
        whence = _whence(self.origin, wording)
        return f"enlist fighter {wording.text(self.card.name)} for {wording.gang(self.gang)}{whence}"


def _whence(origin: Provenance | None, wording: Wording) -> str:
    return f", brought along from {wording.text(origin.source)}" if origin is not None else ""


@command("RetireFighter", game="every", entry="retire", stated={"gear_to_stash": True}, asks="fighter reason")
class RetireFighter(Command):
    """A fighter leaves for good; their gear goes to the stash."""

    sentence = "retire {fighter}: {reason}"

    fighter: FighterId
    """Who leaves."""
    reason: Note
    """Why."""
    gear_to_stash: bool = False
    """False in entries recorded before things were counted: the fighter takes along what they carry."""
    takes_gear: bool = False
    """Whether they take along what they carry, as a hired gun does after the battle."""


@command("RenameFighter", game="every")
class RenameFighter(Command):
    """A fighter gets the name `name`; the id stays."""

    fighter: FighterId
    name: Name

    def in_words(self, wording: Wording) -> str:
        # By the id: the name is the new one as soon as the entry is recorded.
        return f"rename {self.fighter} to {wording.text(self.name)}"


# --- events ----------------------------------------------------------------------------------------------


@event("CampaignOpened")
class CampaignOpened(Event):
    """The campaign begins under a book."""

    name: str
    slug: str
    book: str
    after_battle: int = 0

    def in_words(self, wording: Wording) -> str:
        after = f", after {wording.counted(self.after_battle, 'battle')}" if self.after_battle else ""
        return f"campaign {wording.text(self.name)} opens under {wording.title(self.book)}{after}"

    def apply(self, state: CampaignState) -> CampaignState:
        return replace(
            state, name=self.name, slug=self.slug, book=self.book, battles_before=self.after_battle
        )


@event("PolicyAdopted")
class PolicyAdopted(Event):
    """A house rule holds from battle number `from_battle` on. It carries its whole patch. `overrides` are
    policies that move the same knob: this one was deliberately ordered after them.
    """

    sentence = "house rule {title} ({policy}@{version}) holds from battle {from_battle} on: {reason}"

    policy: str
    version: int
    title: str
    source: str
    patch: dict[str, str]
    from_battle: int
    reason: str
    overrides: tuple[str, ...] = ()

    def apply(self, state: CampaignState) -> CampaignState:
        adopted = PolicyInForce(**asdict(self))
        # A newer version takes the place of an older one from its own battle on.
        held = tuple(_ended(policy, self.policy, self.from_battle, "replaced") for policy in state.policies)
        return replace(state, policies=(*held, adopted))


@event("PolicyRepealed")
class PolicyRepealed(Event):
    """A house rule ended; battle number `from_battle` is the first without it."""

    sentence = "house rule {policy}@{version} no longer holds from battle {from_battle} on: {reason}"

    policy: str
    version: int
    from_battle: int
    reason: str

    def apply(self, state: CampaignState) -> CampaignState:
        held = tuple(_ended(policy, self.policy, self.from_battle, self.reason) for policy in state.policies)
        return replace(state, policies=held)


def _ended(held: PolicyInForce, policy: str, battle: int, reason: str) -> PolicyInForce:
    ends = max(battle, held.from_battle)
    if held.policy != policy or (held.until_battle is not None and held.until_battle <= ends):
        return held
    return replace(held, until_battle=ends, repeal_reason=reason)


@event("GangEnlisted")
class GangEnlisted(Event):
    """A gang joined, with credits in its stash."""

    gang: GangId
    name: str
    house: str
    player: str
    credits: Credits
    reputation: int

    def in_words(self, wording: Wording) -> str:
        who = f"{wording.title(self.house)}, player {wording.text(self.player)}"
        reputation = f", Reputation {self.reputation}" if wording.game.has_reputation else ""
        has = f"{wording.money(self.credits)}{reputation}"
        return f"{wording.game.gang} {wording.text(self.name)} ({who}) enlists: {has}"

    def apply(self, state: CampaignState) -> CampaignState:
        return state.with_gang(Gang(**asdict(self)))


@event("FighterEnlisted")
class FighterEnlisted(Event):
    """A fighter joined a gang with the card that the user typed. Saves are the lowest D6 that saves."""

    fighter: FighterId
    gang: GangId
    name: str
    category: Category
    kind: str
    cost_credits: Credits
    characteristics: Characteristics
    experience: int = 0
    skills: tuple[str, ...] = ()
    armour: Armour | None = None
    field_armour: Armour | None = None
    weapons: tuple[Weapon, ...] = ()
    wargear: tuple[str, ...] = ()
    mounted: bool = False
    gang_fighter: bool | None = None
    advancements: int = 0

    def in_words(self, wording: Wording) -> str:
        rank = f"{wording.title(self.category)}, {wording.words(self.kind)}"
        joins = f"joins {wording.gang(self.gang)} for {wording.money(self.cost_credits)}"
        return f"{wording.text(self.name)} ({rank}) {joins}"

    def apply(self, state: CampaignState) -> CampaignState:
        return state.joined_by(Fighter(**asdict(self), basic_profile=self.characteristics))


@event("FighterRetired")
class FighterRetired(Event):
    """A fighter left the gang for good."""

    sentence = "{fighter} retires: {reason}"

    fighter: FighterId
    reason: Note

    def apply(self, state: CampaignState) -> CampaignState:
        return gone_for_good(state, self.fighter, "retired")


@event("FighterRenamed")
class FighterRenamed(Event):
    """A fighter gets another name; the id stays."""

    sentence = "{before} is called {after} from now on"

    fighter: FighterId
    before: str
    after: str

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, name=self.after)


# --- refusals --------------------------------------------------------------------------------------------


class FoundingBudgetExceeded(RulesRefuse):
    """{gang} costs {spent} and keeps {left} in its stash, which is more than its founding budget of {budget}.
    Correct the sheet, or its 'founding_budget' where the table agreed on another.
    """

    gang: str
    spent: int
    left: int
    budget: int


class GangEnlistedAlready(BadInput):
    """A {game.gang} {gang!r} is enlisted already. Give this one another 'gang:' id; if it is the same
    {game.gang} put right, use 'arbitrator gang amend FILE'.
    """

    gang: str


class FighterEnlistedAlready(BadInput):
    """A fighter {fighter!r} is enlisted already ({game.gang} {gang!r}). Ids are unique in a campaign: give
    this fighter an 'id:' of its own.
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
    """{fighter}: this campaign's book has no category {rank!r}.{rank:nearest} It has: {known}."""

    fighter: str
    rank: str
    known: tuple[str, ...]


class CharacteristicOutOfRange(BadInput):
    """{fighter}: no roll or comparison works with {characteristic} {value}. The book prints {worst} to
    {best}; put the card right.
    """

    fighter: str
    characteristic: str
    value: str
    best: str
    worst: str


class PolicyForAnotherBook(BadInput):
    """{policy}@{version} does not fit {book}, which has no setting {knob}. 'arbitrator rules list --book
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


class PolicyChanged(RulesRefuse):
    """{policy}@{version} was adopted before and set {before}; now it would set {now}. A version that was
    adopted stays as it is: write the change as version {next_version}.
    """

    policy: str
    version: int
    before: str
    now: str
    next_version: int


class PolicyNotInForce(RulesRefuse):
    policy: str
    in_force: tuple[str, ...]

    def message(self) -> str:
        return (
            f"{self.policy} is not in force, so it cannot be repealed.{nearest(self.policy, self.in_force)}"
        )


class KnobMovedAlready(RulesRefuse):
    """{policy} changes the setting {knob}, which {other} changes already. Repeal one of them first, or apply
    {policy} after it on purpose: --after {other}.
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
