"""A gang's history from an earlier tracker: facts that no battle here explains.

Each names its source, so that nobody takes it for something that was played here.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from tracker.campaign.after_battle import Alignment
from tracker.campaign.cards import fighter_on_card, on_fighter
from tracker.campaign.fighters import InjurySuffered
from tracker.campaign.profiles import Bionic
from tracker.campaign.records.declaring import Event, Wording, event
from tracker.campaign.records.kinds import FieldKind, FighterId, GangId, Name, Note, RowId, Size, TerritoryId
from tracker.campaign.state import CampaignState, RecordBrought
from tracker.errors import BadInput, RulesRefuse, nearest
from tracker.records import Record, replace

Tally: TypeAlias = Annotated[int, FieldKind(name="number", highest=9999)]
"""How often something happened before."""
Gone: TypeAlias = Literal["retired", "dead"]


class Provenance(Record):
    """The source of facts from an earlier tracker: how the file describes itself, and the SHA-256 of its
    content, in hex.
    """

    source: str
    digest: str


class InjurySoFar(Record):
    """A lasting injury from before."""

    injury: RowId
    """The row of the book's table, such as eye_injury."""
    counted: bool | None = None
    """True where the numbers on the card have it already, false where they are to be reduced by it now."""


class BionicSoFar(Record):
    """A bionic fitted before."""

    place: RowId
    """The lasting injury that it made good, such as hobbled."""
    name: Name
    """What it is called."""
    improves: Annotated[tuple[Name, ...], Size(lowest=0, highest=2)] = ()
    """The characteristics that it raised by one, which the card has already."""


class FighterSoFar(Record):
    """A fighter's history from before."""

    xp_spent: Tally = 0
    """Experience spent so far; what is left stands under the card's `xp`."""
    advances: Tally = 0
    """Advancements so far."""
    improved: Annotated[tuple[Name, ...], Size(lowest=0, highest=99)] = ()
    """The characteristics improved by advancements, each as often as it was: the next one costs more."""
    kills: Tally = 0
    """Enemies taken Out of Action."""
    out_of_action: Tally = 0
    """How often the fighter went Out of Action."""
    battles: Tally = 0
    """Battles fought."""
    injuries: Annotated[tuple[InjurySoFar, ...], Size(lowest=0, highest=50)] = ()
    """Lasting injuries, the oldest first."""
    scars: Tally = 0
    """Battle Scars, in books that count them."""
    grudges: Annotated[tuple[GangId, ...], Size(lowest=0, highest=20)] = ()
    """The {game.gangs} that the fighter bears a lasting grudge."""
    bionics: Annotated[tuple[BionicSoFar, ...], Size(lowest=0, highest=20)] = ()
    """Bionics fitted."""
    mutations: Annotated[tuple[RowId, ...], Size(lowest=0, highest=20)] = ()
    """Mutations, by the book's names."""
    promoted_from: Name | None = None
    """What the fighter was before a promotion, such as Juve."""
    flags: Annotated[tuple[Name, ...], Size(lowest=0, highest=20)] = ()
    """What else stays with the fighter, such as Frenzy: shown on rosters, and no rule counts it."""
    convalescing: bool = False
    """Whether the fighter is in Convalescence now."""
    in_recovery: bool = False
    """Whether the fighter is in Recovery now and misses the {game.gang}'s next battle."""
    critical: bool = False
    """Whether the fighter is Critically Injured and still waits for the Doc."""
    captive_of: GangId | None = None
    """The {game.gang} that holds the fighter, if it is enlisted here already; else its sheet names its
    captives.
    """
    gone: Gone | None = None
    """Retired or dead: the name stays on the roster and nothing else counts."""
    when: Note | None = None
    """How or when that was, such as week 3."""


class TerritorySoFar(Record):
    """A territory that the {game.gang} holds."""

    territory: TerritoryId = ""
    """Its id in this campaign; left out, it is made of the {game.gang}'s id and the name. Two sheets with one
    id say that it is one territory.
    """
    kind: Name | None = None
    """What the book calls it, such as old_ruins. Left out for one of the table's own."""
    name: Name | None = None
    """Its name, else the book's."""


class GangSoFar(Record):
    """A {game.gang}'s history from before."""

    battles: Tally = 0
    """Battles fought, those without a result included."""
    won: Tally = 0
    """Battles won."""
    drawn: Tally = 0
    """Battles drawn."""
    lost: Tally = 0
    """Battles lost."""
    vehicles_wrecked: Tally = 0
    """Enemy vehicles wrecked."""
    alignment: Alignment | None = None
    """On which side of the law the {game.gang} stands."""
    alignment_switched: bool = False
    """Whether it has changed sides already, which a {game.gang} does once."""
    territories: Annotated[tuple[TerritorySoFar, ...], Size(lowest=0, highest=50)] = ()
    """Territories held; the Reputation that they brought is in the {game.gang}'s Reputation already."""
    captives: Annotated[tuple[FighterId, ...], Size(lowest=0, highest=50)] = ()
    """Fighters of {game.gangs} enlisted here already whom this {game.gang} holds."""
    glory: Tally = 0
    """Glory Points left."""
    promotion_failures: Tally = 0
    """Promotion dice that failed in a row."""
    locations: Annotated[tuple[Name, ...], Size(lowest=0, highest=50)] = ()
    """Locations found, which nobody finds again."""
    allegiance: Name | None = None
    """To whom or what the {game.gang} holds, in the table's own words."""
    alliances: Annotated[tuple[Name, ...], Size(lowest=0, highest=20)] = ()
    """With whom it is allied, such as Water Guild: shown with the {game.gang}, and no rule counts it."""
    patrons: Annotated[tuple[Name, ...], Size(lowest=0, highest=20)] = ()
    """Its patrons, such as Temporal Lord: shown with the {game.gang}, and no rule counts it."""


# --- events ----------------------------------------------------------------------------------------------


@event("GangBroughtAlong")
class GangBroughtAlong(Event):
    """A gang's history from before, from `source`, whose SHA-256 is `digest`."""

    gang: GangId
    battles: int
    won: int
    drawn: int
    lost: int
    vehicles_wrecked: int
    promotion_failures: int
    locations: tuple[str, ...]
    alignment_switched: bool
    source: str
    digest: str
    allegiance: str | None = None
    alliances: tuple[str, ...] = ()
    patrons: tuple[str, ...] = ()

    def in_words(self, wording: Wording) -> str:
        record = f"{self.won} won, {self.drawn} drawn, {self.lost} lost"
        facts = [f"{wording.counted(self.battles, 'battle')} ({record})"] if self.battles else []
        facts += [f"allegiance to {wording.text(self.allegiance)}"] if self.allegiance else []
        facts += [f"an alliance with {wording.text(ally)}" for ally in self.alliances]
        facts += [f"the patron {wording.text(patron)}" for patron in self.patrons]
        brought = ", ".join(facts) or "no earlier record"
        return f"{wording.gang(self.gang)} bring {brought}, from {wording.text(self.source)}"

    def apply(self, state: CampaignState) -> CampaignState:
        gang = replace(
            state.gangs[self.gang],
            battles=self.battles,
            won=self.won,
            drawn=self.drawn,
            lost=self.lost,
            enemy_vehicles_wrecked=self.vehicles_wrecked,
            promotion_failures=self.promotion_failures,
            alignment_switched=self.alignment_switched,
            brought=RecordBrought(
                source=self.source, battles=self.battles, won=self.won, drawn=self.drawn, lost=self.lost
            ),
            allegiance=self.allegiance,
            alliances=self.alliances,
            patrons=self.patrons,
        )
        known = tuple(sorted({*state.locations_found, *self.locations}))
        return replace(state.with_gang(gang), locations_found=known)


@event("FighterBroughtAlong")
class FighterBroughtAlong(Event):
    """A fighter's history from before. `improved` counts improvements by characteristic."""

    fighter: FighterId
    xp_spent: int
    advances: int
    improved: dict[str, int]
    kills: int
    out_of_action: int
    battles: int
    scars: int
    grudges: tuple[GangId, ...]
    bionics: tuple[Bionic, ...]
    mutations: tuple[str, ...]
    source: str
    digest: str
    promoted_from: str | None = None
    flags: tuple[str, ...] = ()

    def in_words(self, wording: Wording) -> str:
        counted = [
            (self.battles, "battle", None),
            (self.kills, "kill", None),
            (self.out_of_action, "time Out of Action", "times Out of Action"),
            (self.advances, "advancement", None),
            (self.scars, "Battle Scar", None),
        ]
        facts = [wording.counted(number, thing, things) for number, thing, things in counted if number]
        facts += [f"{self.xp_spent} XP spent"] if self.xp_spent else []
        facts += [wording.text(bionic.name) for bionic in self.bionics]
        facts += [wording.title(mutation) for mutation in self.mutations]
        facts += [f"a grudge against {wording.gang(gang)}" for gang in self.grudges]
        facts += [f"a promotion from {wording.text(self.promoted_from)}"] if self.promoted_from else []
        facts += [wording.text(flag) for flag in self.flags]
        brought = ", ".join(facts) or "no earlier record"
        return f"{wording.fighter(self.fighter)} brings {brought}, from {wording.text(self.source)}"

    def apply(self, state: CampaignState) -> CampaignState:
        fighter = fighter_on_card(state, self.fighter)
        return on_fighter(
            state,
            self.fighter,
            experience_spent=self.xp_spent,
            advancements=self.advances,
            times_improved=dict(self.improved),
            enemies_taken_out=self.kills,
            times_out_of_action=self.out_of_action,
            battles_fought=self.battles,
            scars=self.scars,
            grudges=(*fighter.grudges, *self.grudges),
            fitted=self.bionics,
            bionics=tuple(bionic.place for bionic in self.bionics),
            mutations=self.mutations,
            brought_from=self.source,
            promoted_from=self.promoted_from,
            flags=self.flags,
        )


@event("InjuryBroughtAlong")
class InjuryBroughtAlong(Event):
    """A lasting injury from before. `counted`: the numbers on the card already included it. `occurrence`
    counts from 1.
    """

    fighter: FighterId
    table: str
    injury: RowId
    name: str
    occurrence: int
    counted: bool
    section: str

    def in_words(self, wording: Wording) -> str:
        counted = "already in the characteristics" if self.counted else "taken off the characteristics now"
        return f"{wording.fighter(self.fighter)} brings {wording.text(self.name)}, {counted}"

    def apply(self, state: CampaignState) -> CampaignState:
        suffered = InjurySuffered(injury=self.injury, name=self.name, counted_as=self.injury, battle=None)
        had = fighter_on_card(state, self.fighter).injuries
        return on_fighter(state, self.fighter, injuries=(*had, suffered))


# --- refusals --------------------------------------------------------------------------------------------


class UnknownInjury(BadInput):
    """{fighter}: this campaign's book has no lasting injury {injury!r}.{injury:nearest} It has: {known}. What
    it has no row for stays with the fighter under `flags`, where no rule counts it.
    """

    fighter: str
    injury: str
    known: tuple[str, ...]


class UnknownImprovement(BadInput):
    """{fighter}: no characteristic {characteristic!r} is printed by this book.{characteristic:nearest} It
    prints: {known}.
    """

    fighter: str
    characteristic: str
    known: tuple[str, ...]


class CountedNotSaid(BadInput):
    """{fighter} has {injury}: say whether the card's numbers have it already. Write `counted: true` or
    `counted: false` beside the injury, or `injuries_counted` for the whole sheet; or import it again with
    --injuries counted or --injuries apply.
    """

    fighter: str
    injury: str


class UnknownMutationSoFar(BadInput):
    fighter: str
    mutation: str
    known: tuple[str, ...]

    def message(self) -> str:
        if not self.known:
            return f"{self.fighter} has the mutation {self.mutation!r}, and this campaign's book has none."
        lacks = f"{self.fighter}: the book has no mutation {self.mutation!r}."
        return f"{lacks}{nearest(self.mutation, self.known)} It has: {', '.join(self.known)}."


class MoreResultsThanBattles(BadInput):
    """{gang} cannot have {results} results of {battles} battles: `won`, `drawn` and `lost` are part of
    `battles`.
    """

    gang: str
    results: int
    battles: int


class CaptiveOfOwnGang(BadInput):
    """{fighter} cannot be a captive of their own {game.gang}."""

    fighter: str


class CaptiveHeldAlready(RulesRefuse):
    """{fighter} is a captive of {holder} already."""

    fighter: str
    holder: str


class TerritoryBroughtTwice(RulesRefuse):
    """{gang} cannot bring {territory} along: {holder} holds the territory {identity!r} here, and two sheets
    with one id say that it is one. If theirs is another one, leave `territory` out of the sheet. If it is the
    same, take it off one sheet.
    """

    territory: str
    identity: str
    holder: str
    gang: str
