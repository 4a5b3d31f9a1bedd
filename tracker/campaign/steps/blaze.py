"""Blaze: the activation of a burning fighter or vehicle, and whether the fire goes out.

Where a burning fighter runs to is seen at the table. Source: Core Rulebook (2023) · Conditions · Blaze.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.steps import characteristic_tests as tests
from tracker.campaign.steps import conditions, inspirational, resolve_hits, vehicle_control
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.nerve import cool_needed
from tracker.campaign.steps.vehicle_damage import strike_vehicle
from tracker.rules.modifiers import Modifiers


@handles(records.ActivateBurning)
def activate_burning(decision: Decision, command: records.ActivateBurning) -> None:
    """The hit; a run, unless the fighter is Engaged or down; then a D6 for the fire. The activation ends."""
    now = decision.combatant(command.fighter, what="an activation on fire")
    fighter = decision.fighter(command.fighter)
    if not now.blaze:
        raise records.NotInCondition(model=fighter.name, condition="on fire", key="blaze")
    if command.grudge_against is not None:
        decision.gang(command.grudge_against)
    if command.engaged and (now.pinned or now.seriously_injured):
        raise records.ContradictoryStatement(
            one="engaged", other=f"{fighter.name} is Prone", why="who is Engaged stands"
        )
    friends = _friends_who_help(decision, command)
    conditions.end(decision, command.fighter, "blind")
    numbers = decision.rulebook.book.conditions.blaze
    harm = Harm(target=command.fighter, grudge_against=command.grudge_against, keeps=command.keeps)
    hit = resolve_hits.HitToResolve(
        strength=numbers.strength,
        armour_penetration=numbers.armour_penetration,
        damage=numbers.damage,
        save_with=command.save_with,
    )
    resolve_hits.resolve_without_weapon(decision, harm, hit, how="blaze")
    decision.independent(_run_and_put_out, command, friends)


def _run_and_put_out(decision: Decision, command: records.ActivateBurning, friends: tuple[str, ...]) -> None:
    """After the hit: stand up, run, lie down, and the D6."""
    now = decision.battle("an activation on fire").combatants[command.fighter]
    if now.out_of_action:
        return
    numbers = decision.rulebook.book.conditions.blaze
    if not (now.seriously_injured or now.webbed or command.engaged):
        if now.pinned:
            decision.emit(records.FighterUnpinned(fighter=command.fighter))
        decision.roll_only(_run, command.fighter)
        if command.lies_down:
            decision.emit(records.FighterPinned(fighter=command.fighter))
    now = decision.combatant(command.fighter, what="an activation on fire")
    added: list[tuple[str, int]] = []
    if friends:
        added.append(('Active friends within 1"', numbers.per_friend * len(friends)))
    if now.pinned or now.seriously_injured or now.webbed:
        added.append(("Prone", numbers.prone))
    _put_out(decision, command.fighter, needs=numbers.goes_out_from, modifiers=tuple(added), cause=0)


def _friends_who_help(decision: Decision, command: records.ActivateBurning) -> tuple[str, ...]:
    """The other friends near who are Active. Refuses anybody else: who lies down does not help."""
    fighter = decision.fighter(command.fighter)
    helping: list[str] = []
    for place, name in enumerate(command.friends_near):
        friend, how = decision.fighter(name), decision.combatant(name, what="a friend near")
        if name == command.fighter:
            raise records.FriendsNearUnclear(fighter=fighter.name, why="nobody is their own friend here")
        if name in command.friends_near[:place]:
            raise records.FriendsNearUnclear(fighter=fighter.name, why=f"{friend.name} is listed twice")
        if friend.gang != fighter.gang:
            raise records.NotAFriend(fighter=fighter.name, friend=friend.name)
        if how.pinned or how.seriously_injured or how.webbed:
            decision.note_rule(name, "not Active, and no help against the fire", section="conditions")
        else:
            helping.append(name)
    return tuple(helping)


def _run(decision: Decision, fighter: str) -> None:
    """The direction and distance of the run; where it ends is seen at the table."""
    gang = decision.fighter(fighter).gang
    scatter = decision.tray.special(
        decision.rulebook.special_die("scatter"),
        "blaze_scatter",
        why="Scatter die of a burning fighter who runs",
        fighter=fighter,
    )
    way = "along the small arrow" if scatter.symbol == "hit" else "along the arrow"
    cause = decision.roll(scatter, outcome=way, section="conditions", rolled_by=gang)
    die = decision.tray.two_d6("blaze_run", why="inches that a burning fighter runs", fighter=fighter)
    decision.roll(die, outcome=f'runs {die.total}"', section="conditions", rolled_by=gang, cause=cause)


def _put_out(decision: Decision, model: str, *, needs: int, modifiers: Modifiers, cause: int) -> None:
    added = sum(by for _, by in modifiers)
    why = f"the fire goes out on {needs}+" + (f" with {added:+d}" if added else "")
    die = decision.tray.d6("blaze_out", why=why, fighter=model)
    out = die.face + added >= needs
    rolled = decision.roll(
        die,
        outcome="the fire goes out" if out else "burns on",
        section="conditions",
        rolled_by=decision.gang_of_model(model),
        modifiers=as_modifiers(modifiers),
        target=needs,
        passed=out,
        cause=cause,
    )
    if out:
        conditions.end(decision, model, "blaze", cause=rolled)


@handles(records.ActivateBurningVehicle)
def activate_burning_vehicle(decision: Decision, command: records.ActivateBurningVehicle) -> None:
    """The hit on the rear, the crew's Cool test (failed: out of control, or Burn Out), then the D6."""
    card = decision.vehicle(command.vehicle)
    if not decision.combat_vehicle(command.vehicle, what="an activation on fire").blaze:
        raise records.NotInCondition(model=card.name, condition="on fire", key="blaze")
    vehicle_control.say_mobile(decision, command.vehicle, mobile=command.mobile, what="an activation on fire")
    inspirational.check(decision, card.crew, command.inspired_by)
    conditions.end(decision, command.vehicle, "blind")
    numbers = decision.rulebook.book.conditions.blaze
    profile = WeaponProfile(
        name="Blaze",
        strength=numbers.strength,
        armour_penetration=numbers.armour_penetration,
        damage=numbers.damage,
    )
    hit = records.ResolveVehicleHit(
        vehicle=command.vehicle, facing="rear", mobile=command.mobile, profile=profile, attack=False
    )
    strike_vehicle(decision, hit, how="blaze")
    if _is_wreck(decision, command.vehicle):
        return
    crew = decision.fighter(card.crew)
    die = decision.tray.two_d6("blaze_cool", why=f"Cool test on fire, {cool_needed(crew)}", fighter=card.crew)
    calm, rolled = tests.take_on_two_dice(
        decision, die, card.crew, "cool", section="conditions", outcomes=("drives on", "panics")
    )
    calm, rolled = inspirational.make_up(decision, card.crew, command.inspired_by, passed=calm, cause=rolled)
    if not calm:
        _panic(decision, command.vehicle, cause=rolled)
    if not _is_wreck(decision, command.vehicle):
        _put_out(decision, command.vehicle, needs=numbers.vehicle_goes_out_from, modifiers=(), cause=0)


def _panic(decision: Decision, vehicle: str, *, cause: int) -> None:
    """A Mobile vehicle goes out of control, as by a failed test; any other Burns Out where it stands."""
    mobile = decision.combat_vehicle(vehicle, what="an activation on fire").mobile
    if not mobile:
        why = "performs Burn Out (Double), and the activation ends"
        decision.note_rule(vehicle, why, section="conditions", cause=cause)
        return
    accident = vehicle_control.VehicleAccident(vehicle=vehicle, mobile=True)
    vehicle_control.lose_control(decision, accident, cause=cause)
    vehicle_control.wreck(decision, accident, cause=len(decision.events))


def _is_wreck(decision: Decision, vehicle: str) -> bool:
    return decision.battle("an activation on fire").vehicles[vehicle].wrecked
