"""The impact of a dispute: what it might change, and which later events depend on that (taint tracking).

Follows events, and decides nothing again: an event depends on the dispute if it names an affected model, or
spends credits or XP that might be missing. It only says where to look; the preview of a ruling finds the real
changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.members import Members, differing
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import BattleUnderWay, CampaignState, Combatant, Gang
from tracker.campaign.steps.post_battle_sequence import ACTIONS_DONE, TOOK_PART
from tracker.records import names_of_fields, replace

_NAMING = frozenset({"fighter", "by", "victim", "vehicle", "attacked", "because_of", "charged_by"})
_LOOK_AT_EVERYBODY = frozenset({ACTIONS_DONE, TOOK_PART})
_SIDES = ("gang", "holder", "captor", "source", "target", "source_gang", "target_gang")
_PEOPLE: dict[type, tuple[str, ...]] = {
    event: tuple(name for name in names_of_fields(event) if name in _NAMING)
    for event in records.EVENTS.values()
}
_PEOPLE[records.ShotFired] += ("target",)


class DisputeImpact:
    """What one dispute affects, from its slot on.

    `quiet` are lasting injuries that no rule reads again: one more or fewer matters only to the next of its
    kind. Models are affected for good, for the battle under way, or (if an affected model hit them) only as
    the target of later events.
    """

    def __init__(self, *, quiet: AbstractSet[str]) -> None:
        self._quiet = quiet
        self._people: set[str] = set()
        self._at_the_table: set[str] = set()
        self._as_targets: set[str] = set()
        self._gangs: set[str] = set()
        self._battles: set[str] = set()
        self._things: set[tuple[str, str]] = set()
        self._credits: dict[str, int] = {}
        self._experience: dict[str, int] = {}
        self._reputations: set[str] = set()
        self._counted: set[tuple[str, str]] = set()

    def seed(self, now: CampaignState, other: CampaignState, *, more_dice: Iterable[str] = ()) -> None:
        """Start from what differs between the slot's result `now` and the `other` one that another ruling
        would give. `more_dice` are fighters who would roll more dice.
        """
        self._people.update(more_dice)
        self._reputations.update(_reputation_changes(now, other))
        for name, gang in now.gangs.items():
            was = other.gangs.get(name)
            if was is gang:
                continue
            if was is None:
                self._gangs.add(name)
            lacking = gang.credits - (was.credits if was is not None else 0)
            self._credits[name] = max(self._credits.get(name, 0), lacking)
            if was is None or was.reputation != gang.reputation:
                self._reputations.add(name)
            for fighter, old, record in _card_changes(gang, was):
                missing = record.experience - (old.experience if old is not None else 0)
                self._experience[fighter] = max(self._experience.get(fighter, 0), missing)
                self._note_card(fighter, old, record)
            for vehicle, card in gang.vehicles.items():
                if was is None or was.vehicles.get(vehicle) != card:
                    self._people.add(vehicle)
        under_way = now.under_way
        if under_way is not None:
            if other.under_way is None or other.under_way.battle != under_way.battle:
                self._battles.add(under_way.battle)
            self._at_the_table.update(_table_changes(under_way, other.under_way))

    def dependents_in(self, slot: Sequence[RecordedEvent], before: CampaignState) -> frozenset[int]:
        """The log positions of the events of a later slot that depend on the dispute."""
        if self._overspends(slot, before):
            return frozenset(recorded.seq for recorded in slot)
        found: set[int] = set()
        gang_wide: set[int] = set()
        for recorded in slot:
            if recorded.causation in found or self._depends(recorded.event):
                found.add(recorded.seq)
            elif self._reviews_gang(recorded.event, before):
                gang_wide.add(recorded.seq)
        return frozenset(found | gang_wide)

    def absorb(self, event: records.Event, before: CampaignState, after: CampaignState) -> None:
        """Add what an event that depends on the dispute has changed."""
        if isinstance(event, records.BattleOpened):
            self._battles.add(event.battle)
            self._at_the_table.update(name for crew in event.crews.values() for name in crew)
        if isinstance(event, records.CreditsMoved) and event.target in after.gangs:
            self._credits[event.target] = self._credits.get(event.target, 0) + event.amount
        if isinstance(event, records.ItemMoved):
            self._things.add((event.target, event.item.name))
        self._reputations.update(_reputation_changes(after, before))
        for name, gang in after.gangs.items():
            was = before.gangs.get(name)
            if was is gang:
                continue
            if was is None or was.reputation != gang.reputation:
                self._reputations.add(name)
            for fighter, old, record in _card_changes(gang, was):
                gained = record.experience - (old.experience if old is not None else 0)
                if gained > 0:
                    self._experience[fighter] = self._experience.get(fighter, 0) + gained
                self._note_card(fighter, old, record)
            for vehicle, card in gang.vehicles.items():
                if was is None or was.vehicles.get(vehicle) is not card:
                    self._people.add(vehicle)
        if after.under_way is not None and before.under_way is not None:
            self._as_targets.update(_table_changes(after.under_way, before.under_way))

    def _note_card(self, fighter: str, old: Fighter | None, now: Fighter) -> None:
        if old is None or self._without_counts(now) != self._without_counts(old):
            self._people.add(fighter)
        else:
            self._counted.update((fighter, injury) for injury in _injury_count_changes(now, old))

    def battle_over(self) -> None:
        """Forget what mattered only until the battle closed."""
        self._at_the_table.clear()
        self._as_targets.clear()
        self._battles.clear()

    @property
    def is_empty(self) -> bool:
        """Whether nothing is affected that a later event could depend on."""
        sums = any(lacking > 0 for lacking in (*self._credits.values(), *self._experience.values()))
        on_the_table = self._at_the_table or self._as_targets or self._battles
        standing = self._people or self._gangs or self._reputations or self._counted
        return not (sums or standing or self._things or on_the_table)

    def _depends(self, event: records.Event) -> bool:
        if isinstance(event, records.BattleOpened):
            return not self._gangs.isdisjoint(event.crews)  # a ruling never changes who came
        if isinstance(event, records.BattleClosed):
            return event.battle in self._battles
        if isinstance(event, records.ReputationChanged) and event.gang in self._reputations:
            return True  # it continues a running total
        if (
            isinstance(event, records.LastingInjurySuffered)
            and (event.fighter, event.injury) in self._counted
        ):
            return True  # so does the nth injury of a kind
        for name in _PEOPLE[type(event)]:
            who = getattr(event, name)
            if who in self._people or who in self._at_the_table:
                return True
        if self._gangs and any(getattr(event, name, None) in self._gangs for name in _SIDES):
            return True
        if isinstance(event, records.ItemMoved):
            places = {event.source, event.target}
            if (event.source, event.item.name) in self._things:
                return True
            return any(place.partition(":")[2] in self._people for place in places if ":" in place)
        # A target's own rolls do not depend on the dispute; the consequences for the target do.
        return not isinstance(event, records.RollMade) and getattr(event, "fighter", None) in self._as_targets

    def _reviews_gang(self, event: records.Event, before: CampaignState) -> bool:
        """Whether an event looks at every member of a gang, and names only those it changes."""
        if not isinstance(event, records.RatingRecorded) and not (
            isinstance(event, records.PostBattleDone) and event.what in _LOOK_AT_EVERYBODY
        ):
            return False
        return any(before.gang_of.get(name) == event.gang for name in self._people)

    def _overspends(self, slot: Sequence[RecordedEvent], before: CampaignState) -> bool:
        """Whether the slot spends credits or XP that would be missing under another ruling."""
        left: dict[str, int] = {}
        for recorded in slot:
            event = recorded.event
            if isinstance(event, records.CreditsMoved):
                for account, by in ((event.source, -event.amount), (event.target, event.amount)):
                    if account in before.gangs:
                        left[account] = left.get(account, before.gangs[account].credits) + by
                disputed = self._credits.get(event.source, 0)
                if disputed > 0 and left.get(event.source, 0) < disputed:
                    return True
            elif isinstance(event, records.ExperienceSpent):
                known = before.fighter(event.fighter)
                disputed = self._experience.get(event.fighter, 0)
                if known is not None and disputed > 0 and known.experience - event.amount < disputed:
                    return True
        return False

    def _without_counts(self, fighter: Fighter) -> Fighter:
        """The fighter without names and mere counts, which no later decision reads."""
        return replace(
            fighter,
            name="",
            cost_credits=0,
            experience=0,
            experience_spent=0,
            enemies_taken_out=0,
            times_out_of_action=0,
            battles_fought=0,
            prices={},
            off_rating=False,
            injuries=tuple(injury for injury in fighter.injuries if injury.counted_as not in self._quiet),
        )


def _reputation_changes(now: CampaignState, other: CampaignState) -> Iterable[str]:
    """The gangs whose gains or losses of Reputation since the battle differ, even if the sum is equal."""
    for gang, mine in now.after_battle.items():
        theirs = other.after_battle.get(gang)
        gained, lost = (theirs.reputation_gained, theirs.reputation_lost) if theirs is not None else (0, 0)
        if (mine.reputation_gained, mine.reputation_lost) != (gained, lost):
            yield gang


def _card_changes(gang: Gang, was: Gang | None) -> Iterator[tuple[str, Fighter | None, Fighter]]:
    """Each fighter of a gang whose card changed: id, card before (None for a new one), card now."""
    for fighter, then, now in differing(was.members if was is not None else Members.nobody(), gang.members):
        if now is not None:
            yield fighter, then[1] if then is not None else None, now[1]


def _injury_count_changes(now: Fighter, other: Fighter) -> Iterable[str]:
    """The lasting injuries that one of the two has more often."""
    mine, theirs = (Counter(injury.injury for injury in record.injuries) for record in (now, other))
    return (mine - theirs) | (theirs - mine)


def _table_changes(now: BattleUnderWay, other: BattleUnderWay | None) -> Iterable[str]:
    """The models whose condition in the battle differs."""
    was: dict[str, Combatant] = other.combatants if other is not None else {}
    vehicles = other.vehicles if other is not None else {}
    yield from (name for name, combatant in now.combatants.items() if was.get(name) != combatant)
    yield from (name for name, vehicle in now.vehicles.items() if vehicles.get(name) != vehicle)
