"""Hits on vehicles: wound roll by facing, save, Location and Damage dice, and their effects.

Dice are asked for in the order of the table: wound, save, location, damage, then what the result brings. The
facing hit, and whether the vehicle was Mobile, are stated. Source: Core Rulebook (2023) · Vehicles; Archived
rules · Resolve Hits · Vehicles.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.state import Vehicle
from tracker.campaign.steps import special_rules, vehicle_control, vehicle_special_rules
from tracker.campaign.steps.annotations import HowHit
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.nerve import broken_attack
from tracker.campaign.steps.save_roll import saves_left
from tracker.campaign.steps.vehicle_effects import Results, determine_damage, suffer_damage
from tracker.campaign.steps.weapons import check_strength, note_no_strength, profile_of_hit, strength_with
from tracker.records import replace
from tracker.rules import vehicle_tables as fx
from tracker.rules.combat_tables import Saves, WeaponTrait
from tracker.rules.necromunda import save_roll, weapon_traits, wound_roll
from tracker.rules.necromunda import vehicles as rules
from tracker.rules.necromunda.rules_in_force import Situation


@handles(records.ResolveVehicleHit)
def resolve_vehicle_hit(
    decision: Decision,
    command: records.ResolveVehicleHit,
    *,
    first: bool = True,
    last: bool = True,
    fought: Situation | None = None,
) -> None:
    """Resolve one hit on a vehicle, from the wound roll on; after the `last` one, end the attack.

    `fought` holds a fight's facts about the hit; then its attacker has been checked already.
    """
    card = decision.vehicle(command.vehicle)
    decision.combat_vehicle(command.vehicle, what="a hit")
    check_choices(command, decision.rulebook.book.vehicles, card.name)
    if command.attacker is not None:
        if command.attacker == card.crew:
            raise records.HitsOwnVehicle(fighter=decision.fighter(command.attacker).name, vehicle=card.name)
        decision.combatant(command.attacker, what="a hit")
        if command.attack and fought is None:
            broken_attack(decision, command.attacker, reaction=False)
    profile = profile_of_hit(decision, command)
    strength = _strength(decision, command, profile)
    refuse_fighters_traits(decision, profile.traits, card.name)
    attack = _attack_on(decision, command, profile, first=first, fought=fought)
    if attack is None or not attack.rules.at("wound_roll"):
        called = profile.name or command.weapon or "This weapon"
        check_strength(decision, profile.traits, strength=strength, called=called)
    vehicle_control.say_mobile(decision, command.vehicle, mobile=command.mobile, what="a hit")
    how: HowHit = "close_combat" if command.in_close_combat else "hit"
    strike_vehicle(decision, command, how=how, first=first, last=last, fought=fought)


def _attack_on(
    decision: Decision,
    command: records.ResolveVehicleHit,
    profile: WeaponProfile,
    *,
    first: bool,
    fought: Situation | None,
) -> special_rules.Attack | None:
    toughness = toughness_of(decision.vehicle(command.vehicle), command.facing)
    return vehicle_special_rules.acts_on_vehicle(
        decision, command, profile, facing_toughness=toughness, first=first, fought=fought
    )


def strike_vehicle(
    decision: Decision,
    command: records.ResolveVehicleHit,
    *,
    how: HowHit,
    first: bool = True,
    last: bool = True,
    fought: Situation | None = None,
) -> None:
    """Resolve a checked hit, from the wound roll on; after the `last` one, the effects after the attack."""
    profile = profile_of_hit(decision, command)
    decision.note_hit(
        command.vehicle,
        by=command.attacker,
        weapon=command.weapon or profile.name or None,
        how=how,
        strength=_strength(decision, command, profile),
        armour_penetration=profile.armour_penetration,
        damage=profile.damage,
        toughness=toughness_of(decision.vehicle(command.vehicle), command.facing),
    )
    attack = _attack_on(decision, command, profile, first=first, fought=fought)
    if attack is not None:
        decision.independent(_strike_by_rules, command, attack, last=last)
        return
    struck = decision.roll_only(_struck, command, decision.vehicle(command.vehicle))
    if struck:
        suffer_damage(decision, _accident(command), struck, cause=len(decision.events))


def _strike_by_rules(
    decision: Decision, command: records.ResolveVehicleHit, attack: special_rules.Attack, *, last: bool
) -> None:
    """Resolve a hit under special rules, and the effects after the attack, unless the hit is ignored."""
    profile = profile_of_hit(decision, command)
    strength = vehicle_special_rules.on_the_hit(decision, attack, _strength(decision, command, profile))
    if strength is None:
        return
    _resolve_by_rules(decision, command, attack, profile, strength=strength)
    if last:
        vehicle_special_rules.after_the_attack(decision, _accident(command), attack)


def _resolve_by_rules(
    decision: Decision,
    command: records.ResolveVehicleHit,
    attack: special_rules.Attack,
    profile: WeaponProfile,
    *,
    strength: int,
    hit: tuple[vehicle_control.VehicleAccident, Vehicle, str | None] | None = None,
) -> None:
    """From the wound roll, or its replacement, to the damage. `hit` holds an impact's own facts: cause,
    Toughness and location.
    """
    accident, card, where = hit or (_accident(command), decision.vehicle(command.vehicle), None)
    instead = special_rules.in_place_of_wound_roll(decision, attack)
    if instead.over:
        return
    traits = weapon_traits.resolving_traits(profile.traits, decision.rulebook)
    wound, cause = None, instead.cause
    if not instead.wounds:
        wound, cause = _roll_to_wound(decision, accident, command, card, strength=strength)
        if wound is None:
            return
    attack = replace(attack, situation=replace(attack.situation, wound_face=wound))
    allowed = save_roll.saves_allowed(traits, hit_face=command.hit_roll, wound_face=wound)
    allowed = saves_left(decision, attack, allowed)
    if _saves(decision, accident, command, card, profile, allowed, cause=cause):
        return
    if instead.location is not None and instead.damage is not None:
        struck: Results = ((instead.location, instead.damage),)
    elif profile.damage is None:
        _note_no_damage(decision, command.vehicle, cause=cause)
        return
    else:
        dice = special_rules.damage_of(decision, attack, _damage(command, profile, traits), cause=cause)
        location = instead.location or where
        struck = decision.roll_only(_damage_dice, command, attack, dice, location, cause=cause)
    if struck:
        suffer_damage(decision, accident, struck, cause=len(decision.events))


def _damage_dice(
    decision: Decision,
    command: records.ResolveVehicleHit,
    attack: special_rules.Attack,
    dice: int,
    location: str | None,
    *,
    cause: int,
) -> Results:
    return determine_damage(
        decision, _accident(command), command, dice=dice, cause=cause, attack=attack, location=location
    )


def _damage(
    command: records.ResolveVehicleHit, profile: WeaponProfile, traits: tuple[WeaponTrait, ...]
) -> int:
    """The Damage of a weapon, with what its traits add on a natural 6 to hit."""
    more = sum(trait.on_natural_6_to_hit.extra_damage for trait in traits) if command.hit_roll == 6 else 0
    return (profile.damage or 0) + more


def _note_no_damage(decision: Decision, vehicle: str, *, cause: int) -> None:
    why = "Damage '-' brings no Damage dice, and nothing of this weapon causes any"
    decision.note_rule(vehicle, why, section="vehicle_damage", cause=cause)


def _accident(command: records.ResolveVehicleHit) -> vehicle_control.VehicleAccident:
    return vehicle_control.VehicleAccident(
        vehicle=command.vehicle,
        by=command.attacker,
        attack=command.attack,
        in_close_combat=command.in_close_combat,
        activation=command.activation,
        mobile=command.mobile,
    )


def suffer_impact(
    decision: Decision,
    accident: vehicle_control.VehicleAccident,
    command: records.ResolveVehicleHit,
    card: Vehicle,
    *,
    how: HowHit,
    location: str | None = None,
) -> None:
    """Resolve the hit of a collision or a fall, on a vehicle with the Toughness of `card`.

    It is no attack, so of the driver's skills only those that need none are in effect.
    """
    profile = profile_of_hit(decision, command)
    decision.note_hit(
        command.vehicle,
        by=accident.by,
        weapon=None,
        how=how,
        strength=_strength(decision, command, profile),
        armour_penetration=profile.armour_penetration,
        damage=profile.damage,
        toughness=toughness_of(card, command.facing),
    )
    attack = vehicle_special_rules.impact_on(decision, card, toughness_of(card, command.facing))
    if attack is not None:
        strength = _strength(decision, command, profile)
        struck_with = vehicle_special_rules.on_the_hit(decision, attack, strength)
        if struck_with is not None:
            _resolve_by_rules(
                decision, command, attack, profile, strength=struck_with, hit=(accident, card, location)
            )
        return
    struck = decision.roll_only(_struck, command, card, location=location)
    if struck:
        suffer_damage(decision, accident, struck, cause=len(decision.events))


def _struck(
    decision: Decision,
    command: records.ResolveVehicleHit,
    card: Vehicle,
    *,
    location: str | None = None,
) -> Results:
    """From the wound roll to the Locations and damage that count; none if the hit does nothing."""
    profile = profile_of_hit(decision, command)
    strength = _strength(decision, command, profile)
    traits = weapon_traits.resolving_traits(profile.traits, decision.rulebook)
    accident = _accident(command)
    wound, cause = _roll_to_wound(decision, accident, command, card, strength=strength)
    if wound is None:
        return ()
    allowed = save_roll.saves_allowed(traits, hit_face=command.hit_roll, wound_face=wound)
    if _saves(decision, accident, command, card, profile, allowed, cause=cause):
        return ()
    if profile.damage is None:
        _note_no_damage(decision, command.vehicle, cause=cause)
        return ()
    dice = _damage(command, profile, traits)
    return determine_damage(decision, accident, command, dice=dice, cause=cause, location=location)


@handles(records.CheckControl)
def check_control(decision: Decision, command: records.CheckControl) -> None:
    """A Loss of Control test for another reason than a hit: a collision, an action, the terrain."""
    decision.combat_vehicle(command.vehicle, what="a Loss of Control test")
    if command.by is not None:
        decision.combatant(command.by, what="a Loss of Control test")
    vehicle_control.say_mobile(
        decision, command.vehicle, mobile=command.mobile, what="a Loss of Control test"
    )
    accident = vehicle_control.VehicleAccident(
        vehicle=command.vehicle,
        by=command.by,
        attack=command.by is not None,
        activation=command.activation,
        mobile=command.mobile,
    )
    vehicle_control.loss_of_control(decision, accident, modifier=command.modifier, cause=0)
    vehicle_control.wreck(decision, accident, cause=len(decision.events))


# --- wound and save --------------------------------------------------------------------------------------


def check_choices(
    command: records.ResolveVehicleHit | records.VehicleAttacked, book: fx.VehicleRules, vehicle: str
) -> None:
    """Refuses locations and kinds of damage that the book does not have, and a vehicle that cannot be hit."""
    for location in (*command.keep_location, *command.cannot_be_hit):
        if location not in book.locations:
            raise records.UnknownChoice(what="location of a vehicle", given=location, known=book.locations)
    for damage in command.keep_damage:
        if damage not in book.severity:
            raise records.UnknownChoice(what="kind of damage", given=damage, known=book.severity)
    if command.kept_by == "nobody" and (command.keep_location or command.keep_damage):
        raise records.ChoosesAndNot(vehicle=vehicle)
    if set(command.cannot_be_hit) == set(book.locations):
        raise records.NothingCanBeHit(vehicle=vehicle)


def refuse_fighters_traits(decision: Decision, printed: Sequence[str], vehicle: str) -> None:
    """Refuses a weapon whose traits act on fighters and say nothing of vehicles."""
    stage = decision.battle("a hit").whole_book or 0
    for trait in weapon_traits.resolving_traits(printed, decision.rulebook):
        if stage >= vehicle_special_rules.SINCE and any(
            effect.against != "fighter" for effect in trait.effects
        ):
            continue
        if trait.on_wound != "damage" or trait.wound_roll != "by_strength":
            raise records.TraitMeansNothingToVehicles(trait=trait.trait.title(), vehicle=vehicle)


def _strength(decision: Decision, command: records.ResolveVehicleHit, profile: WeaponProfile) -> int:
    return strength_with(decision, profile, command.attacker, called=command.weapon)


def toughness_of(card: Vehicle, facing: records.FacingHit) -> int:
    """The Toughness of the vehicle's facing that is hit."""
    facings = {"front": card.toughness_front, "side": card.toughness_side, "rear": card.toughness_rear}
    return rules.toughness_of(facing, facings)


def _roll_to_wound(
    decision: Decision,
    accident: vehicle_control.VehicleAccident,
    command: records.ResolveVehicleHit,
    card: Vehicle,
    *,
    strength: int,
) -> tuple[int | None, int]:
    if strength < 1:
        return None, note_no_strength(decision, accident.vehicle)
    toughness = toughness_of(card, command.facing)
    needed = wound_roll.wound_threshold(strength=strength, toughness=toughness, rulebook=decision.rulebook)
    facing = "the toughest facing, in doubt" if command.facing == "in_doubt" else f"the {command.facing}"
    against = f"Strength {strength} against Toughness {toughness} of {facing}"
    die = decision.tray.d6("wound", why=f"wound roll, {against}, needs {needed}+", fighter=command.vehicle)
    wounded = die.face >= needed
    rolled = decision.roll(
        die,
        outcome=f"{against}: {'wounds' if wounded else 'no wound'}",
        section="wound_roll",
        rolled_by=vehicle_control.opponent_of(decision, accident),
        target=needed,
        passed=wounded,
    )
    return (die.face if wounded else None), rolled


def _saves(
    decision: Decision,
    accident: vehicle_control.VehicleAccident,
    command: records.ResolveVehicleHit,
    card: Vehicle,
    profile: WeaponProfile,
    allowed: Saves,
    *,
    cause: int,
) -> bool:
    options = save_roll.save_options(
        armour_save=card.save,
        field_save=None,
        armour_penetration=profile.armour_penetration,
        save_bonus=save_roll.save_bonus_from_cover(command.save_cover),
        allowed=allowed,
    )
    if not options:
        return False
    save = options[0]
    die = decision.tray.d6("save", why=f"save roll, needs {save.target}+", fighter=accident.vehicle)
    passed = die.face >= save.target and die.face != 1
    decision.roll(
        die,
        outcome="saved" if passed else "not saved",
        section="save_roll",
        rolled_by=card.gang,
        modifiers=as_modifiers(save.modifiers),
        target=save.target,
        passed=passed,
        cause=cause,
    )
    return passed
