"""Laws over random battles of the Injury Chart: deciding is folding, markers stay in bounds, dice are inputs."""

from random import Random

import hypothesis
from hypothesis import strategies as st
from trench_scenario import ANSELM, CLOSING, ODO, RAT, VEX, fate, given, injury, model, opening

from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Judgement, decide, decide_keeping_spare_dice
from tracker.dice import DiceTray
from tracker.errors import Refusal
from tracker.rules import loader

MODELS = (ANSELM, ODO, VEX, RAT)


def something(chance: Random) -> records.Command:
    target, attacker = chance.sample(MODELS, k=2)
    kind = chance.randrange(8)
    if kind == 0:
        return records.StandUp(fighter=target, risky=chance.random() < 0.5)
    if kind == 1:
        return records.SpendBloodMarkers(fighter=target, count=chance.randint(1, 2), use="action")
    if kind == 2:
        return fate(target)
    return injury(
        target,
        by=chance.choice([attacker, None]),
        pool=chance.choice([2, 2, 2, 1, 3]),
        plus_dice=("a",) * chance.randint(0, 2),
        minus_dice=("b",) * chance.randint(0, 2),
        spend_markers=chance.choice([0, 0, 1]),
        bloodbath=chance.random() < 0.2,
    )


def played(seed: int) -> tuple[list[CampaignState], list[Judgement]]:
    """Three battles from a seed; what is refused is left out."""
    chance = Random(seed)
    knobs = loader.book("trench_crusade").knobs
    moved = {name: chance.choice(knobs[name].choices) for name in sorted(knobs)}
    cards = [
        model(
            name,
            armour_modifier=chance.choice([0, 0, -1, -2, -3]),
            wargear=("Trench Shield",) * chance.randint(0, 1),
            skills=("Tough",) * chance.randint(0, 1),
        )
        for name in MODELS
    ]
    states, judgements = [given(*cards, knobs=moved, battle=False).state], []

    def ask(command: records.Command) -> None:
        tray = DiceTray(roller=lambda sides: chance.randint(1, sides))
        try:
            judged = decide(states[-1], command, tray, loader.rulebook, entry=1)
        except Refusal:
            return
        judgements.append(judged)
        states.append(judged.state)

    for number in range(1, 4):
        ask(opening(number))
        for _ in range(12):
            ask(something(chance))
        ask(CLOSING)
    return states, judgements


every_season = hypothesis.given(st.integers(min_value=0, max_value=10**6).map(played))


@every_season
def test_folding_the_events_gives_the_state_that_was_decided(
    season: tuple[list[CampaignState], list[Judgement]],
) -> None:
    states, judgements = season
    for before, judged in zip(states, judgements, strict=False):
        assert fold(before, (decided.event for decided in judged.events)) == judged.state


@every_season
def test_the_same_dice_decide_the_same_and_every_one_is_needed(
    season: tuple[list[CampaignState], list[Judgement]],
) -> None:
    for before, judged in zip(*season, strict=False):
        header = judged.events[0].event
        assert isinstance(header, records.DecisionTaken)
        tray = DiceTray(header.dice)
        again = decide_keeping_spare_dice(before, header.command, tray, loader.rulebook, entry=1)
        assert (again.events, tray.waiting) == (judged.events, ())


@every_season
def test_markers_stay_between_0_and_6_and_every_fate_is_decided_by_the_end(
    season: tuple[list[CampaignState], list[Judgement]],
) -> None:
    states, judgements = season
    for before, judged in zip(states, judgements, strict=False):
        if judged.state.under_way is None:
            continue
        for combatant in judged.state.under_way.combatants.values():
            assert 0 <= combatant.blood_markers <= 6
            assert not (combatant.fate_decided and not combatant.out_of_action)
        assert before.battles.keys() <= judged.state.battles.keys()
    for name in MODELS:
        fighter = states[-1].fighter(name)
        assert fighter is not None
        assert fighter.scars <= 2 or fighter.standing != "enlisted"
