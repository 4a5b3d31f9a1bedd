"""Forms: the entries of a format as questions, derived from the models that read the files.

Knows the type of each field. Knows no chapter: `prompts` lists the fields to ask for.
"""

from __future__ import annotations

import types
from collections.abc import Iterator
from functools import cache
from typing import Annotated, Any, Final, Literal, TypeAlias, Union, get_args, get_origin

from tracker.documents.battle_report import Entry as BattleEntry
from tracker.documents.card_numbers import NumberNotation
from tracker.documents.derived_forms import annotation_of
from tracker.documents.post_battle import ENTRIES
from tracker.documents.post_battle import Entry as PostBattleEntry
from tracker.documents.report_entries import EXCHANGES
from tracker.documents.schemas import field_words
from tracker.documents.validation import StrictModel, expected_under
from tracker.records import Record
from tracker.rules.glossary import USUAL, GameWords

Shape: TypeAlias = Literal[
    "text", "number", "yes_no", "word", "several", "numbers", "counts", "groups", "parts", "map"
]
"""What an answer is: a text or id, a number, yes or no, one of some words, a list, a list of numbers; for
each of some a number or a list; a few keys of its own; or more than one line."""
_SIMPLE: Final = frozenset({"text", "number", "yes_no", "word"})


class FormQuestion(Record):
    """One key of an entry: what its answer is, and whether it may be left out.

    `usual` is what counts when nothing is said.
    """

    key: str
    shape: Shape
    needed: bool
    words: tuple[str, ...] = ()
    usual: str = ""
    parts: Form | None = None


class Form(Record):
    """One kind of entry: its key in the file, the model that reads it, what it is."""

    kind: str
    model: type[StrictModel]

    @property
    def about(self) -> str:
        """What such an entry is, in one sentence."""
        return self.about_in(USUAL)

    def about_in(self, game: GameWords) -> str:
        """The same in the words of a campaign's game."""
        return game.said(" ".join((self.model.__doc__ or "").strip().split("\n\n")[0].split()))

    def shapes(self) -> Iterator[tuple[str, bool, Shape]]:
        """Every key as it stands in the file, whether it is needed, and what its answer is."""
        for question in _questions(self.model).values():
            yield question.key, question.needed, question.shape

    @property
    def needed(self) -> tuple[str, ...]:
        """The keys that must be there."""
        return tuple(key for key, needed, _ in self.shapes() if needed)

    @property
    def on_one_line(self) -> bool:
        """Whether all that is needed can be answered on one line each."""
        return all(shape != "map" for _, needed, shape in self.shapes() if needed)

    def question(self, key: str) -> FormQuestion:
        """One key as a question. Raises KeyError."""
        return _questions(self.model)[key]

    def counted(self, key: str) -> tuple[int, int | None]:
        """How many a list under that key names, from one on where it names any; None for no end."""
        field = next(f for name, f in self.model.model_fields.items() if key == (f.alias or name))
        bounds = [
            bound for way in (field, *_ways(field.annotation)) for bound in getattr(way, "metadata", [way])
        ]
        least = max((bound.min_length for bound in bounds if hasattr(bound, "min_length")), default=1)
        most = min((bound.max_length for bound in bounds if hasattr(bound, "max_length")), default=None)
        return max(least, 1), most

    def expected(self, key: str, said: Any) -> str:
        """What an answer to a key has to be where this one cannot stand in the file; nothing where it can."""
        return expected_under(self.model, key, said)

    def meaning(self, key: str, game: GameWords) -> str:
        """What a key means, as a question or the beginning of one."""
        words = field_words(self.model)
        fields = self.model.model_fields.items()
        meant = (words.get(name, "") for name, field in fields if key == (field.alias or name))
        return game.said(" ".join(next(meant, "").split()))


@cache
def battle_forms() -> dict[str, Form]:
    """What a battle report may hold, by key."""
    return _forms(BattleEntry, EXCHANGES)


@cache
def post_battle_forms() -> dict[str, Form]:
    """What a post-battle file may hold, by key."""
    return _forms(PostBattleEntry, ENTRIES)


def part_form(key: str, model: type[StrictModel]) -> Form:
    """What stands under a key of a model, as a form of its own."""
    form = _part_form(
        key, next(field.annotation for name, field in model.model_fields.items() if name == key)
    )
    assert form is not None, f"{key} is no map"
    return form


def _forms(entry: type[StrictModel], kinds: tuple[str, ...]) -> dict[str, Form]:
    models = {kind: _model(annotation_of(entry, kind)) for kind in kinds}
    return {kind: Form(kind=kind, model=model) for kind, model in models.items() if model is not None}


@cache
def _questions(model: type[StrictModel]) -> dict[str, FormQuestion]:
    """Every key of a model as a question. A wizard asks for the same ones with every answer that it tries."""
    return {
        (key := field.alias or name): FormQuestion(
            key=key,
            shape=_shape(field.annotation, *field.metadata),
            needed=field.is_required(),
            words=tuple(_words(field.annotation)),
            usual=_usual(field.default),
            parts=_part_form(key, field.annotation),
        )
        for name, field in model.model_fields.items()
    }


def _model(annotation: Any) -> type[StrictModel] | None:
    found = (way for way in _ways(annotation) if isinstance(way, type) and issubclass(way, StrictModel))
    return next(found, None)


def _ways(annotation: Any) -> Iterator[Any]:
    """The types that an annotation allows, and what it is annotated with; None left out."""
    if annotation is None or annotation is type(None):
        return
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *metadata = get_args(annotation)
        yield from metadata
        yield from _ways(inner)
    elif origin in (Union, types.UnionType):
        for part in get_args(annotation):
            yield from _ways(part)
    else:
        yield annotation


def _shape(annotation: Any, *metadata: Any) -> Shape:
    ways = [*metadata, *_ways(annotation)]
    origins = [get_origin(way) or way for way in ways]
    if bool in origins or any(get_args(way) == (True,) for way in ways):
        return "yes_no"
    if any(isinstance(way, NumberNotation) for way in ways) or int in origins:
        return "number"
    if list in origins:
        members = next(get_args(way)[0] for way in ways if get_origin(way) is list)
        return {"number": "numbers", "parts": "map", "map": "map"}.get(_shape(members), "several")  # type: ignore[return-value]
    if dict in origins:
        return _shape_of_members(ways)
    if Literal in origins:
        return "word"
    if str in origins:
        return "text"
    parts = _part_form("", annotation)
    simple = parts is not None and all(shape in _SIMPLE for _, _, shape in parts.shapes())
    return "parts" if simple else "map"


def _part_form(key: str, annotation: Any) -> Form | None:
    """A model under a key as a form of its own."""
    model = _model(annotation)
    return Form(kind=key, model=model) if model is not None else None


def _shape_of_members(ways: list[Any]) -> Shape:
    """The shape of a map by what stands under its keys."""
    under = next(get_args(way)[1] for way in ways if get_origin(way) is dict)
    return {"number": "counts", "several": "groups"}.get(_shape(under), "map")  # type: ignore[return-value]


def _usual(default: Any) -> str:
    if isinstance(default, bool):
        return "yes" if default else "no"
    return str(default) if isinstance(default, int | str) else ""


def _words(annotation: Any) -> Iterator[str]:
    for way in _ways(annotation):
        if get_origin(way) is Literal:
            yield from (str(word) for word in get_args(way))
