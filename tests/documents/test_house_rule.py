"""A table's own house rule out of a TOML file: what is read, and what is refused with its line."""

from pathlib import Path

import pytest
from document_examples import ROOT, example_in

from tracker.documents.house_rule import read_house_rule
from tracker.errors import BadInput
from tracker.rules import loader
from tracker.rules.own_rows import split, unheeded, with_purposes
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


def test_a_house_rule_that_changes_nothing_is_refused(tmp_path: Path) -> None:
    head = EXAMPLE.split("[patch]")[0]
    assert "it changes nothing: write a `patch`, a `trait` or a `skill`." in refused(tmp_path, head)
    assert "it changes nothing" in refused(tmp_path, f"{head}[patch]\n")
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


SKILL = """\
format = "house-rule/1"
id = "finesse"
version = 1
title = "Finesse"
about = "A skill and a trait."

[[skill]]
name = "Second Breath"
effect = [
    { when = "wounded", bearer = "target", roll = { needs = 5 }, then = { kind = "no_further_effect" } },
    { when = "damage", bearer = "target", then = { kind = "changes_damage", by = -1 } },
]

[[trait]]
name = "Barbed"

[[trait.effect]]
when = "damage"
if = ["natural_6_to_wound"]

[trait.effect.then]
kind = "changes_damage"
by = 1
"""


def test_traits_and_skills_of_a_house_rule_become_rows_of_its_patch(tmp_path: Path) -> None:
    rule = read(tmp_path, SKILL)
    assert list(rule.patch) == ["trait.barbed", "skill.second_breath"]
    _, rows = split(rule.patch)
    assert [own.row.name for own in rows] == ["Barbed", "Second Breath"]
    assert [len(own.row.effects) for own in rows] == [1, 2]
    roll = rows[1].row.effects[0].roll
    assert roll is not None
    assert (roll.purpose, roll.needs) == ("own_rule", 5)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"wounded"', '"wonded"', "rule.toml:10:5 skill[1].effect[1].when: 'wonded' is not known (did you mean 'wounded'?)."),
        ("by = -1", "bye = -1", "rule.toml:11:5 skill[1].effect[2].then: has an unknown 'bye' (did you mean 'by'?)."),
        ("by = -1", "by = 0.5", "rule.toml:11:5 skill[1].effect[2].then.by: expected a whole number"),
        ("needs = 5", "needs = 7", "rule.toml:10:5 skill[1].effect[1].roll.needs: found 7, expected a face from 2 to 6"),
        ("needs = 5", 'needs = "col"', "rule.toml:10:5 skill[1].effect[1].roll.needs: "),
        ('name = "Barbed"', 'name = "Barbed"\nset = "x"', "rule.toml:14:3 trait[1]: has an unknown 'set'."),
        ('"natural_6_to_wound"', '"natural_6_wound"', "rule.toml:19:1 trait[1].effect[1].if[1]: 'natural_6_wound' is not known"),
        ("\nby = 1", "\nbye = 1", "rule.toml:21:2 trait[1].effect[1].then: has an unknown 'bye' (did you mean 'by'?)."),
        ('"Second Breath"', '"Dodge"', "rule.toml:8:1 skill[1].name: Dodge is a skill of Necromunda Core Rulebook (2023)"),
        ('"Barbed"', '"Gas"', "rule.toml:15:1 trait[1].name: Gas is resolved in places of its own by this program"),
        ("[[trait]]", '[[skill]]\nname = "second breath"\nat_the_table = "x"\n[[trait]]', "rule.toml:15:1 skill[2].name: the skill 'second breath' stands twice."),
        ('name = "Second Breath"\n', "", "rule.toml:7:3 skill[1]: misses 'name'."),
    ],
)  # fmt: skip
def test_a_fault_of_a_row_is_named_with_its_line(tmp_path: Path, old: str, new: str, said: str) -> None:
    assert old in SKILL
    assert said in refused(tmp_path, SKILL.replace(old, new, 1))


@pytest.mark.parametrize(
    ("effect", "said"),
    [
        ('{ when = "ammo_test", roll = { needs = 4 }, then = { kind = "rolls_again" } }',
         "no die is rolled for rolls_again at ammo_test, so it would always act: take `roll` out."),
        ('{ when = "ammo_test", if = ["ranged"], then = { kind = "rolls_again" } }',
         "no condition is looked at for rolls_again at ammo_test, so it would always act: take `if` out."),
        ('{ when = "attack_dice", roll = { needs = 4 }, then = { kind = "changes_attack_dice", by = 1 } }',
         "no die is rolled for changes_attack_dice at attack_dice"),
        ('{ when = "hits_scored", bearer = "target", roll = { needs = 4 }, then = { kind = "parries" } }',
         "no die is rolled for parries at hits_scored"),
        ('{ when = "wound_roll", roll = { needs = 4 }, then = { kind = "wound_rolls" } }',
         "no die is rolled for wound_rolls at wound_roll"),
        ('{ when = "hits_scored", bearer = "target", then = { kind = "no_further_effect" } }',
         "no_further_effect at hits_scored comes about by a die: expected `roll`."),
        ('{ when = "injury_dice", then = { kind = "nerve_test_instead" } }',
         "nerve_test_instead at injury_dice comes about by a die: expected `roll`."),
    ],
)  # fmt: skip
def test_a_die_or_condition_that_nobody_would_heed_and_a_die_that_is_missing_are_named(
    tmp_path: Path, effect: str, said: str
) -> None:
    own = SKILL.partition("[[")[0] + f'[[skill]]\nname = "Odd"\neffect = [\n{effect}\n]\n'
    assert said in refused(tmp_path, own)


def test_no_row_of_the_books_has_a_die_or_a_condition_that_nobody_heeds() -> None:
    for book in ("necromunda_2023", "necromunda_archive"):
        for kind, stem in (("skill", "skills"), ("trait", "traits")):
            for printed in loader.book_files(book)[stem][kind]:
                row = {key: printed[key] for key in ("name", "effect") if key in printed}
                if printed.get("effect"):
                    assert unheeded(kind, with_purposes(row)) is None, printed["id"]  # type: ignore[arg-type]


def test_the_skill_on_its_page_is_read(tmp_path: Path) -> None:
    text = (ROOT / "docs" / "own-skills.md").read_text(encoding="utf-8")
    assert list(read(tmp_path, text.split("```toml\n")[1].split("```")[0]).patch) == [
        "trait.barbed",
        "skill.second_breath",
    ]
