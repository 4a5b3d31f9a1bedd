"""Special rules: the conditions, dice and effects of traits and skills in an attack.

Each step asks here for the effects at its trigger, and never names a trait or a skill. In battles recorded
before traits and skills asked for dice, none is in effect (ADR 29). To add one: CONTRIBUTING.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, assert_never

from tracker.campaign import records
from tracker.campaign.profiles import carried_traits
from tracker.campaign.steps import conditions, effect_words, inspirational
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.vehicle_control import handling_now, handling_test
from tracker.dice import Die
from tracker.records import Record, replace
from tracker.rules import special_rules as rules
from tracker.rules.modifiers import Modifiers
from tracker.rules.necromunda import nerve, rules_in_force
from tracker.rules.necromunda.rules_in_force import (
    RuleInForce,
    Situation,
    SpecialRules,
    all_hold,
    special_rules,
)
from tracker.rules.special_rules import Effect, Inflicts, Trigger


class Attack(Record):
    """One attack on one model, as special rules see it. `slot` and `traits` are the weapon's.

    `toughness` is added to the target's against this hit. For a vehicle, `facing_toughness` is that of the
    facing hit, and `user` its driver.
    """

    rules: SpecialRules
    situation: Situation
    attacker: str | None
    target: str
    without: tuple[str, ...] = ()
    slot: str = ""
    traits: tuple[str, ...] = ()
    cannot_be_moved: bool = False
    stays_beneath: bool = False
    inspired_by: str | None = None
    toughness: int = 0
    facing_toughness: int | None = None
    user: str | None = None

    @property
    def is_on_vehicle(self) -> bool:
        """Whether the target is a vehicle, or the driver of one whose rules are asked for."""
        return self.user is not None


class Acting(Record):
    """A rule in effect: its effect, and the place of its event."""

    rule: RuleInForce
    effect: Effect
    cause: int


def rules_between(
    decision: Decision, traits: tuple[str, ...], attacker: str | None, target: str | None
) -> SpecialRules | None:
    """The special rules of an attack, None without any; on a hit vehicle: `vehicle_special_rules.py`."""
    battle = decision.state.under_way
    if battle is None or battle.whole_book is None:
        return None
    shooter = decision.card(attacker) if attacker is not None else None
    hit = decision.card(target) if target is not None else None
    skills = shooter.skills if shooter is not None else ()
    against = hit.skills if hit is not None else ()
    carried = carried_traits(hit.weapons) if hit is not None and hit.weapons else ()
    if not (traits or skills or against or carried):
        return None
    return special_rules(
        decision.rulebook.book,
        traits=traits,
        skills=skills,
        against_skills=against,
        against_traits=carried,
        stage=battle.whole_book,
    )


def act_in_fights(decision: Decision) -> bool:
    """Whether traits and skills ward off hits and end attacks in close combat, by stage (ADR 29)."""
    return decision.plays_by(rules_in_force.FIGHTS_AND_ROUNDS)


def acting(decision: Decision, attack: Attack | None, trigger: Trigger, cause: int = 0) -> Iterator[Acting]:
    """The effects at a trigger. Each die is rolled when the next effect is asked for."""
    for rule in attack.rules.at(trigger) if attack is not None else ():
        assert attack is not None, "it has rules"
        if is_declined(rule, attack.without) or not all_hold(rule, attack.situation):
            continue
        if _is_dodged_at_another_trigger(decision, rule) or rule.asks_for_none(vehicle=attack.is_on_vehicle):
            continue
        after = cause
        if rule.declared.once_a_round and not use_in_this_round(decision, attack, rule, cause=cause):
            continue
        if rule.declared.roll is not None:
            passed, after = roll_for(decision, attack, rule, rule.declared.roll, cause=cause)
            if passed == rule.declared.on_failure:
                continue
        yield Acting(rule=rule, effect=rule.declared.then, cause=after)


def _is_dodged_at_another_trigger(decision: Decision, rule: RuleInForce) -> bool:
    """Whether a Blast or Template is dodged at the other moment: before it hits, or when it wounds (G-55)."""
    effect, when = rule.declared.then, rule.declared.when
    if not isinstance(effect, rules.NoFurtherEffect) or not effect.moves:
        return False
    before = decision.rulebook.knob("dodge.from_area") == "before_the_hit"
    return when == ("wounded" if before else "beneath")


def use_in_this_round(decision: Decision, attack: Attack, rule: RuleInForce, *, cause: int) -> bool:
    """Use a rule that works once a round. Returns whether it was still unused in this one."""
    user = attack.user or bearer_of(attack, rule)
    battle = decision.battle("a hit")
    key = f"{rule.rule}|{battle.rounds_ended}"
    if key in battle.combatants[user].rules_used:
        why = f"{rule.name}: used in this round already; if a new one has begun, write round_ends before"
        if not (decision.plays_by(rules_in_force.FURTHER_READINGS) and _is_told(decision, user, key, why)):
            decision.note_rule(user, why, section=section_of(rule), cause=cause)
        return False
    used = records.SpecialRuleUsed(fighter=user, name=rule.name, key=key, each_round=True)
    decision.emit(used, cause=cause)
    return True


def _is_told(decision: Decision, user: str, key: str, why: str) -> bool:
    """Whether this entry has used the rule already, or noted that it cannot."""
    for decided in decision.events:
        match decided.event:
            case records.SpecialRuleUsed(fighter=fighter, key=used) if (fighter, used) == (user, key):
                return True
            case records.RuleNoted(fighter=fighter, why=noted) if (fighter, noted) == (user, why):
                return True
            case _:
                pass
    return False


def is_declined(rule: RuleInForce, without: tuple[str, ...]) -> bool:
    """Whether the player chooses not to use a rule that is optional."""
    return bool(without) and rules_in_force.skill_key(rule.rule) in map(rules_in_force.skill_key, without)


def section_of(rule: RuleInForce) -> str:
    """The section that holds the rule: the book's, or the table's house rule."""
    return rule.section


def bearer_of(attack: Attack, rule: RuleInForce) -> str:
    """The fighter who has the rule; for a hit that nobody made, its target."""
    return attack.target if rule.bearer == "target" or attack.attacker is None else attack.attacker


def note(decision: Decision, attack: Attack, acts: Acting, what: str) -> int:
    """Note an effect that needed no die."""
    why = f"{acts.rule.name}: {what}"
    return decision.note_rule(attack.target, why, section=section_of(acts.rule), cause=acts.cause)


ON_FIRE: Final = Inflicts(condition="on_fire")


# --- dice ------------------------------------------------------------------------------------------------


def roll_for(
    decision: Decision, attack: Attack, rule: RuleInForce, roll: rules.RuleRoll, *, cause: int
) -> tuple[bool, int]:
    """Roll the die of a rule. Returns whether it passes, and its place in the entry."""
    needs = roll.needs
    if rule.declared.then == ON_FIRE:
        needs = conditions.catches_fire_on(decision, attack.target)
    if isinstance(needs, int):
        return _against(decision, attack, rule, roll, needs, f"needs {needs}+", cause=cause)
    match needs:
        case "toughness":
            toughness = toughness_of(decision, attack)
            why = f"Toughness {toughness}, needs {min(toughness, 6)}+"
            return _against(decision, attack, rule, roll, min(toughness, 6), why, cause=cause)
        case "rear_toughness":
            toughness = decision.vehicle(attack.target).toughness_rear
            why = f"Toughness {toughness} of the rear, needs {min(toughness, 6)}+"
            return _against(decision, attack, rule, roll, min(toughness, 6), why, cause=cause)
        case "handling":
            card = decision.vehicle(attack.target)
            handling = handling_now(decision, card, decision.combat_vehicle(card.vehicle, what="a test"))
            why = f"{rule.name}, Handling test"
            return handling_test(decision, card, handling, why=why, section=section_of(rule), cause=cause)
        case "target_strength":
            strength = decision.fighter(attack.target).characteristics["strength"]
            return _against(
                decision, attack, rule, roll, strength, f"Strength {strength}, needs {strength}+", cause=cause
            )
        case "up_to_strength":
            strength = decision.fighter(attack.target).characteristics["strength"]
            highest = min(strength, 5)
            die = decision.tray.d6(
                roll.purpose, why=f"{rule.name}, needs {highest} or less", fighter=attack.target
            )
            return _noted(decision, attack, rule, roll, die, die.face <= highest, highest, cause=cause)
        case "initiative":
            return _test_on_one_die(decision, attack, rule, roll, cause=cause)
        case "cool" | "willpower" | "intelligence" | "leadership":
            return _test_on_two_dice(decision, attack, rule, roll, needs, cause=cause)
    assert_never(needs)


def toughness_of(decision: Decision, attack: Attack) -> int:
    """The target's Toughness against this hit."""
    own = attack.facing_toughness
    if own is None:
        own = decision.current_toughness(attack.target)
    return own + attack.toughness


def _against(
    decision: Decision,
    attack: Attack,
    rule: RuleInForce,
    roll: rules.RuleRoll,
    needed: int,
    why: str,
    *,
    cause: int,
) -> tuple[bool, int]:
    die = decision.tray.d6(roll.purpose, why=f"{rule.name}, {why}", fighter=_roller(attack, roll))
    return _noted(decision, attack, rule, roll, die, die.face >= needed, needed, cause=cause)


def _test_on_one_die(
    decision: Decision, attack: Attack, rule: RuleInForce, roll: rules.RuleRoll, *, cause: int
) -> tuple[bool, int]:
    tester = decision.fighter(_tester(attack, roll))
    needed = conditions.initiative_needed(decision, tester.fighter)
    die = decision.tray.d6(
        roll.purpose, why=f"{rule.name}, Initiative test, {needed}+", fighter=tester.fighter
    )
    passed = nerve.passes_on_one_die(
        face=die.face, modifier=roll.modifier, target=needed, rulebook=decision.rulebook
    )
    return _noted(decision, attack, rule, roll, die, passed, needed, cause=cause)


def _test_on_two_dice(
    decision: Decision,
    attack: Attack,
    rule: RuleInForce,
    roll: rules.RuleRoll,
    of: rules.Tested,
    *,
    cause: int,
) -> tuple[bool, int]:
    tester = decision.fighter(_tester(attack, roll))
    needed = tester.characteristics[of]
    moved = f" with {roll.modifier:+d}" if roll.modifier else ""
    why = f"{rule.name}, {of.capitalize()} test, needs {needed}+{moved}"
    die = decision.tray.two_d6(roll.purpose, why=why, fighter=tester.fighter)
    passed = nerve.passes_on_two_dice(
        total=die.total + roll.modifier, natural=die.total, target=needed, rulebook=decision.rulebook
    )
    passed, made = _noted(decision, attack, rule, roll, die, passed, needed, cause=cause)
    if of != "cool" or roll.of != "target":
        return passed, made
    return inspirational.make_up(decision, tester.fighter, attack.inspired_by, passed=passed, cause=made)


def _roller(attack: Attack, roll: rules.RuleRoll) -> str:
    """Who rolls the die: the target, or the attacker if there is one."""
    return attack.target if roll.of == "target" or attack.attacker is None else attack.attacker


def _tester(attack: Attack, roll: rules.RuleRoll) -> str:
    """Whose characteristic is tested: for a vehicle, its driver's."""
    roller = _roller(attack, roll)
    return attack.user or roller if roller == attack.target else roller


def _noted(
    decision: Decision,
    attack: Attack,
    rule: RuleInForce,
    roll: rules.RuleRoll,
    die: Die,
    passed: bool,  # noqa: FBT001
    needed: int,
    *,
    cause: int,
) -> tuple[bool, int]:
    comes_about = passed != rule.declared.on_failure
    what = effect_words.words_for(rule.declared) if comes_about else "no effect"
    moved = ((rule.name, roll.modifier),) if roll.modifier else ()
    made = decision.roll(
        die,
        outcome=f"{rule.name}: {what}",
        section=section_of(rule),
        rolled_by=decision.gang_of_model(_roller(attack, roll)),
        modifiers=tuple(records.Modifier(why=why, by=by) for why, by in moved),
        target=needed,
        passed=passed,
        cause=cause,
    )
    return passed, made


CALLED_IN_BATTLE: Final[Mapping[str, records.ConditionName]] = {
    "blind": "blind",
    "concussed": "concussed",
    "insane": "insane",
    "on_fire": "blaze",
    "disarmed": "disarmed",
}
"""The conditions that a battle keeps, by what a rule calls them."""


# --- effects ---------------------------------------------------------------------------------------------


def inflict(decision: Decision, attack: Attack, acts: Acting, effect: Inflicts) -> int:
    """The model hit gains a condition: the one place for every trait and skill that brings one."""
    if effect.condition == "revealed":
        return conditions.end(decision, attack.target, "hidden", why=acts.rule.name, cause=acts.cause)
    name = CALLED_IN_BATTLE.get(effect.condition)
    if name is None:
        return note(decision, attack, acts, effect_words.CONDITIONS[effect.condition])
    return conditions.gain(
        decision, attack.target, name, by=attack.attacker, why=acts.rule.name, cause=acts.cause
    )


def on_the_hit(decision: Decision, attack: Attack, damage: int | None, strength: int) -> OnTheHit | None:
    """Apply the effects on a hit, before the wound roll; None if the hit has no further effect."""
    pierces, knocked = 0, False
    for acts in acting(decision, attack, "hit"):
        match acts.effect:
            case rules.ChangesStrength(by=by):
                note(decision, attack, acts, effect_words.words_for(acts.rule.declared))
                strength = at_least_1(strength, by)
            case rules.ChangesToughness(by=by):
                note(decision, attack, acts, effect_words.words_for(acts.rule.declared))
                toughness = decision.current_toughness(attack.target) + attack.toughness
                more = at_least_1(toughness, by) - toughness
                attack = replace(attack, toughness=attack.toughness + more)
            case rules.ChangesArmourPenetration():
                by = int(decision.rulebook.knob("backstab.armour_penetration"))
                if by:
                    note(decision, attack, acts, f"AP {by:+d}")
                pierces += by
            case rules.KnockedBack() if knocked:
                pass
            case rules.KnockedBack(else_damage=more_damage):
                knocked = True
                if not attack.cannot_be_moved:
                    note(decision, attack, acts, effect_words.words_for(acts.rule.declared))
                elif damage is not None:
                    note(decision, attack, acts, f"cannot be knocked back, Damage {more_damage:+d}")
                    damage = at_least_1(damage, more_damage)
            case rules.Inflicts():
                inflict(decision, attack, acts, acts.effect)
            case rules.NoFurtherEffect():
                return None
            case _:
                raise AssertionError(f"{acts.effect.kind} does not act on a hit")
    return OnTheHit(attack=attack, damage=damage, strength=strength, armour_penetration=pierces)


class OnTheHit(Record):
    """A hit with the effects on it. `armour_penetration` is added to that of the hit."""

    attack: Attack
    damage: int | None
    strength: int
    armour_penetration: int


def stays_up(decision: Decision, attack: Attack | None) -> bool:
    """Whether a rule keeps the target from being Pinned. A weapon that always pins asks for no die."""
    for acts in acting(decision, attack, "pinning"):
        return isinstance(acts.effect, rules.NoFurtherEffect)
    return False


def is_ignored(decision: Decision, attack: Attack | None, *, cause: int) -> bool:
    """Whether a rule ignores the wound."""
    return any(_is_out(decision, attack, acts) for acts in acting(decision, attack, "wounded", cause))


def gets_out_from_under(decision: Decision, attack: Attack | None) -> bool:
    """Whether the target moves out from under a Blast or Template before it hits."""
    return any(_is_out(decision, attack, acts) for acts in acting(decision, attack, "beneath"))


def _is_out(decision: Decision, attack: Attack | None, acts: Acting) -> bool:
    """Whether an effect spares the target. A move must lead out from under the marker or template."""
    if not isinstance(acts.effect, rules.NoFurtherEffect) or attack is None:
        return False
    if acts.effect.moves:
        where = "still under it" if attack.stays_beneath else "out from under it"
        note(decision, attack, acts, where)
    return not (acts.effect.moves and attack.stays_beneath)


def damage_of(decision: Decision, attack: Attack | None, damage: int, *, cause: int) -> int:
    """The Damage of a hit by the rules in effect; factors apply before additions."""
    if attack is None:
        return damage
    times, more = 1, 0
    for acts in acting(decision, attack, "damage", cause):
        if isinstance(acts.effect, rules.ChangesDamage):
            times *= acts.effect.times
            more += acts.effect.by
            note(decision, attack, acts, effect_words.words_for(acts.rule.declared))
    return at_least_1(damage * times, more)


def at_least_1(number: int, by: int) -> int:
    """A number changed by a rule, which never falls below 1."""
    return max(number + by, min(number, 1))


def hit_modifiers(decision: Decision, attack: Attack | None, printed: Modifiers) -> Modifiers:
    """The modifiers of a hit roll, with those of the rules in effect."""
    left, more = list(printed), []
    for acts in acting(decision, attack, "hit_roll"):
        match acts.effect:
            case rules.ChangesRoll(by=by):
                more.append((acts.rule.name, by))
            case rules.WithoutModifiers(without=without, softer=softer):
                left = [(why, softer.get(why, by)) for why, by in left if why not in without]
            case _:
                raise AssertionError(f"{acts.effect.kind} does not act before a hit roll")
    return (*left, *more)


def attack_by_nobody(decision: Decision, harm: Harm) -> Attack | None:
    """The special rules of harm that is no attack, such as a fall: the skills of its target."""
    rules_now = rules_between(decision, (), None, harm.target)
    if rules_now is None:
        return None
    later = decision.plays_by(rules_in_force.LATER_READINGS)
    now = Situation(attack=False, melee=harm.in_close_combat, by_nobody=later)
    return Attack(rules=rules_now, situation=now, attacker=None, target=harm.target, without=harm.without)


def tests_nerve_instead(decision: Decision, attack: Attack, *, cause: int) -> bool:
    """Whether a Nerve test replaces the Injury roll. A fighter who fails it breaks."""
    for rule in attack.rules.at("injury_dice"):
        declared = rule.declared
        if not isinstance(declared.then, rules.NerveTestInstead) or declared.roll is None:
            continue
        if all_hold(rule, attack.situation) and not is_declined(rule, attack.without):
            passed, rolled = roll_for(decision, attack, rule, declared.roll, cause=cause)
            if not passed and not decision.combatant(attack.target, what="a Nerve test").broken:
                flight = nerve.flight_of(kind="fighter", mobile=False, rulebook=decision.rulebook)
                decision.emit(records.FighterBroke(fighter=attack.target, flight=flight), cause=rolled)
            return True
    return False


def worsened(decision: Decision, attack: Attack, symbols: tuple[str, ...], *, cause: int) -> tuple[str, ...]:
    """The symbols of Injury dice with a Flesh Wound, after the rules that change them."""
    for acts in acting(decision, attack, "injured", cause):
        if isinstance(acts.effect, rules.WorsensFleshWound) and "flesh_wound" in symbols:
            place = symbols.index("flesh_wound")
            symbols = (*symbols[:place], "serious_injury", *symbols[place + 1 :])
    return symbols


class InPlaceOfWoundRoll(Record):
    """What replaces the wound roll: a wound (at a vehicle's `location`), the hit's end, or more rolls."""

    wounds: bool = False
    over: bool = False
    rolls: int = 1
    cause: int = 0
    location: str | None = None
    damage: str | None = None


def in_place_of_wound_roll(decision: Decision, attack: Attack) -> InPlaceOfWoundRoll:
    """What replaces the wound roll. Only the first rule that does so counts."""
    heeds = decision.plays_by(rules_in_force.FURTHER_READINGS)
    for rule in attack.rules.at("wound_roll"):
        declared, effect = rule.declared, rule.declared.then
        if not all_hold(rule, attack.situation) or (heeds and is_declined(rule, attack.without)):
            continue
        if isinstance(effect, rules.WoundRolls):
            die = decision.tray.d6(effect.purpose, why=f"{rule.name}, wound rolls", fighter=attack.target)
            rolls = int(die.face)
            rolled = decision.roll(
                die,
                outcome=f"{rule.name}: {rolls} wound roll{'' if rolls == 1 else 's'}",
                section=section_of(rule),
                rolled_by=decision.gang_of_model(bearer_of(attack, rule)),
            )
            return InPlaceOfWoundRoll(rolls=rolls, cause=rolled)
        comes_about, cause = True, 0
        if declared.roll is not None:
            passed, cause = roll_for(decision, attack, rule, declared.roll, cause=0)
            comes_about = passed != declared.on_failure
        if not comes_about:
            return InPlaceOfWoundRoll(over=True, cause=cause)
        acts = Acting(rule=rule, effect=effect, cause=cause)
        if isinstance(effect, rules.Inflicts):
            return InPlaceOfWoundRoll(over=True, cause=inflict(decision, attack, acts, effect))
        if isinstance(effect, rules.NoFurtherEffect):
            cause = note(decision, attack, acts, effect_words.words_for(declared))
            return InPlaceOfWoundRoll(over=True, cause=cause)
        if declared.roll is None:
            cause = note(decision, attack, acts, effect_words.words_for(declared))
        assert isinstance(effect, rules.Wounds), "nothing else acts there"
        return InPlaceOfWoundRoll(wounds=True, cause=cause, location=effect.location, damage=effect.damage)
    return InPlaceOfWoundRoll()


def rolls_again(decision: Decision, attack: Attack | None, *, cause: int) -> bool:
    """Whether a failed hit roll is repeated. A rule that works once a battle is used up by it."""
    if attack is None or attack.attacker is None:
        return False
    for acts in acting(decision, attack, "missed", cause):
        if not isinstance(acts.effect, rules.RollsAgain):
            continue
        if acts.effect.once_a_battle:
            key = f"{acts.rule.rule}|{attack.slot}"
            if key in decision.battle("a hit roll").combatants[attack.attacker].rules_used:
                continue
            decision.emit(
                records.SpecialRuleUsed(fighter=attack.attacker, name=acts.rule.name, key=key), cause=cause
            )
        return True
    return False


def acts_before_the_shot(
    decision: Decision, command: records.Shoot, traits: tuple[str, ...], kind: type[Effect]
) -> str | None:
    """The name of the rule with this kind of effect before a shot at a fighter; None without one."""
    acts = rules_between(decision, traits, command.attacker, command.target)
    if acts is None or not acts.at("target_priority") or command.target is None:
        return None
    now = decision.battle("a shot").combatants.get(command.target)
    prone = now is not None and (now.pinned or conditions.lies_helpless(decision, now))
    interrupting = "overwatch" in command.using
    if interrupting:
        interrupting = decision.rulebook.knob("overwatch.target_priority") == "not_tested"
    situation = Situation(band=command.range_band, prone=prone, interrupting=interrupting)
    for rule in acts.at("target_priority"):
        declined = is_declined(rule, command.without)
        if isinstance(rule.declared.then, kind) and not declined and all_hold(rule, situation):
            return rule.name
    return None


def marker_rule(
    decision: Decision, traits: tuple[str, ...], attacker: str, *, strikes: bool
) -> RuleInForce | None:
    """The rule by which a weapon leaves a marker until the End phase; None without one of the kind."""
    acts = rules_between(decision, traits, attacker, None)
    for rule in acts.at("end_phase") if acts is not None else ():
        if isinstance(rule.declared.then, rules.MarkerGoes) and rule.declared.then.strikes == strikes:
            return rule
    return None


def ammo_rules(
    decision: Decision, fighter: str, traits: tuple[str, ...], helper: str | None
) -> tuple[str | None, bool]:
    """The rule by which a failed Ammo test is repeated, and whether a test replaces the Firepower dice.

    `helper`: a friend whose skill helps.
    """
    again, each_time = None, False
    acts = rules_between(decision, traits, fighter, None)
    for rule in acts.at("ammo_test") if acts is not None else ():
        match rule.declared.then:
            case rules.RollsAgain():
                again = again or rule.name
            case rules.AmmoTestEachTime():
                each_time = True
            case _:
                raise AssertionError(f"{rule.declared.then.kind} does not act at an Ammo test")
    if again is None and helper is not None:
        again, _ = ammo_rules(decision, helper, (), None)
    return again, each_time
