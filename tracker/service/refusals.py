"""Refusals of the hall: what was asked for by name and is not there, and what moved on meanwhile."""

from __future__ import annotations

from typing import Any

from tracker.errors import BadInput, LogDamaged, Refusal, RulesRefuse, nearest
from tracker.records import dataclass


@dataclass(eq=False)
class UnknownCampaign(BadInput):
    campaign: str
    known: tuple[str, ...]

    def message(self) -> str:
        if not self.known:
            return (
                f"There is no campaign {self.campaign!r}: none has begun. 'arbitrator campaign new"
                " NAME' opens one."
            )
        return (
            f"There is no campaign {self.campaign!r}.{nearest(self.campaign, self.known)}"
            f" See 'arbitrator campaign list'."
        )


@dataclass(eq=False)
class DirectoryDamaged(LogDamaged):
    """The list of campaigns is not that of the logs: `missing` are ids, `strange` names without a log."""

    missing: tuple[str, ...]
    strange: tuple[str, ...]

    def message(self) -> str:
        wrong = []
        if self.missing:
            has = "has a log and is" if len(self.missing) == 1 else "have a log and are"
            wrong.append(f"{', '.join(self.missing)} {has} not in it")
        if self.strange:
            has = "is in it and has" if len(self.strange) == 1 else "are in it and have"
            wrong.append(f"{', '.join(map(repr, self.strange))} {has} no log")
        by_id = (
            f" Until then name a campaign by its id: --campaign {self.missing[0]}." if self.missing else ""
        )
        return (
            f"The list of campaigns is damaged: {'; '.join(wrong)}. 'arbitrator boards rebuild' makes it anew"
            f" from the logs.{by_id}"
        )


@dataclass(eq=False)
class CampaignNeverOpened(LogDamaged):
    """A log that does not begin with the opening of its campaign."""

    campaign: str

    def message(self) -> str:
        return (
            f"The log of campaign {self.campaign} is damaged: it does not begin with the campaign's opening."
            " Make a copy of the database before anything else, then restore a backup that verifies."
        )


@dataclass(eq=False)
class SnapshotDamaged(LogDamaged):
    """A state that was put by to save reading the whole log is not what was put by."""

    entry: int

    def message(self) -> str:
        return (
            f"The snapshot after entry {self.entry} is damaged. Nothing was decided on it, and the log is"
            " another matter: 'arbitrator boards rebuild' makes the snapshots anew from it, and 'arbitrator"
            " audit verify' looks whether all is well then."
        )


@dataclass(eq=False)
class PresetForAnotherBook(BadInput):
    preset: str
    book: str

    def message(self) -> str:
        return (
            f"None of the house rules of {self.preset} is for {self.book}: its rules have nothing that they"
            f" change. Leave out --preset; 'arbitrator rules list --book {self.book}' shows those that fit."
        )


@dataclass(eq=False)
class CampaignNameTaken(RulesRefuse):
    slug: str

    def message(self) -> str:
        return (
            f"A campaign {self.slug!r} exists already. Choose another name, or 'arbitrator campaign"
            f" use {self.slug}'."
        )


@dataclass(eq=False)
class EntryRefused(Refusal):
    """One decision among several was refused; none of them was recorded."""

    label: str
    refusal: Refusal

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # the inner refusal's own
        return self.refusal.exit_code

    def facts(self) -> dict[str, Any]:
        return {"where": self.label, "refusal": type(self.refusal).__name__, **self.refusal.facts()}

    def message(self) -> str:
        return f"{self.label}: {self.refusal.message()} Nothing of this file was recorded."


@dataclass(eq=False)
class EntriesRefused(Refusal):
    """Several decisions were refused, each by itself; none of the file was recorded.

    `passed_over`: how many more were refused that may only follow from these.
    """

    refused: tuple[EntryRefused, ...]
    passed_over: int = 0

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # what is badly written or missing comes first
        return max(one.exit_code for one in self.refused)

    def facts(self) -> dict[str, Any]:
        return {"refused": [one.facts() for one in self.refused]}

    def message(self) -> str:
        told = [f"  {one.label}: {one.refusal.message()}" for one in self.refused]
        several = "1 entry is refused" if len(told) == 1 else f"{len(told)} entries are refused"
        if self.passed_over:
            more = "1 more is" if self.passed_over == 1 else f"{self.passed_over} more are"
            told.append(f"  {more} passed over: about the same fighters or things, and perhaps right then.")
        return "\n".join([f"{several}, and nothing of this file was recorded:", *told])


@dataclass(eq=False)
class NotAfterThatBattle(RulesRefuse):
    battle: str
    gang: str | None
    open_now: dict[str, str]

    def message(self) -> str:
        whose = f" of {self.gang}" if self.gang is not None else ""
        now = ", ".join(f"{gang} after {battle}" for gang, battle in self.open_now.items())
        return (
            f"No post-battle sequence{whose} after the battle {self.battle!r} is open: one begins when the"
            f" battle is recorded and ends when the gang's next one opens. Open now: {now or 'none'}."
        )


@dataclass(eq=False)
class AnotherFileRecorded(BadInput):
    battle: str
    gang: str | None
    part: str | None
    entry: int

    def message(self) -> str:
        whose = f" of {self.gang}" if self.gang is not None else ""
        part = f", part {self.part}" if self.part is not None else ""
        return (
            f"A file{whose} after the battle {self.battle!r}{part} is recorded already (from entry"
            f" {self.entry} on), and this one says something else. A further file needs a `part:` of its own,"
            " such as `part: later`; what was wrong in the first is put right with 'arbitrator dispute open'."
            " Nothing was recorded."
        )


@dataclass(eq=False)
class DryRunRollsNothing(BadInput):
    def message(self) -> str:
        return (
            "A dry run rolls no dice: they would be seen before they count. Leave out --roll to see"
            " which die is"
            " missing, or leave out --dry-run."
        )


@dataclass(eq=False)
class NoSuchEvent(BadInput):
    campaign: str
    address: str
    entries: int

    def message(self) -> str:
        return (
            f"There is no event {self.address} in the campaign {self.campaign}, whose log ends with entry"
            f" {self.entries}. An event is named ENTRY.EVENT, such as 57.3; see 'arbitrator log show'."
        )


@dataclass(eq=False)
class EntryStands(RulesRefuse):
    """A ruling was to void or keep what no ruling moves."""

    entry: int

    def message(self) -> str:
        return (
            f"Entry {self.entry} stands as it is: the opening of the campaign, disputes and rulings are not"
            f" voided, kept or given dice. Dispute what they led to instead."
        )


@dataclass(eq=False)
class NoSuchBattle(BadInput):
    battle: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"There is no battle {self.battle!r}.{nearest(self.battle, self.known)} See 'arbitrator"
            " battle list'."
        )


@dataclass(eq=False)
class PolicyNotHeld(RulesRefuse):
    policy: str
    from_battle: int
    held: tuple[str, ...]

    def message(self) -> str:
        held = ", ".join(self.held) or "the book alone"
        return (
            f"{self.policy} holds neither in battle {self.from_battle} nor later, so nothing would go"
            f" otherwise without it. In force there: {held}. See 'arbitrator policy history'."
        )


@dataclass(eq=False)
class PreviewStale(Refusal):
    """`since` are the entries written since the preview: number, who, and what was asked."""

    expected: int
    found: int
    since: tuple[tuple[int, str, str], ...] = ()

    exit_code = 3

    def message(self) -> str:
        if self.expected > self.found:
            return (
                f"This log never had {self.expected} events: it has {self.found}. The preview was of another"
                " campaign, or the number is a slip. Nothing was changed. Look at the preview again."
            )
        told = "; ".join(f"entry {entry} by {who}: {_plainly(what)}" for entry, who, what in self.since[:5])
        more = f"; and {len(self.since) - 5} more" if len(self.since) > 5 else ""
        added = f" Added since: {told}{more}." if told else ""
        return (
            f"The log moved on since that preview: it had {self.expected} events then and has"
            f" {self.found} now.{added} Nothing was changed. Look at the preview again."
        )


def _plainly(command: str) -> str:
    """'RenameFighter' as 'rename fighter'."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in command).strip()


@dataclass(eq=False)
class NoPreviewSeen(BadInput):
    """Somebody rules without having looked."""

    preview: str

    def message(self) -> str:
        return (
            f"Look first, then rule: '{self.preview}' shows all that would change and ends with the"
            " --expect-head SIZE to rule with. On a terminal the command shows it and asks. --force WHY rules"
            " without having looked, and keeps why in the log."
        )


@dataclass(eq=False)
class RulingNotWanted(Refusal):
    """Somebody saw the preview and said no."""

    exit_code = 1

    def message(self) -> str:
        return "Nothing was changed."


@dataclass(eq=False)
class NoSuchDispute(BadInput):
    campaign: str
    dispute: str

    def message(self) -> str:
        return (
            f"There is no dispute {self.dispute} in the campaign {self.campaign}. See"
            f" 'arbitrator dispute list'."
        )


@dataclass(eq=False)
class DisputeEnded(RulesRefuse):
    dispute: int
    status: str
    entry: int

    def message(self) -> str:
        if self.status == "withdrawn":
            ended = f"it was withdrawn by entry {self.entry}. Open a new one if the doubt is back"
        else:
            ended = (
                f"entry {self.entry} ruled on it. To put that right, doubt the ruling itself: 'arbitrator"
                f" dispute open {self.entry}'"
            )
        return f"There is no open dispute {self.dispute}: {ended}. See 'arbitrator dispute list'."


@dataclass(eq=False)
class EntryIsVoid(RulesRefuse):
    address: str
    entry: int

    def message(self) -> str:
        return (
            f"{self.address} is void: entry {self.entry} struck it. To have it back, doubt that ruling:"
            f" 'arbitrator dispute open {self.entry}'."
        )


@dataclass(eq=False)
class NothingToDispute(RulesRefuse):
    entry: int
    ruling: bool

    def message(self) -> str:
        if self.ruling:
            return f"Ruling {self.entry} was taken back already and counts for nothing any more."
        return (
            f"Entry {self.entry} is itself a dispute or a word about one. A dispute is taken back with"
            " 'arbitrator dispute withdraw'."
        )


@dataclass(eq=False)
class RollTypedByNobody(RulesRefuse):
    address: str
    source: str

    def message(self) -> str:
        how = "rolled by the tool" if self.source == "generated" else "set by ruling"
        return f"{self.address} was {how}: only dice that somebody typed in are confirmed by a witness."


@dataclass(eq=False)
class NotARuling(BadInput):
    address: str

    def message(self) -> str:
        return (
            f"{self.address} is no ruling, so there is nothing to take back. --reverse is for disputes about"
            " a ruling; a roll is put right with --faces, an entry struck with --void."
        )


@dataclass(eq=False)
class RulingTakenBack(RulesRefuse):
    ruling: int

    def message(self) -> str:
        return f"Ruling {self.ruling} was taken back already and counts for nothing any more."


@dataclass(eq=False)
class RulingBuiltUpon(RulesRefuse):
    ruling: int
    slot: int
    by: int

    def message(self) -> str:
        return (
            f"Ruling {self.ruling} cannot be taken back yet: entry {self.by} ruled on entry {self.slot} after"
            f" it. Take entry {self.by} back first, or rule on entry {self.slot} as it stands."
        )


@dataclass(eq=False)
class NoSuchOutcome(BadInput):
    outcome: str
    purpose: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"No face of this {self.purpose} roll comes out as {self.outcome!r}."
            f"{nearest(self.outcome, self.known)} It can be: {', '.join(self.known)}."
        )


@dataclass(eq=False)
class RerollNeedsAnswer(BadInput):
    def message(self) -> str:
        return (
            "A die that the tool rolls again counts as it falls, so say before what becomes of later entries"
            " that no longer follow: --strategy keep-later or void-later. Or roll it at the table and give"
            " --faces."
        )


@dataclass(eq=False)
class KeptAndMoved(BadInput):
    entry: int

    def message(self) -> str:
        return (
            f"Entry {self.entry} cannot be kept as played and have its die changed or dice added as well."
            " Keep it, or change it; --confirm leaves a disputed die as it was."
        )


@dataclass(eq=False)
class KeptAndNot(BadInput):
    entry: int
    voided: bool

    def message(self) -> str:
        other = "voided" if self.voided else "let go"
        return f"Entry {self.entry} cannot be kept as played and {other} as well. Say one."


@dataclass(eq=False)
class NothingToRollBack(RulesRefuse):
    what: str

    def message(self) -> str:
        return f"There is nothing to roll back: {self.what} holds no entry that still counts."


@dataclass(eq=False)
class NoFacesGiven(BadInput):
    purpose: str

    def message(self) -> str:
        return (
            f"Say what the {self.purpose} die should have shown: --faces 2 (a D66 as 4-6), or"
            " --confirm, or --void; with --reroll also --roll."
        )


@dataclass(eq=False)
class UnknownPurpose(BadInput):
    purpose: str
    known: tuple[str, ...]

    def message(self) -> str:
        return (
            f"No die is rolled for {self.purpose!r}.{nearest(self.purpose, self.known)} Known:"
            f" {', '.join(self.known)}."
        )
