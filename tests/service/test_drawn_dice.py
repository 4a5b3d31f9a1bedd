"""Dice that a ruling says the tool drew: each stands for one that fell so, and for no other."""

from tracker.dice import Die, read_die
from tracker.service import drawn_dice


def wound(face: int) -> Die:
    return read_die("wound", "D6", str(face))


def test_each_die_that_is_said_to_have_been_drawn_is_one_that_fell_so() -> None:
    known = [wound(5), wound(2), wound(5)]
    for said, others in (
        ([], []),
        ([5, 5, 2], []),
        ([3], [3]),
        ([2, 2], [2]),
        ([5, 6, 5, 5], [6, 5]),
    ):
        assert drawn_dice._not_among([wound(face) for face in said], known) == [
            wound(face) for face in others
        ]
    assert drawn_dice._not_among([wound(1)], []) == [wound(1)]
