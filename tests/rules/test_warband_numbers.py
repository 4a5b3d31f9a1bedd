"""Warbands: Threshold of every game, every total of every skill table, falls, morale, promotion dice shared out."""

from itertools import product

from tables import every

from tracker.rules import loader
from tracker.rules.rulebook import Rulebook
from tracker.rules.trench_crusade import warbands as rules
from tracker.rules.trench_crusade.injuries import beyond_worst

BOOK = loader.rulebook("trench_crusade", ())
OF_1_0 = loader.rulebook("trench_crusade", [("x@1", loader.policy("trench-crusade-1-0@1").patch)])
WARBANDS = BOOK.book.warbands

SKILLS = {
    "melee": (
        "Stand Firm", "Parry", "Close Quarters", "Relentless Charge", "Melee Proficiency", "Strength of Samson",
        "Hard as Nails", "Champion", "Surgical Strike",
    ),
    "ranged": (
        "Hunter", "Gunslinger", "Far Shot", "Sharp Eyes", "Ranged Proficiency", "Sniper's Nest", "Point Blank",
        "Hip Shot", "Head Shot",
    ),
    "stealth": (
        "Sixth Sense", "Assassinate", "Shadow Walker", "Athletic", "Sprinter", "Disengage", "Incoming", "Nimble",
        "Dodge",
    ),
    "wildcard": (
        "War Luck", "'Tis but a Scratch", "Bad Company", "Scavenger", "Skill and Expertise", "Show Off",
        "Friends in High Places", "Glory Hound", "War Stories",
    ),
}  # fmt: skip


@every(
    ("game", "ducats", "strength"),
    [
        (1, 700, 10), (2, 800, 11), (3, 900, 12), (4, 1000, 13), (5, 1100, 14), (6, 1200, 15), (7, 1300, 16),
        (8, 1400, 17), (9, 1500, 18), (10, 1600, 19), (11, 1700, 20), (12, 1800, 22), (13, 1800, 22),
    ],
)  # fmt: skip
def test_the_threshold_rises_by_100_and_the_field_strength_by_1_until_the_last_game(
    game: int, ducats: int, strength: int
) -> None:
    now = WARBANDS.threshold(game)
    assert (now.ducats, now.field_strength) == (ducats, strength)


@every(
    ("battles", "dice", "finds"),
    [
        (1, 3, ("common",)), (2, 3, ("common",)), (3, 4, ("common", "rare")), (5, 4, ("common", "rare")),
        (6, 5, ("rare",)), (9, 5, ("rare",)), (10, 6, ("rare", "legendary")), (12, 6, ("rare", "legendary")),
    ],
)  # fmt: skip
def test_the_dice_of_exploration_and_its_tables_go_by_battles_fought(
    battles: int, dice: int, finds: tuple[str, ...]
) -> None:
    band = WARBANDS.exploring(battles)
    assert (band.dice, band.finds) == (dice, finds)


def test_a_thing_is_sold_for_half_its_worth_rounded_up() -> None:
    assert [WARBANDS.sold_for(worth) for worth in (0, 1, 2, 15, 25, 100)] == [0, 1, 1, 8, 13, 50]


def test_a_skill_is_learned_at_these_xp_and_elite_are_six_at_most() -> None:
    assert WARBANDS.experience.learns_at == (2, 4, 7, 10, 14, 18)
    assert (WARBANDS.elite.most, WARBANDS.experience.limited_to) == (6, 7)


@every("table", SKILLS)
def test_every_skill_stands_on_its_total(table: str) -> None:
    read = WARBANDS.skill_tables[table]
    rolled = [rules.skill_rolled(read, total, (), BOOK) for total in range(3, 12)]
    assert tuple(rolled) == SKILLS[table]


def test_1_0_swaps_champion_and_surgical_strike_and_nothing_else() -> None:
    for name, skills in SKILLS.items():
        read = WARBANDS.skill_tables[name]
        swapped = (*skills[:7], skills[8], skills[7]) if name == "melee" else skills
        assert tuple(rules.skill_on(read, total, OF_1_0) for total in range(3, 12)) == swapped


@every("total", range(3, 12))
def test_a_skill_known_already_is_the_next_lower_that_is_free_else_the_next_higher(total: int) -> None:
    read = WARBANDS.skill_tables["ranged"]
    for known_bits in product((False, True), repeat=9):
        known = [skill for skill, has in zip(SKILLS["ranged"], known_bits, strict=True) if has]
        free = [place for place in range(3, 12) if not known_bits[place - 3]]
        lower = [place for place in free if place <= total]
        place = max(lower) if lower else min(free, default=0)
        expected = SKILLS["ranged"][place - 3] if place else None
        assert rules.skill_rolled(read, total, known, BOOK) == expected


@every(
    ("hundredths", "fell", "dropped"),
    [
        (0, None, None), (200, None, None), (201, 0, None), (299, 0, None), (300, 1, None), (301, 1, 1),
        (599, 1, 1), (600, 2, 2), (900, 3, 3),
    ],
)  # fmt: skip
def test_a_fall_of_more_than_2_inches_is_rolled_for_with_a_die_more_for_every_3(
    hundredths: int, fell: int | None, dropped: int | None
) -> None:
    assert rules.fall_dice(hundredths, voluntary=False) == fell
    assert rules.fall_dice(hundredths, voluntary=True) == dropped


def test_morale_is_tested_from_half_the_warband_on() -> None:
    tested = {
        (n, k) for n in range(1, 9) for k in range(n + 1) if rules.must_test_morale(models=n, down_or_out=k)
    }
    assert tested == {(n, k) for n in range(1, 9) for k in range(n + 1) if k >= n / 2}


@every(("modifier", "given_back"), [(0, 0), (-3, 0), (-4, 1), (-6, 3), (2, 0)])
def test_flat_modifiers_end_at_minus_3_in_1_0_only(modifier: int, given_back: int) -> None:
    assert beyond_worst(modifier, rulebook=BOOK) == 0
    assert beyond_worst(modifier, rulebook=OF_1_0) == given_back


@every(("won", "deeds", "printed", "in_1_0"), [(False, 0, 1, 1), (True, 0, 2, 1), (True, 3, 5, 4)])
def test_the_promotion_pool_is_1_and_1_for_winning_and_1_for_each_deed(
    won: bool, deeds: int, printed: int, in_1_0: int
) -> None:
    assert rules.promotion_pool(won=won, deeds=deeds, rulebook=BOOK) == printed
    assert rules.promotion_pool(won=won, deeds=deeds, rulebook=OF_1_0) == in_1_0


def shares(rulebook: Rulebook, *dice: int, deeds: tuple[int, ...] = ()) -> bool:
    names = [f"t{place}" for place in range(len(dice))]
    given = {name: count for name, count in zip(names, dice, strict=True) if count}
    with_deed = [names[place] for place in deeds]
    return rules.uneven(given, eligible=names, with_deed=with_deed, rulebook=rulebook) is None


def test_a_troop_has_two_promotion_dice_three_with_a_deed_and_more_only_when_all_have_two() -> None:
    assert shares(BOOK, 2, 0, 0)
    assert not shares(BOOK, 3, 0, 0)
    assert shares(BOOK, 3, 0, 0, deeds=(0,))
    assert not shares(BOOK, 4, 2, 1, deeds=(0,))
    assert shares(BOOK, 3, 2, 2)
    assert shares(BOOK, 4, 2, 2, deeds=(0,))
    assert not shares(BOOK, 4, 2, 2)
    assert shares(BOOK, 4, 3, 3)


def test_in_1_0_a_deed_gives_no_third_die_but_all_others_having_two_does() -> None:
    assert not shares(OF_1_0, 3, 0, deeds=(0,))
    assert shares(OF_1_0, 3, 2)
