"""2. Make a Save Roll: which saves there are and what they need."""

from itertools import product

from tables import every

from tracker.rules.necromunda.save_roll import (
    SaveOption,
    save_bonus_from_cover,
    save_options,
    strictest_saves,
)


def needed(
    *, armour: int | None = None, field: int | None = None, ap: int = 0, cover: int = 0, allowed: str = "any"
) -> dict[str, int]:
    """Every save there is, as {item: lowest face}."""
    options = save_options(
        armour_save=armour,
        field_save=field,
        armour_penetration=ap,
        save_bonus=cover,
        allowed=allowed,  # type: ignore[arg-type]
    )
    return {option.item: option.target for option in options}


def test_armour_saves_on_its_printed_number() -> None:
    assert needed(armour=5) == {"armour": 5}


def test_nobody_saves_without_armour_field_or_cover() -> None:
    assert needed() == {}


def test_mesh_armour_against_ap_3_is_no_save() -> None:
    assert needed(armour=5, ap=-3) == {}


@every(
    ("armour", "ap", "left"),
    [(5, 0, 5), (5, -1, 6), (5, -2, None), (6, -1, None), (4, -2, 6), (3, -3, 6), (2, -4, 6), (2, -5, None)],
)
def test_armour_penetration_worsens_the_save_by_its_size(armour: int, ap: int, left: int | None) -> None:
    assert needed(armour=armour, ap=ap) == ({} if left is None else {"armour": left})


def test_mesh_armour_in_cover_saves_on_4_but_the_displacer_field_stays_at_4() -> None:
    assert needed(armour=5, field=4, cover=1) == {"armour": 4, "field_armour": 4}
    assert needed(armour=5, field=4, cover=2) == {"armour": 3, "field_armour": 4}


@every(("cover", "target"), [(1, 6), (2, 5)])
def test_no_armour_counts_as_7_when_a_positive_modifier_applies(cover: int, target: int) -> None:
    assert needed(cover=cover) == {"cover": target}


@every(("cover", "ap", "target"), [(2, -1, 6), (2, -2, None), (1, -1, None)])
def test_armour_penetration_counts_against_the_base_of_7_too(cover: int, ap: int, target: int | None) -> None:
    assert needed(cover=cover, ap=ap) == ({} if target is None else {"cover": target})


def test_the_base_of_7_is_no_save_without_a_positive_modifier() -> None:
    assert needed(ap=0, cover=0) == {}


def test_a_field_knows_neither_armour_penetration_nor_cover() -> None:
    for ap, cover in product(range(-6, 1), range(3)):
        assert needed(field=4, ap=ap, cover=cover)["field_armour"] == 4


@every(("field", "rolled"), [(2, True), (6, True), (7, False)])
def test_field_armour_saves_as_printed_and_not_at_all_beyond_6(field: int, *, rolled: bool) -> None:
    found = save_options(
        armour_save=None, field_save=field, armour_penetration=-3, save_bonus=0, allowed="any"
    )
    assert [(option.item, option.target, option.printed) for option in found] == [
        ("field_armour", field, field)
    ] * rolled


def test_a_fighter_with_only_a_field_may_use_it_or_the_base_of_7() -> None:
    assert needed(field=5, cover=2) == {"cover": 5, "field_armour": 5}
    assert needed(field=5, cover=1) == {"field_armour": 5, "cover": 6}
    assert needed(field=6, cover=2) == {"cover": 5, "field_armour": 6}
    assert needed(field=5) == {"field_armour": 5}


def test_the_best_save_comes_first() -> None:
    assert list(needed(armour=5, field=4)) == ["field_armour", "armour"]
    assert list(needed(armour=3, field=4)) == ["armour", "field_armour"]
    assert list(needed(armour=3, field=4, ap=-2)) == ["field_armour", "armour"]


def test_gas_allows_no_save_whatever_is_worn_and_whatever_the_cover() -> None:
    for armour, field, ap, cover in product((None, 2, 5), (None, 4), (0, -1), range(3)):
        assert needed(armour=armour, field=field, ap=ap, cover=cover, allowed="none") == {}


def test_a_rule_that_leaves_field_saves_alone_takes_armour_and_cover() -> None:
    assert needed(armour=3, field=5, cover=2, allowed="field_only") == {"field_armour": 5}
    assert needed(armour=3, cover=2, allowed="field_only") == {}


def test_a_save_never_needs_less_than_a_2() -> None:
    assert needed(armour=2, cover=2) == {"armour": 2}


def test_a_save_tells_what_moved_it() -> None:
    (option,) = save_options(
        armour_save=5, field_save=None, armour_penetration=-1, save_bonus=2, allowed="any"
    )
    assert option == SaveOption(item="armour", target=4, printed=5, modifiers=(("cover", 2), ("AP", -1)))


def test_partial_cover_is_worth_1_and_full_cover_2() -> None:
    assert [save_bonus_from_cover(cover) for cover in ("none", "partial", "full")] == [0, 1, 2]


def test_of_several_rules_on_saves_the_strictest_holds() -> None:
    generous = ("none", "field_only", "any")
    for first, second in product(generous, repeat=2):
        assert strictest_saves(first, second) == generous[min(generous.index(first), generous.index(second))]
    assert strictest_saves("any") == "any"
    assert strictest_saves() == "any"
    assert strictest_saves("field_only", "none", "any") == "none"
