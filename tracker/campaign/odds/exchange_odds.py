"""Odds: the exact chance of every end of an exchange, before a die is rolled.

The dice and the rules are those of `decide` (see `enumeration`): nothing is sampled, and no rule is written
twice. Chances are fractions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any, TypeAlias

from tracker.campaign import records
from tracker.campaign.command_validation import validate_new_command
from tracker.campaign.conditions import ENDS, WHOLE_BATTLE, condition_changes, records_in_play
from tracker.campaign.judging import (
    LEFT_THE_BATTLE,
    Setting,
    begun,
    named_in,
    rulebook_of,
)
from tracker.campaign.odds.enumeration import Leaf, OutcomeEnumerator, Step
from tracker.campaign.odds.independent_parts import IndependentParts, conditions_in, with_conditions
from tracker.campaign.state import CampaignState
from tracker.campaign.steps import Library, dispatch
from tracker.campaign.steps.decision import Decision
from tracker.records import Record
from tracker.rules.chances import table_chances
from tracker.rules.rulebook import Rulebook

Changes: TypeAlias = tuple[tuple[str, Any, Any], ...]


class ModelOdds(Record):
    """The ends of one model: its condition compared with a fresh model, each with its chance; () is fresh.

    `lasting` gives for each row of a lasting injury table the chance that at least one roll shows it, without
    the further rolls that a row brings.
    """

    model: str
    ends: tuple[tuple[Changes, Fraction], ...]
    lasting: tuple[tuple[str, Fraction], ...] = ()


class JointEnds(Record):
    """The joint ends of several models, most likely first."""

    models: tuple[str, ...]
    ends: tuple[tuple[tuple[tuple[str, Changes], ...], Fraction], ...]


class Odds(Record):
    """The chances of an exchange. `apart` are groups of models that are independent of each other; `ways` is
    the number of branches followed.
    """

    rulebook: Rulebook
    start: CampaignState
    commands: tuple[records.Command, ...]
    models: tuple[ModelOdds, ...]
    apart: tuple[JointEnds, ...]
    ways: int

    @property
    def ends(self) -> int:
        """The number of joint ends of all models."""
        return prod(len(part.ends) for part in self.apart)

    @property
    def together(self) -> tuple[tuple[tuple[tuple[str, Changes], ...], Fraction], ...]:
        """The joint ends of all models, most likely first. There are `ends` of them."""
        order = {model.model: place for place, model in enumerate(self.models)}
        ends = []
        for parts in product(*(part.ends for part in self.apart)):
            changes = sorted((end for ends, _ in parts for end in ends), key=lambda end: order[end[0]])
            ends.append((tuple(changes), prod((chance for _, chance in parts), start=Fraction(1))))
        return tuple(_likeliest_first(ends))


def odds(setting: Setting, library: Library, *, lasting: bool = False) -> Odds:
    """The chances of a setting's exchanges, one after the other. Dice written in them are ignored."""
    commands = tuple(planned.command for planned in setting.exchanges)
    fresh, state = begun(setting, library)
    for command in commands:
        validate_new_command(state, command, library)
    return odds_from(state, commands, library, fresh=fresh, lasting=lasting)


def odds_from(
    state: CampaignState,
    commands: Sequence[records.Command],
    library: Library,
    *,
    fresh: CampaignState | None = None,
    lasting: bool = False,
) -> Odds:
    """The chances of commands from a state on. A command whose fighters have left the battle is passed over.

    Ends are compared with `fresh`, by default the state itself.
    """
    rulebook = rulebook_of(state, library)
    enumerator = OutcomeEnumerator(rulebook, lasting=lasting)
    factors = IndependentParts(enumerator, state)
    for position, command in enumerate(commands):
        factors.enumerate(_step(command), _may_pass if position > 0 else OutcomeEnumerator.enumerate)
    parts = tuple(_parts(factors, state, fresh or state, commands))
    return Odds(
        rulebook=rulebook,
        start=state,
        commands=tuple(commands),
        models=tuple(
            _model(model, parts, factors, rulebook)
            for model in records_in_play(state)
            if any(model in part.models for part in parts)
        ),
        apart=parts,
        ways=enumerator.branches,
    )


def _step(command: records.Command) -> Step:
    def step(decision: Decision) -> None:
        dispatch(decision, command)

    return step


def _may_pass(enumerator: OutcomeEnumerator, step: Step, start: Leaf) -> Mapping[int, Fraction]:
    """The ends of a step that is passed over if its fighters have left the battle."""
    try:
        return enumerator.enumerate(step, start)
    except LEFT_THE_BATTLE:
        return {enumerator.number_of(start): Fraction(1)}


def _parts(
    factors: IndependentParts, state: CampaignState, fresh: CampaignState, commands: Sequence[records.Command]
) -> Iterator[JointEnds]:
    """The ends of the models concerned, in groups independent of each other; one group is certain."""
    start, unhurt = records_in_play(state), records_in_play(fresh)
    # The models that may be concerned: targets of commands, and models whose condition changes.
    targets = {
        name
        for command in commands
        for key in ("target", "targets", "fighter", "vehicle")
        for name in named_in(getattr(command, key, ()))
    }
    certain = factors.certain.state
    assert certain is not None, "what is certain has a state"
    varying = {model for factor in factors.factors for model in factor.models}
    sure = {model: now for model, now in conditions_in(certain).items() if model not in varying}
    if not any(factor.with_rest for factor in factors.factors):
        sure[WHOLE_BATTLE] = _whole_battle(certain, state)
    parts = [[(sure, Fraction(1))]]
    for factor in factors.factors:
        ends = []
        for case in factor.cases:
            now = dict(zip(factor.models, case.conditions, strict=True))
            if case.state is not None:
                now[WHOLE_BATTLE] = _whole_battle(case.state, state)
            ends.append((now, case.chance))
        parts.append(ends)
    about = {
        name
        for ends in parts
        for now, _ in ends
        for name in now
        if name in targets or now[name] != start[name]
    }
    about = about or set(start) & {name for command in commands for name in named_in(command)}
    for ends in parts:
        models = tuple(name for name in start if name in about and name in ends[0][0])
        if models:
            yield JointEnds(models=models, ends=tuple(_changes(ends, models, unhurt)))


def _whole_battle(state: CampaignState, start: CampaignState) -> Any:
    return records_in_play(with_conditions(state, conditions_in(start)))[WHOLE_BATTLE]


def _changes(
    ends: Sequence[tuple[Mapping[str, Any], Fraction]], models: Sequence[str], unhurt: Mapping[str, Any]
) -> list[tuple[tuple[tuple[str, Changes], ...], Fraction]]:
    """The ends of these models as changes, equal ones merged."""
    by_key: dict[str, tuple[tuple[tuple[str, Changes], ...], Fraction]] = {}
    for now, chance in ends:
        changes = tuple((name, condition_changes(unhurt[name], now[name])) for name in models)
        key = repr(changes)
        by_key[key] = (changes, chance + (by_key[key][1] if key in by_key else 0))
    return _likeliest_first(by_key.values())


def _likeliest_first(
    ends: Iterable[tuple[tuple[tuple[str, Changes], ...], Fraction]],
) -> list[tuple[tuple[tuple[str, Changes], ...], Fraction]]:
    return sorted(ends, key=lambda end: (-end[1], repr(end[0])))


def _model(
    model: str, parts: Sequence[JointEnds], factors: IndependentParts, rulebook: Rulebook
) -> ModelOdds:
    part = next(together for together in parts if model in together.models)
    by_key: dict[str, tuple[Changes, Fraction]] = {}
    for changes, chance in part.ends:
        own = changes[part.models.index(model)][1]
        key = repr(own)
        by_key[key] = (own, chance + (by_key[key][1] if key in by_key else 0))
    return ModelOdds(
        model=model,
        ends=tuple(sorted(by_key.values(), key=lambda end: _gravity(end[0]))),
        lasting=_lasting(model, factors, rulebook),
    )


def _gravity(changes: Changes) -> tuple[bool, bool, int, str]:
    """Sort key: fresh first, then injured, then Seriously Injured, then models that have left the battle."""
    now = {name: after for name, _, after in changes}
    return any(now.get(end) for end in ENDS), bool(now.get("seriously_injured")), len(changes), repr(changes)


def _lasting(model: str, factors: IndependentParts, rulebook: Rulebook) -> tuple[tuple[str, Fraction], ...]:
    chances: dict[str, Fraction] = {}
    for case in (factors.certain, *(case for factor in factors.factors for case in factor.cases)):
        for rolls in (roll for roll in case.home if roll.fighter == model):
            if rolls.table not in rulebook.book.tables and rolls.table not in rulebook.book.charts:
                continue
            for line in table_chances(rulebook.book, rolls.table).lines:
                once = 1 - (1 - line.chance) ** rolls.rolls
                chances[line.name] = chances.get(line.name, Fraction(0)) + case.chance * once
    return tuple(chances.items())
