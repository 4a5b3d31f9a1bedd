"""Drafts over HTTP: two phones on one draft, and who may look at it."""

from typing import Any

from served import Club


def answered(club: Club, name: str, draft: str, answer: str, revision: int) -> Any:
    body = {"answer": answer, "revision": revision}
    return club.ask(name, "POST", f"/drafts/{draft}/answer", json=body)


def test_two_phones_fill_one_draft_and_a_stale_answer_is_refused(club: Club) -> None:
    begun = club.ask("Dana", "POST", "/drafts", json={"kind": "battle"})
    assert begun.status_code == 200, begun.text
    draft = begun.json()["draft"]["draft"]
    assert answered(club, "Dana", draft, "night", 1).json()["question"]["key"] == "scenario"
    stale = answered(club, "Mara", draft, "day", 1)
    assert (stale.status_code, stale.json()["code"]) == (412, "draft_moved_on")
    there = club.ask("Mara", "GET", f"/drafts/{draft}").json()
    assert (there["draft"]["revision"], there["draft"]["changed_by_name"]) == (2, "Dana")
    assert answered(club, "Mara", draft, "Sump Raid", 2).json()["draft"]["revision"] == 3


def test_a_draft_that_has_changed_is_never_answered_from_what_a_client_holds(club: Club) -> None:
    draft = club.ask("Dana", "POST", "/drafts", json={"kind": "battle"}).json()["draft"]["draft"]
    head = club.ask("Dana", "GET", "").headers["ETag"]
    answered(club, "Dana", draft, "night", 1)
    headers = {"If-None-Match": head, "Authorization": f"Bearer {club.tokens['Dana']}"}
    again = club.client.get(f"/v1/campaigns/ash-wastes/drafts/{draft}", headers=headers)
    assert (again.status_code, again.json()["draft"]["revision"]) == (200, 2)


def test_drafts_are_for_players_and_arbitrators(club: Club) -> None:
    draft = club.ask("Dana", "POST", "/drafts", json={"kind": "battle"}).json()["draft"]["draft"]
    assert club.ask("Sol", "GET", f"/drafts/{draft}").status_code == 403
    assert club.ask("Sol", "POST", "/drafts", json={"kind": "battle"}).status_code == 403
    assert club.ask("Nobody", "GET", f"/drafts/{draft}").status_code == 404
    gone = club.ask("Mara", "GET", "/drafts/d-nothing")
    assert (gone.status_code, gone.json()["code"]) == (404, "unknown_draft")


def test_the_seed_of_the_tools_dice_is_shown_to_nobody(club: Club) -> None:
    draft = club.ask("Dana", "POST", "/drafts", json={"kind": "battle"}).json()["draft"]["draft"]
    seed = club.tracker.drafts.draft(club.campaign, draft).seed
    assert seed not in club.ask("Mara", "GET", f"/drafts/{draft}").text
    assert seed not in club.ask("Mara", "GET", "/drafts").text
