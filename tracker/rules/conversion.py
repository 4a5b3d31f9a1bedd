"""Typed conversion of a book's files: each TOML table becomes a record, and whatever does not fit is refused.

A fault names the file, the row and the form expected. Knows no rule.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from types import UnionType
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

import msgspec

from tracker.errors import Refusal, nearest
from tracker.records import Record, converted

Kind = TypeVar("Kind")
QUOTE: Final = "'"
LISTED_MAX: Final = 8
"""A longer list of possible values is not printed."""


class BrokenBook(Refusal):
    """{file}: {fault}. Mend the file before anything is decided with it."""

    file: str
    fault: str

    exit_code = 2


class BookTable(Record, forbid_unknown_fields=True):
    """A table of a book's file, with the keys as written there."""


class Chapter(BookTable):
    """A whole file of a book, with its place in the printed book."""

    source: str


class Cells(tuple[str, ...]):
    """The D66 cells that lead to a row."""

    __slots__ = ()


ALL_CELLS = Cells(f"{tens}{units}" for tens in range(1, 7) for units in range(1, 7))
ENDLESS = 1000
"""Beyond every total that dice and modifiers can make."""


def cells_between(text: str) -> Cells:
    """The D66 cells of a range: eight for '15-26', one for '46'. Raises ValueError."""
    first, _, last = text.partition("-")
    ends = (first, last or first)
    if not all(end in ALL_CELLS for end in ends):
        raise ValueError(f"{text!r} is no range of D66 cells")
    return Cells(cell for cell in ALL_CELLS if ends[0] <= cell <= ends[1])


def totals_between(text: str) -> range:
    """The totals of a range: '7-8', '4', or open '9+' and '1-'. Raises ValueError."""
    if not re.fullmatch(r"\d+([-+]|-\d+)?", text):
        raise ValueError(f"{text!r} is no range of totals: expected such as 7-8, 9+ or 1-")
    first, _, last = text.rstrip("+").partition("-")
    if text.endswith("-"):
        return range(-ENDLESS, int(first) + 1)
    return range(int(first), ENDLESS if text.endswith("+") else int(last or first) + 1)


_FROM_TEXT: dict[Any, Callable[[str], Any]] = {Cells: cells_between, range: totals_between}


def convert(content: object, kind: type[Kind], *, file: str) -> Kind:
    """A file's content as this record. Raises BrokenBook."""
    try:
        record: Kind = converted(content, kind, str_keys=False, dec_hook=_read_text)
        return record
    except msgspec.ValidationError as wrong:
        raise BrokenBook(file=file, fault=_fault(str(wrong), content, kind)) from wrong


class Misfit(Record):
    """Where in a table something does not fit, and what is wrong."""

    path: tuple[str | int, ...]
    what: str

    def said(self) -> str:
        """Place and fault in one line."""
        place = ".".join(str(spot + 1) if isinstance(spot, int) else spot for spot in self.path)
        return f"{place}: {self.what}" if place else self.what


def misfit_of(content: Any, kind: Any) -> Misfit | None:
    """The first misfit of a table with this record; None if it fits."""
    try:
        converted(content, kind, str_keys=False, dec_hook=_read_text)
    except msgspec.ValidationError as wrong:
        path, _, what = _misfit(str(wrong), content, kind)
        return Misfit(path=tuple(int(spot) if spot.isdecimal() else spot for spot in path), what=what)
    return None


def refuse_repeated(names: Sequence[str], what: str) -> None:
    """Raises ValueError if a name occurs twice."""
    for name in names:
        if names.count(name) > 1:
            raise ValueError(f"{what} {name} stands twice")


def refuse_unknown(named: Iterable[tuple[str, str]], known: Collection[str], what: str) -> None:
    """Raises ValueError if one of (place, name) has a name that is not known."""
    for place, name in named:
        if name not in known:
            choices = f": expected {', '.join(known)}" if len(known) <= LISTED_MAX else ""
            raise ValueError(f"{place}: {name!r} is no {what}{_hint(name, known) or choices}")


def _read_text(kind: Any, text: object) -> Any:
    return _FROM_TEXT[kind](str(text))


# --- what is wrong, where ---------------------------------------------------------------------------------

_FORMS = {
    "`int`": "a whole number", "`str`": "text", "`bool`": "true or false", "`array`": "a list",
    "`object`": "a table", "`float`": "a fraction", "`int | null`": "a whole number",
    "`str | null`": "text", "`object | null`": "a table",
}  # fmt: skip


def _fault(message: str, content: Any, kind: Any) -> str:
    """msgspec's message, such as 'Expected `int`, got `str` - at `$.band[1].damage`', in a book's words."""
    _, place, what = _misfit(message, content, kind)
    return ": ".join([*([", ".join(place)] if place else []), what])


def _misfit(message: str, content: Any, kind: Any) -> tuple[list[str], list[str], str]:
    """The path, the path in words, and the fault."""
    what, _, where = message.partition(" - at ")
    path = re.findall(r"\w+|\.\.\.", where.partition("$")[2])
    place, expected = _follow(path, content, kind)
    if invalid := re.fullmatch(r"Invalid (?:enum )?value (.*)", what):
        choices = [str(_tag(choice) or choice) for choice in get_args(expected)]
        hint = _hint(invalid[1].strip(QUOTE), choices)
        what = f"{invalid[1]} is not known{hint}" if hint else f"{invalid[1]} is none of {', '.join(choices)}"
    elif named := re.fullmatch(r"Object (missing required|contains unknown) field `(\w+)`", what):
        unknown = named[1] == "contains unknown"
        hint = _hint(named[2], expected.__struct_encode_fields__) if unknown else ""
        what = f"{'has an unknown' if unknown else 'misses'} {named[2]!r}{hint}"
    elif forms := re.fullmatch(r"Expected (`.*?`)(.*), got (.*)", what):
        what = "expected {}{}, not {}".format(*(_FORMS.get(form, form) for form in forms.groups()))
    return path, place, what


def _follow(path: Sequence[str], content: Any, kind: Any) -> tuple[list[str], Any]:
    """The place in words, and the type expected there."""
    place: list[str] = []
    for spot in path:
        if spot == "kind" and content.get("kind") not in map(_tag, get_args(kind)):
            return place, kind
        kind = _one_of(kind, content)
        if spot == "...":
            content, kind = None, get_args(kind)[1]
        elif spot.isdecimal():
            content, kind = content[int(spot)], get_args(kind)[0]
            name = content.get("id", content.get("name")) if isinstance(content, dict) else None
            place[-1] = f"{place[-1]} {name or int(spot) + 1}"
        else:
            place.append(spot)
            content = content.get(spot)
            fields = dict(zip(kind.__struct_encode_fields__, kind.__struct_fields__, strict=True))
            kind = get_type_hints(kind)[fields[spot]]
    return place, _one_of(kind, content)


def _one_of(kind: Any, content: Any) -> Any:
    """The member of a union: the kind that the content names, or the one beside None."""
    if get_origin(kind) not in (Union, UnionType):
        return kind
    kinds = [get_arg for get_arg in get_args(kind) if get_arg is not type(None)]
    named = content.get("kind") if isinstance(content, dict) else None
    return next((kind for kind in kinds if _tag(kind) == named), kinds[0])


def _tag(kind: Any) -> Any:
    config = getattr(kind, "__struct_config__", None)
    return None if config is None else config.tag


def _hint(word: str, known: Iterable[str]) -> str:
    near = nearest(word, known).strip(" ?")
    return f" ({near[0].lower()}{near[1:]}?)" if near else ""
