"""The list of campaigns, and a campaign's own page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tracker.server.pages.asking import Asking


def home(asking: Asking) -> Mapping[str, Any]:
    """The campaigns that who asks may see."""
    return {"campaigns": asking.data("campaign list")["campaigns"]}


def campaign(asking: Asking) -> Mapping[str, Any]:
    """Where the campaign stands."""
    return {
        "about": asking.data("campaign show"),
        "standings": asking.data("standings show"),
        "battles": asking.data("battle list")["battles"],
    }
