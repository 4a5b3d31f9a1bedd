"""How a ruling may come out. Knows no ruling: who reads a board's row needs no records."""

from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal[
    "confirmed", "corrected", "voided", "rerolled", "set", "reversed", "rolled_back", "house_rules", "amended"
]
