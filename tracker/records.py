"""Records: dataclasses that cost little to define, and frozen ones that cost little to make and to replace.

Python's own decorator writes and compiles up to six methods for every class at every start, and there are
hundreds of records here, most of which no run ever makes. These share their methods, and write what fills one
when the first is made; fields, matching and types stay `dataclasses`' own. Two shapes are known: the frozen
record, and the refusal, which is an exception with facts.

A frozen record is filled as its twin, a class of the same slots that lets itself be changed, and becomes what
it is when it is full: to get a slot past a class's own `__setattr__` one at a time costs many times as much.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError
from functools import cache, wraps
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn, ParamSpec, TypeVar

__all__ = ["dataclass", "maker", "remembered", "replace"]

REMEMBERED_MAX = 256

Facts = ParamSpec("Facts")
Kind = TypeVar("Kind")

if TYPE_CHECKING:
    from dataclasses import dataclass, replace
else:

    def dataclass(
        *, frozen: bool = False, slots: bool = False, kw_only: bool = False, eq: bool = True
    ) -> Callable[[type], type]:
        """A frozen, slotted, keyword-only record, or with `eq=False` alone a refusal."""
        shape = (frozen, slots, kw_only, eq)
        assert shape in _SHAPES, "a record is frozen, slotted and keyword-only; a refusal is eq=False"
        return _SHAPES[shape]

    def replace(record: Any, /, **changes: Any) -> Any:
        """The record with some fields replaced; the others are the same objects as before."""
        kind = type(record)
        try:
            twin = kind.__record_twin__(record)
            for name, value in changes.items():
                setattr(twin, name, value)
        except AttributeError:
            if not hasattr(kind, "__record_twin__"):
                raise TypeError(f"{kind.__name__} is no record: decorate it by tracker.records") from None
            raise TypeError(f"{kind.__name__} has not all of {', '.join(changes)}") from None
        twin.__class__ = kind
        return twin


def maker(kind: Callable[Facts, Kind]) -> Callable[Facts, Kind]:
    """A record's class as a plain function, for the few that are made with every die.

    A call of a class packs its keywords into a dictionary first, which costs more than all the rest.
    """
    known = {"_Kind": kind, "_Twin": _twin_of(kind)}
    return _written("made", kind, "_self = _Twin()", "_self.__class__ = _Kind; return _self", known)  # type: ignore[no-any-return]


def remembered(work: Callable[Facts, Kind]) -> Callable[Facts, Kind]:
    """A function that keeps what it gave for the very same objects: what every decision asks of records that
    stay as they are. Of objects that are merely equal it is worked out anew.
    """
    known: dict[tuple[int, ...], tuple[tuple[Any, ...], Kind]] = {}

    @wraps(work)
    def asked(*facts: Facts.args, **named: Facts.kwargs) -> Kind:
        assert not named, "known by place"
        key = tuple(map(id, facts))
        found = known.get(key)
        if found is None:
            if len(known) >= REMEMBERED_MAX:
                known.clear()
            # The facts are kept beside it, so that no other object takes the id of one.
            found = known[key] = (facts, work(*facts, **named))
        return found[1]

    return asked


def _record(written: type) -> type:
    # Without a docstring `dataclasses` would work out a signature to make one of.
    written.__doc__ = written.__doc__ or written.__name__
    assert written.__base__ is object, "a record inherits nothing, or it would not be like its twin"
    kind: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, kw_only=True)(written)
    names = tuple(field.name for field in dataclasses.fields(kind))
    values: Callable[[Any], Any] = attrgetter(*names) if names else lambda _: ()

    def init(self: Any, **given: Any) -> None:
        known = {"_Kind": kind, "_Twin": _twin_of(kind), "_becomes": _becomes}
        kind.__init__ = _written("__init__", kind, "_becomes(_self, _Twin)", "_self.__class__ = _Kind", known)
        kind.__init__(self, **given)

    def twin(record: Any) -> Any:
        copied = "".join(f"_twin.{name} = _record.{name}\n  " for name in names)
        text = f"def twin(_record):\n  _twin = _Twin()\n  {copied}return _twin"
        kind.__record_twin__ = staticmethod(_run(text, "twin", {"_Twin": _twin_of(kind)}))
        return kind.__record_twin__(record)

    def equal(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is kind else NotImplemented

    def hashed(self: Any) -> int:
        return hash(values(self))

    kind.__init__, kind.__eq__, kind.__hash__, kind.__repr__ = init, equal, hashed, _shown
    kind.__setattr__ = kind.__delattr__ = _frozen
    kind.__record_twin__ = staticmethod(twin)
    return kind  # type: ignore[no-any-return]


def _refusal(written: type) -> type:
    kind: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(written)

    def init(self: Any, *given: Any, **named: Any) -> None:
        kind.__init__ = _written("__init__", kind, "", "", {})
        kind.__init__(self, *given, **named)

    kind.__init__, kind.__repr__ = init, _shown
    return kind  # type: ignore[no-any-return]


_SHAPES = {(True, True, True, True): _record, (False, False, False, False): _refusal}
_becomes = object.__dict__["__class__"].__set__


@cache
def _twin_of(kind: Any) -> type:
    """The class of the same slots, and nothing else."""
    return type(kind.__name__, (), {"__slots__": kind.__slots__})


def _written(name: str, kind: Any, before: str, after: str, known: dict[str, Any]) -> Any:
    """A function that takes the fields of a class as its keywords and puts them into `self`."""
    known, words, lines = {**known, "_MISSING": MISSING}, [], [before]
    fields = dataclasses.fields(kind)
    if name == "__init__":
        words.append("_self")
    if any(field.kw_only for field in fields):
        words.append("*")
    for field in fields:
        word, left_out = field.name, f"_else_{field.name}"
        if field.default is not MISSING:
            known[left_out] = field.default
            word += f"={left_out}"
        elif field.default_factory is not MISSING:
            known[left_out] = field.default_factory
            word += "=_MISSING"
            lines.append(f"if {field.name} is _MISSING: {field.name} = {left_out}()")
        words.append(word)
        lines.append(f"_self.{field.name} = {field.name}")
    text = "\n  ".join((f"def {name}({', '.join(words)}):", *lines, after, "pass"))
    return _run(text, name, known)


def _run(text: str, name: str, known: dict[str, Any]) -> Any:
    exec(text, known)  # noqa: S102  # as `dataclasses` does it; only our own field names are in it
    return known[name]


def _shown(record: Any) -> str:
    facts = (f"{field.name}={getattr(record, field.name)!r}" for field in dataclasses.fields(record))
    return f"{type(record).__qualname__}({', '.join(facts)})"


def _frozen(record: Any, name: str, *_: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot change {name!r} of a {type(record).__name__}")
