"""The face of the pages: icons from a locked package, and a gang that is known by its emblem."""

import io
import json
import re
from pathlib import Path
from urllib.parse import urlsplit

from PIL import Image
from served import Club, Served
from test_server_pages import BROWSER, seen

import tracker
from tracker.server.pages import battle_picture, emblems, icons

ROOT = Path(tracker.__file__).parent.parent
STATIC = ROOT / "tracker" / "server" / "pages" / "static"
TEMPLATES = ROOT / "tracker" / "server" / "pages" / "templates"
WHITE_ON_A_FIELD = 4.5
PICTURE_BYTES = 60_000


def symbols(sprite: str) -> list[str]:
    return re.findall(r'<symbol id="([^"]+)"', (STATIC / sprite).read_text(encoding="utf-8"))


def test_a_sprite_has_each_icon_that_the_pages_name_and_its_licence_beside_it() -> None:
    assert symbols("icons.svg") == list(icons.ICONS)
    assert symbols("emblems.svg") == list(icons.CHARGES)
    assert "ISC License" in (STATIC / "icons.LICENSE.txt").read_text(encoding="utf-8")
    assert "SIL Open Font License" in (STATIC / "headings.LICENSE.txt").read_text(encoding="utf-8")
    named = {
        name
        for template in TEMPLATES.glob("*.j2")
        for name in re.findall(r'icon\("([a-z0-9-]+)"\)', template.read_text(encoding="utf-8"))
    }
    assert named
    assert named <= set(icons.ICONS)


def test_icons_and_font_come_from_packages_that_are_locked_by_their_hash() -> None:
    folder = ROOT / "requirements" / "pages"
    wanted = json.loads((folder / "package.json").read_text(encoding="utf-8"))["dependencies"]
    locked = json.loads((folder / "package-lock.json").read_text(encoding="utf-8"))["packages"]
    for name, version in wanted.items():
        row = locked[f"node_modules/{name}"]
        assert row["version"] == version
        assert row["integrity"].startswith("sha512-")


def test_a_gangs_emblem_is_the_same_whenever_it_is_made() -> None:
    assert emblems.of_gang("iron-skulls") == emblems.of_gang("iron-skulls")
    made = emblems.of_gangs(["iron-skulls", "rust-saints"])
    assert emblems.of_gangs(["iron-skulls", "rust-saints", "gilded-cage"]).items() >= made.items()


def test_gangs_of_a_campaign_differ_in_colour_and_charge_while_there_are_enough() -> None:
    gangs = [f"gang-{number}" for number in range(len(emblems.COLOURS))]
    made = emblems.of_gangs(gangs)
    assert len({emblem.colour for emblem in made.values()}) == len(gangs)
    assert len({emblem.charge for emblem in made.values()}) == len(gangs)
    assert len(emblems.of_gangs([f"gang-{number}" for number in range(100)])) == 100


def test_what_an_emblem_bears_is_seen_on_each_colour_and_the_style_sheet_has_the_same_colours() -> None:
    sheet = (STATIC / "style.css").read_text(encoding="utf-8")
    for number, colour in enumerate(emblems.COLOURS):
        assert 1.05 / (luminance(colour) + 0.05) >= WHITE_ON_A_FIELD, colour
        assert f"--gang{number}: {colour};" in sheet


def luminance(colour: str) -> float:
    """Of '#rrggbb', as WCAG 2 reckons it."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_a_sheet_of_cards_has_as_many_as_one_asks_for(served: Served) -> None:
    page = seen(served, "/campaigns/ash-wastes/gangs/iron-skulls/cards?sheet=2")
    sheets = page.split('<section class="sheet of-2">')[1:]
    assert len(sheets) > 1
    assert {sheet.count('<article class="card fighter') for sheet in sheets[:-1]} == {2}
    assert 'class="sheet of-6"' in seen(served, "/campaigns/ash-wastes/gangs/iron-skulls/cards?sheet=7")


def test_a_link_to_a_battle_of_a_public_campaign_shows_a_card_with_a_picture(club: Club) -> None:
    page = "/campaigns/ash-wastes/battles/1"
    club.tracker.people.set_visibility(club.campaign, "public")
    text = club.client.get(page, headers=BROWSER).text
    (title,) = re.findall(r'<meta property="og:title" content="([^"]+)">', text)
    (picture,) = re.findall(r'<meta property="og:image" content="([^"]+)">', text)
    assert title == re.findall(r'<h1 class="headline">([^<]+)</h1>', text)[0]
    assert picture.startswith("http")
    answer = club.client.get(urlsplit(picture).path)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/png")
    with Image.open(io.BytesIO(answer.content)) as drawn:
        assert (drawn.format, drawn.size) == ("PNG", (battle_picture.WIDE, battle_picture.HIGH))
    assert len(answer.content) <= PICTURE_BYTES


def test_a_private_campaigns_battle_has_no_card_and_no_picture_for_anybody(club: Club) -> None:
    page = "/campaigns/ash-wastes/battles/1"
    mara = {**BROWSER, "Authorization": f"Bearer {club.tokens['Mara']}"}
    seen_by_mara = club.client.get(page, headers=mara)
    assert seen_by_mara.status_code == 200
    assert "og:" not in seen_by_mara.text
    for headers in (BROWSER, mara):
        assert club.client.get(f"{page}/picture.png", headers=headers).status_code == 401
    there, nowhere = (
        club.client.get(f"/campaigns/{slug}/battles/1/picture.png").json()["detail"]
        for slug in ("ash-wastes", "no-such-place")
    )
    assert there == nowhere


def test_a_picture_is_drawn_of_names_in_any_script_and_of_any_length() -> None:
    side = battle_picture.Side(name="墨水之王" * 30, colour="#b3401f", tally="1 taken out", won=True)
    for gangs in ([], [side], [side] * 9):
        drawn = battle_picture.picture(
            kicker="Ж" * 300, headline="Krug nimmt Mags aus dem Spiel " * 40, gangs=gangs
        )
        assert len(drawn) <= PICTURE_BYTES
