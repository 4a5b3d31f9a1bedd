"""A dash on a card: the fighter has no such characteristic, and nothing makes a number of it."""

from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator

SHEET = """\
format: gang-sheet/2
name: The Kennel
house: Forge Clans
player: Kim
injuries_counted: false
fighters:
  - name: Bolt
    category: exotic_beast
    type: Sump Pup
    cost: 50
    characteristics: {M: 6", WS: 3+, BS: "-", S: 3, T: 3, W: 1, I: 4+, A: 1, Ld: 8+, Cl: 7+, Wil: N/A, Int: 9+}
"""


@pytest.fixture
def kennel(empty: Arbitrator, tmp_path: Path) -> Arbitrator:
    empty.done("campaign", "new", "Kennels")
    (tmp_path / "kennel.yaml").write_text(SHEET)
    return empty


def test_a_dash_is_shown_as_a_dash_without_a_note(kennel: Arbitrator, tmp_path: Path) -> None:
    added = kennel.done("gang", "add", str(tmp_path / "kennel.yaml"))
    assert "is kept as the card has it" not in added.out + added.err
    assert "WS 3+ BS - S 3" in kennel.done("fighter", "show", "bolt").out
    assert "Wil - Int 9+" in kennel.done("fighter", "show", "bolt").out


def test_an_injury_takes_nothing_off_a_dash(kennel: Arbitrator, tmp_path: Path) -> None:
    hurt = SHEET + "    so_far: {injuries: [{injury: Eye Injury}]}\n"
    (tmp_path / "kennel.yaml").write_text(hurt)
    kennel.done("gang", "add", str(tmp_path / "kennel.yaml"))
    assert " BS - " in kennel.done("fighter", "show", "bolt").out
    kennel.done("boards", "verify")


def test_a_sheet_that_goes_out_has_the_dash_again(kennel: Arbitrator, tmp_path: Path) -> None:
    kennel.done("gang", "add", str(tmp_path / "kennel.yaml"))
    assert "BS: '-'" in kennel.done("gang", "export", "the-kennel").out


def test_in_trench_crusade_too(empty: Arbitrator, tmp_path: Path) -> None:
    empty.done("campaign", "new", "Mud", "--ruleset", "trench_crusade")
    (tmp_path / "shrine.yaml").write_text(
        "format: gang-sheet/1\nname: Shrine\nhouse: Pilgrims\nplayer: Kim\nfighters:\n"
        "  - {name: Anchorite, category: troop, type: Shrine, cost: 140,"
        ' characteristics: {Mv: 6", Rng: N/A, Mel: +2 Dice, Arm: -3}}\n'
    )
    empty.done("gang", "add", str(tmp_path / "shrine.yaml"))
    assert "Rng - Mel +2 DICE" in empty.done("fighter", "show", "anchorite").out
