"""Books that do not hold together: each is refused by the file and the fault, in words that help to mend it."""

import copy
from collections.abc import Callable
from typing import Any

import made_up_book
import pytest

from tracker.rules import loader
from tracker.rules.loader import BrokenBook
from tracker.rules.vehicle_tables import CONTROL_DIE, DAMAGE_DIE, LOCATION_DIE

Files = dict[str, dict[str, Any]]
WHOLE = {name: loader.book_files(name) for name in loader.book_names()}
TWENTY_THREE, TRENCH, MADE_UP = "necromunda_2023", "trench_crusade", made_up_book.BOOK
CARD = "expected movement, toughness, hit_points, handling, save"
BANDS = [{"id": "low", "name": "Low", "totals": "3-"}, {"id": "high", "name": "High", "totals": "4+"}]


def named(entries: list[dict[str, Any]], name: str, key: str = "id") -> dict[str, Any]:
    return next(entry for entry in entries if entry[key] == name)


def row(files: Files, name: str) -> dict[str, Any]:
    return named(files["lasting_injuries"]["row"], name)


def chart(**changes: Any) -> dict[str, Any]:
    return {
        "id": "mood",
        "title": "Mood",
        "source": "S",
        "roll": "2D6",
        "band": copy.deepcopy(BANDS),
        **changes,
    }


def put(path: str, value: Any) -> Callable[[Files], None]:
    """Spoil by one value: 'falls/band/1/from_inches'."""

    def spoil(files: Files) -> None:
        at: Any = files
        *way, last = path.split("/")
        for step in way:
            at = at[int(step) if isinstance(at, list) else step]
        at[int(last) if isinstance(at, list) else last] = value

    return spoil


def in_row(name: str, **changes: Any) -> Callable[[Files], None]:
    def spoil(files: Files) -> None:
        row(files, name).update(changes)

    return spoil


def with_chart(**changes: Any) -> Callable[[Files], None]:
    def spoil(files: Files) -> None:
        files["mood"] = chart(**changes)

    return spoil


def without(stem: str) -> Callable[[Files], None]:
    def spoil(files: Files) -> None:
        del files[stem]

    return spoil


def nerve_twice(files: Files) -> None:
    files["nerve"]["test"].append({**files["nerve"]["test"][0]})
    files["nerve"]["test"][-1].update(tester="fighter", because_of="vehicle")
    files["nerve"]["test"].insert(0, {**files["nerve"]["test"][-1]})


def five_faces(files: Files) -> None:
    files["dice"]["die"][0]["symbols"].pop()


def another_variant(files: Files) -> None:
    files["dice"]["die"].append({**files["dice"]["die"][0], "variant": "grimmer"})


def alike(files: Files) -> None:
    files["armour"]["armour"].append({**files["armour"]["armour"][0], "id": "tin"})


def open_fall(files: Files) -> None:
    del files["falls"]["band"][0]["to_inches"]


def sold_to_whom(files: Files) -> None:
    del files["experience"]["out_of_action"]


MULTIPLE = {
    "kind": "roll_again",
    "dice": "D3",
    "count_purpose": "sulk",
    "purpose": "lasting_injury",
    "rerolls": [],
}
BROKEN: list[tuple[str, Callable[[Files], None], str, str]] = [
    (MADE_UP, without("knobs"), "sump_quarrels/knobs.toml", "is missing"),
    (MADE_UP, without("dice"), "sump_quarrels/dice.toml", "is missing"),
    (MADE_UP, put("dice/source", ""), "sump_quarrels/dice.toml", "names no source"),
    (
        MADE_UP,
        put("knobs/knob/0/printed", "twice"),
        "sump_quarrels/knobs.toml",
        "knob lasting_injuries.rolls: prints 'twice', which is none of its choices",
    ),
    (
        MADE_UP,
        put("knobs/knob/0/section", "nowhere"),
        "sump_quarrels/knobs.toml",
        "knob lasting_injuries.rolls, section: 'nowhere' is no section of this book: expected everything, wound_roll, save_roll, inflict_damage, injury_dice, lasting_injury_table, experience",
    ),
    (MADE_UP, five_faces, "sump_quarrels/dice.toml", "die injury: has 5 faces, not six"),
    (
        MADE_UP,
        another_variant,
        "sump_quarrels/dice.toml",
        "the variants of the injury die are not the choices of the knob injury_die.faces",
    ),
    (
        MADE_UP,
        put("dice/purpose/0/die", "D20"),
        "sump_quarrels/dice.toml",
        "the purpose wound asks for an unknown die D20",
    ),
    (MADE_UP, sold_to_whom, "sump_quarrels/experience.toml", "misses 'out_of_action'"),
    (
        MADE_UP,
        put("lasting_injuries/id", "scars"),
        "sump_quarrels/lasting_injuries.toml",
        "holds scars, whose file is scars.toml",
    ),
    (
        MADE_UP,
        in_row("sulks", cells="11-32"),
        "sump_quarrels/lasting_injuries.toml",
        "cells missing: 33; cells twice: none",
    ),
    (
        MADE_UP,
        in_row("sulks", cells="11-34"),
        "sump_quarrels/lasting_injuries.toml",
        "cells missing: none; cells twice: 34",
    ),
    (
        MADE_UP,
        in_row("sulks", cells="11-37"),
        "sump_quarrels/lasting_injuries.toml",
        "row sulks, cells: '11-37' is no range of D66 cells",
    ),
    (
        MADE_UP,
        in_row("sulks", id="lost_nerve"),
        "sump_quarrels/lasting_injuries.toml",
        "the row lost_nerve stands twice",
    ),
    (
        MADE_UP,
        put("lasting_injuries/default_row", "shrugs"),
        "sump_quarrels/lasting_injuries.toml",
        "default_row: 'shrugs' is no row of this table: expected sulks, lost_nerve",
    ),
    (
        MADE_UP,
        in_row("sulks", effects=[{**MULTIPLE, "rerolls": ["lost_nerve", "shrugs"]}]),
        "sump_quarrels/lasting_injuries.toml",
        "row sulks, rerolls: 'shrugs' is no row of this table: expected sulks, lost_nerve",
    ),
    (
        MADE_UP,
        in_row("lost_nerve", effects=[{"kind": "reduce", "characteristic": "speed", "by": 1}]),
        "sump_quarrels/lasting_injuries.toml",
        "lost_nerve, effects, characteristic: 'speed' is no characteristic",
    ),
    (
        MADE_UP,
        in_row("sulks", effects=[{"kind": "recovry"}]),
        "sump_quarrels/lasting_injuries.toml",
        "row sulks, effects 1: 'recovry' is not known (did you mean 'recovery'?)",
    ),
    (
        MADE_UP,
        in_row("sulks", counts_as_default_when=[{"kind": "has_skil", "skill": "x"}]),
        "sump_quarrels/lasting_injuries.toml",
        "row sulks, counts_as_default_when 1: 'has_skil' is not known (did you mean 'has_skill'?)",
    ),
    (
        MADE_UP,
        in_row("sulks", rolled_again_when=[{"kind": "sufered_before"}]),
        "sump_quarrels/lasting_injuries.toml",
        "row sulks, rolled_again_when 1: 'sufered_before' is not known (did you mean 'suffered_before'?)",
    ),
    (
        MADE_UP,
        in_row("sulks", effects=[{"kind": "ransom", "unpaid": "freed"}]),
        "sump_quarrels/lasting_injuries.toml",
        "row sulks, effects 1, unpaid: 'freed' is none of held, death",
    ),
    (
        MADE_UP,
        in_row("sulks", effects=[{"kind": "experience", "dice": "D6", "purpose": "sulk"}]),
        "sump_quarrels/lasting_injuries.toml",
        "sulks asks for 'sulk' by D6, which dice.toml does not know",
    ),
    (
        MADE_UP,
        in_row("sulks", effects=[{**MULTIPLE, "dice": "D6"}]),
        "sump_quarrels/lasting_injuries.toml",
        "sulks asks for 'sulk' by D6, which dice.toml does not know",
    ),
    (
        MADE_UP,
        in_row("sulks", effects=[{**MULTIPLE, "purpose": "sulk"}]),
        "sump_quarrels/lasting_injuries.toml",
        "sulks asks for 'sulk' by D66, which dice.toml does not know",
    ),
    (
        MADE_UP,
        with_chart(id="weather"),
        "sump_quarrels/mood.toml",
        "holds weather, whose file is weather.toml",
    ),
    (
        MADE_UP,
        with_chart(band=[BANDS[0], {**BANDS[1], "totals": "5+"}]),
        "sump_quarrels/mood.toml",
        "high does not follow low without a gap",
    ),
    (
        MADE_UP,
        with_chart(band=[{**BANDS[0], "totals": "3+"}, BANDS[1]]),
        "sump_quarrels/mood.toml",
        "high does not follow low without a gap",
    ),
    (
        MADE_UP,
        with_chart(band=[{**BANDS[0], "effects": [{"kind": "deth"}]}, BANDS[1]]),
        "sump_quarrels/mood.toml",
        "band low, effects 1: 'deth' is not known (did you mean 'death'?)",
    ),
    (
        MADE_UP,
        with_chart(
            band=[
                {**BANDS[0], "effects": [{"kind": "reduce", "characteristic": "speed", "by": 1}]},
                BANDS[1],
            ]
        ),
        "sump_quarrels/mood.toml",
        "low, effects, characteristic: 'speed' is no characteristic",
    ),
    (
        MADE_UP,
        with_chart(
            band=[
                {**BANDS[0], "effects": [{"kind": "experience", "dice": "D6", "purpose": "sulk"}]},
                BANDS[1],
            ]
        ),
        "sump_quarrels/mood.toml",
        "low asks for 'sulk' by D6, which dice.toml does not know",
    ),
    (
        TWENTY_THREE,
        put("wound_roll/row/2/strength", "twice"),
        "necromunda_2023/wound_roll.toml",
        "the comparison twice stands twice",
    ),
    (
        TWENTY_THREE,
        lambda files: files["wound_roll"]["row"].pop(1),
        "necromunda_2023/wound_roll.toml",
        "there is no row for half",
    ),
    (
        TWENTY_THREE,
        put("wound_roll/row/0/strength", "thrice"),
        "necromunda_2023/wound_roll.toml",
        "row twice the Toughness or more, strength: 'thrice' is not known (did you mean 'twice'?)",
    ),
    (
        TWENTY_THREE,
        put("wound_roll/row/0/needs", 1),
        "necromunda_2023/wound_roll.toml",
        "row twice the Toughness or more: twice needs 1, which no D6 does",
    ),
    (
        TWENTY_THREE,
        put("wound_roll/row/0/needs", 7),
        "necromunda_2023/wound_roll.toml",
        "row twice the Toughness or more: twice needs 7, which no D6 does",
    ),
    (
        TWENTY_THREE,
        put("wound_roll/row/0/needs", True),
        "necromunda_2023/wound_roll.toml",
        "row twice the Toughness or more, needs: expected a whole number, not true or false",
    ),
    (
        TWENTY_THREE,
        put("wound_roll/row/0/name", ""),
        "necromunda_2023/wound_roll.toml",
        "row 1: twice has no name",
    ),
    (
        TWENTY_THREE,
        put("falls/band/1/from_inches", 7),
        "necromunda_2023/falls.toml",
        "no band begins at 6 inches",
    ),
    (
        TWENTY_THREE,
        put("falls/lowest_inches", 2),
        "necromunda_2023/falls.toml",
        "no band begins at 2 inches",
    ),
    (TWENTY_THREE, open_fall, "necromunda_2023/falls.toml", "the last band, and only that, has no to_inches"),
    (
        TWENTY_THREE,
        put("falls/band/-1/to_inches", 40),
        "necromunda_2023/falls.toml",
        "the last band, and only that, has no to_inches",
    ),
    (
        TWENTY_THREE,
        nerve_twice,
        "necromunda_2023/nerve.toml",
        "the test of a fighter because of vehicle stands twice",
    ),
    (
        TWENTY_THREE,
        put("nerve/test/0/tester", "beast"),
        "necromunda_2023/nerve.toml",
        "test 1, tester: 'beast' is none of fighter, vehicle",
    ),
    (
        TWENTY_THREE,
        put("nerve/flight/fighter", "hide"),
        "necromunda_2023/nerve.toml",
        "flight, fighter: 'hide' is none of running_for_cover, break_for_air, burn_out",
    ),
    (
        TWENTY_THREE,
        put("traits/trait/0", {"id": "Odd", "saves": "some"}),
        "necromunda_2023/traits.toml",
        "trait Odd, saves: 'some' is none of any, field_only, none",
    ),
    (
        TWENTY_THREE,
        put("traits/trait/0", {"id": "Odd", "on_natural_6_to_hit": {"saves": "some"}}),
        "necromunda_2023/traits.toml",
        "trait Odd, on_natural_6_to_hit, saves: 'some' is none of any, field_only, none",
    ),
    (
        TWENTY_THREE,
        put("traits/trait/0", {"id": "Odd", "on_natural_6_to_wound": {"saves": "some"}}),
        "necromunda_2023/traits.toml",
        "trait Odd, on_natural_6_to_wound, saves: 'some' is none of any, field_only, none",
    ),
    (
        TWENTY_THREE,
        put("traits/trait/0", {"id": "Odd", "wound_roll": "by_luck"}),
        "necromunda_2023/traits.toml",
        "trait Odd, wound_roll: 'by_luck' is none of by_strength, by_toughness",
    ),
    (
        TWENTY_THREE,
        put("traits/trait/0", {"id": "Odd", "on_wound": "nothing"}),
        "necromunda_2023/traits.toml",
        "trait Odd, on_wound: 'nothing' is none of damage, injury_die, webbed",
    ),
    (TRENCH, alike, "trench_crusade/armour.toml", "the modifier -1 stands twice"),
    (
        TRENCH,
        put("armour/armour/1/id", WHOLE[TRENCH]["armour"]["armour"][0]["id"]),
        "trench_crusade/armour.toml",
        f"the armour {WHOLE[TRENCH]['armour']['armour'][0]['id']} stands twice",
    ),
    (
        TWENTY_THREE,
        put("vehicles/damage/0/effects", [{"kind": "explode"}]),
        "necromunda_2023/vehicles.toml",
        "damage Crew Shaken, effects 1: 'explode' is none of shaken, handling_or_stall, stall, lose_hit_points, destroy_weapon, cap_movement, hinder_handling, loss_of_control, wound_driver, black_out_driver",
    ),
    (
        TWENTY_THREE,
        put("vehicles/lasting_damage/0/effects", [{"kind": "explode"}]),
        "necromunda_2023/vehicles.toml",
        "lasting_damage persistent_rattle, effects 1: 'explode' is none of rattle, handling_glitch, unreliable, reduce_vehicle, write_off",
    ),
    (
        TWENTY_THREE,
        put(
            "vehicles/lasting_damage/0/effects",
            [{"kind": "reduce_vehicle", "characteristic": "speed", "by": 1}],
        ),
        "necromunda_2023/vehicles.toml",
        f"lasting_damage persistent_rattle: effects, characteristic: 'speed' is no number of a card: {CARD}",
    ),
    (
        TWENTY_THREE,
        put("vehicles/lasting_damage/1/totals", "99-100"),
        "necromunda_2023/vehicles.toml",
        "lasting damage: {1} does not follow {0} without a gap".format(
            *(one["id"] for one in WHOLE[TWENTY_THREE]["vehicles"]["lasting_damage"])
        ),
    ),
    (
        TWENTY_THREE,
        put("vehicles/lasting_damage", []),
        "necromunda_2023/vehicles.toml",
        "lasting damage must cover every total from 1 on",
    ),
    (
        TWENTY_THREE,
        put("vehicles/limits", {"movement": [1, 8]}),
        "necromunda_2023/vehicles.toml",
        "limits: vehicles need those of exactly movement, toughness, hit_points, handling, save",
    ),
]


@pytest.mark.parametrize(("book", "spoil", "file", "fault"), BROKEN, ids=[one[3][:60] for one in BROKEN])
def test_a_book_is_refused_by_file_and_fault(
    book: str, spoil: Callable[[Files], None], file: str, fault: str
) -> None:
    files = copy.deepcopy(made_up_book.files() if book == MADE_UP else WHOLE[book])
    spoil(files)
    with pytest.raises(BrokenBook) as refused:
        loader.build_book(files, where=book)
    assert (refused.value.file, refused.value.fault) == (file, fault)


def test_a_damage_table_that_misses_or_repeats_a_cell_is_refused() -> None:
    for spoil in (list.pop, lambda cells: cells.append({**cells[0]})):
        files = copy.deepcopy(WHOLE[TWENTY_THREE])
        spoil(files["vehicles"]["damage"])
        with pytest.raises(BrokenBook) as refused:
            loader.build_book(files, where=TWENTY_THREE)
        assert refused.value.fault.startswith("the damage table misses or repeats a cell: it has [(")


@pytest.mark.parametrize("die", [LOCATION_DIE, DAMAGE_DIE, CONTROL_DIE])
def test_a_book_with_vehicles_needs_their_dice(die: str) -> None:
    files = copy.deepcopy(WHOLE[TWENTY_THREE])
    files["dice"]["purpose"] = [one for one in files["dice"]["purpose"] if one["die"] != die]
    files["dice"]["die"] = [one for one in files["dice"]["die"] if one["name"] != die]
    with pytest.raises(BrokenBook) as refused:
        loader.build_book(files, where=TWENTY_THREE)
    assert refused.value.fault == f"vehicles need a {die} die"


def test_the_whole_books_are_not_refused() -> None:
    """Or every refusal above might have another reason."""
    for name, files in (*WHOLE.items(), (MADE_UP, made_up_book.files())):
        assert loader.build_book(files, where=name).book == name
    assert (
        loader.build_book({**made_up_book.files(), "mood": chart()}, where=MADE_UP).charts["mood"].roll
        == "2D6"
    )


def test_what_a_book_need_not_say_has_its_printed_default() -> None:
    files = made_up_book.files()
    del files["experience"]
    book = loader.build_book(files, where=MADE_UP)
    assert book.experience_awards is None
    awards = loader.build_book(made_up_book.files(), where=MADE_UP).experience
    assert (awards.rallied, awards.assisted_recovery, awards.vehicle_wrecked) == (0, 0, 0)
    assert (awards.serious_injury, awards.out_of_action, awards.ranks_with_bonus) == (0, 5, ())
    assert (book.falls, book.lowest_fall_inches, book.armour, book.shield_modifier) == ((), 0, {}, 0)
    assert (dict(book.traits), book.traits_elsewhere, book.categories) == ({}, (), ())
    assert (book.nerve_rules, book.vehicle_rules, dict(book.charts)) == (None, None, {})
