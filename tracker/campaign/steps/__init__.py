"""Decide: a command and dice in, events or a refusal out.

Does all the refusing. Knows nothing of who asks, what time it is or where events are kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from tracker.campaign import records
from tracker.campaign.state import CampaignState, PolicyInForce
from tracker.campaign.steps import (  # noqa: F401 -- each enters its handlers
    advancement,
    aftermath_skills,
    ammo,
    area_markers,
    battles,
    bionics,
    blaze,
    boons,
    campaigns,
    captives,
    clean_house,
    close_combat,
    commands_in_turn,
    conditions,
    cycles,
    death_of_leader,
    doctor,
    end_phase,
    enlisting,
    equipment,
    experience,
    falls,
    flight_of_the_broken,
    gang_rating,
    ganger_advancements,
    gangs,
    hits,
    impacts,
    incomes,
    injury_chart,
    insanity,
    leaps,
    markers,
    morale,
    mutations,
    nerve,
    promotion,
    provable_dice,
    rally_tests,
    recovery_tests,
    repairs,
    rewards_and_reputation,
    rounds,
    scrap,
    seek_rare,
    shooting,
    skill_actions,
    territories,
    thrown_clear,
    trading,
    trauma_and_troop_fate,
    vehicle_damage,
    vehicle_drivers,
    vehicle_end_phase,
    warband_promotion,
    warbands,
    wrap_up,
)
from tracker.campaign.steps.annotations import Annotations
from tracker.campaign.steps.campaigns import policies_of_a_battle
from tracker.campaign.steps.decision import DecidedEvent, Decision
from tracker.campaign.steps.dispatch import HANDLERS, refuse_unsupported_game
from tracker.campaign.steps.post_battle_sequence import battle_followed
from tracker.campaign.steps.provable_dice import refuse_undrawn
from tracker.dice import DiceNeeded, DiceTray
from tracker.errors import Asks, Refusal
from tracker.records import Record, cached_by_identity
from tracker.rules.rulebook import Rulebook

Library: TypeAlias = Callable[[str, Sequence[tuple[str, Mapping[str, str]]]], Rulebook]
"""Gives the rulebook for a book's name and the patches in force."""


class Judgement(Record):
    """One decided entry: its events (header first), the rulebook it was decided under, and the state after
    it. `annotations` are for explanations and are not recorded.
    """

    events: tuple[DecidedEvent, ...]
    rulebook: Rulebook
    state: CampaignState
    annotations: Annotations | None


class Interrupted(Record):
    """A decision that lacks a die: its inputs, and how far it got."""

    state: CampaignState
    command: records.Command
    decision: Decision
    tray: DiceTray


def decide(
    state: CampaignState, command: records.Command, tray: DiceTray, library: Library, *, entry: int
) -> Judgement:
    """Decide one command. Raises a Refusal, DiceNeeded or DiceLeftOver; then nothing has happened.

    `entry` is the number the entry will have: a dispute is known by it.
    """
    judgement = decide_keeping_spare_dice(state, command, tray, library, entry=entry)
    tray.finish()
    return judgement


def decide_keeping_spare_dice(
    state: CampaignState,
    command: records.Command,
    tray: DiceTray,
    library: Library,
    *,
    entry: int,
    note: str | None = None,
    sent: records.IdempotencyKey | None = None,
    asks: Asks | None = None,
) -> Judgement:
    """As `decide`, but unused dice are no error: they stay in the header as spare, for later rulings.

    `asks` names the choices to stop for if the entry leaves them out.
    """
    rulebook = rulebook_for(state, command, library)
    decision = Decision(state, rulebook, tray, entry=entry)
    decision.asks = asks
    try:
        command = dispatch(decision, command)
    except Refusal as refused:
        refused.in_words_of(rulebook.book.words)
        if isinstance(refused, DiceNeeded):
            refused.name, refused.rolled = name_of(state, refused.fighter), tray.handed_out
            refused.asked = Interrupted(state=state, command=command, decision=decision, tray=tray)
        raise
    refuse_undrawn(state, tray.handed_out)
    header = records.DecisionTaken(
        command=command, dice=tray.handed_out, spare=tray.waiting, note=note, sent=sent
    )
    return Judgement(
        events=(DecidedEvent(event=header, cause=0), *decision.events),
        rulebook=rulebook,
        state=decision.state,
        annotations=decision.annotations,
    )


def name_of(state: CampaignState, fighter: str | None) -> str | None:
    """The name of a fighter or vehicle; None for None or an unknown id."""
    known = state.fighter(fighter) or state.vehicle(fighter) if fighter is not None else None
    return known.name if known is not None else None


def rulebook_for(state: CampaignState, command: records.Command, library: Library) -> Rulebook:
    """The rulebook that governs a command: the campaign's book with the policies that hold for its battle."""
    if isinstance(command, records.OpenCampaign):
        return library(command.book, ())
    if isinstance(command, records.OpenBattle) and (command.adopting or command.repealing):
        ahead = Decision(state, rulebook_in_force(state, library), DiceTray())
        policies_of_a_battle(ahead, command)
        state = ahead.state
    if isinstance(command, records.PlayInTurn):
        return rulebook_for(state, command.commands[0], library)
    return rulebook_in_force(state, library, battle=battle_followed(state, command))


def rulebook_in_force(state: CampaignState, library: Library, *, battle: int | None = None) -> Rulebook:
    """The rulebook of that battle, else of the one under way, else of the next. Raises CampaignNotOpen."""
    if not state.is_open:
        raise records.CampaignNotOpen
    number = state.battle_number if battle is None else battle
    return _rulebook_with(state.policies, number, state.book, library)


@cached_by_identity
def _rulebook_with(policies: tuple[PolicyInForce, ...], number: int, book: str, library: Library) -> Rulebook:
    in_force = [policy for policy in policies if policy.holds_for(number)]
    return library(book, [(f"{policy.policy}@{policy.version}", policy.patch) for policy in in_force])


def dispatch(decision: Decision, command: records.Command) -> records.Command:
    """Decide, and return the command as the header keeps it, with the facts that the decision settled filled
    in.
    """
    refuse_unsupported_game(decision.rulebook.book, command)
    settled = HANDLERS[type(command)](decision, command)
    return command if settled is None else settled
