"""The pages on Trench Crusade: their examples are played, and the sources know its files, knobs and questions."""

import re
from pathlib import Path

from tracker.documents.battle_report import battle_plan
from tracker.documents.gang_sheet import gang_sheet_command
from tracker.documents.yaml_reader import parse_document
from tracker.rules import loader
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice

DOCS = Path(__file__).parent.parent / "docs"
BOOK = loader.book("trench_crusade")
VIGIL = """\
format: gang-sheet/1
name: Black Vigil
house: Heretic Legion
player: Robin
fighters:
  - {name: Vex, category: elite, type: Priest, cost: 80, characteristics: {Mv: 6, Rng: 2, Mel: 2, Arm: -1}}
  - {name: Rat, category: troop, type: Trooper, cost: 30, characteristics: {Mv: 6, Rng: 0, Mel: 0, Arm: 0}}
"""


def example(page: str, heading: str) -> str:
    """The example under a heading of a page."""
    section = (DOCS / "formats" / page).read_text(encoding="utf-8").split(f"\n## {heading}\n", 1)[1]
    return section.split("```yaml\n", 1)[1].split("```", 1)[0]


def test_the_examples_are_played_as_they_stand(tmp_path: Path) -> None:
    tracker = Tracker(f"sqlite:///{tmp_path / 'docs.db'}", actor="test")
    campaign = tracker.commands.open_campaign(name="Docs", slug="docs", book=BOOK.book, preset=None).campaign
    for sheet in (example("gang-sheet.md", "Other characteristics"), VIGIL):
        document = parse_document(sheet, file="sheet.yaml")
        command = gang_sheet_command(document, characteristics=BOOK.characteristics)
        tracker.commands.play(campaign, [CommandWithDice(command=command)])
    report = parse_document(example("battle-report.md", "The Injury Chart"), file="report.yaml")
    played = tracker.commands.play(campaign, battle_plan(report, purposes=BOOK.purposes).decisions)
    fighters = {name: played.state.fighter(name) for name in ("anselm", "vex", "rat")}
    tracker.close()
    # 6+5-2-1 puts Anselm Down; the lowest two of 6-4-5 let him stand. 6+4 and 5+4+1-1 take Rat and Vex out.
    assert {name: fighter.times_out_of_action for name, fighter in fighters.items() if fighter} == {
        "anselm": 0,
        "vex": 1,
        "rat": 1,
    }
    assert fighters["vex"] is not None
    assert (fighters["vex"].scars, fighters["vex"].characteristics["ranged"]) == (1, 1)


def test_the_sources_name_every_file_knob_and_open_question_of_the_book() -> None:
    text = (DOCS / "sources.md").read_text(encoding="utf-8").split("\n## Trench Crusade\n", 1)[1]
    assert [name for name in loader.book_files(BOOK.book) if f"`{name}.toml`" not in text] == []
    assert [knob for knob in BOOK.knobs if f"`{knob}`" not in text] == []
    numbers = {number for knob in BOOK.knobs.values() for number in re.findall(r"G-\d\d", knob.about)}
    assert sorted(number for number in numbers if number not in text) == []
