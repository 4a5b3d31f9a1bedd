"""A dispute with three people in three browsers: from a roll to its ruling and back, with scripts and without."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from browsing import DESK, PHONE, House, Watch, violations
from cli_arbitrator import Arbitrator
from cli_reports import report
from playwright.sync_api import Browser, Page, Route, expect

CAMPAIGN = "/campaigns/ash-wastes"
HOSTILE = "<script>alert(1)</script>\"'&{{7*7}}" + "\N{PILE OF POO}" * 20


class Evening:
    """Two battles of which nobody disputed anything, and a browser that people sit at."""

    def __init__(self, house: House, browser: Browser) -> None:
        self.house, self.table = house, house.table
        self._browser = browser
        self.complaints: list[str] = []
        self._watches: list[Watch] = []
        club = house.club
        club.tracker.people.join(
            club.campaign, club.people["Sol"].person, role="player", gangs=("gilded-cage",)
        )

    def sits(self, name: str, **how: Any) -> Page:
        """A page of somebody who is signed in, on a phone unless the test says otherwise."""
        context = self.house.signed_in(self._browser, name, **{"viewport": PHONE, **how})
        page = context.new_page()
        self._watches.append(Watch(page, self.house.address))
        return page

    def arrives(self) -> Page:
        """A phone in which nobody has signed in."""
        context = self._browser.new_context(base_url=self.house.address, viewport=PHONE)  # type: ignore[arg-type]
        page = context.new_page()
        self._watches.append(Watch(page, self.house.address))
        return page

    def asked_elsewhere(self) -> list[str]:
        """Requests that left the host."""
        return [asked for watch in self._watches for asked in watch.elsewhere]

    def complained(self) -> list[str]:
        """What browsers complained of, but for answers that refuse."""
        said = [complaint for watch in self._watches for complaint in watch.complaints]
        return [complaint for complaint in said if "the server responded with a status of 4" not in complaint]


@pytest.fixture
def club(browser: Browser, table: Arbitrator) -> Iterator[Evening]:
    """An evening; when it ends no browser has complained, or asked for anything elsewhere."""
    house = House(table)
    evening = Evening(house, browser)
    yield evening
    for context in browser.contexts:
        context.close()
    house.stop()
    assert evening.asked_elsewhere() == []
    assert evening.complained() == []


def say(page: Page, text: str) -> None:
    """A statement in the thread of the page."""
    page.get_by_label("Your statement").fill(text)
    page.get_by_role("button", name="Say it").click()
    expect(page.locator(".thread li").last).to_contain_text(text)


def choose(page: Page, verdict: str, *faces: int) -> None:
    """A verdict, and the faces of the disputed die, tapped."""
    page.get_by_label(verdict).check()
    for group, face in enumerate(faces):
        page.locator(f'input[name="face/{group}"][value="{face}"]').check()


def test_a_roll_is_disputed_talked_about_previewed_ruled_on_and_taken_back_by_three_people(
    club: Evening,
) -> None:
    mara, dana, sol = club.sits("Mara", viewport=DESK), club.sits("Dana"), club.sits("Sol")
    dana.goto(f"{CAMPAIGN}/battles/b2")
    dana.locator("#entry-10 > summary").click()
    dana.get_by_role("link", name="Dispute 10.2").click()
    dana.get_by_label("What was wrong with it").fill("It was cocked.")
    dana.get_by_role("button", name="Dispute it").click()
    dispute = dana.url
    say(dana, "It leaned on the ruin.")
    sol.goto(dispute)
    say(sol, "I saw it lie flat.")
    expect(sol.get_by_role("button", name="Rule so")).to_have_count(0)

    mara.goto(dispute)
    expect(mara.locator(".thread li")).to_have_count(2)
    late: list[Route] = []
    mara.route("**/disputes/*verdict=*", lambda look: look.continue_() if late else late.append(look))
    choose(mara, "The die showed something else", 5)
    choose(mara, "The die showed something else", 2)  # before the first look at it was answered
    now, then = mara.locator("#preview .card.now"), mara.locator("#preview .card.then")
    expect(now.filter(has_text="Quill").locator("del", has_text="Hobbled")).to_be_visible()
    expect(then.filter(has_text="Quill").locator("ins", has_text='5"')).to_be_visible()
    mara.get_by_label("Why; it is kept in the log").fill("Two of three saw a 2.")
    mara.get_by_role("button", name="Rule so").click()
    expect(mara.get_by_role("heading", name="The ruling")).to_be_visible()
    assert club.table.roster()["quill"]["injuries"] == []

    sol.reload()
    expect(sol.get_by_text("Two of three saw a 2.")).to_be_visible()
    sol.goto(f"{CAMPAIGN}/battles/b2")
    sol.locator("#entry-10 > summary").click()
    expect(sol.locator(".dice.struck").first).to_be_visible()

    mara.get_by_role("link", name="Take this ruling back").click()
    expect(mara.locator("#preview ins", has_text="Hobbled").first).to_be_visible()
    mara.get_by_label("Why; it is kept in the log").fill("Sol was right.")
    mara.get_by_role("button", name="Roll back so").click()
    expect(mara.get_by_role("heading", level=1)).to_contain_text("Entry")
    assert [one["injury"] for one in club.table.roster()["quill"]["injuries"]] == ["hobbled"]
    dana.reload()
    expect(dana.get_by_text("so the dispute is open again")).to_be_visible()


HAND_INJURY = """\
hit: {attacker: hob, weapon: autogun, target: wren}
    dice: {wound: [5], injury: [ooa], lasting_injury: [4-5]}"""


def test_somebody_who_never_saw_a_terminal_joins_by_a_link_and_sees_a_ruling_arrive(club: Evening) -> None:
    club.table.record(report("b3", HAND_INJURY))
    people, mara_is = club.house.club.tracker.people, club.house.club.people["Mara"].person
    link = people.invites.new(club.house.club.campaign, role="player", gangs=("gilded-cage",), by=mara_is)
    robin = club.arrives()
    robin.goto(f"/join/{link.secret}")
    robin.get_by_label("What do you want to be called?").fill("Robin")
    robin.get_by_role("button", name="Join").click()
    robin.get_by_role("link", name="The Gilded Cage").first.click()
    robin.get_by_role("link", name="Wren", exact=True).click()
    robin.get_by_role("link", name="5+", exact=True).first.click()
    expect(robin.get_by_role("heading", level=1)).to_contain_text("Weapon Skill 5+")
    expect(robin.get_by_text("Hand Injury").first).to_be_visible()
    robin.get_by_role("link", name=re.compile(r"^Dispute .*Lasting Injury roll")).click()
    robin.get_by_label("What was wrong with it").fill("It showed a 2-1.")
    robin.get_by_role("button", name="Dispute it").click()
    expect(robin.locator("#standing")).to_have_text("open")

    mara = club.sits("Mara", viewport=DESK)
    mara.goto(CAMPAIGN)
    mara.get_by_role("link", name="waits for a ruling: It showed a 2-1.").click()
    choose(mara, "The die showed something else", 2, 1)
    mara.get_by_label("Why; it is kept in the log").fill("All of us saw a 2-1.")
    mara.get_by_role("button", name="Rule so").click()
    expect(mara.locator("#ruled")).to_contain_text("All of us saw a 2-1.")

    expect(robin.locator("#ruled")).to_contain_text("All of us saw a 2-1.")
    expect(robin.locator("#standing")).to_have_text("ruled")
    robin.goto(f"{CAMPAIGN}/fighters/wren")
    expect(robin.get_by_role("link", name="5+", exact=True)).to_have_count(0)


DICE = {
    "hit roll": "6",
    "Firepower": "one_hole",
    "wound": "5",
    "Lasting Injury": "4-5",
    "Injury die": "out_of_action",
}


@pytest.mark.parametrize("scripts", [True, False], ids=["with scripts", "without"])
def test_an_evening_is_recorded_on_a_phone_witnessed_disputed_ruled_on_and_looked_back_at(
    club: Evening, scripts: bool
) -> None:
    mara = club.sits("Mara", java_script_enabled=scripts)
    dana, sol = (club.sits(name, java_script_enabled=scripts) for name in ("Dana", "Sol"))
    mara.goto(f"{CAMPAIGN}/record")
    mara.get_by_text("Answer question by question instead").click()
    mara.get_by_role("button", name="A battle", exact=True).click()
    for answer in ("", "Sump Raid", "2026-03-21"):
        tell(mara, answer)
    mara.get_by_label("Iron Skulls").check()
    mara.get_by_label("The Gilded Cage").check()
    mara.get_by_role("button", name="These").click()
    for answer in ("", "shoot krug", "wren", "short"):
        tell(mara, answer)
    while not (asked := mara.inner_text("#question")).startswith("What happened?"):
        tell(mara, next((face for die, face in DICE.items() if die in asked), ""))
    tell(mara, "end")
    tell(mara, "iron-skulls")
    mara.get_by_role("button", name="Record it").click()
    expect(mara.locator("main")).to_contain_text("Battle 3: Sump Raid")

    dana.goto(f"{CAMPAIGN}/battles/3")
    dana.get_by_role("button", name=re.compile("I saw .*hit roll")).click()
    expect(dana.get_by_text("Seen by Dana")).to_be_visible()
    sol.goto(f"{CAMPAIGN}/battles/3")
    sol.get_by_role("link", name=re.compile("^Dispute .*Lasting Injury roll")).click()
    sol.get_by_label("What was wrong with it").fill("It was a 2-1.")
    sol.get_by_role("button", name="Dispute it").click()
    say(sol, "Krug's dice bag lay under it.")
    mara.goto(sol.url)
    choose(mara, "The die showed something else", 2, 1)
    if not scripts:
        mara.get_by_role("button", name="Show what it changes").click()
    expect(mara.locator("#preview .then").filter(has_text="Wren").locator("ins").first).to_be_visible()
    mara.get_by_label("Why; it is kept in the log").fill("A 2-1 it was.")
    mara.get_by_role("button", name="Rule so").click()
    expect(mara.get_by_role("heading", name="The ruling")).to_be_visible()

    dana.goto(f"{CAMPAIGN}/fighters/wren?after=3&as=then")
    expect(dana.locator("main")).to_contain_text("Hand Injury")
    dana.goto(f"{CAMPAIGN}/fighters/wren?after=3")
    expect(dana.locator("main")).not_to_contain_text("Hand Injury")
    dana.get_by_label("After battle").fill("2")
    dana.get_by_role("button", name="Show", exact=True).click()
    expect(dana.get_by_text("After battle 2,")).to_be_visible()
    expect(dana.locator("main")).not_to_contain_text("Sump Raid")


def tell(page: Page, answer: str) -> None:
    """The next question of a draft, answered: a button where there is one, else in words."""
    button = page.locator(f'button[name=answer][value="{answer}"]')
    with page.expect_navigation():
        if button.count():
            button.first.click()
        else:
            page.fill("#answer", answer)
            page.locator("#answer").press("Enter")


def test_a_session_that_ends_in_the_middle_of_a_form_loses_nothing_that_was_typed(club: Evening) -> None:
    dana = club.sits("Dana")
    dana.goto(f"{CAMPAIGN}/disputes/new?event=10.2")
    dana.get_by_label("What was wrong with it").fill("It was cocked. <b>Really</b>")
    people, is_dana = club.house.club.tracker.people, club.house.club.people["Dana"].person
    people.sessions.end(is_dana)
    dana.get_by_role("button", name="Dispute it").click()
    expect(dana.get_by_role("heading", level=1)).to_have_text("Not signed in any more")
    expect(dana.locator("main")).to_contain_text("It was cocked. <b>Really</b>")
    assert violations(dana) == []
    club.house.sign_in(dana.context, "Dana")
    dana.get_by_role("button", name="Send it again").click()
    expect(dana.locator("blockquote")).to_contain_text("It was cocked. <b>Really</b>")


def test_what_is_unresolved_is_settled_by_tapping_and_each_choice_shows_at_once(club: Evening) -> None:
    """With 4-1 Wren has an Old Battle Wound, and a die is owed at the end of battle 2."""
    club.table.done("dispute", "open", "6.4", "--reason", "never a 3-3", "--by", "Dana")
    mara = club.sits("Mara")
    mara.goto(f"{CAMPAIGN}/disputes/13")
    choose(mara, "The die showed something else", 4, 1)
    expect(mara.get_by_text("Not everything is settled yet")).to_be_visible()
    mara.get_by_label("Why; it is kept in the log").fill("a 4-1")
    mara.locator('input[name="dice.12.old_battle_wound.0.wren/0"][value="3"]').check()
    expect(mara.get_by_text("Not everything is settled yet")).to_have_count(0)
    expect(mara.get_by_label("Why; it is kept in the log")).to_have_value("a 4-1")
    mara.get_by_label("Strike it").check()
    expect(mara.locator("#preview .card.then", has_text="battles").first).to_be_visible()
    mara.get_by_label("Decide it with these dice").check()
    expect(mara.get_by_text("Not everything is settled yet")).to_have_count(0)
    mara.get_by_role("button", name="Rule so").click()
    expect(mara.get_by_role("heading", name="The ruling")).to_be_visible()
    assert [one["injury"] for one in club.table.roster()["wren"]["injuries"]] == ["old_battle_wound"]


def test_all_of_it_works_without_scripts(club: Evening) -> None:
    dana, mara = club.sits("Dana", java_script_enabled=False), club.sits("Mara", java_script_enabled=False)
    dana.goto(f"{CAMPAIGN}/disputes/new?event=10.2")
    dana.get_by_label("What was wrong with it").fill("cocked")
    dana.get_by_role("button", name="Dispute it").click()
    mara.goto(dana.url)
    choose(mara, "The die showed something else", 2)
    mara.get_by_role("button", name="Show what it changes").click()
    mara.get_by_label("Why; it is kept in the log").fill("a 2")
    mara.get_by_role("button", name="Rule so").click()
    expect(mara.get_by_role("heading", name="The ruling")).to_be_visible()


def test_back_sent_twice_and_overtaken_loses_nothing_and_records_nothing_twice(club: Evening) -> None:
    club.table.done("dispute", "open", "10.2", "--reason", "cocked", "--by", "Dana")
    mara = club.sits("Mara")
    mara.goto(f"{CAMPAIGN}/disputes/13")
    choose(mara, "The die showed something else", 2)
    mara.get_by_label("Why; it is kept in the log").fill("a 2, said two")
    club.table.done("fighter", "rename", "pip", "--name", "Old Pip")
    mara.get_by_role("button", name="Rule so").click()
    expect(mara.get_by_role("alert")).to_contain_text("The log moved on since that preview")
    expect(mara.get_by_label("Why; it is kept in the log")).to_have_value("a 2, said two")
    expect(mara.locator('input[name="face/0"][value="2"]')).to_be_checked()
    mara.get_by_role("button", name="Rule so").click()
    expect(mara.get_by_role("heading", name="The ruling")).to_be_visible()
    events = club.table.head["events"]
    mara.go_back()
    mara.get_by_role("button", name="Rule so").click()
    expect(mara.get_by_role("heading", level=1)).to_contain_text("Dispute 13")
    assert club.table.head["events"] == events


def test_hostile_words_are_words(club: Evening) -> None:
    dana = club.sits("Dana")
    club.table.done("fighter", "rename", "quill", "--name", "<img src=x>")
    dana.goto(f"{CAMPAIGN}/disputes/new?event=10.2")
    dana.get_by_label("What was wrong with it").fill(HOSTILE)
    dana.get_by_role("button", name="Dispute it").click()
    expect(dana.locator("blockquote")).to_contain_text(HOSTILE)
    say(dana, HOSTILE)
    too_much = "\N{PILE OF POO}" * 4_000
    dana.get_by_label("Your statement").evaluate("(field, text) => { field.value = text; }", too_much)
    dana.get_by_role("button", name="Say it").click()
    expect(dana.get_by_role("alert")).to_be_visible()
    expect(dana.get_by_label("Your statement")).to_have_value(too_much)
    for page in ("", "/battles/b2", "/log", "/log/10", "/disputes", "/judge", "/rollback?battle=b2"):
        dana.goto(f"{CAMPAIGN}{page}")
        assert dana.locator("main img, main script").count() == 0, page


def test_a_ruling_that_lacks_dice_is_for_everybody_on_a_small_phone(club: Evening) -> None:
    club.table.done("dispute", "open", "6.4", "--reason", "never a 3-3", "--by", "Dana")
    club.table.done("dispute", "comment", "13", "--says", "I saw it", "--by", "Ayo")
    mara = club.sits("Mara", viewport={"width": 320, "height": 640})
    for path in (
        "/disputes/13?verdict=corrected&face/0=4&face/1=1",
        "/house-rules/one-lasting-injury-roll@1?from_battle=1",
        "/judge?kind=hit&ask.attacker=hob&ask.weapon=autogun&ask.target=wren&what=judge",
    ):
        mara.emulate_media(color_scheme="light")
        mara.goto(f"{CAMPAIGN}{path}")
        assert violations(mara) == [], path
        mara.emulate_media(color_scheme="dark")
        assert violations(mara, colours_only=True) == [], path
        assert mara.evaluate("document.documentElement.scrollWidth") <= 320, path
