"""The reason why a slot needs new dice: what a ruling changed before it.

Reads rolls and states. Decides nothing.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.rulings.redecision import RedecidedSlot, RollRead
from tracker.reports.cards import lowercase_id
from tracker.reports.dice_words import roll_words
from tracker.reports.differences import differences, in_one_line
from tracker.reports.names import Names

STANDINGS_SHOWN = 3


def reason_for_dice(judged: RedecidedSlot, names: Names) -> str:
    """The reason why an entry needs dice that it did not need when it was recorded; '' if there is none to
    show.
    """
    if judged.otherwise is not None:
        return _read_otherwise(judged.otherwise)
    if judged.recorded_from is None or judged.state is None or judged.needed is None:
        return ""
    whose = judged.needed.fighter
    changes = [
        change
        for change in differences(judged.recorded_from, judged.state, names)
        if whose is not None and change["fighter"] == whose
    ]
    # The conditions of models come last and matter most.
    return f"before it, {in_one_line(changes[-STANDINGS_SHOWN:], names)}" if changes else ""


def _read_otherwise(read: RollRead) -> str:
    """'the recorded wound roll 2 comes out as wounds now, because Toughness is 1 and it needs 2+'."""
    (compared_then, outcome_then), (compared, outcome) = _compared(read.was), _compared(read.now)
    shown_then, shown = _faces(read.was), _faces(read.now)
    roll = roll_words(read.now.purpose)
    if shown_then != shown:
        change = f"the {roll} is {shown}, not {shown_then}"
        return change if outcome.casefold() == shown.casefold() else f"{change}: {outcome}"
    reasons = [
        f"{what} is {value}"
        for then, by_now in zip(compared_then, compared, strict=False)
        if then != by_now and (what := by_now.rpartition(" ")[0])
        for value in [by_now.rpartition(" ")[2]]
    ]
    if read.was.modifiers != read.now.modifiers:
        reasons.append(f"its modifiers are {sum(modifier.by for modifier in read.now.modifiers):+d}")
    if read.was.target != read.now.target and read.now.target is not None:
        reasons.append(f"it needs {read.now.target}+")
    why = f", because {' and '.join(reasons)}" if reasons else ""
    return f"the recorded {roll} {shown} comes out as '{outcome}' now, not '{outcome_then}'{why}"


def _compared(roll: records.RollMade) -> tuple[list[str], str]:
    """The compared values and the outcome: (['Strength 3', 'Toughness 3'], 'wounds')."""
    compared, _, outcome = lowercase_id(roll.outcome).rpartition(": ")
    return compared.split(" against "), outcome


def _faces(roll: records.RollMade) -> str:
    return "-".join(str(face) for face in roll.faces) or lowercase_id(roll.symbol or "")
