"""Reminders after a battle: what skills give is named where it is due, in its step, by one function."""

import pytest
from aftermaths import wreck
from scenario import CLOSING, DOT, KRUG, MAGS, SAINTS, SKULLS, Table, card, given, opening
from special_rules import dice

from tracker.campaign import records
from tracker.campaign.cards import on_fighter
from tracker.campaign.post_battle_reminders import due_after_battle, of_skills
from tracker.campaign.profiles import Item
from tracker.campaign.steps import rulebook_in_force
from tracker.records import replace
from tracker.rules import loader

BOOKS = ("necromunda_2023", "necromunda_archive")


def after(*skills: str, book: str = "necromunda_2023") -> Table:
    table = given(card(KRUG, name="Krug", category="leader", skills=skills), battle=False, book=book)
    return table.when(opening(1)).when(CLOSING)


def due(table: Table) -> list[tuple[str, str]]:
    """The step and the entry of each reminder of the Skulls."""
    rulebook = rulebook_in_force(table.state, loader.rulebook)
    found = due_after_battle(table.state, SKULLS, rulebook)
    return [(reminder.step, reminder.entry) for reminder in found]


@pytest.mark.parametrize("book", BOOKS)
@pytest.mark.parametrize(
    ("skill", "expected"),
    [
        ("Fixer", [("rewards", "fixer")]),
        ("Connected", [("actions", "trade")]),
        ("Savvy Trader", [("actions", "trade"), ("{}", "buy")]),
        ("Mentor", [("wrap_up", "mentor")]),
        ("Escape Artist", []),
        ("Iron Jaw", []),
    ],
)
def test_each_skill_of_the_aftermath_is_named_in_its_step(
    book: str, skill: str, expected: list[tuple[str, str]]
) -> None:
    trading_post = loader.book(book).post_battle.at["trading_post"]
    assert due(after(skill, book=book)) == [(step.format(trading_post), entry) for step, entry in expected]


def test_fixer_is_named_until_the_credits_are_rolled_or_the_step_is_past() -> None:
    table = after("Fixer")
    assert due(table.when(records.EarnAsFixer(by=KRUG), *dice(fixer=3))) == []
    assert due(table.when(records.Trade(by=KRUG))) == []


def test_connected_is_named_until_the_second_trade() -> None:
    once = after("Connected").when(records.Trade(by=KRUG))
    assert due(once) == [("actions", "trade")]
    assert due(once.when(records.Trade(by=KRUG))) == []


def test_savvy_trader_who_traded_is_named_at_the_trading_post_until_the_price_is_used() -> None:
    traded = after("Savvy Trader").when(records.Trade(by=KRUG))
    assert due(traded) == [("trading_post", "buy")]
    knife = Item(name="knife", kind="wargear", cost_credits=30)
    bought = records.BuyItem(gang=SKULLS, item=knife, market="common", savvy_trader=KRUG)
    assert due(traded.when(bought)) == []
    plain = replace(bought, savvy_trader=None)
    did_not = after("Savvy Trader").when(plain)
    assert did_not.refusal is None
    assert due(did_not) == []


@pytest.mark.parametrize("state", [{"capture_pending": True}, {"held_by": "saints"}])
def test_escape_artist_is_named_where_captured_and_the_captured_earn_nothing(
    state: dict[str, object],
) -> None:
    table = after("Escape Artist", "Fixer", "Mentor", "Connected")
    table = replace(table, state=on_fighter(table.state, KRUG, **state))
    assert ("wrap_up", "escape") in due(table)
    assert {entry for _, entry in due(table)} == {"escape"}


def test_who_is_in_recovery_is_no_fixer_and_trades_nothing() -> None:
    table = after("Fixer", "Mentor", "Connected", "Savvy Trader")
    assert due(replace(table, state=on_fighter(table.state, KRUG, recovering_since=1))) == []


def test_mentor_is_named_where_they_fought() -> None:
    cards = (card(KRUG, name="Krug", category="leader", skills=("Mentor",)),)
    table = given(*cards, battle=False)
    absent = replace(opening(1), crews={**opening(1).crews, SKULLS: ("vex",)})
    assert due(table.when(absent).when(CLOSING)) == []


def scrap_of(remained: dict[str, tuple[str, ...]], table: Table | None = None) -> list[str]:
    """What the Saints are reminded of, whose enemies' rig is wrecked, with these left on the battlefield."""
    table = table or wreck()
    after = replace(table.state.after_battle[SAINTS], remained=remained)
    state = replace(table.state, after_battle={**table.state.after_battle, SAINTS: after})
    rulebook = rulebook_in_force(state, loader.rulebook)
    return [due.words for due in due_after_battle(state, SAINTS, rulebook) if due.entry == "scrap"]


def test_scrap_is_named_where_by_the_record_one_gang_alone_remained() -> None:
    assert wreck().state.after_battle[SAINTS].remained == {SAINTS: (MAGS, DOT), SKULLS: (KRUG,)}
    assert scrap_of({SAINTS: (MAGS, DOT), SKULLS: (KRUG,)}) == []
    assert scrap_of({SAINTS: (), SKULLS: ()}) == []
    assert scrap_of({}) == []  # kept so by older programs
    (words,) = scrap_of({SAINTS: (MAGS,), SKULLS: ()})
    assert words.startswith("By the record ")
    assert words.endswith(" alone remained: scrap of Rig.")


def test_scrap_is_named_until_it_is_rolled_or_the_step_is_past() -> None:
    alone = {SAINTS: (MAGS,), SKULLS: ()}
    taken = wreck().when(records.ClaimScrap(gang=SAINTS), *dice(scrap=3))
    assert scrap_of(alone, taken) == []
    assert scrap_of(alone, wreck().when(records.EndActions(gang=SAINTS))) == []


def test_what_skills_give_is_said_when_the_battle_closes() -> None:
    table = after("Fixer")
    rulebook = rulebook_in_force(table.state, loader.rulebook)
    said = [*of_skills((CLOSING,), table.state, rulebook)]
    assert said == ["Krug is a Fixer: credits for the gang. After the battle: `fixer`."]
    assert [*of_skills((records.EndRound(),), table.state, rulebook)] == []
