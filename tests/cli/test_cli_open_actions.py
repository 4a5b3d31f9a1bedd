"""What a model may do now, asked of a file without a campaign and of a campaign's battle."""

from pathlib import Path

from cli_arbitrator import Arbitrator
from exchange_files import HEAD


def listed(table: Arbitrator, *asked: str) -> tuple[list[str], dict[str, str]]:
    found = table.read(*asked)
    assert found["schema"] == "arbitrator/open_actions/1"
    may_not = {action["action"]: action["why_not"] for action in found["may_not"]}
    return [action["action"] for action in found["may"]], may_not


def test_judge_lists_what_a_model_may_do_once_the_exchange_is_decided(
    empty: Arbitrator, tmp_path: Path
) -> None:
    file = tmp_path / "asked.yaml"
    file.write_text(HEAD + "conditions: {mags: {pinned: true}}\nexchange: []\n", encoding="utf-8")
    may, may_not = listed(empty, "judge", str(file), "--actions", "Mags")
    assert "unpin" in may
    assert may_not["coup_de_grace"] == "Nobody and nothing is there that it could name."
    file.write_text(HEAD + "exchange: {seriously_injured: {fighter: mags}}\n", encoding="utf-8")
    assert listed(empty, "judge", str(file), "--actions", "mags")[0] == []
    page = empty.done("judge", str(file), "--actions", "krug").out
    assert "May:\n  fight (Core Rulebook (2023) · Close Combat" in page
    assert "  coup de grace (Core Rulebook (2023) · Close Combat" in page
    assert "Did you mean 'mags'" in empty.refused(2, "judge", str(file), "--actions", "magss")


def test_a_campaign_lists_them_while_a_battle_is_open(one_battle: Arbitrator) -> None:
    assert "no fighter of a battle under way" in one_battle.refused(2, "fighter", "actions", "krug")


def test_a_battle_that_is_under_way_again_says_what_its_fighters_may_do(season: Arbitrator) -> None:
    """Rolled back into the middle of battle 2, where everybody but the fallen goes on."""
    season.done("rollback", "rule", "--to-entry", "10", "--reason", "the lights went out", *season.seen())
    may, _ = listed(season, "fighter", "actions", "krug")
    assert "fight" in may
