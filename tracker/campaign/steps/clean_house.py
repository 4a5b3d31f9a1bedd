"""Clean house: the gear of the dead goes to the stash, or is lost if nobody could save it.

Source: Core Rulebook (2023) · The Post-battle Sequence · 6. Update Roster.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.gangs import gear_of_the_dead
from tracker.campaign.steps.ledger import things_of
from tracker.campaign.steps.post_battle_sequence import advance_to, died_at_doctor, remained_on_field


@handles(records.CleanHouse)
def clean_house(decision: Decision, command: records.CleanHouse) -> None:
    """The gear of the dead goes to the stash or is lost. A vehicle that they drove goes to the stash.

    Gear is lost if none of the gang remained on the field and nobody took the fighter to the Doc (G-19).
    """
    decision.refuse_during_battle()
    gang = decision.gang(command.gang)
    if command.reason is None:
        advance_to(decision, command.gang, "clean_house")
    for fighter in gang.fighters.values():
        drives = any(vehicle.crew == fighter.fighter for vehicle in gang.vehicles.values())
        if fighter.standing != "dead" or not (things_of(fighter) or drives):
            continue
        saved = command.saved
        if saved is None:
            stayed = remained_on_field(decision, command.gang)
            saved = stayed is not False or died_at_doctor(decision, fighter.fighter)
        gear_of_the_dead(decision, fighter.fighter, saved=saved)
