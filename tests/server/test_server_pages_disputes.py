"""Disputes in a browser without JavaScript: from the roll to the ruling, and back."""

import re
import sqlite3
from contextlib import closing
from html import unescape

import pytest
from cli_arbitrator import Arbitrator
from forms_seen import Visitor, forms
from served import Club

WOUND_ROLL, LASTING_INJURY = "10.2", "6.4"
BATTLE = "/campaigns/ash-wastes/battles/b2"


@pytest.fixture
def mara(club: Club) -> Visitor:
    """The Arbitrator."""
    return Visitor(club.client, club.tokens["Mara"])


@pytest.fixture
def dana(club: Club) -> Visitor:
    """The player of the Iron Skulls."""
    return Visitor(club.client, club.tokens["Dana"])


@pytest.fixture
def sol(club: Club) -> Visitor:
    """A spectator."""
    return Visitor(club.client, club.tokens["Sol"])


def opened(who: Visitor, address: str = WOUND_ROLL) -> str:
    """A dispute of theirs: its page."""
    who.go(f"/campaigns/ash-wastes/disputes/new?event={address}")
    who.press("Dispute it", reason="cocked die")
    return who.at


def words(html: str) -> str:
    """What a page says."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


# --- the battle ---------------------------------------------------------------------------------------------


def test_a_battle_page_shows_each_roll_with_its_dice_target_and_section(sol: Visitor) -> None:
    said = words(sol.go(BATTLE))
    assert "Quill is taken Out of Action by Hob Nine-Fingers; suffers Hobbled (4-6)" in said
    assert "wound roll 5, Strength 3 against Toughness 3 (needs 4+): wounds" in said
    assert "Resolve Hits · 1. Make Wound Roll" in said
    assert 'role="img" aria-label="D6 5"' in sol.html
    assert 'role="img" aria-label="D66 4-6"' in sol.html
    assert sol.html.count('<use href="#face-5"/>') == 1


def test_the_buttons_at_a_roll_are_for_who_may_press_them(mara: Visitor, dana: Visitor, sol: Visitor) -> None:
    for who, disputes, witnesses in ((mara, True, True), (dana, True, True), (sol, False, False)):
        html = who.go(BATTLE)
        assert (f"disputes/new?event={WOUND_ROLL}" in html) == disputes
        assert (f"log/{WOUND_ROLL}/confirm" in html) == witnesses


def test_a_witness_says_so_once_and_is_named(dana: Visitor, club: Club) -> None:
    dana.go(BATTLE)
    button = next(name for form in forms(dana.html) for name in form.buttons if "wound roll 5" in name)
    html = dana.press(button)
    assert "Seen by <bdi>Dana</bdi>" in html
    assert f"log/{WOUND_ROLL}/confirm" not in html
    shown = club.ask("Mara", "GET", "/log").json()["entries"][-1]
    assert shown["events"][-1]["data"]["witness"] == club.people["Dana"].person


# --- the thread ---------------------------------------------------------------------------------------------


def test_a_player_disputes_a_roll_and_those_concerned_say_what_they_saw(
    mara: Visitor, dana: Visitor, sol: Visitor
) -> None:
    page = opened(dana)
    assert page == "/campaigns/ash-wastes/disputes/13"
    dana.press("Say it", says="It leaned on the ruin <b>there</b>.")
    mara.go(page)
    assert "It leaned on the ruin &lt;b&gt;there&lt;/b&gt;." in mara.html
    mara.press("Say it", says="Noted.")
    said = words(sol.go(page))
    assert said.index("It leaned on the ruin") < said.index("Noted.")
    assert "Say it" not in sol.html
    assert "In dispute" in sol.go(BATTLE)


def test_what_is_refused_keeps_what_was_typed_and_says_why(dana: Visitor) -> None:
    opened(dana)
    dana.go(f"/campaigns/ash-wastes/disputes/new?event={WOUND_ROLL}")
    html = dana.press("Dispute it", reason="it was cocked, too", rule="Dice", status=409)
    assert "is disputed already" in html
    assert "it was cocked, too</textarea>" in html
    assert 'name="rule" maxlength="500" value="Dice"' in html


# --- preview and ruling -------------------------------------------------------------------------------------


def test_a_preview_shows_both_sides_and_writes_nothing_and_the_ruling_does_it(
    mara: Visitor, dana: Visitor, table: Arbitrator
) -> None:
    page = opened(dana)
    before = table.head
    mara.go(page)
    html = mara.press("Show what it changes", verdict="corrected", **{"face/0": "2"})
    assert table.head == before
    assert "Corrected: wound 5 → 2" in html
    assert re.search(r"<del>Hobbled, battle 2</del>", html)
    whole = html.partition("Both rosters whole")[2].partition("</details>")[0]
    said = words(whole)
    assert said.count("Ivo") == 2, "who stays as they are stand on both sides"
    assert said.count("Quill") == 2
    assert "<del>Hobbled, battle 2</del>" in whole
    assert whole.count("<del>Hobbled") == 1
    assert re.search(r"<dt>Movement</dt><dd><ins>5(&#34;|&quot;)</ins>", html)
    mara.press("Rule so", reason="Two of us saw a 2.")
    assert mara.at == page
    said = words(mara.html)
    assert "The ruling The die showed something else. Two of us saw a 2." in said
    assert table.roster()["quill"]["injuries"] == []
    assert "Struck out by" in mara.go(BATTLE)


def test_the_rosters_of_a_preview_are_those_of_the_gangs_of_which_something_changes(mara: Visitor) -> None:
    """Wren's gang is not the first of the campaign, and nothing of the first changes."""
    opened(mara, LASTING_INJURY)
    html = mara.press("Show what it changes", verdict="corrected", **{"face/0": "4", "face/1": "1"})
    whole = words(html.partition("Both rosters whole")[2].partition("</details>")[0])
    assert "Wren" in whole


def test_a_player_looks_at_what_a_ruling_would_change_and_does_not_rule(dana: Visitor) -> None:
    opened(dana)
    html = dana.press("Show what it changes", verdict="corrected", **{"face/0": "2"})
    assert "What it changes" in html
    assert "Rule so" not in html


def test_what_is_missing_is_asked_for_die_by_die_and_then_the_ruling_is_made(
    mara: Visitor, table: Arbitrator
) -> None:
    """With 4-1 Wren has an Old Battle Wound: a D6 is owed in the Wrap-up of the battle after it."""
    page = opened(mara, LASTING_INJURY)
    html = mara.press("Show what it changes", verdict="corrected", **{"face/0": "4", "face/1": "1"})
    assert "Not everything is settled yet" in html
    die = "dice.12.old_battle_wound.0.wren/0"
    assert mara.form("Rule so").choices[die] == list("123456")
    mara.press("Rule so", reason="a 4-1", status=409)
    assert "The ruling is not complete" in mara.html
    assert "a 4-1</textarea>" in mara.html
    html = mara.press("Show what that changes", **{die: "3"})
    assert "Not everything is settled yet" not in html
    mara.press("Rule so", reason="a 4-1")
    assert mara.at == page
    assert [injury["injury"] for injury in table.roster()["wren"]["injuries"]] == ["old_battle_wound"]


@pytest.mark.parametrize("way", ["keep", "void"])
def test_an_entry_that_no_longer_follows_is_kept_or_struck(
    mara: Visitor, way: str, table: Arbitrator
) -> None:
    """With 4-4 Wren misses the next battle, in which she stood."""
    opened(mara, LASTING_INJURY)
    mara.press("Show what it changes", verdict="corrected", **{"face/0": "4", "face/1": "4"})
    assert "No longer follows" in mara.html
    html = mara.press("Show what that changes", **{"settle.9": way, "strategy": f"{way}-later"})
    assert "Not everything is settled yet" not in html
    mara.press("Rule so", reason="a 4-4")
    shown = words(mara.go("/campaigns/ash-wastes/log"))
    assert ("kept as played" if way == "keep" else "voided") in shown


def test_a_preview_that_the_log_has_overtaken_is_said_and_keeps_what_was_typed(
    mara: Visitor, table: Arbitrator
) -> None:
    opened(mara)
    mara.press("Show what it changes", verdict="corrected", **{"face/0": "2"})
    table.done("fighter", "rename", "pip", "--name", "Old Pip")
    html = mara.press("Rule so", reason="Two of us saw a 2.", status=412)
    assert "The log moved on since that preview" in words(html)
    assert "rename fighter" in words(html)
    assert "Two of us saw a 2.</textarea>" in html
    assert mara.form("Rule so").fields["face/0"] == "2"
    mara.press("Rule so")
    assert "The ruling" in mara.html


def test_a_ruling_sent_twice_is_recorded_once(mara: Visitor, table: Arbitrator) -> None:
    page = opened(mara)
    mara.press("Show what it changes", verdict="corrected", **{"face/0": "2"})
    form = mara.form("Rule so")
    mara.send(form, "Rule so", {"reason": "a 2"})
    events = table.head["events"]
    mara.send(form, "Rule so", {"reason": "a 2"})
    assert (mara.at, table.head["events"]) == (page, events)


def test_nobody_rules_without_having_looked(mara: Visitor) -> None:
    page = opened(mara)
    mara.press("Show what it changes", verdict="corrected", **{"face/0": "2"})
    form = mara.form("Rule so")
    del form.fields["head"]
    html = mara.send(form, "Rule so", {"reason": "a 2"}, status=422)
    assert "Look first, then rule" in html
    assert "open" in mara.go(page)


def test_a_ruling_is_taken_back_and_the_dispute_is_open_again(mara: Visitor, table: Arbitrator) -> None:
    before = table.roster()
    page = opened(mara)
    mara.press("Show what it changes", verdict="corrected", **{"face/0": "2"})
    mara.press("Rule so", reason="a 2")
    found = re.search(r'href="(/campaigns/ash-wastes/rollback\?ruling=[0-9]+)"', mara.html)
    assert found is not None
    html = mara.go(found[1])
    assert "<ins>Hobbled, battle 2</ins>" in html
    mara.press("Roll back so", reason="it was a 5 after all")
    assert table.roster() == before
    assert "took that ruling back, so the dispute is open again" in words(mara.go(page))


def test_a_battle_is_rolled_back_as_previewed(mara: Visitor, table: Arbitrator) -> None:
    html = mara.go("/campaigns/ash-wastes/rollback?battle=b2")
    assert "What it changes Rolled back : battle 2 As it stands" in words(html), "and no id of it"
    assert "Battle 2 fought" in words(html)
    mara.press("Roll back so", reason="wrong season")
    assert [row["battle"] for row in table.read("battle", "list")["battles"]] == ["b1"]
    assert "This battle is struck out" in mara.go(BATTLE)


def test_everything_after_an_entry_is_rolled_back_as_previewed(mara: Visitor, table: Arbitrator) -> None:
    first, second = (row["entry"] for row in table.read("battle", "list")["battles"])
    assert first < second
    html = mara.go(f"/campaigns/ash-wastes/rollback?to_entry={second - 1}")
    assert mara.form("Roll back so").fields["to_entry"] == str(second - 1)
    assert "b2" in words(html)
    mara.press("Roll back so", reason="begin the second evening again")
    assert [row["battle"] for row in table.read("battle", "list")["battles"]] == ["b1"]


def test_a_ruling_that_leaves_something_open_is_refused_in_the_words_of_its_page(mara: Visitor) -> None:
    opened(mara, LASTING_INJURY)
    faces = {"face/0": "4", "face/1": "1"}
    mara.press("Show what it changes", verdict="corrected", **faces)
    said = words(mara.press("Rule so", reason="a 4-1", status=409))
    assert "Choose below what becomes of each." in said
    assert "--keep" not in said


def test_whoever_opened_a_dispute_lets_it_go_and_others_do_not(mara: Visitor, dana: Visitor) -> None:
    page = opened(mara)
    mara.go(page)
    assert "Withdraw the dispute" not in dana.go(page)
    form = mara.form("Withdraw the dispute")
    dana.send(form, "Withdraw the dispute", {"reason": "I say so"}, status=409)
    mara.go(page)
    html = mara.press("Withdraw the dispute", reason="it lay flat")
    assert "it lay flat" in html


def test_a_player_lets_their_own_dispute_go_and_an_arbitrator_lets_go_any(
    mara: Visitor, dana: Visitor
) -> None:
    page = opened(dana)
    assert "Withdraw the dispute" in mara.go(page)
    dana.go(page)
    assert "it lay flat" in dana.press("Withdraw the dispute", reason="it lay flat")


# --- log ----------------------------------------------------------------------------------------------------


def test_the_log_is_filtered_and_what_was_struck_out_says_by_which_ruling(mara: Visitor) -> None:
    opened(mara)
    mara.press("Show what it changes", verdict="corrected", **{"face/0": "2"})
    mara.press("Rule so", reason="Two of us saw a 2.")
    said = words(mara.go("/campaigns/ash-wastes/log?struck=1"))
    assert "Struck out by entry 14 , decided again Two of us saw a 2." in said
    assert (
        "Krug"
        not in words(mara.go("/campaigns/ash-wastes/log?kind=RollMade&fighter=quill")).split("Show")[-1]
    )
    html = mara.go("/campaigns/ash-wastes/log/10")
    assert "Struck out by entry 14 : Two of us saw a 2." in words(html)
    assert 'id="e10.2"' in html
    assert "D6 5, struck out" in html
    assert 'because of <a href="#e10.1">' in html
    lost = mara.go("/campaigns/ash-wastes/log/99", status=404)
    assert "There is no event" in lost
    assert '<a href="/campaigns/ash-wastes">Back to the campaign</a>' in lost


def test_every_event_of_a_kind_is_listed_the_newest_first(mara: Visitor, club: Club) -> None:
    html = mara.go("/campaigns/ash-wastes/log?kind=Dice&all=1").partition('<ol class="lines">')[2]
    shown = [tuple(map(int, found)) for found in re.findall(r">([0-9]+)\.([0-9]+)</a>", html)]
    assert shown == sorted(shown, reverse=True)
    rolls = club.ask("Mara", "GET", "/log?all=true&type=RollMade").json()["events"]
    assert len(rolls) > 3
    assert {tuple(map(int, roll["address"].split("."))) for roll in rolls} <= {*shown}


def test_the_log_says_whether_it_is_proved(mara: Visitor, club: Club) -> None:
    said = words(mara.go("/campaigns/ash-wastes/log/proof"))
    assert "Everything holds" in said
    assert "Not signed yet" in said
    nobody = Visitor(club.client, club.tokens["Nobody"])
    nobody.go("/campaigns/ash-wastes/log/proof", status=404)


def test_the_log_is_verified_where_something_was_recorded_since_or_somebody_asks_for_it(
    mara: Visitor, table: Arbitrator
) -> None:
    proof = "/campaigns/ash-wastes/log/proof"
    assert "Everything holds" in mara.go(proof)
    with closing(sqlite3.connect(table.file)) as database:
        database.execute("UPDATE board_gangs SET position = position + 9")
        database.commit()
    assert "nothing was recorded since" in mara.go(proof)
    assert "Everything holds" in mara.html
    assert "Something does not hold" in mara.press("Verify it again now")
    table.done("boards", "rebuild")
    table.done("fighter", "rename", "pip", "--name", "Old Pip")
    assert "Everything holds" in mara.go(proof)


# --- house rules --------------------------------------------------------------------------------------------

BRUTES = "/campaigns/ash-wastes/house-rules/one-lasting-injury-roll@1"


def test_house_rules_are_searched_by_every_word(sol: Visitor) -> None:
    html = sol.go("/campaigns/ash-wastes/house-rules?search=lasting+one")
    assert "one-lasting-injury-roll%401" in html
    assert "any-move-may-engage" not in html


def test_a_house_rule_is_adopted_from_the_next_battle_and_repealed(
    mara: Visitor, dana: Visitor, table: Arbitrator
) -> None:
    assert "Adopt it" not in dana.go(BRUTES)
    mara.go(BRUTES)
    mara.press("Adopt", reason="club vote")
    assert [held["policy"] for held in table.read("policy", "history")["held"]] == ["one-lasting-injury-roll"]
    assert "In force from battle 3" in words(mara.html)
    assert "from battle 3 on" in words(mara.go("/campaigns/ash-wastes"))
    mara.go(BRUTES)
    mara.press("Repeal", reason="club vote again")
    assert "one-lasting-injury-roll@1 no longer holds from battle 3 on: club vote again" in words(mara.html)
    assert "None: the book as it is" in words(mara.go("/campaigns/ash-wastes"))


def test_who_adopts_a_house_rule_without_a_reason_is_told_where_it_goes(mara: Visitor) -> None:
    mara.go("/campaigns/ash-wastes/house-rules")
    assert "Tap a rule to read it" in words(mara.html)
    mara.go(BRUTES)
    assert mara.form("Adopt").fields["from_battle"] == "3", "the next battle, unless somebody says another"
    mara.press("Adopt", status=422)
    assert "A reason is missing. Say it under Why" in words(mara.html)
    assert "found ''" not in words(mara.html)


def test_a_house_rule_from_a_past_battle_is_looked_at_and_then_ruled(
    mara: Visitor, table: Arbitrator
) -> None:
    mara.go(BRUTES)
    mara.press("Adopt", reason="club vote", from_battle="1", status=422)
    assert "Look first, then rule" in mara.html
    mara.go(BRUTES)
    html = mara.press("Show what it changes", from_battle="1", reason="club vote")
    assert "House rules from battle 1 on" in html
    mara.press("Adopt")
    assert table.read("policy", "history")["held"][0]["from_battle"] == 1


def test_what_if_shows_both_seasons_side_by_side(sol: Visitor) -> None:
    html = sol.go(f"{BRUTES}?what_if=1&from_battle=1")
    assert "As it would have gone" in html
    assert "Nothing is written" in html


# --- what stands behind a number ------------------------------------------------------------------------------


def test_an_event_leads_to_the_chain_behind_the_number_that_it_moved(sol: Visitor) -> None:
    sol.go("/campaigns/ash-wastes/log/10")
    links = re.findall(r'href="(/campaigns/ash-wastes/fighters/[^"]+/why/[^"]+)"', sol.html)
    assert links == [
        "/campaigns/ash-wastes/fighters/hob/why/xp",
        "/campaigns/ash-wastes/fighters/quill/why/injuries",
        "/campaigns/ash-wastes/fighters/quill/why/status",
        "/campaigns/ash-wastes/fighters/quill/why/movement",
    ]
    for link in links:
        sol.go(link)


def test_what_depends_on_a_dispute_says_so_on_the_battles_page(dana: Visitor) -> None:
    opened(dana)
    assert dana.go(BATTLE).count("Depends on a dispute") > 1


def test_a_witness_is_sent_back_to_a_page_of_the_campaign_and_nowhere_else(dana: Visitor) -> None:
    dana.go(BATTLE)
    button = next(name for form in forms(dana.html) for name in form.buttons if "wound roll 5" in name)
    dana.press(button, back="https://elsewhere.example/")
    assert dana.at == "/campaigns/ash-wastes/log/10"
