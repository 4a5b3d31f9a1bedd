"""What the table alone knows is asked where a skill, a trait or a mount makes it matter, and nowhere else."""

from pathlib import Path

import ash_wastes
import pytest
from cli_arbitrator import Arbitrator, begin
from conversations import HEAD, conversation, written

pytestmark = pytest.mark.usefixtures("wide")
GUN = "{{name: {}, S: 4, AP: 0, D: 1, range: {{short: 8, long: 24}}, ammo: 4+, traits: [{}]}}"
KNIFE = "{name: knife, S: 3, AP: 0, D: 1, traits: [Melee]}"
WEAPONS = ", ".join(
    [KNIFE, GUN.format("rifle", ""), GUN.format("maul gun", "Knockback"), GUN.format("lance gun", "Impale")]
)
CARDS = {
    "skulls": ("Krug", "Vex: Inspirational, Munitioneer", "Joss: Fast Shot"),
    "saints": ("Mags", "Dot", "Ned"),
}


def sheet(gang: str) -> str:
    cards = []
    for at, named in enumerate(CARDS[gang]):
        name, _, skills = named.partition(": ")
        mounted = ", mounted: true" if name == "Joss" else ""
        rank = "ganger" if at else "leader"
        cards.append(
            f"  - {{id: {name.lower()}, name: {name}, category: {rank}, type: Fighter, cost: 50{mounted},"
            f" characteristics: {ash_wastes.NUMBERS}, skills: [{skills}], weapons: [{WEAPONS}]}}\n"
        )
    head = f"format: gang-sheet/1\ngang: {gang}\nname: {gang.title()}\nhouse: House\nplayer: P\ncredits: 10\n"
    return head + "fighters:\n" + "".join(cards)


def shot(attacker: str, weapon: str) -> list[str]:
    """A shot at Mags from nearby that hits and does not wound."""
    return ["shoot", attacker, weapon, "mags", "1", "51", "1"]


@pytest.fixture
def yard(empty: Arbitrator, monkeypatch: pytest.MonkeyPatch) -> Arbitrator:
    files = [Path(empty.folder) / f"{gang}.yaml" for gang in CARDS]
    for gang, file in zip(CARDS, files, strict=True):
        file.write_text(sheet(gang), encoding="utf-8")
    begin(empty, sheets=files)
    monkeypatch.chdir(empty.folder)
    return empty


def test_whether_a_target_can_be_moved_is_asked_of_what_knocks_it_back(yard: Arbitrator) -> None:
    said = conversation(yard, *HEAD, *shot("krug", "rifle"), "quit")
    assert "cannot be moved" not in said
    held = ["shoot", "krug", "maul gun", "mags", "1, the target cannot be moved"]
    conversation(yard, *held, "quit")
    assert "cannot_be_moved: true" in written(yard)


def test_who_stands_behind_the_target_is_asked_where_an_attack_goes_on(yard: Arbitrator) -> None:
    said = conversation(yard, *HEAD, "shoot", "krug", "lance gun", "mags", "1", "dot", "quit")
    assert "Who stands behind Mags in the line of fire? Nearest first. [nobody]" in said
    assert "next_in_line: [dot]" in written(yard)


def test_the_skills_of_a_shot_are_asked_of_who_has_one(yard: Arbitrator) -> None:
    said = conversation(yard, *HEAD, *shot("krug", "rifle"), "quit")
    assert "Which skills are used" not in said
    conversation(yard, "shoot", "joss", "rifle", "mags", "1", "fast_shot", "quit")
    assert "using: [fast_shot]" in written(yard)


def test_a_friend_has_a_failed_ammo_test_made_again(yard: Arbitrator) -> None:
    ammo = ["shoot", "krug", "rifle", "mags", "1", "5", "ammo"]
    said = conversation(yard, *HEAD, *ammo, "5", "1", "quit")
    assert "Ammo test made again" not in said, "it was passed"
    said = conversation(yard, *ammo, "1", "1", "vex", "6", "quit")
    assert "Which friend within 6 inches has the Ammo test made again? [nobody]" in said
    assert "munitioneer: vex" in written(yard)


def test_a_friend_makes_up_for_a_failed_nerve_test(yard: Arbitrator) -> None:
    down = ["seriously_injured", "joss", ""]
    said = conversation(yard, *HEAD, *down, "nerve", "krug", "joss", "0", "6+6", "quit")
    assert "Inspirational" not in said, "it was passed"
    said = conversation(yard, "back", "back", "1+1", "vex", "6+6", "quit")
    assert "Which friend within 6 inches makes up for it with Inspirational? [nobody]" in said
    assert "inspired_by: vex" in written(yard)


def test_who_is_mounted_may_strike_in_passing(yard: Arbitrator) -> None:
    said = conversation(yard, *HEAD, "fight", "krug", "mags", "quit")
    assert "in passing" not in said
    conversation(yard, "back", "back", "joss", "mags", "knife, in passing", "quit")
    assert "ride_by: true" in written(yard)


def test_who_burns_and_is_engaged_is_not_asked_whether_they_lie_down(yard: Arbitrator) -> None:
    burns = ["other: condition: {fighter: krug, condition: blaze}", "blaze"]
    said = conversation(yard, *HEAD, *burns, "y", "quit")
    assert "Is Krug Engaged?" in said
    assert "end the run Prone and Pinned?" not in said
