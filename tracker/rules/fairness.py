"""Fairness: how well counted faces fit the die they are said to be of.

Knows counts and weights. Knows no person, no campaign and no book: a die is the weights of its results, 1 for
each face of a D6, and for a special die the number of faces with each symbol.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from math import comb, erfc, exp, factorial, isqrt, lgamma, log, pi, prod, sqrt
from typing import Final, Literal, TypeAlias

from tracker.records import Record

EXACT_MAX: Final = 100
"""Up to this many rolls the test is exact; beyond, it is chi-squared."""
LEVEL: Final = 0.05
"""How often a report on fair dice may call a sample worth a look."""
POWER_MIN: Final = 0.5
"""With a smaller chance to notice a `LEAN` there are too few rolls to tell."""
LEAN: Final = 1.5
"""The lean that power is computed for: one face falls half as often again as it should."""
_PRIOR: Final = 10
"""The prior of the e-process for a die that is not fair: the scatter of this many rolls of each face."""

Word: TypeAlias = Literal["as expected", "worth a look", "too few to tell"]


class Sample(Record):
    """How often each face or symbol fell, and how many faces of the die show it."""

    counts: tuple[int, ...]
    weights: tuple[int, ...]

    @property
    def rolls(self) -> int:
        """The number of rolls."""
        return sum(self.counts)

    @property
    def expected(self) -> tuple[float, ...]:
        """How often each would fall on average."""
        return tuple(self.rolls * weight / sum(self.weights) for weight in self.weights)


class Assessment(Record):
    """The assessment of one sample among several.

    `p` and `p_holm` are valid for one look: the chance of faces as unlikely as these from a fair die, and
    that chance corrected for the number of samples (Holm). `e` may be looked at after every roll: for a fair
    die the chance that it ever reaches N is at most 1 in N. `power` is the chance to notice a `LEAN`.
    """

    sample: Sample
    exact: bool
    p: float
    p_holm: float
    e: float
    live: Word
    test: Word
    power: float


def assess(samples: Mapping[str, Sample]) -> dict[str, Assessment]:
    """Every sample of one report, corrected for their number."""
    p_values = [p_value(sample.counts, sample.weights) for sample in samples.values()]
    together = holm(p_values)
    level = LEVEL / max(1, len(samples))
    assessed = {}
    for (name, sample), p, p_holm in zip(samples.items(), p_values, together, strict=True):
        logarithm = log_e(sample.counts, sample.weights)
        power = power_of(sample.rolls, sample.weights, level=level)
        assessed[name] = Assessment(
            sample=sample,
            exact=sample.rolls <= EXACT_MAX,
            p=p,
            p_holm=p_holm,
            e=exp(min(logarithm, 700.0)),
            live=_word(stands_out=logarithm >= -log(level), power=power),
            test=_word(stands_out=p_holm < LEVEL, power=power),
            power=power,
        )
    return assessed


def _word(*, stands_out: bool, power: float) -> Word:
    if stands_out:
        return "worth a look"
    return "as expected" if power >= POWER_MIN else "too few to tell"


def p_value(counts: Sequence[int], weights: Sequence[int]) -> float:
    """The chance of counts no likelier than these from a fair die."""
    rolls = sum(counts)
    if rolls <= EXACT_MAX:
        ways, all_ways = exact_p(counts, weights)
        return ways / all_ways
    return chi_squared_tail(chi_squared(counts, weights), len(weights) - 1)


# --- the exact test -----------------------------------------------------------------------------------------


def exact_p(counts: Sequence[int], weights: Sequence[int]) -> tuple[int, int]:
    """The exact multinomial test: the share of all ways whose counts are no likelier than these."""
    by_weight = sorted(zip(weights, counts, strict=True))
    return _exact_p(tuple(count for _, count in by_weight), tuple(weight for weight, _ in by_weight))


def _exact_p(counts: tuple[int, ...], weights: tuple[int, ...]) -> tuple[int, int]:
    rolls = sum(counts)
    ways = factorial(rolls) // prod(map(factorial, counts))
    ways *= prod(weight**count for weight, count in zip(weights, counts, strict=True))
    kinds = tuple((weight, weights.count(weight)) for weight in sorted(set(weights)))
    as_unlikely = sum(
        multiplicity * its_ways for its_ways, multiplicity in _outcomes(rolls, kinds) if its_ways <= ways
    )
    return as_unlikely, sum(weights) ** rolls


def _outcomes(rolls: int, kinds: tuple[tuple[int, int], ...]) -> Iterator[tuple[int, int]]:
    """Each class of outcomes as the ways of one outcome and the number of outcomes that only permute faces of
    equal weight. `kinds` are weights, each with its number of faces.
    """
    (weight, faces), *rest = kinds
    for shared in (rolls,) if not rest else range(rolls + 1):
        chosen = comb(rolls, shared) * weight**shared
        for inner, multiplicity in _partitions(shared, faces, shared, factorial(faces), 0):
            if not rest:
                yield chosen * inner, multiplicity
                continue
            for other, other_multiplicity in _outcomes(rolls - shared, tuple(rest)):
                yield chosen * inner * other, multiplicity * other_multiplicity


def _partitions(left: int, faces: int, most: int, arrangements: int, run: int) -> Iterator[tuple[int, int]]:
    """Every way to share rolls among interchangeable faces, the most frequent first: the number of orders,
    and of arrangements of the faces. `run` faces before have `most` each.
    """
    if faces == 1:
        if left <= most:
            yield 1, arrangements // (run + 1 if left == most and run else 1)
        return
    for first in range(min(left, most), -(-left // faces) - 1, -1):
        same = run + 1 if first == most and run else 1
        chosen = comb(left, first)
        for orders, of_the_rest in _partitions(left - first, faces - 1, first, arrangements // same, same):
            yield chosen * orders, of_the_rest


# --- chi-squared --------------------------------------------------------------------------------------------


def chi_squared(counts: Sequence[int], weights: Sequence[int]) -> float:
    """Pearson's statistic."""
    rolls, of = sum(counts), sum(weights)
    return sum(
        (count * of - rolls * weight) ** 2 / (rolls * weight * of)
        for count, weight in zip(counts, weights, strict=True)
    )


def chi_squared_tail(statistic: float, freedom: int) -> float:
    """The chance of at least this statistic; closed form for whole degrees of freedom."""
    half = statistic / 2
    if half <= 0 or not freedom:
        return 1.0
    if freedom % 2 == 0:
        terms = accumulate(range(1, freedom // 2), lambda term, k: term * half / k, initial=exp(-half))
        return min(1.0, sum(terms))
    first = exp(-half) * sqrt(half) * 2 / sqrt(pi)
    terms = accumulate(range(1, freedom // 2), lambda term, k: term * half / (k + 0.5), initial=first)
    return min(1.0, erfc(sqrt(half)) + (sum(terms) if freedom > 1 else 0.0))


# --- several tests ------------------------------------------------------------------------------------------


def holm(p_values: Sequence[float]) -> list[float]:
    """Holm's correction: the chance that any of these p is as small by luck."""
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    scaled = [p_values[place] * (len(order) - rank) for rank, place in enumerate(order)]
    rising = accumulate(scaled, max)
    adjusted = dict(zip(order, rising, strict=True))
    return [min(1.0, adjusted[place]) for place in range(len(p_values))]


# --- looking after every roll -------------------------------------------------------------------------------


def log_e(counts: Sequence[int], weights: Sequence[int]) -> float:
    """The logarithm of the e-value: how much better dice of unknown lean explain these rolls than fair ones.

    A Dirichlet-multinomial mixture against the fair die is a test martingale: however often somebody looks,
    the chance that a fair die ever reaches N is at most 1 in N.
    """
    of = sum(weights)
    prior = [_PRIOR * len(weights) * weight / of for weight in weights]
    mixed = lgamma(sum(prior)) - lgamma(sum(prior) + sum(counts))
    mixed += sum(lgamma(alpha + count) - lgamma(alpha) for alpha, count in zip(prior, counts, strict=True))
    return mixed - sum(count * log(weight / of) for count, weight in zip(counts, weights, strict=True))


# --- power --------------------------------------------------------------------------------------------------


def power_of(rolls: int, weights: Sequence[int], *, level: float) -> float:
    """The chance that the chi-squared test notices a die whose rarest face falls `LEAN` times as often."""
    of = sum(weights)
    fair = [weight / of for weight in weights]
    leaning = min(fair)
    others = (1 - LEAN * leaning) / (1 - leaning)
    apart = (leaning * (LEAN - 1)) ** 2 / leaning
    apart += sum((share * (1 - others)) ** 2 / share for share in fair) - leaning * (1 - others) ** 2
    freedom = len(weights) - 1
    return _noncentral_tail(_critical(freedom, level), freedom, rolls * apart)


def _critical(freedom: int, level: float) -> float:
    """The statistic that a fair die exceeds with the chance `level`."""
    low, high = 0.0, 1.0
    while chi_squared_tail(high, freedom) > level:
        high *= 2
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if chi_squared_tail(middle, freedom) > level else (low, middle)
    return high


def _noncentral_tail(statistic: float, freedom: int, apart: float) -> float:
    """The tail of the noncentral chi-squared distribution: a Poisson mixture of the central ones."""
    half = apart / 2
    widest = isqrt(int(half) + 1) * 10 + 20
    terms = range(max(0, int(half) - widest), int(half) + widest)
    return min(
        1.0,
        sum(
            exp(k * log(half) - half - lgamma(k + 1)) * chi_squared_tail(statistic, freedom + 2 * k)
            for k in terms
        )
        if half
        else chi_squared_tail(statistic, freedom),
    )
