"""A battle may be reported in outcomes or with every die: the fighters carry the same home."""

from itertools import product

from scenario import (
    CLOSING,
    DOT,
    KRUG,
    MAGS,
    VEX,
    Table,
    everything_of,
    flesh_wound,
    further,
    given,
    hit,
    how_many,
    injury,
    lasting,
    lesson,
    out_of_action,
    seriously_injured,
    wound,
)
from tables import every

CELLS = list(product(range(1, 7), repeat=2))
MORE_DICE = {(1, 1): (lesson(3),), (5, 4): (how_many(2), further(4, 4), further(3, 2))}


def conditions(table: Table, *, wounds: bool = False) -> list[dict[str, object]]:
    """Every fighter's record and condition. Lost Wounds are left out: an outcome does not tell them."""
    listed = []
    for name in (KRUG, VEX, MAGS, DOT):
        condition = everything_of(table.combatant(name)) if table.state.under_way else {}
        if not wounds:
            condition.pop("wounds_left", None)
        listed.append(everything_of(table.fighter(name)) | condition)
    return listed


@every("activation", [None, "round 1"])
@every("target", [VEX, KRUG])
@every("close", [False, True])
@every(("stated", "symbol"), [(flesh_wound, "flesh"), (seriously_injured, "serious")])
def test_a_flesh_wound_or_serious_injury_is_the_same_stated_or_rolled(
    stated, symbol: str, target: str, close: bool, activation: str | None
) -> None:
    how = {"by": MAGS, "in_close_combat": close, "activation": activation}
    outcome = given().when(stated(target, **how))
    rolled = given().when(hit(target, **how), wound(6), injury(symbol))
    assert conditions(outcome) == conditions(rolled)


@every("cell", CELLS, ids=lambda cell: f"{cell[0]}{cell[1]}")
@every("attack", [True, False])
def test_out_of_action_is_the_same_stated_or_rolled(cell: tuple[int, int], attack: bool) -> None:
    dice = (lasting(*cell), *MORE_DICE.get(cell, ()))
    outcome = given().when(out_of_action(VEX, by=MAGS, attack=attack), *dice)
    rolled = given().when(hit(VEX, by=MAGS, attack=attack), wound(6), injury("ooa"), *dice)
    assert conditions(outcome) == conditions(rolled)
    assert conditions(outcome.when(CLOSING), wounds=True) == conditions(rolled.when(CLOSING), wounds=True)


@every("rolls", ["each_out_of_action", "once"])
@every("dice", [1, 2, 3])
def test_several_out_of_action_dice_are_the_same_stated_or_rolled(dice: int, rolls: str) -> None:
    table = given(knobs={"lasting_injuries.rolls": rolls})
    cells = [lasting(4, 6), lasting(1, 2), lasting(4, 2)][: 1 if rolls == "once" else dice]
    outcome = table.when(out_of_action(VEX, by=MAGS, out_of_action_dice=dice), *cells)
    rolled = table.when(hit(VEX, by=MAGS, damage=dice), wound(6), injury(*["ooa"] * dice), *cells)
    assert conditions(outcome) == conditions(rolled)


def test_a_serious_injury_to_the_seriously_injured_is_the_same_stated_or_rolled() -> None:
    outcome = given().when(seriously_injured(VEX, by=MAGS)).when(seriously_injured(VEX, by=MAGS))
    rolled = (
        given()
        .when(hit(VEX, by=MAGS), wound(6), injury("serious"))
        .when(hit(VEX, by=MAGS), wound(6), injury("serious"))
    )
    assert conditions(outcome) == conditions(rolled)
    assert outcome.combatant(VEX).flesh_wounds == 1
