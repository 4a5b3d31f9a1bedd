"""Provable dice that were drawn while a report was written: what its requests come to as it is recorded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import UNSET

from tracker.campaign import records
from tracker.campaign.recorded_event import RecordedEvent
from tracker.campaign.state import CampaignState
from tracker.dice import sides_of
from tracker.log.reader import LogReader
from tracker.rules.provable_dice import ProvableRoller
from tracker.service import refusals
from tracker.service.roll_source import dice_of, resolve_request
from tracker.service.sealed_seeds import SealedSeeds


def nonce_of(log: LogReader, campaign: str, request: int) -> int:
    """Which request of its session it is. Raises NoSuchRequest."""
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
    """What the requests drew that dice of these entries name. Raises NoDiceSession, NotWhatWasDrawn."""
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
