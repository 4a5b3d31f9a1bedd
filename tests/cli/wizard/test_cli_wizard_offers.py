"""What the wizard lists the rules allow, and what it suggests can still be answered."""

import re

import ash_wastes
import convoy
import pytest
from cli_arbitrator import Arbitrator, begin
from conversations import HEAD, SHEETS, conversation, written

pytestmark = pytest.mark.usefixtures("wide")


def test_a_weapon_with_several_profiles_is_asked_for_one(table: Arbitrator) -> None:
    said = conversation(table, *HEAD, "hit", "vex", "bore cannon", "", "quit")
    assert "Which profile of the" in said
    assert "[none]" not in said.partition("Which profile of the")[2].partition("\n")[0]
    assert "This question needs an answer" in said


def test_who_lies_helpless_is_not_listed_among_those_who_leave(table: Arbitrator) -> None:
    down = ["seriously_injured", "krug", "", "bottle", "iron-skulls, of their own will"]
    said = conversation(table, *HEAD, *down, "flee", "y", "quit")
    listed = said.rpartition("Who tests or leaves?")[0].rpartition("choice, without Cool tests?")[2]
    assert "Vex" in listed
    assert "Krug" not in listed


def test_who_lost_the_battle_is_not_listed_as_its_winner(
    empty: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(empty, "--policy", "bottling-at-will-loses", sheets=SHEETS)
    monkeypatch.chdir(empty.folder)
    down = ["seriously_injured", "krug", "", "seriously_injured", "wren", ""]
    bottles = ["bottle", "iron-skulls, of their own will"]
    other = "other: bottle: {gang: gilded-cage, voluntary: true}"
    said = conversation(empty, *HEAD, *down, *bottles, other, "end", "Iron", "The Gilded Cage", "quit")
    assert "Every other gang has lost this battle already" in said
    assert "'Iron' is none of these" in said
    assert "{won: gilded-cage}" in written(empty), "who lies there may yet succumb"


def test_a_gang_of_nobody_is_said_before_the_battle_has_a_name(
    empty: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(empty.folder)
    gone = ash_wastes.fighter("Rook", "leader").replace("{id", "{so_far: {in_recovery: true}, id")
    head = "format: gang-sheet/2\ngang: dregs\nname: The Dregs\nhouse: House\nplayer: P\ncredits: 10\nfighters:\n"
    (empty.folder / "dregs.yaml").write_text(f"{head}  {gone}\n", encoding="utf-8")
    begin(empty, sheets=[SHEETS[0], empty.folder / "dregs.yaml"])
    said = empty.refused(1, "battle", "play", "night.yaml")
    assert "The Dregs have nobody who can take part" in said


def test_a_crew_without_a_weapon_of_their_own_names_the_vehicle_whose_weapon_it_is(
    empty: Arbitrator, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their card has the numbers of the car's weapon alone."""
    skulls, saints = convoy.sheets(empty.folder)
    text = skulls.read_text(encoding="utf-8")
    begun, joss, rest = text.partition("- {id: joss")
    bare = re.sub(r"weapons: \[.*?\]\}\n", "weapons: []}\n", joss + rest, count=1)
    skulls.write_text(begun + bare, encoding="utf-8")
    begin(empty, sheets=[skulls, saints])
    monkeypatch.chdir(empty.folder)
    said = conversation(empty, *HEAD, "shoot", "joss", "", "quit")
    assert "none, a weapon of their own" not in said
