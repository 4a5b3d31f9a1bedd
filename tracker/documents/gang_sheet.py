"""The gang sheet, `gang-sheet/1` and `/2`: a gang and its fighters' cards, as the user typed them.

The second version also has their history from elsewhere.

Knows the spelling of numbers on cards. Knows no limits of a book and no price list: `decide` asks the book.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import (
    Discriminator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    Tag,
    ValidationInfo,
    ValidatorFunctionWrapHandler,
)
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from tracker.campaign import records
from tracker.campaign.profiles import Armour, Category, Characteristics, Weapon
from tracker.campaign.state import CampaignState
from tracker.documents import card_numbers
from tracker.documents.card_numbers import Credits, Handling, Inches, Number, SaveNumber
from tracker.documents.derived_forms import part_of
from tracker.documents.fighter_templates import LIKE, NAMES, expand_templates
from tracker.documents.ids import IdOrName, IdOrNameOnSheet
from tracker.documents.item_sheet import ItemOnSheet
from tracker.documents.known_names import KnownNames, book_has_other_numbers
from tracker.documents.nodes import Document, Path, shown
from tracker.documents.planned_decisions import digest_of_document
from tracker.documents.sheet_ids import crews_of, gang_id_of, ids_of, with_territories_named
from tracker.documents.text import Name, Slug
from tracker.documents.validation import Problems, StrictModel, copied, read_as
from tracker.documents.weapon_sheet import (
    WeaponOnSheet,
    WeaponWithOneProfile,
    WeaponWithProfiles,
    check_profile_names,
)
from tracker.errors import BadInput, nearest
from tracker.records import Record, replace
from tracker.rules.rulebook import CharacteristicLimits
from tracker.rules.trench_crusade.trauma import ELITE


def _weapon_written(given: Any) -> str:
    if not isinstance(given, dict):
        return "<name>"
    return "<profiles>" if "profiles" in given else "<one profile>"


WeaponOrName = Annotated[
    Annotated[WeaponWithProfiles, Tag("<profiles>")]
    | Annotated[WeaponWithOneProfile, Tag("<one profile>")]
    | Annotated[Name, Tag("<name>")],
    Discriminator(_weapon_written),
]


class ToughnessOnSheet(StrictModel):
    """Toughness by facing."""

    front: Number
    """Front."""
    side: Number
    """Both sides."""
    rear: Number
    """Rear."""


class VehicleOnSheet(StrictModel):
    """One vehicle's card."""

    id: Slug | None = None
    """What reports call the vehicle; made from the name when left out."""
    name: Name
    """The vehicle's name."""
    type: Name = "Vehicle"
    """What the {game.gang} list calls it."""
    cost: Credits
    """Price in {game.credits}."""
    crew: IdOrName
    """The fighter who drives it, by id; of this {game.gang}."""
    movement: Inches = Field(alias="M")
    """Movement, in inches."""
    toughness: ToughnessOnSheet = Field(alias="T")
    """Toughness: {front, side, rear}."""
    hit_points: Number = Field(alias="HP")
    """Hull Points; Wounds in older rules."""
    handling: Handling = Field(alias="Hnd")
    """Handling, the number to roll on two dice."""
    save: SaveNumber | None = Field(default=None, alias="Sv")
    """The lowest D6 that saves: 5 or 5+."""
    weapons: list[WeaponOrName] = Field(default=[], max_length=20)
    """What is fixed to it: weapons as on a fighter's card, or names whose profiles stand on a fighter's."""
    lasting_damage: list[Name] = Field(default=[], max_length=20)
    """Earlier lasting damage, by the book's names, such as Persistent Rattle; the numbers have it already."""

    def card(self, vehicle_id: str) -> records.VehicleCard:
        return copied(
            self,
            records.VehicleCard,
            vehicle=vehicle_id,
            kind=self.type,
            cost_credits=self.cost,
            toughness_front=self.toughness.front,
            toughness_side=self.toughness.side,
            toughness_rear=self.toughness.rear,
            weapons=tuple(weapon if isinstance(weapon, str) else weapon.name for weapon in self.weapons),
            armament=tuple(weapon.record() for weapon in self.weapons if not isinstance(weapon, str)),
            damage_so_far=tuple(self.lasting_damage),
        )


FORMAT: Final = "gang-sheet/1"
FORMAT_WITH_PAST: Final = "gang-sheet/2"
"""A sheet that may also say what was before."""
KEYS_OF_PAST: Final = ("brought_from", "injuries_counted", "stash", "so_far", "founding_budget")


class SheetOfAnotherHouse(BadInput):
    """The sheet says `house: {on_sheet}`, and {gang} is enlisted as {house}: these would be another house's
    fighters. Where the table lets them join, write `house: {house}`.
    """

    gang: str
    house: str
    on_sheet: str


def refuse_another_house(sheet: records.EnlistGang, state: CampaignState) -> None:
    """Raises SheetOfAnotherHouse where the sheet's gang is enlisted under another house."""
    gang = state.gangs.get(sheet.gang)
    if gang is not None and gang.house.casefold() != sheet.house.casefold():
        raise SheetOfAnotherHouse(gang=gang.name, house=gang.house, on_sheet=sheet.house)


WeaponsByName: TypeAlias = Callable[[str], Weapon | None]
"""The numbers of a weapon that an armoury lists; None where it lists none of that name."""


def gang_sheet_command(
    document: Document,
    *,
    characteristics: Mapping[str, CharacteristicLimits] | None = None,
    weapons: WeaponsByName | None = None,
    state: CampaignState | None = None,
) -> records.EnlistGang:
    """The command that enlists the gang on a sheet. Raises DocumentRefused.

    `characteristics` are those of the campaign's book; without them a card has the usual twelve. `weapons`
    are the table's armoury, for weapons that the sheet only names; in the `state` other
    gangs' models have taken their ids.
    """
    other = characteristics if characteristics is not None and has_other_numbers(characteristics) else None
    written = document.root.child("format")
    if written is not None and written.content == FORMAT_WITH_PAST:
        document = expand_templates(document, "gang sheet")
    sheet = read_as(
        GangSheet,
        document,
        version=FORMAT,
        later_versions=(FORMAT_WITH_PAST,),
        what="gang sheet",
        context=KnownNames(state, other_numbers=other is not None),
    )
    problems = Problems(document, "gang sheet")
    if sheet.format == FORMAT:
        _refuse_so_far(document, problems)
    cards = [
        numbers_of(fighter.characteristics, ("fighters", position, "characteristics"), other or {}, problems)
        for position, fighter in enumerate(sheet.fighters)
    ]
    gang = gang_id_of(sheet.gang, sheet.name, state)
    others = [other for other in state.gangs.values() if other.gang != gang] if state is not None else []
    taken = {model for other in others for model in (*other.fighters, *other.vehicles)}
    ids = ids_of("fighters", sheet.fighters, taken, problems)
    vehicle_ids = ids_of("vehicles", sheet.vehicles, taken, problems, fighters=ids)
    crews = crews_of(sheet.vehicles, sheet.fighters, ids, problems)
    for position, fighter in enumerate(sheet.fighters):
        check_profile_names(fighter.weapons, ("fighters", position), problems)
    for position, vehicle in enumerate(sheet.vehicles):
        check_profile_names(vehicle.weapons, ("vehicles", position), problems)
    armed = [
        tuple(
            _armed(weapon, ("fighters", position, "weapons", at), sheet.format, weapons, problems)
            for at, weapon in enumerate(fighter.weapons)
        )
        for position, fighter in enumerate(sheet.fighters)
    ]
    so_far = None
    if sheet.so_far is not None:
        so_far = with_territories_named(sheet.so_far.made(), gang, problems)
    problems.refuse()
    return copied(
        sheet,
        records.EnlistGang,
        gang=gang,
        so_far=so_far,
        stash=tuple(item.record() for item in sheet.stash),
        origin=_origin(sheet, document),
        fighters=tuple(
            _with_injuries_counted(
                fighter.card(fighter_id, numbers, weapons=carried), counted=sheet.injuries_counted
            )
            for fighter, fighter_id, numbers, carried in zip(sheet.fighters, ids, cards, armed, strict=True)
        ),
        vehicles=tuple(
            replace(vehicle.card(vehicle_id), crew=crew)
            for vehicle, vehicle_id, crew in zip(sheet.vehicles, vehicle_ids, crews, strict=True)
        ),
    )


def _armed(
    weapon: Any, path: Path, version: str, by_name: WeaponsByName | None, problems: Problems
) -> Weapon:
    """A weapon with its numbers: those of the sheet, or of the armoury where the sheet only names it."""
    if not isinstance(weapon, str):
        record: Weapon = weapon.record()
        return record
    listed = by_name(weapon) if by_name is not None else None
    if version == FORMAT:
        problems.add_expected(path, "a map with the weapon's name and numbers")
    elif by_name is None:
        problems.add(
            path,
            f"{weapon!r} needs its numbers: write them out, or give an armoury that lists it (--armoury).",
        )
    elif listed is None:
        problems.add(
            path, f"the armoury lists no weapon {weapon!r}. Write its numbers out, or its name as listed."
        )
    return listed or Weapon(weapon=weapon, profiles=())


def _origin(sheet: GangSheet, document: Document) -> records.Provenance | None:
    """Where what was before comes from; None of a sheet that says nothing of it."""
    past = sheet.so_far or sheet.stash or any(fighter.so_far for fighter in sheet.fighters)
    if not past and sheet.brought_from is None:
        return None
    return records.Provenance(
        source=sheet.brought_from or shown(document.file, characters_max=80),
        digest=digest_of_document(document),
    )


def _with_injuries_counted(card: records.FighterCard, *, counted: bool | None) -> records.FighterCard:
    """The card whose injuries say whether its numbers have them, as the sheet does for all."""
    if card.so_far is None or counted is None:
        return card
    injuries = tuple(
        replace(injury, counted=counted) if injury.counted is None else injury
        for injury in card.so_far.injuries
    )
    return replace(card, so_far=replace(card.so_far, injuries=injuries))


def _refuse_so_far(document: Document, problems: Problems) -> None:
    """A key of the second format in a sheet of the first is a problem: somebody meant the second."""
    instead = f"is a key of {FORMAT_WITH_PAST}: write `format: {FORMAT_WITH_PAST}` at the top."
    for key in KEYS_OF_PAST:
        if document.root.child(key) is not None:
            problems.add((), instead, key=key)
    for cards, key in (("fighters", "so_far"), ("vehicles", "lasting_damage")):
        node = document.root.child(cards)
        listed = node.content if node is not None and isinstance(node.content, tuple) else ()
        for position, card in enumerate(listed):
            if card.child(key) is not None:
                problems.add((cards, position), instead, key=key)


def has_other_numbers(characteristics: Mapping[str, CharacteristicLimits]) -> bool:
    """Whether a book prints other numbers than the usual twelve."""
    return {characteristic.short for characteristic in characteristics.values()} != set(SHORT_NAMES)


def numbers_of(
    written: CharacteristicsOnSheet | OtherNumbers,
    path: Path,
    book: Mapping[str, CharacteristicLimits],
    problems: Problems,
) -> Characteristics:
    """A card's numbers by the book's names. What the book does not print, or lacks, becomes a problem."""
    if isinstance(written, CharacteristicsOnSheet):
        return written.record()
    shorts = {limits.short: limits for limits in book.values()}
    for name in written.given:
        if name not in shorts:
            guess = nearest(name, shorts) or f" Known here: {', '.join(shorts)}."
            problems.add(path, f"unknown key.{guess}", key=name)
    numbers = {}
    for short, limits in shorts.items():
        if short not in written.given:
            problems.add(path, f"the key {short!r} is missing.")
            continue
        try:
            numbers[limits.characteristic] = _WAYS[limits.kind].read(written.given[short])
        except PydanticCustomError as wrong:
            problems.add_expected((*path, short), wrong.message())
    return {name: number for name, number in numbers.items() if number is not None}


# --- models ----------------------------------------------------------------------------------------------


class CharacteristicsOnSheet(StrictModel):
    """A fighter's profile, as the card prints it."""

    movement: card_numbers.Inches = Field(alias="M")
    """Movement, in inches: 5 or 5"."""
    weapon_skill: card_numbers.TargetNumber = Field(alias="WS")
    """Weapon Skill, the number to roll: 4 or 4+."""
    ballistic_skill: card_numbers.TargetNumber = Field(alias="BS")
    """Ballistic Skill, the number to roll."""
    strength: card_numbers.Number = Field(alias="S")
    """Strength."""
    toughness: card_numbers.Number = Field(alias="T")
    """Toughness."""
    wounds: card_numbers.Number = Field(alias="W")
    """Wounds."""
    initiative: card_numbers.TargetNumber = Field(alias="I")
    """Initiative, the number to roll."""
    attacks: card_numbers.Number = Field(alias="A")
    """Attacks."""
    leadership: card_numbers.TargetNumber = Field(alias="Ld")
    """Leadership, the number to roll on two dice."""
    cool: card_numbers.TargetNumber = Field(alias="Cl")
    """Cool, the number to roll on two dice."""
    willpower: card_numbers.TargetNumber = Field(alias="Wil")
    """Willpower, the number to roll on two dice."""
    intelligence: card_numbers.TargetNumber = Field(alias="Int")
    """Intelligence, the number to roll on two dice."""

    def record(self) -> Characteristics:
        return dict(self)


SHORT_NAMES: Final = tuple(field.alias or name for name, field in CharacteristicsOnSheet.model_fields.items())
"""What the usual twelve are called on a card."""
_WAYS: Final = {
    "inches": card_numbers.INCHES,
    "target_number": card_numbers.TARGET_NUMBER,
    "number": card_numbers.NUMBER,
    "dice": card_numbers.DICE,
    "modifier": card_numbers.SIGNED_NUMBER,
}
"""How each kind of number may be written."""


class OtherNumbers(Record):
    """The numbers of a card without the usual twelve, as written; the campaign's book reads them."""

    given: Mapping[str, Any]


class _ByTheBook:
    """Tells Pydantic whose numbers stand on a card: the usual twelve, or those of a book of others."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        twelve = handler.generate_schema(CharacteristicsOnSheet)
        return core_schema.with_info_wrap_validator_function(self.read, twelve)

    def __get_pydantic_json_schema__(
        self, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        written = {"anyOf": [{"type": "integer"}, {"type": "string", "minLength": 1, "maxLength": 10}]}
        others = {
            "type": "object",
            "description": "The numbers of a book that has others, by the short names it prints.",
            "propertyNames": {"not": {"enum": list(SHORT_NAMES)}},
            "additionalProperties": written,
            "minProperties": 1,
        }
        return {"anyOf": [handler(schema), others]}

    @staticmethod
    def read(given: Any, handler: ValidatorFunctionWrapHandler, info: ValidationInfo) -> Any:
        """The twelve, or what is written for another book to read."""
        if not book_has_other_numbers(info):
            return handler(given)
        if not isinstance(given, dict):
            raise PydanticCustomError("dict_type", "a map was expected")
        return OtherNumbers(given=given)


class ArmourOnSheet(StrictModel):
    """Armour or a field."""

    name: Name
    """What it is called."""
    save: card_numbers.SaveNumber
    """The lowest D6 that saves: 5 or 5+."""

    def record(self) -> Armour:
        return Armour(name=self.name, save=self.save)


WrittenNumbers = Annotated[CharacteristicsOnSheet | OtherNumbers, _ByTheBook()]
"""A profile's numbers: the usual twelve, or those of the campaign's book."""


class FighterOnSheet(StrictModel):
    """One fighter's card."""

    id: Slug | None = None
    """What reports call the fighter, such as krug; made from the name when left out."""
    name: Name
    """The fighter's name."""
    category: Category
    """The rank that the rules know."""
    type: Name
    """What the {game.gang} list calls this fighter."""
    cost: card_numbers.Credits
    """Price in {game.credits}, equipment included or not as your group counts it."""
    characteristics: WrittenNumbers
    """The numbers of the profile: the usual twelve, or those of the campaign's book by its short names."""
    xp: card_numbers.ExperiencePoints = 0
    """Experience so far."""
    skills: list[Name] = Field(default=[], max_length=50)
    """Skills by name."""
    armour: ArmourOnSheet | None = None
    """Armour worn."""
    field_armour: ArmourOnSheet | None = None
    """A field carried: its save ignores AP and cover."""
    weapons: list[WeaponOnSheet] = Field(default=[], max_length=30)
    """Weapons carried, with their full profiles."""
    wargear: list[Name] = Field(default=[], max_length=50)
    """Everything else carried."""
    mounted: bool = False
    """Whether the fighter rides: then two weapons are the most that may be carried."""
    gang_fighter: bool | None = None
    """Whether the card has Gang Fighter; left out, the category decides."""

    def card(
        self,
        fighter_id: str,
        characteristics: Characteristics | None = None,
        *,
        weapons: tuple[Weapon, ...] | None = None,
    ) -> records.FighterCard:
        """As the campaign keeps it. `characteristics` are given where the book has others than the twelve,
        `weapons` where some are named only.
        """
        if characteristics is None:
            assert isinstance(self.characteristics, CharacteristicsOnSheet), "numbers that no book read"
            characteristics = self.characteristics.record()
        return copied(
            self,
            records.FighterCard,
            fighter=fighter_id,
            kind=self.type,
            cost_credits=self.cost,
            characteristics=characteristics,
            experience=self.xp,
            armour=self.armour.record() if self.armour else None,
            field_armour=self.field_armour.record() if self.field_armour else None,
            weapons=tuple(weapon.record() for weapon in self.weapons) if weapons is None else weapons,
            skills_learned=self.category == ELITE and bool(self.skills),
        )


class FighterOnGangSheet(FighterOnSheet):
    """One fighter's card on a {game.gang} sheet."""

    weapons: list[WeaponOrName] = Field(default=[], max_length=30)  # type: ignore[assignment]  # or by name
    """Weapons carried, with their full profiles; by name, where an armoury lists them (gang-sheet/2)."""
    so_far: part_of(records.FighterSoFar) | None = None  # type: ignore[valid-type]  # derived from the record
    """What the fighter has been through before (gang-sheet/2)."""

    @classmethod
    def __get_pydantic_json_schema__(
        cls, schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        """Also as a file may write it, before `like` and `names` are written out."""
        written = handler(schema)
        described = handler.resolve_ref_schema(written)
        required = [key for key in described.pop("required") if key != "name"]
        described["properties"] |= {
            LIKE: {
                "type": "string",
                "description": "Another fighter of the sheet, whose card this one takes over (gang-sheet/2).",
            },
            NAMES: {
                "type": "array",
                "items": described["properties"]["name"],
                "minItems": 1,
                "maxItems": 20,
                "description": "Several fighters of this one card, by name (gang-sheet/2).",
            },
        }
        described["allOf"] = [
            {"anyOf": [{"required": ["name"]}, {"required": [NAMES]}]},
            {"anyOf": [{"required": [LIKE]}, {"required": required}]},
        ]
        return written


class VehicleOnGangSheet(VehicleOnSheet):
    """One vehicle's card."""

    crew: IdOrNameOnSheet
    """The fighter who drives it, by id or name; of this {game.gang}."""


class GangSheet(StrictModel):
    """A {game.gang} and its fighters."""

    format: Literal["gang-sheet/1", "gang-sheet/2"]
    """gang-sheet/1, or gang-sheet/2 where the sheet says what was before."""
    gang: Slug | None = None
    """What reports call the {game.gang}, such as iron-skulls; made from the name when left out."""
    name: Name
    """The {game.gang}'s name."""
    house: Name
    """The {game.House} or {game.gang} list."""
    player: Name
    """Who plays it."""
    credits: card_numbers.Credits = 0
    """{game.Credits} in the stash."""
    reputation: card_numbers.Reputation = 0
    """Reputation."""
    fighters: list[FighterOnGangSheet] = Field(min_length=1, max_length=100)
    """The fighters, in the order of the roster."""
    vehicles: list[VehicleOnGangSheet] = Field(default=[], max_length=20)
    """The {game.gang}'s vehicles."""
    brought_from: Name | None = None
    """Where all `so_far` comes from, such as YakTribe, 4 March; else this file's name (gang-sheet/2)."""
    injuries_counted: bool | None = None
    """Whether the cards' numbers have all injuries already; an injury may say otherwise (gang-sheet/2)."""
    stash: list[ItemOnSheet] = Field(default=[], max_length=100)
    """What lies in the stash (gang-sheet/2)."""
    so_far: part_of(records.GangSoFar) | None = None  # type: ignore[valid-type]  # derived from the record
    """What the {game.gang} has been through before (gang-sheet/2)."""
    founding_budget: card_numbers.Credits | None = None
    """What a new {game.gang} may cost together with what is left in its stash, such as 1000; else nobody
    checks it (gang-sheet/2).
    """
