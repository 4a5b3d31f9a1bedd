"""Conditions of models in a battle: set by hand, or compared between two states.

Knows how a battle stores its models. Knows no rule except impossible combinations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from msgspec.structs import asdict

from tracker.campaign import records
from tracker.campaign.fighters import Fighter
from tracker.campaign.state import BattleUnderWay, CampaignState, Combatant
from tracker.errors import BadInput, nearest
from tracker.records import Record, names_of_fields, replace
from tracker.rules.trench_crusade.injuries import BLOOD_MARKERS_MAX

WHOLE_BATTLE = "the battle"
"""The key for what is true of the battle as a whole, such as which gangs have bottled."""
ENDS = ("out_of_action", "wrecked")
"""Conditions in which a model has left the battle."""
MARKERS = ("blood_markers", "blessing_markers")
ON_THE_CHART = (*MARKERS, "down", "tough_spent", "taken_out_by", "fate_decided")
"""The fields of a fighter in books with an Injury Chart, beside BY_EVERY_BOOK."""
BY_EVERY_BOOK = (*ENDS, "fled", "taken_out_by")
"""The fields of a fighter in any book."""
Stated: TypeAlias = "int | bool | str | tuple[str, ...]"
WEAPONS = ("out_of_ammo", "jammed")
"""Conditions that name weapons."""


class NoSuchCondition(BadInput):
    """conditions of {model}: nobody can be {condition!r}.{condition:nearest} Known: {known}."""

    model: str
    condition: str
    known: tuple[str, ...]


class ConditionContradicts(BadInput):
    """conditions of {model}: {condition} cannot be right, because {why}. Correct it."""

    model: str
    condition: str
    why: str


def in_condition(
    state: CampaignState, model: str, stated: Mapping[str, Stated], *, on_chart: bool = False
) -> CampaignState:
    """The state with a model in the conditions stated. `on_chart`: the book has an Injury Chart.

    Raises NoSuchCondition or ConditionContradicts.
    """
    battle = state.under_way
    held = next((name for name in _held(state) if model in getattr(battle, name)), None)
    if battle is None or held is None:
        raise records.UnknownFighter(fighter=model, known=tuple(records_in_play(state)))
    by_model = getattr(battle, held)
    known = asdict(by_model[model])
    open_to_all = tuple(
        name for name, now in known.items() if isinstance(now, bool | int | str) or name in WEAPONS
    )
    if held == "combatants":
        open_to_all = tuple(
            name for name in open_to_all if name in BY_EVERY_BOOK or (name in ON_THE_CHART) == on_chart
        )
    stated = {_as_condition(condition): value for condition, value in stated.items()}
    for condition, value in stated.items():
        if condition not in open_to_all:
            raise NoSuchCondition(model=model, condition=condition, known=open_to_all)
        if condition in WEAPONS and isinstance(value, str | tuple):
            names = (value,) if isinstance(value, str) else value
            stated[condition] = _slots(state, model, condition, names)
            continue
        if type(value) is not type(known[condition]):
            kind = {
                bool: "true or false is",
                int: "a whole number is",
                str: "a word is",
                tuple: "a weapon's name, or a list of them, is",
            }
            why = f"{kind[type(known[condition])]} expected"
            raise ConditionContradicts(model=model, condition=condition, why=why)
        if isinstance(value, int) and value < 0:
            raise ConditionContradicts(model=model, condition=condition, why="it is below 0")
    stands = replace(by_model[model], **stated)
    _refuse_contradictions(state.fighter(model), model, by_model[model], stands)
    changed: Any = {held: {**by_model, model: stands}}
    return replace(state, under_way=replace(battle, **changed))


def _as_condition(written: str) -> str:
    """A condition's id, as people write it: 'Seriously Injured' is 'seriously_injured'."""
    return "_".join(written.casefold().replace("-", " ").split())


def _slots(state: CampaignState, model: str, condition: str, names: tuple[str, ...]) -> tuple[str, ...]:
    """The slots of weapons that are named as on the card. Raises ConditionContradicts for one not on it.

    Of several with one name the second is 'autogun (2)', or the same name given twice.
    """
    fighter, vehicle = state.fighter(model), state.vehicle(model)
    carried = [weapon.weapon for weapon in fighter.weapons] if fighter is not None else []
    if vehicle is not None:
        carried += vehicle.weapons
    slots = [
        weapon if nth == 1 else f"{weapon} ({nth})"
        for place, weapon in enumerate(carried)
        for nth in [carried[: place + 1].count(weapon)]
    ]
    known = {slot.casefold(): slot for slot in slots}
    found: list[str] = []
    for name in names:
        written, nth = name.casefold(), 2
        while known.get(written) in found:
            written, nth = f"{name.casefold()} ({nth})", nth + 1
        if written not in known:
            why = f"the card has no {name}{nearest(name, slots)}"
            if found:
                why = f"the card has no {known.get(written, written)} besides {', '.join(found)}"
            raise ConditionContradicts(model=model, condition=condition, why=why)
        found.append(known[written])
    return tuple(sorted(found))


def _refuse_contradictions(fighter: Fighter | None, model: str, fresh: Any, stands: Any) -> None:
    def now(condition: str) -> Any:
        return getattr(stands, condition, 0)

    faults = [
        (
            condition,
            now(condition) > getattr(fresh, condition, 0),
            f"the card has {getattr(fresh, condition, 0)}",
        )
        for condition in ("wounds_left", "hit_points_left")
    ]
    toughness = fighter.characteristics.get("toughness") if fighter is not None else None
    if toughness is not None:
        gone = f"Toughness {toughness} would be gone"
        faults.append(("flesh_wounds", now("flesh_wounds") >= toughness, gone))
    faults += [
        (kind, now(kind) > BLOOD_MARKERS_MAX, f"a model has {BLOOD_MARKERS_MAX} at most") for kind in MARKERS
    ]
    lying = now("seriously_injured") or now("down")
    faults.append(
        ("pinned", bool(now("pinned") and lying), "a fighter who is Seriously Injured or Down is not Pinned")
    )
    stuck = bool(now("stalled") and now("mobile"))
    faults.append(("stalled", stuck, "a Stalled vehicle is Stationary: write mobile: false too"))
    for condition, wrong, why in faults:
        if wrong:
            raise ConditionContradicts(model=model, condition=condition, why=why)


def of_the_book(stands: Any, *, on_chart: bool) -> dict[str, Any]:
    """The fields of a model's condition that the book in use can change."""
    if isinstance(stands, dict):
        return dict(stands)
    if not isinstance(stands, Combatant):
        return asdict(stands)
    return {
        name: value
        for name, value in asdict(stands).items()
        if name in BY_EVERY_BOOK or (name in ON_THE_CHART) == on_chart
    }


def records_in_play(state: CampaignState) -> dict[str, Any]:
    """The condition of every fighter and vehicle in the battle by id, and of the battle as WHOLE_BATTLE."""
    in_play: dict[str, Any] = {}
    for held in _held(state):
        in_play.update(getattr(state.under_way, held))
    in_play[WHOLE_BATTLE] = {
        name: value
        for name in names_of_fields(BattleUnderWay)
        if isinstance(value := getattr(state.under_way, name, None), tuple)
    }
    return in_play


def _held(state: CampaignState) -> Iterator[str]:
    """The names of the battle's fields that hold one record for each model."""
    for name in names_of_fields(BattleUnderWay):
        held = getattr(state.under_way, name, None)
        if isinstance(held, dict) and held and all(isinstance(value, Record) for value in held.values()):
            yield name


def condition_changes(before: Any, after: Any) -> tuple[tuple[str, Any, Any], ...]:
    """The changed fields of a condition, as (name, before, after).

    For a model that has just left the battle these are only the fields that say so.
    """
    was, now = _comparable(before), _comparable(after)
    changed = tuple((name, was[name], now[name]) for name in now if was[name] != now[name])
    gone = tuple(change for change in changed if change[0] in ENDS and change[2])
    return gone or changed


def _comparable(record: Any) -> Mapping[str, Any]:
    if isinstance(record, dict):
        return record
    return asdict(record)
