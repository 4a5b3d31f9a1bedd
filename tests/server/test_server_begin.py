"""A campaign begun in a browser: what the page offers, what becomes of it, and who may."""

from html import unescape
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator
from forms_seen import Visitor, forms
from running_service import running
from served import ORIGIN, Club
from starlette.testclient import TestClient

from tracker.rules import loader
from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.service.application import Tracker

BROWSER = {"Accept": "text/html"}
NEW = {"name": "Sump City Nights", "book": "necromunda_2023", "dice": "table", "visibility": "private"}


def began(club: Club, who: str, **given: str) -> tuple[int, str]:
    """The status of the answer, and where it leads."""
    answer = club.browser(who).post("/begin", data={**NEW, **given}, headers=BROWSER)
    return answer.status_code, answer.headers.get("location", answer.text)


def campaign_of(club: Club, slug: str) -> str:
    return club.tracker.directory.campaign_id(slug)


def test_the_page_offers_each_book_with_its_own_presets_and_house_rules_in_words(club: Club) -> None:
    page = club.browser("Nobody").get("/begin", headers=BROWSER).text
    (form,) = [form for form in forms(page) if "Begin the campaign" in form.buttons]
    assert form.choices["book"][0] == "necromunda_2023"
    assert set(form.choices["book"]) == set(loader.book_names())
    for book in loader.book_names():
        rules = {policy.id for policy in loader.policies_for(book)}
        assert set(form.choices.get(f"rule.{book}", [])) == rules, book
        for preset in loader.presets():
            offered = preset in form.choices.get(f"preset.{book}", [])
            assert offered == bool(loader.fitting_policies(preset, book)[0]), (book, preset)
    assert "A gang has at most one Brute, whatever its Reputation." in page


def test_who_sends_it_is_the_arbitrator_of_what_begins_as_it_was_filled_in(club: Club) -> None:
    given = {
        "preset.necromunda_2023": "a_and_a", "rule.necromunda_2023": "no-lasting-injuries@1", "after_battle": "4",
        "cycle.necromunda_2023": "3", "visibility": "public", "dice": "tool",
    }  # fmt: skip
    # What is filled in for another book is not meant.
    given |= {"rule.trench_crusade": "trauma-table-1-0@2", "preset.trench_crusade": "a_and_a"}
    given["rule.necromunda_2023"] = "older-injury-dice@1"
    assert began(club, "Nobody", **given) == (303, "/campaigns/sump-city-nights")
    campaign = campaign_of(club, "sump-city-nights")
    state = club.tracker.boards.state_at(campaign)
    assert (state.name, state.book) == ("Sump City Nights", "necromunda_2023")
    fitting = loader.fitting_policies("a_and_a", "necromunda_2023")[0]
    assert {f"{policy.policy}@{policy.version}" for policy in state.policies} == {
        *fitting,
        "older-injury-dice@1",
    }
    assert state.battle_number == 5, "the next one"
    assert state.cycle is not None
    assert (state.cycle.number, state.cycle.name) == (3, "Occupation")
    people = club.tracker.people
    assert people.standing(campaign, club.people["Nobody"].person).role == "arbitrator"
    assert (people.visibility(campaign), people.dice(campaign)) == ("public", "tool")


def test_a_form_sent_twice_begins_one_campaign(club: Club) -> None:
    assert began(club, "Nobody", key="one-form") == (303, "/campaigns/sump-city-nights")
    assert began(club, "Nobody", key="one-form") == (303, "/campaigns/sump-city-nights")
    assert len(club.tracker.directory.rows()) == 2
    status, page = began(club, "Nobody", key="another-form")
    assert status == 409
    assert "exists already. Choose another name." in page


@pytest.mark.parametrize(
    ("given", "status", "says"),
    [
        ({"name": "  "}, 422, "name"),
        ({"name": "Ash Wastes"}, 409, "exists already"),
        ({"name": "!!!"}, 422, "No short name can be made of that. Use some letters or digits."),
        ({"after_battle": "-1"}, 422, "Battles fought: write a whole number from 0 to 9999"),
        ({"after_battle": "many"}, 422, "Battles fought: write a whole number from 0 to 9999"),
        ({"cycle.necromunda_2023": "8"}, 422, "The cycle: write a whole number from 1 to 7"),
        ({"book": "no_such_book"}, 422, "There is no rulebook"),
        (
            {"rule.necromunda_2023": "no-lasting-injuries@1"},
            409,
            "'No Lasting Injuries' and 'One Lasting Injury roll' change the same thing: choose one of them.",
        ),
        ({"rule.necromunda_2023": "no-such-rule@1"}, 422, "There is no house rule"),
    ],
)
def test_what_is_refused_comes_back_as_it_was_typed_and_begins_nothing(
    club: Club, given: dict[str, str], status: int, says: str
) -> None:
    typed = {"preset.necromunda_2023": "a_and_a", **given}
    came, page = began(club, "Nobody", **typed)
    assert came == status, page
    assert says in unescape(page)
    assert "arbitrator " not in page
    assert "--" not in page.partition("<main")[2].replace("<!--", "")
    assert len(club.tracker.directory.rows()) == 1
    (form,) = [form for form in forms(page) if "Begin the campaign" in form.buttons]
    assert form.fields["preset.necromunda_2023"] == "a_and_a"


def test_a_stranger_begins_nothing(club: Club) -> None:
    browser = club.browser(None)
    assert browser.get("/begin", headers=BROWSER).status_code == 401
    assert browser.post("/begin", data=NEW, headers=BROWSER).status_code == 401
    assert 'href="/begin"' not in browser.get("/", headers=BROWSER).text
    assert len(club.tracker.directory.rows()) == 1


def test_a_page_of_another_site_begins_nothing(club: Club) -> None:
    headers = {**BROWSER, "Sec-Fetch-Site": "cross-site"}
    assert club.browser("Mara").post("/begin", data=NEW, headers=headers).status_code == 403


def test_where_the_host_closed_that_only_who_keeps_the_machine_begins_campaigns(table: Arbitrator) -> None:
    tracker = Tracker(f"sqlite:///{table.file}", actor="host")
    keeper = tracker.people.of_machine("host")
    with TestClient(application(tracker, MemberAccess(tracker, closed=True), address=ORIGIN)) as client:
        club = Club(client, tracker)
        club.people["host"] = keeper
        assert 'href="/begin"' not in club.browser("Mara").get("/", headers=BROWSER).text
        assert club.browser("Mara").get("/begin", headers=BROWSER).status_code == 403
        assert began(club, "Mara")[0] == 403
        asked = club.ask("Mara", "POST", "/v1/campaigns", json={"name": "Sump City"})
        assert (asked.status_code, "the host has closed that" in asked.text) == (403, True)
        assert 'href="/begin"' in club.browser("host").get("/", headers=BROWSER).text
        assert began(club, "host") == (303, "/campaigns/sump-city-nights")
    tracker.close()


def test_a_campaign_without_gangs_says_what_comes_next_to_each_role(club: Club) -> None:
    began(club, "Mara")
    campaign = campaign_of(club, "sump-city-nights")
    people = club.tracker.people
    people.join(campaign, club.people["Dana"].person, role="player", gangs=("+",))
    people.join(campaign, club.people["Sol"].person, role="spectator")
    pages = {
        name: club.browser(name).get("/campaigns/sump-city-nights", headers=BROWSER).text
        for name in ("Mara", "Dana", "Sol")
    }
    assert {name: "Invite players" in page for name, page in pages.items()} == {
        "Mara": True, "Dana": False, "Sol": False,
    }  # fmt: skip
    assert {name: "Begin your gang" in page for name, page in pages.items()} == {
        "Mara": True, "Dana": True, "Sol": False,
    }  # fmt: skip
    assert not [name for name, page in pages.items() if "arbitrator " in page or ".yaml" in page]


@pytest.mark.slow
def test_a_service_on_nothing_makes_its_database_and_a_link_that_signs_in_once(tmp_path: Path) -> None:
    file = tmp_path / "nothing.db"
    with running(f"sqlite:///{file}", tmp_path) as service:
        assert file.exists()
        browser = {"Accept": "text/html", "Sec-Fetch-Site": "same-origin"}
        assert service.ask("GET", service.link, **browser)[0] == 200, "to look does not use it up"
        status, headers, _ = service.ask("POST", service.link, "", **browser)
        assert (status, headers["Location"]) == (303, "/begin")
        cookie = headers["Set-Cookie"].partition(";")[0]
        assert service.ask("GET", "/begin", Cookie=cookie, **browser)[0] == 200
        for method in ("GET", "POST"):
            status, headers, page = service.ask(method, service.link, **browser)
            assert (status, headers["Set-Cookie"]) == (409, None)
            assert b"This link lets nobody in" in page
    secret = service.link.rpartition("/")[2]
    written = (tmp_path / "served.log").read_text("utf-8")
    assert "/join/{secret}" in written, "requests are logged by their routes"
    assert secret not in written
    assert secret.encode() not in file.read_bytes()


def test_a_visitor_without_scripts_begins_a_campaign_and_is_led_on(club: Club) -> None:
    visitor = Visitor(club.client, club.tokens["Nobody"])
    visitor.go("/")
    visitor.go("/begin")
    visitor.press("Begin the campaign", name="Sump City Nights")
    assert visitor.at == "/campaigns/sump-city-nights"
    visitor.go("/campaigns/sump-city-nights/members")
    page = visitor.press("Make a link", note="Zoe")
    assert f"{ORIGIN}/join/tri_" in page


def test_who_has_been_in_no_campaign_is_not_welcomed_back(club: Club) -> None:
    kit = club.tracker.people.of_machine("Kit").person
    page = club.browser("Nobody").get(
        f"/join/{club.tracker.people.invites.back(kit).secret}", headers=BROWSER
    )
    assert "Welcome, Kit" in page.text
