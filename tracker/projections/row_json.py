"""Rows as JSON. Knows no board and no database: who reads or writes a row's words needs neither."""

from typing import Any

import msgspec

to_json = msgspec.json.Encoder(order="sorted").encode
from_json = msgspec.json.Decoder().decode


def as_json(row: Any) -> str:
    """A row as the boards keep it."""
    return to_json(row).decode()
