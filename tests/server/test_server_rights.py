"""Who may do what over HTTP: role by role, gang by gang, campaign by campaign; and what a token is good for."""

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import GANG_SHEETS, SEASON, report
from served import Club

from tracker.rights import RIGHTS
from tracker.server.command_line import SERVED
from tracker.server.routes import ROUTES


def is_open_to(name: str, who: str) -> bool:
    """Whether the table of rights lets somebody ask at all."""
    open_to = {
        "anyone": {"Mara", "Dana", "Sol", "Nobody"},
        "signed in": {"Mara", "Dana", "Sol", "Nobody"},
        "reader": {"Mara", "Dana", "Sol"},
        "member": {"Mara", "Dana", "Sol"},
        "player": {"Mara", "Dana"},
        "arbitrator": {"Mara"},
        "machine": set[str](),
    }
    return name in open_to[who]


@pytest.mark.parametrize("name", ["Mara", "Dana", "Sol", "Nobody"])
def test_every_route_is_open_to_whom_the_table_says(club: Club, name: str) -> None:
    for route in ROUTES:
        path = route.path.replace("{campaign}", "ash-wastes").replace("{", "").replace("}", "")
        answer = club.ask(name, route.method, path)
        right = RIGHTS[route.command]
        refused = answer.status_code == 403 or answer.json().get("code") == "unknown_campaign"
        is_members_record = right.own == "battle" and name == "Dana"  # off unless the campaign lets players
        assert refused == (not is_open_to(name, right.who) or is_members_record), (name, route, answer.text)


def test_who_is_not_signed_in_reads_what_is_for_everybody_and_of_a_public_campaign_what_it_shows(
    club: Club,
) -> None:
    for visibility, readers in (("private", {"anyone"}), ("public", {"anyone", "reader"})):
        club.tracker.people.set_visibility(club.campaign, visibility)  # type: ignore[arg-type]
        for route in ROUTES:
            path = route.path.replace("{campaign}", "ash-wastes").replace("{", "").replace("}", "")
            answer = club.ask("", route.method, path)
            right = RIGHTS[route.command]
            is_open = right.who in readers and not right.writes
            assert (answer.status_code == 401) != is_open, (visibility, route, answer.text)


def test_a_public_campaign_answers_a_stranger_what_its_member_is_answered(club: Club) -> None:
    club.tracker.people.set_visibility(club.campaign, "public")
    for path in ("/roster", "/standings", "/battles/b2", "/disputes", "/log", "/fighters/quill"):
        to_stranger, to_member = club.ask("", "GET", path), club.ask("Sol", "GET", path)
        assert (to_stranger.status_code, to_stranger.json()) == (200, to_member.json()), path
        assert to_stranger.headers["ETag"] == to_member.headers["ETag"]
    (listed,) = club.ask("", "GET", "/v1/campaigns").json()["campaigns"]
    assert listed["slug"] == "ash-wastes"
    club.tracker.people.set_visibility(club.campaign, "private")
    assert club.ask("", "GET", "/v1/campaigns").json()["campaigns"] == []
    unknown = club.ask("", "GET", "/v1/campaigns/no-such-place/roster")
    private = club.ask("", "GET", "/roster")
    assert (unknown.status_code, unknown.json()) == (private.status_code, private.json())


@pytest.mark.parametrize("name", ["Mara", "Dana", "Sol", "Nobody"])
def test_streams_archives_and_command_lines_are_open_to_whom_the_table_says(club: Club, name: str) -> None:
    headers = {"Accept": "application/cloudevents-batch+json"}
    headers |= {"Authorization": f"Bearer {club.tokens[name]}"}
    for operation, path in (("log show", "events"), ("campaign export", "archive")):
        answer = club.client.get(f"/v1/campaigns/ash-wastes/{path}", headers=headers)
        is_open = is_open_to(name, RIGHTS[operation].who)
        assert (answer.status_code == 200) == is_open, (name, operation, answer.text)
        assert is_open or answer.json()["code"] in ("not_allowed", "unknown_campaign")
    for command in sorted(SERVED):
        right = RIGHTS[command]
        of_campaign = right.who not in ("anyone", "signed in")
        line = {"command": command, "words": [], "campaign": "ash-wastes" if of_campaign else None}
        printed = club.ask(name, "POST", "/v1/command-line", json=line).json()
        code = printed.get("refused", {}).get("code")
        is_members_record = right.own == "battle" and name == "Dana"
        refused = code in ("not_allowed", "unknown_campaign")
        assert refused == (not is_open_to(name, right.who) or is_members_record), (name, command, printed)


def test_a_private_campaign_is_not_there_for_strangers(club: Club) -> None:
    answer = club.ask("Nobody", "GET", "/roster")
    assert (answer.status_code, answer.json()["code"]) == (404, "unknown_campaign")
    assert "Iron Skulls" not in answer.text
    assert club.ask("Nobody", "GET", "/v1/campaigns").json()["campaigns"] == []
    assert len(club.ask("Sol", "GET", "/v1/campaigns").json()["campaigns"]) == 1
    club.tracker.people.set_visibility(club.campaign, "public")
    assert club.ask("Nobody", "GET", "/roster").status_code == 200
    assert club.ask("Nobody", "POST", "/disputes", json={"event": "10.2", "reason": "x"}).status_code == 403


def test_a_player_acts_for_their_own_gang_only(club: Club) -> None:
    before = club.ask("Mara", "GET", "").headers["ETag"]
    for fighter in ("quill", "rook"):
        answer = club.ask("Dana", "POST", f"/fighters/{fighter}/rename", json={"name": "Mud"})
        assert answer.status_code == 409, answer.text
        assert answer.json()["code"] == "not_allowed"
        assert "is not yours" in answer.json()["detail"]
    assert club.ask("Mara", "GET", "").headers["ETag"] == before
    assert club.ask("Dana", "POST", "/fighters/krug/rename", json={"name": "Old Krug"}).status_code == 200


def test_players_concerned_speak_on_a_dispute_and_other_players_do_not(club: Club) -> None:
    """Dana's gang shot in entry 10; Sol plays a gang that was not there."""
    people, sol = club.tracker.people, club.people["Sol"].person
    people.join(club.campaign, sol, role="player", gangs=("sump-rats",))
    opened = club.ask("Mara", "POST", "/disputes", json={"event": "10.2", "reason": "cocked"})
    assert opened.status_code == 200, opened.text
    says = {"says": "it lay flat"}
    assert club.ask("Dana", "POST", "/disputes/10.2/comments", json=says).status_code == 200
    refused = club.ask("Sol", "POST", "/disputes/10.2/comments", json=says)
    assert (refused.status_code, refused.json()["code"]) == (409, "not_allowed")
    as_mara = club.ask("Dana", "POST", "/disputes/10.2/comments", json={**says, "by": "Mara"})
    assert as_mara.json()["code"] == "not_allowed"
    thread = club.ask("Sol", "GET", "/disputes/10.2").json()["dispute"]["statements"]
    assert [(row["by"], row["by_name"]) for row in thread] == [(club.people["Dana"].person, "Dana")]


def test_a_player_disputes_in_their_own_name(club: Club) -> None:
    other = {"event": "10.2", "reason": "cocked", "by": "Mara"}
    assert club.ask("Dana", "POST", "/disputes", json=other).json()["code"] == "not_allowed"
    opened = club.ask("Dana", "POST", "/disputes", json={"event": "10.2", "reason": "cocked"})
    assert opened.status_code == 200, opened.text
    ruled = {"void": True, "reason": "x"}
    assert club.ask("Dana", "POST", "/disputes/10.2/rule", json=ruled).status_code == 403


def test_the_log_names_the_actor_by_id(club: Club, table: Arbitrator) -> None:
    club.ask("Dana", "POST", "/fighters/krug/rename", json={"name": "Old Krug"})
    newest = table.read("log", "show", "--since", "13")["entries"]
    assert {row["actor"] for row in newest} == {club.people["Dana"].person}


def test_who_begins_a_campaign_is_its_arbitrator(club: Club) -> None:
    begun = club.ask("Nobody", "POST", "/v1/campaigns", json={"name": "Sump City"})
    assert begun.status_code == 200, begun.text
    sheet = GANG_SHEETS[0].read_bytes()
    assert club.ask("Nobody", "POST", "/v1/campaigns/sump-city/gangs", content=sheet).status_code == 200
    assert club.ask("Mara", "GET", "/v1/campaigns/sump-city/roster").status_code == 404


def test_tokens_are_good_for_what_they_were_made_for(club: Club) -> None:
    people, mara = club.tracker.people, club.people["Mara"].person
    reading = people.tokens.new(mara, label="reads", scope="read").secret
    assert club.ask(reading, "GET", "/roster").status_code == 200
    assert club.ask(reading, "POST", "/fighters/krug/rename", json={"name": "X"}).status_code == 403
    old = people.tokens.new(mara, label="old", scope="write", days=-1).secret
    gone = people.tokens.new(mara, label="gone", scope="write")
    people.tokens.revoke(mara, gone.token.token)
    for secret in (old, gone.secret, "trk_", "", club.tokens["Mara"][:-1], club.tokens["Mara"] + "x"):
        assert club.ask(secret or "-", "GET", "/roster").status_code == 401
    club.ask("Mara", "POST", "/v1/campaigns", json={"name": "Sump City"})
    one = people.tokens.new(mara, label="one", scope="write", campaign=club.campaign).secret
    assert club.ask(one, "GET", "/roster").status_code == 200
    assert club.ask(one, "GET", "/v1/campaigns/sump-city/roster").status_code == 404
    assert len(club.ask(one, "GET", "/v1/campaigns").json()["campaigns"]) == 1


def test_a_link_brings_somebody_in_once(club: Club) -> None:
    link = club.tracker.people.invites.new(
        club.campaign, role="player", gangs=("gilded-cage",), by=club.people["Mara"].person
    )
    came = club.client.post("/v1/join", json={"secret": link.secret, "name": "Robin"})
    assert came.status_code == 200, came.text
    assert (came.json()["name"], came.json()["role"]) == ("Robin", "player")
    assert (
        club.ask(came.json()["token"], "POST", "/fighters/quill/rename", json={"name": "Q"}).status_code
        == 200
    )
    for secret in (link.secret, "inv_x", ""):
        again = club.client.post("/v1/join", json={"secret": secret, "name": "Another"})
        assert (again.status_code, again.json()["code"]) == (409, "invite_not_valid")


def test_players_record_battles_where_the_campaign_lets_them(club: Club) -> None:
    assert club.ask("Dana", "POST", "/battles", content=SEASON[2]).status_code == 403
    assert club.ask("Mara", "POST", "/recorders", json={"who": "players"}).status_code == 200
    assert club.ask("Dana", "POST", "/battles", content=SEASON[2]).status_code == 200
    others = report(
        "b9",
        "experience: {fighter: rook, amount: 1, reason: x}",
        gangs="[gilded-cage, rust-saints]",
        result="draw: true",
    )
    refused = club.ask("Dana", "POST", "/battles", content=others)
    assert (refused.status_code, refused.json()["code"]) == (409, "not_allowed"), refused.text
    assert club.ask("Mara", "POST", "/battles", content=others).status_code == 200


def test_an_arbitrator_invites_over_http_and_the_link_works(club: Club) -> None:
    made = club.ask("Mara", "POST", "/members/invite", json={"role": "player", "gang": ["gilded-cage"]})
    assert made.status_code == 200, made.text
    secret = made.json()["secret"]
    came = club.client.post("/v1/join", json={"secret": secret, "name": "Robin"}).json()
    assert came["role"] == "player"
    listed = club.ask("Mara", "GET", "/members").json()["members"]
    assert {"Mara", "Dana", "Sol", "Robin"} == {row["name"] for row in listed}
    assert club.ask("Dana", "POST", "/members/invite", json={"role": "player"}).status_code == 403
    back = club.ask("Mara", "POST", "/members/invite", json={"back": "Dana"})
    assert back.json()["code"] == "not_allowed", back.text


def test_a_player_takes_nothing_from_another_gang_beside_an_entry_of_their_own(club: Club) -> None:
    own = {"experience": {"fighter": "krug", "amount": 1, "reason": "held on"}}
    taken = {"credits": {"from": "gilded-cage", "to": "iron-skulls", "amount": 5, "reason": "ours now"}}
    moved = {"hand_over": {"gang": "iron-skulls", "item": "mesh", "from": "sable", "to": "krug"}}
    before = club.ask("Mara", "GET", "").headers["ETag"]
    for entry, refused in ((taken, "not_allowed"), (moved, "other_gangs")):
        report = {"format": "post-battle/1", "battle": "b2", "entries": [own, entry]}
        answer = club.ask("Dana", "POST", "/post-battle", json=report)
        assert answer.json()["code"] == refused, answer.text
    assert club.ask("Mara", "GET", "").headers["ETag"] == before
