"""Awards to several at once: who gains, once, and why each of them did. Source: D3.1, E."""

from aftermaths import LOST, die, fallen
from scenario import DOT, KRUG, MAGS, SAINTS, SKULLS, VEX, card, given, lasting, opening
from tables import every

from tracker.campaign import records
from tracker.rules.rulebook import BookHasNo

WHERE = "Core Rulebook (2023) · Experience · Gaining Experience"
TOOK_PART = records.AwardTakingPart(gang=SKULLS)


def gained(fighter: str, amount: int, reason: str) -> records.ExperienceGained:
    return records.ExperienceGained(fighter=fighter, amount=amount, reason=reason, section=WHERE)


# --- several ---------------------------------------------------------------------------------------------


def test_each_of_several_has_an_event_with_cause_and_reason() -> None:
    award = records.AwardSeveral(fighters=(VEX, MAGS), amount=2, reason="held the bridge")
    table = given(battle=False).when(award)
    assert table.outcome == (gained(VEX, 2, "held the bridge"), gained(MAGS, 2, "held the bridge"))
    assert (table.fighter(VEX).experience, table.fighter(MAGS).experience, table.fighter(DOT).experience) == (
        2,
        2,
        0,
    )
    assert [decided.cause for decided in table.judgements[-1].events] == [0, 0, 0]


def test_an_award_may_be_shown_in_the_middle_of_a_battle() -> None:
    assert (
        given().when(records.AwardSeveral(fighters=(VEX,), amount=1, reason="loot")).fighter(VEX).experience
        == 1
    )


@every("amount", [0, -1, 101])
def test_an_award_is_1_to_100(amount: int) -> None:
    given().when(records.AwardSeveral(fighters=(VEX,), amount=amount, reason="?")).then_refused(
        records.NothingToAward
    )


def test_an_award_names_nobody_twice_and_nobody_who_is_gone() -> None:
    table = given(battle=False)
    twice = table.when(records.AwardSeveral(fighters=(VEX, KRUG, VEX), amount=1, reason="?"))
    twice.then_refused(records.AwardedTwice, fighter="Vex")
    table = table.when(records.RetireFighter(fighter=KRUG, reason="old"))
    gone = table.when(records.AwardSeveral(fighters=(VEX, KRUG), amount=1, reason="?")).then_refused(
        records.FighterGone
    )
    assert gone.fighter(VEX).experience == 0
    table.when(records.AwardSeveral(fighters=(VEX, "nobody"), amount=1, reason="?")).then_refused(
        records.UnknownFighter
    )


# --- taking part -----------------------------------------------------------------------------------------


def test_everybody_who_took_part_gains_1_xp_where_the_scenario_gives_none() -> None:
    table = fallen().when(TOOK_PART)
    assert table.outcome == (
        records.PostBattleDone(gang=SKULLS, what="took_part"),
        gained(KRUG, 1, "took part in the battle"),
        gained(VEX, 1, "took part in the battle"),
    )
    assert table.fighter(MAGS).experience == 0
    # The once-only mark causes each of them.
    assert [decided.cause for decided in table.judgements[-1].events] == [0, 0, 1, 1]


def test_xp_of_the_scenario_takes_the_place_of_the_books_1_xp_for_taking_part() -> None:
    table = fallen().when(records.AwardTakingPart(gang=SKULLS, amount=3, reason="Looters"))
    assert table.outcome[1] == gained(KRUG, 3, "took part in the battle: Looters")
    table.when(TOOK_PART).then_refused(records.OncePerSequence)


def test_only_the_crew_took_part_and_of_it_nobody_who_never_came() -> None:
    table = given(battle=False).when(opening(1, crews={SKULLS: (VEX,), SAINTS: (MAGS, DOT)})).when(LOST)
    assert table.when(TOOK_PART).fighter(KRUG).experience == 0
    table.when(records.AwardTakingPart(gang=SKULLS, without=(KRUG,))).then_refused(
        records.TookNoPart, fighter="Krug"
    )
    table.when(records.AwardTakingPart(gang=SKULLS, without=(VEX,))).then_refused(records.NobodyTookPart)
    assert table.when(records.AwardTakingPart(gang=SAINTS, without=(DOT,))).fighter(DOT).experience == 0


def test_the_injured_gain_for_taking_part_and_the_dead_do_not() -> None:
    table = fallen((VEX, lasting(4, 4)), (KRUG, lasting(6, 6))).when(TOOK_PART)
    assert (table.fighter(VEX).experience, table.fighter(KRUG).experience) == (1, 0)


@every(
    ("category", "gains"),
    [
        *((rank, 1) for rank in ("leader", "champion", "prospect", "ganger", "specialist", "juve", "crew")),
        ("brute", 1), ("exotic_beast", 1), ("hanger_on", 0), ("hired_gun", 0),
    ],
)  # fmt: skip
def test_hangers_on_and_hired_guns_gain_no_xp(category: str, gains: int) -> None:
    table = fallen(table=given(card(VEX, category=category))).when(TOOK_PART)
    assert table.fighter(VEX).experience == gains


def test_taking_part_belongs_to_a_battle_that_is_over_and_to_a_book_that_pays_it() -> None:
    given(battle=False).when(TOOK_PART).then_refused(records.NoSequenceOpen)
    archive = fallen(book="necromunda_archive")
    archive.when(TOOK_PART).then_refused(BookHasNo)
    assert archive.when(records.AwardTakingPart(gang=SKULLS, amount=2)).fighter(VEX).experience == 2


# --- by a die, where a house rule has it ----------------------------------------------------------------


MVP, PAINTED = (
    records.RollPraise(fighter=VEX, praise="mvp"),
    records.RollPraise(fighter=VEX, praise="painted"),
)


def test_without_the_house_rule_nobody_is_praised() -> None:
    for praise in (MVP, PAINTED):
        fallen().when(praise).then_refused(records.PraiseNotInForce)


@every("xp", [1, 2, 3])
def test_the_best_fighter_of_a_gang_gains_d3_xp_once_after_each_battle(xp: int) -> None:
    table = fallen(knobs={"experience.mvp": "d3_xp"}).when(MVP, die("mvp", xp))
    assert table.fighter(VEX).experience == xp
    table.when(records.RollPraise(fighter=KRUG, praise="mvp"), die("mvp", 1)).then_refused(
        records.OncePerSequence
    )
    # The other gang has a best of its own.
    assert (
        table.when(records.RollPraise(fighter=MAGS, praise="mvp"), die("mvp", 2)).fighter(MAGS).experience
        == 2
    )


def test_the_best_fighter_of_a_gang_was_in_the_battle() -> None:
    table = given(battle=False, knobs={"experience.mvp": "d3_xp"})
    table = table.when(opening(1, crews={SKULLS: (KRUG,), SAINTS: (MAGS,)})).when(LOST)
    table.when(MVP, die("mvp", 1)).then_refused(records.TookNoPart)


@every("xp", [1, 2, 3])
def test_a_painted_model_gains_d3_xp_once_ever(xp: int) -> None:
    table = given(battle=False, knobs={"experience.painted": "d3_xp"}).when(PAINTED, die("painted", xp))
    assert table.outcome == (records.ModelPainted(fighter=VEX), gained(VEX, xp, "a painted model"))
    table = table.when(opening(1)).when(LOST)
    table.when(PAINTED, die("painted", 1)).then_refused(records.PaintedBefore)
