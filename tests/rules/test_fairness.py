"""Whether counted faces fit a die: exact by full enumeration, tails and Holm by published values."""

import random
from itertools import product
from math import exp, factorial, log

import pytest
from tables import every

from tracker.rules import fairness
from tracker.rules.fairness import Sample, assess

D6 = (1,) * 6
INJURY = (3, 2, 1)
"""A special die that shows one symbol on three faces, one on two, one on the last."""


def ways_of(counts: tuple[int, ...], weights: tuple[int, ...]) -> int:
    ways = factorial(sum(counts))
    for count, weight in zip(counts, weights, strict=True):
        ways = ways // factorial(count) * weight**count
    return ways


def enumerated(counts: tuple[int, ...], weights: tuple[int, ...]) -> tuple[int, int]:
    """The exact test by going through every outcome there is."""
    rolls = sum(counts)
    outcomes = (counted for counted in product(range(rolls + 1), repeat=len(counts)) if sum(counted) == rolls)
    as_unlikely = sum(
        ways for outcome in outcomes if (ways := ways_of(outcome, weights)) <= ways_of(counts, weights)
    )
    return as_unlikely, sum(weights) ** rolls


@every("weights", [D6, (1, 1, 1), INJURY, (2, 2, 1, 1), (1, 2, 1, 1, 1)], ids=str)
def test_the_exact_test_counts_every_outcome_no_likelier(weights: tuple[int, ...]) -> None:
    drawn = random.Random(6)
    for rolls in (0, 1, 2, 5, 7):
        fallen = drawn.choices(range(len(weights)), k=rolls)
        counts = tuple(fallen.count(face) for face in range(len(weights)))
        assert fairness.exact_p(counts, weights) == enumerated(counts, weights)


def test_all_outcomes_together_are_all_ways_that_dice_fall() -> None:
    # The likeliest outcome is no likelier than itself: every other one is counted.
    assert fairness.exact_p((10, 10, 10, 10, 10, 10), D6) == (6**60, 6**60)
    assert fairness.exact_p((30, 20, 10), INJURY) == (6**60, 6**60)


def test_ten_sixes_in_ten_rolls_are_six_ways_in_all() -> None:
    assert fairness.exact_p((0, 0, 0, 0, 0, 10), D6) == (6, 6**10)


@every(
    ("freedom", "five_percent", "one_percent"),
    # Any printed table of chi-squared.
    [(1, 3.841, 6.635), (2, 5.991, 9.210), (3, 7.815, 11.345), (4, 9.488, 13.277), (5, 11.070, 15.086)],
)
def test_the_tail_of_chi_squared_is_that_of_the_printed_tables(
    freedom: int, five_percent: float, one_percent: float
) -> None:
    assert fairness.chi_squared_tail(five_percent, freedom) == pytest.approx(0.05, abs=5e-5)
    assert fairness.chi_squared_tail(one_percent, freedom) == pytest.approx(0.01, abs=5e-5)
    assert fairness.chi_squared_tail(0, freedom) == 1


def test_weldons_dice_of_1894_do_not_look_fair() -> None:
    # 315,672 throws, 106,602 of them a five or six (Pearson 1900): chi-squared 27.06 on one degree of freedom.
    counts, weights = (315_672 - 106_602, 106_602), (2, 1)
    assert fairness.chi_squared(counts, weights) == pytest.approx(27.06, abs=0.01)
    assert fairness.p_value(counts, weights) == pytest.approx(1.98e-7, rel=0.01)


def test_exact_and_chi_squared_meet_where_one_takes_over() -> None:
    counts = (10, 12, 15, 18, 20, 25)
    ways, of = fairness.exact_p(counts, D6)
    tail = fairness.chi_squared_tail(fairness.chi_squared(counts, D6), 5)
    assert sum(counts) == fairness.EXACT_MAX
    assert ways / of == pytest.approx(tail, rel=0.15)


def test_holm_multiplies_the_smallest_by_all_and_never_falls() -> None:
    # 0.005 x 4, 0.01 x 3, 0.03 x 2, then 0.04 x 1 rises to the one before it.
    assert fairness.holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert fairness.holm([0.7, 0.9]) == [1.0, 1.0]
    assert fairness.holm([]) == []


@every("weights", [D6, INJURY], ids=str)
def test_the_e_value_of_a_fair_die_is_one_on_average(weights: tuple[int, ...]) -> None:
    """So is every product of bets on a fair die: what makes it safe to look at after each roll."""
    rolls = 4
    total = 0.0
    for faces in product(range(len(weights)), repeat=rolls):
        counts = [faces.count(face) for face in range(len(weights))]
        likely = 1.0
        for face in faces:
            likely *= weights[face] / sum(weights)
        total += likely * exp(fairness.log_e(counts, weights))
    assert total == pytest.approx(1)


def test_looking_after_every_roll_seldom_cries_wolf() -> None:
    drawn = random.Random(20)
    false = 0
    for _ in range(120):
        counts = [0] * 6
        for face in drawn.choices(range(6), k=200):
            counts[face] += 1
            if fairness.log_e(counts, D6) >= -log(fairness.LEVEL):
                false += 1
                break
    assert false / 120 <= fairness.LEVEL


def test_a_die_that_leans_far_is_worth_a_look_and_a_fair_one_as_expected() -> None:
    leaning, fair = Sample(counts=(70, 70, 70, 70, 70, 150), weights=D6), Sample(counts=(83,) * 6, weights=D6)
    assessed = assess({"leans": leaning, "fair": fair})
    assert (assessed["leans"].live, assessed["leans"].test) == ("worth a look", "worth a look")
    assert (assessed["fair"].live, assessed["fair"].test) == ("as expected", "as expected")
    assert not assessed["fair"].exact
    assert assessed["leans"].p_holm == pytest.approx(2 * assessed["leans"].p)


def test_few_rolls_are_said_to_be_too_few() -> None:
    (assessment,) = assess({"few": Sample(counts=(3, 2, 4, 3, 1, 2), weights=D6)}).values()
    assert (assessment.live, assessment.test, assessment.exact) == (
        "too few to tell",
        "too few to tell",
        True,
    )
    assert assessment.power < 0.2


def test_the_more_samples_the_stricter() -> None:
    lucky = Sample(counts=(4, 4, 4, 4, 4, 16), weights=D6)
    (alone,) = assess({"lucky": lucky}).values()
    among = assess(
        {"lucky": lucky, **{str(number): Sample(counts=(6,) * 6, weights=D6) for number in range(30)}}
    )
    assert alone.test == "worth a look"
    assert among["lucky"].p == alone.p
    assert among["lucky"].test == "too few to tell"


def test_power_is_about_what_was_simulated() -> None:
    """A six that falls 1 in 4, one of eight samples: 500 rolls find it in 88 of 100 campaigns."""
    assert fairness.power_of(500, D6, level=0.05 / 8) == pytest.approx(0.89, abs=0.05)
    assert fairness.power_of(0, D6, level=0.05) == pytest.approx(0.05, abs=1e-6)
