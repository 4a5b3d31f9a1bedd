"""Skills at thresholds of XP and promotion dice, all small spaces of dice through."""

from itertools import product

from tables import every
from trench_scenario import fate, opening, taken_out, trauma, troop_fate
from warband_scenario import (
    ANSELM,
    HERETICS,
    LOST,
    ODO,
    PILGRIMS,
    RAT,
    VEX,
    WON,
    XP,
    after,
    die,
    given,
    learn,
    model,
    promotions,
    with_models,
    with_xp,
)

from tracker.campaign import records
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.dice import DiceLeftOver, DiceTray
from tracker.rules import loader

THRESHOLDS = (2, 4, 7, 10, 14, 18)


# --- skills ----------------------------------------------------------------------------------------------


def test_an_elite_model_at_2_xp_learns_one_of_the_two_skills_rolled() -> None:
    table = with_xp(after(), ANSELM, 2).when(learn(), die("skill_roll", "3+4", "1+2"))
    assert [type(event) for event in table.outcome] == [
        records.StepReached,
        records.AdvancementTaken,
        records.SkillGained,
    ]
    assert [roll.outcome for roll in table.rolls] == ["Melee 7: Melee Proficiency", "Ranged 3: Hunter"]
    assert table.fighter(ANSELM).skills == ("Melee Proficiency",)
    assert (table.fighter(ANSELM).advancements, table.fighter(ANSELM).experience) == (1, 2)


@every(
    ("xp", "skills", "next_at"),
    [
        (5, ("Hunter", "Climber"), 7),  # 2 and 4 XP are passed, and both skills learned
        (5, ("Hunter",), None),  # one is left to learn
        (1, ("Hunter",), 2),  # no threshold is passed: the skill is the model's own
        (5, ("Hunter", "Climber", "Tough"), 7),  # more skills than thresholds: the third is its own
    ],
)
def test_skills_on_the_card_of_an_elite_model_count_as_learned(
    xp: int, skills: tuple[str, ...], next_at: int | None
) -> None:
    card = model(ANSELM, experience=xp, skills=skills, skills_learned=True)
    table = given(card).when(WON)
    if next_at is not None:
        table.when(learn()).then_refused(records.NoThresholdReached, next_at=next_at)
        return
    table = table.when(learn(), die("skill_roll", "3+4", "1+2"))
    assert table.fighter(ANSELM).advancements == 2
    table.when(learn()).then_refused(records.NoThresholdReached, next_at=7)


def test_skills_on_older_cards_do_not_count_as_learned() -> None:
    table = given(model(ANSELM, experience=2, skills=("Hunter",))).when(WON)
    assert table.when(learn(), die("skill_roll", "3+4", "1+2")).fighter(ANSELM).advancements == 1


def head_wounded(**card):
    """Anselm bears a Head Wound of 1.0 from the battle that is over."""
    table = given(model(ANSELM, **card), knobs={"trauma.version": "1.0.2"})
    return taken_out(table, ANSELM).when(fate(ANSELM), trauma("22")).when(WON)


def test_a_head_wound_keeps_the_rank_and_stops_xp() -> None:
    table = head_wounded().when(XP)
    assert (table.fighter(ANSELM).category, table.fighter(ANSELM).experience) == ("elite", 0)
    assert [event.why for event in table.outcome if isinstance(event, records.RuleNoted)] == [
        "no XP, until a promotion die gives it back"
    ]


@every("face", range(1, 7))
def test_a_promotion_die_that_shows_a_6_gives_the_xp_back_and_the_scar_stays(face: int) -> None:
    table = head_wounded().when(promotions({ANSELM: 1}), die("promotion", face))
    anselm = table.fighter(ANSELM)
    assert (anselm.category, anselm.scars, anselm.earns_again) == ("elite", 1, face == 6)
    assert table.state.gangs[PILGRIMS].promotion_failures == (0 if face == 6 else 1)
    assert not [event for event in table.outcome if isinstance(event, records.RankChanged)]
    later = table.when(records.AwardLatecomer(fighter=ANSELM, missed=1))
    assert later.fighter(ANSELM).experience == (1 if face == 6 else 0)


def test_an_elite_model_that_earns_xp_gets_no_promotion_die() -> None:
    given().when(WON).when(promotions({ANSELM: 1})).then_refused(records.NotPromotable)
    healed = head_wounded().when(promotions({ANSELM: 1}), die("promotion", 6))
    opened = taken_out(healed.when(opening(2)), ODO).when(fate(ODO), troop_fate(6)).when(WON)
    opened.when(promotions({ANSELM: 1})).then_refused(records.NotPromotable)


def test_bitter_lessons_teach_nothing_to_who_earns_no_xp() -> None:
    table = taken_out(head_wounded().when(opening(2)), ANSELM).when(fate(ANSELM), trauma("65"))
    assert table.refusal is None
    assert table.fighter(ANSELM).experience == 0


def test_a_skill_may_be_of_either_table_rolled() -> None:
    table = with_xp(after(), ANSELM, 2).when(learn(choose="ranged"), die("skill_roll", "3+4", "1+2"))
    assert table.fighter(ANSELM).skills == ("Hunter",)


@every("number", range(6))
def test_each_threshold_of_xp_brings_one_skill_and_no_xp_is_spent(number: int) -> None:
    table = with_xp(after(), ANSELM, THRESHOLDS[number] - 1)
    for _ in range(number):
        table = table.when(learn(), die("skill_roll", "3+4", "1+2"))
    table.when(learn()).then_refused(records.NoThresholdReached, next_at=THRESHOLDS[number])
    table = with_xp(table, ANSELM, 1).when(learn(), die("skill_roll", "3+4", "1+2"))
    assert len(table.fighter(ANSELM).skills) == number + 1
    table.when(learn()).then_refused(records.NoThresholdReached)


def test_after_the_sixth_threshold_of_xp_no_skill_is_learned() -> None:
    table = with_xp(after(), ANSELM, 40)
    for _ in range(6):
        table = table.when(learn(), die("skill_roll", "3+4", "1+2"))
    table.when(learn()).then_refused(records.NoThresholdReached, next_at=None)


def test_a_model_of_limited_potential_learns_three_skills() -> None:
    table = given(model(ANSELM, skills=("Limited Potential",))).when(LOST)
    table = with_xp(table, ANSELM, 40)
    for _ in range(3):
        table = table.when(learn(), die("skill_roll", "3+4", "1+2"))
    table.when(learn()).then_refused(records.NoThresholdReached, next_at=None)


@every(("first", "second"), list(product(range(1, 7), repeat=2)))
def test_every_2d6_leads_to_the_skill_of_its_total_and_2_and_12_to_the_patrons(
    first: int, second: int
) -> None:
    table = with_xp(after(), ANSELM, 2)
    total, dice = first + second, die("skill_roll", f"{first}+{second}", "1+2")
    if total in (2, 12):
        table.when(learn(), dice).then_refused(records.PatronSkillMissing, total=total)
        learned = table.when(learn(patron_skill="Bell"), dice)
        assert learned.fighter(ANSELM).skills == ("Bell",)
    else:
        table.when(learn(patron_skill="Bell"), dice).then_refused(records.PatronSkillUncalled, total=total)
        melee = loader.book("trench_crusade").warbands.skill_tables["melee"].skills
        assert table.when(learn(), dice).fighter(ANSELM).skills == (melee[total - 3],)


def test_a_skill_of_the_patron_is_learned_once() -> None:
    table = with_xp(after(), ANSELM, 4).when(learn(patron_skill="Bell"), die("skill_roll", "1+1", "1+2"))
    again = table.when(learn(patron_skill="bell"), die("skill_roll", "6+6", "1+2"))
    again.then_refused(records.SkillOfPatronKnown)


def test_a_skill_table_known_in_full_is_refused_and_the_other_is_not() -> None:
    melee = loader.book("trench_crusade").warbands.skill_tables["melee"].skills
    table = with_xp(given(model(ANSELM, skills=melee)).when(LOST), ANSELM, 2)
    dice = die("skill_roll", "3+4", "1+2")
    table.when(learn(), dice).then_refused(records.NothingLeftToLearn, table="Melee")
    assert table.when(learn(choose="ranged"), dice).fighter(ANSELM).skills[-1] == "Hunter"


def test_a_model_that_is_not_elite_learns_no_skill() -> None:
    with_xp(after(), ODO, 2).when(learn(ODO)).then_refused(records.NotElite, rank="troop")


def test_skill_tables_are_two_different_ones_of_the_book() -> None:
    table = with_xp(after(), ANSELM, 2)
    table.when(records.LearnSkill(fighter=ANSELM, tables=("melee", "melee"), choose="melee")).then_refused(
        records.TwoTables
    )
    table.when(learn(choose="stealth")).then_refused(records.TwoTables)
    table.when(learn(choose="stelth")).then_refused(records.UnknownSkillTable)


def test_the_dead_learn_no_skill() -> None:
    table = given().when(records.RollInjuryChart(target=ANSELM, result="out_of_action"))
    table = table.when(LOST, die("trauma", "1-1"))
    with_xp_dead = table.when(learn())
    with_xp_dead.then_refused(records.FighterGone, standing="dead")


# --- promotion -------------------------------------------------------------------------------------------


@every("face", range(1, 7))
def test_a_promotion_die_of_6_makes_a_troop_elite_at_0_xp(face: int) -> None:
    table = after().when(promotions({ODO: 1}), die("promotion", face))
    odo = table.fighter(ODO)
    assert (odo.category, odo.experience) == (("elite" if face == 6 else "troop"), 0)
    assert table.state.gangs[PILGRIMS].promotion_failures == (0 if face == 6 else 1)


@every("failed", range(6))
@every("dice", [1, 2])
def test_after_five_failed_promotion_dice_in_a_row_the_next_succeeds(failed: int, dice: int) -> None:
    """Every fall of the dice: promoted unless none of those rolled is a 6 and the tally stays below 6."""
    table = after(WON)
    for nth in range(failed):
        # The tally runs over the campaign, one battle after another.
        table = table.when(promotions({ODO: 1}), die("promotion", 1 + nth % 5))
        table = table.when(_opening(nth + 2)).when(WON)
    promoted = 0
    for faces in product(range(1, 7), repeat=dice):
        tray = DiceTray(die("promotion", *faces))
        judged = decide_keeping_spare_dice(
            table.state, promotions({ODO: dice}), tray, loader.rulebook, entry=1
        )
        promoted += judged.state.gangs[PILGRIMS].fighters[ODO].category == "elite"
    automatic = failed + dice > 5
    assert promoted == (6**dice if automatic else 6**dice - 5**dice)


def _opening(number: int):
    from trench_scenario import opening

    return opening(number)


def test_the_promotion_that_succeeds_by_itself_rolls_no_die_and_begins_the_tally_anew() -> None:
    table = after(WON)
    for nth in range(2, 7):
        table = table.when(promotions({ODO: 1}), die("promotion", 2)).when(_opening(nth)).when(WON)
    spare = table.when(promotions({ODO: 1}), die("promotion", 3))
    spare.then_refused(DiceLeftOver)
    table = table.when(promotions({ODO: 1}))
    spent = next(event for event in table.outcome if isinstance(event, records.PromotionDieSpent))
    assert (spent.succeeded, spent.automatic, spent.failures) == (True, True, 0)


def test_with_one_promotion_no_further_promotion_dice_are_rolled() -> None:
    table = with_models(after(WON), ["ned"])
    table = table.when(promotions({ODO: 1, "ned": 1}), die("promotion", 6))
    assert table.fighter("ned").category == "troop"


def test_by_the_knob_promotion_dice_are_rolled_until_six_are_elite() -> None:
    table = with_models(after(WON, knobs={"promotion.several": "until_full"}), ["ned"])
    table = table.when(promotions({ODO: 1, "ned": 1}), die("promotion", 6, 6))
    assert [table.fighter(model).category for model in (ODO, "ned")] == ["elite", "elite"]


def test_with_five_elite_models_the_sixth_ends_the_promotion_dice_whatever_the_knob() -> None:
    table = with_models(after(WON, knobs={"promotion.several": "until_full"}), ["ned"])
    table = with_models(table, ["a", "b", "c", "d"], category="elite")
    table = table.when(promotions({ODO: 1, "ned": 1}), die("promotion", 6))
    assert table.fighter("ned").category == "troop"


def test_with_six_elite_models_no_promotion_dice_are_rolled() -> None:
    table = with_models(after(WON), ["a", "b", "c", "d", "e"], category="elite")
    table.when(promotions({ODO: 1})).then_refused(records.EliteFull, most=6)


def test_a_dead_elite_model_makes_room_for_a_promotion() -> None:
    table = given().when(records.RollInjuryChart(target=ANSELM, result="out_of_action"))
    table = table.when(WON, die("trauma", "1-1"))
    table = with_models(table, ["a", "b", "c", "d", "e"], category="elite")
    assert table.when(promotions({ODO: 1}), die("promotion", 6)).fighter(ODO).category == "elite"


def test_more_promotion_dice_than_the_pool_has_are_refused() -> None:
    after(LOST).when(promotions({ODO: 2})).then_refused(records.TooManyPromotionDice, pool=1, wanted=2)
    after(WON).when(promotions({ODO: 2}), die("promotion", 1, 1)).then_phrases()


def test_three_promotion_dice_for_one_troop_need_a_glorious_deed() -> None:
    table = with_models(after(WON), ["ned"])
    table.when(promotions({ODO: 3}, deeds=1)).then_refused(records.PromotionDiceUneven, dice=3)
    learned = table.when(promotions({ODO: 3}, deeds=1, deeds_by=(ODO,)), die("promotion", 1, 2, 3))
    assert learned.state.gangs[PILGRIMS].promotion_failures == 3


def test_glorious_deeds_are_at_least_as_many_as_their_doers() -> None:
    after(WON).when(promotions({ODO: 1}, deeds_by=(ODO,))).then_refused(records.FewerDeedsThanDoers)


@every("who", [ANSELM, RAT])
def test_only_troops_of_the_warband_roll_promotion_dice(who: str) -> None:
    after(WON).when(promotions({who: 1})).then_refused(records.NotPromotable)


def test_a_second_promotion_in_one_sequence_is_refused() -> None:
    table = after(WON).when(promotions({ODO: 1}), die("promotion", 1))
    table.when(promotions({ODO: 1})).then_refused(records.OncePerSequence)


def test_promotion_dice_follow_a_battle_and_come_before_later_steps() -> None:

    given(battle=False).when(promotions({ODO: 1})).then_refused(records.NoSequenceOpen)
    later = after(WON).when(records.RaiseThreshold(gang=PILGRIMS))
    later.when(promotions({ODO: 1})).then_refused(records.StepOutOfOrder)


def test_a_model_that_lost_its_rank_by_a_head_wound_may_be_promoted_again() -> None:
    table = with_xp(given(), ANSELM, 3).when(records.RollInjuryChart(target=ANSELM, result="out_of_action"))
    table = table.when(LOST, die("trauma", "2-2"))
    assert table.fighter(ANSELM).category == "troop"
    table = table.when(promotions({ANSELM: 1}), die("promotion", 6))
    anselm = table.fighter(ANSELM)
    assert (anselm.category, anselm.scars, anselm.experience) == ("elite", 1, 3)
    assert [injury.injury for injury in anselm.injuries] == ["head_wound"]
    assert isinstance(table.outcome[-1], records.RankChanged)


def test_each_warband_has_its_own_tally_of_failed_promotion_dice() -> None:
    table = after(WON).when(promotions({ODO: 2}), die("promotion", 1, 1))
    table = table.when(promotions({RAT: 1}, gang=HERETICS), die("promotion", 1))
    assert table.state.gangs[HERETICS].promotion_failures == 1
    assert table.fighter(VEX).category == "elite"
