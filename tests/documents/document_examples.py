"""Small documents for the tests of this folder."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import jsonschema
import pytest

from tracker.campaign import records
from tracker.dice import D3, D6, D66, TWO_D6, SpecialDie
from tracker.documents.battle_report import BattlePlan, battle_plan
from tracker.documents.gang_sheet import gang_sheet_command
from tracker.documents.refusals import DocumentRefused
from tracker.documents.schemas import json_schema
from tracker.documents.yaml_reader import parse_document
from tracker.rules.rulebook import DicePurpose

ROOT = Path(__file__).parent.parent.parent
GANG_SHEETS = sorted((ROOT / "fixtures" / "gangs").glob("*.yaml"))

INJURY_DIE = SpecialDie(
    name="injury",
    symbols=(
        "flesh_wound",
        "flesh_wound",
        "serious_injury",
        "serious_injury",
        "serious_injury",
        "out_of_action",
    ),
    also_called={"flesh": "flesh_wound", "serious": "serious_injury", "ooa": "out_of_action"},
)
_DICE = {
    "wound": D6,
    "melee_hit": D6,
    "save": D6,
    "injury": "injury",
    "lasting_injury": D66,
    "multiple_injuries_count": D3,
    "multiple_injuries": D66,
    "lesson_learned": D3,
    "old_battle_wound": D6,
    "nerve": TWO_D6,
    "rally": TWO_D6,
    "flee": TWO_D6,
    "flee_engaged": D6,
    "bottle": D6,
    "recovery": "injury",
    "webbed_out_of_action": D6,
    "succumb": D6,
    "priority_cool": TWO_D6,
    "hit": D6,
    "improbable_hit": D6,
    "firepower": "firepower",
    "ammo": D6,
    "unstable": D6,
    "scatter": "scatter",
    "scatter_distance": D6,
    "scatter_distance_far": TWO_D6,
    "misfire": D6,
    "unseen_template": D6,
    "template_spill": D6,
    "stray": D6,
    "location": "location",
    "vehicle_damage": "vehicle_damage",
    "handling": TWO_D6,
    "control": "control",
    "control_direction": D6,
    "weapon_at_random": D6,
    "crew_injury": D66,
    "lasting_damage": D6,
    "unreliable": D6,
    "restart": TWO_D6,
    "driver": D6,
    "rolling_scatter": "scatter",
    "rolling_distance": D3,
    "thrown_clear": D6,
    "ganger_advancement": TWO_D6,
    "skill": D6,
    "upgrade_removal": D6,
    "sale": D6,
    "escape": D6,
    "scrap": D3,
    "reward": D6,
    "reward_d3": D3,
    "doctor_fee": TWO_D6,
    "doctor": D6,
    "stabilised": D66,
    "repairs": D6,
    "seek_rare": TWO_D6,
    "random_fighter": D6,
    "random_fighter_of_many": D66,
    "income": D6,
    "income_d3": D3,
    "bionic": D6,
    "bionic_ruined": D6,
    "mvp": D3,
    "painted": D3,
    "recruit": D6,
}
PURPOSES = {
    name: DicePurpose(name=name, die=die, special=INJURY_DIE if die == "injury" else None, about=name)
    for name, die in _DICE.items()
}

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


def told(entry: str, *, purposes: Mapping[str, DicePurpose] = PURPOSES) -> records.Command:
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


def example_in(page: str) -> str:
    """The complete example on a page of docs/formats."""
    text = (ROOT / "docs" / "formats" / page).read_text(encoding="utf-8")
    return text.split("```yaml\n", 1)[1].split("```", 1)[0]
