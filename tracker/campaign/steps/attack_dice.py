"""Attack dice: which weapons a fighter attacks with, how many dice there are, and at whom they are thrown.

Source: Core Rulebook (2023) · Close Combat · 2. Choose Weapons; 3. Determine Attack Dice; 4. Declare Targets.
"""

from __future__ import annotations

from typing import Literal

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.steps import fight_rules, mounted_fights, weapons
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.weapons import (
    WeaponInUse,
    carried_weapon,
    profile_of,
    strength_with,
    weapon_in_use,
)
from tracker.records import Record, replace
from tracker.rules.combat_tables import WeaponTrait
from tracker.rules.necromunda import close_combat as rules
from tracker.rules.necromunda.shooting import SINGLE_SHOT
from tracker.rules.necromunda.weapon_traits import resolving_traits

UNARMED = "unarmed"


class StrikePlan(Record):
    """The weapons a fighter strikes with, each with its number of dice at each target in order.

    `arm` is the weapon that can run out of ammunition: a Sidearm. `own_dice` is for a weapon used beside the
    others.
    """

    weapon: str
    kind: Literal["melee", "sidearm", "unarmed"]
    profile: WeaponProfile
    strength: int
    traits: tuple[WeaponTrait, ...]
    arm: WeaponInUse | None = None
    own_dice: int = 0
    dice: tuple[int, ...] = ()

    @property
    def attack_dice(self) -> int:
        """The number of all its dice."""
        return sum(self.dice)


def share_attack_dice(decision: Decision, command: records.Fight) -> tuple[StrikePlan, ...]:
    """The attacker's weapons with their dice, those without a dice left out. Notes how they were counted.

    Refuses weapons that cannot be used so, and shares that the book does not allow.
    """
    attacker = decision.fighter(command.attacker)
    weapons = _weapons(decision, command, attacker)
    unarmed = _unarmed(attacker)
    every = (*weapons, unarmed)
    traits = tuple(trait for strikes in weapons for trait in strikes.profile.traits)
    _refuse_extra_of_nothing(command, every)
    fight_rules.refuse_counted_twice(decision, command, traits)
    attacks = attacker.characteristics["attacks"]
    more = fight_rules.more_attack_dice(decision, command, traits, attacks)
    in_hand = tuple(strikes for strikes in weapons if not strikes.own_dice)
    dice, added = rules.attack_dice(
        attacks=attacks, weapons=max(len(in_hand), more.as_weapons), charging=command.charging
    )
    own = tuple((strikes.weapon, strikes.own_dice) for strikes in weapons if strikes.own_dice)
    added = (*more.times, *added, *more.added, *own)
    dice = attacks + sum(by for _, by in added)
    if mounted_fights.is_one_attack(decision, command):
        attacks, added, dice = 1, (), 1
    extra = tuple((extra.why, extra.attack_dice) for extra in command.extra if extra.attack_dice)
    dice += sum(by for _, by in extra)
    shares = _shares(decision, command, every, dice)
    struck = tuple(
        replace(strikes, dice=shared) for strikes, shared in zip(every, shares, strict=True) if sum(shared)
    )
    _refuse_unarmed_with_a_weapon_at_hand(command, attacker, in_hand, struck)
    _refuse_out_of_reach(decision, command, struck)
    struck = _struck_harder(decision, command, struck)
    decision.emit(
        records.AttackDiceShared(
            fighter=command.attacker,
            attacks=attacks,
            added=as_modifiers((*added, *extra)),
            shares=tuple(
                records.AttackDiceOfWeapon(
                    weapon="" if strikes.kind == "unarmed" else strikes.weapon,
                    attack_dice=strikes.attack_dice,
                )
                for strikes in struck
            ),
            section=decision.rulebook.section("attack_dice"),
        )
    )
    return struck


def _struck_harder(
    decision: Decision, command: records.Fight, struck: tuple[StrikePlan, ...]
) -> tuple[StrikePlan, ...]:
    """The weapons with what skills and wargear add: a Strength of 1 at least, an AP of 0 at most.

    Unarmed attacks use the unmodified Strength and have no AP, unless a modifier is said to be for them.
    Source: Core Rulebook (2023) · Close Combat · 2. Choose Weapons · Unarmed Attacks.
    """
    for extra in command.extra:
        added = [
            f"{what} {by:+}"
            for what, by in (("Strength", extra.strength), ("AP", extra.armour_penetration))
            if by
        ]
        if added:
            why = f"{extra.why}: {', '.join(added)}"
            if extra.weapon is not None:
                why += f" ({extra.weapon} alone)"
            elif not any(_struck_harder_by(extra, weapon) for weapon in struck):
                why += " does not count: unarmed attacks use the unmodified Strength and have no AP"
            decision.note_rule(command.attacker, why, section="melee_resolve_hits")
    return tuple(_with_extra(weapon, command.extra) for weapon in struck)


def _struck_harder_by(extra: records.ExtraModifier, weapon: StrikePlan) -> bool:
    if extra.weapon is None:
        return not (extra.spares_unarmed and weapon.kind == "unarmed")
    return adds_to(extra, weapon)


def adds_to(extra: records.ExtraModifier, weapon: StrikePlan) -> bool:
    """Whether a stated modifier is for attacks with this weapon."""
    return extra.weapon is None or extra.weapon.casefold() == weapon.weapon.casefold()


def _with_extra(weapon: StrikePlan, extra: tuple[records.ExtraModifier, ...]) -> StrikePlan:
    counted = [modifier for modifier in extra if _struck_harder_by(modifier, weapon)]
    by_strength = sum(modifier.strength for modifier in counted)
    by_ap = sum(modifier.armour_penetration for modifier in counted)
    if not by_strength and not by_ap:
        return weapon
    printed = weapon.profile.armour_penetration
    ap = min(printed + by_ap, max(printed, 0))
    return replace(
        weapon,
        strength=max(weapon.strength + by_strength, min(weapon.strength, 1)),
        profile=replace(weapon.profile, armour_penetration=ap),
    )


def _refuse_extra_of_nothing(command: records.Fight, every: tuple[StrikePlan, ...]) -> None:
    for extra in command.extra:
        if extra.weapon is None:
            continue
        if extra.attack_dice:
            why = "Attack dice are shared out among the weapons with the `dice` of the targets"
            raise records.ContradictoryStatement(one="attack_dice", other="weapon", why=why)
        if not any(adds_to(extra, weapon) for weapon in every):
            known = tuple(weapon.weapon for weapon in every)
            raise records.ExtraForNoWeapon(why=extra.why, weapon=extra.weapon, weapons=known)


def _weapons(decision: Decision, command: records.Fight, attacker: Fighter) -> tuple[StrikePlan, ...]:
    if command.reaction and command.weapons and decision.combatant(command.attacker, what="a fight").disarmed:
        raise records.DisarmedForReactions(fighter=attacker.name)
    _refuse_more_than_carried(command, attacker)
    weapons: list[StrikePlan] = []
    one_attack = mounted_fights.is_one_attack(decision, command)
    for asked in command.weapons:
        slots = tuple(strikes.arm.slot for strikes in weapons if strikes.arm is not None)
        weapon = _weapon(decision, asked, attacker, not_slots=slots)
        beside = fight_rules.beside_the_weapons(decision, command, weapon.profile)
        weapons.append(
            weapon if beside is None or one_attack else replace(weapon, own_dice=beside.attack_dice)
        )
    in_hand = [strikes for strikes in weapons if not strikes.own_dice]
    held = [(strikes.weapon, strikes.profile.traits) for strikes in in_hand]
    mounted_fights.check_weapons(decision, command, held)
    if len(in_hand) > rules.WEAPONS_AT_ONCE:
        raise records.TooManyWeapons(weapons=tuple(strikes.weapon for strikes in in_hand))
    one_hand = len(in_hand) > 1 and fight_rules.uses_one_hand(decision, command)
    for place, strikes in enumerate(in_hand):
        if len(in_hand) > 1 and rules.takes_both_hands(strikes.profile.traits) and not one_hand:
            raise records.UnwieldyWithAnother(weapon=strikes.weapon, other=in_hand[1 - place].weapon)
    return tuple(weapons)


def _refuse_more_than_carried(command: records.Fight, attacker: Fighter) -> None:
    names = [
        carried_weapon(attacker, asked.weapon).weapon for asked in command.weapons if asked.profile is None
    ]
    for name in names:
        if names.count(name) > sum(weapon.weapon == name for weapon in attacker.weapons):
            raise records.CarriesOnlyOne(fighter=attacker.name, weapon=name)


def _weapon(
    decision: Decision, asked: records.FightWeapon, attacker: Fighter, *, not_slots: tuple[str, ...]
) -> StrikePlan:
    name, profile, profile_name = asked.weapon, asked.profile, None
    if profile is None:
        weapon = carried_weapon(attacker, asked.weapon)
        usable = tuple(profile for profile in weapon.profiles if rules.fights_as(profile.traits) is not None)
        if not usable:
            raise records.NoCloseCombatWeapon(weapon=weapon.weapon)
        name, profile = weapon.weapon, profile_of(attacker, weapon, asked.profile_name, among=usable)
        profile_name = profile.name
    kind = rules.fights_as(profile.traits)
    if kind is None:
        raise records.NoCloseCombatWeapon(weapon=name)
    arm = None
    if kind == "sidearm":
        arm = weapon_in_use(
            decision, attacker.fighter, name, profile_name, asked.profile, not_slots=not_slots
        )
        if profile.ammo is None and not arm.has(SINGLE_SHOT):
            raise records.NotForShooting(weapon=name, missing="Ammo")
    traits = resolving_traits(profile.traits, decision.rulebook)
    strength = strength_with(decision, profile, attacker.fighter, called=name)
    weapons.check_strength(decision, profile.traits, strength=strength, called=name)
    return StrikePlan(weapon=name, kind=kind, profile=profile, strength=strength, traits=traits, arm=arm)


def _unarmed(attacker: Fighter) -> StrikePlan:
    strength = attacker.characteristics["strength"]
    profile = WeaponProfile(name=UNARMED, strength=strength, damage=rules.UNARMED_DAMAGE)
    return StrikePlan(weapon=UNARMED, kind="unarmed", profile=profile, strength=strength, traits=())


def _shares(
    decision: Decision, command: records.Fight, every: tuple[StrikePlan, ...], dice: int
) -> tuple[tuple[int, ...], ...]:
    """The dice of each weapon at each target, unarmed attacks last."""
    kinds = tuple(strikes.kind for strikes in every if strikes.kind != "unarmed" and not strikes.own_dice)
    shared = rules.attack_splits(dice - sum(strikes.own_dice for strikes in every), kinds)
    ways = tuple(_with_own_dice(way, every) for way in shared)
    attacker = decision.fighter(command.attacker).name
    names = tuple(strikes.weapon for strikes in every)
    stated = [target.attack_dice for target in command.targets]
    if len(stated) == 1 and not stated[0] and len(ways) == 1:
        return tuple((number,) for number in ways[0])
    if () in stated:
        place = stated.index(())
        raise records.DiceShareMissing(
            fighter=attacker,
            dice=dice,
            weapons=names,
            ways=ways,
            targets=len(stated),
            next_target=_name(decision, command.targets[place]),
            options=rules.shares_of_next(ways, stated[:place], after=len(stated) - place - 1),
        )
    padded = [(*share, *(0 for _ in range(len(every) - len(share)))) for share in stated]
    by_weapon = tuple(zip(*padded, strict=False))
    fits = all(len(share) == len(every) and sum(share) and min(share) >= 0 for share in padded)
    if not fits or tuple(sum(numbers) for numbers in by_weapon) not in ways:
        given = " and ".join(str([*share]) for share in stated)
        raise records.DiceShareWrong(fighter=attacker, given=given, dice=dice, weapons=names, ways=ways)
    return by_weapon


def _with_own_dice(way: tuple[int, ...], every: tuple[StrikePlan, ...]) -> tuple[int, ...]:
    """A share completed with the dice of weapons used beside the others, in the order of the weapons."""
    rest = iter(way)
    return tuple(strikes.own_dice or next(rest) for strikes in every)


def _name(decision: Decision, target: records.FightTarget) -> str:
    of_vehicle = target.vehicle is not None
    return decision.vehicle(target.model).name if of_vehicle else decision.fighter(target.model).name


def _refuse_unarmed_with_a_weapon_at_hand(
    command: records.Fight, attacker: Fighter, weapons: tuple[StrikePlan, ...], struck: tuple[StrikePlan, ...]
) -> None:
    """Refuses unarmed attacks for the rest of a single Sidearm's dice while a Melee weapon is at hand."""
    across = any(target.across == "wider" for target in command.targets)
    if len(weapons) != 1 or across or not any(strikes.kind == "unarmed" for strikes in struck):
        return
    at_hand = tuple(
        weapon.weapon
        for weapon in attacker.weapons
        if weapon.weapon != weapons[0].weapon
        and any(
            rules.fights_as(profile.traits) == "melee" and not rules.takes_both_hands(profile.traits)
            for profile in weapon.profiles
        )
    )
    if at_hand and not rules.takes_both_hands(weapons[0].profile.traits):
        raise records.MeleeWeaponAtHand(fighter=attacker.name, sidearm=weapons[0].weapon, weapons=at_hand)


def _refuse_out_of_reach(decision: Decision, command: records.Fight, struck: tuple[StrikePlan, ...]) -> None:
    for strikes in struck:
        for target, dice in zip(command.targets, strikes.dice, strict=True):
            if dice and target.across == "wider" and not rules.reaches_across(strikes.profile.traits):
                raise records.CannotReachAcross(
                    weapon=strikes.weapon, target=decision.name_of_model(target.model)
                )
