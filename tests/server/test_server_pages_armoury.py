"""A club's list of weapons brought on a page: read, checked, put right and kept for everybody."""

import html
import re
from pathlib import Path
from typing import Any

import pytest
from cli_arbitrator import ROOT, Arbitrator
from forms_seen import Visitor
from served import Club

PLACE = "/campaigns/ash-wastes"
PAGE = f"{PLACE}/armoury"
MARKET = ROOT / "fixtures" / "armoury" / "sump-market.yaml"
DATA = ROOT / "fixtures" / "armoury-data"


@pytest.fixture
def mara(club: Club) -> Visitor:
    """The Arbitrator."""
    return Visitor(club.client, club.tokens["Mara"])


def chosen(club: Club, mara: Visitor, *files: Path) -> None:
    """The form with files chosen in it, as a browser sends it."""
    answer: Any = club.client.post(
        PAGE, files=[("file", (file.name, file.read_bytes())) for file in files], headers=mara.headers
    )
    mara.at, mara.status, mara.html = PAGE, answer.status_code, answer.text
    assert mara.status == 200, mara.html


def kept(table: Arbitrator) -> set[str]:
    """The things that the campaign's armoury lists."""
    armoury = table.read("campaign", "armoury")
    return {item["name"] for item in armoury.get("items", ())}


def test_data_files_of_another_tool_are_read_and_kept(club: Club, mara: Visitor, table: Arbitrator) -> None:
    assert "The campaign keeps none yet." in mara.go(PAGE)
    chosen(club, mara, DATA / "sump-system.gst", DATA / "forge-clans.cat")
    assert re.search(r"From .*Forge Clans.*: \d+ things", mara.html)
    assert kept(table) == set(), "nothing is kept by reading"
    mara.press("Keep it for everybody")
    assert re.search(r'<a class="button" href="[^"]*/begin-gang">Begin a gang with it</a>', mara.html)
    assert "<summary>Bring another list, or keep none</summary>" in mara.html, "the form is folded away"
    assert "Everybody buys and hires from this list from now on." in mara.html
    afar = table.read(
        "armoury", "import", str(DATA / "sump-system.gst"), str(DATA / "forge-clans.cat"), "--dry-run"
    )
    assert kept(table) == {item["name"] for item in afar["armoury"]["items"]}
    mara.go(f"{PLACE}/begin-gang")
    assert afar["armoury"]["fighters"][0]["type"] in html.unescape(mara.html)


def test_a_catalogue_without_its_game_system_says_what_else_to_choose(club: Club, mara: Visitor) -> None:
    chosen(club, mara, DATA / "forge-clans.cat")
    assert re.search(r"Not read|Files are missing", mara.html)
    assert "arbitrator" not in mara.html[
        mara.html.index("<main") : mara.html.index("</main>")
    ].lower().replace("arbitrator 0", "")


def test_an_armoury_that_is_wrong_is_put_right_on_the_page(mara: Visitor, table: Arbitrator) -> None:
    good = MARKET.read_text()
    mara.go(PAGE)
    mara.press("Read it", pasted=good.replace("cost: 20}", "cost: cheap}", 1))
    assert re.search(r"Line \d+: .*cheap", html.unescape(mara.html))
    mara.press("Check it again", text=good)
    mara.press("Keep it for everybody")
    assert "goggles" in kept(table)


def test_a_second_list_joins_the_first_and_the_newer_price_counts(mara: Visitor, table: Arbitrator) -> None:
    table.done("campaign", "armoury", str(MARKET))
    mara.go(PAGE)
    mara.press(
        "Read it",
        pasted="format: armoury/1\nname: Ferry Yard\nitems: [{name: goggles, cost: 35}, {name: oar, cost: 5}]\n",
    )
    mara.press("Keep it for everybody")
    listed = {item["name"]: item["cost_credits"] for item in table.read("campaign", "armoury")["items"]}
    assert (listed["goggles"], listed["oar"], listed["nail gun"]) == (35, 5, 10)


def test_a_list_that_is_kept_is_given_up(mara: Visitor, table: Arbitrator) -> None:
    table.done("campaign", "armoury", str(MARKET))
    mara.go(PAGE)
    mara.press("Keep none any more")
    assert kept(table) == set()


def test_a_file_named_like_a_folder_of_the_machine_is_what_was_sent(
    club: Club, mara: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(DATA.parent)
    answer = club.client.post(PAGE, files=[("file", (DATA.name, b"<nothing/>"))], headers=mara.headers)
    assert "Forge Clans" not in answer.text
    assert "Not read." in answer.text


def test_only_an_arbitrator_brings_a_list(club: Club) -> None:
    Visitor(club.client, club.tokens["Dana"]).go(PAGE, status=403)


CARD = """format: gang-sheet/2
gang: tide-saints
name: Tide Saints
house: Ferry Clans
player: Kim
credits: 400
fighters:
- {name: Old Bo, type: Ferry Chief, category: leader, cost: 135,
   characteristics: {M: 4, WS: 3+, BS: 3+, S: 3, T: 3, W: 2, I: 4+, A: 2, Ld: 7+, Cl: 6+, Wil: 7+, Int: 7+},
   armour: {name: oilskin, save: 6+},
   weapons: [{name: harpoon, cost: 35, S: 4, AP: -1, D: 2, range: {short: 8, long: 16}, ammo: 5+},
             {name: boat hook, S: S, AP: 0, D: 1, traits: [Melee]}]}
- {name: Wick, type: Ferry Hand, category: ganger, cost: 50,
   characteristics: {M: 4, WS: 4+, BS: 4+, S: 3, T: 3, W: 1, I: 4+, A: 1, Ld: 8+, Cl: 7+, Wil: 8+, Int: 8+}}
"""


def test_a_list_is_made_of_the_cards_that_a_gang_brought(
    mara: Visitor, table: Arbitrator, tmp_path: Path
) -> None:
    """Who has typed the cards of a gang need not find a data file: hiring and buying go by what stands there."""
    sheet = tmp_path / "saints.yaml"
    sheet.write_text(CARD)
    table.done("gang", "add", str(sheet))
    mara.go(f"{PLACE}/gangs/tide-saints")
    assert re.search(r'Hire a fighter</strong>.*?<a href="[^"]*/armoury">', mara.html)
    mara.go(PAGE)
    form = mara.form("Keep this list")
    priced = {form.fields[name]: name.replace("priced", "price") for name in form.names if "priced" in name}
    assert form.fields[priced["type Ferry Chief, Ferry Clans"]] == "100", "what the harpoon costs is its own"
    assert form.fields[priced["thing harpoon"]] == "35"
    assert form.fields[priced["thing boat hook"]] == "", "no card says it"
    mara.press("Keep this list", fields={priced["thing oilskin"]: "15"})
    listed = {item["name"]: item["cost_credits"] for item in table.read("campaign", "armoury")["items"]}
    assert (listed["harpoon"], listed["oilskin"]) == (35, 15)
    assert "boat hook" not in listed, "nobody buys it for nothing"
    mara.go(f"{PLACE}/gangs/tide-saints")
    assert not re.search(r"Hire a fighter</strong>", mara.html), "it is offered now"
    mara.go(PAGE)
    assert "0 types" not in mara.html
    mara.press("Add them", fields={mara_price(mara, "thing boat hook"): "5"})
    listed = {item["name"]: item["cost_credits"] for item in table.read("campaign", "armoury")["items"]}
    assert (listed["harpoon"], listed["boat hook"]) == (35, 5), "the first list stays"


def test_a_weapon_on_a_card_here_comes_with_its_numbers_for_the_next_gang(
    mara: Visitor, table: Arbitrator, tmp_path: Path
) -> None:
    """Without a list, one player types a weapon's numbers and the others choose it."""
    sheet = tmp_path / "saints.yaml"
    sheet.write_text(CARD)
    table.done("gang", "add", str(sheet))
    mara.go(f"{PLACE}/begin-gang")
    mara.press("Keep it for later", name="Mud Larks", house="Ferry Clans", player="Ada")
    assert '<option value="harpoon">35 credits</option>' in mara.html
    mara.press("Add", add_name="Reed", add_type="Ferry Hand")
    assert mara.form("Add").fields["fighter.0.number.WS"] == "4+"
    mara.press("Keep it for later", fields={"fighter.0.weapon.1": "Harpoon, boat hook"})
    form = mara.form("Enlist the gang")
    assert (form.fields["fighter.0.weapon.1"], form.fields["fighter.0.weapon.2"]) == ("harpoon", "boat hook")
    assert (form.fields["weapon.0.S"], form.fields["weapon.0.long"]) == ("4", "16")
    assert form.fields["fighter.0.cost"] == "85", "what the harpoon costs came to it"
    mara.press("Enlist the gang")
    assert "Reed" in mara.html
    assert {"harpoon", "boat hook"} <= set(re.findall(r"harpoon|boat hook", mara.html))


def mara_price(mara: Visitor, named: str) -> str:
    """The field of the price of something on a card."""
    form = mara.form("Add them")
    return next(name for name in form.names if form.fields[name] == named).replace("priced", "price")
