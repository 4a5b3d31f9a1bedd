"""Vehicles on the board: their crew's shots with their weapons, shots and blows at them, wrecks, and who was aboard."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path

import convoy
import pytest
from boards import first_battle
from test_server_board import Board

SHOT_WRECKS_SLED = ("6", "one_hole", "6", "engine", "catastrophic", "catastrophic", "6+6", "6-6", "6")
"""No save against AP -1, two Damage dice for Damage 2; the driver is thrown out dead, the damage is lasting."""


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    """A first battle of the archived rules, two cars in it."""
    crews = {"skulls": ["krug", "vex", "joss"], "saints": ["mags", "dot", "ned"]}
    with first_battle(tmp_path, "necromunda_archive", convoy.sheets(tmp_path), crews) as board:
        yield board


def choices(board: Board) -> set[str]:
    return {said for said in board.answers if said}


def test_the_card_of_a_vehicle_shoots_each_weapon_that_it_carries(board: Board) -> None:
    assert {"shoot joss\nrig\ncannon", "shoot joss\nrig\nharpoon"} <= {*board.offered}
    assert "shoot joss\n\nautogun" not in board.offered, "a crew's own weapons are Sidearms"


def test_a_vehicle_is_shot_at_with_its_side_and_whether_it_is_mobile(board: Board) -> None:
    board.tap("shoot krug\nautogun")
    assert {"mags", "dot", "sled"} == choices(board), "the driver is inside"
    board.answer("sled")
    assert board.asks == "Which side of Sled is hit?"
    board.answer("front")
    assert board.asks == "Is Sled Mobile?"
    board.answer("y")
    assert "hull-down" in board.page
    board.answer("short, hull-down")
    assert board.asks.startswith("Krug: hit roll of autogun, needs 6+"), "4+, 2 harder for hull-down"


def test_heavy_foot_is_asked_about_only_where_it_may_be_used(tmp_path: Path) -> None:
    sheets = convoy.sheets(tmp_path)
    text = sheets[0].read_text(encoding="utf-8")
    driver = "name: Joss, category: crew"
    assert driver in text
    sheets[0].write_text(text.replace(driver, f"skills: [Heavy Foot], {driver}"), encoding="utf-8")
    with first_battle(tmp_path, "necromunda_archive", sheets, CREWS) as board:
        board.tap("drive rig\nram")
        assert board.asks == "Does the driver use Heavy Foot?"
        board.answer("y")
        while board.asks != "Tap who acts":
            board.answer(re.findall('value="([^"]*)" class="face"', board.page)[-1])
        board.tap("drive rig\nram")
        assert board.asks != "Does the driver use Heavy Foot?", "once a round"


def test_nothing_about_sides_is_asked_of_a_fighter(board: Board) -> None:
    board.tap("shoot krug\nautogun\nmags")
    assert board.asks == "At what range?"
    assert "hull-down" not in board.page


def test_a_wreck_by_a_vehicle_s_weapon_is_seen_on_its_card_and_throws_out_its_passengers(
    board: Board,
) -> None:
    board.tap("shoot joss\nrig\ncannon\nsled\nrear\ny\nshort")
    board.die(*SHOT_WRECKS_SLED)
    assert board.marks("sled") == ["Wrecked"]
    aboard = [line for line in board.offered if line.startswith("thrown_clear")]
    assert aboard == ["thrown_clear mags", "thrown_clear dot"], "of its own gang, and who still stands"


def test_of_two_location_dice_in_close_combat_the_attacker_chooses_one(board: Board) -> None:
    board.tap("fight krug\nsled\nside\nn\nsword")
    board.die("6", "6", "1", "body", "crew", "glancing")
    assert board.asks == "Which Location die counts? The attacker chooses."
    assert choices(board) == {"body", "crew"}
    board.answer("crew")
    board.die("6+6")
    assert board.asks == "Tap who acts"
    assert "Shaken" in board.marks("sled")


def test_a_vehicle_s_weapon_is_reloaded_by_its_crew(board: Board) -> None:
    board.tap("shoot ned\nsled\ncannon\nrig\nrear\ny\nlong")
    board.die("6", "ammo", "1", "1")
    assert board.marks("sled") == ["Cannon out of ammo"]
    assert "shoot ned\nsled" in board.offered, "one weapon is left, so none is asked for"
    board.tap("reload ned\nsled")
    board.die("6")
    assert board.marks("sled") == ["Unharmed"]


def test_no_vehicle_loses_its_nerve_before_a_friend_is_wrecked(board: Board) -> None:
    assert not [line for line in board.offered if line.startswith("vehicle_nerve")]


CREWS = {"skulls": ["krug", "vex", "joss"], "saints": ["mags", "dot", "ned"]}


def test_a_vehicle_in_the_way_of_a_stray_shot_is_named_with_its_side_where_the_book_has_it_hit(
    board: Board, tmp_path: Path
) -> None:
    board.tap("shoot krug\nautogun\nmags\nlong")
    board.die("2", "one_hole")
    assert choices(board) == {"dot", "vex"}, "the archived rules speak of fighters only"
    (tmp_path / "2023").mkdir()
    with first_battle(tmp_path / "2023", "necromunda_2023", convoy.sheets(tmp_path), CREWS) as printed:
        printed.tap("shoot krug\nautogun\nmags\nlong")
        printed.die("2", "one_hole")
        assert printed.asks.startswith("Who is in the way of the stray shot?")
        assert {"dot", "sled/front", "sled/front/mobile", "rig/rear"} <= choices(printed)
        assert "Sled: front, standing still" in printed.page
        printed.answer("sled/side")
        printed.die("1", "6")
        assert "Sled" in printed.asks, printed.asks


@contextmanager
def mortar_fires(folder: Path) -> Iterator[Board]:
    """A Blast of a car's mortar at Mags, until it is asked who lies under its marker."""
    sheets = convoy.sheets(folder)
    text = sheets[0].read_text(encoding="utf-8")
    mortar = "{name: mortar, S: 6, AP: -1, D: 2, range: {short: 12, long: 36}, ammo: 5+, traits: [Blast (3)]}"
    sheets[0].write_text(text.replace("weapons: [{name: cannon", f"weapons: [{mortar}, {{name: cannon", 1))
    with first_battle(folder, "necromunda_archive", sheets, CREWS) as board:
        board.tap("shoot joss\nrig\nmortar\nmags\nshort")
        assert board.asks == "Who lies under the Blast marker where it ends?"
        yield board


def test_a_vehicle_under_a_blast_is_named_with_its_side(tmp_path: Path) -> None:
    with mortar_fires(tmp_path) as board:
        assert {"dot", "sled/front", "sled/rear/mobile"} <= choices(board)
        assert "All of them" not in board.page, "a car is under it with one of its sides"
        board.send(board.at, revision=board.revision, choice=["mags", "sled/rear/mobile"])
        board.die("6", "one_hole", "1")
        assert "Sled" in board.asks, "after Mags, the car"


def test_one_vehicle_is_under_a_blast_with_one_of_its_sides(tmp_path: Path) -> None:
    with mortar_fires(tmp_path) as board:
        revision = board.revision
        board.send(board.at, revision=revision, choice=["mags", "sled/front", "sled/rear/mobile"])
        assert "Sled is named twice where a shot hits each model once" in board.page
        assert board.revision == revision
        assert board.asks == "Who lies under the Blast marker where it ends?"


def test_no_driver_tests_their_nerve_for_a_fighter(board: Board) -> None:
    board.tap("out_of_action mags")
    board.answer("", "")
    board.die("2-1")
    assert "nerve dot" in board.offered
    assert "nerve ned" not in board.offered


@pytest.mark.parametrize("below", ["", "/cards"])
def test_a_vehicle_stands_on_a_card_with_all_its_numbers(board: Board, below: str) -> None:
    board.go(f"/campaigns/ash-wastes/gangs/skulls{below}")
    card = re.search(r'<article class="card [^>]*id="rig">.*?</article>', board.page, re.DOTALL)
    assert card is not None
    read = " ".join(re.sub("<[^>]+>", " ", unescape(card[0])).split())
    assert "Rig ready Buggy, driven by Joss · 50 credits" in read
    assert 'M Front Side Rear W Hnd Sv 7" 5 4 3 2 7+ 6+' in read, "the archived rules count Wounds"
    assert 'cannon 12"/36" 6 -1 2 5+ harpoon 6"/18" 5 -3 2 5+' in read
