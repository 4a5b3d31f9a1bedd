"""What dice that were never rolled may bring: every end of one slot, with its exact chance.

The dice that lie there are taken first, as a ruling would; every other is thrown in every way it can fall.
Faces that no rule told apart are one way (`watched`), and equal states are one end. Where that would take too
long, a way ends at the first die that a roll on a table of 36 asks for in turn; where even that is too long,
the rolls that fighters carry home are left out, and the ends are those of the battle.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from math import prod
from typing import TypeAlias, cast

from tracker.campaign import records
from tracker.campaign.odds.enumeration import outcomes
from tracker.campaign.odds.interning import Shorthand
from tracker.campaign.odds.symbolic import Throw, Watched
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Library, carry_out, rulebook_for
from tracker.campaign.steps.decision import Decision
from tracker.dice import D66, DiceTray, Die, SpecialDie
from tracker.errors import Refusal
from tracker.records import Record

WAYS_MAX = 150
"""A preview must come at once: with more, a way ends sooner, or none is followed."""

Choices: TypeAlias = tuple[tuple[int, ...], ...]


class Brought(Record):
    """One end and its chance; `refused` says why, where dice that fell so would be refused, and `further`
    what would be rolled next, where it was not followed."""

    chance: Fraction
    state: CampaignState
    refused: str = ""
    further: str = ""


class MayBring(Record):
    """Every end, the likeliest first; the chances are one. `whole`: lasting injuries are followed too."""

    ends: tuple[Brought, ...]
    whole: bool


def may_bring(
    state: CampaignState,
    command: records.Command,
    dice: Sequence[Die],
    library: Library,
    *,
    entry: int,
    thrown: int | None = None,
) -> MayBring | None:
    """Every end of a command with these dice and others unknown.

    `thrown` is the place among the dice of one that is to be rolled again. None where there are more ways
    than anybody would wait for.
    """
    rulebook = rulebook_for(state, command, library)
    again = dice[thrown] if thrown is not None else None
    for kind, shallow in ((Decision, False), (Decision, True), (_InBattle, False)):
        ends = _ends(partial(kind, state, rulebook, entry=entry), command, dice, again, shallow=shallow)
        if ends is not None:
            return MayBring(ends=ends, whole=kind is Decision)
    return None


class _Further(Exception):
    """A die is asked for that is not followed any further."""


class _InBattle(Decision):
    """A decision whose fighters roll for nothing that they carry home."""

    def carried_home(self, step: Callable[..., None], *facts: object, **named: object) -> None:
        pass


def _ends(
    begun: Callable[[DiceTray], Decision],
    command: records.Command,
    dice: Sequence[Die],
    again: Die | None,
    *,
    shallow: bool,
) -> tuple[Brought, ...] | None:
    short, found = Shorthand(), dict[object, Brought]()
    waiting: list[Choices] = [()]
    ways = 0
    while waiting:
        choices = waiting.pop()
        ways += 1
        if ways > WAYS_MAX:
            return None
        tray = _Tray(dice, again, choices, shallow=shallow)
        decision = begun(tray)
        end, refused, further = decision.state, "", ""
        try:
            carry_out(decision, command)
            end = decision.state
        except Refusal as refusal:
            refused = refusal.message()
        except _Further as asked:
            end, further = decision.state, str(asked)
        key = short.of((end, refused, further))
        lives = tuple(throw.live for throw in tray.throws)
        for place, throw in enumerate(tray.throws):
            among = choices[place] if place < len(choices) else tuple(range(len(throw.weights)))
            others = tuple(one for one in among if one not in throw.live)
            if others:
                waiting.append((*lives[:place], others, *choices[place + 1 :]))
        chance = Fraction(
            prod(throw.weight for throw in tray.throws), prod(throw.total for throw in tray.throws)
        )
        before = found[key].chance if key in found else Fraction(0)
        found[key] = Brought(chance=before + chance, state=end, refused=refused, further=further)
    assert sum(one.chance for one in found.values()) == 1, "the chances of all ends are one"
    return tuple(sorted(found.values(), key=lambda one: -one.chance))


class _Tray(DiceTray):
    """A tray that throws what is not there, each throw restricted as one way is."""

    def __init__(self, given: Sequence[Die], again: Die | None, choices: Choices, *, shallow: bool) -> None:
        super().__init__(given)
        self.throws: list[Throw] = []
        self._shallow = shallow
        self._deep = False
        self._again = again
        self._choices = choices

    def _next(
        self,
        purpose: str,
        die: str,
        *,
        why: str,
        fighter: str | None,
        sides: tuple[int, ...],
        special: SpecialDie | None = None,
    ) -> Die:
        waiting = [
            one
            for one in self._waiting
            if one.purpose == purpose and (one.fighter is None or one.fighter == fighter)
        ]
        if waiting and waiting[0] is not self._again:
            return super()._next(purpose, die, why=why, fighter=fighter, sides=sides, special=special)
        if waiting:
            self._take(purpose, fighter)
        if self._shallow and self._deep:
            raise _Further(why)
        self._deep = die == D66
        if special is not None:
            symbols = tuple(dict.fromkeys(special.symbols))
            throw = self._throw(tuple(map(special.symbols.count, symbols)), len(special.symbols))
            throw.settle()
            found = Die(purpose=purpose, die=die, symbol=symbols[throw.actual], fighter=fighter)
        else:
            count, columns = outcomes(sides)
            throw = self._throw((1,) * count, count)
            faces = tuple(Watched(throw, values) for values in columns)
            found = Die(purpose=purpose, die=die, faces=cast("tuple[int, ...]", faces), fighter=fighter)
        self._handed_out.append(found)
        return found

    def _throw(self, weights: Sequence[int], total: int) -> Throw:
        place = len(self.throws)
        among = self._choices[place] if place < len(self._choices) else tuple(range(len(weights)))
        self.throws.append(Throw(weights, among, total))
        return self.throws[-1]
