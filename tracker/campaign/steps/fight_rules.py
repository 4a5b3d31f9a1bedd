"""Fight rules: the effects of traits and skills in a fight before a hit is resolved.

Knows effects on weapons, Attack dice and Hit rolls, and after the fight, but no trait or skill by name.
Effects on a hit: `special_rules.py`. Source: Core Rulebook (2023) · Weapon Traits; Skills.
"""

from __future__ import annotations

from collections.abc import Iterator

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.steps import special_rules
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.engagement import answers
from tracker.records import Record
from tracker.rules import special_rules as effects
from tracker.rules.modifiers import Modifiers
from tracker.rules.necromunda.rules_in_force import RuleInForce, Situation, all_hold, skill_key
from tracker.rules.special_rules import Condition, Effect, Trigger


def acts_for(
    decision: Decision,
    command: records.Fight,
    traits: tuple[str, ...],
    trigger: Trigger,
) -> Iterator[RuleInForce]:
    """The attacker's own rules at a trigger, whoever is attacked: traits of weapons, and skills."""
    found = special_rules.rules_between(decision, traits, command.attacker, None)
    for rule in found.at(trigger) if found is not None else ():
        declined = special_rules.is_declined(rule, command.without)
        if not declined and all_hold(rule, situation_of(decision, command, traits)):
            yield rule


def situation_of(decision: Decision, command: records.Fight, traits: tuple[str, ...]) -> Situation:
    """The situation of a fight, whoever is attacked."""
    return Situation(
        melee=True,
        engaged=True,
        charging=command.charging,
        reaction=command.reaction,
        mounted=decision.fighter(command.attacker).mounted,
        psyker=command.psyker,
        traits=traits,
    )


def effect_of_fighter(
    decision: Decision, fighter: str, trigger: Trigger, kind: type[Effect], without: tuple[str, ...] = ()
) -> Effect | None:
    """The effect of this kind that a fighter's own skills have at a trigger, or None."""
    found = special_rules.rules_between(decision, (), fighter, None)
    for rule in found.at(trigger) if found is not None else ():
        if isinstance(rule.declared.then, kind) and not special_rules.is_declined(rule, without):
            return rule.declared.then
    return None


def refuse_counted_twice(decision: Decision, command: records.Fight, traits: tuple[str, ...]) -> None:
    """Refuses an `extra` that repeats what a trait or a skill adds by itself."""
    for extra in command.extra:
        found = special_rules.rules_between(decision, traits, command.attacker, None)
        rules = found.at_any() if found is not None else ()
        key = skill_key(extra.why)
        for rule in rules:
            if skill_key(rule.rule) == key and not special_rules.is_declined(rule, command.without):
                raise records.CountsByItself(why=extra.why)


# --- weapons and Attack dice -----------------------------------------------------------------------------


def beside_the_weapons(
    decision: Decision, command: records.Fight, profile: WeaponProfile
) -> effects.BesideTheWeapons | None:
    """The effect of a weapon that is used beside those a fighter may attack with; None for any other."""
    for rule in acts_for(decision, command, profile.traits, "weapons"):
        if isinstance(rule.declared.then, effects.BesideTheWeapons):
            return rule.declared.then
    return None


def uses_one_hand(decision: Decision, command: records.Fight) -> bool:
    """Whether the attacker uses an Unwieldy weapon in one hand."""
    return any(
        isinstance(rule.declared.then, effects.OneHanded)
        for rule in acts_for(decision, command, (), "weapons")
    )


class MoreAttackDice(Record):
    """The effects on the Attack dice: the factor for Attacks, additional dice with their reasons, and as how
    many weapons one counts.
    """

    times: Modifiers = ()
    added: Modifiers = ()
    as_weapons: int = 1


def more_attack_dice(
    decision: Decision, command: records.Fight, traits: tuple[str, ...], attacks: int
) -> MoreAttackDice:
    """The effects on the Attack dice; the characteristic is multiplied before anything is added."""
    times: list[tuple[str, int]] = []
    added: list[tuple[str, int]] = []
    as_weapons = 1
    last = decision.battle("close combat").last_fight
    missed = last.missed if last is not None and command.reaction and answers(command, last) else 0
    for rule in acts_for(decision, command, traits, "attack_dice"):
        effect = rule.declared.then
        assert isinstance(effect, effects.ChangesAttackDice), "nothing else acts there"
        if effect.times > 1:
            times.append((rule.name, attacks * (effect.times - 1)))
        more = effect.by + effect.each_miss * missed
        if more:
            added.append((rule.name, more))
        as_weapons = max(as_weapons, effect.as_weapons)
    return MoreAttackDice(times=tuple(times), added=tuple(added), as_weapons=as_weapons)


def asks_for_misses(decision: Decision, enemies: tuple[str, ...]) -> bool:
    """Whether the number of missed attacks matters to an enemy who may react."""
    for enemy in enemies:
        found = special_rules.rules_between(decision, (), enemy, None)
        for rule in found.at("attack_dice") if found is not None else ():
            if isinstance(rule.declared.then, effects.ChangesAttackDice) and rule.declared.then.each_miss:
                return True
    return False


def strengthens_a_die(decision: Decision, command: records.Fight) -> bool:
    """Whether a skill of the attacker strengthens one Attack die that is named before the roll."""
    found = special_rules.rules_between(decision, (), command.attacker, None)
    named: Condition = "named_die"
    return found is not None and any(
        named in rule.declared.conditions and not special_rules.is_declined(rule, command.without)
        for rule in found.at_any()
    )


def hampered(decision: Decision, command: records.Fight) -> Modifiers:
    """The modifier that entangling gives to these Reaction attacks."""
    last = decision.battle("close combat").last_fight
    if last is None or not command.reaction or not answers(command, last):
        return ()
    by = last.hampered.get(command.attacker, 0)
    return (("entangled", by),) if by else ()


# --- after the Hit rolls ---------------------------------------------------------------------------------


def is_parried_by(attack: special_rules.Attack, with_traits: tuple[str, ...]) -> bool:
    """Whether a weapon with these traits can parry a hit of this attack."""
    for rule in attack.rules.at("hits_scored"):
        effect = rule.declared.then
        if not isinstance(effect, effects.CannotBeParried) or not all_hold(rule, attack.situation):
            continue
        if effect.but_by is None or skill_key(effect.but_by) not in map(skill_key, with_traits):
            return False
    return True


class Parry(Record):
    """One Hit roll that the target can have repeated: the rule, and the traits of the weapon."""

    rule: RuleInForce
    traits: tuple[str, ...] = ()


def parries_of(defender: Fighter, attack: special_rules.Attack) -> tuple[Parry, ...]:
    """A target's parries: each weapon with the trait, up to their number, and its skill."""
    found: list[Parry] = []
    for rule in attack.rules.at("hits_scored"):
        effect = rule.declared.then
        if not isinstance(effect, effects.Parries) or special_rules.is_declined(rule, attack.without):
            continue
        if not all_hold(rule, attack.situation):
            continue
        if rule.is_skill:
            found.append(Parry(rule=rule))
            continue
        carried = [
            tuple(trait for profile in weapon.profiles for trait in profile.traits)
            for weapon in defender.weapons
        ]
        bearing = [traits for traits in carried if skill_key(rule.rule) in map(skill_key, traits)]
        # Of more than count, those of the most traits: the one that parries most.
        bearing = sorted(bearing, key=len, reverse=True)[: effect.weapons_max]
        found += [Parry(rule=rule, traits=traits) for traits in bearing]
    return tuple(found)


def steps_aside(decision: Decision, attack: special_rules.Attack, *, cause: int) -> bool:
    """Whether the target turns a hit into a miss, by its own die.

    Source: Core Rulebook (2023) · Skills · Step Aside.
    """
    for rule in attack.rules.at("hits_scored"):
        declared = rule.declared
        if not isinstance(declared.then, effects.NoFurtherEffect) or declared.roll is None:
            continue
        if special_rules.is_declined(rule, attack.without) or not all_hold(rule, attack.situation):
            continue
        passed, _ = special_rules.roll_for(decision, attack, rule, declared.roll, cause=cause)
        if passed != declared.on_failure:
            return True
    return False


def left_hampered(attack: special_rules.Attack) -> int:
    """The modifier that a hit gives to the Reaction attacks of the fighter it entangles."""
    return min(
        (effect.reactions for effect in _at_the_hit(attack) if isinstance(effect, effects.Inflicts)),
        default=0,
    )


def is_thrown_off(attack: special_rules.Attack) -> bool:
    """Whether a hit moves its target away."""
    moved = any(isinstance(effect, effects.KnockedBack) for effect in _at_the_hit(attack))
    return moved and not attack.cannot_be_moved


def _at_the_hit(attack: special_rules.Attack) -> Iterator[Effect]:
    """The effects on a hit that need no die."""
    for rule in attack.rules.at("hit"):
        declined = special_rules.is_declined(rule, attack.without)
        if rule.declared.roll is None and not declined and all_hold(rule, attack.situation):
            yield rule.declared.then


def added_to_hit(attack: special_rules.Attack) -> tuple[int, int]:
    """What the attacker's own traits and skills add to the Strength and the Damage of a hit."""
    strength = sum(effect.by for effect in _at_the_hit(attack) if isinstance(effect, effects.ChangesStrength))
    damage = sum(
        rule.declared.then.by
        for rule in attack.rules.at("damage")
        if isinstance(rule.declared.then, effects.ChangesDamage)
        and not special_rules.is_declined(rule, attack.without)
        and all_hold(rule, attack.situation)
    )
    return strength, damage
