"""Advancement: XP spent on characteristics and skills, caps on improvements, skills rolled at random.

Source: Core Rulebook (2023) · Experience · Advancements.
"""

from __future__ import annotations

from typing import cast

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.holdings import on_fighter
from tracker.campaign.profiles import Category
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.ledger import change_cost
from tracker.campaign.steps.post_battle_sequence import advance_to
from tracker.campaign.steps.promotion import promote
from tracker.rules.advancement_tables import Advancement


@handles(records.BuyAdvancement)
def buy_advancement(decision: Decision, command: records.BuyAdvancement) -> None:
    """A fighter spends XP on one advancement, at the price that earlier ones of its kind have raised.

    Source: Core Rulebook (2023) · Experience · Advancements.
    """
    decision.refuse_during_battle()
    rules, fighter = decision.rulebook.book.advancement, decision.enlisted(command.fighter)
    if command.reason is None:
        advance_to(decision, fighter.gang, "advancements")
    section = decision.rulebook.section("advancements")
    bought = rules.advancements.get(advancement_called(decision, command.advancement))
    if bought is None:
        raise records.UnknownAdvancement(advancement=command.advancement, known=tuple(rules.advancements))
    if fighter.category not in (bought.only or rules.buyers):
        rolls = fighter.category in rules.rolled.rollers
        who = "this rank rolls instead (ganger_roll)" if rolls else "this rank gains no XP"
        raise records.CannotAdvanceSo(
            fighter=fighter.name,
            category=fighter.category,
            what=f"only a {' or '.join(bought.only)}" if bought.only else who,
            section=section,
        )
    times = fighter.times_improved.get(bought.characteristic or "", 0)
    price = rules.price(bought, category=fighter.category, times_improved=times)
    if fighter.experience < price:
        raise records.NotEnoughExperience(
            fighter=fighter.name,
            experience=fighter.experience,
            needed=price,
            what=bought.name,
            section=section,
        )
    if bought.characteristic is not None:
        refuse_beyond_limit(decision, fighter, bought.characteristic)
    advance(decision, command, bought, price=price, section="advancements", cause=0)


def refuse_beyond_limit(decision: Decision, fighter: Fighter, characteristic: str) -> None:
    """Raises BeyondLimit where one more improvement would pass the book's best or the cap of the type."""
    trouble = why_not_improved(decision, fighter, characteristic)
    if trouble is not None:
        limits = decision.rulebook.limits(characteristic)
        value = fighter.characteristics[characteristic]
        raise records.BeyondLimit(
            fighter=fighter.name,
            characteristic=limits.short,
            value=limits.shown(value),
            limit=limits.shown(trouble[0]),
            why=trouble[1],
        )


def why_not_improved(decision: Decision, fighter: Fighter, characteristic: str) -> tuple[int, str] | None:
    """The limit that one more improvement would pass, and the reason for it; None if it passes none.

    Source: Core Rulebook (2023) · Fighter Characteristics Profiles (best); Experience · Advancements (caps).
    """
    limits = decision.rulebook.limits(characteristic)
    value = fighter.characteristics[characteristic]
    after = limits.improved(value, 1)
    rises = after > value
    if after > limits.best if rises else after < limits.best:
        return limits.best, "by this book"
    cap = decision.rulebook.book.advancement.caps.get(characteristic)
    basic = fighter.basic_profile.get(characteristic)
    if cap is not None and basic is not None:
        most = limits.improved(basic, cap)
        if after > most if rises else after < most:
            return most, f"{cap} above the basic profile of a {fighter.kind}"
    return None


def advancement_called(decision: Decision, name: str) -> str:
    """The id of an advancement; a characteristic may be written as WS or Weapon Skill, too."""
    return decision.rulebook.book.characteristic_called(name) or name


def advance(
    decision: Decision,
    command: records.BuyAdvancement,
    advancement: Advancement,
    *,
    price: int,
    section: str,
    cause: int,
) -> None:
    """Apply an advancement at this price. Refuses only what the command says of skills."""
    name = command.fighter
    fighter, where = decision.fighter(name), decision.rulebook.section(section)
    taken = decision.emit(
        records.AdvancementTaken(
            fighter=name,
            advancement=advancement.id,
            name=advancement.name,
            advancements=fighter.advancements + 1,
            characteristic=advancement.characteristic,
            section=where,
        ),
        cause=cause,
    )
    decision.emit(
        records.ExperienceSpent(fighter=name, amount=price, why=advancement.name, section=where), cause=taken
    )
    if advancement.characteristic is not None:
        before = fighter.characteristics[advancement.characteristic]
        after = decision.rulebook.limits(advancement.characteristic).improved(before, 1)
        decision.emit(
            records.CharacteristicChanged(
                fighter=name,
                characteristic=advancement.characteristic,
                before=before,
                after=after,
                why="advancement",
            ),
            cause=taken,
        )
    if advancement.becomes is not None:
        category = cast("Category", advancement.becomes)
        kind = command.kind or (category.capitalize() if category == "champion" else fighter.kind)
        promote(
            decision,
            fighter,
            category,
            kind,
            why=advancement.name,
            section=section,
            basic_profile=command.basic_profile,
            cause=taken,
        )
    if advancement.skill_from is not None:
        learn(decision, command, advancement, section=section, cause=taken)
    change_cost(decision, on_fighter(name), advancement.credits, why=advancement.name, cause=taken)


# --- learning a skill ---------------------------------------------------------------------------------


SKILLS_IN_A_SET = 6


def learn(
    decision: Decision, command: records.BuyAdvancement, advancement: Advancement, *, section: str, cause: int
) -> None:
    """The fighter learns a skill, chosen or rolled; a roll is repeated for a skill they have or cannot take.

    Refuses a set that the advancement does not grant, one without six skills, and one that is known
    completely. Source: Core Rulebook (2023) · Experience · Advancements.
    """
    fighter, skill_set = decision.fighter(command.fighter), command.skill_set
    if skill_set is None:
        raise records.SkillsMissing(fighter=fighter.name, what=advancement.name)
    if len({skill.casefold() for skill in skill_set.skills}) != SKILLS_IN_A_SET:
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
    barred = {name.casefold() for name in (*fighter.skills, *command.cannot_take)}
    if all(skill.casefold() in barred for skill in skill_set.skills):
        raise records.NoSkillLeft(fighter=fighter.name, skill_set=skill_set.name)
    if advancement.skill_chosen:
        learnt = next(
            (skill for skill in skill_set.skills if skill.casefold() == (command.skill or "").casefold()),
            None,
        )
        if learnt is None:
            raise records.SkillNotInSet(skill=command.skill, skill_set=skill_set.name, known=skill_set.skills)
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
