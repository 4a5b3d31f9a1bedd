"""Advancement: spending XP, promotions and new Leaders.

Players type their own skill sets, so the six skills of a set are written out.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from msgspec import field

from tracker.campaign.cards import fighter_on_card
from tracker.campaign.profiles import Bionic, Category, Characteristics
from tracker.campaign.records.declaring import Event, ReasonedCommand, Wording, command, event
from tracker.campaign.records.kinds import FighterId, FileKey, GangId, Name, Note, Size
from tracker.campaign.state import CampaignState
from tracker.errors import BadInput, ChoiceLeft, ChoiceOption, RulesRefuse, nearest
from tracker.records import Record, replace

SkillAccess: TypeAlias = Literal["primary", "secondary"]


class SkillSet(Record):
    """A set of six skills in the order of their die, and the access that the fighter's type has to it, if
    any.
    """

    name: str
    skills: tuple[str, ...]
    access: SkillAccess | None = None


# --- commands --------------------------------------------------------------------------------------------


@command("BuyAdvancement", part="advancements for XP", instead=("LearnSkill", "learn in a post-battle file"))
class BuyAdvancement(ReasonedCommand, kw_only=True):
    """A fighter spends XP. `skill` names the one chosen; `kind` and `basic_profile` are a new type's.

    `cannot_take` are skills of the set that this fighter may not have: rolled again.
    """

    sentence = "advancement of {fighter}: {advancement}"

    fighter: FighterId
    advancement: Note
    skill_set: SkillSet | None = None
    skill: str | None = None
    cannot_take: tuple[str, ...] = ()
    kind: str | None = None
    basic_profile: Characteristics = field(default_factory=dict)


@command("RollAdvancement", part="advancement rolls", instead=("LearnSkill", "learn in a post-battle file"))
class RollAdvancement(ReasonedCommand, kw_only=True):
    """A Ganger with enough XP rolls. `choose` is in order of preference, for rows that offer two."""

    sentence = "advancement roll of {fighter}"

    fighter: FighterId
    choose: tuple[str, ...] = ()
    skill_set: SkillSet | None = None
    cannot_take: tuple[str, ...] = ()


@command(
    "PromoteFighter",
    part="ranks to be promoted to",
    instead=("RollPromotions", "promotions in a post-battle file"),
)
class PromoteFighter(ReasonedCommand, kw_only=True):
    """A fighter rises in rank; characteristics and cost stay."""

    fighter: FighterId
    category: Category
    kind: str
    basic_profile: Characteristics = field(default_factory=dict)
    beyond_rules: bool = False

    def request_in_words(self, wording: Wording) -> str:
        return f"promote {wording.fighter(self.fighter)} to {wording.title(self.category)}"


@command("NameLeader", part="choice of a new Leader")
class NameLeader(ReasonedCommand, kw_only=True):
    """A {game.gang} without a Leader gets one. `fighter` decides only if several are next in line."""

    gang: GangId
    fighter: FighterId | None = None
    kind: str = "Leader"
    basic_profile: Characteristics = field(default_factory=dict)

    def request_in_words(self, wording: Wording) -> str:
        who = f": {wording.fighter(self.fighter)}" if self.fighter is not None else ""
        return f"a new Leader for {wording.gang(self.gang)}{who}"


@command("FitBionic", part="bionics", entry="bionic", activity="distribute_equipment", stated={"reading": 2})
class FitBionic(ReasonedCommand, kw_only=True):
    """A bionic from the stash is fitted where an injury took something."""

    sentence = "fit {item} to {fighter}"

    fighter: FighterId
    """Who gets it."""
    place: Name
    """The lasting injury it makes good, such as hobbled."""
    item: Name
    """The bionic, by its name in the stash."""
    characteristics: Annotated[tuple[Name, ...], Size(highest=2), FileKey(name="improves")]
    """The characteristics that rise by one."""
    reading: int = 1
    """1: decided before a second injury of the same place mattered."""


# --- events ----------------------------------------------------------------------------------------------


@event("ExperienceSpent")
class ExperienceSpent(Event):
    """XP left a fighter's card."""

    sentence = "{fighter} spends {amount} XP: {why}"

    fighter: FighterId
    amount: int
    why: str
    section: str

    def apply(self, state: CampaignState) -> CampaignState:
        fighter = fighter_on_card(state, self.fighter)
        left, spent = fighter.experience - self.amount, fighter.experience_spent + self.amount
        return state.with_fighter(replace(fighter, experience=left, experience_spent=spent))


@event("AdvancementTaken")
class AdvancementTaken(Event, kw_only=True):
    """A fighter advanced. `advancements` counts them; `characteristic` is what it improved, if anything."""

    sentence = "{fighter} advances: {name} (advancement {advancements})"

    fighter: FighterId
    advancement: str
    name: str
    advancements: int
    characteristic: str | None = None
    section: str

    def apply(self, state: CampaignState) -> CampaignState:
        fighter = fighter_on_card(state, self.fighter)
        improved = fighter.times_improved
        if self.characteristic is not None:
            times = {**improved, self.characteristic: improved.get(self.characteristic, 0) + 1}
            improved = dict(sorted(times.items()))
        advancements = fighter.advancements + 1
        return state.with_fighter(replace(fighter, advancements=advancements, times_improved=improved))


@event("FighterPromoted")
class FighterPromoted(Event):
    """A fighter's category and type changed. From now on improvements are measured from `basic_profile`."""

    fighter: FighterId
    category_before: Category
    category: Category
    kind_before: str
    kind: str
    why: str
    section: str
    basic_profile: Characteristics = field(default_factory=dict)

    def in_words(self, wording: Wording) -> str:
        was = f"{wording.title(self.category_before)} ({wording.words(self.kind_before)})"
        now = f"{wording.title(self.category)} ({wording.words(self.kind)})"
        return f"{wording.fighter(self.fighter)}: {was} -> {now}, {wording.text(self.why)}"

    def apply(self, state: CampaignState) -> CampaignState:
        fighter = replace(fighter_on_card(state, self.fighter), category=self.category, kind=self.kind)
        if self.basic_profile:
            fighter = replace(fighter, basic_profile=self.basic_profile)
        return state.with_fighter(fighter)


@event("BionicFitted")
class BionicFitted(Event):
    """A bionic replaces what an injury spoiled. Another injury of the same place may ruin it."""

    fighter: FighterId
    place: str
    name: str
    section: str
    may_be_ruined: bool = False

    def in_words(self, wording: Wording) -> str:
        which = f"{wording.text(self.name)} ({wording.title(self.place)})"
        return f"{wording.fighter(self.fighter)} gets a bionic, {which}"

    def apply(self, state: CampaignState) -> CampaignState:
        fighter = fighter_on_card(state, self.fighter)
        fighter = replace(fighter, bionics=(*fighter.bionics, self.place))
        if self.may_be_ruined:
            bionic = Bionic(place=self.place, name=self.name)
            fighter = replace(fighter, fitted=(*fighter.fitted, bionic))
        return state.with_fighter(fighter)


@event("BionicRuined")
class BionicRuined(Event):
    """A bionic is ruined by another injury of its place; its improvements are gone."""

    fighter: FighterId
    place: str
    name: str
    section: str

    def in_words(self, wording: Wording) -> str:
        which = f"{wording.text(self.name)} is ruined ({wording.title(self.place)})"
        return f"{wording.fighter(self.fighter)}'s {which}"

    def apply(self, state: CampaignState) -> CampaignState:
        fighter = fighter_on_card(state, self.fighter)
        left, places = list(fighter.fitted), list(fighter.bionics)
        gone = next(bionic for bionic in left if (bionic.place, bionic.name) == (self.place, self.name))
        left.remove(gone)
        places.remove(self.place)
        return state.with_fighter(replace(fighter, fitted=tuple(left), bionics=tuple(places)))


# --- refusals --------------------------------------------------------------------------------------------


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
    """{fighter} is a {category} and cannot take this advancement: {what} ({section})."""

    fighter: str
    category: str
    what: str
    section: str


class BeyondLimit(RulesRefuse):
    """{fighter}'s {characteristic} {value} cannot be improved further: the best is {limit}, {why}."""

    fighter: str
    characteristic: str
    value: str
    limit: str
    why: str


class SkillsMissing(BadInput):
    """{fighter}: {what} needs a set of skills. Name the set, and the armoury file that lists its six skills
    in the order of the die.
    """

    lacks = "set"
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
    lacks = "skill"
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


class ChoiceNeeded(ChoiceLeft):
    key = "choose"

    fighter: str
    rolled: int
    options: tuple[str, ...]

    def question(self) -> str:
        return f"{self.fighter} rolled {self.rolled}: which characteristic gets better?"

    def offered(self) -> list[ChoiceOption]:
        return [ChoiceOption(said=option, words=option.replace("_", " ")) for option in self.options]

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
    """{gang} has a Leader, {leader}, who stays. Only a lost Leader is replaced."""

    gang: str
    leader: str


class NobodyToLead(RulesRefuse):
    """Nobody of {gang} is left who could lead it: hire or add a fighter first."""

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
