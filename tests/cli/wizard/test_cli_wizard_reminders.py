"""What skills give after a battle is said where it is due: on the command line, in the wizard, on the page."""

from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator, begin
from cli_reports import report
from conversations import SHEETS

from tracker.server.pages.post_battle import checklist
from tracker.service.application import Tracker

FIXER = "Krug the Anvil is a Fixer: credits for the gang."
CONNECTED = "Krug the Anvil is Connected: one Trade more, beside another action."
SAVVY = "Krug the Anvil is a Savvy Trader: a Trade adds 1 to the search."
MENTOR = "Krug the Anvil is a Mentor: a test for each friend within 6 inches who gained XP."
FILE = "format: post-battle/1\nbattle: night\ngang: iron-skulls\n"


@pytest.fixture
def skilled(empty: Arbitrator, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Arbitrator:
    """Krug has every skill of the aftermath."""
    sheet = tmp_path / "iron-skulls.yaml"
    skills = "skills: [Fixer, Connected, Savvy Trader, Mentor, Escape Artist]"
    sheet.write_text(SHEETS[0].read_text(encoding="utf-8").replace("skills: [Bull Charge]", skills))
    begin(empty, sheets=[sheet, SHEETS[1]])
    monkeypatch.chdir(empty.folder)
    return empty


def test_the_command_line_says_what_skills_give_when_a_battle_closes(skilled: Arbitrator) -> None:
    ran = skilled("battle", "record", skilled.write(report("night")))
    said = " ".join((ran.out + ran.err).split())
    for words, entry in ((FIXER, "fixer"), (CONNECTED, "trade"), (SAVVY, "trade"), (MENTOR, "mentor")):
        assert f"{words} After the battle: `{entry}`." in said


def test_the_wizard_and_the_page_say_it_in_the_step_where_it_is_due(skilled: Arbitrator) -> None:
    skilled("battle", "record", skilled.write(report("night")))
    ran = skilled("battle", "post", "--wizard", "after.yaml", stdin="iron-skulls\n" + "\n" * 6)
    said = " ".join(ran.out.split())
    assert said.index("1. The Wrap-up") < said.index(MENTOR) < said.index("3. Rewards") < said.index(FIXER)

    tracker = Tracker(f"sqlite:///{skilled.file}", actor="Kim")
    try:
        state = tracker.repository.state(tracker.directory.campaign_id("ash-wastes"))
    finally:
        tracker.close()
    owed = {step.name: step.owed for step in checklist(FILE, (), state)}
    assert owed["1. The Wrap-up"] == [MENTOR]
    assert owed["3. Rewards"] == [FIXER]
    assert owed["5. Post-battle actions"] == [CONNECTED, SAVVY]
    done = FILE + "entries:\n  - fixer: {by: krug}\n  - trade: {by: krug}\n"
    owed = {step.name: step.owed for step in checklist(done, ("fixer", "trade"), state)}
    assert owed["3. Rewards"] == []
    assert owed["5. Post-battle actions"] == [CONNECTED]
    twice = done + "  - medical_escort: {by: krug, patient: pip}\n"
    owed = {step.name: step.owed for step in checklist(twice, ("fixer", "trade", "escort"), state)}
    assert owed["5. Post-battle actions"] == []
