"""`campaign publish`: a folder of pages that link to each other and to nothing else."""

import re
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from cli_arbitrator import Arbitrator
from cli_reports import SEASON

HOSTILE = """\
format: gang-sheet/1
gang: evil
name: "<script>alert(1)</script>"
house: "\\"><img src=x onerror=y>"
player: "javascript:alert(1)"
fighters:
  - id: worst
    name: "</title><a href='https://example.org'>x</a>"
    category: leader
    type: "&lt;b&gt;"
    cost: 1
    characteristics: {M: 5, WS: 4, BS: 4, S: 3, T: 3, W: 1, I: 4, A: 1, Ld: 7, Cl: 7, Wil: 7, Int: 7}
"""


class Seen(HTMLParser):
    """The elements of a page, its links, and everything that would be loaded."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        named = dict(attrs)
        if tag == "a":
            self.links.append(named.get("href") or "")
        self.loaded += [
            value for name, value in attrs if name in ("src", "srcset", "data", "action") and value
        ]
        assert not [name for name in named if name.startswith("on")]


def seen(file: Path) -> Seen:
    parser = Seen()
    parser.feed(file.read_text(encoding="utf-8"))
    return parser


@pytest.fixture
def site(season: Arbitrator, tmp_path: Path) -> Path:
    (tmp_path / "evil.yaml").write_text(HOSTILE)
    season.done("gang", "add", str(tmp_path / "evil.yaml"))
    season.done("dispute", "open", "10.2", "--by", "Robin", "--reason", "<b>cocked</b>")
    season.done("campaign", "publish", str(tmp_path / "site"))
    return tmp_path / "site"


def test_every_link_leads_to_a_page_of_the_site_and_nothing_is_loaded(site: Path) -> None:
    pages = {file.name: seen(file) for file in site.glob("*.html")}
    for page in pages.values():
        assert {unquote(link) for link in page.links} <= {*pages}
        assert all(not urlsplit(link).scheme for link in page.links)
        assert page.loaded == []
        assert not {"script", "iframe", "object", "form", "img", "link"} & page.tags


def test_every_page_can_be_reached_from_the_first(site: Path) -> None:
    pages = {file.name: seen(file).links for file in site.glob("*.html")}
    reached, waiting = set(), ["index.html"]
    while waiting:
        page = waiting.pop()
        if page not in reached:
            reached.add(page)
            waiting += pages[page]
    assert reached == {*pages}


def test_gangs_fighters_battles_disputes_house_rules_and_the_log_have_their_pages(
    site: Path, season: Arbitrator
) -> None:
    files = {file.name for file in site.glob("*.html")}
    rows = season.read("roster", "show")["gangs"]
    assert {f"gang-{gang['gang']}.html" for gang in rows} <= files
    assert {f"fighter-{row['fighter']}.html" for gang in rows for row in gang["fighters"]} <= files
    assert {f"battle-{battle['battle']}.html" for battle in season.read("battle", "list")["battles"]} <= files
    assert {"index.html", "disputes.html", "house-rules.html", "log-1.html"} <= files


def test_names_stand_on_the_pages_as_they_were_written(site: Path) -> None:
    text = (site / "gang-evil.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in text
    assert "<script" not in text
    assert not re.search(r"<a [^>]*example\.org", (site / "fighter-worst.html").read_text(encoding="utf-8"))


def test_publishing_again_writes_what_changed_and_nothing_else(
    site: Path, season: Arbitrator, tmp_path: Path
) -> None:
    assert season.read("campaign", "publish", str(site))["written"] == 0
    season.done("fighter", "rename", "worst", "--name", "Better")
    again = season.read("campaign", "publish", str(site))
    assert 0 < again["written"] < again["pages"]
    assert "Better" in (site / "fighter-worst.html").read_text(encoding="utf-8")
    assert "Better" not in (site / "disputes.html").read_text(encoding="utf-8")
    assert tmp_path.exists()


def test_what_is_no_more_is_taken_away_and_other_files_stay(arbitrator: Arbitrator, tmp_path: Path) -> None:
    folder = tmp_path / "site"
    arbitrator.record(SEASON[0])
    arbitrator.done("campaign", "publish", str(folder))
    (folder / "mine.txt").write_text("mine")
    battle = next(folder.glob("battle-*.html"))
    name = arbitrator.read("battle", "list")["battles"][0]["battle"]
    (folder / "pages.json").write_text('["index.html", "battle-gone.html", "../evil.html"]')
    (folder / "battle-gone.html").write_text("old")
    (tmp_path / "evil.html").write_text("not ours")
    assert arbitrator.read("campaign", "publish", str(folder))["removed"] == 1
    assert not (folder / "battle-gone.html").exists()
    assert (folder / "mine.txt").read_text() == "mine"
    assert (tmp_path / "evil.html").exists()
    assert battle.name == f"battle-{name}.html"


def test_a_folder_of_something_else_is_not_touched(season: Arbitrator, tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "index.html").write_text("mine")
    assert "holds other files" in season.refused(2, "campaign", "publish", str(tmp_path / "thesis"))
    assert (tmp_path / "thesis" / "index.html").read_text() == "mine"
    assert "cannot be written" in season.refused(
        2, "campaign", "publish", str(tmp_path / "thesis" / "index.html")
    )
