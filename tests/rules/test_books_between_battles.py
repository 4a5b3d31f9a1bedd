"""What the books say of the time between battles, read anew: whole as printed, and refused with the fault."""

import copy
from typing import Any

import pytest

from tracker.rules import shelf
from tracker.rules.necromunda.post_battle import seek_modifiers, value_of_d66
from tracker.rules.rulebook import Book
from tracker.rules.shelf import BrokenBook

N23, ARCHIVE, TRENCH = "necromunda_2023", "necromunda_archive", "trench_crusade"


def read(name: str) -> Book:
    """The book as it stands on the shelf, read anew."""
    return shelf.build_book(shelf.book_files(name), where=name)


def spoiled(name: str, path: str, value: object) -> dict[str, dict[str, Any]]:
    files = copy.deepcopy(dict(shelf.book_files(name)))
    at: Any = files
    *way, last = path.split("/")
    for step in way:
        at = at[int(step) if isinstance(at, list) else step]
    at[int(last) if isinstance(at, list) else last] = value
    return files


BROKEN = [
    (N23, "gangs/retinue_cap/0/reputation", 30, "the caps by Reputation do not rise"),
    (N23, "gangs/weapons_limit", {"fighter": 3, "crew": 2}, "weapons_limit misses fighter, mounted or crew"),
    (
        N23,
        "advancements/rolled/row/0/totals",
        [3],
        "the rolled table does not hold every total of two dice once",
    ),
    (
        N23,
        "advancements/rolled/row/0/offers",
        ["luck"],
        "the rolled table offers an unknown advancement 'luck'",
    ),
    (N23, "advancements/caps", {"luck": 1}, "caps name an unknown characteristic 'luck'"),
    (N23, "post_battle/step/0/section", "luck", "names an unknown section 'luck'"),
    (N23, "post_battle/at", {"luck": "wrap_up"}, "unknown activity 'luck'; there are "),
    (N23, "post_battle/at/scrap", "luck", "scrap belongs to a step 'luck' that there is not"),
    (N23, "post_battle/also_at", {"scrap": ["luck"]}, "also_at tells of 'scrap' or a step that there is not"),
    (N23, "post_battle/action", {"luck": {}}, "unknown post-battle action 'luck'"),
    (N23, "territories/territory/1/id", "settlement", "the territory settlement stands twice"),
    (ARCHIVE, "mutations/mutation/0/instead_of", "luck", "takes the place of luck, which is no row"),
    (ARCHIVE, "mutations/mutation/0/id", "dark_madness", "the mutations name dark_madness twice"),
    (TRENCH, "warbands/exploration/band/0/battles", 1, "exploration falls from the most battles down to 1"),
    (TRENCH, "warbands/experience/learns_at", [4, 2], "the XP at which skills are learned do not rise"),
]


@pytest.mark.parametrize(("name", "path", "value", "fault"), BROKEN, ids=[path for _, path, _, _ in BROKEN])
def test_a_book_that_does_not_hold_together_is_refused(
    name: str, path: str, value: object, fault: str
) -> None:
    with pytest.raises(BrokenBook) as refused:
        shelf.build_book(spoiled(name, path, value), where=name)
    assert fault in refused.value.message()


def test_a_capture_is_rolled_against_13_and_each_of_its_kinds_adds_1() -> None:
    capture = read(ARCHIVE).post_battle.capture
    assert capture is not None
    assert (capture.level, capture.level_law_and_misrule) == (13, 11)
    kinds = ("out_of_action", "bounty_hunter", "webbed", "restrained", "water_guild")
    assert dict(capture.each) == dict.fromkeys(kinds, 1)
    assert read(N23).post_battle.capture is None


def test_the_mutations_are_read_as_printed() -> None:
    book = read(ARCHIVE).mutations
    assert book is not None
    assert (book.needs, book.by_corrupted_gang, book.daemon, book.mutated_already) == (6, 1, 1, 1)
    assert [one.name for one in book.mutations] == [
        "Hungering Pride",
        "Dark Madness",
        "Bestial Senses",
        "Disturbing Appendage",
        "Warped Limbs",
        "Crooked Body",
        "Twisted Flesh",
    ]


def test_a_reputation_below_the_first_cap_allows_nobody() -> None:
    gangs = read(N23).gangs
    assert gangs is not None
    assert [gangs.retinue_cap(reputation) for reputation in (0, 1, 4, 5, 9, 10, 15, 20, 99)] == [
        0,
        1,
        1,
        2,
        2,
        3,
        4,
        5,
        5,
    ]


def test_a_d66_draws_each_of_36_once() -> None:
    drawn = [value_of_d66((tens, units)) for tens in range(1, 7) for units in range(1, 7)]
    assert drawn == list(range(36))


def test_a_search_without_the_leader_is_not_helped_by_one() -> None:
    """+2 for a Leader, +1 for each Champion, +1 for each full 10 of Reputation."""
    seek = read(N23).post_battle.seek
    assert seek is not None
    assert seek_modifiers(seek, ["champion", "champion"], 9) == (("Champions trade", 2),)
    assert seek_modifiers(seek, ["leader"], 25) == (("the Leader trades", 2), ("Reputation 25", 2))


def test_things_of_a_warband_are_sold_for_half_their_worth_rounded_up() -> None:
    warbands = read(TRENCH).warbands
    assert warbands is not None
    assert [warbands.sold_for(worth) for worth in (1, 2, 3, 1000)] == [1, 1, 2, 500]
    assert warbands.exploring(0) == warbands.exploring(1) == warbands.exploration[-1]
