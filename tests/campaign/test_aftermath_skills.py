"""Skills that pay outside the fighting: Fixer, Connected, Savvy Trader, Mentor and Escape Artist."""

import pytest
from scenario import CLOSING, KRUG, MAGS, SKULLS, VEX, Table, card, given, opening
from special_rules import dice

from tracker.campaign import records
from tracker.campaign.cards import on_fighter
from tracker.campaign.profiles import Item
from tracker.records import replace

KNIFE = Item(name="knife", kind="wargear", cost_credits=30)


def after(*cards: records.FighterCard, whole_book: int | None = None) -> Table:
    """After a battle of Krug, a leader, and Vex, a ganger or what their card says."""
    table = given(*cards, battle=False)
    opened = opening(1) if whole_book is None else replace(opening(1), number=1, whole_book=whole_book)
    return table.when(opened).when(CLOSING)


def krug(*skills: str) -> records.FighterCard:
    return card(KRUG, category="leader", skills=skills)


def fixes(by: str = KRUG) -> records.EarnAsFixer:
    return records.EarnAsFixer(by=by)


def test_fixer_brings_d3_times_10_credits_once_after_a_battle() -> None:
    table = after(krug("Fixer"))
    before = table.state.gangs[SKULLS].credits
    table = table.when(fixes(), *dice(fixer=3))
    assert table.state.gangs[SKULLS].credits == before + 30
    assert table.rolls[0].outcome == "30 credits"
    table.when(fixes()).then_refused(records.OncePerSequence)
    again = table.when(opening(2)).when(CLOSING).when(fixes(), *dice(fixer=1))
    assert again.state.gangs[SKULLS].credits == before + 40


def test_fixer_needs_the_skill_and_a_battle_behind() -> None:
    after(krug()).when(fixes()).then_refused(records.SkillNotHeld, skill="fixer")
    given(krug("Fixer"), battle=False).when(fixes()).then_refused(records.NoSequenceOpen)


def test_fixer_brings_nothing_from_recovery_or_captivity() -> None:
    table = after(krug("Fixer"))
    for away in ({"recovering_since": 1}, {"capture_pending": True}, {"held_by": "saints"}):
        gone = replace(table, state=on_fighter(table.state, KRUG, **away))
        gone.when(fixes()).then_refused(records.CannotUseSkill, skill="fixer")


def test_fixer_comes_before_the_actions() -> None:
    table = after(krug("Fixer")).when(records.Trade(by=KRUG))
    table.when(fixes()).then_refused(records.StepOutOfOrder)


def test_connected_trades_once_more_beside_another_action() -> None:
    table = after(krug("Connected")).when(records.Trade(by=KRUG)).when(records.Trade(by=KRUG))
    table.when(records.Trade(by=KRUG)).then_refused(records.ActionTakenAlready)
    plain = after(krug()).when(records.Trade(by=KRUG))
    plain.when(records.Trade(by=KRUG)).then_refused(records.ActionTakenAlready)


def lawful(table: Table) -> Table:
    return table.when(records.StateAlignment(gang=SKULLS, alignment="law_abiding", why="founded so"))


def sought(table: Table) -> int:
    found = table.when(records.SeekRare(gang=SKULLS), *dice(seek_rare="3+4"))
    after_now = found.state.after_battle[SKULLS]
    assert after_now.rare is not None
    return after_now.rare.rare_up_to


def test_who_trades_twice_counts_as_one_trader_in_the_search() -> None:
    once = lawful(after(krug("Connected"))).when(records.Trade(by=KRUG))
    assert sought(once.when(records.Trade(by=KRUG))) == sought(once)


def test_savvy_trader_adds_1_to_the_search() -> None:
    plain, savvy = (lawful(after(krug(*skills))) for skills in ((), ("Savvy Trader",)))
    assert sought(savvy.when(records.Trade(by=KRUG))) == sought(plain.when(records.Trade(by=KRUG))) + 1


def test_savvy_trader_adds_nothing_after_a_battle_recorded_before_skills_did() -> None:
    plain, savvy = (lawful(after(krug(*skills), whole_book=1)) for skills in ((), ("Savvy Trader",)))
    assert sought(savvy.when(records.Trade(by=KRUG))) == sought(plain.when(records.Trade(by=KRUG)))


def buys(**more: object) -> records.BuyItem:
    return records.BuyItem(gang=SKULLS, item=KNIFE, market="common", **more)


def test_savvy_trader_takes_20_credits_off_one_thing() -> None:
    table = after(krug("Savvy Trader")).when(records.Trade(by=KRUG))
    before = table.state.gangs[SKULLS].credits
    table = table.when(buys(savvy_trader=KRUG))
    assert table.state.gangs[SKULLS].credits == before - 10
    table.when(buys(savvy_trader=KRUG)).then_refused(records.OncePerSequence)
    assert table.when(buys()).state.gangs[SKULLS].credits == before - 40


def test_a_price_never_falls_below_nothing_and_needs_the_trade() -> None:
    table = after(krug("Savvy Trader"))
    table.when(buys(savvy_trader=KRUG)).then_refused(records.CannotUseSkill)
    table = table.when(records.Trade(by=KRUG))
    before = table.state.gangs[SKULLS].credits
    assert table.when(buys(savvy_trader=KRUG, price=5)).state.gangs[SKULLS].credits == before


def mentors(fighter: str = VEX) -> records.TakeMentorTest:
    return records.TakeMentorTest(by=KRUG, fighter=fighter)


@pytest.mark.parametrize("battle", [True, False])
def test_mentor_a_passed_leadership_test_is_one_more_xp_for_a_friend(*, battle: bool) -> None:
    table = given(krug("Mentor")) if battle else after(krug("Mentor"))
    needs = table.fighter(KRUG).characteristics["leadership"]
    had = table.fighter(VEX).experience
    low, high = (f"{total - 1}+1" if total < 8 else f"{total - 6}+6" for total in (needs - 1, needs))
    assert table.when(mentors(), *dice(mentor=high)).fighter(VEX).experience == had + 1
    assert table.when(mentors(), *dice(mentor=low)).fighter(VEX).experience == had


def test_mentor_is_for_a_friend_and_needs_the_skill() -> None:
    given(krug("Mentor")).when(mentors(MAGS)).then_refused(records.NotAFriend)
    given(krug("Mentor")).when(mentors(KRUG)).then_refused(records.ActsOnSelf)
    given(krug()).when(mentors()).then_refused(records.SkillNotHeld, skill="mentor")
