"""The archived book: its own rows, limits and awards, complete in its own folder, and where it differs."""

from itertools import product

import pytest
from tables import every

from tracker.rules import effects as fx
from tracker.rules import loader
from tracker.rules.mutations import becomes_spawn
from tracker.rules.necromunda.falls import fall_hit
from tracker.rules.necromunda.wound_roll import wound_threshold
from tracker.rules.rulebook import UnknownKnob

BOOK = loader.book("necromunda_archive")
NEWER = loader.book("necromunda_2023")


def between(first: str, last: str) -> tuple[str, ...]:
    """The cells from one to another, by their own faces."""
    cells = [f"{tens}{units}" for tens in range(1, 7) for units in range(1, 7)]
    return tuple(cells[cells.index(first) : cells.index(last) + 1])


def test_the_lasting_injury_table_has_these_rows_on_these_cells() -> None:
    assert [(row.name, row.cells) for row in BOOK.lasting_injuries.rows] == [
        ("Lesson Learned", ("11",)),
        ("Out Cold", between("12", "26")),
        ("Grievous Injury", between("31", "45")),
        ("Humiliated", ("46",)),
        ("Head Injury", ("51",)),
        ("Eye Injury", ("52",)),
        ("Hand Injury", ("53",)),
        ("Hobbled", ("54",)),
        ("Spinal Injury", ("55",)),
        ("Enfeebled", ("56",)),
        ("Critical Injury", between("61", "65")),
        ("Memorable Death", ("66",)),
    ]


def test_out_cold_and_grievous_injury_are_11_of_36_each_and_critical_5() -> None:
    counts = {row.id: len(row.cells) for row in BOOK.lasting_injuries.rows}
    assert (counts["out_cold"], counts["grievous_injury"], counts["critical_injury"]) == (11, 11, 5)
    assert sum(counts.values()) == 36


def test_everything_but_out_cold_critical_and_death_is_recovery_and_nothing_is_convalescence() -> None:
    for row in BOOK.lasting_injuries.rows:
        recovers = any(isinstance(effect, fx.Recovery) for effect in row.effects)
        assert recovers == (row.id not in ("out_cold", "critical_injury", "memorable_death"))
        assert not any(isinstance(effect, fx.Convalescence) for effect in row.effects)


def test_the_worst_mental_characteristics_are_12_and_the_others_as_in_the_newer_book() -> None:
    mental = ("leadership", "cool", "willpower", "intelligence")
    for name, limits in BOOK.characteristics.items():
        assert limits.worst == (12 if name in mental else NEWER.characteristics[name].worst)


def test_another_page_has_the_worst_mental_characteristics_at_10_and_a_knob_chooses() -> None:
    printed = loader.rulebook("necromunda_archive", [])
    by_experience_page = loader.rulebook(
        "necromunda_archive", [("of-this-table@1", {"characteristics.worst": "experience_page"})]
    )
    assert (printed.limits("cool").worst, by_experience_page.limits("cool").worst) == (12, 10)
    assert (printed.limits("movement"), by_experience_page.limits("movement")) == (
        BOOK.characteristics["movement"],
    ) * 2


def test_experience_is_1_for_out_of_action_1_for_rank_and_none_for_serious_injury() -> None:
    awards = BOOK.experience
    assert (awards.out_of_action, awards.rank_bonus, awards.serious_injury) == (1, 1, 0)
    assert awards.ranks_with_bonus == ("leader", "champion")


@every(
    ("hundredths", "hit"),
    [(299, None), (300, (3, 0, 1)), (520, (5, -1, 1)), (800, (7, -2, 2)), (1001, (9, -3, 3))],
)
def test_falls_of_3_inches_or_more_hit_by_the_distance_rounded_up(
    hundredths: int, hit: tuple[int, int, int] | None
) -> None:
    band = fall_hit(hundredths, rulebook=loader.rulebook("necromunda_archive", []))
    found = None if band is None else (band.strength, band.armour_penetration, band.damage)
    assert found == hit


@every(
    ("strength", "toughness", "needed"), [(4, 2, 2), (4, 3, 3), (3, 3, 4), (3, 4, 5), (3, 5, 5), (3, 6, 6)]
)
def test_the_wound_table_is_the_same(strength: int, toughness: int, needed: int) -> None:
    rulebook = loader.rulebook("necromunda_archive", [])
    assert wound_threshold(strength=strength, toughness=toughness, rulebook=rulebook) == needed


def test_one_lasting_injury_roll_fits_this_book_as_well() -> None:
    house = loader.policy("one-lasting-injury-roll")
    assert loader.rulebook(BOOK.book, [(house.id, house.patch)]).knob("lasting_injuries.rolls") == "once"


def test_a_house_rule_about_rows_that_this_book_has_not_is_refused() -> None:
    house = loader.policy("old-battle-wound-at-once")
    with pytest.raises(UnknownKnob):
        loader.rulebook(BOOK.book, [(house.id, house.patch)])


def test_every_roll_names_a_section_of_this_book_and_never_the_newer_one() -> None:
    no_rule = {"corrections"}  # what the Arbitrator puts right stands in no book
    sections = {name: section for name, section in BOOK.sections.items() if name not in no_rule}
    assert all(section.startswith("Archived rules · ") for section in sections.values())
    assert set(sections.values()).isdisjoint(NEWER.sections.values())


# --- mutations -------------------------------------------------------------------------------------------


def test_these_mutations_take_the_place_of_results_46_and_51_to_56() -> None:
    by_cell = {row.id: row.cells for row in BOOK.lasting_injuries.rows}
    listed = [(by_cell[mutation.instead_of], mutation.name) for mutation in BOOK.mutations.mutations]
    assert listed == [
        (("46",), "Hungering Pride"),
        (("51",), "Dark Madness"),
        (("52",), "Bestial Senses"),
        (("53",), "Disturbing Appendage"),
        (("54",), "Warped Limbs"),
        (("55",), "Crooked Body"),
        (("56",), "Twisted Flesh"),
    ]
    assert (BOOK.mutations.needs, NEWER.mutation_rules) == (6, None)
    assert (BOOK.mutations.by_corrupted_gang, BOOK.mutations.daemon, BOOK.mutations.mutated_already) == (
        1,
        1,
        1,
    )


@every(("mutations", "toughness"), list(product(range(7), range(7))))
def test_as_many_mutations_as_toughness_and_at_least_one_make_a_spawn(mutations: int, toughness: int) -> None:
    made = becomes_spawn(mutations=mutations, toughness=toughness)
    assert made == (mutations >= 1 and mutations >= toughness)


# --- the chapters it shares with the newer book ----------------------------------------------------------

ABOUT_ROWS_AND_STATES_IT_HAS_NOT = {
    "captured.with_critical",
    "convalescence.next_battle",
    "experience.rank_bonus",
    "multiple_injuries.substituted_out_cold",
    "old_battle_wound.dice",
    "old_battle_wound.first_battle",
    "tables.rerolls",
    "underdog.patronage",
}


def test_the_archived_book_has_every_knob_of_the_2023_book_but_those_about_rows_that_it_lacks() -> None:
    """A knob that shared rules read and this book lacks would stop a battle in the middle."""
    missing = {name for name, knob in NEWER.knobs.items() if name not in BOOK.knobs and not knob.at_the_table}
    assert missing == ABOUT_ROWS_AND_STATES_IT_HAS_NOT


def test_the_archived_book_prints_its_own_shooting_and_close_combat_knobs() -> None:
    chapters = ("blast.", "melee.", "stray_shots.", "target_priority.", "initiative_test.", "fleeing.")
    differs = {
        name: knob.printed
        for name, knob in BOOK.knobs.items()
        if name.startswith(chapters) and NEWER.knobs[name].printed != knob.printed
    }
    assert differs == {
        "blast.off_the_table": "removed",
        "fleeing.for_the_scenario": "out_of_action",
        "initiative_test.natural_1": "fails",
        "melee.across_barricade": "-1",
        "melee.coup_de_grace": "nobody_left",
        "melee.helpers_held_by": "any_enemy",
        "stray_shots.at_risk": "fighters",
        "target_priority.easier_target": "any_further",
    }


def test_the_dice_of_shooting_and_close_combat_have_the_same_faces() -> None:
    for die in ("firepower", "scatter", "injury", "location", "vehicle_damage", "control"):
        assert BOOK.special_dice[die] == NEWER.special_dice[die]


def test_house_rules_on_shooting_and_close_combat_fit_this_book_as_well() -> None:
    for policy in loader.policies().values():
        if {"shooting", "close_combat"} & set(policy.tags):
            loader.rulebook(BOOK.book, [(policy.id, policy.patch)])


def test_house_rules_from_the_archived_pages_exist() -> None:
    found = {
        policy.id: policy.patch for policy in loader.policies().values() if "archived pages" in policy.source
    }
    assert found == {
        "blasts-scatter-unseen@1": {"blast.unseen": "scatters"},
        "crew-fires-any-pistol@1": {"crew.own_weapons": "any_pistol"},
        "reload-is-double@1": {"reload.action": "double"},
    }
