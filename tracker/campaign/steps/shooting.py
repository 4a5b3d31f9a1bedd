"""Shooting: the five steps of a ranged attack, from target priority to the hits and strays.

The order of asking for dice is the order at the table: Cool test, hit rolls, Firepower dice with their Ammo
tests, then each hit or stray to its end. The numbers are in `rules/necromunda/shooting.py`.
Source: Core Rulebook (2023) · Shooting.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign import records
from tracker.campaign.steps import (
    ammo,
    area_markers,
    blast_and_template,
    interrupting_shot,
    special_rules,
    target_priority,
    vehicle_shooting,
    vehicle_special_rules,
)
from tracker.campaign.steps.ammo import Firepower
from tracker.campaign.steps.decision import Decision, as_modifiers
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.nerve import broken_attack
from tracker.campaign.steps.ranged_hit import (
    attack_at_no_fighter,
    attack_with,
    end_of_attack,
    note_shot,
    resolve_ranged_hit,
)
from tracker.campaign.steps.weapons import AMMUNITION, WeaponInUse, check_can_fire, weapon_in_use
from tracker.records import Record, replace
from tracker.rules.modifiers import Modifiers, nonzero
from tracker.rules.necromunda import shooting as rules
from tracker.rules.necromunda.rules_in_force import REST_OF_THE_BOOK, SpecialRules
from tracker.rules.necromunda.shooting import RangeBand
from tracker.rules.necromunda.weapon_traits import resolving_traits


@handles(records.Shoot)
def shoot(decision: Decision, command: records.Shoot) -> None:
    """One ranged attack, with one weapon or with two Sidearms."""
    broken_attack(decision, command.attacker, reaction=False)
    vehicle_shooting.check_firing_vehicle(decision, command)
    _check_shooter(decision, command.attacker)
    arms = _arms(decision, command)
    command = interrupting_shot.draw_target(decision, command, arms)
    interrupts = interrupting_shot.OVERWATCH in command.using
    if interrupts:
        interrupting_shot.check_interrupting(decision, command, arms)
    target_priority.check_statement(decision, command, arms)
    for arm in arms:
        check_can_fire(decision, command.attacker, arm)
    target_priority.check_models(decision, command, arms)
    target_priority.refuse_hiding(decision, command)
    target_priority.refuse_out_of_reach(decision, command, arms)
    if not target_priority.may_shoot(decision, command, arms[0]):
        return
    was_down = interrupts and interrupting_shot.is_down(decision, command.target)
    _fire_at(decision, command, arms)
    if interrupts:
        interrupting_shot.end_interrupted(decision, command, was_down=was_down)


def _fire_at(decision: Decision, command: records.Shoot, arms: tuple[WeaponInUse, ...]) -> None:
    """The shot itself: a Template, a Blast, hit rolls, or a marker that strikes in the End phase."""
    if target_priority.burrows(decision, command, arms[0]):
        area_markers.burrow(decision, command, arms[0])
    elif arms[0].has(rules.TEMPLATE):
        blast_and_template.fire_template(decision, command, arms[0])
    elif arms[0].has(rules.BLAST):
        scored = None
        if not blast_and_template.scatters_unseen(decision, command):
            scored = _roll_to_hit(decision, command, arms[0], _band(command, 0))
        result = blast_and_template.fire_blast(
            decision,
            command,
            arms[0],
            band=_band(command, 0),
            hit=scored is not None and scored.hit,
            natural=scored.natural if scored is not None else None,
            cause=scored.cause if scored is not None else 0,
        )
        if result in ("marker_stays", "marker_scatters", "misfire"):
            area_markers.leave_marker(decision, command, arms[0])
    else:
        _fire(decision, command, arms)


def _check_shooter(decision: Decision, attacker: str) -> None:
    """Refuses a fighter who lies helpless. Pinned fighters shoot, with a warning: no rule forbids it."""
    now = decision.combatant(attacker, what="a shot")
    if now.seriously_injured or now.webbed:
        condition = "Seriously Injured" if now.seriously_injured else "Webbed"
        raise records.ShooterDown(fighter=decision.fighter(attacker).name, condition=condition)
    if now.pinned:
        name = decision.fighter(attacker).name
        why = f"{name} shoots while Pinned, as stated: an unpin entry before it says who stood up"
        decision.note_rule(attacker, why, section="shooting")


def _arms(decision: Decision, command: records.Shoot) -> tuple[WeaponInUse, ...]:
    first = weapon_in_use(
        decision,
        command.attacker,
        command.weapon,
        command.profile_name,
        command.profile,
        vehicle=command.from_vehicle,
    )
    also = command.also
    if also is None:
        return (first,)
    second = weapon_in_use(
        decision,
        command.attacker,
        also.weapon,
        also.profile_name,
        also.profile,
        not_slots=(first.slot,),
    )
    return (first, second)


def _band(command: records.Shoot, nth: int) -> RangeBand:
    band = command.range_band if nth == 0 or command.also is None else command.also.range_band
    assert band is not None, "the range was checked"
    return band


class _Scored(Record):
    """The result of a hit roll. `natural` is the face of the die that hit."""

    hit: bool
    natural: int | None
    cause: int


class _OnItsWay(Record):
    """One hit or stray shot to be resolved: its weapon and its model, None for a stray.

    `first`: of one hit roll, if its face matters. `last`: the weapon's last on a vehicle. `ends_attack`: the
    effects after the attack on this model follow it.
    """

    weapon: int
    at: records.ModelThere | None
    natural: int | None
    first: bool = True
    last: bool = True
    ends_attack: bool = False


class _EndOfAttack(Record):
    """The effects on a model after every hit of a weapon on it."""

    weapon: int
    on: records.ModelThere


def _fire(decision: Decision, command: records.Shoot, arms: tuple[WeaponInUse, ...]) -> None:
    """Hit rolls of all weapons, then their Firepower dice, then every hit and every miss.

    A burst whose bullet holes are shots rolls its Firepower dice first, then to hit with each (G-38).
    """
    scored = [
        None
        if rules.holes_are_shots(arm.profile.traits, decision.rulebook)
        else _roll_to_hit(decision, command, arm, _band(command, nth))
        for nth, arm in enumerate(arms)
    ]
    dice = [command.firepower_dice]
    if command.also is not None:
        dice.append(command.also.firepower_dice)
    rolled = [
        ammo.firepower(
            decision,
            command.attacker,
            arm,
            dice=count,
            cause=shot.cause if shot is not None else 0,
            helper=command.munitioneer,
        )
        for arm, count, shot in zip(arms, dice, scored, strict=True)
    ]
    coming: list[_OnItsWay] = []
    for nth, (arm, shot, power) in enumerate(zip(arms, scored, rolled, strict=True)):
        band = _band(command, nth)
        if shot is not None:
            shots = (shot,) * power.hits
        else:
            others = tuple((shot.hit, shot.natural) if shot else None for shot in scored)
            shots = _burst(decision, command, arm, band, power, (tuple(coming), tuple(rolled), others))
        hits = sum(shot.hit for shot in shots)
        result: records.ShotResult = "hit" if hits else "beyond_range" if band == "beyond" else "missed"
        cause = shot.cause if shot is not None else 0
        note_shot(decision, command, arm, result=result, hits=hits or len(shots), cause=cause)
        strays = band != "beyond" or rules.strays_when_beyond_range(decision.rulebook)
        coming += _on_their_way(command, nth, shots, strays=strays)
    if len(coming) > 1:
        coming = [
            replace(shot, last=False)
            if _another_follows(decision, command, arms, shot, coming[place + 1 :])
            else shot
            for place, shot in enumerate(coming)
        ]
    coming = _ending_with_the_line(decision, command, arms, coming)
    unstable = True in [power.unstable for power in rolled]
    decision.merge_point("shots", tuple(coming), unstable)
    ends = _ends_of_attack(decision, command, arms, coming)
    last = (*coming, *ends, None) if unstable else (*coming, *ends)
    decision.independent_each(_one_shot, last, command, arms, settled=AMMUNITION)


def _one_shot(
    decision: Decision,
    shot: _OnItsWay | _EndOfAttack | None,
    command: records.Shoot,
    arms: tuple[WeaponInUse, ...],
) -> None:
    """Resolve one hit or stray, or the effects after all hits of a weapon. None for the effect of an Unstable
    weapon.
    """
    if shot is None:
        ammo.blow_up(decision, command.attacker, arms[0])
    elif isinstance(shot, _EndOfAttack):
        end_of_attack(decision, command, arms[shot.weapon], shot.on)
    elif shot.at is None:
        _go_astray(decision, command, arms[shot.weapon])
    else:
        resolve_ranged_hit(
            decision,
            command,
            arms[shot.weapon],
            shot.at,
            how="shot",
            natural=shot.natural,
            save_bonus=0,
            band=_band(command, shot.weapon),
            first=shot.first,
            last=shot.last,
            ends_attack=shot.ends_attack,
        )


def _another_follows(
    decision: Decision,
    command: records.Shoot,
    arms: tuple[WeaponInUse, ...],
    shot: _OnItsWay,
    others: Sequence[_OnItsWay],
) -> bool:
    """Whether the weapon hits the same vehicle again, and a rule acts after the last hit."""
    vehicle = decision.state.vehicle(shot.at.fighter) if shot.at is not None else None
    if vehicle is None:
        return False
    traits = arms[shot.weapon].profile.traits
    acts = vehicle_special_rules.rules_on_vehicle(decision, traits, command.attacker, vehicle)
    if acts is None or not acts.at("after_attack"):
        return False
    again = (shot.weapon, vehicle.vehicle)
    return any(other.at is not None and (other.weapon, other.at.fighter) == again for other in others)


def _ending_with_the_line(
    decision: Decision, command: records.Shoot, arms: tuple[WeaponInUse, ...], coming: list[_OnItsWay]
) -> list[_OnItsWay]:
    """The hits, with the weapon's last one ending the attack if it may go on along a line: only then is it
    known who was hit last.
    """
    if not command.next_in_line or not decision.plays_by(REST_OF_THE_BOOK):
        return coming
    for nth, arm in enumerate(arms):
        acts = special_rules.rules_between(decision, arm.profile.traits, command.attacker, command.target)
        at_target = [
            place
            for place, shot in enumerate(coming)
            if shot.at is not None and (shot.weapon, shot.at.fighter) == (nth, command.target)
        ]
        if at_target and acts is not None and acts.at("unsaved"):
            coming[at_target[-1]] = replace(coming[at_target[-1]], ends_attack=True)
    return coming


def _ends_of_attack(
    decision: Decision,
    command: records.Shoot,
    arms: tuple[WeaponInUse, ...],
    coming: Sequence[_OnItsWay],
) -> tuple[_EndOfAttack, ...]:
    """The effects after the attack for each model hit, once for all hits; after a stray they follow at
    once.
    """
    ends: list[_EndOfAttack] = []
    for nth, arm in enumerate(arms):
        hit: dict[str, records.ModelThere] = {}
        for shot in coming:
            if shot.at is not None and shot.weapon == nth:
                hit[shot.at.fighter] = shot.at
        for shot in coming:
            if shot.ends_attack and shot.at is not None and shot.weapon == nth:
                del hit[shot.at.fighter]
        for fighter, model in hit.items():
            if vehicle_shooting.is_vehicle(decision, fighter):
                continue  # it follows with the last hit on it
            acts = special_rules.rules_between(decision, arm.profile.traits, command.attacker, fighter)
            if acts is not None and acts.at("after_attack"):
                ends.append(_EndOfAttack(weapon=nth, on=model))
    return tuple(ends)


def _burst(
    decision: Decision,
    command: records.Shoot,
    arm: WeaponInUse,
    band: RangeBand,
    power: Firepower,
    known: tuple[object, ...],
) -> tuple[_Scored, ...]:
    """A hit roll for each bullet hole. `known` are the results of the other weapon."""
    shots: list[_Scored] = []
    for _ in range(power.hits):
        decision.merge_point("burst", tuple((shot.hit, shot.natural) for shot in shots), power, known)
        shots.append(_roll_to_hit(decision, command, arm, band))
    return tuple(shots)


def _on_their_way(
    command: records.Shoot, nth: int, shots: tuple[_Scored, ...], *, strays: bool
) -> list[_OnItsWay]:
    """Each hit with its model (the first weapon's as listed, the rest on the target), and each miss."""
    target = target_priority.target_model(command) if any(shot.hit for shot in shots) else None
    listed = list(command.hits_on) if nth == 0 else []
    coming: list[_OnItsWay] = []
    for place, shot in enumerate(shots):
        if shot.hit:
            at = listed.pop(0) if listed else target
            assert at is not None, "only markers and templates need no target"
            first = shot.natural is None or shot not in shots[:place]
            coming.append(_OnItsWay(weapon=nth, at=at, natural=shot.natural, first=first))
        elif strays:
            coming.append(_OnItsWay(weapon=nth, at=None, natural=None))
    return coming


def _go_astray(decision: Decision, command: records.Shoot, arm: WeaponInUse) -> None:
    """One missed hit: each model at risk in turn, until it strikes one or is lost.

    Source: Core Rulebook (2023) · Shooting · Stray Shots.
    """
    for model in command.at_risk:
        if vehicle_shooting.out_of_play(decision, model.fighter):
            continue
        faces = rules.stray_hits_on(
            decision.rulebook, vehicle=vehicle_shooting.is_vehicle(decision, model.fighter)
        )
        name = decision.name_of_model(model.fighter)
        die = decision.tray.d6(
            "stray", why=f"stray shot, hits {name} on {_faces(faces)}", fighter=model.fighter
        )
        struck = die.face in faces
        decision.roll(
            die,
            outcome=f"hits on {_faces(faces)}: {'hits' if struck else 'misses'} {name}",
            section="stray_shots",
            rolled_by=decision.fighter(command.attacker).gang,
            passed=struck,
        )
        if struck:
            resolve_ranged_hit(decision, command, arm, model, how="stray", natural=None, save_bonus=0)
            end_of_attack(decision, command, arm, model)
            return


def _faces(faces: tuple[int, ...]) -> str:
    return f"{faces[0]}" if len(faces) == 1 else f"{faces[0]} to {faces[-1]}"


def _roll_to_hit(decision: Decision, command: records.Shoot, arm: WeaponInUse, band: RangeBand) -> _Scored:
    """The hit roll, or the two rolls of an Improbable Shot; beyond range nothing is rolled.

    A Blast beyond range is no miss: its marker slides back to Long range. Source: Core Rulebook (2023) ·
    Shooting · 3. Measure Range; 4. Make the Hit Roll.
    """
    if band == "beyond" and not arm.has(rules.BLAST):
        return _Scored(hit=False, natural=None, cause=0)
    band = "long" if band == "beyond" else band
    skill = vehicle_shooting.ballistic_skill(decision, command)
    modifiers = _modifiers(decision, command, arm, band)
    acts = special_rules.rules_between(decision, arm.profile.traits, command.attacker, command.target)
    attack = None
    if acts is not None:
        attack = _aim(decision, command, arm, band, acts)
        modifiers = special_rules.hit_modifiers(decision, attack, modifiers)
    needed = rules.hit_needed(ballistic_skill=skill, modifiers=modifiers)
    cause = 0
    if needed.improbable:
        die = decision.tray.d6(
            "improbable_hit", why=f"{arm.shown}, Improbable Shot, needs a 6", fighter=command.attacker
        )
        possible = die.face == 6
        cause = decision.roll(
            die,
            outcome=f"{arm.shown}, Improbable Shot: {'a chance to hit' if possible else 'misses'}",
            section="hit_roll",
            rolled_by=decision.fighter(command.attacker).gang,
            modifiers=as_modifiers(modifiers),
            target=6,
            passed=possible,
        )
        if not possible:
            return _Scored(hit=False, natural=None, cause=cause)
        modifiers = ()
        needed = rules.hit_needed(ballistic_skill=skill, modifiers=modifiers)
    shown = arm.shown
    is_last = attack is None
    while True:
        die = decision.tray.d6(
            "hit", why=f"hit roll of {shown}, needs {needed.face}+", fighter=command.attacker
        )
        hit = die.face >= needed.face
        cause = decision.roll(
            die,
            outcome=f"{shown}: {'hits' if hit else 'misses'}",
            section="hit_roll",
            rolled_by=decision.fighter(command.attacker).gang,
            modifiers=as_modifiers(modifiers),
            target=needed.face,
            passed=hit,
            cause=cause,
        )
        if hit or is_last or not special_rules.rolls_again(decision, attack, cause=cause):
            break
        is_last = True
    # The face is kept only where a trait of the weapon, or a skill, may ask for it.
    asked = attack is not None or bool(resolving_traits(arm.profile.traits, decision.rulebook))
    return _Scored(hit=hit, natural=die.face if hit and asked else None, cause=cause)


def _aim(
    decision: Decision, command: records.Shoot, arm: WeaponInUse, band: RangeBand, acts: SpecialRules
) -> special_rules.Attack:
    """The special rules of a hit roll."""
    model = target_priority.target_model(command)
    if model is None or vehicle_shooting.is_vehicle(decision, model.fighter):
        return attack_at_no_fighter(command, arm, acts, band=band)
    prone = target_priority.is_prone(decision, model.fighter)
    return attack_with(decision, command, arm, model, acts, band=band, prone=prone, engaged=command.engaged)


def _modifiers(decision: Decision, command: records.Shoot, arm: WeaponInUse, band: RangeBand) -> Modifiers:
    """The modifiers: printed ones, Twin Guns Blazing, Unwieldy, skills, then those stated."""
    rulebook, profile = decision.rulebook, arm.profile
    printed = rules.hit_modifiers(
        cover=command.cover,
        band=band,
        accuracy=profile.accuracy_short if band == "short" else profile.accuracy_long,
        engaged=command.engaged,
        prone=command.target is not None and target_priority.is_prone(decision, command.target),
        point=command.point,
        traits=profile.traits,
    )
    more: list[tuple[str, int]] = []
    if command.also is not None:
        more.append(("Twin Guns Blazing", -1))
    if command.action == "basic" and arm.has(rules.UNWIELDY):
        more.append(("Unwieldy", -1))
    if "fast_shot" in command.using:
        more.append(("Fast Shot", int(rulebook.knob("fast_shot.hit_modifier"))))
    if "hip_shooting" in command.using:
        more.append(("Hip Shooting", int(rulebook.knob("hip_shooting.hit_modifier"))))
    if command.modifiers:
        more += [(modifier.why, modifier.by) for modifier in command.modifiers]
    if not (more or command.hull_down):
        return printed
    return (*printed, *vehicle_shooting.hull_down(command), *nonzero(*more))
