"""Unknown names: all of a report's fighters whom nobody knows, not only the first that was met.

Knows the fields of commands that name a fighter. Knows no rule.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

from tracker.campaign.refusals import UnknownFighter
from tracker.campaign.state import CampaignState
from tracker.records import Record, names_of_fields
from tracker.service.command_handler import PlannedCommand
from tracker.service.refusals import EntriesRefused, EntryRefused

_NAMING: Final = frozenset({
    "attacker", "target", "fighter", "by", "because_of", "assisted_by", "fighters", "targets", "assists",
    "model",
})  # fmt: skip


def with_other_names(
    refused: EntryRefused, plans: Sequence[PlannedCommand], state: CampaignState
) -> EntryRefused | EntriesRefused:
    """The refusal of an unknown fighter with the others of the same file; any other refusal as it is."""
    if not isinstance(refused.refusal, UnknownFighter):
        return refused
    known = refused.refusal.known
    unknown = [
        EntryRefused(label=plan.label, refusal=UnknownFighter(fighter=named, known=known))
        for plan in plans
        for named in dict.fromkeys(_named(plan.command))
        if named not in state.gang_of and named not in state.vehicle_of
    ]
    return EntriesRefused(refused=tuple(unknown)) if len(unknown) > 1 else refused


def _named(command: Any) -> Iterator[str]:
    for name in names_of_fields(command):
        if name == "nearer":  # who or what stands nearer may be no model of this campaign
            continue
        value = getattr(command, name)
        for one in value if isinstance(value, tuple) else (value,):
            if isinstance(one, Record):
                yield from _named(one)
            elif isinstance(one, str) and name in _NAMING:
                yield one
