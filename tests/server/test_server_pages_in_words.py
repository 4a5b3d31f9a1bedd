"""Pages say what they are about in a gamer's words: no number of a roll, a question or a rulebook's version."""

import re

from cli_arbitrator import ROOT, Arbitrator
from served import Club
from test_server_plain_words import CAMPAIGN, read_aloud

from tracker.campaign import records
from tracker.rules import loader
from tracker.server.pages import log_pages
from tracker.server.pages.words import ranks_of

QUESTION = re.compile(r"\b[A-Z]-[0-9]{2}\b|docs/")


def page(club: Club, path: str) -> str:
    headers = {"Accept": "text/html", "Authorization": f"Bearer {club.tokens['Mara']}"}
    answer = club.client.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return read_aloud(answer.text)


def test_the_log_is_filtered_by_what_players_look_for() -> None:
    groups = log_pages.of_groups()
    named = [name for names in groups.values() for name in names]
    assert len(named) == len({*named}) == len(records.EVENTS) - 1, "but for the header that every entry has"
    assert all(groups.values())
    assert len(groups) <= 15


def test_a_group_shows_all_of_its_events_and_no_other(club: Club) -> None:
    shown = page(club, f"{CAMPAIGN}/log?all=1&kind=Out+of+Action%2C+dead+or+gone").partition("Show")[2]
    assert "is taken Out of Action by" in shown
    assert "wound roll" not in shown
    rolls = page(club, f"{CAMPAIGN}/log?all=1&kind=Dice").partition("Show")[2]
    assert "wound roll" in rolls
    assert "is taken Out of Action by" not in rolls


def test_the_log_begins_its_lines_as_sentences(club: Club) -> None:
    shown = page(club, f"{CAMPAIGN}/log").partition("Show ")[2]
    assert "Battle 2 opens: " in shown
    assert " -> " not in shown


def test_house_rules_name_no_question_by_its_number(club: Club) -> None:
    rules = page(club, f"{CAMPAIGN}/house-rules")
    assert "The printed rules leave this open" in rules
    assert QUESTION.findall(rules) == []
    for policy in ("bullet-holes-are-shots@1", "a-brute-is-worth-1-xp-more@1"):
        assert QUESTION.findall(page(club, f"{CAMPAIGN}/house-rules/{policy}")) == []
    assert QUESTION.findall(page(club, f"{CAMPAIGN}/house-rules/own")) == []


def test_an_entry_names_its_book_and_the_house_rules_in_force(club: Club, table: Arbitrator) -> None:
    book = loader.book("necromunda_2023").title
    assert f"under {book}" in page(club, f"{CAMPAIGN}/log/2")
    table.done("policy", "adopt", "captives-in-rating@1", "--from-battle", "3", "--reason", "we voted")
    table.done("battle", "record", "-", stdin=THIRD)
    opened = table.read("log", "show", "--all", "--type", "BattleOpened")["events"][-1]["entry"]
    title = loader.policies()["captives-in-rating@1"].title
    assert f"under {book}, with {title}" in page(club, f"{CAMPAIGN}/log/{opened}")


THIRD = """format: battle-report/1
battle: third
scenario: Third
date: 2026-03-28
gangs: [iron-skulls, gilded-cage]
entries: []
result: {draw: true}
"""


def test_a_dispute_is_named_by_the_roll_that_it_is_about(club: Club, table: Arbitrator) -> None:
    roll = next(
        event for event in table.read("log", "show", "--all", "--type", "RollMade")["events"]
        if event["data"]["purpose"] == "wound"
    )  # fmt: skip
    table.done("dispute", "open", roll["address"], "--reason", "it was cocked", "--by", "Robin")
    table.done("dispute", "open", str(roll["entry"]), "--reason", "it never happened", "--by", "Robin")
    listed = page(club, f"{CAMPAIGN}/disputes")
    assert "wound roll" in listed
    assert roll["address"] not in listed
    number = table.read("dispute", "list")["disputes"][0]["dispute"]
    assert "disputes this roll" in page(club, f"{CAMPAIGN}/disputes/{number}")
    assert "Dispute this roll" in page(club, f"{CAMPAIGN}/disputes/new?event={roll['address']}")
    assert "Dispute this entry" in page(club, f"{CAMPAIGN}/disputes/new?event={roll['entry']}")


def test_a_rank_of_another_game_is_not_offered(club: Club) -> None:
    promote = page(club, f"{CAMPAIGN}/do/fighter-promote")
    assert "Champion" in promote
    assert "Troop" not in promote
    assert [*ranks_of(loader.book("trench_crusade"))] == ["elite", "troop"]


def test_an_advance_that_costs_more_says_how_much_is_missing(club: Club) -> None:
    shown = page(club, f"{CAMPAIGN}/fighters/pip")
    assert re.search(r"\d+ XP more", shown)
    assert "needs" not in shown.partition("Advances")[2].partition("Life")[0]


def test_the_editor_of_a_gang_that_is_here_says_what_its_book_does_not_print(
    club: Club, table: Arbitrator
) -> None:
    sheet = (ROOT / "fixtures" / "gangs" / "rust-saints.yaml").read_text(encoding="utf-8")
    strong = re.sub(r"\bT: ?[0-9]+", "T: 9", sheet, count=1)
    assert strong != sheet
    table.done("gang", "add", "-", stdin=strong.replace("Rust Saints", "Strong Saints"))
    shown = page(club, f"{CAMPAIGN}/gangs/strong-saints/edit")
    assert "To know:" in shown
    assert "T 9 is kept as the card has it" in shown
    assert "To know:" not in page(club, f"{CAMPAIGN}/gangs/iron-skulls/edit")


def test_nothing_is_bought_for_somebody_who_is_gone(club: Club, table: Arbitrator) -> None:
    table.done("campaign", "armoury", str(ROOT / "fixtures" / "armoury" / "sump-market.yaml"))
    assert "Buy something" in page(club, f"{CAMPAIGN}/fighters/pip")
    table.done("fighter", "retire", "pip", "--reason", "moved away")
    assert "Buy something" not in page(club, f"{CAMPAIGN}/fighters/pip")
