"""Policy: the house rules, what each one changes, and when and why it was adopted.

Knows rows `{policy, version, title, about, source, tags, patch}` and the policies of a state. The caller
provides the printed values of settings.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import PolicyInForce
from tracker.reports import people
from tracker.reports.log import StruckContent, when
from tracker.reports.names import Names
from tracker.reports.page import Block, DataTable, Heading, Page, Row, Text
from tracker.reports.plain_data import plain_data, recorded_data
from tracker.rules.own_rows import in_words, patch_in_words, split

_COLUMNS = ("Policy", "Title", "Source")
_COLUMNS_IN_FORCE = ("Policy", "Title", "In force", "Source")


def policies_page(policies: Sequence[Row], adopted: Sequence[PolicyInForce]) -> Page:
    """Every house rule of the program and of the campaign, and for which battles it holds."""
    return Page(
        schema="policies",
        blocks=lambda: [_policies_block(_listed(policies, adopted), adopted)],
        data=lambda: {"available": plain_data(list(policies)), "held": plain_data(list(adopted))},
    )


def _policies_block(rows: Sequence[Row], adopted: Sequence[PolicyInForce]) -> Block:
    if not rows:
        return [Text(["There are no house rules."])]
    if not adopted:  # an empty column would take the room of the titles
        return [DataTable(_COLUMNS, [(policy_id(row), row["title"], row["source"]) for row in rows])]
    cells = [
        (
            policy_id(row),
            row["title"],
            battles_in_force(row["policy"], row["version"], adopted),
            row["source"],
        )
        for row in rows
    ]
    return [DataTable(_COLUMNS_IN_FORCE, cells)]


def policy_page(
    row: Row,
    adopted: Sequence[PolicyInForce],
    *,
    printed: Mapping[str, str],
    about: Mapping[str, str] | None = None,
) -> Page:
    """One policy: its text, its source, and every setting it changes, as printed -> as played."""
    own = [held for held in adopted if (held.policy, held.version) == (row["policy"], row["version"])]
    return Page(
        schema="policy",
        blocks=lambda: _policy_blocks(row, adopted, printed, about or {}),
        data=lambda: {
            "policy": plain_data(dict(row)),
            "knobs": [
                {"knob": knob, "printed": printed.get(knob), "played": value}
                for knob, value in split(row["patch"])[0].items()
            ],
            "rows": [list(in_words(own)) for own in split(row["patch"])[1]],
            "held": plain_data(own),
        },
    )


def _policy_blocks(
    row: Row, adopted: Sequence[PolicyInForce], printed: Mapping[str, str], about: Mapping[str, str]
) -> Iterator[Block]:
    yield [
        Heading(f"{row['title']} ({policy_id(row)})"),
        Text([row["about"]] if row.get("about") else []),
        Text([f"Source: {row['source']}"]),
        Text([f"In force: {battles_in_force(row['policy'], row['version'], adopted) or 'no'}"]),
    ]
    settings, rows = split(row["patch"])
    moves = []
    for knob, value in settings.items():
        moves.append(f"{knob}: {printed.get(knob, '?')} -> {value}")
        if knob in about:
            moves.append(f"    {about[knob]}")
    moves += [line for own in rows for line in in_words(own)]
    yield [Text(moves or ["It changes no setting."])]


def policy_history_page(
    recorded: Sequence[RecordedEvent],
    names: Names,
    *,
    struck: Mapping[tuple[int, int], StruckContent] | None = None,
    adopted: Sequence[PolicyInForce] = (),
    next_battle: int | None = None,
    printed: Mapping[str, str] | None = None,
) -> Page:
    """Who adopted or repealed what, when, from which battle on, and why; then the rules that hold now.

    A superseded line is kept and marked; so is a change that a ruling made for a past battle.
    """
    changes = [
        change
        for change in recorded
        if isinstance(change.event, records.PolicyAdopted | records.PolicyRepealed)
    ]
    ruled_out = {place: by.ruling for place, by in (struck or {}).items()}
    return Page(
        schema="policy-history",
        blocks=lambda: _history_blocks(changes, ruled_out, adopted, next_battle, printed),
        data=lambda: {
            "history": [
                {
                    **recorded_data(change, names),
                    "at": change.at,
                    **people.actor_data(change.actor, change.at),
                    "by_ruling": change.slot != change.entry,
                    "struck_by": ruled_out.get((change.entry, change.slot)),
                }
                for change in changes
            ],
            "held": plain_data(list(adopted)),
        },
    )


def _history_blocks(
    changes: Sequence[RecordedEvent],
    ruled_out: Mapping[tuple[int, int], int],
    adopted: Sequence[PolicyInForce],
    next_battle: int | None,
    printed: Mapping[str, str] | None,
) -> Iterator[Block]:
    lines = []
    for change in changes:
        by = ruled_out.get((change.entry, change.slot))
        mark = f"struck out by entry {by}: " if by is not None else ""
        ruled = " (by ruling, for a battle already played)" if change.slot != change.entry else ""
        who = people.person(change.actor, change.at)
        lines.append(f"{when(change.at)}  {change.address}  {mark}{who} {_change(change.event)}{ruled}")
        if isinstance(change.event, records.PolicyAdopted) and printed is not None:
            lines += [f"    {line}" for line in patch_in_words(change.event.patch, printed)]
    if not lines:
        yield [Text(["No house rule was ever adopted: the book is played as printed."])]
        return
    yield [Text(lines)]
    if next_battle is not None:
        now = [f"{held.policy}@{held.version}" for held in adopted if held.holds_for(next_battle)]
        yield [Text([f"Battle {next_battle} is played with: {', '.join(now) or 'the book as printed'}"])]


def policy_id(row: Row) -> str:
    """'one-lasting-injury-roll@1'."""
    return f"{row['policy']}@{row['version']}"


def battles_in_force(policy: str, version: int, adopted: Sequence[PolicyInForce]) -> str:
    """'from battle 5 on', 'battles 2 to 4'; empty if it never held."""
    spans = [_span(held) for held in adopted if (held.policy, held.version) == (policy, version)]
    return ", ".join(spans)


def _span(held: PolicyInForce) -> str:
    if held.until_battle is None:
        return f"from battle {held.from_battle} on"
    last = held.until_battle - 1
    if last < held.from_battle:
        return f"never: adopted from battle {held.from_battle} on, and ended before that"
    if last == held.from_battle:
        return f"battle {last} only"
    return f"battles {held.from_battle} to {last}"


def _listed(policies: Sequence[Row], adopted: Sequence[PolicyInForce]) -> list[Row]:
    # Includes policies of the campaign that this version of the program no longer has.
    known = {(row["policy"], row["version"]) for row in policies}
    rows = list(policies)
    for held in adopted:
        if (held.policy, held.version) not in known:
            known.add((held.policy, held.version))
            rows.append(plain_data(held))
    return rows


def _change(event: records.Event) -> str:
    if isinstance(event, records.PolicyRepealed):
        what = f"repealed {event.policy}@{event.version}"
    else:
        assert isinstance(event, records.PolicyAdopted), "adopted or repealed"
        what = f"adopted {event.title} ({event.policy}@{event.version})"
        if event.overrides:
            what += f", on purpose after {', '.join(event.overrides)},"
    return f"{what} from battle {event.from_battle} on. Reason: {event.reason}"
