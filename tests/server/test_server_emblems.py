"""A gang's picture over HTTP: who changes it, who sees it, how it is served, and what a link to a gang shows."""

import io
import re
from typing import Any

import pytest
from cli_arbitrator import Arbitrator
from PIL import Image
from served import Club

GANGS = "/campaigns/ash-wastes/gangs"
BROWSER = {"Accept": "text/html"}


def picture(colour: str = "red", side: int = 300) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (side, side), colour).save(made, "PNG")
    return made.getvalue()


def sent(club: Club, name: str, gang: str, content: bytes, below: str = "") -> Any:
    files = {"picture": ("../../etc/passwd.png", content, "text/html")} if content else None
    return club.browser(name).post(f"{GANGS}/{gang}/emblem{below}", files=files, headers=BROWSER)


def shown(club: Club, name: str | None, gang: str = "iron-skulls") -> list[str]:
    """The addresses of pictures on the gang's page."""
    page = club.browser(name).get(f"{GANGS}/{gang}", headers=BROWSER).text
    return re.findall(r'<img class="emblem[^"]*" src="([^"]+)"', page)


def test_a_player_gives_their_own_gang_a_picture_and_takes_it_away(club: Club) -> None:
    before = club.ask("Mara", "GET", "").headers["ETag"]
    assert shown(club, "Dana") == []
    assert "Change the emblem" in club.browser("Dana").get(f"{GANGS}/iron-skulls", headers=BROWSER).text
    answer = sent(club, "Dana", "iron-skulls", picture())
    assert (answer.status_code, answer.headers["Location"]) == (303, f"{GANGS}/iron-skulls")
    (address, *_) = shown(club, "Dana")
    served = club.browser("Dana").get(address)
    assert (served.status_code, served.headers["Content-Type"]) == (200, "image/webp")
    assert Image.open(io.BytesIO(served.content)).size == (192, 192)
    page = club.browser("Dana").get(f"{GANGS}/iron-skulls/emblem", headers=BROWSER).text
    assert "Take the picture away" in page
    assert sent(club, "Dana", "iron-skulls", b"", "/remove").status_code == 303
    assert shown(club, "Dana") == []
    assert club.browser("Dana").get(address).status_code == 404
    assert club.ask("Mara", "GET", "").headers["ETag"] == before, "the log is not touched"


@pytest.mark.parametrize(
    ("name", "gang"), [("Dana", "gilded-cage"), ("Sol", "iron-skulls"), ("Nobody", "iron-skulls")]
)
def test_nobody_changes_the_picture_of_a_gang_that_is_not_theirs(club: Club, name: str, gang: str) -> None:
    sent(club, "Mara", gang, picture("blue"))
    (address, *_) = shown(club, "Mara", gang)
    for answer in (
        sent(club, name, gang, picture()),
        sent(club, name, gang, b"", "/remove"),
        club.ask(name, "POST", f"/gangs/{gang}/emblem", content=picture()),
        club.ask(name, "POST", f"/gangs/{gang}/emblem?none=true"),
    ):
        assert answer.status_code in (403, 404, 409), answer.text
    assert "Change the emblem" not in club.browser(name).get(f"{GANGS}/{gang}", headers=BROWSER).text
    assert shown(club, "Mara", gang)[0] == address


def test_the_picture_of_a_private_campaign_is_for_who_may_read_it(club: Club) -> None:
    sent(club, "Dana", "iron-skulls", picture())
    (address, *_) = shown(club, "Dana")
    for size in ("large", "small"):
        path = f"{GANGS}/iron-skulls/emblem/{size}"
        assert club.browser("Sol").get(path).status_code == 200
        assert club.browser("Nobody").get(path).status_code == 404
        there, nowhere = (
            club.browser(None).get(path),
            club.browser(None).get("/campaigns/no/gangs/x/emblem/large"),
        )
        assert (
            (there.status_code, there.json()) == (nowhere.status_code, nowhere.json()) == (401, there.json())
        )
    club.tracker.people.set_visibility(club.campaign, "public")
    assert club.browser(None).get(address).status_code == 200
    assert club.browser(None).get(f"{GANGS}/iron-skulls/emblem/huge").status_code == 404


def test_a_picture_is_served_as_one_and_nothing_else_and_kept_by_its_digest(club: Club) -> None:
    sent(club, "Dana", "iron-skulls", picture())
    (address, *_) = shown(club, "Dana")
    served = club.browser("Dana").get(address)
    assert served.headers["X-Content-Type-Options"] == "nosniff"
    assert served.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert served.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert served.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    unnamed = club.browser("Dana").get(address.partition("?")[0])
    assert unnamed.headers["Cache-Control"] == "private, no-cache"
    again = club.browser("Dana").get(address, headers={"If-None-Match": served.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    sent(club, "Dana", "iron-skulls", picture("green"))
    assert shown(club, "Dana")[0] != address


def test_what_is_no_picture_is_refused_on_the_page_and_over_http_alike(club: Club) -> None:
    svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>"
    page = sent(club, "Dana", "iron-skulls", svg)
    assert page.status_code == 422
    assert "That picture cannot be used" in page.text
    answer = club.ask("Dana", "POST", "/gangs/iron-skulls/emblem", content=svg)
    assert (answer.status_code, answer.json()["code"]) == (422, "picture_not_usable")
    assert sent(club, "Dana", "iron-skulls", b"\x89PNG" + b"x" * (9 * 1024 * 1024)).status_code in (413, 422)
    assert sent(club, "Mara", "no-such-gang", picture()).status_code in (404, 422)
    assert shown(club, "Dana") == []


def test_the_command_the_route_and_the_page_are_one(club: Club, table: Arbitrator) -> None:
    (table.folder / "skulls.png").write_bytes(picture("purple"))
    table.done("gang", "emblem", "iron-skulls", str(table.folder / "skulls.png"))
    (address, *_) = shown(club, "Dana")
    by_http = club.ask("Dana", "POST", "/gangs/iron-skulls/emblem", content=picture("purple"))
    assert by_http.status_code == 200, by_http.text
    assert address.endswith(by_http.json()["emblem"])
    table.done("gang", "emblem", "iron-skulls", "--none")
    assert shown(club, "Dana") == []


def test_lists_use_the_small_picture(club: Club) -> None:
    sent(club, "Dana", "iron-skulls", picture())
    for path in ("/campaigns/ash-wastes", GANGS, "/campaigns/ash-wastes/battles"):
        page = club.browser("Dana").get(path, headers=BROWSER).text
        assert set(re.findall(r"/emblem/(\w+)\?", page)) == {"small"}, path


def test_a_link_to_a_gang_of_a_public_campaign_has_a_card_and_of_a_private_one_none(club: Club) -> None:
    sent(club, "Dana", "iron-skulls", picture())
    card = f"{GANGS}/iron-skulls/picture.png"
    assert "og:title" not in club.browser("Dana").get(f"{GANGS}/iron-skulls", headers=BROWSER).text
    assert club.browser("Mara").get(card).status_code == 401
    club.tracker.people.set_visibility(club.campaign, "public")
    page = club.browser(None).get(f"{GANGS}/iron-skulls", headers=BROWSER).text
    assert '<meta property="og:title" content="Iron Skulls">' in page
    assert f'<meta property="og:image" content="https://club.example{card}">' in page
    drawn = club.browser(None).get(card)
    assert (drawn.status_code, drawn.headers["Content-Type"]) == (200, "image/png")
    assert Image.open(io.BytesIO(drawn.content)).size == (1200, 630)
    assert club.browser(None).get(f"{GANGS}/no-such/picture.png").status_code in (404, 422)
