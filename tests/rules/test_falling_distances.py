"""Falling: which hit a distance brings."""

from fractions import Fraction
from math import ceil

from tables import every

from tracker.rules import loader
from tracker.rules.necromunda.falls import fall_hit

PRINTED = loader.rulebook("necromunda_2023", [])
ROUNDED = loader.rulebook("necromunda_2023", [("of-this-table@1", {"falling.threshold": "rounded_distance"})])

# The printed table: distance in whole inches, then Strength, AP, Damage.
BY_WHOLE_INCH = {
    **dict.fromkeys((3, 4, 5), (3, 0, 1)),
    **dict.fromkeys((6, 7), (5, -1, 1)),
    **dict.fromkeys((8, 9), (7, -2, 2)),
    **dict.fromkeys((10, 11, 12, 13, 14, 15), (9, -3, 3)),
}


def numbers(hundredths: int, rulebook=PRINTED) -> tuple[int, int, int] | None:
    band = fall_hit(hundredths, rulebook=rulebook)
    return band and (band.strength, band.armour_penetration, band.damage)


def test_every_fall_from_0_to_15_inches_is_rounded_up_to_its_row() -> None:
    for hundredths in range(1501):
        inches = ceil(Fraction(hundredths, 100))
        expected = BY_WHOLE_INCH[inches] if hundredths >= 300 else None
        assert numbers(hundredths) == expected, hundredths


@every(
    ("hundredths", "expected"),
    [
        (0, None),
        (299, None),
        (300, (3, 0, 1)),
        (500, (3, 0, 1)),
        (501, (5, -1, 1)),
        (700, (5, -1, 1)),
        (701, (7, -2, 2)),
        (900, (7, -2, 2)),
        (901, (9, -3, 3)),
        (1000, (9, -3, 3)),
        (100_00, (9, -3, 3)),
    ],
)
def test_a_fall_just_over_a_row_is_the_next_row(
    hundredths: int, expected: tuple[int, int, int] | None
) -> None:
    assert numbers(hundredths) == expected


@every(("hundredths", "hurts"), [(200, False), (201, True), (299, True), (300, True)])
def test_a_table_may_read_the_threshold_after_rounding(hundredths: int, hurts: bool) -> None:
    assert numbers(hundredths, ROUNDED) == ((3, 0, 1) if hurts else None)
