"""Odds: exact, equal to every die tried one by one, equal to chances multiplied by hand."""

import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given as given_programs
from hypothesis import settings
from hypothesis import strategies as st
from scenario import (
    DOT,
    KRUG,
    MAGS,
    MESH,
    VEX,
    Table,
    card,
    fall,
    given,
    hit,
    injuries,
    out_of_action,
    seriously_injured,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.conditions import condition_changes, records_in_play
from tracker.campaign.odds import enumeration
from tracker.campaign.odds.enumeration import Leaf, OutcomeEnumerator, TooManyOutcomes
from tracker.campaign.odds.exchange_odds import Odds, odds_from
from tracker.campaign.profiles import WeaponProfile
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.campaign.steps.decision import Decision
from tracker.dice import D66, DiceNeeded, DiceTray, Die
from tracker.records import replace
from tracker.rules import loader
from tracker.rules.rulebook import Rulebook

BOOK = loader.rulebook("necromunda_2023", ())
GUN = WeaponProfile(
    strength=4, armour_penetration=-1, damage=3, range_short_inches=8, range_long_inches=24, ammo=4
)
UNHURT: tuple[object, ...] = ()


def odds_of(table: Table, *commands: records.Command, **more: bool) -> Odds:
    return odds_from(table.state, commands, loader.rulebook, **more)


def chances(odds: Odds, model: str) -> dict[str, Fraction]:
    """Each end of a model in a few words."""
    (found,) = [found for found in odds.models if found.model == model]
    return {_words(changes): chance for changes, chance in found.ends}


def _words(changes: tuple[tuple[str, object, object], ...]) -> str:
    now = {name: after for name, _, after in changes}
    if now.get("out_of_action"):
        return "out"
    return f"{'seriously injured ' if now.get('seriously_injured') else ''}{now.get('flesh_wounds', 0)}"


def shot(**more: object) -> records.Shoot:
    traits = more.pop("traits", ())
    profile = replace(GUN, traits=traits, **{key: more.pop(key) for key in ("damage",) if key in more})
    facts = {"attacker": MAGS, "target": VEX, "weapon": "gun", "profile": profile, "range_band": "short"}
    return records.Shoot(**{**facts, **more})  # type: ignore[arg-type]


# --- by hand ---------------------------------------------------------------------------------------------


def test_a_hit_ends_as_often_as_multiplied_by_hand() -> None:
    """Strength 4 wounds Toughness 3 on 3+; a 5+ save behind AP -1 needs a 6; the die is 2, 3 and 1 of 6."""
    hurt = Fraction(4, 6) * Fraction(5, 6)
    found = chances(odds_of(given(card(VEX, armour=MESH)), hit(VEX, by=MAGS, strength=4, ap=-1)), VEX)
    assert found == {
        "0": 1 - hurt,
        "1": hurt * Fraction(2, 6),
        "seriously injured 0": hurt * Fraction(3, 6),
        "out": hurt * Fraction(1, 6),
    }
    assert found["0"] == Fraction(4, 9)


def test_three_injury_dice_are_counted_as_often_as_they_fall() -> None:
    """Toughness 4 bears three Flesh Wounds; each further Serious Injury is one more of them."""
    flesh, serious = Fraction(2, 6), Fraction(3, 6)
    assert chances(odds_of(given(card(VEX, toughness=4)), injuries(VEX, dice=3)), VEX) == {
        "3": flesh**3,
        "seriously injured 2": 3 * flesh**2 * serious + 3 * flesh * serious**2 + serious**3,
        "out": 1 - (flesh + serious) ** 3,
    }


def test_lasting_injuries_come_as_often_as_the_dice_that_bring_them() -> None:
    """Two dice on a fighter of Toughness 3: one Out of Action brings one roll, two bring two."""
    found = odds_of(given(), injuries(VEX, dice=2, by=MAGS), lasting=True)
    (vex,) = [model for model in found.models if model.model == VEX]
    once, twice = 2 * Fraction(1, 6) * Fraction(5, 6), Fraction(1, 36)
    assert dict(vex.ends[-1:]) == {(("out_of_action", False, True),): once + twice}
    captured = Fraction(2, 36)
    assert dict(vex.lasting)["Captured"] == once * captured + twice * (1 - (1 - captured) ** 2)


# --- against every die, one by one -----------------------------------------------------------------------


def every_way(state: CampaignState, command: records.Command) -> Iterator[tuple[Fraction, CampaignState]]:
    """Every end by plain enumeration: all faces of the die that is asked for next, nothing merged."""
    waiting: list[tuple[Fraction, tuple[Die, ...]]] = [(Fraction(1), ())]
    while waiting:
        chance, dice = waiting.pop()
        try:
            yield (
                chance,
                decide_keeping_spare_dice(state, command, DiceTray(dice), loader.rulebook, entry=1).state,
            )
        except DiceNeeded as needed:
            two = needed.die in ("2D6", "D66")
            ways = tuple(product(range(1, {"D3": 3}.get(needed.die, 6) + 1), repeat=2 if two else 1))
            # Lasting injuries are left aside: every roll of them is an Out Cold.
            ways = ((1, 5),) if needed.die == D66 else ways
            for faces in ways:
                die = Die(purpose=needed.purpose, die=needed.die, faces=faces)
                waiting.append((chance / len(ways), (*dice, die)))


def ends_one_by_one(state: CampaignState, *commands: records.Command) -> dict[str, Fraction]:
    """The chance of each change to everybody's condition."""
    states = [(Fraction(1), state)]
    for command in commands:
        following = []
        for chance, begun in states:
            try:
                following += [(chance * part, end) for part, end in every_way(begun, command)]
            except records.FighterOutOfPlay:
                following.append((chance, begun))
        states = following
    start = records_in_play(state)
    found: defaultdict[str, Fraction] = defaultdict(Fraction)
    for chance, end in states:
        now = records_in_play(end)
        found[repr({name: condition_changes(start[name], now[name]) for name in start})] += chance
    return dict(found)


def ends_walked(state: CampaignState, *commands: records.Command) -> dict[str, Fraction]:
    """The same by `odds`."""
    odds = odds_from(state, commands, loader.rulebook)
    start = records_in_play(state)
    return {
        repr({name: dict(ends).get(name, ()) for name in start}): chance for ends, chance in odds.together
    }


ARMOURED = given(card(VEX, armour=MESH))
THREE_WOUNDS = given(card(VEX, wounds=3))
SMALL: dict[str, tuple[Table, tuple[records.Command, ...]]] = {
    "a hit": (ARMOURED, (hit(VEX, by=MAGS, strength=4, ap=-1, damage=1),)),
    "Damage 2": (ARMOURED, (hit(VEX, by=MAGS, damage=2),)),
    "Seismic": (ARMOURED, (hit(VEX, by=MAGS, traits=("Seismic",)),)),
    "Toxin": (ARMOURED, (hit(VEX, by=MAGS, traits=("Toxin",)),)),
    "Web": (ARMOURED, (hit(VEX, by=MAGS, traits=("Web",)),)),
    "a fall": (ARMOURED, (fall(VEX, hundredths=600),)),
    "two Injury dice": (given(), (injuries(VEX, dice=2, save_with="none"),)),
    "already down": (given().when(seriously_injured(VEX)), (injuries(VEX, dice=2),)),
    "two hits": (given(card(VEX, wounds=2)), (hit(VEX, by=MAGS, damage=1),) * 2),
    "two hits, the first may end it": (given(), (hit(VEX, by=MAGS), hit(VEX, by=DOT))),
    "a shot": (THREE_WOUNDS, (shot(damage=1),)),
    "a shot with Power": (given(card(VEX, armour=MESH, wounds=4)), (shot(damage=1, traits=("Power",)),)),
    "Rapid Fire": (given(card(VEX, wounds=4)), (shot(damage=1, traits=("Rapid Fire (1)",)),)),
    "Scarce and Unstable": (THREE_WOUNDS, (shot(damage=1, traits=("Scarce", "Unstable")),)),
    "astray": (
        given(card(KRUG, wounds=2), card(DOT, wounds=2)),
        (
            shot(
                damage=1,
                cover="full",
                at_risk=(records.ModelThere(fighter=KRUG), records.ModelThere(fighter=DOT)),
            ),
        ),
    ),
    "unarmed, two dice": (
        given(card(MAGS, attacks=2), card(VEX, wounds=2)),
        (records.Fight(attacker=MAGS, targets=(records.FightTarget(model=VEX),)),),
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_odds_are_what_every_die_one_by_one_comes_to(name: str) -> None:
    table, commands = SMALL[name]
    walked = ends_walked(table.state, *commands)
    assert walked == ends_one_by_one(table.state, *commands)
    assert sum(walked.values()) == 1


def test_odds_pass_over_an_exchange_whose_fighters_have_left() -> None:
    table = given()
    found = chances(odds_of(table, injuries(VEX, dice=1), hit(VEX, by=MAGS, strength=3, damage=1)), VEX)
    out_at_once = Fraction(1, 6)
    # Of the Toughness left after a Flesh Wound and of the Wound still there the second hit makes its own.
    hurt_flesh, hurt_serious = Fraction(4, 6), Fraction(3, 6)
    assert found["out"] == (
        out_at_once
        + Fraction(2, 6) * hurt_flesh * Fraction(1, 6)
        + Fraction(3, 6) * hurt_serious * Fraction(1, 6)
    )


def test_a_first_exchange_that_is_refused_is_refused() -> None:
    with pytest.raises(records.FighterOutOfPlay):
        odds_of(Table(state=_gone(), before=_gone()), hit(VEX, by=MAGS))


def _gone() -> CampaignState:
    state = given().state
    assert state.under_way is not None
    return state.with_combatant(VEX, replace(state.under_way.combatants[VEX], out_of_action=True))


def test_odds_show_together_all_models_that_an_exchange_can_affect() -> None:
    found = odds_of(given(card(KRUG), card(VEX)), hit(VEX, by=MAGS), hit(KRUG, by=MAGS))
    assert {model.model for model in found.models} == {VEX, KRUG}
    assert sum(chance for _, chance in found.together) == 1
    for place, model in enumerate(found.models):
        for changes, chance in model.ends:
            assert chance == sum(part for ends, part in found.together if ends[place][1] == changes)


def test_stated_outcomes_have_one_end() -> None:
    found = odds_of(given(), out_of_action(VEX, by=MAGS))
    assert chances(found, VEX) == {"out": Fraction(1)}


# --- the walk itself -------------------------------------------------------------------------------------


def walked(
    step: Callable[[Decision], None], rulebook: Rulebook = BOOK
) -> tuple[list[tuple[object, Fraction]], int]:
    """What a step leaves on Vex, each with its chance, and how many ways were followed."""
    enumerator = OutcomeEnumerator(rulebook)
    ends = enumerator.enumerate(step, Leaf(state=given().state))
    wounds = [
        (enumerator.leaves[end].state.under_way.combatants[VEX].wounds_left, chance)
        for end, chance in ends.items()
    ]  # type: ignore[union-attr]
    return sorted(wounds), enumerator.branches


def leaves(decision: Decision, wounds_left: int) -> None:
    """Makes an end that can be distinguished from others."""
    state = decision.state
    assert state.under_way is not None
    vex = replace(state.under_way.combatants[VEX], wounds_left=wounds_left)
    decision.state = state.with_combatant(VEX, vex)


def test_faces_that_nothing_tells_apart_are_one_way() -> None:
    def step(decision: Decision) -> None:
        face = decision.tray.d6("wound", why="test", fighter=VEX).face
        leaves(decision, 1 if face + 1 >= 5 else 0)

    assert walked(step) == ([(0, Fraction(1, 2)), (1, Fraction(1, 2))], 2)


@every(
    "use",
    [
        lambda face: len(range(face)),
        lambda face: {1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 6}[face],
        lambda face: int(f"{face}"),
        lambda face: (0, 1, 2, 3, 4, 5, 6)[face],
        int,
        lambda face: 12 - face - face,
        lambda face: face * 2 // 2,
    ],
)
def test_a_face_that_is_used_as_a_number_makes_six_ways(use: Callable[[int], int]) -> None:
    def step(decision: Decision) -> None:
        leaves(decision, use(decision.tray.d6("wound", why="test", fighter=VEX).face))

    ends, ways = walked(step)
    assert (len(ends), ways) == (6, 6)
    assert {chance for _, chance in ends} == {Fraction(1, 6)}


def test_a_late_question_about_an_early_die_is_answered_for_every_face() -> None:
    def step(decision: Decision) -> None:
        first = decision.tray.d6("wound", why="test", fighter=VEX)
        passed = first.face >= 4
        second = decision.tray.d6("save", why="test", fighter=VEX)
        if passed and second.face <= 2:
            leaves(decision, 6 if first.face == 6 else 4)
        else:
            leaves(decision, 0)

    assert walked(step)[0] == [(0, Fraction(5, 6)), (4, Fraction(1, 9)), (6, Fraction(1, 18))]


def test_two_dice_are_added_before_they_are_distinguished() -> None:
    def step(decision: Decision) -> None:
        leaves(decision, 1 if decision.tray.two_d6("cool", why="test", fighter=VEX).total >= 7 else 0)

    assert walked(step) == ([(0, Fraction(15, 36)), (1, Fraction(21, 36))], 2)


def test_dice_of_one_throw_and_of_another_are_compared() -> None:
    def step(decision: Decision) -> None:
        mine, theirs = (decision.tray.d6("wound", why="test", fighter=VEX).face for _ in range(2))
        leaves(decision, 1 if mine > theirs else 0)

    assert walked(step)[0] == [(0, Fraction(21, 36)), (1, Fraction(15, 36))]


QUESTIONS = ("at least", "is", "above", "even", "sum")
PROGRAMS = st.lists(
    st.tuples(st.sampled_from(("throw", *QUESTIONS)), st.integers(0, 3), st.integers(1, 6)), max_size=9
)


def carried_out(program: Sequence[tuple[str, int, int]], throw: Callable[[], int]) -> int:
    """Any tangle of throws and questions, each of which may decide whether the next throw is made."""
    faces, answers = [throw()], 1
    for what, which, number in program:
        face, second = faces[which % len(faces)], faces[number % len(faces)]
        if what == "throw":
            if answers % 2 and len(faces) < 4:
                faces.append(throw())
            continue
        answered = (
            face >= number
            if what == "at least"
            else face == number
            if what == "is"
            else face > second
            if what == "above"
            else face % 2 == 0
            if what == "even"
            else face + second - number <= 5
        )
        answers = answers * 2 + bool(answered)
    return answers


@settings(max_examples=60)
@given_programs(PROGRAMS)
def test_any_tangle_of_questions_is_walked_exactly(program: list[tuple[str, int, int]]) -> None:
    expected: defaultdict[int, Fraction] = defaultdict(Fraction)
    for faces in product(range(1, 7), repeat=4):
        expected[carried_out(program, iter(faces).__next__)] += Fraction(1, 6**4)

    def step(decision: Decision) -> None:
        leaves(
            decision, carried_out(program, lambda: decision.tray.d6("wound", why="test", fighter=VEX).face)
        )

    assert walked(step)[0] == sorted(expected.items())


def test_a_roll_made_again_until_it_stands_is_exact() -> None:
    def step(decision: Decision) -> None:
        while True:
            decision.merge_point("again")
            face = decision.tray.d6("wound", why="test", fighter=VEX).face
            if face > 2:
                break
        leaves(decision, int(face))

    assert walked(step)[0] == [(face, Fraction(1, 4)) for face in (3, 4, 5, 6)]


def test_ways_that_meet_at_a_milestone_go_on_as_one() -> None:
    def step(decision: Decision) -> None:
        reached = 0
        for nth in range(12):
            decision.merge_point(nth, reached)
            reached += decision.tray.d6("wound", why="test", fighter=VEX).face >= 4
        leaves(decision, reached)

    ends, ways = walked(step)
    assert dict(ends)[6] == Fraction(924, 4096)
    assert ways < 200


def test_too_many_ways_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(enumeration, "WORK_MAX", 2_000)
    with pytest.raises(TooManyOutcomes, match=r"more than \d+ outcomes"):
        odds_of(given(), injuries(VEX, dice=12))


# --- as fast as promised ---------------------------------------------------------------------------------


@every(
    "commands",
    [
        (hit(VEX, by=MAGS, strength=4, ap=-1, damage=3),) * 3,
        (shot(traits=("Rapid Fire (3)",), firepower_dice=3),),
    ],
    ids=["three hits", "Rapid Fire (3)"],
)
def test_damage_3_is_exact_in_under_two_seconds(commands: tuple[records.Command, ...]) -> None:
    table = given(card(VEX, armour=MESH, toughness=4, wounds=2))
    began = time.process_time()
    found = odds_of(table, *commands)
    assert time.process_time() - began < 2
    assert sum(chance for _, chance in found.together) == 1
