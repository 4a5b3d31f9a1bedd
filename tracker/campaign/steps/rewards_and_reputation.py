"""Rewards of the scenario, into the stash; and Reputation gained or lost.

Source: Core Rulebook (2023) · The Post-battle Sequence · 3. Rewards.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import ledger
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.post_battle_sequence import advance_to, after_battle
from tracker.dice import Die
from tracker.rules.necromunda import post_battle as rules


@handles(records.TakeReward)
def take_reward(decision: Decision, command: records.TakeReward) -> None:
    """A reward of dice, multiplied, plus a fixed amount. A house rule may cap the D6 (knob
    rewards.dice_max).
    """
    decision.gang(command.gang)
    after_battle(decision, command.gang, what="a reward")
    if not 0 <= command.dice <= 20 or command.credits_fixed < 0 or not 1 <= command.times <= 100:
        raise records.NoReward(
            what=f"{command.dice}{command.die} x {command.times} and {command.credits_fixed}"
        )
    if not command.dice and not command.credits_fixed:
        raise records.NoReward(what="nothing at all")
    cause = advance_to(decision, command.gang, "rewards", required=True)
    dice = rules.reward_dice(command.dice, decision.rulebook) if command.die == "D6" else command.dice
    total = command.credits_fixed
    for nth in range(1, dice + 1):
        why = command.why if dice == 1 else f"{command.why}, die {nth} of {dice}"
        die = _die(decision, command, why)
        gained = die.face * command.times
        total += gained
        cause = decision.roll(
            die,
            outcome=f"{gained} credits",
            section="rewards",
            rolled_by=command.gang,
            cause=cause,
        )
    ledger.move_credits(
        decision, "@rewards", command.gang, total, why=command.why, section="rewards", cause=cause
    )


def _die(decision: Decision, command: records.TakeReward, why: str) -> Die:
    if command.die == "D3":
        return decision.tray.d3("reward_d3", why=why)
    return decision.tray.d6("reward", why=why)


# --- Reputation ---------------------------------------------------------------------------------------


@handles(records.ChangeReputation)
def change_reputation_stated(decision: Decision, command: records.ChangeReputation) -> None:
    """Reputation that the scenario, a stake or the Arbitrator gives or takes."""
    gang = decision.gang(command.gang)
    if not 1 <= abs(command.by) <= 100:
        raise records.NoReputation(gang=gang.name)
    reached = advance_to(decision, command.gang, "reputation")
    change_reputation(decision, command.gang, command.by, why=command.why, section="rewards", cause=reached)


def change_reputation(
    decision: Decision, gang: str, by: int, *, why: str, section: str, cause: int = 0
) -> int:
    """Move a gang's Reputation. Returns the place of the event.

    The order in which a sequence's gains and losses are recorded makes no difference: gains count before
    losses.
    """
    card = decision.gang(gang)
    floor = decision.rulebook.book.post_battle.reputation_floor
    after = decision.state.after_battle.get(gang)
    before, gained, lost = card.reputation, 0, 0
    if after is not None and after.reputation_before is not None:
        before, gained, lost = after.reputation_before, after.reputation_gained, after.reputation_lost
    total = max(floor, before + gained + max(by, 0) - lost - max(-by, 0))
    return decision.emit(
        records.ReputationChanged(
            gang=gang,
            by=by,
            before=card.reputation,
            after=total,
            why=why,
            section=decision.rulebook.section(section),
        ),
        cause=cause,
    )
