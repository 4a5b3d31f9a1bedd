"""Target priority: the statements about a shot, its possible targets, and the Cool test of target priority.

All refusals of the chapter before any die is rolled. Source: Core Rulebook (2023) · Shooting · 1 to 3.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tracker.campaign import records
from tracker.campaign.state import Vehicle
from tracker.campaign.steps import characteristic_tests as tests
from tracker.campaign.steps import conditions, inspirational, special_rules
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.nerve import cool_needed
from tracker.campaign.steps.vehicle_shooting import check_enemy_vehicle, check_vehicles, is_vehicle
from tracker.campaign.steps.weapons import WeaponInUse
from tracker.rules.necromunda import shooting as rules
from tracker.rules.special_rules import NoPriorityTest, OutOfReach


def check_statement(decision: Decision, command: records.Shoot, arms: Sequence[WeaponInUse]) -> None:
    """Refuses contradictions within the shot, with the card, or with the rules of declaring one."""
    arm = arms[0]
    hidden = burrows(decision, command, arm)
    template, blast = arm.has(rules.TEMPLATE), arm.has(rules.BLAST) or hidden
    for said, against in _contradictions(command, arm, template=template, blast=blast):
        raise records.SituationContradicts(said=said, against=against)
    if not hidden:
        _check_eligible(decision, command, template=template)
    if not template and command.target is None and not command.point:
        raise records.NothingShotAt(weapon=arm.shown)
    _check_ranges(command, arms, template=template or hidden)
    _check_firepower_dice(command, arms)
    if len(arms) > 1:
        for weapon in arms:
            if not weapon.has(rules.SIDEARM):
                raise records.NotASidearm(weapon=weapon.shown)
    if command.action == "basic":
        for weapon in arms:
            if weapon.has(rules.UNWIELDY) and decision.rulebook.knob("unwieldy.basic_action") == "refused":
                raise records.UnwieldyNeedsDouble(weapon=weapon.shown)
    if not hidden:
        _check_off_the_table(decision, command, blast=blast)
    if command.munitioneer is not None:
        helper = decision.fighter(command.munitioneer)
        decision.combatant(command.munitioneer, what="a shot")
        if special_rules.ammo_rules(decision, command.munitioneer, (), None)[0] is None:
            raise records.HelpsNoAmmoTest(fighter=helper.name)
    if command.using:
        attacker = decision.fighter(command.attacker)
        for skill in command.using:
            if not attacker.has_skill(skill):
                raise records.SkillNotHeld(fighter=attacker.name, skill=skill)


def burrows(decision: Decision, command: records.Shoot, arm: WeaponInUse) -> bool:
    """Whether the shot is made beyond sight, by a weapon that strikes there in the End phase."""
    if not command.point or command.in_sight is not False:
        return False
    return special_rules.marker_rule(decision, arm.profile.traits, command.attacker, strikes=True) is not None


def _check_eligible(decision: Decision, command: records.Shoot, *, template: bool) -> None:
    """Refuses a target stated to be out of the vision arc, or of sight.

    Source: Core Rulebook (2023) · Shooting · 1. Assess Target Priority; Blast Markers; Flame Templates.
    """
    stated = (("outside the vision arc", command.in_arc), ("out of sight", command.in_sight))
    for where, there in stated:
        if there is False:
            target = "the template" if template else "the point"
            if command.target is not None:
                target = decision.name_of_model(command.target)
            raise records.NotEligible(target=target, where=where)


def check_models(decision: Decision, command: records.Shoot, arms: Sequence[WeaponInUse]) -> None:
    """Refuses models that cannot be where they are stated, and settles who is Prone."""
    if command.target is not None and not command.drawn_among:
        _check_enemy(decision, command.attacker, command.target)
    for model in command.hits_on:
        _check_enemy(decision, command.attacker, model.fighter)
    target = target_model(command)
    models = [*((target,) if target is not None else ()), *command.hits_on]
    lists = command.bystanders()
    if any(lists):
        _check_bystanders(decision, command, lists)
        for listed in lists:
            models += listed
    check_vehicles(decision, command, models, arms)
    inspirational.check(decision, command.attacker, command.inspired_by)
    for model in models:
        if not is_vehicle(decision, model.fighter):
            _settle_posture(decision, model)
            inspirational.check(decision, model.fighter, model.inspired_by)
    if command.hits_on and command.hits_on[0].fighter != command.target:
        raise records.SituationContradicts(
            said="the first hit on somebody else", against="a target of its own"
        )


def _check_bystanders(
    decision: Decision, command: records.Shoot, lists: Sequence[tuple[records.ModelThere, ...]]
) -> None:
    """Refuses impossible models near the line of fire, or under a marker or template."""
    for models in lists:
        names = [model.fighter for model in models]
        for position, name in enumerate(names):
            if is_vehicle(decision, name):
                decision.combat_vehicle(name, what="a shot")
            else:
                decision.combatant(name, what="a shot")
            if name in names[:position]:
                raise records.ModelNamedTwice(model=decision.name_of_model(name))
    for model in (model for models in lists for model in models):
        for other in model.engaged_with:
            decision.combatant(other, what="a shot")
            if other == model.fighter:
                raise records.TargetsSelf(fighter=decision.fighter(other).name)
    for model in command.at_risk:
        if decision.state.vehicle(model.fighter) and not rules.vehicles_at_risk(decision.rulebook):
            what = "stray shots at vehicles: take this one out of 'at_risk'"
            raise records.NotInRulebook(book=decision.rulebook.book.title, what=what)
        if model.fighter in (command.attacker, command.target):
            raise records.SituationContradicts(
                said=f"{decision.name_of_model(model.fighter)} at risk of a stray shot",
                against="being attacker or target of it",
            )
    for model in command.under_template:
        if model.fighter == command.attacker:
            raise records.TargetsSelf(fighter=decision.fighter(command.attacker).name)
    if any(model.fighter == command.attacker for model in command.under_misfire):
        raise records.SituationContradicts(
            said="the attacker under 'under_misfire'", against="being hit by a misfire anyway"
        )


def target_model(command: records.Shoot) -> records.ModelThere | None:
    """The target in the form of the other models that may be hit."""
    if command.target is None:
        return None
    return records.ModelThere(
        fighter=command.target,
        engaged=command.engaged,
        prone=command.prone,
        save_with=command.save_with,
        keeps=command.keeps,
        psyker=command.target_psyker,
        inspired_by=command.target_inspired_by,
        vehicle=command.vehicle,
    )


def is_prone(decision: Decision, fighter: str) -> bool:
    """Whether a fighter is Prone: Pinned or Seriously Injured. A vehicle never is."""
    if is_vehicle(decision, fighter):
        return False
    combatant = decision.battle("a shot").combatants[fighter]
    return combatant.pinned or conditions.lies_helpless(decision, combatant)


def refuse_hiding(decision: Decision, command: records.Shoot) -> None:
    """Refuses a target who is Prone and in cover.

    Source: Core Rulebook (2023) · Shooting · 1. Assess Target Priority · Fighters in Hiding.
    """
    if command.target is not None and command.cover != "none" and is_prone(decision, command.target):
        raise records.TargetHides(target=decision.fighter(command.target).name)


def refuse_out_of_reach(decision: Decision, command: records.Shoot, arms: Sequence[WeaponInUse]) -> None:
    """Refuses a target whose own skill forbids this shot."""
    if command.target is None or is_vehicle(decision, command.target):
        return
    for arm in arms:
        hides = special_rules.acts_before_the_shot(decision, command, arm.profile.traits, OutOfReach)
        if hides is not None:
            target = decision.fighter(command.target).name
            raise records.TargetOutOfReach(target=target, rule=hides)


def may_shoot(decision: Decision, command: records.Shoot, arm: WeaponInUse) -> bool:
    """Whether the shot may be made as declared, by a Cool test if one is needed.

    Source: Core Rulebook (2023) · Shooting · 1. Assess Target Priority.
    """
    nearer = tuple(_read_nearer(decision, command, enemy) for enemy in command.nearer)
    if command.closest and any(not enemy.out_of_arc for enemy in nearer):
        raise records.SituationContradicts(
            said="'closest: true'", against="an enemy in the arc who is nearer"
        )
    if command.point or (
        arm.has(rules.TEMPLATE) and rules.template_skips_priority(arm.profile.traits, decision.rulebook)
    ):
        return True
    if not rules.priority_test_needed(closest=command.closest, nearer=nearer, rulebook=decision.rulebook):
        return True
    attacker = decision.fighter(command.attacker)
    waives = special_rules.acts_before_the_shot(decision, command, arm.profile.traits, NoPriorityTest)
    if waives is not None:
        why = f"no Cool test for target priority: {waives}"
        decision.note_rule(command.attacker, why, section="target_priority")
        return True
    if command.priority_waived is not None:
        why = f"no Cool test for target priority: {command.priority_waived}"
        decision.note_rule(command.attacker, why, section="target_priority")
        return True
    why = f"Cool test for target priority, {cool_needed(attacker)}"
    die = decision.tray.two_d6("priority_cool", why=why, fighter=command.attacker)
    passed, rolled = tests.take_on_two_dice(
        decision,
        die,
        command.attacker,
        "cool",
        section="target_priority",
        outcomes=("any eligible target", "only the closest eligible target"),
    )
    passed, rolled = inspirational.make_up(
        decision, command.attacker, command.inspired_by, passed=passed, cause=rolled
    )
    if not passed:
        why = "this shot is not made: only the closest eligible enemy may be shot at"
        if any(enemy.out_of_arc for enemy in nearer):
            why += ", and whoever is out of the vision arc must be turned to first"
        decision.note_rule(command.attacker, why, section="target_priority", cause=rolled)
    return passed


def _read_nearer(decision: Decision, command: records.Shoot, enemy: records.NearerEnemy) -> rules.Nearer:
    fighter = decision.state.fighter(enemy.model)
    if enemy.model in (command.attacker, command.target):
        raise records.SituationContradicts(
            said=f"{enemy.model} nearer than the target", against="being attacker or target"
        )
    if fighter is not None:
        _check_enemy(decision, command.attacker, enemy.model)
    vehicle = decision.state.vehicle(enemy.model)
    if vehicle is not None:
        _check_nearer_vehicle(decision, command.attacker, enemy, vehicle)
    if enemy.because == "seriously_injured":
        if fighter is None:
            decision.fighter(enemy.model)
        elif not conditions.lies_helpless(decision, decision.combatant(enemy.model, what="a shot")):
            fault = "this battle does not know of a Serious Injury"
            raise records.SkipNotFree(model=fighter.name, because=enemy.because, fault=fault)
    if enemy.because == "wrecked" and fighter is not None:
        raise records.SkipNotFree(
            model=fighter.name, because=enemy.because, fault="only a vehicle is Wrecked"
        )
    return rules.Nearer(
        free=enemy.because is not None,
        out_of_arc=enemy.out_of_arc,
        harder_to_hit=enemy.because == "harder_to_hit",
    )


def _check_nearer_vehicle(
    decision: Decision, attacker: str, enemy: records.NearerEnemy, vehicle: Vehicle
) -> None:
    """Refuses a nearer vehicle that is no enemy's, or that is skipped as Wrecked and is not."""
    shooter = decision.fighter(attacker)
    if vehicle.gang == shooter.gang:
        raise records.ShootsOwnGang(fighter=shooter.name, target=vehicle.name)
    condition = decision.battle("a shot").vehicles.get(enemy.model)
    if enemy.because == "wrecked" and (condition is None or not condition.wrecked):
        fault = "this battle does not know that it was Wrecked"
        raise records.SkipNotFree(model=vehicle.name, because=enemy.because, fault=fault)
    if enemy.because == "seriously_injured":
        raise records.SkipNotFree(model=vehicle.name, because=enemy.because, fault="only a fighter is that")


def _check_enemy(decision: Decision, attacker: str, target: str) -> None:
    if is_vehicle(decision, target):
        check_enemy_vehicle(decision, attacker, target)
        return
    shooter, enemy = decision.fighter(attacker), decision.fighter(target)
    if attacker == target:
        raise records.TargetsSelf(fighter=shooter.name)
    decision.combatant(target, what="a shot")
    if shooter.gang == enemy.gang:
        raise records.ShootsOwnGang(fighter=shooter.name, target=enemy.name)


def _settle_posture(decision: Decision, model: records.ModelThere) -> None:
    """The model with its posture as the battle knows it; engaged fighters stand. Refuses contradictions."""
    combatant = decision.combatant(model.fighter, what="a shot")
    if model.engaged_with and not model.engaged:
        name = decision.fighter(model.fighter).name
        raise records.SituationContradicts(
            said=f"somebody engaged with {name}", against=f"{name} not engaged"
        )
    helpless = conditions.lies_helpless(decision, combatant)
    if model.prone is False and helpless:
        raise records.PostureContradicted(fighter=decision.fighter(model.fighter).name)
    prone = model.prone
    if prone is None:
        prone = helpless or combatant.pinned
    if model.engaged and prone:
        name = decision.fighter(model.fighter).name
        raise records.SituationContradicts(
            said=f"{name} Standing and Engaged",
            against=f"{name} Prone ('prone: false' if this fighter stands again)",
        )
    if model.prone is False and combatant.pinned:
        decision.emit(records.FighterUnpinned(fighter=model.fighter))
    if model.prone and not (combatant.pinned or helpless):
        decision.emit(records.FighterPinned(fighter=model.fighter))


def _contradictions(
    command: records.Shoot, arm: WeaponInUse, *, template: bool, blast: bool
) -> Iterator[tuple[str, str]]:
    """Pairs of statements that exclude each other."""
    no_target, area = command.target is None, blast or template
    if command.point and not no_target:
        yield "a target", "'point: true'"
    if command.point and not blast:
        yield "'point: true'", f"{arm.shown}, which has no Blast trait"
    if command.point and (not command.closest or command.nearer):
        yield "target priority", "a point"
    if no_target and (command.cover != "none" or command.engaged or command.prone is not None):
        yield "cover, engaged or prone of a target", "a shot at no fighter"
    if template and not no_target:
        yield "a target", f"{arm.shown}, which is a Template"
    if template and command.range_band is not None:
        yield "a range", f"{arm.shown}, which is a Template"
    if template and (command.modifiers or command.using):
        yield "hit modifiers", "a Template"
    if command.under_template and not template:
        yield "'under_template'", f"{arm.shown}, no Template"
    if (command.under_marker or command.under_misfire) and not blast:
        yield "'under_marker'", f"{arm.shown}, which has no Blast trait"
    if command.under_scatter is not None and not blast:
        yield "'under_scatter'", f"{arm.shown}, which has no Blast trait"
    if command.under_scatter is not None and command.off_the_table:
        yield "'under_scatter'", "a marker that leaves the table"
    if command.at_risk and blast:
        yield "'at_risk'", "a Blast, which scatters when it misses"
    if command.at_risk and template:
        yield "'at_risk'", "a Template, which never misses"
    if command.hits_on and (area or not arm.has(rules.RAPID_FIRE)):
        yield "'hits_on'", f"{arm.shown}, which is no Rapid Fire weapon"
    if command.also is not None and area:
        yield "'also'", f"{arm.shown}, which has no target model of its own"
    if command.unseen != "no" and not area:
        yield "'unseen'", f"{arm.shown}, neither Blast nor Template"
    if command.engaged and command.prone is True:
        yield "'engaged: true'", "'prone: true'"
    if command.in_sight and command.unseen != "no":
        yield "'in_sight: true'", f"'unseen: {command.unseen}'"
    if command.stopped_after is not None and not blast:
        yield "'stopped_after'", f"{arm.shown}, which has no Blast trait"
    if command.stopped_after is not None and command.off_the_table:
        yield "'stopped_after'", "a marker that leaves the table"
    never_shielded = (*command.at_risk, *command.hits_on)
    if never_shielded and any(model.shielded for model in never_shielded):
        yield "'shielded: true'", "a model under no marker and no template"
    if blast and any(model.shielded and model.fighter == command.target for model in command.under_marker):
        yield "'shielded: true'", "the target, on which the marker's centre lies"
    if command.using and len(set(command.using)) < len(command.using):
        yield "a skill used", "the same skill used twice"


def _check_off_the_table(decision: Decision, command: records.Shoot, *, blast: bool) -> None:
    if not command.off_the_table:
        return
    if not rules.removed_off_the_table(decision.rulebook):
        what = "'off_the_table': leave it out and list who lies under the marker"
        raise records.NotInRulebook(book=decision.rulebook.book.title, what=what)
    if not blast:
        raise records.SituationContradicts(
            said="'off_the_table: true'", against="a weapon without the Blast trait"
        )
    if command.under_marker:
        raise records.SituationContradicts(said="'under_marker'", against="a marker that leaves the table")


def _check_ranges(command: records.Shoot, arms: Sequence[WeaponInUse], *, template: bool) -> None:
    if template:
        return
    bands = (command.range_band, *((command.also.range_band,) if command.also is not None else ()))
    for arm, band in zip(arms, bands, strict=True):
        if band is None:
            raise records.RangeNotStated(weapon=arm.shown)
        if band == "short" and arm.profile.range_short_inches is None:
            raise records.SituationContradicts(said="Short range", against=f"{arm.shown}, which has none")


def _check_firepower_dice(command: records.Shoot, arms: Sequence[WeaponInUse]) -> None:
    dice = (command.firepower_dice, *((command.also.firepower_dice,) if command.also is not None else ()))
    for arm, asked in zip(arms, dice, strict=True):
        allowed = rules.firepower_dice_allowed(arm.profile.traits)
        if not 1 <= asked <= allowed:
            raise records.TooManyFirepowerDice(weapon=arm.shown, asked=asked, allowed=allowed)
