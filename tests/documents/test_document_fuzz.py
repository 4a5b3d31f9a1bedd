"""Whatever a file holds, it becomes a command or a refusal that can be printed."""

from collections.abc import Callable

import pytest
from document_examples import GANG_SHEETS, example_in, gang_of, plan_of
from hypothesis import given
from hypothesis import strategies as st

from tracker.errors import BadInput

READERS: list[Callable[[str | bytes], object]] = [plan_of, gang_of]
SAMPLES = [
    example_in("battle-report.md"),
    example_in("gang-sheet.md"),
    GANG_SHEETS[-1].read_text(encoding="utf-8"),
]

YAML_MARKS = st.sampled_from(
    ["[", "]", "{", "}", ": ", "- ", "? ", "\n", "\n  ", "'", '"', "#", "&a", "*a", "!", "!!int ", "|", ">", "%", "---\n",
     "...", "~", "\\", "\\u202e", "<<", ".nan", "1e9", "99999999999", "-0", "0x", "true", "\t", "\x00", "\u202e", "\ud800",
     "format: ", "battle-report/1", "gang-sheet/1", "entries", "dice", "gangs", "fighters", ",", "é", "\U0001f480"]
)  # fmt: skip


def answer(text: str | bytes) -> None:
    for read in READERS:
        try:
            read(text)
        except BadInput as refusal:
            message = refusal.message()
            assert all(line.isprintable() for line in message.split("\n"))
            assert len(message) < 4_000
            assert "pydantic" not in message


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    answer(text)


@given(st.binary())
def test_any_bytes_are_read_or_refused(content: bytes) -> None:
    answer(content)


@given(st.lists(YAML_MARKS, max_size=40).map("".join))
def test_any_heap_of_yaml_is_read_or_refused(text: str) -> None:
    answer(text)


@pytest.mark.parametrize("sample", SAMPLES, ids=["report", "sheet", "sample gang"])
@given(data=st.data())
def test_any_change_to_a_good_document_is_read_or_refused(sample: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(sample)))
    end = data.draw(st.integers(start, min(len(sample), start + 30)))
    put_in = data.draw(
        st.one_of(YAML_MARKS, st.text(max_size=10), st.lists(YAML_MARKS, max_size=4).map("".join))
    )
    answer(sample[:start] + put_in + sample[end:])


VALUES = st.recursive(
    st.one_of(
        st.none(),
        st.booleans(),
        st.integers(),
        st.floats(allow_nan=False, allow_infinity=False).map(str),
        st.sampled_from(['"krug"', '"all"', '"battle-report/1"', '"gang-sheet/1"', '"4-6"', '"2025-03-14"', '""']),
    ).map(lambda value: {None: "null", True: "true", False: "false"}.get(value, str(value))),  # type: ignore[call-overload]
    lambda inner: st.one_of(
        st.lists(inner, max_size=4).map(lambda members: f"[{', '.join(members)}]"),
        st.dictionaries(
            st.sampled_from(
                ["format", "battle", "gangs", "entries", "result", "winner", "draw", "hit", "weapon", "target", "dice", "wound",
                 "injury", "lasting_injury", "fighters", "name", "characteristics", "weapons", "profiles", "S", "M", "x"]
            ),
            inner,
            max_size=6,
        ).map(lambda members: "{" + ", ".join(f'"{key}": {value}' for key, value in members.items()) + "}"),
    ),
    max_leaves=25,
)  # fmt: skip


@given(
    value=VALUES, key=st.sampled_from(["gangs", "entries", "result", "wrap_up", "fighters", "name", "date"])
)
def test_any_value_under_any_key_is_read_or_refused(value: str, key: str) -> None:
    for kind in ("battle-report", "gang-sheet"):
        answer(f'{{"format": "{kind}/1", "battle": "b", "{key}": {value}}}' if key != "battle" else value)
