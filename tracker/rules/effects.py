"""Effects: the closed set of things a table row can do.

Knows what a row says. Knows no fighter: `campaign/steps/lasting_injuries.py` applies effects. A row that
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
    """A D6 at the end of each battle fought: on this face or lower Convalescence."""

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
    """A permanent scar, which `means` something at the table. One more than `slots` ends the career.

    `against_culprit`: the meaning is about the gang that caused it. `which`: a D6 of `which_purpose` picks
    one of these, with equal chances, for '{which}' in the meaning. `kit_to_stash`: a fighter who retires by
    it leaves all gear to the gang.
    """

    means: str
    slots: int
    beyond: Literal["death", "retirement"]
    against_culprit: bool = False
    which: tuple[str, ...] = ()
    which_purpose: str = ""
    kit_to_stash: bool = False


class InjuryDiceAgainst(TaggedRecord):
    """+DICE to every injury roll against the bearer."""

    dice: int


class GearLost(TaggedRecord):
    """Everything carried and worn is lost."""


class Ransom(TaggedRecord):
    """Captured for a ransom that the players agree on; unpaid, the captive is held or dies.

    `unpaid_loses_gear`: then all gear is lost too.
    """

    unpaid: Literal["held", "death"]
    unpaid_loses_gear: bool = False


class BeforeBattle(TaggedRecord):
    """A D6 before each battle: on this face or lower the meaning applies, such as missing the battle."""

    on: int
    means: str
    misses: bool


class RankLost(TaggedRecord):
    """A fighter with the rank loses it."""

    rank: str
    becomes: str


class NoExperience(TaggedRecord):
    """No XP until a promotion die, given as to a troop, succeeds."""


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
