"""Odds of several models: independent parts are followed apart and come to what following all at once comes to."""

import re
import subprocess
import sys
import time
from collections import defaultdict
from fractions import Fraction
from pathlib import Path
from textwrap import dedent

import pytest
from fights import fight
from hypothesis import given as given_commands
from hypothesis import settings
from hypothesis import strategies as st
from rides import RIG, SLED, lurch, ram, riding
from scenario import (
    DOT,
    KRUG,
    MAGS,
    MESH,
    SAINTS,
    SKULLS,
    VEX,
    Table,
    campaign,
    card,
    enlist,
    fall,
    given,
    hit,
    injuries,
    opening,
)
from tables import every
from trench_scenario import ANSELM, ODO
from trench_scenario import given as given_warbands
from trench_scenario import injury as trench_injury
from trench_scenario import model as trench_model

from tracker.campaign import records, steps
from tracker.campaign.conditions import condition_changes, records_in_play
from tracker.campaign.judging import LEFT_THE_BATTLE, rulebook_of
from tracker.campaign.odds import enumeration
from tracker.campaign.odds.enumeration import (
    LastingInjuryRolls,
    Leaf,
    OutcomeEnumerator,
    Step,
    TooManyOutcomes,
)
from tracker.campaign.odds.exchange_odds import Odds, odds_from
from tracker.campaign.odds.independent_parts import HiddenCondition, HiddenConditionRead, IndependentParts
from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.campaign.state import CampaignState, Combatant
from tracker.campaign.steps import dispatch
from tracker.campaign.steps.decision import Decision
from tracker.errors import RulesRefuse
from tracker.records import replace as record_with
from tracker.rules import loader

GUN = Weapon(
    weapon="gun",
    profiles=(WeaponProfile(strength=4, damage=2, range_short_inches=8, range_long_inches=24, ammo=4),),
)
ARMED = {"weapons": (GUN,), "wounds": 2}
FOUR = given(card(KRUG, **ARMED), card(VEX, armour=MESH, **ARMED), card(MAGS, **ARMED), card(DOT, **ARMED))


def shot(attacker: str, target: str, **more: object) -> records.Shoot:
    return records.Shoot(attacker=attacker, weapon="gun", target=target, range_band="short", **more)  # type: ignore[arg-type]


def all_at_once(
    state: CampaignState, *commands: records.Command, lasting: bool = False
) -> tuple[dict[str, Fraction], dict[LastingInjuryRolls, Fraction]]:
    """Every end of everybody, and how likely each roll is carried home, with nothing taken apart."""
    enumerator = OutcomeEnumerator(rulebook_of(state, loader.rulebook), lasting=lasting)
    chances = {enumerator.number_of(Leaf(state=state)): Fraction(1)}
    for nth, command in enumerate(commands):
        ends: defaultdict[int, Fraction] = defaultdict(Fraction)
        for number, chance in chances.items():
            for end, part in walked(enumerator, command, enumerator.leaves[number], may_pass=nth > 0).items():
                ends[end] += chance * part
        chances = dict(ends)
    start = records_in_play(state)
    found: defaultdict[str, Fraction] = defaultdict(Fraction)
    home: defaultdict[LastingInjuryRolls, Fraction] = defaultdict(Fraction)
    for number, chance in chances.items():
        end = enumerator.leaves[number]
        now = records_in_play(end.state)
        found[repr({name: condition_changes(start[name], now[name]) for name in start})] += chance
        for rolls in end.home:
            home[rolls] += chance
    return dict(found), dict(home)


def walked(
    enumerator: OutcomeEnumerator, command: records.Command, start: Leaf, *, may_pass: bool
) -> dict[int, Fraction]:
    def step(decision: Decision) -> None:
        dispatch(decision, command)

    try:
        return enumerator.enumerate(step, start)
    except LEFT_THE_BATTLE:
        if not may_pass:
            raise
        return {enumerator.number_of(start): Fraction(1)}


def apart(odds: Odds) -> dict[str, Fraction]:
    """The same of what was followed apart, multiplied."""
    start = records_in_play(odds.start)
    return {
        repr({name: dict(ends).get(name, ()) for name in start}): chance for ends, chance in odds.together
    }


CASES: dict[str, tuple[Table, tuple[records.Command, ...]]] = {
    "two hits on two": (FOUR, (hit(VEX, by=MAGS), hit(KRUG, by=DOT))),
    "three hits, the last on the first": (FOUR, (hit(VEX, by=MAGS), hit(KRUG, by=DOT), hit(VEX, by=DOT))),
    "they hit each other": (FOUR, (hit(VEX, by=MAGS), hit(MAGS, by=VEX), hit(KRUG, by=DOT))),
    "who was hit shoots": (FOUR, (hit(MAGS, by=VEX), shot(MAGS, VEX), hit(DOT, by=KRUG))),
    "one shoots twice": (FOUR, (shot(MAGS, VEX), hit(DOT, by=KRUG), shot(DOT, KRUG))),
    "a burst with bystanders": (
        FOUR,
        (shot(MAGS, VEX, cover="full", at_risk=(records.ModelThere(fighter=KRUG),)), hit(DOT, by=KRUG)),
    ),
    "two fights": (FOUR, (fight(MAGS, VEX), fight(DOT, KRUG))),
    "a fight with two, then a hit": (
        given(card(MAGS, attacks=2), card(VEX, wounds=2)),
        (fight(MAGS, records.FightTarget(model=VEX, attack_dice=(1,)), records.FightTarget(model=KRUG, attack_dice=(1,))), fall(VEX, hundredths=600)),
    ),
    "a fall and dice": (FOUR, (fall(VEX, hundredths=600), injuries(KRUG, dice=3), injuries(VEX, dice=2))),
    "two vehicles": (riding(), (ram(RIG, by=MAGS), hit(KRUG, by=MAGS))),
    "a vehicle, its driver and another": (riding(), (lurch(RIG), hit(VEX, by=MAGS), lurch(SLED))),
    "a warband": (
        given_warbands(trench_model(ODO), trench_model(ANSELM)),
        (trench_injury(ODO), trench_injury(ANSELM), trench_injury(ODO)),
    ),
}  # fmt: skip


@every("name", CASES)
def test_odds_of_independent_parts_multiply_to_the_odds_of_all_at_once(name: str) -> None:
    table, commands = CASES[name]
    found = odds_from(table.state, commands, loader.rulebook)
    assert apart(found) == all_at_once(table.state, *commands)[0]
    for model in found.models:
        for changes, chance in model.ends:
            assert chance == sum(part for ends, part in found.together if dict(ends)[model.model] == changes)


FIGHTERS = st.sampled_from((KRUG, VEX, MAGS, DOT))
ASKED = st.one_of(
    st.builds(lambda target, dice: injuries(target, dice=dice), FIGHTERS, st.integers(1, 3)),
    st.builds(lambda target, damage: hit(target, damage=damage), FIGHTERS, st.integers(1, 2)),
    st.builds(lambda target: fall(target, hundredths=600), FIGHTERS),
    st.sampled_from([shot(MAGS, VEX), shot(DOT, KRUG), shot(VEX, DOT), fight(MAGS, VEX), fight(KRUG, DOT)]),
)


@pytest.mark.slow
@settings(max_examples=40, deadline=None)
@given_commands(st.lists(ASKED, min_size=1, max_size=4))
def test_odds_of_any_commands_are_the_same_apart_and_all_at_once(commands: list[records.Command]) -> None:
    state = FOUR.state
    try:
        expected, home = all_at_once(state, *commands, lasting=True)
    except RulesRefuse as refused:
        with pytest.raises(type(refused)):
            odds_from(state, commands, loader.rulebook)
        return
    found = odds_from(state, commands, loader.rulebook, lasting=True)
    assert apart(found) == expected
    factors = IndependentParts(
        enumerator := OutcomeEnumerator(rulebook_of(state, loader.rulebook), lasting=True), state
    )
    for nth, command in enumerate(commands):
        factors.enumerate(
            lambda decision, command=command: dispatch(decision, command),
            lambda _, step, start, nth=nth: or_passed(enumerator, step, start, may_pass=nth > 0),
        )
    carried: defaultdict[LastingInjuryRolls, Fraction] = defaultdict(Fraction)
    for case in (factors.certain, *(case for factor in factors.factors for case in factor.cases)):
        for rolls in case.home:
            carried[rolls] += case.chance
    assert carried == home


def or_passed(
    enumerator: OutcomeEnumerator, step: Step, start: Leaf, *, may_pass: bool
) -> dict[int, Fraction]:
    try:
        return enumerator.enumerate(step, start)
    except LEFT_THE_BATTLE:
        if not may_pass:
            raise
        return {enumerator.number_of(start): Fraction(1)}


def test_models_that_no_roll_connects_are_independent_parts() -> None:
    found = odds_from(FOUR.state, (hit(VEX, by=MAGS), hit(KRUG, by=MAGS)), loader.rulebook)
    assert [part.models for part in found.apart] == [(VEX,), (KRUG,)]
    tied = odds_from(
        FOUR.state, (shot(MAGS, VEX, at_risk=(records.ModelThere(fighter=KRUG),)),), loader.rulebook
    )
    assert any({KRUG, VEX} <= {*part.models} for part in tied.apart)


@every(
    "look",
    [
        lambda hidden: hidden.pinned,
        lambda hidden: hidden == Combatant(wounds_left=1),
        lambda hidden: Combatant(wounds_left=1) == hidden,
        lambda hidden: isinstance(hidden, Combatant),
        lambda hidden: record_with(hidden, pinned=True),
        lambda hidden: getattr(hidden, "pinned", False),
        lambda hidden: hasattr(hidden, "pinned"),
        lambda hidden: hidden == HiddenCondition(KRUG),
        str,
    ],
)  # fmt: skip
def test_a_hidden_condition_that_is_read_is_noticed(look: object) -> None:
    with pytest.raises(HiddenConditionRead) as looked:
        look(HiddenCondition(VEX))  # type: ignore[operator]
    assert looked.value.model == VEX


# --- as much as somebody would wait for ------------------------------------------------------------------


def crowd(count: int) -> CampaignState:
    """So many on each side, who take a lot to kill."""

    tough = {"wounds": 2, "toughness": 6, "armour": MESH, "weapons": (GUN,)}
    crews = {gang: tuple(f"{gang}-{place}" for place in range(count)) for gang in (SKULLS, SAINTS)}
    table = campaign(*(enlist(gang, *(card(name, **tough) for name in crew)) for gang, crew in crews.items()))
    return table.when(opening(1, crews=crews)).state


def hits_on_each(count: int, damage: int = 5) -> list[records.Command]:
    return [hit(f"{SKULLS}-{n}", by=f"{SAINTS}-{n}", strength=4, ap=-1, damage=damage) for n in range(count)]


def blast_on(count: int) -> records.Shoot:
    under = tuple(records.ModelThere(fighter=f"{SKULLS}-{n}") for n in range(count))
    frag = WeaponProfile(
        strength=3, damage=1, range_short_inches=8, range_long_inches=24, ammo=4, traits=("Blast (5)",)
    )
    return shot(f"{SAINTS}-0", f"{SKULLS}-0", profile=frag, under_marker=under)


@every("count", [5, 8, 20])
def test_hits_on_many_models_take_no_longer_than_each_by_itself(count: int) -> None:
    """Five took 24 seconds and 200 MB, eight were refused after 28."""
    state = crowd(count)
    alone = odds_from(state, hits_on_each(1), loader.rulebook)
    began = time.process_time()
    found = odds_from(state, hits_on_each(count), loader.rulebook)
    assert time.process_time() - began < 2
    assert found.ways == count * alone.ways
    alone_chances = [chance for _, chance in alone.models[0].ends]
    assert all([chance for _, chance in model.ends] == alone_chances for model in found.models)
    assert found.ends == len(alone.models[0].ends) ** count


def test_damage_12_is_exact_at_once() -> None:
    state = crowd(1)
    found = odds_from(state, hits_on_each(1, damage=12), loader.rulebook)
    assert sum(chance for _, chance in found.together) == 1
    assert found.ways < 2_000


HOSTILE = """
    import resource, sys, time
    sys.path[:0] = {folders!r}
    import test_odds_of_several_models as here
    from tracker.campaign.odds.exchange_odds import odds_from
    from tracker.campaign.odds.enumeration import TooManyOutcomes
    from tracker.rules import loader

    def megabytes():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024

    state = here.crowd(30)
    before = megabytes()
    began = time.process_time()
    try:
        odds_from(state, {commands}, loader.rulebook)
    except TooManyOutcomes as refused:
        print(refused.ways, time.process_time() - began, megabytes() - before)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "commands", ["[here.blast_on(30)]", "[here.blast_on(9), *[here.blast_on(12)] * 50]"], ids=["one", "many"]
)
def test_odds_of_too_many_connected_models_are_refused_within_seconds_and_100_mb(commands: str) -> None:
    tests = Path(__file__).parents[1]
    process = subprocess.run(
        [
            sys.executable,
            "-c",
            dedent(HOSTILE).format(folders=[str(tests), str(tests / "campaign")], commands=commands),
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.split()
    ways, seconds, megabytes = int(process[0]), float(process[1]), int(process[2])
    assert 100 < ways < enumeration.WORK_MAX // enumeration.BRANCH_WORK
    assert seconds < 8  # about 2 on a processor that has nothing else to do
    assert megabytes < 70  # beside the 30 of a process that has read nothing


def test_combinations_that_are_too_many_are_refused_before_the_first_is_followed() -> None:
    factors = IndependentParts(
        enumerator := OutcomeEnumerator(rulebook_of(FOUR.state, loader.rulebook)), FOUR.state
    )
    enumerator.foresee(enumeration.WORK_MAX // enumeration.BRANCH_WORK)
    with pytest.raises(TooManyOutcomes):
        enumerator.foresee(enumeration.WORK_MAX // enumeration.BRANCH_WORK + 1)
    assert (enumerator.branches, factors.factors) == (0, ())


def test_no_rule_of_a_battle_asks_for_the_tallies_that_odds_leave_out() -> None:
    """They would only make equal ends differ."""
    tallies = re.compile(r"\b(enemies_taken_out|times_out_of_action|times_wrecked|enemy_vehicles_wrecked)\b")
    chapters = [*(Path(steps.__file__).parent).glob("*.py")]
    assert len(chapters) > 20
    assert [file.name for file in chapters if tallies.search(file.read_text())] == []
