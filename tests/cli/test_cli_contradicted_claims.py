"""Claims that the record contradicts: recorded as stated, and said aloud."""

import json

import pytest
from cli_arbitrator import Arbitrator, begin
from cli_reports import GANG_SHEETS, report
from exchange_files import exchange

SKIPS = (
    "shoot: {attacker: hob, weapon: autogun, target: quill, range: short, cover: full, engaged: true,"
    " nearer: [{model: mags, because: harder_to_hit}]}\n    dice: {hit: [1], firepower: [one]}"
)
SAID = "Mags Aurelia is skipped as harder to hit than Quill, which contradicts what is recorded"


@pytest.fixture
def table(empty: Arbitrator) -> Arbitrator:
    begin(empty, sheets=[sheet for sheet in GANG_SHEETS if sheet.stem in ("gilded-cage", "iron-skulls")])
    return empty


@pytest.mark.parametrize("options", [(), ("--dry-run",)])
def test_a_target_skipped_as_harder_to_hit_is_said_aloud_as_it_is_recorded(
    table: Arbitrator, options: tuple[str, ...]
) -> None:
    output = table.done("battle", "record", table.write(report("b1", SKIPS)), *options).out
    assert f"Note: {SAID}" in " ".join(output.split())


def test_programs_read_it_among_the_notes(table: Arbitrator) -> None:
    output = table.done("battle", "record", table.write(report("b1", SKIPS)), "--json").out
    assert any(note.startswith(SAID) for note in json.loads(output)["notes"])


def test_judge_says_it_too(empty: Arbitrator) -> None:
    asked = (
        "{shoot: {attacker: krug, weapon: autogun, target: mags, range: short, cover: full, engaged: true,"
        " nearer: [{model: dot, because: harder_to_hit}]}, dice: {improbable_hit: [1], firepower: [one]}}"
    )
    output = empty.done("judge", empty.write(exchange(asked)), "--json").out
    assert any("Dot is skipped as harder to hit than Mags" in note for note in json.loads(output)["notes"])
