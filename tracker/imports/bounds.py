"""The bounds of untrusted input, and the refusal of input beyond them."""

from __future__ import annotations

from typing import Final

from tracker.errors import BadInput

BYTES_MAX: Final = 10 * 1024 * 1024
ROWS_MAX: Final = 1_000
COLUMNS_MAX: Final = 200


class SourceUnreadable(BadInput):
    """{file} cannot be read: {why}. Nothing was written."""

    file: str
    why: str
