"""The archived book: its own rows, limits and awards, complete in its own folder, and where it differs."""

import pytest

from tracker.rules import effects as fx
from tracker.rules import shelf
from tracker.rules.necromunda.hits import fall_hit, wound_threshold
from tracker.rules.rulebook import UnknownKnob

BOOK = shelf.book("necromunda_archive")
NEWER = shelf.book("necromunda_2023")


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
    printed = shelf.rulebook("necromunda_archive", [])
    other = shelf.rulebook(
        "necromunda_archive", [("of-this-table@1", {"characteristics.worst": "experience_page"})]
    )
    assert (printed.limits("cool").worst, other.limits("cool").worst) == (12, 10)
    assert (printed.limits("movement"), other.limits("movement")) == (BOOK.characteristics["movement"],) * 2


def test_experience_is_1_for_out_of_action_1_for_rank_and_none_for_serious_injury() -> None:
    awards = BOOK.experience
    assert (awards.out_of_action, awards.rank_bonus, awards.serious_injury) == (1, 1, 0)
    assert awards.ranks_with_bonus == ("leader", "champion")


@pytest.mark.parametrize(
    ("hundredths", "hit"),
    [(299, None), (300, (3, 0, 1)), (520, (5, -1, 1)), (800, (7, -2, 2)), (1001, (9, -3, 3))],
)
def test_falls_of_3_inches_or_more_hit_by_the_distance_rounded_up(
    hundredths: int, hit: tuple[int, int, int] | None
) -> None:
    band = fall_hit(hundredths, rulebook=shelf.rulebook("necromunda_archive", []))
    found = None if band is None else (band.strength, band.armour_penetration, band.damage)
    assert found == hit


@pytest.mark.parametrize(
    ("strength", "toughness", "needed"), [(4, 2, 2), (4, 3, 3), (3, 3, 4), (3, 4, 5), (3, 5, 5), (3, 6, 6)]
)
def test_the_wound_table_is_the_same(strength: int, toughness: int, needed: int) -> None:
    assert wound_threshold(strength=strength, toughness=toughness) == needed


def test_one_lasting_injury_roll_fits_this_book_as_well() -> None:
    house = shelf.policy("one-lasting-injury-roll")
    assert shelf.rulebook(BOOK.book, [(house.id, house.patch)]).knob("lasting_injuries.rolls") == "once"


def test_a_house_rule_about_rows_that_this_book_has_not_is_refused() -> None:
    house = shelf.policy("old-battle-wound-at-once")
    with pytest.raises(UnknownKnob):
        shelf.rulebook(BOOK.book, [(house.id, house.patch)])


def test_every_roll_names_a_section_of_this_book_and_never_the_newer_one() -> None:
    assert all(section.startswith("Archived rules · ") for section in BOOK.sections.values())
    assert set(BOOK.sections.values()).isdisjoint(NEWER.sections.values())
