"""The campaign's cycles: which phase comes next, and what happens as it begins.

Source: Core Rulebook (2023) · Dominion Campaign · Campaign Phases.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import ledger
from tracker.campaign.steps.captives import free
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.promotion import promote_fighter
from tracker.rules.necromunda.post_battle import percent_of
from tracker.rules.post_battle_tables import Phase
from tracker.rules.rulebook import BookHasNo


@handles(records.BeginCycle)
def begin_cycle(decision: Decision, command: records.BeginCycle) -> None:
    """Begin the next cycle. Credits granted in the one before and not spent lapse.

    Downtime, in this order: Recovery ends, captives go home and their holders get half their value, Juves and
    Prospects with enough advancements are promoted, then every gang gets credits to spend now.
    """
    decision.refuse_during_battle()
    rules = decision.rulebook.book.post_battle
    if not rules.phases:
        raise BookHasNo(book=decision.rulebook.book.title, part="campaign phases")
    now = decision.state.cycle.number if decision.state.cycle is not None else 0
    number = now + 1 if command.number is None else command.number
    if number <= now:
        raise records.CycleInThePast(number=number, now=now)
    phase = _phase(rules.phases, number, command.phase)
    if command.promotions and not phase.promotes:
        promoting = tuple(phase.name for phase in rules.phases if phase.promotes)
        section = decision.rulebook.section("campaign")
        raise records.NoPromotionsNow(phase=phase.name, phases=promoting, section=section)
    _let_grants_lapse(decision)
    began = decision.emit(
        records.CycleBegan(
            number=number,
            phase=phase.phase,
            name=phase.name,
            reason=command.reason,
            section=decision.rulebook.section("campaign"),
        )
    )
    if phase.clears_recovery:
        _clear_recovery(decision, cause=began)
    if phase.frees_captives:
        _free_captives(decision, phase, cause=began)
    for promotion in command.promotions:
        promote_fighter(decision, promotion, cause=began)
    if phase.grant_credits:
        _grant(decision, phase, cause=began)


def _phase(phases: tuple[Phase, ...], number: int, stated: str | None) -> Phase:
    if stated is not None:
        named = next((phase for phase in phases if phase.phase == stated), None)
        if named is None:
            raise records.UnknownPhase(phase=stated, known=tuple(phase.phase for phase in phases))
        return named
    left = number
    for phase in phases:
        if left <= phase.cycles:
            return phase
        left -= phase.cycles
    raise records.CampaignIsOver(cycles=sum(phase.cycles for phase in phases))


def _let_grants_lapse(decision: Decision) -> None:
    cycle = decision.state.cycle
    if cycle is None:
        return
    for gang, left in cycle.grants.items():
        unspent = min(left, decision.gang(gang).credits)
        if unspent:
            ledger.move_credits(
                decision, gang, "@campaign", unspent, why=f"not spent in {cycle.name}", section="campaign"
            )


def _clear_recovery(decision: Decision, *, cause: int) -> None:
    for gang in decision.state.gangs.values():
        for fighter in gang.enlisted.values():
            if fighter.recovering_since is not None:
                decision.emit(records.RecoveryEnded(fighter=fighter.fighter), cause=cause)


def _free_captives(decision: Decision, phase: Phase, *, cause: int) -> None:
    rules = decision.rulebook.book.post_battle
    percent = rules.captives.freed_by_campaign_percent if rules.captives is not None else 0
    for gang in decision.state.gangs.values():
        for captive in gang.members.having("held_by"):
            assert captive.held_by is not None, "looked for"
            freed = free(decision, captive, why=phase.name, cause=cause)
            value = percent_of(captive.cost_credits, percent, to=rules.round_up_to)
            ledger.move_credits(
                decision,
                "@campaign",
                captive.held_by,
                value,
                why=f"for the captive {captive.name}, who goes home in {phase.name}",
                section="campaign",
                fighter=captive.fighter,
                cause=freed,
            )


def _grant(decision: Decision, phase: Phase, *, cause: int) -> None:
    for gang in decision.state.gangs:
        given = ledger.move_credits(
            decision,
            "@campaign",
            gang,
            phase.grant_credits,
            why=f"to spend in {phase.name}",
            section="campaign",
            cause=cause,
        )
        decision.emit(records.SpendingGranted(gang=gang, amount=phase.grant_credits), cause=given)
