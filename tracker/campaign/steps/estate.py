"""Estate: what becomes of the things of who dies, retires or is scrapped.

Source: Core Rulebook (2023) · The Post-battle Sequence · Update Roster · Clean House.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.holdings import on_fighter, stash_of
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.ledger import hand_over, things_of


def gear_of_the_dead(decision: Decision, fighter: str, *, saved: bool, cause: int = 0) -> None:
    """A dead fighter's things: into the stash but for armour where somebody `saved` them, else lost.

    `saved`: a friendly fighter remained on the field, or the fighter died at the Doc (G-19). A vehicle that
    the fighter drove stands in the stash from now on.
    """
    not_kept = decision.rulebook.book.gangs.dead.not_kept
    card = decision.fighter(fighter)
    for item in things_of(card):
        kept = saved and item.kind not in not_kept
        hand_over(
            decision,
            item,
            on_fighter(fighter),
            stash_of(card.gang) if kept else "@lost",
            why=f"{card.name} died",
            section="clean_house",
            cause=cause,
            cost_follows=False,
        )
    leave_vehicle(decision, fighter, why=f"{card.name} died", cause=cause)


def gear_to_stash(decision: Decision, fighter: str, *, cause: int = 0) -> None:
    """Everything that a fighter who retires carries goes into the stash, and a vehicle driven with it."""
    card = decision.fighter(fighter)
    for item in things_of(card):
        hand_over(
            decision,
            item,
            on_fighter(fighter),
            stash_of(card.gang),
            why=f"{card.name} retired",
            section="clean_house",
            cause=cause,
            cost_follows=False,
        )
    leave_vehicle(decision, fighter, why=f"{card.name} retired", cause=cause)


def leave_vehicle(decision: Decision, fighter: str, *, why: str, cause: int = 0) -> None:
    """The vehicle that a fighter drove stands in the stash."""
    for vehicle in decision.gang(decision.fighter(fighter).gang).vehicles.values():
        if vehicle.crew == fighter:
            decision.emit(
                records.VehicleCrewChanged(vehicle=vehicle.vehicle, before=fighter, after=None, why=why),
                cause=cause,
            )
