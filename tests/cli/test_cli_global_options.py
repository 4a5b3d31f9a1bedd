"""Global options before the noun and behind the verb, and the chosen campaign of each database."""

import shutil
from collections.abc import Sequence
from pathlib import Path

import click
import pytest
from cli_arbitrator import Arbitrator, Ran, begin
from cli_reports import GANG_SHEETS

from tracker.cli.global_options import GLOBAL
from tracker.cli.main import arbitrator as root


@pytest.fixture
def two(arbitrator: Arbitrator, tmp_path: Path) -> str:
    """Another database, with two campaigns of which the second is chosen."""
    other = str(tmp_path / "two.db")
    for name in ("First", "Second"):
        assert arbitrator("campaign", "new", name, db=other).code == 0
    return other


def test_global_options_stand_behind_the_verb_too(arbitrator: Arbitrator, two: str) -> None:
    before = arbitrator("log", "show", db=two)
    assert "campaign Second opens" in before.out
    assert arbitrator("log", "show", "--db", two).out == before.out
    assert "campaign First opens" in arbitrator("log", "show", "--db", two, "-c", "first").out
    assert "campaign First opens" in arbitrator("log", "show", "--campaign", "first", "--db", two).out
    arbitrator.done("fighter", "rename", "pip", "--name", "Old Pip", "--as", "Vic")
    assert "Vic" in arbitrator.done("log", "show").out.splitlines()[-1]


def verbs(
    command: click.Command, words: tuple[str, ...] = ()
) -> Sequence[tuple[tuple[str, ...], click.Command]]:
    if not isinstance(command, click.Group):
        return [(words, command)]
    context = click.Context(command)
    named = [(name, command.get_command(context, name)) for name in command.list_commands(context)]
    return [verb for name, below in named if below is not None for verb in verbs(below, (*words, name))]


def test_every_verb_takes_every_global_option_once() -> None:
    listed = verbs(root)
    assert len(listed) > 60
    for words, verb in listed:
        typed = [option for parameter in verb.params for option in parameter.opts]
        for options in GLOBAL.values():
            assert all(typed.count(option) == 1 for option in options), words


def test_the_chosen_campaign_belongs_to_its_database(
    empty: Arbitrator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    begin(empty, sheets=GANG_SHEETS[:1])
    empty.done("campaign", "new", "Sump")
    other = str(tmp_path / "other.db")
    shutil.copy(empty.file, other)

    def chosen(db: str | None = None) -> str:
        ran: Ran = empty("campaign", "show", "--json", db=db)
        return str(ran.json["campaign"]) if ran.code == 0 else ran.err

    assert chosen() == "sump"
    assert empty("campaign", "use", "ash-wastes", db=other).code == 0
    assert (chosen(), chosen(other)) == ("sump", "ash-wastes")
    # A name that an earlier version wrote holds wherever no other was chosen.
    file = tmp_path / "data" / "campaign-tracker" / "chosen-campaign"
    file.write_text("ash-wastes\n", encoding="utf-8")
    assert (chosen(), chosen(other)) == ("ash-wastes", "ash-wastes")
    empty.done("campaign", "use", "sump")
    assert (chosen(), chosen(other)) == ("sump", "ash-wastes")


def test_no_password_is_kept_with_the_choice(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    from tracker.cli.session import Session, chosen_campaign

    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    url = "postgresql+psycopg://club:secret@db.example/campaigns"
    Session(db=f"{url}?password=hidden", campaign=None, actor=None).choose("ash-wastes")
    kept = (tmp_path / "data" / "campaign-tracker" / "chosen-campaign").read_text(encoding="utf-8")
    assert kept == "ash-wastes postgresql+psycopg://club@db.example/campaigns\n"
    assert chosen_campaign(url) == "ash-wastes"


def test_the_log_of_a_battle_is_shown_by_the_number_that_the_list_prints(season: Arbitrator) -> None:
    by_id = season.done("log", "show", "--battle", "b2").out
    assert season.done("log", "show", "--battle", "2").out == by_id
    assert "battle 2 (b2) opens" in by_id
    assert "no battle '7'" in season.refused(2, "log", "show", "--battle", "7")
