"""Learning: a skill out of a set of six, as an advancement grants it."""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.state import Fighter
from tracker.campaign.steps.decision import Decision
from tracker.rules.gang_rules import Advancement

SKILLS_IN_A_SET = 6


def learn(
    decision: Decision,
    fighter: Fighter,
    advancement: Advancement,
    *,
    skill_set: records.SkillSet | None,
    skill: str | None,
    cannot_take: tuple[str, ...],
    section: str,
    cause: int,
) -> None:
    """A skill, chosen or by a die that is rolled again for what the fighter has or cannot take.

    Refuses a set that is not the one granted, not six skills, or known already to the last.
    Source: Core Rulebook (2023) · Experience · Advancements.
    """
    if skill_set is None:
        raise records.SkillsMissing(fighter=fighter.name, what=advancement.name)
    if len({one.casefold() for one in skill_set.skills}) != SKILLS_IN_A_SET:
        raise records.NotSixSkills(skill_set=skill_set.name, skills=len(skill_set.skills))
    wanted = advancement.skill_from
    if wanted != "any" and skill_set.access is not None and skill_set.access != wanted:
        raise records.WrongSkillSet(
            fighter=fighter.name,
            skill_set=skill_set.name,
            access=skill_set.access,
            needed=str(wanted),
            section=decision.rulebook.section(section),
        )
    barred = {one.casefold() for one in (*fighter.skills, *cannot_take)}
    if all(one.casefold() in barred for one in skill_set.skills):
        raise records.NoSkillLeft(fighter=fighter.name, skill_set=skill_set.name)
    if advancement.skill_chosen:
        learnt = next((one for one in skill_set.skills if one.casefold() == (skill or "").casefold()), None)
        if learnt is None:
            raise records.SkillNotInSet(skill=skill, skill_set=skill_set.name, known=skill_set.skills)
        if learnt.casefold() in barred:
            raise records.SkillKnown(fighter=fighter.name, skill=learnt)
    else:
        learnt, cause = _random_skill(
            decision, fighter, skill_set, barred=barred, section=section, cause=cause
        )
    decision.emit(
        records.SkillGained(fighter=fighter.fighter, skill=learnt, against=None, why=skill_set.name),
        cause=cause,
    )


def _random_skill(
    decision: Decision,
    fighter: Fighter,
    skill_set: records.SkillSet,
    *,
    barred: set[str],
    section: str,
    cause: int,
) -> tuple[str, int]:
    while True:
        die = decision.tray.d6("skill", why=f"a skill of {skill_set.name}", fighter=fighter.fighter)
        rolled = skill_set.skills[die.face - 1]
        again = rolled.casefold() in barred
        cause = decision.roll(
            die,
            outcome=f"{rolled}: rolled again" if again else rolled,
            section=section,
            rolled_by=fighter.gang,
            cause=cause,
        )
        if not again:
            return rolled, cause
