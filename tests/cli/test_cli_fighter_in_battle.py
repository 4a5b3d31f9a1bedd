"""`fighter show` in a battle under way: how the fighter stands, as the battle's page says."""

import pytest
from cli_arbitrator import Arbitrator

WORDS = {
    "blaze": "on fire",
    "blind": "Blind",
    "insane": "Insane",
    "concussed": "Concussed",
    "gunked": "Gunked",
    "disarmed": "disarmed",
}
NET = "{name: net, S: 4, AP: 0, D: 1, traits: [Web]}"
GOES_ON = (
    "format: battle-continued/1\nbattle: b2\nentries:\n"
    + "".join(f"  - condition: {{fighter: tallow, condition: {condition}}}\n" for condition in WORDS)
    + f"  - hit: {{attacker: sable, weapon: {NET}, target: tallow}}\n    dice: {{wound: [6]}}\n"
)


@pytest.fixture
def midway(season: Arbitrator) -> Arbitrator:
    """Battle 2 (b2) is under way: all after its first hit is struck."""
    season.done("rollback", "rule", "--to-entry", "10", "--reason", "the lights went out", *season.seen())
    return season


def test_fighter_show_says_how_a_fighter_stands_in_the_battle_under_way(midway: Arbitrator) -> None:
    assert "in_battle" in midway.read("fighter", "show", "tallow")
    assert midway.read("fighter", "show", "tallow")["in_battle"] == ["unhurt"]
    midway.done("battle", "continue", midway.write(GOES_ON))
    stands = ["Webbed", *WORDS.values()]
    assert midway.read("fighter", "show", "tallow")["in_battle"] == stands
    page = " ".join(midway.done("fighter", "show", "tallow").out.split())
    assert f"In the battle under way: {', '.join(stands)}" in page
    midway.done("audit", "verify", "--deep")


def test_fighter_show_says_nothing_of_a_battle_between_battles(season: Arbitrator) -> None:
    assert "in_battle" not in season.read("fighter", "show", "tallow")
    assert "In the battle under way" not in season.done("fighter", "show", "tallow").out
