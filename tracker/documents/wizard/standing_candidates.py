"""Candidates by their condition in the battle: hurt, Pinned, Out of Action, out of ammo, or Captured after
it.

Knows states. Knows no rule: `legal_entries` filters the legal ones.
"""

from __future__ import annotations

from tracker.documents.wizard import context, vehicle_candidates


def hurt_friends(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who of the gang is Seriously Injured, Webbed or Out of Action."""
    under_way, own = table.state.under_way, context.gang_of_answers(table, answers)
    hurt = under_way.combatants.items() if under_way is not None else ()
    fallen = [fighter for fighter, how in hurt if how.out_of_action or how.seriously_injured or how.webbed]
    cards = (table.state.fighter(fighter) for fighter in fallen)
    return context.fighter_choices(
        fighter for fighter in cards if fighter is not None and fighter.gang == own
    )


def out_of_action_fighters(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...]:
    """Who is Out of Action."""
    under_way = table.state.under_way
    everybody = under_way.combatants.items() if under_way is not None else ()
    cards = (table.state.fighter(fighter) for fighter, how in everybody if how.out_of_action)
    return context.fighter_choices(fighter for fighter in cards if fighter is not None)


def lying_enemies(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Enemies who are Seriously Injured, or Webbed, which counts as that."""
    under_way = table.state.under_way
    hurt = under_way.combatants if under_way is not None else {}
    lying = {fighter for fighter, how in hurt.items() if how.seriously_injured or how.webbed}
    return tuple(enemy for enemy in context.enemies(table, answers) if enemy.value in lying)


def out_of_ammo(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...]:
    """Who has a weapon to reload."""
    under_way = table.state.under_way
    everybody = under_way.combatants if under_way is not None else {}
    return context.fighter_choices(
        fighter
        for fighter in table.fighters()
        if (fighter.fighter in everybody and everybody[fighter.fighter].out_of_ammo)
        or vehicle_candidates.to_reload(table, {"fighter": fighter.fighter})
    )


def pinned(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...]:
    """Who is Pinned."""
    under_way = table.state.under_way
    everybody = under_way.combatants if under_way is not None else {}
    return context.fighter_choices(
        fighter
        for fighter in table.fighters()
        if fighter.fighter in everybody and everybody[fighter.fighter].pinned
    )


def captured(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...]:
    """Who may be captured yet."""
    return context.fighter_choices(fighter for fighter in table.fighters() if fighter.capture_pending)


def critical(table: context.Context, _: context.Answers) -> tuple[context.Choice, ...]:
    """Who is Critically Injured."""
    return context.fighter_choices(fighter for fighter in table.fighters() if fighter.critical)
