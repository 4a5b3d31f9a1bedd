"""After a battle: a post-battle file recorded whole, or refused with everything that is wrong with it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Protocol

import msgspec

from tracker.campaign import steps
from tracker.campaign.holdings import split_place
from tracker.campaign.state import CampaignState
from tracker.dice import DiceLeftOver, DiceNeeded, DiceTray
from tracker.errors import Refusal
from tracker.rules import loader
from tracker.service.command_handler import PlannedCommand, Play, RecordResult, numbered
from tracker.service.refusals import (
    AnotherFileRecorded,
    EntriesRefused,
    EntryRefused,
    NotAfterThatBattle,
)

_NAMES: Final = ("fighter", "patient", "by", "captive", "for_captive", "vehicle", "territory", "crew", "item")
"""Under which a command names whom or what it is about; no gang, as that stays whatever is refused."""


class PostBattlePlanned(Protocol):
    """A post-battle file as it was read."""

    @property
    def battle(self) -> str: ...
    @property
    def gang(self) -> str | None: ...
    @property
    def part(self) -> str | None: ...
    @property
    def key(self) -> str: ...
    @property
    def digest(self) -> str: ...
    @property
    def recorded_by(self) -> str | None: ...
    @property
    def decisions(self) -> Sequence[PlannedCommand]: ...


class PostBattle(Play):
    """What gangs do between two battles."""

    def is_recorded(self, campaign: str, plan: PostBattlePlanned) -> bool:
        """Whether a file of this battle, gang and part was recorded, and counts."""
        return self.store.find_command(campaign, self._key_of(campaign, plan)) is not None

    def _key_of(self, campaign: str, plan: PostBattlePlanned) -> str:
        # As with a battle's report: where all that was recorded was voided, it may be recorded again.
        keys = list(self.keys_used(campaign, plan.key))
        last = self.store.find_command(campaign, keys[-1]) if keys else None
        if last is None or len(self.void_among(campaign, last)) > last.last_entry - last.first_entry:
            return numbered(plan.key, len(keys) + 1)
        return keys[-1]

    def play_post_battle(
        self, campaign: str, plan: PostBattlePlanned, *, roll: bool = False, dry_run: bool = False
    ) -> RecordResult:
        """Record a post-battle file, whole or not at all. The same file twice is said and changes nothing.

        Raises NotAfterThatBattle, AnotherFileRecorded, or EntriesRefused with every entry that is refused by
        itself.
        """
        key = self._key_of(campaign, plan)
        known = self.store.find_command(campaign, key)
        if known is None:
            state = self.state(campaign)
            _refuse_another_battle(state, plan)
            _refuse_together(state, plan.decisions, roll=roll)
        elif known.digest != plan.digest:
            entry = known.first_entry
            raise AnotherFileRecorded(battle=plan.battle, gang=plan.gang, part=plan.part, entry=entry)
        return self.play(
            campaign,
            plan.decisions,
            key=key,
            digest=plan.digest,
            roll=roll,
            dry_run=dry_run,
            actor=plan.recorded_by,
        )


def _refuse_another_battle(state: CampaignState, plan: PostBattlePlanned) -> None:
    open_now = {gang: after.battle for gang, after in state.after_battle.items()}
    fits = open_now.get(plan.gang) == plan.battle if plan.gang else plan.battle in open_now.values()
    if not fits:
        raise NotAfterThatBattle(battle=plan.battle, gang=plan.gang, open_now=open_now)


def _refuse_together(state: CampaignState, plans: Sequence[PlannedCommand], *, roll: bool) -> None:
    """Try every entry on the state that those before it lead to, leaving out what is refused.

    What names somebody of whom an earlier entry was refused is passed over: it may follow from that. With
    `roll` nothing is looked at from the first entry on whose dice are still to be rolled: nobody knows yet
    what it brings.
    """
    refused: list[EntryRefused] = []
    doubtful: set[str] = set()
    passed_over = 0
    for plan in plans:
        told = msgspec.to_builtins(plan.command, str_keys=True)
        named = set(_named(told))
        tray = DiceTray(plan.dice)
        try:
            judgement = steps.attempt(state, plan.command, tray, loader.rulebook, entry=1, note=plan.note)
            if tray.waiting:
                raise DiceLeftOver(left=tray.waiting)
            state = judgement.state
        except Refusal as refusal:
            if roll and isinstance(refusal, DiceNeeded):
                break
            if named & doubtful:
                passed_over += 1
            else:
                refused.append(EntryRefused(label=plan.label, refusal=refusal))
            doubtful |= named | set(_brought(told))
    alone = len(refused) == 1 and not passed_over
    if alone and not isinstance(refused[0].refusal, (DiceNeeded, DiceLeftOver)):
        raise refused[0]
    if refused:
        raise EntriesRefused(refused=tuple(refused), passed_over=passed_over)


def _named(told: Mapping[str, object]) -> Iterator[str]:
    """Whom and what a command is about: fighters, vehicles, territories and things."""
    for key in _NAMES:
        value = told.get(key)
        if isinstance(value, str):
            yield value
    for key in ("source", "target"):
        value = told.get(key)
        if isinstance(value, str):
            kind, whose = split_place(value)
            if kind in ("fighter", "vehicle"):
                yield whose


def _brought(told: Mapping[str, object]) -> Iterator[str]:
    """Who is hired and what is bought: not there, where the entry is refused."""
    for key in ("card", "item"):
        value = told.get(key)
        if isinstance(value, dict):
            yield str(value.get("fighter") or value.get("vehicle") or value.get("name"))
