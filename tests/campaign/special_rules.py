"""What the tests of traits and skills share: every way dice can fall, and the odds beside it."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from scenario import Table

from tracker.campaign import records
from tracker.campaign.conditions import condition_changes, records_in_play
from tracker.campaign.odds.exchange_odds import odds_from
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.dice import DiceNeeded, DiceTray, Die, read_die
from tracker.rules import loader

BY_EACH_FACE = ("headbutt",)
"""Where more is asked of two D6 than their total."""
LASTING = {"lasting_injury": 15, "crew_injury": 21, "lasting_damage": 3}


def dice(book: str = "necromunda_2023", **rolled: Any) -> tuple[Die, ...]:
    """Dice by purpose, one or a list: `dodge=6, injury=["flesh", "serious"]`."""
    purposes = loader.book(book).purposes
    return tuple(
        read_die(purpose, purposes[purpose].die, face, special=purposes[purpose].special)
        for purpose, shown in rolled.items()
        for face in (shown if isinstance(shown, list) else [shown])
    )


def purposes(table: Table) -> list[str]:
    """What was rolled for, in order."""
    return [roll.purpose for roll in table.rolls]


def every_end(table: Table, command: records.Command, model: str) -> dict[tuple[Any, ...], Fraction]:
    """How a model comes out of it in every way the dice can fall, each tried by itself on real dice."""
    return every_ends(table, command, (model,))[model]


def every_ends(
    table: Table, command: records.Command, models: tuple[str, ...]
) -> dict[str, dict[tuple[Any, ...], Fraction]]:
    """The same of several models at once, each for itself."""
    ends: dict[str, defaultdict[tuple[Any, ...], Fraction]] = {
        model: defaultdict(Fraction) for model in models
    }
    waiting: list[tuple[tuple[Die, ...], Fraction]] = [((), Fraction(1))]
    start = records_in_play(table.state)
    while waiting:
        thrown, chance = waiting.pop()
        try:
            judged = decide_keeping_spare_dice(
                table.state, command, DiceTray(thrown), loader.rulebook, entry=1
            )
        except DiceNeeded as needed:
            falls = Counter(_falls(table, needed.purpose, needed.die))
            waiting += [((*thrown, die), chance * count / falls.total()) for die, count in falls.items()]
            continue
        now = records_in_play(judged.state)
        for model in models:
            ends[model][condition_changes(start[model], now[model])] += chance
    return {model: dict(counted) for model, counted in ends.items()}


def _falls(table: Table, purpose: str, die: str) -> Iterator[Die]:
    """Every way that a die can fall; two D6 of one total are alike where only totals are asked of them."""
    special = loader.book(table.state.book).purposes[purpose].special
    if purpose in LASTING:
        yield read_die(purpose, die, LASTING[purpose])  # what lasts moves nothing in the battle
    elif special is not None:
        yield from (read_die(purpose, die, symbol, special=special) for symbol in special.symbols)
    elif die == "2D6":
        for one, other in product(range(1, 7), repeat=2):
            low = one if purpose in BY_EACH_FACE else max(1, one + other - 6)
            yield Die(purpose=purpose, die=die, faces=(low, one + other - low))
    else:
        yield from (Die(purpose=purpose, die=die, faces=(face,)) for face in range(1, int(die[1:]) + 1))


def odds_ends(table: Table, command: records.Command, model: str) -> dict[tuple[Any, ...], Fraction]:
    """The same, as the odds have it."""
    return odds_of_all(table, command, (model,))[model]


def odds_of_all(
    table: Table, command: records.Command, models: tuple[str, ...]
) -> dict[str, dict[tuple[Any, ...], Fraction]]:
    """The same of several models, as the odds have it."""
    found = odds_from(table.state, (command,), loader.rulebook)
    ends = {one.model: dict(one.ends) for one in found.models}
    return {model: ends.get(model, {(): Fraction(1)}) for model in models}


def exactly(table: Table, command: records.Command, model: str) -> dict[tuple[Any, ...], Fraction]:
    """The ends of a model, by every die and by the odds alike."""
    counted = every_end(table, command, model)
    assert sum(counted.values()) == 1
    assert odds_ends(table, command, model) == counted
    return counted


def chance(ends: dict[tuple[Any, ...], Fraction], **now: Any) -> Fraction:
    """How likely it is that these conditions changed to these values."""
    return sum(
        (
            part
            for changes, part in ends.items()
            if {name: after for name, _, after in changes}.items() >= now.items()
        ),
        Fraction(0),
    )


UNHURT: tuple[Any, ...] = ()
