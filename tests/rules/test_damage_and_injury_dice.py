"""3. Inflict Damage: how many Injury dice, and what a batch of them does."""

from itertools import product

from tables import every

from tracker.rules import loader
from tracker.rules.necromunda.injury_dice import (
    InjuryOutcome,
    injury_dice_from_damage,
    lasting_injury_rolls,
    stack_injuries,
)
from tracker.rules.rulebook import Rulebook

BOOK = "necromunda_2023"


def rulebook(**knobs: str) -> Rulebook:
    patch = {name.replace("__", "."): value for name, value in knobs.items()}
    return loader.rulebook(BOOK, [("of-this-table@1", patch)] if patch else [])


PRINTED = rulebook()

# Rows: Wounds left 0 to 4. Columns: Damage 0 to 6.
INJURY_DICE = {
    0: [0, 1, 2, 3, 4, 5, 6],
    1: [0, 1, 2, 3, 4, 5, 6],
    2: [0, 0, 1, 2, 3, 4, 5],
    3: [0, 0, 0, 1, 2, 3, 4],
    4: [0, 0, 0, 0, 1, 2, 3],
}


@every(("wounds_left", "damage"), list(product(range(5), range(7))))
def test_one_injury_die_at_0_wounds_and_one_for_each_further_point(wounds_left: int, damage: int) -> None:
    dice = injury_dice_from_damage(wounds_left=wounds_left, damage=damage, rulebook=PRINTED)
    assert dice == INJURY_DICE[wounds_left][damage]


@every("damage", range(7))
def test_a_table_may_play_one_die_for_a_hit_at_0_wounds(damage: int) -> None:
    one_die = rulebook(damage__at_zero_wounds="one_die")
    assert injury_dice_from_damage(wounds_left=0, damage=damage, rulebook=one_die) == min(damage, 1)
    assert injury_dice_from_damage(wounds_left=1, damage=damage, rulebook=one_die) == INJURY_DICE[1][damage]


def one_die_at_a_time(
    symbols: tuple[str, ...], toughness: int, already: bool, *, further_is_flesh: bool
) -> InjuryOutcome:
    """The rule as one would play it by hand: each die in turn, nothing counted in advance."""
    seriously_injured, flesh, out = already, 0, 0
    for symbol in symbols:
        if symbol == "out_of_action":
            out += 1
        elif symbol == "serious_injury" and not seriously_injured:
            seriously_injured = True
        elif symbol == "flesh_wound" or further_is_flesh:
            flesh += 1
    return InjuryOutcome(
        seriously_injured=seriously_injured and not already,
        flesh_wounds=flesh,
        toughness=max(toughness - flesh, 0),
        out_of_action_dice=out,
    )


SYMBOLS = ("flesh_wound", "serious_injury", "out_of_action")
BATCHES = [batch for size in range(1, 5) for batch in product(SYMBOLS, repeat=size)]


@every("already", [False, True])
@every("toughness", [1, 2, 3, 4])
def test_every_injury_die_is_applied_one_by_one(toughness: int, already: bool) -> None:
    assert len(BATCHES) == 3 + 9 + 27 + 81
    for batch in BATCHES:
        for knob, is_flesh in (("flesh_wound", True), ("nothing", False)):
            outcome = stack_injuries(
                batch,
                toughness=toughness,
                already_seriously_injured=already,
                rulebook=rulebook(injury_dice__further_serious_injury=knob),
            )
            assert outcome == one_die_at_a_time(batch, toughness, already, further_is_flesh=is_flesh), batch
            gone = outcome.out_of_action_dice > 0 or outcome.flesh_wounds >= toughness
            assert outcome.out_of_action is gone


def stacked(*symbols: str, toughness: int = 3, already: bool = False) -> InjuryOutcome:
    words = {"F": "flesh_wound", "S": "serious_injury", "O": "out_of_action"}
    return stack_injuries(
        [words[symbol] for symbol in symbols],
        toughness=toughness,
        already_seriously_injured=already,
        rulebook=PRINTED,
    )


def test_a_second_serious_injury_of_one_roll_is_a_flesh_wound() -> None:
    assert stacked("S", "S") == InjuryOutcome(
        seriously_injured=True, flesh_wounds=1, toughness=2, out_of_action_dice=0
    )


def test_every_serious_injury_is_a_flesh_wound_to_the_seriously_injured() -> None:
    assert stacked("S", "S", already=True) == InjuryOutcome(
        seriously_injured=False, flesh_wounds=2, toughness=1, out_of_action_dice=0
    )


def test_flesh_wounds_to_toughness_0_put_out_of_action_without_an_out_of_action_die() -> None:
    outcome = stacked("F", "F", "F")
    assert (outcome.toughness, outcome.out_of_action, outcome.out_of_action_dice) == (0, True, 0)
    assert not stacked("F", "F").out_of_action


def test_serious_injuries_alone_can_put_out_of_action() -> None:
    assert stacked("S", "S", "S", "S").out_of_action
    assert not stacked("S", "S", "S").out_of_action


@every(("dice", "rolls"), [(0, 1), (1, 1), (2, 2), (3, 3), (6, 6)])
def test_one_lasting_injury_roll_for_each_out_of_action_die_and_at_least_one(dice: int, rolls: int) -> None:
    assert lasting_injury_rolls(out_of_action_dice=dice, rulebook=PRINTED) == rolls


@every("dice", range(7))
def test_the_a_and_a_house_rule_makes_one_lasting_injury_roll(dice: int) -> None:
    policy = loader.policy("one-lasting-injury-roll")
    house = loader.rulebook(BOOK, [(policy.id, policy.patch)])
    assert lasting_injury_rolls(out_of_action_dice=dice, rulebook=house) == 1
