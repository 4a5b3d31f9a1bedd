"""Rows of the table of command keys that the owner of the database spoiled, where no server or file checks them."""

import pytest

from tracker.service.entry_checks import CommandRows

NUMBERS = ("first_entry", "last_entry", "first_seq", "last_seq")


@pytest.mark.parametrize("column", NUMBERS)
def test_a_command_row_without_a_number_is_damage_and_no_fault_of_the_program(column: str) -> None:
    row: dict[str, object] = {"key": "night-raid", "digest": "0" * 64} | dict.fromkeys(NUMBERS, 1)
    rows = CommandRows([row | {column: None}])
    rows.ended()
    assert rows.wrong == [f"command 'night-raid' has no number in {column}"]
