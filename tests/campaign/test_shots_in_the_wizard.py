"""Shots in the wizard and on the board: what is asked goes by the weapon's card, however it spells its traits."""

import pytest
from scenario import KRUG, MAGS, SAINTS, SKULLS, Table
from shots import armed, gun
from tables import every

from tracker.documents.wizard.candidates import candidates
from tracker.documents.wizard.context import Context
from tracker.documents.wizard.forms import battle_forms
from tracker.rules import loader

SHOT = {"attacker": MAGS, "weapon": "gun"}


def asks(table: Table, key: str, **more: object) -> list[str] | None:
    """What a shot of Mags's may name there; None where the answer is free, nothing where it is not asked."""
    context = Context(state=table.state, book=loader.book(table.state.book), gangs=(SKULLS, SAINTS))
    offered = candidates(context, battle_forms()["shoot"], key, {**SHOT, **more})
    return None if offered is None else [choice.value for choice in offered]


@every("printed", ["Template", "template", "TEMPLATE"])
def test_a_template_is_asked_whom_it_covers_and_not_for_range_cover_or_the_closest(printed: str) -> None:
    flamer = armed(gun("gun", printed, range_short_inches=None, range_long_inches=None))
    assert KRUG in (asks(flamer, "under_template") or [])
    for key in ("target", "range", "cover", "closest", "under_marker"):
        assert asks(flamer, key) == [], key
    assert asks(flamer, "weapon") == ["gun"]


def test_under_the_house_rule_a_template_is_asked_whether_it_touches_the_closest() -> None:
    assert (
        asks(armed(gun("gun", "Template"), knobs={"templates.skip_target_priority": "smoke_only"}), "closest")
        is None
    )


def test_every_other_weapon_is_asked_whether_its_target_is_the_closest() -> None:
    assert asks(armed(gun()), "closest", target=KRUG) is None


@pytest.mark.parametrize(("short", "bands"), [(8, ["short", "long", "beyond"]), (None, ["long", "beyond"])])
def test_a_weapon_without_a_short_range_is_not_offered_one(short: int | None, bands: list[str]) -> None:
    assert asks(armed(gun(range_short_inches=short)), "range", target=KRUG) == bands


@every(
    ("printed", "asked"),
    [("Rapid fire (2)", True), ("Rapid Fire(3)", True), ("rapid fire (1)", False), ("Plentiful", False)],
)
def test_firepower_dice_are_asked_for_where_there_may_be_several(printed: str, *, asked: bool) -> None:
    assert (asks(armed(gun("gun", printed)), "firepower_dice", target=KRUG) is None) == asked


def test_who_lies_under_a_marker_is_asked_of_a_blast_in_any_spelling() -> None:
    assert KRUG in (asks(armed(gun("gun", 'blast (3")')), "under_marker") or [])


def test_a_whip_that_reaches_as_far_as_its_range_is_not_fired() -> None:
    whip = gun("whip", "Melee", "Versatile", range_short_inches=None, range_long_inches=3, ammo=None)
    charge = gun("charge", "Single Shot", ammo=None)
    assert asks(armed(gun(), whip, charge), "weapon") == ["gun", "charge"]
