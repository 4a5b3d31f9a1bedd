"""Crew injuries: what the crew of a wreck carries home, both books. Source: B6."""

from rides import FRAIL, LAST_POINT, OUT_COLD, crew_injury, lasting_damage, now, ram, riding
from scenario import MAGS, SAINTS, VEX, lasting, out_of_action, phrases
from tables import every

from tracker.campaign import records
from tracker.dice import read_die
from tracker.projections.standings import gang_row
from tracker.reports.standings import triumphs_of
from tracker.rules import loader

CREW_2023 = {
    "11": ("lesson_learned", "convalescence", "vex +2 XP"),
    "12": ("out_cold",),
    "26": ("out_cold",),
    "31": ("convalescence", "convalescence"),
    "46": ("convalescence", "convalescence"),
    "51": ("humiliated", "convalescence", "leadership 7 to 8", "cool 7 to 8"),
    "52": ("humiliated", "convalescence", "leadership 7 to 8", "cool 7 to 8"),
    "53": ("head_injury", "recovery from battle 1", "intelligence 7 to 8", "willpower 7 to 8"),
    "54": ("head_injury", "recovery from battle 1", "intelligence 7 to 8", "willpower 7 to 8"),
    "55": ("eye_injury", "recovery from battle 1", "ballistic_skill 4 to 5"),
    "56": ("eye_injury", "recovery from battle 1", "ballistic_skill 4 to 5"),
    "61": ("critical_injury", "critical"),
    "65": ("critical_injury", "critical"),
    "66": ("memorable_death", "vex dies", "mags +1 XP"),
}


CREW_ARCHIVE = CREW_2023 | {
    "11": ("lesson_learned", "recovery from battle 1", "vex +2 XP"),
    **dict.fromkeys(["31", "46"], ("grievous_injury", "recovery from battle 1")),
    **dict.fromkeys(
        ["51", "52"], ("humiliated", "recovery from battle 1", "leadership 7 to 8", "cool 7 to 8")
    ),
}


CREWS = [
    *(("necromunda_2023", cell, home) for cell, home in CREW_2023.items()),
    *(("necromunda_archive", cell, home) for cell, home in CREW_ARCHIVE.items()),
]


@every(("book", "cell", "home"), CREWS)
def test_the_crew_carries_home_what_its_own_table_prints(book: str, cell: str, home: tuple[str, ...]) -> None:
    lesson = (read_die("lesson_learned", "D3", 2),) if cell == "11" else ()
    table = riding(FRAIL, book=book).when(
        ram(by=MAGS), *LAST_POINT, crew_injury(cell), lesson, lasting_damage(1)
    )
    paid = "mags +2 XP" if book == "necromunda_2023" else "mags +1 XP"
    assert phrases(table.events) == (paid, *home)


def test_the_crew_goes_out_of_action_in_the_wreck_with_exactly_one_roll() -> None:
    table = riding(FRAIL).when(ram(by=MAGS), *LAST_POINT, OUT_COLD, lasting_damage(1))
    assert (
        records.FighterWentOutOfAction(
            fighter=VEX, by=MAGS, reason="vehicle_wrecked", out_of_action_dice=0, lasting_injury_rolls=1
        )
        in table.outcome
    )
    assert table.combatant(VEX).out_of_action
    assert (table.fighter(MAGS).enemies_taken_out, table.fighter(VEX).times_out_of_action) == (1, 1)


def test_the_slaughterer_counts_a_wreck_and_its_crew_out_of_action_as_two() -> None:
    """A vehicle Wrecked, and an enemy fighter taken Out of Action: the triumph counts both."""
    table = riding(FRAIL).when(ram(by=MAGS), *LAST_POINT, OUT_COLD, lasting_damage(1))
    rules = loader.book("necromunda_2023").post_battle
    slaughterer = [triumph for triumph in rules.triumphs if triumph.by == "out_of_action_and_wrecks"]
    rows = [dict(gang_row(gang)) for gang in table.state.gangs.values()]
    (triumph,) = triumphs_of(rows, slaughterer)
    assert (triumph["gangs"], triumph["most"]) == ([SAINTS], 2)


def test_a_crew_that_is_out_of_action_already_is_not_rolled_for_again() -> None:
    table = riding(FRAIL).when(out_of_action(VEX), lasting(2, 1))
    table = table.when(ram(by=MAGS), *LAST_POINT, lasting_damage(1))
    assert now(table).wrecked
