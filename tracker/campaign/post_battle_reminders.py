"""Reminders: whose fate a gang left open when its next battle began, and a battle that is still under way.

Knows the state after and what was asked. Refuses nothing: the rules let the battle be played.
Source: Core Rulebook (2023) · The Post-battle Sequence · 1. The Wrap-up; 5. Post-battle Actions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.rules.post_battle_tables import PostBattleRules


def under_way(state: CampaignState) -> Iterator[str]:
    """How a battle that a roll back left under way comes to its end."""
    if state.under_way is not None:
        yield (
            f"Battle {state.under_way.battle} is under way. 'arbitrator battle continue FILE' goes on with"
            " it, 'arbitrator battle close' ends it."
        )


def unsettled(
    commands: Iterable[records.Command], state: CampaignState, rules: PostBattleRules | None
) -> Iterator[str]:
    """What has to be said of the Critically Injured and the Captured of gangs whose next battle opened."""
    for command in commands:
        if not isinstance(command, records.OpenBattle) or rules is None:
            continue
        for gang, crew in command.crews.items():
            for fighter in state.gangs[gang].enlisted.values():
                if fighter.fighter in crew:
                    continue
                if fighter.critical and rules.doctor is not None:
                    yield (
                        f"{fighter.name} was still Critically Injured when this battle opened, and who nobody"
                        " escorted to the Doc dies: say so with 'end_actions' in the next post-battle file."
                    )
                if fighter.capture_pending and rules.escape is not None:
                    yield (
                        f"{fighter.name} was still Captured without an escape roll when this battle opened:"
                        " make it with 'escape' and 'late' in the next post-battle file."
                    )
