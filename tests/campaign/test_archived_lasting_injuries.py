"""The archived Lasting Injury table, its minimums, and Recovery. Source: B6.

The expected phrases are written by hand from the archived table. Vex is taken out by Mags of the Saints, who
gains 1 XP for that; it is left out below. What differs from the 2023 book is named as the rule.
"""

from archived_scenario import archived
from lasting_injuries import CELLS, CRITICAL_CELLS, carried_home, steps_from_the_worst
from scenario import CLOSING, MAGS, VEX, card, given, lasting, lesson, opening, out_of_action
from tables import every

from tracker.campaign import records
from tracker.dice import Die
from tracker.reports.names import Names
from tracker.reports.sentences import sentence

OUT_COLD_CELLS = CELLS[CELLS.index("12") : CELLS.index("26") + 1]


GRIEVOUS_CELLS = CELLS[CELLS.index("31") : CELLS.index("45") + 1]


def from_battle(number: int, **reduced: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """What each result brings in that battle; `reduced` by the row's id."""
    recovery = f"recovery from battle {number}"
    return {
        "11": ("lesson_learned", recovery, "vex +2 XP"),
        **dict.fromkeys(OUT_COLD_CELLS, ("out_cold",)),
        **dict.fromkeys(GRIEVOUS_CELLS, ("grievous_injury", recovery)),
        "46": ("humiliated", recovery, *reduced["humiliated"]),
        "51": ("head_injury", recovery, *reduced["head_injury"]),
        "52": ("eye_injury", recovery, *reduced["eye_injury"]),
        "53": ("hand_injury", recovery, *reduced["hand_injury"]),
        "54": ("hobbled", recovery, *reduced["hobbled"]),
        "55": ("spinal_injury", recovery, *reduced["spinal_injury"]),
        "56": ("enfeebled", recovery, *reduced["enfeebled"]),
        **dict.fromkeys(CRITICAL_CELLS, ("critical_injury", "critical")),
        "66": ("memorable_death", "vex dies", "mags +1 XP"),
    }


FRESH = from_battle(
    1,
    humiliated=("cool 7 to 8", "leadership 7 to 8"),
    head_injury=("intelligence 7 to 8", "willpower 7 to 8"),
    eye_injury=("ballistic_skill 4 to 5",),
    hand_injury=("weapon_skill 4 to 5",),
    hobbled=("movement 5 to 4",),
    spinal_injury=("strength 3 to 2",),
    enfeebled=("toughness 3 to 2",),
)


# The same again in battle 3, to a fighter who has had it; there is no row that a repeat turns into another.
AGAIN = from_battle(
    3,
    humiliated=("cool 8 to 9", "leadership 8 to 9"),
    head_injury=("intelligence 8 to 9", "willpower 8 to 9"),
    eye_injury=("ballistic_skill 5 to 6",),
    hand_injury=("weapon_skill 5 to 6",),
    hobbled=("movement 4 to 3",),
    spinal_injury=("strength 2 to 1",),
    enfeebled=("toughness 2 to 1",),
)


WORST = steps_from_the_worst(0, highest_target=12)
AT_THE_WORST = from_battle(
    1,
    humiliated=("cool kept at 12", "leadership kept at 12"),
    head_injury=("intelligence kept at 12", "willpower kept at 12"),
    eye_injury=("ballistic_skill kept at 6",),
    hand_injury=("weapon_skill kept at 6",),
    hobbled=("movement kept at 1",),
    spinal_injury=("strength kept at 1",),
    enfeebled=("toughness kept at 1",),
)


ONE_OFF = steps_from_the_worst(1, highest_target=12)
ONE_OFF_THE_WORST = from_battle(
    1,
    humiliated=("cool 11 to 12", "leadership 11 to 12"),
    head_injury=("intelligence 11 to 12", "willpower 11 to 12"),
    eye_injury=("ballistic_skill 5 to 6",),
    hand_injury=("weapon_skill 5 to 6",),
    hobbled=("movement 2 to 1",),
    spinal_injury=("strength 2 to 1",),
    enfeebled=("toughness 2 to 1",),
)


def dice_for(cell: str) -> tuple[Die, ...]:
    rolled = lasting(int(cell[0]), int(cell[1]))
    return (rolled, lesson(2)) if cell == "11" else (rolled,)


def test_every_archived_lasting_injury_has_its_expectation() -> None:
    for expected in (FRESH, AGAIN, AT_THE_WORST, ONE_OFF_THE_WORST):
        assert sorted(expected) == CELLS


@every("cell", CELLS)
def test_a_first_result_does_what_the_archived_table_prints(cell: str) -> None:
    assert carried_home(archived().when(out_of_action(VEX, by=MAGS), *dice_for(cell))) == FRESH[cell]


@every("cell", [cell for cell in CELLS if cell not in (*CRITICAL_CELLS, "66")])
def test_the_same_archived_lasting_injury_again_does_the_same_again(cell: str) -> None:
    recovering = "recovery from battle 1" in FRESH[cell]
    table = archived().when(out_of_action(VEX, by=MAGS), *dice_for(cell)).when(CLOSING)
    table = table.when(opening(2, without=[VEX] if recovering else [])).when(CLOSING)
    table = table.when(opening(3)).when(out_of_action(VEX, by=MAGS), *dice_for(cell))
    assert carried_home(table) == AGAIN[cell]


@every("cell", CELLS)
def test_fearsome_and_berserker_change_no_archived_lasting_injury(cell: str) -> None:
    skilled = archived(card(VEX, skills=("Fearsome", "Berserker")))
    assert carried_home(skilled.when(out_of_action(VEX, by=MAGS), *dice_for(cell))) == FRESH[cell]


@every("cell", CELLS)
def test_no_archived_lasting_injury_takes_a_characteristic_below_its_minimum_and_recovery_stays(
    cell: str,
) -> None:
    table = archived(card(VEX, **WORST)).when(out_of_action(VEX, by=MAGS), *dice_for(cell))
    assert carried_home(table) == AT_THE_WORST[cell]


@every("cell", CELLS)
def test_an_archived_lasting_injury_takes_the_last_step_to_a_minimum(cell: str) -> None:
    table = archived(card(VEX, **ONE_OFF)).when(out_of_action(VEX, by=MAGS), *dice_for(cell))
    assert carried_home(table) == ONE_OFF_THE_WORST[cell]


@every("cell", CELLS)
@every("numbers", [{}, WORST, ONE_OFF], ids=["ordinary", "worst", "one off"])
def test_no_archived_lasting_injury_changes_the_cost_of_a_fighter(cell: str, numbers: dict[str, int]) -> None:
    table = archived(card(VEX, **numbers)).when(out_of_action(VEX, by=MAGS), *dice_for(cell))
    assert table.fighter(VEX).cost_credits == 100


@every(
    ("cell", "numbers", "kept"),
    [
        ("46", {"cool": 12}, ("cool kept at 12", "leadership kept at 7")),
        ("46", {"leadership": 12}, ("cool kept at 7", "leadership kept at 12")),
        ("51", {"willpower": 12}, ("intelligence kept at 7", "willpower kept at 12")),
    ],
)
def test_an_injury_that_would_pass_one_minimum_costs_recovery_and_nothing_else(
    cell: str, numbers: dict[str, int], kept: tuple[str, ...]
) -> None:
    table = archived(card(VEX, **numbers)).when(out_of_action(VEX, by=MAGS), *dice_for(cell))
    assert carried_home(table)[1:] == ("recovery from battle 1", *kept)


def test_a_knob_judges_each_of_two_characteristics_alone_as_the_2023_book_does() -> None:
    alone = {"lasting_injuries.below_minimum": "each_characteristic_alone"}
    table = archived(card(VEX, cool=12), knobs=alone).when(out_of_action(VEX, by=MAGS), lasting(4, 6))
    assert carried_home(table)[1:] == ("recovery from battle 1", "cool kept at 12", "leadership 7 to 8")


def test_a_characteristic_spared_with_another_says_with_which() -> None:
    table = archived(card(VEX, cool=12)).when(out_of_action(VEX, by=MAGS), lasting(4, 6))
    spared = [event for event in table.events if isinstance(event, records.CharacteristicKept)]
    names = Names.of_state(table.state)
    assert [sentence(event, names) for event in spared] == [
        "Vex: Cool stays 12+, its limit (Humiliated)",
        "Vex: Leadership stays 7+, as Cool is at its limit (Humiliated)",
    ]


def test_leadership_may_stand_at_12_which_the_2023_book_prints_on_no_card() -> None:
    assert archived(card(VEX, leadership=12)).fighter(VEX).characteristics["leadership"] == 12
    # A card is what its owner holds: the other book keeps the number, too, and says that it does not print it.
    assert given(card(VEX, leadership=12)).fighter(VEX).characteristics["leadership"] == 12


def test_by_the_page_on_experience_leadership_ends_at_10() -> None:
    knobs = {"characteristics.worst": "experience_page"}
    table = archived(card(VEX, leadership=10), knobs=knobs).when(out_of_action(VEX, by=MAGS), lasting(4, 6))
    assert carried_home(table)[2:] == ("cool kept at 7", "leadership kept at 10")


def test_lesson_learned_is_paid_for_with_recovery_and_not_with_convalescence() -> None:
    table = archived().when(out_of_action(VEX), lasting(1, 1), lesson(3))
    assert (table.fighter(VEX).recovering_since, table.fighter(VEX).convalescing) == (1, False)


def test_recovery_misses_the_next_battle_and_ends_with_it() -> None:
    table = archived().when(out_of_action(VEX), lasting(3, 3)).when(CLOSING)
    assert table.fighter(VEX).recovering_since == 1
    table = table.when(opening(2, without=[VEX])).when(CLOSING)
    assert table.fighter(VEX).recovering_since is None


def test_recovery_does_not_stack() -> None:
    archived().when(out_of_action(VEX, out_of_action_dice=2), lasting(3, 1), lasting(5, 2)).then_phrases(
        "grievous_injury", "recovery from battle 1", "eye_injury", "ballistic_skill 4 to 5"
    )
