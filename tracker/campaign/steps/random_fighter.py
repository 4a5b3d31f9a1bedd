"""Drawing a fighter at random: by dice, with equal chances, in the order of the roster; or as the table
drew.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.dice import ImpossibleFace
from tracker.rules.necromunda.post_battle import DieDraw, value_of_d66


def draw_fighter(
    decision: Decision, among: tuple[str, ...], *, stated: str | None, what: str, section: str, cause: int
) -> tuple[str, int]:
    """One of these fighters, and the place of the roll that drew them (`cause` where the table drew)."""
    if not among:
        raise records.NobodyToDraw(what=what)
    if stated is not None:
        if stated not in among:
            raise records.CannotBeDrawn(fighter=stated, what=what, known=among)
        return stated, cause
    if len(among) == 1:
        return among[0], cause
    while True:
        if len(among) <= 6:
            die = decision.tray.d6("random_fighter", why=f"one of {len(among)}: {what}")
            place = DieDraw(among=len(among), values=6).place(die.face - 1)
        else:
            die = decision.tray.d66("random_fighter_of_many", why=f"one of {len(among)}: {what}")
            if die.symbol is not None:
                expected = "two faces from 1 to 6, tens first, such as 4-6"
                raise ImpossibleFace(
                    purpose=die.purpose, die=die.die, given=repr(die.symbol), expected=expected
                )
            place = DieDraw(among=len(among), values=36).place(value_of_d66(die.faces))
        outcome = decision.name_of_model(among[place]) if place is not None else "rolled again"
        cause = decision.roll(die, outcome=outcome, section=section, rolled_by=None, cause=cause)
        if place is not None:
            return among[place], cause
