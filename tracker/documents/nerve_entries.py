"""Nerve exchanges: Nerve tests and what the End phase brings, each as the command that it asks for.

Knows how each is written. Who stands within which distance is always written, never guessed: 0 is a word too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal, Self

from pydantic import Discriminator, Field, Tag, model_validator

from tracker.campaign import records
from tracker.documents.card_numbers import Written
from tracker.documents.checking import Problems, Strict, fault
from tracker.documents.derived_forms import DerivedForm, WrittenForm
from tracker.documents.nodes import Path
from tracker.documents.text import Name, Slug

MODELS_MAX = 100

ModelCount = Annotated[int, Written(lowest=0, highest=MODELS_MAX)]
RoundNumber = Annotated[int, Written(lowest=1, highest=99)]
_Fighters = Annotated[list[Slug], Field(max_length=MODELS_MAX)]
_SomeFighters = Annotated[list[Slug], Field(min_length=1, max_length=MODELS_MAX)]


def _near_written(given: Any) -> str:
    return "<list>" if isinstance(given, list) else "<number>"


FriendsNear = Annotated[
    Annotated[_Fighters, Tag("<list>")] | Annotated[ModelCount, Tag("<number>")],
    Discriminator(_near_written),
]


class Nerve(WrittenForm):
    """A Nerve test. What is rolled: nerve."""

    makes = records.TakeNerveTest

    fighter: Slug
    """Who tests; a vehicle by its crew's id."""
    because_of: Slug | None = None
    """The friend who was Seriously Injured or went Out of Action."""
    wreck: Name | None = None
    """The friendly vehicle that was Wrecked, in words."""
    fate: Literal["seriously_injured", "out_of_action"] | None = None
    """Which of the friend's fates is meant, where both have come by now."""
    friends_near: FriendsNear
    """Friends within reach: a list of ids (who of them helps is worked out), or how many help; 0 for none."""
    mobile: bool | None = None
    """For vehicles: whether it is Mobile."""

    @model_validator(mode="after")
    def _one_cause(self) -> Self:
        if (self.because_of is None) == (self.wreck is None):
            raise fault("write one cause: `because_of: FIGHTER` or `wreck: which vehicle`.")
        if self.wreck is not None and self.fate is not None:
            raise fault("a wreck is a fate already: take `fate` out.")
        return self

    def command(self, activation: str | None) -> records.Command:
        return self.asking(**_near(self.friends_near), activation=activation)


class RallyTest(WrittenForm):
    """A Rally test in the End phase. What is rolled: rally."""

    makes = records.TakeRallyTest

    fighter: Slug
    """Who is Broken; a vehicle by its crew's id."""
    friends_near: FriendsNear
    """Friends within reach: a list of ids (who of them helps is worked out), or how many help; 0 for none."""
    home_turf: bool = False
    """Whether the gang fights on its Home Turf."""
    round: RoundNumber | None = None
    """The round: there is one Rally test in each End phase."""

    def command(self, _: str | None) -> records.Command:
        return self.asking(**_near(self.friends_near))


class Flee(Strict):
    """Who of a bottled gang flees. What is rolled: flee, or flee_engaged."""

    gang: Slug
    """The gang that has bottled out."""
    fighters: _SomeFighters
    """Its fighters on the battlefield, in the order tested."""
    near: dict[Slug, _SomeFighters] = Field(default={}, max_length=MODELS_MAX)
    """For a Leader (12 inches) or Champion (6): who of them stands within reach of the example."""
    voluntarily: bool = False
    """Whether they leave of their own will at the start of an Action phase, without Cool tests."""
    engaged: _Fighters = Field(default=[])
    """Who of those that leave so is engaged: an Initiative test first."""

    @model_validator(mode="after")
    def _one_way(self) -> Self:
        if self.voluntarily and self.near:
            raise fault("who leaves of their own will takes no Cool test: take `near` out.")
        if self.engaged and not self.voluntarily:
            raise fault("being engaged matters only with `voluntarily: true`.")
        return self

    def command(self, _: str | None) -> records.Command:
        if self.voluntarily:
            return records.FleeBattlefield(
                gang=self.gang, fighters=tuple(self.fighters), engaged=tuple(self.engaged)
            )
        near = {leader: tuple(friends) for leader, friends in self.near.items()}
        return records.TakeFleeingTests(gang=self.gang, fighters=tuple(self.fighters), near=near)


def refuse_second_tests(told: Iterable[tuple[Path, object]], problems: Problems) -> None:
    """One Recovery test of a fighter in each End phase, which its round tells.

    Refused here, where all of a battle is told, and not by `decide`: what older logs hold stays decided.
    Source: Core Rulebook (2023) · The End Phase · 3. Recover & Restart.
    """
    taken: set[tuple[str, int]] = set()
    for path, exchange in told:
        if not isinstance(exchange, DerivedForm) or exchange.makes is not records.TakeRecoveryTest:
            continue
        test: records.TakeRecoveryTest = exchange.made()
        if test.round is None:
            continue
        if (test.fighter, test.round) in taken:
            told_before = f"{test.fighter!r} has taken the Recovery test of round {test.round} already"
            problems.add(path, f"{told_before}: there is one in each End phase. Put the round right.")
        taken.add((test.fighter, test.round))


def _near(written: list[str] | int) -> dict[str, Any]:
    if isinstance(written, list):
        return {"friends_near": tuple(written)}
    return {"friends_near": None, "friends_near_count": written}
