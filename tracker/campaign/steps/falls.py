"""Falling: an automatic hit by the distance fallen.

Source: Core Rulebook (2023) · Resolve Hits · Falling.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps import characteristic_tests as tests
from tracker.campaign.steps import injury_chart, resolve_hits
from tracker.campaign.steps.annotations import HowHit
from tracker.campaign.steps.conditions import initiative_needed, lies_helpless
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.harm import Harm
from tracker.campaign.steps.hits import check_fighters
from tracker.rules.combat_tables import FallBand
from tracker.rules.necromunda import falls
from tracker.rules.rulebook import BookHasNo


@handles(records.ResolveFall)
def resolve_fall(decision: Decision, command: records.ResolveFall) -> None:
    """A fall of 3" or more hits automatically; the fighter ends Prone and Pinned.

    Source: Core Rulebook (2023) · Resolve Hits · Falling.
    """
    if "injury_chart" in decision.rulebook.book.charts:
        injury_chart.fall_on_chart(decision, command)
        return
    if command.voluntary or command.spend_markers or command.spend_blessings:
        raise BookHasNo(book=decision.rulebook.book.title, part="injury_chart")
    harm = Harm(target=command.target, grudge_against=command.grudge_against, keeps=command.keeps)
    check_fighters(decision, harm, what="a fall")
    fall(decision, harm, command.distance_hundredths, save_with=command.save_with)


def fall(
    decision: Decision,
    harm: Harm,
    distance_hundredths: int,
    *,
    save_with: records.SaveWith,
    cause: int = 0,
) -> None:
    """Resolve a fall of this distance. Source: Core Rulebook (2023) · Resolve Hits · Falling."""
    catfall = decision.has_skill_in_battle(harm.target, "catfall")
    fallen = falls.halved(distance_hundredths) if catfall else distance_hundredths
    band = falls.fall_hit(fallen, rulebook=decision.rulebook)
    if band is None:
        lowest = decision.rulebook.book.lowest_fall_inches
        why = f'a fall of less than {lowest}" does no harm'
        decision.note_rule(harm.target, why, section="falling", cause=cause)
        return
    now = decision.combatant(harm.target, what="a fall")
    if catfall and not (now.pinned or lies_helpless(decision, now)):
        suffer_hit_of_fall(decision, harm, band, how="fall", save_with=save_with)
        decision.independent(_land_on_feet, harm.target)
        return
    if not lies_helpless(decision, now):
        decision.emit(records.FighterPinned(fighter=harm.target), cause=cause)
    suffer_hit_of_fall(decision, harm, band, how="fall", save_with=save_with)


def _land_on_feet(decision: Decision, fighter: str) -> None:
    """Catfall: an Initiative test of a fighter neither down nor out; one who passes is not Pinned.

    Source: Core Rulebook (2023) · Skills · Catfall.
    """
    now = decision.battle("a fall").combatants[fighter]
    if now.out_of_action or lies_helpless(decision, now):
        return
    needs = initiative_needed(decision, fighter)
    die = decision.tray.d6("catfall", why=f"Initiative test with Catfall, needs {needs}+", fighter=fighter)
    stands, rolled = tests.take_initiative(
        decision, die, fighter, section="skills", outcomes=("lands standing", "lands Prone")
    )
    if not stands:
        decision.emit(records.FighterPinned(fighter=fighter), cause=rolled)


def suffer_hit_of_fall(
    decision: Decision, harm: Harm, band: FallBand, *, how: HowHit, save_with: records.SaveWith
) -> None:
    """Resolve the hit of a fall: no hit roll, and no weapon."""
    hit = resolve_hits.HitToResolve(
        strength=band.strength,
        armour_penetration=band.armour_penetration,
        damage=band.damage,
        save_with=save_with,
    )
    resolve_hits.resolve_without_weapon(decision, harm, hit, how=how)
