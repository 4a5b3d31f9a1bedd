"""The outcome distribution of one slot: where dice that were never rolled could lead, with exact chances.

It uses the recorded dice first, as a ruling would, and enumerates every other die. Faces that no rule
compares share one branch (`odds/symbolic`), and equal states are one end. If that would take too long, a
branch ends at the first die that a roll on a table of 36 asks for in turn. If even that is too long, rolls
for after the battle are left out, and the ends are those of the battle.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial

from tracker.campaign import records
from tracker.campaign.odds.interning import Interner
from tracker.campaign.odds.symbolic import Branch, Restrictions, SymbolicTray
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Library, dispatch, rulebook_for
from tracker.campaign.steps.decision import Decision
from tracker.dice import D66, PLAIN_DICE, Die, SpecialDie
from tracker.errors import Refusal
from tracker.records import Record

BRANCHES_MAX = 150
"""The most branches of one preview, which must come at once: beyond it branches end sooner, or not at all."""


class DecisionBudget:
    """How many commands may still be decided, over everything that one preview follows."""

    def __init__(self, most: int) -> None:
        self.left = most

    def spend(self, commands: int = 1) -> bool:
        """Take this many from the budget; False if it has fewer."""
        enough = commands <= self.left
        self.left -= commands if enough else 0
        return enough


class MissingDie(Record):
    """A die that nobody has rolled. `why` says what it is for and what it needs."""

    purpose: str
    die: str
    fighter: str | None
    why: str

    def in_words(self) -> str:
        """'lasting_injury for dot (D66: Lasting Injury roll)'."""
        whose = f" for {self.fighter}" if self.fighter else ""
        die = self.die if self.die in PLAIN_DICE else f"{self.die} die"
        return f"{self.purpose}{whose} ({die}: {self.why})"


class PossibleOutcome(Record):
    """One end and its chance. `refused` is the refusal that this roll leads to; `further` the die that was
    not followed.
    """

    chance: Fraction
    state: CampaignState
    refused: str = ""
    further: str = ""


class OutcomeDistribution(Record):
    """Every end, most likely first; the chances add up to one. `whole`: lasting injuries are followed too.
    `needed` are the dice asked for whatever falls, `perhaps` those that only some branches ask for.
    """

    ends: tuple[PossibleOutcome, ...]
    whole: bool
    needed: tuple[MissingDie, ...] = ()
    perhaps: tuple[MissingDie, ...] = ()


def outcome_distribution(
    state: CampaignState,
    command: records.Command,
    dice: Sequence[Die],
    library: Library,
    *,
    entry: int,
    thrown: int | None = None,
    budget: DecisionBudget | None = None,
) -> OutcomeDistribution | None:
    """Every end of a command with these dice and all others unknown. `thrown` is the place of a die that is
    to be rolled again. None if there are too many branches to wait for, or too many for the budget.
    """
    budget = budget or DecisionBudget(3 * BRANCHES_MAX)
    if isinstance(command, records.PlayInTurn):
        return None  # a branch ends with its command, and another follows this one
    rulebook = rulebook_for(state, command, library)
    again = dice[thrown] if thrown is not None else None
    for kind, shallow in ((Decision, False), (Decision, True), (_InBattle, False)):
        begun = partial(kind, state, rulebook, entry=entry)
        found = _ends(begun, command, dice, again, shallow=shallow, budget=budget)
        if found is not None:
            ends, needed, perhaps = found
            return OutcomeDistribution(ends=ends, whole=kind is Decision, needed=needed, perhaps=perhaps)
    return None


class _Further(Exception):
    """A branch ends at a die that is not followed."""


class _InBattle(Decision):
    """A decision without the rolls for after the battle."""

    def after_battle_only(self, step: Callable[..., None], *facts: object, **named: object) -> None:
        pass


def _ends(
    begun: Callable[[SymbolicTray], Decision],
    command: records.Command,
    dice: Sequence[Die],
    again: Die | None,
    *,
    shallow: bool,
    budget: DecisionBudget,
) -> tuple[tuple[PossibleOutcome, ...], tuple[MissingDie, ...], tuple[MissingDie, ...]] | None:
    interner, ends = Interner(), dict[object, PossibleOutcome]()
    asked: list[tuple[MissingDie, ...]] = []
    waiting: list[Restrictions] = [()]
    branches = 0
    while waiting:
        branches += 1
        if branches > BRANCHES_MAX or not budget.spend():
            return None
        branch = Branch(waiting.pop())
        tray = _Tray(branch, dice, again, shallow=shallow)
        decision = begun(tray)
        end, refused, further = decision.state, "", ""
        try:
            dispatch(decision, command)
            end = decision.state
        except Refusal as refusal:
            refused = refusal.message()
        except _Further as cut:
            end, further = decision.state, str(cut)
        waiting.extend(branch.others())
        asked.append(tuple(tray.asked))
        key = interner.token((end, refused, further))
        before = ends[key].chance if key in ends else Fraction(0)
        chance = before + Fraction(*branch.weight())
        ends[key] = PossibleOutcome(chance=chance, state=end, refused=refused, further=further)
    assert sum(end.chance for end in ends.values()) == 1, "the chances of all ends are one"
    return (tuple(sorted(ends.values(), key=lambda end: -end.chance)), *certain_and_possible(asked))


def certain_and_possible(
    ways: Sequence[Sequence[MissingDie]],
) -> tuple[tuple[MissingDie, ...], tuple[MissingDie, ...]]:
    """The dice that all of these branches ask for, and those that only some do, each of these once."""
    known: dict[tuple[str, str | None], list[MissingDie]] = {}
    least: Counter[tuple[str, str | None]] | None = None
    for way in ways:
        by_key: dict[tuple[str, str | None], list[MissingDie]] = {}
        for die in way:
            by_key.setdefault((die.purpose, die.fighter), []).append(die)
        for key, dice in by_key.items():
            if len(dice) > len(known.get(key, ())):
                known[key] = dice
        counts = Counter({key: len(dice) for key, dice in by_key.items()})
        least = counts if least is None else least & counts
    sure = least or Counter()
    return (
        tuple(die for key, dice in known.items() for die in dice[: sure[key]]),
        tuple(dice[sure[key]] for key, dice in known.items() if len(dice) > sure[key]),
    )


class _Tray(SymbolicTray):
    """Gives the recorded dice; the branch throws the one to be rolled again, and every missing one."""

    def __init__(self, branch: Branch, given: Sequence[Die], again: Die | None, *, shallow: bool) -> None:
        super().__init__(branch, given)
        self._shallow = shallow
        self._deep = False
        self._again = again
        self._known = False
        self.asked: list[MissingDie] = []

    def _take(self, purpose: str, fighter: str | None) -> Die | None:
        taken = super()._take(purpose, fighter)
        self._known = taken is not None and taken is self._again
        return None if self._known else taken

    def _throw(
        self,
        purpose: str,
        die: str,
        why: str,
        fighter: str | None,
        sides: tuple[int, ...],
        special: SpecialDie | None,
    ) -> Die:
        if not self._known:  # the ruling itself speaks of the one to be rolled again
            self.asked.append(MissingDie(purpose=purpose, die=die, fighter=fighter, why=why))
        self._known = False
        if self._shallow and self._deep:
            raise _Further(why)
        self._deep = die == D66
        return super()._throw(purpose, die, why, fighter, sides, special)
