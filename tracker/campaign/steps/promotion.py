"""Promotion: a fighter rises in rank, after so many advancements or by the Arbitrator.

Source: Core Rulebook (2023) · Experience · Promotion.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.profiles import Category, Characteristics
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles


@handles(records.PromoteFighter)
def promote_fighter(decision: Decision, command: records.PromoteFighter, *, cause: int = 0) -> None:
    """Promote a fighter with enough advancements; characteristics and cost stay.

    Source: Core Rulebook (2023) · Experience · Promotion.
    """
    decision.refuse_during_battle()
    fighter = decision.enlisted(command.fighter)
    section = decision.rulebook.section("promotion")
    promotions = decision.rulebook.book.advancement.promotions
    needed = next(
        (promotion.advancements for promotion in promotions if promotion.category == fighter.category), None
    )
    if not command.beyond_rules and (needed is None or fighter.advancements < needed):
        raise records.NotYetPromoted(
            fighter=fighter.name,
            category=fighter.category,
            advancements=fighter.advancements,
            needed=needed,
            section=section,
        )
    promote(
        decision,
        fighter,
        command.category,
        command.kind,
        why=command.reason or "promoted",
        section="promotion",
        basic_profile=command.basic_profile,
        cause=cause,
    )


def promote(
    decision: Decision,
    fighter: Fighter,
    category: Category,
    kind: str,
    *,
    why: str,
    section: str,
    basic_profile: Characteristics,
    cause: int = 0,
) -> int:
    """Change a fighter's rank and type. The new type's basic profile counts from now on, if given."""
    return decision.emit(
        records.FighterPromoted(
            fighter=fighter.fighter,
            category_before=fighter.category,
            category=category,
            kind_before=fighter.kind,
            kind=kind,
            why=why,
            section=decision.rulebook.section(section),
            basic_profile=dict(sorted(basic_profile.items())),
        ),
        cause=cause,
    )
