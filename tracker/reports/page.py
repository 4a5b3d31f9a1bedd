"""A page: a report as typed parts, and the same facts as data. Knows no format; `rendering` writes each.

Texts are as somebody typed them: the renderers escape them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias

from tracker.records import Record

Form: TypeAlias = Literal["text", "md", "html", "csv", "json", "discord"]
Row: TypeAlias = Mapping[str, Any]
"""A row of a board, as `tracker.projections` makes it."""
Cell: TypeAlias = str | int | None


class Heading(NamedTuple):
    """Level 1 is the page's own, 2 a part's, 3 within a part, 4 a line in bold above a list."""

    text: str
    level: int = 1
    chat: str | None = None
    """The text in a chat instead; empty for none."""
    context: str = ""
    """The campaign and the point in time, if the heading does not name them."""


class Text(NamedTuple):
    """Lines; each is a paragraph in formats that join lines."""

    lines: Sequence[str]


class Bullets(NamedTuple):
    """A list; plain lines in a terminal."""

    lines: Sequence[str]


class Alert(NamedTuple):
    """Lines that nobody should overlook: red in formats with colour."""

    lines: Sequence[str]


class DataTable(NamedTuple):
    """Rows under columns. A table that is too wide is cut before one of `breaks` (else anywhere), and repeats
    its first `keys` columns.
    """

    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    caption: str = ""
    chat: Sequence[str] = ()
    """The rows as lines, for a chat, which has no tables."""
    keys: int = 1
    breaks: Sequence[int] = ()


class ChartLine(NamedTuple):
    """One line of a chart; None if there is no value yet."""

    name: str
    values: Sequence[int | None]


class LineChart(NamedTuple):
    """Lines over labels. The `id` is unique on the page."""

    title: str
    labels: Sequence[str]
    lines: Sequence[ChartLine]
    id: str


class Pictures(NamedTuple):
    """Charts of the same lines, and their numbers as tables; for HTML only."""

    charts: Sequence[LineChart]
    tables: Sequence[DataTable]


class Bar(NamedTuple):
    """How often something fell, and how often it would on average; None without a comparison."""

    name: str
    fell: int
    expected: float | None = None


class Bars(NamedTuple):
    """Counts beside expected values. The `id` is unique on the page."""

    title: str
    bars: Sequence[Bar]
    id: str
    columns: tuple[str, ...] = ("Face", "Fell", "Expected")
    """The headings of the bars' names, their lengths, and their marks, if there are any."""
    decimals: int = 1
    """Of what was expected."""


class Details(NamedTuple):
    """Parts that HTML shows on demand, and a chat leaves out."""

    summary: str
    parts: Sequence[Part]


class Section(NamedTuple):
    """Blocks that belong together; on paper each section begins a sheet."""

    blocks: Sequence[Block]


class PerFormat(NamedTuple):
    """Another part in some formats; None for none."""

    forms: Mapping[Form, Part | None]
    otherwise: Part | None = None


Part: TypeAlias = (
    Heading | Text | Alert | Bullets | DataTable | Pictures | Bars | Details | Section | PerFormat
)
Block: TypeAlias = Sequence[Part]
"""Parts without a blank line between them in a terminal."""


class Sheet(NamedTuple):
    """Rows for a spreadsheet, numbers bare."""

    columns: Sequence[str]
    rows: Iterable[Row]


class Page(Record):
    """A report. Its words, data and sheet are computed when a format needs them."""

    schema: str
    """The name of its JSON schema."""
    data: Callable[[], Mapping[str, Any]]
    blocks: Callable[[], Iterable[Block]]
    sheet: Callable[[], Sheet] | None = None
    title: str = ""
    """The title of an HTML document or a chat message."""


def in_form(parts: Iterable[Part | None], form: Form) -> Iterable[Part]:
    """The parts that this format shows."""
    for part in parts:
        while isinstance(part, PerFormat):
            part = part.forms.get(form, part.otherwise)
        if part is not None:
            yield part
