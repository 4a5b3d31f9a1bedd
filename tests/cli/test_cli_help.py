"""`arbitrator help`: a command by its words, or a topic."""

import pytest
from cli_arbitrator import Arbitrator

from tracker.cli.help import TOPICS
from tracker.cli.main import EXIT_CODES


def test_help_on_a_command_is_its_own_help(empty: Arbitrator) -> None:
    for words in ((), ("roster",), ("roster", "show"), ("doctor",)):
        assert empty.done("help", *words).out == empty.done(*words, "--help").out


@pytest.mark.parametrize("topic", TOPICS)
def test_a_topic_is_told_within_a_wide_page(empty: Arbitrator, topic: str) -> None:
    said = empty.done("help", topic).out
    assert said.rstrip("\n") == TOPICS[topic]
    assert max(map(len, said.split("\n"))) <= 110


def test_the_exit_codes_are_those_of_the_program(empty: Arbitrator) -> None:
    codes = [line.split()[0] for line in empty.done("help", "exit-codes").out.splitlines()[2:]]
    assert all(f"{code} " in EXIT_CODES for code in codes)
    assert codes == ["0", "1", "2", "3", "4", "5", "70", "130"]


def test_an_unknown_topic_names_the_nearest(empty: Arbitrator) -> None:
    assert "Did you mean 'points'?" in empty.refused(2, "help", "pionts")
    assert "Did you mean 'show'?" in empty.refused(2, "help", "roster", "shwo")
