"""Page: text as HTML that loads nothing from elsewhere, for screens of any width, light or dark, and paper.

Knows elements, cells and the one style sheet. Knows no campaign. Whatever a user typed passes through `html`,
which cleans and escapes, or through `sentence_html`, which also keeps each name's direction to itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape

from tracker.records import replace
from tracker.reports.dispute_marks import MARK
from tracker.reports.names import Names
from tracker.reports.rendering import Cell, sanitize

# Private characters that no font shows; what users typed of them means nothing here.
_OPEN, _CLOSE = "\ue000", "\ue001"
_NAME = re.compile(f"{_OPEN}([^{_OPEN}{_CLOSE}]*){_CLOSE}")
_MARKS = re.compile(f"[{_OPEN}{_CLOSE}]")


def html(text: object) -> str:
    """The text as it reads, whatever it holds."""
    return escape(_MARKS.sub("", sanitize(text)))


def name_html(name: object) -> str:
    """A name that keeps its direction to itself within other words."""
    return f"<bdi>{html(name)}</bdi>"


def marked(names: Names) -> Names:
    """The names, marked so that `sentence_html` knows them within a sentence."""
    return replace(names, around=(_OPEN, _CLOSE))


def sentence_html(sentence: str) -> str:
    """A sentence told with `marked` names."""
    return _MARKS.sub("", _NAME.sub(r"<bdi>\1</bdi>", escape(sanitize(sentence))))


def list_html(sentences: Sequence[str]) -> str:
    """Sentences told with `marked` names, as a list."""
    return "<ul>\n" + "\n".join(f"<li>{sentence_html(one)}</li>" for one in sentences) + "\n</ul>"


def table_html(columns: Sequence[str], rows: Sequence[Sequence[Cell]], *, caption: str = "") -> str:
    """A table that is moved sideways where it is wider than the screen; short columns stand in the middle."""
    kinds = [_kind([row[place] for row in rows]) for place in range(len(columns))]
    head = "".join(
        f'<th scope="col"{kind}>{html(column)}</th>' for column, kind in zip(columns, kinds, strict=True)
    )
    lines = "\n".join(
        "<tr>"
        + "".join(
            f"<td{kind}>{'' if cell is None else html(cell)}</td>"
            for cell, kind in zip(row, kinds, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    titled = f"<caption>{html(caption)}</caption>\n" if caption else ""
    return (
        f'<div class="wide"><table>\n{titled}<thead><tr>{head}</tr></thead>\n<tbody>\n{lines}\n</tbody>\n'
        "</table></div>"
    )


def page_html(title: str, body: Sequence[str]) -> str:
    """The whole page."""
    return _PAGE.format(title=html(title), style=_STYLE, body="\n".join(body))


_WORD = 16
_MEASURE = re.compile(rf"-|[-+]?[0-9][^ ]{{0,4}}({re.escape(MARK)})?")
_COUNT = re.compile(rf"-?[0-9]+({re.escape(MARK)})?")


def _kind(cells: Sequence[Cell]) -> str:
    told = [cell for cell in cells if cell not in (None, "")]
    if any(isinstance(cell, int) for cell in told) and all(_COUNT.fullmatch(str(cell)) for cell in told):
        return ' class="number"'
    if told and all(_MEASURE.fullmatch(str(cell)) for cell in told):
        return ' class="short"'
    longest = max((len(str(cell)) for cell in told), default=0)
    return ' class="word"' if longest <= _WORD else ""


LIGHT = {"paper": "#ffffff", "ink": "#1c1c1c", "faint": "#595959", "rule": "#c4c4c4"}
DARK = {"paper": "#16181b", "ink": "#e8e6e3", "faint": "#b0aca6", "rule": "#4a4d52"}
LINES_LIGHT = ("#1b5e9e", "#b3261e", "#2e6b2e", "#7a3e9d", "#8a5a00", "#00696b", "#9c2a6b", "#444444")
LINES_DARK = ("#7db7ff", "#ff9d94", "#8fd18f", "#d3a6ef", "#e8b85a", "#6fd3d3", "#f29ac5", "#cccccc")
"""Colours of the lines of a picture; on paper without colour their dashes and marks tell them apart."""


def _colours(ground: dict[str, str], lines: Sequence[str]) -> str:
    named = [f"--{name}: {colour};" for name, colour in ground.items()]
    named += [f"--line{number}: {colour};" for number, colour in enumerate(lines)]
    return " ".join(named)


_STYLE = f"""\
:root {{ color-scheme: light dark; {_colours(LIGHT, LINES_LIGHT)} }}
@media screen and (prefers-color-scheme: dark) {{ :root {{ {_colours(DARK, LINES_DARK)} }} }}
* {{ box-sizing: border-box; }}
body {{ background: var(--paper); color: var(--ink); font: 15px/1.45 system-ui, sans-serif; }}
body {{ margin: 0 auto; max-width: 75rem; padding: 1.25rem; overflow-wrap: anywhere; }}
h1, h2, h3 {{ line-height: 1.2; margin: 1.2em 0 0.4em; break-after: avoid; }}
h1 {{ font-size: 1.6em; }} h2 {{ font-size: 1.3em; }} h3 {{ font-size: 1em; }}
h1, h2, h3, p, li, td, th, caption, summary {{ unicode-bidi: plaintext; text-align: left; }}
p {{ margin: 0.4em 0; }}
ul {{ margin: 0.3em 0; padding-left: 1.2em; }}
.wide {{ overflow-x: auto; margin: 0.5rem 0 1rem; }}
table {{ border-collapse: collapse; }}
th, td {{ border-bottom: 1px solid var(--rule); padding: 0.2rem 0.45rem; vertical-align: top; }}
th:first-child, td:first-child {{ padding-left: 0; max-width: 20rem; }}
td:first-child:not(.number) {{ min-width: 7rem; }}
th:first-child, td:first-child {{ position: sticky; left: 0; background: var(--paper); }}
th {{ color: var(--faint); font-weight: 600; overflow-wrap: break-word; }}
td:not([class]) {{ min-width: 9rem; }}
@media screen and (max-width: 40rem) {{
  th:first-child, td:first-child {{ max-width: 9rem; white-space: normal; }}
}}
.number {{ text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }}
.short {{ text-align: center; white-space: nowrap; }}
.word {{ white-space: nowrap; }}
.pictures {{ display: grid; gap: 1rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); }}
.many {{ grid-template-columns: minmax(0, 40rem); }}
figure {{ margin: 0; break-inside: avoid; }}
figcaption {{ font-weight: 600; }}
svg {{ display: block; width: 100%; height: auto; }}
.legend {{ list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; }}
.legend li {{ display: flex; align-items: center; gap: 0.4rem; }}
.legend svg {{ width: 2.8rem; flex: none; }}
details {{ margin: 0.5rem 0; }}
@page {{ margin: 10mm; }}
@media print {{
  body {{ font-size: 8pt; line-height: 1.25; padding: 0; max-width: none; }}
  section + section {{ break-before: page; }}
  tr, li {{ break-inside: avoid; }}
  thead {{ display: table-header-group; }}
  th, td {{ padding: 0.1rem 0.25rem; }}
  .wide {{ overflow: visible; margin: 0.2rem 0 0.5rem; }}
  table {{ width: 100%; }}
  th:first-child, td:first-child {{ position: static; max-width: 10rem; }}
  td:not([class]), td:first-child:not(.number) {{ min-width: 0; }}
  .few {{ grid-template-columns: 1fr 1fr; }}
  details {{ display: none; }}
}}"""

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}
</style>
</head>
<body>
{body}
</body>
</html>"""
