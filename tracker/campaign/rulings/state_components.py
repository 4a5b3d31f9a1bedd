"""The named parts of a state: fields of fighters, of gangs and of the campaign, and membership.

Knows the structure of a state, and no rule.
"""

from __future__ import annotations

from typing import TypeAlias

Component: TypeAlias = str
"""A part of a state that is not a fighter's: 'state.policies', 'gang.rats.credits', 'home.vex'."""
WHOLE = "*"
"""In place of a field: all of a fighter."""
HOME = "home"
"""Beside the fields of a fighter: whose fighter somebody is, if anybody's."""
EVERYTHING: Component = "everything"


def of_state(name: str) -> Component:
    """A field of the campaign; of `gangs`, which there are and in which order."""
    return f"state.{name}"


def after_battle_of(gang: str) -> Component:
    """A gang's post-battle sequence."""
    return f"after.{gang}"


def of_gang(gang: str, name: str) -> Component:
    """A field of a gang but for its fighters."""
    return f"gang.{gang}.{name}"


def enlisted_of(gang: str) -> Component:
    """Who of a gang is enlisted, and in which order."""
    return f"enlisted.{gang}"


def members_of(gang: str) -> Component:
    """Anything about the fighters of a gang, the gone too."""
    return f"members.{gang}"


def tally_of(gang: str, name: str = "") -> Component:
    """What those who are gone add up to; by name, how many of them have a field set."""
    return f"tally.{gang}.{name}"


def follows_from_fighters(component: Component) -> bool:
    """Whether a component is but what the fighters of a gang add up to."""
    return component.startswith(("members.", "tally."))


HOMES: Component = "homes"
"""Who has a home at all, and in which order."""


class ComponentSet:
    """Parts of a state: fields by fighter, and all else by its component."""

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
