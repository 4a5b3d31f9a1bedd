"""Effects: the closed set of things a table row can do.

Knows what a row says. Knows no fighter: applying is `campaign/decide/lasting_injuries.py`. A row that
needs something new needs a new kind here, with a name and a test.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.records import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Convalescence:
    """Goes into Convalescence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovery:
    """Goes into Recovery."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduce:
    """A characteristic gets worse, from the given occurrence of the row on."""

    characteristic: str
    by: int
    from_occurrence: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Improve:
    """A characteristic gets better."""

    characteristic: str
    by: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Experience:
    """The fighter gains XP by a die."""

    dice: str
    purpose: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ExperienceForAttacker:
    """The attacker gains XP, if an Attack action caused the injury."""

    amount: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Skill:
    """The fighter gains a skill."""

    skill: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SkillAgainstCulprit:
    """The fighter has a skill in battles against the gang that caused the injury."""

    skill: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Lingering:
    """At the end of each battle fought: a D6, and on this face or lower Convalescence."""

    on: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RollAgain:
    """Further rolls on the same table, with rows that are rolled again."""

    dice: str
    count_purpose: str
    purpose: str
    rerolls: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """Might be captured: an escape roll in the Wrap-up decides."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Critical:
    """Dies unless treated by the Doc."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Death:
    """Dies at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BattleScar:
    """A scar for good, which `means` something at the table. One more than `slots` ends the career.

    `against_culprit`: what it means is about the gang that caused it.
    """

    means: str
    slots: int
    beyond: Literal["death", "retirement"]
    against_culprit: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class InjuryDiceAgainst:
    """So many +DICE to every injury roll against the bearer."""

    dice: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GearLost:
    """Everything carried and worn is lost."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ransom:
    """Captured for a ransom that the players agree on; unpaid, the captive is held or dies."""

    unpaid: Literal["held", "death"]


@dataclass(frozen=True, slots=True, kw_only=True)
class BeforeBattle:
    """Before each battle a D6: on this face or lower what it `means`, such as missing the battle."""

    on: int
    means: str
    misses: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RankLost:
    """Who has the rank has it no more."""

    rank: str
    becomes: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Retirement:
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


@dataclass(frozen=True, slots=True, kw_only=True)
class SufferedBefore:
    """The fighter has had this row before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HasSkill:
    """The fighter has the skill already."""

    skill: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NoKnownCulprit:
    """No gang caused the injury, and the players name none."""


Condition: TypeAlias = SufferedBefore | HasSkill | NoKnownCulprit

CONDITIONS: dict[str, type[Condition]] = {
    "suffered_before": SufferedBefore,
    "has_skill": HasSkill,
    "no_known_culprit": NoKnownCulprit,
}
