"""Odds: the exact chance of every end of an exchange, before a die is cast.

The dice are those that `decide` asks for and the rules are its own (`walking`); nothing is sampled and no
rule is told twice. Chances are fractions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from tracker.campaign import records
from tracker.campaign.conditions import ENDS, condition_changes, records_in_play
from tracker.campaign.decide import Library, carry_out
from tracker.campaign.decide.decision import Decision
from tracker.campaign.judging import (
    LEFT_THE_BATTLE,
    Setting,
    begun,
    named_in,
    rulebook_of,
)
from tracker.campaign.state import CampaignState
from tracker.campaign.statements import refuse_statement
from tracker.campaign.walking import End, Step, Walker
from tracker.records import Record
from tracker.rules.chances import table_chances
from tracker.rules.rulebook import Rulebook

Changes: TypeAlias = tuple[tuple[str, Any, Any], ...]


class ModelOdds(Record):
    """How a model can come out of it: its condition against a fresh model, each with its chance; () is fresh.

    `lasting` gives for each row of a lasting injury table the chance that at least one roll shows it,
    further rolls that a row brings not counted.
    """

    model: str
    ends: tuple[tuple[Changes, Fraction], ...]
    lasting: tuple[tuple[str, Fraction], ...] = ()


class Odds(Record):
    """The chances of an exchange. `together` are the ends of all models at once; `ways` is how many were told
    apart."""

    rulebook: Rulebook
    start: CampaignState
    commands: tuple[records.Command, ...]
    models: tuple[ModelOdds, ...]
    together: tuple[tuple[tuple[tuple[str, Changes], ...], Fraction], ...]
    ways: int


def odds(setting: Setting, library: Library, *, lasting: bool = False) -> Odds:
    """The chances of a setting's exchanges, one after the other, whatever dice lie there."""
    commands = tuple(planned.command for planned in setting.exchanges)
    fresh, state = begun(setting, library)
    for command in commands:
        refuse_statement(state, command, library)
    return odds_from(state, commands, library, fresh=fresh, lasting=lasting)


def odds_from(
    state: CampaignState,
    commands: Sequence[records.Command],
    library: Library,
    *,
    fresh: CampaignState | None = None,
    lasting: bool = False,
) -> Odds:
    """The chances of commands from a state on. One whose fighters have left the battle is passed over.

    Ends are told against `fresh`, which is the state itself when nothing else is given.
    """
    rulebook = rulebook_of(state, library)
    walker = Walker(rulebook, lasting=lasting)
    chances = {walker.number_of(End(state=state)): Fraction(1)}
    for position, command in enumerate(commands):
        ends: defaultdict[int, Fraction] = defaultdict(Fraction)
        for number, chance in chances.items():
            for end, part in _walk(walker, command, walker.ends[number], may_pass=position > 0).items():
                ends[end] += chance * part
        chances = dict(ends)
    weighed = [(walker.ends[number], chance) for number, chance in chances.items()]
    assert sum(chances.values()) == 1, "the chances of all ends are one"
    together = _together(state, fresh or state, commands, weighed)
    return Odds(
        rulebook=rulebook,
        start=state,
        commands=tuple(commands),
        models=tuple(
            _model(model, place, together, weighed, rulebook)
            for place, (model, _) in enumerate(together[0][0])
        ),
        together=tuple(together),
        ways=walker.ways,
    )


def _walk(walker: Walker, command: records.Command, start: End, *, may_pass: bool) -> dict[int, Fraction]:
    def step(decision: Decision) -> None:
        carry_out(decision, command)

    walked: Step = step
    try:
        return walker.walk(walked, start)
    except LEFT_THE_BATTLE:
        if not may_pass:
            raise
        return {walker.number_of(start): Fraction(1)}


def _together(
    state: CampaignState,
    fresh: CampaignState,
    commands: Sequence[records.Command],
    weighed: Sequence[tuple[End, Fraction]],
) -> list[tuple[tuple[tuple[str, Changes], ...], Fraction]]:
    start, unhurt = records_in_play(state), records_in_play(fresh)
    ends = [(records_in_play(end.state), chance) for end, chance in weighed]
    # Whom it may be about: the target of a command, and whoever comes out of it otherwise.
    targets = {
        name
        for command in commands
        for key in ("target", "targets", "fighter", "vehicle")
        for name in named_in(getattr(command, key, ()))
    }
    about = [
        name for name in start if name in targets or any(end[name] != start[name] for end, _ in ends)
    ] or [name for name in start if name in {one for command in commands for one in named_in(command)}]
    found: dict[str, tuple[tuple[tuple[str, Changes], ...], Fraction]] = {}
    for end, chance in ends:
        changes = tuple((name, condition_changes(unhurt[name], end[name])) for name in about)
        key = repr(changes)
        found[key] = (changes, chance + (found[key][1] if key in found else 0))
    return sorted(found.values(), key=lambda one: (-one[1], repr(one[0])))


def _model(
    model: str,
    place: int,
    together: Sequence[tuple[tuple[tuple[str, Changes], ...], Fraction]],
    weighed: Sequence[tuple[End, Fraction]],
    rulebook: Rulebook,
) -> ModelOdds:
    found: dict[str, tuple[Changes, Fraction]] = {}
    for changes, chance in together:
        own = changes[place][1]
        key = repr(own)
        found[key] = (own, chance + (found[key][1] if key in found else 0))
    return ModelOdds(
        model=model,
        ends=tuple(sorted(found.values(), key=lambda one: _gravity(one[0]))),
        lasting=_lasting(model, weighed, rulebook),
    )


def _gravity(changes: Changes) -> tuple[bool, bool, int, str]:
    """Fresh first, who has left the battle last, Seriously Injured before it."""
    now = {name: after for name, _, after in changes}
    return any(now.get(end) for end in ENDS), bool(now.get("seriously_injured")), len(changes), repr(changes)


def _lasting(
    model: str, weighed: Sequence[tuple[End, Fraction]], rulebook: Rulebook
) -> tuple[tuple[str, Fraction], ...]:
    chances: dict[str, Fraction] = {}
    for end, chance in weighed:
        for rolls in (one for one in end.home if one.fighter == model):
            if rolls.table not in rulebook.book.tables and rolls.table not in rulebook.book.charts:
                continue
            for line in table_chances(rulebook.book, rolls.table).lines:
                once = 1 - (1 - line.chance) ** rolls.rolls
                chances[line.name] = chances.get(line.name, Fraction(0)) + chance * once
    return tuple(chances.items())
