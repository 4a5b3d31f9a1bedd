"""Boons: free recruits and equipment of a territory, and a patron's help for an underdog.

Knows what comes with a territory and goes with it. Income and Reputation are in `territories.py`. Source:
Core Rulebook (2023) · Dominion Campaign · Territories; Underdogs: House Patronage.
"""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.after_battle import Territory
from tracker.campaign.holdings import on_fighter, rating, stash_of
from tracker.campaign.state import Gang
from tracker.campaign.steps import ledger
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.post_battle_sequence import advance_to, after_battle, note_done_once, with_reason
from tracker.campaign.steps.trading import join
from tracker.rules.necromunda import post_battle as rules
from tracker.rules.post_battle_tables import Recruit
from tracker.rules.rulebook import BookHasNo


@handles(records.TakeRecruit)
def take_recruit(decision: Decision, command: records.TakeRecruit) -> None:
    """A recruit joins for free. If dice decide whether one comes, they are rolled once after each battle.

    Hangers-on recruited so need no Reputation, and do not count among those that it allows.
    """
    decision.refuse_during_battle()
    territory, gang = decision.held_territory(command.territory)
    territory_rules = decision.rulebook.book.territories.get(territory.kind)
    house = rules.house_id(gang.house)
    recruit = (
        rules.recruit_of(territory_rules, house=house, alignment=gang.alignment)
        if territory_rules is not None
        else None
    )
    if recruit is None:
        raise _no_boon(decision, territory, gang, "recruit")
    for card in command.cards:
        _refuse_other_kind(territory, recruit, card)
    if recruit.dice:
        after_battle(decision, gang.gang, what="a recruit")
        cause = advance_to(decision, gang.gang, "boons", required=True)
        what = f"the recruit of {territory.name}"
        cause = note_done_once(decision, gang.gang, f"recruit:{territory.territory}", what=what, cause=cause)
        joining, rolled = _roll_for_recruit(decision, command, territory, gang, recruit, cause=cause)
        if joining is not None:
            join(decision, gang.gang, joining, cause=rolled)
        return
    still = [name for name in territory.recruits if decision.fighter(name).standing == "enlisted"]
    if not command.cards or len(still) + len(command.cards) > recruit.count:
        what = f"{recruit.count} {recruit.type or recruit.category}, and there are {len(still)}"
        raise records.BoonTakenBefore(territory=territory.name, gang=gang.name, what=what)
    cause = advance_to(decision, gang.gang, "boons")
    for card in command.cards:
        taken = _note_boon(decision, territory, gang, recruit=card.fighter, items=(), cause=cause)
        join(decision, gang.gang, card, cause=taken)


@handles(records.TakeEquipment)
def take_equipment(decision: Decision, command: records.TakeEquipment) -> None:
    """The items of a territory go into the stash for free, once while the gang holds it."""
    decision.refuse_during_battle()
    territory, gang = decision.held_territory(command.territory)
    territory_rules = decision.rulebook.book.territories.get(territory.kind)
    equipment = territory_rules.equipment if territory_rules is not None else None
    if equipment is None:
        raise _no_boon(decision, territory, gang, "equipment")
    if territory.equipment:
        what = f"{len(territory.equipment)} {equipment.item}"
        raise records.BoonTakenBefore(territory=territory.name, gang=gang.name, what=what)
    cause = advance_to(decision, gang.gang, "boons")
    items = (command.item.name,) * equipment.count
    taken = _note_boon(decision, territory, gang, recruit=None, items=items, cause=cause)
    for _ in items:
        ledger.hand_over(
            decision,
            command.item,
            "@territory",
            stash_of(gang.gang),
            why=f"{equipment.item} of {territory.name}",
            section="update_roster",
            cause=taken,
        )


def lose_boons(decision: Decision, territory: Territory, *, cause: int) -> None:
    """A gang loses its boons of a territory: items in the stash before those that are carried."""
    gang = decision.gang(territory.holder or "")
    why = f"{territory.name} lost"
    for name in territory.recruits:
        if decision.fighter(name).standing == "enlisted":
            decision.emit(records.FighterRetired(fighter=name, reason=why), cause=cause)
    for name in territory.equipment:
        place = _place_of(decision, gang.gang, name)
        if place is not None:
            item = ledger.at_place(decision, place, name)
            ledger.hand_over(decision, item, place, "@lost", why=why, section="territory", cause=cause)


@handles(records.TakePatronage)
def take_patronage(decision: Decision, command: records.TakePatronage) -> None:
    """A patron pays credits to a gang far behind its next enemy, if the campaign plays so."""
    decision.refuse_during_battle()
    gang, enemy = decision.gang(command.gang), decision.gang(command.against)
    if "campaign" not in decision.rulebook.book.sections:
        raise BookHasNo(book=decision.rulebook.book.title, part="patronage")
    if decision.rulebook.knob("underdog.patronage") == "no":
        why = "this campaign does not play with it (arbitrator rules show underdog.patronage)"
        raise records.NoPatronage(gang=gang.name, why=why)
    own, theirs = (
        rating(gang) if gang.rating_recorded is None else gang.rating_recorded for gang in (gang, enemy)
    )
    amount = rules.patronage(rating=own, against=theirs)
    if not amount:
        why = f"its rating is {own} against {theirs} of {enemy.name}, and it begins at 400 behind"
        raise records.NoPatronage(gang=gang.name, why=why)
    cause = 0
    if command.gang in decision.state.after_battle:
        cause = note_done_once(decision, command.gang, "patronage", what="patronage for the battle to come")
    why = with_reason(f"patronage, {theirs - own} behind {enemy.name}", command.reason)
    ledger.move_credits(decision, "@campaign", command.gang, amount, why=why, section="campaign", cause=cause)


def _roll_for_recruit(
    decision: Decision,
    command: records.TakeRecruit,
    territory: Territory,
    gang: Gang,
    recruit: Recruit,
    *,
    cause: int,
) -> tuple[records.FighterCard | None, int]:
    """The recruit who comes by the dice, if any, and the place of the last roll."""
    faces: list[int] = []
    joining = None
    for nth in range(1, recruit.dice + 1):
        die = decision.tray.d6("recruit", why=f"recruit of {territory.name}, die {nth} of {recruit.dice}")
        faces.append(die.face)
        outcome = "counts"
        if nth == recruit.dice:
            ranks = rules.recruited(recruit, faces)
            joining = next((card for rank in ranks for card in command.cards if card.category == rank), None)
            who = joining.name if joining is not None else "nobody was named"
            free = " or ".join(f"a {rank.capitalize()}" for rank in ranks)
            outcome = f"{free} for nothing: {who}" if ranks else "nobody comes"
        cause = decision.roll(die, outcome=outcome, section="update_roster", rolled_by=gang.gang, cause=cause)
    return joining, cause


def _refuse_other_kind(territory: Territory, recruit: Recruit, card: records.FighterCard) -> None:
    ranks = (recruit.category,) if recruit.all_category is None else (recruit.category, recruit.all_category)
    other_type = recruit.type is not None and card.kind.casefold() != recruit.type.casefold()
    if card.category not in ranks or other_type:
        raise records.RecruitOfAnotherKind(
            territory=territory.name,
            who=card.name,
            given=f"a {card.kind} ({card.category})",
            brings=f"a {recruit.type or ' or a '.join(ranks)}",
        )


def _note_boon(
    decision: Decision,
    territory: Territory,
    gang: Gang,
    *,
    recruit: str | None,
    items: tuple[str, ...],
    cause: int,
) -> int:
    return decision.emit(
        records.BoonTaken(
            gang=gang.gang,
            territory=territory.territory,
            name=territory.name,
            recruit=recruit,
            items=items,
            section=decision.rulebook.section("update_roster"),
        ),
        cause=cause,
    )


def _no_boon(decision: Decision, territory: Territory, gang: Gang, boon: str) -> records.NoSuchBoon:
    section = decision.rulebook.section("territory")
    return records.NoSuchBoon(territory=territory.name, gang=gang.name, boon=boon, section=section)


def _place_of(decision: Decision, gang: str, name: str) -> str | None:
    """Where a gang keeps an item of that name: its stash, else the first card that has it."""
    card = decision.gang(gang)
    if any(item.name.casefold() == name.casefold() for item in card.stash):
        return stash_of(gang)
    for fighter in card.fighters.values():
        if any(item.name.casefold() == name.casefold() for item in ledger.things_of(fighter)):
            return on_fighter(fighter.fighter)
    return None
