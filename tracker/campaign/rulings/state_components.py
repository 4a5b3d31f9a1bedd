"""The named parts of a state: fields of fighters, of gangs and of the campaign, and membership.

Knows the structure of a state, and no rule.
"""

from __future__ import annotations

from typing import TypeAlias

Component: TypeAlias = str
"""A part of a state other than a fighter's fields: 'state.policies', 'gang.rats.credits'."""
WHOLE = "*"
"""In place of a field name: all fields of a fighter."""
HOME = "home"
"""Like a field of a fighter: the gang they belong to, if any."""
EVERYTHING: Component = "everything"


def of_state(name: str) -> Component:
    """A field of the campaign. 'gangs' stands for which gangs there are, and their order."""
    return f"state.{name}"


def after_battle_of(gang: str) -> Component:
    """A gang's post-battle sequence."""
    return f"after.{gang}"


def of_gang(gang: str, name: str) -> Component:
    """A field of a gang, except its fighters."""
    return f"gang.{gang}.{name}"


def enlisted_of(gang: str) -> Component:
    """Which fighters of a gang are enlisted, and their order."""
    return f"enlisted.{gang}"


def members_of(gang: str) -> Component:
    """Anything about the fighters of a gang, the gone too."""
    return f"members.{gang}"


def tally_of(gang: str, name: str = "") -> Component:
    """The totals over a gang's gone fighters; with a name, how many of them have that field set."""
    return f"tally.{gang}.{name}"


def follows_from_fighters(component: Component) -> bool:
    """Whether a component is derived from the fighters of a gang."""
    return component.startswith(("members.", "tally."))


HOMES: Component = "homes"
"""Which fighters belong to any gang, and their order."""


class ComponentSet:
    """Parts of a state: fields of each fighter, and all other components."""

    def __init__(self) -> None:
        self.fighters: dict[str, set[str]] = {}
        self.components: set[Component] = set()

    def add(self, component: Component) -> None:
        self.components.add(component)

    def add_fighter(self, fighter: str, name: str = WHOLE) -> None:
        self.fighters.setdefault(fighter, set()).add(name)

    def update(self, other: ComponentSet) -> None:
        self.components |= other.components
        for fighter, names in other.fighters.items():
            self.fighters.setdefault(fighter, set()).update(names)

    def __bool__(self) -> bool:
        return bool(self.components or self.fighters)
