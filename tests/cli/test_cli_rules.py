"""`arbitrator rules`: every table, knob and house rule can be found and read, with its source."""

import json

import pytest
from cli_arbitrator import Arbitrator
from tables import every

from tracker.rules import loader

BOOKS = [loader.book(name) for name in loader.book_names()]
TABLES = [(book.book, name) for book in BOOKS for name in (*book.tables, *book.charts)]
KNOBS = sorted({name for book in BOOKS for name in book.knobs})
ROWS = [
    (book.book, kind, name)
    for book in BOOKS
    for kind, names in (
        ("trait", [*book.traits, *book.traits_elsewhere]),
        ("skill", [row.name for row in book.skills.values()]),
        ("condition", [row.name for row in book.condition_rules.rows] if book.condition_rules else []),
    )
    for name in names
]
PARTS = [(book.book, part) for book in BOOKS for part in loader.book_files(book.book)]


def test_the_list_names_every_table_knob_and_house_rule(empty: Arbitrator) -> None:
    said = empty.done("rules", "list").out
    listed = empty.read("rules", "list")
    for book in BOOKS:
        for name in (*book.tables, *book.charts, *book.knobs, *loader.book_files(book.book)):
            assert name in said
    for name in (*loader.policies(), *loader.presets()):
        assert name in said
    assert [book["book"] for book in listed["books"]] == list(loader.book_names())
    assert len(listed["policies"]) == len(loader.policies())
    assert all(
        one["source"]
        for book in listed["books"]
        for key in ("tables", "charts", "knobs")
        for one in book[key]
    )


def test_the_lists_are_of_the_campaigns_own_book_unless_all_are_asked_for(arbitrator: Arbitrator) -> None:
    own = loader.book("necromunda_2023").knobs
    fitting = [policy.id for policy in loader.policies().values() if set(policy.patch) <= set(own)]
    assert 0 < len(fitting) < len(loader.policies())
    listed = arbitrator.read("rules", "list")
    assert [book["book"] for book in listed["books"]] == ["necromunda_2023"]
    assert [f"{policy['policy']}@{policy['version']}" for policy in listed["policies"]] == fitting
    everything = arbitrator.read("rules", "list", "--book", "all")
    assert [book["book"] for book in everything["books"]] == list(loader.book_names())

    def available(*options: str) -> list[str]:
        rows = arbitrator.read("policy", "list", *options)["available"]
        return [f"{row['policy']}@{row['version']}" for row in rows]

    assert available() == fitting
    assert available("--all") == list(loader.policies())


def test_who_only_looks_a_rule_up_needs_no_database(empty: Arbitrator) -> None:
    assert len(empty.read("rules", "list")["books"]) == len(loader.book_names())
    assert not empty.file.exists()
    empty.file.write_bytes(b"not a database at all, but long enough to be read as the head of one")
    assert len(empty.read("rules", "list")["books"]) == len(loader.book_names())


@pytest.mark.usefixtures("wide")
def test_a_table_is_printed_as_in_a_book(empty: Arbitrator) -> None:
    said = empty.done("rules", "show", "lasting_injuries", "--book", "necromunda_2023").out
    assert said.startswith(
        "Lasting Injury Table · Necromunda Core Rulebook (2023)\n"
        "Source: Necromunda Core Rulebook (2023) · Lasting Injury Table\n"
    )
    assert "\n46     Hobbled             goes into Recovery, Movement worse by 1\n" in said
    assert "\n15-26  Out Cold\n" in said
    assert "\n66     Memorable Death     dies, attacker gains 1 XP\n" in said
    assert "counts as Out Cold when suffered before" in " ".join(said.split())
    assert "Leadership worse by 1 from the 2nd time on" in said


@every(("book", "table"), TABLES, ids=str)
@pytest.mark.usefixtures("wide")
def test_every_table_can_be_shown(empty: Arbitrator, book: str, table: str) -> None:
    said = empty.done("rules", "show", table, "--book", book).out
    listed = empty.read("rules", "show", table, "--book", book)
    assert f"Source: {listed['source']}\n" in said
    for line in listed["lines"]:
        assert line["printed"] in said
        assert line["name"] in said


@every("knob", KNOBS)
@pytest.mark.usefixtures("wide")
def test_every_knob_can_be_shown(empty: Arbitrator, knob: str) -> None:
    said = empty.done("rules", "show", knob).out
    listed = empty.read("rules", "show", knob)
    for one in listed["knobs"]:
        assert one["about"] in said
        assert f"Printed: {one['printed']}\n" in said
        assert f"Source: {one['source']}\n" in said
    assert {policy["id"] for policy in listed["moved_by"]} == {
        policy.id for policy in loader.policies().values() if knob in policy.patch
    }


@every("policy", loader.policies())
@pytest.mark.usefixtures("wide")
def test_every_house_rule_can_be_shown_with_what_it_moves(empty: Arbitrator, policy: str) -> None:
    said = empty.done("rules", "show", policy).out
    listed = empty.read("rules", "show", policy)["policy"]
    assert f"Source: {listed['source']}\n" in said
    for knob, value in listed["patch"].items():
        assert f"{knob}: {value} (printed: " in said
    assert empty.read("rules", "show", policy.partition("@")[0])["policy"]["policy"] == listed["policy"]


@pytest.mark.parametrize("preset", loader.presets())
def test_every_preset_can_be_shown(empty: Arbitrator, preset: str) -> None:
    said = empty.done("rules", "show", preset).out
    assert all(policy in said for policy in loader.preset(preset).policies)
    assert len(empty.read("rules", "show", preset)["policies"]) == len(loader.preset(preset).policies)


@every(("book", "part"), PARTS, ids=str)
def test_every_part_of_a_book_can_be_shown(empty: Arbitrator, book: str, part: str) -> None:
    assert "Source: " in empty.done("rules", "show", part, "--book", book).out
    json.loads(empty.done("rules", "show", part, "--book", book, "--json").out)


def test_what_several_books_have_is_shown_for_each(empty: Arbitrator) -> None:
    said = empty.done("rules", "show", "lasting_injuries").out
    having = [book for book in BOOKS if "lasting_injuries" in book.tables]
    assert len(having) > 1
    assert all(f"Lasting Injury Table · {book.title}\n" in said for book in having)
    assert "--book necromunda_2023 or --book necromunda_archive" in empty.refused(
        2, "rules", "show", "lasting_injuries", "--json"
    )


def test_a_book_can_be_shown_by_its_name(empty: Arbitrator) -> None:
    said = empty.done("rules", "show", "necromunda_2023").out
    assert "wound_roll: Core Rulebook (2023) · Resolve Hits · 1. Make Wound Roll" in said


def test_what_is_not_there_is_refused_with_the_nearest_name(empty: Arbitrator) -> None:
    assert "Did you mean 'stray_shots.hits_on'?" in empty.refused(2, "rules", "show", "stray_shots.hit_on")
    assert "There is no rulebook 'x'" in empty.refused(2, "rules", "list", "--book", "x")
    said = empty.refused(2, "rules", "show", "injury_chart", "--book", "necromunda_2023")
    assert "Necromunda Core Rulebook (2023) has nothing called 'injury_chart'." in said


def test_one_book_alone_is_listed_with_the_house_rules_that_fit_it(empty: Arbitrator) -> None:
    listed = empty.read("rules", "list", "--book", "trench_crusade")
    assert [book["book"] for book in listed["books"]] == ["trench_crusade"]
    assert all(
        set(policy["patch"]) <= {knob["knob"] for knob in listed["books"][0]["knobs"]}
        for policy in listed["policies"]
    )


@every(("book", "kind", "name"), ROWS, ids=str)
@pytest.mark.usefixtures("wide")
def test_every_trait_skill_and_condition_is_found_by_its_name(
    empty: Arbitrator, book: str, kind: str, name: str
) -> None:
    found = [row for row in empty.read("rules", "show", name, "--book", book)["rules"] if row["kind"] == kind]
    assert len(found) == 1
    row = found[0]
    assert row["does"] or row["at_the_table"]
    assert row["asks_for_nothing"] is None or not row["does"]
    said = empty.done("rules", "show", name, "--book", book).out
    assert f"Source: {row['source']}\n" in said
    assert all(sentence in said for sentence in row["does"])


@pytest.mark.usefixtures("wide")
def test_a_skill_says_when_it_acts_by_which_die_and_what_it_does(empty: Arbitrator) -> None:
    said = empty.done("rules", "show", "iron jaw", "--book", "necromunda_2023").out
    assert said == (
        "Iron Jaw (Brawn skill) · Necromunda Core Rulebook (2023)\n"
        "Source: Core Rulebook (2023) · Skills · Iron Jaw\n"
        "  On the hit, of who is attacked, if in close combat and without AP: Toughness +2.\n"
    )
    dodge = empty.read("rules", "show", "Dodge", "--book", "necromunda_2023")["rules"]
    assert "a D6 of 6+, passed: no further effect" in dodge[0]["does"][0]


@pytest.mark.usefixtures("wide")
def test_what_movement_alone_decides_says_that_it_asks_for_nothing(empty: Arbitrator) -> None:
    said = empty.done("rules", "show", "Sprint", "--book", "necromunda_2023").out
    assert "At the table: the second Move of an activation is double." in said
    assert "It asks for no dice here: movement alone decides it." in said


def test_a_name_of_a_trait_and_a_condition_shows_both_in_one_document(empty: Arbitrator) -> None:
    kinds = {(row["kind"], row["id"]) for row in empty.read("rules", "show", "blaze")["rules"]}
    assert kinds == {("trait", "blaze"), ("condition", "blaze")}
    blaze = empty.done("rules", "show", "Blaze", "--book", "necromunda_2023").out
    assert "Strength 3, AP -1, Damage 1" in " ".join(blaze.split())


def test_a_trait_is_found_with_its_number_as_a_card_prints_it(empty: Arbitrator) -> None:
    rapid = empty.read("rules", "show", "Rapid Fire (2)", "--book", "necromunda_2023")["rules"]
    assert [row["id"] for row in rapid] == ["rapid-fire"]
