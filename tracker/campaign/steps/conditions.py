"""Conditions: how a fighter or vehicle gains and loses one, and what each changes in other rules.

Weapons, skills and stated conditions call the same functions: `set_on_fire`, `gain`, `end`. The activations
of burning and insane models: `blaze.py`, `insanity.py`. Source: Core Rulebook (2023) · Conditions.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.state import Combatant, CombatVehicle
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.rules.necromunda.rules_in_force import REST_OF_THE_BOOK


def gain(
    decision: Decision,
    model: str,
    condition: records.ConditionName,
    *,
    by: str | None = None,
    why: str | None = None,
    cause: int = 0,
) -> int:
    """Put a model in a condition. Changes nothing if it is in it already, or out of play.

    Returns the place of the event, or `cause` if there is none.
    """
    now = condition_of(decision, model)
    if now is None or getattr(now, condition, True):
        return cause
    gained = records.ConditionGained(
        fighter=model, condition=condition, by=by, why=why, section=decision.rulebook.section("conditions")
    )
    return decision.emit(gained, cause=cause)


def end(
    decision: Decision,
    model: str,
    condition: records.ConditionName,
    *,
    why: str | None = None,
    cause: int = 0,
) -> int:
    """Take a model out of a condition. Changes nothing if it is not in it. Returns a place, as `gain`."""
    if not getattr(condition_of(decision, model), condition, False):
        return cause
    ended = records.ConditionEnded(
        fighter=model, condition=condition, why=why, section=decision.rulebook.section("conditions")
    )
    return decision.emit(ended, cause=cause)


def set_on_fire(decision: Decision, model: str, *, by: str | None = None) -> None:
    """Roll whether a model hit by a flame catches fire: easier for the Gunked, not for a burning one.

    Source: Core Rulebook (2023) · Weapon Traits · Blaze; Conditions · Gunked.
    """
    now = condition_of(decision, model)
    if now is None or now.blaze:
        return
    needs = catches_fire_on(decision, model)
    die = decision.tray.d6("catch_fire", why=f"Blaze, catches fire on {needs}+", fighter=model)
    burns = die.face >= needs
    rolled = decision.roll(
        die,
        outcome="catches fire" if burns else "does not catch fire",
        section="conditions",
        rolled_by=decision.fighter(by).gang if by is not None else None,
        target=needs,
        passed=burns,
    )
    if burns:
        gain(decision, model, "blaze", by=by, cause=rolled)


def catches_fire_on(decision: Decision, model: str) -> int:
    """The lowest D6 that sets a model on fire: lower for the Gunked.

    Source: Core Rulebook (2023) · Weapon Traits · Blaze; Conditions · Gunked.
    """
    now, numbers = condition_of(decision, model), decision.rulebook.book.conditions.blaze
    gunked = isinstance(now, Combatant) and now.gunked
    return numbers.gunked_catches_from if gunked else numbers.catches_from


def condition_of(decision: Decision, model: str) -> Combatant | CombatVehicle | None:
    """The condition of a fighter or vehicle; None for one that is not, or no longer, in the battle."""
    battle = decision.battle("a condition")
    vehicle = battle.vehicles.get(model)
    if vehicle is not None:
        return None if vehicle.wrecked else vehicle
    fighter = battle.combatants.get(model)
    return None if fighter is None or fighter.out_of_action or fighter.fled else fighter


# --- what conditions do to other rules -------------------------------------------------------------------


def initiative_needed(decision: Decision, fighter: str) -> int:
    """The target number of an Initiative test: worse for the Concussed and the Gunked.

    Source: Core Rulebook (2023) · Weapon Traits · Concussion; Conditions · Gunked.
    """
    printed = decision.fighter(fighter).characteristics["initiative"]
    battle = decision.state.under_way
    now = battle.combatants.get(fighter) if battle is not None else None
    if now is None or not (now.concussed or now.gunked):
        return printed
    numbers = decision.rulebook.book.conditions
    worse = printed
    if now.concussed:
        worse += numbers.concussed.initiative
    if now.gunked:
        worse += numbers.gunked.initiative
    return max(printed, min(worse, numbers.initiative_worst))


def sits_in_saddle(decision: Decision, fighter: str) -> bool:
    """Whether a ranged hit calls for a test in the saddle instead of pinning; notes it.

    In a battle recorded before mounts counted the hit pins (ADR 29). Source: Core Rulebook (2023) ·
    Conditions · Mounted.
    """
    if decision.battle("a hit").whole_book is None or not decision.fighter(fighter).mounted:
        return False
    why = "Mounted: an Initiative test instead of being Pinned, told as 'saddle'"
    decision.note_rule(fighter, why, section="conditions")
    return True


def refuse_attack(decision: Decision, attacker: str, *, reaction: bool) -> Combatant:
    """The attacker's condition. Refuses all but Reaction attacks of the Blind, and Reaction attacks of the
    burning.

    Source: Core Rulebook (2023) · Conditions · Blind; Blaze.
    """
    now = decision.combatant(attacker, what="an attack")
    if now.blind and not reaction:
        raise records.BlindMayNotAttack(fighter=decision.fighter(attacker).name)
    if now.blaze and reaction:
        raise records.BurningMayNotReact(fighter=decision.fighter(attacker).name)
    return now


def lies_helpless(decision: Decision, now: Combatant) -> bool:
    """Whether a fighter is Seriously Injured, or Webbed, which counts as that from REST_OF_THE_BOOK on (ADR
    29).

    Source: Core Rulebook (2023) · Conditions · Webbed.
    """
    return now.seriously_injured or (now.webbed and decision.plays_by(REST_OF_THE_BOOK))


def hits_on_sixes_only(decision: Decision, attacker: str) -> bool:
    """Whether hit rolls of the attacker succeed on a natural 6 alone.

    Source: Core Rulebook (2023) · Conditions · Blind.
    """
    return decision.combatant(attacker, what="an attack").blind


# --- what the table states -------------------------------------------------------------------------------


@handles(records.StateCondition)
def state_condition(decision: Decision, command: records.StateCondition) -> None:
    """A condition begins or ends as stated. A fighter freed from a web is Prone and Pinned, as by a Recovery
    test.

    Source: Core Rulebook (2023) · Conditions · Webbed.
    """
    model, name = _stated_model(decision, command)
    called = records.condition_called(command.condition)
    if command.by is not None:
        decision.fighter(command.by)
    now = condition_of(decision, model)
    is_vehicle = isinstance(now, CombatVehicle)
    if is_vehicle and command.condition not in records.OF_VEHICLES:
        raise records.NoConditionOfIt(model=name, condition=called, why="it is a vehicle")
    holds = bool(getattr(now, command.condition))
    if command.ends:
        if not holds:
            raise records.NotInCondition(model=name, condition=called, key=command.condition)
        if command.condition == "webbed":
            decision.emit(records.WebShed(fighter=model))
        else:
            end(decision, model, command.condition, why=command.why)
        return
    if holds:
        raise records.InConditionAlready(model=name, condition=called)
    if command.condition == "hidden" and now is not None and now.blaze:
        raise records.NoConditionOfIt(model=name, condition=called, why="nobody on fire is Hidden")
    if command.condition == "webbed":
        decision.emit(records.FighterWebbed(fighter=model, by=command.by))
    else:
        gain(decision, model, command.condition, by=command.by, why=command.why)


@handles(records.RollToCatchFire)
def roll_to_catch_fire(decision: Decision, command: records.RollToCatchFire) -> None:
    """Roll for a flame that no recorded attack brought, as after an attack with Blaze."""
    model, name = _stated_model(decision, command)
    if command.by is not None:
        decision.fighter(command.by)
    now = condition_of(decision, model)
    if now is not None and now.blaze:
        raise records.InConditionAlready(model=name, condition=records.condition_called("blaze"))
    set_on_fire(decision, model, by=command.by)


def _stated_model(
    decision: Decision, command: records.StateCondition | records.RollToCatchFire
) -> tuple[str, str]:
    if command.vehicle is not None:
        decision.combat_vehicle(command.vehicle, what="a condition")
        return command.vehicle, decision.vehicle(command.vehicle).name
    fighter = command.fighter or ""
    decision.combatant(fighter, what="a condition")
    return fighter, decision.fighter(fighter).name
