"""The effects of a ruling: works out everything that it writes, for previews, rulings and the audit.

Reads a view of the log, and appends nothing.
"""

from __future__ import annotations

import hashlib

from tracker.campaign import records, steps
from tracker.campaign.rulings.dice_forecast import DiceForecast, forecast_dice
from tracker.campaign.rulings.keep_as_recorded import replay_recorded
from tracker.campaign.rulings.redecision import (
    RedecidedSlot,
    Redecision,
    ReplayEnd,
    SlotInstruction,
    redecide,
)
from tracker.campaign.state import CampaignState
from tracker.campaign.steps.decision import DecidedEvent
from tracker.dice import DiceNeeded, Roller
from tracker.log.canonical import sorted_json
from tracker.records import Record, collector_held, replace
from tracker.rules import loader
from tracker.service.log_view import LogView
from tracker.service.repository import Stamp
from tracker.service.ruling_request import ResolvedRuling


class SlotWrite(Record):
    """The events that a ruling writes into one slot, its own (`slot` None) or an older one, and the
    rulebook.
    """

    slot: int | None
    decided: tuple[DecidedEvent, ...]
    stamp: Stamp


class _Stamp(Record):
    version: str
    digest: str


def redecide_slots(view: LogView, terms: ResolvedRuling, *, roller: Roller | None = None) -> Redecision:
    """Decide every affected slot again by these terms."""
    command = terms.command
    if terms.again is not None:
        return _rolled_again(view, terms)
    asked = {
        slot
        for slot, instruction in terms.instructions.items()
        if not instruction.held or instruction.restore
    }
    asked |= {*command.unkept, *command.kept, *command.voided, *(command.supplied or ())}
    if command.verdict == "confirmed" or not asked:
        return Redecision(slots=(), state=view.state)
    # Decide every named slot, even one that is only released: the states may be equal again by then.
    first = min(asked)
    with collector_held():
        return redecide(
            *view.from_slot(first),
            {**dict.fromkeys(asked, SlotInstruction()), **terms.instructions},
            loader.rulebook,
            roller=roller,
            strategy=command.strategy,
            end=ReplayEnd(entry=view.entries, state=view.state),
            tail=view.tail_from(first),
            on_slot=view.on_slot,
        )


def _rolled_again(view: LogView, terms: ResolvedRuling) -> Redecision:
    """A die that is to be rerolled leaves its slot open; what follows depends on the face."""
    assert terms.again is not None, "looked at before"
    slot, number = terms.again
    header = slot.header
    assert header is not None, "a slot with a die has a header"
    die = header.dice[number]
    needed = DiceNeeded(
        purpose=die.purpose, die=die.die, fighter=die.fighter, why="rolled again by the ruling"
    )
    before = view.state_before(slot.slot)
    as_played = replay_recorded(before, slot.domain_events)
    judged = RedecidedSlot(
        slot=slot,
        result="needs_dice",
        why=needed.lacking(),
        needed=needed,
        command=header.command,
        state=before,
        recorded_from=before,
        as_played=None if isinstance(as_played, str) else as_played,
        dice=(*header.dice, *header.spare),
        thrown=number,
    )
    return Redecision(slots=(judged,), state=view.state, looked_at=1)


def forecast_for(view: LogView, terms: ResolvedRuling, redecision: Redecision) -> DiceForecast:
    """Every die that these terms will need, as far as it can be foreseen."""
    first = next((redecided for redecided in redecision.slots if redecided.result == "needs_dice"), None)
    if first is None:
        return DiceForecast()
    return forecast_dice(
        first,
        view.from_slot(first.slot.slot)[1],
        terms.instructions,
        loader.rulebook,
        strategy=terms.command.strategy,
    )


def own_events(
    before: CampaignState, terms: ResolvedRuling, redecision: Redecision
) -> tuple[records.Event, ...]:
    """The ruling's own events: its verdict, disputes opened again, slots released and slots kept."""
    kept = dict(terms.kept)
    judged = {redecided.slot.slot: redecided for redecided in redecision.slots}
    for slot, redecided in judged.items():
        if redecided.result in ("changed", "voided", "freed"):
            kept.pop(slot, None)
        elif redecided.result == "kept":
            kept[slot] = redecided.insisted
    released = [
        records.SlotReleased(released_slot=slot, reason=terms.command.reason, insisted=insisted)
        for slot, insisted in before.kept.items()
        if kept.get(slot) != insisted
    ]
    keeping = [
        records.SlotKept(
            kept_slot=slot,
            reason=judged[slot].why if slot in judged else terms.command.reason,
            insisted=insisted,
            restored=slot in judged and judged[slot].fill is not None,
        )
        for slot, insisted in sorted(kept.items())
        if before.kept.get(slot) != insisted
    ]
    # Events about other slots come last: each is shown with its slot.
    keeping.sort(key=lambda kept_slot: not kept_slot.restored)
    return (terms.word, *terms.disputes, *released, *keeping)


def command_in_full(terms: ResolvedRuling, redecision: Redecision) -> records.RuleOnDispute:
    """The command as it is stored. It lists the kept and voided slots, so that other code need not find them
    again.
    """
    kept = tuple(slot.slot.slot for slot in redecision.slots if slot.result == "kept")
    voided = {slot.slot.slot for slot in redecision.slots if slot.result == "voided"}
    return replace(terms.command, kept=kept, voided=tuple(sorted({*terms.command.voided} | voided)))


def asked_digest(command: records.RuleOnDispute) -> str:
    """The hash of a ruling's request: the same before its dice are rolled and after."""
    rolled = command.faces is not None and command.faces.source == "generated"
    faces = None if rolled else command.faces
    asked = replace(command, faces=faces, kept=(), unkept=(), voided=())
    return hashlib.sha256(sorted_json(asked)).hexdigest()


def key_of(command: records.RuleOnDispute, size: int) -> str:
    """The key of a ruling made on a log of `size` events. A dispute may be ruled on again after a ruling was
    taken back.
    """
    return f"ruling:{command.dispute}:{size}"


def fillings(
    view: LogView,
    command: records.RuleOnDispute,
    own: tuple[records.Event, ...],
    redecision: Redecision,
    *,
    note: str | None,
    sent: records.IdempotencyKey | None,
) -> tuple[SlotWrite, ...]:
    """Everything that the ruling writes: its own events, then the refilled slots in the order of play."""
    header = DecidedEvent(event=records.DecisionTaken(command=command, note=note, sent=sent), cause=0)
    words = (DecidedEvent(event=event, cause=min(place, 1)) for place, event in enumerate(own))
    rulebook = steps.rulebook_for(view.state, command, loader.rulebook)
    written = [SlotWrite(slot=None, decided=(header, *words), stamp=rulebook)]
    for redecided in redecision.slots:
        slot = redecided.slot.slot
        if redecided.result == "voided":
            void = records.SlotVoided(voided_slot=slot, reason=redecided.why or command.reason)
            written.append(SlotWrite(slot=slot, decided=(DecidedEvent(event=void, cause=0),), stamp=rulebook))
        elif redecided.fill is not None:
            stamp = _Stamp(version=redecided.stamp[0], digest=redecided.stamp[1])
            written.append(SlotWrite(slot=slot, decided=redecided.fill, stamp=stamp))
    return tuple(written)
