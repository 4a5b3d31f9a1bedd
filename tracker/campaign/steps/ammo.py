"""Ammunition: Firepower dice, Ammo tests, what runs out, Reloads.

Every attack with a ranged weapon comes here, Sidearms in close combat too. What ran out is kept for the
battle by the weapon's slot (`weapons.py`).
Source: Core Rulebook (2023) · Shooting · The Firepower Dice; Multiple Weapon Profiles.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.profiles import Weapon
from tracker.campaign.state import BattleUnderWay
from tracker.campaign.steps import injury_dice, special_rules
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.vehicle_effects import weapon_blows_up
from tracker.campaign.steps.weapons import WeaponInUse, out_of_ammo_arm
from tracker.records import Record
from tracker.rules.modifiers import Modifiers
from tracker.rules.necromunda import shooting as rules


class Firepower(Record):
    """The result of one attack's Firepower dice. `unstable`: the user goes Out of Action after the attack."""

    hits: int
    unstable: bool = False


def firepower(
    decision: Decision,
    fighter: str,
    arm: WeaponInUse,
    *,
    dice: int,
    cause: int,
    helper: str | None = None,
) -> Firepower:
    """Roll the Firepower dice of one attack: bullet holes, and an Ammo test at once for every Ammo symbol.

    A Single Shot weapon counts as having failed its test, so none is rolled. `helper` is a friend whose skill
    lets a failed test be rolled again.
    """
    again, each_time = special_rules.ammo_rules(decision, fighter, arm.profile.traits, helper)
    if each_time:
        if not _test_ammo(decision, fighter, arm, cause=cause, again=again):
            _spend(decision, fighter, arm, single_shot=False, cause=cause)
        return Firepower(hits=1)
    symbols, cause = _roll_dice(decision, fighter, arm, dice=dice, cause=cause)
    ammo_symbols = symbols.count(rules.AMMO)
    if arm.has(rules.SINGLE_SHOT):
        if arm.several:
            _note_out_of_ammo(decision, fighter, arm, cause=cause)
        _spend(decision, fighter, arm, single_shot=True, cause=cause)
    elif ammo_symbols:
        failed = sum(
            not _test_ammo(decision, fighter, arm, cause=cause, again=again) for _ in range(ammo_symbols)
        )
        _run_out(decision, fighter, arm, failed, cause=cause)
    unstable = False
    if ammo_symbols and arm.has(rules.UNSTABLE):
        die = decision.tray.d6("unstable", why=f"{arm.shown} is Unstable", fighter=fighter)
        unstable = die.face <= rules.UNSTABLE_HARMS_UP_TO
        decision.roll(
            die,
            outcome="taken Out of Action by it" if unstable else "holds",
            section="firepower",
            rolled_by=decision.fighter(fighter).gang,
            target=rules.UNSTABLE_HARMS_UP_TO + 1,
            passed=not unstable,
            cause=cause,
        )
    hits = rules.hits_scored(symbols, traits=arm.profile.traits, rulebook=decision.rulebook)
    return Firepower(hits=hits, unstable=unstable)


def blow_up(decision: Decision, fighter: str, arm: WeaponInUse | None = None) -> None:
    """An Unstable weapon takes its user Out of Action, unless they are out already.

    A vehicle's own Unstable weapon is destroyed instead, with the gravest damage to the Body.
    """
    if arm is not None and arm.vehicle is not None:
        if not decision.battle("a shot").vehicles[arm.vehicle].wrecked:
            weapon_blows_up(decision, arm.vehicle, arm.name)
        return
    if decision.battle("a shot").combatants[fighter].out_of_action:
        return
    harm = Harm(target=fighter)
    injury_dice.go_out_of_action(decision, harm, reason="stated", out_of_action_dice=0, cause=0)


@handles(records.Reload)
def reload(decision: Decision, command: records.Reload) -> None:
    """A Reload: an Ammo test by one of the profiles makes the whole weapon ready again.

    Plentiful needs no test. Scarce weapons are never reloaded, nor jammed or spent ones.
    """
    decision.combatant(command.fighter, what="a Reload")
    name = decision.fighter(command.fighter).name
    needed = decision.rulebook.knob("reload.action")
    if command.action is not None and command.action != needed:
        raise records.WrongReloadAction(fighter=name, action=command.action, needed=needed)
    arm = out_of_ammo_arm(
        decision,
        command.fighter,
        command.weapon,
        command.profile_name,
        command.profile,
        vehicle=command.on_vehicle,
    )
    if arm is None:
        raise records.NothingToReload(fighter=name, weapon=command.weapon)
    if arm.has(rules.SCARCE):
        raise records.WeaponDoneForBattle(
            fighter=name, weapon=arm.shown, why="Scarce ammunition is not reloaded"
        )
    cause = 0
    if arm.has(rules.PLENTIFUL):
        why = f"{arm.shown} is Plentiful and reloads without a test"
        cause = decision.note_rule(command.fighter, why, section="firepower")
    else:
        again, _ = special_rules.ammo_rules(decision, command.fighter, arm.profile.traits, None)
        if not _test_ammo(decision, command.fighter, arm, cause=0, again=again):
            return
    reloaded = records.WeaponReloaded(
        fighter=command.fighter, weapon=arm.name, slot=arm.slot, vehicle=arm.vehicle
    )
    decision.emit(reloaded, cause=cause)


def delete_limited(decision: Decision, battle: BattleUnderWay) -> None:
    """When the battle ends, Limited ammunition that ran out leaves the card (G-26)."""
    for crew in battle.crews.values():
        for fighter in crew:
            spent = battle.combatants[fighter].ammo_spent
            card = decision.fighter(fighter)
            if spent and card.standing == "enlisted" and _limited_goes(decision):
                _delete_limited_of(decision, fighter, None, card.weapons, card.cost_credits, spent)
    for name, condition in battle.vehicles.items():
        ridden = decision.vehicle(name)
        if condition.ammo_spent and _limited_goes(decision):
            _delete_limited_of(
                decision, ridden.crew, name, ridden.armament, ridden.cost_credits, condition.ammo_spent
            )


def _limited_goes(decision: Decision) -> bool:
    return decision.rulebook.knob("ammo.limited") == "deleted"


def _delete_limited_of(
    decision: Decision,
    fighter: str,
    vehicle: str | None,
    weapons: tuple[Weapon, ...],
    cost: int,
    spent: tuple[str, ...],
) -> None:
    seen: dict[str, int] = {}
    lost = []
    for weapon in weapons:
        nth = seen[weapon.weapon] = seen.get(weapon.weapon, 0) + 1
        slot = weapon.weapon if nth == 1 else f"{weapon.weapon} ({nth})"
        gone = 0
        for profile in weapon.profiles:
            keys = (
                records.ammo_key(slot, profile.name),
                records.ammo_key(f"{slot}: {profile.name}", profile.name),
            )
            if rules.has_trait(profile.traits, rules.LIMITED) and any(key in spent for key in keys):
                gone += 1
                lost.append((weapon, profile, gone == len(weapon.profiles)))
    for weapon, profile, weapon_gone in lost:
        cost = max(0, cost - weapon.cost_credits) if weapon_gone else cost
        decision.emit(
            records.LimitedAmmoDeleted(
                fighter=fighter,
                weapon=weapon.weapon,
                profile=profile.name,
                weapon_gone=weapon_gone,
                cost_credits=cost,
                vehicle=vehicle,
            )
        )


def _roll_dice(
    decision: Decision, fighter: str, arm: WeaponInUse, *, dice: int, cause: int
) -> tuple[list[str], int]:
    symbols: list[str] = []
    shown, gang = arm.shown, decision.fighter(fighter).gang
    special = decision.rulebook.special_die("firepower")
    for nth in range(1, dice + 1):
        which = "" if dice == 1 else f" {nth} of {dice}"
        die = decision.tray.special(
            special, "firepower", why=f"Firepower die{which} of {shown}", fighter=fighter
        )
        assert die.symbol is not None, "a Firepower die always shows a symbol"
        symbols.append(die.symbol)
        cause = decision.roll(
            die,
            outcome=f"{shown}: {'Ammo' if die.symbol == rules.AMMO else die.symbol.replace('_', ' ')}",
            section="firepower",
            rolled_by=gang,
            cause=cause,
        )
    return symbols, cause


def _test_ammo(
    decision: Decision, fighter: str, arm: WeaponInUse, *, cause: int, again: str | None = None
) -> bool:
    """An Ammo test. A combi-weapon tests twice and keeps the worse; by the rule `again` a failed die is
    rolled once more, and the second counts.
    """
    target = arm.profile.ammo
    if target is None:
        raise records.NotForShooting(weapon=arm.shown, missing="Ammo")
    modifiers = _ammo_modifiers(decision, fighter)
    needed = target - sum(by for _, by in modifiers)
    passed = []
    for _ in range(2 if arm.has(rules.COMBI) else 1):
        held = _ammo_die(decision, fighter, arm, needed, modifiers, cause=cause)
        if not held and again is not None:
            held = _ammo_die(decision, fighter, arm, needed, modifiers, cause=cause, by=f", {again}")
        passed.append(held)
    return all(passed)


def _ammo_die(
    decision: Decision,
    fighter: str,
    arm: WeaponInUse,
    needed: int,
    modifiers: Modifiers,
    *,
    cause: int,
    by: str = "",
) -> bool:
    die = decision.tray.d6("ammo", why=f"Ammo test of {arm.shown}{by}, needs {needed}+", fighter=fighter)
    passed = die.face >= needed
    decision.roll(
        die,
        outcome=f"{arm.shown}{by}: {'passed' if passed else 'failed'}",
        section="firepower",
        rolled_by=decision.fighter(fighter).gang,
        modifiers=as_modifiers(modifiers),
        target=needed,
        passed=passed,
        cause=cause,
    )
    return passed


def _ammo_modifiers(decision: Decision, fighter: str) -> Modifiers:
    if not decision.fighter(fighter).has_skill("trick_shot"):
        return ()
    by = int(decision.rulebook.knob("trick_shot.ammo_modifier"))
    return (("Trick Shot", by),) if by else ()


def _run_out(decision: Decision, fighter: str, arm: WeaponInUse, failed: int, *, cause: int) -> None:
    trouble = rules.ammo_trouble(failed, traits=arm.profile.traits)
    if trouble == "jammed":
        jammed = records.WeaponJammed(fighter=fighter, weapon=arm.name, slot=arm.slot, vehicle=arm.vehicle)
        decision.emit(jammed, cause=cause)
    elif trouble == "out_of_ammo":
        _note_out_of_ammo(decision, fighter, arm, cause=cause)
    if trouble != "none" and rules.spent_when_failed(arm.profile.traits):
        _spend(decision, fighter, arm, single_shot=False, cause=cause)


def _note_out_of_ammo(decision: Decision, fighter: str, arm: WeaponInUse, *, cause: int) -> None:
    out = records.WeaponRanOutOfAmmo(fighter=fighter, weapon=arm.name, slot=arm.slot, vehicle=arm.vehicle)
    decision.emit(out, cause=cause)


def _spend(decision: Decision, fighter: str, arm: WeaponInUse, *, single_shot: bool, cause: int) -> None:
    decision.emit(
        records.AmmoSpent(
            fighter=fighter,
            weapon=arm.name,
            profile=arm.profile.name,
            slot=arm.slot,
            why="single_shot" if single_shot else "ammo_test",
            limited=arm.has(rules.LIMITED),
            vehicle=arm.vehicle,
        ),
        cause=cause,
    )
