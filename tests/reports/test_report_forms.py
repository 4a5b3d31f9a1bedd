"""One page of every kind of part, in six forms; and nothing harmful in any of them."""

from __future__ import annotations

import json
import re

from report_examples import HOSTILE, HOSTILE_SAFE
from tables import every

from tracker.reports.escaping import name_marked, strong
from tracker.reports.page import (
    Block,
    Bullets,
    ChartLine,
    DataTable,
    Details,
    Heading,
    LineChart,
    Page,
    PerFormat,
    Pictures,
    Section,
    Sheet,
    Text,
)
from tracker.reports.rendering import render


def page_of(name: str) -> Page:
    """A page with every part, each of which holds the name."""
    chart = LineChart("Rating", ["start"], [ChartLine(name, [900])], id="one")
    blocks: list[Block] = [
        [Heading(name, context=f"as of {name}")],
        [
            Section([
                [Heading(name_marked(name), level=2), Text([f"{strong(name)} leads"])],
                [Heading("Casualties", level=3, chat=f"{strong(name)}: casualties"), Bullets([name])],
            ])
        ],
        [DataTable(("Fighter", "XP"), [(name, 2)], chat=[f"{name}: 2"])],
        [PerFormat({"md": Text(["for a wiki"]), "html": None}, Text(["for the others"]))],
        [Details("Entry by entry", [Bullets([f"1  {name}"])])],
        [Pictures([chart], [DataTable(("After", "Rating"), [("start", 900)])])],
    ]  # fmt: skip
    return Page(
        schema="example",
        title=name,
        blocks=lambda: blocks,
        data=lambda: {"name": name},
        sheet=lambda: Sheet(("name", "xp"), [{"name": name, "xp": 2}]),
    )


def test_a_terminal_shows_blocks_apart_and_indents_what_stands_under_a_third_heading() -> None:
    assert render(page_of("Vex")) == (
        "as of Vex\n\nVex\n\n"
        "Vex\nVex leads\n\n  Casualties\n    Vex\n\n"
        "Fighter  XP\nVex       2\n\n"
        "for the others\n\n"
        "Entry by entry\n1  Vex"
    )


def test_markdown_has_headings_lists_and_tables() -> None:
    assert render(page_of("Vex_"), "md") == (
        "# Vex\\_\n\n*as of Vex\\_*\n\n"
        "## Vex\\_\n\n**Vex\\_** leads\n\n### Casualties\n\n- Vex\\_\n\n"
        "| Fighter | XP |\n| --- | ---: |\n| Vex\\_ | 2 |\n\n"
        "for a wiki\n\n"
        "## Entry by entry\n\n- 1  Vex\\_"
    )


def test_html_keeps_a_names_direction_and_folds_details() -> None:
    body = render(page_of("Vex"), "html").split("<body>\n", 1)[1]
    assert body.startswith(
        "<h1>Vex</h1>\n<p>as of Vex</p>\n"
        "<section>\n<h2><bdi>Vex</bdi></h2>\n<p><strong>Vex</strong> leads</p>\n"
        "<h3>Casualties</h3>\n<ul>\n<li>Vex</li>\n</ul>\n</section>\n"
        '<div class="wide"><table>\n'
    )
    assert "for the others" not in body
    assert "<details>\n<summary>Entry by entry</summary>\n<ul>\n<li>1  Vex</li>\n</ul>\n</details>" in body
    assert '<svg xmlns="http://www.w3.org/2000/svg"' in body


def test_a_chat_has_lines_for_a_table_and_leaves_details_and_pictures_out() -> None:
    assert render(page_of("Vex"), "discord") == (
        "**Vex**\n**Vex**\n**Vex** leads\n\n**Vex**: casualties\n- Vex\n\nVex: 2\n\nfor the others"
    )


def test_a_sheet_and_json_hold_the_data() -> None:
    assert render(page_of("Vex"), "csv") == "name,xp\nVex,2"
    assert json.loads(render(page_of("Vex"), "json")) == {"schema": "arbitrator/example/1", "name": "Vex"}


@every("name", [HOSTILE, "\ue002\ue003x\ue002", "</title><script>alert(1)</script>", "=cmd()|`"])
def test_no_name_harms_a_reader_in_any_form(name: str) -> None:
    text, md, html, csv, data, chat = (
        render(page_of(name), form) for form in ("text", "md", "html", "csv", "json", "discord")
    )
    for written in (text, md, html, csv, data, chat.replace("\u200b", "")):
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e]", written)
    assert "\n<b>" not in html
    assert not {"script", "b"} & set(re.findall(r"<(\w+)", html))
    assert not re.search(r"(?<!\\)[`<]", md)
    assert not csv.split("\n", 1)[1].startswith(("=", "+", "-", "@"))
    assert json.loads(data)["name"] == name


def test_a_hostile_name_is_still_read() -> None:
    assert f"Fighter              XP\n{HOSTILE_SAFE}   2" in render(page_of(HOSTILE))
