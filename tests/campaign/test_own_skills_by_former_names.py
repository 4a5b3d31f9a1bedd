"""A table's rows that name kinds of effects as they were called before: logs hold them, and are decided by them."""

import json
from typing import Any

import pytest
from fights import KNIFE
from rides import damage, location, ram, riding
from scenario import BOOK, MAGS, MESH, VEX, Table, card, given, hit
from shots import armed, shot
from special_rules import dice, purposes
from test_own_skills import effect, row

from tracker.campaign import records
from tracker.rules import loader
from tracker.rules.own_rows import fault_in, own_row
from tracker.rules.special_rules import FORMER_KINDS

ON_4 = {"roll": {"needs": 4}}
BLOW = records.ResolveHit(target=VEX, attacker=MAGS, weapon="knife", in_close_combat=True, hit_needs=4)


def of_target(when: str, then: str, **more: Any) -> dict[str, str]:
    return row("skill", "Old Hand", effect(when, then, bearer="target", **more))


def old_hand(**more: Any) -> records.FighterCard:
    return card(VEX, skills=("Old Hand",), **more)


def said(table: Table) -> list[str]:
    """What the record says of the row's die."""
    return [roll.outcome for roll in table.rolls if roll.purpose == "own_rule"]


@pytest.mark.parametrize("former", FORMER_KINDS)
def test_each_row_of_the_book_is_read_the_same_by_the_former_name_of_its_kind(former: str) -> None:
    found = 0
    for kind, stem in (("skill", "skills"), ("trait", "traits")):
        for printed in loader.book_files(BOOK)[stem][kind]:
            now = {key: printed[key] for key in ("name", "effect") if key in printed}
            before = json.loads(json.dumps(now).replace(f'"{FORMER_KINDS[former]}"', f'"{former}"'))
            if before != now:
                found += 1
                assert fault_in(kind, before) is None  # type: ignore[arg-type]
                assert own_row(kind, before).row == own_row(kind, now).row  # type: ignore[arg-type]
    assert found


def test_stays_up_keeps_from_being_pinned() -> None:
    table = armed(others=(old_hand(),), knobs=of_target("pinning", "stays_up", **ON_4))
    up = table.when(shot(VEX), *dice(hit=6, firepower="one_hole", own_rule=4, wound=1))
    assert (said(up), up.combatant(VEX).pinned) == (["Old Hand: not Pinned"], False)
    down = table.when(shot(VEX), *dice(hit=6, firepower="one_hole", own_rule=3, wound=1))
    assert (said(down), down.combatant(VEX).pinned) == (["Old Hand: no effect"], True)


def test_turns_hit_to_miss_ends_a_hit() -> None:
    knobs = of_target("hits_scored", "turns_hit_to_miss", **ON_4)
    table = given(old_hand(), card(MAGS, weapons=(KNIFE,)), knobs=knobs)
    missed = table.when(BLOW, *dice(own_rule=4))
    assert said(missed) == ["Old Hand: misses"]
    missed.then_nothing_happened()
    assert purposes(table.when(BLOW, *dice(own_rule=3, wound=1))) == ["own_rule", "wound"]


def test_hit_modifier_is_added_to_the_hit_roll() -> None:
    table = armed(others=(old_hand(),), knobs=of_target("hit_roll", "hit_modifier", by=-1, **ON_4))
    # Ballistic Skill 4+, +1 at Short range.
    plain, harder = (
        table.when(shot(VEX), *dice(own_rule=face, hit=1, firepower="one_hole")) for face in (3, 4)
    )
    assert said(plain) + said(harder) == ["Old Hand: no effect", "Old Hand: -1 to hit"]
    assert [[roll.target for roll in table.rolls if roll.purpose == "hit"] for table in (plain, harder)] == [
        [3],
        [4],
    ]


def test_changes_save_is_added_to_the_save() -> None:
    table = given(old_hand(armour=MESH), knobs=of_target("save", "changes_save", by=2))
    # Mesh armour saves on a 5.
    assert table.when(hit(VEX, by=MAGS), *dice(wound=6, save=3)).rolls[1].target == 3


def test_strikes_location_wounds_a_vehicle_there_and_after_what_wounds_anywhere() -> None:
    crew = {"location": "crew", "damage": "glancing", "against": "vehicle"}
    knobs = {
        **row("trait", "Old Hand", effect("wound_roll", "strikes_location", **crew, **ON_4)),
        **row("trait", "Harpoon", effect("wound_roll", "wounds", against="vehicle")),
    }
    table = riding(knobs=knobs)
    struck = table.when(ram(by=MAGS, traits=("Old Hand",)), *dice(own_rule=4, handling="6+6"))
    assert said(struck) == ["Old Hand: hits the crew"]
    (damaged,) = [event for event in struck.outcome if isinstance(event, records.VehicleDamaged)]
    assert (damaged.location, damaged.damage) == ("crew", "glancing")
    table.when(ram(by=MAGS, traits=("Old Hand",)), *dice(own_rule=3)).then_nothing_happened()
    both = table.when(
        ram(by=MAGS, traits=("Old Hand", "Harpoon")),
        *location("body"), *damage("glancing"), *dice(handling="6+6"),
    )  # fmt: skip
    assert purposes(both)[:2] == ["location", "vehicle_damage"]
