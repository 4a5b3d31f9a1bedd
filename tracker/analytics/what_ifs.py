"""What-ifs over all campaigns: every season of a database, or of event files, under other house rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from tracker.analytics import jobs, replays
from tracker.analytics.exported_log import ExportedLog
from tracker.campaign import records
from tracker.campaign.evolve import fold
from tracker.campaign.state import CampaignState
from tracker.errors import LogDamaged, Refusal
from tracker.log.reader import LogReader
from tracker.records import Record
from tracker.rules.rulebook import Policy
from tracker.service.application import Tracker
from tracker.service.log_view import LogView
from tracker.service.what_if import WhatIf
from tracker.service.what_if import what_if as decided_again


class Season(Record):
    """The totals of what fighters have at the end."""

    dead: int
    injuries: int
    experience: int
    advancements: int


class OtherSeason(Record):
    """One campaign decided again. `refused` is the reason if it could not be; then nothing else is known.

    `needs_dice` and `not_allowed` are entries that could not be decided: they stay as played.
    """

    campaign: str
    changed: int = 0
    needs_dice: int = 0
    not_allowed: int = 0
    before: Season | None = None
    after: Season | None = None
    refused: str = ""


def what_if(
    tracker: Tracker,
    *,
    adopt: Sequence[str | Policy],
    without: Sequence[str],
    from_battle: int,
    tell: Callable[[int, int], None],
) -> list[OtherSeason]:
    """Every campaign of the database, by the name that people use. Raises refusals of damaged logs."""
    campaigns = sorted(tracker.directory.campaigns_kept().items())
    decided = []
    for done, (name, campaign) in enumerate(campaigns, start=1):
        decided.append(
            _other_season(
                name,
                partial(
                    tracker.rulings.what_if, campaign, from_battle=from_battle, adopt=adopt, without=without
                ),
            )
        )
        tell(done, len(campaigns))
    return decided


def what_if_exported(
    place: Path,
    *,
    adopt: Sequence[str | Policy],
    without: Sequence[str],
    from_battle: int,
    master: str | None,
    tell: jobs.Tell,
) -> list[OtherSeason]:
    """Every campaign in a folder's files, by the same names. Raises what `jobs.run_job` raises."""
    job = partial(exported_season, adopt=tuple(adopt), without=tuple(without), from_battle=from_battle)
    decided = jobs.run_job(place, job, OtherSeason, master=master, tell=tell)
    return sorted(decided, key=lambda season: season.campaign)


def exported_season(
    exported: jobs.Campaign,
    *,
    adopt: Sequence[str | Policy],
    without: Sequence[str],
    from_battle: int,
) -> OtherSeason:
    """Decide one campaign of a file again."""
    stored = ExportedLog(exported.events)
    log = LogReader(stored, replays.codec())
    opened = log.entry(exported.campaign, 1)
    name = next(event.event.slug for event in opened if isinstance(event.event, records.CampaignOpened))
    view = LogView(
        log,
        exported.campaign,
        entries=stored.entries,
        state=fold(CampaignState(), log.moving(exported.campaign)),
        nearest=lambda _: (0, CampaignState()),
    )
    return _other_season(
        name, partial(decided_again, view, adopt=adopt, without=without, from_battle=from_battle)
    )


def _other_season(name: str, decide: Callable[[], WhatIf]) -> OtherSeason:
    try:
        outcome = decide()
    except LogDamaged:
        raise
    except Refusal as refusal:
        return OtherSeason(campaign=name, refused=refusal.message())
    results = Counter(slot.result for slot in outcome.redecision.slots)
    return OtherSeason(
        campaign=name,
        changed=results["changed"],
        needs_dice=results["needs_dice"],
        not_allowed=results["refused"],
        before=_season(outcome.before),
        after=_season(outcome.after),
    )


def _season(state: CampaignState) -> Season:
    fighters = [fighter for gang in state.gangs.values() for fighter in gang.fighters.values()]
    return Season(
        dead=sum(fighter.standing == "dead" for fighter in fighters),
        injuries=sum(len(fighter.injuries) for fighter in fighters),
        experience=sum(fighter.experience + fighter.experience_spent for fighter in fighters),
        advancements=sum(fighter.advancements for fighter in fighters),
    )
