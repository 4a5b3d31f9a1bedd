"""The dice tray: dice are handed out by purpose and fighter; the missing and the left over are named."""

import pytest

from tracker.dice import D6, DiceLeftOver, DiceNeeded, DiceTray, Die
from tracker.rules import loader

INJURY_DIE = loader.book("necromunda_2023").injury_dice["two_three_one"]


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
