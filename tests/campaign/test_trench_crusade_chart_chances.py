"""The Injury Chart, every way its dice can fall decided once, against the counts worked out beforehand."""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product

from scenario import Table
from tables import every
from trench_scenario import ODO, added, chart, given, injury, model, said, with_markers

from tracker.campaign import records
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.dice import DiceTray
from tracker.rules import loader

RESULTS = ("no_effect", "minor_hit", "down", "out_of_action")


def ends(table: Table, command: records.RollInjuryChart, *, dice: int, apart: int = 0) -> tuple[int, ...]:
    """How often the chart shows none, Minor Hit, Down and Out of Action over all faces of so many dice."""
    counts: Counter[str] = Counter()
    for faces in product(range(1, 7), repeat=dice + apart):
        tray = DiceTray((*chart(*faces[:dice]), *(added(face) for face in faces[dice:])))
        judged = decide_keeping_spare_dice(table.state, command, tray, loader.rulebook, entry=1)
        assert not tray.waiting
        (read,) = [decided.event for decided in judged.events if isinstance(decided.event, records.ChartRead)]
        counts[read.result] += 1
    assert counts.total() == 6 ** (dice + apart)
    return tuple(counts[result] for result in RESULTS)


def odo(**changes: object) -> Table:
    return given(model(ODO, **changes))


# What is rolled, the counts in the order of RESULTS, and how to ask for it.
ROWS: list[
    tuple[str, int, tuple[int, int, int, int], Callable[[], tuple[Table, records.RollInjuryChart]]]
] = [
    ("2D6", 2, (0, 15, 11, 10), lambda: (odo(), injury(ODO))),
    ("2D6, -1 armour", 2, (1, 20, 9, 6), lambda: (odo(armour_modifier=-1), injury(ODO))),
    ("2D6, -2 armour", 2, (3, 23, 7, 3), lambda: (odo(armour_modifier=-2), injury(ODO))),
    ("2D6, -3 armour", 2, (6, 24, 5, 1), lambda: (odo(armour_modifier=-3), injury(ODO))),
    ("2D6 +1 DICE", 3, (0, 42, 61, 113), lambda: (odo(), injury(ODO, plus_dice=("a",)))),
    (
        "2D6 +1 DICE, -1 armour",
        3,
        (1, 68, 70, 77),
        lambda: (odo(armour_modifier=-1), injury(ODO, plus_dice=("a",))),
    ),
    ("2D6 -1 DICE", 3, (0, 147, 46, 23), lambda: (odo(), injury(ODO, minus_dice=("a",)))),
    ("2D6 +2 DICE", 4, (0, 117, 279, 900), lambda: (odo(), injury(ODO, plus_dice=("a", "b")))),
    (
        "3D6 (Bloodbath)",
        3,
        (0, 20, 36, 160),
        lambda: (with_markers(odo(), ODO, 6), injury(ODO, bloodbath=True)),
    ),
    ("3D6 +1 DICE", 4, (0, 36, 100, 1160), lambda: (odo(), injury(ODO, pool=3, plus_dice=("a",)))),
    ("3D6 -1 DICE", 4, (0, 300, 332, 664), lambda: (odo(), injury(ODO, pool=3, minus_dice=("a",)))),
    ("3D6, -3 armour", 3, (4, 77, 54, 81), lambda: (odo(armour_modifier=-3), injury(ODO, pool=3))),
    ("2D6 -2 DICE", 4, (0, 1071, 173, 52), lambda: (odo(), injury(ODO, minus_dice=("a", "b")))),
    ("1D6", 1, (1, 5, 0, 0), lambda: (odo(), injury(ODO, pool=1))),
    ("1D6 +1 DICE", 2, (1, 35, 0, 0), lambda: (odo(), injury(ODO, pool=1, plus_dice=("a",)))),
]


@cache
def ends_of_row(place: int) -> tuple[int, ...]:
    """The ends of one row, counted once."""
    _, dice, _, asked = ROWS[place]
    table, command = asked()
    return ends(table, command, dice=dice)


@every("place", range(len(ROWS)), ids=[row[0] for row in ROWS])
def test_every_fall_of_the_dice_is_read_as_often_as_counted(place: int) -> None:
    assert ends_of_row(place) == ROWS[place][2]


def test_the_other_reading_of_bloodbath_keeps_two_and_adds_a_die_apart() -> None:
    table = with_markers(given(knobs={"bloodbath.extra_die": "separate_die"}), ODO, 6)
    command = injury(ODO, bloodbath=True, plus_dice=("a",))
    assert ends(table, command, dice=3, apart=1) == (0, 39, 111, 1146)


def test_bloodbath_in_the_pool_with_1_more_die_is_3d6_with_1_more() -> None:
    table = with_markers(given(), ODO, 6)
    assert ends(table, injury(ODO, bloodbath=True, plus_dice=("a",)), dice=4) == (0, 36, 100, 1160)


def test_bloodbath_on_a_model_that_is_down_is_one_die_more_still() -> None:
    table = with_markers(given(), ODO, 2).when(said("down", ODO))
    assert ends(table, injury(ODO, bloodbath=True), dice=4) == (0, 36, 100, 1160)


def test_the_chances_are_kept_to_be_read(golden: Callable[[str, str], None]) -> None:
    lines = ["The Injury Chart: ways to fall into each result", ""]
    lines.append(f"{'':24}{'No Effect':>12}{'Minor Hit':>12}{'Down':>12}{'Out of Action':>16}{'of':>8}")
    for place, (name, dice, _, _) in enumerate(ROWS):
        counts = ends_of_row(place)
        shown = "".join(f"{count:>{wide}}" for count, wide in zip(counts, (12, 12, 12, 16), strict=True))
        out = Fraction(counts[-1], 6**dice)
        lines.append(f"{name:24}{shown}{6**dice:>8}   Out of Action {float(out):.4%}")
    golden("distributions/injury_chart_trench_crusade.txt", "\n".join(lines) + "\n")
