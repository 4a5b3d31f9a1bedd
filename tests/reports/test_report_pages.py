"""Pages and their pictures: whole, self-contained, reported to those who do not see them, safe with any name."""

from __future__ import annotations

import re
from functools import partial
from html.parser import HTMLParser
from itertools import combinations
from typing import Any
from xml.etree import ElementTree as ET

from report_examples import DISPUTE_ROW, HOSTILE, NAMES, entry_57, fighter_row, gang_row
from tables import every

from tracker.campaign import state
from tracker.projections.rating_history import GangRating, RatingRow
from tracker.reports.battle import battle_page
from tracker.reports.battle_story import story
from tracker.reports.html import DARK, LINES_DARK, table_html
from tracker.reports.line_charts import LIGHT, LINES_LIGHT, in_words, picture, swatch, ticks_for
from tracker.reports.names import Names
from tracker.reports.page import ChartLine, DataTable, LineChart
from tracker.reports.rendering import render
from tracker.reports.roster import roster_page
from tracker.reports.standings import standings_page

SVG = "{http://www.w3.org/2000/svg}"
LONG = "Endless" * 40
RIGHT_TO_LEFT = "عصابة الصدأ"
NAMED = [
    HOSTILE,
    LONG,
    RIGHT_TO_LEFT,
    "鉄の鷹",
    "\ue000\ue000x\ue001",
    "</title></svg><script>alert(1)</script>",
]
VOID = {"meta", "br", "hr", "img", "link", "input"}
MAY_STAND = {
    "html", "head", "meta", "title", "style", "body", "h1", "h2", "h3", "p", "section", "div", "table", "caption",
    "thead", "tbody", "tr", "th", "td", "ul", "li", "bdi", "figure", "figcaption", "details", "summary", "svg",
    "desc", "path", "text",
}  # fmt: skip


BATTLE: dict[str, Any] = {
    "battle": "sump-raid", "number": 3, "scenario": "Sabotage", "date": "2026-03-01", "status": "closed",
    "crews": [{"gang": "hawks", "fighters": ["krug"]}, {"gang": "rats", "fighters": ["mags"]}],
    "winner": "hawks", "drawn": False,
}  # fmt: skip


class Structure(HTMLParser):
    """Every element is closed in its order, ids are given once, rows are as long as their head."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []
        self.ids: list[str] = []
        self.attributes: set[str] = set()
        self.rows: list[list[int]] = []
        self.feed(page)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        given = dict(attrs)
        self.attributes |= given.keys()
        self.ids += [str(given["id"])] if "id" in given else []
        if tag == "table":
            self.rows.append([])
        elif tag == "tr":
            self.rows[-1].append(0)
        elif tag in ("td", "th"):
            self.rows[-1][-1] += 1
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self.attributes |= dict(attrs).keys()
        assert "svg" in self.open, "only a picture's elements close themselves"

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def parsed(svg: str) -> ET.Element:
    """A picture as an XML parser reads it."""
    return ET.fromstring(svg)  # noqa: S314  # our own text


def course(*ratings: tuple[int, ...]) -> list[RatingRow]:
    """A course with the ratings of gangs g0, g1, ... at each point, and ten XP more each time."""
    return [
        RatingRow(
            battle=f"b{place}" if place else None,
            number=place,
            gangs={
                f"g{which}": GangRating(rating_credits=rating, experience_earned=10 * place)
                for which, rating in enumerate(then)
            },
        )
        for place, then in enumerate(ratings)
    ]


def gangs(*names: str) -> list[dict[str, Any]]:
    return [
        gang_row(
            gang=f"g{which}",
            name=name,
            player=name,
            house=name,
            territories=[{"territory": "t", "kind": "ruins", "name": name}],
            stash=[{"name": name, "kind": "weapon", "cost_credits": 5}],
        )
        for which, name in enumerate(names)
    ]


def roster_html(*names: str) -> str:
    fighters = [
        fighter_row(fighter=f"f{which}", gang=f"g{which}", name=name, held_by="g0" if which else None)
        for which, name in enumerate(names)
    ]
    points = course(*[(900 + 10 * place,) * len(names) for place in range(3)])
    return render(
        roster_page(
            gangs(*names),
            fighters,
            heading=names[0],
            pending=[{**DISPUTE_ROW, "reason": names[0]}],
            history=points,
        ),
        "html",
    )


def standings_html(*names: str) -> str:
    points = course(*[(900 + 10 * place,) * len(names) for place in range(3)])
    return render(standings_page(gangs(*names), heading=names[0], history=points), "html")


def battle_html(*names: str) -> str:
    row = {**BATTLE, "battle": names[0], "scenario": names[0]}
    known = Names(fighters={"krug": names[0], "mags": names[-1]}, gangs={"hawks": names[0]})
    tell = partial(story, row, [entry_57()], members={"krug": "hawks", "mags": "rats"})
    return render(battle_page(row, [entry_57()], known, story=tell), "html")


PAGES = [roster_html, standings_html, battle_html]


# Pages


@every("page", PAGES)
def test_a_page_is_whole_with_any_name_and_holds_no_element_that_a_name_brought(page: Any) -> None:
    structure = Structure(page(*NAMED))
    assert set(structure.seen) <= MAY_STAND
    assert len(structure.ids) == len(set(structure.ids))
    assert all(len(set(rows)) == 1 for rows in structure.rows)


@every("page", PAGES)
def test_a_page_loads_nothing_and_runs_nothing(page: Any) -> None:
    written = page("Hawks", "Rats")
    structure = Structure(written)
    assert not {"src", "href", "srcset", "onclick", "onload", "action"} & structure.attributes
    assert not {"script", "link", "img", "iframe", "object"} & set(structure.seen)
    assert "url(" not in written
    assert "@import" not in written
    assert re.findall(r"https?://[^\"]*", written) in (
        [],
        ["http://www.w3.org/2000/svg"] * written.count("xmlns"),
    )


@every("page", PAGES)
def test_a_page_says_its_language_its_letters_and_its_title(page: Any) -> None:
    written = page("Hawks", "Rats")
    assert written.startswith('<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n')
    assert re.search("<title>.*(Hawks|Battle 3).*</title>", written)


def test_a_right_to_left_name_stands_apart_from_the_words_around_it() -> None:
    assert f"<h2><bdi>{RIGHT_TO_LEFT}</bdi> ({RIGHT_TO_LEFT}, player <bdi>" in roster_html(RIGHT_TO_LEFT)
    assert f"<li><bdi>{LONG}</bdi> is held captive by <bdi>{RIGHT_TO_LEFT}</bdi>.</li>" in roster_html(
        RIGHT_TO_LEFT, LONG
    )


def test_how_everybody_stands_is_a_list_below_each_gang() -> None:
    krug = state.Fighter(
        fighter="krug", gang="hawks", name="Krug", category="leader", kind="Boss", cost_credits=0,
        characteristics={"wounds": 1},
    )  # fmt: skip
    hawks = state.Gang(
        gang="hawks", name="Iron Hawks", house="", player="", credits=0, reputation=0, fighters={"krug": krug}
    )
    under_way = state.BattleUnderWay(
        battle="sump-raid", number=3, crews={"hawks": ("krug",), "rats": ()},
        combatants={"krug": state.Combatant(wounds_left=1, pinned=True)},
    )  # fmt: skip
    now = state.CampaignState(gangs={"hawks": hawks}, gang_of={"krug": "hawks"}, under_way=under_way)
    page = render(battle_page(BATTLE, [], NAMES, state=now), "html")
    assert (
        "<h2>How everybody stands</h2>\n<h3><bdi>Iron Hawks</bdi></h3>\n<ul>\n<li><bdi>Krug</bdi>: Pinned</li>\n</ul>"
        "\n<h3><bdi>Sump Rats</bdi></h3>\n"
    ) in page


def test_on_paper_each_gang_after_the_first_begins_a_sheet_and_no_line_is_torn() -> None:
    page = roster_html("Hawks", "Rats")
    paper = page.split("@media print {", 1)[1].split("</style>", 1)[0]
    assert "section + section { break-before: page; }" in paper
    assert "tr, li { break-inside: avoid; }" in paper
    assert page.count("<section>") == 2


def test_dark_colours_are_for_screens_only() -> None:
    assert "@media screen and (prefers-color-scheme: dark)" in roster_html("Hawks")


def test_numbers_stand_right_measures_in_the_middle_and_names_left() -> None:
    table = table_html(
        DataTable(("Name", "M", "XP", "Pending"), [["Vex", '5"', 10, "12 ?"], ["Cy", '4"', 9, 3]])
    )
    assert (
        '<tr><td class="word">Vex</td><td class="short">5&quot;</td><td class="number">10</td>'
        '<td class="number">12 ?</td></tr>'
    ) in table


# Pictures


def test_a_picture_is_well_formed_and_shown_by_its_title_and_its_description() -> None:
    root = parsed(
        picture(LineChart("Rating", ["start", "1"], [ChartLine(name=HOSTILE, values=(950, 970))], id="one"))
    )
    assert (root.tag, root.get("role")) == (f"{SVG}svg", "img")
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None
    assert desc is not None
    assert root.get("aria-labelledby") == f"{title.get('id')} {desc.get('id')}" == "one-title one-desc"
    assert (title.text, desc.text) == ("Rating", "[2J[/bold]|=cmd`<b>: 950 (start), 970 (1)")


def test_a_higher_number_stands_higher_and_a_later_one_further_right() -> None:
    root = parsed(
        picture(
            LineChart(
                "Rating", ["start", "1", "2"], [ChartLine(name="Hawks", values=(900, 1000, 950))], id="one"
            )
        )
    )
    line = next(
        path
        for path in root.iter(f"{SVG}path")
        if "L" in path.get("d", "") and path.get("stroke-width") == "2"
    )
    points = [tuple(map(int, point)) for point in re.findall(r"(\d+) (\d+)", line.get("d", ""))]
    (x0, y0), (x1, y1), (x2, y2) = points
    assert x0 < x1 < x2
    assert y1 < y2 < y0
    assert y2 - y1 == y0 - y2


def test_a_gang_that_came_later_has_no_line_before_it_came() -> None:
    root = parsed(
        picture(
            LineChart(
                "Rating",
                ["start", "1", "2"],
                [
                    ChartLine(name="Hawks", values=(900, 910, 920)),
                    ChartLine(name="Rats", values=(None, None, 850)),
                ],
                id="one",
            )
        )
    )
    marks = [path for path in root.iter(f"{SVG}path") if path.get("transform")]
    assert len(marks) == 3 + 1
    assert [mark for mark in marks if mark.get("stroke") == LINES_LIGHT[1]] == [marks[-1]]


def test_the_scale_is_round_holds_every_number_and_is_never_a_hairs_breadth() -> None:
    assert ticks_for(950, 1370) == [800, 1000, 1200, 1400]
    assert ticks_for(0, 29) == [0, 10, 20, 30]
    assert ticks_for(0, 0) == [0, 1]
    assert ticks_for(-5, 7) == [-5, 0, 5, 10]
    assert ticks_for(685, 685) == [660, 680, 700, 720]  # 34 apart at least: a twentieth of 685
    for low, high in ((0, 1), (3, 3), (999, 1001), (0, 123_456), (7, 700_000)):
        ticks = ticks_for(low, high)
        assert ticks[0] <= low
        assert high <= ticks[-1]
        assert 2 <= len(ticks) <= 5


def test_many_numbers_are_shown_by_the_first_the_lowest_the_highest_and_the_last() -> None:
    labels = [str(place) for place in range(20)]
    values = (500, 400, *range(510, 526), 900, 800)
    assert in_words(labels, [ChartLine(name="Hawks", values=values)]) == (
        "Hawks: 500 (0), 400 (1), 900 (18), 800 (19)"
    )
    assert in_words(["start"], [ChartLine(name="Rats", values=(None,))]) == "Rats: nothing yet"


def test_sixty_four_lines_look_unlike_without_colour() -> None:
    looks = {re.sub(r"#[0-9a-f]{6}|line[0-9]", "", swatch(number)) for number in range(64)}
    assert len(looks) == 64


def test_the_same_numbers_stand_in_a_table() -> None:
    page = render(roster_page(gangs("Hawks"), [], history=course((900,), (910,), (905,))), "html")
    body = page.split("<details>", 1)[1]
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", body)
    assert cells == ["start", "900", "0", "1", "910", "10", "2", "905", "20"]


def test_before_a_first_battle_there_is_no_picture() -> None:
    assert "<svg" not in render(roster_page(gangs("Hawks"), []), "html")
    assert "<svg" not in render(standings_page([], history=course((900,))), "html")


def test_only_several_lines_need_a_legend() -> None:
    assert 'class="legend"' not in roster_html("Hawks")
    assert standings_html("Hawks", "Rats").count('<li><svg viewBox="0 0 44 14" aria-hidden="true">') == 2


# Colours


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(colour: str, ground: str) -> float:
    low, high = sorted((luminance(colour), luminance(ground)))
    return (high + 0.05) / (low + 0.05)


@every(("ground", "lines"), [(LIGHT, LINES_LIGHT), (DARK, LINES_DARK)])
def test_words_and_lines_stand_out_from_the_ground(ground: dict[str, str], lines: tuple[str, ...]) -> None:
    words = [ground["ink"], ground["faint"], *lines]
    assert all(contrast(colour, ground["paper"]) >= 4.5 for colour in words)
    assert all(first != second for first, second in combinations(lines, 2))
