"""The post-battle file, `post-battle/1`: what gangs do after a battle, as commands with their dice.

Knows the entries that it may hold. Knows no fighters and no rules. An entry comes from a command that
declares its key (`entry`); one that is written differently from its command has a model with `command`
in a chapter's own `..._entries.py`, and its key in `PostBattleEntry`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol, Self, TypeAlias

from pydantic import ConfigDict, Field, model_validator

from tracker.campaign import records
from tracker.campaign.state import CampaignState
from tracker.documents import post_battle_entries as forms
from tracker.documents.armoury import NoArmoury, NotInArmoury, PriceLookup
from tracker.documents.derived_forms import entry_commands, with_forms
from tracker.documents.gang_sheet import has_other_numbers
from tracker.documents.ids import IdOrName
from tracker.documents.known_names import KnownNames
from tracker.documents.nodes import Document, Path
from tracker.documents.planned_decisions import DiceReader, PlannedDecision, digest_of_document, file_position
from tracker.documents.report_entries import DiceByPurpose
from tracker.documents.text import Name, Note, Slug, slug_of
from tracker.documents.validation import Problems, StrictModel, drop_null, fault, read_as
from tracker.records import Record, replace
from tracker.rules import loader
from tracker.rules.rulebook import DicePurpose

FORMAT: Final = "post-battle/1"
WHAT: Final = "post-battle file"
ENTRIES_MAX: Final = 500


class PostBattlePlan(Record):
    """The decisions of one file. `gang` where it is one gang's alone, `part` where it is a further file."""

    battle: str
    gang: str | None
    part: str | None
    campaign: str | None
    recorded_by: str | None
    decisions: tuple[PlannedDecision, ...]
    digest: str

    @property
    def key(self) -> str:
        """Under which the file is recorded once: 'post:sump-bridge:iron-skulls'."""
        return ":".join(part for part in ("post", self.battle, self.gang, self.part) if part)


def post_battle_heading(document: Document, *, book: str) -> PostBattlePlan:
    """What a post-battle file is recorded as, without its entries. Raises as `post_battle_plan`."""
    written = _read(document, book)
    return _plan(written, document, ())


class EntryForm(Protocol):
    """What stands under an entry's key."""

    def command(self, activation: str | None) -> records.Command:
        """As asked of the campaign."""


def post_battle_plan(
    document: Document, *, purposes: Mapping[str, DicePurpose], lookup: PriceLookup
) -> PostBattlePlan:
    """The decisions that a post-battle file asks for; `purposes` are those of the campaign's book,
    `lookup` is where things, types and skills are looked up.

    Raises FormatNotExpected or DocumentRefused.
    """
    written = _read(document, lookup.state.book, lookup.state)
    problems = Problems(document, WHAT)
    dice = DiceReader(problems, purposes)
    fought = [gang for gang, after in lookup.state.after_battle.items() if after.battle == written.battle]
    decisions = []
    coming: dict[str, str] = {}
    numbered: dict[str, str] = {}
    lookup = replace(lookup, coming=coming)
    for position, entry in enumerate(written.entries):
        path: Path = ("entries", position)
        kind, form = entry.content()
        acting = _acting_gang(form, lookup)
        if acting is not None and written.gang not in (None, acting):
            problems.add((*path, kind), f"this is {acting}'s to do, and the file is {written.gang}'s alone.")
            continue
        if acting in lookup.state.gangs and fought and acting not in fought:
            problems.add((*path, kind), f"{acting} was not in battle {written.battle}.")
            continue
        for own, other in _taken_for_another(form, numbered):
            problems.add((*path, kind), _which_of_two(own, other, lookup))
        in_file = file_position(document, path)
        try:
            command = form.command_at(lookup) if isinstance(form, forms.MarketEntry) else form.command(None)
        except (NoArmoury, NotInArmoury) as unknown:
            problems.add((*path, kind), unknown.message())
            continue
        for named, (made, gang) in _brought(command, lookup).items():
            coming[made] = gang
            if named and named != made and made not in _written_ids(form):
                numbered[named] = made
        decisions.append(
            PlannedDecision(
                command=command,
                dice=dice.read(entry.dice, (*path, "dice")),
                label=f"entry {position + 1} ({kind}), line {in_file.line}",
                in_file=in_file,
                note=entry.note,
            )
        )
    problems.refuse()
    return _plan(written, document, tuple(decisions))


def _read(document: Document, book: str, state: CampaignState | None = None) -> PostBattleFile:
    """The file by its model, cards and weapons as the campaign's book prints them."""
    known = KnownNames(
        state, other_numbers=bool(book) and has_other_numbers(loader.book(book).characteristics)
    )
    return read_as(PostBattleFile, document, version=FORMAT, what=WHAT, context=known)


def _plan(
    written: PostBattleFile, document: Document, decisions: tuple[PlannedDecision, ...]
) -> PostBattlePlan:
    return PostBattlePlan(
        battle=written.battle,
        gang=written.gang,
        part=written.part,
        campaign=written.campaign,
        recorded_by=written.recorded_by,
        decisions=decisions,
        digest=digest_of_document(document),
    )


def _brought(command: records.Command, lookup: PriceLookup) -> dict[str, tuple[str, str]]:
    """Who or what a command brings into a gang: by the id that the name alone gives, the id, and the gang."""
    match command:
        case records.HireFighter():
            return {slug_of(command.card.name): (command.card.fighter, command.gang)}
        case records.BuyVehicle():
            return {slug_of(command.card.name): (command.card.vehicle, command.gang)}
        case records.TakeRecruit():
            territory = lookup.state.territories.get(command.territory)
            holder = (territory.holder or "") if territory is not None else ""
            return {slug_of(card.name): (card.fighter, holder) for card in command.cards}
        case _:
            return {}


def _written_ids(form: EntryForm | forms.MarketEntry) -> set[str]:
    """The ids that an entry gives to whom or what it brings."""
    cards = [form, getattr(form, "vehicle", None), *getattr(form, "who", ())]
    cards += [getattr(card, "fighter", None) for card in cards]
    return {str(card.id) for card in cards if getattr(card, "id", None)}


_NO_MODEL: Final = {"name", "type", "item", "gang", "territory", "reason", "why"}
"""Fields that may hold the same word, and mean no fighter or vehicle."""


def _taken_for_another(
    form: EntryForm | forms.MarketEntry, numbered: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Where an entry means another gang's model by the name of one that the file brought: both their ids."""
    if not numbered:
        return
    assert isinstance(form, StrictModel), "every form is one"
    for value in form.model_dump(exclude=_NO_MODEL).values():
        for named in value if isinstance(value, (list, tuple)) else (value,):
            if isinstance(named, str) and named in numbered:
                yield named, numbered[named]


def _which_of_two(there: str, brought: str, lookup: PriceLookup) -> str:
    whose = lookup.state.gang_of.get(there) or lookup.state.vehicle_of.get(there) or lookup.coming.get(there)
    return (
        f"{there!r} is of {whose}, and who came under that name in a line above is {brought!r}. Write"
        f" {brought} if they are meant; else put this line above that one."
    )


def _acting_gang(form: EntryForm | forms.MarketEntry, lookup: PriceLookup) -> str | None:
    """The gang that acts in an entry, where it says who."""
    whose = lookup.state.gang_of
    named = (getattr(form, key, None) for key in ("by", "fighter"))
    acts: str | None = getattr(form, "gang", None)
    return acts or next((whose[name] for name in named if isinstance(name, str) and name in whose), None)


# --- models ----------------------------------------------------------------------------------------------

_IN_ORDER: Final = (
    "escape", "capture", "scrap", "took_part", "experience", "awards", "mvp", "painted", "alignment",
    "rescue", "trade_captive", "return_captive", "captive_works", "territory", "lose_territory", "reward",
    "reputation", "income", "medical_escort", "sell_captive", "claim_bounty", "dispose_of_captive",
    "repairs", "trade", "end_actions", "seek_rare", "clean_house", "retire", "scrap_vehicle", "new_leader",
    "hire", "buy_vehicle", "buy", "sell", "recruit", "equipment", "hand_over", "crew", "remove_upgrade",
    "bionic", "advance", "ganger_roll", "promote", "credits", "rating", "battle_experience", "latecomer",
    "learn", "promotions", "threshold", "reinforcements", "explore", "glory", "ransom", "shell_shock",
    "patronage",
)  # fmt: skip
_DERIVED: Final = entry_commands()
ENTRIES: Final = (*_IN_ORDER, *(key for key in _DERIVED if key not in _IN_ORDER))
"""What an entry may hold, in the order of a sequence."""


def _one_entry(schema: dict[str, Any]) -> None:
    drop_null(schema)
    schema["oneOf"] = [{"required": [kind]} for kind in ENTRIES]


class PostBattleEntry(StrictModel):
    """One thing that a {game.gang} does, and the dice rolled for it."""

    model_config = ConfigDict(json_schema_extra=_one_entry)

    mvp: forms.Best | None = None
    painted: forms.Painted | None = None
    new_leader: forms.NewLeader | None = None
    hire: forms.Hire | None = None
    buy_vehicle: forms.VehicleBought | None = None
    buy: forms.Buy | None = None
    recruit: forms.Recruited | None = None
    equipment: forms.EquipmentTaken | None = None
    hand_over: forms.HandOver | None = None
    advance: forms.Advance | None = None
    ganger_roll: forms.GangerRoll | None = None
    promote: forms.Promote | None = None
    promotions: forms.Promotions | None = None
    explore: forms.Exploring | None = None
    ransom: forms.RansomWritten | None = None
    dice: DiceByPurpose = Field(default={})
    """Faces by what they were rolled for, in the order rolled: {doctor_fee: [3+4], doctor: [2]}."""
    note: Note | None = None
    """Anything worth keeping."""

    @model_validator(mode="after")
    def _exactly_one(self) -> Self:
        keys = [key for key in ENTRIES if key in self.model_fields_set]
        if not keys:
            raise fault(f"nothing is done in this entry: write one of {', '.join(ENTRIES)}.")
        if len(keys) > 1:
            raise fault(f"one entry holds {' and '.join(keys)}: write an entry for each.")
        if getattr(self, keys[0]) is None:
            raise fault(f"{keys[0]} is empty: write who and what, indented below it.")
        return self

    def content(self) -> tuple[str, EntryForm | forms.MarketEntry]:
        """Its key and what stands under it."""
        for kind in ENTRIES:
            entry: EntryForm | forms.MarketEntry | None = getattr(self, kind)
            if entry is not None:
                return kind, entry
        raise AssertionError("an empty entry was let in")


if TYPE_CHECKING:
    Entry: TypeAlias = PostBattleEntry
else:
    Entry = with_forms(PostBattleEntry, _DERIVED)


class PostBattleFile(StrictModel):
    """What is done after one battle, in order; steps may be left out, and a {game.gang} only goes forward."""

    model_config = ConfigDict(json_schema_extra=drop_null)

    format: Literal["post-battle/1"]
    """Always post-battle/1."""
    battle: Slug
    """The battle that it follows, by id."""
    gang: IdOrName | None = None
    """The {game.gang}, where the file is one {game.gang}'s alone: each {game.gang} of a battle may send its
    own.
    """
    part: Slug | None = None
    """A label for a further file of the same battle and {game.gang}; each label is recorded once."""
    campaign: Slug | None = None
    """The campaign it belongs to; else the one in use."""
    recorded_by: Name | None = None
    """Who wrote it."""
    entries: list[Entry] = Field(min_length=1, max_length=ENTRIES_MAX)
    """What is done, in order."""
