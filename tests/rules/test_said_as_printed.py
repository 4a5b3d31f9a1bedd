"""What a roll is said to be modified by, and that every number of the rules is whole."""

from itertools import product
from typing import get_args

import pytest
from tables import every

from tracker.dice import D66, read_die
from tracker.rules import loader
from tracker.rules.conversion import ALL_CELLS, totals_between
from tracker.rules.necromunda import close_combat, shooting
from tracker.rules.necromunda.save_roll import save_options, strictest_saves
from tracker.rules.necromunda.weapon_traits import trait_key
from tracker.rules.rulebook import BookHasNo
from tracker.rules.tables import NoSuchRow


@every(("assists", "said"), [(1, "assist"), (2, "assists"), (3, "assists")])
def test_two_assists_are_more_than_one(assists: int, said: str) -> None:
    assert close_combat.hit_modifiers(assists=assists) == ((said, assists),)


def test_modifiers_of_close_combat_are_whole_numbers() -> None:
    for assists, interference in product(range(4), repeat=2):
        for _, by in close_combat.hit_modifiers(assists=assists, interference=interference):
            assert type(by) is int


@every("dice", range(2, 9))
def test_attack_dice_are_shared_in_whole_numbers(dice: int) -> None:
    kinds = get_args(close_combat.FightsAs)
    for weapons in ((), *((kind,) for kind in kinds), *product(kinds, repeat=2)):
        for split in close_combat.attack_splits(dice, weapons):
            assert [type(share) for share in split] == [int] * len(split)


def test_a_shot_at_a_point_says_so() -> None:
    listed = shooting.hit_modifiers(
        cover="none", band="short", accuracy=0, engaged=False, prone=False, point=True, traits=()
    )
    assert listed == (("at a point", -2),)


@every(("trait", "dice"), [("Rapid Fire (10)", 10), ("Rapid Fire (X)", 1)])
def test_rapid_fire_is_read_to_its_last_digit(trait: str, dice: int) -> None:
    assert shooting.firepower_dice_allowed((trait,)) == dice


@every("name", loader.book_names())
def test_a_book_read_anew_reads_every_cell_and_row(name: str) -> None:
    for table in loader.build_book(loader.book_files(name), where=name).tables.values():
        assert sorted(cell for row in table.rows for cell in row.cells) == sorted(ALL_CELLS)
        for row in table.rows:
            assert table.has_row(row.id)
            assert table.row(row.id) is row
            assert all(table.read(read_die("lasting_injury", D66, cell)) is row for cell in row.cells)


@every(("printed", "within"), [("3-", {-2, 0, 1, 2, 3}), ("4+", {4, 5, 6, 40}), ("2-3", {2, 3}), ("6", {6})])
def test_a_line_without_an_end_holds_every_total_beyond(printed: str, within: set[int]) -> None:
    totals = totals_between(printed)
    assert {total for total in (-2, 0, 1, 2, 3, 4, 5, 6, 40) if total in totals} == within


def test_who_is_engaged_with_nobody_meets_no_interference_and_no_help() -> None:
    gangs = {"ann": "a", "amy": "a", "bob": "b"}
    assert close_combat.interfering("ann", "bob", engaged={}, gang_of=gangs) == ()
    assert close_combat.assisting("ann", "bob", engaged={}, gang_of=gangs) == ()


def test_an_enemy_whose_own_brawl_nobody_shown_is_held_by_nobody() -> None:
    gangs = {"ann": "a", "amy": "a", "bob": "b", "ben": "b"}
    (ben,) = close_combat.interfering("ann", "bob", engaged={"ann": ("bob", "ben")}, gang_of=gangs)
    assert (ben.fighter, ben.held_by, ben.counts) == ("ben", (), True)


def test_what_a_book_has_not_is_refused_by_the_books_title() -> None:
    book = loader.book("trench_crusade")
    asked = {
        "escape rolls": lambda: book.table("escape_rolls"),
        "mood": lambda: book.chart("mood"),
        "injury die": lambda: book.injury_dice,
        "experience": lambda: book.experience,
        "nerve tests": lambda: book.nerve,
        "vehicles": lambda: book.vehicles,
    }
    for part, ask in asked.items():
        with pytest.raises(BookHasNo) as refused:
            ask()
        assert refused.value.message() == f"{book.title} has no {part}, so this cannot be decided by it."


def test_a_band_that_a_chart_has_not_is_refused_with_those_it_has() -> None:
    chart = loader.book("trench_crusade").chart("injury_chart")
    assert chart.band("down").name == "Down"
    with pytest.raises(NoSuchRow) as refused:
        chart.band("dawn")
    assert refused.value.message() == (
        "The Injury Chart has no row 'dawn'. Did you mean 'down'? Give the D66 (such as 4-6) or one of:"
        " no_effect, minor_hit, down, out_of_action."
    )


def test_of_a_special_dies_variants_the_knob_chooses() -> None:
    book = loader.book("necromunda_2023")
    for name, variants in book.special_dice.items():
        for variant, die in variants.items():
            assert book.special_die(name, {f"{name}_die.faces": variant}) is die
    assert {len(variants) for variants in book.special_dice.values()} >= {1, 2}


@every(("printed", "key"), [("Rapid Fire (3)", "rapid-fire"), ("Power", "power"), (' Blast (3") ', "blast")])
def test_a_trait_is_known_by_its_words(printed: str, key: str) -> None:
    assert trait_key(printed) == key


@every(("field", "rolled"), [(2, True), (6, True), (7, False)])
def test_field_armour_saves_as_printed_and_not_at_all_beyond_6(field: int, *, rolled: bool) -> None:
    found = save_options(
        armour_save=None, field_save=field, armour_penetration=-3, save_bonus=0, allowed="any"
    )
    assert [(option.item, option.target, option.printed) for option in found] == [
        ("field_armour", field, field)
    ] * rolled


def test_of_several_rules_on_saves_the_least_generous_holds() -> None:
    generous = ("none", "field_only", "any")
    for first, second in product(generous, repeat=2):
        assert strictest_saves(first, second) == generous[min(generous.index(first), generous.index(second))]
    assert strictest_saves("any") == "any"
