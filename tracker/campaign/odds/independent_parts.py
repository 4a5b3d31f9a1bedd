"""The chances of states as a product of independent parts.

Five hits on five models are then five small lists of ends, not one list of all combinations. A part is the
conditions of some models; certain facts are stored once. A step is first enumerated with every part hidden.
When it reads a hidden condition, that part is put in and the step is enumerated again, so nothing that was
read counts as independent. Knows no rule.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, NoReturn, TypeAlias

from tracker.campaign.odds.enumeration import LastingInjuryRolls, Leaf, OutcomeEnumerator, Step
from tracker.campaign.state import CampaignState
from tracker.records import Record, replace

Walk: TypeAlias = Callable[[OutcomeEnumerator, Step, Leaf], Mapping[int, Fraction]]


class Case(Record):
    """One way a factor can be: the conditions of its models, the rolls they carry home, and the rest of the
    state if that varies too.
    """

    chance: Fraction
    conditions: tuple[Any, ...]
    home: tuple[LastingInjuryRolls, ...]
    state: CampaignState | None


class Factor(Record):
    """Models whose conditions depend on each other, in every way they can be. The chances add up to one.

    `with_rest`: the rest of the state depends on them too.
    """

    models: tuple[str, ...]
    with_rest: bool
    cases: tuple[Case, ...]


class IndependentParts:
    """The chances of all states that steps lead to. `certain` holds what every end has in common."""

    def __init__(self, enumerator: OutcomeEnumerator, state: CampaignState) -> None:
        self.certain = Case(chance=Fraction(1), conditions=(), home=(), state=state)
        self.factors: tuple[Factor, ...] = ()
        self._enumerator = enumerator
        self._hidden: dict[str, HiddenCondition] = {}

    def enumerate(self, step: Step, walk: Walk) -> None:
        """Apply one more step. Raises the step's own refusals, and TooManyOutcomes."""
        needed = [factor for factor in self.factors if factor.with_rest]
        while True:
            hidden = [factor for factor in self.factors if factor not in needed]
            try:
                ends = self._ends(step, walk, needed, hidden)
            except HiddenConditionRead as looked:
                needed += [factor for factor in hidden if looked.model in factor.models]
                continue
            self.factors = (*hidden, *self._factors_of(ends, hidden))
            return

    def _ends(
        self, step: Step, walk: Walk, needed: Sequence[Factor], hidden: Sequence[Factor]
    ) -> dict[int, Fraction]:
        """The chance of every end by its number, with the `needed` factors in each of their cases and the
        others hidden.
        """
        enumerator = self._enumerator
        enumerator.foresee(prod(len(factor.cases) for factor in needed))
        shut = {model: self._hide(model) for factor in hidden for model in factor.models}
        ends: defaultdict[int, Fraction] = defaultdict(Fraction)
        for cases in product(*(factor.cases for factor in needed)):
            state = next((case.state for case in cases if case.state is not None), self.certain.state)
            assert state is not None, "what is certain has a state"
            conditions = dict(shut)
            for factor, case in zip(needed, cases, strict=True):
                conditions |= zip(factor.models, case.conditions, strict=True)
            home = tuple(roll for case in cases for roll in case.home)
            start = Leaf(state=with_conditions(state, conditions), home=home)
            chance = prod((case.chance for case in cases), start=Fraction(1))
            chances = walk(enumerator, step, start)
            enumerator.add_up(len(chances))
            for end, part in chances.items():
                ends[end] += chance * part
        assert sum(ends.values()) == 1, "the chances of all ends are one"
        return ends

    def _factors_of(self, ends: Mapping[int, Fraction], hidden: Sequence[Factor]) -> Iterator[Factor]:
        """The factors of these ends. What all ends have in common becomes certain."""
        token = self._enumerator.token
        reached = [self._enumerator.leaves[number] for number in ends]
        first = reached[0]
        unseen = {model for factor in hidden for model in factor.models}
        models = [model for model in conditions_in(first.state) if model not in unseen]
        of_each = [conditions_in(end.state) for end in reached]
        varying = tuple(
            model for model in models if len({token(conditions.get(model)) for conditions in of_each}) > 1
        )
        with_rest = len({token(_rest(end.state)) for end in reached}) > 1
        if len(reached) == 1:
            self.certain = replace(self.certain, state=first.state, home=(*self.certain.home, *first.home))
            return
        self.certain = replace(self.certain, state=first.state)
        cases = tuple(
            Case(
                chance=chance,
                conditions=tuple(conditions[model] for model in varying),
                home=end.home,
                state=end.state if with_rest else None,
            )
            for end, conditions, chance in zip(reached, of_each, ends.values(), strict=True)
        )
        yield from self._split(Factor(models=varying, with_rest=with_rest, cases=cases))

    def _split(self, factor: Factor) -> Iterator[Factor]:
        """A factor split into independent ones, where it can be."""
        for place, model in enumerate(factor.models):
            if len(factor.models) + factor.with_rest == 1:
                break
            own, others = self._apart(factor.cases, place, model)
            if len(own) * len(others) == len(factor.cases) and all(
                case.chance == own[key].chance * others[other].chance
                for case, key, other in self._keyed(factor.cases, place, model)
            ):
                yield Factor(models=(model,), with_rest=False, cases=tuple(own.values()))
                rest = tuple(name for name in factor.models if name != model)
                yield from self._split(
                    Factor(models=rest, with_rest=factor.with_rest, cases=tuple(others.values()))
                )
                return
        yield factor

    def _apart(
        self, cases: Sequence[Case], place: int, model: str
    ) -> tuple[dict[object, Case], dict[object, Case]]:
        """The cases of one model and the cases of all else, each by its key."""
        own: dict[object, Case] = {}
        others: dict[object, Case] = {}
        for case, key, other in self._keyed(cases, place, model):
            mine = Case(
                chance=case.chance + (own[key].chance if key in own else 0),
                conditions=(case.conditions[place],),
                home=tuple(roll for roll in case.home if roll.fighter == model),
                state=None,
            )
            own[key] = mine
            others[other] = Case(
                chance=case.chance + (others[other].chance if other in others else 0),
                conditions=(*case.conditions[:place], *case.conditions[place + 1 :]),
                home=tuple(roll for roll in case.home if roll.fighter != model),
                state=case.state,
            )
        return own, others

    def _keyed(self, cases: Sequence[Case], place: int, model: str) -> Iterator[tuple[Case, object, object]]:
        """Each case with the key of its model and the key of all else."""
        token = self._enumerator.token
        self._enumerator.add_up(len(cases))
        for case in cases:
            mine = tuple(roll for roll in case.home if roll.fighter == model)
            theirs = tuple(roll for roll in case.home if roll.fighter != model)
            rest = _rest(case.state) if case.state is not None else None
            others = (*case.conditions[:place], *case.conditions[place + 1 :])
            yield case, token((case.conditions[place], mine)), token((others, theirs, rest))

    def _hide(self, model: str) -> HiddenCondition:
        if model not in self._hidden:
            self._hidden[model] = HiddenCondition(model)
            self._enumerator.take_as_it_is(self._hidden[model])
        return self._hidden[model]


class HiddenConditionRead(Exception):
    """A step read a hidden condition."""

    def __init__(self, model: str) -> None:
        super().__init__(model)
        self.model = model


class HiddenCondition:
    """Stands for a model's condition: reading anything of it raises HiddenConditionRead.

    It may be passed on and tested with `is None`, as any condition can.
    """

    __slots__ = ("model",)

    def __init__(self, model: str) -> None:
        object.__setattr__(self, "model", model)

    def __getattribute__(self, name: str) -> NoReturn:
        raise HiddenConditionRead(object.__getattribute__(self, "model"))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        raise HiddenConditionRead(object.__getattribute__(self, "model"))

    def __repr__(self) -> str:
        raise HiddenConditionRead(object.__getattribute__(self, "model"))

    __hash__ = object.__hash__


def conditions_in(state: CampaignState) -> dict[str, Any]:
    """The condition of every model in the battle, by its id."""
    battle = state.under_way
    return {} if battle is None else {**battle.combatants, **battle.vehicles}


def with_conditions(state: CampaignState, conditions: Mapping[str, Any]) -> CampaignState:
    """The state with these conditions in place of those of the models."""
    battle = state.under_way
    if battle is None or not conditions:
        return state
    combatants = {model: conditions.get(model, held) for model, held in battle.combatants.items()}
    vehicles = {model: conditions.get(model, held) for model, held in battle.vehicles.items()}
    return replace(state, under_way=replace(battle, combatants=combatants, vehicles=vehicles))


def _rest(state: CampaignState) -> CampaignState:
    """The state without any model's condition."""
    return with_conditions(state, dict.fromkeys(conditions_in(state)))
