"""Explanation: a number, and the tree of entries, dice, house rules and rulings behind it.

Within an entry, every event is under the one that caused it. Entries that a ruling superseded are in their
place in the order of play, marked as such.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.errors import BadInput
from tracker.projections.number_lineage import EntryEffect, Kind, Numbers
from tracker.reports import people
from tracker.reports.cards import (
    characteristic_name,
    characteristic_shown,
    columns,
    lowercase_id,
    status_words,
)
from tracker.reports.escaping import sanitize
from tracker.reports.log import event_line, when
from tracker.reports.names import Names
from tracker.reports.page import Block, Heading, Page, Text
from tracker.reports.plain_data import plain_data, recorded_data
from tracker.reports.sentences import sentence
from tracker.rules import loader
from tracker.service.explanations import Explanation

_CALLED: dict[str, str] = {
    "xp": "experience",
    "cost": "cost_credits",
    "rank": "category",
    "rating": "rating_credits",
    "wealth": "wealth_credits",
    "threshold": "threshold_ducats",
    "taken_out": "enemies_taken_out",
    "kills": "enemies_taken_out",
    "battles": "battles_fought",
}
_TITLES = {
    "experience": "XP",
    "cost_credits": "cost",
    "rating_credits": "rating",
    "rating_recorded": "rating when last worked out",
    "wealth_credits": "wealth",
    "threshold_ducats": "threshold",
    "category": "rank",
    "injuries": "lasting injuries",
    "times_out_of_action": "times Out of Action",
}
_MONEY = frozenset({
    "cost_credits", "rating_credits", "rating_recorded", "wealth_credits", "credits", "threshold_ducats",
})  # fmt: skip
_ALWAYS = {"fighter": ("status", "experience"), "gang": ("credits", "rating_credits", "reputation")}
# Shown by the status, or no number of a board of its own.
_NEVER = frozenset({
    "fighter", "gang", "name", "kind", "house", "player", "standing", "convalescing", "recovering_since",
    "capture_pending", "captor", "held_by", "rescue", "works_at", "absent_since", "critical",
    "fighters", "fighters_enlisted", "vehicles", "corrupted", "daemon", "mutations_to_choose",
})  # fmt: skip
_COUNTS = frozenset({
    "battles_fought", "battles", "won", "drawn", "lost", "enemies_taken_out", "times_out_of_action",
})  # fmt: skip


class NoSuchNumber(BadInput):
    """No board shows {asked!r} of them.{asked:nearest} Known: {known}."""

    asked: str
    known: tuple[str, ...]


def number_called(asked: str, numbers: Numbers, names: Names) -> str:
    """The number of that name: 'ballistic-skill', 'BS', 'xp', 'cost', 'ducats'. Raises NoSuchNumber."""
    wanted = asked.casefold().replace("-", "_").replace(" ", "_")
    shorts = {short.casefold(): name for name, short in columns(_card(numbers)).items()}
    money = names.game.credits
    for name in (wanted, "credits" if wanted == money else _CALLED.get(wanted, ""), shorts.get(wanted, "")):
        if name in numbers:
            return name
    called = {"credits": money, **{name: short for short, name in _CALLED.items()}}
    known = tuple(called.get(name, name).replace("_", "-") for name in numbers)
    raise NoSuchNumber(asked=asked, known=known)


def explanation_page(
    explained: Explanation,
    names: Names,
    *,
    numbers: Sequence[str] = (),
    heading: str = "",
    point: str = "now",
) -> Page:
    """Each number of `numbers`, or every one that ever changed, with its tree; `point` is the point in
    time.
    """
    wanted = numbers or _worth_showing(explained)
    return Page(
        schema="explanation",
        blocks=lambda: _blocks(explained, names, wanted, heading),
        data=lambda: {
            explained.kind: explained.known,
            "point": point,
            "numbers": [
                {
                    "number": number,
                    "value": plain_data(explained.numbers[number]),
                    "shown": value_shown(number, explained.numbers[number], names),
                    "tree": [node.data() for node in _tree(explained, number, names)],
                }
                for number in wanted
            ],
        },
    )


def _blocks(explained: Explanation, names: Names, numbers: Sequence[str], heading: str) -> Iterator[Block]:
    if heading:
        yield [Heading(heading)]
    above: dict[str, int] = {}
    for number in numbers:
        shown = value_shown(number, explained.numbers[number], names)
        nodes = _not_yet_shown(_tree(explained, number, names), above)
        yield [Text([f"{title_of(number, names)}: {shown}", *_tree_lines(nodes)])]
    if explained.whole_log:
        yield [Text(["The whole log had to be read for this."])]


def value_shown(number: str, value: Any, names: Names) -> str:
    """A value as its board prints it."""
    if value is None or value == [] or value == "":
        return "none"
    if number == "status":
        return status_words(value)
    if number in _MONEY:
        return names.money(value)
    if isinstance(value, list):
        return ", ".join(_item(part, names) for part in value)
    if isinstance(value, dict):
        return sanitize(
            value.get("name", ", ".join(f"{lowercase_id(key)} {part}" for key, part in value.items()))
        )
    if isinstance(value, int) and not isinstance(value, bool):
        return characteristic_shown(number, value)
    return names.anyone(value) if value in names.fighters else lowercase_id(str(value))


def _item(part: Any, names: Names) -> str:
    if isinstance(part, dict):
        if "territory" in part:
            return names.territory(part["territory"], part["name"])
        return sanitize(part.get("name") or part.get("weapon") or part.get("item") or "?")
    return names.anyone(part) if part in names.fighters else lowercase_id(str(part))


def title_of(number: str, names: Names) -> str:
    """The name of a number: 'Ballistic Skill', 'XP'."""
    if number == "credits":
        return names.game.Credits
    title = _TITLES.get(number) or (characteristic_name if is_characteristic(number) else lowercase_id)(
        number
    )
    return title[:1].upper() + title[1:]


def _card(numbers: Numbers) -> list[str]:
    return [name for name in numbers if is_characteristic(name)]


@cache
def _on_cards() -> frozenset[str]:
    return frozenset(name for book in loader.book_names() for name in loader.book(book).characteristics)


def is_characteristic(number: str) -> bool:
    """Whether a number is a characteristic of some book's cards."""
    return number in _on_cards()


def _worth_showing(explained: Explanation) -> list[str]:
    """The numbers that always matter, and those that changed since the first entry with any number."""
    first = explained.contributions[0].filling.slot if explained.contributions else 0
    moved = (
        {
            number
            for contribution in explained.contributions
            if contribution.filling.slot != first
            for number in contribution.moves
        }
        - _NEVER
        - _COUNTS
    )
    wanted = [*_ALWAYS[explained.kind], *(number for number in explained.numbers if number in moved)]
    return [number for number in dict.fromkeys(wanted) if number in explained.numbers]


# --- the tree --------------------------------------------------------------------------------------------


@dataclass(slots=True)
class ExplanationNode:
    """One line of the tree, its data for programs, and the nodes below it.

    `key` is the same wherever a page shows the same entry, ruling or event; an entry names its `house_rules`.
    """

    line: str
    facts: dict[str, Any]
    key: str
    house_rules: str = ""
    below: list[ExplanationNode] = field(default_factory=list)

    def data(self) -> dict[str, Any]:
        """The node and those below it, for JSON."""
        return {**self.facts, "below": [node.data() for node in self.below]}


def _tree(explained: Explanation, number: str, names: Names) -> list[ExplanationNode]:
    """One node for each entry that changed the number, in the order of play."""
    return [
        _entry_node(explained, contribution, number, names)
        for contribution in explained.contributions
        if number in contribution.moves
    ]


def _entry_node(
    explained: Explanation, contribution: EntryEffect, number: str, names: Names
) -> ExplanationNode:
    filling, header = contribution.filling, contribution.filling.events[0]
    struck, again = filling.struck_by, filling.entry if filling.entry != filling.slot else None
    line = f"{filling.entry}  {when(header.at)}  {sentence(header.event, names)}"
    if again is not None:
        line = f"{filling.entry}  in place of entry {filling.slot}: {sentence(header.event, names)}"
    if struck is not None:
        line = f"struck out by entry {struck}: {line}"
    node = ExplanationNode(
        line,
        {
            "entry": filling.entry,
            "slot": filling.slot,
            "at": header.at,
            **people.actor_data(header.actor, header.at),
            "policy_version": header.policy_version,
            "policy_digest": header.policy_digest,
            "asked": people.in_text(sentence(header.event, names), header.at),
            "struck_by": struck,
        },
        key=f"entry {filling.entry} in {filling.slot}",
        house_rules=sanitize(header.policy_version.partition(" + ")[2]),
    )
    for ruling in (again, struck):
        if ruling is not None:
            node.below.append(_ruling_node(explained, ruling, names))
    kept_as_played = explained.kept.get(filling.slot)
    if kept_as_played is not None and struck is None:
        node.below.append(_event_node(explained, kept_as_played, names, None))
    node.below += _event_nodes(explained, contribution, number, names)
    return node


def _ruling_node(explained: Explanation, entry: int, names: Names) -> ExplanationNode:
    own = explained.rulings[entry]
    first = own[1] if len(own) > 1 else own[0]
    by = sanitize(people.person(first.actor, first.at))
    line = f"ruled in entry {entry}, {when(first.at)}, by {by}: {sentence(first.event, names)}"
    facts = {"ruling": entry, **recorded_data(first, names), **people.actor_data(first.actor, first.at)}
    return ExplanationNode(line, facts, key=f"ruling {entry}")


def _event_nodes(
    explained: Explanation, contribution: EntryEffect, number: str, names: Names
) -> list[ExplanationNode]:
    """The events that changed the number, under those that caused them, down from the header."""
    events = {recorded.seq: recorded for recorded in contribution.filling.events[1:]}
    moved = {move.event.seq: move for move in contribution.moves[number]}
    shown_seqs = _with_causes(moved, events)
    nodes: dict[int, ExplanationNode] = {}
    top: list[ExplanationNode] = []
    for seq in sorted(shown_seqs):
        recorded = events.get(seq)
        if recorded is None:
            continue
        move = moved.get(seq)
        shown = None
        if move is not None:
            shown = (
                None if move.before is None else value_shown(number, move.before, names),
                value_shown(number, move.after, names),
            )
        node = _event_node(explained, recorded, names, shown)
        nodes[seq] = node
        above = nodes.get(recorded.causation) if recorded.causation is not None else None
        (above.below if above is not None else top).append(node)
    return top


def _with_causes(moved: Iterable[int], events: Mapping[int, RecordedEvent]) -> set[int]:
    """The events that changed the number, their causes, and the rolls on the way: a failed save causes
    nothing itself.
    """
    seqs: set[int] = set()
    for seq in moved:
        at: int | None = seq
        while at is not None and at not in seqs:
            seqs.add(at)
            at = events[at].causation if at in events else None
    last: dict[int | None, int] = {}
    for seq in seqs:
        if seq in events:
            cause = events[seq].causation
            last[cause] = max(seq, last.get(cause, 0))
    for seq, recorded in events.items():
        if isinstance(recorded.event, (records.RollMade, records.RuleNoted)) and seq < last.get(
            recorded.causation, 0
        ):
            seqs.add(seq)
    return seqs


def _event_node(
    explained: Explanation, recorded: RecordedEvent, names: Names, moved: tuple[str | None, str] | None
) -> ExplanationNode:
    line = f"{recorded.address}  {event_line(recorded, names)}"
    if moved is not None:
        change = moved[1] if moved[0] is None else f"{moved[0]} -> {moved[1]}"
        line += f"  => {change}"
    disputes = [
        dispute for dispute in explained.state.disputes.values() if dispute.target_seq == recorded.seq
    ]
    for dispute in disputes:
        by, why = sanitize(dispute.raised_by), sanitize(dispute.reason)
        line += f"  (disputed by {by}: {why}; dispute {dispute.dispute} is open)"
    facts = {
        **recorded_data(recorded, names),
        "moved": None if moved is None else {"before": moved[0], "after": moved[1]},
        "disputed": [dispute.dispute for dispute in disputes],
    }
    return ExplanationNode(line, facts, key=recorded.address)


def _not_yet_shown(nodes: Sequence[ExplanationNode], above: dict[str, int]) -> list[ExplanationNode]:
    """The nodes without events that are `above` on the page and did not change this number.

    An entry is named each time, its house rules once: `above` maps nodes and lists of house rules to the
    entry where they are shown.
    """
    remaining: list[ExplanationNode] = []
    for node in nodes:
        entry, is_entry = node.facts["entry"], "asked" in node.facts
        shown = node.key in above
        above.setdefault(node.key, entry)
        line = node.line
        if shown and is_entry:
            line += "  (see above)"
        elif node.house_rules:
            first = above.setdefault(node.house_rules, entry)
            line += f"  (house rules: {node.house_rules if first == entry else f'as in entry {first}'})"
        below = _not_yet_shown(node.below, above)
        if shown and not is_entry and not node.facts.get("moved"):
            remaining += below
        else:
            remaining.append(replace(node, line=line, below=below))
    return remaining


def _tree_lines(nodes: Sequence[ExplanationNode], before: str = "") -> list[str]:
    lines = []
    for place, node in enumerate(nodes):
        last = place == len(nodes) - 1
        lines.append(f"{before}{'└─ ' if last else '├─ '}{node.line}")
        lines += _tree_lines(node.below, before + ("   " if last else "│  "))
    return lines


def whom(kind: Kind, identity: str, names: Names) -> str:
    """The name of a fighter or gang."""
    return names.gang(identity) if kind == "gang" else names.fighter(identity)
