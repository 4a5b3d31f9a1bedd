"""Nerve, by numbers: who tests because of whom, whom nobody mourns, and what two dice must reach."""

from itertools import product

from tables import every

from tracker.campaign.profiles import CATEGORIES
from tracker.rules import loader
from tracker.rules.necromunda import nerve
from tracker.rules.rulebook import Rulebook

YOUNG = ("juve", "prospect")


def book(**knobs: str) -> Rulebook:
    patch = {name.replace("__", "."): value for name, value in knobs.items()}
    return loader.rulebook("necromunda_2023", [("test@1", patch)] if patch else [])


def archive() -> Rulebook:
    return loader.rulebook("necromunda_archive", [])


@every("rulebook", [book(), archive()], ids=["2023", "archived"])
def test_fighters_test_for_fighters_and_wrecks_and_vehicles_for_wrecks_alone(rulebook: Rulebook) -> None:
    inches = {
        (tester, because_of): nerve.nerve_distance(tester=tester, because_of=because_of, rulebook=rulebook)
        for tester, because_of in product(("fighter", "vehicle"), repeat=2)
    }
    assert inches == {
        ("fighter", "fighter"): 3,
        ("fighter", "vehicle"): 6,
        ("vehicle", "fighter"): None,
        ("vehicle", "vehicle"): 6,
    }


def test_a_crew_is_a_vehicle_and_everybody_else_a_fighter() -> None:
    assert [rank for rank in CATEGORIES if nerve.model(rank) == "vehicle"] == ["crew"]


@every(("tester", "victim"), list(product(CATEGORIES, repeat=2)))
def test_only_juves_and_prospects_test_nerve_for_a_juve_or_prospect_out_of_action(
    tester: str, victim: str
) -> None:
    spared = nerve.spared_as_elder(tester=tester, victim=victim, fate="out_of_action", rulebook=book())
    assert spared == (victim in YOUNG and tester not in YOUNG)


@every(("tester", "victim"), list(product(CATEGORIES, repeat=2)))
def test_everybody_tests_for_a_juve_or_prospect_who_is_seriously_injured(tester: str, victim: str) -> None:
    for rulebook in (book(), archive()):
        assert not nerve.spared_as_elder(
            tester=tester, victim=victim, fate="seriously_injured", rulebook=rulebook
        )


@every(("tester", "victim"), list(product(CATEGORIES, repeat=2)))
def test_by_the_archived_rules_prospects_alone_test_nerve_for_prospects(tester: str, victim: str) -> None:
    spared = nerve.spared_as_elder(tester=tester, victim=victim, fate="out_of_action", rulebook=archive())
    assert spared == (victim == "prospect" and tester != "prospect")


@every(("broken", "injured", "wrecked"), list(product((False, True), repeat=3)))
def test_a_friend_helps_who_is_neither_broken_nor_seriously_injured_nor_wrecked(
    broken: bool, injured: bool, wrecked: bool
) -> None:
    helps = nerve.counts_as_friend_near(broken=broken, seriously_injured=injured, wrecked=wrecked)
    assert helps == ((broken, injured, wrecked) == (False, False, False))


# How many of 36 pairs of dice reach a total of 2 to 12.
AT_LEAST = {2: 36, 3: 35, 4: 33, 5: 30, 6: 26, 7: 21, 8: 15, 9: 10, 10: 6, 11: 3, 12: 1}


@every("cool", range(3, 13))
@every("friends", range(9))
def test_a_nerve_test_of_2d6_and_1_for_each_friend_must_reach_cool(cool: int, friends: int) -> None:
    passing = sum(
        nerve.passes_on_two_dice(total=a + b + friends, natural=a + b, target=cool, rulebook=book())
        for a, b in product(range(1, 7), repeat=2)
    )
    assert passing == AT_LEAST[max(cool - friends, 2)]


@every("cool", range(3, 13))
@every("friends", range(9))
def test_by_the_archived_rules_a_natural_2_fails_however_many_friends_are_near(
    cool: int, friends: int
) -> None:
    passing = sum(
        nerve.passes_on_two_dice(total=a + b + friends, natural=a + b, target=cool, rulebook=archive())
        for a, b in product(range(1, 7), repeat=2)
    )
    assert passing == min(AT_LEAST[max(cool - friends, 2)], 35)


@every("rulebook", [book(), archive()], ids=["2023", "archived"])
def test_the_broken_run_for_cover_break_for_air_or_burn_out(rulebook: Rulebook) -> None:
    def flight(kind: nerve.Model, mobile: bool) -> str:
        return nerve.flight_of(kind=kind, mobile=mobile, rulebook=rulebook)

    assert flight("fighter", mobile=False) == "running_for_cover"
    assert flight("vehicle", mobile=True) == "break_for_air"
    assert flight("vehicle", mobile=False) == "burn_out"


def test_the_reaction_attacks_of_the_broken_are_at_minus_2() -> None:
    assert nerve.broken_reaction(book()) == -2
