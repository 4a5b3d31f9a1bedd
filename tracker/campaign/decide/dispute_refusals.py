"""Refusals of disputes and confirmations."""

from __future__ import annotations

from tracker.errors import RulesRefuse


class DisputedAlready(RulesRefuse):
    """{address} is disputed already: see 'arbitrator dispute show {dispute}'."""

    address: str
    dispute: int


class NoOpenDispute(RulesRefuse):
    """There is no open dispute {dispute}. See 'arbitrator dispute list'."""

    dispute: str


class OwnWordOnly(RulesRefuse):
    """{who} typed this roll in, and nobody confirms their own entry. Let somebody else who saw the die say
    so: --by NAME.
    """

    who: str
