"""Actions and tests of skills and mounts, each by its dice. Source: Skills; Conditions · Mounted."""

from fractions import Fraction
from itertools import product
from typing import Any

from end_phases import d6, recovery
from scenario import (
    DOT,
    KRUG,
    MAGS,
    OUT_COLD,
    SKULLS,
    VEX,
    Table,
    before,
    card,
    fall,
    flesh_wound,
    given,
    hit,
    injury,
    older,
    save,
    seriously_injured,
    wound,
)
from shots import armed, dice, shot
from tables import every

from tracker.campaign import records
from tracker.campaign.odds.exchange_odds import odds_from
from tracker.campaign.profiles import Armour
from tracker.records import replace
from tracker.rules import loader

BOOKS = ("necromunda_2023", "necromunda_archive")


def skilled(*skills: str, fighter: str = KRUG, others: tuple[Any, ...] = (), **more: Any) -> Table:
    """Krug with these skills, in a battle."""
    return given(card(fighter, skills=skills), *others, **more)


# --- Medicae -----------------------------------------------------------------------------------------------


def treat(what: str = "wound", fighter: str = VEX) -> records.TreatWounds:
    return records.TreatWounds(by=KRUG, fighter=fighter, treats=what)  # type: ignore[arg-type]


@every(("book", "face"), list(product(BOOKS, range(1, 7))))
def test_medicae_gives_a_wound_back_on_a_3(book: str, face: int) -> None:
    table = skilled("medicae", others=(card(VEX, wounds=2),), book=book).when(hit(VEX), wound(6))
    table = table.when(treat(), d6("treat_wounds", face))
    assert table.combatant(VEX).wounds_left == (2 if face >= 3 else 1)


@every("face", range(1, 7))
def test_medicae_takes_a_flesh_wound_off_on_a_3(face: int) -> None:
    table = skilled("Medicae").when(flesh_wound(VEX)).when(treat("flesh_wound"), d6("treat_wounds", face))
    treated = (records.FleshWoundLost(fighter=VEX, by=KRUG, toughness=3),) if face >= 3 else ()
    table.then(*treated)
    assert table.combatant(VEX).flesh_wounds == (face < 3)


def test_medicae_treats_what_is_hurt_of_a_friend_and_by_who_can_act() -> None:
    table = skilled("medicae")
    table.when(treat()).then_refused(records.NothingToTreat, nothing="lost no Wound")
    table.when(treat("flesh_wound")).then_refused(records.NothingToTreat)
    table.when(treat(fighter=MAGS)).then_refused(records.NotAFriend)
    table.when(treat(fighter=KRUG)).then_refused(records.ActsOnSelf)
    given().when(treat()).then_refused(records.SkillNotHeld, fighter="Krug")
    down = table.when(seriously_injured(KRUG))
    down.when(treat()).then_refused(records.MayNotActSo, condition="Seriously Injured")
    pinned = table.when(fall(KRUG, hundredths=300), wound(1))
    pinned.when(treat()).then_refused(records.MayNotActSo, condition="Pinned")


# --- Headbutt ----------------------------------------------------------------------------------------------

HEADBUTT = records.Headbutt(attacker=KRUG, target=MAGS)


@every(("first", "second"), list(product(range(1, 7), repeat=2)))
def test_headbutt_hits_when_either_die_reaches_the_toughness_else_oneself(first: int, second: int) -> None:
    table = skilled("headbutt").when(HEADBUTT, dice(headbutt=f"{first}+{second}"), wound(1))
    struck = MAGS if max(first, second) >= 3 else KRUG
    assert [roll.fighter for roll in table.rolls] == [KRUG, struck]
    # Strength 5 against Toughness 3 wounds on 3; one's own Strength 3 on 4.
    assert table.rolls[1].target == (3 if struck == MAGS else 4)


def test_headbutt_does_damage_2_and_1_to_oneself() -> None:
    hard = skilled("headbutt", others=(card(MAGS, wounds=3),)).when(HEADBUTT, dice(headbutt="3+1"), wound(3))
    assert hard.combatant(MAGS).wounds_left == 1
    missed = given(card(KRUG, wounds=3, skills=("headbutt",))).when(HEADBUTT, dice(headbutt="2+1"), wound(4))
    assert missed.combatant(KRUG).wounds_left == 2


def test_headbutt_hits_with_2_more_than_ones_own_strength() -> None:
    """Strength 3 and 2 more against Toughness 5 needs a 4."""
    table = skilled("headbutt", others=(card(MAGS, toughness=5),))
    assert table.when(HEADBUTT, dice(headbutt="5+1"), wound(1)).rolls[1].target == 4


def test_headbutt_goes_by_the_toughness_that_flesh_wounds_have_left() -> None:
    table = skilled("headbutt").when(flesh_wound(MAGS)).when(HEADBUTT, dice(headbutt="2+1"), wound(1))
    assert table.rolls[1].fighter == MAGS


def test_headbutt_is_for_who_stands_against_a_standing_enemy() -> None:
    given().when(HEADBUTT).then_refused(records.SkillNotHeld)
    table = skilled("headbutt")
    table.when(replace(HEADBUTT, target=VEX)).then_refused(records.NoEnemy)
    table.when(replace(HEADBUTT, target=KRUG)).then_refused(records.TargetsSelf)
    table.when(seriously_injured(MAGS)).when(HEADBUTT).then_refused(records.FighterProne)
    blind = table.when(records.StateCondition(fighter=KRUG, condition="blind"))
    blind.when(HEADBUTT).then_refused(records.BlindMayNotAttack)


def test_the_odds_of_a_headbutt_are_those_of_its_dice() -> None:
    found = odds_from(skilled("headbutt").state, [HEADBUTT], loader.rulebook)
    ends = {
        model.model: sum(
            chance for changes, chance in model.ends if ("out_of_action", False, True) in changes
        )
        for model in found.models
    }
    hits = 1 - Fraction(2, 6) ** 2
    # Mags: 3+ wounds, two Injury dice; Krug: 4+ wounds, one. Of each die 1 of 6 faces takes out.
    assert ends[MAGS] == hits * Fraction(4, 6) * (1 - Fraction(5, 6) ** 2)
    assert ends[KRUG] == (1 - hits) * Fraction(1, 2) * Fraction(1, 6)


# --- Hurl --------------------------------------------------------------------------------------------------

HURL = records.HurlFighter(attacker=KRUG, target=MAGS)


@every(("face", "far"), list(product(range(1, 7), range(1, 4))))
def test_hurl_throws_who_fails_the_initiative_test_d3_inches_and_pins(face: int, far: int) -> None:
    thrown = face < 4  # Initiative 4+
    more = dice(hurl_distance=far) if thrown else ()
    table = skilled("hurl").when(HURL, d6("hurl", face), more)
    hurled = (
        records.FighterHurled(fighter=MAGS, by=KRUG, inches=far), records.FighterPinned(fighter=MAGS)
    )  # fmt: skip
    table.then(*(hurled if thrown else ()))
    assert table.combatant(MAGS).pinned == thrown


def test_who_is_hurled_against_somebody_or_something_is_hit_with_strength_3_damage_1() -> None:
    thrown = (d6("hurl", 1), dice(hurl_distance=2))
    wall = skilled("hurl").when(replace(HURL, obstacle=True), *thrown, wound(3))
    assert [(roll.fighter, roll.target) for roll in wall.rolls if roll.purpose == "wound"] == [(MAGS, 4)]
    both = skilled("hurl").when(replace(HURL, meets=DOT), *thrown, wound(4), injury("flesh"), wound(1))
    assert [roll.fighter for roll in both.rolls if roll.purpose == "wound"] == [MAGS, DOT]


@every("book", BOOKS)
def test_hurl_pins_whom_the_hurled_fighter_meets(book: str) -> None:
    thrown = (d6("hurl", 1), dice(hurl_distance=2), wound(1), wound(1))
    table = skilled("hurl", book=book)
    met = table.when(replace(HURL, meets=DOT), *thrown)
    assert met.combatant(DOT).pinned
    wall = table.when(replace(HURL, obstacle=True), *thrown[:-1])
    assert not wall.combatant(DOT).pinned
    up = skilled("hurl", book=book, knobs={"hurl.meets": "stays_up"})
    assert not up.when(replace(HURL, meets=DOT), *thrown).combatant(DOT).pinned
    assert not older(table, stage=2).when(replace(HURL, meets=DOT), *thrown).combatant(DOT).pinned


def test_hurl_is_for_enemies_engaged() -> None:
    given().when(HURL).then_refused(records.SkillNotHeld)
    skilled("hurl").when(replace(HURL, target=VEX)).then_refused(records.NoEnemy)
    skilled("hurl").when(replace(HURL, meets=MAGS)).then_refused(records.ActsOnSelf)


def test_hurl_takes_up_who_lies_seriously_injured_by_the_archived_book_or_a_knob() -> None:
    """They test, too; on failing they fly, and lie as before."""
    thrown = (d6("hurl", 1), dice(hurl_distance=2))
    lies = {"hurl.target": "engaged_or_lying"}
    for table in (skilled("hurl", book="necromunda_archive"), skilled("hurl", knobs=lies)):
        down = table.when(seriously_injured(MAGS))
        down.when(HURL, *thrown).then(records.FighterHurled(fighter=MAGS, by=KRUG, inches=2))
        hit = down.when(replace(HURL, obstacle=True), *thrown, wound(6), injury("flesh"))
        assert hit.combatant(MAGS).flesh_wounds == 1
        assert hit.combatant(MAGS).seriously_injured
    skilled("hurl").when(seriously_injured(MAGS)).when(HURL).then_refused(records.FighterProne)


# --- Overseer, Regroup, Inspirational ----------------------------------------------------------------------

ORDER = records.GiveOrder(fighter=KRUG, friend=VEX)


@every("shown", ["3+3", "3+4", "6+6"])
def test_overseer_gives_an_order_by_a_leadership_test(shown: str) -> None:
    table = skilled("overseer").when(ORDER, dice(order=shown))
    table.then(*(() if shown == "3+3" else (records.OrderGiven(fighter=VEX, by=KRUG),)))  # Leadership 7


def test_by_the_archived_rules_an_order_needs_no_test() -> None:
    skilled("overseer", book="necromunda_archive").when(ORDER).then(records.OrderGiven(fighter=VEX, by=KRUG))


def test_only_an_overseer_orders_and_only_friends() -> None:
    given().when(ORDER).then_refused(records.SkillNotHeld)
    skilled("overseer").when(replace(ORDER, friend=MAGS)).then_refused(records.NotAFriend)


def broken(table: Table, fighter: str = VEX) -> Table:
    """Vex is Broken, by insanity."""
    table = table.when(records.StateCondition(fighter=fighter, condition="insane"))
    return table.when(records.ActivateInsane(fighter=fighter), d6("insanity", 1))


REGROUP = records.RegroupFriends(fighter=KRUG, friends=(VEX,))


@every(("book", "shown"), list(product(BOOKS, ["3+3", "3+4"])))
def test_regroup_recovers_all_broken_friends_by_a_leadership_test(book: str, shown: str) -> None:
    table = broken(skilled("regroup", book=book)).when(REGROUP, dice(regroup=shown))
    assert table.combatant(VEX).broken == (shown == "3+3")


def test_regroup_is_for_broken_friends() -> None:
    skilled("regroup").when(REGROUP).then_refused(records.NotBroken)
    broken(given()).when(REGROUP).then_refused(records.SkillNotHeld)


@every(("shown", "example"), [("1+1", "3+3"), ("1+1", "3+4"), ("6+6", None)])
def test_inspirational_makes_up_for_a_failed_cool_test_by_a_leadership_test(
    shown: str, example: str | None
) -> None:
    table = broken(skilled("inspirational"))
    rally = records.TakeRallyTest(fighter=VEX, friends_near_count=0, inspired_by=KRUG)
    table = table.when(rally, dice(rally=shown), *(dice(inspirational=example) if example else ()))
    assert table.combatant(VEX).broken == (example == "3+3")


@every("example", ["3+3", "3+4"])
def test_inspirational_keeps_a_friends_nerve(example: str) -> None:
    test = records.TakeNerveTest(fighter=VEX, wreck="the cart", friends_near_count=0, inspired_by=KRUG)
    table = skilled("inspirational").when(test, dice(nerve="1+1", inspirational=example))
    assert table.combatant(VEX).broken == (example == "3+3")
    assert [event.passed for event in table.outcome if isinstance(event, records.NerveTested)] == [
        example != "3+3"
    ]


def test_inspirational_is_a_friend_with_the_skill_who_is_up() -> None:
    rally = records.TakeRallyTest(fighter=VEX, friends_near_count=0, inspired_by=KRUG)
    broken(given()).when(rally).then_refused(records.SkillNotHeld)
    down = broken(skilled("inspirational")).when(seriously_injured(KRUG))
    down.when(rally).then_refused(records.MayNotActSo, condition="Seriously Injured")
    broken(given()).when(replace(rally, inspired_by=MAGS)).then_refused(records.NotAFriend)


# --- Iron Will, Unstoppable, Catfall -----------------------------------------------------------------------


@every(("face", "skills"), list(product(range(1, 7), [(), ("iron_will",)])))
def test_iron_will_takes_1_off_bottle_checks(face: int, skills: tuple[str, ...]) -> None:
    table = given(card(KRUG, skills=skills)).when(seriously_injured(VEX))
    table = table.when(records.CheckBottle(gang=SKULLS), d6("bottle", face))
    assert table.state.under_way is not None
    # A crew of two with one casualty holds up to a total of 2.
    assert bool(table.state.under_way.bottled) == (face + 1 - len(skills) > 2)


def test_iron_will_is_of_who_is_up_and_no_part_of_older_entries() -> None:
    down = given(card(KRUG, skills=("iron_will",))).when(seriously_injured(KRUG))
    check = records.CheckBottle(gang=SKULLS)
    assert [modifier.why for modifier in down.when(check, d6("bottle", 1)).rolls[0].modifiers] == [
        "casualties"
    ]
    old = before(card(KRUG, skills=("iron_will",))).when(seriously_injured(VEX))
    old = old.when(records.CheckBottle(gang=SKULLS), d6("bottle", 2))
    assert [modifier.why for modifier in old.rolls[0].modifiers] == ["casualties"]


RECOVERY = records.TakeRecoveryTest(fighter=VEX)


@every(("book", "face"), list(product(BOOKS, range(1, 7))))
def test_unstoppable_takes_a_flesh_wound_off_before_recovery_on_a_4(book: str, face: int) -> None:
    table = given(card(VEX, skills=("unstoppable",)), book=book)
    table = table.when(flesh_wound(VEX)).when(seriously_injured(VEX))
    table = table.when(RECOVERY, d6("unstoppable", face), recovery("flesh"))
    # One off on 4+, then one more by the Recovery die.
    assert table.combatant(VEX).flesh_wounds == (1 if face >= 4 else 2)


@every(("face", "shown"), [(3, ("ooa",)), (4, ("ooa", "flesh"))])
def test_unstoppable_without_flesh_wounds_rolls_one_more_recovery_die_and_discards_one(
    face: int, shown: tuple[str, ...]
) -> None:
    table = given(card(VEX, skills=("unstoppable",))).when(seriously_injured(VEX))
    lasting = (OUT_COLD,) if shown == ("ooa",) else ()
    table = table.when(RECOVERY, d6("unstoppable", face), recovery(*shown), *lasting)
    assert table.combatant(VEX).out_of_action == (face == 3)


def test_recovery_of_who_is_unstoppable_asks_for_no_die_in_older_entries() -> None:
    table = before(card(VEX, skills=("unstoppable",))).when(seriously_injured(VEX))
    table = table.when(records.TakeRecoveryTest(fighter=VEX), recovery("serious"))
    assert [roll.purpose for roll in table.rolls] == ["recovery"]


@every(
    ("hundredths", "strength_needs"),
    [(300, None), (400, None), (401, 4), (600, 4), (1000, 4), (1001, 3), (1500, 2)],
)
def test_catfall_counts_half_the_height_rounded_up(hundredths: int, strength_needs: int | None) -> None:
    table = given(card(VEX, skills=("catfall",)))
    rolled = (wound(1), d6("catfall", 4)) if strength_needs else ()
    table = table.when(fall(VEX, hundredths=hundredths), *rolled)
    wounds = [roll.target for roll in table.rolls if roll.purpose == "wound"]
    assert wounds == ([strength_needs] if strength_needs else [])


@every("face", range(1, 7))
def test_catfall_lands_standing_by_an_initiative_test(face: int) -> None:
    table = given(card(VEX, skills=("catfall",)))
    table = table.when(fall(VEX, hundredths=600), wound(1), d6("catfall", face))
    assert table.combatant(VEX).pinned == (face < 4)


def test_catfall_asks_for_no_test_of_who_is_hurt_badly_nor_in_older_entries() -> None:
    table = given(card(VEX, skills=("catfall",)))
    down = table.when(fall(VEX, hundredths=600), wound(6), injury("serious"))
    assert [roll.purpose for roll in down.rolls] == ["wound", "injury"]
    old = before(card(VEX, skills=("catfall",))).when(fall(VEX, hundredths=300), wound(1))
    assert old.combatant(VEX).pinned


# --- Spring Up, Fearsome -----------------------------------------------------------------------------------


@every(("book", "face"), list(product(BOOKS, range(1, 7))))
def test_spring_up_stands_up_by_an_initiative_test(book: str, face: int) -> None:
    table = skilled("spring_up", fighter=VEX, book=book).when(fall(VEX, hundredths=300), wound(1))
    table = table.when(records.StandUpByTest(fighter=VEX), d6("stand_up", face))
    assert table.combatant(VEX).pinned == (face < 4)


def test_spring_up_is_for_who_has_it_and_is_pinned() -> None:
    given().when(records.StandUpByTest(fighter=VEX)).then_refused(records.SkillNotHeld)
    springs = skilled("spring_up", fighter=VEX)
    springs.when(records.StandUpByTest(fighter=VEX)).then_refused(records.NotPinned)


@every(("book", "shown"), list(product(BOOKS, ["3+3", "3+4"])))
def test_fearsome_holds_who_fails_a_willpower_test_from_charging(book: str, shown: str) -> None:
    table = skilled("fearsome", fighter=MAGS, book=book)
    table = table.when(records.FaceFearsome(fighter=VEX, target=MAGS), dice(fearsome=shown))
    stays = [event.why for event in table.outcome if isinstance(event, records.RuleNoted)]
    assert stays == (["does not move, and the activation ends"] if shown == "3+3" else [])


def test_only_enemies_with_fearsome_are_feared() -> None:
    given().when(records.FaceFearsome(fighter=VEX, target=MAGS)).then_refused(records.SkillNotHeld)
    skilled("fearsome").when(records.FaceFearsome(fighter=VEX, target=KRUG)).then_refused(records.NoEnemy)


# --- Mounted -----------------------------------------------------------------------------------------------


def mounted(**more: Any) -> Table:
    return given(card(VEX, mounted=True), **more)


@every(
    ("book", "inches", "strength", "pierced", "damage"),
    [
        (book, *row)
        for book in BOOKS
        for row in ((0, 3, 0, 1), (5, 3, 0, 1), (6, 5, 1, 1), (9, 5, 1, 1), (10, 7, 2, 2), (14, 7, 2, 2))
    ],
)
def test_mounted_and_knocked_down_the_hit_is_by_the_distance_moved(
    book: str, inches: int, strength: int, pierced: int, damage: int
) -> None:
    rider = card(VEX, mounted=True, wounds=3, toughness=strength, armour=Armour(name="Plate", save=3))
    table = given(rider, book=book)
    falls = records.StayInSaddle(fighter=VEX, inches=inches)
    table = table.when(falls, d6("saddle", 3), wound(4), save(1))
    # A Strength as high as the Toughness needs a 4; an AP makes the save of 3+ worse by as much.
    assert [roll.target for roll in table.rolls] == [4, 4, 3 + pierced]
    assert (table.combatant(VEX).wounds_left, table.combatant(VEX).pinned) == (3 - damage, True)


@every(("face", "blast"), list(product(range(1, 7), [False, True])))
def test_mounted_the_fighter_stays_in_the_saddle_by_an_initiative_test(face: int, blast: bool) -> None:
    command = records.StayInSaddle(fighter=VEX, inches=3, blast_or_knockback=blast)
    stays = face - blast >= 4
    table = mounted().when(command, d6("saddle", face), *(() if stays else (wound(1),)))
    assert table.combatant(VEX).pinned == (not stays)


@every("face", range(1, 7))
def test_mounted_the_fighter_stands_up_by_an_initiative_test(face: int) -> None:
    table = mounted().when(fall(VEX, hundredths=300), wound(1))
    table = table.when(records.StandUpByTest(fighter=VEX), d6("stand_up", face))
    assert table.combatant(VEX).pinned == (face < 4)


def test_mounted_the_fighter_does_not_stand_up_without_that_test_but_in_older_battles_did() -> None:
    down = mounted().when(fall(VEX, hundredths=300), wound(1))
    told = down.when(records.Unpin(fighter=VEX))
    assert "`stand_up`" in str(told.refusal)
    told.then_refused(records.StandsByTest)
    assert not older(down, 4).when(records.Unpin(fighter=VEX)).combatant(VEX).pinned
    on_foot = given().when(fall(VEX, hundredths=300), wound(1))
    assert not on_foot.when(records.Unpin(fighter=VEX)).combatant(VEX).pinned


def test_only_the_mounted_sit_in_a_saddle() -> None:
    given().when(records.StayInSaddle(fighter=VEX, inches=3)).then_refused(records.NotNeeded)


def test_mounted_the_fighter_whom_a_shot_hits_is_not_pinned_by_it() -> None:
    table = armed(others=(card(KRUG, mounted=True),)).when(shot(), dice(hit=4, firepower="one"), wound(1))
    assert not table.combatant(KRUG).pinned
    assert "saddle" in next(event.why for event in table.outcome if isinstance(event, records.RuleNoted))
