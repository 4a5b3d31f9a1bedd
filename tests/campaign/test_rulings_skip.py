"""A ruling decides again only what its change can touch, and comes out as one that decides everything behind it.

What an entry touches is found by running it on a state that notes what is read. Here everything that was not
noted is replaced by something else, and the entry decided again: it may not notice.
"""

from collections import Counter
from collections.abc import Callable, Iterator

import pytest
from otherwise import does_not_notice
from random_campaigns import Season, driven_season, season
from scenario import old_wound, old_wound_that_returns

from tracker.campaign import records
from tracker.campaign.evolve import INFORMING, fold
from tracker.campaign.members import Members
from tracker.campaign.rulings import redecision, selective_replay
from tracker.campaign.rulings.access_index import AccessBlock, AccessBlockWriter, AccessIndex
from tracker.campaign.rulings.access_tracking import accesses_of, tracked
from tracker.campaign.rulings.redecision import SlotInstruction
from tracker.campaign.rulings.selective_replay import LogTail, Moving
from tracker.campaign.rulings.state_components import (
    EVERYTHING,
    WHOLE,
    ComponentSet,
    members_of,
    of_gang,
    of_state,
)
from tracker.campaign.rulings.state_diff import state_diff
from tracker.campaign.state import CampaignState
from tracker.dice import D66, Die
from tracker.records import names_of_fields, replace
from tracker.rules import loader

SEEDS = range(16)
DRIVEN_FROM = 14
"""From this seed on the gangs have vehicles."""
BLOCK = 7


def played(seed: int) -> Season:
    return driven_season(seed) if seed >= DRIVEN_FROM else season(seed, battles=6, hits=4)


def tail_of(season: Season, *, known: int) -> LogTail:
    """What a log would offer, with what its first slots touch."""
    slots = season.slots
    blocks: list[AccessBlock] = []
    for first in range(0, known, BLOCK):
        writer = AccessBlockWriter(first + 1)
        for state, slot in list(zip(season.states, slots, strict=False))[first : min(first + BLOCK, known)]:
            writer.add(slot.slot, slot.domain_events, accesses_of(state, slot, loader.rulebook))
        blocks.append(writer.block())

    def moving(after: int) -> Iterator[Moving]:
        for slot in slots[after:]:
            yield slot.slot, [event for event in slot.domain_events if type(event) not in INFORMING]

    return LogTail(
        accesses=AccessIndex(blocks),
        slot=lambda slot, _likely: slots[slot - 1].events,
        moving=moving,
        before=lambda slot: season.states[slot - 1],
    )


def changes(season: Season) -> Iterator[dict[int, SlotInstruction]]:
    """Rulings on what happened in the second battle: its dice put right, its entries voided, and both."""
    for slot in season.slots_of_battle(2):
        header = slot.header
        assert header is not None
        yield {slot.slot: SlotInstruction(void=True)}
        for number, die in enumerate(header.dice):
            for faces in {"D6": ((1,), (6,)), D66: ((1, 2), (3, 1), (5, 3), (6, 6))}.get(die.die, ()):
                fallen = Die(purpose=die.purpose, die=die.die, faces=faces)
                corrected = {slot.slot: SlotInstruction(correct=(number, fallen))}
                yield corrected
                if faces == (1,):
                    yield {**corrected, len(season.slots): SlotInstruction(void=True)}


def shown(found: redecision.Redecision) -> list[object]:
    return [(slot.slot.slot, slot.result, slot.why, slot.fill, slot.stamp) for slot in found.slots]


@pytest.mark.parametrize("strategy", ["carry", "keep-later", "void-later"])
def test_a_skipped_entry_comes_out_as_if_it_had_been_decided(
    strategy: records.Strategy, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: Counter[str] = Counter()
    for seed in SEEDS:
        campaign = played(seed)
        slots = campaign.slots
        end = redecision.ReplayEnd(entry=len(slots), state=campaign.state)
        known = len(slots) - seed % 3 * 9  # of the last of them nothing is known, now and then
        tail = tail_of(campaign, known=known)
        monkeypatch.setattr(selective_replay, "WORTH_A_SNAPSHOT", seed % 2 * 1_000)
        for instructions in changes(campaign):
            first = min(instructions)
            begin = (campaign.states[first - 1], slots[first - 1 :])
            whole = redecision.redecide(*begin, instructions, loader.rulebook, strategy=strategy)
            quick = redecision.redecide(
                *begin, instructions, loader.rulebook, strategy=strategy, end=end, tail=tail
            )
            assert shown(quick) == shown(whole)
            assert not state_diff(quick.state, whole.state)
            assert quick.state == whole.state
            assert quick.absences == whole.absences
            assert quick.unchanged == whole.unchanged
            seen["rulings"] += 1
            seen["skipped"] += quick.skipped
            seen["skipped, though something differs"] += bool(quick.skipped and quick.slots[1:])
    assert seen["rulings"] > 100
    assert seen["skipped"] > 500
    assert seen["skipped, though something differs"] > 20


def test_who_missed_another_battle_than_before_is_followed_over_what_is_skipped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(selective_replay, "WORTH_A_SNAPSHOT", 0)
    table = old_wound_that_returns()
    campaign = Season(table.judgements, (CampaignState(), *(judged.state for judged in table.judgements)))
    slots = campaign.slots
    instructions = {8: SlotInstruction(correct=(0, old_wound(2)))}
    again = redecision.redecide(
        campaign.states[7],
        slots[7:],
        instructions,
        loader.rulebook,
        end=redecision.ReplayEnd(entry=len(slots), state=campaign.state),
        tail=tail_of(campaign, known=len(slots)),
    )
    # By battle 5 the season is what it was, and he misses that one as before.
    assert [
        (absence.number, absence.before is None, absence.after is None) for absence in again.absences
    ] == [(3, False, True), (5, False, False)]
    assert again.skipped >= 4


def test_an_entry_does_not_notice_what_it_did_not_touch() -> None:
    """Whatever was not noted is something else: the entry comes out the same, and changes none of that."""
    tried = Counter(
        does_not_notice(state, slot)
        for seed in SEEDS
        for state, slot in zip(played(seed).states, played(seed).slots, strict=False)
    )
    assert tried[True] > 400
    assert not tried[False], "all of these can be tracked"


ASKED: dict[str, tuple[Callable[[CampaignState], object], set[str], dict[str, set[str]]]] = {
    "a field of the campaign": (lambda state: state.policies, {"state.policies"}, {}),
    "a gang's sequence": (lambda state: state.after_battle.get("skulls"), {"after.skulls"}, {}),
    "whose turn it is anywhere": (lambda state: [*state.after_battle], {"state.after_battle"}, {}),
    "a field of a gang": (
        lambda state: state.gangs["skulls"].credits,
        {"state.gangs", "gang.skulls.credits"},
        {},
    ),
    "who is enlisted": (
        lambda state: [*state.gangs["skulls"].enlisted],
        {"state.gangs", "enlisted.skulls"},
        {},
    ),
    "how many are": (
        lambda state: len(state.gangs["skulls"].enlisted),
        {"state.gangs", "enlisted.skulls"},
        {},
    ),
    "all who ever were": (
        lambda state: [*state.gangs["skulls"].fighters],
        {"state.gangs", "members.skulls"},
        {},
    ),
    "the gone": (
        lambda state: state.gangs["skulls"].members.tally,
        {"state.gangs", "tally.skulls."},
        {},
    ),
    "whether somebody is known": (lambda state: "skull-1" in state.gang_of, set(), {"skull-1": {"home"}}),
    "who is known": (lambda state: [*state.gang_of], {"homes"}, {}),
    "somebody's card": (
        lambda state: [state.fighter("skull-1")][0].armour,  # type: ignore[union-attr]
        set(),
        {"skull-1": {"home", "armour"}},
    ),
    "somebody of a gang": (
        lambda state: state.gangs["skulls"].fighters["skull-1"].name,
        {"state.gangs"},
        {"skull-1": {"standing", "name"}},
    ),
    "whether two cards are one": (
        lambda state: state.fighter("skull-1") == state.fighter("skull-2"),
        set(),
        {"skull-1": {"home", WHOLE}, "skull-2": {"home", WHOLE}},
    ),
    "a card changed": (
        lambda state: state.with_fighter(replace(state.fighter("skull-1"), painted=True)),
        set(),
        {"skull-1": {"home", "standing", "painted"}},
    ),
    "whether two states are one": (lambda state: state == state, {EVERYTHING}, {}),
}


@pytest.mark.parametrize("what", ASKED)
def test_every_read_of_a_state_is_noted(what: str) -> None:
    ask, components, fighters = ASKED[what]
    accesses = ComponentSet()
    ask(tracked(played(1).state, accesses))
    assert (accesses.components, accesses.fighters) == (components, fighters)


def test_who_goes_in_an_entry_is_still_asked_whether_they_are_away() -> None:
    """A battle's end asks who was away: a fighter who died as it ended is asked, too."""
    accesses = ComponentSet()
    state = tracked(played(1).state, accesses)
    card = state.fighter("skull-1")
    assert card is not None
    assert card.standing == "enlisted"
    state.with_fighter(replace(card, standing="dead")).gangs["skulls"].members.having("absent_since")
    assert "absent_since" in accesses.fighters["skull-1"]


def test_blocks_are_the_same_only_where_the_same_slots_accessed_the_same() -> None:
    def block(*accessed: ComponentSet) -> AccessBlock:
        writer = AccessBlockWriter(1)
        for slot, accesses in enumerate(accessed, start=1):
            writer.add(slot, (), accesses)
        return writer.block()

    nothing, name, gangs = ComponentSet(), ComponentSet(), ComponentSet()
    name.add_fighter("skull-1", "name")
    gangs.add(of_state("gangs"))
    assert block(nothing, name).same_accesses(block(nothing, name))
    assert not block(nothing, name).same_accesses(block(name, nothing))
    assert not block(nothing, gangs).same_accesses(block(gangs, nothing))
    assert not block(nothing, name).same_accesses(block(nothing, gangs))


def test_a_difference_of_states_is_named_as_its_read_is_noted() -> None:
    state = played(1).state
    gang = next(iter(state.gangs.values()))
    card = next(iter(gang.enlisted.values()))
    by_now = state.with_fighter(replace(card, experience=card.experience + 1))
    found = state_diff(state, by_now)
    assert found.fighters == {card.fighter: {"experience"}}
    assert found.components == {members_of(gang.gang)}
    assert not state_diff(state, fold(state, ()))
    assert state_diff(state, replace(state, name="other")).components == {of_state("name")}
    richer = state.with_gang(replace(gang, credits=gang.credits + 1))
    assert state_diff(state, richer).components == {of_gang(gang.gang, "credits")}
    nobody = state.with_gang(replace(gang, fighters=Members.nobody()))
    assert {WHOLE} in state_diff(state, nobody).fighters.values()


def test_what_notes_what_is_read_names_the_fields_of_what_it_stands_for() -> None:
    state = played(0).states[-1]
    noting = tracked(state, ComponentSet())
    assert names_of_fields(noting) == names_of_fields(state) != ()
    for name, gang in state.gangs.items():
        assert names_of_fields(noting.gangs[name]) == names_of_fields(gang) != ()
