"""Prints what a model may do now, in a campaign's battle or after a judged exchange."""

from __future__ import annotations

from tracker.campaign.state import CampaignState
from tracker.cli.options import show
from tracker.reports.names import Names


def show_actions(state: CampaignState, fighter: str, names: Names, *, as_json: bool) -> None:
    """Print the actions that a model may take in this state."""
    # Not above: showing a fighter and judging an exchange need no forms.
    from tracker.documents.wizard.open_actions import open_actions
    from tracker.reports.open_actions import open_actions_page

    actions = open_actions(state, fighter)
    show(open_actions_page(fighter, names.fighters[fighter], actions), as_json=as_json)
