"""Traits and skills of a table's own: rows of a house rule, made of the same triggers and effects as the books'."""

import json
from fractions import Fraction
from typing import Any

import pytest
from scenario import BOOK, CLOSING, MAGS, VEX, before, campaign, card, given, hit, older, opening
from special_rules import UNHURT, chance, dice, exactly, purposes

from tracker.campaign import records
from tracker.campaign.profiles import Armour
from tracker.records import replace
from tracker.rules import loader
from tracker.rules.own_rows import OwnRowRefused, fault_in, with_purposes

WOUNDS = Fraction(4, 6)  # Strength 4 against Toughness 3


def effect(when: str, then: str, **more: Any) -> dict[str, Any]:
    numbers = {
        name: more.pop(name)
        for name in ("by", "times", "saves", "condition", "location", "damage")
        if name in more
    }
    return {"when": when, "then": {"kind": then, **numbers}, **more}


def row(kind: str, name: str, *effects: dict[str, Any], **more: Any) -> dict[str, str]:
    """A row as a patch holds it."""
    own = "_" if kind == "skill" else "-"
    content = with_purposes({"name": name, "effect": list(effects), **more})
    return {f"{kind}.{name.lower().replace(' ', own)}": json.dumps(content)}


BREATH = row(
    "skill",
    "Second Breath",
    effect("wounded", "no_further_effect", bearer="target", roll={"needs": 5}, **{"if": ["attack"]}),
)
BARBED = row("trait", "Barbed", effect("damage", "changes_damage", by=1, **{"if": ["natural_6_to_wound"]}))
HARD_TO_HURT = row(
    "skill",
    "Hard to Hurt",
    effect("damage", "changes_damage", by=-2, bearer="target"),
    effect("hit", "changes_strength", by=-9, bearer="target"),
)


def text(policy: str, version: int = 1, **patch: str) -> records.PolicyText:
    return records.PolicyText(policy=policy, version=version, title=policy, source="test", patch=patch)


def adopt(
    policy: records.PolicyText, *, from_battle: int, after: tuple[str, ...] = ()
) -> records.AdoptPolicy:
    return records.AdoptPolicy(text=policy, from_battle=from_battle, reason="club vote", overrides=after)


def breathing(**more: Any) -> records.FighterCard:
    return card(VEX, skills=("Second Breath",), **more)


def test_an_own_skill_rolls_its_own_die_and_does_what_its_row_says() -> None:
    table = given(breathing(), knobs=BREATH)
    saved = table.when(hit(VEX, by=MAGS), *dice(wound=4, own_rule=5))
    assert purposes(saved) == ["wound", "own_rule"]
    saved.then_nothing_happened()
    assert saved.rolls[1].outcome == "Second Breath: no further effect"
    assert saved.rolls[1].section.startswith("House rule ")
    struck = table.when(hit(VEX, by=MAGS), *dice(wound=4, own_rule=4, injury="flesh"))
    assert struck.combatant(VEX).flesh_wounds == 1


def test_the_odds_of_an_own_skill_are_exact() -> None:
    ends = exactly(given(breathing(), knobs=BREATH), hit(VEX, by=MAGS), VEX)
    assert ends[UNHURT] == 1 - WOUNDS * Fraction(4, 6)
    assert chance(ends, out_of_action=True) == WOUNDS * Fraction(4, 6) * Fraction(1, 6)


def test_an_own_trait_acts_for_a_weapon_that_has_it() -> None:
    table = given(knobs=BARBED)
    barbed = hit(VEX, by=MAGS, traits=("Barbed",))
    assert purposes(table.when(barbed, *dice(wound=6, injury=["flesh", "flesh"]))) == [
        "wound",
        "injury",
        "injury",
    ]
    assert purposes(table.when(barbed, *dice(wound=5, injury="flesh"))) == ["wound", "injury"]


def test_an_own_test_is_rolled_on_two_dice() -> None:
    calm = row(
        "skill", "Calm", effect("wounded", "no_further_effect", bearer="target", roll={"needs": "cool"})
    )
    table = given(card(VEX, skills=("Calm",)), knobs=calm)
    table.when(hit(VEX, by=MAGS), *dice(wound=4, own_test="3+4")).then_nothing_happened()


def test_no_strength_and_no_damage_falls_below_1_by_an_own_row() -> None:
    table = given(card(VEX, skills=("Hard to Hurt",)), knobs=HARD_TO_HURT)
    struck = table.when(hit(VEX, by=MAGS, damage=1), *dice(wound=6, injury="flesh"))
    # Strength 1 against Toughness 3 wounds on a 6, and Damage 1 is what is left.
    assert struck.rolls[0].target == 6
    assert struck.combatant(VEX).flesh_wounds == 1


def test_an_own_row_holds_from_its_battle_on_and_no_longer_than_its_house_rule() -> None:
    table = given(breathing(), battle=False)
    table = table.when(adopt(text("breath", **BREATH), from_battle=2))
    first = table.when(opening(1))
    assert purposes(first.when(hit(VEX, by=MAGS), *dice(wound=4, injury="flesh"))) == ["wound", "injury"]
    second = first.when(CLOSING).when(opening(2))
    assert purposes(second.when(hit(VEX, by=MAGS), *dice(wound=4, own_rule=6))) == ["wound", "own_rule"]
    third = second.when(CLOSING).when(records.RepealPolicy(policy="breath", from_battle=3, reason="enough"))
    third = third.when(opening(3))
    assert purposes(third.when(hit(VEX, by=MAGS), *dice(wound=4, injury="flesh"))) == ["wound", "injury"]


def test_a_battle_recorded_before_traits_and_skills_asked_for_dice_goes_on_without() -> None:
    table = before(breathing(), knobs=BREATH)
    assert purposes(table.when(hit(VEX, by=MAGS), *dice(wound=4, injury="flesh"))) == ["wound", "injury"]


def test_a_newer_version_takes_the_place_of_the_row() -> None:
    milder = row(
        "skill", "Second Breath", effect("wounded", "no_further_effect", bearer="target", roll={"needs": 2})
    )
    table = given(breathing(), battle=False)
    table = table.when(adopt(text("breath", **BREATH), from_battle=1))
    table = table.when(adopt(text("breath", 2, **milder), from_battle=2))
    table = table.when(opening(1)).when(CLOSING).when(opening(2))
    table.when(hit(VEX, by=MAGS), *dice(wound=4, own_rule=2)).then_nothing_happened()


def test_a_version_with_another_row_is_refused() -> None:
    other = row("skill", "Second Breath", at_the_table="sighs")
    table = given(battle=False).when(adopt(text("breath", **BREATH), from_battle=1))
    table = table.when(records.RepealPolicy(policy="breath", from_battle=1, reason="enough"))
    refused = table.when(adopt(text("breath", **other), from_battle=1))
    refused.then_refused(records.PolicyChanged, next_version=2)


def test_two_house_rules_with_the_same_row_are_ordered_on_purpose() -> None:
    other = row("skill", "Second Breath", at_the_table="sighs")
    table = given(breathing(), battle=False).when(adopt(text("breath", **BREATH), from_battle=1))
    clash = adopt(text("sigh", **other), from_battle=1)
    table.when(clash).then_refused(records.KnobMovedAlready, knob="skill.second_breath", other="breath")
    table = table.when(replace(clash, overrides=("breath",))).when(opening(1))
    assert purposes(table.when(hit(VEX, by=MAGS), *dice(wound=4, injury="flesh"))) == ["wound", "injury"]


def test_a_row_of_the_book_is_replaced_only_where_the_row_says_so() -> None:
    on_5 = effect("wounded", "no_further_effect", bearer="target", roll={"purpose": "dodge", "needs": 5})
    table = given(card(VEX, skills=("Dodge",)), battle=False)
    refused = table.when(adopt(text("dodge", **row("skill", "Dodge", on_5)), from_battle=1))
    refused.then_refused(OwnRowRefused, row="Dodge")
    own = row("skill", "Dodge", on_5, replaces=True)
    table = table.when(adopt(text("dodge", **own), from_battle=1)).when(opening(1))
    table.when(hit(VEX, by=MAGS), *dice(wound=4, dodge=5)).then_nothing_happened()


@pytest.mark.parametrize("name", ["Gas", "Web", "Seismic", "Blast", "Rapid Fire"])
def test_a_trait_that_is_resolved_in_places_of_its_own_is_not_replaced(name: str) -> None:
    own = row("trait", name, at_the_table="never", replaces=True)
    given(battle=False).when(adopt(text("own", **own), from_battle=1)).then_refused(OwnRowRefused, row=name)


def test_what_the_book_does_not_have_is_not_replaced() -> None:
    own = row("skill", "Dogde", at_the_table="never", replaces=True)
    refused = given(battle=False).when(adopt(text("own", **own), from_battle=1))
    assert "Did you mean 'dodge'?" in str(refused.refusal)


def test_a_book_without_such_rows_takes_none() -> None:
    table = campaign(book="trench_crusade")
    table.when(adopt(text("breath", **BREATH), from_battle=1)).then_refused(
        OwnRowRefused, row="Second Breath"
    )


@pytest.mark.parametrize(
    ("patch", "said"),
    [
        ({"skill.x": "no json"}, "no table"),
        ({"skill.x": "[" * 9000}, "no table"),
        ({"skill.x": "{" + '"a":' * 9000}, "no table"),
        ({"skill.x": json.dumps({"name": "Y", "at_the_table": "z"})}, "has another id"),
        (row("skill", "Grit", effect("wonded", "no_further_effect")), "did you mean 'wounded'?"),
        (row("skill", "Grit", effect("wounded", "no_further_efect")), "did you mean 'no_further_effect'?"),
        (
            row("skill", "Grit", effect("save", "no_further_effect")),
            "does not act at save: beneath, hits_scored, pinning, hit, wound_roll, wounded",
        ),
        (row("skill", "Grit", effect("damage", "changes_damage", by=21)), "from -20 to 20"),
        (row("skill", "Grit", effect("damage", "changes_damage", times=0)), "a number from 1 on"),
        (row("skill", "Grit", effect("wounded", "wounds")), "does not act at wounded"),
        (
            row("skill", "Grit", effect("wound_roll", "wounds", damage="glancing")),
            "a wound with a damage names its location",
        ),
        (row("skill", "Grit"), "expected one of them"),
        (
            row("skill", "Grit", effect("wounded", "no_further_effect", roll={"needs": 7})),
            "expected a face from 2 to 6",
        ),
        (
            row(
                "skill", "Grit", effect("wounded", "no_further_effect", roll={"purpose": "doge", "needs": 6})
            ),
            "Did you mean 'dodge'?",
        ),
    ],
)
def test_a_row_with_a_fault_is_refused_with_what_was_expected(patch: dict[str, str], said: str) -> None:
    refused = given(battle=False).when(adopt(text("own", **patch), from_battle=1)).refusal
    assert isinstance(refused, OwnRowRefused), repr(refused)
    assert said in refused.message()


def test_every_row_of_the_books_could_be_a_row_of_a_tables_own() -> None:
    """What the books are made of, a table may use: each of their rows passes as its own."""
    for kind, stem in (("skill", "skills"), ("trait", "traits")):
        for printed in loader.book_files(BOOK)[stem][kind]:
            if not printed.get("effect"):
                continue
            content = {
                key: printed[key] for key in ("name", "set", "effect", "at_the_table") if key in printed
            }
            assert fault_in(kind, with_purposes(content)) is None, printed["id"]  # type: ignore[arg-type]


WARDED = row(
    "skill",
    "Lucky Charm",
    effect("save", "changes_roll", by=1, bearer="target", roll={"needs": 4}, **{"if": ["attack"]}),
)
CHARMED = card(VEX, skills=("Lucky Charm",), armour=Armour(name="mesh", save=5))


def test_a_die_at_the_save_of_an_own_row_is_rolled_once() -> None:
    table = given(CHARMED, knobs=WARDED)
    saved = table.when(hit(VEX, by=MAGS), *dice(wound=6, own_rule=4, save=4))
    assert purposes(saved) == ["wound", "own_rule", "save"]
    assert saved.rolls[2].target == 4
    saved.then_nothing_happened()
    struck = table.when(hit(VEX, by=MAGS), *dice(wound=6, own_rule=3, save=4, injury="flesh"))
    assert struck.rolls[2].target == 5
    ends = exactly(table, hit(VEX, by=MAGS), VEX)
    assert ends[UNHURT] == 1 - WOUNDS * (Fraction(1, 2) * Fraction(3, 6) + Fraction(1, 2) * Fraction(4, 6))


@pytest.mark.parametrize("stage", [1, 2, 3, 4])
def test_in_an_older_battle_a_die_at_the_save_is_rolled_twice_as_it_was(stage: int) -> None:
    table = older(given(CHARMED, knobs=WARDED), stage)
    saved = table.when(hit(VEX, by=MAGS), *dice(wound=6, own_rule=[1, 4], save=4))
    assert purposes(saved) == ["wound", "own_rule", "own_rule", "save"]
    assert saved.rolls[3].target == 4  # what adds to the save came of the second


def test_what_works_once_a_round_at_the_save_adds_to_it() -> None:
    once = json.loads(WARDED["skill.lucky_charm"])
    once["effect"][0]["once_a_round"] = True
    table = given(CHARMED, knobs={"skill.lucky_charm": json.dumps(once)})
    saved = table.when(hit(VEX, by=MAGS), *dice(wound=6, own_rule=4, save=4))
    assert (purposes(saved), saved.combatant(VEX).flesh_wounds) == (["wound", "own_rule", "save"], 0)
    again = saved.when(hit(VEX, by=MAGS), *dice(wound=6, save=5))
    assert purposes(again) == ["wound", "save"]
