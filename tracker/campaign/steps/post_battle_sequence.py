"""The post-battle sequence: how far a gang has come, who may act in it, and what ends with a step.

Knows the order of the steps, from the book, and nothing of what is done in them. Source: Core Rulebook (2023)
· The Post-battle Sequence.
"""

from __future__ import annotations

from typing import TypeVar

from tracker.campaign import records
from tracker.campaign.after_battle import AfterBattle
from tracker.campaign.fighters import Fighter
from tracker.campaign.state import CampaignState
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.ledger import end_reinforcements
from tracker.rules.rulebook import BookHasNo, Rulebook

ACTIONS_DONE = "actions"
TOOK_PART = "took_part"
Part = TypeVar("Part")


def after_battle(decision: Decision, gang: str, *, what: str) -> AfterBattle:
    """The gang's sequence. Raises NoSequenceOpen before its first battle and during the next."""
    card = decision.gang(gang)
    decision.refuse_during_battle()
    sequence = decision.state.after_battle.get(gang)
    if sequence is None:
        raise records.NoSequenceOpen(gang=card.name, what=what)
    return sequence


def advance_to(decision: Decision, gang: str, activity: str, *, required: bool = False) -> int:
    """Bring a gang to the step of an activity. Returns the place of an event to name as cause.

    Raises StepOutOfOrder if the gang has passed it. Only a `required` activity needs a sequence at all.
    Leaving the step of actions ends the actions: the Critically Injured without an escort die.
    """
    after = decision.state.after_battle.get(gang)
    if after is None or decision.state.under_way is not None:
        if not required:
            return 0
        after = after_battle(decision, gang, what=activity.replace("_", " "))
    rules = decision.rulebook.book.post_battle_rules
    if rules is None or activity not in rules.at:
        if required:
            raise BookHasNo(book=decision.rulebook.book.title, part=f"{activity} in a post-battle sequence")
        return 0
    step = rules.step_of(activity)
    if after.step == step.step or after.step in rules.also_at.get(activity, ()):
        return 0
    if after.step is not None and rules.place_of(after.step) > rules.place_of(step.step):
        reached = rules.steps[rules.place_of(after.step)]
        raise records.StepOutOfOrder(
            gang=decision.gang(gang).name,
            step=step.name,
            reached=reached.name,
            section=decision.rulebook.section(step.section),
        )
    end_reinforcements(decision, gang)
    place_of_actions = rules.place_of(rules.at["actions"]) if "actions" in rules.at else None
    if place_of_actions is not None and rules.place_of(step.step) > place_of_actions:
        end_actions(decision, gang)
    return decision.emit(
        records.StepReached(
            gang=gang, step=step.step, name=step.name, section=decision.rulebook.section(step.section)
        )
    )


def end_actions(decision: Decision, gang: str, *, cause: int = 0) -> None:
    """End the gang's actions: the Critically Injured without an escort die."""
    if ACTIONS_DONE in decision.state.after_battle[gang].done:
        return
    ended = decision.emit(records.PostBattleDone(gang=gang, what=ACTIONS_DONE), cause=cause)
    section = decision.rulebook.section("post_battle_actions")
    for fighter in decision.gang(gang).enlisted.values():
        if fighter.critical:
            treated = decision.emit(
                records.CriticalTreated(
                    fighter=fighter.fighter,
                    outcome="not_escorted",
                    name="nobody escorted them to the Doc",
                    section=section,
                    taken_to_doctor=False,
                ),
                cause=ended,
            )
            died = records.FighterDied(
                fighter=fighter.fighter, why="Critical Injury, and nobody escorted them to the Doc"
            )
            decision.emit(died, cause=treated)


def note_done_once(decision: Decision, gang: str, key: str, *, what: str, cause: int = 0) -> int:
    """Note something that a gang may do once in a sequence. Raises OncePerSequence."""
    if key in decision.state.after_battle[gang].done:
        raise records.OncePerSequence(gang=decision.gang(gang).name, what=what)
    return decision.emit(records.PostBattleDone(gang=gang, what=key), cause=cause)


def advance_once(decision: Decision, gang: str, activity: str, *, what: str) -> int:
    """Bring a gang to the step of an activity that it may do once. Returns the place of an event to name as
    cause.

    Raises StepOutOfOrder or OncePerSequence.
    """
    reached = advance_to(decision, gang, activity, required=True)
    return note_done_once(decision, gang, activity, what=what, cause=reached)


def take_action(decision: Decision, by: str, action: str) -> int:
    """Use a fighter's one post-battle action. Refuses a fighter who may not act, or has acted."""
    rules = decision.rulebook.book.post_battle
    fighter = decision.fighter(by)
    if action not in rules.actions:
        raise BookHasNo(book=decision.rulebook.book.title, part=f"post-battle action '{action}'")
    after = after_battle(decision, fighter.gang, what=rules.actions[action])
    section = decision.rulebook.section("post_battle_actions")
    if fighter.standing != "enlisted":
        raise records.FighterGone(fighter=fighter.name, standing=fighter.standing)
    why = why_cannot_act(fighter, rules.hierarchy, decision.rulebook)
    if why is not None:
        raise records.CannotAct(fighter=fighter.name, why=why, action=rules.actions[action], section=section)
    second = by in after.acted
    if second and not _trades_once_more(fighter, after, action):
        taken = rules.actions[after.acted[by]]
        raise records.ActionTakenAlready(fighter=fighter.name, taken=taken, section=section)
    reached = advance_to(decision, fighter.gang, "actions", required=True)
    if second:
        what = f"{fighter.name}'s second Trade action"
        reached = note_done_once(decision, fighter.gang, _second_trade(by), what=what, cause=reached)
    if ACTIONS_DONE in after.done:
        raise records.OncePerSequence(
            gang=decision.gang(fighter.gang).name, what="the step of post-battle actions"
        )
    return decision.emit(
        records.PostBattleActionTaken(
            fighter=by, gang=fighter.gang, action=action, name=rules.actions[action], section=section
        ),
        cause=reached,
    )


def may_trade_again(fighter: Fighter, after: AfterBattle) -> bool:
    """Whether a Connected fighter still has the second Trade."""
    return _second_trade(fighter.fighter) not in after.done


def _trades_once_more(fighter: Fighter, after: AfterBattle, action: str) -> bool:
    """Whether a skill allows a second action: one of the two is a Trade, in either order.

    Source: Core Rulebook (2023) · Skills · Connected.
    """
    may = fighter.has_skill("connected") and may_trade_again(fighter, after)
    return may and "trade" in (action, after.acted[fighter.fighter])


def _second_trade(fighter: str) -> str:
    return f"second_trade:{fighter}"


def why_cannot_act(fighter: Fighter, hierarchy: tuple[str, ...], rulebook: Rulebook) -> str | None:
    """The reason why a fighter takes no post-battle action, or None. An empty `hierarchy` allows every
    rank.
    """
    if fighter.standing != "enlisted":
        return f"{fighter.standing}"
    if hierarchy and fighter.category not in hierarchy:
        return f"a {fighter.category.replace('_', ' ')}, without Gang Hierarchy"
    if fighter.held_by is not None:
        return "a captive"
    if fighter.capture_pending:
        return "Captured, until the escape roll says otherwise"
    if fighter.critical and rulebook.knob("post_battle_actions.critically_injured") == "barred":
        return "Critically Injured"
    if fighter.recovering_since is not None:
        return "in Recovery"
    if fighter.convalescing:
        return "Convalescent"
    return None


def died_at_doctor(decision: Decision, fighter: str) -> bool:
    """Whether a dead fighter was taken to the Doc in this sequence, paid for or not (G-19)."""
    dead = decision.fighter(fighter)
    after = decision.state.after_battle.get(dead.gang)
    return dead.standing == "dead" and after is not None and fighter in after.escorted


def remained_on_field(decision: Decision, gang: str) -> bool | None:
    """Whether a fighter of the gang was on the field when its battle ended; None without a battle."""
    after = decision.state.after_battle.get(gang)
    return bool(after.remained.get(gang)) if after is not None else None


def require_in_book(decision: Decision, part: Part | None, name: str) -> Part:
    """A part of the book's sequence. Raises BookHasNo where the book has none."""
    if part is None:
        raise BookHasNo(book=decision.rulebook.book.title, part=name)
    return part


# --- an Arbitrator's reason ---------------------------------------------------------------------------


def advance_unless_overridden(decision: Decision, gang: str, activity: str, reason: str | None) -> None:
    """Bring a gang to the step of an activity, unless the Arbitrator gave a reason to leave the order."""
    if reason is None:
        advance_to(decision, gang, activity)


def with_reason(what: str, reason: str | None) -> str:
    """A description with the Arbitrator's reason appended."""
    return what if reason is None else f"{what}: {reason}"


# --- which battle governs a command -------------------------------------------------------------------


def battle_followed(state: CampaignState, command: records.Command) -> int | None:
    """The number of the battle whose sequence, and policies, a command belongs to; or None."""
    whose = records.DECLARATIONS[type(command)].whose
    if state.under_way is not None or whose is None:
        return None
    named: str = getattr(command, whose)
    if whose == "gang":
        gang = named
    elif whose == "territory":
        territory = state.territories.get(named)
        gang = (territory.holder or "") if territory is not None else ""
    else:
        gang = state.gang_of.get(named, "")
    after = state.after_battle.get(gang)
    return after.number if after is not None else None
