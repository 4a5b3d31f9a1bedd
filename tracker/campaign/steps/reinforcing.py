"""Reinforcing: what a warband gives up for its Reinforcements, and what vanishes when it has bought.

Source: Trench Crusade (1.6) · Campaign · Reinforcements.
"""

from __future__ import annotations

from tracker.campaign.holdings import stash_of
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.ledger import hand_over, pay

REINFORCED = "reinforcements"


def end_reinforcements(decision: Decision, gang: str, *, cause: int = 0) -> None:
    """What a warband that reinforces has left of it vanishes, as it goes on to another step or battle."""
    after = decision.state.after_battle.get(gang)
    sequence = decision.rulebook.book.post_battle_rules
    if after is None or sequence is None or REINFORCED not in after.done:
        return
    if after.step == sequence.at.get("reinforcements"):
        give_up(decision, gang, why="left over of Reinforcements", cause=cause)


def give_up(decision: Decision, gang: str, *, why: str, cause: int) -> None:
    """All ducats and everything unassigned are gone."""
    card = decision.gang(gang)
    for item in card.stash:
        hand_over(decision, item, stash_of(gang), "@lost", why=why, section="reinforcements", cause=cause)
    if card.credits > 0:
        pay(decision, gang, card.credits, "@lost", why=why, section="reinforcements", cause=cause)
