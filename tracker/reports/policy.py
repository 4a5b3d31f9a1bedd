"""Policy: the program's house rules, what each one changes, and when and why it was adopted.

Knows rows `{policy, version, title, about, source, tags, patch}` and the policies that a state holds.
Knows no book: what a knob says in print is handed in.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import PolicyInForce
from tracker.reports.escaping import json_text, sanitize
from tracker.reports.log import StruckOut, when
from tracker.reports.names import Names
from tracker.reports.page import Cell, Row
from tracker.reports.plain_data import plain_data, recorded_data
from tracker.reports.rendering import table_text

_COLUMNS = ("Policy", "Title", "Holds", "Source")


def policies_text(
    available: Sequence[Row], held: Sequence[PolicyInForce], *, width: int | None = None, colour: bool = False
) -> str:
    """Every house rule of the program and of the campaign, and for which battles it holds."""
    rows = _listed(available, held)
    if not rows:
        return "There are no house rules."
    lines: list[list[Cell]] = [
        [policy_id(row), row["title"], holds_words(row["policy"], row["version"], held), row["source"]]
        for row in rows
    ]
    return table_text(_COLUMNS, lines, width=width, colour=colour)


def policies_json(available: Sequence[Row], held: Sequence[PolicyInForce]) -> str:
    """The program's house rules and what the campaign holds."""
    return json_text("policies", {"shelf": plain_data(list(available)), "held": plain_data(list(held))})


def policy_text(
    row: Row,
    held: Sequence[PolicyInForce],
    *,
    printed: Mapping[str, str],
    about: Mapping[str, str] | None = None,
) -> str:
    """One policy: what it says, where it comes from, and every knob it moves, as printed -> as played."""
    lines = [f"{sanitize(row['title'])} ({policy_id(row)})"]
    lines += [sanitize(row["about"])] if row.get("about") else []
    lines.append(f"Source: {sanitize(row['source'])}")
    lines.append(f"Holds: {holds_words(row['policy'], row['version'], held) or 'not adopted'}")
    lines += [""] if row["patch"] else ["", "It moves no knob."]
    for knob, value in row["patch"].items():
        lines.append(f"{sanitize(knob)}: {sanitize(printed.get(knob, '?'))} -> {sanitize(value)}")
        if about and knob in about:
            lines.append(f"    {sanitize(about[knob])}")
    return "\n".join(lines)


def policy_json(row: Row, held: Sequence[PolicyInForce], *, printed: Mapping[str, str]) -> str:
    """The row, its knobs and for which battles it holds."""
    knobs = [
        {"knob": knob, "printed": printed.get(knob), "played": value} for knob, value in row["patch"].items()
    ]
    own = [one for one in held if (one.policy, one.version) == (row["policy"], row["version"])]
    return json_text("policy", {"policy": plain_data(dict(row)), "knobs": knobs, "held": plain_data(own)})


def policy_history_text(
    recorded: Sequence[RecordedEvent],
    *,
    struck: Mapping[tuple[int, int], StruckOut] | None = None,
    held: Sequence[PolicyInForce] = (),
    next_battle: int | None = None,
    printed: Mapping[str, str] | None = None,
) -> str:
    """Who adopted or repealed what, when, from which battle on, and why; then what holds now.

    What a ruling struck out keeps its line; what a ruling brought to a past battle says so.
    """
    lines = []
    for one in recorded:
        if isinstance(one.event, (records.PolicyAdopted, records.PolicyRepealed)):
            by = (struck or {}).get((one.entry, one.slot))
            mark = f"struck out by entry {by.ruling}: " if by is not None else ""
            ruled = " (by ruling, for a battle already played)" if one.slot != one.entry else ""
            lines.append(
                f"{when(one.at)}  {one.address}  {mark}{sanitize(one.actor)} {_minute(one.event)}{ruled}"
            )
            if isinstance(one.event, records.PolicyAdopted) and printed is not None:
                lines += [f"    {line}" for line in _moves(one.event, printed)]
    if not lines:
        return "No house rule was ever adopted: the book is played as printed."
    if next_battle is not None:
        now = [f"{sanitize(one.policy)}@{one.version}" for one in held if one.holds_for(next_battle)]
        lines += ["", f"Battle {next_battle} is played with: {', '.join(now) or 'the book as printed'}"]
    return "\n".join(lines)


def policy_history_json(
    recorded: Sequence[RecordedEvent],
    names: Names,
    *,
    struck: Mapping[tuple[int, int], StruckOut] | None = None,
    held: Sequence[PolicyInForce] = (),
) -> str:
    """The same for programs."""
    told = [
        {
            **recorded_data(one, names),
            "at": one.at,
            "actor": one.actor,
            "by_ruling": one.slot != one.entry,
            "struck_by": by.ruling if (by := (struck or {}).get((one.entry, one.slot))) else None,
        }
        for one in recorded
        if isinstance(one.event, (records.PolicyAdopted, records.PolicyRepealed))
    ]
    return json_text("policy-history", {"history": told, "held": plain_data(list(held))})


def policy_id(row: Row) -> str:
    """'one-lasting-injury-roll@1'."""
    return f"{sanitize(row['policy'])}@{row['version']}"


def holds_words(policy: str, version: int, held: Sequence[PolicyInForce]) -> str:
    """'from battle 5 on', 'battles 2 to 4'; nothing when it never held."""
    spans = [_span(one) for one in held if (one.policy, one.version) == (policy, version)]
    return ", ".join(spans)


def _span(held: PolicyInForce) -> str:
    if held.until_battle is None:
        return f"from battle {held.from_battle} on"
    last = held.until_battle - 1
    if last < held.from_battle:
        return f"adopted from battle {held.from_battle} on, ended before it held"
    if last == held.from_battle:
        return f"battle {last} only"
    return f"battles {held.from_battle} to {last}"


def _listed(available: Sequence[Row], held: Sequence[PolicyInForce]) -> list[Row]:
    # What a campaign adopted from a version of the program that is gone by now is listed all the same.
    known = {(row["policy"], row["version"]) for row in available}
    rows = list(available)
    for one in held:
        if (one.policy, one.version) not in known:
            known.add((one.policy, one.version))
            rows.append(plain_data(one))
    return rows


def _minute(event: records.PolicyAdopted | records.PolicyRepealed) -> str:
    if isinstance(event, records.PolicyRepealed):
        what = f"repealed {sanitize(event.policy)}@{event.version}"
    else:
        what = f"adopted {sanitize(event.title)} ({sanitize(event.policy)}@{event.version})"
        if event.overrides:
            what += f", on purpose after {', '.join(map(sanitize, event.overrides))},"
    return f"{what} from battle {event.from_battle} on. Reason: {sanitize(event.reason)}"


def _moves(event: records.PolicyAdopted, printed: Mapping[str, str]) -> list[str]:
    moved = event.patch.items()
    return [
        f"{sanitize(knob)}: {sanitize(printed.get(knob, '?'))} -> {sanitize(value)}" for knob, value in moved
    ]
