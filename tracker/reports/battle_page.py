"""Battle page: one battle as an HTML file: crews, what it did to whom, what came after, its entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from tracker.reports.battle import chapters, head
from tracker.reports.battle_story import GangStory
from tracker.reports.dispute_marks import pending_lines
from tracker.reports.html import html, list_html, page_html, sentence_html
from tracker.reports.log import Entry, Place, StruckOut, log_text
from tracker.reports.names import Names
from tracker.reports.rendering import Row


def battle_html(
    row: Row,
    entries: Sequence[Entry],
    names: Names,
    *,
    told: Sequence[GangStory],
    struck: Mapping[Place, StruckOut] | None = None,
    standing: Sequence[str] = (),
    pending: Sequence[Row] = (),
    doubted: AbstractSet[int] = frozenset(),
) -> str:
    """The page. `names` and `told` come `marked`, so that every name keeps its direction."""
    title, result, *crews = head(row, names)
    body = [f"<h1>{html(title)}</h1>", f"<p>{sentence_html(result)}</p>", list_html(crews)]
    if standing:
        body += ["<h2>How everybody stands</h2>", *_by_indent(standing)]
    for gang in told:
        body.append(f"<h2>{sentence_html(names.gang(gang.gang))}</h2>")
        for heading, said in chapters(gang):
            body += [f"<h3>{heading}</h3>", list_html(said)]
    body += [list_html(pending_lines(pending))] if pending else []
    listed = list_html(log_text(entries, names, struck=struck, doubted=doubted).split("\n"))
    body.append(f"<details>\n<summary>Entry by entry</summary>\n{listed}\n</details>")
    return page_html(title, body)


def _by_indent(lines: Sequence[str]) -> list[str]:
    """A gang's line as a heading, those indented below it as its list."""
    parts: list[str] = []
    below: list[str] = []
    for line in lines:
        if line.startswith("    "):
            below.append(line.strip())
            continue
        parts += [list_html(below)] if below else []
        parts.append(f"<h3>{sentence_html(line.strip())}</h3>")
        below = []
    return [*parts, *([list_html(below)] if below else [])]
