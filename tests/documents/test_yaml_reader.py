"""What can be read at all: files, bytes, YAML and its limits."""

import contextlib
import io
import os
import threading
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from tables import every

from tracker.documents import refusals
from tracker.documents.nodes import Place
from tracker.documents.yaml_reader import BYTES_MAX, LEVELS_MAX, VALUES_MAX, parse_document, read_document
from tracker.errors import BadInput


def plain(text: str | bytes) -> Any:
    return parse_document(text, file="f.yaml").root.plain()


def refused(text: str | bytes, kind: type[BadInput]) -> Any:
    with pytest.raises(kind) as raised:
        parse_document(text, file="f.yaml")
    assert raised.value.exit_code == 2
    assert raised.value.message().startswith("f.yaml")
    return raised.value


# --- what is read ----------------------------------------------------------------------------------------


def test_scalars_follow_the_yaml_1_2_core_schema() -> None:
    assert plain("[NO, yes, on, 12:30, 4-6, 2025-03-14, 0o17, 0x1F, 010, +1, -1, 5.20, null, ~, true, FALSE]") == [
        "NO", "yes", "on", "12:30", "4-6", "2025-03-14", 15, 31, 10, 1, -1, Decimal("5.20"), None, None, True, False,
    ]  # fmt: skip


def test_what_is_quoted_is_text() -> None:
    assert plain("['5', \"true\", \"null\", '-']") == ["5", "true", "null", "-"]


def test_inches_and_plus_signs_need_no_quotes() -> None:
    assert plain('{M: 5", WS: 4+}') == {"M": '5"', "WS": "4+"}


def test_json_is_read_as_it_is() -> None:
    text = '{\n\t"a": [1, 2.5, null, true],\n\t"b": {"c": "x\\/y \\ud83d\\ude00"}\n}\n'
    assert plain(text) == {"a": [1, Decimal("2.5"), None, True], "b": {"c": "x/y 😀"}}


def test_windows_line_ends_and_a_byte_order_mark_are_read() -> None:
    assert plain(b"\xef\xbb\xbfa: 1\r\nb: 2\r\n") == {"a": 1, "b": 2}


def test_every_value_and_key_keeps_its_line_and_column() -> None:
    document = parse_document("a: 1\nb:\n  - x\n  - c: 2\n", file="f.yaml")
    assert document.place_of(("b", 1, "c")) == Place(4, 8)
    assert document.place_of_key(("b", 1), "c") == Place(4, 5)
    assert document.place_of(("b", 1, "nothing there")) == Place(4, 5)


def test_a_file_and_standard_input_are_read_alike(tmp_path: Path) -> None:
    file = tmp_path / "report.yaml"
    file.write_text("a: 1\n", encoding="utf-8")
    from_input = read_document("-", stdin=io.BytesIO(b"a: 1\n"))
    assert read_document(file).root == from_input.root
    assert from_input.file == "standard input"


# --- files that are refused ------------------------------------------------------------------------------


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(refusals.FileMissing, match="there is no such file"):
        read_document(tmp_path / "none.yaml")


@every("name", ["with\0nul.yaml", "half\ud800.yaml"])
def test_a_name_that_can_name_no_file_is_refused(name: str) -> None:
    with pytest.raises(refusals.FileMissing):
        read_document(name)


def test_a_name_too_long_for_the_system_is_refused() -> None:
    with pytest.raises(refusals.FileNotReadable):
        read_document("x" * 5000)


def test_a_folder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(refusals.FileIsFolder, match="is a folder"):
        read_document(tmp_path)


def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "locked.yaml"
    file.write_text("a: 1\n", encoding="utf-8")

    def locked(*_: object, **__: object) -> None:  # the tests may run as root, whom no mode stops
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", locked)
    with pytest.raises(refusals.FileNotReadable, match="permission denied"):
        read_document(file)


def test_a_hundred_megabyte_file_is_refused_unread(tmp_path: Path) -> None:
    file = tmp_path / "sparse.yaml"
    with file.open("wb") as stream:
        stream.truncate(100 * 1024 * 1024)
    began = time.process_time()
    with pytest.raises(refusals.FileTooLarge):
        read_document(file)
    assert time.process_time() - began < 0.5


class Endless(io.RawIOBase):
    """A stream that counts what was taken from it and never ends."""

    taken = 0

    def read(self, size: int = -1) -> bytes:
        assert size > 0, "an endless stream was to be read whole"
        self.taken += size
        return b"#" * size


def test_standard_input_is_read_no_further_than_the_limit() -> None:
    endless = Endless()
    with pytest.raises(refusals.FileTooLarge, match="standard input"):
        read_document("-", stdin=endless)  # type: ignore[arg-type]
    assert endless.taken == BYTES_MAX + 1


def test_a_pipe_is_read_no_further_than_the_limit(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)

    def fill() -> None:
        with pipe.open("wb", buffering=0) as stream:
            try:
                while True:
                    stream.write(b"#" * 65536)
            except BrokenPipeError:
                return

    writer = threading.Thread(target=fill, daemon=True)
    writer.start()
    with pytest.raises(refusals.FileTooLarge):
        read_document(pipe)
    writer.join(timeout=10)
    assert not writer.is_alive()


@every("text", ["", "\n\n", "# only a comment\n", "---\n", "---\n...\n", "null", "\ufeff"])
def test_an_empty_document_is_refused(text: str) -> None:
    refused(text, refusals.DocumentEmpty)


# --- text that is refused --------------------------------------------------------------------------------


def test_bytes_that_are_not_utf_8_are_refused_with_their_place() -> None:
    assert refused(b"a: 1\nname: Gr" + b"\xfcn", refusals.NotUtf8).place == Place(2, 9)


def test_utf_16_is_refused() -> None:
    refused("a: 1\n".encode("utf-16"), refusals.NotUtf8)


@every(
    "character",
    [
        "\x00",
        "\x07",
        "\x1b",
        "\x7f",
        "\x85",
        "\u2028",
        "\u202a",
        "\u202e",
        "\u2066",
        "\u2069",
        "\u200f",
        "\u061c",
    ],
)
def test_control_and_direction_characters_are_refused_anywhere(character: str) -> None:
    refusal = refused(f"a: 1\n# x{character}y\n", refusals.CharacterRefused)
    assert (refusal.place, refusal.codepoint) == (Place(2, 4), ord(character))


def test_half_a_surrogate_pair_is_refused() -> None:
    refused('{"a": "x\\ud83d"}', refusals.CharacterRefused)


@every(
    "text",
    [
        "a: -\n",
        "a: b: c",
        "{a: 1",
        "[1, 2",
        "a: 'open",
        "\ta: 1",
        "a: @x",
        "a: `x",
        "a: 1\n b: 2",
        "a: |2147483647\n x",
        '"\\UFFFFFFFF"',
        '"\\xZZ"',
        "]",
    ],
)
def test_what_is_not_yaml_is_refused_with_a_line(text: str) -> None:
    refusal = refused(text, refusals.SyntaxWrong)
    assert refusal.place.line >= 1
    assert "Traceback" not in refusal.message()


def test_a_syntax_error_says_where_and_what_to_look_for() -> None:
    refusal = refused("a: 1\nAP: -\n", refusals.SyntaxWrong)
    assert refusal.message() == (
        "f.yaml:2:5: this is not YAML: sequence entries are not allowed here. Look at this line and the one"
        ' above for a missing colon, quote, bracket or indent; a lone dash is written "-", in quotes.'
    )


@every("text", ["a: &x 1", "a: &x {b: 1}", "a: &x [1]", "a: *x", "&x a: 1", "? *x\n: 1"])
def test_anchors_and_aliases_are_refused(text: str) -> None:
    refused(text, refusals.AnchorRefused)


def test_a_billion_laughs_are_refused_at_the_first() -> None:
    laughs = ["a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    laughs += [
        f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]"
        for before, name in zip("abcdefgh", "bcdefghi", strict=True)
    ]
    assert refused("\n".join(laughs), refusals.AnchorRefused).place == Place(1, 4)


@every("text", ["a: !!str 1", "a: !x y", "!!map {a: 1}", "a: ! 1", "a: !!python/object:os.system {}"])
def test_tags_are_refused(text: str) -> None:
    refused(text, refusals.TagRefused)


@every("text", ["%YAML 1.1\n---\na: NO\n", "# x\n%TAG !e! tag:e,2000:\n---\na: 1\n"])
def test_directives_are_refused(text: str) -> None:
    refusal = refused(text, refusals.DirectiveRefused)
    assert text.splitlines()[refusal.place.line - 1].startswith("%")


def test_an_endless_version_number_is_refused() -> None:
    refused("%YAML " + "9" * 1999 + ".1\n---\na: 1\n", BadInput)


@every("text", ["a: 1\nb: 2\na: 3\n", '{"a": 1, "b": 2, "a": 3}', "a: 1\nb: 2\n'a': 3"])
def test_a_repeated_key_is_refused_with_both_places(text: str) -> None:
    refusal = refused(text, refusals.KeyRepeated)
    assert refusal.key == "a"
    assert refusal.first.line == 1
    assert "is repeated" in refusal.message()


@every("text", ["1: a", "true: a", "~: a", "? [a, b]\n: c", "? {a: b}\n: c", "1.5: a", ": a"])
def test_a_key_that_is_not_text_is_refused(text: str) -> None:
    refused(text, refusals.KeyNotText)


@every("text", ["a: 1\n---\nb: 2\n", "a: 1\n---\n", "a: 1\n...\nb: 2\n"])
def test_a_second_document_is_refused(text: str) -> None:
    refused(text, BadInput)


@every("number", [".nan", ".inf", "-.Inf", "1e5", "1.5E-3", "1e999999999", "9" * 16, "-" + "9" * 1000])
def test_numbers_beyond_any_card_are_refused(number: str) -> None:
    refused(f"a: {number}", refusals.NumberRefused)


# --- limits ----------------------------------------------------------------------------------------------


def test_twenty_levels_are_read_and_not_one_more() -> None:
    assert plain("[" * LEVELS_MAX + "]" * LEVELS_MAX) is not None
    refused("[" * (LEVELS_MAX + 1) + "]" * (LEVELS_MAX + 1), refusals.NestedTooDeep)


@every(
    "text",
    [
        "[" * 10_000 + "]" * 10_000,
        "{a: " * 10_000 + "1" + "}" * 10_000,
        '{"a": ' * 10_000 + "1" + "}" * 10_000,
        "- " * 10_000 + "x",
        "? " * 10_000 + "x",
        "\n".join(" " * level + "a:" for level in range(1_400)),
    ],
    ids=["flow lists", "flow maps", "JSON", "block lists", "block keys", "block maps"],
)
def test_ten_thousand_levels_are_refused_without_recursing(text: str) -> None:
    refused(text, refusals.NestedTooDeep)


def test_a_text_of_more_than_two_thousand_characters_is_refused() -> None:
    refused("a: '" + "x " * 1_001 + "'", refusals.TextTooLong)


def test_more_values_than_any_report_holds_are_refused() -> None:
    refused("[" + "1," * (VALUES_MAX + 1) + "]", refusals.TooManyValues)


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "!" * BYTES_MAX,
        "'" * BYTES_MAX,
        "\n" * BYTES_MAX,
        "a\n" * (BYTES_MAX // 2),
        '"' + "\\\n" * (BYTES_MAX // 2 - 1),
        "%a\n" * (BYTES_MAX // 3),
        "[" + "[]," * (BYTES_MAX // 3 - 1),
        "a: |\n" + "\n" * (BYTES_MAX - 6),
        "".join(f"k{number}: 1\n" for number in range(90_000)),
        "[" + ('"' + "a" * 1_990 + '",') * 520 + "]",
        "# " + ("a" * 2_000 + " ") * 520,
        "fighters:\n" + f"- {{{', '.join(f'k{number}: 1' for number in range(24))}}}\n" * 4_000,
    ],
    ids=[
        *("tags", "quotes", "lines", "words", "escapes", "directives", "lists", "block", "keys"),
        *("long texts", "long words", "fighters"),
    ],
)
def test_a_mebibyte_of_anything_is_read_or_refused_within_seconds(text: str) -> None:
    began = time.process_time()
    with contextlib.suppress(BadInput):
        parse_document(text, file="f.yaml")
    # Processor time, so that a busy machine is no wrong answer; one second on a quiet one, and three where other
    # programs share it.
    assert time.process_time() - began < 10
