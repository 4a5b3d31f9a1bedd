"""Dice looked at: pictures in text and SVG, and dice that stand out."""

from xml.etree import ElementTree as ET

from tracker.campaign.state import CampaignState
from tracker.reports import bar_charts
from tracker.reports.disputes import dice_audit_page
from tracker.reports.fair_dice import TOOL, looked_at, rates
from tracker.reports.names import Names
from tracker.reports.page import Bar, Bars
from tracker.reports.provable_dice import provable_dice_page
from tracker.reports.rendering import render
from tracker.rules import loader
from tracker.service.dice_sessions import DiceSessions, RecordedRequest, RecordedSession
from tracker.service.thrown_dice import ThrownDie

BOOK = loader.book("necromunda_2023")
NOBODYS = CampaignState()
PICTURE = Bars("Anna, D3: 12 faces", [Bar("1", 8, 4), Bar("2", 4, 4), Bar("3", 0, 4)], "dice-0")


def die(*faces: int, **facts: object) -> ThrownDie:
    shown = {
        "address": "5.2", "slot": 5, "typed_in_by": "Anna", "rolled_by": None, "fighter": None, "purpose": "wound",
        "die": "D6", "faces": faces, "symbol": None, "source": "typed", **facts,
    }  # fmt: skip
    return ThrownDie(**shown)  # type: ignore[arg-type]


def test_a_picture_in_text_marks_where_each_bar_should_end() -> None:
    assert bar_charts.bar_lines(PICTURE) == [
        f"  1  {'#' * 20}|{'#' * 19}     8",
        f"  2  {'#' * 20}|{' ' * 20}    4",
        f"  3  {' ' * 20}|{' ' * 20}    0",
    ]


def test_a_picture_in_svg_stands_alone_and_says_its_numbers() -> None:
    drawn = ET.fromstring(bar_charts.picture(PICTURE))  # noqa: S314  # our own text
    assert drawn.find("{*}title").text == "Anna, D3: 12 faces"  # type: ignore[union-attr]
    assert drawn.find("{*}desc").text == "1: 8, 4.0 expected; 2: 4, 4.0 expected; 3: 0, 4.0 expected"  # type: ignore[union-attr]
    assert len(drawn.findall("{*}path")) == 6


def test_a_page_shows_the_picture_of_dice_that_stand_out() -> None:
    dice = [die(6)] * 40 + [die(face) for face in (1, 2, 3, 4, 5)] * 4
    page = dice_audit_page([], Names(), looked_at(dice, NOBODYS, BOOK), rates(dice, NOBODYS))
    text = render(page, "text", width=80)
    assert "worth a look" in text
    assert "Anna, D6: 60 faces" in text
    html = render(page, "html")
    assert '<svg xmlns="http://www.w3.org/2000/svg"' in html
    assert max(map(len, text.splitlines())) <= 80


def test_dice_that_the_tool_rolled_stand_by_themselves() -> None:
    dice = [die(3), die(4, source="generated")]
    assert [row.who for row in looked_at(dice, NOBODYS, BOOK)] == ["Anna", TOOL]
    assert [share["unwitnessed"] for share in rates(dice, NOBODYS)] == [1, None]


def test_a_special_die_counts_symbols_and_knows_how_many_faces_bear_each() -> None:
    injury = {"purpose": "injury", "die": "injury"}
    dice = [die(symbol="flesh_wound", **injury), die(1, **injury), die(6, **injury)]
    (row,) = looked_at(dice, NOBODYS, BOOK)
    symbols = BOOK.purposes["injury"].special.symbols  # type: ignore[union-attr]
    sample = dict(zip(row.shown, row.assessment.sample.counts, strict=True))
    assert sum(row.assessment.sample.weights) == 6
    assert sample[symbols[0]] >= 1
    assert sum(sample.values()) == 3


def test_an_open_request_is_red_where_there_is_colour() -> None:
    asked = RecordedRequest(request=17, nonce=60, what="battle:b3", digest="5e" * 32, asked_by="Ana")
    session = RecordedSession(session=1, entry=14, campaign="", commitment="5e" * 32, requests={17: asked})
    page = provable_dice_page(DiceSessions(sessions=(session,)), heading="dice")
    line = "OPEN: request 17 for battle:b3 was asked for and never finished"
    assert f"\x1b[31m{line}\x1b[0m" in render(page, "text", width=80, colour=True)
    assert f"\n{line}\n" in render(page, "text", width=80)
    assert f'<p class="alert">{line}</p>' in render(page, "html")
    assert f"**{line}**" in render(page, "md")


def test_a_row_that_was_named_has_no_faces_to_count() -> None:
    named = die(purpose="lasting_injury", die="D66", symbol="hobbled")
    assert looked_at([named], NOBODYS, BOOK) == []
    assert rates([named], NOBODYS)[0]["dice"] == 1
