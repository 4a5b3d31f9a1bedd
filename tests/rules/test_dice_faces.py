"""Faces of the dice: D6, D3, 2D6, D66, Injury dice, Firepower and Scatter dice, and how each is typed."""

from itertools import product

import pytest
from tables import every

from tracker.dice import D3, D6, D66, TWO_D6, DiceTray, Die, ImpossibleFace, read_die
from tracker.rules import loader

INJURY_DIE = loader.book("necromunda_2023").injury_dice["two_three_one"]


@every("given", [4, "4", " 4 "])
def test_a_d6_is_read_as_number_or_text(given: object) -> None:
    assert read_die("wound", D6, given) == Die(purpose="wound", die=D6, faces=(4,))


@every("given", [0, 7, -1, "0", "7", "four", "", "1-2", 4.0, True, None, [4], "٣"])
def test_a_d6_shows_nothing_but_one_to_six(given: object) -> None:
    with pytest.raises(ImpossibleFace):
        read_die("wound", D6, given)


def test_a_d3_is_typed_as_its_result_1_2_or_3() -> None:
    assert [read_die("lesson_learned", D3, face).faces for face in (1, "2", 3)] == [(1,), (2,), (3,)]


@every("given", [0, 4, 6, "4"])
def test_a_d3_shows_nothing_but_one_to_three(given: object) -> None:
    with pytest.raises(ImpossibleFace):
        read_die("lesson_learned", D3, given)


@every("given", ["3+4", "3-4", [3, 4], (3, 4)])
def test_2d6_are_two_dice_added(given: object) -> None:
    die = read_die("nerve", TWO_D6, given)
    assert (die.faces, die.total) == ((3, 4), 7)


@every("given", [7, "7", "0+7", [3], [3, 4, 5], "3+", None])
def test_2d6_show_no_total_and_no_number_that_two_dice_cannot(given: object) -> None:
    with pytest.raises(ImpossibleFace):
        read_die("nerve", TWO_D6, given)


@every("given", [46, "46", "4-6", "4 6", [4, 6], (4, 6)])
def test_a_d66_is_two_dice_tens_first(given: object) -> None:
    die = read_die("lasting_injury", D66, given)
    assert die == Die(purpose="lasting_injury", die=D66, faces=(4, 6))
    assert die.cell == "46"


def test_a_d66_has_thirty_six_results() -> None:
    readable = []
    for number in range(100):
        try:
            readable.append(read_die("lasting_injury", D66, number).faces)
        except ImpossibleFace:
            continue
    assert readable == list(product(range(1, 7), repeat=2))


@every("given", [17, 20, 10, 67, 70, "1-7", [0, 1], [4], [4, 6, 1], [4, True], "4-", None])
def test_a_d66_shows_no_number_that_two_dice_cannot(given: object) -> None:
    with pytest.raises(ImpossibleFace):
        read_die("lasting_injury", D66, given)


@every("given", ["hobbled", "Hobbled", " hobbled "])
def test_a_row_may_be_named_instead_of_a_d66(given: str) -> None:
    die = read_die("lasting_injury", D66, given)
    assert die == Die(purpose="lasting_injury", die=D66, symbol="hobbled")
    assert die.cell is None


@every(
    ("given", "symbol"),
    [
        ("flesh", "flesh_wound"),
        ("Flesh Wound", "flesh_wound"),
        ("SI", "serious_injury"),
        ("serious-injury", "serious_injury"),
        ("ooa", "out_of_action"),
        ("Out of Action", "out_of_action"),
    ],
)
def test_an_injury_die_is_read_by_its_picture(given: str, symbol: str) -> None:
    assert read_die("injury", "injury", given, special=INJURY_DIE) == Die(
        purpose="injury", die="injury", symbol=symbol
    )


def test_an_injury_die_has_two_flesh_wounds_three_serious_injuries_and_one_out_of_action() -> None:
    shown = []
    for face in range(1, 7):
        tray = DiceTray([read_die("injury", "injury", face, special=INJURY_DIE)])
        shown.append(tray.special(INJURY_DIE, "injury", why="test").symbol)
    assert shown == ["flesh_wound"] * 2 + ["serious_injury"] * 3 + ["out_of_action"]


def test_the_older_injury_die_has_three_two_and_one() -> None:
    older = loader.book("necromunda_2023").injury_dice["three_two_one"]
    assert older.symbols == ("flesh_wound",) * 3 + ("serious_injury",) * 2 + ("out_of_action",)


@every("given", [0, 7, "dead", "", True])
def test_an_injury_die_shows_no_other_picture(given: object) -> None:
    with pytest.raises(ImpossibleFace):
        read_die("injury", "injury", given, special=INJURY_DIE)


def test_the_firepower_die_shows_two_single_holes_one_with_ammo_two_doubles_and_a_triple() -> None:
    symbols = loader.rulebook("necromunda_2023", ()).special_die("firepower").symbols
    assert symbols == ("one_hole", "one_hole", "ammo", "two_holes", "two_holes", "three_holes")


def test_the_scatter_die_shows_four_arrows_and_two_hits() -> None:
    symbols = loader.rulebook("necromunda_2023", ()).special_die("scatter").symbols
    assert symbols == ("arrow", "arrow", "arrow", "arrow", "hit", "hit")


def test_a_slip_in_a_symbol_is_answered_with_a_question_and_no_full_stop_behind_it() -> None:
    dice = loader.rulebook("necromunda_2023", ())
    with pytest.raises(ImpossibleFace) as refused:
        read_die("injury", "injury", "seriuos", special=dice.special_die("injury"))
    assert refused.value.message().endswith("?")
    with pytest.raises(ImpossibleFace) as refused:
        read_die("wound", "D6", 7)
    assert refused.value.message().endswith("1 to 6.")
