"""A roster shows who plays: the dead and gone of a gang are counted once they are many, and asked for by --all."""

import json
from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator

from bench.season import Season, open_tracker
from tracker.campaign import records
from tracker.cli.roster import GONE_MOST
from tracker.service.command_handler import CommandWithDice

GANG = "skulls"


def retired(many: int, folder: Path) -> Arbitrator:
    """A campaign in which so many of one gang have retired, each after another enlisted."""
    arbitrator = Arbitrator(folder)
    season = Season(open_tracker(arbitrator.file))
    commands: list[records.Command] = []
    for number in range(1, many + 1):
        commands.append(records.EnlistFighter(gang=GANG, card=season._card("ganger")))
        # The first eight and then the recruits, whose numbers follow those of six gangs of eight.
        who = number if number <= 8 else 40 + number - 8 + 8
        commands.append(records.RetireFighter(fighter=f"fighter-{who}", reason="old"))
    season.tracker.commands.play(season.campaign, [CommandWithDice(command=one) for one in commands])
    season.tracker.close()
    return arbitrator


def listed(arbitrator: Arbitrator, *words: str) -> list[str]:
    (gang,) = json.loads(arbitrator.done("roster", "show", GANG, "--json", *words).out)["gangs"]
    return [row["standing"] for row in gang["fighters"]]


def test_so_few_that_all_are_listed(tmp_path: Path) -> None:
    arbitrator = retired(GONE_MOST, tmp_path)
    shown = arbitrator.done("roster", "show").out
    assert "Fights no more" in shown
    assert "dead or gone" not in shown
    assert shown == arbitrator.done("roster", "show", "--all").out


@pytest.mark.parametrize("point", [(), ("--as-of-entry", "37")])
def test_more_of_a_gang_are_counted_and_asked_for(tmp_path: Path, point: tuple[str, ...]) -> None:
    arbitrator = retired(GONE_MOST + 5, tmp_path)
    for who in ((), (GANG,), ("Skulls",)):
        usual = arbitrator.done("roster", "show", *who, *point).out
        assert "Fights no more" not in usual
        assert usual.count("dead or gone; --all shows them.") == 1
        everybody = arbitrator.done("roster", "show", *who, "--all", *point).out
        assert "Fights no more" in everybody
        assert "dead or gone" not in everybody
        living = [line for line in usual.splitlines() if line and "dead or gone" not in line]
        assert [line for line in everybody.splitlines() if line in living] == living


def test_who_is_asked_for_by_name_is_shown_gone_or_not(tmp_path: Path) -> None:
    arbitrator = retired(GONE_MOST + 5, tmp_path)
    shown = arbitrator.done("roster", "show", "fighter-1").out
    assert "Fighter 1 " in shown
    assert "dead or gone" not in shown


def test_json_lists_everybody_unless_the_living_are_asked_for(tmp_path: Path) -> None:
    arbitrator = retired(GONE_MOST + 5, tmp_path)
    assert listed(arbitrator).count("retired") == GONE_MOST + 5
    assert listed(arbitrator, "--all") == listed(arbitrator)
    assert listed(arbitrator, "--living") == ["enlisted"] * 8
    assert "15 dead or gone" in arbitrator.done("roster", "show", GANG, "--living").out
