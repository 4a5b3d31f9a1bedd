"""A recorded ruling made again: what it asked is read back from its entry, and ruled as on the day.

Knows which words of an entry are the program's own wording, which may be another's in another release.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import chain

from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.rulings.redecision import SlotInstruction, dice_for
from tracker.campaign.state import CampaignState
from tracker.dice import Die, Roller
from tracker.records import Record, replace
from tracker.service.past import Past
from tracker.service.ruling import Filling, command_in_full, fillings, own_events, rejudged_by
from tracker.service.ruling_request import ResolvedRuling, RulingRequest, RulingResolver, nobody_asked


class RuledAgain(Record):
    """What a ruling writes, made again, and the state after it. `same_from` is the slot from which on the
    states are what they were before it; none of the log where they never are."""

    fillings: tuple[Filling, ...]
    state: CampaignState
    same_from: int


def ruled_again(past: Past, entry: Sequence[RecordedEvent]) -> RuledAgain:
    """Make a ruling again that the log holds. Refuses as ruling refuses; what is left open too."""
    header = entry[0].event
    assert isinstance(header, records.DecisionTaken), "looked at before"
    command = header.command
    assert isinstance(command, records.RuleOnDispute), "looked at before"
    dispute = past.state.disputes.get(command.dispute) if command.dispute else nobody_asked(entry[0].actor)
    if dispute is None:
        raise records.NoOpenDispute(dispute=str(command.dispute))
    terms = RulingResolver(past, _die_again(command)).of(dispute, _answer(command, entry))
    terms = _with_dice_rolled(past, terms, entry)
    rejudged = rejudged_by(past, terms)
    if rejudged.unsettled:
        raise records.RulingIncomplete(
            unsettled=tuple((one.slot.slot, one.result, one.why) for one in rejudged.unsettled)
        )
    own = own_events(past.state, terms, rejudged)
    written = fillings(
        past, command_in_full(terms, rejudged), own, rejudged, note=header.note, sent=header.sent
    )
    return RuledAgain(
        fillings=written,
        state=fold(rejudged.state, own),
        same_from=past.entries - rejudged.beyond if rejudged.beyond else past.entries + 1,
    )


def in_other_words(recorded: records.Event, decided: records.Event, command: records.RuleOnDispute) -> bool:
    """Whether two events differ in the program's own wording alone: why an entry could not be as it was.

    Where the reason is the arbitrator's, it is no wording of ours.
    """
    if not isinstance(decided, (records.SlotKept, records.SlotVoided)) or type(recorded) is not type(decided):
        return False
    assert isinstance(recorded, (records.SlotKept, records.SlotVoided)), "of one type"
    ours = decided.reason != command.reason
    return ours and bool(recorded.reason) and replace(recorded, reason=decided.reason) == decided


def _answer(command: records.RuleOnDispute, entry: Sequence[RecordedEvent]) -> RulingRequest:
    """What the arbitrator must have said. What the strategy kept or voided is left for it to find again."""
    supplied = command.supplied or {}
    by_itself: set[int] = set()
    if command.strategy == "keep-later":
        by_itself = {*command.kept} & {*supplied, *command.unkept}
    if command.strategy != "carry":
        by_itself |= {
            one.event.voided_slot
            for one in entry
            if isinstance(one.event, records.SlotVoided)
            and (one.event.reason != command.reason or one.event.voided_slot in supplied)
        }
    has_faces = command.verdict in ("corrected", "rerolled") and command.faces is not None
    rolled = has_faces and _was_rolled(command)
    return RulingRequest(
        verdict=command.verdict,
        reason=command.reason,
        faces=command.faces.shown() if has_faces and not rolled and command.faces is not None else None,
        outcome=command.outcome,
        supplied={slot: tuple((die.purpose, die.shown()) for die in dice) for slot, dice in supplied.items()},
        keep=tuple(slot for slot in command.kept if slot not in by_itself),
        unkeep=command.unkept,
        void=tuple(slot for slot in command.voided if slot not in by_itself),
        reverses=command.reverses,
        strategy=command.strategy,
        house_rules=command.house_rules,
    )


def _was_rolled(command: records.RuleOnDispute) -> bool:
    return command.verdict == "rerolled" and command.faces is not None and command.faces.source == "generated"


def _die_again(command: records.RuleOnDispute) -> Roller | None:
    """The die that the tool rolled again falls as it did."""
    if not _was_rolled(command) or command.faces is None:
        return None
    faces = chain(command.faces.faces, (0,) * 9)  # too few of them are no roll at all
    return lambda _: next(faces)


def _with_dice_rolled(past: Past, terms: ResolvedRuling, entry: Sequence[RecordedEvent]) -> ResolvedRuling:
    """The terms, and for each slot the dice that the tool rolled as it was decided again."""
    number = entry[0].entry
    treatments = dict(terms.treatments)
    for one in entry:
        if one.slot == number or not isinstance(one.event, records.DecisionTaken):
            continue
        treatment = treatments.get(one.slot, SlotInstruction())
        rolled = _rolled(past, one, one.event, treatment)
        if rolled:
            treatments[one.slot] = replace(treatment, supplied=(*treatment.supplied, *rolled))
    return replace(terms, treatments=treatments)


def _rolled(
    past: Past, recorded: RecordedEvent, header: records.DecisionTaken, treatment: SlotInstruction
) -> list[Die]:
    """The dice of a slot filled again that it had not before, and that nobody gave."""
    played = (treatment.restore or past.slot(recorded.slot)).header
    if played is None:
        return []
    there = Counter(_fall(die, die.fighter) for die in dice_for(played, treatment))
    left = [die for die in (*header.spare, *header.dice) if not _taken(there, _fall(die, die.fighter))]
    # A die that nobody had used yet was about nobody.
    left = [die for die in left if not _taken(there, _fall(die, None))]
    return [die for die in left if die.source == "generated"]


def _fall(die: Die, fighter: str | None) -> tuple[object, ...]:
    # Which symbol a face stands for is filled in as it is used.
    return (die.purpose, die.die, die.faces or die.symbol, die.source, fighter)


def _taken(there: Counter[tuple[object, ...]], fall: tuple[object, ...]) -> bool:
    there[fall] -= 1
    if there[fall] >= 0:
        return True
    there[fall] = 0
    return False
