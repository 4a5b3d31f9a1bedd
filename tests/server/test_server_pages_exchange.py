"""An exchange asked for in a browser: its exact chances, and the dice on the table one by one."""

import re

import pytest
from cli_arbitrator import Arbitrator
from forms_seen import Visitor
from served import Club

PAGE = "/campaigns/ash-wastes/judge"
HIT = {"kind": "hit", "ask.attacker": "hob", "ask.weapon": "autogun", "ask.target": "wren"}


@pytest.fixture
def sol(club: Club) -> Visitor:
    """A spectator: nothing is recorded, so everybody who reads may ask."""
    return Visitor(club.client, club.tokens["Sol"])


def test_each_answer_brings_the_next_question_as_the_wizard_asks_it(sol: Visitor) -> None:
    sol.go(PAGE)
    assert {"shoot", "fight", "hit"} <= {*sol.form("Go on").choices["kind"]}
    sol.press("Go on", kind="shoot")
    assert "ask.weapon" not in sol.form("Go on").choices
    html = sol.press("Go on", kind="shoot", **{"ask.attacker": "hob"})
    assert sol.form("Go on").choices["ask.weapon"] == ["", "autogun"]
    assert "With which weapon?" in html


def test_the_chances_are_exact(sol: Visitor) -> None:
    """Strength 3 against Toughness 3 wounds on 4+, and no armour saves Wren: half of it leaves her unhurt."""
    sol.go(PAGE)
    sol.press("Go on", kind="hit")
    html = sol.press("Exact chances", **HIT)
    assert re.search(r"unhurt</td><td[^>]*>1/2</td><td[^>]*>50.00 %", html)


def test_the_exchange_page_asks_for_each_die_until_the_outcome_is_decided(sol: Visitor) -> None:
    sol.go(PAGE)
    sol.press("Go on", kind="hit")
    html = sol.press("Judge it with our dice", **HIT)
    assert "The next die" in html
    html = sol.press("Go on with it", **{"die.0.wound/0": "5"})
    assert "Injury" in html
    assert "out_of_action" in sol.form("Go on with it").choices["die.1.injury/0"]
    html = sol.press("Go on with it", **{"die.1.injury/0": "flesh_wound"})
    assert "The result" in html
    assert "The next die" not in html
    assert 'aria-label="D6 5"' in html


def test_a_warband_exchange_follows_its_book(sol: Visitor, club: Club, table: Arbitrator) -> None:
    table.done("campaign", "new", "No Man's Land", "--ruleset", "trench_crusade")
    club.tracker.people.set_visibility(club.tracker.directory.campaign_id("no-mans-land"), "public")
    sol.go("/campaigns/no-mans-land/judge")
    assert sol.form("Go on").choices["kind"] == ["injury_chart"]


def test_nothing_is_recorded_and_a_slip_says_what_is_wrong(sol: Visitor, club: Club) -> None:
    before = club.ask("Mara", "GET", "").headers["ETag"]
    html = sol.go(f"{PAGE}?kind=hit&ask.attacker=hob&ask.weapon=autogun&ask.target=hob&what=roll")
    assert "hob" in html
    sol.go(f"{PAGE}?kind=hit&ask.attacker=nobody&ask.target=&what=judge&die.x.y/0=9&die.0.nothing/0=6")
    sol.go(f"{PAGE}?kind=sell&what=odds")
    assert club.ask("Mara", "GET", "").headers["ETag"] == before
