"""Mutations: corrupted gangs, their daemons, and chosen mutations.

Source: Archived rules · Lasting Injuries and Damage · Mutations.
"""

from __future__ import annotations

from typing import Annotated

from tracker.campaign.cards import fighter_on_card, on_fighter
from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.campaign.records.kinds import FighterId, FileKey, GangId, RowId, Size
from tracker.campaign.state import CampaignState
from tracker.errors import BadInput, RulesRefuse
from tracker.records import replace


def _corruption(wording: Wording, gang: str, daemons: tuple[str, ...], *, corrupted: bool) -> str:
    named = ", ".join(map(wording.fighter, daemons))
    also = f"; daemons or possessed: {named}" if daemons else ""
    return f"{wording.gang(gang)} are {'corrupted' if corrupted else 'no longer corrupted'}{also}"


@command("StateCorruption", part="corruption", exchange="corruption")
class StateCorruption(Command):
    """Whether a {game.gang}'s fighters may mutate, from now on. Nothing is rolled for it."""

    gang: GangId
    """Which {game.gang}."""
    corrupted: bool = True
    """false if it is no longer corrupted."""
    daemons: Annotated[tuple[FighterId, ...], Size(lowest=0, highest=100)] = ()
    """Who of the {game.gang} is a daemon or possessed."""

    def in_words(self, wording: Wording) -> str:
        return "stated: " + _corruption(wording, self.gang, self.daemons, corrupted=self.corrupted)


@command("ChooseMutation", part="mutations", exchange="mutation")
class ChooseMutation(Command):
    """A fighter who gained a mutation a second time chooses another one."""

    sentence = "mutation chosen: {mutation} for {fighter}"

    fighter: FighterId
    """Who mutates."""
    mutation: Annotated[RowId, FileKey(name="choose")]
    """Which one, such as warped_limbs."""


@event("GangCorruptionStated")
class GangCorruptionStated(Event):
    """Whether a gang's fighters may mutate from now on; `daemons` are its daemons and possessed."""

    gang: GangId
    corrupted: bool
    daemons: tuple[FighterId, ...]

    def in_words(self, wording: Wording) -> str:
        return _corruption(wording, self.gang, self.daemons, corrupted=self.corrupted)

    def apply(self, state: CampaignState) -> CampaignState:
        gang = state.gangs[self.gang]
        changed = [
            replace(fighter, daemon=name in self.daemons)
            for name, fighter in gang.fighters.items()
            if fighter.daemon != (name in self.daemons)
        ]
        return state.with_gang(replace(gang, corrupted=self.corrupted)).with_fighters(changed)


@event("MutationGained")
class MutationGained(Event):
    """A mutation replaced a lasting injury, or was `chosen` because one came a second time."""

    fighter: FighterId
    mutation: RowId
    name: str
    instead_of: RowId
    chosen: bool
    section: str

    def in_words(self, wording: Wording) -> str:
        how = "by choice" if self.chosen else f"instead of {wording.title(self.instead_of)}"
        return f"{wording.fighter(self.fighter)} mutates: {wording.text(self.name)}, {how}"

    def apply(self, state: CampaignState) -> CampaignState:
        fighter = fighter_on_card(state, self.fighter)
        left = fighter.mutations_to_choose - self.chosen
        had = (*fighter.mutations, self.mutation)
        return on_fighter(state, self.fighter, mutations=had, mutations_to_choose=left)


@event("MutationCameAgain")
class MutationCameAgain(Event):
    """The fighter has this mutation already and must choose another one."""

    sentence = "{fighter} mutates: {name} a second time, instead of {instead_of}; choose another"

    fighter: FighterId
    mutation: RowId
    name: str
    instead_of: RowId
    section: str

    def apply(self, state: CampaignState) -> CampaignState:
        waiting = fighter_on_card(state, self.fighter).mutations_to_choose
        return on_fighter(state, self.fighter, mutations_to_choose=waiting + 1)


@event("BecameChaosSpawn")
class BecameChaosSpawn(Event):
    """A fighter with as many mutations as Toughness became a Chaos Spawn and left the gang."""

    fighter: FighterId
    mutations: int
    toughness: int

    def in_words(self, wording: Wording) -> str:
        many = f"{wording.counted(self.mutations, 'mutation')} at Toughness {self.toughness}"
        leaves = f"leaves the {wording.game.gang}"
        return f"{wording.fighter(self.fighter)} becomes a Chaos Spawn and {leaves} ({many})"

    def apply(self, state: CampaignState) -> CampaignState:
        return on_fighter(state, self.fighter, standing="retired")


class DaemonOfAnotherGang(BadInput):
    """{fighter} does not belong to {gang}: list only its own fighters under 'daemons'."""

    fighter: str
    gang: str


class NoMutationToChoose(RulesRefuse):
    """{fighter} has no mutation to choose: only a mutation that was rolled a second time is replaced."""

    fighter: str


class UnknownMutation(BadInput):
    """There is no mutation {mutation!r}.{mutation:nearest} Known: {known}."""

    mutation: str
    known: tuple[str, ...]


class MutationHadAlready(RulesRefuse):
    """{fighter} has {mutation} already, and each comes only once. Choose another."""

    fighter: str
    mutation: str
