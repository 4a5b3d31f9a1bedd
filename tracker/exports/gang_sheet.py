"""A gang out of a running campaign as a gang sheet: its cards as they stand, and what they have been through.

What the sheet cannot hold is found by reading it back: the gang that it would enlist is held against the one
that it was made of, fact by fact, so nothing is lost unsaid.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.records import BionicSoFar, FighterSoFar, GangSoFar, InjurySoFar, TerritorySoFar
from tracker.campaign.state import CampaignState, Gang, Vehicle
from tracker.campaign.steps import decide
from tracker.dice import DiceTray
from tracker.documents.card_numbers import CREDITS, POINTS
from tracker.documents.derived_forms import part_of
from tracker.documents.gang_sheet import FORMAT_WITH_PAST, gang_sheet_command
from tracker.documents.plain_yaml import as_yaml
from tracker.documents.text import NAME_CHARACTERS_MAX
from tracker.documents.written_cards import (
    armour_written,
    characteristics_written,
    item_written,
    weapon_written,
)
from tracker.documents.yaml_reader import parse_document
from tracker.errors import Refusal
from tracker.exports.not_held import NotHeld
from tracker.records import Record, names_of_fields, replace
from tracker.rules import loader
from tracker.rules.rulebook import Book

FIGHTERS_MAX: Final = 100
GONE: Final = ("retired", "dead", "sold")
OWN_TERRITORY: Final = "own"
"""The kind of a territory that the table made up."""


class GangOnSheet(Record):
    """A gang as a sheet, as plain data, and what the sheet cannot hold."""

    sheet: dict[str, Any]
    not_held: tuple[NotHeld, ...]


def gang_on_sheet(state: CampaignState, gang: str, ended: Mapping[str, str] | None = None) -> GangOnSheet:
    """The gang's sheet. `ended` says of fighters who are gone how that came about."""
    book = loader.book(state.book)
    recorded = state.gangs[gang]
    sheet = _sheet(state, recorded, book, ended or {})
    not_held = [*_facts_beside_sheet(state, recorded)]
    try:
        reenlisted = _reenlisted(state, gang, sheet, book)
    except Refusal as refusal:
        not_held.append(NotHeld(about=gang, name=recorded.name, fact="sheet", words=refusal.message()))
    else:
        not_held += _differences(recorded, reenlisted)
    return GangOnSheet(sheet=sheet, not_held=tuple(not_held))


# --- the sheet -------------------------------------------------------------------------------------------


def _sheet(state: CampaignState, gang: Gang, book: Book, ended: Mapping[str, str]) -> dict[str, Any]:
    """Keys in the order in which a person writes them."""
    so_far = part_of(GangSoFar).stated_of(_gang_so_far(state, gang))
    vehicles = [vehicle_written(vehicle) for vehicle in gang.vehicles.values() if _has_place(vehicle)]
    return {
        "format": FORMAT_WITH_PAST,
        "gang": gang.gang,
        "name": gang.name,
        "house": gang.house,
        "player": gang.player,
        "credits": CREDITS.nearest(gang.credits),
        "reputation": POINTS.nearest(gang.reputation),
        "brought_from": f"{state.name[: NAME_CHARACTERS_MAX - 20].strip()}, battle {state.battle_number}",
        "injuries_counted": True,
        **({"stash": [item_written(item) for item in gang.stash]} if gang.stash else {}),
        **({"so_far": so_far} if so_far else {}),
        "fighters": [_fighter(state, fighter, book, ended.get(fighter.fighter)) for fighter in _listed(gang)],
        **({"vehicles": vehicles} if vehicles else {}),
    }


def _listed(gang: Gang) -> list[Fighter]:
    """In the roster's order; where there are more than a sheet holds, those who are gone give way first."""
    by_standing = sorted(gang.fighters.values(), key=lambda fighter: fighter.standing in GONE)
    chosen = {fighter.fighter for fighter in by_standing[:FIGHTERS_MAX]}
    return [fighter for fighter in gang.fighters.values() if fighter.fighter in chosen]


def _has_place(vehicle: Vehicle) -> bool:
    """A sheet lists vehicles that somebody drives."""
    return bool(vehicle.crew) and not vehicle.gone


def _gang_so_far(state: CampaignState, gang: Gang) -> GangSoFar:
    return GangSoFar(
        battles=gang.battles,
        won=gang.won,
        drawn=gang.drawn,
        lost=gang.lost,
        vehicles_wrecked=gang.enemy_vehicles_wrecked,
        alignment=gang.alignment,
        alignment_switched=gang.alignment_switched,
        territories=tuple(
            TerritorySoFar(
                territory=territory.territory,
                kind=None if territory.kind == OWN_TERRITORY else territory.kind,
                name=territory.name,
            )
            for territory in gang.territories
        ),
        captives=tuple(captive.fighter for captive in _captives_named_by(state, gang)),
        glory=gang.glory,
        promotion_failures=gang.promotion_failures,
        locations=state.locations_found,
        allegiance=gang.allegiance,
        alliances=gang.alliances,
        patrons=gang.patrons,
    )


def _fighter(state: CampaignState, fighter: Fighter, book: Book, ended: str | None) -> dict[str, Any]:
    so_far = part_of(FighterSoFar).stated_of(_fighter_so_far(state, fighter, ended))
    stated: dict[str, Any] = {
        "id": fighter.fighter,
        "name": fighter.name,
        "category": fighter.category,
        "type": fighter.kind,
        "cost": CREDITS.nearest(fighter.cost_credits),
        "characteristics": characteristics_written(fighter.characteristics, book.characteristics),
        "xp": POINTS.nearest(fighter.experience),
        "skills": [*fighter.skills],
        "armour": armour_written(fighter.armour) if fighter.armour is not None else None,
        "field_armour": armour_written(fighter.field_armour) if fighter.field_armour is not None else None,
        "weapons": [weapon_written(weapon) for weapon in fighter.weapons],
        "wargear": [*fighter.wargear],
        "mounted": fighter.mounted or None,
        "gang_fighter": fighter.gang_fighter,
        "so_far": so_far,
    }
    return {key: value for key, value in stated.items() if value not in (None, [], {})}


def _fighter_so_far(state: CampaignState, fighter: Fighter, ended: str | None) -> FighterSoFar:
    is_gone = fighter.standing in GONE
    named = {bionic.place for bionic in fighter.fitted}
    fitted = [
        BionicSoFar(place=bionic.place, name=bionic.name, improves=bionic.improves)
        for bionic in fighter.fitted
    ]
    fitted += [
        BionicSoFar(place=place, name=place.replace("_", " "))
        for place in fighter.bionics
        if place not in named
    ]
    return FighterSoFar(
        xp_spent=fighter.experience_spent,
        advances=fighter.advancements,
        improved=tuple(name for name, times in fighter.times_improved.items() for _ in range(times)),
        kills=fighter.enemies_taken_out,
        out_of_action=fighter.times_out_of_action,
        battles=fighter.battles_fought,
        injuries=tuple(InjurySoFar(injury=injury.injury) for injury in fighter.injuries),
        scars=fighter.scars,
        grudges=fighter.grudges,
        bionics=tuple(fitted),
        mutations=fighter.mutations,
        promoted_from=fighter.promoted_from,
        flags=fighter.flags,
        convalescing=fighter.convalescing,
        in_recovery=fighter.recovering_since is not None,
        critical=fighter.critical,
        captive_of=fighter.held_by if _names_own_captor(state, fighter) else None,
        gone=("dead" if fighter.standing == "dead" else "retired") if is_gone else None,
        when=(ended or ("sold" if fighter.standing == "sold" else None)) if is_gone else None,
    )


def vehicle_written(vehicle: Vehicle | records.VehicleCard) -> dict[str, Any]:
    """A vehicle as a sheet writes it."""
    own = {weapon.weapon: weapon for weapon in vehicle.armament}
    facings = (vehicle.toughness_front, vehicle.toughness_side, vehicle.toughness_rear)
    stated: dict[str, Any] = {
        "id": vehicle.vehicle,
        "name": vehicle.name,
        "type": vehicle.kind,
        "cost": CREDITS.nearest(vehicle.cost_credits),
        "crew": vehicle.crew,
        "M": f'{vehicle.movement}"',
        "T": dict(zip(("front", "side", "rear"), facings, strict=True)),
        "HP": vehicle.hit_points,
        "Hnd": f"{vehicle.handling}+",
        "Sv": f"{vehicle.save}+" if vehicle.save is not None else None,
        "weapons": [weapon_written(own[name]) if name in own else name for name in vehicle.weapons],
    }
    return {key: value for key, value in stated.items() if value not in (None, [])}


# --- captives: of two gangs, the one enlisted second names them ------------------------------------------


def _is_held(state: CampaignState, fighter: Fighter) -> bool:
    return fighter.held_by in state.gangs and fighter.standing not in GONE


def _names_own_captor(state: CampaignState, fighter: Fighter) -> bool:
    order = [*state.gangs]
    return _is_held(state, fighter) and order.index(fighter.held_by or "") < order.index(fighter.gang)


def _captives_named_by(state: CampaignState, gang: Gang) -> Iterator[Fighter]:
    for other_gang in state.gangs.values():
        for fighter in other_gang.fighters.values():
            held_here = fighter.held_by == gang.gang and _is_held(state, fighter)
            if held_here and not _names_own_captor(state, fighter):
                yield fighter


def _bound_to(state: CampaignState, gang: str) -> list[Gang]:
    """The gang, and those whose captives it holds or who hold its own, in the campaign's order."""
    fighters = [fighter for other_gang in state.gangs.values() for fighter in other_gang.fighters.values()]
    pairs = [(fighter.gang, fighter.held_by) for fighter in fighters if _is_held(state, fighter)]
    bound = {gang, *(name for pair in pairs if gang in pair for name in pair)}
    return [other_gang for name, other_gang in state.gangs.items() if name in bound]


# --- what the sheet cannot hold --------------------------------------------------------------------------


def _reenlisted(state: CampaignState, gang: str, sheet: Mapping[str, Any], book: Book) -> Gang:
    """The gang as its sheet enlists it, after those that it has captives of or from. Raises what is wrong."""
    state_again = _state_after(
        CampaignState(),
        records.OpenCampaign(
            name=state.name, slug=state.slug, book=state.book, after_battle=state.battle_number - 1
        ),
    )
    bound = _bound_to(state, gang)
    bound_ids = {bound_gang.gang for bound_gang in bound}
    for bound_gang in bound:
        gang_sheet = (
            sheet if bound_gang.gang == gang else _sheet(_with_gangs(state, bound_ids), bound_gang, book, {})
        )
        document = parse_document(as_yaml({**gang_sheet}), file=f"{bound_gang.gang}.yaml")
        state_again = _state_after(
            state_again, gang_sheet_command(document, characteristics=book.characteristics, state=state_again)
        )
    return state_again.gangs[gang]


def _with_gangs(state: CampaignState, gangs: Collection[str]) -> CampaignState:
    return replace(state, gangs={name: gang for name, gang in state.gangs.items() if name in gangs})


def _state_after(state: CampaignState, command: records.Command) -> CampaignState:
    return decide(state, command, DiceTray(()), loader.rulebook, entry=1).state


def _facts_beside_sheet(state: CampaignState, gang: Gang) -> Iterator[NotHeld]:
    """What is known of a gang beside its own record, and what the sheet has no room for."""
    under_way = state.under_way
    if under_way is not None and gang.gang in under_way.crews:
        words = f"battle {under_way.number} is under way: what it has done to fighters is not on the sheet"
        yield NotHeld(about=gang.gang, name=gang.name, fact="under_way", words=words)
    if gang.gang in state.after_battle:
        words = f"how far the gang has come after battle {state.after_battle[gang.gang].number}"
        yield NotHeld(about=gang.gang, name=gang.name, fact="after_battle", words=words)
    for fighter in gang.fighters.values():
        if _is_held(state, fighter) and not _names_own_captor(state, fighter):
            holder = state.gangs[fighter.held_by or ""].name
            words = f"a captive of {holder}: their sheet says so, and is to be added after this one"
            yield NotHeld(about=fighter.fighter, name=fighter.name, fact="held_by", words=words)
    listed = {fighter.fighter for fighter in _listed(gang)}
    for fighter in gang.fighters.values():
        if fighter.fighter not in listed:
            words = f"{fighter.standing}, and left out: a sheet lists {FIGHTERS_MAX}"
            yield NotHeld(about=fighter.fighter, name=fighter.name, fact="fighter", words=words)
    for vehicle in gang.vehicles.values():
        if not _has_place(vehicle):
            why = "scrapped or sold" if vehicle.gone else "nobody drives it, and a sheet asks who does"
            yield NotHeld(about=vehicle.vehicle, name=vehicle.name, fact="vehicle", words=f"left out: {why}")


def _differences(gang: Gang, reenlisted: Gang) -> Iterator[NotHeld]:
    yield from _differing_fields(gang, reenlisted, gang.gang, left_out=("fighters", "vehicles"))
    for name, fighter in reenlisted.fighters.items():
        yield from _differing_fields(gang.fighters[name], fighter, name)
    for name, vehicle in reenlisted.vehicles.items():
        yield from _differing_fields(gang.vehicles[name], vehicle, name)


def _differing_fields(
    recorded: Any, reenlisted: Any, about: str, *, left_out: Collection[str] = ()
) -> Iterator[NotHeld]:
    for fact in names_of_fields(recorded):
        was, becomes = getattr(recorded, fact), getattr(reenlisted, fact)
        if fact not in (*left_out, *ORIGIN_FIELDS) and was != becomes:
            yield NotHeld(about=about, name=recorded.name, fact=fact, words=_fact_text(fact, was))


def _fact_text(fact: str, value: Any) -> str:
    """What a fact is called, and its value where that is a number or a word."""
    named = WORDS.get(fact, fact.replace("_", " "))
    if isinstance(value, bool) or value is None or not isinstance(value, int | str):
        return named
    return f"{named} ({value})"


ORIGIN_FIELDS: Final = ("brought", "brought_from")
"""Where things were before: of the sheet that goes out that is this campaign."""
WORDS: Final[Mapping[str, str]] = {
    "injuries": "in which battles lasting injuries were suffered, and as what they counted",
    "prices": "what armour and wargear cost",
    "basic_profile": "the numbers of the card before they changed, from which improvements are measured",
    "recovering_since": "since which battle the fighter is in Recovery",
    "standing": "sold: the sheet says retired",
    "capture_pending": "whether somebody captures the fighter is still to be decided",
    "captor": "who would capture the fighter",
    "rescue": "how a rescue ended",
    "works_at": "where the captive works",
    "absent_since": "away since a battle",
    "off_rating": "whether the fighter counts in the gang's rating",
    "fitted": "what the bionic is called, or what was fitted to the vehicle",
    "mutations_to_choose": "mutations still to be chosen",
    "shock_tested": "that Bitter Enmity or the like was tested for",
    "earns_again": "that the fighter earns XP again",
    "lasting_damage": "lasting damage; its numbers are on the card",
    "as_enlisted": "the vehicle's numbers before the damage, which a repair restores",
    "in_repair": "that the vehicle is in repair",
    "rating_recorded": "the rating as it was last worked out",
    "threshold_ducats": "what the next game allows",
    "field_strength": "how many models the next game allows",
    "territories": "what the gang has through its territories",
    "stash": "numbers of things in the stash that nobody wrote down",
}
