"""The wound table: what the D6 needs for each way that Strength and Toughness compare.

Knows the five ways, and that a book prints each once. Which way it is: `rules/necromunda/hits.py`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias, get_args

Comparison: TypeAlias = Literal["twice", "half", "greater", "equal", "lower"]
NEEDS = range(2, 7)
"""A D6 that wounds always or never is no roll."""


def wound_table(content: Mapping[str, Any]) -> dict[Comparison, int]:
    """The table of a book from its file. Raises KeyError or ValueError for what does not fit."""
    found: dict[Comparison, int] = {}
    for row in content["row"]:
        comparison, needs = row["strength"], row["needs"]
        if comparison not in get_args(Comparison):
            known = ", ".join(get_args(Comparison))
            raise ValueError(f"the wound table compares by {comparison!r}, which is none of {known}")
        if comparison in found:
            raise ValueError(f"the wound table names {comparison} twice")
        if type(needs) is not int or needs not in NEEDS:
            raise ValueError(f"the wound table needs {needs!r} for {comparison}, which no D6 does")
        if not row["name"]:
            raise ValueError(f"the wound table has no name for {comparison}")
        found[comparison] = needs
    for comparison in get_args(Comparison):
        if comparison not in found:
            raise ValueError(f"the wound table has no row for {comparison}")
    return found
