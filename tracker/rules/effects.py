"""Effects: the closed set of things a table row can do.

Knows what a row says. Knows no fighter: applying is `campaign/steps/lasting_injuries.py`. A row that
needs something new needs a new kind here, with a name and a test.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.records import Record


class Convalescence(Record):
    """Goes into Convalescence."""


class Recovery(Record):
    """Goes into Recovery."""


class Reduce(Record):
    """A characteristic gets worse, from the given occurrence of the row on."""

    characteristic: str
    by: int
    from_occurrence: int = 1


class Improve(Record):
    """A characteristic gets better."""

    characteristic: str
    by: int


class Experience(Record):
    """The fighter gains XP by a die."""

    dice: str
    purpose: str


class ExperienceForAttacker(Record):
    """The attacker gains XP, if an Attack action caused the injury."""

    amount: int


class Skill(Record):
    """The fighter gains a skill."""

    skill: str


class SkillAgainstCulprit(Record):
    """The fighter has a skill in battles against the gang that caused the injury."""

    skill: str


class Lingering(Record):
    """At the end of each battle fought: a D6, and on this face or lower Convalescence."""

    on: int


class RollAgain(Record):
    """Further rolls on the same table, with rows that are rolled again."""

    dice: str
    count_purpose: str
    purpose: str
    rerolls: tuple[str, ...]


class Captured(Record):
    """Might be captured: an escape roll in the Wrap-up decides."""


class Critical(Record):
    """Dies unless treated by the Doc."""


class Death(Record):
    """Dies at once."""


class BattleScar(Record):
    """A scar for good, which `means` something at the table. One more than `slots` ends the career.

    `against_culprit`: what it means is about the gang that caused it.
    """

    means: str
    slots: int
    beyond: Literal["death", "retirement"]
    against_culprit: bool = False


class InjuryDiceAgainst(Record):
    """So many +DICE to every injury roll against the bearer."""

    dice: int


class GearLost(Record):
    """Everything carried and worn is lost."""


class Ransom(Record):
    """Captured for a ransom that the players agree on; unpaid, the captive is held or dies."""

    unpaid: Literal["held", "death"]


class BeforeBattle(Record):
    """Before each battle a D6: on this face or lower what it `means`, such as missing the battle."""

    on: int
    means: str
    misses: bool


class RankLost(Record):
    """Who has the rank has it no more."""

    rank: str
    becomes: str


class Retirement(Record):
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
    | Retirement
)

EFFECTS: dict[str, type[Effect]] = {
    "convalescence": Convalescence,
    "recovery": Recovery,
    "reduce": Reduce,
    "improve": Improve,
    "experience": Experience,
    "experience_for_attacker": ExperienceForAttacker,
    "skill": Skill,
    "skill_against_culprit": SkillAgainstCulprit,
    "lingering": Lingering,
    "roll_again": RollAgain,
    "captured": Captured,
    "critical": Critical,
    "death": Death,
    "battle_scar": BattleScar,
    "injury_dice_against": InjuryDiceAgainst,
    "gear_lost": GearLost,
    "ransom": Ransom,
    "before_battle": BeforeBattle,
    "rank_lost": RankLost,
    "retirement": Retirement,
}


class SufferedBefore(Record):
    """The fighter has had this row before."""


class HasSkill(Record):
    """The fighter has the skill already."""

    skill: str


class NoKnownCulprit(Record):
    """No gang caused the injury, and the players name none."""


Condition: TypeAlias = SufferedBefore | HasSkill | NoKnownCulprit

CONDITIONS: dict[str, type[Condition]] = {
    "suffered_before": SufferedBefore,
    "has_skill": HasSkill,
    "no_known_culprit": NoKnownCulprit,
}
