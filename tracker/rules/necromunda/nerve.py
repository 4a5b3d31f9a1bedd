"""Nerve: who tests because of whom, what helps, and when a test on two dice passes.

Knows ranks, kinds of models and numbers. Knows no campaign and rolls nothing: each function answers one
question of Core Rulebook (2023) · Resolve Hits · Nerve Tests.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.rules.combat_tables import Flight, Model
from tracker.rules.rulebook import Rulebook

Fate: TypeAlias = Literal["seriously_injured", "out_of_action", "wrecked"]

VEHICLE_RANK = "crew"
"""A vehicle is known here by its crew: the crew's Cool, the crew's card."""
_YOUNG = {"juves_and_prospects": ("juve", "prospect"), "prospects": ("prospect",)}
NATURAL_LOWEST = 2


def model(category: str) -> Model:
    """Whether somebody of that rank takes the field as a fighter or in a vehicle."""
    return "vehicle" if category == VEHICLE_RANK else "fighter"


def nerve_distance(*, tester: Model, because_of: Model, rulebook: Rulebook) -> int | None:
    """Within how many inches of the victim a model tests its nerve; None where it never does.

    Source: Core Rulebook (2023) · Resolve Hits · Nerve Tests; Vehicles and Nerve Tests.
    """
    return rulebook.book.nerve.within_inches(tester, because_of)


def spared_as_elder(*, tester: str, victim: str, fate: Fate, rulebook: Rulebook) -> bool:
    """Whether the tester is spared because the victim's fate makes only Juves and Prospects test. Both are
    ranks.

    A Juve or Prospect who goes Out of Action makes only Juves and Prospects test; one who is Seriously
    Injured makes everybody test. Source: Core Rulebook (2023) · Resolve Hits · Nerve Tests; G-44.
    """
    if fate != "out_of_action":
        return False
    young = _YOUNG[rulebook.knob("nerve.young")]
    return victim in young and tester not in young


def spared_as_another_kind(*, tester: str, victim: str, rulebook: Rulebook) -> bool:
    """Whether the tester is spared because the victim's rank makes only its own kind test. Both are ranks.

    Source: Core Rulebook (2023) · Exotic Beasts (public data); `only_their_like` in the book's nerve.toml.
    """
    return victim in rulebook.book.nerve.only_their_like and tester != victim


def counts_as_friend_near(
    *, broken: bool, seriously_injured: bool, wrecked: bool, broken_helps: bool = False
) -> bool:
    """Whether a friend within reach, fighter or vehicle, helps in a Nerve or Rally test.

    `broken_helps`: a Broken one helps too. Source: Core Rulebook (2023) · Resolve Hits · Nerve Tests.
    """
    return not ((broken and not broken_helps) or seriously_injured or wrecked)


def broken_friend_helps(*, tester: Model, rulebook: Rulebook) -> bool:
    """Whether a Broken friend of the tester's kind helps in its Nerve test: only vehicles, by a knob.

    Source: Archived rules · Resolve Hits · Nerve Tests; knob nerve.broken_vehicles_near.
    """
    return tester == "vehicle" and rulebook.knob("nerve.broken_vehicles_near") == "help"


def passes_on_two_dice(*, total: int, natural: int, target: int, rulebook: Rulebook) -> bool:
    """Whether 2D6 with modifiers reach a characteristic. `natural` is the sum of the faces alone.

    Source: Core Rulebook (2023) · General Principles; a natural 2: knob cool_test.natural_2.
    """
    if total < target:
        return False
    return natural > NATURAL_LOWEST or rulebook.knob("cool_test.natural_2") == "may_pass"


def passes_on_one_die(face: int, *, modifier: int, target: int, rulebook: Rulebook) -> bool:
    """Whether a D6 with modifiers reaches a characteristic; a natural 1: knob initiative_test.natural_1.

    Source: Archived rules · General Principles.
    """
    if rulebook.knob("initiative_test.natural_1") == "fails" and face == 1:
        return False
    return face + modifier >= target


def flight_of(*, kind: Model, mobile: bool, rulebook: Rulebook) -> Flight:
    """What a model does when it breaks, and the only thing it may do at later activations.

    Source: Core Rulebook (2023) · Resolve Hits · Nerve Tests; Vehicles and Nerve Tests.
    """
    if kind == "fighter":
        return rulebook.book.nerve.flight.fighter
    flight = rulebook.book.nerve.flight
    return flight.mobile_vehicle if mobile else flight.stalled_vehicle


def broken_reaction(rulebook: Rulebook) -> int:
    """The modifier on the hit rolls of a Broken fighter's Reaction attacks, the only ones it may make.

    Source: Core Rulebook (2023) · Resolve Hits · Nerve Tests.
    """
    return rulebook.book.nerve.broken.reaction_attacks
