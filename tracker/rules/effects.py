"""Effects: the closed set of things a table row can do.

Knows what a row says. Knows no fighter: applying is `campaign/steps/lasting_injuries.py`. A row that
needs something new needs a new kind here, with a name and a test.
"""

from __future__ import annotations

import re
from typing import Literal, TypeAlias

from tracker.rules.conversion import BookTable


class TaggedRecord(
    BookTable, tag_field="kind", tag=lambda name: re.sub("(?<!^)([A-Z])", r"_\1", name).lower()
):
    """What a book names by `kind`: `roll_again` is RollAgain."""

    @property
    def kind(self) -> str:
        """The name of the kind in a book."""
        return str(self.__struct_config__.tag)


class Convalescence(TaggedRecord):
    """Goes into Convalescence."""


class Recovery(TaggedRecord):
    """Goes into Recovery."""


class Reduce(TaggedRecord):
    """A characteristic gets worse, from the given occurrence of the row on."""

    characteristic: str
    by: int
    from_occurrence: int = 1


class Improve(TaggedRecord):
    """A characteristic gets better."""

    characteristic: str
    by: int


class Experience(TaggedRecord):
    """The fighter gains XP by a die."""

    dice: str
    purpose: str


class ExperienceForAttacker(TaggedRecord):
    """The attacker gains XP, if an Attack action caused the injury."""

    amount: int


class Skill(TaggedRecord):
    """The fighter gains a skill."""

    skill: str


class SkillAgainstCulprit(TaggedRecord):
    """The fighter has a skill in battles against the gang that caused the injury."""

    skill: str


class Lingering(TaggedRecord):
    """At the end of each battle fought: a D6, and on this face or lower Convalescence."""

    on: int


class RollAgain(TaggedRecord):
    """Further rolls on the same table, with rows that are rolled again."""

    dice: str
    count_purpose: str
    purpose: str
    rerolls: tuple[str, ...]


class Captured(TaggedRecord):
    """Might be captured: an escape roll in the Wrap-up decides."""


class Critical(TaggedRecord):
    """Dies unless treated by the Doc."""


class Death(TaggedRecord):
    """Dies at once."""


class BattleScar(TaggedRecord):
    """A scar for good, which `means` something at the table. One more than `slots` ends the career.

    `against_culprit`: what it means is about the gang that caused it. `which`: a D6 of `which_purpose`,
    shared evenly, says which of these stands for '{which}' in what it means. `kit_to_stash`: who retires by
    it leaves everything carried to the gang.
    """

    means: str
    slots: int
    beyond: Literal["death", "retirement"]
    against_culprit: bool = False
    which: tuple[str, ...] = ()
    which_purpose: str = ""
    kit_to_stash: bool = False


class InjuryDiceAgainst(TaggedRecord):
    """So many +DICE to every injury roll against the bearer."""

    dice: int


class GearLost(TaggedRecord):
    """Everything carried and worn is lost."""


class Ransom(TaggedRecord):
    """Captured for a ransom that the players agree on; unpaid, the captive is held or dies.

    `unpaid_loses_gear`: then everything carried goes too.
    """

    unpaid: Literal["held", "death"]
    unpaid_loses_gear: bool = False


class BeforeBattle(TaggedRecord):
    """Before each battle a D6: on this face or lower what it `means`, such as missing the battle."""

    on: int
    means: str
    misses: bool


class RankLost(TaggedRecord):
    """Who has the rank has it no more."""

    rank: str
    becomes: str


class NoExperience(TaggedRecord):
    """Earns no XP until a promotion die, given as to a troop, shows what promotes."""


class Retirement(TaggedRecord):
    """Leaves for good, from the given occurrence of the row on."""

    from_occurrence: int = 1


Effect: TypeAlias = (
    Convalescence
    | Recovery
    | Reduce
    | Improve
    | Experience
    | ExperienceForAttacker
    | Skill
    | SkillAgainstCulprit
    | Lingering
    | RollAgain
    | Captured
    | Critical
    | Death
    | BattleScar
    | InjuryDiceAgainst
    | GearLost
    | Ransom
    | BeforeBattle
    | RankLost
    | NoExperience
    | Retirement
)


class SufferedBefore(TaggedRecord):
    """The fighter has had this row before."""


class HasSkill(TaggedRecord):
    """The fighter has the skill already."""

    skill: str


class OfType(TaggedRecord):
    """The fighter is of that type of the gang list."""

    type: str


class NoKnownCulprit(TaggedRecord):
    """No gang caused the injury, and the players name none."""


Condition: TypeAlias = SufferedBefore | HasSkill | OfType | NoKnownCulprit
