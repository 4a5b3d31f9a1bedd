"""The next die: the results of the one die that a slot lacks, face by face, with exact chances.

A result is the meaning of the roll itself: a row of its table, passed or failed. `outcome_distribution`
follows the consequences.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Library, decide_keeping_spare_dice
from tracker.campaign.unrolled_dice import showing_alike
from tracker.dice import DiceNeeded, DiceTray, Die, SpecialDie, ways_of
from tracker.errors import Refusal
from tracker.records import Record


class RollOutcome(Record):
    """One result of a roll. `more_dice`: further dice follow, or may follow."""

    outcome: str
    chance: Fraction
    more_dice: bool


def next_die_outcomes(
    state: CampaignState,
    command: records.Command,
    dice: Sequence[Die],
    needed: DiceNeeded,
    special: SpecialDie | None,
    library: Library,
    *,
    entry: int,
) -> tuple[RollOutcome, ...]:
    """The results of the missing die, most likely first; the chances add up to one. Dice that are missing
    after it show their lowest face, which does not change this result.
    """
    found: dict[str, tuple[Fraction, bool]] = {}
    ways = list(_ways(needed, special))
    for die in ways:
        tray = DiceTray((*dice, die), roller=showing_alike(1))
        try:
            events = [
                event.event
                for event in decide_keeping_spare_dice(state, command, tray, library, entry=entry).events
            ]
        except Refusal as refusal:
            outcome, more = f"refused: {refusal.message()}", False
        else:
            outcome, more = _read(events, die)
        chance, more_before = found.get(outcome, (Fraction(0), False))
        found[outcome] = (chance + Fraction(1, len(ways)), more or more_before)
    outcomes = (
        RollOutcome(outcome=outcome, chance=chance, more_dice=more)
        for outcome, (chance, more) in found.items()
    )
    return tuple(sorted(outcomes, key=lambda outcome: -outcome.chance))


def _ways(needed: DiceNeeded, special: SpecialDie | None) -> Iterator[Die]:
    """Every way the die can fall, all equally likely."""
    if special is not None:
        for symbol in special.symbols:
            yield Die(purpose=needed.purpose, die=needed.die, symbol=symbol, fighter=needed.fighter)
        return
    for faces in ways_of(needed.die):
        yield Die(purpose=needed.purpose, die=needed.die, faces=faces, fighter=needed.fighter)


def _read(events: Sequence[object], die: Die) -> tuple[str, bool]:
    header = events[0]
    assert isinstance(header, records.DecisionTaken), "an entry begins with its header"
    place = max(
        number
        for number, rolled in enumerate(header.dice)
        if (rolled.purpose, rolled.faces, rolled.symbol, rolled.source)
        == (die.purpose, die.faces, die.symbol, die.source)
    )
    made = next(
        (event for event in events if isinstance(event, records.RollMade) and event.number == place), None
    )
    return made.outcome if made is not None else "", len(header.dice) > place + 1
