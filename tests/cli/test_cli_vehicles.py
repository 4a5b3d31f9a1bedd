"""Vehicles from gang sheet to verified log, through the command line."""

from pathlib import Path

import pytest
from cli_arbitrator import Arbitrator, begin
from cli_reports import GANGS, report

RIDER = (
    "  - {id: %(id)s, name: %(name)s, category: crew, type: Driver, cost: 50, characteristics: {M: 5, WS: 4, BS: 4,"
    " S: 3, T: 3, W: 1, I: 4, A: 1, Ld: 7, Cl: 7, Wil: 7, Int: 7}}\n"
)
SHEET = (
    "format: gang-sheet/1\ngang: dust-riders\nname: Dust Riders\nhouse: Haulers\nplayer: Robin\nfighters:\n"
    + RIDER % {"id": "ned", "name": "Ned"}
    + RIDER % {"id": "joss", "name": "Joss"}
    + "vehicles:\n"
    "  - {name: Ash Rig, cost: 150, crew: ned, M: 7, T: {front: 5, side: 4, rear: 3}, HP: 1, Hnd: 7+, weapons: [ram]}\n"
)
WRECK = (
    "vehicle_hit: {attacker: krug, weapon: {name: ram, S: 8, AP: -2, D: 2}, vehicle: ash-rig, facing: rear, mobile: true}\n"
    "    dice: {wound: [2], location: [drive], vehicle_damage: [glancing, penetrating], handling: [1+1],"
    " control: [roll], control_direction: [2], crew_injury: [4-1], lasting_damage: [5, 1]}"
)
CLEAR = (
    "thrown_clear: {fighter: joss, vehicle: ash-rig, height: 3}\n    dice: {thrown_clear: [1], wound: [1]}"
)


@pytest.mark.parametrize(
    ("ruleset", "status", "paid"),
    [("necromunda_2023", "convalescing", 2), ("necromunda_archive", "in_recovery", 1)],
)
@pytest.mark.usefixtures("wide")
def test_a_vehicle_is_wrecked_and_the_log_verifies(
    empty: Arbitrator, tmp_path: Path, ruleset: str, status: str, paid: int
) -> None:
    sheet = tmp_path / "riders.yaml"
    sheet.write_text(SHEET, encoding="utf-8")
    begin(empty, "--ruleset", ruleset, sheets=[GANGS / "iron-skulls.yaml", sheet])
    before = empty.roster()["krug"]["experience"]
    output = empty.record(report("b1", WRECK, CLEAR, gangs="[iron-skulls, dust-riders]")).out
    assert "Ash Rig is wrecked by Krug the Anvil, no Hit Points left and it rolled over" in output
    roster = empty.roster()
    assert (roster["ned"]["status"], roster["krug"]["experience"] - before) == (status, paid)
    (riders,) = (gang for gang in empty.read("roster", "show")["gangs"] if gang["gang"] == "dust-riders")
    (rig,) = riders["vehicles"]
    assert (rig["lasting_damage"], rig["toughness"], rig["in_repair"]) == (
        ["Damaged Bodywork", "Persistent Rattle"],
        [4, 3, 3],
        False,
    )
    assert "Ash Rig" in empty.done("roster", "show").out
    assert empty("audit", "verify").code == 0


MISSED = (
    "vehicle_hit: {attacker: krug, weapon: {name: ram, S: 8, AP: -2, D: 2}, vehicle: ash-rig, facing: rear, mobile: true}\n"
    "    dice: {wound: [1]}"
)
WRECKED = (
    "--faces=2", "--dice=5:location=drive", "--dice=5:vehicle_damage=glancing,penetrating",
    "--dice=5:handling=1+1", "--dice=5:control=roll", "--dice=5:control_direction=2",
    "--dice=5:crew_injury=4-1", "--dice=5:lasting_damage=5,1",
)  # fmt: skip
OWED = (
    "format: battle-continued/1\nbattle: b1\nentries:\n"
    "  - thrown_clear: {fighter: joss, vehicle: ash-rig, height: 3}\n    dice: {thrown_clear: [1], wound: [1]}\n"
    "  - nerve: {fighter: joss, wreck: ash-rig, friends_near: 0}\n    dice: {nerve: [3+4]}\n"
)
SCRAP = (
    "format: post-battle/1\nbattle: b1\nentries:\n"
    "  - scrap: {gang: iron-skulls, wrecks: [ash-rig], late: the ruling}\n    dice: {scrap: [3]}\n"
)


def test_a_wreck_that_a_ruling_brings_is_owed_its_tests_and_they_are_given_in_their_place(
    empty: Arbitrator, tmp_path: Path
) -> None:
    """Joss was aboard, and stood beside the wreck: the battle is over, and both tests go beside the hit. The
    scrap, 3 x 10 credits, comes late."""
    sheet = tmp_path / "riders.yaml"
    sheet.write_text(SHEET.replace("Joss, category: crew", "Joss, category: ganger"), encoding="utf-8")
    begin(empty, sheets=[GANGS / "iron-skulls.yaml", sheet])
    empty.record(report("b1", MISSED, gangs="[iron-skulls, dust-riders]"))
    preview = empty.read("dispute", "preview", "5.2", *WRECKED)
    assert [(due["what"], due["because_of"], due["entry"]) for due in preview["owed"]] == [
        ("thrown_clear", "ash-rig", 5),
        ("nerve", "ash-rig", 5),
        ("vehicle_nerve", "ash-rig", 5),
        ("scrap", "ash-rig", None),
    ]
    empty.done("dispute", "open", "5.2", "--reason", "cocked")
    ruled = empty.done("dispute", "rule", "7", *WRECKED, "--reason", "a 2", *empty.seen())
    said = " ".join(ruled.out.split())
    assert "Owed: thrown_clear (in entry 5): Ash Rig is Wrecked" in said
    assert "arbitrator entry add FILE --after ENTRY" in said
    owed = empty.write(OWED, name="owed.yaml")
    added = empty.done("entry", "add", owed, "--after", "5", "--reason", "as owed", *empty.seen()).out
    assert "lands badly" in added
    assert "Joss keeps their nerve" in added
    before = {gang["gang"]: gang["credits"] for gang in empty.read("roster", "show")["gangs"]}
    empty.done("battle", "post", empty.write(SCRAP, name="scrap.yaml"))
    after = {gang["gang"]: gang["credits"] for gang in empty.read("roster", "show")["gangs"]}
    assert after["iron-skulls"] - before["iron-skulls"] == 30
    assert empty("audit", "verify").code == 0


@pytest.mark.usefixtures("wide")
def test_what_a_ruling_newly_calls_for_is_given_with_it_and_taken_back_with_it(
    empty: Arbitrator, tmp_path: Path
) -> None:
    sheet = tmp_path / "riders.yaml"
    sheet.write_text(SHEET.replace("Joss, category: crew", "Joss, category: ganger"), encoding="utf-8")
    begin(empty, sheets=[GANGS / "iron-skulls.yaml", sheet])
    empty.record(report("b1", MISSED, gangs="[iron-skulls, dust-riders]"))
    before = empty.read("roster", "show")
    owed = empty.write(OWED, name="owed.yaml")
    preview = empty.read("dispute", "preview", "5.2", *WRECKED, "--also", "5", owed)
    assert [(due["what"], due["entry"]) for due in preview["owed"]] == [("vehicle_nerve", 5), ("scrap", None)]
    assert empty.read("roster", "show") == before
    empty.done("dispute", "open", "5.2", "--reason", "cocked")
    assert f" --also 5 {owed} " in empty.done("dispute", "preview", "7", *WRECKED, "--also", "5", owed).out
    ruled = empty.done(
        "dispute", "rule", "7", *WRECKED, "--also", "5", owed, "--reason", "a 2", *empty.seen()
    )
    said = " ".join(ruled.out.split())
    assert "lands badly" in said
    assert "Joss keeps their nerve" in said
    assert "Owed: thrown_clear" not in said
    assert empty("audit", "verify").code == 0
    ruling = empty.read("log", "show")["entries"][-1]["entry"]
    empty.done("rollback", "rule", "--ruling", str(ruling), "--reason", "it was a 1", *empty.seen())
    assert empty.read("roster", "show")["gangs"] == before["gangs"]
    assert empty("audit", "verify").code == 0


@pytest.mark.parametrize(
    "verdict", [("dispute", "preview", "7.1", "--reverse"), ("rollback", "preview", "--ruling", "7")]
)
def test_a_ruling_taken_back_stands_alone(
    empty: Arbitrator, tmp_path: Path, verdict: tuple[str, ...]
) -> None:
    sheet = tmp_path / "riders.yaml"
    sheet.write_text(SHEET, encoding="utf-8")
    begin(empty, sheets=[GANGS / "iron-skulls.yaml", sheet])
    empty.record(report("b1", MISSED, gangs="[iron-skulls, dust-riders]"))
    empty.done("rollback", "rule", "--to-entry", "5", "--reason", "x", "--force", "known")
    owed = empty.write(OWED, name="owed.yaml")
    assert "leave out --also" in empty.refused(2, *verdict, "--also", "5", owed)


def test_a_vehicle_hit_on_a_fighter_is_refused(arbitrator: Arbitrator) -> None:
    entry = (
        "vehicle_hit: {attacker: krug, weapon: autogun, vehicle: quill, facing: front, mobile: true}\n"
        "    dice: {wound: [6]}"
    )
    said = arbitrator.refused(2, "battle", "record", arbitrator.write(report("b1", entry)))
    assert "is a fighter, and this is about a vehicle" in said


CANNON = "{name: cannon, S: 6, AP: -1, D: 1, range: {short: 12, long: 24}, ammo: 5}"
DRY = "shoot: {attacker: ned, from_vehicle: ash-rig, weapon: cannon, target: krug, range: long}\n"
DRY += "    dice: {hit: [1], firepower: [ammo], ammo: [1]}"
LOADED = "reload: {fighter: joss, weapon: cannon, on_vehicle: ash-rig}\n    dice: {ammo: [6]}"
LANCE = "{name: lance, S: 8, AP: -3, D: 1, range: {long: 24}, ammo: 4}"
HIT = f"shoot: {{attacker: krug, weapon: {LANCE}, range: long,"
HIT += " target: {vehicle: ash-rig, facing: front, mobile: true, hull_down: true}}\n"
HIT += "    dice: {hit: [6], firepower: [one], wound: [6], location: [crew], vehicle_damage: [penetrating]}"
FAINTS = "driver: {vehicle: ash-rig}\n    dice: {driver: [1], control: [roll], control_direction: [2],"
FAINTS += " crew_injury: [2-1], lasting_damage: [3]}"
ROLLS = "rolls_on: {vehicle: ash-rig}\n    dice: {rolling_scatter: [hit], rolling_distance: [3]}"
SHOTS = (DRY, LOADED, HIT, FAINTS, ROLLS)


def armed_sheet(tmp_path: Path) -> Path:
    sheet = tmp_path / "armed.yaml"
    sheet.write_text(SHEET.replace("HP: 1", "HP: 3").replace("weapons: [ram]", f"weapons: [ram, {CANNON}]"))
    return sheet


def test_shots_at_and_from_a_vehicle_its_end_phase_and_an_unreliable_start_are_recorded_and_verify(
    empty: Arbitrator, tmp_path: Path
) -> None:
    begin(empty, sheets=[GANGS / "iron-skulls.yaml", armed_sheet(tmp_path)])
    output = empty.record(report("b1", *SHOTS, gangs="[iron-skulls, dust-riders]")).out
    for said in (
        "Ash Rig's cannon is Out of Ammo until reloaded",
        "Ash Rig's cannon is reloaded",
        "the driver of Ash Rig has 1 Flesh Wound",
        "the driver of Ash Rig blacks out",
        "Ash Rig is wrecked, it rolled over",
        'Ash Rig rolls on 3 times, 2" each',
    ):
        assert said in output
    again = report("b2", gangs="[iron-skulls, dust-riders]", more="opening:\n  dice: {unreliable: [1]}\n")
    assert "Ash Rig does not start and takes no part in the battle" in empty.record(again).out
    assert empty("audit", "verify").code == 0


def test_an_opening_without_the_die_of_an_unreliable_vehicle_asks_for_it(
    empty: Arbitrator, tmp_path: Path
) -> None:
    begin(empty, sheets=[GANGS / "iron-skulls.yaml", armed_sheet(tmp_path)])
    empty.record(report("b1", *SHOTS, gangs="[iron-skulls, dust-riders]"))
    again = report("b2", gangs="[iron-skulls, dust-riders]")
    said = empty.refused(2, "battle", "record", empty.write(again))
    assert "Unreliable, starts on 2+" in said
