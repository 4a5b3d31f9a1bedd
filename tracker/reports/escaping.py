"""Escaping: makes text from users safe in a terminal, in Markdown, a chat, HTML, a sheet or JSON.

Private-use characters mark names and strong words within a sentence; they are removed from users' text.
"""

from __future__ import annotations

import html
import json
import re
from collections.abc import Mapping
from typing import Any

import msgspec

# Line ends and tabs would join two words when dropped, so they become a space.
_SPACES = re.compile("[\t\n\v\f\r\x85\u2028\u2029]")
# C0, DEL, C1; zero-width, bidi and invisible letters that names can hide in; lone surrogates.
_HARMFUL = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)
_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~&#$])")
_FORMULA_STARTS = ("=", "+", "-", "@", "\uff1d", "\uff0b", "\uff0d", "\uff20")
# A chat makes links of addresses with a scheme, and of invitations without one. IDNA knows four full stops.
_LINKED = re.compile(r"@|:(?=//)|(?<=\w)[.\u3002\uff0e\uff61](?=[^\W\d_]{2})")
_APART = "\u200b"

AROUND_NAMES = ("\ue000", "\ue001")
_AROUND_STRONG = ("\ue002", "\ue003")
_MARKS = re.compile("[\ue000-\ue003]")
_NAME, _STRONG = (
    re.compile(f"{start}([^{start}{end}]*){end}") for start, end in (AROUND_NAMES, _AROUND_STRONG)
)


def sanitize(text: object) -> str:
    """The text without control, escape, bidi and zero-width characters; line breaks become spaces."""
    return _HARMFUL.sub("", _SPACES.sub(" ", str(text)))


def name_marked(name: object) -> str:
    """A name that is isolated from the text direction around it in HTML."""
    return _MARKS.sub("", str(name)).join(AROUND_NAMES)


def strong(text: object) -> str:
    """Words in bold, in formats that have it."""
    return _MARKS.sub("", str(text)).join(_AROUND_STRONG)


def for_terminal(text: object) -> str:
    """The text without markup."""
    return _MARKS.sub("", sanitize(text))


def for_markdown(text: object) -> str:
    """The text with Markdown escaped; fit for a table's cell and for a line."""
    return _emphasized(_MARKDOWN.sub(r"\\\1", sanitize(text)).strip())


def for_chat(text: object) -> str:
    """As Markdown; '@' mentions nobody, and no address is a link."""
    return _LINKED.sub(rf"\g<0>{_APART}", for_markdown(text))


def for_html(text: object) -> str:
    """The text as HTML, with names and strong words as elements."""
    named = _NAME.sub(r"<bdi>\1</bdi>", html.escape(sanitize(text))).replace(" -&gt; ", " → ")
    return _MARKS.sub("", _STRONG.sub(r"<strong>\1</strong>", named))


def for_attribute(text: object) -> str:
    """The text within HTML, without elements."""
    return html.escape(for_terminal(text))


def for_sheet(cell: object) -> str | int:
    """A cell of a sheet. A text that a spreadsheet would run as a formula gets a leading '."""
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return cell
    # Checked before and after cleaning: a tab may start a formula, a zero-width character may hide one.
    text = for_terminal(cell)
    starts_formula = text.lstrip().startswith(_FORMULA_STARTS) or str(cell).startswith(("\t", "\r", "\n"))
    return f"'{text}" if starts_formula else text


def json_text(schema: str, data: Mapping[str, Any]) -> str:
    """JSON for programs, `schema` first. Characters that `sanitize` drops are escaped instead."""
    text = json.dumps({"schema": f"arbitrator/{schema}/1", **data}, ensure_ascii=False, allow_nan=False)
    # msgspec does the indenting: with it, json would not use its fast encoder.
    return msgspec.json.format(_HARMFUL.sub(_escaped, text), indent=2)


def _emphasized(text: str) -> str:
    return _MARKS.sub("", _STRONG.sub(r"**\1**", text))


def _escaped(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code <= 0xFFFF:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
