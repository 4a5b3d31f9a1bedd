"""Two coaches over HTTP: who may send in, confirm, object, take in; and when two are enough."""

from typing import Any

import pytest
from served import Club

from tracker.campaign import records


@pytest.fixture
def coaches(club: Club) -> Club:
    """Dana plays the Iron Skulls, Robin the Gilded Cage, Vic nobody who fought."""
    people = club.tracker.people
    for name, gang in (("Robin", "gilded-cage"), ("Vic", "rust-saints")):
        person = club.people[name] = people.add(name)
        people.join(club.campaign, person.person, role="player", gangs=(gang,))
        club.tokens[name] = people.tokens.new(person.person, label="tests", scope="write").secret
    return club


def report(gangs: str = "[iron-skulls, gilded-cage]") -> str:
    return (
        "format: battle-report/1\nbattle: night\nscenario: Sump Raid\ndate: 2026-04-01\n"
        f"gangs: {gangs}\nentries:\n  - experience: {{fighter: krug, amount: 1, reason: held on}}\n"
        "result: {draw: true}\n"
    )


def sent_in(club: Club) -> str:
    answer = club.ask("Dana", "POST", "/proposals", content=report())
    assert answer.status_code == 200, answer.text
    assert answer.json()["unconfirmed"] == ["gilded-cage"]
    return str(answer.json()["proposal"])


def said(club: Club, name: str, proposal: str, what: str, **given: Any) -> Any:
    return club.ask(name, "POST", f"/proposals/{proposal}/{what}", json=given)


def test_the_arbitrator_takes_in_what_a_player_sent_and_the_other_confirmed(coaches: Club) -> None:
    before = coaches.ask("Mara", "GET", "").headers["ETag"]
    proposal = sent_in(coaches)
    assert said(coaches, "Robin", proposal, "confirm").json()["unconfirmed"] == []
    assert coaches.ask("Mara", "GET", "").headers["ETag"] == before
    assert said(coaches, "Robin", proposal, "take-in").status_code == 403
    assert said(coaches, "Mara", proposal, "take-in").status_code == 200
    header = coaches.tracker.boards.battle(coaches.campaign, "night").entries[0][0].event
    assert isinstance(header, records.DecisionTaken)
    assert header.sent is not None
    assert header.sent.agreed == records.Agreed(
        proposed_by=coaches.people["Dana"].person, confirmed_by=(coaches.people["Robin"].person,)
    )


def test_two_are_enough_where_the_campaign_says_so(coaches: Club) -> None:
    assert coaches.ask("Mara", "POST", "/recorders", json={"who": "coaches"}).json()["battles"] == "coaches"
    proposal = sent_in(coaches)
    assert said(coaches, "Robin", proposal, "object", reason="no").json()["state"] == "waiting"
    confirmed = said(coaches, "Robin", proposal, "confirm").json()
    assert confirmed["state"] == "taken_in"
    assert coaches.ask("Mara", "GET", "/battles/night").status_code == 200
    assert coaches.ask("Mara", "GET", "/proposals").json()["proposals"] == []


def test_who_did_not_fight_has_no_say(coaches: Club) -> None:
    refused = coaches.ask("Vic", "POST", "/proposals", content=report())
    assert (refused.status_code, refused.json()["code"]) == (409, "not_allowed")
    proposal = sent_in(coaches)
    for what, given in (("confirm", {}), ("object", {"reason": "x"}), ("withdraw", {})):
        assert said(coaches, "Vic", proposal, what, **given).json()["code"] == "not_allowed"
    assert said(coaches, "Robin", proposal, "withdraw").json()["code"] == "not_your_proposal"
    assert said(coaches, "Dana", proposal, "confirm").json()["code"] == "own_proposal"
    assert said(coaches, "Mara", proposal, "withdraw").json()["state"] == "withdrawn"
    assert said(coaches, "Robin", proposal, "confirm").json()["code"] == "proposal_settled"


def test_what_waits_is_listed_for_members(coaches: Club) -> None:
    proposal = sent_in(coaches)
    for name in ("Mara", "Robin", "Sol"):
        (waiting,) = coaches.ask(name, "GET", "/proposals").json()["proposals"]
        assert (waiting["proposal"], waiting["made_by_name"]) == (proposal, "Dana")
    assert coaches.ask("Nobody", "GET", "/proposals").status_code == 404
