"""A gang of another tool in a browser without scripts: uploaded, asked about, read, put right, enlisted."""

import json
import sys
from pathlib import Path

import pytest
from cli_arbitrator import ROOT, Arbitrator
from forms_seen import Form, forms
from served import Club

from tracker.imports.bounds import BYTES_MAX

sys.path.append(str(Path(__file__).parents[1] / "imports"))
import import_sources as sources
import rich_sources

HERE = "/campaigns/ash-wastes"
PAGE = f"{HERE}/import"
READ_AGAIN, ENLIST = "Answer, and read the file again", "Enlist the gang"


class Uploader:
    """Somebody who chooses a file in a browser."""

    def __init__(self, club: Club, name: str) -> None:
        self.client = club.client
        self.headers = {"Accept": "text/html", "Authorization": f"Bearer {club.tokens[name]}"}
        self.html, self.status, self.at = "", 0, ""

    def post(self, path: str, fields: dict[str, str], name: str = "", content: bytes = b"") -> str:
        chosen = {"file": (name, content)} if name else {"nothing": ("", b"")}
        answer = self.client.post(path, data=fields, files=chosen, headers=self.headers)
        self.html, self.status, self.at = answer.text, answer.status_code, answer.url.path
        return self.html

    def form(self) -> Form:
        return next(form for form in forms(self.html) if ENLIST in form.buttons)

    def press(self, button: str, **given: str) -> str:
        form = self.form()
        dotted = {name.replace("__", ".", 1).replace("_", " "): value for name, value in given.items()}
        action = form.buttons[button].get("formaction") or form.action
        return self.post(str(action), form.filled(**dotted))


@pytest.fixture
def mara(club: Club) -> Uploader:
    return Uploader(club, "Mara")


EXPORTED = json.dumps(
    sources.yaktribe(
        sources.ganger("Brakka", "Forge Tyrant", injuries=["Hobbled"], kills=3),
        sources.ganger("Yol", "Mystery Man"),
        wonder="new",
    )
).encode()


def test_a_file_is_read_asked_about_and_its_gang_enlisted(mara: Uploader, club: Club) -> None:
    before = club.ask("Mara", "GET", "").headers["ETag"]
    page = mara.post(PAGE, {"player": "Kim"}, "gang.json", EXPORTED)
    assert mara.status == 200, page
    assert "from YakTribe" in page
    assert "Do the numbers on the cards have the injuries already?" in page
    assert mara.form().choices["category.Mystery Man"][0] == ""
    assert "Unknown (" in page, "what became of every fact stands there"
    page = mara.press(READ_AGAIN, category__Mystery_Man="juve", injuries="yes")
    assert mara.status == 200, page
    assert "Which category is Mystery Man?" not in page
    sheet = mara.form().fields["sheet"]
    assert "player: Kim" in sheet
    assert "category: juve" in sheet
    assert club.ask("Mara", "GET", "").headers["ETag"] == before, "nothing is recorded by reading"
    mara.press(ENLIST, sheet=sheet.replace("Yol", "Old Yol"))
    assert (mara.status, mara.at) == (200, f"{HERE}/gangs"), mara.html
    assert "Rust &amp; Ruin" in mara.html
    assert "Old Yol" in club.ask("Mara", "GET", "/gangs/rust-ruin").text


def test_the_clubs_list_gives_an_exported_gang_its_weapons_and_saves(
    mara: Uploader, club: Club, table: Arbitrator
) -> None:
    table.done("campaign", "armoury", str(ROOT / "fixtures" / "armoury" / "sump-market.yaml"))
    carried = [{"name": name, "qty": "1"} for name in ("Nail Gun", "Mesh Coat", "Rope")]
    armed = json.dumps(sources.yaktribe(sources.ganger("Brakka", "Forge Tyrant", equipment=carried)))
    page = mara.post(PAGE, {"player": "Kim"}, "gang.json", armed.encode())
    assert "the armoury lists nothing of this name" in page
    mara.press(ENLIST)
    assert mara.status == 200, mara.html
    brakka = table.roster("rust-ruin")["brakka"]
    assert [weapon["weapon"] for weapon in brakka["weapons"]] == ["nail gun"]
    assert (brakka["armour"]["save"], brakka["wargear"]) == (5, ["Rope"])


@pytest.mark.parametrize(("said", "counted"), [("yes", "true"), ("no", "false")])
def test_whether_the_numbers_have_the_injuries_already_is_asked_once(
    said: str, counted: str, mara: Uploader
) -> None:
    mara.post(PAGE, {"player": "Kim"}, "gang.json", EXPORTED)
    page = mara.press(READ_AGAIN, category__Mystery_Man="juve", injuries=said)
    assert "Do the numbers on the cards have the injuries already?" not in page
    assert f"counted: {counted}" in mara.form().fields["sheet"]


def test_a_sheet_that_is_refused_is_still_there_as_it_was_typed(mara: Uploader, club: Club) -> None:
    before = club.ask("Mara", "GET", "").headers["ETag"]
    mara.post(PAGE, {"player": "Kim"}, "gang.json", EXPORTED)
    sheet = mara.form().fields["sheet"]
    mara.press(ENLIST, sheet=f"{sheet}\nno_such_key: 1\n# <b>mine</b>")
    assert mara.status == 422, mara.html
    assert "That did not work." in mara.html
    assert "no_such_key: 1" in mara.html
    assert "# &lt;b&gt;mine&lt;/b&gt;" in mara.html
    assert club.ask("Mara", "GET", "").headers["ETag"] == before


def test_a_player_enlists_their_own_gang_and_no_others(club: Club) -> None:
    dana = Uploader(club, "Dana")
    dana.post(PAGE, {"player": "Dana"}, "gang.json", EXPORTED)
    dana.press(READ_AGAIN, category__Mystery_Man="juve", injuries="yes")
    dana.press(ENLIST)
    assert dana.status == 409, dana.html
    assert "is not yours" in dana.html
    sol = Uploader(club, "Sol")
    sol.post(PAGE, {}, "gang.json", EXPORTED)
    assert sol.status == 403


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"\x00\x01", "Not read."),
        (b"{}", "is no file of YakTribe"),
        (b"x" * (BYTES_MAX + 1), "it is larger than 10 MiB"),
    ],
    ids=["bytes", "another file", "too long"],
)
def test_a_missing_file_is_reported_and_the_form_is_shown_again(
    mara: Uploader, content: bytes, said: str
) -> None:
    page = mara.post(PAGE, {"player": "Kim"}, "gang.json", content)
    assert mara.status == 200
    assert said in page
    assert 'type="file"' in page
    assert 'value="Kim"' in page


def test_a_file_beyond_what_a_form_takes_is_refused(mara: Uploader) -> None:
    mara.post(PAGE, {}, "gang.json", b"x" * (15 * 1024 * 1024))
    assert mara.status == 422
    assert "it is longer than" in mara.html


def test_hidden_form_data_is_limited_after_it_is_unpacked(mara: Uploader) -> None:
    mara.post(PAGE, {"packed": "no base64!", "file_name": "gang.json"})
    assert mara.status == 422
    assert "is not what the page put there" in mara.html


def test_no_file_of_the_server_is_read_or_written(
    mara: Uploader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "server"
    folder.mkdir()
    monkeypatch.chdir(folder)
    mara.post(PAGE, {"player": "Kim"}, "/etc/passwd", EXPORTED)
    assert mara.status == 200
    assert "passwd" in mara.html
    assert "root:" not in mara.html
    assert [*folder.iterdir()] == []


def test_a_list_with_its_own_weapons_goes_on_row_by_row_with_their_numbers(
    mara: Uploader, club: Club
) -> None:
    mara.post(PAGE, {"player": "Kim"}, "list.json", json.dumps(rich_sources.ROSTER).encode())
    assert "Sniper Rifle" in mara.form().fields["armoury"]
    answer = mara.client.post(f"{HERE}/begin-gang", data=mara.form().filled(do="look"), headers=mara.headers)
    assert answer.status_code == 200, answer.text
    form = next(form for form in forms(answer.text) if "Keep it for later" in form.buttons)
    at = next(
        name.split(".")[1]
        for name, value in form.fields.items()
        if name.startswith("weapon.") and value == "Sniper Rifle"
    )
    numbers = {key: form.fields[f"weapon.{at}.{key}"] for key in ("long", "traits", "cost")}
    assert numbers == {"long": "48", "traits": "2-Handed, RISKY", "cost": "35"}
    assert club.tracker.drafts.of(club.campaign)


TYPED = """Iron Dogs - House Goliath
Grimm, Forge Tyrant (leader), 170 credits: stub cannon, power hammer
Slab, Bruiser (ganger), 70 credits: stub gun
"""


def test_a_list_that_somebody_typed_is_read_and_its_weapons_ask_for_their_numbers(club: Club) -> None:
    dana = Uploader(club, "Dana")
    dana.post(PAGE, {"pasted": TYPED})
    assert dana.status == 200
    sheet = dana.form().fields["sheet"]
    assert "name: Iron Dogs" in sheet
    assert "house: House Goliath" in sheet
    assert "player: Dana" in sheet, "whoever brings their own gang plays it"
    assert "--armoury" not in dana.html
    typed = {**dana.form().fields, "do": "look"}
    page = club.client.post(f"{HERE}/begin-gang", data=typed, headers=dana.headers).text
    form = next(form for form in forms(page) if "Add" in form.buttons)
    assert form.fields["fighter.0.weapon.1"] == "stub cannon"
    assert form.fields["fighter.0.weapon.2"] == "power hammer"
    assert form.fields["fighter.0.wargear.1"] == ""
    assert "weapon.0.S" in form.names, "and its numbers are asked for"


def test_a_list_that_cannot_be_read_stays_and_an_example_is_shown(mara: Uploader) -> None:
    page = mara.post(PAGE, {"pasted": "my gang is Grimm and Slab\nand their dog"})
    assert "Not read." in page
    assert "Grimm, Forge Tyrant (leader), 170 credits" in page
    assert "my gang is Grimm and Slab" in page[page.index('name="pasted"') :]
