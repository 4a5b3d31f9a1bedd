"""The page of members: who sees what, every change by role, links that are shown once, and a player's arrival."""

import html
import re
import threading
from typing import Any

import pytest
from cli_reports import GANG_SHEETS
from forms_seen import Form, forms
from served import ORIGIN, Club

from tracker.people.records import GANG_TO_COME
from tracker.rights import RIGHTS
from tracker.rules.glossary import USUAL
from tracker.server.pages.abilities import ABILITIES, abilities
from tracker.server.pages.routes import FORMS

BROWSER = {"Accept": "text/html"}
HERE = "/campaigns/ash-wastes"
LINK = re.compile(rf"{ORIGIN}/join/tri_[\w-]{{43}}")


def page(club: Club, name: str | None, path: str = "/members", status: int = 200) -> str:
    answer = club.browser(name).get(f"{HERE}{path}", headers=BROWSER)
    assert answer.status_code == status, answer.text
    return str(answer.text)


def sent(club: Club, name: str | None, path: str, **given: Any) -> Any:
    return club.browser(name).post(f"{HERE}/members/{path}", data=given, headers=BROWSER)


def made(club: Club, **given: Any) -> str:
    """The path of a link that Mara makes."""
    answer = sent(club, "Mara", "invite", **{"role": "player", "uses": "1", "days": "14", **given})
    assert answer.status_code == 200, answer.text
    assert answer.headers["Cache-Control"] == "no-store"
    return LINK.findall(answer.text)[0].removeprefix(ORIGIN)  # type: ignore[no-any-return]


def standing(club: Club, name: str) -> tuple[str | None, tuple[str, ...]]:
    held = club.tracker.people.standing(club.campaign, club.people[name].person)
    return held.role, held.gangs


def form_with(text: str, **fields: str) -> Form:
    return next(form for form in forms(text) if fields.items() <= form.fields.items())


# --- who sees it, who changes what -------------------------------------------------------------------------


def test_members_see_who_is_in_and_only_an_arbitrator_sees_links_and_forms(club: Club) -> None:
    made(club, note="for Zoe")
    for name in ("Mara", "Dana", "Sol"):
        text = page(club, name)
        assert all(member in text for member in ("Mara", "Dana", "Sol"))
        assert 'href="/campaigns/ash-wastes/gangs/iron-skulls"' in text
        assert ("for Zoe" in text) == (name == "Mara")
        assert bool([form for form in forms(text) if "/members/" in form.action]) == (name == "Mara")
    page(club, "Nobody", status=404)
    page(club, None, status=401)
    club.tracker.people.set_visibility(club.campaign, "public")
    page(club, None, status=401)
    assert "/members" not in page(club, None, ""), "a stranger is not led to what they may not see"
    assert "/members" in page(club, "Sol", "")


OF_MEMBERS = [form for form in FORMS if form.path.startswith("/campaigns/{campaign}/members/")]


@pytest.mark.parametrize("path", [form.path.rpartition("/")[2] for form in OF_MEMBERS])
def test_every_change_is_refused_to_whoever_is_no_arbitrator(club: Club, path: str) -> None:
    people, sol = club.tracker.people, club.people["Sol"].person
    invite = people.invites.new(club.campaign, role="spectator").invite
    given = {
        "role": "player", "who": sol, "invite": invite.invite, "visibility": "public", "recorders": "players",
        "dice": "tool", "new_gang": "1",
    }  # fmt: skip

    def everything() -> tuple[Any, ...]:
        kept = people.visibility(club.campaign), people.who_records(club.campaign), people.dice(club.campaign)
        return people.members(club.campaign), people.invites.of(club.campaign), kept

    before = everything()
    for name, status in (("Dana", 403), ("Sol", 403), ("Nobody", 404), (None, 401)):
        answer = sent(club, name, path, **given)
        assert answer.status_code == status, (name, answer.text)
        assert not LINK.search(answer.text)
    cross_site = {**BROWSER, "Sec-Fetch-Site": "cross-site"}
    answer = club.browser("Mara").post(f"{HERE}/members/{path}", data=given, headers=cross_site)
    assert answer.status_code == 403
    assert everything() == before
    assert sent(club, "Mara", path, **given).status_code in (200, 303)
    assert everything() != before or path == "back", "a link back is none of the campaign's"


def test_a_token_makes_no_link_that_signs_somebody_in_again(club: Club) -> None:
    """It would open more than the token does."""
    headers = {**BROWSER, "Authorization": f"Bearer {club.tokens['Mara']}"}
    given = {"who": club.people["Dana"].person}
    answer = club.client.post(f"{HERE}/members/back", data=given, headers=headers)
    assert answer.status_code == 409
    assert not LINK.search(answer.text)


# --- links -------------------------------------------------------------------------------------------------


def test_a_link_is_shown_once_with_its_code_and_is_open_until_it_is_revoked(club: Club) -> None:
    answer = sent(club, "Mara", "invite", role="spectator", uses="3", days="7", note="the shop")
    (link,) = set(LINK.findall(answer.text))
    assert "<svg" in answer.text
    assert "It lets 3 people in, as a spectator. You noted: the shop" in answer.text
    text = page(club, "Mara")
    assert not LINK.search(text)
    assert "the shop" in text
    assert "Lets 3 more people in" in text
    invite = next(form.fields["invite"] for form in forms(text) if "invite" in form.fields)
    assert sent(club, "Mara", "revoke", invite=invite).headers["Location"] == f"{HERE}/members#links"
    assert "No link is open." in page(club, "Mara")
    assert club.browser(None).get(link.removeprefix(ORIGIN)).status_code == 409
    refused = sent(club, "Mara", "revoke", invite=invite)
    assert refused.status_code == 422
    assert "This campaign has no open invite" in html.unescape(refused.text)


def test_a_double_tap_makes_one_link_and_shows_it_without_scripts(club: Club) -> None:
    form = next(form for form in forms(page(club, "Mara")) if form.action.endswith("/invite"))
    given = {"role": "spectator", "uses": "1", "days": "7", "note": "the shop", "key": form.fields["key"]}
    (first,), (second,) = (set(LINK.findall(sent(club, "Mara", "invite", **given).text)) for _ in range(2))
    assert first == second
    (invite,) = club.tracker.people.invites.of(club.campaign)
    (other,) = set(LINK.findall(sent(club, "Mara", "invite", **(given | {"note": "Kim"})).text))
    assert other != first, "what is filled in anew is another link"
    club.tracker.people.invites.revoke(club.campaign, invite.invite)
    (again,) = set(LINK.findall(sent(club, "Mara", "invite", **given).text))
    assert again != first, "a link that lets nobody in is not shown again"
    form = next(form for form in forms(page(club, "Mara")) if form.action.endswith("/back"))
    ways = [set(LINK.findall(sent(club, "Mara", "back", **form.fields).text)) for _ in range(2)]
    assert ways[0] == ways[1] != set()


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"uses": "0"}, "How many people may use it: write a whole number from 1 to 100"),
        ({"uses": "0000000019999"}, "How many people may use it: write a whole number from 1 to 100"),
        ({"days": "400"}, "How many days it works: write a whole number from 1 to 365"),
        ({"role": "spectator", "gang": "iron-skulls"}, "Tick no gang, or choose the role player."),
    ],
)
def test_a_link_that_cannot_be_is_refused_in_the_pages_own_words(
    club: Club, given: dict[str, str], says: str
) -> None:
    answer = sent(club, "Mara", "invite", **{"role": "player", **given})
    assert answer.status_code == 422, answer.text
    assert says in html.unescape(answer.text)
    assert club.tracker.people.invites.of(club.campaign) == ()


def test_a_link_leads_to_the_address_that_people_reach_and_says_where_only_this_machine_is(
    club: Club,
) -> None:
    warning = "This address works on this computer only"
    assert warning not in sent(club, "Mara", "invite", role="player").text
    club.client.app.state.address = "http://localhost:8000"
    text = sent(club, "Mara", "invite", role="player").text
    assert "http://localhost:8000/join/tri_" in text
    assert warning in text
    assert "cloudflared tunnel --url http://localhost:8000</code>" in text, "what to type stands there"
    assert "arbitrator serve --service-address" in text


def test_of_two_who_open_a_single_link_at_once_one_comes_in(club: Club) -> None:
    path, together = made(club), threading.Barrier(2)
    came: list[Any] = []

    def open_it(name: str) -> None:
        browser = club.browser(None)
        browser.get(path, headers=BROWSER)
        together.wait()
        came.append(browser.post(path, data={"name": name}, headers=BROWSER))

    both = [threading.Thread(target=open_it, args=(name,)) for name in ("Ann", "Ben")]
    for one in both:
        one.start()
    for one in both:
        one.join()
    assert sorted(answer.status_code for answer in came) == [303, 409]
    names = {
        club.tracker.people.person(member.person).name
        for member in club.tracker.people.members(club.campaign)
    }
    assert len(names & {"Ann", "Ben"}) == 1


def test_a_link_back_signs_its_own_person_in_and_nobody_twice(club: Club) -> None:
    answer = sent(club, "Mara", "back", who=club.people["Dana"].person)
    path = LINK.findall(answer.text)[0].removeprefix(ORIGIN)
    assert "It signs Dana in again, once, within a day." in answer.text
    browser = club.browser(None)
    came = browser.post(path, headers=BROWSER)
    assert (came.status_code, came.headers["Location"]) == (303, "/account")
    assert "You are <bdi>Dana</bdi> here" in browser.get("/account").text
    assert club.browser(None).post(path, headers=BROWSER).status_code == 409


# --- roles, removing, what holds for all -------------------------------------------------------------------


def test_roles_and_gangs_are_what_the_form_of_a_member_says(club: Club) -> None:
    dana, sol = club.people["Dana"].person, club.people["Sol"].person
    form = form_with(page(club, "Mara"), who=dana, role="player")
    assert form.fields["gang"] == "iron-skulls", "as it is"
    answer = sent(club, "Mara", "role", who=sol, role="player", new_gang="1", gang="gilded-cage")
    assert answer.headers["Location"] == f"{HERE}/members"
    assert standing(club, "Sol") == ("player", ("gilded-cage", GANG_TO_COME))
    sent(club, "Mara", "role", who=dana, role="player")
    assert standing(club, "Dana") == ("player", ()), "nothing is ticked"
    sent(club, "Mara", "role", who=dana, role="arbitrator", gang="iron-skulls")
    assert standing(club, "Dana") == ("arbitrator", ())


def test_the_last_arbitrator_stays_one_and_the_page_says_why(club: Club) -> None:
    mara = club.people["Mara"].person
    for path, given in (("role", {"role": "spectator"}), ("remove", {})):
        answer = sent(club, "Mara", path, who=mara, **given)
        assert answer.status_code == 409
        assert "Mara is the only Arbitrator of this campaign: first make somebody else one." in answer.text
    assert standing(club, "Mara") == ("arbitrator", ())


def test_who_is_removed_sees_nothing_of_a_private_campaign(club: Club) -> None:
    assert sent(club, "Mara", "remove", who=club.people["Sol"].person).status_code == 303
    page(club, "Sol", status=404)
    unknown = sent(club, "Mara", "remove", who=club.people["Nobody"].person)
    assert unknown.status_code == 422
    assert "arbitrator member" not in unknown.text


def test_what_holds_for_all_is_set_and_shown_to_every_member(club: Club) -> None:
    for path, given in (
        ("visibility", {"visibility": "public"}), ("recorders", {"recorders": "coaches"}), ("dice", {"dice": "tool"}),
    ):  # fmt: skip
        assert sent(club, "Mara", path, **given).headers["Location"] == f"{HERE}/members#for-all"
    people = club.tracker.people
    kept = people.visibility(club.campaign), people.who_records(club.campaign), people.dice(club.campaign)
    assert kept == ("public", "coaches", "tool")
    text = page(club, "Sol")
    assert "Everybody who has its address" in text
    assert "once they agree" in text
    assert "Rolled here first" in text
    assert sent(club, "Mara", "dice", dice="loaded").status_code == 422
    assert people.dice(club.campaign) == "tool"


def test_what_each_role_may_do_is_read_off_the_table_of_rights(club: Club) -> None:
    assert set(ABILITIES.values()) <= RIGHTS.keys()
    rows = {ability.words: ability.answers for ability in abilities(players_record=False)}
    assert rows["Read standings, {game.gangs}, battles and the log"] == ("yes", "yes", "yes", "yes")
    assert rows["Build a {game.gang}"] == ("no", "no", "their own", "yes")
    assert rows["Rule on disputes"] == ("no", "no", "no", "yes")
    assert rows["Record battles"] == ("no", "no", "no", "yes")
    recording = {ability.words: ability.answers for ability in abilities(players_record=True)}
    assert recording["Record battles"] == ("no", "no", "their own", "yes")
    assert set(map(USUAL.said, rows)) <= {
        html.unescape(word) for word in re.findall(r'<th scope="row">(.*?)</th>', page(club, "Sol"))
    }


# --- arriving ----------------------------------------------------------------------------------------------


def arrived(club: Club, path: str, name: str) -> Any:
    browser = club.browser(None)
    came = browser.post(path, data={"name": name}, headers=BROWSER)
    assert (came.status_code, came.headers["Location"]) == (303, f"{HERE}/welcome")
    return browser


def test_an_invited_player_arrives_at_the_campaign_and_is_told_to_begin_their_gang(club: Club) -> None:
    browser = arrived(club, made(club, new_gang="1"), "Zoe")
    text = browser.get(f"{HERE}/welcome", headers=BROWSER).text
    assert "Welcome to <bdi>Ash Wastes</bdi>, <bdi>Zoe</bdi>" in text
    assert "Begin your gang" in text
    assert "Add a passkey" in text
    spectator = arrived(club, made(club, role="spectator", new_gang="1"), "Vic")
    text = spectator.get(f"{HERE}/welcome", headers=BROWSER).text
    assert "Begin your gang" not in text
    assert "Look around" in text
    ganger = arrived(club, made(club, gang="gilded-cage"), "Gil")
    text = ganger.get(f"{HERE}/welcome", headers=BROWSER).text
    assert f'href="{HERE}/gangs/gilded-cage"' in text
    assert "Begin your gang" not in text
    page(club, "Nobody", "/welcome", status=404)


def test_a_player_enlists_the_gang_that_they_were_to_begin_and_it_is_theirs_and_no_second(club: Club) -> None:
    browser = arrived(club, made(club, new_gang="1"), "Zoe")
    sheet = GANG_SHEETS[0].read_text("utf-8")

    def enlist(gang: str, who: str) -> Any:
        """A gang of one, with the ids that nobody has yet."""
        own = re.sub(r"^gang: .*$", f"gang: {gang}", sheet, flags=re.MULTILINE)
        own = re.sub(r"^  - id: ", f"  - id: {who}-", own, flags=re.MULTILINE)
        headers = {"If-Match": "*"}
        return browser.post(f"/v1{HERE}/gangs", content=own.encode(), headers=headers)

    taken = enlist("iron-skulls", "a")
    assert taken.status_code in (409, 422), "a gang that is there is somebody's"
    zoe = next(
        member
        for member in club.tracker.people.members(club.campaign)
        if club.tracker.people.person(member.person).name == "Zoe"
    )
    assert zoe.gangs == (GANG_TO_COME,)
    came = enlist("sump-wolves", "b")
    assert came.status_code == 200, came.text
    assert club.tracker.people.standing(club.campaign, zoe.person).gangs == ("sump-wolves",)
    second = enlist("sump-foxes", "c")
    assert (second.status_code, second.json()["code"]) == (409, "not_allowed")
