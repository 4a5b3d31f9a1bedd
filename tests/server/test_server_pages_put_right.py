"""Entries put right field by field, what was forgotten, own house rules, and what may be done now."""

import re

import pytest
from cli_arbitrator import Arbitrator
from forms_seen import Visitor
from served import Club

PLACE = "/campaigns/ash-wastes"
SHOW, RIGHT, WRITTEN = "Show what it changes", "Put it right", "Show it written out"


@pytest.fixture
def mara(club: Club) -> Visitor:
    """The Arbitrator."""
    return Visitor(club.client, club.tokens["Mara"])


def test_an_entry_is_put_right_field_by_field_with_a_preview_first(mara: Visitor, club: Club) -> None:
    before = club.ask("Mara", "GET", "").headers["ETag"]
    mara.go(f"{PLACE}/log/7/correct")
    form = mara.form(SHOW)
    assert form.fields["key.amount"] == "2", "what was recorded stands there"
    shown = mara.press(SHOW, fields={"key.amount": "1"})
    assert "What it changes" in shown
    assert club.ask("Mara", "GET", "").headers["ETag"] == before, "nothing is recorded by looking"
    mara.press(RIGHT, fields={"key.amount": "1"}, reason="a slip of the pen")
    assert re.fullmatch(rf"{PLACE}/log/\d+", mara.at)
    assert "a slip of the pen" in mara.html


def test_an_entry_that_says_that_already_has_nothing_to_put_right(mara: Visitor) -> None:
    mara.go(f"{PLACE}/log/7/correct")
    assert "This ruling is not possible." in mara.press(SHOW)


def test_what_opens_a_battle_is_put_right_with_the_whole_battle(mara: Visitor) -> None:
    assert "put right with the whole battle" in mara.go(f"{PLACE}/log/5/correct")


def test_only_arbitrators_put_right(club: Club) -> None:
    dana = Visitor(club.client, club.tokens["Dana"])
    for path in ("/log/7/correct", "/log/7/forgotten", "/battles/1/correct", "/gangs/iron-skulls/edit"):
        dana.go(PLACE + path, status=403)
    dana.go(f"{PLACE}/house-rules/own", status=403)


def test_what_was_forgotten_is_added_in_its_place(mara: Visitor) -> None:
    mara.go(f"{PLACE}/log/7/forgotten")
    text = (
        "format: battle-continued/1\nbattle: b1\nentries:\n"
        "  - experience: {fighter: krug, amount: 1, reason: forgotten}\n"
    )
    assert "What it changes" in mara.press(SHOW, text=text)
    mara.press(RIGHT, text=text, reason="nobody wrote it down")
    assert "nobody wrote it down" in mara.html


def test_a_house_rule_of_ones_own_is_written_down_shown_and_adopted(mara: Visitor) -> None:
    mara.go(f"{PLACE}/house-rules/own")
    said = {"title": "Soft landings", "about": 'One roll is "enough".', "reason": "club vote"}
    shown = mara.press(WRITTEN, fields={"set.lasting_injuries.rolls": "once"}, **said)
    assert "&#34;lasting_injuries.rolls&#34; = &#34;once&#34;" in shown
    mara.press("Adopt it")
    assert mara.at == f"{PLACE}/house-rules"
    assert "Soft landings" in mara.html


def test_a_house_rule_that_changes_nothing_is_refused_before_it_is_adopted(mara: Visitor) -> None:
    mara.go(f"{PLACE}/house-rules/own")
    shown = mara.press(WRITTEN, title="Nothing at all", about="It changes nothing.")
    assert "Not possible so." in shown
    assert "Adopt it" not in shown


def test_a_gangs_page_offers_what_the_rules_allow_and_says_why_not_the_rest(club: Club) -> None:
    dana = Visitor(club.client, club.tokens["Dana"])
    page = dana.go(f"{PLACE}/gangs/iron-skulls")
    offered = page[page.index('class="open-now') : page.index("</nav>", page.index('class="open-now'))]
    link, closed = offered.split("<details>")
    assert "XP for taking part" in link
    assert "may not be taken off Krug the Anvil unless something takes its place" in closed
    assert "The stash is empty." in closed
    assert "Hire a fighter" in closed
    assert "The campaign has no list of weapons and fighters yet." in closed
    assert "Move credits" not in offered, "that is the Arbitrator's to do"
    assert "Name a new Leader" in closed, "Krug leads it"
    assert not re.search(r"arbitrator [a-z]|--[a-z]", offered)


def test_a_gang_of_somebody_else_offers_nothing(club: Club) -> None:
    dana = Visitor(club.client, club.tokens["Dana"])
    assert 'class="open-now' not in dana.go(f"{PLACE}/gangs/gilded-cage")


def test_a_fighters_page_has_the_books_advances_with_their_price(mara: Visitor, table: Arbitrator) -> None:
    page = mara.go(f"{PLACE}/fighters/krug")
    rows = re.findall(r"<tr[^>]*><td>(.*?)</td><td class=\"number\">(\d+)</td><td>(.*?)</td>", page)
    prices = {re.sub("<[^>]*>", "", name): (int(price), now) for name, price, now in rows}
    assert prices["Willpower"] == (3, "May be taken")
    experience = table.roster()["krug"]["experience"]
    assert experience < 12, "the dearest are out of reach"
    assert prices["Wounds"][0] == 12
    assert prices["Wounds"][1] == f"{12 - experience} XP more"


def test_a_battles_report_stands_there_as_it_is_recorded_and_its_head_has_fields(
    mara: Visitor, club: Club
) -> None:
    mara.go(f"{PLACE}/battles/1/correct")
    form = mara.form(SHOW)
    assert form.fields["head.scenario"] in form.fields["text"]
    assert "nothing to correct" in mara.press(SHOW)
    shown = mara.press(SHOW, fields={"head.scenario": "Gang Fight"})
    assert "This ruling is not possible" not in shown
    mara.press(RIGHT, fields={"head.scenario": "Gang Fight"}, reason="another scenario")
    assert club.ask("Mara", "GET", "/battles/1").json()["battle"]["scenario"] == "Gang Fight"


def test_who_fought_is_put_right_by_ticks(mara: Visitor, club: Club) -> None:
    def crews() -> dict[str, set[str]]:
        battle = club.ask("Mara", "GET", "/battles/1").json()["battle"]
        return {crew["gang"]: {*crew["fighters"]} for crew in battle["crews"]}

    fought = crews()
    mara.go(f"{PLACE}/battles/1/correct")
    form = mara.form(SHOW)
    ticked = {name for name in form.fields if name.startswith("crew.")}
    assert ticked == {f"crew.{gang}.{fighter}" for gang, crew in fought.items() for fighter in crew}
    idle = next(
        fighter
        for fighter in sorted(fought["iron-skulls"])
        if len(re.findall(rf"\b{fighter}\b", form.fields["text"])) == 1
    )
    del form.fields[f"crew.iron-skulls.{idle}"]
    assert "This ruling is not possible" not in mara.send(form, SHOW, {})
    form = mara.form(RIGHT)
    assert f"crew.iron-skulls.{idle}" not in form.fields, "the ticks stay as they were set"
    mara.send(form, RIGHT, {"reason": "they were at home"})
    assert crews() == {**fought, "iron-skulls": fought["iron-skulls"] - {idle}}


def test_a_gang_without_a_tick_did_not_fight(mara: Visitor) -> None:
    mara.go(f"{PLACE}/battles/1/correct")
    form = mara.form(SHOW)
    for name in [name for name in form.fields if name.startswith("crew.gilded-cage.")]:
        del form.fields[name]
    assert "A battle needs two gangs or more" in mara.send(form, SHOW, {})


def test_each_thing_of_a_battle_leads_to_its_own_fields(mara: Visitor) -> None:
    shown = mara.go(f"{PLACE}/battles/1/correct")
    links = re.findall(rf'href="{PLACE}/log/(\d+)/correct"', shown)
    assert "7" in links
    for entry in links:
        assert "key." in mara.go(f"{PLACE}/log/{entry}/correct")


def test_a_dispute_is_ruled_on_by_what_the_entry_should_have_said(mara: Visitor, club: Club) -> None:
    opened = club.ask("Dana", "POST", "/disputes", json={"event": "7", "reason": "it was one"})
    assert opened.status_code < 300, opened.text
    number = re.search(r"(\d+)$", str(club.ask("Dana", "GET", "/disputes").json()["disputes"][-1]["dispute"]))
    assert number is not None
    mara.go(f"{PLACE}/disputes/{number[1]}/correct")
    assert "What it changes" in mara.press(SHOW, fields={"key.amount": "1"})
    mara.press(RIGHT, fields={"key.amount": "1"}, reason="one it was")
    assert mara.at == f"{PLACE}/disputes/{number[1]}"
    assert "one it was" in mara.html
    assert 'class="card then"' in mara.html, "before and after"
