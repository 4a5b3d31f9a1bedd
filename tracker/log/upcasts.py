"""Upcasts: how an event of an older shape is read today.

Knows steps from one shape of a type to the next, dict to dict. Stored bytes never change; a step is
written when a shape changes, and every shape ever shipped keeps a golden log in `fixtures/logs/`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Step: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Upcasts:
    """Steps by (type, shape it starts from). A type without an entry in `current` has shape 1."""

    current: Mapping[str, int] = field(default_factory=dict)
    steps: Mapping[tuple[str, int], Step] = field(default_factory=dict)

    def __post_init__(self) -> None:
        wanted = {(name, shape) for name, newest in self.current.items() for shape in range(1, newest)}
        assert wanted == set(self.steps), f"steps missing or too many: {wanted ^ set(self.steps)}"

    def shape_of(self, name: str) -> int:
        """The shape in which this program writes a type."""
        return self.current.get(name, 1)

    def lift(self, name: str, shape: int, data: dict[str, Any]) -> dict[str, Any]:
        """The data of an older shape in today's shape."""
        for step in range(shape, self.shape_of(name)):
            data = self.steps[name, step](data)
        return data


SHIPPED = Upcasts()
"""No shape has changed yet."""
