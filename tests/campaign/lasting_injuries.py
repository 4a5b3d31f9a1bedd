"""The printed Lasting Injury table as tests of it read it: its cells, their dice, and what a second result does."""

from scenario import Table, further, how_many, lasting, lesson, phrases

from tracker.campaign import records
from tracker.dice import Die

CELLS = [f"{tens}{units}" for tens in range(1, 7) for units in range(1, 7)]
OUT_COLD_CELLS = ["15", "16", "21", "22", "23", "24", "25", "26"]
CONVALESCENCE_CELLS = ["31", "32", "33", "34", "35", "36"]
CRITICAL_CELLS = ["61", "62", "63", "64", "65"]

# The same result again, in battle 3 (in battle 2 the fighter recovers), to a fighter who has had it.
AGAIN = {
    "11": ("lesson_learned", "convalescence", "vex +2 XP"),
    "12": ("impressive_scars counts as out_cold",),
    "13": ("horrid_scars counts as out_cold",),
    "14": ("bitter_enmity counts as out_cold",),
    **dict.fromkeys(OUT_COLD_CELLS, ("out_cold",)),
    **dict.fromkeys(CONVALESCENCE_CELLS, ("convalescence", "convalescence")),
    "41": ("old_battle_wound",),
    "42": ("partially_deafened", "leadership 7 to 8"),
    "43": ("humiliated", "convalescence", "leadership 8 to 9", "cool 8 to 9"),
    "44": ("eye_injury", "recovery from battle 3", "ballistic_skill 5 to 6"),
    "45": ("hand_injury", "recovery from battle 3", "weapon_skill 5 to 6"),
    "46": ("hobbled", "recovery from battle 3", "movement 4 to 3"),
    "51": ("spinal_injury", "recovery from battle 3", "strength 2 to 1"),
    "52": ("enfeebled", "recovery from battle 3", "toughness 2 to 1"),
    "53": ("head_injury", "recovery from battle 3", "intelligence 8 to 9", "willpower 8 to 9"),
    "54": ("multiple_injuries", "convalescence within multiple_injuries", "convalescence"),
}


def steps_from_the_worst(steps: int, *, highest_target: int) -> dict[str, int]:
    """Every characteristic so many steps better than the worst; Ld, Cl, Wil and Int are worst at `highest_target`."""
    return {
        **dict.fromkeys(("movement", "strength", "toughness"), 1 + steps),
        **dict.fromkeys(("weapon_skill", "ballistic_skill"), 6 - steps),
        **dict.fromkeys(("leadership", "cool", "willpower", "intelligence"), highest_target - steps),
    }


def dice_for(cell: str) -> tuple[Die, ...]:
    """The Lasting Injury roll and what it asks for besides: Lesson Learned teaches 2, Multiple Injuries is 3-2."""
    rolled = lasting(int(cell[0]), int(cell[1]))
    more = {"11": (lesson(2),), "54": (how_many(1), further(3, 2))}
    return (rolled, *more.get(cell, ()))


def carried_home(table: Table) -> tuple[str, ...]:
    """What the last command did, without Mags' XP for taking Vex out."""
    return phrases(
        event
        for event in table.events
        if not (isinstance(event, records.ExperienceGained) and event.reason == "Vex Out of Action")
    )
