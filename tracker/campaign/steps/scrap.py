"""Scrap: credits for wrecked enemy vehicles, for the gang that alone remained on the battlefield."""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import captives, ledger
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.post_battle_sequence import advance_to, after_battle, note_done_once


@handles(records.ClaimScrap)
def claim_scrap(decision: Decision, command: records.ClaimScrap) -> None:
    """D3 x 10 credits for each enemy wreck, for the gang that alone remained on the battlefield."""
    if command.late is not None:
        decision.refuse_during_battle()
        _scrap_of(decision, command.gang, _named_late(decision, command), cause=0)
        return
    after = after_battle(decision, command.gang, what="scrap")
    reached = advance_to(decision, command.gang, "scrap", required=True)
    captives.refuse_if_not_alone(decision, after, command.gang)
    recorded = tuple(name for gang, names in after.wrecked.items() if gang != command.gang for name in names)
    wrecks = recorded if command.wrecks is None else command.wrecks
    if not wrecks:
        raise records.NoWreck(gang=decision.gang(command.gang).name, vehicle=None)
    for place, name in enumerate(wrecks):
        if name not in recorded or name in wrecks[:place]:
            raise records.NoWreck(gang=decision.gang(command.gang).name, vehicle=name)
    claimed = note_done_once(decision, command.gang, "scrap", what="scrap", cause=reached)
    _scrap_of(decision, command.gang, wrecks, cause=claimed)


def _named_late(decision: Decision, command: records.ClaimScrap) -> tuple[str, ...]:
    """The wrecks named for late scrap, allowed by the Arbitrator's reason. Refuses the gang's own
    vehicles.
    """
    gang, wrecks = decision.gang(command.gang), command.wrecks or ()
    for place, name in enumerate(wrecks):
        if decision.vehicle(name).gang == gang.gang or name in wrecks[:place]:
            raise records.NoWreck(gang=gang.name, vehicle=name)
    if not wrecks:
        raise records.NoWreck(gang=gang.name, vehicle=None)
    return wrecks


def _scrap_of(decision: Decision, gang: str, wrecks: tuple[str, ...], *, cause: int) -> None:
    """A die for each wreck, and its credits."""
    pip = decision.rulebook.book.post_battle.scrap_credits_per_pip
    for name in wrecks:
        vehicle = decision.vehicle(name)
        die = decision.tray.d3("scrap", why=f"scrap of {vehicle.name}", fighter=name)
        rolled = decision.roll(
            die,
            outcome=f"{die.face * pip} credits",
            section="wrap_up",
            rolled_by=gang,
            cause=cause,
        )
        ledger.move_credits(
            decision,
            "@scrap",
            gang,
            die.face * pip,
            why=f"scrap of {vehicle.name}",
            section="wrap_up",
            cause=rolled,
        )
