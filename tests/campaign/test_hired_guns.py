"""Hired Guns, and Hangers-on with them: no XP, no advancements, no part in gang composition, never the Leader; they count in the rating. Source: D6.2."""

from advancing import buy, with_xp
from scenario import DOT, KRUG, OUT_COLD, SKULLS, VEX, card, given, out_of_action, seriously_injured
from tables import every
from trading_scenario import STUB, hire, rich

from tracker.campaign import records
from tracker.campaign.holdings import rating

WITHOUT_XP = ("hanger_on", "hired_gun")


@every("category", WITHOUT_XP)
def test_hangers_on_and_hired_guns_never_gain_experience(category: str) -> None:
    table = given(card(DOT, category=category)).when(seriously_injured(VEX, by=DOT))
    assert table.when(out_of_action(KRUG, by=DOT), OUT_COLD).fighter(DOT).experience == 0


@every("category", WITHOUT_XP)
def test_hangers_on_and_hired_guns_buy_and_roll_no_advancements(category: str) -> None:
    table = with_xp(VEX, 30, category=category)
    table.when(buy(VEX, "willpower")).then_refused(records.CannotAdvanceSo)
    table.when(records.RollAdvancement(fighter=VEX, choose=("movement",))).then_refused(
        records.CannotAdvanceSo
    )


def test_hangers_on_and_hired_guns_count_on_neither_side_of_gang_composition() -> None:
    rich().when(hire("pip", "hired_gun")).when(hire("sly", "hanger_on"))


@every("category", WITHOUT_XP)
def test_no_hanger_on_or_hired_gun_leads_a_gang(category: str) -> None:
    table = given(card(VEX, category=category), battle=False)
    table = table.when(records.RetireFighter(fighter=KRUG, reason="gone"))
    table.when(records.NameLeader(gang=SKULLS)).then_refused(records.NobodyToLead)


def test_hired_guns_count_in_the_gang_rating() -> None:
    assert rating(rich().when(hire("pip", "hired_gun", 50)).state.gangs[SKULLS]) == 250


def test_a_hired_gun_who_leaves_takes_the_gear_along() -> None:
    table = given(card(VEX, category="hired_gun", weapons=(STUB,)), battle=False)
    table = table.when(
        records.RetireFighter(fighter=VEX, reason="paid off", gear_to_stash=True, takes_gear=True)
    )
    assert table.state.gangs[SKULLS].stash == ()
