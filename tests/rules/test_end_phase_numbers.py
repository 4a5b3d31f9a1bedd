"""The End phase, by numbers: Bottle checks, Recovery dice, and who succumbs."""

from itertools import product

from tables import every

from tracker.campaign.profiles import CATEGORIES
from tracker.rules import loader
from tracker.rules.necromunda import end_phase
from tracker.rules.necromunda.end_phase import RecoveryOutcome
from tracker.rules.rulebook import Rulebook


def book(**knobs: str) -> Rulebook:
    patch = {name.replace("__", "."): value for name, value in knobs.items()}
    return loader.rulebook("necromunda_2023", [("test@1", patch)] if patch else [])


def archive() -> Rulebook:
    return loader.rulebook("necromunda_archive", [])


@every(("face", "casualties", "limit"), list(product(range(1, 7), range(1, 11), range(1, 13))))
def test_a_gang_bottles_out_on_more_than_its_crew_and_equal_is_a_pass(
    face: int, casualties: int, limit: int
) -> None:
    out = end_phase.bottles_out(face=face, casualties=casualties, limit=limit)
    assert out == (face > limit - casualties)


@every(
    ("rulebook", "limit"),
    [(book(), 9), (archive(), 5), (book(bottle__compared_with="models_arrived"), 7)],
    ids=["eligible models", "starting crew", "models arrived"],
)
def test_with_reinforcements_books_and_house_rules_compare_with_other_crews(
    rulebook: Rulebook, limit: int
) -> None:
    # Five began, two of four Reinforcements have come.
    assert (
        end_phase.bottle_limit(starting_crew=5, reinforcements_arrived=2, eligible=9, rulebook=rulebook)
        == limit
    )


@every("compared", ["eligible_models", "starting_crew", "models_arrived"])
def test_without_reinforcements_a_bottle_check_compares_with_the_starting_crew(compared: str) -> None:
    rulebook = book(bottle__compared_with=compared)
    assert (
        end_phase.bottle_limit(starting_crew=5, reinforcements_arrived=0, eligible=5, rulebook=rulebook) == 5
    )


def test_home_turf_gives_a_second_bottle_die() -> None:
    assert end_phase.bottle_dice(home_turf=True, rulebook=book()) == 2
    assert end_phase.bottle_dice(home_turf=False, rulebook=book()) == 1
    assert end_phase.bottle_dice(home_turf=True, rulebook=archive()) == 1


def test_a_leaders_example_reaches_12_inches_a_champions_6_and_nobody_elses() -> None:
    reaches = {rank: end_phase.example_reaches(rank, book()) for rank in CATEGORIES}
    assert {rank: inches for rank, inches in reaches.items() if inches} == {"leader": 12, "champion": 6}


# symbol, webbed, assisted -> what becomes of the fighter, and how many Flesh Wounds.
RECOVERY_2023 = {
    ("out_of_action", False, False): ("out_of_action", 0),
    ("out_of_action", False, True): ("out_of_action", 0),
    ("out_of_action", True, False): ("out_of_action", 0),
    ("out_of_action", True, True): ("out_of_action", 0),
    ("serious_injury", False, False): ("stays", 1),
    ("serious_injury", False, True): ("stays", 0),
    ("serious_injury", True, False): ("stays", 0),
    ("serious_injury", True, True): ("stays", 0),
    ("flesh_wound", False, False): ("pinned", 1),
    ("flesh_wound", False, True): ("pinned", 0),
    ("flesh_wound", True, False): ("pinned", 1),
    ("flesh_wound", True, True): ("pinned", 0),
}


@every(("case", "expected"), list(RECOVERY_2023.items()))
def test_each_face_of_a_recovery_die_does_what_the_books_print(
    case: tuple[str, bool, bool], expected: tuple[str, int]
) -> None:
    symbol, webbed, assisted = case
    outcome = end_phase.recovery_outcome(symbol, webbed=webbed, assisted=assisted, rulebook=book())
    assert (outcome.now, outcome.flesh_wounds) == expected


@every("assisted", [False, True])
def test_by_the_archived_rules_a_serious_injury_costs_nothing_and_help_spares_nothing(assisted: bool) -> None:
    outcomes = {
        symbol: end_phase.recovery_outcome(symbol, webbed=False, assisted=assisted, rulebook=archive())
        for symbol in ("flesh_wound", "serious_injury", "out_of_action")
    }
    assert outcomes == {
        "flesh_wound": RecoveryOutcome(now="pinned", flesh_wounds=1),
        "serious_injury": RecoveryOutcome(now="stays"),
        "out_of_action": RecoveryOutcome(now="out_of_action"),
    }


def test_where_nobody_chooses_the_kinder_recovery_die_counts() -> None:
    order = ["flesh_wound", "serious_injury", "out_of_action"]
    for first, second in product(order, repeat=2):
        place = end_phase.kinder_die([first, second])
        assert [first, second][place] == min(first, second, key=order.index)


def test_a_seriously_injured_fighter_succumbs_on_1_and_2() -> None:
    for rulebook in (book(), archive()):
        assert [face for face in range(1, 7) if end_phase.succumbs(face, rulebook)] == [1, 2]


def test_out_of_action_in_a_web_is_out_cold_on_1_to_4_and_captured_on_5_and_6() -> None:
    chart = loader.book("necromunda_2023").chart("webbed_out_of_action")
    shown = {face: chart.read(face).id for face in range(1, 7)}
    assert shown == {**dict.fromkeys(range(1, 5), "out_cold"), 5: "captured", 6: "captured"}
