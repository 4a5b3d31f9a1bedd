"""The possible verdicts of a ruling. Needs no records, so that boards can be read without them."""

from typing import Literal, TypeAlias

Verdict: TypeAlias = Literal[
    "confirmed", "corrected", "voided", "rerolled", "set", "reversed", "rolled_back", "house_rules", "amended"
]
