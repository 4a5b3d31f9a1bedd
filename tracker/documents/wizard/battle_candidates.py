"""Who and what an answer can name in a battle: weapons on cards, who lies there, what a shot asks for."""

from __future__ import annotations

from tracker.campaign.profiles import Weapon
from tracker.documents.wizard import context


def hurt_friends(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who of the gang is Seriously Injured or Out of Action."""
    under_way, own = table.state.under_way, context.gang_of_answers(table, answers)
    hurt = under_way.combatants.items() if under_way is not None else ()
    fallen = [one for one, how in hurt if how.out_of_action or how.seriously_injured]
    cards = (table.state.fighter(one) for one in fallen)
    return context.fighter_choices(one for one in cards if one is not None and one.gang == own)


def out_of_action_fighters(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...]:
    """Who is Out of Action."""
    under_way = table.state.under_way
    everybody = under_way.combatants.items() if under_way is not None else ()
    cards = (table.state.fighter(one) for one, how in everybody if how.out_of_action)
    return context.fighter_choices(one for one in cards if one is not None)


def lying_enemies(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Enemies who are Seriously Injured."""
    under_way = table.state.under_way
    hurt = under_way.combatants if under_way is not None else {}
    lying = {one for one, how in hurt.items() if how.seriously_injured}
    return tuple(one for one in context.enemies(table, answers) if one.value in lying)


def out_of_ammo(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...]:
    """Who has a weapon to reload."""
    under_way = table.state.under_way
    everybody = under_way.combatants if under_way is not None else {}
    return context.fighter_choices(
        one for one in table.fighters() if one.fighter in everybody and everybody[one.fighter].out_of_ammo
    )


def pinned(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...]:
    """Who is Pinned."""
    under_way = table.state.under_way
    everybody = under_way.combatants if under_way is not None else {}
    return context.fighter_choices(
        one for one in table.fighters() if one.fighter in everybody and everybody[one.fighter].pinned
    )


def tested_to_flee(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Of those who test whether they flee, everybody."""
    return () if answers.get("voluntarily") else _of_list(table, answers)


def leaving(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Of those who flee of their own will, everybody."""
    return _of_list(table, answers) if answers.get("voluntarily") else ()


def _of_list(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    listed = answers.get("fighters")
    cards = (table.state.fighter(str(one)) for one in (listed if isinstance(listed, list) else ()))
    return context.fighter_choices(one for one in cards if one is not None)


def to_mutate(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...]:
    """Who has a mutation to choose."""
    return context.fighter_choices(one for one in table.fighters() if one.mutations_to_choose)


def weapons_of(table: context.Context, answers: context.Answers) -> tuple[Weapon, ...]:
    """The weapons on the attacker's card."""
    bearer = table.state.fighter(str(answers.get("attacker") or answers.get("fighter")))
    return bearer.weapons if bearer is not None else ()


def weapons(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The weapons on the attacker's card, by name."""
    return context.as_choices(one.weapon for one in weapons_of(table, answers))


def _has_range(weapon: Weapon) -> bool:
    traits = (trait for profile in weapon.profiles for trait in profile.traits)
    ranged = any(profile.range_long_inches is not None for profile in weapon.profiles)
    return ranged or any(trait.startswith("Template") for trait in traits)


def fired(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Those of the attacker's weapons that shoot."""
    return context.as_choices(one.weapon for one in weapons_of(table, answers) if _has_range(one))


def profiles(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The profiles of the weapon, where it has several."""
    for weapon in weapons_of(table, answers):
        if weapon.weapon == answers.get("weapon") and len(weapon.profiles) > 1:
            return context.as_choices(profile.name for profile in weapon.profiles)
    return ()


def _traits(table: context.Context, answers: context.Answers) -> tuple[str, ...]:
    for weapon in weapons_of(table, answers):
        if weapon.weapon == answers.get("weapon"):
            named = answers.get("profile")
            chosen = [one for one in weapon.profiles if named in (None, one.name)]
            return tuple(trait for profile in chosen for trait in profile.traits)
    return ()


def _has(table: context.Context, answers: context.Answers, trait: str) -> bool:
    return any(one.startswith(trait) for one in _traits(table, answers))


def shot_at(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Whom a shot may be aimed at; a Template is aimed at nobody."""
    return () if _has(table, answers, "Template") else context.enemies(table, answers)


def shot_range(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """How far off the target is; a Template asks for no range."""
    return () if _has(table, answers, "Template") else context.as_choices(("short", "long", "beyond"))


def cover(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The target's cover; a Template asks for none."""
    return () if _has(table, answers, "Template") else context.as_choices(("none", "partial", "full"))


def under_marker(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who may lie under a Blast marker."""
    return context.all_fighters(table, answers) if _has(table, answers, "Blast") else ()


def under_template(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who may lie under a Template."""
    return context.enemies_first(table, answers) if _has(table, answers, "Template") else ()


def firepower(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...] | None:
    """Anything for a weapon with Firepower dice; not asked for others."""
    return None if _has(table, answers, "Rapid Fire") else ()
