"""Whatever a file holds: a sheet, or one clear refusal in bounded time, and nothing written."""

import copy
import json
import os
import random
from contextlib import suppress
from pathlib import Path
from typing import Any

import import_sources as sources
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from necromunda_roster import ROSTER
from tables import every

from tracker.documents.plain_yaml import as_yaml
from tracker.errors import BadInput
from tracker.imports.answers import Answers
from tracker.imports.bounds import BYTES_MAX, SourceUnreadable
from tracker.imports.importing import imported, imported_data
from tracker.imports.source_files import data_of, read_source

ENTITIES = """<?xml version="1.0"?><!DOCTYPE r [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<roster name="&b;"/>"""
OUTSIDE = '<?xml version="1.0"?><!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><roster name="&x;"/>'


@every(
    ("content", "why"),
    [
        (b"", "none of JSON, XML, CSV"),
        (b"\x00\x01\x02", "none of JSON, XML, CSV"),
        (b"just a word", "none of JSON, XML, CSV"),
        (b"\xff\xfea", "is no UTF-16"),
        ("Größe,a\n".encode("latin-1"), "save it as UTF-8"),
        (b'{"a": ', "is no JSON"),
        (b'{"a": NaN}', "a number is none"),
        (b'{"a": ' + b"9" * 5000 + b"}", "a number is none"),
        (b"[" * 100_000, "nested"),
        (b'{"a":' * 200 + b"1" + b"}" * 200, "nested deeper"),
        (b"<roster", "is no XML"),
        (ENTITIES.encode(), "declares entities"),
        (OUTSIDE.encode(), "declares entities"),
        (b"<a>" * 3000 + b"</a>" * 3000, "nested deeper"),
        (sources.zipped(("a.ros", b"x"), ("b.ros", b"y")), "an archive of 2 files"),
        (sources.zipped(), "none of JSON, XML, CSV"),
        (sources.zipped(("a.ros", sources.zipped(("b.ros", b"y")))), "an archive within an archive"),
        (sources.zipped(("../../etc/passwd", b"x" * (BYTES_MAX + 1))), "unpacks to more than 10 MiB"),
        (b"PK\x03\x04 and then nothing", "damaged or protected archive"),
        (("a,b\n" + "1,2\n" * 2000).encode(), "more than 1000 rows"),
        (b'a,b\n"1,2\n', "no CSV"),
    ],
)
def test_what_cannot_be_read_is_refused_with_why(content: bytes, why: str) -> None:
    with pytest.raises(SourceUnreadable, match=why):
        data_of(content, "file")


def test_a_damaged_archive_of_every_length_is_refused() -> None:
    whole = sources.zipped(("a.ros", sources.ROSTER_XML.encode()))
    for length in range(4, len(whole) - 1):
        with pytest.raises(SourceUnreadable):
            data_of(whole[:length], "file")


def test_flipped_bytes_of_an_archive_give_a_refusal_or_what_was_in_it() -> None:
    whole = sources.zipped(("a.ros", sources.ROSTER_XML.encode()))
    for place in range(len(whole)):
        flipped = whole[:place] + bytes([whole[place] ^ 0x20]) + whole[place + 1 :]
        with suppress(BadInput):
            data_of(flipped, "file")


def test_a_pipe_a_folder_and_a_file_too_large_are_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "large").write_bytes(b"x" * (BYTES_MAX + 1))
    for name in (tmp_path / "nothing", tmp_path, tmp_path / "pipe", "a\0b", "/dev/zero", tmp_path / "large"):
        with pytest.raises(SourceUnreadable):
            read_source(str(name))


def test_a_line_of_ten_megabytes_is_one_name_cut_short() -> None:
    came = imported_data(sources.yaktribe(gang_name="x" * 9_000_000), "f", Answers(player="Kim"))
    assert len(came.sheet["name"]) <= 80


def lines_of(count: int, **more: Any) -> dict[str, Any]:
    """A roster whose lines each claim a million models with a million things."""
    club = {"name": "Club", "type": "upgrade", "number": 999_998}
    model = {"name": "Clone", "type": "model", "number": 999_999, "selections": [club]}
    return sources.roster(*[model] * count, **more)


def test_a_million_of_a_kind_are_as_many_as_a_sheet_holds_and_the_others_are_counted() -> None:
    came = imported_data(lines_of(300), "f", Answers(player="Kim"))
    assert len(came.sheet["fighters"]) == 100
    assert len(came.findings) < 10_000
    lost = [finding.fact for finding in came.findings if finding.fate == "lost"]
    assert "999899 more: Clone" in lost
    assert any("more: Club" in fact for fact in lost)


def test_thousands_of_one_name_are_cut_to_a_sheet_and_each_is_named() -> None:
    many = sources.yaktribe(*[sources.ganger("Mik")] * 1000)
    came = imported_data(many, "f", Answers(player="Kim"))
    assert len(came.sheet["fighters"]) == 100
    assert sum(finding.fate == "lost" and finding.fact == "Mik" for finding in came.findings) >= 1


def test_what_a_key_or_a_tag_says_again_is_not_lost() -> None:
    assert data_of(b'{"a": 1, "a": 2, "a": 3}', "f") == {"a": 1, "a (again)": [2, 3]}
    twice = b'<r name="x"><name>y</name><note>one</note><note>two</note>tail</r>'
    assert data_of(twice, "f") == {
        "r": {"name": "x", "$text": "tail", "name (again)": ["y"], "note": "one", "note (again)": ["two"]}
    }


@every(
    "content",
    [
        b"[" + b"1," * 300_000 + b"1]",
        b'{"gang_name":"x","gangers":[' + b"{}," * 300_000 + b"{}]}",
        b"<roster>" + b"<a/>" * 300_000 + b"</roster>",
        b"<roster " + b" ".join(b'a%d="1"' % number for number in range(150_000)) + b"/>",
    ],
)
def test_more_values_than_any_roster_has_are_refused(content: bytes) -> None:
    with pytest.raises(SourceUnreadable, match="more than 100000"):
        data_of(content, "f")


def test_the_encoding_that_counts_is_the_one_that_the_bytes_have() -> None:
    words = '<?xml version="1.0" encoding="UTF-16"?><roster name="Grün"/>'
    assert data_of(words.encode("utf-16"), "f") == {"roster": {"name": "Grün"}}
    assert data_of(words.encode("utf-8"), "f") == {"roster": {"name": "Grün"}}


def test_names_cannot_steer_a_terminal_or_be_paths() -> None:
    evil = "../../\x1b[2J\u202e<script>\r\n"
    came = imported_data(sources.yaktribe(sources.ganger(evil), gang_name=evil), "f", Answers(player="Kim"))
    assert all(character.isprintable() or character == "\n" for character in as_yaml(came.sheet))
    assert came.sheet["gang"].replace("-", "").isalnum()
    for finding in came.findings:
        assert finding.fact.isprintable()
        assert finding.path.isprintable()


SEEDS = [
    json.dumps(sources.yaktribe(sources.ganger(injuries=["Hobbled"]))).encode(),
    json.dumps(sources.roster()).encode(),
    sources.ROSTER_XML.encode(),
    json.dumps(sources.EXPORT).encode(),
    json.dumps(sources.SHARE).encode(),
    sources.TABLE.encode(),
]
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)


def _places(value: Any) -> list[tuple[Any, Any]]:
    found: list[tuple[Any, Any]] = []
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for key, member in members:
        found.append((value, key))
        found += _places(member)
    return found


@settings(max_examples=3 * settings.default.max_examples)
@given(st.data())
def test_whatever_stands_in_place_of_a_value_is_imported_or_refused(data: st.DataObject) -> None:
    source = copy.deepcopy(data_of(data.draw(st.sampled_from(SEEDS)), "f"))
    for _ in range(data.draw(st.integers(1, 3))):
        holder, key = data.draw(st.sampled_from(_places(source)))
        holder[key] = data.draw(anything)
    try:
        came = imported_data(source, "f", Answers(player="Kim"))
    except BadInput:
        return
    as_yaml(came.sheet)


@settings(max_examples=2 * settings.default.max_examples)
@given(st.sampled_from(SEEDS), st.randoms(use_true_random=False))
def test_mutilated_bytes_are_imported_or_refused(seed: bytes, chance: random.Random) -> None:
    content = bytearray(seed)
    for _ in range(chance.randint(1, 8)):
        place = chance.randrange(len(content))
        match chance.randrange(3):
            case 0:
                content[place] = chance.randrange(256)
            case 1:
                del content[place : place + chance.randrange(20)]
            case _:
                content[place:place] = bytes(chance.randrange(256) for _ in range(chance.randrange(6)))
        content = content or bytearray(b"{")
    with suppress(BadInput):
        imported_data(data_of(bytes(content), "f"), "f", Answers(player="Kim"))


INSTEAD: tuple[Any, ...] = (
    None, True, "", "-", "x" * 10_000, 10**30, -1, 1.5, [], {}, [[]], [{}], ["a"], {"a": 1}, "\x00\u202e", "NaN", "1e400",
    "9" * 400, 1e308, -0.0, "²", "٣", 2**63,
)  # fmt: skip


@pytest.mark.slow
def test_every_value_of_an_export_changed_cut_and_doubled_is_imported_or_refused() -> None:
    """Each value in its turn; what becomes of it goes round."""
    for seed in (*SEEDS, json.dumps(ROSTER).encode()):
        for at in range(len(_places(data_of(seed, "f")))):
            source = data_of(seed, "f")
            holder, key = _places(source)[at]
            if at % 4 < 2:
                holder[key] = copy.deepcopy(INSTEAD[at // 2 % len(INSTEAD)])
            elif at % 4 == 2:
                del holder[key]
            elif isinstance(holder, list):
                holder.insert(key, copy.deepcopy(holder[key]))
            else:
                holder[f"{key} (again)"] = [copy.deepcopy(holder[key])]
            with suppress(BadInput):
                imported_data(source, "f", Answers(player="Kim"))


def test_a_file_that_is_not_there_is_a_refusal_of_the_import(tmp_path: Path) -> None:
    with pytest.raises(SourceUnreadable):
        imported(str(tmp_path / "nothing.json"), Answers())
