"""What a post-battle file can tell of captives, the Doc, territories and rewards, each as a command.

Knows how each is written. Knows no rule: who may do what is for `decide` to say.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from tracker.campaign import records
from tracker.documents.card_numbers import Credits, DiceCount, Written
from tracker.documents.checking import Strict
from tracker.documents.text import Name, Note, Slug

Count = Annotated[int, Written(lowest=0, highest=99)]
Times = Annotated[int, Written(lowest=1, highest=100)]
Signed = Annotated[
    int, Written(lowest=-100, highest=100, pattern="([-+]?[0-9]{1,3})", example="such as 2 or -1")
]


class Scrap(Strict):
    """Scrap for the gang that alone remained on the battlefield. What is rolled: scrap, for each wreck."""

    gang: Slug
    """The gang: writing it here says that it remained alone."""
    wrecks: Annotated[list[Slug], Field(min_length=1, max_length=50)] | None = None
    """The enemy vehicles wrecked; else all that were recorded so."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.ClaimScrap(
            gang=self.gang, wrecks=tuple(self.wrecks) if self.wrecks is not None else None
        )


class Reward(Strict):
    """A reward of the scenario. What is rolled: reward, or reward_d3."""

    gang: Slug
    """The gang that gets it."""
    dice: Count = 0
    """How many dice."""
    die: Literal["D6", "D3"] = "D6"
    """Which dice."""
    times: Times = 10
    """What their sum is multiplied by."""
    credits: Credits = 0
    """Credits beside the dice."""
    why: Note
    """What for."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.TakeReward(
            gang=self.gang,
            why=self.why,
            dice=self.dice,
            die=self.die,
            times=self.times,
            credits_fixed=self.credits,
        )


class ReputationWritten(Strict):
    """Reputation gained or lost: over the sequence gains count before losses."""

    gang: Slug
    """The gang."""
    by: Signed
    """How much; negative when lost."""
    why: Note
    """What for."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.ChangeReputation(gang=self.gang, by=self.by, why=self.why)


class AlignmentWritten(Strict):
    """On which side of the law a gang stands; it may switch once."""

    gang: Slug
    """The gang."""
    alignment: Literal["law_abiding", "outlaw"]
    """Its side from now on."""
    why: Note
    """Why."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.StateAlignment(gang=self.gang, alignment=self.alignment, why=self.why)


class Escort(Strict):
    """A Medical Escort. What is rolled: doctor_fee, doctor, then stabilised (archived: doctor_injury)."""

    patient: Slug
    """Who is Critically Injured."""
    by: Slug
    """The other fighter of the gang whose action it is."""
    paid: bool = True
    """false when the gang does not pay what the Doc asks: the patient dies."""
    grudge_against: Slug | None = None
    """The gang that a grudge falls on, where an injury brings one."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.MedicalEscort(
            patient=self.patient, by=self.by, paid=self.paid, grudge_against=self.grudge_against
        )


class ActionsEnded(Strict):
    """The gang takes no more actions: who is Critically Injured and was not escorted dies."""

    gang: Slug
    """The gang."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.EndActions(gang=self.gang)


class Repairs(Strict):
    """A damaged vehicle is repaired. What is rolled: repairs."""

    vehicle: Slug
    """The vehicle."""
    by: Slug
    """The fighter whose action it is."""
    worth: Credits | None = None
    """Vehicle and upgrades, without weapons and wargear, in credits; else as its card says."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.NegotiateRepairs(vehicle=self.vehicle, by=self.by, worth=self.worth)


class TradeAction(Strict):
    """The Trade action, with which rare things may be sought."""

    by: Slug
    """The fighter whose action it is."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.Trade(by=self.by)


class Seeking(Strict):
    """The search for rare things, once. What is rolled: seek_rare (archived: seek_illegal too)."""

    gang: Slug
    """The gang."""
    market: Literal["trading_post", "black_market"] = "trading_post"
    """Where it looks."""
    extra: Signed = 0
    """What else counts."""
    extra_why: Note | None = None
    """What that is."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.SeekRare(
            gang=self.gang, market=self.market, extra=self.extra, extra_why=self.extra_why or ""
        )


class TerritoryTaken(Strict):
    """A gang takes a territory."""

    gang: Slug
    """The gang."""
    territory: Slug
    """The territory's id in this campaign."""
    kind: Name | None = None
    """What the book calls it, the first time: old_ruins. Left out for one of the table's own."""
    name: Name | None = None
    """Its name, else the book's."""
    staked: bool = True
    """Whether it was the stake of the battle, which only the winner takes."""
    why: Note = "the stake of the battle"
    """Why."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.GainTerritory(
            gang=self.gang,
            territory=self.territory,
            why=self.why,
            kind=self.kind,
            name=self.name,
            staked=self.staked,
        )


class TerritoryGone(Strict):
    """A territory is nobody's from now on."""

    territory: Slug
    """The territory's id."""
    why: Note
    """Why."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.LoseTerritory(territory=self.territory, why=self.why)


class IncomeTaken(Strict):
    """The income of one territory. What is rolled: income, or income_d3; perhaps random_fighter."""

    territory: Slug
    """The territory's id."""
    dice: DiceCount | None = None
    """How many dice, where the player chooses."""
    counted: Count = 0
    """How many there are of what the book counts, such as fighters deleted."""
    amount: Credits | None = None
    """Credits, where the table's own cards say them."""
    struck: Slug | None = None
    """Whom equal dice struck, where the table drew; else drawn by dice."""
    worked_by: Slug | None = None
    """Who works the territory, where somebody must."""
    grudge_against: Slug | None = None
    """The gang that a grudge falls on, where an injury brings one."""

    def command(self, activation: str | None) -> records.Command:  # noqa: ARG002 -- nobody is activated now
        """As asked of the campaign."""
        return records.TakeIncome(
            territory=self.territory,
            dice=self.dice,
            counted=self.counted,
            amount=self.amount,
            struck=self.struck,
            worked_by=self.worked_by,
            grudge_against=self.grudge_against,
            reading=2,
        )
