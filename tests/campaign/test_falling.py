"""Falling, played: an automatic hit by distance, no attack of anybody's, and the faller ends Pinned."""

from scenario import (
    DISPLACER,
    KRUG,
    MAGS,
    OUT_COLD,
    SAINTS,
    VEX,
    card,
    fall,
    given,
    injury,
    lasting,
    opening,
    out_of_action,
    phrases,
    save,
    seriously_injured,
    wound,
)
from tables import every

from tracker.campaign import records
from tracker.campaign.profiles import Armour


@every("hundredths", [0, 100, 250, 299])
def test_a_fall_of_less_than_3_inches_does_no_harm(hundredths: int) -> None:
    table = given().when(fall(VEX, hundredths=hundredths))
    assert [type(event) for event in table.outcome] == [records.RuleNoted]
    assert table.state == table.before


# Toughness 3: Strength 3, 5, 7 and 9 need 4+, 3+, 2+ and 2+. A 2+ save meets AP -, -1, -2 and -3.
@every(
    ("hundredths", "to_wound", "to_save", "damage"),
    [
        (300, 4, 2, 1),
        (500, 4, 2, 1),
        (501, 3, 3, 1),
        (700, 3, 3, 1),
        (701, 2, 4, 2),
        (900, 2, 4, 2),
        (901, 2, 5, 3),
        (1500, 2, 5, 3),
    ],
)
def test_a_fall_hits_by_its_distance(hundredths: int, to_wound: int, to_save: int, damage: int) -> None:
    table = given(card(VEX, wounds=4, armour=Armour(name="Best", save=2))).when(
        fall(VEX, hundredths=hundredths), wound(6), save(1)
    )
    assert [(roll.purpose, roll.target) for roll in table.rolls] == [("wound", to_wound), ("save", to_save)]
    table.then(
        records.FighterPinned(fighter=VEX),
        records.WoundsLost(fighter=VEX, by=None, wounds_lost=damage, wounds_left=4 - damage),
    )


def test_a_table_may_let_a_fall_of_2_and_a_bit_inches_hit() -> None:
    rounding = given(knobs={"falling.threshold": "rounded_distance"})
    rounding.when(fall(VEX, hundredths=201), wound(3)).then(records.FighterPinned(fighter=VEX))
    assert [type(event) for event in rounding.when(fall(VEX, hundredths=200)).outcome] == [records.RuleNoted]


def test_the_faller_ends_pinned_though_no_wound_was_caused() -> None:
    table = given().when(fall(VEX, hundredths=400), wound(1)).then(records.FighterPinned(fighter=VEX))
    assert table.combatant(VEX).pinned


def test_a_seriously_injured_faller_is_not_pinned() -> None:
    table = given().when(seriously_injured(VEX)).when(fall(VEX, hundredths=400), wound(1))
    assert not table.combatant(VEX).pinned
    assert table.combatant(VEX).seriously_injured


def test_a_serious_injury_takes_the_place_of_pinned() -> None:
    table = given().when(fall(VEX, hundredths=400), wound(4), injury("serious"))
    assert table.outcome[-1] == records.SeriousInjurySuffered(fighter=VEX, by=None)
    assert not table.combatant(VEX).pinned


def test_a_field_saves_against_a_fall_from_any_height() -> None:
    given(card(VEX, field_armour=DISPLACER)).when(fall(VEX, hundredths=1500), wound(2), save(4)).then(
        records.FighterPinned(fighter=VEX)
    )


def test_a_deep_fall_rolls_three_injury_dice_at_one_wound() -> None:
    table = given().when(fall(VEX, hundredths=1000), wound(2), injury("flesh", "flesh", "serious"))
    assert table.outcome[1:] == (
        records.WoundsLost(fighter=VEX, by=None, wounds_lost=1, wounds_left=0),
        records.SeriousInjurySuffered(fighter=VEX, by=None),
        records.FleshWoundsSuffered(fighter=VEX, by=None, flesh_wounds=2, toughness=1),
    )


def test_a_fall_gives_nobody_experience_not_even_for_a_memorable_death() -> None:
    table = given().when(fall(VEX, hundredths=400), wound(4), injury("ooa"), lasting(6, 6))
    assert phrases(table.events) == ("memorable_death", "vex dies")
    assert not [event for event in table.events if isinstance(event, records.ExperienceGained)]


def test_bitter_enmity_by_a_fall_counts_as_out_cold_unless_the_players_name_a_gang() -> None:
    given().when(fall(VEX, hundredths=400), wound(4), injury("ooa"), lasting(1, 4)).then_phrases(
        "bitter_enmity counts as out_cold"
    )
    given().when(
        fall(VEX, hundredths=400, grudge_against=SAINTS), wound(4), injury("ooa"), lasting(1, 4)
    ).then_phrases("bitter_enmity", "skill berserker against saints")


def test_the_absent_and_the_removed_do_not_fall() -> None:
    given(battle=False).when(opening(1, without=[KRUG])).when(fall(KRUG, hundredths=400)).then_refused(
        records.FighterNotInBattle
    )
    given().when(out_of_action(VEX, by=MAGS), OUT_COLD).when(fall(VEX, hundredths=400)).then_refused(
        records.FighterOutOfPlay
    )
