"""Advancement: what XP buys, rising prices, caps on improvements. Source: rules D2, D3.2, B8."""

from __future__ import annotations

from affairs import FEROCITY, skill, two
from hypothesis import given as supposing
from hypothesis import settings
from hypothesis import strategies as st
from scenario import KRUG, SKULLS, VEX, Table, card, given
from tables import every

from tracker.campaign import records
from tracker.records import replace
from tracker.rules import loader

ARCHIVE = "necromunda_archive"
SECTION = "Core Rulebook (2023) · Experience · Advancements"
AT_BEST = {
    "movement": 8,
    "weapon_skill": 2,
    "ballistic_skill": 2,
    "strength": 6,
    "toughness": 6,
    "initiative": 2,
    "leadership": 3,
    "cool": 3,
    "willpower": 3,
    "intelligence": 3,
}


def with_xp(
    fighter: str,
    experience: int,
    *,
    book: str = "necromunda_2023",
    knobs: dict[str, str] | None = None,
    **more: object,
) -> Table:
    """That fighter with so much XP, between battles."""
    return given(card(fighter, experience=experience, **more), battle=False, book=book, knobs=knobs)


def buy(fighter: str, advancement: str, **more: object) -> records.BuyAdvancement:
    """They buy it."""
    return records.BuyAdvancement(fighter=fighter, advancement=advancement, **more)  # type: ignore[arg-type]


# --- the purchase table (D3.2) ---------------------------------------------------------------------------


@every(
    ("advancement", "experience", "worth", "after"),
    [
        ("willpower", 3, 5, 6),
        ("intelligence", 3, 5, 6),
        ("leadership", 4, 10, 6),
        ("cool", 4, 10, 6),
        ("initiative", 5, 10, 3),
        ("movement", 5, 10, 6),
        ("weapon_skill", 6, 20, 3),
        ("ballistic_skill", 6, 20, 3),
        ("strength", 8, 30, 4),
        ("toughness", 8, 30, 4),
        ("wounds", 12, 45, 2),
        ("attacks", 12, 45, 2),
    ],
)
def test_a_characteristic_costs_its_xp_and_adds_its_credits(
    advancement: str, experience: int, worth: int, after: int
) -> None:
    table = with_xp(KRUG, experience).when(buy(KRUG, advancement))
    krug = table.fighter(KRUG)
    assert krug.characteristics[advancement] == after
    assert (krug.experience, krug.experience_spent, krug.advancements) == (0, experience, 1)
    assert krug.cost_credits == 100 + worth
    with_xp(KRUG, experience - 1).when(buy(KRUG, advancement)).then_refused(
        records.NotEnoughExperience, needed=experience, experience=experience - 1
    )


@every("written", ["WS", "ws", "weapon skill", "Weapon Skill", "weapon_skill"])
def test_a_characteristic_is_bought_by_any_of_its_names(written: str) -> None:
    krug = with_xp(KRUG, 6).when(buy(KRUG, written)).fighter(KRUG)
    assert (krug.characteristics["weapon_skill"], krug.experience) == (3, 0)


def test_an_advancement_tells_what_it_was_what_it_cost_and_what_came_of_it() -> None:
    with_xp(KRUG, 10).when(buy(KRUG, "strength")).then(
        records.AdvancementTaken(
            fighter=KRUG,
            advancement="strength",
            name="Strength",
            advancements=1,
            characteristic="strength",
            section=SECTION,
        ),
        records.ExperienceSpent(fighter=KRUG, amount=8, why="Strength", section=SECTION),
        records.CharacteristicChanged(
            fighter=KRUG, characteristic="strength", before=3, after=4, why="advancement"
        ),
        records.FighterCostChanged(fighter=KRUG, before=100, after=130, why="Strength"),
    )


@every(
    ("advancement", "experience", "worth", "access", "chosen"),
    [
        ("primary_random", 6, 20, "primary", False),
        ("primary_chosen", 9, 20, "primary", True),
        ("secondary_random", 9, 35, "secondary", False),
        ("secondary_chosen", 12, 35, "secondary", True),
        ("any_random", 15, 50, None, False),
    ],
)
def test_a_skill_costs_its_xp_and_adds_its_credits(
    advancement: str, experience: int, worth: int, access: str | None, chosen: bool
) -> None:
    skills = replace(FEROCITY, access=access)  # type: ignore[arg-type]
    asked = buy(KRUG, advancement, skill_set=skills, skill="maul" if chosen else None)
    table = with_xp(KRUG, experience).when(asked, *(() if chosen else (skill(4),)))
    krug = table.fighter(KRUG)
    assert krug.skills == ("Maul",)
    assert (krug.experience, krug.cost_credits) == (0, 100 + worth)
    with_xp(KRUG, experience - 1).when(asked).then_refused(records.NotEnoughExperience)


def test_each_further_improvement_of_one_characteristic_costs_2_more() -> None:
    # Initiative: 5, 7, 9, as the book's own example has it.
    table = with_xp(KRUG, 14, initiative=6)
    table = table.when(buy(KRUG, "initiative")).when(buy(KRUG, "initiative"))
    assert table.fighter(KRUG).experience == 14 - 5 - 7
    table.when(buy(KRUG, "initiative")).then_refused(records.NotEnoughExperience, needed=9)
    table.when(buy(KRUG, "willpower")).then_refused(records.NotEnoughExperience, needed=3, experience=2)


@every("category", ["juve", "prospect"])
def test_juves_and_prospects_never_pay_more_for_the_next(category: str) -> None:
    table = with_xp(KRUG, 15, initiative=6, category=category)
    for _ in range(3):
        table = table.when(buy(KRUG, "initiative"))
    assert table.fighter(KRUG).experience == 0
    assert table.fighter(KRUG).characteristics["initiative"] == 3


@every("category", ["leader", "champion", "crew", "prospect", "juve", "specialist", "brute"])
def test_these_buy_advancements(category: str) -> None:
    assert with_xp(KRUG, 3, category=category).when(buy(KRUG, "willpower")).refusal is None


@every("category", ["ganger", "hanger_on", "hired_gun", "exotic_beast"])
def test_who_rolls_or_gains_no_xp_buys_none(category: str) -> None:
    with_xp(KRUG, 30, category=category).when(buy(KRUG, "willpower")).then_refused(records.CannotAdvanceSo)


def test_a_specialist_becomes_champion_with_a_random_primary_skill() -> None:
    bought = buy(VEX, "champion", skill_set=FEROCITY, kind="Road Boss", basic_profile={"wounds": 2})
    table = with_xp(VEX, 12, category="specialist").when(bought, skill(1))
    vex = table.fighter(VEX)
    assert (vex.category, vex.kind, vex.skills, vex.cost_credits) == ("champion", "Road Boss", ("Gnaw",), 140)
    assert vex.basic_profile == {"wounds": 2}
    with_xp(KRUG, 12).when(buy(KRUG, "champion", skill_set=FEROCITY)).then_refused(records.CannotAdvanceSo)


def test_a_random_skill_is_rolled_again_where_it_is_known_or_cannot_be_had() -> None:
    asked = buy(KRUG, "primary_random", skill_set=FEROCITY, cannot_take=("Howl",))
    table = with_xp(KRUG, 6, skills=("gnaw",)).when(asked, skill(1), skill(2), skill(1), skill(3))
    assert [roll.outcome for roll in table.rolls] == [
        "Gnaw: rolled again",
        "Howl: rolled again",
        "Gnaw: rolled again",
        "Lunge",
    ]
    assert records.SkillGained(fighter=KRUG, skill="Lunge", against=None, why="Ferocity") in table.outcome


def test_a_skill_needs_a_set_of_six_that_the_type_has_access_to() -> None:
    table = with_xp(KRUG, 15)
    table.when(buy(KRUG, "primary_random")).then_refused(records.SkillsMissing)
    short = replace(FEROCITY, skills=FEROCITY.skills[:5])
    table.when(buy(KRUG, "primary_random", skill_set=short)).then_refused(records.NotSixSkills)
    table.when(buy(KRUG, "secondary_random", skill_set=FEROCITY)).then_refused(records.WrongSkillSet)
    table.when(buy(KRUG, "primary_chosen", skill_set=FEROCITY)).then_refused(
        records.SkillNotInSet, skill=None
    )
    table.when(buy(KRUG, "primary_chosen", skill_set=FEROCITY, skill="Sing")).then_refused(
        records.SkillNotInSet
    )
    knows = with_xp(KRUG, 15, skills=("Maul",))
    knows.when(buy(KRUG, "primary_chosen", skill_set=FEROCITY, skill="Maul")).then_refused(records.SkillKnown)
    knows_all = with_xp(KRUG, 15, skills=FEROCITY.skills)
    knows_all.when(buy(KRUG, "primary_random", skill_set=FEROCITY)).then_refused(records.NoSkillLeft)
    table.when(buy(KRUG, "charm")).then_refused(records.UnknownAdvancement)


# --- limits (D2) -----------------------------------------------------------------------------------------


@every(("characteristic", "best"), AT_BEST.items())
def test_nothing_is_improved_past_its_best(characteristic: str, best: int) -> None:
    with_xp(KRUG, 40, **{characteristic: best}).when(buy(KRUG, characteristic)).then_refused(
        records.BeyondLimit
    )


@every(
    ("characteristic", "times"),
    [("movement", 2), ("strength", 2), ("toughness", 2), ("wounds", 1), ("attacks", 1)],
)
def test_improvements_are_capped_by_the_basic_profile(characteristic: str, times: int) -> None:
    table = with_xp(KRUG, 100)
    for _ in range(times):
        table = table.when(buy(KRUG, characteristic))
    table.when(buy(KRUG, characteristic)).then_refused(records.BeyondLimit)


def test_an_injury_makes_room_below_the_cap_again() -> None:
    table = with_xp(KRUG, 100).when(buy(KRUG, "wounds"))
    hurt = table.fighter(KRUG)
    weakened = replace(hurt, characteristics={**hurt.characteristics, "wounds": 1})
    table = replace(table, state=table.state.with_fighter(weakened)).when(buy(KRUG, "wounds"))
    assert table.fighter(KRUG).characteristics["wounds"] == 2


def test_promotion_measures_from_the_new_type_and_leaves_the_numbers() -> None:
    table = with_xp(KRUG, 100, category="juve")
    for _ in range(3):
        table = table.when(buy(KRUG, "willpower"))
    table = table.when(buy(KRUG, "wounds"))
    table.when(buy(KRUG, "wounds")).then_refused(records.BeyondLimit)
    basic = {**table.fighter(KRUG).basic_profile, "wounds": 2}
    promoted = table.when(
        records.PromoteFighter(fighter=KRUG, category="specialist", kind="Gunner", basic_profile=basic)
    )
    assert promoted.fighter(KRUG).characteristics == table.fighter(KRUG).characteristics
    assert promoted.fighter(KRUG).cost_credits == table.fighter(KRUG).cost_credits
    assert promoted.when(buy(KRUG, "wounds")).fighter(KRUG).characteristics["wounds"] == 3


# --- the Ganger table (D3.3) -----------------------------------------------------------------------------

ROWS = {
    2: ("specialist",),
    3: ("weapon_skill", "ballistic_skill"),
    4: ("weapon_skill", "ballistic_skill"),
    5: ("strength", "toughness"),
    6: ("strength", "toughness"),
    7: ("movement", "initiative"),
    8: ("willpower", "intelligence"),
    9: ("willpower", "intelligence"),
    10: ("leadership", "cool"),
    11: ("leadership", "cool"),
    12: ("specialist",),
}
CREDITS = {2: 20, 3: 20, 4: 20, 5: 30, 6: 30, 7: 10, 8: 5, 9: 5, 10: 10, 11: 10, 12: 20}


def split(total: int) -> tuple[int, int]:
    """Two faces of that total."""
    return (total - 1, 1) if total <= 7 else (6, total - 6)


@every("total", range(2, 13))
@every("which", [0, 1])
def test_a_ganger_rolls_takes_one_of_what_is_offered_and_loses_6_xp(total: int, which: int) -> None:
    offers = ROWS[total]
    chosen = offers[which % len(offers)]
    roll = records.RollAdvancement(fighter=VEX, choose=(chosen,), skill_set=FEROCITY)
    more = (skill(6),) if chosen == "specialist" else ()
    table = with_xp(VEX, 6).when(roll, two(*split(total)), *more)
    vex, before = table.fighter(VEX), card(VEX)
    assert (vex.experience, vex.advancements, vex.cost_credits) == (0, 1, 100 + CREDITS[total])
    if chosen == "specialist":
        assert (vex.category, vex.skills, vex.characteristics) == (
            "specialist",
            ("Outlast",),
            before.characteristics,
        )
    else:
        better = (
            loader.book("necromunda_2023").characteristics[chosen].improved(before.characteristics[chosen], 1)
        )
        assert vex.characteristics == {**before.characteristics, chosen: better}


def test_a_ganger_with_less_than_6_xp_does_not_roll_and_others_never_do() -> None:
    with_xp(VEX, 5).when(records.RollAdvancement(fighter=VEX)).then_refused(
        records.NotEnoughExperience, needed=6
    )
    with_xp(KRUG, 6).when(records.RollAdvancement(fighter=KRUG)).then_refused(records.CannotAdvanceSo)
    with_xp(VEX, 6, category="specialist").when(records.RollAdvancement(fighter=VEX)).then_refused(
        records.CannotAdvanceSo
    )


def test_a_row_that_offers_two_needs_a_choice() -> None:
    table = with_xp(VEX, 6)
    table.when(records.RollAdvancement(fighter=VEX), two(2, 3)).then_refused(
        records.ChoiceNeeded, rolled=5, options=("strength", "toughness")
    )
    only = with_xp(VEX, 6, strength=6).when(records.RollAdvancement(fighter=VEX), two(2, 3))
    assert only.fighter(VEX).characteristics["toughness"] == 4


def test_the_choice_between_two_is_made_by_any_name() -> None:
    chosen = with_xp(VEX, 6).when(records.RollAdvancement(fighter=VEX, choose=("T",)), two(2, 3))
    assert chosen.fighter(VEX).characteristics["toughness"] == 4


def test_a_row_past_its_maximum_counts_as_12() -> None:
    table = with_xp(VEX, 6, weapon_skill=2, ballistic_skill=2)
    table = table.when(records.RollAdvancement(fighter=VEX, skill_set=FEROCITY), two(1, 2), skill(2))
    assert (table.fighter(VEX).category, table.fighter(VEX).skills) == ("specialist", ("Howl",))


def test_a_ganger_rolls_as_long_as_there_is_xp_enough() -> None:
    roll = records.RollAdvancement(fighter=VEX, choose=("strength", "cool"), skill_set=FEROCITY)
    table = with_xp(VEX, 13).when(roll, two(2, 3), two(4, 6))
    assert (table.fighter(VEX).experience, table.fighter(VEX).advancements) == (1, 2)
    once = with_xp(VEX, 13, knobs={"ganger_advancement.rolls": "once"}).when(roll, two(2, 3))
    assert (once.fighter(VEX).experience, once.fighter(VEX).advancements) == (7, 1)


def test_who_became_a_specialist_rolls_no_more() -> None:
    roll = records.RollAdvancement(fighter=VEX, skill_set=FEROCITY)
    table = with_xp(VEX, 18).when(roll, two(6, 6), skill(1))
    assert (table.fighter(VEX).experience, table.fighter(VEX).category) == (12, "specialist")


def test_the_archive_adds_no_credits_and_no_skill_for_a_specialist_and_rolls_once() -> None:
    table = with_xp(VEX, 12, book=ARCHIVE).when(records.RollAdvancement(fighter=VEX), two(1, 1))
    vex = table.fighter(VEX)
    assert (vex.category, vex.cost_credits, vex.skills, vex.experience) == ("specialist", 100, (), 6)


# --- promotion (D3.4) ------------------------------------------------------------------------------------


@every(("book", "needed"), [("necromunda_2023", 3), (ARCHIVE, 5)])
@every("category", ["juve", "prospect"])
def test_juves_and_prospects_are_promoted_after_so_many_advancements(
    book: str, needed: int, category: str
) -> None:
    promote = records.PromoteFighter(fighter=KRUG, category="champion", kind="Boss")
    table = with_xp(KRUG, 100, book=book, category=category)
    for number in range(needed - 1):
        table = table.when(buy(KRUG, ("willpower", "cool")[number % 2]))
    table.when(promote).then_refused(records.NotYetPromoted, advancements=needed - 1, needed=needed)
    table = table.when(buy(KRUG, "willpower")).when(promote)
    assert (table.fighter(KRUG).category, table.fighter(KRUG).kind) == ("champion", "Boss")


def test_no_ganger_is_promoted_but_by_the_arbitrator() -> None:
    promote = records.PromoteFighter(fighter=VEX, category="champion", kind="Boss")
    with_xp(VEX, 0).when(promote).then_refused(records.NotYetPromoted, needed=None)
    by_word = replace(promote, reason="agreed", beyond_rules=True)
    assert with_xp(VEX, 0).when(by_word).fighter(VEX).category == "champion"


# --- succession (D6.4) -----------------------------------------------------------------------------------


def leaderless(*cards: object, book: str = "necromunda_2023") -> Table:
    """The Skulls after Krug has gone, with these besides Vex."""

    table = given(battle=False, book=book)
    for fighter in cards:
        table = table.when(records.EnlistFighter(gang=SKULLS, card=fighter))  # type: ignore[arg-type]
    return table.when(records.RetireFighter(fighter=KRUG, reason="gone"))


def member(fighter: str, category: str, leadership: int = 7) -> object:
    return replace(
        card(VEX, leadership=leadership),
        fighter=fighter,
        name=fighter.capitalize(),
        category=category,  # type: ignore[arg-type]
    )


def test_the_champion_with_the_best_leadership_leads() -> None:
    table = leaderless(
        member("ada", "champion", 6), member("bo", "champion", 5), member("cy", "specialist", 3)
    )
    table = table.when(records.NameLeader(gang=SKULLS, kind="Boss"))
    promoted = table.outcome[0]
    assert isinstance(promoted, records.FighterPromoted)
    assert (promoted.fighter, promoted.category, promoted.kind) == ("bo", "leader", "Boss")
    assert table.fighter("bo").characteristics["leadership"] == 5
    table.when(records.NameLeader(gang=SKULLS)).then_refused(records.LeaderThere)


def test_without_champions_a_specialist_leads_and_else_anybody_but_hangers_on() -> None:
    table = leaderless(member("cy", "specialist", 9), member("ed", "juve", 4))
    assert table.when(records.NameLeader(gang=SKULLS)).fighter("cy").category == "leader"
    nobody_better = leaderless(member("fi", "hanger_on", 3), member("ed", "juve", 4))
    assert nobody_better.when(records.NameLeader(gang=SKULLS)).fighter("ed").category == "leader"


def test_the_archive_counts_prospects_with_the_specialists() -> None:
    people = (member("cy", "specialist", 9), member("ed", "prospect", 5))
    assert leaderless(*people).when(records.NameLeader(gang=SKULLS)).fighter("cy").category == "leader"
    archived = leaderless(*people, book=ARCHIVE).when(records.NameLeader(gang=SKULLS))
    assert archived.fighter("ed").category == "leader"


def test_equal_leadership_is_broken_by_advancements_and_then_by_choice() -> None:
    table = leaderless(member("ada", "champion", 6), member("bo", "champion", 6))
    table.when(records.NameLeader(gang=SKULLS)).then_refused(
        records.NotNextInLine, fighter=None, candidates=("Ada", "Bo")
    )
    assert table.when(records.NameLeader(gang=SKULLS, fighter="ada")).fighter("ada").category == "leader"
    table.when(records.NameLeader(gang=SKULLS, fighter=VEX)).then_refused(records.NotNextInLine)
    advanced = replace(table.fighter("bo"), advancements=1)
    seasoned = replace(table, state=table.state.with_fighter(advanced))
    assert seasoned.when(records.NameLeader(gang=SKULLS)).fighter("bo").category == "leader"


# --- laws ------------------------------------------------------------------------------------------------

BUYABLE = tuple(
    name
    for name, one in loader.book("necromunda_2023").advancement.advancements.items()
    if one.characteristic
)


@settings(max_examples=60, deadline=None)
@supposing(
    experience=st.integers(0, 80),
    category=st.sampled_from(["leader", "champion", "juve", "prospect"]),
    bought=st.lists(st.sampled_from(BUYABLE), max_size=12),
)
def test_xp_spent_and_left_add_up_costs_rise_by_2_and_credits_follow(
    experience: int, category: str, bought: list[str]
) -> None:
    table = with_xp(KRUG, experience, category=category)
    lines = loader.book("necromunda_2023").advancement.advancements
    spent, worth, times = 0, 0, dict.fromkeys(BUYABLE, 0)
    for name in bought:
        price = lines[name].experience + (0 if category in ("juve", "prospect") else 2 * times[name])
        after = table.when(buy(KRUG, name))
        if after.refusal is not None:
            assert isinstance(after.refusal, (records.NotEnoughExperience, records.BeyondLimit))
            assert isinstance(after.refusal, records.BeyondLimit) or experience - spent < price
            continue
        table, spent, worth = after, spent + price, worth + lines[name].credits
        times[name] += 1
        krug = table.fighter(KRUG)
        assert krug.experience == experience - spent >= 0
        assert krug.experience_spent == spent
        assert krug.cost_credits == 100 + worth
        assert krug.advancements == sum(times.values())
