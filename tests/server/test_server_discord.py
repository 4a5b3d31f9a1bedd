"""Coming in with a Discord account: who is known, or has a link in hand. A Discord of the tests' own."""

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from cli_arbitrator import Arbitrator
from discord_server import DiscordServer, discord_listening
from served import ORIGIN, Club
from starlette.testclient import TestClient

from tracker.people.refusals import IdentityTaken
from tracker.server import discord_sign_in
from tracker.server.access import MemberAccess
from tracker.server.app import application
from tracker.service.application import Tracker

ROBIN = {"id": "80351110224678912", "username": "robin7", "global_name": "Robin", "email": None}
BEGIN, BACK, NAME = "/sign-in/discord", "/sign-in/discord/back", "/sign-in/discord/name"


@pytest.fixture(scope="module")
def _discord() -> Iterator[DiscordServer]:
    with discord_listening() as discord:
        yield discord


@pytest.fixture
def discord(_discord: DiscordServer) -> DiscordServer:
    _discord.refused.clear()
    _discord.broken = ""
    return _discord


@pytest.fixture
def club(table: Arbitrator, discord: DiscordServer) -> Iterator[Club]:
    tracker = Tracker(f"sqlite:///{table.file}", actor="the machine")
    app = application(tracker, MemberAccess(tracker), address=ORIGIN, discord=discord.application)
    with TestClient(app) as client:
        yield Club(client, tracker)
    tracker.close()


def link(club: Club, **how: Any) -> str:
    """The secret of a link for a spectator."""
    mara = club.people["Mara"].person
    return club.tracker.people.invites.new(club.campaign, **{"role": "spectator", "by": mara} | how).secret


def begin(browser: TestClient, **fields: str) -> str:
    """Where the browser is sent."""
    answer = browser.post(BEGIN, data=fields)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"])


def come(browser: TestClient, discord: DiscordServer, account: Any = ROBIN, **fields: str) -> Any:
    """There and back."""
    return browser.get(discord.lets_in(begin(browser, **fields), account))


def known(club: Club, identity: str = f"discord:{ROBIN['id']}") -> str | None:
    person = club.tracker.people.passkeys.person_of(identity)
    return None if person is None else person.name


def code_of(refused: Any) -> tuple[int, str]:
    assert "set-cookie" not in refused.headers or "trs_" not in refused.headers["set-cookie"]
    return refused.status_code, refused.json()["code"]


def test_a_link_in_hand_lets_an_account_in_and_from_then_on_it_comes_alone(
    club: Club, discord: DiscordServer
) -> None:
    secret = link(club)
    page = club.browser(None).get(f"/join/{secret}")
    assert "Come in with Discord" in page.text
    policy = page.headers["content-security-policy"]
    assert f"form-action 'self' {discord.application.origin};" in policy
    came = come(club.browser(None), discord, invite=secret)
    assert (came.status_code, came.headers["location"]) == (303, "/")
    assert known(club) == "Robin"
    forgotten = [one for one in came.headers.get_list("set-cookie") if "-discord=" in one]
    assert [("Max-Age=0" in one) for one in forgotten] == [True], "the link in hand was used"
    browser = club.browser(None)
    renamed = {**ROBIN, "username": "another", "global_name": "Another"}
    assert come(browser, discord, renamed).status_code == 303, "known by number, whatever the name"
    assert "Robin" in browser.get("/account").text
    members = [member.person for member in club.tracker.people.members(club.campaign)]
    assert len(members) == 4


def test_an_unknown_account_without_a_link_is_refused(club: Club, discord: DiscordServer) -> None:
    before = club.tracker.people.everybody()
    assert code_of(come(club.browser(None), discord)) == (409, "discord_not_known")
    for wrong in ("tri_guess", link(club, days=1)[:-1]):
        assert code_of(come(club.browser(None), discord, invite=wrong)) == (409, "invite_not_valid")
    assert club.tracker.people.everybody() == before
    assert known(club) is None


def asked_for_another_name(answer: Any, typed: str) -> bool:
    """Whether this is the page that asks for one, with nobody signed in."""
    assert "trs_" not in answer.headers.get("set-cookie", "")
    form = '<form method="post" action="/sign-in/discord/name">'
    return answer.status_code in (409, 422) and form in answer.text and f'value="{typed}"' in answer.text


@pytest.mark.parametrize("name", ["Dana", "dana", "", "x" * 61])
def test_a_taken_or_unusable_name_is_asked_for_again(club: Club, discord: DiscordServer, name: str) -> None:
    secret, before = link(club), club.tracker.people.everybody()
    browser = club.browser(None)
    account = {**ROBIN, "global_name": name, "username": name}
    assert asked_for_another_name(come(browser, discord, account, invite=secret), name)
    assert asked_for_another_name(browser.post(NAME, data={"name": "Mara"}), "Mara")
    assert (known(club), club.tracker.people.everybody()) == (None, before)
    assert club.tracker.people.invites.look(secret).uses_left == 1
    came = browser.post(NAME, data={"name": "Robin"})
    assert (came.status_code, came.headers["location"]) == (303, "/")
    assert "Robin" in browser.get("/account").text
    assert known(club) == "Robin"
    assert code_of(browser.post(NAME, data={"name": "Another"})) == (409, "challenge_not_valid")
    assert come(club.browser(None), discord, account).status_code == 303, "they come alone from then on"


def test_another_name_is_given_in_the_browser_that_was_asked_only(club: Club, discord: DiscordServer) -> None:
    asked, other = club.browser(None), club.browser(None)
    dana = {**ROBIN, "global_name": "Dana"}
    assert asked_for_another_name(come(asked, discord, dana, invite=link(club)), "Dana")
    assert code_of(other.post(NAME, data={"name": "Robin"})) == (409, "challenge_not_valid")
    begin(other, invite=link(club))
    assert code_of(other.post(NAME, data={"name": "Robin"})) == (409, "challenge_not_valid")
    elsewhere = {"Sec-Fetch-Site": "cross-site", "Origin": "https://elsewhere.example"}
    assert asked.post(NAME, data={"name": "Robin"}, headers=elsewhere).status_code == 403
    assert known(club) is None


def test_an_account_that_is_somebodys_meanwhile_uses_no_link_up(club: Club) -> None:
    """Two windows at once: each saw that nobody has the account."""
    people, secret = club.tracker.people, link(club)
    people.passkeys.link(club.people["Dana"].person, "discord:7")
    before = people.everybody()
    with pytest.raises(IdentityTaken):
        people.invites.redeem(secret, name="Robin", identity="discord:7")
    assert people.everybody() == before
    assert people.invites.look(secret).uses_left == 1
    assert len(people.members(club.campaign)) == 3


def test_a_known_account_joins_with_a_link(club: Club, discord: DiscordServer) -> None:
    come(club.browser(None), discord, invite=link(club))
    again = come(club.browser(None), discord, invite=link(club, role="arbitrator"))
    assert again.status_code == 303
    roles = {member.person: member.role for member in club.tracker.people.members(club.campaign)}
    person = club.tracker.people.passkeys.person_of(f"discord:{ROBIN['id']}")
    assert person is not None
    assert roles[person.person] == "arbitrator"


def test_somebody_adds_their_account_and_takes_it_away(club: Club, discord: DiscordServer) -> None:
    browser = club.browser("Dana")
    came = come(browser, discord)
    assert (came.status_code, came.headers["location"]) == (303, "/account")
    assert known(club) == "Dana"
    assert f"The account {ROBIN['id']} signs you in" in browser.get("/account").text
    assert come(club.browser(None), discord).status_code == 303
    assert code_of(come(club.browser("Sol"), discord)) == (409, "identity_taken")
    club.browser("Sol").post("/account/identities/remove", data={"identity": f"discord:{ROBIN['id']}"})
    assert known(club) == "Dana", "nobody takes away another's"
    gone = browser.post("/account/identities/remove", data={"identity": f"discord:{ROBIN['id']}"})
    assert gone.status_code == 303, gone.text
    assert known(club) is None
    assert code_of(come(club.browser(None), discord)) == (409, "discord_not_known")


# --- what is refused ---------------------------------------------------------------------------------------


def test_an_answer_counts_once_in_the_browser_that_asked(club: Club, discord: DiscordServer) -> None:
    come(club.browser("Dana"), discord)
    began = club.browser(None)
    back = discord.lets_in(begin(began), ROBIN)
    for other in (club.browser(None), club.browser("Sol")):
        assert code_of(other.get(back)) == (409, "challenge_not_valid")
        begin(other)
        assert code_of(other.get(back)) == (409, "challenge_not_valid"), "that is another's state"
    assert began.get(back).status_code == 303
    assert code_of(began.get(back)) == (409, "challenge_not_valid")


@pytest.mark.parametrize(
    "query", ["", "?code=x", "?code=x&state=", "?code=x&state=guess", "?code=x&state=%C3%A9"]
)
def test_a_state_that_is_not_ours_is_refused(club: Club, discord: DiscordServer, query: str) -> None:
    browser = club.browser(None)
    begin(browser)
    assert code_of(browser.get(f"{BACK}{query}")) == (409, "challenge_not_valid")


def test_an_account_is_added_to_the_session_that_asked_only(club: Club, discord: DiscordServer) -> None:
    browser = club.browser("Dana")
    back = discord.lets_in(begin(browser), ROBIN)
    browser.post("/sign-out")
    assert code_of(browser.get(back)) == (409, "challenge_not_valid")
    assert known(club) is None


def test_who_does_not_agree_there_does_not_come_in(club: Club, discord: DiscordServer) -> None:
    browser = club.browser(None)
    state = parse_qs(urlsplit(begin(browser)).query)["state"][0]
    refused = browser.get(f"{BACK}?error=access_denied&state={state}")
    assert code_of(refused) == (409, "discord_does_not_say")


def test_a_code_of_somebody_elses_is_nothing_without_its_verifier(club: Club, discord: DiscordServer) -> None:
    stolen = parse_qs(urlsplit(discord.lets_in(begin(club.browser(None)), ROBIN)).query)["code"][0]
    browser = club.browser(None)
    state = parse_qs(urlsplit(begin(browser)).query)["state"][0]
    refused = browser.get(f"{BACK}?code={stolen}&state={state}")
    assert code_of(refused) == (409, "discord_does_not_say")
    assert discord.refused == ["pkce"]


@pytest.mark.parametrize(
    "account", [{}, {"id": 7}, {"id": "seven"}, {"id": ""}, {"id": "٣"}, {"id": "1" * 21}, [], None, "x"]
)
def test_an_account_without_a_number_is_nobody(club: Club, discord: DiscordServer, account: Any) -> None:
    refused = come(club.browser(None), discord, account, invite=link(club))
    assert code_of(refused) == (409, "discord_does_not_say")


@pytest.mark.parametrize("said", ["<html>", "[]", "{", '{"error": "x"}'])
def test_a_broken_answer_of_discord_is_reported(club: Club, discord: DiscordServer, said: str) -> None:
    browser = club.browser(None)
    back = discord.lets_in(begin(browser), ROBIN)
    discord.broken = said
    assert code_of(browser.get(back)) == (409, "discord_does_not_say")


def test_nothing_of_discords_is_kept_but_the_number(
    club: Club, discord: DiscordServer, table: Arbitrator
) -> None:
    secret = link(club)
    come(club.browser(None), discord, invite=secret)
    begin(club.browser(None), invite=link(club))
    kept = b"".join(file.read_bytes() for file in table.folder.glob("campaigns.db*"))
    assert ROBIN["id"].encode() in kept
    for canary in (b"canary-", b"robin7", b"tri_"):
        assert canary not in kept


def test_without_settings_there_is_no_discord_sign_in(monkeypatch: pytest.MonkeyPatch, served: Any) -> None:
    monkeypatch.delenv("TRACKER_DISCORD_ID", raising=False)
    monkeypatch.delenv("TRACKER_DISCORD_SECRET", raising=False)
    assert discord_sign_in.from_environment() is None
    assert "Discord" not in served.client.get("/sign-in").text
    assert served.client.post(BEGIN).status_code == 404
    assert served.client.get(BACK).status_code == 404
    monkeypatch.setenv("TRACKER_DISCORD_ID", "1")
    with pytest.raises(discord_sign_in.DiscordHalfSet):
        discord_sign_in.from_environment()
    monkeypatch.setenv("TRACKER_DISCORD_SECRET", "x")
    assert discord_sign_in.from_environment() == discord_sign_in.Discord("1", "x")


def test_what_cannot_be_the_secret_of_a_link_is_refused_and_put_into_no_cookie(club: Club) -> None:
    for invite in ("\u2603", "a b", 'x"; Domain=evil', "x\r\nSet-Cookie: a=b", "x" * 4_000):
        refused = club.browser(None).post(BEGIN, data={"invite": invite})
        assert (refused.status_code, refused.json()["code"]) == (409, "invite_not_valid"), invite
        assert "set-cookie" not in refused.headers
