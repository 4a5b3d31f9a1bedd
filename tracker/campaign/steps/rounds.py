"""The end of a round: conditions for the round end, and what works once a round is available again."""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import area_markers
from tracker.campaign.steps.conditions import end
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.rules.necromunda.rules_in_force import FIGHTS_AND_ROUNDS


@handles(records.EndRound)
def end_round(decision: Decision, command: records.EndRound) -> None:
    """End the conditions that last for the round; what works once a round is available again.

    Source: Core Rulebook (2023) · Weapon Traits · Concussion; Disarm.
    """
    battle = decision.battle("the end of a round")
    for model in (*battle.combatants, *battle.vehicles):
        end(decision, model, "concussed")
    for fighter in battle.combatants:
        end(decision, fighter, "disarmed")
    if decision.plays_by(FIGHTS_AND_ROUNDS):
        decision.emit(records.RoundEnded(round=command.round))
        area_markers.end_with_the_round(decision)
