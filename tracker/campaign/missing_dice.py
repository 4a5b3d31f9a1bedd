"""Missing dice: finds all dice that a command lacks, before anybody rolls them.

Tries the command with every possible roll. Knows no rule of its own.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, takewhile
from typing import Any, Final, TypeAlias

from msgspec import UNSET

from tracker.campaign import records
from tracker.campaign.odds.symbolic import Branch, Restrictions, SymbolicTray
from tracker.campaign.steps import Interrupted, Library, dispatch, name_of, rulebook_for
from tracker.campaign.steps.decision import Decision
from tracker.campaign.unrolled_dice import showing_alike
from tracker.dice import D3, D6, D66, FROM_PEOPLE, TWO_D6, DiceNeeded, DiceTray, Die, DieAsked, ways_of
from tracker.errors import Refusal
from tracker.records import Record

BRANCHES_MAX: Final = 100
"""The most paths followed: a refusal must come at once. Beyond that only the next few dice are certain."""
AGAIN_MAX: Final = 6
"""How often a die that is rolled again until it shows another face is followed."""
FACES: Final = range(1, 7)

_Key: TypeAlias = tuple[str, str, str | None]


class Path(Record):
    """One way that the missing dice can fall: the dice asked for, and whether all typed dice were used."""

    asked: tuple[DieAsked, ...]
    fits: bool
    is_cut_short: bool
    """Whether more may be asked for."""


def explain(needed: DiceNeeded, library: Library, *, from_file: bool = True) -> None:
    """Fill in what the missing die needs, what else is missing, and how the dice are written."""
    lacks: Interrupted = needed.asked
    # A roll on a table of 36 multiplies the paths: if too many lead up to one, it is not followed.
    paths, whole = _paths(lacks, library, tables=0)
    if whole and any(die.die == D66 for path in paths for die in path.asked):
        further, all_of_them = _paths(lacks, library, tables=1)
        paths = further if all_of_them else paths
    needed.needed = _faces_needed(needed, lacks, library)
    fitting = [path for path in paths if path.fits] or paths
    first = (needed.purpose, needed.die, needed.fighter)
    certain = _common(fitting) if whole else Counter(_next_in_any_case(lacks, library, first))
    also = _once_each(fitting[0].asked, certain) if fitting else []
    needed.also = tuple(also[1:])
    named = {needed.purpose, *(die.purpose for die in also)}
    possible = dict.fromkeys(die.purpose for path in fitting for die in path.asked)
    needed.perhaps = tuple(purpose for purpose in possible if purpose not in named)
    missing = [needed.purpose, *(die.purpose for die in needed.also)]
    needed.paste = _written(lacks, missing, from_file=from_file)


def rolled_next(needed: DiceNeeded, library: Library) -> tuple[DieAsked, ...]:
    """The dice that the same fighter rolls next, however the missing die falls: the first ones that `explain`
    fills in as `also`.
    """
    lacks: Interrupted = needed.asked
    facts = (_given(lacks), lacks.command, lacks.state)
    for known, dice in tuple(_ROLLED_NEXT):
        if known == facts:
            return dice
    following = () if _is_rolled_alone(needed, library) else _following(needed, library)
    _ROLLED_NEXT.append((facts, following))
    return following


_ROLLED_NEXT: deque[tuple[tuple[object, ...], tuple[DieAsked, ...]]] = deque(maxlen=32)
"""Cached: a page asks again for the dice of an entry with each answer."""


def _following(needed: DiceNeeded, library: Library) -> tuple[DieAsked, ...]:
    explain(needed, library)
    return tuple(takewhile(lambda die: die.fighter == needed.fighter, needed.also))


def _is_rolled_alone(needed: DiceNeeded, library: Library) -> bool:
    """Whether the first few paths already share no further die of this fighter: then no more are followed."""
    lacks: Interrupted = needed.asked
    shared: Counter[_Key] | None = None
    for path in islice(_ways_on(lacks, library, tables=1, next_way=0), BRANCHES_MAX):
        if path.fits and not path.is_cut_short:
            asked = Counter(map(_key, path.asked))
            shared = asked if shared is None else shared & asked
            if sum(count for die, count in shared.items() if die[2] == needed.fighter) == 1:
                return True
    return False


def as_if_rolled(lacks: Interrupted, library: Library) -> Decision | None:
    """The decision with the missing dice rolled so that the fewest dice follow, to check later entries of a
    file against. None if it is refused however the dice fall.
    """
    ends = []
    for face in FACES:
        tray = DiceTray(_given(lacks), roller=showing_alike(face))
        decision = _decided(lacks, tray, library)
        if decision is not None and not _typed(tray.waiting):
            ends.append((len(tray.handed_out), len(decision.events), face, decision))
    return min(ends, key=lambda end: end[:3])[3] if ends else None


# --- which dice ------------------------------------------------------------------------------------------


class _FarEnough(Exception):
    """Ends a path at a die that is named but not followed further."""


class _Asking(SymbolicTray):
    """Notes which dice were thrown because nobody gave them."""

    def __init__(
        self, branch: Branch, given: Sequence[Die], lacks: Interrupted, *, tables: int, dice: int | None
    ) -> None:
        super().__init__(branch, given)
        self._tables = tables
        self._dice = dice
        self._state = lacks.state
        self.asked: list[DieAsked] = []

    def _throw(self, purpose: str, die: str, why: str, fighter: str | None, *others: Any) -> Die:
        name = name_of(self._state, fighter)
        before = sum(asked.die == D66 for asked in self.asked)
        self.asked.append(DieAsked(purpose=purpose, die=die, fighter=fighter, why=why, name=name))
        is_far = self._dice is not None and len(self.asked) > self._dice
        again = self.asked[-AGAIN_MAX:]
        goes_on = len(again) == AGAIN_MAX and again.count(again[0]) == AGAIN_MAX
        if before + (die == D66) > self._tables or is_far or goes_on:
            raise _FarEnough
        return super()._throw(purpose, die, why, fighter, *others)


def _paths(
    lacks: Interrupted, library: Library, *, tables: int, dice: int | None = None
) -> tuple[list[Path], bool]:
    """The paths that the rules tell apart, up to so many D66 rolls (`tables`) or dice; False if there are
    more than BRANCHES_MAX.
    """
    paths = [*islice(_ways_on(lacks, library, tables=tables, dice=dice), BRANCHES_MAX + 1)]
    return paths[:BRANCHES_MAX], len(paths) <= BRANCHES_MAX


def _ways_on(
    lacks: Interrupted, library: Library, *, tables: int, dice: int | None = None, next_way: int = -1
) -> Iterator[Path]:
    """Each path in turn. `next_way` -1 goes depth first, 0 breadth first."""
    waiting: list[Restrictions] = [()]
    while waiting:
        branch = Branch(waiting.pop(next_way))
        tray = _Asking(branch, _given(lacks), lacks, tables=tables, dice=dice)
        is_cut_short = False
        try:
            carried_out = _carried_out(_begun(lacks, tray, library), lacks.command)
            fits = carried_out and not _typed(tray.waiting)
        except _FarEnough:
            fits = is_cut_short = True
        waiting.extend(branch.others())
        yield Path(asked=tuple(tray.asked), fits=fits, is_cut_short=is_cut_short)


def _next_in_any_case(lacks: Interrupted, library: Library, first: _Key) -> list[_Key]:
    """The dice that follow each other, `first` first, however those before them fall."""
    certain = [first]
    while True:
        paths, whole = _paths(lacks, library, tables=1, dice=len(certain))
        following = {tuple(map(_key, path.asked))[len(certain) :] for path in paths if path.fits}
        if not whole or len(following) != 1 or not (more := following.pop()):
            return certain
        certain += more


def _common(paths: Iterable[Path]) -> Counter[_Key]:
    """The dice that every path asks for, and how often."""
    counts = [Counter(map(_key, path.asked)) for path in paths]
    common = counts[0]
    for count in counts[1:]:
        common &= count
    return common


def _once_each(asked: Iterable[DieAsked], certain: Counter[_Key]) -> list[DieAsked]:
    left = certain.copy()
    listed = []
    for die in asked:
        if left[_key(die)] > 0:
            left[_key(die)] -= 1
            listed.append(die)
    return listed


def _key(die: DieAsked) -> _Key:
    return die.purpose, die.die, die.fighter


# --- what passes -----------------------------------------------------------------------------------------


def _faces_needed(needed: DiceNeeded, lacks: Interrupted, library: Library) -> str | None:
    """The faces that pass (of two dice the totals), as '4+'; None for a die that is no test."""
    if needed.die not in (D6, D3, TWO_D6):
        return None
    passing: dict[int, bool] = {}
    place = len(needed.rolled)
    for faces in ways_of(needed.die):
        die = Die(purpose=needed.purpose, die=needed.die, faces=faces, fighter=needed.fighter)
        tray = DiceTray((*_given(lacks), die), roller=showing_alike(1))
        decision = _begun(lacks, tray, library)
        _carried_out(decision, lacks.command)
        rolls = [decided.event for decided in decision.events if isinstance(decided.event, records.RollMade)]
        passed = next((roll.passed for roll in rolls if roll.number == place), None)
        if passed is None or passing.setdefault(sum(faces), passed) != passed:
            return None
    return _in_words([total for total, passed in passing.items() if passed], max(passing))


def _in_words(totals: Sequence[int], most: int) -> str | None:
    if not totals or list(totals) != list(range(totals[0], totals[-1] + 1)):
        return None
    if totals[-1] == most:
        return f"{totals[0]}+"
    return f"{totals[0]}" if len(totals) == 1 else f"{totals[0]} to {totals[-1]}"


# --- the decision once more ------------------------------------------------------------------------------


def _given(lacks: Interrupted) -> tuple[Die, ...]:
    return (*lacks.tray.handed_out, *lacks.tray.waiting)


def _typed(dice: Iterable[Die]) -> bool:
    return any(die.source in FROM_PEOPLE for die in dice)


def _begun(lacks: Interrupted, tray: DiceTray, library: Library) -> Decision:
    rulebook = rulebook_for(lacks.state, lacks.command, library)
    return Decision(lacks.state, rulebook, tray, entry=lacks.decision.entry)


def _carried_out(decision: Decision, command: records.Command) -> bool:
    try:
        dispatch(decision, command)
    except Refusal:
        return False
    return True


def _decided(lacks: Interrupted, tray: DiceTray, library: Library) -> Decision | None:
    decision = _begun(lacks, tray, library)
    return decision if _carried_out(decision, lacks.command) else None


# --- how it is written -----------------------------------------------------------------------------------


def _written(lacks: Interrupted, missing: Iterable[str], *, from_file: bool) -> str:
    """The dice of the entry as people would write them, with a question mark for each missing one."""
    faces: dict[str, list[str]] = {}
    for die in _given(lacks):
        faces.setdefault(die.purpose, []).append(_face(die, from_file=from_file))
    for purpose in missing:
        faces.setdefault(purpose, []).append("?")
    if not from_file:
        return " ".join(f"--dice {purpose}={','.join(shown)}" for purpose, shown in faces.items())
    dice = ", ".join(f"{purpose}: [{', '.join(shown)}]" for purpose, shown in faces.items())
    match lacks.command:
        case records.OpenBattle():
            return f"opening: {{dice: {{{dice}}}}}"
        case records.CloseBattle():
            return f"wrap_up: {{dice: {{{dice}}}}}"
        case _:
            return f"dice: {{{dice}}}"


def _face(die: Die, *, from_file: bool) -> str:
    if from_file and die.request is not UNSET:
        return f"{{rolled: {die.shown()}, request: {die.request}}}"
    return f"{{rolled: {die.shown()}}}" if from_file and die.source == "reported" else die.shown()
