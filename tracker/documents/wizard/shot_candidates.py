"""Candidates for the keys of a shot or a hit, by the weapon used and the traits and skills that act."""

from __future__ import annotations

from tracker.campaign.profiles import Weapon, WeaponProfile
from tracker.campaign.steps import rulebook_in_force
from tracker.documents.wizard import context, fight_candidates, vehicle_candidates
from tracker.rules import loader
from tracker.rules.necromunda import shooting
from tracker.rules.special_rules import SpreadsHits


def weapons_of(table: context.Context, answers: context.Answers) -> tuple[Weapon, ...]:
    """The weapons on the attacker's card, or those of the vehicle that is named."""
    bearer = table.state.fighter(str(answers.get("attacker") or answers.get("fighter")))
    mounted = vehicle_candidates.weapons_mounted(table, answers, bearer)
    if mounted is not None:
        return mounted
    return bearer.weapons if bearer is not None else ()


def weapons(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The weapons on the attacker's card, by name."""
    return context.as_choices(weapon.weapon for weapon in weapons_of(table, answers))


def _has_range(weapon: Weapon) -> bool:
    return any(
        (profile.ammo is not None or shooting.has_trait(profile.traits, shooting.SINGLE_SHOT))
        and (profile.range_long_inches is not None or shooting.has_trait(profile.traits, shooting.TEMPLATE))
        for profile in weapon.profiles
    )


def fired(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Those of the attacker's weapons that shoot."""
    return context.as_choices(weapon.weapon for weapon in weapons_of(table, answers) if _has_range(weapon))


def profiles(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The profiles of the weapon, where it has several."""
    for weapon in weapons_of(table, answers):
        if weapon.weapon == answers.get("weapon") and len(weapon.profiles) > 1:
            return context.as_choices(profile.name for profile in weapon.profiles)
    return ()


def _chosen(table: context.Context, answers: context.Answers) -> tuple[WeaponProfile, ...]:
    """The profiles that the shot may be made with."""
    for weapon in weapons_of(table, answers):
        if weapon.weapon == answers.get("weapon"):
            named = answers.get("profile")
            return tuple(profile for profile in weapon.profiles if named in (None, profile.name))
    return ()


def traits_used(table: context.Context, answers: context.Answers) -> tuple[str, ...]:
    """The traits of the profiles that the shot may be made with."""
    return tuple(trait for profile in _chosen(table, answers) for trait in profile.traits)


def _has(table: context.Context, answers: context.Answers, trait: str) -> bool:
    return shooting.has_trait(traits_used(table, answers), trait)


def shot_at(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Whom a shot may be aimed at; a Template is aimed at nobody."""
    if _has(table, answers, shooting.TEMPLATE) or answers.get("drawn_among"):
        return ()
    return vehicle_candidates.enemies_and_vehicles(table, answers)


def shot_range(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """How far off the target is; a Template asks for no range, and not every weapon has a Short one."""
    if _has(table, answers, shooting.TEMPLATE):
        return ()
    chosen = _chosen(table, answers)
    short = not chosen or any(profile.range_short_inches is not None for profile in chosen)
    return context.as_choices(("short", "long", "beyond") if short else ("long", "beyond"))


def closest(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """Yes or no; of a Template only where a house rule asks whether it touches the closest enemy."""
    if not _has(table, answers, shooting.TEMPLATE):
        return None
    rulebook = rulebook_in_force(table.state, loader.rulebook)
    return () if shooting.template_skips_priority(traits_used(table, answers), rulebook) else None


def cover(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The target's cover; a Template asks for none."""
    return () if _has(table, answers, shooting.TEMPLATE) else context.as_choices(("none", "partial", "full"))


def under_marker(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who may lie under a Blast marker."""
    if not _has(table, answers, shooting.BLAST):
        return ()
    return (*context.all_fighters(table, answers), *vehicle_candidates.with_their_sides(table, answers))


def under_template(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who may lie under a Template."""
    if not _has(table, answers, shooting.TEMPLATE):
        return ()
    return (*context.enemies_first(table, answers), *vehicle_candidates.with_their_sides(table, answers))


def in_the_way(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who may be hit by a stray shot: not the target; vehicles, by their sides, where the rules say so."""
    at_risk = shooting.vehicles_at_risk(rulebook_in_force(table.state, loader.rulebook))
    sides = vehicle_candidates.with_their_sides(table, answers) if at_risk else ()
    everybody = (*context.enemies_first(table, answers), *sides)
    return tuple(model for model in everybody if model.value.partition("/")[0] != answers.get("target"))


def firepower(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """Anything for a weapon that may roll several Firepower dice; not asked for others."""
    return None if shooting.firepower_dice_allowed(traits_used(table, answers)) > 1 else ()


def in_close_combat(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """Yes or no for a weapon that can be either; a weapon that only shoots is not asked about."""
    used = [weapon for weapon in weapons_of(table, answers) if weapon.weapon == answers.get("weapon")]
    melee = _has(table, answers, shooting.MELEE) or _has(table, answers, shooting.SIDEARM)
    return None if melee or not all(_has_range(weapon) for weapon in used) else ()


def from_behind(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """Yes or no where a trait or a skill in the shot asks about the target's vision arc; else not asked."""
    attacker = table.state.fighter(str(answers.get("attacker")))
    target = table.state.fighter(str(answers.get("target")))
    if attacker is None or target is None:
        return ()
    acts = fight_candidates.rules_between(table, attacker, target, traits_used(table, answers))
    return None if acts is not None and acts.ask_about("behind", "in_front") else ()


def psyker(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """Yes or no where a trait of the weapon asks whether the target is one."""
    attacker = table.state.fighter(str(answers.get("attacker")))
    if attacker is None:
        return ()
    acts = fight_candidates.rules_between(table, attacker, None, traits_used(table, answers))
    return None if acts is not None and acts.ask_about("against_psyker") else ()


def eligible(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who may be drawn as the target, where the weapon draws one at random."""
    attacker = table.state.fighter(str(answers.get("attacker")))
    if attacker is None:
        return ()
    acts = fight_candidates.rules_between(table, attacker, None, traits_used(table, answers))
    before = acts.at("target_priority") if acts is not None else ()
    draws = any(isinstance(rule.declared.then, SpreadsHits) for rule in before)
    everybody = context.enemies_first(table, answers) if draws else ()
    return tuple(choice for choice in everybody if choice.value != attacker.fighter)


def lying(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...]:
    """The markers on the battlefield that a die or a blow of their own ends."""
    markers = table.state.under_way.markers if table.state.under_way is not None else ()
    return tuple(
        context.Choice(value=str(marker.marker), name=f"{row.name} of {marker.weapon}")
        for marker in markers
        if (row := table.book.traits.get(marker.trait)) is not None
    )


def touched(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who may be touched by a marker that strikes only then."""
    lying = table.state.under_way.markers if table.state.under_way is not None else ()
    strikes = any(str(marker.marker) == str(answers.get("marker")) and marker.profile for marker in lying)
    return context.all_fighters(table, answers) if strikes else ()


def stays_beneath(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who of those beneath a marker or template may dodge out from under it."""
    attacker = table.state.fighter(str(answers.get("attacker")))
    area = _has(table, answers, shooting.BLAST) or _has(table, answers, shooting.TEMPLATE)
    if attacker is None or not area:
        return ()
    beneath = [answers.get(key) for key in ("under_marker", "under_template")]
    named = [str(model) for listed in beneath if isinstance(listed, list) for model in listed]
    named = named or [str(answers.get("target"))]
    cards = [card for model in named if (card := table.state.fighter(model)) is not None]
    dodging = []
    for card in cards:
        acts = fight_candidates.rules_between(table, attacker, card, ())
        if acts is not None and acts.at("beneath"):
            dodging.append(card)
    return context.fighter_choices(dodging)
