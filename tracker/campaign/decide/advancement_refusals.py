"""Refusals of advancement."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse, nearest


class NotEnoughExperience(RulesRefuse):
    """{fighter} has {experience} XP and needs {needed} for this: {what} ({section})."""

    fighter: str
    experience: int
    needed: int
    what: str
    section: str


class UnknownAdvancement(BadInput):
    """There is no advancement {advancement!r}.{advancement:nearest} Known: {known}."""

    advancement: str
    known: tuple[str, ...]


class CannotAdvanceSo(RulesRefuse):
    """{fighter} is a {category} and cannot advance so: {what} ({section})."""

    fighter: str
    category: str
    what: str
    section: str


class BeyondLimit(RulesRefuse):
    """{fighter}'s {characteristic} {value} can be improved no further: the best is {limit}, {why}."""

    fighter: str
    characteristic: str
    value: str
    limit: str
    why: str


class SkillsMissing(BadInput):
    """{fighter}: {what} needs a set of skills, with its six skills in the order of their die: name the set,
    and the armoury file that lists it.
    """

    fighter: str
    what: str


class NotSixSkills(BadInput):
    """The set {skill_set} lists {skills} skills; a die needs six, each once."""

    skill_set: str
    skills: int


class WrongSkillSet(RulesRefuse):
    """{skill_set} is {access} for {fighter}, and this advancement wants a {needed} set ({section})."""

    fighter: str
    skill_set: str
    access: str
    needed: str
    section: str


class SkillNotInSet(BadInput):
    skill: str | None
    skill_set: str
    known: tuple[str, ...]

    def message(self) -> str:
        if self.skill is None:
            return f"Say which skill of {self.skill_set} is chosen: {', '.join(self.known)}."
        guess = nearest(self.skill, self.known)
        return f"{self.skill!r} is no skill of {self.skill_set}.{guess} It has: {', '.join(self.known)}."


class NoSkillLeft(RulesRefuse):
    """{fighter} has every skill of {skill_set} that can be had: choose another set."""

    fighter: str
    skill_set: str


class SkillKnown(RulesRefuse):
    """{fighter} has {skill} already, or may not take it."""

    fighter: str
    skill: str


class ChoiceNeeded(BadInput):
    fighter: str
    rolled: int
    options: tuple[str, ...]

    def message(self) -> str:
        return (
            f"{self.fighter} rolled {self.rolled} and may choose {' or '.join(self.options)}: say which, as"
            f" in choose: [{self.options[0]}]."
        )


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


class LeaderThere(RulesRefuse):
    """{gang} has a Leader, {leader}: nobody takes the place of who is there."""

    gang: str
    leader: str


class NobodyToLead(RulesRefuse):
    """Nobody of {gang} is left who could lead it."""

    gang: str


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


class LeaderLost(RulesRefuse):
    """{gang} has lost its Leader, {leader}, and needs another before its rating is worked out ({section}).
    Put 'new_leader' before it; next in line: {candidates}.
    """

    gang: str
    leader: str
    candidates: tuple[str, ...]
    section: str


class BionicDoesNotFit(RulesRefuse):
    """{item} does nothing for {fighter}: {why} ({section})."""

    fighter: str
    item: str
    why: str
    section: str


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
