"""Battle story: what a battle did to each of its gangs, in words from the events.

Knows recorded events and whom they are about.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.records import Record, replace
from tracker.reports.dispute_marks import MARK
from tracker.reports.escaping import sanitize
from tracker.reports.names import Names
from tracker.reports.page import Row
from tracker.reports.plain_data import plain_data
from tracker.reports.sentences import sentence

_CASUALTY = (
    records.FighterWentOutOfAction | records.FateDecided | records.LastingInjurySuffered
    | records.MutationGained | records.MutationCameAgain | records.BecameChaosSpawn
    | records.BattleScarTaken | records.BionicRuined | records.CharacteristicChanged | records.SkillGained
    | records.RankChanged | records.GearForfeited | records.WentIntoConvalescence
    | records.WentIntoRecovery | records.CapturePending | records.HeldForRansom
    | records.CriticalInjuryPending | records.FighterDied | records.FighterFled | records.VehicleWrecked
    | records.LastingDamageSuffered
)  # fmt: skip
"""Events with an effect beyond the model's own turns."""
_WRAP_UP = (
    records.RecoveryEnded | records.ConvalescenceEnded | records.FighterEscaped | records.FighterCaptured
    | records.CreditsMoved | records.ReputationChanged | records.GloryChanged
)  # fmt: skip
"""Events of a battle's end itself; they are shown with what came after it."""
_LEFT_OUT = (
    records.DecisionTaken | records.RollMade | records.RuleNoted | records.StepReached
    | records.PostBattleDone | records.FighterCostChanged | records.VehicleCostChanged
    | records.ExperienceGained | records.RollDisputed | records.RulingMade | records.RollConfirmed
    | records.DisputeCommentedOn | records.DisputeWithdrawn | records.DisputeReopened
    | records.DisputeSettledAgain | records.SlotVoided | records.SlotKept | records.SlotReleased
)  # fmt: skip
"""Events after a battle that are not a gang's news: dice, steps, arguments, and events shown elsewhere."""
_AS_A_SHARE = {"took part in the battle": "taking part", "survived the battle": "surviving"}
"""The same reasons as they read after "for"."""
_SIDES = ("gang", "source", "target", "source_gang", "target_gang", "holder", "to")


class FighterStory(Record):
    """One fighter or vehicle of the story; the sentence begins with the name."""

    fighter: str
    sentence: str


class GangStory(Record):
    """A gang's part in a battle. `experience` says who gained what and why; `after` is in order of play."""

    gang: str
    crew: tuple[str, ...]
    casualties: tuple[FighterStory, ...]
    experience: tuple[FighterStory, ...]
    after: tuple[str, ...]


def story(
    row: Row,
    during: Iterable[Sequence[RecordedEvent]],
    names: Names,
    *,
    members: Mapping[str, str],
    after: Iterable[tuple[AbstractSet[str], Sequence[RecordedEvent]]] = (),
    disputed: AbstractSet[int] = frozenset(),
) -> tuple[GangStory, ...]:
    """The story of a battle, gang by gang, from events that count.

    `members` maps a fighter or vehicle to its gang. `after` are the entries after the battle, each with the
    gangs that have not opened another battle by then. `disputed` are events that depend on a dispute.
    """
    gathered = _Gathering(row, names, members)
    for entry in during:
        for recorded in entry:
            gathered.during(recorded.event, MARK if recorded.seq in disputed else "")
    for gangs, entry in after:
        for recorded in entry:
            gathered.after(recorded.event, gangs, MARK if recorded.seq in disputed else "")
    return gathered.story()


def story_data(story: Sequence[GangStory]) -> list[dict[str, Any]]:
    """The story for programs."""
    return [plain_data(gang) for gang in story]


class _Gathering:
    """The story so far: words by fighter and gang, no events."""

    def __init__(self, row: Row, names: Names, members: Mapping[str, str]) -> None:
        self._names = names
        self._crews: dict[str, Sequence[str]] = {crew["gang"]: crew["fighters"] for crew in row["crews"]}
        crews = {fighter: gang for gang, crew in self._crews.items() for fighter in crew}
        self._gang_of = {**members, **crews}
        self._casualties: dict[str, list[str]] = {}
        self._gains: dict[str, dict[str, int]] = {}
        self._after: dict[str, list[str]] = {gang: [] for gang in self._crews}

    def during(self, event: records.Event, mark: str) -> None:
        if isinstance(event, _CASUALTY):
            who = (
                event.vehicle
                if isinstance(event, records.VehicleWrecked | records.LastingDamageSuffered)
                else event.fighter
            )
            if isinstance(event, records.FighterWentOutOfAction):
                event = replace(event, lasting_injury_rolls=0)  # the results of the rolls come next
            elif isinstance(event, records.LastingInjurySuffered) and who in self._casualties:
                event = replace(event, by=None)  # mentioned when the fighter went down
                if self._casualties[who][-1].endswith(f": {sanitize(event.name)}"):
                    del self._casualties[who][-1]  # a fate of the same name says no more
            self._casualties.setdefault(who, []).append(sentence(event, self._names) + mark)
        elif isinstance(event, records.ExperienceGained):
            self._gained(event, mark)
        elif isinstance(event, _WRAP_UP):
            self._news(event, self._crews.keys(), mark)

    def after(self, event: records.Event, gangs: AbstractSet[str], mark: str) -> None:
        if isinstance(event, records.ExperienceGained):
            if self._gang_of.get(event.fighter) in gangs:
                self._gained(event, mark)
        elif not isinstance(event, _LEFT_OUT):
            self._news(event, gangs, mark)

    def story(self) -> tuple[GangStory, ...]:
        return tuple(
            GangStory(
                gang=gang,
                crew=tuple(crew),
                casualties=tuple(
                    FighterStory(fighter=who, sentence=self._in_one(who, sentences))
                    for who, sentences in self._casualties.items()
                    if self._gang_of.get(who) == gang
                ),
                experience=tuple(
                    FighterStory(fighter=who, sentence=self._gains_of(who, gains))
                    for who, gains in self._gains.items()
                    if self._gang_of.get(who) == gang
                ),
                after=tuple(self._after[gang]),
            )
            for gang, crew in self._crews.items()
        )

    def _gained(self, event: records.ExperienceGained, mark: str) -> None:
        gains = self._gains.setdefault(event.fighter, {})
        why = event.cause(self._names) + mark
        gains[why] = gains.get(why, 0) + event.amount

    def _news(self, event: records.Event, gangs: AbstractSet[str], mark: str) -> None:
        sides = {getattr(event, side, None) for side in _SIDES}
        about = {self._gang_of.get(str(getattr(event, who, None))) for who in ("fighter", "vehicle")}
        for gang in self._after:
            if gang in gangs and gang in sides | about:
                self._after[gang].append(sentence(event, self._names, whose=True) + mark)

    def _in_one(self, who: str, sentences: Sequence[str]) -> str:
        """'Mags is taken Out of Action by Krug; suffers Hobbled': the name stands once, at the beginning."""
        name = self._names.fighter(who)
        first, *rest = sentences
        return "; ".join([first, *(text.removeprefix(name).removeprefix(":").strip() for text in rest)])

    def _gains_of(self, who: str, gains: Mapping[str, int]) -> str:
        """'Krug gains 3 XP: 1 for taking part, 2 for Mags Out of Action'; a lone reason has no number."""
        several = len(gains) > 1
        reasons = ", ".join(
            f"{amount} for {_AS_A_SHARE.get(why, why)}" if several else why for why, amount in gains.items()
        )
        return f"{self._names.fighter(who)} gains {sum(gains.values())} XP: {reasons}"
