"""The header of every entry, and the roll of a die."""

from __future__ import annotations

from tracker.campaign.records.declaring import Command, Event, Wording, command, event
from tracker.dice import Die, Source
from tracker.errors import RulesRefuse
from tracker.records import Record


class Agreed(Record):
    """The people behind a report that was sent in, by their ids: who proposed it, and who confirmed it."""

    proposed_by: str
    confirmed_by: tuple[str, ...] = ()


class IdempotencyKey(Record, omit_defaults=True):
    """The idempotency key of a command and the digest of its content.

    `agreed` is set if it was recorded from a proposal.
    """

    key: str
    digest: str
    agreed: Agreed | None = None


@event("DecisionTaken")
class DecisionTaken(Event):
    """The header of every entry: the command, and the dice as given, in the order used.

    `spare` are dice that an earlier decision of this slot used and this one did not. `note` is the remark in
    the report. `sent` is kept when the entry is decided again.
    """

    command: Command
    dice: tuple[Die, ...] = ()
    spare: tuple[Die, ...] = ()
    note: str | None = None
    sent: IdempotencyKey | None = None

    def in_words(self, wording: Wording) -> str:
        return self.command.in_words(wording)


@command("PlayInTurn", game="every")
class PlayInTurn(Command):
    """Several commands in one entry, decided in turn: a recorded one, and those that an amendment adds beside
    it. Each gets the dice of its own part.
    """

    commands: tuple[Command, ...]

    def in_words(self, wording: Wording) -> str:
        return "; then ".join(command.in_words(wording) for command in self.commands)


class NotInOneEntry(RulesRefuse):
    """{second} is decided under other house rules than {first}, so both cannot share one entry. Add it beside
    an entry under the same rules.
    """

    first: str
    second: str


class Modifier(Record):
    """One addition to a target number or a result, with its reason."""

    why: str
    by: int


@event("RollMade")
class RollMade(Event, kw_only=True):
    """One die (or D66) was rolled. `number` is its place among the dice of the entry's header, from 0.
    `target` is the lowest total that passes, after `modifiers`; `passed` is None if nothing is passed or
    failed; `outcome` is its meaning; `section` names the rule in the book.
    """

    number: int
    purpose: str
    die: str
    faces: tuple[int, ...]
    symbol: str | None
    source: Source
    fighter: str | None
    rolled_by: str | None
    modifiers: tuple[Modifier, ...] = ()
    target: int | None = None
    passed: bool | None = None
    outcome: str
    section: str
