"""A state in which everything that an entry did not touch is something else."""

from collections.abc import Mapping, Sequence
from typing import Any

from tracker.campaign.evolve import fold
from tracker.campaign.fighters import Fighter
from tracker.campaign.members import BattleNumbers, Members
from tracker.campaign.rulings.access_tracking import accesses_of
from tracker.campaign.rulings.redecision import LOG_COMMANDS, Slot
from tracker.campaign.rulings.state_components import (
    EVERYTHING,
    WHOLE,
    ComponentSet,
    after_battle_of,
    enlisted_of,
    follows_from_fighters,
    members_of,
    of_gang,
    of_state,
    tally_of,
)
from tracker.campaign.rulings.state_diff import state_diff
from tracker.campaign.state import CampaignState, Gang
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.dice import DiceTray
from tracker.records import names_of_fields, replace
from tracker.rules import loader

BY_PARTS = ("gangs", "gang_of", "after_battle", "battles")
FOUND_BY = {"fighter", "gang", "standing"}
"""What a fighter is found by: there is no state in which these alone are others."""


def does_not_notice(state: CampaignState, slot: Slot) -> bool:
    """Decide an entry where all else is something else: it comes out the same, and what differed before differs
    after it, and nothing more. False where it touches everything.
    """
    accesses = accesses_of(state, slot, loader.rulebook)
    if EVERYTHING in accesses.components:
        return False
    otherwise = with_all_else_changed(state, accesses)
    said = slot.domain_events
    header = slot.header
    if header is not None and not isinstance(header.command, LOG_COMMANDS):
        judged = decide_keeping_spare_dice(
            otherwise,
            header.command,
            DiceTray((*header.dice, *header.spare)),
            loader.rulebook,
            entry=slot.slot,
            note=header.note,
            sent=header.sent,
        )
        assert tuple(decided.event for decided in judged.events) == said, f"entry {slot.slot} noticed"
    later = fold(state, said)
    before, after = (state_diff(state, otherwise), state_diff(later, fold(otherwise, said)))
    # The order of two is turned: where one of them is gone, there is no other order of who is left.
    before.components.difference_update(
        enlisted_of(name) for name, gang in later.gangs.items() if len(gang.members.enlisted) < 2
    )
    assert _named(before) == _named(after), f"entry {slot.slot} does otherwise what differs"
    return True


def _named(different: ComponentSet) -> tuple[object, ...]:
    own = {component for component in different.components if not follows_from_fighters(component)}
    return own, different.fighters


def with_all_else_changed(state: CampaignState, accesses: ComponentSet) -> CampaignState:
    """The state with another thing in the place of all that was not noted."""
    noted = accesses.components
    for name in names_of_fields(CampaignState):
        if name not in BY_PARTS and of_state(name) not in noted:
            state = replace(state, **{name: other(getattr(state, name))})
    if of_state("battles") not in noted:
        state = replace(state, battles=BattleNumbers.of({**state.battles, "another": 1_000}))
    if of_state("after_battle") not in noted:
        elsewhere = {
            gang: replace(after, winner="nobody", number=after.number + 1_000)
            for gang, after in state.after_battle.items()
            if after_battle_of(gang) not in noted
        }
        state = replace(state, after_battle={**state.after_battle, **elsewhere})
    for name, gang in list(state.gangs.items()):
        if members_of(name) not in noted:
            cards = [_with_card_changed(card, accesses) for card in gang.members.values()]
            state = state.with_fighters(cards)
        changed = {
            field: other(getattr(gang, field))
            for field in names_of_fields(Gang)
            if field not in ("gang", "fighters") and of_gang(name, field) not in noted
        }
        state = state.with_gang(replace(state.gangs[name], **changed))
        if not noted & {members_of(name), enlisted_of(name)}:
            members = state.gangs[name].members
            turned = dict(reversed(members.enlisted.items()))
            state = state.with_gang(
                replace(
                    state.gangs[name],
                    fighters=Members(turned, members.places, members.gone, members.tally, members.count),
                )
            )
    return state


def _with_card_changed(card: Fighter, accesses: ComponentSet) -> Fighter:
    noted = accesses.fighters.get(card.fighter, set())
    is_counted = card.standing != "enlisted"  # then what the gone add up to follows from the card
    if WHOLE in noted or (is_counted and tally_of(card.gang) in accesses.components):
        return card
    unread = [
        name
        for name in names_of_fields(Fighter)
        if name not in noted
        and name not in FOUND_BY
        and not (is_counted and tally_of(card.gang, name) in accesses.components)
    ]
    return replace(card, **{name: other(getattr(card, name)) for name in unread})


def other(value: Any) -> Any:
    """Something else; where nothing stands, something does."""
    match value:
        case bool():
            return not value
        case int():
            return value + 1_000
        case str():
            return f"{value}, and somebody else"
        case Mapping():
            return {} if value else {"nobody": 1_000}
        case Sequence():
            return () if value else ("nobody",)
        case None:
            return -1
    return None
