"""What the books say of the time between battles, read anew: whole as printed."""

from spoiled_books import spoiled
from tables import every

from tracker.records import replace
from tracker.rules import loader
from tracker.rules.necromunda.post_battle import DieDraw, house_id, income_of, seek_modifiers, value_of_d66
from tracker.rules.post_battle_tables import Income, TerritoryRules
from tracker.rules.rulebook import Book

N23, ARCHIVE, TRENCH = "necromunda_2023", "necromunda_archive", "trench_crusade"


def read(name: str) -> Book:
    """The book, read anew."""
    return loader.build_book(loader.book_files(name), where=name)


def test_an_activity_may_be_done_in_every_step_of_the_sequence() -> None:
    steps = [step.step for step in read(N23).post_battle.steps]
    book = loader.build_book(spoiled(N23, "post_battle/also_at", {"scrap": steps}), where=N23)
    assert book.post_battle.also_at == {"scrap": tuple(steps)}


def test_the_stabilised_roll_a_d66_and_by_the_archived_rules_among_the_fifties() -> None:
    doctors = [read(name).post_battle.doctor for name in (N23, ARCHIVE)]
    assert [
        (doctor.credits_per_pip, doctor.tens, doctor.rerolls) for doctor in doctors if doctor is not None
    ] == [
        (10, None, ("captured", "critical_injury", "memorable_death")),
        (10, 5, ()),
    ]


def test_a_threshold_rises_game_by_game_where_the_book_prints_no_game_apart() -> None:
    files = spoiled(TRENCH, "warbands/threshold/each_game_field_strength", 2)
    del files["warbands"]["threshold"]["game"]
    warbands = loader.build_book(files, where=TRENCH).warbands
    assert warbands is not None
    assert [(row.game, row.ducats, row.field_strength) for row in map(warbands.threshold, range(1, 13))] == [
        (game, 700 + 100 * (game - 1), 10 + 2 * (game - 1)) for game in range(1, 13)
    ]


def test_a_capture_is_rolled_against_13_and_each_of_its_kinds_adds_1() -> None:
    capture = read(ARCHIVE).post_battle.capture
    assert capture is not None
    assert (capture.level, capture.level_law_and_misrule) == (13, 11)
    each = (capture.out_of_action, capture.bounty_hunter, capture.webbed, capture.restrained)
    assert (*each, capture.water_guild) == (1,) * 5
    assert read(N23).post_battle.capture is None


def test_the_mutations_are_read_as_printed() -> None:
    book = read(ARCHIVE).mutations
    assert book is not None
    assert (book.needs, book.by_corrupted_gang, book.daemon, book.mutated_already) == (6, 1, 1, 1)
    assert [mutation.name for mutation in book.mutations] == [
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


@every("values", [6, 36])
def test_a_random_fighter_is_drawn_as_often_as_everybody_else(values: int) -> None:
    for among in range(1, values + 1):
        drawn = [DieDraw(among=among, values=values).place(value) for value in range(values)]
        each = values // among
        assert [drawn.count(place) for place in range(among)] == [each] * among
        assert drawn.count(None) == values - each * among


def test_of_the_incomes_of_a_territory_the_last_whose_conditions_hold_counts() -> None:
    incomes = (
        Income(name="plain"),
        Income(name="ours", house="cawdor"),
        Income(name="lawful", alignment="law_abiding"),
        Income(name="with another", needs="synth_still"),
        Income(name="last", house="escher", alignment="outlaw", needs="synth_still"),
    )
    # Each that does not hold stands before one that does.
    held = {
        ("cawdor", "outlaw", ""): "ours",
        ("escher", "law_abiding", ""): "lawful",
        ("escher", "law_abiding", "synth_still"): "with another",
        ("escher", "outlaw", "synth_still"): "last",
        ("goliath", None, "synth_still"): "with another",
        ("goliath", None, ""): "plain",
    }
    for place in range(len(incomes)):
        kind = TerritoryRules(
            kind="den", name="Den", incomes=(*incomes[place:], *incomes[:place]), reputation_of_house={}
        )
        for (house, alignment, needs), name in held.items():
            found = income_of(kind, house=house, alignment=alignment, held=frozenset(filter(None, (needs,))))
            holding = [
                income.name
                for income in kind.incomes
                if income.house in (None, house)
                and income.alignment in (None, alignment)
                and income.needs in (None, needs or None)
            ]
            assert found is not None
            assert found.name == holding[-1]
            assert place or found.name == name


def test_a_house_is_known_however_it_is_written() -> None:
    for written in ("Van Saar", "House Van Saar", "van-saar", "house van-saar", "VAN SAAR"):
        assert house_id(written) == "van_saar"


def test_a_search_is_not_hindered_by_a_reputation_below_zero() -> None:
    seek = read(N23).post_battle.seek
    assert seek is not None
    by_one = replace(seek, reputation_step=1)
    assert [seek_modifiers(by_one, [], reputation) for reputation in (-3, 0, 1)] == [
        (),
        (),
        (("Reputation 1", 1),),
    ]


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
    assert warbands.exploring(0) == warbands.exploring(1) == warbands.exploration.bands[-1]
