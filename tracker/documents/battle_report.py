"""The battle report, `battle-report/1`: what happened at the table, as commands with their dice.

Knows the entries that a report may hold. Knows no fighters and no rules: `decide` checks which dice an
exchange needs, and whether the fighters exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Literal, Self, TypeAlias

from pydantic import ConfigDict, Discriminator, Field, PlainValidator, Tag, WithJsonSchema, model_validator

from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.documents.close_combat_entries import FightWritten
from tracker.documents.derived_forms import FormWhenUsed, with_forms
from tracker.documents.ids import EACH_ONCE, IdOrName
from tracker.documents.known_names import KnownNames
from tracker.documents.nodes import Document, Path
from tracker.documents.planned_decisions import DiceReader, PlannedDecision, digest_of_document, file_position
from tracker.documents.report_entries import (
    DERIVED_EXCHANGES,
    EXCHANGES,
    DiceByPurpose,
    Exchange,
    Flee,
    FleshWound,
    Hit,
    Nerve,
    OutOfAction,
    RallyTest,
    SeriouslyInjured,
    refuse_second_tests,
)
from tracker.documents.shooting_entries import Reloading, Shot
from tracker.documents.text import Name, Note, Slug, expected
from tracker.documents.validation import Problems, StrictModel, drop_null, fault, read_as
from tracker.documents.vehicle_entries import VehicleHit
from tracker.records import Record
from tracker.rules.rulebook import DicePurpose

FORMAT: Final = "battle-report/1"
ENTRIES_MAX: Final = 500


class BattlePlan(Record):
    """A whole battle: opened, played entry by entry, closed.

    `digest` is SHA-256 of what the report says: layout, comments and the order of keys do not change it.
    """

    battle: str
    campaign: str | None
    recorded_by: str | None
    decisions: tuple[PlannedDecision, ...]
    digest: str


def battle_plan(
    document: Document, *, purposes: Mapping[str, DicePurpose], state: CampaignState | None = None
) -> BattlePlan:
    """The decisions that a report asks for; `purposes` are those of the campaign's book. In a `state` people
    are called as they are called there.

    Raises FormatNotExpected or DocumentRefused.
    """
    battle = document.root.child("battle")
    # A report that was recorded is read as it was then, when nobody else had the name.
    recorded = state is not None and battle is not None and battle.content in state.battles
    known = KnownNames(state, first_of_several=recorded)
    report = read_as(BattleReport, document, version=FORMAT, what="battle report", context=known)
    problems = Problems(document, "battle report")
    _refuse_repeats(report, problems)
    refuse_second_tests(exchanges_of("entries", report.entries), problems)
    dice = DiceReader(problems, purposes)
    opened = file_position(document, ("battle",))
    opening = PlannedDecision(
        command=records.OpenBattle(
            battle=report.battle, scenario=report.scenario, date=report.date, crews=report.crews()
        ),
        dice=dice.read(report.opening.dice if report.opening else {}, ("opening", "dice")),
        label=f"opening of the battle, line {opened.line}",
        in_file=opened,
    )
    played = [
        entry_decision(entry, ("entries", position), document, dice, called=f"entry {position + 1}")
        for position, entry in enumerate(report.entries)
    ]
    closing = closing_decision(report.result, report.wrap_up, document, dice)
    problems.refuse()
    return BattlePlan(
        battle=report.battle,
        campaign=report.campaign,
        recorded_by=report.recorded_by,
        decisions=(opening, *played, closing),
        digest=digest_of_document(document),
    )


def entry_decision(
    entry: Entry, path: Path, document: Document, dice: DiceReader, *, called: str
) -> PlannedDecision:
    """The decision that an entry at `path` asks for. What no die shows becomes a problem."""
    kind, exchange = entry.exchange()
    given = dict(entry.dice)
    faces = dice.read(given, (*path, "dice"))
    if isinstance(exchange, OutOfAction) and exchange.lasting_injury:
        shorthand: Path = (*path, kind, "lasting_injury")
        if "lasting_injury" in given:
            dice.problems.add(shorthand, "the same dice stand under `dice` too. Keep one of the two.")
        faces += dice.read_purpose("lasting_injury", exchange.lasting_injury, shorthand)
    in_file = file_position(document, path)
    return PlannedDecision(
        command=exchange.command(entry.activation),
        dice=faces,
        label=f"{called} ({kind}), line {in_file.line}",
        in_file=in_file,
        note=entry.note,
    )


def closing_decision(
    result: Result, wrap_up: WrapUp | None, document: Document, dice: DiceReader
) -> PlannedDecision:
    """The end of a battle, with the dice of the Wrap-up."""
    closed = file_position(document, ("wrap_up",) if wrap_up is not None else ("result",))
    return PlannedDecision(
        command=records.CloseBattle(winner=result.winner, drawn=result.draw),
        dice=dice.read(wrap_up.dice if wrap_up is not None else {}, ("wrap_up", "dice")),
        label=f"wrap-up, line {closed.line}",
        in_file=closed,
    )


def exchanges_of(key: str, entries: Sequence[Entry]) -> Iterator[tuple[Path, Exchange]]:
    """The exchanges of the entries under a key, each with its place in the document."""
    for position, entry in enumerate(entries):
        kind, exchange = entry.exchange()
        yield (key, position, kind), exchange


def _refuse_repeats(report: BattleReport, problems: Problems) -> None:
    lists: list[tuple[Path, Sequence[str]]] = []
    if isinstance(report.gangs, list):
        lists.append((("gangs",), report.gangs))
    else:
        lists.extend((("gangs", gang), crew) for gang, crew in report.gangs.items() if crew != "all")
    for path, ids in lists:
        for position, named in enumerate(ids):
            if named in ids[:position]:
                problems.add((*path, position), f"{named!r} stands in this list already. Take one out.")


# --- the report ------------------------------------------------------------------------------------------


def _one_exchange(schema: dict[str, Any]) -> None:
    drop_null(schema)
    schema["oneOf"] = [{"required": [kind]} for kind in EXCHANGES]


def _winner_or_draw(schema: dict[str, Any]) -> None:
    drop_null(schema)
    schema["oneOf"] = [{"required": ["winner"]}, {"required": ["draw"]}]


def _iso_date(given: Any) -> str:
    try:
        if isinstance(given, str) and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", given):
            return date.fromisoformat(given).isoformat()
    except ValueError as error:
        raise expected("a day of the calendar, such as 2025-03-14") from error
    raise expected("a date written year-month-day, such as 2025-03-14")


IsoDate = Annotated[
    str,
    PlainValidator(_iso_date),
    WithJsonSchema({"type": "string", "format": "date", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}),
]


class WrittenEntry(StrictModel):
    """One thing that happened: exactly one exchange, and the dice rolled for it."""

    model_config = ConfigDict(json_schema_extra=_one_exchange)
    meant: ClassVar[Mapping[str, str]] = {
        "charge": "A charge is a `fight` with `charging: true`.",
        "reaction": "Reaction attacks are a `fight` with `reaction: true`.",
        "melee": "Close combat is a `fight`.",
        "injury": "Injury dice alone are an `injury_roll`; an injury seen at the table is `flesh_wound`,"
        " `seriously_injured` or `out_of_action`.",
        "kill": "Who was taken out is `out_of_action`.",
        "xp": "XP is `experience`.",
    }

    hit: Annotated[Hit | None, FormWhenUsed(lambda: Hit)] = None
    out_of_action: Annotated[OutOfAction | None, FormWhenUsed(lambda: OutOfAction)] = None
    seriously_injured: Annotated[SeriouslyInjured | None, FormWhenUsed(lambda: SeriouslyInjured)] = None
    flesh_wound: Annotated[FleshWound | None, FormWhenUsed(lambda: FleshWound)] = None
    shoot: Annotated[Shot | None, FormWhenUsed(lambda: Shot)] = None
    reload: Annotated[Reloading | None, FormWhenUsed(lambda: Reloading)] = None
    fight: Annotated[FightWritten | None, FormWhenUsed(lambda: FightWritten)] = None
    nerve: Annotated[Nerve | None, FormWhenUsed(lambda: Nerve)] = None
    flee: Annotated[Flee | None, FormWhenUsed(lambda: Flee)] = None
    rally: Annotated[RallyTest | None, FormWhenUsed(lambda: RallyTest)] = None
    vehicle_hit: Annotated[VehicleHit | None, FormWhenUsed(lambda: VehicleHit)] = None
    dice: DiceByPurpose = Field(default={})
    """Faces by what they were rolled for, in the order rolled: {wound: [4], save: [2]}."""
    activation: Note | None = None
    """A label shared by entries of one activation: experience for one victim is counted once in it."""
    note: Note | None = None
    """Anything worth keeping."""

    @model_validator(mode="after")
    def _exactly_one_exchange(self) -> Self:
        keys = [key for key in EXCHANGES if key in self.model_fields_set]
        if not keys:
            raise fault(f"nothing happens in this entry: write one of {', '.join(EXCHANGES)}.")
        if len(keys) > 1:
            raise fault(f"one entry holds {' and '.join(keys)}: write an entry for each.")
        if getattr(self, keys[0]) is None:
            raise fault(f"{keys[0]} is empty: write who and what, indented below it.")
        return self

    def exchange(self) -> tuple[str, Exchange]:
        """Its key and what stands under it."""
        for kind in EXCHANGES:
            exchange: Exchange | None = getattr(self, kind)
            if exchange is not None:
                return kind, exchange
        raise AssertionError("an entry without an exchange was let in")


if TYPE_CHECKING:
    Entry: TypeAlias = WrittenEntry
else:
    Entry = with_forms(WrittenEntry, DERIVED_EXCHANGES)


class Result(StrictModel):
    """How the battle ended: a winner or a draw."""

    model_config = ConfigDict(json_schema_extra=_winner_or_draw)

    winner: IdOrName | None = None
    """The {game.gang} that won."""
    draw: Annotated[bool, WithJsonSchema({"const": True})] = False
    """true when nobody won."""

    @model_validator(mode="after")
    def _either_winner_or_draw(self) -> Self:
        if (self.winner is not None) == self.draw:
            raise fault("write either `winner: GANG` or `draw: true`.")
        return self


class Opening(StrictModel):
    """The start of the battle."""

    dice: DiceByPurpose = Field(default={})
    """Dice rolled before the first turn, by purpose: unreliable, for vehicles that may not start."""


class WrapUp(StrictModel):
    """The end of the battle."""

    dice: DiceByPurpose = Field(default={})
    """Dice rolled in the Wrap-up, by purpose."""


def _crew_written(given: Any) -> str:
    return "<fighters>" if isinstance(given, list) else "<all>"


def _gangs_written(given: Any) -> str:
    return "<list>" if isinstance(given, list) else "<map>"


def _everybody(given: Any) -> str:
    if given != "all":
        raise expected("a list of fighter ids, or all")
    return "all"


_Fighters = Annotated[list[IdOrName], Field(min_length=1, max_length=100)]
_Everybody = Annotated[Literal["all"], PlainValidator(_everybody), WithJsonSchema({"const": "all"})]
Crew = Annotated[
    Annotated[_Fighters, Tag("<fighters>")] | Annotated[_Everybody, Tag("<all>")],
    Discriminator(_crew_written),
]
_GangList = Annotated[list[IdOrName], Field(min_length=1, max_length=20)]
_GangMap = Annotated[dict[IdOrName, Crew], EACH_ONCE, Field(min_length=1, max_length=20)]
Gangs = Annotated[
    Annotated[_GangList, Tag("<list>")] | Annotated[_GangMap, Tag("<map>")], Discriminator(_gangs_written)
]


class BattleReport(StrictModel):
    """One battle, entry by entry, in order of play."""

    format: Literal["battle-report/1"]
    """Always battle-report/1."""
    battle: Slug
    """The battle's id: the same report sent twice is one battle."""
    campaign: Slug | None = None
    """The campaign it belongs to; else the one in use."""
    scenario: Name
    """The scenario played."""
    date: IsoDate
    """The day it was played, year-month-day."""
    recorded_by: Name | None = None
    """Who wrote the report."""
    gangs: Gangs
    """The {game.gangs} that fought: a list of ids (everybody available fought), or each {game.gang} with its
    fighters.
    """
    opening: Opening | None = None
    """Dice rolled before the first turn."""
    entries: list[Entry] = Field(default=[], max_length=ENTRIES_MAX)
    """What happened, in order of play."""
    result: Result
    """Who won."""
    wrap_up: WrapUp | None = None
    """The Wrap-up's own dice."""

    def crews(self) -> dict[str, tuple[str, ...]]:
        """The fighters of each gang; none named means everybody who is available."""
        if isinstance(self.gangs, list):
            return dict.fromkeys(self.gangs, ())
        return {gang: () if crew == "all" else tuple(crew) for gang, crew in self.gangs.items()}
