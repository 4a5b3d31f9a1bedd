"""How Attack dice may be shared out, target by target, as somebody chooses.

Knows no rule: the refusal that asks for a share says which there are altogether.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import product
from typing import TypeAlias

from tracker.campaign.records import DiceShareMissing
from tracker.documents.wizard.context import Choice

Share: TypeAlias = "tuple[int, ...]"


def shares_of_next(missing: DiceShareMissing, before: Sequence[Sequence[int]]) -> tuple[Choice, ...]:
    """The shares that the next target may take, in the order of the weapons, after those `before`; of one
    weapon, a number.
    """
    ways = [tuple(json.loads(way)) for way in missing.ways]
    used = max((place + 1 for way in ways for place, dice in enumerate(way) if dice), default=0)
    after = missing.targets - len(before) - 1
    found: dict[Share, None] = {}
    for way in ways:
        left = tuple(
            dice - sum(share[place] for share in before if place < len(share))
            for place, dice in enumerate(way[:used])
        )
        found |= dict.fromkeys(_shares(left, after))
    names = missing.weapons[:used]
    return tuple(_choice(share, names) for share in found)


def _shares(left: Share, after: int) -> Iterator[Share]:
    """What the next may take of the dice that are left: all where nobody is `after`, else one at least stays
    for each.
    """
    if min(left, default=-1) < 0:
        return
    ways = [left] if not after else list(product(*(range(dice + 1) for dice in left)))
    for share in ways:
        if sum(share) and sum(left) - sum(share) >= after:
            yield share


def _choice(share: Share, names: Sequence[str]) -> Choice:
    if len(share) == 1:
        return Choice(value=str(share[0]), name=str(share[0]), answer=[*share])
    named = ", ".join(f"{dice} {name}" for dice, name in zip(share, names, strict=True) if dice)
    return Choice(value="-".join(map(str, share)), name=named, answer=[*share])
