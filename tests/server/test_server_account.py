"""A person's own page: what they sign in with, and taking it away. Nobody else's."""

import re

import pytest
from forms_seen import Form, forms
from served import CAMPAIGN, Club

from tracker.people.refusals import PersonForgotten
from tracker.server import sessions


def test_somebody_sees_their_own_sessions_and_tokens_only(club: Club) -> None:
    people, dana = club.tracker.people, club.people["Dana"].person
    people.tokens.new(dana, label="Dana's table bot", scope="read")
    people.tokens.new(club.people["Mara"].person, label="Mara's bot", scope="read")
    people.sessions.new(dana, label="Firefox on Linux")
    page = club.browser("Dana").get("/account").text
    assert "table bot" in page
    assert "Firefox on Linux" in page
    assert "(this one)" in page
    assert "Mara" not in page
    for made in (*people.sessions.of(dana), *people.tokens.of(dana)):
        assert (getattr(made, "session", None) or made.token) in page


@pytest.mark.parametrize(
    "path", ["", "/sessions/end", "/sessions/end-others", "/passkeys/remove", "/tokens/revoke"]
)
def test_the_account_page_needs_a_browser_session(club: Club, path: str) -> None:
    method = "POST" if path else "GET"
    token = {"Authorization": f"Bearer {club.tokens['Mara']}"}
    for browser, headers in (
        (club.browser(None), {}),
        (club.browser(None), token),
        (club.browser("Mara"), token),
    ):
        assert browser.request(method, f"/account{path}", headers=headers).status_code == 401


def test_a_session_is_ended_from_another(club: Club) -> None:
    stolen, own = club.browser("Dana"), club.browser("Dana")
    check = club.tracker.people.sessions.check
    first, second = (check(browser.cookies[sessions.COOKIE]) for browser in (stolen, own))
    assert (
        own.post("/account/sessions/end", data={"session": first.session}).headers["location"] == "/account"
    )
    assert stolen.get(f"{CAMPAIGN}/roster").status_code == 401
    assert own.get(f"{CAMPAIGN}/roster").status_code == 200
    assert first.session not in own.get("/account").text
    assert (
        own.post("/account/sessions/end", data={"session": second.session}).headers["location"] == "/sign-in"
    )
    assert sessions.COOKIE not in own.cookies
    kept = club.tracker.people.sessions.of(club.people["Dana"].person)
    assert [session for session in kept if session.revoked_at is None] == []


def test_all_others_are_ended_at_once(club: Club) -> None:
    others, own = [club.browser("Dana") for _ in range(2)], club.browser("Dana")
    mara = club.browser("Mara")
    assert own.post("/account/sessions/end-others").status_code == 303
    assert [browser.get("/account").status_code for browser in (*others, own, mara)] == [401, 401, 200, 200]


def test_nobody_ends_the_sessions_or_tokens_of_others(club: Club) -> None:
    mara = club.browser("Mara")
    (session,) = club.tracker.people.sessions.of(club.people["Mara"].person)
    (token,) = club.tracker.people.tokens.of(club.people["Mara"].person)
    sol = club.browser("Sol")
    for name in (session.session, ""):
        assert sol.post("/account/sessions/end", data={"session": name}).status_code == 303
    refused = sol.post("/account/tokens/revoke", data={"token": token.token})
    assert (refused.status_code, refused.json()["code"]) == (422, "unknown_token")
    assert mara.get("/account").status_code == 200
    assert sol.get("/account").status_code == 200
    assert club.ask("Mara", "GET", "/roster").status_code == 200


def test_a_token_is_revoked_by_its_owner(club: Club) -> None:
    (token,) = club.tracker.people.tokens.of(club.people["Mara"].person)
    mara = club.browser("Mara")
    assert mara.post("/account/tokens/revoke", data={"token": token.token}).status_code == 303
    assert club.ask("Mara", "GET", "/roster").status_code == 401
    assert token.token not in mara.get("/account").text


def test_people_change_their_own_name_and_a_taken_one_comes_back(club: Club) -> None:
    dana = club.browser("Dana")
    assert dana.post("/account/name", data={"name": "Dana of the Skulls"}).headers["location"] == "/account"
    assert "You are <bdi>Dana of the Skulls</bdi> here" in dana.get("/account").text
    refused = dana.post("/account/name", data={"name": "Mara"})
    assert refused.status_code == 409
    assert "Somebody else in the same campaign is called" in refused.text
    assert 'value="Mara"' in refused.text
    assert club.tracker.people.person(club.people["Dana"].person).name == "Dana of the Skulls"


def test_a_token_made_in_a_browser_is_shown_once_and_does_what_was_chosen(club: Club) -> None:
    dana, people = club.browser("Dana"), club.tracker.people
    given = {"label": "score board", "scope": "read", "campaign": club.campaign, "days": "30"}
    made = dana.post("/account/tokens/new", data=given)
    assert (made.status_code, made.headers["cache-control"]) == (200, "no-store")
    (secret,) = set(re.findall(r"trk_[\w-]{43}", made.text))
    assert "trk_" not in dana.get("/account").text
    assert club.ask(secret, "GET", "/roster").status_code == 200
    assert club.ask(secret, "POST", "/fighters/krug/rename", json={"name": "X"}).status_code == 403
    (token,) = [
        token for token in people.tokens.of(club.people["Dana"].person) if token.label == "score board"
    ]
    assert (token.scope, token.campaign) == ("read", club.campaign)
    assert dana.post("/account/tokens/new", data={**given, "days": "many"}).status_code == 422
    elsewhere = club.browser("Nobody").post("/account/tokens/new", data=given)
    assert elsewhere.status_code == 422, "a token for a campaign is for its members"
    for path in ("name", "tokens/new"):
        token_only = {"Authorization": f"Bearer {club.tokens['Dana']}"}
        assert club.browser(None).post(f"/account/{path}", data=given, headers=token_only).status_code == 401


def test_a_double_tap_makes_one_token_and_shows_it_without_scripts(club: Club) -> None:
    dana, tokens = club.browser("Dana"), club.tracker.people.tokens

    def labels() -> list[str]:
        return [token.label for token in tokens.of(club.people["Dana"].person)]

    def made(form: Form, **given: str) -> str:
        sent = dana.post("/account/tokens/new", data={**form.fields, "label": "board", **given})
        (secret,) = set(re.findall(r"trk_[\w-]{43}", sent.text))
        return str(secret)

    form, anew = (
        next(form for form in forms(dana.get("/account").text) if form.action == "/account/tokens/new")
        for _ in range(2)
    )
    first = made(form)
    assert made(form) == first
    assert labels().count("board") == 1
    assert made(form, scope="write") != first, "what is filled in anew is another token"
    assert made(anew) != first, "a page that is loaded anew makes another"
    tokens.revoke(club.people["Dana"].person, tokens.check(first).token)
    assert made(form) != first, "a token that signs nobody in is not shown again"


def test_somebody_has_all_of_it_deleted_by_typing_their_name(club: Club) -> None:
    dana = club.people["Dana"].person
    browser = club.browser("Dana")
    refused = browser.post("/account/forget", data={"name": "dana"})
    assert refused.status_code == 422
    assert "Nothing was deleted" in refused.text
    assert club.tracker.people.memberships(dana)
    assert browser.post("/account/forget", data={"name": "Dana"}).headers["location"] == "/"
    assert club.tracker.people.memberships(dana) == ()
    assert browser.get("/account").status_code == 401
    with pytest.raises(PersonForgotten):
        club.tracker.people.person(dana)


def test_the_only_arbitrator_of_others_is_not_forgotten(club: Club) -> None:
    refused = club.browser("Mara").post("/account/forget", data={"name": "Mara"})
    assert refused.status_code == 409
    assert "Ash Wastes" in refused.text
    club.tracker.people.set_role(club.campaign, club.people["Dana"].person, role="arbitrator")
    assert club.browser("Mara").post("/account/forget", data={"name": "Mara"}).status_code == 303
