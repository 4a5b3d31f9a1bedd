"""Policies in time: a house rule adopted or repealed from a battle that is recorded already, and what-ifs.

Such a change is a ruling: the slot of that battle's opening is decided again with the change in its command,
so that it stands from there on in the order of play, and every later slot is decided again from its own dice.
A what-if does the same and writes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence

from tracker.campaign import records, steps
from tracker.campaign.rulings.next_die import Outcome, next_die_outcomes
from tracker.campaign.rulings.redecision import End, RedecidedSlot, Redecision, SlotInstruction, redecide
from tracker.campaign.state import CampaignState
from tracker.records import Record, replace
from tracker.rules import loader
from tracker.service.command_handler import adoption
from tracker.service.house_rules import changed_opening, later_changes
from tracker.service.refusals import PolicyNotHeld
from tracker.service.rulings import Arbitration


class WhatIf(Record):
    """The season as it would have gone. `voided` are entries that adopted or repealed what is asked about."""

    from_battle: int
    rejudged: Redecision
    before: CampaignState
    after: CampaignState
    voided: tuple[int, ...] = ()

    def next_die(self, one: RedecidedSlot) -> tuple[Outcome, ...]:
        """What the first die that a slot lacks would come out as."""
        if one.needed is None or one.command is None or one.state is None:
            return ()
        rulebook = steps.rulebook_for(one.state, one.command, loader.rulebook)
        purpose = rulebook.book.purposes.get(one.needed.purpose)
        return next_die_outcomes(
            one.state,
            one.command,
            one.dice,
            one.needed,
            purpose.special if purpose is not None else None,
            loader.rulebook,
            entry=one.slot.slot,
        )


class PolicyRulings(Arbitration):
    """House rules with a past battle as their start, and seasons under others."""

    def is_past(self, campaign: str, battle: int | None) -> bool:
        """Whether a change from this battle on would move what is recorded."""
        return battle is not None and battle in {number for number, _ in self.now(campaign).openings()}

    def adoption_ruling(
        self,
        campaign: str,
        *,
        from_battle: int,
        adopt: Sequence[str] = (),
        repeal: Sequence[str] = (),
        overrides: Sequence[str] = (),
        reason: str = "",
    ) -> records.HouseRules:
        """The change that a ruling brings. Raises NoSuchBattle or UnknownPolicy."""
        self.now(campaign).opening(from_battle)
        return records.HouseRules(
            from_battle=from_battle,
            adopting=tuple(
                adoption(one, from_battle=from_battle, reason=reason, overrides=overrides) for one in adopt
            ),
            repealing=tuple(
                records.RepealPolicy(policy=one.partition("@")[0], from_battle=from_battle, reason=reason)
                for one in repeal
            ),
        )

    def what_if(
        self,
        campaign: str,
        *,
        from_battle: int = 1,
        adopt: Sequence[str] = (),
        without: Sequence[str] = (),
        overrides: Sequence[str] = (),
    ) -> WhatIf:
        """Decide the season again under other house rules, and write nothing.

        What nobody can say, for dice that were never rolled or what cannot follow, goes on as it was played.
        """
        now = self.now(campaign)
        before = now.state
        first, opening = now.opening(from_battle)
        at = now.state_before(first)
        unwanted = {one.partition("@")[0] for one in without}
        there = {one.policy for one in at.policies if one.holds_for(from_battle)}
        wanted = {one.partition("@")[0] for one in adopt}
        own = {one.text.policy for one in opening.adopting or ()}
        later = later_changes(now, first, adopted=wanted | unwanted, repealed=unwanted)
        for policy in sorted(unwanted - there - own):
            if not later_changes(now, first, adopted={policy}, repealed=set()):
                raise PolicyNotHeld(policy=policy, from_battle=from_battle, held=tuple(sorted(there)))
        change = self.adoption_ruling(
            campaign,
            from_battle=from_battle,
            adopt=adopt,
            repeal=sorted(unwanted & there),
            overrides=overrides,
            reason="what if",
        )
        slot, command = changed_opening(now, change, without=unwanted | wanted)
        treatments = {number: SlotInstruction(held=True, insisted=how) for number, how in before.kept.items()}
        voided = tuple(number for number, changed in later.items() if changed is None)
        treatments |= {
            number: SlotInstruction(void=True) if changed is None else SlotInstruction(command=changed)
            for number, changed in later.items()
        }
        treatments[slot] = replace(treatments.get(slot, SlotInstruction()), command=command)
        end = End(entry=now.entries, state=before)
        found = redecide(*now.from_slot(slot), treatments, loader.rulebook, end=end)
        moved = tuple(one for one in found.slots if one.slot.slot not in voided)
        return WhatIf(
            from_battle=from_battle,
            rejudged=replace(found, slots=moved),
            before=before,
            after=found.state,
            voided=voided,
        )
