"""Conditions: how models stand in a battle, stated by hand or compared.

Knows that a battle keeps records of models by id. Knows no rule but what no model can be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from tracker.campaign import records
from tracker.campaign.state import BattleUnderWay, CampaignState, Fighter
from tracker.errors import BadInput
from tracker.records import Record, names_of_fields, replace
from tracker.rules.trench_crusade.injuries import BLOOD_MARKERS_MAX

WHOLE_BATTLE = "the battle"
"""Stands for what is true of the battle and of no single model, such as who has bottled."""
ENDS = ("out_of_action", "wrecked")
"""Conditions in which a model has left the battle."""
MARKERS = ("blood_markers", "blessing_markers")
ON_THE_CHART = (*MARKERS, "down", "tough_spent", "taken_out_by", "fate_decided")
"""What only a book with an Injury Chart knows of a fighter; it knows nothing else but who has left."""
Stated: TypeAlias = "int | bool | str"


class NoSuchCondition(BadInput):
    """conditions of {model}: nobody can be {condition!r}.{condition:nearest} Known: {known}."""

    model: str
    condition: str
    known: tuple[str, ...]


class ConditionContradicts(BadInput):
    """conditions of {model}: {condition} cannot be so, for {why}. Put it right."""

    model: str
    condition: str
    why: str


def in_condition(
    state: CampaignState, model: str, stated: Mapping[str, Stated], *, on_chart: bool = False
) -> CampaignState:
    """The state with a model in the conditions stated; `on_chart`: by a book with an Injury Chart.

    Raises NoSuchCondition or ConditionContradicts.
    """
    battle = state.under_way
    held = next((name for name in _held(state) if model in getattr(battle, name)), None)
    if battle is None or held is None:
        raise records.UnknownFighter(fighter=model, known=tuple(records_in_play(state)))
    by_model = getattr(battle, held)
    known = {name: getattr(by_model[model], name) for name in names_of_fields(by_model[model])}
    open_to_all = tuple(name for name, now in known.items() if isinstance(now, bool | int | str))
    if held == "combatants":
        left = (*ENDS, "fled")
        open_to_all = tuple(
            name for name in open_to_all if name in left or (name in ON_THE_CHART) == on_chart
        )
    for condition, value in stated.items():
        if condition not in open_to_all:
            raise NoSuchCondition(model=model, condition=condition, known=open_to_all)
        if type(value) is not type(known[condition]):
            kind = {bool: "true or false is", int: "a whole number is", str: "a word is"}
            why = f"{kind[type(known[condition])]} expected"
            raise ConditionContradicts(model=model, condition=condition, why=why)
        if isinstance(value, int) and value < 0:
            raise ConditionContradicts(model=model, condition=condition, why="it is below 0")
    stands = replace(by_model[model], **stated)
    _refuse_contradictions(state.fighter(model), model, by_model[model], stands)
    changed: Any = {held: {**by_model, model: stands}}
    return replace(state, under_way=replace(battle, **changed))


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
    faults.append(("pinned", bool(now("pinned") and lying), "who is Seriously Injured or Down is not Pinned"))
    stuck = bool(now("stalled") and now("mobile"))
    faults.append(("stalled", stuck, "a Stalled vehicle is Stationary: write mobile: false too"))
    faults += [(end, bool(now(end)), "who has left the battle is in no exchange") for end in ENDS]
    for condition, wrong, why in faults:
        if wrong:
            raise ConditionContradicts(model=model, condition=condition, why=why)


def records_in_play(state: CampaignState) -> dict[str, Any]:
    """The condition of every model on the table, of whatever kind, by id; and of the battle as a whole."""
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
    """Where the battle keeps conditions of models: fields that hold records by id."""
    for name in names_of_fields(BattleUnderWay):
        held = getattr(state.under_way, name, None)
        if isinstance(held, dict) and held and all(isinstance(one, Record) for one in held.values()):
            yield name


def condition_changes(before: Any, after: Any) -> tuple[tuple[str, Any, Any], ...]:
    """What changed in a condition: name, before, after. Of who has left the battle only that."""
    was, now = _comparable(before), _comparable(after)
    changed = tuple((name, was[name], now[name]) for name in now if was[name] != now[name])
    gone = tuple(change for change in changed if change[0] in ENDS and change[2])
    return gone or changed


def _comparable(record: Any) -> Mapping[str, Any]:
    if isinstance(record, dict):
        return record
    return {name: getattr(record, name) for name in names_of_fields(record)}
