"""Every record and refusal there is, by chapter, and examples of them whose values print as the names of their fields."""

from __future__ import annotations

import importlib
import pkgutil
import types
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec

import tracker
from tracker.campaign import records
from tracker.errors import BadInput, Refusal
from tracker.records import Record
from tracker.rules.glossary import USUAL

PHRASES = {"causes": "hit_points"}
"""What stands in a field that picks its phrase in the sentence from a table."""


def chapters() -> dict[str, types.ModuleType]:
    """The chapters that declare anything, by title."""
    stems = [info.name for info in pkgutil.iter_modules(records.__path__)]
    modules = {stem: importlib.import_module(f"{records.__name__}.{stem}") for stem in stems}
    return {
        as_title(stem): module for stem, module in modules.items() if declared(module) or own_refusals(module)
    }


def as_title(stem: str) -> str:
    return stem.replace("_", " ").capitalize()


def declared(module: types.ModuleType) -> list[type[Any]]:
    return [kind for kind in records.NAMES if kind.__module__ == module.__name__]


def own_refusals(module: types.ModuleType) -> list[type[Refusal]]:
    kinds = [kind for kind in vars(module).values() if isinstance(kind, type) and issubclass(kind, Refusal)]
    return [kind for kind in kinds if kind.__module__ == module.__name__ and not is_family(kind)]


def is_family(kind: type[Refusal]) -> bool:
    """Whether it only gathers others and is never raised itself."""
    return kind.__module__ == "tracker.errors" or kind.__name__ == "Misplaced"


def other_refusals() -> dict[str, list[type[Refusal]]]:
    """The refusals that no chapter declares, by layer."""
    found: dict[str, list[type[Refusal]]] = {}
    for info in pkgutil.walk_packages(tracker.__path__, "tracker."):
        if not info.name.startswith(records.__name__) and info.name != "tracker.__main__":
            module = importlib.import_module(info.name)
            found.setdefault(info.name.split(".")[1], []).extend(own_refusals(module))
    return {layer: sorted(kinds, key=lambda kind: kind.__name__) for layer, kinds in found.items() if kinds}


def code(kind: type[Refusal]) -> str:
    return kind.__new__(kind).code


class Blank(int):
    """A number that prints as the name of its field."""

    name = ""

    def __format__(self, _: str) -> str:
        return f"{{{self.name}}}"

    __str__ = __repr__ = lambda self: f"{self:}"


def blank(name: str) -> Blank:
    number = Blank(2)
    number.name = name
    return number


class Braces:
    """The wording of this page: what a field holds is the field's name in braces already."""

    game = USUAL

    def __getattr__(self, _: str) -> Callable[..., str]:
        return lambda value, *_: str(value)

    def by(self, fighter: str | None, word: str = "by") -> str:
        return f" {word} {fighter}" if fighter is not None else ""

    def counted(self, number: int, thing: str, things: str | None = None) -> str:
        return f"{number} {things or thing + 's'}"

    def address(self, entry: int, position: int) -> str:
        return f"{entry}.{position}"


def filled(hint: Any, name: str) -> Any:
    """A value of a type that prints as the name of its field."""
    origin, parts = get_origin(hint), get_args(hint)
    if hint is bool:
        return True
    if hint is int:
        return blank(name)
    if hint is str or hint is Any:
        return PHRASES.get(name, f"{{{name}}}")
    if hint is records.Command:
        return example(records.COMMANDS["ReturnCaptive"], bare=False)
    if isinstance(hint, type) and issubclass(hint, Record):
        return example(hint, bare=False)
    if origin is Literal:
        return parts[0]
    if origin is tuple:
        return tuple(filled(part, name) for part in parts if part is not ...)
    if origin is dict or origin is Mapping:
        return {filled(parts[0], name): filled(parts[1], name)}
    if origin in (Union, types.UnionType):
        return filled(next(part for part in parts if part is not type(None)), name)
    if hint is Refusal:
        return BadInput(f"{{{name}}}")
    return filled(parts[0], name) if parts else with_blanks(hint, hint.__annotations__)


def with_blanks(kind: type[Any], names: Iterable[str]) -> Any:
    hints = {**get_type_hints(kind.__init__), **get_type_hints(kind)}
    return kind(**{name: filled(hints[name], name) for name in names if name != "return"})


def example(kind: type[Record], *, bare: bool) -> Any:
    """A record with all of its fields given, or with those only that must be."""
    hints = get_type_hints(kind)
    fields = [field for field in msgspec.structs.fields(kind) if field.required or not bare]
    values = {field.name: filled(hints[field.name], field.encode_name) for field in fields}
    if bare:
        values = {
            name: False if value is True else None if type(None) in get_args(hints[name]) else value
            for name, value in values.items()
        }
    return kind(**values)
