"""Armouries are shown, checked and merged; what two list differently is never decided in silence."""

from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator

from tracker.documents.armoury import read_armoury
from tracker.documents.yaml_reader import read_document

ARMOURIES = Path(__file__).parents[2] / "fixtures" / "armoury"
SUMP, FERRY = str(ARMOURIES / "sump-market.yaml"), str(ARMOURIES / "ferry-yard.yaml")


def listed(file: Path) -> tuple[set[str], set[str], set[str]]:
    armoury = read_armoury(read_document(file))
    return (
        {offer.item.name for offer in armoury.offers},
        {skill_set.name for skill_set in armoury.skill_sets},
        {listed.card.kind for listed in armoury.types},
    )


def test_show_lists_things_weapons_lists_skills_and_types(empty: Arbitrator) -> None:
    said = empty.done("armoury", "show", SUMP).out
    for line in ("Rare (9)", "Unwieldy", "nail gun 8, mesh coat 15", "Ferocity: Gnaw", "Kettle Boy"):
        assert line in said
    data = empty.read("armoury", "show", FERRY)
    assert [item["name"] for item in data["items"]][:2] == ["nail gun", "boat hook"]
    assert data["lists"] == {"tide wardens": {"boat hook": 12, "oilskin": 10}}
    assert not empty.file.exists()


def test_check_says_that_files_are_sound_and_agree(empty: Arbitrator) -> None:
    assert empty.read("armoury", "check", SUMP, FERRY)["armouries"] == [
        {"name": "Sump Market", "items": 7, "fighters": 3},
        {"name": "Ferry Yard", "items": 5, "fighters": 1},
    ]


def test_a_merged_armoury_lists_each_thing_once(empty: Arbitrator, tmp_path: Path) -> None:
    target = tmp_path / "both.yaml"
    empty.done("armoury", "merge", SUMP, FERRY, "--to", str(target))
    one, other, both = listed(Path(SUMP)), listed(Path(FERRY)), listed(target)
    assert both == tuple(mine | theirs for mine, theirs in zip(one, other, strict=True))
    empty.done("armoury", "merge", SUMP, FERRY, "--to", str(target))  # the same words: nothing to say


def test_merged_with_itself_an_armoury_is_what_it_was(empty: Arbitrator, tmp_path: Path) -> None:
    target = tmp_path / "same.yaml"
    empty.done("armoury", "merge", FERRY, FERRY, "--to", str(target))
    assert read_armoury(read_document(target)) == read_armoury(read_document(FERRY))


@pytest.fixture
def dearer(tmp_path: Path) -> str:
    text = Path(FERRY).read_text().replace("name: nail gun\n    cost: 10", "name: Nail Gun\n    cost: 11")
    (tmp_path / "dearer.yaml").write_text(text.replace("Bail", "Bob"))
    return str(tmp_path / "dearer.yaml")


def test_what_two_files_list_differently_is_refused_by_name(
    empty: Arbitrator, tmp_path: Path, dearer: str
) -> None:
    target = tmp_path / "both.yaml"
    for command in (("merge", FERRY, dearer, "--to", str(target)), ("check", FERRY, dearer)):
        said = empty.refused(2, "armoury", *command)
        assert "Nail Gun, the skills Seamanship" in said
        assert "--prefer-first" in said
    assert not target.exists()


def test_the_first_file_counts_where_that_is_said(empty: Arbitrator, tmp_path: Path, dearer: str) -> None:
    target = tmp_path / "both.yaml"
    empty.done("armoury", "merge", dearer, FERRY, "--prefer-first", "--to", str(target))
    weapon = read_armoury(read_document(target)).weapon("nail gun")
    assert weapon is not None
    assert weapon.cost_credits == 11


def test_other_words_in_the_target_are_kept(empty: Arbitrator, tmp_path: Path) -> None:
    target = tmp_path / "mine.yaml"
    target.write_text("mine")
    assert "exists already" in empty.refused(2, "armoury", "merge", SUMP, "--to", str(target))
    assert target.read_text() == "mine"


def test_a_faulty_armoury_is_refused_with_its_line(empty: Arbitrator, tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("format: armoury/1\nname: x\nitems:\n  - {name: rope, cost: dear}\n")
    assert "bad.yaml:4:24" in empty.refused(2, "armoury", "check", SUMP, str(tmp_path / "bad.yaml"))


def test_an_armoury_that_the_campaign_keeps_is_looked_into_where_no_file_is_given(
    arbitrator: Arbitrator,
) -> None:
    hire = ("fighter", "hire", "iron-skulls", "Kettle Boy", "Nub", "--reason", "a hand short", "--dry-run")
    assert "is in no armoury here" in arbitrator.refused(2, *hire)
    kept = arbitrator.done("campaign", "armoury", SUMP).out
    assert "Kettle Boy" in kept
    assert kept == arbitrator.done("campaign", "armoury").out
    assert "Nub" in arbitrator.done(*hire).out
    arbitrator.done("campaign", "armoury", "--none")
    assert "is in no armoury here" in arbitrator.refused(2, *hire)


def test_a_campaign_keeps_no_armoury_that_is_not_sound(arbitrator: Arbitrator, tmp_path: Path) -> None:
    (tmp_path / "wrong.yaml").write_text("format: armoury/1\nitems: [{name: nail gun}]\n", encoding="utf-8")
    assert "cost" in arbitrator.refused(2, "campaign", "armoury", str(tmp_path / "wrong.yaml"))
    assert "no armoury" in arbitrator.done("campaign", "armoury").out
