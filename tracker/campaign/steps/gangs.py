"""Gangs and fighters join, leave and are renamed."""

from __future__ import annotations

from tracker.campaign import records
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.estate import gear_to_stash
from tracker.campaign.steps.handlers import handles
from tracker.campaign.steps.vehicle_gangs import enlist_vehicle


@handles(records.EnlistGang)
def enlist_gang(decision: Decision, command: records.EnlistGang) -> None:
    """A gang joins with all its fighters, whose cards must be printable by the book."""
    decision.refuse_during_battle()
    if command.gang in decision.state.gangs:
        raise records.GangEnlistedAlready(gang=command.gang)
    enlisted = decision.emit(
        records.GangEnlisted(
            gang=command.gang,
            name=command.name,
            house=command.house,
            player=command.player,
            credits=command.credits,
            reputation=command.reputation,
        )
    )
    for card in command.fighters:
        enlist_card(decision, command.gang, card, cause=enlisted)
    for vehicle in command.vehicles:
        enlist_vehicle(decision, command.gang, vehicle, cause=enlisted)


@handles(records.EnlistFighter)
def enlist_fighter(decision: Decision, command: records.EnlistFighter) -> None:
    """One more fighter joins a gang."""
    decision.refuse_during_battle()
    decision.gang(command.gang)
    enlist_card(decision, command.gang, command.card, cause=0)


@handles(records.RetireFighter)
def retire_fighter(decision: Decision, command: records.RetireFighter) -> None:
    """A fighter leaves for good. Refuses who is dead or retired."""
    decision.refuse_during_battle()
    decision.enlisted(command.fighter)
    retired = decision.emit(records.FighterRetired(fighter=command.fighter, reason=command.reason))
    if command.gear_to_stash:
        gear_to_stash(decision, command.fighter, cause=retired)


@handles(records.RenameFighter)
def rename_fighter(decision: Decision, command: records.RenameFighter) -> None:
    """A fighter gets another name; the id stays."""
    fighter = decision.fighter(command.fighter)
    decision.emit(records.FighterRenamed(fighter=command.fighter, before=fighter.name, after=command.name))


def enlist_card(decision: Decision, gang: str, card: records.FighterCard, *, cause: int) -> None:
    """A fighter joins with a card that the book could print."""
    if card.fighter in decision.state.gang_of:
        raise records.FighterEnlistedAlready(fighter=card.fighter, gang=decision.state.gang_of[card.fighter])
    ranks = decision.rulebook.book.categories
    if ranks and card.category not in ranks:
        raise records.RankNotInBook(fighter=card.name, rank=card.category, known=ranks)
    if card.fighter in decision.state.vehicle_of:
        raise records.VehicleEnlistedAlready(vehicle=card.fighter, known_as="vehicle")
    printed = decision.rulebook.book.characteristics
    if set(card.characteristics) != set(printed):
        raise records.OtherCharacteristics(
            fighter=card.name,
            missing=tuple(name for name in printed if name not in card.characteristics),
            unknown=tuple(name for name in card.characteristics if name not in printed),
        )
    for limits in map(decision.rulebook.limits, printed):
        value = card.characteristics[limits.characteristic]
        if not limits.allows(value):
            raise records.CharacteristicOutOfRange(
                fighter=card.name,
                characteristic=limits.short,
                value=limits.shown(value),
                best=limits.shown(limits.best),
                worst=limits.shown(limits.worst),
            )
    decision.emit(
        records.FighterEnlisted(
            fighter=card.fighter,
            gang=gang,
            name=card.name,
            category=card.category,
            kind=card.kind,
            cost_credits=card.cost_credits,
            # In the log's own order, so that a state played is the state folded, byte for byte.
            characteristics=dict(sorted(card.characteristics.items())),
            experience=card.experience,
            skills=card.skills,
            armour=card.armour,
            field_armour=card.field_armour,
            weapons=card.weapons,
            wargear=card.wargear,
            mounted=card.mounted,
            gang_fighter=card.gang_fighter,
        ),
        cause=cause,
    )
