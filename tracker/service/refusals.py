"""Refusals of the service: unknown names, stale previews, and rulings that are not possible."""

from __future__ import annotations

from typing import Any

from tracker.dice import DiceNeeded
from tracker.errors import BadInput, LogDamaged, Refusal, RulesRefuse, nearest

ENTRIES_SHOWN = 20
"""The most entries that a message lists; JSON has all of them."""


class UnknownCampaign(BadInput):
    campaign: str
    known: tuple[str, ...]

    def message(self) -> str:
        if not self.known:
            return (
                f"There is no campaign {self.campaign!r} here: none has begun, or none that you may see."
                " 'arbitrator campaign new NAME' opens one."
            )
        return (
            f"There is no campaign {self.campaign!r}.{nearest(self.campaign, self.known)}"
            f" See 'arbitrator campaign list'."
        )


class DirectoryDamaged(LogDamaged):
    """The directory of campaigns differs from the logs: `missing` are ids, `strange` names without a log."""

    missing: tuple[str, ...]
    strange: tuple[str, ...]

    def message(self) -> str:
        wrong = []
        if self.missing:
            has = "has a log and is" if len(self.missing) == 1 else "have a log and are"
            wrong.append(f"{', '.join(map(str, self.missing))} {has} not in it")
        if self.strange:
            has = "is in it and has" if len(self.strange) == 1 else "are in it and have"
            wrong.append(f"{', '.join(map(repr, self.strange))} {has} no log")
        by_id = (
            f" Until then name a campaign by its id: --campaign {self.missing[0]}." if self.missing else ""
        )
        return (
            f"The list of campaigns is damaged: {'; '.join(wrong)}. 'arbitrator boards rebuild'"
            f" rebuilds it from the logs.{by_id}"
        )


class CampaignNeverOpened(LogDamaged):
    """The log of campaign {campaign} is damaged: it does not begin with the campaign's opening. First make a
    copy of the database, then restore a backup that verifies.
    """

    campaign: str


class SnapshotDamaged(LogDamaged):
    """The snapshot after entry {entry} is damaged. Nothing was decided on it. The log is stored apart:
    'arbitrator boards rebuild' makes the snapshots again from it; then 'arbitrator audit verify' checks
    everything.
    """

    entry: int


class PresetForAnotherBook(BadInput):
    """None of the house rules of {preset} is for {book}: its rules have none of the settings that they
    change. Leave out --preset; 'arbitrator rules list --book {book}' shows those that fit.
    """

    preset: str
    book: str


class CampaignNameTaken(RulesRefuse):
    """A campaign {slug!r} exists already. Choose another name, or 'arbitrator campaign use {slug}'."""

    slug: str


class EntryRefused(Refusal):
    """One decision among several was refused; none of them was recorded."""

    label: str
    refusal: Refusal

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # the inner refusal's own
        return self.refusal.exit_code

    def facts(self) -> dict[str, Any]:
        return {"where": self.label, "refusal": type(self.refusal).__name__, **self.refusal.facts()}

    def itself(self) -> Refusal:
        return self.refusal

    def message(self) -> str:
        return f"{self.label}: {self.refusal.message()} Nothing of this file was recorded."


class EntriesRefused(Refusal):
    """Several decisions were refused, each by itself; none of the file was recorded.

    `passed_over`: how many more were refused that may only follow from these.
    """

    refused: tuple[EntryRefused, ...]
    passed_over: int = 0

    @property
    def exit_code(self) -> int:  # type: ignore[override]  # what is badly written or missing comes first
        return max(refused.exit_code for refused in self.refused)

    def facts(self) -> dict[str, Any]:
        return {"refused": [refused.facts() for refused in self.refused], "passed_over": self.passed_over}

    def each(self) -> tuple[Refusal, ...]:
        return self.refused

    def message(self) -> str:
        listed = self.refused[:ENTRIES_SHOWN]
        lines = [f"  {refused.label}: {_among_others(refused.refusal)}" for refused in listed]
        count = len({refused.label for refused in self.refused})
        several = "1 entry is refused" if count == 1 else f"{count} entries are refused"
        if len(self.refused) > len(listed):
            lines.append(f"  ... and {len(self.refused) - len(listed)} more")
        if self.passed_over:
            more = "1 more is" if self.passed_over == 1 else f"{self.passed_over} more are"
            lines.append(f"  {more} passed over: about the same fighters or things, and perhaps right then.")
        if any(isinstance(refused.refusal, DiceNeeded) for refused in listed):
            lines.append("  Or let the tool roll what is missing with --roll.")
        return "\n".join([f"{several}, and nothing of this file was recorded:", *lines])


def _among_others(refusal: Refusal) -> str:
    return f"{refusal.how_to_give_it()}." if isinstance(refusal, DiceNeeded) else refusal.message()


class NotAfterThatBattle(RulesRefuse):
    battle: str
    gang: str | None
    open_now: dict[str, str]

    def message(self) -> str:
        whose = f" of {self.gang}" if self.gang is not None else ""
        now = ", ".join(f"{gang} after {battle}" for gang, battle in self.open_now.items()) or "none"
        return (
            f"No post-battle sequence{whose} after the battle {self.battle!r} is open: one begins when the"
            f" battle is recorded and ends when the {self.called('gang')}'s next one opens. Open now: {now}."
        )


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
            " such as `part: later`; what was wrong in the first is put right with 'arbitrator entry amend',"
            " what was forgotten with 'arbitrator entry add'. Nothing was recorded."
        )


class DryRunRollsNothing(BadInput):
    """A dry run rolls no dice: they would be seen before they count. Leave out --roll to see which die is
    missing, or leave out --dry-run.
    """


class NoSuchEvent(BadInput):
    """There is no event {address} in the campaign {campaign}, whose log ends with entry {entries}. An event
    is named ENTRY.EVENT, such as 57.3; see 'arbitrator log show'.
    """

    campaign: str
    address: str
    entries: int


class EntryStands(RulesRefuse):
    """Entry {entry} stands as it is: the opening of the campaign, disputes and rulings are not voided, kept,
    amended or given dice. Dispute what they led to instead.
    """

    entry: int


class NoSuchBattle(BadInput):
    """There is no battle {battle!r}.{battle:nearest} See 'arbitrator battle list'."""

    battle: str
    known: tuple[str, ...]


class PolicyNotHeld(RulesRefuse):
    policy: str
    from_battle: int
    held: tuple[str, ...]

    def message(self) -> str:
        held = ", ".join(self.held) or "the book alone"
        return (
            f"{self.policy} holds neither in battle {self.from_battle} nor later, so nothing would"
            f" change without it. In force there: {held}. See 'arbitrator policy history'."
        )


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
        listed = "; ".join(f"entry {entry} by {who}: {plainly(what)}" for entry, who, what in self.since[:5])
        more = f"; and {len(self.since) - 5} more" if len(self.since) > 5 else ""
        added = f" Added since: {listed}{more}." if listed else ""
        return (
            f"The log moved on since that preview: it had {self.expected} events then and has"
            f" {self.found} now.{added} Nothing was changed. Look at the preview again."
        )


def plainly(name: str) -> str:
    """The name of a record in words: 'RenameFighter' as 'rename fighter'."""
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()


class BattleNotUnderWay(RulesRefuse):
    """Only the battle under way is continued or closed."""

    battle: str
    under_way: str | None
    recorded: bool

    def message(self) -> str:
        if self.under_way is not None:
            return f"Battle {self.battle!r} is not under way, but {self.under_way!r} is."
        if self.recorded:
            return (
                f"Battle {self.battle!r} is over. To play on in it, roll its end back first: 'arbitrator"
                " rollback preview --to-entry ENTRY', where ENTRY is the last entry that shall count."
            )
        return f"There is no battle {self.battle!r}. 'arbitrator battle record' takes a whole battle."


class NoPreviewSeen(BadInput):
    """Look first, then rule: '{preview}' shows all that would change and ends with the --expect-head SIZE to
    rule with. On a terminal the command shows it and asks. --force WHY rules without a preview; the log keeps
    the reason.
    """

    preview: str


class RulingNotWanted(Refusal):
    """Nothing was changed."""

    exit_code = 1


class NoSuchDispute(BadInput):
    """There is no dispute {dispute} in the campaign {campaign}. See 'arbitrator dispute list'."""

    campaign: str
    dispute: str


class DisputeEnded(RulesRefuse):
    dispute: int
    status: str
    entry: int

    def message(self) -> str:
        if self.status == "withdrawn":
            ended = f"it was withdrawn by entry {self.entry}. Open a new one to dispute it again"
        else:
            ended = (
                f"entry {self.entry} ruled on it. To correct that, dispute the ruling itself: 'arbitrator"
                f" dispute open {self.entry}'"
            )
        return f"There is no open dispute {self.dispute}: {ended}. See 'arbitrator dispute list'."


class EntryIsVoid(RulesRefuse):
    """{address} is void: entry {entry} struck it out. To restore it, dispute that ruling: 'arbitrator dispute
    open {entry}'.
    """

    address: str
    entry: int


class NothingToDispute(RulesRefuse):
    entry: int
    ruling: bool

    def message(self) -> str:
        if self.ruling:
            return f"Ruling {self.entry} was taken back already and no longer counts."
        return (
            f"Entry {self.entry} is itself a dispute, or belongs to one. A dispute is taken back with"
            " 'arbitrator dispute withdraw'."
        )


class RollTypedByNobody(RulesRefuse):
    address: str
    source: str

    def message(self) -> str:
        how = "rolled by the tool" if self.source == "generated" else "set by ruling"
        return f"{self.address} was {how}: only dice that somebody typed in are confirmed by a witness."


class NotARuling(BadInput):
    """{address} is not a ruling, so there is nothing to take back. --reverse is for disputes about a ruling.
    Use --faces to correct a roll and --void to void an entry.
    """

    address: str


class RulingTakenBack(RulesRefuse):
    """Ruling {ruling} was taken back already and no longer counts."""

    ruling: int


class RulingBuiltUpon(RulesRefuse):
    """Ruling {ruling} cannot be taken back yet: entry {by} ruled on entry {slot} after it. Take entry {by}
    back first, or rule on entry {slot} as it stands.
    """

    ruling: int
    slot: int
    by: int


class NoSuchOutcome(BadInput):
    """No face of this {purpose} roll comes out as {outcome!r}.{outcome:nearest} It can be: {known}."""

    outcome: str
    purpose: str
    known: tuple[str, ...]


class RerollNeedsAnswer(BadInput):
    """A die that the tool rolls again counts as it falls. Say first what becomes of later entries that no
    longer follow: --strategy keep-later or void-later. Or roll it at the table and give --faces.
    """


class KeptAndRedecided(BadInput):
    """Entry {entry} cannot be kept as played and have its die changed or dice added as well. Keep it, or
    change it; --confirm leaves a disputed die as it was.
    """

    entry: int


class KeptAndVoided(BadInput):
    entry: int
    voided: bool

    def message(self) -> str:
        other = "voided" if self.voided else "let go"
        return f"Entry {self.entry} cannot be kept as played and {other} as well. Say one."


class AmendedAndVoided(BadInput):
    """Entry {entry} cannot be amended and voided as well. Say one."""

    entry: int


class NothingToRollBack(RulesRefuse):
    """There is nothing to roll back: {what} holds no entry that still counts."""

    what: str


class NoFacesGiven(BadInput):
    """Say what the {purpose} die should have shown: --faces 2 (a D66 as 4-6), or --confirm, or --void; with
    --reroll also --roll.
    """

    purpose: str


class UnknownPurpose(BadInput):
    """No die is rolled for {purpose!r}.{purpose:nearest} Known: {known}."""

    purpose: str
    known: tuple[str, ...]


class SeedMissing(RulesRefuse):
    """The seed of dice session {session} cannot be read from {file}, so nothing can be rolled or revealed
    here. Put the file back, or record on the machine where the session was opened.
    """

    session: int
    file: str


class DieNotDrawn(RulesRefuse):
    """The dice of {what} were asked for, and that request is no longer open: somebody gave it up. Take this
    entry out and answer it anew.
    """

    what: str


class NotWhatWasDrawn(RulesRefuse):
    """Request {request} did not draw {given} for {die}. Write such dice as they were shown when they fell."""

    request: int
    die: str
    given: str


class RequestRefused(RulesRefuse):
    """The dice were asked for (request {request}) and rolled, and with these dice the record is refused:
    {why} Nothing else was recorded. The request stays open and visible; give it up with 'arbitrator dice
    abandon {request}'. A corrected record makes a new request.
    """

    request: int
    why: str


class NotRolledByTheTool(RulesRefuse):
    """The tool never rolled {given} for {die} in entry {entry}, and everybody can check its dice. Write a die
    that fell on the table without 'rolled' and 'request', and one of the tool as it fell. An entry that was
    struck out counts again by 'arbitrator rollback rule --ruling'.
    """

    entry: int
    die: str
    given: str
