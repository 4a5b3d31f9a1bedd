"""Refusals of advancement."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse, nearest
from tracker.records import dataclass


@dataclass(eq=False)
class NotEnoughExperience(RulesRefuse):
    fighter: str
    experience: int
    needed: int
    what: str
    section: str

    def message(self) -> str:
        return (
            f"{self.fighter} has {self.experience} XP and needs {self.needed} for this: {self.what}"
            f" ({self.section})."
        )


@dataclass(eq=False)
class UnknownAdvancement(BadInput):
    advancement: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"There is no advancement {self.advancement!r}.{nearest(self.advancement, self.known)} Known:"
            f" {', '.join(self.known)}."
        )


@dataclass(eq=False)
class CannotAdvanceSo(RulesRefuse):
    fighter: str
    category: str
    what: str
    section: str

    def message(self) -> str:
        return f"{self.fighter} is a {self.category} and cannot advance so: {self.what} ({self.section})."


@dataclass(eq=False)
class BeyondLimit(RulesRefuse):
    fighter: str
    characteristic: str
    value: str
    limit: str
    why: str

    def message(self) -> str:
        return (
            f"{self.fighter}'s {self.characteristic} {self.value} can be improved no further: the best is"
            f" {self.limit}, {self.why}."
        )


@dataclass(eq=False)
class SkillsMissing(BadInput):
    fighter: str
    what: str

    def message(self) -> str:
        return (
            f"{self.fighter}: {self.what} needs a set of skills, with its six skills in the order of their"
            " die: name the set, and the armoury file that lists it."
        )


@dataclass(eq=False)
class NotSixSkills(BadInput):
    skill_set: str
    skills: int

    def message(self) -> str:
        return f"The set {self.skill_set} lists {self.skills} skills; a die needs six, each once."


@dataclass(eq=False)
class WrongSkillSet(RulesRefuse):
    fighter: str
    skill_set: str
    access: str
    needed: str
    section: str

    def message(self) -> str:
        return (
            f"{self.skill_set} is {self.access} for {self.fighter}, and this advancement wants a"
            f" {self.needed} set ({self.section})."
        )


@dataclass(eq=False)
class SkillNotInSet(BadInput):
    skill: str | None
    skill_set: str
    known: tuple[str, ...]

    def message(self) -> str:
        if self.skill is None:
            return f"Say which skill of {self.skill_set} is chosen: {', '.join(self.known)}."
        guess = nearest(self.skill, self.known)
        return f"{self.skill!r} is no skill of {self.skill_set}.{guess} It has: {', '.join(self.known)}."


@dataclass(eq=False)
class NoSkillLeft(RulesRefuse):
    fighter: str
    skill_set: str

    def message(self) -> str:
        return f"{self.fighter} has every skill of {self.skill_set} that can be had: choose another set."


@dataclass(eq=False)
class SkillKnown(RulesRefuse):
    fighter: str
    skill: str

    def message(self) -> str:
        return f"{self.fighter} has {self.skill} already, or may not take it."


@dataclass(eq=False)
class ChoiceNeeded(BadInput):
    fighter: str
    rolled: int
    options: tuple[str, ...]

    def message(self) -> str:
        return (
            f"{self.fighter} rolled {self.rolled} and may choose {' or '.join(self.options)}: say which, as"
            f" in choose: [{self.options[0]}]."
        )


@dataclass(eq=False)
class NotYetPromoted(RulesRefuse):
    fighter: str
    category: str
    advancements: int
    needed: int | None
    section: str

    def message(self) -> str:
        if self.needed is None:
            return f"{self.fighter} is a {self.category}, and no such fighter is promoted ({self.section})."
        return (
            f"{self.fighter} has {self.advancements} advancements and needs {self.needed} to be promoted"
            f" ({self.section})."
        )


@dataclass(eq=False)
class LeaderThere(RulesRefuse):
    gang: str
    leader: str

    def message(self) -> str:
        return f"{self.gang} has a Leader, {self.leader}: nobody takes the place of who is there."


@dataclass(eq=False)
class NobodyToLead(RulesRefuse):
    gang: str

    def message(self) -> str:
        return f"Nobody of {self.gang} is left who could lead it."


@dataclass(eq=False)
class NotNextInLine(RulesRefuse):
    gang: str
    fighter: str | None
    candidates: tuple[str, ...]
    section: str

    def message(self) -> str:
        line = " or ".join(self.candidates)
        if self.fighter is None:
            return f"{line} could lead {self.gang} with equal right ({self.section}): say which of them does."
        return f"{self.fighter} is not next in line to lead {self.gang}; {line} is ({self.section})."


@dataclass(eq=False)
class LeaderLost(RulesRefuse):
    gang: str
    leader: str
    candidates: tuple[str, ...]
    section: str

    def message(self) -> str:
        return (
            f"{self.gang} has lost its Leader, {self.leader}, and needs another before its rating is worked"
            f" out ({self.section}). Put 'new_leader' before it; next in line: {', '.join(self.candidates)}."
        )


@dataclass(eq=False)
class BionicDoesNotFit(RulesRefuse):
    fighter: str
    item: str
    why: str
    section: str

    def message(self) -> str:
        return f"{self.item} does nothing for {self.fighter}: {self.why} ({self.section})."


@dataclass(eq=False)
class RollsLeft(RulesRefuse):
    gang: str
    fighters: tuple[str, ...]
    section: str

    def message(self) -> str:
        who = ", ".join(self.fighters)
        return (
            f"{self.gang}: before the rating is worked out these must roll for an advancement: {who}"
            f" ({self.section})."
        )
