"""A table's own house rule out of a TOML file: what is read, and what is refused with its line."""

from pathlib import Path

import pytest
from document_examples import example_in

from tracker.documents.house_rule import read_house_rule
from tracker.errors import BadInput
from tracker.rules.rulebook import Policy

EXAMPLE = example_in("house-rule.md")


def read(folder: Path, text: str) -> Policy:
    path = folder / "rule.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_house_rule(str(path))


def refused(folder: Path, text: str) -> str:
    with pytest.raises(BadInput) as refusal:
        read(folder, text)
    return refusal.value.message().replace(f"{folder}/", "")


def changed(old: str, new: str) -> str:
    assert old in EXAMPLE
    return EXAMPLE.replace(old, new)


def test_the_example_in_the_docs_sets_its_knobs(tmp_path: Path) -> None:
    rule = read(tmp_path, EXAMPLE)
    assert (rule.id, rule.title) == ("soft-landings@1", "Soft landings")
    assert rule.source == "Ash Wastes club, spring vote"
    assert rule.patch == {"stray_shots.hits_on": "6", "lasting_injuries.rolls": "once"}


def test_a_knob_may_stand_without_quotes_and_a_number_too(tmp_path: Path) -> None:
    bare = changed('"stray_shots.hits_on" = "6"', "stray_shots.hits_on = 6")
    assert read(tmp_path, bare).patch == {"stray_shots.hits_on": "6", "lasting_injuries.rolls": "once"}
    without = changed('source = "Ash Wastes club, spring vote"\n', "")
    assert read(tmp_path, without).source == "House rule"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("title", "titel", "rule.toml:4:1 titel: unknown key. Did you mean 'title'?"),
        ("version = 1", 'version = "1"', "rule.toml:3:1 version: found '1', expected a whole number"),
        ("version = 1", "version = true", "rule.toml:3:1 version: found true, expected a whole number"),
        ("version = 1", "version = 0.5", "rule.toml:3:1 version: found 0.5, expected a whole number"),
        ("version = 1", "version = 2026-01-01", "rule.toml:3:1 version: found '2026-01-01', expected a whole"),
        ("soft-landings", "Soft Landings", "rule.toml:2:1 id: found 'Soft Landings', expected an id"),
        (
            '"soft-landings"',
            '"one-lasting-injury-roll"',
            "rule.toml:2:1 id: 'one-lasting-injury-roll' is a house rule of the program: give yours another id.",
        ),
        (
            "stray_shots.hits_on",
            "stray_shot.hits_on",
            "no book has the setting 'stray_shot.hits_on'. Did you mean 'stray_shots.hits_on'?",
        ),
        ('"once"', '"twice"', "rule.toml:10:1 patch.lasting_injuries.rolls: found 'twice', expected one of"),
        (
            'format = "house-rule/1"\n',
            "",
            'rule.toml:1:1 the document: the key `format` is missing: begin with `format = "house-rule/1"`.',
        ),
        ("house-rule/1", "armoury/1", "That is an armoury, which `arbitrator gang buy --armoury`"),
        ('"house-rule/1"', "house-rule/1", "rule.toml:1:10: this is not TOML: invalid value."),
    ],
)  # fmt: skip
def test_a_fault_of_a_house_rule_file_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    assert said in refused(tmp_path, changed(old, new))


def test_a_house_rule_that_sets_no_knob_is_refused(tmp_path: Path) -> None:
    head = EXAMPLE.split("[patch]")[0]
    assert "the key 'patch' is missing" in refused(tmp_path, head)
    assert "expected at least 1 of them" in refused(tmp_path, f"{head}[patch]\n")
    assert "expected text" in refused(tmp_path, f"{head}[patch]\nstray_shots.hits_on = [6]\n")


def test_an_unreadable_house_rule_file_is_refused(tmp_path: Path) -> None:
    assert "there is no such file" in refused_file(tmp_path / "none.toml")
    assert "is a folder" in refused_file(tmp_path)
    assert "not TOML" in refused(tmp_path, "x = " + "[" * 20_000)
    assert "not TOML" in refused(tmp_path, '"' * 3)
    (tmp_path / "bytes.toml").write_bytes(b"id = '\xff'")
    assert "not UTF-8" in refused_file(tmp_path / "bytes.toml")


def refused_file(path: Path) -> str:
    with pytest.raises(BadInput) as refusal:
        read_house_rule(str(path))
    return refusal.value.message()
