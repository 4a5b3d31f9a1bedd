"""Every value of a source is in the sheet, or in the report by its name and its place. None is silently lost."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from typing import Any

import import_sources as sources
import necromunda_roster as necromunda
import pytest
import rich_sources as rich
from tables import every

from tracker.documents.nodes import Path, path_in_words
from tracker.errors import BadInput
from tracker.imports import trench_companion
from tracker.imports.answers import Answers
from tracker.imports.findings import Finding
from tracker.imports.importing import ImportResult, imported_data
from tracker.imports.source_files import data_of

SOURCES: dict[str, bytes] = {
    "yaktribe, raw": json.dumps(rich.GANG).encode(),
    "yaktribe, rewritten": json.dumps(rich.GANG["gang"], indent=1).encode(),
    "new recruit": json.dumps(rich.ROSTER).encode(),
    "battlescribe .ros": rich.XML.encode(),
    "battlescribe .rosz": sources.zipped(("mud.ros", rich.XML.encode())),
    "necromunda .ros": necromunda.XML.encode(),
    "trench companion": json.dumps(rich.EXPORT).encode(),
    "trench companion, shared": json.dumps(rich.SHARE).encode(),
    "csv": rich.TABLE.encode(),
    "xlsx": rich.workbook(),
}
ZIPPED = "battlescribe .rosz"
each_source = pytest.mark.parametrize("source", SOURCES)
SAID = Answers(player="Kim", injuries_counted=True)


def data_in(source: str) -> Any:
    data = data_of(SOURCES[source], source)
    return trench_companion.opened(data) if trench_companion.is_trench_companion(data) else data


def held(holder: Any, path: Path = ()) -> Iterator[tuple[Path, Any, Any]]:
    """Every value that says something: its path, and the map or list that holds it, with its key there."""
    members = holder.items() if isinstance(holder, dict) else enumerate(holder)
    for key, value in list(members):
        if isinstance(value, dict | list):
            yield from held(value, (*path, key))
        elif value is not None and str(value).strip():
            yield (*path, key), holder, key


def leaves(data: Any) -> Iterator[tuple[str, Any]]:
    """Every value that says something, by its place as people point at it."""
    return ((path_in_words(path), holder[key]) for path, holder, key in held(data))


def plain(text: object) -> str:
    """Letters and digits only: a sheet writes '+2 Dice' as '+2 DICE', and 'Hobbled' as hobbled."""
    return re.sub(r"\W+|_|dice", "", str(text).casefold())


def kept_in(came: ImportResult) -> set[str]:
    return {plain(value) for _, value in leaves(came.sheet)}


def by_place(came: ImportResult) -> dict[str, list[Finding]]:
    found: dict[str, list[Finding]] = {}
    for finding in came.findings:
        found.setdefault(finding.path, []).append(finding)
    return found


@each_source
def test_every_value_has_a_finding_at_its_own_place(source: str) -> None:
    data = data_in(source)
    said = by_place(imported_data(copy.deepcopy(data), source, SAID))
    assert [(place, value) for place, value in leaves(data) if place not in said] == []


@each_source
def test_what_is_called_taken_is_in_the_sheet_or_its_finding_says_how(source: str) -> None:
    came = imported_data(data_in(source), source, SAID)
    kept = kept_in(came)
    silent = [
        finding
        for found in by_place(came).values()
        for finding in found
        if all(claim.fate == "taken" and not claim.why for claim in found)
        and not {plain(finding.fact), *map(plain, finding.fact.split(";"))} & kept
    ]
    assert silent == []


@each_source
def test_what_is_lost_or_unknown_says_so_in_its_own_words(source: str) -> None:
    data = data_in(source)
    values = dict(leaves(data))
    for finding in imported_data(copy.deepcopy(data), source, SAID).findings:
        if finding.fate in ("lost", "unknown") and finding.path in values:
            start = plain(str(values[finding.path]).partition("\x1b")[0])[:20]
            assert plain(finding.fact).startswith(start) or "&" in str(values[finding.path])


def test_a_zipped_roster_holds_what_the_roster_holds() -> None:
    assert data_in(ZIPPED) == data_in("battlescribe .ros")


def test_what_yaktribe_sends_is_what_it_sends_rewritten() -> None:
    assert data_in("yaktribe, raw") == {"gang": data_in("yaktribe, rewritten")}


def some_of_each_kind(places: list[tuple[Path, Any, Any]]) -> list[tuple[Path, Any, Any]]:
    """Of the values that stand at the same place in other lists the first and the last."""
    kinds: dict[Path, list[tuple[Path, Any, Any]]] = {}
    for place in places:
        kinds.setdefault(tuple("*" if isinstance(step, int) else step for step in place[0]), []).append(place)
    return [alike[at] for alike in kinds.values() for at in {0, len(alike) - 1}]


@pytest.mark.parametrize("chosen", [some_of_each_kind, pytest.param(list, marks=pytest.mark.slow)])
@every("source", [source for source in SOURCES if source not in ("yaktribe, raw", ZIPPED)])
def test_any_value_that_is_changed_changes_the_sheet_or_the_report(
    source: str, chosen: Callable[[list[tuple[Path, Any, Any]]], list[tuple[Path, Any, Any]]]
) -> None:
    """Whatever stands in a source is looked at: nothing is read past."""
    data = data_in(source)
    before = imported_data(copy.deepcopy(data), source, SAID)
    untouched = copy.deepcopy(data)
    unseen = []
    for path, holder, key in chosen([*held(data)]):
        value, holder[key] = holder[key], "Zorbl"
        try:
            after = imported_data(data, source, SAID)
            if (after.sheet, after.findings) == (before.sheet, before.findings):
                unseen.append(path_in_words(path))
        except BadInput:  # of another game, or of no gang at all
            pass
        holder[key] = value
    assert unseen == []
    assert data == untouched, "what is imported is not changed"


@each_source
def test_no_rules_text_is_kept(source: str) -> None:
    came = imported_data(data_in(source), source, SAID)
    assert "never kept" not in json.dumps([came.sheet, came.armoury])
