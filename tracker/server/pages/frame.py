"""Templates and their filters.

Text from users is always escaped. Knows no campaign and no request.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

import tracker
from tracker.reports import cards
from tracker.reports.escaping import for_html, for_terminal
from tracker.reports.html import elements, elements_of
from tracker.reports.page import Page, Part
from tracker.server.pages import assets, dice, emblems
from tracker.server.pages.icons import icon
from tracker.server.pages.rolls import EXPLAINED
from tracker.server.pages.terminal_words import on_page, plainly

_BATTLE_ID: Final = re.compile(r"\b([Bb]attle \d+) \([a-z0-9][a-z0-9-]*\)")
_POLICY_ID: Final = re.compile(r" \([a-z0-9][a-z0-9-]*@\d+\)")
_EARLIER_VERSION: Final = re.compile(r"\bas [a-z0-9][a-z0-9-]*@\d+")
_LEFT_OPEN: Final = re.compile(r"Open question [A-Z]-\d+")
_QUESTION: Final = re.compile(r" \([A-Z]-\d+\)")
_OUR_NOTES: Final = " (docs/sources.md)"
_DAY: Final = re.compile(r"([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sept", "Oct", "Nov", "Dec")
_CONTROL: Final = {"trim_blocks": True, "lstrip_blocks": True}


def _plain(value: Any) -> Any:
    """A value without control, bidi and invisible characters. Jinja escapes it afterwards."""
    return for_terminal(value) if type(value) is str else value


def _words(text: object) -> Markup:
    """A sentence of a report, with names isolated from the text direction around them."""
    return Markup(for_html(text))  # noqa: S704  # escaped by for_html


def _plain_words(text: str) -> str:
    """A sentence of the log without ids: 'battle 3', not 'battle 3 (ash-chapel)'."""
    text = _POLICY_ID.sub("", _BATTLE_ID.sub(r"\1", text)).replace(" -> ", " → ")
    return _EARLIER_VERSION.sub("as its earlier version", text)


def _rule(text: str) -> str:
    """The text of a book or a house rule, without the numbers of our open questions."""
    return _QUESTION.sub("", _LEFT_OPEN.sub("The printed rules leave this open", text)).replace(
        _OUR_NOTES, ""
    )


def _sentence(text: str) -> str:
    """The same with a capital first letter."""
    plain = _plain_words(text)
    return plain[:1].upper() + plain[1:]


def _day(at: str) -> str:
    """A date, or the date of a time, in the form of all pages and their scripts: 7 Mar 2026."""
    if (found := _DAY.match(at)) is None:
        return at
    return f"{int(found[3])} {_MONTHS[int(found[2]) - 1]} {found[1]}"


def _lines(text: str) -> Markup:
    """A text of several lines, for a text field."""
    return Markup("\n").join(for_terminal(line) for line in text.splitlines())


def _blocks(page: Page) -> Markup:
    """A report's typed parts as HTML."""
    return Markup("\n".join(elements(page)))  # noqa: S704  # every part escaped what it holds


def _part(part: Part) -> Markup:
    """One part of a report as HTML."""
    return Markup("\n".join(elements_of([part])))  # noqa: S704  # the same


@cache
def _environment() -> Environment:
    environment = Environment(
        autoescape=True,
        loader=PackageLoader("tracker.server.pages"),
        undefined=StrictUndefined,
        finalize=_plain,
        **_CONTROL,  # type: ignore[arg-type]
    )
    environment.globals |= {
        "static": assets.address,
        "release": tracker.__version__,
        "counted": cards.counted,
        "PIPS": dice.PIPS,
        "shown_die": dice.shown,
        "EXPLAINED": EXPLAINED,
        "icon": icon,
        "emblem_clips": emblems.clip_paths,
    }
    environment.filters |= {
        "words": _words,
        "lines": _lines,
        "blocks": _blocks,
        "part": _part,
        "display": cards.display_name,
        "capital": lambda text: f"{text[:1].upper()}{text[1:]}",
        "lowercase": cards.lowercase_id,
        "day": _day,
        "on_page": on_page,
        "plainly": plainly,
        "plain": _plain_words,
        "rule": _rule,
        "sentence": _sentence,
        "zip": zip,
    }
    return environment


def written(template: str, given: Mapping[str, Any]) -> str:
    """The document."""
    return _environment().get_template(f"{template}.html.j2").render(given)
