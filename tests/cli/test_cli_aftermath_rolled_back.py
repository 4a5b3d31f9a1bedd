"""A battle is rolled back with what came after it, and both are recorded again."""

from __future__ import annotations

import pytest
from cli_arbitrator import ROOT, Arbitrator

RULINGS = ROOT / "fixtures" / "rulings"
AFTER = str(RULINGS / "two-kills.after.yaml")


@pytest.fixture
def advanced(empty: Arbitrator) -> Arbitrator:
    """Entries 4 to 7 are the battle two-kills, 8 buys Krug a better Cool for 4 of his 5 XP."""
    empty.done("campaign", "new", "Advanced")
    for sheet in ("skulls", "saints"):
        empty.done("gang", "add", str(RULINGS / f"{sheet}.yaml"))
    empty.done("battle", "record", str(RULINGS / "two-kills.yaml"))
    empty.done("battle", "post", AFTER)
    return empty


def cool_and_xp(table: Arbitrator) -> tuple[int, int]:
    krug = table.roster()["krug"]
    return krug["characteristics"]["cool"], krug["experience"]


def roll_back(table: Arbitrator, *words: str) -> None:
    table.done("rollback", "rule", "--battle", "two-kills", *words, "--reason", "wrong", *table.seen())


def test_a_battle_and_its_aftermath_are_struck_and_recorded_again(advanced: Arbitrator) -> None:
    assert cool_and_xp(advanced) == (4, 1)
    preview = advanced.read("rollback", "preview", "--battle", "two-kills", "--with-aftermath")
    assert preview["about"] == "battle 1 (two-kills) and its aftermath"
    assert [(slot["slot"], slot["result"]) for slot in preview["slots"]] == [
        (n, "voided") for n in range(4, 9)
    ]
    roll_back(advanced, "--with-aftermath")
    assert cool_and_xp(advanced) == (5, 0)
    advanced.done("battle", "record", str(RULINGS / "two-kills.yaml"))
    assert "Recorded before" not in advanced.done("battle", "post", AFTER).out
    assert cool_and_xp(advanced) == (4, 1)
    assert "Recorded before" in advanced.done("battle", "post", AFTER).out
    assert cool_and_xp(advanced) == (4, 1)
    advanced.done("audit", "verify")


def test_the_aftermath_alone_is_voided_and_recorded_again(advanced: Arbitrator) -> None:
    advanced.done("dispute", "open", "8", "--reason", "not so")
    advanced.done("dispute", "rule", "9", "--void", "--reason", "not so", *advanced.seen())
    assert cool_and_xp(advanced) == (5, 5)
    advanced.done("battle", "post", AFTER)
    assert cool_and_xp(advanced) == (4, 1)


def test_what_is_left_of_a_file_is_not_recorded_twice_and_what_is_void_of_it_is_said(
    advanced: Arbitrator,
) -> None:
    file = advanced.write(
        "format: post-battle/1\nbattle: two-kills\ngang: rust-saints\nentries:\n"
        "  - reputation: {gang: rust-saints, by: 1, why: pity}\n"
        "  - reward: {gang: rust-saints, credits: 10, why: scrap}\n"
    )
    advanced.done("battle", "post", file)
    roll_back(advanced, "--strategy", "void-later")
    said = advanced.done("battle", "post", file).out
    assert "Recorded before" in said
    assert "A later ruling struck out these entries: 10." in said


def test_an_aftermath_goes_with_a_battle(advanced: Arbitrator) -> None:
    said = advanced.refused(2, "rollback", "preview", "--to-entry", "3", "--with-aftermath")
    assert "--with-aftermath goes with --battle" in said


def test_who_is_gone_by_a_ruling_and_who_comes_back_is_called_by_name(advanced: Arbitrator) -> None:
    how = ("--reason", "another evening")
    gone = advanced.done("rollback", "rule", "--to-entry", "2", *how, *advanced.seen()).out
    assert "Mags (Rust Saints): loses a place on the roster: Leader" in gone
    assert "  voided: 6 entries (3 to 8)" in advanced.done("audit", "report").out
    back = advanced.done("rollback", "preview", "--ruling", "9").out
    assert "Mags (Rust Saints): gains a place on the roster: Leader" in back
