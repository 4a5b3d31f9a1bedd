"""House rules from a battle on that is recorded already: which commands change, and to what.

Decides nothing: a ruling or a what-if has the changed commands decided.
"""

from __future__ import annotations

from collections.abc import Set as AbstractSet

from tracker.campaign import records, steps
from tracker.records import replace
from tracker.rules import loader
from tracker.service.past import Past


def changed_opening(
    past: Past, change: records.HouseRules, *, without: AbstractSet[str] = frozenset()
) -> tuple[int, records.OpenBattle]:
    """The slot of the battle's opening, and its command with the change. Raises what refuses the change.

    `without` are policies that the battle itself adopts by an earlier ruling, and should not.
    """
    slot, command = past.opening(change.from_battle)
    mine = {one.policy for one in change.repealing} | without
    adopted = tuple(one for one in command.adopting or () if one.text.policy not in mine)
    undone = {one.text.policy for one in command.adopting or ()} & mine
    repealed = tuple(one for one in change.repealing if one.policy not in undone)
    changed = replace(
        command,
        adopting=(*adopted, *change.adopting) or None,
        repealing=(*(command.repealing or ()), *repealed) or None,
    )
    steps.rulebook_for(past.state_before(slot), changed, loader.rulebook)
    return slot, changed


def later_changes(
    past: Past, first: int, *, adopted: AbstractSet[str], repealed: AbstractSet[str]
) -> dict[int, records.OpenBattle | None]:
    """The later slots that adopt ('id' or 'id@version') or repeal one of these: None for one that does
    nothing else, and for a battle's opening its command without it."""
    found: dict[int, records.OpenBattle | None] = {}
    for slot in past.policy_slots():
        if slot <= first:
            continue
        header = past.slot(slot).header
        command = header.command if header is not None else None
        if (isinstance(command, records.AdoptPolicy) and _is_one_of(command.text, adopted)) or (
            isinstance(command, records.RepealPolicy) and command.policy in repealed
        ):
            found[slot] = None
        elif isinstance(command, records.OpenBattle):
            fewer = replace(
                command,
                adopting=tuple(one for one in command.adopting or () if not _is_one_of(one.text, adopted))
                or None,
                repealing=tuple(one for one in command.repealing or () if one.policy not in repealed) or None,
            )
            if fewer != command:
                found[slot] = fewer
    return found


def commands_changed(past: Past, change: records.HouseRules) -> dict[int, records.OpenBattle]:
    """The commands of a ruling that brings a change, by slot."""
    slot, command = changed_opening(past, change)
    # A later battle that adopts the same by ruling need not: it holds already.
    again = later_changes(past, slot, adopted={_id(one.text) for one in change.adopting}, repealed=set())
    return {number: one for number, one in {**again, slot: command}.items() if one is not None}


def words(change: records.HouseRules) -> str:
    """'from battle 2 on: adopts templates-spill@1, repeals stray-shots-on-a-6'."""
    said = [f"adopts {_id(one.text)}" for one in change.adopting]
    said += [f"repeals {one.policy}" for one in change.repealing]
    return f"from battle {change.from_battle} on: {', '.join(said)}"


def _id(text: records.PolicyText) -> str:
    return f"{text.policy}@{text.version}"


def _is_one_of(text: records.PolicyText, named: AbstractSet[str]) -> bool:
    return text.policy in named or _id(text) in named
