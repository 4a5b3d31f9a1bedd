"""Validates a document with its model, and words the errors for people.

Hides Pydantic's own error names. Knows no format.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, TypeVar

# Other packages' plugins could change what a document means; see `pydantic_plugins`.
os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")

from pydantic import BaseModel, ConfigDict, ValidationError, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from tracker.documents import nodes, pydantic_plugins
from tracker.documents.nodes import Document, Node, Path, path_in_words, shown
from tracker.documents.refusals import DocumentRefused, FormatNotExpected, Problem
from tracker.errors import nearest
from tracker.records import Record, names_of_fields

pydantic_plugins.skip_plugin_search()

Model = TypeVar("Model", bound="StrictModel")
Kept = TypeVar("Kept", bound=Record)

GUESSES_MAX = 500
KEYS_SHOWN = 12

_COMMAND_FOR = {
    "armoury/1": "an armoury, which `arbitrator gang buy --armoury` and its like read",
    "battle-report/1": "a battle report, which `arbitrator battle record` reads",
    "battle-continued/1": "further entries of a battle, which `arbitrator battle continue` reads",
    "gang-sheet/1": "a gang sheet, which `arbitrator gang add` reads",
    "gang-sheet/2": "a gang sheet, which `arbitrator gang add` reads",
    "post-battle/1": "a post-battle file, which `arbitrator battle post` reads",
    "exchange/1": "an exchange, which `arbitrator judge` and `arbitrator odds` read",
    "house-rule/1": "a house rule, which `arbitrator policy adopt` reads",
}


class StrictModel(BaseModel):
    """A map that takes the keys it names and no others, and converts nothing."""

    model_config = ConfigDict(
        extra="forbid",
        strict=True,
        frozen=True,
        defer_build=True,  # a command builds only the format it reads
    )

    meant: ClassVar[Mapping[str, str]] = {}
    """What people write for a key that is called otherwise, and what to write instead."""

    @model_validator(mode="before")
    @classmethod
    def _know_every_key(cls, given: Any) -> Any:
        """Unknown keys come first and alone: a misspelt key would be named again as missing."""
        if isinstance(given, dict):
            known = [field.alias or name for name, field in cls.model_fields.items()]
            unknown = [key for key in given if key not in known]
            if unknown:
                facts = {"unknown": unknown, "known": known, "meant": cls.meant}
                raise PydanticCustomError("unknown_keys", "unknown keys", facts)
        return given


def copied(form: StrictModel, kind: type[Kept], /, **others: Any) -> Kept:
    """The record that a form is kept as: fields of the same name are copied, the others are given."""
    shared_names = type(form).model_fields.keys() & set(names_of_fields(kind)) - others.keys()
    return kind(**{name: as_kept(getattr(form, name)) for name in shared_names}, **others)


def as_kept(value: Any) -> Any:
    """A form's value as a record keeps it: lists as tuples, forms within as the records that they make."""
    if isinstance(value, list):
        return tuple(map(as_kept, value))
    return value.made() if isinstance(value, StrictModel) and hasattr(value, "made") else value


class Problems:
    """Collects what is wrong with one document, each with its place, and refuses once."""

    def __init__(self, document: Document, what: str) -> None:
        self.document = document
        self.what = what
        self._problems: list[Problem] = []

    def add(self, path: Path, fault: str, *, key: str | None = None) -> None:
        """One more fault, of the value at `path` or of a key in the map there."""
        resolved, node = self.document.resolve(path)
        place = node.place if key is None else self.document.place_of_key(resolved, key)
        full_path = resolved if key is None else (*resolved, key)
        entry = nodes.entry_of(resolved)
        self._problems.append(
            Problem(
                place=place, path=path_in_words(full_path), fault=fault, entry=entry, place_in_data=full_path
            )
        )

    def add_expected(self, path: Path, what: str, *, on: str = "") -> None:
        """One more fault: something else than `what` stands at `path` (`on` a die, where it is a face)."""
        shown_value = _described(self.document.resolve(path)[1]) + (f" on {on}" if on else "")
        self.add(path, f"found {shown_value}, expected {what}" + ("" if what.endswith("?") else "."))

    @property
    def may_guess(self) -> bool:
        """Whether a fault is named with a guess at what was meant: among so many nobody would read it."""
        return len(self._problems) < GUESSES_MAX

    def refuse(self) -> None:
        """Raises DocumentRefused when anything was found, in the order of the file."""
        if self._problems:
            in_order = sorted(self._problems, key=lambda problem: (problem.place.line, problem.place.column))
            raise DocumentRefused(file=self.document.file, what=self.what, problems=tuple(in_order))


def drop_null(schema: dict[str, Any]) -> None:
    """For a model's JSON Schema: a key that may be left out, but when it stands there says something."""
    for name, described in schema["properties"].items():
        options = [option for option in described.get("anyOf", ()) if option != {"type": "null"}]
        if len(options) == 1:
            # What is described elsewhere has its title there.
            dropped = ("anyOf", "default", "title") if "$ref" in options[0] else ("anyOf", "default")
            others = {key: value for key, value in described.items() if key not in dropped}
            schema["properties"][name] = {**options[0], **others}


def fault(what: str) -> PydanticCustomError:
    """A validator's error about a whole map: the sentence says what is wrong and what to do."""
    return PydanticCustomError("fault", "{fault}", {"fault": what})


def read_as(
    model: type[Model],
    document: Document,
    *,
    version: str,
    later_versions: tuple[str, ...] = (),
    what: str,
    context: object = None,
    begin: str = "format: {}",
) -> Model:
    """The document as a model of that format version, or of a later one that the model reads too.

    `context` is for the model's own validators, `begin` is how the file names its format. Raises
    FormatNotExpected or DocumentRefused.
    """
    _check_format(document, (version, *later_versions), what, begin.format(version))
    return validated(model, document, what=what, context=context)


def validated(model: type[Model], document: Document, *, what: str, context: object = None) -> Model:
    """The document as a model, of whatever format it says it is. Raises DocumentRefused."""
    try:
        return model.model_validate(document.root.plain(), context=context)
    except ValidationError as error:
        errors = error.errors(include_url=False, include_input=False)
    # Outside the handler, so that no traceback of ours drags Pydantic's wording along.
    problems = Problems(document, what)
    for details in errors:
        _add(problems, details)
    problems.refuse()
    raise AssertionError("a document was refused without a problem")


def expected_under(model: type[StrictModel], key: str, given: Any) -> str:
    """What should stand under a key where `given` cannot; nothing where it can, whatever else is missing."""
    try:
        model.model_validate({key: given})
    except ValidationError as error:
        for details in error.errors(include_url=False, include_input=False):
            if details["loc"][:1] == (key,) and details["type"] in _EXPECTED:
                return _EXPECTED[details["type"]](details.get("ctx", {}))
    return ""


def _check_format(document: Document, versions: tuple[str, ...], what: str, begin: str) -> None:
    problems = Problems(document, what)
    if not isinstance(document.root.content, dict):
        made = " (`arbitrator gang import` makes one of a table or another tool's file)"
        problems.add_expected((), f"a map that begins with `{begin}`{made if what == 'gang sheet' else ''}")
        problems.refuse()
    named = document.root.child("format")
    if named is None:
        problems.add((), f"the key `format` is missing: begin with `{begin}`.")
        problems.refuse()
    elif named.content not in versions:
        known_format = _COMMAND_FOR.get(named.content) if isinstance(named.content, str) else None
        article = "an" if what[0] in "aeiou" else "a"
        instead = (
            f"That is {known_format}." if known_format else f"Write `{begin}` if this is {article} {what}."
        )
        written = shown(named.content)
        raise FormatNotExpected(
            file=document.file, place=named.place, found=written, expected=versions[0], instead=instead
        )


# --- Pydantic's errors in our words ----------------------------------------------------------------------


def _add(problems: Problems, details: ErrorDetails) -> None:
    path: Path = details["loc"]
    facts = details.get("ctx", {})
    if path[-1:] == ("[key]",) and details["type"] == "expected":
        key = str(path[-2])
        problems.add(path[:-2], f"found {shown(key)!r}, expected {facts['expected']}.", key=key)
        return
    match details["type"]:
        case "missing":
            problems.add(path[:-1], f"the key {shown(path[-1])!r} is missing.")
        case "unknown_keys":
            for key in facts["unknown"]:
                guess = _suggestion(key, facts["known"]) if problems.may_guess else ""
                instead = f" {facts['meant'][key]}" if key in facts["meant"] else guess
                problems.add(path, f"unknown key.{instead}", key=key)
        case "fault":
            problems.add(path, facts["fault"])
        case "literal_error":
            _add_literal(problems, path, facts["expected"])
        case error_type:
            problems.add_expected(path, _EXPECTED.get(error_type, _unexpected)(facts))


def _suggestion(key: str, known: Iterable[str]) -> str:
    names = [name for name in known if name != "format"]
    more = f" and {len(names) - KEYS_SHOWN} more" if len(names) > KEYS_SHOWN else ""
    return nearest(key, names) or f" Known here: {', '.join(names[:KEYS_SHOWN])}{more}."


def _add_literal(problems: Problems, path: Path, expected: str) -> None:
    words = re.findall(r"'([^']*)'", expected)
    content = problems.document.resolve(path)[1].content
    guess = nearest(content, words) if isinstance(content, str) and problems.may_guess else ""
    problems.add_expected(path, f"one of {', '.join(words)}" + (f".{guess}" if guess else ""))


def _described(node: Node) -> str:
    text = shown(node.content)
    return repr(text) if isinstance(node.content, str) else text


def _unexpected(facts: dict[str, Any]) -> str:  # noqa: ARG001 -- one signature for all
    return "something else (see the format's page under docs/formats)"


_EXPECTED: dict[str, Callable[[dict[str, Any]], str]] = {
    "expected": lambda facts: str(facts["expected"]),
    "bool_type": lambda _: "true or false",
    "string_type": lambda _: "text",
    "list_type": lambda _: "a list",
    "dict_type": lambda _: "a map (key: value)",
    "model_type": lambda _: "a map (key: value)",
    "model_attributes_type": lambda _: "a map (key: value)",
    "too_long": lambda facts: f"at most {facts['max_length']} of them",
    "too_short": lambda facts: f"at least {facts['min_length']} of them",
}
