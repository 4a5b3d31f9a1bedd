"""Cards of fighters and vehicles join a gang; fighters leave and are renamed."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import asdict

from tracker.campaign import records
from tracker.campaign.holdings import on_fighter, stash_of
from tracker.campaign.profiles import Item
from tracker.campaign.state import LastingDamageOnCard
from tracker.campaign.steps.decision import Decision
from tracker.campaign.steps.dispatch import handles
from tracker.campaign.steps.ledger import hand_over, things_of
from tracker.rules.vehicle_tables import LastingDamage, Rattle, Unreliable, WriteOff


@handles(records.RetireFighter)
def retire_fighter(decision: Decision, command: records.RetireFighter) -> None:
    """A fighter leaves for good. Refuses the dead and retired."""
    decision.refuse_during_battle()
    decision.enlisted(command.fighter)
    retired = decision.emit(records.FighterRetired(fighter=command.fighter, reason=command.reason))
    if command.gear_to_stash and not command.takes_gear:
        gear_to_stash(decision, command.fighter, cause=retired)


@handles(records.RenameFighter)
def rename_fighter(decision: Decision, command: records.RenameFighter) -> None:
    """A fighter gets another name; the id stays."""
    fighter = decision.fighter(command.fighter)
    decision.emit(records.FighterRenamed(fighter=command.fighter, before=fighter.name, after=command.name))


def enlist_card(decision: Decision, gang: str, card: records.FighterCard, *, cause: int) -> int:
    """A fighter joins with a card. Refuses numbers and ranks that the book does not know. Returns the place
    of the event.
    """
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
        if not limits.is_usable(value):
            raise records.CharacteristicOutOfRange(
                fighter=card.name,
                characteristic=limits.short,
                value=limits.shown(value),
                best=limits.shown(limits.best),
                worst=limits.shown(limits.worst),
            )
    return decision.emit(
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
            advancements=_skills_learned(decision, card),
        ),
        cause=cause,
    )


def _skills_learned(decision: Decision, card: records.FighterCard) -> int:
    """How many skills on a card are for thresholds of XP: at most as many as its XP has passed.

    Source: Trench Crusade (1.6) · Campaign · Experience.
    """
    if not card.skills_learned:
        return 0
    passed = sum(at <= card.experience for at in decision.rulebook.book.warbands.experience.learns_at)
    return min(len(card.skills), passed)


# --- a dead fighter's estate --------------------------------------------------------------------------


def gear_of_the_dead(decision: Decision, fighter: str, *, saved: bool) -> None:
    """A dead fighter's gear goes to the stash, except armour, if somebody `saved` it; else it is lost.

    `saved`: a friendly fighter remained on the field, or the fighter died at the Doc (G-19). A vehicle that
    the fighter drove goes to the stash.
    """
    not_kept = decision.rulebook.book.gangs.dead.not_kept
    kept = tuple(item for item in things_of(decision.fighter(fighter)) if saved and item.kind not in not_kept)
    _leave_gear(decision, fighter, kept, became="died", cause=0)


def gear_to_stash(decision: Decision, fighter: str, *, cause: int) -> None:
    """All gear of a fighter who retires goes to the stash, with the vehicle they drove."""
    _leave_gear(decision, fighter, things_of(decision.fighter(fighter)), became="retired", cause=cause)


def _leave_gear(decision: Decision, fighter: str, kept: tuple[Item, ...], *, became: str, cause: int) -> None:
    """Items in `kept` go to the stash, the rest is lost; the vehicle driven goes to the stash."""
    card = decision.fighter(fighter)
    why = f"{card.name} {became}"
    for item in things_of(card):
        hand_over(
            decision,
            item,
            on_fighter(fighter),
            stash_of(card.gang) if item in kept else "@lost",
            why=why,
            section="clean_house",
            cause=cause,
            cost_follows=False,
        )
    for vehicle in decision.gang(card.gang).vehicles.values():
        if vehicle.crew == fighter:
            decision.emit(
                records.VehicleCrewChanged(vehicle=vehicle.vehicle, before=fighter, after=None, why=why),
                cause=cause,
            )


# --- vehicles -----------------------------------------------------------------------------------------


def enlist_vehicle(decision: Decision, gang: str, card: records.VehicleCard, *, cause: int) -> None:
    """A vehicle joins a gang; its crew must be one of the gang's fighters."""
    state = decision.state
    if card.vehicle in state.vehicle_of or card.vehicle in state.gang_of:
        known_as = "vehicle" if card.vehicle in state.vehicle_of else "fighter"
        raise records.VehicleEnlistedAlready(vehicle=card.vehicle, known_as=known_as)
    members = state.gangs[gang].fighters
    if card.crew and card.crew not in members:
        raise records.CrewNotInGang(vehicle=card.name, crew=card.crew, known=tuple(members))
    for other in state.gangs[gang].vehicles.values():
        if card.crew and other.crew == card.crew:
            raise records.CrewHasVehicle(vehicle=card.name, crew=members[card.crew].name, other=other.name)
    _check_numbers(decision, card)
    for armed in card.armament:
        if armed.weapon not in card.weapons:
            raise records.UnknownWeapon(weapon=armed.weapon, fighter=card.name, known=card.weapons)
    said = asdict(card)
    brought = tuple(_lasting_damage(decision, card, named) for named in said.pop("damage_so_far"))
    kinds = [type(effect) for damage in brought for effect in damage.effects]
    enlisted = records.VehicleEnlisted(
        gang=gang,
        **said,
        lasting_damage=tuple(
            LastingDamageOnCard(damage=damage.id, name=damage.name, battle=None) for damage in brought
        ),
        rattles=kinds.count(Rattle),
        unreliable=kinds.count(Unreliable),
        in_repair=WriteOff in kinds,
    )
    decision.emit(enlisted, cause=cause)


def _lasting_damage(decision: Decision, card: records.VehicleCard, named: str) -> LastingDamage:
    rows = decision.rulebook.book.vehicles.lasting_damage
    wanted = named.casefold().replace(" ", "_").replace("-", "_")
    for row in rows:
        if wanted in (row.id, row.name.casefold().replace(" ", "_")):
            return row
    raise records.UnknownLastingDamage(vehicle=card.name, damage=named, known=tuple(row.name for row in rows))


def vehicles_that_come(decision: Decision, crews: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The vehicles of a battle: those whose crew fights in it, except those In Repair."""
    return tuple(
        vehicle.vehicle
        for gang, fighters in crews.items()
        for vehicle in decision.gang(gang).vehicles.values()
        if vehicle.crew in fighters and not vehicle.in_repair and not vehicle.gone
    )


def _check_numbers(decision: Decision, card: records.VehicleCard) -> None:
    rules = decision.rulebook.book.vehicles
    printed = [
        ("movement", "movement", card.movement),
        ("toughness", "toughness (front)", card.toughness_front),
        ("toughness", "toughness (side)", card.toughness_side),
        ("toughness", "toughness (rear)", card.toughness_rear),
        ("hit_points", rules.hit_points_name, card.hit_points),
        ("handling", "handling", card.handling),
    ]
    if card.save is not None:
        printed.append(("save", "save", card.save))
    for limited, shown, value in printed:
        if not rules.is_usable(limited, value):
            lowest, highest = rules.limits[limited]
            raise records.VehicleNumberOutOfRange(
                vehicle=card.name, number=shown, value=value, lowest=lowest, highest=highest
            )
