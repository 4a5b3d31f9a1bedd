"""A gang's post-battle sequence: the facts of its last battle, and the steps and actions taken since.

Knows no book: the steps are the book's data.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from msgspec import field

from tracker.records import Record

Alignment: TypeAlias = Literal["law_abiding", "outlaw"]
RescueResult: TypeAlias = Literal["rescued", "failed", "declined"]
Result: TypeAlias = Literal["won", "drawn", "lost"]


class RareSought(Record):
    """The one search of a gang: how rare and how illegal a thing it may buy now, at which market."""

    market: str
    rare_up_to: int
    illegal_up_to: int | None


class AfterBattle(Record):
    """One gang's post-battle sequence, which ends when its next battle begins.

    `out_of_action`, `webbed` and `wrecked` name models of every gang in the battle. `acted` maps a fighter to
    the post-battle action taken, `escorted` a patient to the Doc's result; `traders` are fighters.
    """

    battle: str
    number: int
    crews: dict[str, tuple[str, ...]]
    winner: str | None
    drawn: bool
    remained: dict[str, tuple[str, ...]] = field(default_factory=dict)
    out_of_action: tuple[str, ...] = ()
    webbed: tuple[str, ...] = ()
    wrecked: dict[str, tuple[str, ...]] = field(default_factory=dict)
    step: str | None = None
    done: tuple[str, ...] = ()
    acted: dict[str, str] = field(default_factory=dict)
    escorted: dict[str, str] = field(default_factory=dict)
    traders: tuple[str, ...] = ()
    rare: RareSought | None = None
    reputation_before: int | None = None
    reputation_gained: int = 0
    reputation_lost: int = 0
    whole_book: int | None = None

    @property
    def is_begun(self) -> bool:
        """Whether anything of the sequence is recorded."""
        return self.step is not None or bool(self.done or self.acted)

    def result_of(self, gang: str) -> Result:
        """How the battle went for a gang that fought in it. A battle without a winner is a draw."""
        if self.winner is None:
            return "drawn"
        return "won" if self.winner == gang else "lost"


class Territory(Record):
    """A territory of the campaign: its kind as the book names it, and the gang that holds it, if any.

    `recruits` (fighters) and `equipment` (items by name) leave the gang when it loses the territory.
    """

    territory: str
    kind: str
    name: str
    holder: str | None
    recruits: tuple[str, ...] = ()
    equipment: tuple[str, ...] = ()


class Cycle(Record):
    """The campaign's current cycle, by number, and its phase. `grants` are credits that gangs must still
    spend.
    """

    number: int
    phase: str
    name: str
    grants: dict[str, int] = field(default_factory=dict)
