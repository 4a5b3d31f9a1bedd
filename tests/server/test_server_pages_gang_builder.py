"""A gang on one page, in a browser without scripts: begun, kept, put right, joined by more fighters."""

import html
import re
from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from forms_seen import Visitor
from served import Club

from tracker.drafts.records import Draft
from tracker.records import replace
from tracker.server.pages.gang_rows import FighterFields, spent
from tracker.server.pages.gang_rows_property import weapons_beside_fighters
from tracker.service.drafts import Drafts

PLACE = "/campaigns/ash-wastes"
BEGIN = f"{PLACE}/begin-gang"
MARKET = Path(__file__).parents[2] / "fixtures" / "armoury" / "sump-market.yaml"
MISSING, ENLIST, KEEP, ADD = "What is missing?", "Enlist the gang", "Keep it for later", "Add"
NUMBERS = {
    "M": "4", "WS": "4+", "BS": "4+", "S": "3", "T": "3", "W": "1", "I": "4+", "A": "1",
    "Ld": "8+", "Cl": "7+", "Wil": "8+", "Int": "8+",
}  # fmt: skip


@pytest.fixture
def market(table: Arbitrator) -> None:
    """The campaign keeps an armoury."""
    table.done("campaign", "armoury", str(MARKET))


@pytest.fixture
def mara(club: Club) -> Visitor:
    """The Arbitrator."""
    return Visitor(club.client, club.tokens["Mara"])


def begun(visitor: Visitor, **head: str) -> None:
    """A gang on its way, with its head."""
    visitor.go(BEGIN)
    said = {"name": "Sump Saints", "house": "Forge Clans", "player": "Kim", **head}
    visitor.press(KEEP, **said)


@pytest.mark.usefixtures("market")
def test_fighters_are_added_by_type_with_their_numbers_and_enlisted(mara: Visitor, club: Club) -> None:
    begun(mara)
    mara.press(ADD, add_type="Forge Champion", add_name="Old Bo")
    form = mara.form(ADD)
    assert form.fields["fighter.0.number.WS"] == "3+"
    assert form.fields["fighter.0.category"] == "champion"
    mara.press(ADD, add_type="Forge Hand")
    mara.press(ADD, add_type="Forge Hand")
    form = mara.form(ADD)
    assert [form.fields[f"fighter.{row}.name"] for row in range(3)] == [
        "Old Bo",
        "Forge Hand",
        "Forge Hand 2",
    ]
    shown = mara.press(KEEP, fields={"fighter.1.weapon.1": "nail gun", "budget": "500"})
    assert "230 credits" in shown, "110 and twice 55, and a nail gun of 10"
    assert "270 credits left" in shown
    mara.press(ENLIST)
    assert mara.at == f"{PLACE}/gangs/sump-saints"
    assert "Done." in mara.html
    shown = club.ask("Mara", "GET", "/gangs/sump-saints").text
    assert "Old Bo" in shown
    assert "nail gun" in shown
    assert club.tracker.drafts.of(club.campaign) == (), "it is on its way no more"


@pytest.mark.usefixtures("market")
def test_a_number_that_the_book_does_not_print_is_noted_before_the_gang_is_enlisted(mara: Visitor) -> None:
    begun(mara)
    mara.press(ADD, add_type="Forge Hand", add_name="Old Bo")
    assert "is kept as the card has it" not in mara.html
    shown = mara.press(KEEP, fields={"fighter.0.number.M": '19"'})
    assert "Old Bo: M 19" in html.unescape(shown)
    assert "is kept as the card has it" in shown
    assert ENLIST in shown, "the card is its owner's"


def test_without_an_armoury_the_card_is_filled_in_by_hand(mara: Visitor, club: Club) -> None:
    begun(mara)
    mara.press(ADD, add_name="Bo")
    page = mara.press(MISSING)
    assert "This is missing." in page
    card = {"fighter.0.category": "ganger", "fighter.0.type": "Hand", "fighter.0.cost": "50"}
    mara.press(
        MISSING, fields={**card, **{f"fighter.0.number.{short}": said for short, said in NUMBERS.items()}}
    )
    assert ENLIST in mara.html
    mara.press(KEEP, fields={"fighter.0.weapon.1": "rivet cannon"})
    assert ENLIST not in mara.html, "nobody knows the numbers of that weapon"
    assert re.search(r'<label for="weapon-0-short">Short range</label>', mara.html), "not Short alone"
    page = mara.press(MISSING)
    assert "fill them in below, under Weapons with numbers of your own." in page
    assert "--armoury" not in page
    mara.press(
        KEEP, fields={"weapon.0.S": "5", "weapon.0.AP": "-1", "weapon.0.D": "2", "weapon.0.short": "8"}
    )
    mara.press(
        KEEP, fields={"weapon.0.long": "24", "weapon.0.ammo": "6+", "weapon.0.traits": "Knockback, Unwieldy"}
    )
    mara.press(ENLIST)
    shown = club.ask("Mara", "GET", "/gangs/sump-saints").text
    assert "rivet cannon" in shown
    assert "Knockback" in shown


@pytest.mark.usefixtures("market")
def test_a_fresh_gang_s_main_button_adds_a_fighter(mara: Visitor) -> None:
    def has_main(button: str) -> bool:
        (found,) = re.findall(rf"<button([^>]*)>{re.escape(button)}</button>", mara.html)
        return "quiet" not in found

    mara.go(BEGIN)
    assert has_main(ADD)
    assert not has_main(MISSING)
    mara.press(ADD, add_type="Forge Champion", add_name="Old Bo")
    assert not has_main(ADD)
    assert has_main(MISSING), "the gang has no name yet, and what keeps it from enlisting is what comes next"


def test_a_campaign_without_a_list_offers_to_bring_it_first(mara: Visitor, club: Club) -> None:
    bring = f'<a class="button" href="{PLACE}/armoury">'
    assert bring in mara.go(BEGIN)
    assert re.search(r'<button class="quiet"[^>]*>Add</button>', mara.html), "one main button, not two"
    mara.press(ADD, add_name="Bo")
    assert bring not in mara.html, "whoever types a card has chosen"
    kim = Visitor(club.client, club.tokens["Dana"])
    assert "Ask the Arbitrator to bring the club's list" in html.unescape(kim.go(BEGIN))
    assert bring not in kim.html


@pytest.mark.usefixtures("market")
def test_a_fault_stands_beside_its_field_and_what_was_typed_stays(mara: Visitor) -> None:
    begun(mara)
    mara.press(ADD, add_type="Forge Hand", add_name="Bo")
    page = mara.press(KEEP, fields={"fighter.0.number.WS": "better", "fighter.0.cost": "lots"})
    assert 'id="fighter-0-cost-fault"' in page
    assert 'id="fighter-0-number-WS-fault"' in page
    assert ENLIST not in page
    assert mara.form(MISSING).fields["fighter.0.cost"] == "lots"


@pytest.mark.usefixtures("market")
def test_a_name_that_is_taken_is_said_beside_it(mara: Visitor) -> None:
    begun(mara, name="Iron Skulls")
    page = mara.press(ADD, add_type="Forge Hand", add_name="Bo")
    assert 'id="gang-name-fault"' in page
    assert "arbitrator " not in page


@pytest.mark.usefixtures("market")
def test_what_nobody_typed_yet_is_no_fault(mara: Visitor) -> None:
    begun(mara, house="")
    page = mara.press(ADD, add_name="Bo", add_type="own")
    assert "This is missing." not in page
    assert "This is missing." in mara.press(MISSING)


@pytest.mark.usefixtures("market")
def test_a_gang_on_its_way_is_gone_on_with_by_somebody_else(mara: Visitor, club: Club) -> None:
    begun(mara)
    mara.press(ADD, add_type="Forge Hand", add_name="Bo")
    dana = Visitor(club.client, club.tokens["Dana"])
    page = dana.go(BEGIN)
    assert "Sump Saints" in page
    (draft,) = club.tracker.drafts.of(club.campaign)
    dana.go(f"{BEGIN}?draft={draft.draft}")
    dana.press(ADD, add_type="Kettle Boy", add_name="Nub")
    stale = mara.press(ADD, status=412, add_type="Forge Hand", add_name="Late")
    assert "That did not work." in stale, "nobody writes over what they did not see"
    (draft,) = club.tracker.drafts.of(club.campaign)
    assert "Nub" in draft.text
    assert "Late" not in draft.text


@pytest.mark.usefixtures("market")
def test_a_page_that_keeps_what_is_typed_does_not_get_in_its_own_way(mara: Visitor, club: Club) -> None:
    begun(mara)
    form = mara.form(ADD)
    kept_by_itself = {**form.fields, "reputation": "3"}
    club.client.post(BEGIN, data=kept_by_itself, headers=mara.headers)
    mara.send(form, ADD, {"reputation": "3", "add_type": "Forge Hand", "add_name": "Bo"})
    club.client.post(BEGIN, data={**kept_by_itself, "reputation": "4"}, headers=mara.headers)
    (draft,) = club.tracker.drafts.of(club.campaign)
    assert "Bo" in draft.text, "what arrives late takes nothing out"
    assert "reputation: 3" in draft.text


@pytest.mark.usefixtures("market")
@pytest.mark.parametrize("by_itself", [True, False])
def test_what_the_page_keeps_by_itself_may_overtake_its_button(
    mara: Visitor, club: Club, monkeypatch: pytest.MonkeyPatch, by_itself: bool
) -> None:
    """Both are decided at once, and the other is kept first. What another page keeps is not written over."""
    begun(mara)
    key, change = mara.form(ADD).fields["key"], Drafts.change

    def overtaken(drafts: Drafts, draft: Draft, *, by: str) -> Draft:
        monkeypatch.setattr(Drafts, "change", change)
        kept = drafts.draft(draft.campaign, draft.draft)
        change(drafts, replace(kept, seed=key if by_itself else "another page"), by=by)
        return change(drafts, draft, by=by)

    monkeypatch.setattr(Drafts, "change", overtaken)
    mara.press(ADD, status=200 if by_itself else 412, add_type="Forge Hand", add_name="Bo")
    (draft,) = club.tracker.drafts.of(club.campaign)
    assert ("Bo" in draft.text) == by_itself


@pytest.mark.usefixtures("market")
def test_rows_are_taken_out_and_made_twice(mara: Visitor) -> None:
    begun(mara)
    mara.press(ADD, add_type="Forge Hand", add_name="Bo")
    mara.press("Another like Bo", fields={"fighter.0.weapon.1": "nail gun"})
    form = mara.form(ADD)
    assert (form.fields["fighter.1.name"], "fighter.2.name" in form.fields) == ("Bo 2", False)
    mara.press("Take Bo out")
    assert mara.form(ADD).fields["fighter.0.name"] == "Bo 2"


def test_a_player_begins_the_gang_that_they_were_let_in_for(club: Club) -> None:
    sol = club.people["Sol"].person
    club.tracker.people.set_role(club.campaign, sol, role="player", gangs=("saints-of-sol",))
    visitor = Visitor(club.client, club.tokens["Sol"])
    begun(visitor, player="Sol")
    visitor.press(ADD, add_name="Bo")
    card = {"fighter.0.category": "ganger", "fighter.0.type": "Hand", "fighter.0.cost": "50"}
    visitor.press(
        MISSING, fields={**card, **{f"fighter.0.number.{short}": said for short, said in NUMBERS.items()}}
    )
    visitor.press(ENLIST)
    assert visitor.at == f"{PLACE}/gangs/saints-of-sol"


def test_who_was_let_in_for_two_gangs_chooses_which_one_begins(club: Club) -> None:
    sol = club.people["Sol"].person
    club.tracker.people.set_role(club.campaign, sol, role="player", gangs=("saints-of-sol", "sons-of-sol"))
    visitor = Visitor(club.client, club.tokens["Sol"])
    begun(visitor, player="Sol", gang="sons-of-sol")
    assert visitor.form(KEEP).fields["gang"] == "sons-of-sol"
    visitor.press(ADD, add_name="Bo")
    card = {"fighter.0.category": "ganger", "fighter.0.type": "Hand", "fighter.0.cost": "50"}
    visitor.press(
        MISSING, fields={**card, **{f"fighter.0.number.{short}": said for short, said in NUMBERS.items()}}
    )
    visitor.press(ENLIST)
    assert visitor.at == f"{PLACE}/gangs/sons-of-sol"


def test_a_card_is_put_right_as_the_gang_joined(mara: Visitor, club: Club) -> None:
    mara.go(f"{PLACE}/gangs/iron-skulls/edit")
    form = mara.form("Show what it changes")
    rows = {form.fields[name]: name.split(".")[1] for name in form.fields if name.endswith(".name")}
    shown = mara.press("Show what it changes", fields={f"fighter.{rows['Vex']}.number.Int": "5+"})
    assert "What it changes" in shown
    mara.press("Put it right", reason="a slip of the pen")
    assert mara.at == f"{PLACE}/gangs/iron-skulls"
    (vex,) = [
        fighter
        for fighter in club.ask("Mara", "GET", "/roster").json()["gangs"][0]["fighters"]
        if fighter["fighter"] == "vex"
    ]
    assert vex["characteristics"]["intelligence"] == 5


def test_a_gang_that_is_not_changed_has_nothing_to_put_right(mara: Visitor) -> None:
    mara.go(f"{PLACE}/gangs/iron-skulls/edit")
    assert "there is nothing to correct" in mara.press("Show what it changes")


@pytest.mark.usefixtures("market")
def test_fighters_join_a_gang_that_is_here(mara: Visitor, club: Club) -> None:
    mara.go(f"{PLACE}/gangs/iron-skulls/join")
    mara.press(ADD, add_type="Forge Hand", add_name="Nub")
    mara.press("They join")
    assert mara.at == f"{PLACE}/gangs/iron-skulls"
    assert "Nub" in club.ask("Mara", "GET", "/gangs/iron-skulls").text


@pytest.mark.usefixtures("market")
def test_what_lies_in_the_stash_comes_with_its_price_and_counts(mara: Visitor, club: Club) -> None:
    begun(mara)
    mara.press(ADD, add_type="Forge Hand", add_name="Bo")
    shown = mara.press(KEEP, fields={"item.0.name": "Nail Gun"})
    assert "65 credits" in shown, "55 and a nail gun of 10"
    form = mara.form(KEEP)
    assert (form.fields["item.0.cost"], form.fields["item.0.kind"]) == ("10", "weapon")
    mara.press(KEEP, fields={"item.1.name": "lamp rig", "item.1.cost": "lots"})
    assert ENLIST not in mara.html
    mara.press(KEEP, fields={"item.1.cost": "15", "item.1.kind": "wargear"})
    mara.press(KEEP, fields={"item.2.name": "old mesh", "item.2.cost": "20"})
    mara.press(KEEP, fields={"item.2.name": ""})
    mara.press(ENLIST)
    stash = club.ask("Mara", "GET", "/gangs/sump-saints/stash").json()["stash"]
    assert [(item["name"].casefold(), item["cost_credits"]) for item in stash] == [
        ("nail gun", 10),
        ("lamp rig", 15),
    ]


@pytest.mark.usefixtures("market")
def test_a_gang_brings_its_past_along(mara: Visitor, club: Club) -> None:
    begun(mara)
    mara.press(ADD, add_type="Forge Hand", add_name="Bo")
    past = {
        "so_far.battles": "5",
        "so_far.won": "3",
        "so_far.lost": "2",
        "so_far.territories": "Old Mill, The Vats",
    }
    own = {
        "fighter.0.so_far.kills": "2",
        "fighter.0.so_far.injuries": "Eye Injury",
        "fighter.0.so_far.in_recovery": "1",
    }
    mara.press(KEEP, fields={**past, **own})
    assert ENLIST not in mara.html, "nobody said whether the card counts the injury"
    mara.press(KEEP, fields={"injuries_counted": "yes", "brought_from": "our old spreadsheet"})
    mara.press(ENLIST)
    gang = club.ask("Mara", "GET", "/gangs/sump-saints").json()
    assert "Old Mill" in str(gang)
    roster = club.ask("Mara", "GET", "/roster").json()["gangs"]
    (bo,) = [card for row in roster for card in row["fighters"] if card["name"] == "Bo"]
    assert [injury["injury"] for injury in bo["injuries"]] == ["eye_injury"]
    mara.go(f"{PLACE}/gangs/sump-saints/edit")
    form = mara.form("Show what it changes")
    assert form.fields["fighter.0.so_far.injuries"].casefold() == "eye injury"
    assert "there is nothing to correct" in mara.press("Show what it changes"), (
        "all of it reads back as it was"
    )


def test_a_vehicle_has_its_row_and_who_drives_it(mara: Visitor) -> None:
    begun(mara)
    mara.press(ADD, add_name="Wheels")
    card = {"fighter.0.category": "ganger", "fighter.0.type": "Hand", "fighter.0.cost": "50"}
    numbers = {f"fighter.0.number.{short}": said for short, said in NUMBERS.items()}
    mara.press(KEEP, fields={**card, **numbers})
    mara.press("Add a vehicle")
    assert ENLIST not in mara.html, "its numbers are not there yet"
    row = {
        "name": "Rust Wagon",
        "cost": "120",
        "crew": "Wheels",
        "M": "6",
        "HP": "3",
        "Hnd": "7+",
        "Sv": "5+",
    }
    facing = {"T.front": "5", "T.side": "4", "T.rear": "lots"}
    shown = mara.press(MISSING, fields={f"vehicle.0.{key}": said for key, said in (row | facing).items()})
    assert 'id="vehicle-0-T-rear-fault"' in shown
    shown = mara.press(KEEP, fields={"vehicle.0.T.rear": "4"})
    assert "170 credits" in shown
    mara.press(ENLIST)
    assert "Rust Wagon" in mara.html
    mara.go(f"{mara.at}/edit")
    assert "there is nothing to correct" in mara.press("Show what it changes")


def test_a_type_that_was_filled_in_by_hand_is_offered_for_the_next_fighter(mara: Visitor) -> None:
    begun(mara)
    mara.press(ADD, add_name="Bo")
    card = {"fighter.0.category": "ganger", "fighter.0.type": "Kettle Hand", "fighter.0.cost": "50"}
    numbers = {f"fighter.0.number.{short}": said for short, said in NUMBERS.items()}
    mara.press(KEEP, fields={**card, **numbers, "fighter.0.weapon.1": "rivet cannon", "fighter.0.xp": "3"})
    assert "Kettle Hand" in mara.form(ADD).choices["add_type"]
    mara.press(ADD, add_type="Kettle Hand", add_name="Nub")
    fields = mara.form(ADD).fields
    assert {key: fields[f"fighter.1.{key}"] for key in ("name", "type", "category", "cost", "xp")} == {
        "name": "Nub", "type": "Kettle Hand", "category": "ganger", "cost": "50", "xp": "",
    }  # fmt: skip
    assert fields["fighter.1.number.WS"] == NUMBERS["WS"]
    assert fields["fighter.1.weapon.1"] == "", "what Bo carries is Bo's"


def test_a_type_costs_without_what_its_first_fighter_carries(mara: Visitor) -> None:
    begun(mara)
    mara.press(ADD, add_name="Bo")
    card = {"fighter.0.category": "ganger", "fighter.0.type": "Kettle Hand", "fighter.0.cost": "50"}
    numbers = {f"fighter.0.number.{short}": said for short, said in NUMBERS.items()}
    mara.press(KEEP, fields={**card, **numbers, "fighter.0.weapon.1": "rivet cannon"})
    mara.press(KEEP, fields={"weapon.0.S": "5", "weapon.0.cost": "15"})
    assert mara.form(KEEP).fields["fighter.0.cost"] == "65"
    assert "Kettle Hand, 50 credits" in mara.html
    mara.press(ADD, add_type="Kettle Hand", add_name="Nub")
    assert mara.form(ADD).fields["fighter.1.cost"] == "50"
    assert "Kettle Hand, 50 credits" in mara.html


@pytest.mark.usefixtures("market")
def test_what_is_not_spent_is_said_before_the_gang_enlists(mara: Visitor) -> None:
    begun(mara)
    assert "Not spent" not in mara.press(KEEP), "it is too early to say"
    mara.press(ADD, add_type="Forge Hand", add_name="Bo")
    left = 1000 - int(mara.form(KEEP).fields["fighter.0.cost"])
    assert f"Not spent: {left} credits." in mara.html
    assert "Not spent" not in mara.press(KEEP, fields={"credits": str(left)})


@pytest.mark.usefixtures("market")
def test_what_is_carried_is_in_the_cards_cost_once_however_often_the_page_is_sent(
    mara: Visitor, club: Club
) -> None:
    begun(mara)
    mara.press(ADD, add_type="Forge Hand", add_name="Bo")
    mara.press(KEEP, fields={"fighter.0.weapon.1": "nail gun"})
    assert mara.form(KEEP).fields["fighter.0.cost"] == "65"
    mara.press(KEEP)
    mara.press(KEEP, fields={"fighter.0.name": "Old Bo"})
    assert mara.form(KEEP).fields["fighter.0.cost"] == "65", "nothing came to it"
    mara.press(KEEP, fields={"fighter.0.cost": "40"})
    assert mara.form(KEEP).fields["fighter.0.cost"] == "40", "who types a cost means it"
    mara.press(KEEP, fields={"fighter.0.weapon.1": ""})
    assert mara.form(KEEP).fields["fighter.0.cost"] == "30", "what is taken from it takes its price along"
    mara.press(KEEP, fields={"fighter.0.weapon.1": "nail gun", "fighter.0.cost": "65"})
    mara.press(ENLIST)
    (gang,) = [
        row for row in club.ask("Mara", "GET", "/roster").json()["gangs"] if row["gang"] == "sump-saints"
    ]
    assert gang["rating_credits"] == 65


@pytest.mark.usefixtures("market")
def test_what_a_new_page_sends_first_begins_its_one_draft_whatever_comes_first(
    mara: Visitor, club: Club
) -> None:
    mara.go(BEGIN)
    page = mara.form(MISSING)
    by_itself = page.filled(name="Sump Saints", house="Forge Clans")
    page.buttons |= {"": {}}
    mara.send(page, ADD, {**by_itself, "add_type": "Forge Hand", "add_name": "Bo"})
    mara.send(page, "", by_itself)  # it was sent before the button, and comes after it
    (draft,) = club.tracker.drafts.of(club.campaign)
    assert "name: Bo" in draft.text
    mara.send(page, "", by_itself)
    assert len(club.tracker.drafts.of(club.campaign)) == 1
    mara.press(ENLIST)
    (gang,) = [
        row for row in club.ask("Mara", "GET", "/gangs").json()["gangs"] if row["name"] == "Sump Saints"
    ]
    assert gang["fighters"]["available"] == 1


@pytest.mark.usefixtures("market")
def test_what_a_page_keeps_after_it_enlisted_its_gang_begins_no_draft(mara: Visitor, club: Club) -> None:
    begun(mara)
    mara.press(ADD, add_type="Forge Hand", add_name="Bo")
    page = mara.form(ENLIST)
    page.buttons |= {"": {}}
    mara.press(ENLIST)
    assert "Done." in mara.html
    assert "This gang was enlisted or thrown away meanwhile." in mara.send(page, "", {})
    assert club.tracker.drafts.of(club.campaign) == ()


@pytest.mark.usefixtures("market")
def test_who_goes_back_without_scripts_and_types_something_else_is_asked(mara: Visitor, club: Club) -> None:
    mara.go(BEGIN)
    page = mara.form(MISSING)
    said = {"name": "Sump Saints", "house": "Forge Clans", "add_type": "Forge Hand"}
    mara.send(page, ADD, {**said, "add_name": "Bo"})
    mara.send(page, ADD, {**said, "add_name": "Nub"}, status=412)
    (draft,) = club.tracker.drafts.of(club.campaign)
    assert "name: Bo" in draft.text
    assert "name: Nub" not in draft.text


@pytest.mark.usefixtures("market")
def test_what_was_typed_stays_where_somebody_else_threw_the_draft_away(mara: Visitor, club: Club) -> None:
    begun(mara)
    (draft,) = club.tracker.drafts.of(club.campaign)
    club.tracker.drafts.discard(club.campaign, draft.draft, seen=draft.revision)
    page = mara.press(ADD, status=404, add_type="Forge Hand", add_name="Bo")
    assert "That did not work." in page
    assert mara.form(KEEP).fields["name"] == "Sump Saints"


@pytest.mark.usefixtures("market")
def test_cards_stand_in_the_order_in_which_they_were_made_or_moved(mara: Visitor) -> None:
    def names() -> list[str]:
        fields = mara.form(MISSING if MISSING in mara.html else ENLIST).fields
        return [said for field, said in fields.items() if re.fullmatch(r"fighter\.\d+\.name", field)]

    begun(mara)
    mara.press(ADD, add_type="Forge Hand", add_name="Bo")
    mara.press(ADD, add_type="Forge Hand", add_name="Nub")
    mara.press("Another like Bo")
    mara.press("Another like Bo")
    assert names() == ["Bo", "Bo 2", "Bo 3", "Nub"]
    mara.press("Move up: Nub")
    mara.press("Move down: Bo")
    assert names() == ["Bo 2", "Bo", "Nub", "Bo 3"]
    assert "Move up: Bo 2" not in re.sub("<[^>]*>", "", mara.html), "nothing stands above it"


def test_weapons_written_in_full_are_known_from_vehicles_and_from_the_stash() -> None:
    gun, blade = {"name": "Rivet gun", "range": 8}, {"name": "Rust blade", "cost": "10", "strength": 4}
    sheet = {
        "vehicles": [{"weapons": [gun, "Stubber"]}, {}],
        "stash": [{"name": "Rust blade", "cost": "10", "weapon": {"strength": 4}}, {"name": "Rope"}],
    }
    assert list(weapons_beside_fighters(sheet)) == [gun, blade]


def test_a_cost_of_endless_digits_counts_for_nothing_in_what_is_spent() -> None:
    # Python makes no number of so many digits.
    assert spent([_costing("9" * 5000), _costing("40")]) == 40


def _costing(cost: str) -> FighterFields:
    fields: dict[str, Any] = dict.fromkeys(FighterFields._fields, "")
    return FighterFields(**{**fields, "cost": cost})


@pytest.mark.usefixtures("market")
def test_the_page_stands_at_the_fighter_that_a_button_put_there(mara: Visitor, club: Club) -> None:
    begun(mara)

    def place(button: str, **given: str) -> str:
        form = mara.form(button)
        said = form.buttons[button]
        sent = {**form.fields, "do": str(said["value"]), **given}
        answer = club.client.post(BEGIN, data=sent, headers=mara.headers, follow_redirects=False)
        mara.go(str(answer.headers["location"]))
        return str(answer.headers["location"])

    assert place(ADD, add_type="Forge Hand", add_name="Bo").endswith("#row-0")
    assert place(ADD, add_type="Forge Hand", add_name="Nub").endswith("#row-1")
    assert place("Another like Bo").endswith("#row-1"), "behind the one that it is like"
    assert 'id="row-1"' in mara.html
