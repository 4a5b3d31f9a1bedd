"""Dashes on cards: a characteristic that a fighter does not have."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

NO_NUMBER: Final[Mapping[str, int]] = MappingProxyType({"target_number": 99, "dice": -99})
"""The number that stands for a dash, by the kind of number: no roll reaches it."""
