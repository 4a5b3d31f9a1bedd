"""Thrown Clear: the fate of fighters aboard a vehicle that is wrecked."""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import characteristic_tests as tests
from tracker.campaign.steps.conditions import initiative_needed
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.falls import suffer_hit_of_fall
from tracker.campaign.steps.harm import Harm
from tracker.rules.necromunda import falls
from tracker.rules.necromunda import vehicles as rules


@handles(records.ThrowClear)
def throw_clear(decision: Decision, command: records.ThrowClear) -> None:
    """A fighter aboard a wreck: an Initiative test, else Pinned and a hit as for a fall.

    The hit has +1 Strength, AP and Damage if the vehicle was Mobile. Source: Core Rulebook (2023) · Vehicles
    · Thrown Clear; Archived rules · Thrown Clear.
    """
    card = decision.vehicle(command.vehicle)
    battle = decision.battle("being thrown clear")
    wrecked = battle.vehicles.get(command.vehicle)
    fighter = decision.fighter(command.fighter)
    if wrecked is None:
        raise records.VehicleNotInBattle(vehicle=card.name, battle=battle.battle)
    if not wrecked.wrecked:
        raise records.VehicleNotWrecked(vehicle=card.name)
    if command.fighter == card.crew:
        raise records.CrewIsNotThrownClear(fighter=fighter.name, vehicle=card.name)
    combatant = decision.combatant(command.fighter, what="being thrown clear")
    if command.mobile is not None and command.mobile != wrecked.mobile:
        words = {True: "Mobile", False: "Stationary"}
        known = f"it was {words[wrecked.mobile]} when it was wrecked"
        raise records.MobileAndNot(vehicle=card.name, said=words[command.mobile], known=known)
    initiative = initiative_needed(decision, command.fighter)
    die = decision.tray.d6(
        "thrown_clear", why=f"Initiative test, thrown clear, {initiative}+", fighter=command.fighter
    )
    lands_well, rolled = tests.take_initiative(
        decision, die, command.fighter, section="thrown_clear", outcomes=("lands well", "lands badly")
    )
    if lands_well:
        return
    if not combatant.seriously_injured:
        decision.emit(records.FighterPinned(fighter=command.fighter), cause=rolled)
    fall = falls.fall_hit(command.height_hundredths, rulebook=decision.rulebook)
    band = rules.thrown_clear_hit(fall, mobile=wrecked.mobile, rules=decision.rulebook.book.vehicles)
    if band is None:
        why = f'thrown clear from less than {decision.rulebook.book.lowest_fall_inches}" does no harm'
        decision.note_rule(command.fighter, why, section="falling", cause=rolled)
        return
    harm = Harm(target=command.fighter, grudge_against=command.grudge_against, keeps=command.keeps)
    suffer_hit_of_fall(decision, harm, band, how="thrown_clear", save_with=command.save_with)
