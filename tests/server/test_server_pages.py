"""Pages for a browser: what each shows to whom, and what is said when one cannot be shown."""

import html
import re

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import report
from served import Club, Served

from tracker.rights import RIGHTS
from tracker.server.pages import assets
from tracker.server.pages.forms import FormUnreadable, FormValues
from tracker.server.pages.routes import FORMS, PAGES
from tracker.server.pages.terminal_words import PLACES, on_page
from tracker.service.refusals import SeedMissing, UnknownCampaign

BROWSER = {"Accept": "text/html,application/xhtml+xml;q=0.9,*/*;q=0.8"}


def seen(served: Served, path: str) -> str:
    """What the Arbitrator's browser is shown."""
    headers = {**BROWSER, "Authorization": "Bearer trk_of-the-tests"}
    answer = served.client.get(path, headers=headers)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def test_every_page_and_form_has_a_right_of_the_table() -> None:
    assert {page.right for page in PAGES} | {form.right for form in FORMS} <= RIGHTS.keys()


def test_no_two_pages_share_a_path() -> None:
    paths = [page.path for page in PAGES]
    assert len(paths) == len(set(paths))


def test_the_first_page_lists_the_campaigns_that_somebody_may_see(club: Club) -> None:
    def home(name: str) -> str:
        headers = {**BROWSER, "Authorization": f"Bearer {club.tokens[name]}"}
        return str(club.client.get("/", headers=headers).text)

    assert 'href="/campaigns/ash-wastes"' in home("Sol")
    assert "Ash Wastes" not in home("Nobody")
    assert "open the link that its Arbitrator sends you" in home("Nobody")


def test_a_stranger_is_told_how_to_sign_in(club: Club) -> None:
    answer = club.client.get("/", headers=BROWSER)
    assert answer.status_code == 200
    assert "You come in by a link that the Arbitrator of your campaign sends you" in answer.text
    assert "Ash Wastes" not in answer.text


def test_a_campaigns_page_is_not_there_for_strangers(club: Club) -> None:
    headers = {**BROWSER, "Authorization": f"Bearer {club.tokens['Nobody']}"}
    answer = club.client.get("/campaigns/ash-wastes", headers=headers)
    assert answer.status_code == 404
    assert "Iron Skulls" not in answer.text
    assert club.client.get("/campaigns/ash-wastes", headers=BROWSER).status_code == 401


def test_a_public_campaign_is_read_by_strangers_as_far_as_its_table_of_rights_says(club: Club) -> None:
    here = "/campaigns/ash-wastes"
    club.tracker.people.set_visibility(club.campaign, "public")
    assert f'href="{here}"' in club.client.get("/", headers=BROWSER).text
    paths = (
        "", "/gangs", "/gangs/iron-skulls", "/gangs/iron-skulls/ledger", "/fighters/quill", "/fighters/quill/why/movement", "/battles",
        "/battles/1", "/disputes", "/house-rules", "/judge", "/log", "/log/10", "/compare", "/record",
    )  # fmt: skip
    for path in paths:
        answer = club.client.get(f"{here}{path}", headers=BROWSER)
        assert answer.status_code == 200, (path, answer.text)
        assert 'href="/sign-in"' in answer.text
        assert 'method="post"' not in answer.text, f"a stranger writes nothing: {path}"
        assert "data-head=" not in answer.text, f"the events of the log are for who signed in: {path}"
    for path in ("/log/proof", "/rollback", "/disputes/new?event=10.2", "/record/d-1f4kx2mz"):
        assert club.client.get(f"{here}{path}", headers=BROWSER).status_code == 401, path
    assert club.client.post(f"{here}/record", data={"kind": "gang"}, headers=BROWSER).status_code == 401


def test_drafts_and_reports_of_a_public_campaign_are_for_its_members(club: Club) -> None:
    club.tracker.people.set_visibility(club.campaign, "public")
    assert club.ask("Mara", "POST", "/drafts", json={"kind": "gang"}).status_code == 200
    assert club.ask("Dana", "POST", "/proposals", content=REPORT).status_code == 200
    for path in ("", "/record"):
        text = club.client.get(f"/campaigns/ash-wastes{path}", headers=BROWSER).text
        assert "is being recorded" not in text
        assert "ent in" not in text


def test_strangers_do_not_learn_whether_a_private_campaign_exists(club: Club) -> None:
    def said(slug: str) -> str:
        answer = club.client.get(f"/campaigns/{slug}", headers=BROWSER)
        assert answer.status_code == 401
        return str(answer.text)

    assert said("ash-wastes") == said("no-such-place")


def test_a_failure_is_a_page_for_browsers_and_a_problem_document_for_programs(served: Served) -> None:
    token = {"Authorization": "Bearer trk_of-the-tests"}
    for_people = served.client.get("/campaigns/sump", headers={**BROWSER, **token})
    assert (for_people.status_code, for_people.headers["content-type"]) == (404, "text/html; charset=utf-8")
    assert "There is no campaign &#39;sump&#39;" in for_people.text
    for_programs = served.client.get("/campaigns/sump", headers=token)
    assert for_programs.json()["code"] == "unknown_campaign"
    of_the_api = served.client.get("/v1/campaigns/sump", headers={**BROWSER, **token})
    assert of_the_api.json()["code"] == "unknown_campaign"


def test_files_of_pages_are_kept_for_good_under_a_name_of_their_content(served: Served) -> None:
    for name in ("style.css", "page.js", "htmx.min.js", "icon.svg"):
        answer = served.client.get(assets.address(name))
        assert answer.status_code == 200
        assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert re.fullmatch(r"/static/style\.[0-9a-f]{12}\.css", assets.address("style.css"))
    assert served.client.get("/static/style.000000000000.css").status_code == 404
    assert served.client.get("/static/..%2f__init__.py").status_code == 404


def test_pages_bring_no_style_or_script_within(served: Served) -> None:
    here = "/campaigns/ash-wastes"
    for path in (
        "/", here, f"{here}/nothing", f"{here}/gangs", f"{here}/gangs/iron-skulls", f"{here}/fighters/quill",
        f"{here}/fighters/quill/why/movement", f"{here}/gangs/iron-skulls/why/won", f"{here}/compare",
    ):  # fmt: skip
        headers = {**BROWSER, "Authorization": "Bearer trk_of-the-tests"}
        text = served.client.get(path, headers=headers).text
        assert not re.search(r"<style|\sstyle=|<script(?! src=)|\son[a-z]+=", text), path


def test_the_footer_and_the_log_name_the_state_they_show(served: Served, table: Arbitrator) -> None:
    before = seen(served, "/campaigns/ash-wastes/log")
    table.done("fighter", "rename", "krug", "--name", "Old Krug")
    after = seen(served, "/campaigns/ash-wastes/log")
    assert "Fingerprint" not in seen(served, "/campaigns/ash-wastes"), "it is for who reads the log"
    head = served.get("").headers["ETag"].strip('"')
    size, leaf = head.split("-")
    assert f"{size} events recorded" in after
    assert f"<code>{leaf}</code>" in after
    assert leaf not in before


def test_a_form_is_read_field_by_field() -> None:
    form = FormValues.read(b"reason=cocked+die&fighter=krug&fighter=hob&head=111-e59435578f3c6356&key=k1")
    assert form.get("reason") == "cocked die"
    assert form.all("fighter") == ["krug", "hob"]
    assert form.get("none") == ""
    sending = form.sending("mara")
    assert (sending.expected_size, sending.expected_leaf) == (111, "e59435578f3c6356")
    assert sending.key == "form:mara:k1"


@pytest.mark.parametrize("body", [b"a=%ff", b"\xff", b"&".join([b"a=1"] * 6001)])
def test_a_form_that_is_none_is_refused(body: bytes) -> None:
    with pytest.raises(FormUnreadable):
        FormValues.read(body)


@pytest.mark.parametrize("field", [b"head=yesterday", b"key=" + b"k" * 101, b"head=1-2"])
def test_a_forms_hidden_fields_are_what_the_page_put_there(field: bytes) -> None:
    with pytest.raises(FormUnreadable):
        FormValues.read(field).sending("mara")


def in_words(page: str) -> str:
    """A page's text, with single spaces."""
    words = " ".join(html.unescape(re.sub(r"<[^>]*>", " ", page)).split())
    return re.sub(r" ([,.:;])", r"\1", words)


def test_the_campaign_page_shows_the_leader_the_last_battle_and_open_work(served: Served) -> None:
    text = in_words(seen(served, "/campaigns/ash-wastes"))
    # A battle won each: the Gilded Cage has more Reputation.
    assert text.index("The Gilded Cage Velvet Court") < text.index("Iron Skulls Forge Clans")
    assert "Battle 2: Toll at the Bridge 14 Mar 2026 The Gilded Cage won." in text
    assert "suffers Hobbled (4-6)" in text
    assert "nobody has said yet that they saw them fall." in text
    assert "None: the book as it is." in text


def test_a_house_rule_in_force_stands_on_the_campaigns_page(served: Served, table: Arbitrator) -> None:
    table.done("policy", "adopt", "captives-in-rating@1", "--from-battle", "3", "--reason", "we voted")
    text = in_words(seen(served, "/campaigns/ash-wastes"))
    assert "None: the book as it is." not in text
    assert "from battle 3 on" in text


def test_a_form_sent_after_the_session_ended_comes_back_filled_in(club: Club) -> None:
    sent = {"event": "10.2", "reason": "cocked <b>die</b>", "key": "form-1", "head": "52-0123456789abcdef"}
    answer = club.client.post("/campaigns/ash-wastes/disputes", data=sent, headers=BROWSER)
    assert answer.status_code == 401
    assert 'action="/campaigns/ash-wastes/disputes"' in answer.text
    for name, value in sent.items():
        assert f'<input type="hidden" name="{name}" value="{html.escape(value)}">' in answer.text
    shown = in_words(answer.text)
    assert "reason cocked <b>die</b>" in shown
    assert "form-1" not in shown
    program = club.client.post("/campaigns/ash-wastes/disputes", data=sent)
    assert program.json()["code"] == "not_signed_in"


def test_a_refusal_on_a_page_names_pages_where_a_terminal_would_name_commands() -> None:
    assert on_page("No gang 'x'. See 'arbitrator gang list'.") == "No gang 'x'. See Gangs."
    assert on_page("See 'arbitrator fighter show mags'.") == "See the fighter's page."
    seed = on_page(SeedMissing(session=1, file="/srv/keys, all/1.seed").message())
    assert "/srv" not in seed
    assert "Type in dice from the table" in seed
    assert on_page("'arbitrator gang add FILE'") == "'arbitrator gang add FILE'"
    assert "arbitrator" not in on_page(UnknownCampaign(campaign="ash", known=()).message())
    assert "arbitrator" not in on_page(UnknownCampaign(campaign="ash", known=("ash-wastes",)).message())
    assert {*PLACES} <= RIGHTS.keys()


def test_dice_that_nobody_saw_fall_wait_by_the_name_of_who_typed_them_in(club: Club) -> None:
    def waits() -> str:
        headers = {**BROWSER, "Authorization": f"Bearer {club.tokens['Mara']}"}
        return in_words(club.client.get("/campaigns/ash-wastes", headers=headers).text)

    dice = "hit: {attacker: krug, weapon: pile hammer, target: wren, close_combat: true}"
    dice += "\n    dice: {wound: [1]}"
    text = report("night", dice, result="draw: true")
    assert club.ask("Mara", "POST", "/battles", content=text).status_code == 200
    assert "1 die of Mara's: nobody has said yet that they saw it fall." in waits()
    address = next(
        event["address"]
        for entry in club.ask("Mara", "GET", "/battles/night").json()["entries"]
        for event in entry["events"]
        if event["type"] == "RollMade"
    )
    assert club.ask("Dana", "POST", f"/log/{address}/confirm", json={"by": "Dana"}).status_code == 200
    assert "Mara typed in" not in waits()


def test_an_open_dispute_waits_on_the_campaigns_page_and_marks_what_depends_on_it(
    served: Served, table: Arbitrator
) -> None:
    table.done("dispute", "open", "10.2", "--reason", "the die was cocked", "--by", "Robin")
    assert "waits for a ruling: the die was cocked" in in_words(seen(served, "/campaigns/ash-wastes"))
    gang = in_words(seen(served, "/campaigns/ash-wastes/gangs/gilded-cage"))
    assert '4" ?' in gang
    assert "Values marked ? depend on an open dispute" in gang


def test_a_card_marks_what_changed_since_enlisting_and_leads_to_why(served: Served) -> None:
    page = seen(served, "/campaigns/ash-wastes/gangs/gilded-cage")
    card = page[page.index('id="quill"') :]
    card = card[: card.index("</article>")]
    assert re.findall(r'<td class="changed">(.*?)</td>', card) == ["4&#34;"]
    assert 'Movement 5" became → 4"' in in_words(card)
    assert 'href="/campaigns/ash-wastes/fighters/quill/why/movement"' in card
    assert "Hobbled" in card
    assert "long las" in card


def test_the_dead_stand_apart_from_those_who_can_be_played(served: Served, table: Arbitrator) -> None:
    table.done("fighter", "retire", "ivo", "--reason", "gone home")
    text = in_words(seen(served, "/campaigns/ash-wastes/gangs/gilded-cage"))
    assert text.index("Thimble") < text.index("No longer in the gang") < text.index("Ivo")


def test_a_fighters_life_stands_under_its_battles(served: Served) -> None:
    text = in_words(seen(served, "/campaigns/ash-wastes/fighters/quill"))
    assert text.index("Before the first battle") < text.index("Quill (Ganger, Court Sister) joins")
    assert text.index("Battle 2: Toll at the Bridge") < text.index("Lasting Injury roll 4-6: Hobbled")


def test_a_number_opens_the_dice_the_table_and_the_section_behind_it(served: Served) -> None:
    text = in_words(seen(served, "/campaigns/ash-wastes/fighters/quill/why/movement"))
    chain = (
        "wound roll 5, Strength 3 against Toughness 3 (needs 4+): wounds",
        "Core Rulebook (2023) · Resolve Hits · 1. Make Wound Roll",
        "Lasting Injury roll 4-6: Hobbled",
        'Movement 5" → 4" (Hobbled)',
        '5" → 4"',
    )
    places = [text.index(part) for part in chain]
    assert places == sorted(places)


def test_a_page_shows_the_campaign_after_a_battle_and_carries_that_on(served: Served) -> None:
    page = seen(served, "/campaigns/ash-wastes/gangs/gilded-cage?after=1")
    assert "After battle 1, Toll at the Bridge: as we know it today" in in_words(page)
    assert "Hobbled" not in page
    assert 'href="/campaigns/ash-wastes/fighters/quill?after=1"' in page


def test_a_page_shows_what_was_believed_then_before_a_later_ruling(served: Served, table: Arbitrator) -> None:
    table.done("dispute", "open", "10.2", "--reason", "the die was cocked", "--by", "Robin")
    (dispute,) = table.read("dispute", "list")["disputes"]
    ruling = ("--void", "--reason", "nobody saw it", *table.seen())
    table.done("dispute", "rule", str(dispute["dispute"]), *ruling)
    now = seen(served, "/campaigns/ash-wastes/gangs/gilded-cage?after=2")
    then = seen(served, "/campaigns/ash-wastes/gangs/gilded-cage?after=2&as=then")
    assert "Hobbled" not in now
    assert "Hobbled" in then


@pytest.mark.parametrize("query", ["after=9", "after=x", "after=1&as=believed"])
def test_a_point_in_time_that_is_none_is_refused(served: Served, query: str) -> None:
    headers = {**BROWSER, "Authorization": "Bearer trk_of-the-tests"}
    answer = served.client.get(f"/campaigns/ash-wastes?{query}", headers=headers)
    assert answer.status_code == 422
    assert "takes the number of a battle from 1 to 2" in answer.text


def test_two_points_are_compared(served: Served) -> None:
    text = in_words(seen(served, "/campaigns/ash-wastes/compare?from=battle:1&to=now"))
    assert "Quill The Gilded Cage" in text
    assert 'Movement: 5" became → 4"' in text
    assert "New lasting injury: Hobbled, battle 2" in text


def test_a_roll_behind_a_number_is_drawn_and_may_be_disputed_by_a_player_there(club: Club) -> None:
    path = "/campaigns/ash-wastes/fighters/quill/why/movement"

    def shown(name: str, query: str = "") -> str:
        headers = {**BROWSER, "Authorization": f"Bearer {club.tokens[name]}"}
        return str(club.client.get(path + query, headers=headers).text)

    dispute = 'href="/campaigns/ash-wastes/disputes/new?event=10.2"'
    assert '<use href="#face-5"/>' in shown("Dana")
    assert dispute in shown("Dana")
    assert dispute not in shown("Sol")
    assert "disputes/new" not in shown("Dana", "?after=2")


def test_a_draft_battle_is_listed_on_the_campaign_page_of_those_who_may_record(
    club: Club, table: Arbitrator
) -> None:
    table.done("draft", "begin", "gang")

    def shown(name: str) -> str:
        headers = {**BROWSER, "Authorization": f"Bearer {club.tokens[name]}"}
        return str(club.client.get("/campaigns/ash-wastes", headers=headers).text)

    assert "A gang is being recorded" in shown("Mara")
    assert "is being recorded" not in shown("Sol")


REPORT = """\
format: battle-report/1
battle: night
scenario: Sump Raid
date: 2026-04-01
gangs: [iron-skulls, gilded-cage]
entries:
  - experience: {fighter: krug, amount: 1, reason: held on}
result: {draw: true}
"""


def seen_by(club: Club, name: str, path: str = "") -> str:
    """What somebody's browser is shown of the campaign."""
    headers = {**BROWSER, "Authorization": f"Bearer {club.tokens[name]}"}
    answer = club.client.get(f"/campaigns/ash-wastes{path}", headers=headers)
    assert answer.status_code == 200, answer.text
    return str(answer.text)


def joined(club: Club, name: str, gang: str) -> None:
    """One more player."""
    people = club.tracker.people
    person = club.people[name] = people.add(name)
    people.join(club.campaign, person.person, role="player", gangs=(gang,))
    club.tokens[name] = people.tokens.new(person.person, label="tests", scope="write").secret


def test_a_report_that_was_sent_in_waits_first_for_the_other_player_then_for_the_arbitrator(
    club: Club,
) -> None:
    joined(club, "Robin", "gilded-cage")
    proposal = club.ask("Dana", "POST", "/proposals", content=REPORT).json()["proposal"]
    waiting = in_words(seen_by(club, "Sol"))
    assert "Dana proposed the report of Night: it waits for The Gilded Cage to confirm it." in waiting
    club.ask("Robin", "POST", f"/proposals/{proposal}/object", json={"reason": "Krug was down"})
    waiting = in_words(seen_by(club, "Mara"))
    assert "to confirm it, and there is an objection by Robin." in waiting
    club.ask("Robin", "POST", f"/proposals/{proposal}/confirm")
    page = seen_by(club, "Mara")
    assert "it waits for an Arbitrator to record it." in in_words(page)
    assert f'href="/campaigns/ash-wastes/record#report-{proposal}"' in page
    assert f'id="report-{proposal}"' in seen_by(club, "Mara", "/record")


def test_a_battle_is_shown_as_it_was_believed_then_and_as_it_is_known_today(
    served: Served, table: Arbitrator
) -> None:
    table.done("dispute", "open", "10.2", "--reason", "the die was cocked", "--by", "Robin")
    (dispute,) = table.read("dispute", "list")["disputes"]
    ruling = ("--void", "--reason", "nobody saw it", *table.seen())
    table.done("dispute", "rule", str(dispute["dispute"]), *ruling)
    page = "/campaigns/ash-wastes/battles/2"
    now, then = seen(served, page), seen(served, f"{page}?after=2&as=then")
    assert "Struck out by" in now
    assert "Struck out by" not in then
    assert "After battle 2, Toll at the Bridge: as it stood then, before later rulings." in in_words(then)
    assert 'href="/campaigns/ash-wastes/gangs/gilded-cage?after=2&amp;as=then"' in then
    assert "/disputes/new?event=" in now
    assert "/disputes/new?event=" not in then, "what was believed then is not disputed"
    assert "Roll back this battle" not in then


def test_a_battle_that_was_not_played_by_then_is_refused_with_a_word(served: Served) -> None:
    headers = {**BROWSER, "Authorization": "Bearer trk_of-the-tests"}
    answer = served.client.get("/campaigns/ash-wastes/battles/2?after=1", headers=headers)
    assert answer.status_code == 422
    assert "Battle 2 was not played yet after battle 1. Choose a later point in time." in answer.text


def test_a_proposed_report_is_shown_before_it_is_recorded(club: Club) -> None:
    before = club.ask("Mara", "GET", "").headers["ETag"]
    proposal = club.ask("Dana", "POST", "/proposals", content=REPORT).json()["proposal"]
    page = seen_by(club, "Mara", f"/reports/{proposal}")
    assert "This is what would be recorded. It does not count yet." in in_words(page)
    assert "held on" in in_words(page)
    assert f'href="/campaigns/ash-wastes/reports/{proposal}"' in seen_by(club, "Mara", "/record")
    assert f"/reports/{proposal}" not in seen_by(club, "Sol", "/record"), "players and Arbitrators read it"
    assert club.ask("Mara", "GET", "").headers["ETag"] == before
