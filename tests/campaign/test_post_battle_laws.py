"""Laws of what comes after battles, over random seasons: one holder, one missed battle, sums that agree."""

from itertools import pairwise
from random import Random

import hypothesis
from aftermaths import die
from hypothesis import strategies as st
from scenario import BOOK, GANG_OF, KRUG, MAGS, SAINTS, SKULLS, Table, given, opening, out_of_action

from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.dice import DiceTray, Die
from tracker.errors import Refusal
from tracker.rules import loader

BOTH = (SKULLS, SAINTS)
FIGHTERS = tuple(GANG_OF)


def play(seed: int, battles: int = 4) -> tuple[list[CampaignState], list[tuple[object, ...]]]:
    """Random battles with random aftermaths; what the rules refuse is passed over."""
    chance = Random(seed)
    state = given(battle=False).state
    states, entries = (
        [state],
        [tuple(decided.event for decided in judged.events) for judged in given(battle=False).judgements],
    )

    def ask(command: records.Command, *given_dice: Die) -> bool:
        nonlocal state
        tray = DiceTray(given_dice, roller=lambda sides: chance.randint(1, sides))
        try:
            judged = decide_keeping_spare_dice(state, command, tray, loader.rulebook, entry=1)
        except Refusal:
            return False
        state = judged.state
        states.append(state)
        entries.append(tuple(decided.event for decided in judged.events))
        return True

    for number in range(1, battles + 1):
        table = Table(state=state, before=state)
        ready = tuple(
            name for name in FIGHTERS if not _refused(table, opening(number, crews=_crews((name,))))
        )
        crews = {gang: tuple(name for name in ready if GANG_OF[name] == gang) for gang in BOTH}
        if not all(crews.values()) or not ask(opening(number, crews=crews)):
            break
        for name in ready:
            if chance.random() < 0.4:
                enemy = [fighter for fighter in ready if GANG_OF[fighter] != GANG_OF[name]]
                # Captured and Critical come often here: they are what this is about.
                injury = chance.choice([die("lasting_injury", "5-5"), die("lasting_injury", "6-1"), ()])
                ask(out_of_action(name, by=chance.choice(enemy)), *injury)
        ask(records.CloseBattle(winner=chance.choice([SKULLS, SAINTS, None])))
        for name in FIGHTERS:  # what comes first in the sequence, mostly first
            if chance.random() < 0.8:
                ask(records.RollEscape(fighter=name))
        for _ in range(25):
            ask(_anything(chance, state))
        if chance.random() < 0.5:
            ask(records.EndActions(gang=chance.choice(BOTH)))
    return states, entries


def _crews(wanted: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    gang = GANG_OF[wanted[0]]
    opponent = MAGS if gang == SKULLS else KRUG
    return {gang: wanted, GANG_OF[opponent]: (opponent,)}


def _refused(table: Table, command: records.Command) -> bool:
    """Whether the first fighter named may not take part; that of the other gang may not either, for all we know."""
    asked = table.when(command)
    return isinstance(asked.refusal, records.FighterCannotTakePart)


def _held(state: CampaignState) -> list[str]:
    return [
        fighter.fighter
        for gang in state.gangs.values()
        for fighter in gang.fighters.values()
        if fighter.held_by is not None
    ]


def _anything(chance: Random, state: CampaignState) -> records.Command:
    fighter, second = chance.choice(FIGHTERS), chance.choice(FIGHTERS)
    gang = chance.choice(BOTH)
    return chance.choice(
        [
            records.RollEscape(fighter=fighter),
            records.EndRescue(captive=fighter, result=chance.choice(["rescued", "failed", "declined"])),
            *[records.EndRescue(captive=captive, result="failed") for captive in _held(state)],
            *[records.SellCaptive(captive=captive, by=by) for captive in _held(state) for by in (KRUG, MAGS)],
            records.TradeCaptive(captive=fighter, to=gang, price=chance.choice([0, 10])),
            records.TradeCaptive(captive=fighter, to=gang, for_captive=second),
            records.ReturnCaptive(captive=fighter, why="test"),
            records.SellCaptive(captive=fighter, by=chance.choice((KRUG, MAGS))),
            records.MedicalEscort(patient=fighter, by=chance.choice((KRUG, MAGS))),
            records.Trade(by=fighter),
            records.TakeReward(gang=gang, why="test", dice=1),
            records.GainTerritory(gang=gang, territory="ruin", kind="collapsed_dome", why="test"),
            records.TakeIncome(territory="ruin", dice=chance.randint(2, 6)),
        ]
    )


every_season = hypothesis.given(st.integers(min_value=0, max_value=10**6))
few = hypothesis.settings(max_examples=40)


@every_season
@few
def test_a_captive_has_exactly_one_holder_who_is_another_gang_and_is_nothing_else_meanwhile(
    seed: int,
) -> None:
    states, _ = play(seed)
    for state in states:
        for gang in state.gangs.values():
            for fighter in gang.fighters.values():
                if fighter.held_by is None:
                    assert fighter.rescue is None
                    assert fighter.works_at is None
                    assert not fighter.off_rating
                    continue
                assert fighter.held_by in state.gangs
                assert fighter.held_by != fighter.gang
                assert fighter.standing == "enlisted"
                assert fighter.off_rating
                assert not fighter.capture_pending
                assert state.under_way is None or all(
                    fighter.fighter not in crew for crew in state.under_way.crews.values()
                )


@every_season
@few
def test_the_credits_of_a_gang_are_what_it_enlisted_with_and_what_the_entries_moved(seed: int) -> None:
    states, entries = play(seed)
    balance = {}
    for events in entries:
        for event in events:
            if isinstance(event, records.GangEnlisted):
                balance[event.gang] = event.credits
            if isinstance(event, records.CreditsMoved):
                for account, by in ((event.source, -event.amount), (event.target, event.amount)):
                    if account in balance:
                        balance[account] += by
                        assert balance[account] >= 0
    assert {name: gang.credits for name, gang in states[-1].gangs.items()} == balance


@every_season
@few
def test_recovery_whenever_it_began_costs_the_gangs_next_battle_and_no_other(seed: int) -> None:
    """Both gangs fight every battle: who is in Recovery since battle n is clear again when n + 1 is over."""
    states, _ = play(seed)
    for state in states:
        fought = max(state.battles.values(), default=0)
        for gang in state.gangs.values():
            for fighter in gang.fighters.values():
                since = fighter.recovering_since
                if since is not None and fighter.standing == "enlisted":
                    assert since == fought if state.under_way is None else since >= fought - 1


@every_season
@few
def test_nobody_acts_twice_in_one_sequence_and_steps_only_go_forward(seed: int) -> None:
    states, _ = play(seed)
    steps = [step.step for step in loader.book(BOOK).post_battle.steps]
    for before, now in pairwise(states):
        for gang in BOTH:
            was, is_ = before.after_battle.get(gang), now.after_battle.get(gang)
            if was is not None and is_ is not None and was.battle == is_.battle and was.step is not None:
                assert is_.step is not None
                assert steps.index(is_.step) >= steps.index(was.step)
                assert set(was.acted) <= set(is_.acted)


@every_season
@few
def test_a_season_with_its_aftermaths_is_folded_to_the_state_that_was_decided(seed: int) -> None:
    states, entries = play(seed)
    assert fold(CampaignState(), (event for events in entries for event in events)) == states[-1]  # type: ignore[misc]


def test_random_seasons_hold_captives_doctors_and_incomes() -> None:
    """Else the laws above would hold of nothing."""
    kinds = {type(event).__name__ for seed in range(60) for events in play(seed)[1] for event in events}
    assert {
        "FighterCaptured",
        "CaptiveFreed",
        "CaptiveSold",
        "CriticalTreated",
        "CreditsMoved",
        "TerritoryGained",
    } <= kinds
