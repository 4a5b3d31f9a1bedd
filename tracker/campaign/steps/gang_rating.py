"""Gang Rating: worked out anew at the end of the post-battle sequence. Until then rules read the old one.

Source: Core Rulebook (2023) · The Post-battle Sequence · 6. Update Roster.
"""

from __future__ import annotations

from tracker.campaign import holdings, records
from tracker.campaign.state import Gang
from tracker.campaign.steps.death_of_leader import next_in_line
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.ganger_advancements import must_roll
from tracker.campaign.steps.post_battle_sequence import advance_to


@handles(records.RecordRating)
def compute_rating(decision: Decision, command: records.RecordRating) -> None:
    """Work out the rating anew, once every Ganger has rolled. Until then rules read the old one.

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
    card = decision.gang(command.gang)
    decision.emit(
        records.RatingRecorded(
            gang=command.gang,
            before=card.rating_recorded,
            after=holdings.rating(card),
            wealth=holdings.wealth(card),
            section=decision.rulebook.section("gang_rating"),
        )
    )


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
