"""Updating the roster: the dead are parted with, and at the end the rating is worked out anew.

Source: Core Rulebook (2023) · The Post-battle Sequence · 6. Update Roster.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.state import Gang
from tracker.campaign.steps.advancement import must_roll, next_in_line
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.gangs import gear_of_the_dead
from tracker.campaign.steps.ledger import record_rating, things_of
from tracker.campaign.steps.post_battle_sequence import advance_to, died_at_doctor, remained_on_field


@handles(records.CleanHouse)
def clean_house(decision: Decision, command: records.CleanHouse) -> None:
    """What the dead carried goes to the stash or is lost; a vehicle they drove stands in the stash.

    Lost is what nobody could save: none of the gang remained on the field, and nobody took the fighter to the
    Doc (G-19).
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


@handles(records.RecordRating)
def compute_rating(decision: Decision, command: records.RecordRating) -> None:
    """The rating is worked out anew, once every Ganger has rolled; until then rules read the old one.

    A gang that has lost its Leader names the next one first.
    """
    decision.refuse_during_battle()
    gang = decision.gang(command.gang)
    if command.reason is None:
        rolls = decision.rulebook.book.advancement_rules is not None
        waiting = tuple(
            fighter.name
            for fighter in gang.enlisted.values()
            if rolls and must_roll(decision, fighter.fighter)
        )
        if waiting:
            raise records.RollsLeft(
                gang=gang.name, fighters=waiting, section=decision.rulebook.section("ganger_advancements")
            )
        if command.reading > 1:
            _refuse_leaderless(decision, gang)
        advance_to(decision, command.gang, "gang_rating")
    record_rating(decision, command.gang, section="gang_rating")


def _refuse_leaderless(decision: Decision, gang: Gang) -> None:
    """Raises LeaderLost where the Leader is dead or gone and there is somebody who could lead."""
    if any(fighter.category == "leader" for fighter in gang.enlisted.values()):
        return
    line = next_in_line(decision, gang) if gang.members.tally.categories.get("leader") else ()
    if line:
        leaders = [fighter for fighter in gang.fighters.values() if fighter.category == "leader"]
        raise records.LeaderLost(
            gang=gang.name,
            leader=leaders[-1].name,
            candidates=tuple(fighter.name for fighter in line),
            section=decision.rulebook.section("death_of_leader"),
        )
