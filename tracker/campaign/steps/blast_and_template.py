"""Blast and Template: Blast markers and Flame templates, and who takes a hit under them.

Who lies under them is stated as seen at the table. Knows when a marker stays, scatters, is a dud, or misfires
on the shooter. Source: Core Rulebook (2023) · Shooting · Blast Markers; Flame Templates.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign import records
from tracker.campaign.steps import ammo, target_priority
from tracker.campaign.steps.annotations import HowHit
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.ranged_hit import end_of_attack, note_shot, resolve_ranged_hit
from tracker.campaign.steps.vehicle_shooting import misfired_on
from tracker.campaign.steps.weapons import WeaponInUse
from tracker.rules.necromunda import save_roll
from tracker.rules.necromunda import shooting as rules
from tracker.rules.necromunda.shooting import RangeBand


def scatters_unseen(decision: Decision, command: records.Shoot) -> bool:
    """Whether a Blast at a place beyond sight scatters without a hit roll (a house rule)."""
    return command.unseen != "no" and decision.rulebook.knob("blast.unseen") == "scatters"


def fire_blast(
    decision: Decision,
    command: records.Shoot,
    arm: WeaponInUse,
    *,
    band: RangeBand,
    hit: bool,
    natural: int | None,
    cause: int,
) -> records.ShotResult:
    """A Blast after its hit roll: a hit stays, a miss scatters, and Hit with a 1 is a dud or a misfire."""
    power = ammo.firepower(
        decision, command.attacker, arm, dice=command.firepower_dice, cause=cause, helper=command.munitioneer
    )
    result: records.ShotResult
    if hit:
        result, under = "marker_stays", _under_the_marker(decision, command)
    else:
        result, under = _scatter(decision, command, arm, band=band)
    under = _not_shielded(decision, under)
    note_shot(decision, command, arm, result=result, hits=_hits(arm, under))
    _strike_all(decision, command, arm, under, natural=natural, unstable=power.unstable)
    return result


def fire_template(decision: Decision, command: records.Shoot, arm: WeaponInUse) -> None:
    """A Flame template: no range and no hit roll, everybody under it is hit. It rolls a Firepower die."""
    power = ammo.firepower(
        decision, command.attacker, arm, dice=command.firepower_dice, cause=0, helper=command.munitioneer
    )
    under = command.under_template
    if scatters_unseen(decision, command):
        under = tuple(model for model in under if _found_unseen(decision, command, model))
    under = _not_shielded(decision, under)
    note_shot(decision, command, arm, result="template", hits=_hits(arm, under))
    _strike_all(decision, command, arm, under, natural=None, unstable=power.unstable)


def strike_beneath(
    decision: Decision,
    command: records.Shoot,
    arm: WeaponInUse,
    under: tuple[records.ModelThere, ...],
) -> None:
    """Resolve the hits of a marker from an earlier shot on the models it touches."""
    _strike_all(decision, command, arm, _not_shielded(decision, under), natural=None, unstable=False)


def _not_shielded(
    decision: Decision, under: tuple[records.ModelThere, ...]
) -> tuple[records.ModelThere, ...]:
    """The models hit: not those behind solid terrain, seen from the marker's centre or from the attacker.

    Source: Core Rulebook (2023) · Shooting · Blast Markers; Flame Templates.
    """
    for model in under:
        if model.shielded:
            why = "not hit: solid terrain stands between"
            decision.note_rule(model.fighter, why, section="blast")
    return tuple(model for model in under if not model.shielded)


def _hits(arm: WeaponInUse, under: Sequence[records.ModelThere]) -> int:
    return 0 if arm.has(rules.SMOKE) else len(under)


def _under_the_marker(decision: Decision, command: records.Shoot) -> tuple[records.ModelThere, ...]:
    """The models under a marker that stays on its target: at least the target."""
    target = target_priority.target_model(command)
    if target is None:
        return command.under_marker
    if not command.under_marker:
        return (target,)
    if all(model.fighter != command.target for model in command.under_marker):
        name = decision.name_of_model(target.fighter)
        raise records.SituationContradicts(
            said=f"'under_marker' without {name}", against=f"a marker that hits {name}"
        )
    return command.under_marker


def _scatter(
    decision: Decision, command: records.Shoot, arm: WeaponInUse, *, band: RangeBand
) -> tuple[records.ShotResult, tuple[records.ModelThere, ...]]:
    tray, attacker = decision.tray, command.attacker
    gang = decision.fighter(attacker).gang
    die = tray.special(
        decision.rulebook.special_die("scatter"),
        "scatter",
        why=f"Scatter die of {arm.shown}",
        fighter=attacker,
    )
    symbol = die.symbol or ""
    way = "the small arrow" if symbol == "hit" else "the arrow"
    cause = decision.roll(die, outcome=f"scatters along {way}", section="blast", rolled_by=gang)
    far = scatters_unseen(decision, command) and command.unseen == "darkness" and band != "short"
    if far:
        die = tray.two_d6("scatter_distance_far", why="inches the marker scatters", fighter=attacker)
    else:
        die = tray.d6("scatter_distance", why="inches the marker scatters", fighter=attacker)
    inches = die.total
    wrong = rules.misfires(scatter=symbol, distance=inches)
    outcome = "something goes wrong" if wrong else f'scatters {inches}"'
    cause = decision.roll(die, outcome=outcome, section="blast", rolled_by=gang, cause=cause)
    if not wrong and command.stopped_after is not None:
        _note_stopped(decision, command, command.stopped_after, inches, cause=cause)
    if not wrong and command.off_the_table:
        return "marker_removed", ()
    if not wrong:
        scattered = command.under_scatter
        return "marker_scatters", command.under_marker if scattered is None else scattered
    die = tray.d6("misfire", why="a dud on 2 to 6, a misfire on 1", fighter=attacker)
    misfire = die.face == rules.MISFIRE_ON
    decision.roll(
        die,
        outcome="misfire, on the shooter's own head" if misfire else "a dud",
        section="blast",
        rolled_by=gang,
        cause=cause,
    )
    if not misfire:
        return "dud", ()
    return "misfire", (misfired_on(decision, command), *command.under_misfire)


def _note_stopped(
    decision: Decision, command: records.Shoot, stopped_after: int, inches: int, *, cause: int
) -> None:
    """Note where something solid stops the marker, as stated; the die may show less."""
    why = f'the marker stops after {stopped_after}" of {inches}", at something solid'
    if stopped_after >= inches:
        why = f'the marker is said to stop after {stopped_after}", and scatters {inches}" only'
    decision.note_rule(command.attacker, why, section="blast", cause=cause)


def _found_unseen(decision: Decision, command: records.Shoot, model: records.ModelThere) -> bool:
    needs = rules.UNSEEN_TEMPLATE_NEEDS
    die = decision.tray.d6("unseen_template", why=f"unseen, hit on {needs}+", fighter=model.fighter)
    hit = die.face >= needs
    decision.roll(
        die,
        outcome="hit unseen" if hit else "not found",
        section="templates",
        rolled_by=decision.fighter(command.attacker).gang,
        target=needs,
        passed=hit,
    )
    return hit


def _strike_all(
    decision: Decision,
    command: records.Shoot,
    arm: WeaponInUse,
    under: Sequence[records.ModelThere],
    *,
    natural: int | None,
    unstable: bool,
) -> None:
    """Resolve a hit on every model under it, in the order stated. Smoke alone hits nobody."""
    struck = {model.fighter for model in under}
    if arm.has(rules.SMOKE):
        if under:
            why = f"{arm.shown} is Smoke and hits nobody"
            decision.note_rule(command.attacker, why, section="shooting")
        under = ()
    away: set[str] = set()
    for nth, model in enumerate(under):
        decision.merge_point(
            "beneath", tuple(under[nth:]), tuple(sorted(struck)), tuple(sorted(away)), natural, unstable
        )
        bonus = save_roll.save_bonus_from_cover(model.cover)
        how: HowHit = "template" if arm.has(rules.TEMPLATE) else "blast"
        hit = resolve_ranged_hit(
            decision,
            command,
            arm,
            model,
            how=how,
            natural=natural,
            save_bonus=bonus,
            band=command.range_band,
        )
        if not hit:
            away.add(model.fighter)
        elif arm.has(rules.TEMPLATE) and model.engaged:
            struck |= _spill(decision, command, arm, model, already=frozenset(struck))
    under = [model for model in under if model.fighter not in away]
    for nth, model in enumerate(under):
        if nth:
            decision.merge_point("after the hits", tuple(under[nth:]), unstable)
        end_of_attack(decision, command, arm, model)
    if unstable:
        ammo.blow_up(decision, command.attacker, arm)


def _spill(
    decision: Decision,
    command: records.Shoot,
    arm: WeaponInUse,
    model: records.ModelThere,
    *,
    already: frozenset[str],
) -> set[str]:
    """Models engaged with an Engaged fighter who was hit are hit on a 4+ (HR-4b). Returns them."""
    if decision.rulebook.knob("templates.spill_to_engaged") == "never":
        return set()
    reached = set()
    for other in model.engaged_with:
        combatant = decision.battle("a shot").combatants[other]
        if other in already or combatant.out_of_action:
            continue
        die = decision.tray.d6(
            "template_spill", why=f"engaged with a fighter hit, {rules.SPILL_NEEDS}+", fighter=other
        )
        hit = die.face >= rules.SPILL_NEEDS
        decision.roll(
            die,
            outcome="hit too" if hit else "not hit",
            section="templates",
            rolled_by=decision.fighter(command.attacker).gang,
            target=rules.SPILL_NEEDS,
            passed=hit,
        )
        if hit:
            reached.add(other)
            beside = records.ModelThere(fighter=other, engaged=True)
            if resolve_ranged_hit(decision, command, arm, beside, how="spill", natural=None, save_bonus=0):
                end_of_attack(decision, command, arm, beside)
    return reached
