"""Rams, collisions, fighters run over and leaps, from gang sheets to a ruling and a verified log."""

from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator, begin
from cli_reports import report

PERSON = (
    "  - {id: %s, name: %s, category: %s, type: Driver, cost: 50, skills: [%s], characteristics: {M: 5, WS: 4, BS: 4,"
    " S: 3, T: 3, W: 1, I: 4, A: 1, Ld: 7, Cl: 7, Wil: 7, Int: 7}}\n"
)
GANG = "format: gang-sheet/1\ngang: %s\nname: %s\nhouse: Haulers\nplayer: %s\nfighters:\n%svehicles:\n%s"
CAR = "  - {name: %s, cost: 150, crew: %s, M: %d, T: {front: 5, side: 4, rear: 3}, HP: 2, Hnd: 7+}\n"
RIDERS = GANG % (
    "dust-riders",
    "Dust Riders",
    "Robin",
    PERSON % ("ned", "Ned", "crew", "Heavy Foot, T-Bone") + PERSON % ("joss", "Joss", "leader", ""),
    CAR % ("Ash Rig", "ned", 7),
)
HOGS = GANG % (
    "iron-skulls",
    "Iron Skulls",
    "Sam",
    PERSON % ("hog", "Hog", "crew", "") + PERSON % ("pip", "Pip", "leader", "Mighty Leap"),
    CAR % ("Sled", "hog", 6),
)
RAM = "drive: {vehicle: ash-rig, action: ram, heavy_foot: true}\n    dice: {moves_further: [2], ram: [5]}"
COLLISION = (
    "collision: {vehicle: ash-rig, mobile: true, contact: front, into: sled, facing: side, into_mobile: true,"
    " ram: true, heavy_foot: true}\n"
    "    dice: {front_toughness: [2], wound: [2, 1], location: [body], vehicle_damage: [glancing, glancing,"
    " penetrating], handling: [4+4]}"
)
RUN_OVER = "run_over: {vehicle: ash-rig, mobile: true, fighter: pip}\n    dice: {run_over: [3]}"
REST = (
    "crash: {vehicle: sled, mobile: true, contact: side, terrain: flimsy}\n    dice: {wound: [1]}",
    "vehicle_fall: {vehicle: sled, mobile: true, inches: 2.5}\n    dice: {handling: [5+4]}",
    "leap: {fighter: pip, height: 4, gap: 2}",
    "jump: {fighter: pip, height: 3.5}\n    dice: {jump: [5]}",
    "edge: {fighter: pip, height: 2, railing: true}\n    dice: {edge: [1]}",
)
GANGS_THERE = "[dust-riders, iron-skulls]"


@pytest.fixture
def driving(empty: Arbitrator, tmp_path: Path) -> Arbitrator:
    sheets = []
    for name, sheet in (("riders", RIDERS), ("hogs", HOGS)):
        file = tmp_path / f"{name}.yaml"
        file.write_text(sheet, encoding="utf-8")
        sheets.append(file)
    begin(empty, sheets=sheets)
    return empty


@pytest.mark.usefixtures("wide")
def test_what_vehicles_and_leapers_do_is_said_as_the_table_says_it(driving: Arbitrator) -> None:
    """Movement 7 and 1 by Heavy Foot is 8: Strength 7 on the front of 5 and 2; the side of 4 takes 8 and a
    third Damage die."""
    said = driving.record(report("b1", RAM, COLLISION, RUN_OVER, *REST, gangs=GANGS_THERE)).out
    for line in (
        'Ash Rig rams, up to 13", Movement 8"',
        "T-Bone: Front Toughness +2",
        'Ash Rig rams head-on into Sled and pushes it along (Movement 8")',
        "Strength 8 against Toughness 4 of the side (needs 2+): wounds",
        "Strength 3 against Toughness 7 of the front (needs 6+): no wound",
        "Sled loses 1 Hull Point: 1 left",
        "out of the way",
        'Sled runs side-on into flimsy terrain, which is destroyed, and goes on (Movement 6")',
        'a fall of less than 3" does no harm',
        'Mighty Leap: a gap of up to 2" needs no test',
        "lands well",
    ):
        assert line in said, line
    assert driving("audit", "verify").code == 0


@pytest.mark.usefixtures("wide")
def test_a_ruling_on_the_initiative_test_of_who_was_run_over_carries_through(driving: Arbitrator) -> None:
    """A 3 and 1 for Standing passes 4+. Ruled a 2, Pip is hit and Pinned: he jumps no more, and stands up first."""
    driving.record(report("b1", RUN_OVER, REST[3], gangs=GANGS_THERE))
    dice = ("--faces=2", "--dice=5:wound=1")
    preview = driving.read("dispute", "preview", "5.2", *dice)
    assert [(slot["slot"], slot["result"]) for slot in preview["slots"]] == [(5, "changed"), (6, "refused")]
    driving.done("dispute", "open", "5.2", "--reason", "cocked")
    ruled = driving.done(
        "dispute", "rule", "8", *dice, "--void-entry", "6", "--reason", "a 2", *driving.seen()
    ).out
    assert "Pip is Prone and Pinned" in ruled
    assert driving("audit", "verify").code == 0
