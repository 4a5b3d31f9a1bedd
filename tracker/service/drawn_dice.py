"""Provable dice that a report or a correction names: what its requests come to as it is recorded, and whether
the tool rolled them at all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import UNSET

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState
from tracker.dice import Die, sides_of
from tracker.log.reader import LogReader
from tracker.rules.provable_dice import ProvableRoller
from tracker.service import refusals
from tracker.service.dice_sessions import same_fall
from tracker.service.log_view import CurrentLogView
from tracker.service.roll_source import dice_of, resolve_request
from tracker.service.sealed_seeds import SealedSeeds


def nonce_of(log: LogReader, campaign: str, request: int) -> int:
    """The number of a request within its session. Raises NoSuchRequest."""
    for asked in log.entry(campaign, request):
        if isinstance(asked.event, records.RollsRequested):
            return asked.event.nonce
    raise records.NoSuchRequest(request=request)


def resolve_drawn(
    log: LogReader,
    seeds: SealedSeeds,
    state: CampaignState,
    entries: Sequence[Sequence[RecordedEvent]],
) -> Iterator[records.ResolveRolls]:
    """The draws of the requests that dice of these entries name. Raises NoDiceSession, NotWhatWasDrawn."""
    dice = [die for entry in entries for die in dice_of(entry)]
    named = list(dict.fromkeys(die.request for die in dice if die.request is not UNSET))
    if not named:
        return
    session = state.dice_session
    if session is None:
        raise records.NoDiceSession
    seed = seeds.read(session.campaign, session.session, session.commitment)
    for request in named:
        roller = ProvableRoller(seed, session.revealed, nonce_of(log, session.campaign, request))
        for die in dice:
            if die.request == request and tuple(map(roller, sides_of(die.die))) != die.faces:
                raise refusals.NotWhatWasDrawn(request=request, die=die.purpose, given=die.shown())
        yield resolve_request(request, roller, entries)


def refuse_not_rolled(log: LogReader, now: CurrentLogView, amended: Mapping[int, records.Amendment]) -> None:
    """Refuse a correction that names a die as the tool's which the tool never rolled for that entry, because
    every later audit would report it. Raises NotRolledByTheTool.
    """
    for slot, amendment in amended.items():
        header = now.slot(slot).header
        said = [die for die in amendment.dice or () if die.request is not UNSET]
        if not _not_among(said, header.dice if header is not None else ()):
            continue
        ever = [
            die
            for recorded in log.written(now.campaign)
            if recorded.slot == slot and isinstance(recorded.event, records.DecisionTaken)
            for die in recorded.event.dice
        ]
        for die in _not_among(said, ever):
            raise refusals.NotRolledByTheTool(entry=slot, die=die.purpose, given=die.shown())


def _not_among(said: Sequence[Die], known: Sequence[Die]) -> list[Die]:
    """The dice without a match among the known ones, each of which matches once."""
    left, others = [*known], []
    for die in said:
        place = next((place for place, was in enumerate(left) if same_fall(die, was)), None)
        if place is None:
            others.append(die)
        else:
            del left[place]
    return others
