"""Passkeys: registered by who is signed in, and what signs in with them; an authenticator in software."""

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from authenticator import PRESENT, VERIFIED, Authenticator, content, text
from served import CAMPAIGN, ORIGIN, Club
from starlette.testclient import TestClient

HOST = "club.example"


@pytest.fixture
def device() -> Authenticator:
    return Authenticator(origin=ORIGIN, host=HOST)


def options(browser: TestClient, path: str) -> dict[str, Any]:
    answer = browser.post(f"{path}/begin", json={})
    assert answer.status_code == 200, answer.text
    assert answer.headers["cache-control"] == "no-store"
    return dict(answer.json())


def register(browser: TestClient, device: Authenticator, **more: Any) -> Any:
    """The answer to a key that was made."""
    made = device.made(options(browser, "/account/passkeys"))
    return browser.post("/account/passkeys/finish", json={"credential": made, **more})


def sign_in(browser: TestClient, device: Authenticator) -> Any:
    """The answer to a key that was used."""
    given = device.given(options(browser, "/sign-in/passkey"))
    return browser.post("/sign-in/passkey/finish", json={"credential": given})


def kept(club: Club, name: str) -> Any:
    return club.tracker.people.passkeys.of(club.people[name].person)


def test_a_passkey_lets_its_person_back_in(club: Club, device: Authenticator) -> None:
    made = register(club.browser("Dana"), device, label="Dana's phone")
    assert made.status_code == 200, made.text
    (key,) = kept(club, "Dana")
    assert (key.label, key.sign_count, key.last_used_at) == ("Dana's phone", 0, None)
    browser = club.browser(None)
    came = sign_in(browser, device)
    assert came.status_code == 200, came.text
    assert came.headers["set-cookie"].startswith("__Host-arbitrator=trs_")
    assert "Dana" in browser.get("/account").text
    assert browser.get(f"{CAMPAIGN}/roster").status_code == 200
    (key,) = kept(club, "Dana")
    assert key.sign_count == 1
    assert key.last_used_at is not None


def test_a_passkey_is_bound_to_this_service_and_requires_user_verification(club: Club) -> None:
    asked = options(club.browser("Dana"), "/account/passkeys")
    assert asked["rp"] == {"name": "Arbitrator", "id": HOST}
    assert content(asked["user"]["id"]).decode() == club.people["Dana"].person
    assert asked["authenticatorSelection"]["userVerification"] == "required"
    assert asked["authenticatorSelection"]["residentKey"] == "required"
    assert asked["attestation"] == "none"
    asked = options(club.browser(None), "/sign-in/passkey")
    assert (asked["rpId"], asked["userVerification"]) == (HOST, "required")
    assert asked.get("allowCredentials", []) == [], "who has which key is said to nobody"


def test_somebody_has_several_keys_and_no_device_has_two(club: Club, device: Authenticator) -> None:
    browser = club.browser("Dana")
    register(browser, device)
    asked = options(browser, "/account/passkeys")
    assert [key["id"] for key in asked["excludeCredentials"]] == [text(device.credential)]
    assert register(browser, device).json()["code"] == "passkey_taken"
    other = Authenticator(origin=ORIGIN, host=HOST, credential=b"another")
    assert register(browser, other).status_code == 200
    assert len(kept(club, "Dana")) == 2
    for each in (device, other):
        assert sign_in(club.browser(None), each).status_code == 200


def test_a_key_that_was_removed_signs_nobody_in(club: Club, device: Authenticator) -> None:
    browser = club.browser("Dana")
    register(browser, device, label="lost phone")
    own = text(device.credential)
    stranger = club.browser("Sol").post("/account/passkeys/remove", data={"credential": own})
    assert (stranger.status_code, stranger.json()["code"]) == (409, "passkey_not_valid")
    assert "lost phone" in browser.get("/account").text
    assert browser.post("/account/passkeys/remove", data={"credential": own}).status_code == 303
    assert kept(club, "Dana") == ()
    assert sign_in(club.browser(None), device).json()["code"] == "passkey_not_valid"


def test_only_a_browser_session_creates_a_passkey(club: Club, device: Authenticator) -> None:
    for path in ("/account/passkeys/begin", "/account/passkeys/finish"):
        assert club.browser(None).post(path, json={}).status_code == 401
        token = {"Authorization": f"Bearer {club.tokens['Mara']}"}
        assert club.client.post(path, json={}, headers=token).status_code == 401
    made = device.made(options(club.browser("Dana"), "/account/passkeys"))
    stolen = club.browser("Sol").post("/account/passkeys/finish", json={"credential": made})
    assert stolen.json()["code"] == "challenge_not_valid"
    again = club.browser("Dana").post("/account/passkeys/finish", json={"credential": made})
    assert again.json()["code"] == "challenge_not_valid", "it was for one session, once"
    assert kept(club, "Dana") == kept(club, "Sol") == ()


# --- what is refused ---------------------------------------------------------------------------------------


def test_an_answer_counts_once(club: Club, device: Authenticator) -> None:
    browser = club.browser("Dana")
    made = device.made(options(browser, "/account/passkeys"))
    assert browser.post("/account/passkeys/finish", json={"credential": made}).status_code == 200
    again = browser.post("/account/passkeys/finish", json={"credential": made})
    assert (again.status_code, again.json()["code"]) == (409, "challenge_not_valid")
    stranger = club.browser(None)
    given = device.given(options(stranger, "/sign-in/passkey"))
    assert stranger.post("/sign-in/passkey/finish", json={"credential": given}).status_code == 200
    replayed = club.browser(None).post("/sign-in/passkey/finish", json={"credential": given})
    assert (replayed.status_code, replayed.json()["code"]) == (409, "challenge_not_valid")
    assert "set-cookie" not in replayed.headers


def test_a_challenge_of_ours_alone_and_for_five_minutes(
    club: Club, device: Authenticator, monkeypatch: pytest.MonkeyPatch
) -> None:
    register(club.browser("Dana"), device)
    browser = club.browser(None)
    for challenge in ("", text(b"made up"), "é"):
        given = device.given({"challenge": challenge})
        answer = browser.post("/sign-in/passkey/finish", json={"credential": given})
        assert answer.json()["code"] == "challenge_not_valid"
    for_registering = options(club.browser("Dana"), "/account/passkeys")
    given = device.given(for_registering)
    answer = browser.post("/sign-in/passkey/finish", json={"credential": given})
    assert answer.json()["code"] == "challenge_not_valid"
    asked = options(browser, "/sign-in/passkey")
    monkeypatch.setattr(club.tracker.people.passkeys, "_now", lambda: "2999-01-01T00:00:00.000Z")
    late = browser.post("/sign-in/passkey/finish", json={"credential": device.given(asked)})
    assert late.json()["code"] == "challenge_not_valid"


WRONG = {
    "another origin": {"origin": "https://evil.example"},
    "the same host on another port": {"origin": "https://club.example:8443"},
    "the same host in clear": {"origin": "http://club.example"},
    "another relying party": {"host": "evil.example"},
    "nobody looked at": {"flags": PRESENT},
    "nobody there": {"flags": VERIFIED},
    "another key of that name": {"key": Authenticator(origin=ORIGIN, host=HOST).key},
    "another person's handle": {"handle": b"person-00000000000"},
}


@pytest.mark.parametrize("how", WRONG)
def test_an_answer_for_something_else_signs_nobody_in(club: Club, device: Authenticator, how: str) -> None:
    register(club.browser("Dana"), device)
    for name, value in WRONG[how].items():
        setattr(device, name, value)
    browser = club.browser(None)
    refused = sign_in(browser, device)
    assert (refused.status_code, refused.json()["code"]) == (409, "passkey_not_valid")
    assert "set-cookie" not in refused.headers
    assert browser.get("/account").status_code == 401


@pytest.mark.parametrize("how", [how for how in WRONG if "key" not in how and "handle" not in how])
def test_an_answer_for_something_else_registers_nothing(club: Club, device: Authenticator, how: str) -> None:
    for name, value in WRONG[how].items():
        setattr(device, name, value)
    refused = register(club.browser("Dana"), device)
    assert (refused.status_code, refused.json()["code"]) == (409, "passkey_not_valid")
    assert kept(club, "Dana") == ()


def test_a_key_that_nobody_registered_signs_nobody_in(club: Club, device: Authenticator) -> None:
    refused = sign_in(club.browser(None), device)
    assert (refused.status_code, refused.json()["code"]) == (409, "passkey_not_valid")


def test_a_count_that_does_not_go_up_is_a_copy_of_the_key(club: Club, device: Authenticator) -> None:
    register(club.browser("Dana"), device)
    copied = copy.copy(device)
    for _ in range(3):
        assert sign_in(club.browser(None), device).status_code == 200
    for _ in range(3):
        assert sign_in(club.browser(None), copied).json()["code"] == "passkey_not_valid"
    copied.count = -1
    assert sign_in(club.browser(None), copied).json()["code"] == "passkey_not_valid", "nor does it begin anew"
    assert sign_in(club.browser(None), device).status_code == 200
    (key,) = kept(club, "Dana")
    assert key.sign_count == 4


def test_a_device_that_counts_nothing_signs_in_each_time(club: Club, device: Authenticator) -> None:
    register(club.browser("Dana"), device)
    for _ in range(2):
        device.count = -1
        assert sign_in(club.browser(None), device).status_code == 200


def test_a_forgotten_person_has_no_passkey(club: Club, device: Authenticator) -> None:
    register(club.browser("Dana"), device)
    club.tracker.people.forget(club.people["Dana"].person)
    assert sign_in(club.browser(None), device).json()["code"] == "passkey_not_valid"


NOT_A_PART: list[Any] = [None, 1, {}, "é", "AAAA", text(b"[" * 5_000)]


def broken(good: Callable[[], dict[str, Any]]) -> Iterator[Any]:
    """Good answers, each with a part that is something else."""
    yield from ({}, [], None, {"credential": None}, {"credential": good(), "more": 1})
    for wrong in NOT_A_PART:
        for name in ("id", "rawId", "type", "response"):
            yield {"credential": good() | {name: wrong}}
        for name in good()["response"].keys() - {"userHandle"}:  # a device need not say whom it is for
            credential = good()
            credential["response"][name] = wrong
            yield {"credential": credential}


@pytest.mark.slow
def test_whatever_is_sent_is_refused_in_words(club: Club, device: Authenticator) -> None:
    browser = club.browser("Dana")
    register(browser, device)
    other = Authenticator(origin=ORIGIN, host=HOST, credential=b"another")
    for path, good in (
        ("/sign-in/passkey", device.given),
        ("/account/passkeys", other.made),
    ):
        for body in broken(lambda path=path, good=good: good(options(browser, path))):
            answer = browser.post(f"{path}/finish", json=body)
            assert answer.status_code == 409, (path, body, answer.text)
            assert answer.json()["code"] in ("challenge_not_valid", "passkey_not_valid")
    assert len(kept(club, "Dana")) == 1
    assert browser.post("/sign-in/passkey/finish", content=b"x" * 70_000).status_code == 413
