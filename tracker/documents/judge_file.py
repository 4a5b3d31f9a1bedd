"""The exchange, `exchange/1`: one moment of a battle with all that it needs, for `judge` and `odds`.

Knows cards and exchanges as gang sheets and battle reports write them. Knows no campaign and stores nothing:
`decide` refuses what is not possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final, Literal, Self

from pydantic import ConfigDict, Discriminator, Field, PlainValidator, Tag, WithJsonSchema, model_validator

from tracker.campaign import records
from tracker.campaign.judging import PlannedExchange, Setting, policy_text
from tracker.campaign.profiles import Category
from tracker.documents.battle_report import Entry, entry_decision, exchanges_of
from tracker.documents.card_numbers import Credits
from tracker.documents.gang_sheet import FighterOnSheet, VehicleOnSheet, has_other_numbers, numbers_of
from tracker.documents.house_rule import HouseRuleContent, patch_of
from tracker.documents.ids import EACH_ONCE, IdOrName, id_meant
from tracker.documents.known_names import KnownNames
from tracker.documents.nodes import Document, Node, Path
from tracker.documents.planned_decisions import DiceReader, PlannedDecision
from tracker.documents.report_entries import refuse_second_tests
from tracker.documents.text import Name, expected, numbered, slug_of
from tracker.documents.validation import Problems, StrictModel, drop_null, fault, read_as
from tracker.documents.weapon_sheet import check_profile_names
from tracker.records import replace
from tracker.rules import loader
from tracker.rules.rulebook import Book

FORMAT: Final = "exchange/1"
WHAT: Final = "exchange"
SKIRMISH: Final = "no-lasting-injuries@1"
"""The house rule that leaves Lasting Injuries out."""


def setting_of(document: Document) -> Setting:
    """What an exchange file sets up and asks. Raises DocumentRefused, UnknownBook or UnknownPolicy."""
    named_book = document.root.child("rulebook")
    # The numbers of a card are those of the book, so the book is looked up before anything is read.
    named_first = named_book is not None and isinstance(named_book.content, str)
    printed = loader.book(str(named_book.content)).characteristics if named_book and named_first else {}
    context = KnownNames(
        other_numbers=has_other_numbers(printed), models=_models_in(document), gangs=_gangs_in(document)
    )
    written = read_as(ExchangeFile, document, version=FORMAT, what=WHAT, context=context)
    book = loader.book(written.rulebook)
    named = written.policies if written.preset is None else loader.preset(written.preset).policies
    problems = Problems(document, WHAT)
    policies = []
    for place, name in enumerate(named):
        policy = loader.policy(name)
        policies.append(policy_text(policy))
        foreign = [knob for knob in policy.patch if knob not in book.knobs]
        if foreign:
            path: Path = ("policies", place) if written.preset is None else ("preset",)
            problems.add(path, f"{policy.id} does not fit {book.book}, which has no setting {foreign[0]}.")
    if not written.lasting_injuries:
        skirmish = loader.policy(SKIRMISH)
        if all(knob in book.knobs for knob in skirmish.patch):
            # What was said of this exchange takes the place of house rules about the same.
            policies = [text for text in policies if not text.patch.keys() <= skirmish.patch.keys()]
            policies.append(policy_text(skirmish))
        else:
            said = f"{book.title} rolls for no lasting injury in an exchange: take this key out."
            problems.add((), said, key="lasting_injuries")
    if written.house_rule is not None:
        policies.append(
            records.PolicyText(
                policy="house-rule",
                version=1,
                title="House rule of this exchange",
                source="the exchange",
                patch=dict(sorted(patch_of(written.house_rule, [book], ("house_rule",), problems).items())),
            )
        )
    gangs = _gangs(written, book, problems)
    dice = DiceReader(problems, book.purposes)
    before = [
        entry_decision(entry, ("before", place), document, dice, called=f"before {place + 1}")
        for place, entry in enumerate(written.before)
    ]
    if isinstance(written.exchange, list):
        exchanges = [
            entry_decision(entry, ("exchange", place), document, dice, called=f"exchange {place + 1}")
            for place, entry in enumerate(written.exchange)
        ]
    else:
        exchanges = [entry_decision(written.exchange, ("exchange",), document, dice, called="the exchange")]
    asked = written.exchange if isinstance(written.exchange, list) else [written.exchange]
    entries = [*exchanges_of("before", written.before), *exchanges_of("exchange", asked)]
    refuse_second_tests(entries, problems)
    problems.refuse()
    return Setting(
        book=written.rulebook,
        policies=tuple(policies),
        gangs=gangs,
        conditions=written.conditions,
        before=tuple(_planned(decision) for decision in before),
        exchanges=tuple(_planned(decision) for decision in exchanges),
    )


def _gangs_in(document: Document) -> Iterator[tuple[str, str]]:
    """The file's gangs, as it names them, before it is read: (id, name)."""
    for gang, written in _children(document.root.child("gangs")):
        name = written.child("name")
        if name is not None and isinstance(name.content, str):
            yield id_meant(gang) or gang, name.content


def _models_in(document: Document) -> Iterator[tuple[str, str]]:
    """The file's fighters and vehicles, before it is read: (id, name)."""
    for _, gang in _children(document.root.child("gangs")):
        for kind in ("fighters", "vehicles"):
            listed = gang.child(kind)
            for model in listed.content if listed is not None and isinstance(listed.content, tuple) else ():
                named, name = model.child("id"), model.child("name")
                if name is not None and isinstance(name.content, str):
                    given = named.content if named is not None else slug_of(name.content)
                    yield str(given), name.content


def _children(node: Node | None) -> Iterable[tuple[str, Node]]:
    return node.content.items() if node is not None and isinstance(node.content, dict) else ()


def _planned(decision: PlannedDecision) -> PlannedExchange:
    return PlannedExchange(
        command=decision.command, dice=decision.dice, label=decision.label, in_file=decision.in_file
    )


def _gangs(written: ExchangeFile, book: Book, problems: Problems) -> tuple[records.EnlistGang, ...]:
    taken: dict[str, str] = {}
    gangs = []
    # The last rank that a book lists is the ordinary one.
    usual: Category = book.categories[-1] if book.categories else "ganger"  # type: ignore[assignment]
    for gang_id, gang in written.gangs.items():
        cards: list[records.FighterCard] = []
        for place, fighter in enumerate(gang.fighters):
            path: Path = ("gangs", gang_id, "fighters", place)
            fighter_id = _model_id(fighter, path, gang_id, taken, problems)
            check_profile_names(fighter.weapons, path, problems)
            on_card = (*path, "characteristics")
            numbers = numbers_of(fighter.characteristics, on_card, book.characteristics, problems)
            card = replace(fighter.card(fighter_id, numbers), so_far=fighter.past())
            cards.append(card if fighter.category else replace(card, category=usual))
        vehicles: list[records.VehicleCard] = []
        for place, vehicle in enumerate(gang.vehicles):
            path = ("gangs", gang_id, "vehicles", place)
            check_profile_names(vehicle.weapons, path, problems)
            vehicles.append(vehicle.card(_model_id(vehicle, path, gang_id, taken, problems)))
        gangs.append(
            records.EnlistGang(
                gang=gang_id,
                name=gang.name or gang_id.replace("-", " ").title(),
                house="-",
                player="-",
                credits=0,
                reputation=0,
                fighters=tuple(cards),
                vehicles=tuple(vehicles),
            )
        )
    for model in written.conditions:
        if model not in taken:
            known = ", ".join(taken)
            problems.add(("conditions",), f"no such model here. Known: {known}.", key=model)
    return tuple(gangs)


def _model_id(
    model: FighterInExchange | VehicleInExchange,
    path: Path,
    gang: str,
    taken: dict[str, str],
    problems: Problems,
) -> str:
    made = model.id or slug_of(model.name) or numbered("model", taken)
    if made in taken:
        problems.add(path, f"the id {made!r} is taken in {taken[made]}. Give this one an `id` of its own.")
    taken[made] = gang
    return made


# --- models ----------------------------------------------------------------------------------------------


class FighterInExchange(FighterOnSheet):
    """A card as on a {game.gang} sheet, without what no exchange asks for."""

    category: Category | None = None  # type: ignore[assignment]  # on a sheet it must be said
    """The rank that the rules know; left out, a ganger, or a troop under Trench Crusade."""
    type: Name = "Fighter"
    """What the {game.gang} list calls this fighter."""
    cost: Credits = 0
    """Price in {game.credits}."""
    injuries: list[Name] = Field(default=[], max_length=50)
    """Earlier lasting injuries, by the book's names, such as eye_injury; the numbers have them already."""

    def past(self) -> records.FighterSoFar | None:
        """What the card says of earlier; None where it says nothing."""
        injuries = tuple(records.InjurySoFar(injury=name, counted=True) for name in self.injuries)
        return records.FighterSoFar(injuries=injuries) if injuries else None


class VehicleInExchange(VehicleOnSheet):
    """A vehicle's card as on a {game.gang} sheet, without what no exchange asks for."""

    cost: Credits = 0
    """Price in {game.credits}."""


class GangInExchange(StrictModel):
    """One side."""

    name: Name | None = None
    """The {game.gang}'s name; made from its id when left out."""
    fighters: list[FighterInExchange] = Field(min_length=1, max_length=100)
    """Everybody the exchange may touch."""
    vehicles: list[VehicleInExchange] = Field(default=[], max_length=20)
    """The vehicles it may touch; their crew stands under `fighters`."""


def _stated(given: Any) -> Any:
    if isinstance(given, bool | int) or (isinstance(given, str) and given):
        return given
    if isinstance(given, list) and all(isinstance(name, str) and name for name in given):
        return tuple(given)
    raise expected("true, false, a whole number, a word or a list of words")


Condition = Annotated[
    Any,
    PlainValidator(_stated),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "boolean"},
                {"type": "integer"},
                {"type": "string", "minLength": 1},
                {"type": "array", "items": {"type": "string", "minLength": 1}},
            ]
        }
    ),
]


def _exchange_written(given: Any) -> str:
    return "<several>" if isinstance(given, list) else "<one>"


_Several = Annotated[list[Entry], Field(max_length=50)]
Exchanges = Annotated[
    Annotated[_Several, Tag("<several>")] | Annotated[Entry, Tag("<one>")], Discriminator(_exchange_written)
]


class ExchangeFile(StrictModel):
    """One exchange, or several that follow each other, with everything needed to decide it."""

    model_config = ConfigDict(json_schema_extra=drop_null)

    format: Literal["exchange/1"]
    """Always exchange/1."""
    rulebook: Name
    """The book, such as necromunda_2023; see `arbitrator rules list`."""
    policies: list[Name] = Field(default=[], max_length=50)
    """House rules in force, such as one-lasting-injury-roll@1."""
    preset: Name | None = None
    """A preset's house rules, instead of `policies`."""
    house_rule: HouseRuleContent | None = None
    """Settings, traits and skills of the table's own, as in a house rule file."""
    gangs: Annotated[dict[IdOrName, GangInExchange], EACH_ONCE] = Field(min_length=2, max_length=20)
    """Both sides, by id, with the cards of everybody concerned."""
    lasting_injuries: bool = True
    """false for skirmish play: no Lasting Injury is rolled for who goes Out of Action."""
    conditions: Annotated[dict[IdOrName, dict[Name, Condition]], EACH_ONCE] = Field(default={})
    """How fighters stand before it, such as {mags: {pinned: true, flesh_wounds: 1}}; else fresh."""
    before: list[Entry] = Field(default=[], max_length=50)
    """Earlier exchanges with their dice, as in a battle report, that lead here."""
    exchange: Exchanges
    """The exchange, as an entry of a battle report, or a list of them in order of play; [] for none."""

    @model_validator(mode="after")
    def _policies_or_preset(self) -> Self:
        if self.preset is not None and self.policies:
            raise fault("write `policies` or a `preset`, not both.")
        return self
