"""docs/events.md is what the records declare of themselves: every command, event and refusal, by chapter."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

import msgspec
from declared_records import (
    Braces,
    chapters,
    code,
    declared,
    example,
    is_family,
    other_refusals,
    own_refusals,
    with_blanks,
)
from msgspec import UnsetType

from tracker.campaign import records
from tracker.campaign.records.kinds import FieldKind, FileKey
from tracker.documents import battle_report, post_battle
from tracker.documents.derived_forms import annotation_of
from tracker.documents.schemas import docstrings_of_fields
from tracker.errors import Refusal
from tracker.records import Record
from tracker.rules.glossary import USUAL

HEADING = """\
# Commands, events and refusals

Every record of a campaign, chapter by chapter. The page is written by `make golden` from the records themselves
(`tracker/campaign/records/`), so it cannot fall behind them.

- A **command** is what somebody asks for. It may be refused. Its heading is its name in the log. *In a file* is its
  key in a [battle report](formats/battle-report.md) or a [post-battle file](formats/post-battle.md).
- An **event** is what happened. Its heading is its name in the log; its fields are the keys under `data` of an event's
  [bytes](architecture.md#an-events-bytes). *Reads* is the sentence that people see, with the fields in braces.
  Where a sentence depends on its fields, it stands with all of them given, then with those only that must be given.
- A **refusal** is the answer no. Its code is stable; its message is printed with its facts, here in braces. The
  number is the exit code: 1 the rules or the state refuse, 2 the input is wrong or dice are missing, 3 stale or busy,
  4 the log or the boards are damaged.

A file writes inches with decimals; the log keeps hundredths of an inch.
"""

KINDS = {
    "fighter": "fighter",
    "vehicle": "vehicle",
    "gang": "gang",
    "battle": "battle",
    "territory": "territory",
    "workplace": "territory, or nowhere",
    "name": "name",
    "note": "text",
    "credits": "credits",
    "account": "gang or account",
    "row": "table row",
    "inches": "inches / 100",
    "dice_reasons": "texts",
}
NUMBERS = {"credits", "number", "signed", "change", "inches", "modifier", "armour_penetration"}


def sentences(kind: type[Any]) -> list[str]:
    """The sentence of a record with everything given, and with as little as may be."""
    if kind.sentence:
        return [USUAL.said(kind.sentence)]
    if kind.in_words is records.Declared.in_words:
        return []  # reports compose a roll from its dice, target and outcome
    said = []
    for bare in (False, True):
        text = example(kind, bare=bare).in_words(Braces())
        said += [text] if text not in said else []
    return said


def message(kind: type[Refusal]) -> str:
    """What a refusal says, its facts in braces."""
    if kind.message is Refusal.message:
        template = re.sub(r"\{\w+:nearest[^}]*\}", " {nearest}", USUAL.said(kind.__doc__ or ""))
        return one_line(re.sub(r"\{(\w+)[!:][^}]*\}", r"{\1}", template))
    text = one_line(with_blanks(kind, kind._fields or get_type_hints(kind.__init__)).message())
    return re.sub(r"(Known: (?:\w+, ){9}).*", r"\1...", text)


# --- the page ---------------------------------------------------------------------------------------------


def one_line(text: str) -> str:
    return " ".join(text.split())


def cell(text: str) -> str:
    """A text within a table of Markdown."""
    return one_line(text).replace("|", "\\|").replace("<", "&lt;")


def of_type(hint: Any) -> str:
    """What a field holds, in a word or two."""
    origin, parts = get_origin(hint), get_args(hint)
    metadata = getattr(hint, "__metadata__", ())
    kind = next((one for one in metadata if isinstance(one, FieldKind)), None)
    if kind is not None:
        word = KINDS.get(kind.name, "number")
        ranged = kind.name in NUMBERS and (kind.lowest or kind.highest)
        return f"{word}, {kind.lowest:,} to {kind.highest:,}" if ranged and word != "inches / 100" else word
    if metadata:
        return of_type(parts[0])
    if origin is Literal:
        return " / ".join(f"`{part}`" for part in parts)
    if origin is tuple:
        inner = [of_type(part) for part in parts if part is not ...]
        return f"list of {inner[0]}" if len(set(inner)) == 1 else f"list of ({', '.join(inner)})"
    if origin in (dict, Mapping):
        return f"{of_type(parts[1])} by {of_type(parts[0])}"
    if origin in (Union, types.UnionType):
        return " or ".join(of_type(part) for part in parts if part not in (type(None), UnsetType))
    if isinstance(hint, type) and issubclass(hint, Record):
        return f"[{hint.__name__}](#{hint.__name__.lower()})" if hint is not records.Command else "a command"
    return {str: "text", int: "number", bool: "yes or no"}.get(hint, str(hint))


def fields_of(kind: type[Record]) -> Iterator[str]:
    """The fields of a record: a table where they have texts, else a line."""
    # What a record shares with others of its chapter stands behind what is its own, as in files.
    fields = sorted(msgspec.structs.fields(kind), key=lambda field: field.name not in kind.__annotations__)
    hints = get_type_hints(kind, include_extras=True)
    texts = {name: text for base in kind.__mro__ for name, text in written_under(base)}
    texts |= (
        {"activation": "The activation that the entry stands in."}
        if issubclass(kind, records.Command)
        else {}
    )
    holds = {field.name: of_type(hints[field.name]) + optional(field, hints[field.name]) for field in fields}
    for field in fields:
        key = next(
            (x.name for x in getattr(hints[field.name], "__metadata__", ()) if isinstance(x, FileKey)), None
        )
        if key not in (None, field.name):
            texts[field.name] = f"{texts.get(field.name, '')} In a file: `{key}`."
    if texts:
        yield "\n| Field | Holds | |\n|---|---|---|"
        yield from (
            f"| `{name}` | {cell(kept)} | {cell(texts.get(name, ''))} |" for name, kept in holds.items()
        )
    elif holds:
        yield "- Fields: " + ", ".join(f"`{name}` ({kept})" for name, kept in holds.items())


def optional(field: msgspec.structs.FieldInfo, hint: Any) -> str:
    if not field.required:
        return ", optional"
    return " or none" if type(None) in get_args(hint) else ""


def written_under(kind: type) -> tuple[tuple[str, str], ...]:
    if kind is Record or not issubclass(kind, Record):
        return ()
    return tuple((name, USUAL.said(text)) for name, text in docstrings_of_fields(kind))


def parts_of(hint: Any) -> Iterator[type[Record]]:
    """The records within a type."""
    if isinstance(hint, type) and issubclass(hint, Record):
        if hint is not records.Command:
            yield hint
        return
    for part in get_args(hint):
        yield from parts_of(part)


def all_parts(kinds: list[type[Record]]) -> list[type[Record]]:
    seen: set[type[Record]] = set()
    waiting = list(kinds)
    while waiting:
        for hint in get_type_hints(waiting.pop()).values():
            found = set(parts_of(hint)) - seen - set(kinds)
            seen |= found
            waiting.extend(found)
    return sorted(seen, key=lambda kind: kind.__name__)


def keys_in_files() -> dict[str, list[str]]:
    """The keys under which files ask for a command, by the command's class."""
    found: dict[str, list[str]] = {}
    formats = {"battle report": battle_report, "post-battle file": post_battle}
    for name, module in formats.items():
        keys = module.EXCHANGES if module is battle_report else module.ENTRIES
        for key in keys:
            (form,) = parts_of_model(annotation_of(module.Entry, key))
            made = getattr(form, "makes", None)
            makes = [made.__name__] if made else re.findall(r"records\.(\w+)\(", inspect.getsource(form))
            for command in dict.fromkeys(makes):
                found.setdefault(command, []).append(f"`{key}` ({name})")
    return found


def parts_of_model(annotation: Any) -> list[Any]:
    return [part for part in get_args(annotation) if part is not type(None)]


def record_part(kind: type[Any], name: str, keys: list[str]) -> Iterator[str]:
    yield f"\n#### {name}\n"
    yield cell(records.about(kind)) + "\n"
    if keys:
        yield f"- In a file: {', '.join(keys)}"
    yield from (f"- Reads: {cell(text)}" for text in sentences(kind))
    yield from fields_of(kind)


def exit_code(kind: type[Refusal]) -> str:
    return "1 or 2" if isinstance(kind.exit_code, property) else str(kind.exit_code)


def refusal_table(kinds: list[type[Refusal]]) -> Iterator[str]:
    yield "\n| Code | Exit | Message |\n|---|---|---|"
    for kind in kinds:
        yield f"| `{code(kind)}` | {exit_code(kind)} | {cell(message(kind))} |"


def page() -> Iterator[str]:
    yield HEADING
    keys = keys_in_files()
    for title, module in chapters().items():
        yield f"\n## {title}\n\n{cell(inspect.getdoc(module) or '')}"
        commands = [kind for kind in declared(module) if issubclass(kind, records.Command)]
        events = [kind for kind in declared(module) if issubclass(kind, records.Event)]
        for heading, kinds in (("commands", commands), ("events", events)):
            if kinds:
                yield f"\n### {title}: {heading}"
            for kind in kinds:
                yield from record_part(kind, records.NAMES[kind], keys.get(kind.__name__, []))
        if refusals := own_refusals(module):
            yield f"\n### {title}: refusals"
            yield from refusal_table(refusals)
    yield "\n## Parts\n\nWhat the fields above are made of."
    for kind in all_parts([*records.COMMANDS.values(), *records.EVENTS.values()]):
        yield f"\n### {kind.__name__}\n\n{cell(records.about(kind))}\n"
        yield from fields_of(kind)
    yield "\n## Other refusals\n\nWhat no chapter of the rules refuses, by the layer that does."
    for layer, refusals in other_refusals().items():
        yield f"\n### Refusals of `{layer}`"
        yield from refusal_table(refusals)


def test_the_page_is_current(golden: Callable[[str, str], None]) -> None:
    golden("../docs/events.md", "\n".join(page()) + "\n")


def test_no_command_no_event_and_no_refusal_is_forgotten() -> None:
    text = "\n".join(page())
    assert [name for name in (*records.COMMANDS, *records.EVENTS) if f"\n#### {name}\n" not in text] == []
    kinds, waiting = set(), [Refusal]
    while waiting:
        below = [one for one in waiting.pop().__subclasses__() if one.__module__.startswith("tracker.")]
        waiting += below
        kinds |= {node for node in below if not is_family(node)}
    assert [kind for kind in kinds if f"| `{code(kind)}` |" not in text] == []
