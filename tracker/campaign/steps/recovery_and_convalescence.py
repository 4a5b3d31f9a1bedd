"""Who may take part in a battle: Recovery and Convalescence, captivity, Critical Injuries and the dead.

Source: Core Rulebook (2023) · Lasting Injuries.
"""

from __future__ import annotations

from tracker.campaign.fighters import Fighter
from tracker.rules.rulebook import Rulebook
from tracker.rules.trench_crusade.trauma import fates_are_rolled


def why_not_available(fighter: Fighter, rulebook: Rulebook) -> tuple[str, str] | None:
    """The reason why a fighter may not take part in a battle and what to do about it, or None."""
    costs = f"which costs the {rulebook.book.words.gang}'s next battle"
    show = f"See 'arbitrator fighter show {fighter.fighter}'."
    if fighter.standing != "enlisted":
        return f"{fighter.standing}", show
    if fighter.critical:
        return "Critical Injury, which the Doc must treat in the post-battle sequence first", show
    if fighter.held_by is not None:
        return f"a captive of {fighter.held_by}, until traded, rescued or let go", show
    if fighter.capture_pending and fates_are_rolled(rulebook):
        return "Captured, until the ransom is settled ('ransom' in a post-battle file)", show
    if fighter.capture_pending:
        return "Captured, until the escape roll of the Wrap-up says otherwise", show
    if fighter.recovering_since is not None:
        return f"in Recovery since battle {fighter.recovering_since}, {costs}", show
    if fighter.absent_since is not None:
        return f"away since battle {fighter.absent_since}, {costs}", show
    if fighter.convalescing and rulebook.knob("convalescence.next_battle") == "misses":
        return "Convalescent, which by this campaign's policies costs the next battle", show
    return None
