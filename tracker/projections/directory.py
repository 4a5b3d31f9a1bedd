"""The directory: one row for each campaign, with the name that people use, made from how it was opened.

Knows `CampaignOpened`. Knows nothing of what was played since: a campaign's name and book stay as they are.
"""

from collections.abc import Mapping
from typing import TypedDict

from tracker.campaign.events import CampaignOpened
from tracker.campaign.recorded import Recorded

SHAPE_UNKNOWN = 0
"""Of boards whose row in the directory was lost: they are made anew when their campaign is named."""


class DirectoryRow(TypedDict):
    """A campaign. `shape` is that of its boards."""

    campaign_id: str
    slug: str
    name: str
    ruleset: str
    created_at: str
    shape: int


def directory(openings: Mapping[str, Recorded], shapes: Mapping[str, int]) -> list[DirectoryRow]:
    """The rows of these campaigns, from the events that opened them; `shapes` are those of boards there are.

    Of two campaigns of one name the first has it, and the other is called by its id.
    """
    rows: dict[str, DirectoryRow] = {}
    for campaign, opened in sorted(openings.items()):
        assert isinstance(opened.event, CampaignOpened), "it opened the campaign"
        slug = opened.event.slug
        slug = campaign if slug in rows else slug
        rows[slug] = DirectoryRow(
            campaign_id=campaign,
            slug=slug,
            name=opened.event.name,
            ruleset=opened.event.book,
            created_at=opened.at,
            shape=shapes.get(campaign, SHAPE_UNKNOWN),
        )
    return list(rows.values())
