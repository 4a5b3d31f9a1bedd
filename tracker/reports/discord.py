"""Discord: lines made safe for its chat, and cut into messages.

Knows the chat's markup and its limit. Knows no campaign. No name pings anybody, or becomes a heading or a
link.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from tracker.reports.escaping import for_chat, strong
from tracker.reports.page import Alert, Block, Bullets, DataTable, Heading, Page, Section, Text, in_form

LIMIT = 2000
"""The length limit of a message in UTF-16 units, the strictest way to count."""

_HEADING = 200
_PIECE = 1500
_UNIT = re.compile(r"\\?.", re.DOTALL)


def chat_messages(page: Page) -> str:
    """The page as messages, one below the other, with a cut mark between them."""
    written = page_messages(page)
    if len(written) == 1:
        return written[0]
    return "\n".join(
        f"{_CUT.format(number=number, of=len(written))}\n{message}"
        for number, message in enumerate(written, start=1)
    )


def page_messages(page: Page) -> list[str]:
    """The page as messages, each as it is sent."""
    return messages(page.title, list(_blocks(page.blocks())))


def _blocks(blocks: Iterable[Block]) -> Iterator[list[str]]:
    """The lines of each block; a heading begins a new one. Parts that only a page shows are left out."""
    for block in blocks:
        lines: list[str] = []
        for part in in_form(block, "discord"):
            if isinstance(part, Heading) and part.level > 1:
                if lines:
                    yield lines
                heading = strong(part.text) if part.chat is None else part.chat
                lines = [for_chat(heading)] if heading else []
            elif isinstance(part, (Text, Alert)):
                lines += map(for_chat, part.lines)
            elif isinstance(part, Bullets):
                lines += [f"- {for_chat(line)}" for line in part.lines]
            elif isinstance(part, DataTable):
                lines += map(for_chat, part.chat)
            elif isinstance(part, Section):
                yield from _blocks(part.blocks)
        if lines:
            yield lines


def messages(title: str, blocks: Sequence[Sequence[str]]) -> list[str]:
    """The blocks as messages of at most `LIMIT`, each under the bold title and its number.

    Lines are escaped already. A block is cut only if it must be. A single message has no number.
    """
    shown, *more = _pieces(for_chat(title), _HEADING)
    title = f"**{shown}...**" if more else f"**{shown}**"
    head = _length(f"{title} (999/999)\n")
    parts: list[list[str]] = [[]]
    room = LIMIT - head
    for block in blocks:
        lines = [piece for line in block for piece in _pieces(line, _PIECE)]
        length = sum(_length(line) + 1 for line in lines) + 1
        if parts[-1] and length > room and length <= LIMIT - head:
            parts.append([])
            room = LIMIT - head
        elif parts[-1]:
            parts[-1].append("")
            room -= 1
        for line in lines:
            if _length(line) + 1 > room:
                parts.append([f"{lines[0]} (continued)"] if _length(lines[0]) <= _HEADING else [])
                room = LIMIT - head - sum(_length(line) + 1 for line in parts[-1])
            parts[-1].append(line)
            room -= _length(line) + 1
    several = len(parts) > 1
    return [
        "\n".join([f"{title} ({number}/{len(parts)})" if several else title, *part]).rstrip()
        for number, part in enumerate(parts, start=1)
    ]


_CUT = "-------- 8< -------- message {number} of {of}, paste what is below --------"


def _pieces(line: str, longest: int) -> list[str]:
    """A line in pieces of at most `longest` units, cut at spaces if possible, never inside an escape."""
    if _length(line) <= longest:
        return [line]
    pieces: list[str] = []
    piece = ""
    for word in re.split(r"(?<= )", line):
        for part in [word] if _length(word) <= longest else _UNIT.findall(word):
            if _length(piece) + _length(part) > longest:
                pieces.append(piece.rstrip())
                piece = ""
            piece += part
    return [*pieces, piece.rstrip()]


def _length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2
