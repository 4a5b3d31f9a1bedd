"""Mutations in the place of lasting injuries, by the archived rules, and who becomes a Chaos Spawn."""

from itertools import product

from scenario import (
    CLOSING,
    KRUG,
    MAGS,
    SAINTS,
    SKULLS,
    VEX,
    Table,
    card,
    given,
    lasting,
    opening,
    out_of_action,
)
from tables import every

from tracker.campaign import records
from tracker.dice import DiceLeftOver, DiceNeeded, Die, read_die
from tracker.rules.rulebook import BookHasNo

ARCHIVE = "necromunda_archive"
INSTEAD = {
    "46": "hungering_pride",
    "51": "dark_madness",
    "52": "bestial_senses",
    "53": "disturbing_appendage",
    "54": "warped_limbs",
    "55": "crooked_body",
    "56": "twisted_flesh",
}
CELLS = [f"{tens}{units}" for tens in range(1, 7) for units in range(1, 7)]


def corrupted(*cards, saints: bool = False, daemons: tuple[str, ...] = (), **more) -> Table:
    table = given(*cards, book=ARCHIVE, **more).when(records.StateCorruption(gang=SKULLS, daemons=daemons))
    return table.when(records.StateCorruption(gang=SAINTS)) if saints else table


def mutation(face: int) -> Die:
    return read_die("mutation", "D6", face)


def cell(number: str) -> Die:
    return lasting(int(number[0]), int(number[1]))


def gained(table: Table) -> list[str]:
    return [event.mutation for event in table.outcome if isinstance(event, records.MutationGained)]


def injured(table: Table) -> list[str]:
    return [event.injury for event in table.outcome if isinstance(event, records.LastingInjurySuffered)]


@every("number", CELLS)
def test_a_mutation_takes_the_place_of_results_46_and_51_to_56_alone(number: str) -> None:
    needs_more = (read_die("lesson_learned", "D3", 1),) if number == "11" else ()
    rolled = (mutation(6),) if number in INSTEAD else needs_more
    table = corrupted().when(out_of_action(VEX), cell(number), *rolled)
    assert table.refusal is None
    if number in INSTEAD:
        assert (gained(table), injured(table)) == ([INSTEAD[number]], [])
        assert not any(isinstance(event, records.WentIntoRecovery) for event in table.outcome)
        assert table.fighter(VEX).mutations == (INSTEAD[number],)
        assert table.fighter(VEX).characteristics == given().fighter(VEX).characteristics
    else:
        assert (gained(table), len(injured(table))) == ([], 1)


@every(("by_corrupted", "daemon", "again"), list(product([False, True], repeat=3)))
def test_a_mutation_needs_6_on_a_d6_with_1_for_each_reason(
    by_corrupted: bool, daemon: bool, again: bool
) -> None:
    for face in range(1, 7):
        table = corrupted(saints=by_corrupted, daemons=(VEX,) if daemon else ())
        if again:
            table = table.when(out_of_action(VEX), cell("52"), mutation(6))
            table = table.when(CLOSING).when(opening(2))
        table = table.when(out_of_action(VEX, by=MAGS), cell("46"), mutation(face))
        roll = next(roll for roll in table.rolls if roll.purpose == "mutation")
        why = [modifier.why for modifier in roll.modifiers]
        listed = zip((by_corrupted, daemon, again), ("by a corrupted gang", "daemon or possessed", "mutated already"), strict=True)  # fmt: skip
        assert why == [words for so, words in listed if so]
        mutates = face + by_corrupted + daemon + again >= 6
        assert ("hungering_pride" in gained(table)) is mutates is roll.passed
        assert (injured(table) == ["humiliated"]) is not mutates


def test_a_gang_that_nobody_called_corrupted_never_mutates() -> None:
    clean = given(book=ARCHIVE)
    assert injured(clean.when(out_of_action(VEX), cell("46"))) == ["humiliated"]
    assert isinstance(clean.when(out_of_action(VEX), cell("46"), mutation(6)).refusal, DiceLeftOver)
    assert isinstance(corrupted().when(out_of_action(VEX), cell("46")).refusal, DiceNeeded)
    # Mags of the Saints is clean: only her victims are of a corrupted gang.
    assert injured(corrupted().when(out_of_action(MAGS, by=KRUG), cell("46"))) == ["humiliated"]


def test_corruption_can_be_taken_back_and_with_it_who_is_a_daemon() -> None:
    table = corrupted(daemons=(VEX,))
    assert (table.state.gangs[SKULLS].corrupted, table.fighter(VEX).daemon) == (True, True)
    after = table.when(records.StateCorruption(gang=SKULLS, corrupted=False))
    assert (after.state.gangs[SKULLS].corrupted, after.fighter(VEX).daemon) == (False, False)
    assert injured(after.when(out_of_action(VEX), cell("46"))) == ["humiliated"]


# --- each once -------------------------------------------------------------------------------------------


def twice() -> Table:
    table = corrupted().when(out_of_action(VEX), cell("46"), mutation(6)).when(CLOSING).when(opening(2))
    return table.when(out_of_action(VEX), cell("46"), mutation(5))


def test_a_mutation_that_comes_again_is_another_one_of_the_players_choice() -> None:
    table = twice()
    assert [type(event) for event in table.outcome if "Mutation" in type(event).__name__] == [
        records.MutationCameAgain
    ]
    assert (table.fighter(VEX).mutations, table.fighter(VEX).mutations_to_choose) == (("hungering_pride",), 1)
    chosen = table.when(records.ChooseMutation(fighter=VEX, mutation="warped_limbs"))
    assert gained(chosen) == ["warped_limbs"]
    assert chosen.fighter(VEX).mutations == ("hungering_pride", "warped_limbs")
    chosen.when(records.ChooseMutation(fighter=VEX, mutation="crooked_body")).then_refused(
        records.NoMutationToChoose
    )


def test_a_mutation_that_cannot_be_chosen_is_refused() -> None:
    table = twice()
    table.when(records.ChooseMutation(fighter=VEX, mutation="hungering_pride")).then_refused(
        records.MutationHadAlready
    )
    table.when(records.ChooseMutation(fighter=VEX, mutation="wings")).then_refused(records.UnknownMutation)
    table.when(records.ChooseMutation(fighter=KRUG, mutation="warped_limbs")).then_refused(
        records.NoMutationToChoose
    )


# --- Chaos Spawn -----------------------------------------------------------------------------------------


@every("toughness", [1, 2, 3])
def test_as_many_mutations_as_toughness_make_a_chaos_spawn(toughness: int) -> None:
    table = corrupted(card(VEX, toughness=toughness))
    for nth, number in enumerate(list(INSTEAD)[:toughness], start=1):
        table = table.when(out_of_action(VEX), cell(number), mutation(6))
        spawned = [event for event in table.outcome if isinstance(event, records.BecameChaosSpawn)]
        last = records.BecameChaosSpawn(fighter=VEX, mutations=toughness, toughness=toughness)
        assert spawned == ([last] if nth == toughness else [])
        if nth < toughness:
            table = table.when(CLOSING).when(opening(nth + 1))
    assert table.fighter(VEX).standing == "retired"
    table.when(records.ChooseMutation(fighter=VEX, mutation="wings")).then_refused(records.FighterGone)


def test_toughness_lost_for_good_makes_a_chaos_spawn_too() -> None:
    table = corrupted(card(VEX, toughness=2)).when(out_of_action(VEX), cell("46"), mutation(6))
    table = table.when(CLOSING).when(opening(2)).when(out_of_action(VEX), cell("56"), mutation(1))
    assert injured(table) == ["enfeebled"]
    assert table.outcome[-1] == records.BecameChaosSpawn(fighter=VEX, mutations=1, toughness=1)


def test_a_mutation_of_the_players_choice_can_make_a_chaos_spawn() -> None:
    table = corrupted(card(VEX, toughness=2)).when(out_of_action(VEX), cell("46"), mutation(6))
    table = table.when(CLOSING).when(opening(2)).when(out_of_action(VEX), cell("46"), mutation(6))
    assert table.fighter(VEX).standing == "enlisted"
    chosen = table.when(records.ChooseMutation(fighter=VEX, mutation="warped_limbs"))
    assert chosen.outcome[-1] == records.BecameChaosSpawn(fighter=VEX, mutations=2, toughness=2)


# --- refusals --------------------------------------------------------------------------------------------


def test_contradictory_statements_of_corruption_are_refused() -> None:
    given(book="necromunda_2023").when(records.StateCorruption(gang=SKULLS)).then_refused(BookHasNo)
    given(book=ARCHIVE).when(records.StateCorruption(gang="nobody")).then_refused(records.UnknownGang)
    given(book=ARCHIVE).when(records.StateCorruption(gang=SKULLS, daemons=(MAGS,))).then_refused(
        records.DaemonOfAnotherGang
    )
    given(book=ARCHIVE).when(records.StateCorruption(gang=SKULLS, daemons=("x",))).then_refused(
        records.UnknownFighter
    )
