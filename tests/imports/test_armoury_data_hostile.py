"""Whatever a data file holds: an armoury that can be read back, or one clear refusal in bounded time."""

import copy
import json
import os
import random
from itertools import pairwise
from pathlib import Path
from typing import Any

import armoury_sources as sources
import import_sources
import pytest
from armoury_sources import catalogue, fighter, files, group, link, system, weapon
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tables import every

from tracker.documents import yaml_reader
from tracker.documents.armoury import read_armoury
from tracker.documents.plain_yaml import as_yaml
from tracker.documents.yaml_reader import parse_document
from tracker.errors import BadInput
from tracker.imports import armoury_data, data_choices, data_files
from tracker.imports.armoury_data import ArmouryImport, armoury_of
from tracker.imports.bounds import BYTES_MAX, SourceUnreadable
from tracker.imports.source_files import data_of
from tracker.reports.armoury_import import armoury_comments
from tracker.rules import loader

BOMB = """<?xml version="1.0"?><!DOCTYPE c [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<catalogue id="c" name="&b;"/>"""
OUTSIDE = '<?xml version="1.0"?><!DOCTYPE c [<!ENTITY x SYSTEM "file:///etc/passwd">]><catalogue name="&x;"/>'
LATIN = '<?xml version="1.0" encoding="ISO-8859-1"?><catalogue id="c" name="Größe"/>'.encode("latin-1")


def read_back(came: ArmouryImport) -> None:
    """The file that is written can be read, comments and all."""
    text = armoury_comments(came) + as_yaml(came.armoury)
    characteristics = loader.book(came.book).characteristics
    read_armoury(parse_document(text, file="f"), characteristics=characteristics)


@every(
    ("content", "why"),
    [
        (b"", "none of JSON, XML"),
        (b"a,b\n1,2\n", "no data file of New Recruit or BattleScribe"),
        (b"[1, 2]", "no data file"),
        (b"{}", "no data file"),
        (b'{"catalogue": "x"}', "no data file"),
        (b"<catalogue", "is no XML"),
        (b'{"catalogue": ', "is no JSON"),
        (BOMB.encode(), "declares entities"),
        (OUTSIDE.encode(), "declares entities"),
        (LATIN, "save it as UTF-8"),
        (b"\xff\xfe<", "is no UTF-16"),
        (b"<catalogue>" + b"<a>" * 3000 + b"</a>" * 3000 + b"</catalogue>", "nested deeper"),
        (b'{"catalogue":' + b'{"a":' * 200 + b"1" + b"}" * 201, "nested deeper"),
        (import_sources.zipped(("a.cat", b"x"), ("b.cat", b"y")), "an archive of 2 files"),
        (
            import_sources.zipped(("a.cat", import_sources.zipped(("b.cat", b"y")))),
            "an archive within an archive",
        ),
        (import_sources.zipped(("a.cat", b" " * (BYTES_MAX + 1))), "unpacks to more than 10 MiB"),
        (b"PK\x03\x04 and then nothing", "damaged or protected archive"),
        (
            b'<roster id="r" gameSystemName="Necromunda"><forces/></roster>',
            "which 'arbitrator gang import' reads",
        ),
        (b'<catalogue id="c" battleScribeVersion="1.15b" name="x"/>', "written by BattleScribe 1;"),
    ],
)
def test_what_cannot_be_read_is_refused_with_why(content: bytes, why: str, tmp_path: Path) -> None:
    file = tmp_path / "data.cat"
    file.write_bytes(content)
    with pytest.raises(SourceUnreadable, match=why):
        armoury_of([str(file)])


def test_a_pipe_a_device_a_missing_file_and_one_too_large_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (tmp_path / "large.cat").open("wb") as large:
        large.truncate(200 * 1024 * 1024)
    for name in (tmp_path / "nothing.gst", tmp_path / "pipe", "a\0b", "/dev/zero", tmp_path / "large.cat"):
        with pytest.raises(SourceUnreadable):
            armoury_of([str(name)])
    (tmp_path / "empty").mkdir()
    with pytest.raises(data_files.NoDataFiles):
        armoury_of([str(tmp_path / "empty")])


def test_more_elements_and_files_than_people_share_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = b'<catalogue id="c">' + b"<rules>" + b"<rule/>" * 1_100_000 + b"</rules></catalogue>"
    (tmp_path / "many.cat").write_bytes(many)
    with pytest.raises(SourceUnreadable, match="more than 500000 values"):
        armoury_of([str(tmp_path / "many.cat")])
    monkeypatch.setattr(data_files, "ALL_VALUES_MAX", 20)
    with pytest.raises(SourceUnreadable, match="all files hold more than 20"):
        armoury_of([str(sources.SYSTEM), str(sources.CLANS)])
    monkeypatch.setattr(data_files, "FILES_MAX", 1)
    with pytest.raises(data_files.TooManyDataFiles):
        armoury_of([str(sources.SYSTEM), str(sources.CLANS)])


def test_links_in_circles_end(tmp_path: Path) -> None:
    """An entry that links to itself, two groups that hold each other, catalogues that import each other."""
    one, other = group("One"), group("Other")
    one["entryLinks"], other["entryLinks"] = [link(other), link(one)], [link(one), link(other)]
    selfish = weapon("Selfish gun")
    selfish["entryLinks"] = [link(selfish)]
    hand = fighter("Hand", entryLinks=[link(one), link(selfish)])
    hand["entryLinks"].append(link(hand))
    infos = {"id": "ig", "name": "Round", "hidden": False}
    infos["infoLinks"] = [
        {"id": "il", "name": "Round", "targetId": "ig", "type": "infoGroup", "hidden": False}
    ]
    hand["infoGroups"] = [infos]

    def imports(name: str) -> list[dict[str, Any]]:
        return [{"id": name, "name": name, "targetId": f"c-{name}", "importRootEntries": True}]

    house = catalogue("A", selectionEntries=[hand], sharedSelectionEntries=[selfish],
                      sharedSelectionEntryGroups=[one, other], catalogueLinks=[*imports("B"), *imports("A")])  # fmt: skip
    came = armoury_of(files(tmp_path, system(), house, catalogue("B", catalogueLinks=imports("A"))))
    assert [each["type"] for each in came.armoury["fighters"]] == ["Hand"]
    assert [each["name"] for each in came.armoury["items"]] == ["Selfish gun"]


def test_links_that_double_at_each_step_are_followed_once(tmp_path: Path) -> None:
    """Sixty groups, each with two links to the next: followed in full that would be 2 to the 60 ways."""
    groups = [group(f"Group {at}") for at in range(60)]
    for here, beyond in pairwise(groups):
        here["entryLinks"] = [link(beyond), link(beyond)]
    scrap = weapon("Scrap gun")
    groups[-1]["entryLinks"] = [link(scrap)]
    house = catalogue(selectionEntries=[fighter("Hand", entryLinks=[link(groups[0])])], sharedSelectionEntries=[scrap],
                      sharedSelectionEntryGroups=groups)  # fmt: skip
    came = armoury_of(files(tmp_path, system(), house))
    assert came.armoury["lists"] == [{"house": "Forge Clans", "items": [{"name": "Scrap gun"}]}]


def test_links_through_more_steps_than_the_bound_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_choices, "STEPS_MAX", 3)
    with pytest.raises(data_choices.LinksTooFar, match="more than"):
        armoury_of(
            files(tmp_path, system(), catalogue(selectionEntries=[fighter(name) for name in "ABCDEFG"]))
        )


def test_what_an_armoury_has_no_room_for_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(armoury_data.KEPT_MAX, "fighters", 3)
    hands = [fighter(f"Hand {at}") for at in range(5)]
    came = armoury_of(files(tmp_path, system(), catalogue(selectionEntries=hands)))
    assert [each["type"] for each in came.armoury["fighters"]] == ["Hand 0", "Hand 1", "Hand 2"]
    cut = [found.fact for found in came.findings if "lists 3 fighters at most" in found.why]
    assert cut == ["Hand 3", "Hand 4"]


def test_an_armoury_that_would_be_too_large_says_to_take_one_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_reader, "VALUES_MAX", 300)
    houses = [
        catalogue(name, sharedSelectionEntries=[weapon(f"{name} {at}") for at in range(10)])
        for name in ("Forge Clans", "Tide Wardens")
    ]
    with pytest.raises(armoury_data.ArmouryTooLarge, match="--catalogue 'Forge Clans'"):
        armoury_of(files(tmp_path, system(), *houses))
    came = armoury_of(files(tmp_path, system(), *houses), catalogues=["Tide Wardens"])
    assert len(came.armoury["items"]) == 10


def test_names_cannot_steer_a_terminal_end_a_comment_or_be_paths(tmp_path: Path) -> None:
    evil = "../../\x1b[2J\u202e<b>\r\nitems: []\u2028 &lt;x&gt; " + "e" * 300
    odd = weapon(evil, numbers={"Str": evil})
    came = armoury_of(
        files(
            tmp_path,
            system(),
            catalogue(evil, selectionEntries=[fighter(evil)], sharedSelectionEntries=[odd]),
        )
    )
    read_back(came)
    text = armoury_comments(came) + as_yaml(came.armoury)
    assert all(character.isprintable() or character == "\n" for character in text)
    assert all(line.startswith("#") for line in armoury_comments(came).splitlines())
    for found in came.findings:
        assert (found.fact + found.path + found.why).isprintable()


def test_a_line_of_megabytes_is_one_name_cut_short(tmp_path: Path) -> None:
    came = armoury_of(files(tmp_path, system(), catalogue(selectionEntries=[fighter("x" * 1_000_000)])))
    assert len(came.armoury["fighters"][0]["type"]) <= 80
    read_back(came)


# --- each value changed, cut, doubled, enormous ------------------------------------------------------------

SEEDS = [data_of(file.read_bytes(), "f") for file in (sources.SYSTEM, sources.CLANS)]
INSTEAD: tuple[Any, ...] = (
    None, True, "", "-", "x" * 10_000, 10**30, -1, 1.5, [], {}, [[]], [{}], {"id": "e-nailer"}, "e-nailer", "f-queen",
    "\x00\u202e", "NaN", "１２", "9" * 400,
)  # fmt: skip


def _places(value: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    waiting = [value]
    while waiting:
        here = waiting.pop()
        members = (
            here.items() if isinstance(here, dict) else enumerate(here) if isinstance(here, list) else ()
        )
        for key, member in members:
            found.append((here, key))
            waiting.append(member)
    return found


def _mutilate(source: Any, chance: random.Random) -> None:
    holder, key = chance.choice(_places(source) or [({}, "x")])
    match chance.randrange(4):
        case 0:
            holder[key] = copy.deepcopy(chance.choice(INSTEAD))
        case 1:
            del holder[key]
        case 2:
            if isinstance(holder, list):
                holder.insert(key, copy.deepcopy(holder[key]))
            else:
                holder[f"{key} (again)"] = [copy.deepcopy(holder[key])]
        case _:
            holder[key] = copy.deepcopy(chance.choice(_places(source))[0])


def _imported_or_refused(folder: Path, *mutilated: Any) -> None:
    """The import reads its armoury back itself: a refusal that names it would be the import's own fault."""
    try:
        came = armoury_of(files(folder, *mutilated))
    except BadInput as refusal:
        if "the armoury:" in refusal.message():
            raise AssertionError(refusal.message()) from refusal
        return
    parse_document(armoury_comments(came) + "format: armoury/1", file="f")


@pytest.mark.slow
@settings(
    max_examples=settings.default.max_examples, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.randoms(use_true_random=False))
def test_whatever_stands_in_place_of_a_value_is_imported_or_refused(
    tmp_path: Path, chance: random.Random
) -> None:
    mutilated = copy.deepcopy(SEEDS)
    for _ in range(chance.randint(1, 4)):
        _mutilate(chance.choice(mutilated), chance)
    _imported_or_refused(tmp_path, *mutilated)


@settings(
    max_examples=settings.default.max_examples, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.randoms(use_true_random=False))
def test_mutilated_bytes_are_imported_or_refused(tmp_path: Path, chance: random.Random) -> None:
    content = bytearray(sources.CLANS.read_bytes())
    for _ in range(chance.randint(1, 8)):
        place = chance.randrange(len(content))
        match chance.randrange(3):
            case 0:
                content[place] = chance.randrange(256)
            case 1:
                del content[place : place + chance.randrange(40)]
            case _:
                content[place:place] = bytes(chance.randrange(256) for _ in range(chance.randrange(6)))
    _imported_or_refused(tmp_path, sources.SYSTEM.read_bytes(), bytes(content))


@pytest.mark.slow
def test_every_value_of_a_catalogue_changed_cut_and_doubled_is_imported_or_refused(tmp_path: Path) -> None:
    """Each value in its turn; what becomes of it goes round."""
    count = len(_places(SEEDS[1]))
    for at in range(count):
        given_files = copy.deepcopy(SEEDS)
        holder, key = _places(given_files[1])[at]
        if at % 3 == 0:
            holder[key] = copy.deepcopy(INSTEAD[at // 3 % len(INSTEAD)])
        elif at % 3 == 1:
            del holder[key]
        elif isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        else:
            holder[f"{key} (again)"] = [copy.deepcopy(holder[key])]
        _imported_or_refused(tmp_path, *given_files)


def test_json_numbers_beyond_any_text_are_refused(tmp_path: Path) -> None:
    text = json.dumps(catalogue(selectionEntries=[fighter("Hand")])).replace(
        '"revision": 1', '"revision": 1e999'
    )
    (tmp_path / "a.json").write_text(text)
    assert armoury_of([str(tmp_path / "a.json")]).armoury["fighters"]
