"""Commands of the chapter on nerve. Who stands within which distance is stated: only the table knows it.

A vehicle is named by its crew's id. `friends_near` lists friends within reach (who of them counts is worked
out), or `friends_near_count` says how many of them count.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from tracker.records import Record

Fate: TypeAlias = Literal["seriously_injured", "out_of_action"]


class TakeNerveTest(Record):
    """A Nerve test because of a friend's fate (`because_of`) or of a wreck, named in words.

    `fate` says which of a victim's two fates is meant, where both have come by now. `mobile` is for
    vehicles. Core Rulebook (2023) · Resolve Hits · Nerve Tests.
    """

    fighter: str
    because_of: str | None = None
    wreck: str | None = None
    fate: Fate | None = None
    friends_near: tuple[str, ...] | None = None
    friends_near_count: int | None = None
    mobile: bool | None = None
    activation: str | None = None


class TakeRallyTest(Record):
    """A Rally test of a Broken fighter or vehicle. `round` tells End phases apart: there is one in each.

    Core Rulebook (2023) · The End Phase · 4. Rally Tests.
    """

    fighter: str
    friends_near: tuple[str, ...] | None = None
    friends_near_count: int | None = None
    home_turf: bool = False
    round: int | None = None


NerveCommand: TypeAlias = TakeNerveTest | TakeRallyTest
