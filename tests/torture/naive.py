"""A deliberately naive campaign: a list of what was played, refolded whole after everything that happens.

Knows no snapshot, no board, no log. A ruling changes what some places of the list say, and then every place is
decided again from the first.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import pairwise

from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import decide_keeping_spare_dice
from tracker.dice import DiceNeeded, DiceTray, Die
from tracker.errors import Refusal
from tracker.records import Record, replace
from tracker.rules import loader


class Said(Record):
    """What one place of the list says: a command with its dice and what came of them; no command: void."""

    command: records.Command | None
    dice: tuple[Die, ...] = ()
    events: tuple[records.Event, ...] = ()
    note: str | None = None

    def has_same_inputs(self, other: Said) -> bool:
        return self.command == other.command and Counter(self.dice) == Counter(other.dice)


VOID = Said(command=None)


class ThatIsNoRuling(AssertionError):
    """The real house ruled so, and the naive one sees something that nobody spoke for."""


@dataclass
class Naive:
    """`said` is every place's history, by the entry that wrote it; `kept` says whether somebody insisted."""

    said: dict[int, list[tuple[int, Said]]] = field(default_factory=dict)
    kept: dict[int, bool] = field(default_factory=dict)
    kept_before: dict[int, dict[int, bool]] = field(default_factory=dict)
    rulings: dict[int, records.RuleOnDispute] = field(default_factory=dict)
    state: CampaignState = field(default_factory=CampaignState)

    def play(
        self, entry: int, command: records.Command, dice: tuple[Die, ...], note: str | None = None
    ) -> None:
        """Something was played."""
        judged = decide_keeping_spare_dice(
            self.state, command, DiceTray(dice), loader.rulebook, entry=entry, note=note
        )
        events = tuple(decided.event for decided in judged.events)
        self.said[entry] = [(entry, Said(command=command, dice=dice, events=events, note=note))]
        self.state = judged.state

    def rule(self, entry: int, ruling: records.RuleOnDispute, slot: int, number: int | None) -> None:
        """A ruling was made: on the die of that number in that place, if it is about a die."""
        self.kept_before[entry] = dict(self.kept)
        self.rulings[entry] = ruling
        if ruling.verdict == "confirmed":
            return
        wanted = {place: history[-1][1] for place, history in self.said.items()}
        kept = {place: how for place, how in self.kept.items() if place not in ruling.unkept}
        if ruling.verdict == "reversed":
            assert ruling.reverses is not None, "something is taken back"
            wanted |= self._before(ruling.reverses)
            kept = self._kept_without(ruling.reverses)
        if number is not None and ruling.faces is not None:
            dice = list(wanted[slot].dice)
            was = dice[number]
            dice[number] = replace(ruling.faces, purpose=was.purpose, die=was.die, fighter=was.fighter)
            wanted[slot] = replace(wanted[slot], dice=tuple(dice))
        for place, amendment in (ruling.amended or {}).items():
            dice_now = wanted[place].dice if amendment.dice is None else amendment.dice
            wanted[place] = replace(wanted[place], command=amendment.command, dice=dice_now)
        for place, dice_more in (ruling.supplied or {}).items():
            wanted[place] = replace(wanted[place], dice=(*wanted[place].dice, *dice_more))
        self._refold(entry, wanted, kept, ruling)

    def _refold(
        self, entry: int, wanted: dict[int, Said], kept: dict[int, bool], ruling: records.RuleOnDispute
    ) -> None:
        state = CampaignState()
        for place, said in sorted(wanted.items()):
            if said.command is None or place in ruling.voided:
                new = VOID
            else:
                new = self._decided(place, said, state, kept, ruling)
            if new.command is None:
                kept.pop(place, None)
            state = fold(state, new.events)
            now = self.said[place][-1][1]
            if new.events != now.events or (new.command is None) != (now.command is None):
                self.said[place].append((entry, new))
        self.kept, self.state = kept, state

    def _decided(
        self,
        place: int,
        said: Said,
        state: CampaignState,
        kept: dict[int, bool],
        ruling: records.RuleOnDispute,
    ) -> Said:
        assert said.command is not None, "not void"
        tray = DiceTray(said.dice)
        try:
            judged = decide_keeping_spare_dice(
                state, said.command, tray, loader.rulebook, entry=place, note=said.note
            )
        except (DiceNeeded, Refusal) as why:
            if place in ruling.kept:
                kept[place] = False
            if place not in kept:
                raise ThatIsNoRuling(f"entry {place}: {why}") from why
            return said
        if place in ruling.kept:
            kept[place] = True
        if kept.get(place):
            return said
        kept.pop(place, None)
        events = tuple(decided.event for decided in judged.events)
        return replace(said, dice=(*tray.handed_out, *tray.waiting), events=events)

    def _before(self, ruling: int) -> dict[int, Said]:
        """What the places said that a ruling wrote, before it, where nothing came between."""
        found = {}
        for place, history in self.said.items():
            for (_, before), (by, its) in pairwise(history):
                if by == ruling and history[-1][1].has_same_inputs(its):
                    found[place] = before
        return found

    def _kept_without(self, ruling: int) -> dict[int, bool]:
        """What is kept now, with what a ruling kept let go and what it let go kept."""
        before, after = self.kept_before[ruling], self._kept_after(ruling)
        kept = dict(self.kept)
        for place in {*before, *after}:
            if before.get(place) != after.get(place):
                kept.pop(place, None)
                if place in before:
                    kept[place] = before[place]
        return kept

    def _kept_after(self, ruling: int) -> dict[int, bool]:
        later = [entry for entry in self.kept_before if entry > ruling]
        return self.kept_before[min(later)] if later else self.kept
