"""The Lasting Injury Table: what each of the 36 results does to fighters with different pasts.

The expected phrases are written by hand from the printed table. Vex is taken out by Mags of the Saints,
who gains 2 XP for that in every case; those are left out below.
"""

from itertools import product

from lasting_injuries import (
    AGAIN,
    CELLS,
    CONVALESCENCE_CELLS,
    CRITICAL_CELLS,
    OUT_COLD_CELLS,
    carried_home,
    dice_for,
    steps_from_the_worst,
)
from scenario import (
    CLOSING,
    DOT,
    KRUG,
    MAGS,
    OUT_COLD,
    SAINTS,
    VEX,
    Table,
    card,
    further,
    given,
    how_many,
    lasting,
    lesson,
    old_wound,
    opening,
    out_of_action,
    phrases,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.fighters import InjurySuffered
from tracker.dice import DiceLeftOver, read_die
from tracker.rules import loader

# What a fighter with an ordinary card carries home from a first result.
FRESH = {
    "11": ("lesson_learned", "convalescence", "vex +2 XP"),
    "12": ("impressive_scars", "cool 7 to 6"),
    "13": ("horrid_scars", "skill fearsome"),
    "14": ("bitter_enmity", "skill berserker against saints"),
    **dict.fromkeys(OUT_COLD_CELLS, ("out_cold",)),
    **dict.fromkeys(CONVALESCENCE_CELLS, ("convalescence", "convalescence")),
    "41": ("old_battle_wound",),
    "42": ("partially_deafened",),
    "43": ("humiliated", "convalescence", "leadership 7 to 8", "cool 7 to 8"),
    "44": ("eye_injury", "recovery from battle 1", "ballistic_skill 4 to 5"),
    "45": ("hand_injury", "recovery from battle 1", "weapon_skill 4 to 5"),
    "46": ("hobbled", "recovery from battle 1", "movement 5 to 4"),
    "51": ("spinal_injury", "recovery from battle 1", "strength 3 to 2"),
    "52": ("enfeebled", "recovery from battle 1", "toughness 3 to 2"),
    "53": ("head_injury", "recovery from battle 1", "intelligence 7 to 8", "willpower 7 to 8"),
    "54": ("multiple_injuries", "convalescence within multiple_injuries", "convalescence"),
    **dict.fromkeys(["55", "56"], ("captured", "captured by saints")),
    **dict.fromkeys(CRITICAL_CELLS, ("critical_injury", "critical")),
    "66": ("memorable_death", "vex dies", "mags +1 XP"),
}

# A fighter who has both Fearsome and Berserker already.
SKILLED = FRESH | {
    "13": ("horrid_scars counts as out_cold",),
    "14": ("bitter_enmity counts as out_cold",),
}

# A fighter at the worst of every characteristic: the reduction is lost, Recovery and Convalescence are not.
WORST = steps_from_the_worst(0, highest_target=10)
AT_THE_WORST = FRESH | {
    "12": ("impressive_scars", "cool 10 to 9"),
    "43": ("humiliated", "convalescence", "leadership kept at 10", "cool kept at 10"),
    "44": ("eye_injury", "recovery from battle 1", "ballistic_skill kept at 6"),
    "45": ("hand_injury", "recovery from battle 1", "weapon_skill kept at 6"),
    "46": ("hobbled", "recovery from battle 1", "movement kept at 1"),
    "51": ("spinal_injury", "recovery from battle 1", "strength kept at 1"),
    "52": ("enfeebled", "recovery from battle 1", "toughness kept at 1"),
    "53": ("head_injury", "recovery from battle 1", "intelligence kept at 10", "willpower kept at 10"),
}

# One step from the worst: the last reduction there is.
ONE_OFF = steps_from_the_worst(1, highest_target=10)
ONE_OFF_THE_WORST = FRESH | {
    "12": ("impressive_scars", "cool 9 to 8"),
    "43": ("humiliated", "convalescence", "leadership 9 to 10", "cool 9 to 10"),
    "44": ("eye_injury", "recovery from battle 1", "ballistic_skill 5 to 6"),
    "45": ("hand_injury", "recovery from battle 1", "weapon_skill 5 to 6"),
    "46": ("hobbled", "recovery from battle 1", "movement 2 to 1"),
    "51": ("spinal_injury", "recovery from battle 1", "strength 2 to 1"),
    "52": ("enfeebled", "recovery from battle 1", "toughness 2 to 1"),
    "53": ("head_injury", "recovery from battle 1", "intelligence 9 to 10", "willpower 9 to 10"),
}


def test_every_lasting_injury_of_the_table_has_its_expectation() -> None:
    for expected in (FRESH, SKILLED, AT_THE_WORST, ONE_OFF_THE_WORST):
        assert sorted(expected) == CELLS
    assert sorted({*AGAIN, "55", "56", *CRITICAL_CELLS, "66"}) == CELLS


@every("cell", CELLS)
def test_a_first_lasting_injury_does_what_the_table_prints(cell: str) -> None:
    assert carried_home(given().when(out_of_action(VEX, by=MAGS), *dice_for(cell))) == FRESH[cell]


@every("cell", AGAIN)
def test_the_same_lasting_injury_again_does_what_the_table_prints(cell: str) -> None:
    recovering = "recovery from battle 1" in FRESH[cell]
    third = given().when(out_of_action(VEX, by=MAGS), *dice_for(cell)).when(CLOSING)
    third = third.when(opening(2, without=[VEX] if recovering else []))
    third = third.when(CLOSING, *([old_wound(2)] if cell == "41" else []))
    third = third.when(opening(3)).when(out_of_action(VEX, by=MAGS), *dice_for(cell))
    assert carried_home(third) == AGAIN[cell]


@every("cell", CELLS)
def test_scars_of_a_fighter_with_fearsome_and_berserker_are_out_cold_instead(cell: str) -> None:
    skilled = given(card(VEX, skills=("Fearsome", "Berserker")))
    assert carried_home(skilled.when(out_of_action(VEX, by=MAGS), *dice_for(cell))) == SKILLED[cell]


@every("cell", CELLS)
def test_no_lasting_injury_takes_a_characteristic_below_its_minimum(cell: str) -> None:
    table = given(card(VEX, **WORST)).when(out_of_action(VEX, by=MAGS), *dice_for(cell))
    assert carried_home(table) == AT_THE_WORST[cell]


@every("cell", CELLS)
def test_a_lasting_injury_takes_the_last_step_to_a_minimum(cell: str) -> None:
    table = given(card(VEX, **ONE_OFF)).when(out_of_action(VEX, by=MAGS), *dice_for(cell))
    assert carried_home(table) == ONE_OFF_THE_WORST[cell]


@every(
    ("cell", "numbers", "expected"),
    [
        ("43", {"leadership": 10}, ("humiliated", "convalescence", "leadership kept at 10", "cool 7 to 8")),
        ("43", {"cool": 10}, ("humiliated", "convalescence", "leadership 7 to 8", "cool kept at 10")),
        (
            "53",
            {"intelligence": 10},
            ("head_injury", "recovery from battle 1", "intelligence kept at 10", "willpower 7 to 8"),
        ),
        (
            "53",
            {"willpower": 10},
            ("head_injury", "recovery from battle 1", "intelligence 7 to 8", "willpower kept at 10"),
        ),
    ],
)
def test_of_two_characteristics_that_an_injury_reduces_each_is_judged_alone(
    cell: str, numbers: dict[str, int], expected: tuple[str, ...]
) -> None:
    table = given(card(VEX, **numbers)).when(out_of_action(VEX, by=MAGS), *dice_for(cell))
    assert carried_home(table) == expected


def test_a_lost_reduction_is_still_an_injury_on_the_card() -> None:
    table = given(card(VEX, movement=1)).when(out_of_action(VEX, by=MAGS), lasting(4, 6))
    assert table.fighter(VEX).injuries == (
        InjurySuffered(injury="hobbled", name="Hobbled", counted_as="hobbled", battle=1),
    )


def test_impressive_scars_cannot_improve_the_best_cool_there_is() -> None:
    table = given(card(VEX, cool=3)).when(out_of_action(VEX, by=MAGS), lasting(1, 2))
    assert table.outcome[-1] == records.CharacteristicKept(
        fighter=VEX, characteristic="cool", value=3, why="Impressive Scars"
    )


@every("cell", CELLS)
@every("numbers", [{}, WORST, ONE_OFF], ids=["ordinary", "worst", "one off"])
def test_no_lasting_injury_changes_the_cost_of_a_fighter(cell: str, numbers: dict[str, int]) -> None:
    table = given(card(VEX, **numbers)).when(out_of_action(VEX, by=MAGS), *dice_for(cell))
    assert table.fighter(VEX).cost_credits == 100


@every("cell", CELLS)
def test_a_result_named_by_its_row_does_what_its_dice_would(cell: str) -> None:
    row = next(row for row in loader.book("necromunda_2023").lasting_injuries.rows if cell in row.cells)
    named = (read_die("lasting_injury", "D66", row.id), *dice_for(cell)[1:])
    assert carried_home(given().when(out_of_action(VEX, by=MAGS), *named)) == FRESH[cell]


# --- repeats ---------------------------------------------------------------------------------------------


def times(cell: str, count: int) -> Table:
    """Vex meets one result in so many battles."""
    table = given(battle=False)
    for number in range(1, count + 1):
        table = table.when(opening(number)).when(out_of_action(VEX, by=MAGS), *dice_for(cell))
        if number < count:
            table = table.when(CLOSING)
    return table


def test_impressive_scars_improve_cool_once_however_often() -> None:
    assert times("12", 4).fighter(VEX).characteristics["cool"] == 6


def test_deafness_costs_leadership_each_time_after_the_first() -> None:
    assert [times("42", count).fighter(VEX).characteristics["leadership"] for count in (1, 2, 3, 4)] == [
        7,
        8,
        9,
        10,
    ]


def test_bitter_enmity_a_second_time_is_out_cold_even_by_another_hand() -> None:
    third = times("14", 1).when(CLOSING).when(opening(2)).when(out_of_action(VEX, by=DOT), lasting(1, 4))
    third.then_phrases("dot +2 XP", "bitter_enmity counts as out_cold")
    assert third.fighter(VEX).grudges == (SAINTS,)


def test_bitter_enmity_is_no_berserker_skill_against_everybody() -> None:
    assert times("14", 1).fighter(VEX).skills == ()


def test_bitter_enmity_by_a_friend_needs_a_gang_that_the_players_name() -> None:
    given().when(out_of_action(VEX, by=KRUG), lasting(1, 4)).then_phrases("bitter_enmity counts as out_cold")
    given().when(out_of_action(VEX, by=KRUG, grudge_against=SAINTS), lasting(1, 4)).then_phrases(
        "bitter_enmity", "skill berserker against saints"
    )


def test_two_equal_rolls_of_one_going_out_of_action_count_as_first_and_second() -> None:
    given().when(out_of_action(VEX, out_of_action_dice=2), lasting(1, 2), lasting(1, 2)).then_phrases(
        "impressive_scars", "cool 7 to 6", "impressive_scars counts as out_cold"
    )
    given().when(out_of_action(VEX, out_of_action_dice=2), lasting(4, 2), lasting(4, 2)).then_phrases(
        "partially_deafened", "partially_deafened", "leadership 7 to 8"
    )


def test_convalescence_and_recovery_can_be_held_together_and_each_is_noted_once() -> None:
    given().when(
        out_of_action(VEX, out_of_action_dice=4), lasting(3, 1), lasting(4, 4), lasting(3, 2), lasting(4, 5)
    ).then_phrases(
        "convalescence",
        "convalescence",
        "eye_injury",
        "recovery from battle 1",
        "ballistic_skill 4 to 5",
        "convalescence",
        "hand_injury",
        "weapon_skill 4 to 5",
    )


@every("result", [1, 2, 3])
def test_lesson_learned_teaches_a_d3(result: int) -> None:
    table = given().when(out_of_action(VEX), lasting(1, 1), lesson(result))
    assert table.fighter(VEX).experience == result


def test_a_memorable_death_pays_the_attacker_only_for_an_attack_action_on_an_enemy() -> None:
    def attackers_xp(**how: object) -> int:
        table = given().when(out_of_action(VEX, **how), lasting(6, 6))  # type: ignore[arg-type]
        assert table.fighter(VEX).standing == "dead"
        return sum(table.fighter(name).experience for name in (KRUG, MAGS))

    assert attackers_xp(by=MAGS) == 2 + 1
    assert attackers_xp(by=MAGS, attack=False) == 0
    assert attackers_xp(by=KRUG) == 0
    assert attackers_xp() == 0


def test_a_fighter_dies_once_though_two_rolls_say_so() -> None:
    table = given().when(out_of_action(VEX, out_of_action_dice=2), lasting(6, 6), lasting(6, 6))
    table.then_phrases("memorable_death", "vex dies", "memorable_death")


def test_a_death_pays_the_attacker_once_though_two_rolls_say_so() -> None:
    table = given().when(out_of_action(VEX, by=MAGS, out_of_action_dice=2), lasting(6, 6), lasting(6, 6))
    assert table.fighter(MAGS).experience == 2 + 1


# --- Multiple Injuries -----------------------------------------------------------------------------------

# Without an attacker there is nobody to bear a grudge against, so 1-4 counts as Out Cold too.
ROLLED_AGAIN = {*OUT_COLD_CELLS, "54", "55", "56", *CRITICAL_CELLS, "66", "14"}


@every("count", [1, 2, 3])
@every("cell", CELLS)
def test_multiple_injuries_applies_d3_further_rolls_and_rolls_some_again(cell: str, count: int) -> None:
    """The first further roll is `cell`; every other one is 3-1, Convalescence."""
    again = cell in ROLLED_AGAIN
    learned = (lesson(2),) if cell == "11" else ()
    others = [further(3, 1)] * (count if again else count - 1)
    table = given().when(
        out_of_action(VEX),
        lasting(5, 4),
        how_many(count),
        further(int(cell[0]), int(cell[1])),
        *others,
        *learned,
    )
    first = ("convalescence", "convalescence") if again else FRESH[cell]
    expected = ["multiple_injuries", f"{first[0]} within multiple_injuries", *first[1:]]
    for _ in range(count - 1):
        expected.append("convalescence within multiple_injuries")
        if "convalescence" not in expected:
            expected.append("convalescence")
    assert phrases(table.events) == tuple(expected)
    assert len(table.fighter(VEX).injuries) == 1 + count
    assert len([roll for roll in table.rolls if roll.purpose == "multiple_injuries"]) == count + again


@every("cell", ["13", "14"])
def test_a_further_roll_that_counts_as_out_cold_is_rolled_again(cell: str) -> None:
    skilled = given(card(VEX, skills=("Fearsome", "Berserker")))
    dice = (lasting(5, 4), how_many(1), further(int(cell[0]), int(cell[1])))
    skilled.when(out_of_action(VEX, by=MAGS), *dice, further(4, 2)).then_phrases(
        "mags +2 XP", "multiple_injuries", "partially_deafened within multiple_injuries"
    )


@every(("cell", "row"), [("13", "horrid_scars"), ("14", "bitter_enmity")])
def test_a_table_may_accept_a_further_roll_that_counts_as_out_cold(cell: str, row: str) -> None:
    knobs = {"multiple_injuries.substituted_out_cold": "accept"}
    skilled = given(card(VEX, skills=("Fearsome", "Berserker")), knobs=knobs)
    dice = (lasting(5, 4), how_many(1), further(int(cell[0]), int(cell[1])))
    skilled.when(out_of_action(VEX, by=MAGS), *dice).then_phrases(
        "mags +2 XP", "multiple_injuries", f"{row} within multiple_injuries counts as out_cold"
    )


def test_a_table_that_accepts_substitutes_still_rolls_a_plain_out_cold_again() -> None:
    knobs = {"multiple_injuries.substituted_out_cold": "accept"}
    given(knobs=knobs).when(
        out_of_action(VEX), lasting(5, 4), how_many(1), further(2, 1), further(4, 2)
    ).then_phrases("multiple_injuries", "partially_deafened within multiple_injuries")


def test_a_repeat_within_one_multiple_injuries_is_rolled_again() -> None:
    given().when(
        out_of_action(VEX), lasting(5, 4), how_many(2), further(1, 2), further(1, 2), further(4, 2)
    ).then_phrases(
        "multiple_injuries",
        "impressive_scars within multiple_injuries",
        "cool 7 to 6",
        "partially_deafened within multiple_injuries",
    )


def test_rolling_again_goes_on_until_a_result_stands() -> None:
    dice = [further(int(cell[0]), int(cell[1])) for cell in ("66", "54", "55", "61", "21", "15", "26")]
    given().when(out_of_action(VEX), lasting(5, 4), how_many(1), *dice, further(4, 2)).then_phrases(
        "multiple_injuries", "partially_deafened within multiple_injuries"
    )


@every(
    ("second", "expected"),
    [
        ("55", ("captured within multiple_injuries", "captured by None")),
        ("61", ("critical_injury within multiple_injuries", "critical")),
        ("66", ("memorable_death within multiple_injuries", "vex dies")),
        ("21", ("out_cold within multiple_injuries",)),
        ("42", ("partially_deafened within multiple_injuries",)),
        ("54", ()),
    ],
)
def test_a_table_may_roll_again_once_only(second: str, expected: tuple[str, ...]) -> None:
    once = given(knobs={"tables.rerolls": "once"})
    dice = (lasting(5, 4), how_many(1), further(6, 6), further(int(second[0]), int(second[1])))
    once.when(out_of_action(VEX), *dice).then_phrases("multiple_injuries", *expected)
    once.when(out_of_action(VEX), *dice, further(4, 2)).then_refused(DiceLeftOver)


@every(("first", "second"), list(product(["12", "31", "44"], ["42", "46", "66"])))
def test_each_further_roll_may_be_rolled_again_by_itself(first: str, second: str) -> None:
    once = given(knobs={"tables.rerolls": "once"})
    table = once.when(
        out_of_action(VEX),
        lasting(5, 4),
        how_many(2),
        further(2, 1),
        further(int(first[0]), int(first[1])),
        further(2, 2),
        further(int(second[0]), int(second[1])),
    )
    assert [suffered.injury for suffered in table.fighter(VEX).injuries] == [
        "multiple_injuries",
        FRESH[first][0],
        FRESH[second][0],
    ]


def test_out_cold_leaves_nothing_but_the_note_on_the_card() -> None:
    table = given().when(out_of_action(VEX), OUT_COLD)
    vex = table.fighter(VEX)
    before = table.before.fighter(VEX)
    assert before is not None
    assert vex.characteristics is before.characteristics
    assert (vex.convalescing, vex.recovering_since, vex.critical, vex.capture_pending) == (
        False,
        None,
        False,
        False,
    )
