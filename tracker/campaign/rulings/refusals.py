"""What a ruling refuses: no die to correct, a die ruled on already, entries that nobody spoke for."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse


class NotARoll(BadInput):
    """{address} is no roll ({what}), so it has no faces to correct or to confirm. Name the roll behind it; a
    whole entry is struck by ruling with --void.
    """

    address: str
    what: str


class RuledOnAlready(RulesRefuse):
    """{address} counts no more: entry {entry} decided it again. Dispute what stands there now."""

    address: str
    entry: int


class RulingIncomplete(RulesRefuse):
    """The ruling leaves slots that somebody must say something about."""

    unsettled: tuple[tuple[int, str, str], ...]

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # dice missing is a matter of input
        return 2 if any(result == "needs_dice" for _, result, _ in self.unsettled) else 1

    def message(self) -> str:
        lines = []
        for entry, result, why in self.unsettled:
            if result == "needs_dice":
                lines.append(f"entry {entry} needs dice that were never rolled: {why}")
            else:
                lines.append(f"entry {entry} no longer follows: {why}")
        return (
            "The ruling is not complete; nothing was changed. "
            + " ".join(f"({number}) {line}" for number, line in enumerate(lines, start=1))
            + " For each say --dice ENTRY:PURPOSE=FACES (or --roll), --keep ENTRY, or --void-entry ENTRY;"
            " or answer for all of them with --strategy keep-later or void-later."
        )
