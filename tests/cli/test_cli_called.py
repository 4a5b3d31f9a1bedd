"""Names that several people have: nobody guesses who is meant."""

import os
import pty

import forked
import pytest
from cli_arbitrator import Arbitrator, Command
from cli_reports import GANG_SHEETS

SKULLS = GANG_SHEETS[0].read_text(encoding="utf-8")


@pytest.fixture
def twins(arbitrator: Arbitrator) -> Arbitrator:
    """A second gang called Iron Skulls, with a second Krug."""
    again = SKULLS.replace("gang: iron-skulls", "gang: new-skulls").replace("id: ", "id: new-")
    arbitrator.done("gang", "add", arbitrator.write(again, name="again.yaml"))
    return arbitrator


GANG_WORDS = {
    "roster show": ("roster", "show"),
    "roster diff": ("roster", "diff", "--from", "entry:2"),
    "gang show": ("gang", "show"),
    "explain": ("explain",),
}
FIGHTER_WORDS = {
    "roster show": ("roster", "show"),
    "roster diff": ("roster", "diff", "--from", "entry:2"),
    "fighter show": ("fighter", "show"),
    "explain": ("explain",),
    "log show": ("log", "show", "--fighter"),
    "gang release": ("gang", "release", "--reason", "because"),
}


@pytest.mark.parametrize("words", GANG_WORDS.values(), ids=GANG_WORDS)
def test_two_gangs_of_one_name_are_refused_with_their_ids(twins: Arbitrator, words: tuple[str, ...]) -> None:
    assert twins.refused(2, *words, "iron SKULLS") == (
        "arbitrator: 2 are called 'iron SKULLS': the gang iron-skulls, the gang new-skulls."
        " Say which one, by its id.\n"
    )
    assert "2 are called" not in twins(*words, "new-skulls").err


@pytest.mark.parametrize("words", FIGHTER_WORDS.values(), ids=FIGHTER_WORDS)
def test_two_fighters_of_one_name_are_refused_with_their_ids(
    twins: Arbitrator, words: tuple[str, ...]
) -> None:
    name = "Krug the Anvil"
    said = twins.refused(2, *words, name)
    assert f"2 are called '{name}': the fighter krug, the fighter new-krug." in said
    assert "2 are called" not in twins(*words, "new-krug").err


def test_a_fighter_called_like_a_gang_is_not_taken_for_it(arbitrator: Arbitrator) -> None:
    arbitrator.done("fighter", "rename", "krug", "--name", "Iron Skulls")
    for words in (("roster", "show"), ("explain",)):
        said = arbitrator.refused(2, *words, "Iron Skulls")
        assert "the gang iron-skulls" in said
        assert "the fighter krug" in said


def test_an_id_is_never_taken_for_a_name(arbitrator: Arbitrator) -> None:
    arbitrator.done("fighter", "rename", "krug", "--name", "gilded-cage")
    assert "Gilded Cage" in arbitrator.done("roster", "show", "gilded-cage").out
    assert arbitrator.done("explain", "gilded-cage").out.startswith("The Gilded Cage")


def test_on_a_terminal_it_is_asked_who_is_meant(twins: Arbitrator) -> None:
    command = Command(twins.file)
    ours, theirs = pty.openpty()
    process = forked.command(
        ("gang", "show", "Iron Skulls", "--json"),
        command.environment(NO_COLOR="1", COLUMNS="200"),
        streams=dict.fromkeys((0, 1, 2), theirs),
    )
    os.close(theirs)
    os.write(ours, b"7\n2\n")
    output = b""
    try:
        while part := os.read(ours, 65_536):
            output += part
    except OSError:  # the command is done and its end is closed
        pass
    os.close(ours)
    assert process.ended().returncode == 0
    shown = output.decode().replace("\r\n", "\n")
    assert "2 are called Iron Skulls:\n  1  gang iron-skulls\n  2  gang new-skulls\n" in shown
    assert '"gang": "new-skulls"' in shown
    assert '"gang": "iron-skulls"' not in shown
