"""Judgement: one exchange step by step, with reasons, and the conditions of all models after it.

Knows verdicts. Nothing is recorded, so no line has an address.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from tracker.campaign import records
from tracker.campaign.conditions import WHOLE_BATTLE, condition_changes, records_in_play
from tracker.campaign.judging import JudgedExchange, SettingVerdict, touched
from tracker.campaign.state import CampaignState
from tracker.reports import judgement_data
from tracker.reports.cards import counted, display_name, lowercase_id
from tracker.reports.condition_words import CONDITIONS
from tracker.reports.escaping import sanitize
from tracker.reports.names import Names
from tracker.reports.page import Block, Page, Text
from tracker.reports.plain_data import plain_data
from tracker.reports.sentences import citation, sentence

_TRUE = {
    "seriously_injured": "Seriously Injured",
    "out_of_action": "Out of Action",
    "pinned": "Pinned",
    "webbed": "Webbed",
    "broken": "Broken",
    "down": "Down",
    **CONDITIONS,
}
_LOST = {"wounds_left": "Wound", "hit_points_left": "Hull Point"}
# Shown with another change, or of no use at the table.
_BESIDE = frozenset(
    {"seriously_injured_in_close_combat", "seriously_injured_by", "taken_out_by", "fate_decided", "lucid"}
)


def judgement_page(verdict: SettingVerdict) -> Page:
    """Every exchange with its steps and sections, then the end state of every model that changed."""
    names = Names.of_state(verdict.end)
    return Page(
        schema=judgement_data.SCHEMA,
        blocks=lambda: _blocks(verdict, names),
        data=lambda: plain_data(_object(verdict, names)),
    )


def _object(verdict: SettingVerdict, names: Names) -> judgement_data.JudgementObject:
    exchanges = [judgement_data.exchange_judged(exchange, names) for exchange in verdict.exchanges]
    return judgement_data.JudgementObject(
        rulebook=judgement_data.RulesUsed(version=verdict.rulebook.version, digest=verdict.rulebook.digest),
        notes=list(verdict.notes),
        before=[judgement_data.exchange_judged(exchange, names) for exchange in verdict.before],
        exchanges=exchanges,
        rolls=[roll for exchange in exchanges for roll in exchange.rolls],
        events=[event for exchange in exchanges for event in exchange.events],
        end_state={
            model: judgement_data.model_at_end(
                verdict, model, name=model_name(verdict.end, model), stands=end_words(verdict, model)
            )
            for model in touched(verdict)
        },
    )


def _blocks(verdict: SettingVerdict, names: Names) -> Iterator[Block]:
    notes = [f"Note: {note}" for note in verdict.notes]
    yield [Text([f"By {verdict.rulebook.version}. Nothing is recorded.", *notes])]
    for exchange in verdict.before:
        yield [Text([*_exchange_lines(exchange, names, "before")])]
    for exchange in verdict.exchanges:
        yield [Text([*_exchange_lines(exchange, names, "")])]
    ends = [
        f"  {model_name(verdict.end, model)}: {', '.join(end_words(verdict, model))}"
        for model in touched(verdict)
    ]
    yield [Text(["End state", *(ends or ["  everybody stands as before"])])]


def end_words(verdict: SettingVerdict, model: str) -> list[str]:
    """The conditions of a model at the end, and other changes from the exchanges."""
    fresh, end = records_in_play(verdict.fresh), records_in_play(verdict.end)
    words = stands_words(model, condition_changes(fresh[model], end[model]))
    before, after = verdict.start.fighter(model), verdict.end.fighter(model)
    if before is None or after is None:
        return words
    if after.experience != before.experience:
        words.append(f"{after.experience - before.experience:+d} XP")
    words += [sanitize(injury.name) for injury in after.injuries[len(before.injuries) :]]
    words += [display_name(mutation) for mutation in after.mutations[len(before.mutations) :]]
    if after.standing != before.standing:
        words.append(after.standing)
    return words


def stands_words(model: str, changes: Sequence[tuple[str, Any, Any]]) -> list[str]:
    """As `condition_words`, with a word for no change."""
    return condition_words(changes) or ["as before" if model == WHOLE_BATTLE else "unhurt"]


def condition_words(changes: Sequence[tuple[str, Any, Any]]) -> list[str]:
    """Changes of a condition in the words of the table; empty for none."""
    words = []
    laid_low = any(name in ("seriously_injured", "down") and after for name, _, after in changes)
    for name, before, after in changes:
        # A worse condition replaces Pinned.
        if name in _BESIDE or (name == "pinned" and laid_low):
            continue
        if name in _LOST:
            lost = before - after
            number = counted(abs(lost), _LOST[name])
            words.append(f"{number} lost" if lost > 0 else f"{number} regained")
        elif name == "flesh_wounds" and after > before:
            words.append(counted(after - before, "Flesh Wound"))
        elif isinstance(after, bool):
            condition = _TRUE.get(name, lowercase_id(name))
            words.append(condition if after else f"no longer {condition}")
        else:
            words.append(f"{lowercase_id(name)}: {_value(after)}")
    return words


def _value(value: Any) -> str:
    if value is None:
        return "none"
    if isinstance(value, tuple | list | frozenset | set):
        return " and ".join(_value(part) for part in value) or "none"
    if isinstance(value, dict):
        return " and ".join(f"{_value(key)} {_value(part)}" for key, part in value.items()) or "none"
    return sanitize(value)


def _exchange_lines(exchange: JudgedExchange, names: Names, prefix: str) -> Iterator[str]:
    command = exchange.planned.command
    yield (f"{prefix}: " if prefix else "") + command.in_words(names)
    if exchange.judgement is None:
        yield f"  passed over: {sanitize(exchange.passed_over)}"
        return
    if not exchange.events:
        yield "  nothing happens"
    target = getattr(command, "target", None)
    wide = len(str(len(exchange.events)))
    cited: set[str] = set()
    for number, event in enumerate(exchange.events, start=1):
        whose = isinstance(event, records.RollMade) and event.fighter != target
        yield f"  {number:>{wide}}  {sentence(event, names, whose=whose)}{citation(event, cited)}"


def model_name(state: CampaignState, model: str) -> str:
    """The name of a fighter or vehicle; the id if it has none."""
    known = state.fighter(model) or state.vehicle(model)
    return sanitize(known.name if known is not None else model)
