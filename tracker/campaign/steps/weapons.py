"""Weapons: which weapon is fired, by which profile, and whether it has ammunition in this battle.

Knows cards and spent ammunition. Knows no targets. Two weapons of one name differ by their slot: 'stub gun',
'stub gun (2)'. So do the halves of a combi-weapon, each of which runs out by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.profiles import Weapon, WeaponProfile, range_shown
from tracker.campaign.state import Combatant, CombatVehicle, Vehicle
from tracker.campaign.steps.decision import Decision
from tracker.records import Record, replace
from tracker.rules import special_rules as effects
from tracker.rules.necromunda import shooting as rules
from tracker.rules.necromunda import weapon_traits
from tracker.rules.necromunda.rules_in_force import special_rules

AMMUNITION: Final = ("out_of_ammo", "jammed", "ammo_spent")
"""Where a condition keeps what has run out."""


class WeaponInUse(Record):
    """A weapon about to be used. `slot` is what runs out of ammo; `several`: it has other profiles too.

    `vehicle` is the vehicle it belongs to, None for the fighter's own.
    """

    name: str
    slot: str
    profile: WeaponProfile
    several: bool
    vehicle: str | None = None

    @property
    def shown(self) -> str:
        """The weapon's name, with that of its profile."""
        return f"{self.name} ({self.profile.name})" if self.several and self.profile.name else self.name

    @property
    def spent_key(self) -> str:
        """The key under which this profile is remembered as spent for the battle."""
        return records.ammo_key(self.slot, self.profile.name)

    def has(self, trait: str) -> bool:
        """Whether the profile has the trait."""
        traits = self.profile.traits
        return bool(traits) and trait in weapon_traits.trait_keys(traits)


def weapon_in_use(
    decision: Decision,
    fighter: str,
    weapon: str,
    profile_name: str | None,
    profile: WeaponProfile | None,
    *,
    not_slots: tuple[str, ...] = (),
    vehicle: str | None = None,
) -> WeaponInUse:
    """The weapon that a fighter uses, their own or a vehicle's; of several alike the first that is loaded and
    not in `not_slots`.

    Raises UnknownWeapon, ProfileNotNamed, WeaponOutOfAmmo or WeaponDoneForBattle.
    """
    arms = _weapons_called(decision, fighter, weapon, profile_name, profile, vehicle)
    free = [arm for arm in arms if arm.slot not in not_slots] if not_slots else arms
    if not free:
        card = decision.fighter(fighter)
        raise records.UnknownWeapon(
            weapon=f"{arms[0].name} ({len(arms) + 1})",
            fighter=card.name,
            known=tuple(carried.weapon for carried in card.weapons),
        )
    condition = _condition_of_bearer(decision, fighter, vehicle, what="a shot")
    for arm in free:
        if _why_unusable(condition, arm) is None:
            return arm
    name, why = _owner(decision, fighter, vehicle).name, _why_unusable(condition, free[0])
    if why == "out_of_ammo":
        raise records.WeaponOutOfAmmo(fighter=name, weapon=free[0].name)
    raise records.WeaponDoneForBattle(fighter=name, weapon=free[0].shown, why=why or "")


def out_of_ammo_arm(
    decision: Decision,
    fighter: str,
    weapon: str,
    profile_name: str | None,
    profile: WeaponProfile | None,
    *,
    vehicle: str | None = None,
) -> WeaponInUse | None:
    """The weapon of that name to be reloaded by that profile; None if none is Out of Ammo.

    Raises UnknownWeapon, ProfileNotNamed or WeaponDoneForBattle.
    """
    combatant = _condition_of_bearer(decision, fighter, vehicle, what="a Reload")
    if profile is None and profile_name is None:
        profile_name = _only_profile_left(decision, fighter, weapon, vehicle, combatant)
    arms = _weapons_called(decision, fighter, weapon, profile_name, profile, vehicle)
    if not any(_is_out(combatant, arm) for arm in arms):
        return None
    for arm in arms:
        if _is_out(combatant, arm) and _why_unusable(combatant, arm) == "out_of_ammo":
            return arm
    out = next(arm for arm in arms if _is_out(combatant, arm))
    name = _owner(decision, fighter, vehicle).name
    raise records.WeaponDoneForBattle(fighter=name, weapon=out.shown, why=_why_unusable(combatant, out) or "")


def _only_profile_left(
    decision: Decision, fighter: str, weapon: str, vehicle: str | None, combatant: Combatant | CombatVehicle
) -> str | None:
    """The one profile left to reload a weapon by, which then need not be named."""
    carried = _carried(decision, fighter, weapon, vehicle)
    slots = _slots_on_card(decision, fighter, carried.weapon, vehicle)
    only = None
    for slot in slots if len(carried.profiles) > 1 else ():
        left = [
            profile
            for profile in carried.profiles
            if records.ammo_key(_slot(slot, profile), profile.name) not in combatant.ammo_spent
            and not rules.has_trait(profile.traits, rules.SCARCE)
        ]
        if _slot(slot, carried.profiles[0]) in combatant.out_of_ammo and len(left) == 1:
            only = left[0].name
    return only


def check_can_fire(decision: Decision, fighter: str, arm: WeaponInUse) -> None:
    """Refuses a profile without range, Ammo or Strength, which a ranged attack needs."""
    profile = arm.profile
    if profile.ammo is None and not arm.has(rules.SINGLE_SHOT):
        raise records.NotForShooting(weapon=arm.shown, missing="Ammo")
    if not arm.has(rules.TEMPLATE) and profile.range_long_inches is None:
        raise records.NotForShooting(weapon=arm.shown, missing="Long range")
    short, long = profile.range_short_inches, profile.range_long_inches
    if short is not None and long is not None and short > long:
        said, against = (range_shown(each, of_strength=profile.range_of_strength) for each in (short, long))
        raise records.SituationContradicts(
            said=f"a Short range of {said}", against=f"a Long range of {against}"
        )
    if not arm.has(rules.SMOKE):
        check_strength(
            decision, profile.traits, strength=strength_of(decision, fighter, arm), called=arm.shown
        )


def check_strength(decision: Decision, traits: tuple[str, ...], *, strength: int, called: str) -> None:
    """Refuses a weapon without Strength, unless a trait works without one, as Gas, Flash and Flare do."""
    resolving = weapon_traits.resolving_traits(traits, decision.rulebook)
    by_strength = all(trait.wound_roll == "by_strength" for trait in resolving)
    if strength < 1 and by_strength and not acts_without_strength(decision, traits):
        raise records.NoStrength(weapon=called)


def acts_without_strength(decision: Decision, traits: tuple[str, ...]) -> bool:
    """Whether a trait replaces the wound roll, or brings a condition on the hit."""
    stage = decision.battle("a weapon").whole_book
    if stage is None:
        return False
    book = decision.rulebook.book
    acts = special_rules(book, traits=traits, skills=(), against_skills=(), against_traits=(), stage=stage)
    if acts is None:
        return False
    replaces = (
        rule.declared
        for rule in acts.at("wound_roll")
        if not rule.declared.conditions and not isinstance(rule.declared.then, effects.WoundRolls)
    )
    inflicts = (rule for rule in acts.at("hit") if isinstance(rule.declared.then, effects.Inflicts))
    return any(replaces) or any(inflicts)


def note_no_strength(decision: Decision, target: str) -> int:
    """Note why a hit has no wound roll."""
    return decision.note_rule(target, "no wound roll: the weapon has no Strength", section="wound_roll")


def strength_of(decision: Decision, fighter: str, arm: WeaponInUse) -> int:
    """The weapon's Strength in this fighter's hands."""
    return strength_with(decision, arm.profile, fighter, called=arm.shown)


def strength_with(
    decision: Decision, profile: WeaponProfile, wielder: str | None, *, called: str | None
) -> int:
    """The profile's Strength; for one printed as S or S+1 the wielder's current one plus the addition.

    At least 1 if the wielder has any. Raises StrengthMissing if it is the wielder's and nobody is named.
    """
    if profile.strength is not None:
        return profile.strength
    if wielder is None:
        raise records.StrengthMissing(weapon=profile.name or called or "This weapon")
    own = decision.fighter(wielder).characteristics["strength"]
    return max(own + profile.strength_added, min(own, 1))


def _weapons_called(
    decision: Decision,
    fighter: str,
    weapon: str,
    profile_name: str | None,
    profile: WeaponProfile | None,
    vehicle: str | None,
) -> tuple[WeaponInUse, ...]:
    if profile is not None:
        if vehicle is not None:
            _refuse_destroyed(decision, vehicle, weapon)
        slot = _slot(weapon, profile)
        return (WeaponInUse(name=weapon, slot=slot, profile=profile, several=False, vehicle=vehicle),)
    carried = _carried(decision, fighter, weapon, vehicle)
    chosen = profile_of(decision.fighter(fighter), carried, profile_name)
    several = len(carried.profiles) > 1
    return tuple(
        [
            WeaponInUse(
                name=carried.weapon,
                slot=_slot(slot, chosen),
                profile=chosen,
                several=several,
                vehicle=vehicle,
            )
            for slot in _slots_on_card(decision, fighter, carried.weapon, vehicle)
        ]
    )


def _carried(decision: Decision, fighter: str, weapon: str, vehicle: str | None) -> Weapon:
    """The weapon of that name with its profiles: from the fighter's card, or one of a vehicle's, whose
    numbers are on its own card or on that of the fighter who fires it.
    """
    card = decision.fighter(fighter)
    if vehicle is None:
        return _own_weapon(decision, card, weapon)
    ridden = decision.vehicle(vehicle)
    known = next((name for name in ridden.weapons if name.lower() == weapon.lower()), None)
    if known is None:
        raise records.UnknownWeapon(weapon=weapon, fighter=ridden.name, known=ridden.weapons)
    _refuse_destroyed(decision, vehicle, known)
    on_vehicle = next((weapon for weapon in ridden.armament if weapon.weapon == known), None)
    return on_vehicle or replace(carried_weapon(card, known), weapon=known)


def _refuse_destroyed(decision: Decision, vehicle: str, weapon: str) -> None:
    """Refuses a vehicle's weapon that was destroyed in this battle."""
    ridden = decision.vehicle(vehicle)
    gone = decision.combat_vehicle(vehicle, what="a shot").weapons_destroyed
    if weapon in gone and gone.count(weapon) >= ridden.weapons.count(weapon):
        raise records.WeaponDoneForBattle(fighter=ridden.name, weapon=weapon, why="it is destroyed")


def _owner(decision: Decision, fighter: str, vehicle: str | None) -> Fighter | Vehicle:
    return decision.fighter(fighter) if vehicle is None else decision.vehicle(vehicle)


def _condition_of_bearer(
    decision: Decision, fighter: str, vehicle: str | None, *, what: str
) -> Combatant | CombatVehicle:
    """The condition that remembers spent ammunition: the fighter's, or that of the vehicle with the
    weapon.
    """
    combatant = decision.combatant(fighter, what=what)
    return combatant if vehicle is None else decision.combat_vehicle(vehicle, what=what)


def _slots_on_card(
    decision: Decision, fighter: str, weapon: str, vehicle: str | None = None
) -> tuple[str, ...]:
    if vehicle is None:
        count = [weapon.weapon for weapon in decision.fighter(fighter).weapons].count(weapon)
    else:
        gone = decision.combat_vehicle(vehicle, what="a shot").weapons_destroyed
        count = decision.vehicle(vehicle).weapons.count(weapon) - gone.count(weapon)
    if count == 1:
        return (weapon,)
    return (weapon, *[f"{weapon} ({nth})" for nth in range(2, count + 1)]) if count else ()


def _slot(slot: str, profile: WeaponProfile) -> str:
    """The slot of a profile: a combi-weapon has one for each half."""
    halved = rules.has_trait(profile.traits, rules.COMBI) and profile.name
    return f"{slot}: {profile.name}" if halved else slot


def _is_out(combatant: Combatant | CombatVehicle, arm: WeaponInUse) -> bool:
    return (
        arm.slot in combatant.out_of_ammo
        or arm.slot in combatant.jammed
        or arm.spent_key in combatant.ammo_spent
    )


def _why_unusable(combatant: Combatant | CombatVehicle, arm: WeaponInUse) -> str | None:
    if arm.slot in combatant.jammed:
        return "it is jammed"
    if combatant.ammo_spent and arm.spent_key in combatant.ammo_spent:
        return "this ammunition is used up"
    return "out_of_ammo" if arm.slot in combatant.out_of_ammo else None


# --- the weapon that a report names -------------------------------------------------------------------


def carried_weapon(fighter: Fighter, name: str) -> Weapon:
    """The weapon of that name, in any case of letters. Raises UnknownWeapon."""
    # Of several alike the last.
    for weapon in reversed(fighter.weapons):
        if weapon.weapon == name:
            return weapon
    carried = {weapon.weapon: weapon for weapon in fighter.weapons}
    for known, weapon in carried.items():
        if known.lower() == name.lower():
            return weapon
    raise records.UnknownWeapon(weapon=name, fighter=fighter.name, known=tuple(carried))


def profile_of(
    fighter: Fighter, weapon: Weapon, name: str | None, *, among: Sequence[WeaponProfile] = ()
) -> WeaponProfile:
    """The weapon's profile of that name. It needs no name if only one is `among` those possible. Raises
    ProfileNotNamed.
    """
    possible = among or weapon.profiles
    if name is None and len(possible) == 1:
        return possible[0]
    profiles = {profile.name: profile for profile in weapon.profiles}
    if name is None or name not in profiles:
        raise records.ProfileNotNamed(
            weapon=weapon.weapon, fighter=fighter.name, profile=name, known=tuple(profiles)
        )
    return profiles[name]


def profile_of_hit(
    decision: Decision, command: records.ResolveHit | records.ResolveVehicleHit
) -> WeaponProfile:
    """The profile of a hit: as written out, else from the attacker's card.

    Raises WeaponMissing, UnknownWeapon or ProfileNotNamed.
    """
    if command.profile is not None:
        return command.profile
    if command.weapon is None or command.attacker is None:
        raise records.WeaponMissing
    attacker = decision.fighter(command.attacker)
    return profile_of(attacker, _own_weapon(decision, attacker, command.weapon), command.profile_name)


def _own_weapon(decision: Decision, card: Fighter, name: str) -> Weapon:
    """The weapon of that name on a fighter's card. Raises UnknownWeapon, or WeaponOnVehicle if it is on the
    vehicle they drive.
    """
    try:
        return carried_weapon(card, name)
    except records.UnknownWeapon as unknown:
        for vehicle_id in decision.battle("a weapon").vehicles:
            ridden = decision.vehicle(vehicle_id)
            for weapon in ridden.weapons if ridden.crew == card.fighter else ():
                if weapon.lower() == name.lower():
                    raise records.WeaponOnVehicle(
                        weapon=weapon, fighter=card.name, vehicle=ridden.name, vehicle_id=vehicle_id
                    ) from unknown
        raise
