"""Bionics: fitted for an injury, and damaged when the same place is injured again.

Source: Core Rulebook (2023) · Trading Post · Bionics; Archived rules · Bionics.
"""

from __future__ import annotations

from typing import Final

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.holdings import on_fighter, stash_of
from tracker.campaign.profiles import Bionic
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.ledger import change_cost, hand_over, in_stash, on_card, things_of
from tracker.campaign.steps.post_battle_sequence import advance_to
from tracker.rules.tables import Row

IGNORED_FROM: Final = 4
RUINED_ON: Final = 1
"""By two D6: from which face on a bionic takes a further injury for its bearer, and which one ruins it."""


@handles(records.FitBionic)
def fit_bionic(decision: Decision, command: records.FitBionic) -> None:
    """Fit a bionic from the stash to a fighter whose injury reduced these characteristics.

    Each rises by one, never past its best nor past what the injuries took. Recovery goes on.
    """
    decision.refuse_during_battle()
    fighter, section = decision.enlisted(command.fighter), decision.rulebook.section("bionics")
    if command.reason is None:
        advance_to(decision, fighter.gang, "distribute_equipment")
    item = in_stash(decision, fighter.gang, command.item)
    table = decision.rulebook.book.lasting_injuries
    if command.place not in {suffered.counted_as for suffered in fighter.injuries}:
        known = ", ".join(sorted({suffered.counted_as for suffered in fighter.injuries})) or "none"
        why = f"it replaces what {command.place!r} took, and the injuries suffered are: {known}"
        raise records.BionicDoesNotFit(fighter=fighter.name, item=item.name, why=why, section=section)
    suffered = sum(injury.counted_as == command.place for injury in fighter.injuries)
    if fighter.bionics.count(command.place) >= suffered:
        raise records.BionicDoesNotFit(
            fighter=fighter.name, item=item.name, why="that place has its bionic already", section=section
        )
    took = {
        effect.characteristic
        for effect in (table.row(command.place).effects if table.has_row(command.place) else ())
        if hasattr(effect, "characteristic")
    }
    improves = tuple(
        decision.rulebook.book.characteristic_called(name) or name for name in command.characteristics
    )
    for characteristic in improves:
        if characteristic not in took:
            why = f"{command.place} took no {characteristic.replace('_', ' ')}"
            raise records.BionicDoesNotFit(fighter=fighter.name, item=item.name, why=why, section=section)
        limits = decision.rulebook.limits(characteristic)
        if limits.is_past_best(limits.improved(fighter.characteristics[characteristic], 1)):
            why = f"{limits.short} is at its best already"
            raise records.BionicDoesNotFit(fighter=fighter.name, item=item.name, why=why, section=section)
    fitted = decision.emit(
        records.BionicFitted(
            fighter=command.fighter,
            place=command.place,
            name=item.name,
            section=section,
            may_be_ruined=command.reading > 1,
        )
    )
    decision.emit(
        records.ItemMoved(
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
    for characteristic in improves:
        before = decision.fighter(command.fighter).characteristics[characteristic]
        after = decision.rulebook.limits(characteristic).improved(before, 1)
        decision.emit(
            records.CharacteristicChanged(
                fighter=command.fighter,
                characteristic=characteristic,
                before=before,
                after=after,
                why=item.name,
            ),
            cause=fitted,
        )


def withstands(decision: Decision, harm: Harm, row: Row, *, cause: int) -> bool:
    """Whether a bionic in the place of an injury protects the fighter, by a die.

    The bionic may be ruined. Then its benefit is lost, and whether the injury counts is the book's to say.
    """
    fighter = decision.fighter(harm.target)
    bionic = next((bionic for bionic in fighter.fitted if bionic.place == row.id), None)
    if bionic is None:
        return False
    die = decision.tray.d6("bionic", why=f"{row.name}, where {bionic.name} is", fighter=harm.target)
    ignored = die.face >= IGNORED_FROM
    rolled = decision.roll(
        die,
        outcome="ignored" if ignored else f"{row.name} counts",
        section="bionics",
        rolled_by=fighter.gang,
        target=IGNORED_FROM,
        passed=ignored,
        cause=cause,
    )
    if not ignored:
        return False
    again = decision.tray.d6("bionic_ruined", why=f"whether {bionic.name} is ruined", fighter=harm.target)
    holds = again.face > RUINED_ON
    rolled = decision.roll(
        again,
        outcome="holds" if holds else "ruined",
        section="bionics",
        rolled_by=fighter.gang,
        target=RUINED_ON + 1,
        passed=holds,
        cause=rolled,
    )
    if not holds:
        _ruin(decision, fighter, bionic, cause=rolled)
        if decision.rulebook.knob("bionics.ruined") == "injury_applies":
            return False
    why = f"{row.name} ignored, where {bionic.name} {'is' if holds else 'was'}"
    decision.note_rule(harm.target, why, section="bionics", cause=rolled)
    return True


def _ruin(decision: Decision, fighter: Fighter, bionic: Bionic, *, cause: int) -> None:
    section = decision.rulebook.section("bionics")
    ruined = decision.emit(
        records.BionicRuined(fighter=fighter.fighter, place=bionic.place, name=bionic.name, section=section),
        cause=cause,
    )
    why = f"{bionic.name} ruined"
    for characteristic in bionic.improves:
        limits = decision.rulebook.limits(characteristic)
        before = decision.fighter(fighter.fighter).characteristics[characteristic]
        after = limits.worsened(before, 1)
        if not limits.is_past_worst(after):
            decision.emit(
                records.CharacteristicChanged(
                    fighter=fighter.fighter,
                    characteristic=characteristic,
                    before=before,
                    after=after,
                    why=why,
                ),
                cause=ruined,
            )
    place = on_fighter(fighter.fighter)
    if any(item.name == bionic.name for item in things_of(decision.fighter(fighter.fighter))):
        item = on_card(decision, fighter.fighter, bionic.name)
        hand_over(decision, item, place, "@lost", why=why, section="bionics", cause=ruined)
