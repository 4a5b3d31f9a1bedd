"""Fighter: the card, the status and its reason, injuries by entry, and an XP statement that adds up.

Knows a roster row and the live events about the fighter. Reports differences between the two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.projections.dependent_events import DependentEvent
from tracker.reports.cards import card_line, counted, display_name, lowercase_id, status_shown
from tracker.reports.dispute_marks import MARK, dispute_data, dispute_notices, in_dispute, with_pending
from tracker.reports.escaping import sanitize
from tracker.reports.names import Names
from tracker.reports.page import Block, Bullets, Heading, Page, Row, Text
from tracker.reports.plain_data import recorded_data
from tracker.reports.roster import armour_shown, injuries_shown, mutations_shown, skills_shown
from tracker.reports.sentences import sentence
from tracker.reports.weapons import weapons_table

_STATUS_EVENTS: dict[str, tuple[type, ...]] = {
    "dead": (records.FighterDied,),
    "retired": (records.FighterRetired, records.BecameChaosSpawn),
    "critical": (records.CriticalInjuryPending,),
    "capture_pending": (records.CapturePending,),
    "captive": (records.FighterCaptured, records.CaptivePassedOn),
    "away": (records.FighterMissesBattle,),
    "sold": (records.CaptiveSold,),
    "in_recovery": (records.WentIntoRecovery,),
    "convalescing": (records.WentIntoConvalescence,),
    "available": (
        records.ConvalescenceEnded,
        records.RecoveryEnded,
        records.CaptiveFreed,
        records.CriticalTreated,
        records.FighterEnlisted,
    ),
}


def fighter_page(
    row: Row,
    gang: Row,
    history: Sequence[RecordedEvent],
    names: Names,
    *,
    pending: Sequence[Row] = (),
    dependents: Sequence[DependentEvent] = (),
    context: str = "",
    in_battle: Sequence[str] = (),
) -> Page:
    """The page of a fighter.

    `history` is the live events that name the fighter, in the order of play; `dependents` depend on the
    disputes `pending`; `context` is the point in time if it is not the present; `in_battle` are the
    conditions in the battle under way.
    """
    start, moved, total = _experience(row, history)
    before = _spent_before(row, history)
    statement = {
        "start": start,
        **({"spent_before": before[1]} if before is not None and before[1] else {}),
        "gained": [
            {"address": recorded.address, "amount": amount} for recorded, amount in moved if amount >= 0
        ],
        "spent": [
            {"address": recorded.address, "amount": -amount} for recorded, amount in moved if amount < 0
        ],
        "total": total,
        "board": row["experience"],
    }
    (marked,) = with_pending([row], dependents)
    return Page(
        schema="fighter",
        title=row["name"],
        blocks=lambda: _blocks(marked, gang, history, names, pending, dependents, context, in_battle),
        data=lambda: {
            "fighter": dict(row),
            "gang": dict(gang),
            "experience": statement,
            "history": [recorded_data(recorded, names) for recorded in history],
            **({"in_battle": list(in_battle)} if in_battle else {}),
            **dispute_data(pending, dependents),
        },
    )


def status_line(row: Row, history: Sequence[RecordedEvent], names: Names) -> str:
    """'in Recovery: Mags goes into Recovery and misses the gang's next battle (57.6)'."""
    status = row["status"]
    about = [recorded for recorded in history if isinstance(recorded.event, _STATUS_EVENTS.get(status, ()))]
    words = status_shown(row)
    if not about or isinstance(about[-1].event, records.FighterEnlisted):
        return words
    return f"{words}: {sentence(about[-1].event, names)} ({about[-1].address})"


def experience_lines(
    row: Row, history: Sequence[RecordedEvent], names: Names, disputed: AbstractSet[int] = frozenset()
) -> list[str]:
    """The XP statement: the start, each gain and expense with its entry, the sum; and a line if the board
    differs.

    `disputed` events depend on a dispute.
    """
    start, moved, total = _experience(row, history)
    before = _spent_before(row, history)
    lines = [f"{start:>3}  on enlisting"]
    if before is not None and before[1]:
        recorded, amount = before
        lines = [
            f"{start + amount:>3}  brought along in all ({recorded.address})",
            f"{-amount:>+3}  spent before joining ({recorded.address})",
            f"{start:>3}  on enlisting",
        ]
    for recorded, amount in moved:
        event = recorded.event
        if isinstance(event, records.ExperienceSpent):
            why = f"spent: {lowercase_id(event.why)}"
        else:
            assert isinstance(event, records.ExperienceGained), "only these move XP"
            why = event.cause(names)
        lines.append(f"{amount:>+3}  {why} ({recorded.address}){MARK if recorded.seq in disputed else ''}")
    spent = -sum(amount for _, amount in moved if amount < 0) + (before[1] if before is not None else 0)
    sum_ = f"{total:>3}  XP in all" if not spent else f"{total:>3}  XP left of {total + spent}"
    lines.append(in_dispute(sum_, row, "experience"))
    if total != row["experience"]:
        lines.append(f"The board says {row['experience']}: see 'arbitrator boards verify'.")
    return lines


def _blocks(
    row: Row,
    gang: Row,
    history: Sequence[RecordedEvent],
    names: Names,
    pending: Sequence[Row],
    dependents: Sequence[DependentEvent],
    context: str,
    in_battle: Sequence[str],
) -> Iterator[Block]:
    disputed = frozenset(dependent.event.seq for dependent in dependents)
    cost = names.money(row["cost_credits"])
    rank = f"{display_name(row['category'])} of {gang['name']}"
    yield [
        Heading(f"{row['name']}, {rank} ({lowercase_id(row['kind'])}, {cost})", context=context),
        Text([*_card_lines(row, history, names)]),
        *([Text([f"In the battle under way: {', '.join(in_battle)}"])] if in_battle else []),
    ]
    if weapons := weapons_table([row], named=False):
        yield [weapons]
    yield [Heading("Lasting injuries", level=4), Bullets(_injury_lines(row, history, names, disputed))]
    if mutations := mutations_shown(row):
        shown = in_dispute(mutations, row, "mutations", "mutations_to_choose")
        yield [Heading("Mutations", level=4), Bullets([shown, *_mutation_lines(history, names)])]
    yield [Heading("Experience", level=4), Bullets(experience_lines(row, history, names, disputed))]
    if pending:
        yield [Heading("Disputes", level=4), *dispute_notices(pending)]


def _card_lines(row: Row, history: Sequence[RecordedEvent], names: Names) -> Iterable[str]:
    yield card_line(row["characteristics"], pending=row.get("pending", ()))
    yield in_dispute(f"Status: {status_line(row, history, names)}", row, "status")
    counters = (
        f"{counted(row['battles_fought'], 'battle')} fought,"
        f" {counted(row['enemies_taken_out'], 'enemy', 'enemies')} taken out,"
        f" {counted(row['times_out_of_action'], 'time')} Out of Action"
    )
    yield in_dispute(counters, row, "battles_fought", "enemies_taken_out", "times_out_of_action")
    for title, carried in (
        ("Skills", skills_shown(row, names)),
        ("Armour", armour_shown(row)),
        ("Wargear", ", ".join(lowercase_id(item) for item in row["wargear"])),
        ("Advancements", row.get("advancements")),
        ("Promoted from", lowercase_id(row.get("promoted_from") or "")),
        ("Brought along from", sanitize(row.get("brought_from") or "")),
    ):
        if carried:
            yield f"{title}: {carried}"


def _mutation_lines(history: Sequence[RecordedEvent], names: Names) -> list[str]:
    return [
        f"{sentence(recorded.event, names)} ({recorded.address})"
        for recorded in history
        if isinstance(recorded.event, records.MutationGained | records.MutationCameAgain)
    ]


def _injury_lines(
    row: Row, history: Sequence[RecordedEvent], names: Names, disputed: AbstractSet[int]
) -> list[str]:
    lines = []
    for recorded in history:
        event = recorded.event
        # The history also names the fighter as the cause of others' injuries.
        if getattr(event, "fighter", None) != row["fighter"]:
            continue
        if isinstance(event, records.LastingInjurySuffered | records.InjuryBroughtAlong):
            suffered_in = getattr(event, "battle", None)
            battle = f"battle {suffered_in}, " if suffered_in is not None else ""
            mark = MARK if recorded.seq in disputed else ""
            lines.append(f"{sentence(event, names)} ({battle}{recorded.address}){mark}")
    return lines or [injuries_shown(row) or "none"]


def _spent_before(row: Row, history: Sequence[RecordedEvent]) -> tuple[RecordedEvent, int] | None:
    """The XP that the fighter had spent before joining, and the event that records it."""
    for recorded in history:
        event = recorded.event
        if isinstance(event, records.FighterBroughtAlong) and event.fighter == row["fighter"]:
            return recorded, event.xp_spent
    return None


def _experience(
    row: Row, history: Sequence[RecordedEvent]
) -> tuple[int, list[tuple[RecordedEvent, int]], int]:
    start = 0
    moved = []
    for recorded in history:
        event = recorded.event
        if getattr(event, "fighter", None) != row["fighter"]:
            continue
        if isinstance(event, records.FighterEnlisted):
            start = event.experience
        elif isinstance(event, records.ExperienceGained):
            moved.append((recorded, event.amount))
        elif isinstance(event, records.ExperienceSpent):
            moved.append((recorded, -event.amount))
    return start, moved, start + sum(amount for _, amount in moved)
