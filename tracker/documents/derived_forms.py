"""Derived forms: the Pydantic model of a command, made from its declaration.

Knows the file format of each kind of field. Knows no command: forms that differ from their command are in the
chapters' `..._entries.py`.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Collection, Iterator, Mapping
from decimal import Decimal
from functools import cache, cached_property, partial
from typing import (
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    Self,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

import msgspec
from pydantic import (
    AfterValidator,
    BeforeValidator,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainValidator,
    WithJsonSchema,
    create_model,
    model_validator,
)
from pydantic_core import CoreSchema, core_schema

from tracker.campaign import records
from tracker.campaign.records.kinds import FieldKind, FileKey, Size
from tracker.documents.card_numbers import ArmourPenetration, FallInches, NumberNotation
from tracker.documents.ids import IdOrName, id_meant
from tracker.documents.text import Name, Note, expected
from tracker.documents.validation import StrictModel, as_kept, copied, fault
from tracker.records import Record, names_of_fields

AnyEntry = TypeVar("AnyEntry", bound=StrictModel)
AnyPart = TypeVar("AnyPart", bound="DerivedPart")


class WrittenForm(StrictModel):
    """A form written by hand, where a file says something differently from the record.

    `asks` and `activity` are as in a command's Declaration.
    """

    makes: ClassVar[type[Record]]
    asks: ClassVar[str | None] = None
    activity: ClassVar[str | None] = None
    kept_as: ClassVar[Mapping[str, str]] = {}
    """The record's field where it is called otherwise than the form's."""

    @classmethod
    def stated_of(cls, record: Any) -> dict[str, Any]:
        """The keys that say in a file what a record holds; what counts when nothing is said is left out."""
        return {
            field.alias or name: stated
            for name, field in cls.model_fields.items()
            if (kept := cls.kept_as.get(name, name)) in names_of_fields(record)
            if (stated := written_value(getattr(record, kept), field.annotation))
            != written_value(field.default)
            and stated is not None
        }

    def made(self, **others: Any) -> Any:
        """The record: fields of the same name are copied, the others are given."""
        return copied(self, self.makes, **others)

    def asking(self, **others: Any) -> records.Command:
        """The command, as `made`."""
        command: records.Command = self.made(**others)
        return command


class DerivedPart(StrictModel):
    """A record within a form: its fields are the record's own, under the same keys."""

    makes: ClassVar[type[Record]]

    @classmethod
    def stated_of(cls, record: Any) -> dict[str, Any]:
        """The keys that say in a file what a record holds; what counts when nothing is said is left out."""
        kinds = records.kinds_of_fields(cls.makes)
        left_out = {field.name: field.default for field in msgspec.structs.fields(cls.makes)}
        stated: dict[str, Any] = {}
        for name, field in cls.model_fields.items():
            value = getattr(record, name)
            if field.default is None and value == left_out[name]:
                continue
            if kinds.get(name) == "inches" and value is not None:
                stated[field.alias or name] = Decimal(value) / 100
            elif kinds.get(name) == "workplace" and value is None:
                stated[field.alias or name] = "nowhere"
            elif value is not None and (field.is_required() or as_kept(field.default) != value):
                stated[field.alias or name] = written_value(value, field.annotation)
        return stated

    def made(self, **stated: Any) -> Any:
        """The record as the campaign keeps it; `stated` is what a file never gives."""
        given = {name: as_kept(getattr(self, name)) for name in self.written()}
        return self.makes(**{**given, **stated})

    def written(self) -> frozenset[str]:
        """The fields that the file states. A key with nothing under it is left out, unless it is required."""
        fields = type(self).model_fields
        return frozenset(
            name
            for name in self.model_fields_set
            if getattr(self, name) is not None or fields[name].is_required()
        )


class DerivedForm(DerivedPart):
    """The form of one command."""

    makes: ClassVar[type[records.Command]]

    @model_validator(mode="after")
    def _refuse_contradictions(self) -> Self:
        contradiction = self.command(None).contradiction(self.written())
        if contradiction is not None:
            raise fault(contradiction)
        return self

    def command(self, activation: str | None) -> records.Command:
        """The command as the campaign is asked for it."""
        declared = records.DECLARATIONS[self.makes]
        stated = {name: getattr(self, name) for name in declared.usual} | dict(declared.stated)
        if "activation" in names_of_fields(self.makes):
            stated["activation"] = activation
        command: records.Command = self.made(**stated)
        return command


def written_value(value: Any, annotation: Any = None) -> Any:
    """What a record keeps, as a file writes it: tuples as lists, records as the maps of their forms."""
    if isinstance(value, (tuple, list)):
        return [written_value(part, annotation) for part in value]
    if isinstance(value, Record):
        forms = (form for form in _forms_in(annotation) if form.makes is type(value))
        form = next(forms, None)
        return form.stated_of(value) if form is not None else getattr(value, "name", value)
    return value


def _forms_in(annotation: Any) -> Iterator[type[WrittenForm | DerivedPart]]:
    """The forms that a field's type allows."""
    if isinstance(annotation, type) and issubclass(annotation, (WrittenForm, DerivedPart)):
        yield annotation
    for part in get_args(annotation):
        yield from _forms_in(part)


@cache
def form_of(kind: type[records.Command]) -> type[DerivedForm]:
    """The form in which a file writes a command."""
    declared = records.DECLARATIONS[kind]
    unwritten = {"activation", *declared.stated}
    return _model_of(kind, DerivedForm, unwritten=unwritten, usual=declared.usual)


@cache
def part_of(kind: type[Record]) -> type[DerivedPart]:
    """The form in which a file writes a record that is part of something else."""
    return _model_of(kind, DerivedPart)


def _model_of(
    kind: type[Record],
    base: type[AnyPart],
    *,
    unwritten: Collection[str] = (),
    usual: Mapping[str, Any] = types.MappingProxyType({}),
) -> type[AnyPart]:
    hints = get_type_hints(kind, include_extras=True)
    written = [field for field in msgspec.structs.fields(kind) if field.name not in unwritten]
    # What a command shares with others of its chapter stands behind what is its own.
    written.sort(key=lambda field: field.name not in kind.__annotations__)
    fields: dict[str, Any] = {
        field.name: _field(hints[field.name], usual.get(field.name, _default(field))) for field in written
    }
    model: type[AnyPart] = create_model(
        kind.__name__,
        __base__=base,
        __module__=__name__,
        __doc__=inspect.cleandoc(kind.__doc__ or ""),  # in the words of no game yet
        **fields,
    )
    model.makes = kind
    return model


class FormWhenUsed:
    """A placeholder for a form in an entry's model. A file uses few of the dozens of forms, and making each
    takes a while. Errors, context and schema are those of the form itself.
    """

    def __init__(self, form: Callable[[], type[StrictModel]]) -> None:
        self._form = form

    @cached_property
    def form(self) -> type[StrictModel]:
        """The form, made."""
        form = self._form()
        form.model_rebuild()
        return form

    def __get_pydantic_core_schema__(self, _source: Any, _handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.nullable_schema(core_schema.with_info_plain_validator_function(self._validated))

    def __get_pydantic_json_schema__(
        self, _schema: CoreSchema, handler: GetJsonSchemaHandler
    ) -> dict[str, Any]:
        return handler(core_schema.nullable_schema(self.form.__pydantic_core_schema__))

    def _validated(self, given: Any, asked: core_schema.ValidationInfo[Any]) -> StrictModel:
        return self.form.model_validate(given, context=asked.context)


def annotation_of(entry: type[StrictModel], key: str) -> Any:
    """The type of what stands under a key of an entry."""
    field = entry.model_fields[key]
    waiting = next((part for part in field.metadata if isinstance(part, FormWhenUsed)), None)
    return field.annotation if waiting is None else waiting.form | None


def entry_commands() -> dict[str, type[records.Command]]:
    """Every command that an entry of a post-battle file may ask for, by its key there."""
    declared = records.DECLARATIONS.items()
    return {says.entry: kind for kind, says in declared if says.entry is not None}


def exchange_commands() -> dict[str, type[records.Command]]:
    """Every command that an entry of a battle report may ask for, by its key there."""
    declared = records.DECLARATIONS.items()
    return {says.exchange: kind for kind, says in declared if says.exchange is not None}


def with_forms(written: type[AnyEntry], commands: Mapping[str, type[records.Command]]) -> type[AnyEntry]:
    """An entry's model with a key for the form of each of these commands."""
    keys: dict[str, Any] = {
        key: (Annotated[Any, FormWhenUsed(partial(form_of, kind))], None) for key, kind in commands.items()
    }
    return create_model("Entry", __base__=written, __module__=__name__, __doc__=written.__doc__, **keys)


def _field(hint: Any, default: Any) -> tuple[Any, Any]:
    """A field of a form. A default that nobody could write, such as no marker of one to six, is left out."""
    kinds = [known for known in getattr(hint, "__metadata__", ()) if isinstance(known, FieldKind)]
    beyond = type(default) is int and any(not known.lowest <= default <= known.highest for known in kinds)
    if beyond or default == "":
        return _written(hint) | None, Field(None, alias=_key(hint))
    return _written(hint), Field(default, alias=_key(hint))


def _default(field: msgspec.structs.FieldInfo) -> Any:
    return ... if field.required else field.default


def _key(hint: Any) -> str | None:
    parts = get_args(hint)
    inner = (_key(part) for part in parts)
    own = (part.name for part in parts if isinstance(part, FileKey))
    return next(own, None) or next(filter(None, inner), None)


def _written(hint: Any) -> Any:
    """How a file writes a field of this type."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        kind = next((part for part in parts[1:] if isinstance(part, FieldKind)), None)
        size = next((part for part in parts[1:] if isinstance(part, Size)), None)
        written = _WRITTEN[kind.name](kind) if kind is not None else _written(parts[0])
        if size is not None:
            return Annotated[written, Field(min_length=size.lowest or None, max_length=size.highest)]
        return written
    if origin in (Union, types.UnionType):
        return Union[tuple(_written(part) for part in parts)]  # noqa: UP007 -- made of what is known at run time only
    if origin is tuple:
        return list[_written(parts[0])]  # type: ignore[misc]
    if isinstance(hint, type) and issubclass(hint, Record):
        return part_of(hint)
    assert hint in (bool, types.NoneType) or origin is Literal, f"no kind says how {hint} is written"
    return hint


def _number(kind: FieldKind) -> Any:
    return Annotated[int, NumberNotation(lowest=kind.lowest, highest=kind.highest)]


def _modifier(kind: FieldKind) -> Any:
    written = NumberNotation(
        lowest=kind.lowest, highest=kind.highest, pattern="([-+]?[0-9])", example="such as +1 or -1"
    )
    return Annotated[int, written]


def _signed(kind: FieldKind) -> Any:
    written = NumberNotation(
        lowest=kind.lowest,
        highest=kind.highest,
        pattern="([-+]?[0-9]{1,3})",
        example="such as 2 or -1",
        but=() if kind.name == "signed" else (0,),
    )
    return Annotated[int, written]


def _workplace(given: Any) -> str | None:
    if given == "nowhere":
        return None
    if not (territory := id_meant(given)):
        raise expected("the id or the name of a territory, or nowhere")
    return territory


_ROW = Annotated[Name, AfterValidator(lambda name: name.strip().lower().replace(" ", "_"))]
_WORKPLACE = Annotated[
    str | None, PlainValidator(_workplace), WithJsonSchema({"type": "string", "minLength": 1})
]


def _reasons(given: Any) -> Any:
    """A bare number of dice is as many dice without a reason; one reason is a list of one."""
    if type(given) is int and 0 <= given <= _DICE_REASONS_MAX:
        return ["as stated"] * given
    return [given] if isinstance(given, str) else given


_DICE_REASONS_MAX: Final = 10
_ReasonList = Annotated[list[Note], Field(max_length=_DICE_REASONS_MAX)]
_ReasonCount = Annotated[int, Field(ge=0, le=_DICE_REASONS_MAX)]
_DICE_REASONS = Annotated[
    _ReasonList, BeforeValidator(_reasons, json_schema_input_type=_ReasonCount | Note | _ReasonList)
]
_ACCOUNT = Annotated[str, Field(min_length=1, max_length=40)]
_WRITTEN: dict[str, Callable[[FieldKind], Any]] = {
    **dict.fromkeys(("fighter", "vehicle", "gang", "battle", "territory"), lambda _: IdOrName),
    "account": lambda _: _ACCOUNT,
    "dice_reasons": lambda _: _DICE_REASONS,
    "name": lambda _: Name,
    "note": lambda _: Note,
    "row": lambda _: _ROW,
    "armour_penetration": lambda _: ArmourPenetration,
    "credits": _number,
    "number": _number,
    "inches": lambda _: FallInches,
    "modifier": _modifier,
    "change": _signed,
    "signed": _signed,
    "workplace": lambda _: _WORKPLACE,
}
