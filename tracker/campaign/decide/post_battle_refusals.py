"""Refusals of the post-battle sequence, each with its facts, the rule and its own words."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse, nearest
from tracker.records import dataclass


@dataclass(eq=False)
class NoSequenceOpen(RulesRefuse):
    gang: str
    what: str

    def message(self) -> str:
        return (
            f"{self.gang} has no post-battle sequence open, so {self.what} cannot happen: it begins when a"
            " battle of theirs is recorded and ends when their next one opens. See 'arbitrator battle list'."
        )


@dataclass(eq=False)
class StepOutOfOrder(RulesRefuse):
    gang: str
    step: str
    reached: str
    section: str

    def message(self) -> str:
        return (
            f"{self.gang} has come to '{self.reached}' already, and '{self.step}' comes before it"
            f" ({self.section}). Put it earlier in the file, or dispute the entry that went ahead."
        )


@dataclass(eq=False)
class DoneAlready(RulesRefuse):
    gang: str
    what: str

    def message(self) -> str:
        return f"{self.gang} has done this already in this sequence: {self.what}. Once is all."


@dataclass(eq=False)
class CannotAct(RulesRefuse):
    fighter: str
    why: str
    action: str
    section: str

    def message(self) -> str:
        return f"{self.fighter} cannot act ({self.action}): {self.why} ({self.section})."


@dataclass(eq=False)
class ActionTakenAlready(RulesRefuse):
    fighter: str
    taken: str
    section: str

    def message(self) -> str:
        return (
            f"{self.fighter} has acted already in this sequence ({self.taken}): one action for each fighter"
            f" ({self.section})."
        )


@dataclass(eq=False)
class NotCaptured(RulesRefuse):
    fighter: str

    def message(self) -> str:
        return (
            f"{self.fighter} has no Captured result waiting, so there is no escape roll."
            " See 'arbitrator fighter show'."
        )


@dataclass(eq=False)
class CriticalFirst(RulesRefuse):
    fighter: str

    def message(self) -> str:
        return (
            f"{self.fighter} is Critically Injured too: first the Doc, then, for a survivor, the escape roll"
            " (knob captured.with_critical)."
        )


@dataclass(eq=False)
class HolderMissing(BadInput):
    fighter: str
    gangs: tuple[str, ...]

    def message(self) -> str:
        return (
            f"Nobody is named who would hold {self.fighter}: say `holder:`, one of"
            f" {', '.join(self.gangs) or 'the gangs of the battle'}."
        )


@dataclass(eq=False)
class HolderImpossible(RulesRefuse):
    fighter: str
    holder: str

    def message(self) -> str:
        return f"{self.holder} cannot hold {self.fighter}: that is the fighter's own gang."


@dataclass(eq=False)
class ResultMissing(BadInput):
    fighter: str

    def message(self) -> str:
        return (
            f"{self.fighter} did not fight in the gang's last battle: say `result:` (won, drawn or lost) of"
            " the battle they were captured in."
        )


@dataclass(eq=False)
class NotACaptive(RulesRefuse):
    fighter: str
    why: str

    def message(self) -> str:
        return f"{self.fighter} is nobody's captive: {self.why}. See 'arbitrator gang captives'."


@dataclass(eq=False)
class HeldByAnother(RulesRefuse):
    fighter: str
    holder: str
    asked: str

    def message(self) -> str:
        return f"{self.fighter} is held by {self.holder}, not by {self.asked}."


@dataclass(eq=False)
class CaptiveCannotRetire(RulesRefuse):
    fighter: str
    holder: str

    def message(self) -> str:
        return (
            f"{self.fighter} is a captive of {self.holder} and cannot retire: first the captive is returned,"
            " traded, rescued, sold or disposed of, in a post-battle file ('arbitrator battle post')."
        )


@dataclass(eq=False)
class RescueComesFirst(RulesRefuse):
    captive: str
    owner: str
    section: str

    def message(self) -> str:
        return (
            f"{self.owner} may first try to rescue {self.captive}: only after a failed or declined Rescue"
            f" Mission may the holder be rid of a captive ({self.section}). Record how it ended with"
            " `rescue:`."
        )


@dataclass(eq=False)
class RescueDone(RulesRefuse):
    captive: str
    result: str

    def message(self) -> str:
        return f"The rescue of {self.captive} is settled already: {self.result}."


@dataclass(eq=False)
class CaptiveAtWork(RulesRefuse):
    captive: str
    territory: str

    def message(self) -> str:
        return (
            f"{self.captive} works at {self.territory}, and whoever works there may not be sold. Take them"
            " off it first: `captive_works` with `territory: nowhere`."
        )


@dataclass(eq=False)
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


@dataclass(eq=False)
class AlignmentSwitched(RulesRefuse):
    gang: str

    def message(self) -> str:
        return f"{self.gang} have switched their alignment already, which a gang does once in a campaign."


@dataclass(eq=False)
class AlignmentSame(BadInput):
    gang: str
    alignment: str

    def message(self) -> str:
        return f"{self.gang} are {self.alignment.replace('_', '-')} already."


@dataclass(eq=False)
class NotCritical(RulesRefuse):
    fighter: str
    treated: str | None

    def message(self) -> str:
        if self.treated is not None:
            return f"{self.fighter} has been to the Doc already in this sequence: {self.treated}."
        return f"{self.fighter} is not Critically Injured, so the Doc has nothing to do."


@dataclass(eq=False)
class EscortsThemselves(RulesRefuse):
    fighter: str

    def message(self) -> str:
        return (
            f"{self.fighter} cannot be their own escort: a Medical Escort takes another fighter of the gang."
        )


@dataclass(eq=False)
class NotOfOneGang(RulesRefuse):
    one: str
    other: str
    what: str

    def message(self) -> str:
        return f"{self.one} and {self.other} belong to different gangs, so there is no {self.what}."


@dataclass(eq=False)
class NothingToRepair(RulesRefuse):
    vehicle: str

    def message(self) -> str:
        return f"{self.vehicle} has no lasting damage to repair."


@dataclass(eq=False)
class NobodyTrades(RulesRefuse):
    gang: str
    section: str

    def message(self) -> str:
        return (
            f"Nobody of {self.gang} has taken the Trade action in this sequence, which rare things are sought"
            f" with ({self.section})."
        )


@dataclass(eq=False)
class NotAloneOnField(RulesRefuse):
    gang: str
    why: str

    def message(self) -> str:
        return f"{self.gang} did not remain alone on the battlefield: {self.why}."


@dataclass(eq=False)
class NoWreck(RulesRefuse):
    gang: str
    vehicle: str | None

    def message(self) -> str:
        if self.vehicle is None:
            return f"No enemy vehicle of {self.gang} was wrecked in this battle, so there is no scrap."
        return f"{self.vehicle} is no enemy vehicle that was wrecked in this battle."


@dataclass(eq=False)
class NoReward(BadInput):
    what: str

    def message(self) -> str:
        return f"{self.what} is no reward: give dice from 1 to 20, or credits from 1 on."


@dataclass(eq=False)
class NobodyToDraw(RulesRefuse):
    what: str

    def message(self) -> str:
        return f"There is nobody left to draw for {self.what}."


@dataclass(eq=False)
class CannotBeDrawn(BadInput):
    fighter: str
    what: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"{self.fighter} cannot be drawn for {self.what}.{nearest(self.fighter, self.known)}"
            f" Possible: {', '.join(self.known) or 'nobody'}."
        )


@dataclass(eq=False)
class NoReputation(BadInput):
    gang: str

    def message(self) -> str:
        return f"A change of 0 Reputation for {self.gang} is none: give a number from -100 to 100."
