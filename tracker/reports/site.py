"""A site: a campaign's pages with relative links, for any web space, without scripts or external files."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence

from tracker.records import Record
from tracker.reports.html import Link, Links, html_page
from tracker.reports.page import Page

INDEX = "index.html"
_PLAIN = re.compile(r"[a-z0-9][a-z0-9-]{0,59}")


class SitePage(Record):
    """One page: its file name, the text of links to it, and the heading that it is listed under."""

    file: str
    text: str
    page: Page
    under: str = ""
    above: tuple[Link, ...] = ()


def file_of(kind: str, identity: str) -> str:
    """The file of a page by the kind and id of its subject. An id is never a path."""
    if _PLAIN.fullmatch(identity):
        return f"{kind}-{identity}.html"
    return f"{kind}-x{hashlib.sha256(identity.encode()).hexdigest()[:16]}.html"


def written(index: Page, title: str, pages: Sequence[SitePage]) -> Iterator[tuple[str, str]]:
    """Every file of the site with its content, the index first: it lists the others under their headings."""
    home = Link(text=title, href=INDEX)
    groups: dict[str, list[Link]] = {}
    for entry in pages:
        if entry.under:
            groups.setdefault(entry.under, []).append(Link(text=entry.text, href=entry.file))
    below = [Links(heading=heading, links=links) for heading, links in groups.items()]
    yield INDEX, html_page(index, below=below)
    for entry in pages:
        yield entry.file, html_page(entry.page, above=(home, *entry.above))
