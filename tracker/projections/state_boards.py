"""Boards from state: the campaign, its gangs and fighters. Only what changed is written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from sqlalchemy import Connection

from tracker import schema
from tracker.campaign.fighters import Fighter
from tracker.campaign.members import Members, differing
from tracker.campaign.state import CampaignState, Gang
from tracker.projections.roster import fighter_text, is_gone, status
from tracker.projections.sql import Bound, insert_rows, write_changes
from tracker.projections.standings import gang_text


def write_campaign(
    connection: Connection, campaign: str, state: CampaignState, *, slug: str, created_at: str
) -> None:
    insert_rows(
        connection,
        schema.board_campaigns,
        [
            {
                "campaign_id": campaign,
                "slug": slug,
                "name": state.name,
                "ruleset": state.book,
                "created_at": created_at,
                "shape": schema.BOARDS_SHAPE,
            }
        ],
    )


def write_state(connection: Connection, campaign: str, before: CampaignState, after: CampaignState) -> None:
    if before.gangs is after.gangs:
        return
    gangs = _diff(before.gangs, after.gangs)
    fighters: _Diff[Fighter] = _Diff()
    for gang in {**before.gangs, **after.gangs}:
        was, now = before.gangs.get(gang), after.gangs.get(gang)
        if was is not now:
            fighters.join(
                _members_diff(
                    was.members if was else Members.nobody(), now.members if now else Members.nobody()
                )
            )
    write_changes(
        connection,
        schema.board_gangs,
        gone=[{"campaign_id": campaign, "gang_id": gang.gang} for gang in gangs.gone],
        new=[_gang_bound(campaign, *placed) for placed in gangs.new],
        changed=[_gang_bound(campaign, *placed) for placed in gangs.changed],
        moved=[_gang_bound(campaign, *placed) for placed in gangs.moved],
    )
    write_changes(
        connection,
        schema.board_fighters,
        gone=[{"campaign_id": campaign, "fighter_id": fighter.fighter} for fighter in fighters.gone],
        new=[_fighter_bound(campaign, *placed) for placed in fighters.new],
        changed=[_fighter_bound(campaign, *placed) for placed in fighters.changed],
        moved=[_fighter_bound(campaign, *placed) for placed in fighters.moved],
    )


Record = TypeVar("Record")


@dataclass(slots=True)
class _Diff(Generic[Record]):
    """The differences between two states, with each record's position from 1. `moved` changed position."""

    new: list[tuple[int, Record]] = field(default_factory=list)
    changed: list[tuple[int, Record]] = field(default_factory=list)
    moved: list[tuple[int, Record]] = field(default_factory=list)
    gone: list[Record] = field(default_factory=list)

    def join(self, other: _Diff[Record]) -> None:
        self.new += other.new
        self.changed += other.changed
        self.moved += other.moved
        self.gone += other.gone


def _diff(before: Mapping[str, Record], after: Mapping[str, Record]) -> _Diff[Record]:
    diff: _Diff[Record] = _Diff()
    if list(before) == list(after):  # nearly always: nobody joined or left
        pairs = enumerate(zip(before.values(), after.values(), strict=True), start=1)
        diff.changed = [(place, now) for place, (was, now) in pairs if was is not now and was != now]
        return diff
    diff.gone = [record for name, record in before.items() if name not in after]
    places = {name: place for place, name in enumerate(before, start=1)}
    for place, (name, record) in enumerate(after.items(), start=1):
        if name not in places:
            diff.new.append((place, record))
        elif places[name] != place:
            diff.moved.append((place, record))
        elif before[name] is not record and before[name] != record:
            diff.changed.append((place, record))
    return diff


def _members_diff(before: Members, after: Members) -> _Diff[Fighter]:
    diff: _Diff[Fighter] = _Diff()
    for _, was, now in differing(before, after):
        if was is None and now is not None:
            diff.new.append(now)
        elif was is not None and now is None:
            diff.gone.append(was[1])
        elif was is not None and now is not None and was != now:
            moved = was[0] != now[0] or is_gone(was[1]) != is_gone(now[1])
            (diff.moved if moved else diff.changed).append(now)
    return diff


def _gang_bound(campaign: str, place: int, gang: Gang) -> Bound:
    return {"campaign_id": campaign, "gang_id": gang.gang, "position": place, "row": gang_text(gang)}


def _fighter_bound(campaign: str, place: int, fighter: Fighter) -> Bound:
    return {
        "campaign_id": campaign,
        "fighter_id": fighter.fighter,
        "gang_id": fighter.gang,
        "position": place,
        "status": status(fighter),
        "xp": fighter.experience,
        "gone": int(is_gone(fighter)),
        "row": fighter_text(fighter),
    }
