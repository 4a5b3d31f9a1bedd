"""Members at the machine: links, roles, tokens, visibility, and forgetting."""

import socket

import pytest
from cli_arbitrator import Arbitrator, begin
from tables import every

from tracker.people import refusals
from tracker.rights import NotAllowed
from tracker.service.application import Tracker


@pytest.fixture
def tracker(arbitrator: Arbitrator) -> Tracker:
    """The service on the same file, as a server has it open."""
    return Tracker(f"sqlite:///{arbitrator.file}", actor="arbitrator")


def invited(arbitrator: Arbitrator, tracker: Tracker, name: str, *options: str) -> str:
    """A member who came by a link; gives the id."""
    secret = arbitrator.read("member", "invite", *options)["secret"]
    return tracker.people.invites.redeem(secret, name=name).person.person


def test_a_link_is_shown_once_and_brings_a_player_in_with_their_gang(
    arbitrator: Arbitrator, tracker: Tracker
) -> None:
    made = arbitrator.read(
        "member", "invite", "--role", "player", "--gang", "iron-skulls", "--note", "for Zoe"
    )
    shown = arbitrator.done("member", "invites").out
    assert made["invite"]["invite"] in shown
    assert "for Zoe" in shown
    assert made["secret"] not in shown + arbitrator.done("member", "invites", "--json").out
    zoe = tracker.people.invites.redeem(made["secret"], name="Zoe").person.person
    (member,) = arbitrator.read("member", "list")["members"]
    assert (member["person"], member["name"], member["role"], member["gangs"]) == (
        zoe,
        "Zoe",
        "player",
        ["iron-skulls"],
    )
    assert "used up" in arbitrator.done("member", "invites").out
    assert "Zoe" in arbitrator.done("member", "list").out


def test_a_revoked_link_lets_nobody_in(arbitrator: Arbitrator, tracker: Tracker) -> None:
    made = arbitrator.read("member", "invite", "--role", "spectator", "--uses", "5")
    name = made["invite"]["invite"]
    arbitrator.done("member", "revoke-invite", name)
    with pytest.raises(refusals.InviteNotValid):
        tracker.people.invites.redeem(made["secret"], name="Zoe")
    assert "no open invite" in arbitrator.refused(2, "member", "revoke-invite", name)
    assert [link["open"] for link in arbitrator.read("member", "invites")["invites"]] == [False]


def test_a_lost_key_is_a_link_back(arbitrator: Arbitrator, tracker: Tracker) -> None:
    zoe = invited(arbitrator, tracker, "Zoe", "--role", "spectator")
    back = arbitrator.read("member", "invite", "--back", "zoe")["secret"]
    assert tracker.people.invites.redeem(back).person.person == zoe
    assert "one of the two" in arbitrator.refused(2, "member", "invite")
    arbitrator.refused(2, "member", "invite", "--role", "player", "--back", "zoe")


def test_roles_change_and_members_leave(arbitrator: Arbitrator, tracker: Tracker) -> None:
    zoe = invited(arbitrator, tracker, "Zoe", "--role", "spectator")
    assert (
        "player of iron-skulls"
        in arbitrator.done("member", "role", "Zoe", "player", "--gang", "iron-skulls").out
    )
    assert arbitrator.read("member", "role", zoe, "arbitrator")["gangs"] == []
    assert "only Arbitrator" in " ".join(arbitrator.refused(1, "member", "remove", "Zoe").split())
    invited(arbitrator, tracker, "Yan", "--role", "arbitrator")
    arbitrator.done("member", "remove", "Zoe")
    assert [member["name"] for member in arbitrator.read("member", "list")["members"]] == ["Yan"]
    assert "Nobody here is called" in arbitrator.refused(2, "member", "remove", "Zoe")


def test_a_player_may_be_let_begin_a_gang_and_lose_all_of_them(
    arbitrator: Arbitrator, tracker: Tracker
) -> None:
    invited(arbitrator, tracker, "Zoe", "--role", "player", "--new-gang")
    (member,) = arbitrator.read("member", "list")["members"]
    assert member["gangs"] == ["+"]
    assert "a gang to come" in arbitrator.done("member", "list").out
    changed = arbitrator.read("member", "role", "Zoe", "player", "--gang", "iron-skulls", "--new-gang")
    assert changed["gangs"] == ["iron-skulls", "+"]
    assert arbitrator.read("member", "role", "Zoe", "player")["gangs"] == ["iron-skulls", "+"], "as they are"
    assert arbitrator.read("member", "role", "Zoe", "player", "--no-gangs")["gangs"] == []
    arbitrator.refused(2, "member", "role", "Zoe", "player", "--no-gangs", "--new-gang")
    arbitrator.refused(2, "member", "invite", "--role", "spectator", "--new-gang")


def test_a_gang_that_was_to_come_takes_its_place_once(arbitrator: Arbitrator, tracker: Tracker) -> None:
    people, campaign = tracker.people, tracker.directory.campaign_id("ash-wastes")
    zoe = invited(arbitrator, tracker, "Zoe", "--role", "player", "--gang", "saints", "--new-gang")
    people.bring_gangs(campaign, zoe, ["saints"], None)
    assert people.standing(campaign, zoe).gangs == ("saints", "+"), "it was theirs before"
    people.bring_gangs(campaign, zoe, ["rats"], None)
    with pytest.raises(NotAllowed):
        people.bring_gangs(campaign, zoe, ["foxes"], None)
    assert people.standing(campaign, zoe).gangs == ("saints", "rats")


def test_a_person_is_renamed_and_forgotten_for_good_only_when_that_is_meant(
    arbitrator: Arbitrator, tracker: Tracker
) -> None:
    # A name so long that it does not stand among the bytes of hashes by chance.
    person = invited(arbitrator, tracker, "Rosalind", "--role", "spectator")
    assert "Rosalindë" in arbitrator.done("member", "rename", "Rosalind", "Rosalindë").out
    assert "--for-good" in arbitrator.refused(2, "member", "forget", person)
    arbitrator.done("member", "forget", person, "--for-good")
    assert arbitrator.read("member", "list")["members"] == []
    assert b"Rosalind" not in arbitrator.contents()


def test_a_token_is_shown_once_listed_and_revoked(arbitrator: Arbitrator, tracker: Tracker) -> None:
    zoe = invited(arbitrator, tracker, "Zoe", "--role", "player")
    made = arbitrator.read("member", "token", "new", "Zoe", "--label", "table bot", "--days", "30")
    token = tracker.people.tokens.check(made["secret"])
    assert (token.person, token.scope) == (zoe, "read")
    assert token.campaign is not None, "this campaign alone"
    shown = arbitrator.done("member", "token", "list", "Zoe").out
    assert "table bot" in shown
    assert "in force" in shown
    assert made["secret"] not in shown + arbitrator.done("member", "token", "list", "Zoe", "--json").out
    arbitrator.done("member", "token", "revoke", "Zoe", token.token)
    with pytest.raises(refusals.TokenNotValid):
        tracker.people.tokens.check(made["secret"])
    (listed,) = arbitrator.read("member", "token", "list", "Zoe")["tokens"]
    assert listed["in_force"] is False
    wide = arbitrator.read(
        "member", "token", "new", "Zoe", "--label", "all", "--scope", "write", "--everywhere"
    )
    assert tracker.people.tokens.check(wide["secret"]).campaign is None


def test_a_campaign_is_opened_to_read_and_closed_again(arbitrator: Arbitrator, tracker: Tracker) -> None:
    assert arbitrator.read("campaign", "visibility") == {
        "schema": "arbitrator/member/1",
        "visibility": "private",
    }
    assert "Everybody" in arbitrator.done("campaign", "visibility", "public").out
    assert "Read by: everybody" in arbitrator.done("member", "list").out
    arbitrator.done("campaign", "visibility", "private")
    assert arbitrator.read("member", "list")["visibility"] == "private"


def test_who_records_battles_is_said_for_the_campaign(arbitrator: Arbitrator) -> None:
    assert "Arbitrators record" in arbitrator.done("campaign", "recorders").out
    arbitrator.done("campaign", "recorders", "players")
    assert arbitrator.read("member", "list")["battles"] == "players"


def test_whose_dice_are_offered_first_is_said_for_the_campaign(arbitrator: Arbitrator) -> None:
    assert "rolled on the table" in arbitrator.done("campaign", "dice").out
    assert arbitrator.read("campaign", "dice", "tool")["dice"] == "tool"
    assert "The tool rolls" in arbitrator.done("campaign", "dice").out


def test_a_campaign_begins_where_it_stands_with_what_holds_for_all(
    arbitrator: Arbitrator, tracker: Tracker
) -> None:
    where = ("--after-battle", "4", "--cycle", "4", "--dice", "tool", "--visibility", "public")
    arbitrator.done("campaign", "new", "Sump City", *where)
    campaign = tracker.directory.campaign_id("sump-city")
    cycle = tracker.boards.state_at(campaign).cycle
    assert cycle is not None
    assert (cycle.number, cycle.name) == (4, "Downtime")
    assert (tracker.people.dice(campaign), tracker.people.visibility(campaign)) == ("tool", "public")
    arbitrator.refused(1, "campaign", "new", "Too Late", "--cycle", "8")
    arbitrator.refused(1, "campaign", "new", "No Cycles", "--ruleset", "trench_crusade", "--cycle", "1")
    assert set(tracker.directory.campaigns()) == {"ash-wastes", "sump-city"}, "nothing half begun"


def test_nothing_of_it_is_an_entry_of_the_log(arbitrator: Arbitrator, tracker: Tracker) -> None:
    before = arbitrator.head
    zoe = invited(arbitrator, tracker, "Zoe", "--role", "arbitrator")
    arbitrator.done("campaign", "visibility", "public")
    arbitrator.done("member", "forget", zoe, "--for-good")
    assert arbitrator.head == before
    arbitrator.done("audit", "verify")


def test_a_link_can_be_opened_by_a_person(arbitrator: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> None:
    made = arbitrator.read("member", "invite", "--role", "spectator")
    assert made["link"] is None
    invite = ("member", "invite", "--role", "spectator")
    assert "'arbitrator serve' starts one" in arbitrator.done(*invite).out
    made = arbitrator.read(*invite, "--service-address", "https://club.example/")
    assert made["link"] == f"https://club.example/join/{made['secret']}"
    monkeypatch.setenv("TRACKER_SERVICE_ADDRESS", "http://localhost:8000")
    first, *_, last = arbitrator.done(*invite).out.splitlines()
    assert first.startswith("http://localhost:8000/join/tri_")
    assert last == "It is shown this once; whoever has it may use it."
    assert "it opens in a browser, and 'arbitrator login' takes it" in arbitrator.done(*invite).out


@every(
    "address",
    [
        "http://club.example",
        "club.example",
        "https://",
        "https://x/club",
        "https://a@b",
        "https://b:x",
        "ftp://b",
    ],
)
def test_a_link_is_made_of_a_usable_address_only(arbitrator: Arbitrator, address: str) -> None:
    said = arbitrator.refused(2, "member", "invite", "--role", "spectator", "--service-address", address)
    assert "is not the address of a service" in said
    assert arbitrator.read("member", "invites")["invites"] == []


def test_links_lead_to_where_the_database_was_served_last(
    arbitrator: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    served: list[int] = []

    def run(_made: object, listener: socket.socket) -> None:
        with listener:
            served.append(listener.getsockname()[1])

    monkeypatch.setattr("tracker.server.process.run", run)
    shown = arbitrator.done("serve", "--port", "0").out
    (port,) = served
    first, browser, terminal = shown.splitlines()
    assert first == f"Serving http://127.0.0.1:{port}. Stop it with Ctrl-C."
    link = browser.split()[-1]
    assert link.startswith(f"http://localhost:{port}/join/tri_")
    assert terminal == f"or in a terminal: arbitrator login {link}"
    invite = ("member", "invite", "--role", "spectator")
    assert arbitrator.read(*invite)["link"].startswith(f"http://localhost:{port}/join/tri_")
    shown = arbitrator.done("serve", "--service-address", "https://club.example").out
    assert "Serving http://127.0.0.1:8000, reached at https://club.example." in shown
    assert arbitrator.read(*invite)["link"].startswith("https://club.example/join/tri_")
    other = Arbitrator(arbitrator.folder / "other")
    other.folder.mkdir()
    begin(other)
    assert other.read(*invite)["link"] is None, "another database is served nowhere"
