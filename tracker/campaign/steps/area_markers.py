"""Area markers: what a shot leaves on the battlefield, and what happens to it in the End phase.

Where a marker lies and whom it touches is stated. Source: Core Rulebook (2023) · Weapon Traits · Smoke;
Flare; Graviton Pulse; Burrowing.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.state import AreaMarker
from tracker.campaign.steps import ammo, blast_and_template, special_rules
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.ranged_hit import note_shot
from tracker.campaign.steps.target_priority import check_models
from tracker.campaign.steps.weapons import WeaponInUse
from tracker.rules import special_rules as rules
from tracker.rules.necromunda.rules_in_force import RuleInForce


def leave_marker(decision: Decision, command: records.Shoot, arm: WeaponInUse) -> None:
    """Leave the marker of a Blast on the battlefield, if a trait of the weapon says so."""
    rule = special_rules.marker_rule(decision, arm.profile.traits, command.attacker, strikes=False)
    if rule is not None:
        _leave(decision, command, arm, rule)


def _leave(decision: Decision, command: records.Shoot, arm: WeaponInUse, rule: RuleInForce) -> None:
    effect = rule.declared.then
    strikes = isinstance(effect, rules.MarkerGoes) and effect.strikes
    left = records.MarkerLeft(
        marker=decision.battle("a marker").markers_left + 1,
        trait=rule.rule,
        name=rule.name,
        by=command.attacker,
        weapon=arm.name,
        profile=arm.profile if strikes else None,
    )
    decision.emit(left)


# --- Burrowing -------------------------------------------------------------------------------------------


def burrow(decision: Decision, command: records.Shoot, arm: WeaponInUse) -> None:
    """A Burrowing shot has no hit roll: its marker moves 2D6 inches by the Scatter die, or stays on a Hit.

    Off the table it is lost. Source: Core Rulebook (2023) · Weapon Traits · Burrowing.
    """
    gang = decision.fighter(command.attacker).gang
    power = ammo.firepower(
        decision, command.attacker, arm, dice=command.firepower_dice, cause=0, helper=command.munitioneer
    )
    die = decision.tray.special(
        decision.rulebook.special_die("scatter"),
        "scatter",
        why=f"Scatter die of {arm.shown}",
        fighter=command.attacker,
    )
    stays = die.symbol == "hit"
    outcome = "the marker stays" if stays else "moves along the arrow"
    cause = decision.roll(die, outcome=outcome, section="weapon_traits", rolled_by=gang)
    if not stays:
        die = decision.tray.two_d6(
            "burrowing_distance", why="inches that the marker moves", fighter=command.attacker
        )
        outcome = f'moves {die.total}"'
        cause = decision.roll(die, outcome=outcome, section="weapon_traits", rolled_by=gang, cause=cause)
    lost = command.off_the_table and not stays
    result: records.ShotResult = "marker_removed" if lost else "burrows"
    note_shot(decision, command, arm, result=result, hits=0, cause=cause)
    rule = special_rules.marker_rule(decision, arm.profile.traits, command.attacker, strikes=True)
    if rule is not None and not lost:
        _leave(decision, command, arm, rule)
    if power.unstable:
        ammo.blow_up(decision, command.attacker, arm)


# --- the End phase ---------------------------------------------------------------------------------------


@handles(records.EndPhaseOfMarker)
def end_phase_of_marker(decision: Decision, command: records.EndPhaseOfMarker) -> None:
    """Roll for a marker, or resolve the hits of a hidden one; before the first step of the End phase."""
    battle = decision.battle("the End phase")
    marker = next((known for known in battle.markers if known.marker == command.marker), None)
    if marker is None:
        known = tuple(f"{one.marker} ({one.weapon})" for one in battle.markers)
        raise records.NoSuchMarker(marker=command.marker, known=known)
    rule = _rule_of(decision, marker)
    effect = rule.declared.then
    strikes = isinstance(effect, rules.MarkerGoes) and effect.strikes
    if command.under and not strikes:
        raise records.MarkerTouchesNobody(weapon=marker.weapon)
    gone = records.MarkerGone(marker=marker.marker, name=rule.name)
    roll, cause = rule.declared.roll, 0
    if roll is not None:
        assert isinstance(roll.needs, int), "a marker has no characteristics"
        die = decision.tray.d6(roll.purpose, why=f"{rule.name} in the End phase, {_needs(rule)}")
        passed = die.face >= roll.needs
        goes = passed != rule.declared.on_failure
        cause = decision.roll(
            die,
            outcome=f"{rule.name}: {'the marker goes' if goes else 'the marker stays'}",
            section=special_rules.section_of(rule),
            rolled_by=None,
            target=roll.needs,
            passed=passed,
        )
        if not goes:
            return
    decision.emit(gone, cause=cause)
    if strikes:
        _strike(decision, command, marker)


def _needs(rule: RuleInForce) -> str:
    roll = rule.declared.roll
    assert roll is not None, "it has a die"
    assert isinstance(roll.needs, int), "a marker has no characteristics"
    return f"gone on {roll.needs - 1} or less" if rule.declared.on_failure else f"gone on {roll.needs}+"


def _rule_of(decision: Decision, marker: AreaMarker) -> RuleInForce:
    """The rule by which the marker stays, as it is in force now."""
    acts = special_rules.rules_between(decision, (marker.trait,), marker.by, None)
    found = acts.at("end_phase") if acts is not None else ()
    rule = next((rule for rule in found if rule.rule == marker.trait), None)
    assert rule is not None, "the trait that left the marker acts in this battle"
    return rule


def _strike(decision: Decision, command: records.EndPhaseOfMarker, marker: AreaMarker) -> None:
    """Resolve the hits of a hidden marker, like those of a Blast that stays in place."""
    assert marker.profile is not None, "a marker that strikes keeps the numbers of its weapon"
    arm = WeaponInUse(name=marker.weapon, slot="", profile=marker.profile, several=False, vehicle=None)
    under = tuple(records.ModelThere(fighter=fighter) for fighter in command.under)
    shot = records.Shoot(
        attacker=marker.by,
        weapon=marker.weapon,
        profile=marker.profile,
        point=True,
        under_marker=under,
        activation=command.activation,
    )
    check_models(decision, shot, (arm,))
    blast_and_template.strike_beneath(decision, shot, arm, under)


def end_with_the_round(decision: Decision) -> None:
    """Remove the markers without a die when the round ends."""
    for marker in decision.battle("the end of a round").markers:
        rule = _rule_of(decision, marker)
        effect = rule.declared.then
        strikes = isinstance(effect, rules.MarkerGoes) and effect.strikes
        if rule.declared.roll is None and not strikes:
            decision.emit(records.MarkerGone(marker=marker.marker, name=rule.name))
