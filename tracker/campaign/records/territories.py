"""Territories, their income, and the campaign's cycles."""

from __future__ import annotations

from tracker.campaign.after_battle import Cycle, Territory
from tracker.campaign.records import kinds
from tracker.campaign.records.advancement import PromoteFighter
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.state import CampaignState
from tracker.errors import BadInput, RulesRefuse
from tracker.records import replace

# --- commands --------------------------------------------------------------------------------------------


@command(
    "GainTerritory",
    part="territories",
    entry="territory",
    activity="territory",
    whose="gang",
    asks="gang kind?+staked? territory name?",
    usual={"staked": True, "why": "the stake of the battle"},
)
class GainTerritory(Command, kw_only=True):
    """A {game.gang} takes a territory."""

    gang: kinds.GangId
    """The {game.gang}."""
    territory: kinds.TerritoryId
    """The territory's id in this campaign."""
    kind: kinds.Name | None = None
    """What the book calls it, the first time: old_ruins. Left out for one of the table's own."""
    name: kinds.Name | None = None
    """Its name, else the book's."""
    staked: bool = False
    """Whether it was the stake of the battle, which only the winner takes."""
    why: kinds.Note
    """Why."""

    def in_words(self, wording: Wording) -> str:
        what = wording.text(self.name or self.territory)
        stake = ", the stake" if self.staked else ""
        return f"{wording.gang(self.gang)} take {what}{stake}: {wording.words(self.why)}"


@command("LoseTerritory", part="territories", entry="lose_territory")
class LoseTerritory(Command):
    """A territory belongs to nobody from now on."""

    sentence = "{territory} is nobody's: {why}"

    territory: kinds.TerritoryId
    """The territory's id."""
    why: kinds.Note
    """Why."""


@command(
    "TakeIncome",
    part="incomes",
    instead=("Explore", "explore in a post-battle file"),
    entry="income",
    activity="income",
    whose="territory",
    asks="territory dice? counted? amount? worked_by?",
    stated={"reading": 2},
)
class TakeIncome(Command):
    """The income of one territory. Dice: income, or income_d3; perhaps random_fighter."""

    sentence = "income of {territory}"

    territory: kinds.TerritoryId
    """The territory's id."""
    dice: kinds.DiceCount | None = None
    """How many dice, where the player chooses."""
    counted: kinds.Count = 0
    """How many there are of what the book counts, such as fighters deleted."""
    amount: kinds.Credits | None = None
    """{game.Credits}, where the table's own cards say them."""
    struck: kinds.FighterId | None = None
    """Whom equal dice struck, where the table drew; else drawn by dice."""
    worked_by: kinds.FighterId | None = None
    """Who works the territory, where somebody must."""
    grudge_against: kinds.GangId | None = None
    """The {game.gang} that a grudge falls on, where an injury brings one."""
    reading: int = 1
    """1 is how entries were decided before the book's words on equal dice were looked at again: they brought
    no {game.credits} anywhere.
    """


@command("BeginCycle", part="campaign phases")
class BeginCycle(Command):
    """The campaign's next cycle. `phase` None: the book's phase. `number` is given if it is not the one after
    the last, as in a campaign kept elsewhere before. `promotions` are made as it begins, in a phase that has
    them.
    """

    reason: kinds.Note
    phase: str | None = None
    promotions: tuple[PromoteFighter, ...] = ()
    number: int | None = None

    def in_words(self, wording: Wording) -> str:
        phase = f" ({wording.words(self.phase)})" if self.phase is not None else ""
        return f"the next cycle begins{phase}: {wording.words(self.reason)}"


# --- events ----------------------------------------------------------------------------------------------


@event("TerritoryGained")
class TerritoryGained(Event):
    """A gang holds a territory. `before` is the gang that held it until now, if any."""

    gang: kinds.GangId
    territory: kinds.TerritoryId
    kind: str
    name: str
    before: kinds.GangId | None
    why: kinds.Note
    section: str

    def in_words(self, wording: Wording) -> str:
        before = f" from {wording.gang(self.before)}" if self.before is not None else ""
        why = wording.words(self.why)
        name = wording.territory(self.territory, self.name)
        return f"{wording.gang(self.gang)} take {name}{before}: {why}"

    def apply(self, state: CampaignState) -> CampaignState:
        held = Territory(territory=self.territory, kind=self.kind, name=self.name, holder=self.gang)
        return with_territory(state, held)


@event("TerritoryLost")
class TerritoryLost(Event):
    """A gang no longer holds a territory; `to` is the new holder, if any."""

    gang: kinds.GangId
    territory: kinds.TerritoryId
    name: str
    to: kinds.GangId | None
    why: kinds.Note
    section: str

    def in_words(self, wording: Wording) -> str:
        to = f" to {wording.gang(self.to)}" if self.to is not None else ""
        name = wording.territory(self.territory, self.name)
        return f"{wording.gang(self.gang)} lose {name}{to}: {wording.words(self.why)}"

    def apply(self, state: CampaignState) -> CampaignState:
        lost = replace(state.territories[self.territory], holder=self.to, recruits=(), equipment=())
        return with_territory(state, lost)


@event("CycleBegan")
class CycleBegan(Event):
    """The campaign's nth cycle began, in this phase."""

    sentence = "cycle {number} begins: {name} ({reason})"

    number: int
    phase: str
    name: str
    reason: kinds.Note
    section: str

    def apply(self, state: CampaignState) -> CampaignState:
        return replace(state, cycle=Cycle(number=self.number, phase=self.phase, name=self.name))


@event("SpendingGranted")
class SpendingGranted(Event):
    """A gang's credits include an amount for this phase; what is left of it then lapses."""

    sentence = "{gang} have {amount} to spend in this phase; what is left lapses"

    gang: kinds.GangId
    amount: kinds.Credits

    def apply(self, state: CampaignState) -> CampaignState:
        return with_grant(state, self.gang, self.amount)


def with_territory(state: CampaignState, territory: Territory) -> CampaignState:
    """The state with a territory as it is now; the gangs that held and hold it know of it too."""
    before = state.territories.get(territory.territory)
    held = {**state.territories, territory.territory: territory}
    state = replace(state, territories=dict(sorted(held.items())))
    for gang in dict.fromkeys((before.holder if before is not None else None, territory.holder)):
        if gang is not None:
            theirs = tuple(territory for territory in state.territories.values() if territory.holder == gang)
            state = state.with_gang(replace(state.gangs[gang], territories=theirs))
    return state


def with_grant(state: CampaignState, gang: str, amount: int) -> CampaignState:
    """The state with this amount left for a gang to spend in this phase; unchanged without cycles."""
    if state.cycle is None:
        return state
    grants = dict(sorted({**state.cycle.grants, gang: amount}.items()))
    return replace(state, cycle=replace(state.cycle, grants=grants))


# --- refusals --------------------------------------------------------------------------------------------


class UnknownTerritory(BadInput):
    """There is no territory {territory!r} in this campaign.{territory:nearest} The first time, say what
    `kind` it is.
    """

    lacks = "name"
    territory: str
    known: tuple[str, ...]


class UnknownTerritoryKind(BadInput):
    """The book knows no territory {kind!r}.{kind:nearest} Leave `kind` out and give a `name` for one of the
    table's own. Known: {known:or none}.
    """

    kind: str
    known: tuple[str, ...]


class TerritoryOfAnotherKind(BadInput):
    """The territory {territory} is a {kind}, not a {asked}. Leave `kind` out."""

    territory: str
    kind: str
    asked: str


class TerritoryHeldAlready(RulesRefuse):
    """{gang} holds {territory} already."""

    territory: str
    gang: str


class TerritoryHeldByAnother(RulesRefuse):
    """{gang} does not hold the territory {territory!r}. See 'arbitrator gang territories'."""

    territory: str
    gang: str


class TerritoryFixed(RulesRefuse):
    """{territory} belongs to {gang} for good and changes hands to nobody ({section})."""

    territory: str
    gang: str
    section: str


class StakeNotWon(RulesRefuse):
    lacks = "staked"
    gang: str
    territory: str
    result: str
    section: str

    def message(self) -> str:
        why = (
            "in a draw nobody gains an unclaimed territory and a held one stays"
            if self.result == "drawn"
            else "the winner takes it"
        )
        return (
            f"{self.gang} cannot take the stake {self.territory}: the battle was {self.result}; {why}"
            f" ({self.section})."
        )


class HeldByNobody(RulesRefuse):
    """Nobody holds {territory}."""

    territory: str


class NoIncome(RulesRefuse):
    """{territory} brings {gang} no {game.credits} ({section})."""

    territory: str
    gang: str
    section: str


class IncomeWrong(BadInput):
    """Income of {territory}: {why}."""

    territory: str
    why: str


class IncomeNotSaid(BadInput):
    """Income of {territory}: the table's own cards say what it brings. Say the `amount`."""

    lacks = "amount"

    territory: str


class CannotWork(RulesRefuse):
    """{fighter} cannot work a territory: {why} ({section})."""

    fighter: str
    why: str
    section: str


class NoCaptivesWorkHere(RulesRefuse):
    """No captives work at {territory}."""

    territory: str


class CycleInThePast(RulesRefuse):
    """Cycle {number} is over: cycle {now} is under way. Give a later number."""

    number: int
    now: int


class UnknownPhase(BadInput):
    """The book knows no phase {phase!r}.{phase:nearest} Known: {known}."""

    phase: str
    known: tuple[str, ...]


class CampaignIsOver(RulesRefuse):
    """All {cycles} cycles are over. Name a phase to play on (--phase), or see the triumphs with 'arbitrator
    standings show'.
    """

    cycles: int


class NoPromotionsNow(RulesRefuse):
    phase: str
    phases: tuple[str, ...]
    section: str

    def message(self) -> str:
        when = f"only in {' or '.join(self.phases)}" if self.phases else "nor in another phase of this book"
        return (
            f"Nobody is promoted in {self.phase}, {when} ({self.section}). Wait for it, or promote by"
            " the Arbitrator's word: 'arbitrator fighter promote' with --beyond-rules, or in a file"
            " `beyond_rules: true`."
        )
