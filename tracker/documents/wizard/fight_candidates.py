"""Candidates for the keys of a fight that are asked only if a trait or a skill makes them matter.

Knows which rules act between two fighters. Knows no numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from tracker.campaign.fighters import Fighter
from tracker.campaign.profiles import Weapon, WeaponProfile, carried_traits
from tracker.documents.wizard import context, vehicle_candidates
from tracker.records import replace
from tracker.rules.necromunda.close_combat import fights_as
from tracker.rules.necromunda.rules_in_force import (
    REST_OF_THE_BOOK,
    WHOLE_BOOK,
    SpecialRules,
    special_rules,
)
from tracker.rules.special_rules import KnockedBack, NoFurtherEffect, Parries, SpreadsHits

MOUNTED: Final = "a Mounted fighter's weapon"
PARRY: Final = "parry"
"""What a Hit roll that is made again is rolled for."""


def rules_between(
    table: context.Context, attacker: Fighter, target: Fighter | None, traits: tuple[str, ...]
) -> SpecialRules | None:
    """What acts between two fighters, with a weapon of these traits, in the battle as it is recorded."""
    return special_rules(
        table.book,
        traits=traits,
        skills=attacker.skills,
        against_skills=target.skills if target is not None else (),
        against_traits=carried_traits(target.weapons) if target is not None else (),
        stage=_stage(table),
    )


def _stage(table: context.Context) -> int:
    under_way = table.state.under_way
    return WHOLE_BOOK if under_way is None else under_way.whole_book or 0


def weapons(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The weapons on the attacker's card; each profile of one that strikes in several ways. A Mounted fighter
    uses one of them.
    """
    attacker = table.state.fighter(str(answers.get("attacker")))
    carried = attacker.weapons if attacker is not None else ()
    names = [weapon.weapon for weapon in carried]
    ways = [way for weapon in carried for way in _ways_of(weapon, twice=names.count(weapon.weapon) > 1)]
    if attacker is not None and attacker.mounted and _stage(table) >= REST_OF_THE_BOOK:
        ways = [replace(way, one_of=MOUNTED) for way in ways]
    return tuple(ways)


def _ways_of(weapon: Weapon, *, twice: bool) -> tuple[context.Choice, ...]:
    striking = [profile for profile in weapon.profiles if fights_as(profile.traits) is not None]
    if len(striking) < 2:
        return context.as_choices([weapon.weapon])
    called = [(f"{weapon.weapon} ({profile.name})", profile.name) for profile in striking]
    return tuple(
        context.Choice(
            value=name,
            name=name,
            answer={"weapon": weapon.weapon, "profile": profile},
            one_of="" if twice else weapon.weapon,
        )
        for name, profile in called
    )


def _profiles_used(answers: context.Answers, weapon: Weapon) -> tuple[WeaponProfile, ...]:
    """The profiles of a weapon that the fight is made with; none where it is not."""
    used = answers.get("weapons")
    named = used if isinstance(used, list) else []
    if weapon.weapon in named:
        return weapon.profiles
    return tuple(
        profile for profile in weapon.profiles if {"weapon": weapon.weapon, "profile": profile.name} in named
    )


def _names_used(answers: context.Answers) -> list[str]:
    """What the weapons that are named are called."""
    used = answers.get("weapons")
    named = used if isinstance(used, list) else []
    return [str(one.get("weapon")) if isinstance(one, dict) else str(one) for one in named]


def may_be_declined(table: context.Context, answers: context.Answers, purpose: str) -> str:
    """What the only target may do without, so that no such die is rolled; nothing where there is no choice.

    To parry and to step aside are choices; what else rolls for a target just happens.
    """
    acts = _in_the_fight(table, answers)
    for rule in acts.at("hits_scored") if acts is not None else ():
        then, roll = rule.declared.then, rule.declared.roll
        asks = PARRY if isinstance(then, Parries) else roll.purpose if roll is not None else ""
        if isinstance(then, (Parries, NoFurtherEffect)) and asks == purpose:
            return rule.name
    return ""


def _in_the_fight(table: context.Context, answers: context.Answers) -> SpecialRules | None:
    """What acts in the fight that is being told: by the weapons named, and the first target."""
    attacker = table.state.fighter(str(answers.get("attacker")))
    if attacker is None:
        return None
    targets = context.listed(answers, "targets")
    first = targets[0] if len(targets) == 1 else ""
    traits = tuple(
        trait
        for weapon in attacker.weapons
        for profile in _profiles_used(answers, weapon)
        for trait in profile.traits
    )
    return rules_between(table, attacker, table.state.fighter(first), traits)


def _one_fighter_attacked(table: context.Context, answers: context.Answers) -> bool:
    targets = context.listed(answers, "targets")
    return len(targets) == 1 and table.state.fighter(targets[0]) is not None


def fought_from_behind(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """Yes or no where a trait or a skill in the fight asks about the only target's vision arc."""
    acts = _in_the_fight(table, answers)
    asked = acts is not None and acts.ask_about("behind", "in_front")
    return None if asked and _one_fighter_attacked(table, answers) else ()


def follows(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """Yes or no where the only target may be knocked back."""
    acts = _in_the_fight(table, answers)
    moves = acts is not None and any(
        isinstance(rule.declared.then, KnockedBack)
        and ("charging" not in rule.declared.conditions or bool(answers.get("charging")))
        for rule in acts.at("hit")
    )
    return None if moves and _one_fighter_attacked(table, answers) else ()


def psyker(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """Yes or no where a trait of a weapon asks whether the attacker is one."""
    acts = _in_the_fight(table, answers)
    return None if acts is not None and acts.ask_about("psyker") else ()


def target_psyker(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """Yes or no where a trait of a weapon asks whether the only target is one."""
    acts = _in_the_fight(table, answers)
    asked = acts is not None and acts.ask_about("against_psyker")
    return None if asked and _one_fighter_attacked(table, answers) else ()


def wards_off(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The weapons whose hits the only target may ward off first, where it can and there are two."""
    acts, used = _in_the_fight(table, answers), _names_used(answers)
    wards = acts is not None and any(
        isinstance(rule.declared.then, (Parries, NoFurtherEffect)) for rule in acts.at("hits_scored")
    )
    if not wards or len(used) < 2 or not _one_fighter_attacked(table, answers):
        return ()
    return context.as_choices(used)


def named_die(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The weapons of which one Attack die may be stronger, where a skill makes one so and there are two."""
    acts, used = _in_the_fight(table, answers), _names_used(answers)
    if acts is None or not acts.ask_about("named_die") or len(used) < 2:
        return ()
    return context.as_choices(used)


def in_contact(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who else may be in base contact, where the hits of a weapon fall at random."""
    acts = _in_the_fight(table, answers)
    spreads = acts is not None and any(
        isinstance(rule.declared.then, SpreadsHits) for rule in acts.at("hits_scored")
    )
    if not spreads:
        return ()
    named = context.listed(answers, "targets")
    beside = (*context.enemies_first(table, answers), *vehicle_candidates.with_their_sides(table, answers))
    return tuple(choice for choice in beside if choice.value.partition("/")[0] not in named)


def helpers(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Friends who fought the only target before: they may be engaged with it still."""
    if not _one_fighter_attacked(table, answers):
        return ()
    own = context.gang_of_answers(table, answers)
    attacked = context.listed(answers, "targets")[0]
    return _who_fought(table, attacked, lambda gang: gang == own, but=str(answers.get("attacker")))


def hinderers(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Enemies other than the targets who fought the attacker before: they may be engaged with them still."""
    targets = context.listed(answers, "targets")
    if not targets:
        return ()
    own = context.gang_of_answers(table, answers)
    found = _who_fought(table, str(answers.get("attacker")), lambda gang: gang != own)
    return tuple(choice for choice in found if choice.value not in targets)


def _who_fought(
    table: context.Context, whom: str, is_side: Callable[[str], bool], *, but: str = ""
) -> tuple[context.Choice, ...]:
    return context.fighter_choices(
        fighter
        for fighter in table.fighters()
        if fighter.fighter not in (whom, but)
        and is_side(fighter.gang)
        and frozenset((fighter.fighter, whom)) in table.fought
    )
