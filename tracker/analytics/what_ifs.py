"""What-ifs over all campaigns: every season of a database as it would have gone under other house rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from tracker.campaign.state import CampaignState
from tracker.errors import LogDamaged, Refusal
from tracker.records import Record
from tracker.rules.rulebook import Policy
from tracker.service.application import Tracker


class Season(Record):
    """What fighters carry home by the end."""

    dead: int
    injuries: int
    experience: int
    advancements: int


class OtherSeason(Record):
    """One campaign decided again. `refused` says why it could not be; then nothing else is known.

    `needs_dice` and `not_allowed` are entries that nobody can decide: they went on as they were played.
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
    """Every campaign of the database, by the name that people use. Raises what says that a log is damaged."""
    campaigns = sorted(tracker.directory.campaigns_kept().items())
    found = []
    for done, (name, campaign) in enumerate(campaigns, start=1):
        try:
            outcome = tracker.rulings.what_if(campaign, from_battle=from_battle, adopt=adopt, without=without)
        except LogDamaged:
            raise
        except Refusal as refusal:
            found.append(OtherSeason(campaign=name, refused=refusal.message()))
        else:
            results = Counter(slot.result for slot in outcome.rejudged.slots)
            found.append(
                OtherSeason(
                    campaign=name,
                    changed=results["changed"],
                    needs_dice=results["needs_dice"],
                    not_allowed=results["refused"],
                    before=_season(outcome.before),
                    after=_season(outcome.after),
                )
            )
        tell(done, len(campaigns))
    return found


def _season(state: CampaignState) -> Season:
    fighters = [fighter for gang in state.gangs.values() for fighter in gang.fighters.values()]
    return Season(
        dead=sum(fighter.standing == "dead" for fighter in fighters),
        injuries=sum(len(fighter.injuries) for fighter in fighters),
        experience=sum(fighter.experience + fighter.experience_spent for fighter in fighters),
        advancements=sum(fighter.advancements for fighter in fighters),
    )
