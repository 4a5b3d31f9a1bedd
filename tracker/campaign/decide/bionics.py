"""Bionics: fitted where an injury took something, and what they do when the same place is hurt again.

Source: Core Rulebook (2023) · Trading Post · Bionics.
"""

from __future__ import annotations

from tracker.campaign.commands import FitBionic
from tracker.campaign.decide.advancement_refusals import BionicDoesNotFit
from tracker.campaign.decide.decision import Decision
from tracker.campaign.decide.gangs import refuse_during_battle
from tracker.campaign.decide.ledger import change_cost, in_stash
from tracker.campaign.decide.sequence import reach
from tracker.campaign.events import BionicFitted, CharacteristicChanged, ItemMoved
from tracker.campaign.holdings import on_fighter, stash_of
from tracker.campaign.refusals import FighterGone


def fit_bionic(decision: Decision, command: FitBionic) -> None:
    """A bionic leaves the stash for a fighter who suffered an injury that took these characteristics.

    Each rises by one, never past its best nor past what the injuries took. Recovery goes on as it was.
    """
    refuse_during_battle(decision)
    fighter, section = decision.fighter(command.fighter), decision.rulebook.section("bionics")
    if fighter.standing != "enlisted":
        raise FighterGone(fighter=fighter.name, standing=fighter.standing)
    if command.reason is None:
        reach(decision, fighter.gang, "distribute_equipment")
    item = in_stash(decision, fighter.gang, command.item)
    table = decision.rulebook.book.lasting_injuries
    if command.place not in {suffered.counted_as for suffered in fighter.injuries}:
        known = ", ".join(sorted({suffered.counted_as for suffered in fighter.injuries})) or "none"
        why = f"it replaces what {command.place!r} took, and the injuries suffered are: {known}"
        raise BionicDoesNotFit(fighter=fighter.name, item=item.name, why=why, section=section)
    suffered = sum(one.counted_as == command.place for one in fighter.injuries)
    if fighter.bionics.count(command.place) >= suffered:
        raise BionicDoesNotFit(
            fighter=fighter.name, item=item.name, why="that place has its bionic already", section=section
        )
    took = {
        effect.characteristic
        for effect in (table.row(command.place).effects if table.has_row(command.place) else ())
        if hasattr(effect, "characteristic")
    }
    for characteristic in command.characteristics:
        if characteristic not in took:
            why = f"{command.place} took no {characteristic.replace('_', ' ')}"
            raise BionicDoesNotFit(fighter=fighter.name, item=item.name, why=why, section=section)
        limits = decision.rulebook.limits(characteristic)
        if not limits.allows(limits.improved(fighter.characteristics[characteristic], 1)):
            why = f"{limits.short} is at its best already"
            raise BionicDoesNotFit(fighter=fighter.name, item=item.name, why=why, section=section)
    fitted = decision.note(
        BionicFitted(fighter=command.fighter, place=command.place, name=item.name, section=section)
    )
    decision.note(
        ItemMoved(
            item=item,
            source=stash_of(fighter.gang),
            target=on_fighter(command.fighter),
            source_gang=fighter.gang,
            target_gang=fighter.gang,
            why=command.reason or "fitted",
            section=section,
        ),
        cause=fitted,
    )
    change_cost(decision, on_fighter(command.fighter), item.cost_credits, why=item.name, cause=fitted)
    for characteristic in command.characteristics:
        before = decision.fighter(command.fighter).characteristics[characteristic]
        after = decision.rulebook.limits(characteristic).improved(before, 1)
        decision.note(
            CharacteristicChanged(
                fighter=command.fighter,
                characteristic=characteristic,
                before=before,
                after=after,
                why=item.name,
            ),
            cause=fitted,
        )
