"""What-if: decides a season again under other house rules. Writes nothing; knows no database."""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign import records, steps
from tracker.campaign.rulings.next_die import RollOutcome, next_die_outcomes
from tracker.campaign.rulings.redecision import (
    RedecidedSlot,
    Redecision,
    ReplayEnd,
    SlotInstruction,
    redecide,
)
from tracker.campaign.state import CampaignState
from tracker.records import Record, replace
from tracker.rules import loader
from tracker.rules.rulebook import Policy
from tracker.service import refusals, ruling_request
from tracker.service.campaign_opening import adoption
from tracker.service.log_view import LogView


class WhatIf(Record):
    """The season under other house rules. `voided` are entries that adopted or repealed the rules in
    question.
    """

    from_battle: int
    redecision: Redecision
    before: CampaignState
    after: CampaignState
    voided: tuple[int, ...] = ()

    def next_die(self, redecided: RedecidedSlot) -> tuple[RollOutcome, ...]:
        """The outcomes of the first die that a slot lacks."""
        if redecided.needed is None or redecided.command is None or redecided.state is None:
            return ()
        rulebook = steps.rulebook_for(redecided.state, redecided.command, loader.rulebook)
        purpose = rulebook.book.purposes.get(redecided.needed.purpose)
        return next_die_outcomes(
            redecided.state,
            redecided.command,
            redecided.dice,
            redecided.needed,
            purpose.special if purpose is not None else None,
            loader.rulebook,
            entry=redecided.slot.slot,
        )


def what_if(
    view: LogView,
    *,
    from_battle: int = 1,
    adopt: Sequence[str | Policy] = (),
    without: Sequence[str] = (),
    overrides: Sequence[str] = (),
) -> WhatIf:
    """Decide the season again from that battle on, each entry from its own dice.

    An entry that lacks dice or cannot follow stays as played. Raises NoSuchBattle, PolicyNotHeld, and what
    refuses the change itself.
    """
    before = view.state
    first, opening = view.opening(from_battle)
    at = view.state_before(first)
    unwanted = {policy.partition("@")[0] for policy in without}
    there = {adopted.policy for adopted in at.policies if adopted.holds_for(from_battle)}
    wanted = {policy.partition("@")[0] if isinstance(policy, str) else policy.policy for policy in adopt}
    own = {rule.text.policy for rule in opening.adopting or ()}
    later = ruling_request.later_changes(view, first, adopted=wanted | unwanted, repealed=unwanted)
    for policy in sorted(unwanted - there - own):
        if not ruling_request.later_changes(view, first, adopted={policy}, repealed=set()):
            raise refusals.PolicyNotHeld(policy=policy, from_battle=from_battle, held=tuple(sorted(there)))
    change = house_rules_changed(
        from_battle, adopt=adopt, repeal=sorted(unwanted & there), overrides=overrides, reason="what if"
    )
    slot, command = ruling_request.changed_opening(view, change, without=unwanted | wanted)
    instructions = {number: SlotInstruction(held=True, insisted=how) for number, how in before.kept.items()}
    voided = tuple(number for number, changed in later.items() if changed is None)
    instructions |= {
        number: SlotInstruction(void=True) if changed is None else SlotInstruction(command=changed)
        for number, changed in later.items()
    }
    instructions[slot] = replace(instructions.get(slot, SlotInstruction()), command=command)
    end = ReplayEnd(entry=view.entries, state=before)
    found = redecide(*view.from_slot(slot), instructions, loader.rulebook, end=end)
    moved = tuple(slot for slot in found.slots if slot.slot.slot not in voided)
    return WhatIf(
        from_battle=from_battle,
        redecision=replace(found, slots=moved),
        before=before,
        after=found.state,
        voided=voided,
    )


def house_rules_changed(
    from_battle: int,
    *,
    adopt: Sequence[str | Policy] = (),
    repeal: Sequence[str] = (),
    overrides: Sequence[str] = (),
    reason: str = "",
) -> records.HouseRules:
    """The change of house rules. Raises UnknownPolicy."""
    return records.HouseRules(
        from_battle=from_battle,
        adopting=tuple(
            adoption(policy, from_battle=from_battle, reason=reason, overrides=overrides) for policy in adopt
        ),
        repealing=tuple(
            records.RepealPolicy(policy=policy.partition("@")[0], from_battle=from_battle, reason=reason)
            for policy in repeal
        ),
    )
