"""Records: dataclasses that cost little to define, and frozen ones that cost little to make and to replace.

Python's own decorator writes and compiles up to six methods for every class at every start, and there are
hundreds of records here, most of which no run ever makes. These share their methods, and write `__init__`
when the first is made; fields, matching and types stay `dataclasses`' own. Two shapes are known: the frozen
record, and the refusal, which is an exception with facts.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NoReturn

__all__ = ["dataclass", "replace"]

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
            copies = kind.__record_copies__
        except AttributeError:
            raise TypeError(f"{kind.__name__} is no record: decorate it by tracker.records") from None
        made = kind.__new__(kind)
        for get, put in copies:
            put(made, get(record))
        for name, value in changes.items():
            kind.__record_puts__[name](made, value)
        return made


def _record(written: type) -> type:
    # Without a docstring `dataclasses` would work out a signature to make one of.
    written.__doc__ = written.__doc__ or written.__name__
    kind: Any = dataclasses.dataclass(init=False, repr=False, eq=False, slots=True, kw_only=True)(written)
    names = tuple(field.name for field in dataclasses.fields(kind))
    values: Callable[[Any], Any] = attrgetter(*names) if names else lambda _: ()

    def init(self: Any, **given: Any) -> None:
        # A slot's own setter goes past `_frozen`, and is quicker than object.__setattr__.
        puts = {f"put_{name}": put for name, put in kind.__record_puts__.items()}
        kind.__init__ = _written_init(kind, "put_{name}(self, {name})", puts)
        kind.__init__(self, **given)

    def equal(self: Any, other: object) -> Any:
        return values(self) == values(other) if other.__class__ is kind else NotImplemented

    def hashed(self: Any) -> int:
        return hash(values(self))

    kind.__init__, kind.__eq__, kind.__hash__, kind.__repr__ = init, equal, hashed, _shown
    kind.__setattr__ = kind.__delattr__ = _frozen
    kind.__record_puts__ = {name: getattr(kind, name).__set__ for name in names}
    kind.__record_copies__ = tuple(
        (getattr(kind, name).__get__, put) for name, put in kind.__record_puts__.items()
    )
    return kind  # type: ignore[no-any-return]


def _refusal(written: type) -> type:
    kind: Any = dataclasses.dataclass(init=False, repr=False, eq=False)(written)

    def init(self: Any, *given: Any, **named: Any) -> None:
        kind.__init__ = _written_init(kind, "self.{name} = {name}", {})
        kind.__init__(self, *given, **named)

    kind.__init__, kind.__repr__ = init, _shown
    return kind  # type: ignore[no-any-return]


_SHAPES = {(True, True, True, True): _record, (False, False, False, False): _refusal}


def _written_init(kind: Any, put: str, known: dict[str, Any]) -> Any:
    """An `__init__` for the fields of a class; `put` is the line that keeps one of them."""
    known, words, lines = {**known, "MISSING": MISSING}, ["self"], ["pass"]
    fields = dataclasses.fields(kind)
    if any(field.kw_only for field in fields):
        words.append("*")
    for field in fields:
        word, left_out = field.name, f"else_{field.name}"
        if field.default is not MISSING:
            known[left_out] = field.default
            word += f"={left_out}"
        elif field.default_factory is not MISSING:
            known[left_out] = field.default_factory
            word += "=MISSING"
            lines.append(f"if {field.name} is MISSING: {field.name} = {left_out}()")
        words.append(word)
        lines.append(put.format(name=field.name))
    text = f"def __init__({', '.join(words)}):\n  " + "\n  ".join(lines)
    exec(text, known)  # noqa: S102  # as `dataclasses` does it; only our own field names are in it
    return known["__init__"]


def _shown(record: Any) -> str:
    facts = (f"{field.name}={getattr(record, field.name)!r}" for field in dataclasses.fields(record))
    return f"{type(record).__qualname__}({', '.join(facts)})"


def _frozen(record: Any, name: str, *_: object) -> NoReturn:
    raise FrozenInstanceError(f"cannot change {name!r} of a {type(record).__name__}")
