"""Advancement: what XP buys, rising prices, caps on improvements. Source: rules D2, D3.2, B8."""

from __future__ import annotations

from advancing import buy, with_xp
from hypothesis import given as supposing
from hypothesis import settings
from hypothesis import strategies as st
from scenario import KRUG, VEX
from tables import every
from trading_scenario import FEROCITY, skill

from tracker.campaign import records
from tracker.campaign.missing_dice import as_if_rolled, explain, rolled_next
from tracker.dice import DiceNeeded
from tracker.records import replace
from tracker.rules import loader

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
def test_every_rank_that_gains_xp_but_gangers_and_exotic_beasts_buys_advancements(category: str) -> None:
    assert with_xp(KRUG, 3, category=category).when(buy(KRUG, "willpower")).refusal is None


@every("category", ["ganger", "hanger_on", "hired_gun", "exotic_beast"])
def test_gangers_hangers_on_hired_guns_and_exotic_beasts_buy_no_advancements(category: str) -> None:
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


def test_what_a_random_skill_needs_is_found_where_the_lowest_faces_are_rolled_again() -> None:
    barred = ("Howl", *FEROCITY.skills[2:5])
    asked = buy(KRUG, "primary_random", skill_set=FEROCITY, cannot_take=barred)
    needed = with_xp(KRUG, 6, skills=("gnaw",)).when(asked).refusal
    assert isinstance(needed, DiceNeeded)
    assert rolled_next(needed, loader.rulebook) == ()
    explain(needed, loader.rulebook)
    assert (needed.needed, needed.also) == (None, ())
    gone_on = as_if_rolled(needed.asked, loader.rulebook)
    assert gone_on is not None
    assert gone_on.state.fighter(KRUG).skills == ("gnaw", FEROCITY.skills[5])


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


# --- laws ------------------------------------------------------------------------------------------------

BUYABLE = tuple(
    name
    for name, advancement in loader.book("necromunda_2023").advancement.advancements.items()
    if advancement.characteristic
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
