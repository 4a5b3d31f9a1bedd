"""Small documents for the tests of this folder."""

import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import jsonschema
import pytest

from tracker.campaign import records
from tracker.documents.battle_report import BattlePlan, battle_plan
from tracker.documents.gang_sheet import gang_sheet_command
from tracker.documents.refusals import DocumentRefused
from tracker.documents.schemas import json_schema
from tracker.documents.yaml_reader import parse_document, read_document
from tracker.rules.loader import book
from tracker.rules.rulebook import DicePurpose
from tracker.service.application import Tracker
from tracker.service.command_handler import CommandWithDice

ROOT = Path(__file__).parent.parent.parent
GANG_SHEETS = sorted((ROOT / "fixtures" / "gangs").glob("*.yaml"))

PURPOSES = book("necromunda_2023").purposes

REPORT_HEAD = """\
format: battle-report/1
battle: sump-bridge
scenario: Toll at the Bridge
date: 2025-03-14
gangs: [iron-skulls, gilded-cage]
result: {winner: iron-skulls}
"""
FIRST_ENTRY_LINE = REPORT_HEAD.count("\n") + 2


def report_of(*entries: str, head: str = REPORT_HEAD) -> str:
    """A report whose entries begin in FIRST_ENTRY_LINE, one to a line."""
    listed = "".join(f"  - {entry}\n" for entry in entries)
    return f"{head}entries:\n{listed}" if entries else head


def plan_of(text: str | bytes, *, purposes: Mapping[str, DicePurpose] = PURPOSES) -> BattlePlan:
    return battle_plan(parse_document(text, file="report.yaml"), purposes=purposes)


@cache
def _published() -> jsonschema.Draft202012Validator:
    return jsonschema.Draft202012Validator(json_schema("battle-report"))


def command_of(entry: str, *, purposes: Mapping[str, DicePurpose] = PURPOSES) -> records.Command:
    """The command of a report's only entry, which the published schema accepts too."""
    text = report_of(entry)
    plain = parse_document(text, file="report.yaml").root.plain()
    _published().validate(plain)
    return plan_of(text, purposes=purposes).decisions[1].command


def fault(entry: str, *, purposes: Mapping[str, DicePurpose] = PURPOSES) -> str:
    """The one thing that is wrong with a report's only entry."""
    with pytest.raises(DocumentRefused) as raised:
        plan_of(report_of(entry), purposes=purposes)
    (line,) = raised.value.message().splitlines()[1:]
    return line


def gang_of(text: str | bytes) -> records.EnlistGang:
    return gang_sheet_command(parse_document(text, file="gang.yaml"))


def example_in(page: str, nth: int = 1) -> str:
    """A complete example on a page of docs/formats: the first, or the nth."""
    text = (ROOT / "docs" / "formats" / page).read_text(encoding="utf-8")
    return re.split("```(?:yaml|toml)\n", text)[nth].split("```", 1)[0]


def section_example(heading: str) -> str:
    """The first example below a heading of docs/formats/battle-report.md."""
    page = (ROOT / "docs" / "formats" / "battle-report.md").read_text(encoding="utf-8")
    return page.split(f"{heading}\n", 1)[1].split("```yaml\n", 1)[1].split("```", 1)[0]


def begin(tracker: Tracker, *, book: str) -> str:
    """A campaign of the Iron Skulls and the Gilded Cage, before their first battle."""
    campaign = tracker.commands.open_campaign(name="Season", slug="season", book=book, preset=None).campaign
    for name in ("iron-skulls", "gilded-cage"):
        sheet = gang_sheet_command(read_document(ROOT / "fixtures" / "gangs" / f"{name}.yaml"))
        tracker.commands.play(campaign, [CommandWithDice(command=sheet)])
    return campaign


def play(tracker: Tracker, plan: BattlePlan, *, book: str) -> tuple[str, list[records.Event]]:
    """A report played in a new campaign; gives the campaign and the events."""
    campaign = begin(tracker, book=book)
    played = tracker.commands.play(campaign, plan.decisions)
    return campaign, [recorded.event for entry in played.entries for recorded in entry]
