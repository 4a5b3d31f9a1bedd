"""Refusals of how the Broken flee, each with its facts and its own words."""

from __future__ import annotations

from tracker.errors import BadInput, RulesRefuse


class NothingToFleeFrom(RulesRefuse):
    """{fighter} is not Broken and acts as ever. Record the Nerve test first that broke them, or take this
    entry out.
    """

    fighter: str


class RetreatUnclear(BadInput):
    """The flight of {fighter} does not add up: {why}."""

    fighter: str
    why: str
