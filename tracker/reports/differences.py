"""Differences: the changes between two states of a campaign, card by card.

Knows two states and no history; the preview explains why something changed. A difference is a row `{gang,
fighter, what, before, after}`: ids (None if it is about no gang or fighter), then words; `before` is None if
it is new, `after` None if it is gone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias, TypedDict

import msgspec

from tracker.campaign.fighters import Fighter, InjurySuffered
from tracker.campaign.holdings import rating, wealth
from tracker.campaign.state import (
    BattleUnderWay,
    CampaignState,
    Combatant,
    CombatVehicle,
    Gang,
    PolicyInForce,
    Vehicle,
)
from tracker.projections.roster import status
from tracker.reports import cards
from tracker.reports.cards import (
    characteristic_name,
    characteristic_shown,
    display_name,
    lowercase_id,
    status_words,
)
from tracker.reports.condition_words import CONDITIONS
from tracker.reports.escaping import sanitize
from tracker.reports.names import Names
from tracker.reports.page import Bullets, Heading, Page

Facts: TypeAlias = dict[str, str]
_Record: TypeAlias = Combatant | CombatVehicle


class Difference(TypedDict):
    """One change; `fighter` may be a vehicle. JSON shows it as it is."""

    gang: str | None
    fighter: str | None
    what: str
    before: str | None
    after: str | None


def differences(before: CampaignState, after: CampaignState, names: Names) -> list[Difference]:
    """Everything a person would see on a roster, in standings or at the table, in roster order."""
    changes = _pairs(None, None, _campaign(before, names), _campaign(after, names))
    for gang in _ids(before.gangs, after.gangs):
        old, new = before.gangs.get(gang), after.gangs.get(gang)
        if old is not new:
            changes += _gang_differences(gang, old, new, names)
    owners = {**before.vehicle_of, **before.gang_of, **after.vehicle_of, **after.gang_of}
    for who, *facts in _at_the_table(before.under_way, after.under_way):
        changes += _pairs(owners.get(who), who, *facts)
    return changes


def differences_lines(changes: Sequence[Difference], names: Names) -> list[str]:
    """'Mags (Iron Hawks): Ballistic Skill 5+ -> 4+', one line for each; one line if there is none."""
    return [_line(change, names) for change in changes] or ["Nothing changes on any roster."]


def in_one_line(changes: Sequence[Difference], names: Names) -> str:
    """'Mags (Sump Rats): Wounds left 1 -> 0, Out of Action no -> yes; Krug (...): XP 3 -> 5'."""
    by_whom: dict[str, list[str]] = {}
    for line in differences_lines(changes, names):
        who, colon, what = line.partition(": ")
        by_whom.setdefault(who if colon else "", []).append(what if colon else line)
    return "; ".join(
        f"{who}: {', '.join(whats)}" if who else ", ".join(whats) for who, whats in by_whom.items()
    )


def roster_diff_page(
    changes: Sequence[Difference],
    names: Names,
    *,
    heading: str,
    words: tuple[str, str],
    points: tuple[str, str],
) -> Page:
    """The changes between two points: `words` name them for people, `points` as they are typed."""
    return Page(
        schema="roster-diff",
        blocks=lambda: [
            [Heading(f"{heading}: {words[0]} -> {words[1]}")],
            [Bullets(differences_lines(changes, names))],
        ],
        data=lambda: {"from": points[0], "to": points[1], "differences": [dict(row) for row in changes]},
    )


def _line(change: Difference, names: Names) -> str:
    who = ""
    if change["fighter"] is not None:
        gang = f" ({names.gang(change['gang'])})" if change["gang"] is not None else ""
        who = f"{names.fighter(change['fighter'])}{gang}: "
    elif change["gang"] is not None:
        who = f"{names.gang(change['gang'])}: "
    what, before, after = change["what"], change["before"], change["after"]
    if before is None:
        return f"{who}gains {what}" + (f": {after}" if after else "")
    if after is None:
        return f"{who}loses {what}" + (f": {before}" if before else "")
    return f"{who}{what} {before} -> {after}"


def _gang_differences(gang: str, old: Gang | None, new: Gang | None, names: Names) -> list[Difference]:
    changes = _pairs(gang, None, _gang(old, names), _gang(new, names))
    changes += _lists(gang, None, "territory", _territories(old, names), _territories(new, names))
    changes += _lists(gang, None, "in the stash", _stash(old), _stash(new))
    old_fighters = old.fighters if old is not None else {}
    new_fighters = new.fighters if new is not None else {}
    for fighter in _ids(old_fighters, new_fighters):
        was, is_now = old_fighters.get(fighter), new_fighters.get(fighter)
        if was is is_now:
            continue
        if was is None or is_now is None:
            changes += _pairs(gang, fighter, _place(was), _place(is_now))
            continue
        changes += _pairs(gang, fighter, _fighter(was, names), _fighter(is_now, names))
        changes += _lists(gang, fighter, "lasting injury", _injuries(was), _injuries(is_now))
        for what, before, after in _kit(was, is_now, names):
            changes += _lists(gang, fighter, what, before, after)
    old_vehicles = old.vehicles if old is not None else {}
    new_vehicles = new.vehicles if new is not None else {}
    for vehicle in _ids(old_vehicles, new_vehicles):
        cards_then_now = old_vehicles.get(vehicle), new_vehicles.get(vehicle)
        changes += _vehicle_differences(gang, vehicle, *cards_then_now, names)
    return changes


def _vehicle_differences(
    gang: str, vehicle: str, old: Vehicle | None, new: Vehicle | None, names: Names
) -> list[Difference]:
    if old is new:
        return []
    if old is None or new is None or old.gone != new.gone:
        # Everything on its card comes and goes with the vehicle.
        here = {"a place on the roster": "vehicle"}
        before, after = ({} if card is None or card.gone else here for card in (old, new))
        return _pairs(gang, vehicle, before, after)
    changes = _pairs(gang, vehicle, _vehicle_facts(old, names), _vehicle_facts(new, names))
    was, is_now = _vehicle_lists(old), _vehicle_lists(new)
    for what in was:
        changes += _lists(gang, vehicle, what, was[what], is_now[what])
    return changes


def _ids(before: Iterable[str], after: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*before, *after]))


def _pairs(gang: str | None, fighter: str | None, before: Facts, after: Facts) -> list[Difference]:
    return [
        Difference(gang=gang, fighter=fighter, what=what, before=before.get(what), after=after.get(what))
        for what in _ids(before, after)
        if before.get(what) != after.get(what)
    ]


def _lists(
    gang: str, fighter: str | None, what: str, before: Sequence[str], after: Sequence[str]
) -> list[Difference]:
    lost, gained = Counter(before) - Counter(after), Counter(after) - Counter(before)
    return [
        *(
            Difference(gang=gang, fighter=fighter, what=what, before=thing, after=None)
            for thing in lost.elements()
        ),
        *(
            Difference(gang=gang, fighter=fighter, what=what, before=None, after=thing)
            for thing in gained.elements()
        ),
    ]


def _campaign(state: CampaignState, names: Names) -> Facts:
    facts = {"campaign": sanitize(state.name), "book": sanitize(state.book)} if state.is_open else {}
    facts |= {f"battle {number}": sanitize(battle) for battle, number in state.battles.items()}
    if state.cycle is not None:
        facts["cycle"] = f"{state.cycle.number} ({sanitize(state.cycle.name)})"
    if state.under_way is not None:
        facts["battle under way"] = names.battle(state.under_way.battle)
    for policy in state.policies:
        facts[f"house rule {sanitize(policy.policy)}@{policy.version} from battle {policy.from_battle}"] = (
            _held(policy)
        )
    return facts


def _held(policy: PolicyInForce) -> str:
    return "in force" if policy.until_battle is None else f"until battle {policy.until_battle}"


def _gang(gang: Gang | None, names: Names) -> Facts:
    if gang is None:
        return {}
    facts = {
        "gang": sanitize(gang.name),
        "house": sanitize(gang.house),
        "player": sanitize(gang.player),
        f"stash in {names.game.credits}": str(gang.credits),
        f"rating in {names.game.credits}": str(rating(gang)),
        f"wealth in {names.game.credits}": str(wealth(gang)),
        "Reputation": str(gang.reputation),
        "battles": str(gang.battles),
        "battles won": str(gang.won),
        "battles drawn": str(gang.drawn),
        "battles lost": str(gang.lost),
        "enemy vehicles wrecked": str(gang.enemy_vehicles_wrecked),
        "Glory": str(gang.glory),
    }
    if gang.alignment is not None:
        facts["alignment"] = lowercase_id(gang.alignment)
    bonds = {
        "allegiance": gang.allegiance,
        "allied with": ", ".join(gang.alliances),
        "patrons": ", ".join(gang.patrons),
    }
    facts |= {what: sanitize(bond) for what, bond in bonds.items() if bond}
    if gang.brought is not None:
        facts["brought along"] = cards.past_shown(msgspec.to_builtins(gang.brought))
    if gang.corrupted:
        facts["corrupted"] = "yes"
    if gang.threshold_ducats is not None:
        facts["Threshold"] = str(gang.threshold_ducats)
    if gang.field_strength is not None:
        facts["Field Strength"] = str(gang.field_strength)
    return facts


def _territories(gang: Gang | None, names: Names) -> list[str]:
    held = gang.territories if gang is not None else ()
    return [names.territory(territory.territory, territory.name) for territory in held]


def _stash(gang: Gang | None) -> list[str]:
    return [] if gang is None else [sanitize(item.name) for item in gang.stash]


def _place(fighter: Fighter | None) -> Facts:
    return {} if fighter is None else {"a place on the roster": display_name(fighter.category)}


def _fighter(fighter: Fighter, names: Names) -> Facts:
    facts = {
        "name": sanitize(fighter.name),
        "gang": sanitize(fighter.gang),
        "rank": display_name(fighter.category),
        "kind": lowercase_id(fighter.kind),
        "status": status_words(status(fighter)),
    }
    if fighter.capture_pending and fighter.captor is not None:
        facts["captor"] = names.gang(fighter.captor)
    if fighter.held_by is not None:
        facts["a captor to be freed from"] = names.gang(fighter.held_by)
    if fighter.recovering_since is not None:
        facts["Recovery since battle"] = str(fighter.recovering_since)
    if fighter.works_at is not None:
        facts["works at"] = sanitize(fighter.works_at)
    brought = {"promoted from": fighter.promoted_from, "brought along from": fighter.brought_from}
    facts |= {what: sanitize(origin) for what, origin in brought.items() if origin}
    if fighter.mutations_to_choose:
        facts["mutations to choose"] = str(fighter.mutations_to_choose)
    for key in fighter.characteristics:
        shown = characteristic_shown(key, fighter.characteristics[key])
        facts[characteristic_name(key)] = shown
    facts |= {
        "XP": str(fighter.experience),
        f"cost in {names.game.credits}": str(fighter.cost_credits),
        "enemies taken out": str(fighter.enemies_taken_out),
        "times Out of Action": str(fighter.times_out_of_action),
        "battles fought": str(fighter.battles_fought),
        "advancements": str(fighter.advancements),
    }
    return facts


def _injuries(fighter: Fighter) -> list[str]:
    return [_injury(injury) for injury in fighter.injuries]


def _injury(injury: InjurySuffered) -> str:
    as_row = f" (as {display_name(injury.counted_as)})" if injury.counted_as != injury.injury else ""
    battle = f", battle {injury.battle}" if injury.battle is not None else ""
    return f"{sanitize(injury.name)}{as_row}{battle}"


def _kit(before: Fighter, after: Fighter, names: Names) -> list[tuple[str, list[str], list[str]]]:
    return [
        (what, words(before, names), words(after, names))
        for what, words in (
            ("skill", lambda fighter, _: [display_name(skill) for skill in fighter.skills]),
            ("enmity against", lambda fighter, names: [names.gang(gang) for gang in fighter.grudges]),
            ("weapon", lambda fighter, _: [sanitize(weapon.weapon) for weapon in fighter.weapons]),
            (
                "armour",
                lambda fighter, _: [
                    f"{sanitize(armour.name)} {armour.save}+"
                    for armour in (fighter.armour, fighter.field_armour)
                    if armour
                ],
            ),
            ("wargear", lambda fighter, _: [lowercase_id(item) for item in fighter.wargear]),
            ("bionic", lambda fighter, _: [lowercase_id(bionic) for bionic in fighter.bionics]),
            ("mutation", lambda fighter, _: [display_name(mutation) for mutation in fighter.mutations]),
            ("flag", lambda fighter, _: [sanitize(flag) for flag in fighter.flags]),
        )
    ]


def _vehicle_facts(vehicle: Vehicle, names: Names) -> dict[str, str]:
    """The vehicle's single values."""
    return {
        "name": sanitize(vehicle.name),
        "kind": lowercase_id(vehicle.kind),
        "driver": names.fighter(vehicle.crew) if vehicle.crew else "nobody",
        f"cost in {names.game.credits}": str(vehicle.cost_credits),
        "Movement": f'{vehicle.movement}"',
        "Toughness": f"{vehicle.toughness_front}/{vehicle.toughness_side}/{vehicle.toughness_rear}",
        "HP": str(vehicle.hit_points),
        "Handling": f"{vehicle.handling}+",
        "save": f"{vehicle.save}+" if vehicle.save is not None else "none",
        "In Repair": _yes_or_no(vehicle.in_repair),
        "times wrecked": str(vehicle.times_wrecked),
    }


def _vehicle_lists(vehicle: Vehicle) -> dict[str, list[str]]:
    """The vehicle's lists."""
    return {
        "lasting damage": [
            sanitize(damage.name) + (f", battle {damage.battle}" if damage.battle is not None else "")
            for damage in vehicle.lasting_damage
        ],
        "weapon": [sanitize(weapon) for weapon in vehicle.weapons],
        "fitted": [sanitize(item.name) for item in vehicle.fitted],
    }


# --- in the battle under way --------------------------------------------------------------------------------


def _at_the_table(
    before: BattleUnderWay | None, after: BattleUnderWay | None
) -> Iterator[tuple[str, Facts, Facts]]:
    """Each model and vehicle whose record differs, before and after."""
    old_records, new_records = _everybody(before), _everybody(after)
    for who in _ids(old_records, new_records):
        old, new = old_records.get(who), new_records.get(who)
        if old is new:
            continue
        facts = _condition(old), _condition(new)
        if old is None or new is None:
            # The battle itself began or ended: only events that befell a model are worth a line.
            facts = _befallen(facts[0]), _befallen(facts[1])
        yield who, *facts


def _everybody(under_way: BattleUnderWay | None) -> dict[str, _Record]:
    # No id belongs to a fighter and a vehicle at once.
    return {} if under_way is None else {**under_way.combatants, **under_way.vehicles}


def _befallen(facts: Facts) -> Facts:
    ordinary = ("Wounds left", "HP left")
    return {what: value for what, value in facts.items() if what not in ordinary and value not in ("no", "0")}


def _condition(record: _Record | None) -> Facts:
    if record is None:
        return {}
    return _of_a_model(record) if isinstance(record, Combatant) else _of_a_vehicle(record)


def _of_a_model(combatant: Combatant) -> Facts:
    facts = {
        "Wounds left": str(combatant.wounds_left),
        "Flesh Wounds": str(combatant.flesh_wounds),
        "Seriously Injured": _yes_or_no(combatant.seriously_injured),
        "Pinned": _yes_or_no(combatant.pinned),
        "Webbed": _yes_or_no(combatant.webbed),
        "Out of Action": _yes_or_no(combatant.out_of_action),
    }
    # Few models have these: show them only if they are true.
    if combatant.blood_markers:
        facts["Blood Markers"] = str(combatant.blood_markers)
    if combatant.blessing_markers:
        facts["Blessing Markers"] = str(combatant.blessing_markers)
    if combatant.down:
        facts["Down"] = "yes"
    if combatant.tough_spent:
        facts["TOUGH spent"] = "yes"
    facts.update(_conditions(combatant))
    if combatant.seriously_injured and combatant.seriously_injured_in_close_combat:
        facts["Seriously Injured in close combat"] = "yes"
    return facts


def _conditions(model: Combatant | CombatVehicle) -> Facts:
    return {called: "yes" for name, called in CONDITIONS.items() if getattr(model, name, False)}


def _of_a_vehicle(vehicle: CombatVehicle) -> Facts:
    facts = {
        "HP left": str(vehicle.hit_points_left),
        "wrecked": _yes_or_no(vehicle.wrecked),
        "Stalled": _yes_or_no(vehicle.stalled),
        "shaken": _yes_or_no(vehicle.shaken),
        "movement capped": _yes_or_no(vehicle.movement_capped),
        "rolling over": _yes_or_no(vehicle.rolling),
        "driver blacked out": _yes_or_no(vehicle.driver_blacked_out),
    }
    facts.update(_conditions(vehicle))
    if vehicle.handling_hindered:
        facts["Handling hindered by"] = str(vehicle.handling_hindered)
    if vehicle.driver_flesh_wounds:
        facts["Flesh Wounds of the driver"] = str(vehicle.driver_flesh_wounds)
    if vehicle.weapons_destroyed:
        facts["weapons destroyed"] = ", ".join(vehicle.weapons_destroyed)
    return facts


def _yes_or_no(holds: object) -> str:
    return "yes" if holds else "no"
