"""Candidates by their condition in the battle: hurt, Pinned, Out of Action, out of ammo, or Captured after
it.

Knows states. Knows no rule: `legal_entries` filters the legal ones.
"""

from __future__ import annotations

from tracker.documents.wizard import context, vehicle_candidates


def hurt_friends(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Who else of the gang is Seriously Injured, Webbed or Out of Action."""
    under_way, own = table.state.under_way, context.gang_of_answers(table, answers)
    hurt = under_way.combatants.items() if under_way is not None else ()
    fallen = [fighter for fighter, how in hurt if how.out_of_action or how.seriously_injured or how.webbed]
    cards = (table.state.fighter(fighter) for fighter in fallen)
    return context.fighter_choices(
        fighter
        for fighter in cards
        if fighter is not None and fighter.gang == own and fighter.fighter != answers.get("fighter")
    )


def friends_of_actor(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """The other fighters of the gang of who acts; everybody where nobody is named."""
    actor = answers.get("by")
    own = table.state.gang_of.get(actor) if isinstance(actor, str) else None
    return context.fighter_choices(
        fighter for fighter in table.fighters() if own in (None, fighter.gang) and fighter.fighter != actor
    )


def to_treat(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Those of them who lost a Wound or have a Flesh Wound."""
    under_way = table.state.under_way
    hurt = {
        fighter
        for fighter, how in (under_way.combatants.items() if under_way is not None else ())
        if how.flesh_wounds
        or ((card := table.state.fighter(fighter)) and how.wounds_left < card.characteristics["wounds"])
    }
    return tuple(friend for friend in friends_of_actor(table, answers) if friend.value in hurt)


def thrown_against(table: context.Context, answers: context.Answers) -> tuple[context.Choice, ...]:
    """Everybody but who hurls and who is hurled."""
    named = (answers.get("attacker"), answers.get("target"))
    return context.fighter_choices(fighter for fighter in table.fighters() if fighter.fighter not in named)


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
