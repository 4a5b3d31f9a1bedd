"""A judgement as programs read it, and the JSON Schema of that object.

Knows verdicts and the annotations of their decisions. Every key is described at the declaration of its field.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Literal

import msgspec

from tracker.campaign import records
from tracker.campaign.conditions import of_the_book, records_in_play
from tracker.campaign.judging import JudgedExchange, SettingVerdict
from tracker.campaign.state import Combatant
from tracker.campaign.steps.annotations import FightOver, HitTaken, HowHit
from tracker.records import Record, names_of_fields
from tracker.reports.names import Names
from tracker.reports.plain_data import event_data, plain_data
from tracker.reports.sentences import section_of, sentence

SCHEMA: Final = "judgement"


class RulesUsed(Record):
    """The rules that decided it."""

    version: str
    """The book and its house rules, for people."""
    digest: str
    """The same, byte for byte."""


class RollJudged(Record):
    """One roll."""

    purpose: str
    """What the die was rolled for, such as wound."""
    who: str | None
    """The model it is about; of a hit roll the attacker."""
    against: str | None
    """The model that a hit roll was made against; null for other rolls."""
    rolled_by: str | None
    """The gang whose player rolled."""
    die: str
    """Which die: D6, 2D6, D66 or a special one."""
    dice: list[int]
    """The faces; empty where only the symbol is known."""
    symbol: str | None
    """What a special die showed."""
    source: str
    """Where the die comes from: typed, generated, reported or ruling."""
    modifiers: list[dict[str, Any]]
    """What moved it, each with why and by."""
    target: int | None
    """The lowest result that passes."""
    passed: bool | None
    """Whether it passed, where there was something to pass."""
    result: str
    """What it meant, in words."""
    section: str
    """Where the rule stands in the book."""


class HitJudged(Record):
    """A hit that was resolved from the wound roll on, with the numbers that it began with."""

    on: str
    """The model that was hit."""
    by: str | None
    """The attacker; null for a fall."""
    weapon: str | None
    """With what; null for a fall."""
    how: HowHit
    """By what kind of attack it came."""
    strength: int
    """Strength of the hit."""
    armour_penetration: int
    """Its AP, 0 or below."""
    damage: int | None
    """Its Damage; null for '-'."""
    toughness: int
    """Toughness at that moment: after Flesh Wounds, or of the facing that was hit."""
    wounds_on: int | None
    """The face that wounds."""
    wounded: bool | None
    """Whether it wounded."""
    saves_on: int | None
    """The face that saves; null where no save was rolled."""
    saved: bool | None
    """Whether it was saved; null where no save was rolled."""


class EventJudged(Record):
    """One thing that happened."""

    type: str
    """Its name, as in docs/events.md."""
    sentence: str
    """The same in words."""
    section: str | None
    """Where the rule stands in the book."""
    data: dict[str, Any]
    """Its fields."""


class ExchangeJudged(Record):
    """One exchange, decided."""

    asked: str
    """The exchange in words."""
    command: dict[str, Any]
    """The exchange as it was read, with its type."""
    passed_over: str | None
    """Why it did not happen, where its fighter had left the battle."""
    rolls: list[RollJudged]
    """Its rolls, in order."""
    hits: list[HitJudged]
    """Its hits, in order; strays stand apart."""
    strays: list[HitJudged]
    """The hits of shots that went astray."""
    may_follow: FightOver | None
    """What the rules allow after a fight: coup_de_grace against whom, consolidate, and who may react."""
    events: list[EventJudged]
    """What happened, in order."""


class ModelAtEnd(Record):
    """How a model stands at the end."""

    name: str
    """What people call it."""
    stands: list[str]
    """How it stands, in words."""
    toughness: int | None
    """A fighter's Toughness now; null for vehicles, the battle, and games without it."""
    may: list[Literal["stand_up", "recovery_test", "be_given_coup_de_grace", "rally", "reload"]]
    """What its condition leaves open to it, or to others against it."""
    condition: Any
    """Its condition in the battle, with the fields that the book knows."""
    carries_home: dict[str, Any]
    """What changed on its card."""


class JudgementObject(Record):
    """What `judge --json` shows: one exchange or several, decided and not recorded."""

    rulebook: RulesUsed
    """The rules that decided it."""
    notes: list[str]
    """What was said aloud."""
    before: list[ExchangeJudged]
    """The exchanges that were played before."""
    exchanges: list[ExchangeJudged]
    """The exchanges asked."""
    rolls: list[RollJudged]
    """The rolls of all exchanges asked."""
    events: list[EventJudged]
    """The events of all exchanges asked."""
    end_state: dict[str, ModelAtEnd]
    """Every model touched, by id."""


def judgement_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of what `judge --json` shows."""
    from tracker.documents.schemas import DIALECT, docstrings_of_fields  # not above: seldom asked for

    schemas = msgspec.json.schema(JudgementObject)
    for kind in (*_PARTS, FightOver, JudgementObject):
        described = schemas["$defs"][kind.__name__]
        described["additionalProperties"] = False
        for field, words in docstrings_of_fields(kind):
            described["properties"][field]["description"] = words
    schema = schemas["$defs"].pop(JudgementObject.__name__)
    which = {"const": f"arbitrator/{SCHEMA}/1", "description": "Which document this is."}
    schema["properties"] = {"schema": which, **schema["properties"]}
    schema["required"] = list(schema["properties"])
    return {"$schema": DIALECT, **schema, "$defs": schemas["$defs"]}


_PARTS: Final = (RulesUsed, RollJudged, HitJudged, EventJudged, ExchangeJudged, ModelAtEnd)


# --- exchanges --------------------------------------------------------------------------------------------


def exchange_judged(exchange: JudgedExchange, names: Names) -> ExchangeJudged:
    """An exchange with all its results."""
    command = exchange.planned.command
    hits = [(hit, _hit(exchange, hit)) for hit in _hits(exchange)]
    annotations = exchange.judgement.annotations if exchange.judgement is not None else None
    return ExchangeJudged(
        asked=command.in_words(names),
        command={"type": type(command).__name__, **plain_data(command)},
        passed_over=exchange.passed_over or None,
        rolls=list(_rolls(exchange)),
        hits=[judged for hit, judged in hits if hit.how != "stray"],
        strays=[judged for hit, judged in hits if hit.how == "stray"],
        may_follow=annotations.fight_over if annotations is not None else None,
        events=[
            EventJudged(
                type=type(event).__name__,
                sentence=sentence(event, names, whose=True),
                section=section_of(event),
                data=event_data(event),
            )
            for event in exchange.events
        ],
    )


def _rolls(exchange: JudgedExchange) -> Iterator[RollJudged]:
    annotations = exchange.judgement.annotations if exchange.judgement is not None else None
    struck = annotations.rolled_against if annotations is not None else {}
    command = exchange.planned.command
    shot_at = command.target if isinstance(command, records.Shoot) else None
    for place, event in enumerate(exchange.events, start=1):
        if isinstance(event, records.RollMade):
            to_hit = event.purpose in ("hit", "improbable_hit")
            yield RollJudged(
                purpose=event.purpose,
                who=event.fighter,
                against=shot_at if to_hit else struck.get(place),
                rolled_by=event.rolled_by,
                die=event.die,
                dice=list(event.faces),
                symbol=event.symbol,
                source=event.source,
                modifiers=plain_data(event.modifiers),
                target=event.target,
                passed=event.passed,
                result=event.outcome,
                section=event.section,
            )


def _hits(exchange: JudgedExchange) -> Sequence[HitTaken]:
    annotations = exchange.judgement.annotations if exchange.judgement is not None else None
    return annotations.hits if annotations is not None else ()


def _hit(exchange: JudgedExchange, hit: HitTaken) -> HitJudged:
    """The hit, with the first wound roll and the first save roll that were made for it."""
    later = [other.after_events for other in _hits(exchange) if other.after_events > hit.after_events]
    resolved = exchange.events[hit.after_events : min(later, default=len(exchange.events))]
    first = {event.purpose: event for event in reversed(resolved) if isinstance(event, records.RollMade)}
    wound, save = first.get("wound"), first.get("save")
    return HitJudged(
        on=hit.on,
        by=hit.by,
        weapon=hit.weapon,
        how=hit.how,
        strength=hit.strength,
        armour_penetration=hit.armour_penetration,
        damage=hit.damage,
        toughness=hit.toughness,
        wounds_on=wound.target if wound is not None else None,
        wounded=wound.passed if wound is not None else None,
        saves_on=save.target if save is not None else None,
        saved=save.passed if save is not None else None,
    )


# --- the end ----------------------------------------------------------------------------------------------


def model_at_end(verdict: SettingVerdict, model: str, *, name: str, stands: list[str]) -> ModelAtEnd:
    """A model's conditions at the end; its name and conditions in words are given."""
    now = records_in_play(verdict.end)[model]
    on_chart = "injury_chart" in verdict.rulebook.book.charts
    return ModelAtEnd(
        name=name,
        stands=stands,
        toughness=_toughness(verdict, model, now),
        may=[*_open_to(now)],
        condition=plain_data(of_the_book(now, on_chart=on_chart)),
        carries_home=_carried_home(verdict, model),
    )


def _toughness(verdict: SettingVerdict, model: str, now: object) -> int | None:
    fighter = verdict.end.fighter(model)
    if fighter is None or not isinstance(now, Combatant) or "toughness" not in fighter.characteristics:
        return None
    return fighter.characteristics["toughness"] - now.flesh_wounds


def _open_to(
    now: object,
) -> Iterator[Literal["stand_up", "recovery_test", "be_given_coup_de_grace", "rally", "reload"]]:
    if not isinstance(now, Combatant) or now.out_of_action or now.fled:
        return
    if now.down or (now.pinned and not now.seriously_injured and not now.broken):
        yield "stand_up"
    if now.seriously_injured:
        yield "recovery_test"
        yield "be_given_coup_de_grace"
    if now.broken:
        yield "rally"
    if now.out_of_ammo and not (now.broken or now.seriously_injured or now.webbed):
        yield "reload"


def _carried_home(verdict: SettingVerdict, model: str) -> dict[str, Any]:
    """Every field of the model's record that the exchanges changed."""
    before, after = verdict.start.fighter(model), verdict.end.fighter(model)
    if before is None or after is None:
        return {}
    changed = (name for name in names_of_fields(after) if getattr(before, name) != getattr(after, name))
    return {name: plain_data(getattr(after, name)) for name in changed}
