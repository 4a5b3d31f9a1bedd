"""Every operation that writes has its place on the pages: a page of its own, or a form made from its command."""

import re
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator
from forms_seen import Visitor
from served import Club
from tables import every

from tracker.rights import RIGHTS
from tracker.server.pages.operation_words import BY_SCRIPT, DONE_BY, NOT_HERE, OF_NO_CAMPAIGN, OPERATIONS
from tracker.server.pages.operations import path_of
from tracker.server.pages.routes import DERIVED, FORMS, HERE

PLACE = "/campaigns/ash-wastes"
LOOK = "See what it does"
MARKET = Path(__file__).parents[2] / "fixtures" / "armoury" / "sump-market.yaml"
WRITES = {operation for operation, right in RIGHTS.items() if right.writes}
MACHINE = {operation for operation in WRITES if RIGHTS[operation].who == "machine"}


@pytest.fixture
def mara(club: Club) -> Visitor:
    """The Arbitrator's browser, without scripts."""
    return Visitor(club.client, club.tokens["Mara"])


@pytest.fixture
def dana(club: Club) -> Visitor:
    """The player of the Iron Skulls."""
    return Visitor(club.client, club.tokens["Dana"])


def test_every_operation_that_writes_has_a_page_or_a_reason(club: Club) -> None:
    paths = {form.path.removeprefix(HERE) for form in FORMS}
    assert set(DONE_BY.values()) <= paths, "another name for what a form does"
    answered = {route.path for route in club.client.app.routes if "POST" in route.methods}
    assert set(OF_NO_CAMPAIGN.values()) <= answered
    has_page = {form.right for form in FORMS} | {*DONE_BY, *OF_NO_CAMPAIGN, *BY_SCRIPT}
    assert WRITES - has_page == {*NOT_HERE}


def test_only_work_on_the_machine_has_no_page() -> None:
    assert {*NOT_HERE} <= MACHINE
    assert all(NOT_HERE.values())


@every("operation", BY_SCRIPT)
def test_what_a_script_does_is_on_its_page(mara: Visitor, operation: str) -> None:
    assert "data-witness" in mara.go(f"{PLACE}{BY_SCRIPT[operation]}")


def test_words_are_only_of_operations_that_write() -> None:
    assert {*OPERATIONS} <= WRITES - MACHINE


@every("operation", DERIVED)
def test_every_derived_form_is_shown_in_words_of_the_browser(mara: Visitor, operation: str) -> None:
    page = mara.go(f"{PLACE}{path_of(operation)}")
    text = re.sub(r"<[^>]*>", " ", page[page.index("<main") : page.index("</main>")])
    assert re.search(r"arbitrator [a-z]|--[a-z]|YAML|TOML|\bID\b|\bFILE\b", text) is None, text


@every("operation", DERIVED)
def test_every_choice_of_a_form_begins_with_a_capital_letter(mara: Visitor, operation: str) -> None:
    page = mara.go(f"{PLACE}{path_of(operation)}")
    shown = re.findall(r"<option[^>]*>([^<]*)</option>|<label[^>]*>(?:<input[^>]*>)?\s*([^<]*)", page)
    words = [one.strip() for pair in shown for one in pair if one.strip()]
    assert [one for one in words if one[0].islower()] == []
    assert "Short name" not in page, "ids are made from names"


def test_what_can_be_done_lists_what_is_ones_own_to_do(mara: Visitor, dana: Visitor) -> None:
    assert "Move credits" in mara.go(f"{PLACE}/do")
    listed = dana.go(f"{PLACE}/do")
    assert "Buy something" in listed
    assert "Move credits" not in listed
    dana.go(f"{PLACE}/do/gang-credits", status=403)


def test_a_form_says_what_it_does_before_it_does_it(mara: Visitor, club: Club) -> None:
    before = club.ask("Mara", "GET", "").headers["ETag"]
    mara.go(f"{PLACE}/do/gang-credits")
    shown = mara.press(
        LOOK, fields={"from": "@arbitrator", "to": "iron-skulls", "amount": "25", "reason": "painted"}
    )
    assert "Iron Skulls" in shown
    assert club.ask("Mara", "GET", "").headers["ETag"] == before, "nothing is recorded by looking"
    form = mara.form("Move the credits")
    mara.send(form, "Move the credits", {})
    recorded = club.ask("Mara", "GET", "").headers["ETag"]
    assert recorded != before
    mara.send(form, "Move the credits", {})
    assert club.ask("Mara", "GET", "").headers["ETag"] == recorded, "a double tap is one entry"


def reputation(club: Club) -> int:
    (gang,) = club.ask("Mara", "GET", "/gangs/iron-skulls").json()["gangs"]
    return int(gang["reputation"])


def test_reputation_is_changed_by_a_number_that_is_typed(mara: Visitor, club: Club) -> None:
    mara.go(f"{PLACE}/do/gang-reputation")
    fields = mara.form(LOOK).fields
    assert fields["by"] == "", "no list of fighters"
    before = reputation(club)
    mara.press(LOOK, fields={"gang": "iron-skulls", "by": "2", "reason": "a toll"})
    mara.press("Change it")
    assert reputation(club) == before + 2


def test_what_was_not_looked_at_is_shown_and_not_done(mara: Visitor, club: Club) -> None:
    before = club.ask("Mara", "GET", "").headers["ETag"]
    mara.go(f"{PLACE}/do/gang-credits")
    mara.press(LOOK, fields={"from": "@arbitrator", "to": "iron-skulls", "amount": "25", "reason": "painted"})
    shown = mara.press("Move the credits", amount="2500")
    assert "2500" in shown
    assert "Move the credits" in shown
    assert club.ask("Mara", "GET", "").headers["ETag"] == before


def test_a_fault_stands_beside_its_field(mara: Visitor) -> None:
    mara.go(f"{PLACE}/do/gang-credits")
    shown = mara.press(
        LOOK, fields={"from": "@arbitrator", "to": "iron-skulls", "amount": "lots", "reason": "painted"}
    )
    assert 'id="field-amount-fault"' in shown
    assert re.search(r'name="amount"[^>]*aria-invalid="true"', shown)
    assert mara.form(LOOK).fields["amount"] == "lots"


def test_dice_that_are_due_are_asked_for_as_faces(mara: Visitor, table: Arbitrator) -> None:
    table.done("campaign", "armoury", str(MARKET))
    mara.go(f"{PLACE}/do/gang-buy?gang=iron-skulls")
    mara.press(LOOK, item="goggles", reason="market")
    mara.press("Buy it")
    mara.go(f"{PLACE}/do/gang-sell?gang=iron-skulls&item=goggles")
    mara.press(LOOK, reason="market")
    form = mara.form(LOOK)
    assert form.choices["die.sale.0/0"] == ["1", "2", "3", "4", "5", "6"]
    shown = mara.press(LOOK, fields={"die.sale.0/0": "1"})
    assert "10 credits" in shown
    mara.press("Sell it")
    assert "10 credits" in mara.html, "the page that one comes back to says what was done"


def test_only_an_arbitrator_may_give_a_thing_or_go_beyond_the_rules(
    dana: Visitor, club: Club, table: Arbitrator
) -> None:
    table.done("campaign", "armoury", str(MARKET))
    page = dana.go(f"{PLACE}/do/gang-buy?gang=iron-skulls")
    assert 'name="market"' not in page
    assert 'name="beyond_rules"' not in page
    before = club.ask("Mara", "GET", "").headers["ETag"]
    for field in ("market", "beyond_rules"):
        dana.go(f"{PLACE}/do/gang-buy?gang=iron-skulls")
        shown = dana.press(LOOK, fields={"item": "goggles", "reason": "market", field: "1"})
        assert "is for Arbitrators" in shown
    dana.go(f"{PLACE}/do/gang-buy?gang=gilded-cage")
    assert "not yours" in dana.press(LOOK, item="goggles", reason="market")
    assert club.ask("Mara", "GET", "").headers["ETag"] == before


def test_a_rank_is_written_as_on_a_card(mara: Visitor) -> None:
    page = mara.go(f"{PLACE}/do/fighter-promote?fighter=krug")
    assert re.search(r'<option value="champion"[^>]*>Champion<', page)


def test_a_player_gives_dice_in_their_own_name_and_an_arbitrator_says_whose_are_withheld(
    mara: Visitor,
) -> None:
    for operation, names_who_asks in (
        ("dice contribute", True),
        ("dice reveal", True),
        ("dice withheld", False),
    ):
        shown = mara.go(f"{PLACE}{path_of(operation)}")
        filled = re.search(r'value="Mara" (maxlength|selected|checked)', shown)
        assert (filled is not None) is names_who_asks, operation


@every("entry", ["krug", "57.3", "-1", "0", "999", "9" * 12, "9" * 40, "٣", ""])
def test_a_page_that_says_what_was_done_says_nothing_of_what_is_no_entry(mara: Visitor, entry: str) -> None:
    assert mara.go(f"{PLACE}/log?done={entry}") == mara.go(f"{PLACE}/log")
