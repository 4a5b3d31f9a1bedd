"""Owed rolls: tests that a ruling newly requires and that depend on the table.

These rolls are listed, not decided: only the table knows who stood beside a fallen friend, who was aboard a
wreck, and who remained alone on the battlefield. Dice that belong to an entry are asked for with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Literal, TypeAlias, get_args

import msgspec

from tracker.campaign import records
from tracker.campaign.post_battle_reminders import due_after_battle
from tracker.campaign.rulings.redecision import RedecidedSlot
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Library, rulebook_in_force
from tracker.records import Record
from tracker.rules.rulebook import Rulebook
from tracker.rules.trench_crusade.trauma import fates_are_rolled

OfSkill: TypeAlias = Literal["fixer", "mentor", "trade", "buy"]
"""The reminders that skills give after a battle, by their entry keys."""
What: TypeAlias = (
    Literal["nerve", "vehicle_nerve", "thrown_clear", "scrap", "escape", "medical_escort"] | OfSkill
)

_GIVEN_BY: Final[Mapping[What, type[records.Command]]] = {
    "nerve": records.TakeNerveTest,
    "vehicle_nerve": records.TakeVehicleNerveTest,
    "thrown_clear": records.ThrowClear,
    "scrap": records.ClaimScrap,
    "escape": records.RollEscape,
    "medical_escort": records.MedicalEscort,
    "fixer": records.EarnAsFixer,
    "mentor": records.TakeMentorTest,
    "trade": records.Trade,
    "buy": records.BuyItem,
}


class OwedRoll(Record):
    """A test or roll that a ruling calls for: its name in a file, and the model that is the reason. `entry`
    is the entry that calls for it, 0 for after the battle. `late`: its step of the sequence is over, which
    the entry must state.
    """

    what: What
    because_of: str
    entry: int
    why: str
    late: bool = False

    def in_words(self) -> str:
        """'thrown_clear (in entry 12): Rig is Wrecked: ...'."""
        where = f"in entry {self.entry}" if self.entry else "after the battle"
        where += ", with 'late'" if self.late else ""
        return f"{self.what} ({where}): {self.why}"


HOW_GIVEN = (
    "Give what is owed in an entry with the ruling ('--also ENTRY FILE') or later ('arbitrator entry add FILE"
    " --after ENTRY'), and what is owed after the battle with 'arbitrator battle post'."
)


def reminders(due: Sequence[OwedRoll]) -> tuple[str, ...]:
    """The lines about owed rolls on the ruling's receipt."""
    return (*(f"Owed: {each.in_words()}" for each in due), HOW_GIVEN) if due else ()


def owed_rolls(
    slots: Iterable[RedecidedSlot], before: CampaignState, after: CampaignState, library: Library
) -> tuple[OwedRoll, ...]:
    """The rolls that changed entries now call for, and those that fighters now wait for."""
    if not after.is_open:
        return ()
    rulebook = rulebook_in_force(after, library)
    if "injury" not in rulebook.book.special_dice:
        return ()
    found: list[OwedRoll] = []
    given: list[records.Command] = []
    for redecided in slots:
        if redecided.judgement is None or redecided.result not in ("changed", "freed"):
            continue
        given += _given(redecided)
        by_now = [decided.event for decided in redecided.judgement.events]
        found += _of_events(redecided.slot.slot, _new(redecided.slot.domain_events, by_now), after, rulebook)
    found += _of_people(before, after, rulebook)
    found += _of_skills(before, after, rulebook)
    return tuple(due for due in found if not any(_answers(command, due) for command in given))


def _given(redecided: RedecidedSlot) -> Iterator[records.Command]:
    """The commands that the ruling adds to an entry."""
    was, judgement = redecided.slot.header, redecided.judgement
    assert judgement is not None, "looked at before"
    now = judgement.events[0].event
    if was is None or not isinstance(now, records.DecisionTaken):
        return
    before, after = (
        command.commands if isinstance(command, records.PlayInTurn) else (command,)
        for command in (was.command, now.command)
    )
    yield from (command for command in after if command not in before)


def _answers(command: records.Command, due: OwedRoll) -> bool:
    """Whether a command is this roll, for this model."""
    if type(command) is not _GIVEN_BY[due.what]:
        return False
    stated = msgspec.to_builtins(command, str_keys=True).values()
    return any(
        due.because_of == named or (isinstance(named, tuple) and due.because_of in named) for named in stated
    )


_Fallen: TypeAlias = records.VehicleWrecked | records.FighterWentOutOfAction | records.SeriousInjurySuffered


def _new(was: Sequence[records.Event], now: Sequence[records.Event]) -> Iterator[_Fallen]:
    """The fighters who fall in this entry now and did not before."""
    known = Counter(_who(event) for event in was if isinstance(event, _Fallen))
    for event in now:
        if isinstance(event, _Fallen):
            known[_who(event)] -= 1
            if known[_who(event)] < 0:
                yield event


def _who(event: _Fallen) -> tuple[type, str]:
    return type(event), event.vehicle if isinstance(event, records.VehicleWrecked) else event.fighter


def _of_events(
    entry: int, fallen: Iterable[_Fallen], after: CampaignState, rulebook: Rulebook
) -> Iterator[OwedRoll]:
    nerve = rulebook.book.nerve
    for event in fallen:
        if isinstance(event, records.VehicleWrecked):
            yield from _of_wreck(entry, event.vehicle, after, rulebook)
            continue
        fighter = after.fighter(event.fighter)
        if fighter is None or getattr(event, "reason", "") in ("vehicle_wrecked", "succumbed", "webbed"):
            continue
        inches = nerve.within_inches("fighter", "fighter")
        fate = (
            "is Seriously Injured"
            if isinstance(event, records.SeriousInjurySuffered)
            else "goes Out of Action"
        )
        if inches is not None:
            yield OwedRoll(
                what="nerve",
                because_of=event.fighter,
                entry=entry,
                why=f'{fighter.name} {fate}: a Nerve test of each friend within {inches}"',
            )


def _of_wreck(entry: int, vehicle: str, after: CampaignState, rulebook: Rulebook) -> Iterator[OwedRoll]:
    card = after.vehicle(vehicle)
    if card is None:
        return
    yield OwedRoll(
        what="thrown_clear",
        because_of=vehicle,
        entry=entry,
        why=f"{card.name} is Wrecked: an Initiative test of each fighter aboard who is not its crew",
    )
    for tester, what in (("fighter", "nerve"), ("vehicle", "vehicle_nerve")):
        inches = rulebook.book.nerve.within_inches(tester, "vehicle")  # type: ignore[arg-type]  # both are models
        if inches is not None:
            yield OwedRoll(
                what=what,  # type: ignore[arg-type]  # one of the two above
                because_of=vehicle,
                entry=entry,
                why=f'{card.name} is Wrecked: a Nerve test of each friendly {tester} within {inches}"',
            )
    if after.under_way is None and rulebook.book.post_battle.scrap_credits_per_pip:
        yield OwedRoll(
            what="scrap",
            because_of=vehicle,
            entry=0,
            why=f"{card.name} is Wrecked: scrap for the enemy gang that alone remained on the battlefield",
            late=True,
        )


def _of_people(before: CampaignState, after: CampaignState, rulebook: Rulebook) -> Iterator[OwedRoll]:
    """The fighters who wait for an escape roll or the Doc by the ruling, and did not before."""
    for gang in after.gangs.values():
        for fighter in gang.enlisted.values():
            was = before.fighter(fighter.fighter)
            if was is fighter or after.under_way is not None:
                continue
            waited = was is not None and was.capture_pending
            if fighter.capture_pending and not waited and not fates_are_rolled(rulebook):
                yield OwedRoll(
                    what="escape",
                    because_of=fighter.fighter,
                    entry=0,
                    why=f"{fighter.name} is Captured: an escape roll",
                    late=True,
                )
            if fighter.critical and not (was is not None and was.critical):
                yield OwedRoll(
                    what="medical_escort",
                    because_of=fighter.fighter,
                    entry=0,
                    why=f"{fighter.name} is Critically Injured, and dies unless escorted to the Doc",
                )


def _of_skills(before: CampaignState, after: CampaignState, rulebook: Rulebook) -> Iterator[OwedRoll]:
    """The tasks that skills give a gang after its battle by the ruling and did not before, while there is
    time.
    """
    if after.under_way is not None:
        return
    for gang in after.after_battle:
        was = (
            {(reminder.entry, reminder.whose) for reminder in due_after_battle(before, gang, rulebook)}
            if gang in before.gangs
            else set()
        )
        for reminder in due_after_battle(after, gang, rulebook):
            due = (reminder.entry, reminder.whose)
            if reminder.entry not in get_args(OfSkill) or due in was:
                continue
            yield OwedRoll(
                what=reminder.entry,  # type: ignore[arg-type]  # looked at just now
                because_of=reminder.whose,
                entry=0,
                why=reminder.words.removesuffix("."),
            )
