"""Refusals of the post-battle sequence, each with its facts, the rule and its own words."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse


class NoSequenceOpen(RulesRefuse):
    """{gang} has no post-battle sequence open, so {what} cannot happen: it begins when a battle of theirs is
    recorded and ends when their next one opens. See 'arbitrator battle list'.
    """

    gang: str
    what: str


class StepOutOfOrder(RulesRefuse):
    """{gang} has come to '{reached}' already, and '{step}' comes before it ({section}). Put it earlier in the
    file, or dispute the entry that went ahead.
    """

    gang: str
    step: str
    reached: str
    section: str


class DoneAlready(RulesRefuse):
    """{gang} has done this already in this sequence: {what}. Once is all."""

    gang: str
    what: str


class CannotAct(RulesRefuse):
    """{fighter} cannot act ({action}): {why} ({section})."""

    fighter: str
    why: str
    action: str
    section: str


class ActionTakenAlready(RulesRefuse):
    """{fighter} has acted already in this sequence ({taken}): one action for each fighter ({section})."""

    fighter: str
    taken: str
    section: str


class NotCaptured(RulesRefuse):
    """{fighter} has no Captured result waiting, so there is no escape roll. See 'arbitrator fighter show'."""

    fighter: str


class CriticalFirst(RulesRefuse):
    """{fighter} is Critically Injured too: first the Doc, then, for a survivor, the escape roll (knob
    captured.with_critical).
    """

    fighter: str


class HolderMissing(BadInput):
    """Nobody is named who would hold {fighter}: say `holder:`, one of {gangs:or the gangs of the battle}."""

    fighter: str
    gangs: tuple[str, ...]


class HolderImpossible(RulesRefuse):
    """{holder} cannot hold {fighter}: that is the fighter's own gang."""

    fighter: str
    holder: str


class ResultMissing(BadInput):
    """{fighter} did not fight in the gang's last battle: say `result:` (won, drawn or lost) of the battle
    they were captured in.
    """

    fighter: str


class NotACaptive(RulesRefuse):
    """{fighter} is nobody's captive: {why}. See 'arbitrator gang captives'."""

    fighter: str
    why: str


class HeldByAnother(RulesRefuse):
    """{fighter} is held by {holder}, not by {asked}."""

    fighter: str
    holder: str
    asked: str


class CaptiveCannotRetire(RulesRefuse):
    """{fighter} is a captive of {holder} and cannot retire: first the captive is returned, traded, rescued,
    sold or disposed of, in a post-battle file ('arbitrator battle post').
    """

    fighter: str
    holder: str


class RescueComesFirst(RulesRefuse):
    """{owner} may first try to rescue {captive}: only after a failed or declined Rescue Mission may the
    holder be rid of a captive ({section}). Record how it ended with `rescue:`.
    """

    captive: str
    owner: str
    section: str


class RescueDone(RulesRefuse):
    """The rescue of {captive} is settled already: {result}."""

    captive: str
    result: str


class CaptiveAtWork(RulesRefuse):
    """{captive} works at {territory}, and whoever works there may not be sold. Take them off it first:
    `captive_works` with `territory: nowhere`.
    """

    captive: str
    territory: str


class WrongSideOfTheLaw(RulesRefuse):
    who: str
    alignment: str | None
    needed: str
    what: str

    def message(self) -> str:
        if self.alignment is None:
            return (
                f"Nobody has said on which side of the law {self.who} stand, and {self.what} asks for it:"
                " record an `alignment:` entry first (law_abiding or outlaw)."
            )
        is_, wants = self.alignment.replace("_", "-"), self.needed.replace("_", "-")
        return f"{self.who} are {is_}, and {self.what} is for {wants} gangs."


class AlignmentSwitched(RulesRefuse):
    """{gang} have switched their alignment already, which a gang does once in a campaign."""

    gang: str


class AlignmentSame(BadInput):
    gang: str
    alignment: str

    def message(self) -> str:
        return f"{self.gang} are {self.alignment.replace('_', '-')} already."


class NotCritical(RulesRefuse):
    fighter: str
    treated: str | None

    def message(self) -> str:
        if self.treated is not None:
            return f"{self.fighter} has been to the Doc already in this sequence: {self.treated}."
        return f"{self.fighter} is not Critically Injured, so the Doc has nothing to do."


class EscortsThemselves(RulesRefuse):
    """{fighter} cannot be their own escort: a Medical Escort takes another fighter of the gang."""

    fighter: str


class NotOfOneGang(RulesRefuse):
    """{one} and {other} belong to different gangs, so there is no {what}."""

    one: str
    other: str
    what: str


class NothingToRepair(RulesRefuse):
    """{vehicle} has no lasting damage to repair."""

    vehicle: str


class NobodyTrades(RulesRefuse):
    """Nobody of {gang} has taken the Trade action in this sequence, which rare things are sought with
    ({section}).
    """

    gang: str
    section: str


class NotAloneOnField(RulesRefuse):
    """{gang} did not remain alone on the battlefield: {why}."""

    gang: str
    why: str


class NoWreck(RulesRefuse):
    gang: str
    vehicle: str | None

    def message(self) -> str:
        if self.vehicle is None:
            return f"No enemy vehicle of {self.gang} was wrecked in this battle, so there is no scrap."
        return f"{self.vehicle} is no enemy vehicle that was wrecked in this battle."


class NoReward(BadInput):
    """{what} is no reward: give dice from 1 to 20, or credits from 1 on."""

    what: str


class NobodyToDraw(RulesRefuse):
    """There is nobody left to draw for {what}."""

    what: str


class CannotBeDrawn(BadInput):
    """{fighter} cannot be drawn for {what}.{fighter:nearest} Possible: {known:or nobody}."""

    fighter: str
    what: str
    known: tuple[str, ...]


class NoReputation(BadInput):
    """A change of 0 Reputation for {gang} is none: give a number from -100 to 100."""

    gang: str
