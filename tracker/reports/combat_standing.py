"""How everybody stands in a battle under way, in the few words of a card at the table.

Knows what is kept of a fighter and a vehicle while they fight. Knows no rule: what a state allows is for the
handlers to say.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from tracker.campaign.fighters import Fighter
from tracker.campaign.state import BattleUnderWay, Combatant, CombatVehicle, Vehicle
from tracker.records import Record
from tracker.reports.cards import counted, display_name

GOOD, WARN, BAD, PLAIN = "good", "warn", "bad", ""

_NOT_SHOWN: Final = frozenset(
    {"fate_decided", "tough_spent", "seriously_injured_in_close_combat", "mobile", "driver_blacked_out"}
)
"""What only rules look at, or is said in other words."""
_TONES: Final = {
    "out_of_action": BAD,
    "fled": BAD,
    "seriously_injured": BAD,
    "down": BAD,
    "wrecked": BAD,
}
_COUNTED: Final = {
    "flesh_wounds": ("Flesh Wound", WARN),
    "blood_markers": ("Blood Marker", WARN),
    "blessing_markers": ("Blessing Marker", GOOD),
    "driver_flesh_wounds": ("Flesh Wound of the driver", WARN),
}
_OF_WEAPONS: Final = {"out_of_ammo": "out of ammo", "jammed": "jammed", "ammo_spent": "used up"}
_DESTROYED: Final = {"weapons_destroyed": "destroyed"}


class StandingMark(Record):
    """One thing that is so of somebody; `tone` is how bad that is."""

    words: str
    tone: str = PLAIN


def fighter_marks(fighter: Fighter, combatant: Combatant, battle: BattleUnderWay) -> tuple[StandingMark, ...]:
    """What is so of a fighter now; Standing where nothing else is."""
    if combatant.out_of_action or combatant.fled:
        return (StandingMark(words="Out of Action" if combatant.out_of_action else "Fled", tone=BAD),)
    marks = [*_marks(combatant)]
    if fighter.fighter in battle.shaken:
        marks.append(StandingMark(words="Shaken", tone=WARN))
    if not {"Pinned", "Seriously Injured", "Down"} & {mark.words for mark in marks}:
        marks.insert(0, StandingMark(words="Standing", tone=GOOD))
    most = fighter.characteristics.get("wounds", 0)
    if most > 1 or combatant.wounds_left != most:
        tone = WARN if combatant.wounds_left < most else PLAIN
        marks.append(
            StandingMark(words=f"{combatant.wounds_left} of {counted(most, 'Wound')} left", tone=tone)
        )
    return tuple(marks)


def vehicle_marks(vehicle: Vehicle, combat: CombatVehicle) -> tuple[StandingMark, ...]:
    """What is so of a vehicle now."""
    if combat.wrecked:
        return (StandingMark(words="Wrecked", tone=BAD),)
    marks = [
        StandingMark(words="Mobile" if combat.mobile else "Stationary", tone=GOOD if combat.mobile else WARN)
    ]
    marks += _marks(combat)
    if combat.driver_blacked_out:
        marks.append(StandingMark(words="Driver unconscious", tone=BAD))
    left = f"{combat.hit_points_left} of {counted(vehicle.hit_points, 'Hit Point')} left"
    marks.append(
        StandingMark(words=left, tone=WARN if combat.hit_points_left < vehicle.hit_points else PLAIN)
    )
    return tuple(marks)


def _marks(kept: Combatant | CombatVehicle) -> Iterator[StandingMark]:
    """Whatever of it is so. A state that rules add later is shown without a line here."""
    for name in type(kept).__struct_fields__:
        value: Any = getattr(kept, name)
        if name in _NOT_SHOWN or not value:
            continue
        if value is True:
            yield StandingMark(words=display_name(name), tone=_TONES.get(name, WARN))
        elif name in _COUNTED:
            words, tone = _COUNTED[name]
            yield StandingMark(words=counted(value, words), tone=tone)
        elif name in _OF_WEAPONS or name in _DESTROYED:
            for slot in value:
                weapon, _, profile = str(slot).partition("|")
                what = f"{weapon}, {profile}" if profile else weapon
                yield StandingMark(words=f"{what}: {_OF_WEAPONS.get(name) or _DESTROYED[name]}", tone=WARN)
        elif name == "conditions":
            for condition in value:
                yield StandingMark(words=display_name(str(condition)), tone=WARN)
