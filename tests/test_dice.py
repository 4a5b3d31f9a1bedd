"""Dice: what can be read off the table, what a tray hands out, and what it refuses by name."""

from itertools import product

import pytest
from tables import every

from tracker.dice import D3, D6, D66, DiceLeftOver, DiceNeeded, DiceTray, Die, ImpossibleFace, read_die
from tracker.rules import loader

INJURY_DIE = loader.book("necromunda_2023").injury_dice["two_three_one"]


@every("given", [4, "4", " 4 "])
def test_a_d6_is_read_as_number_or_text(given: object) -> None:
    assert read_die("wound", D6, given) == Die(purpose="wound", die=D6, faces=(4,))


@every("given", [0, 7, -1, "0", "7", "four", "", "1-2", 4.0, True, None, [4], "٣"])
def test_a_d6_shows_nothing_but_one_to_six(given: object) -> None:
    with pytest.raises(ImpossibleFace):
        read_die("wound", D6, given)


@every("given", [0, 4, 6, "4"])
def test_a_d3_is_typed_as_its_result_one_to_three(given: object) -> None:
    with pytest.raises(ImpossibleFace):
        read_die("lesson_learned", D3, given)


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


def _die(purpose: str, face: int, fighter: str | None = None) -> Die:
    return Die(purpose=purpose, die=D6, faces=(face,), fighter=fighter)


def test_dice_are_handed_out_by_purpose_in_the_order_given() -> None:
    tray = DiceTray([_die("save", 2), _die("wound", 4), _die("wound", 5)])
    faces = [tray.d6(purpose, why="test").face for purpose in ("wound", "wound", "save")]
    assert faces == [4, 5, 2]
    assert [die.face for die in tray.handed_out] == [4, 5, 2]
    tray.finish()


def test_a_typed_die_becomes_the_die_of_the_fighter_it_is_rolled_for() -> None:
    tray = DiceTray([_die("wound", 4)])
    assert tray.d6("wound", why="test", fighter="vex") == _die("wound", 4, "vex")
    assert tray.handed_out == (_die("wound", 4, "vex"),)


def test_a_die_of_one_fighter_never_goes_to_another() -> None:
    tray = DiceTray([_die("old_battle_wound", 1, "vex"), _die("old_battle_wound", 5, "krug")])
    assert tray.d6("old_battle_wound", why="test", fighter="krug").face == 5
    with pytest.raises(DiceNeeded):
        tray.d6("old_battle_wound", why="test", fighter="krug")
    assert tray.waiting == (_die("old_battle_wound", 1, "vex"),)


def test_a_missing_die_is_named_with_purpose_fighter_and_reason() -> None:
    with pytest.raises(DiceNeeded) as refused:
        DiceTray().d66("lasting_injury", why="Lasting Injury roll", fighter="vex")
    facts = refused.value.facts()
    assert {name: fact for name, fact in facts.items() if fact} == {
        "kind": "D66",
        "purpose": "lasting_injury",
        "die": "D66",
        "fighter": "vex",
        "why": "Lasting Injury roll",
    }
    assert facts.keys() > {"name", "needed", "rolled"}


def test_a_die_that_no_rule_asked_for_is_left_over() -> None:
    tray = DiceTray([_die("save", 2)])
    with pytest.raises(DiceLeftOver) as refused:
        tray.finish()
    assert refused.value.left == (_die("save", 2),)


def test_only_dice_that_nobody_typed_are_rolled() -> None:
    asked = []

    def roller(sides: int) -> int:
        asked.append(sides)
        return 2

    tray = DiceTray([_die("wound", 4)], roller=roller)
    assert tray.d6("wound", why="test").source == "typed"
    assert tray.d6("wound", why="test") == Die(purpose="wound", die=D6, faces=(2,), source="generated")
    assert tray.d66("lasting_injury", why="test").faces == (2, 2)
    assert tray.d3("lesson_learned", why="test").faces == (2,)
    assert tray.special(INJURY_DIE, "injury", why="test").symbol == "flesh_wound"
    assert asked == [6, 6, 6, 3, 6]


def test_a_slip_in_a_symbol_is_answered_with_a_question_and_no_full_stop_behind_it() -> None:
    dice = loader.rulebook("necromunda_2023", ())
    with pytest.raises(ImpossibleFace) as refused:
        read_die("injury", "injury", "seriuos", special=dice.special_die("injury"))
    assert refused.value.message().endswith("?")
    with pytest.raises(ImpossibleFace) as refused:
        read_die("wound", "D6", 7)
    assert refused.value.message().endswith("1 to 6.")
