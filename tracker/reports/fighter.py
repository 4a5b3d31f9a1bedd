"""Fighter: one fighter's page. The card, the status and why, injuries by entry, an XP statement that adds up.

Knows a roster row and the live events about the fighter. What the two say differently is said aloud.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.projections.dependents import DependentEvent
from tracker.reports.cards import card_line, counted, lowercase_id, status_words
from tracker.reports.dispute_marks import MARK, in_dispute, pending_lines, resting_data
from tracker.reports.escaping import json_text, sanitize
from tracker.reports.names import Names
from tracker.reports.page import Row
from tracker.reports.plain_data import recorded_data
from tracker.reports.rendering import markdown_cell
from tracker.reports.roster import armour_shown, injuries_shown, mutations_shown, skills_shown, weapons_shown
from tracker.reports.sentences import sentence

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


def fighter_text(
    row: Row,
    gang: Row,
    history: Sequence[RecordedEvent],
    names: Names,
    *,
    pending: Sequence[Row] = (),
    resting: Sequence[DependentEvent] = (),
    heading: str = "",
) -> str:
    """The page. `history` is the live events that name the fighter, in the order of play; `resting` is what
    of the campaign rests on open disputes."""
    blocks = _blocks(row, gang, history, names, pending, resting)
    return "\n\n".join("\n".join(block) for block in ([[sanitize(heading)]] if heading else []) + blocks)


def fighter_markdown(
    row: Row,
    gang: Row,
    history: Sequence[RecordedEvent],
    names: Names,
    *,
    pending: Sequence[Row] = (),
    resting: Sequence[DependentEvent] = (),
    heading: str = "",
) -> str:
    """The page for a wiki or a chat: every line of the text as a list item, in its own block."""
    title, *blocks = _blocks(row, gang, history, names, pending, resting)
    written = [f"# {markdown_cell(title[0])}", *([f"*{markdown_cell(heading)}*"] if heading else [])]
    written += [markdown_cell(line) for line in title[1:]]
    for block in blocks:
        head, *lines = block
        written.append(
            "\n".join([f"**{markdown_cell(head)}**", "", *(f"- {markdown_cell(one)}" for one in lines)])
        )
    return "\n\n".join(written)


def fighter_json(
    row: Row,
    gang: Row,
    history: Sequence[RecordedEvent],
    names: Names,
    *,
    pending: Sequence[Row] = (),
    resting: Sequence[DependentEvent] = (),
) -> str:
    """The row, the gang, the statement and the events behind it."""
    start, moved, total = _experience(row, history)
    statement: dict[str, Any] = {
        "start": start,
        "gained": [{"address": one.address, "amount": amount} for one, amount in moved if amount >= 0],
        "spent": [{"address": one.address, "amount": -amount} for one, amount in moved if amount < 0],
        "total": total,
        "board": row["experience"],
    }
    return json_text(
        "fighter",
        {
            "fighter": dict(row),
            "gang": dict(gang),
            "experience": statement,
            "history": [recorded_data(one, names) for one in history],
            "pending": [dict(one) for one in pending],
            "resting": resting_data(resting),
        },
    )


def status_line(row: Row, history: Sequence[RecordedEvent], names: Names) -> str:
    """'in Recovery: Mags goes into Recovery and misses the gang's next battle (57.6)'."""
    status = row["status"]
    about = [one for one in history if isinstance(one.event, _STATUS_EVENTS.get(status, ()))]
    words = status_words(status)
    if not about or isinstance(about[-1].event, records.FighterEnlisted):
        return words
    return f"{words}: {sentence(about[-1].event, names)} ({about[-1].address})"


def experience_lines(
    row: Row, history: Sequence[RecordedEvent], names: Names, doubted: AbstractSet[int] = frozenset()
) -> list[str]:
    """The statement: the start, what was gained and spent with its entry, the sum; and aloud if the board
    says otherwise. `doubted` are events that rest on a dispute.
    """
    start, moved, total = _experience(row, history)
    lines = [f"{start:>3}  on enlisting"]
    for one, amount in moved:
        assert isinstance(one.event, (records.ExperienceGained, records.ExperienceSpent)), (
            "only these move XP"
        )
        if isinstance(one.event, records.ExperienceGained):
            why = one.event.cause(names)
        else:
            why = f"spent: {lowercase_id(one.event.why)}"
        lines.append(f"{amount:>+3}  {why} ({one.address}){MARK if one.seq in doubted else ''}")
    spent = -sum(amount for _, amount in moved if amount < 0)
    told = f"{total:>3}  XP in all" if not spent else f"{total:>3}  XP left of {total + spent}"
    lines.append(in_dispute(told, row, "experience"))
    if total != row["experience"]:
        lines.append(f"The board says {row['experience']}: see 'arbitrator boards verify'.")
    return lines


def _blocks(
    row: Row,
    gang: Row,
    history: Sequence[RecordedEvent],
    names: Names,
    pending: Sequence[Row],
    resting: Sequence[DependentEvent],
) -> list[list[str]]:
    doubted = frozenset(one.event.seq for one in resting)
    cost = names.money(row["cost_credits"])
    rank = f"{lowercase_id(row['category'])} of {sanitize(gang['name'])}"
    title = f"{sanitize(row['name'])}, {rank} ({lowercase_id(row['kind'])}, {cost})"
    counters = (
        f"{counted(row['battles_fought'], 'battle')} fought,"
        f" {counted(row['enemies_taken_out'], 'enemy', 'enemies')} taken out,"
        f" {counted(row['times_out_of_action'], 'time')} Out of Action"
    )
    head = [
        title,
        card_line(row["characteristics"], pending=row.get("pending", ())),
        in_dispute(f"Status: {status_line(row, history, names)}", row, "status"),
        in_dispute(counters, row, "battles_fought", "enemies_taken_out", "times_out_of_action"),
    ]
    carried = (
        ("Skills", skills_shown(row, names)),
        ("Weapons", weapons_shown(row)),
        ("Armour", armour_shown(row)),
        ("Wargear", ", ".join(lowercase_id(item) for item in row["wargear"])),
    )
    head += [f"{what}: {told}" for what, told in carried if told]
    if row.get("advancements"):
        head.append(f"Advancements: {row['advancements']}")
    blocks = [head, ["Lasting injuries", *_injury_lines(row, history, names, doubted)]]
    if mutations := mutations_shown(row):
        told = in_dispute(mutations, row, "mutations", "mutations_to_choose")
        blocks.append(["Mutations", told, *_mutation_lines(history, names)])
    blocks.append(["Experience", *experience_lines(row, history, names, doubted)])
    if pending:
        blocks.append(["Disputes", *pending_lines(pending)])
    return blocks


def _mutation_lines(history: Sequence[RecordedEvent], names: Names) -> list[str]:
    told = [
        one for one in history if isinstance(one.event, records.MutationGained | records.MutationCameAgain)
    ]
    return [f"{sentence(one.event, names)} ({one.address})" for one in told]


def _injury_lines(
    row: Row, history: Sequence[RecordedEvent], names: Names, doubted: AbstractSet[int]
) -> list[str]:
    # The history also names the fighter as the one who caused others' injuries.
    suffered = [
        one
        for one in history
        if isinstance(one.event, records.LastingInjurySuffered) and one.event.fighter == row["fighter"]
    ]
    if not suffered:
        return [injuries_shown(row) or "none"]
    lines = []
    for one in suffered:
        assert isinstance(one.event, records.LastingInjurySuffered)
        battle = f"battle {one.event.battle}, " if one.event.battle is not None else ""
        mark = MARK if one.seq in doubted else ""
        lines.append(f"{sentence(one.event, names)} ({battle}{one.address}){mark}")
    return lines


def _experience(
    row: Row, history: Sequence[RecordedEvent]
) -> tuple[int, list[tuple[RecordedEvent, int]], int]:
    start = 0
    moved = []
    for one in history:
        if isinstance(one.event, records.FighterEnlisted) and one.event.fighter == row["fighter"]:
            start = one.event.experience
        elif isinstance(one.event, records.ExperienceGained) and one.event.fighter == row["fighter"]:
            moved.append((one, one.event.amount))
        elif isinstance(one.event, records.ExperienceSpent) and one.event.fighter == row["fighter"]:
            moved.append((one, -one.event.amount))
    return start, moved, start + sum(amount for _, amount in moved)
